"""Tests of the action grammar: schemas and requests."""

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from custom_components.chatterbox.agent.dialects.guided.inventory import MISSING
from custom_components.chatterbox.agent.directions import Directions
from custom_components.chatterbox.agent.home import HomeVocabulary
from custom_components.chatterbox.agent.messages import Message
from custom_components.chatterbox.agent.model.provider import CompletionRequest
from custom_components.chatterbox.agent.questions import Questions
from tests.agent.dialects.guided.sample_grammar import (
    DONE_BEFORE,
    LOOK_UP,
    TURN_ON,
    grammar,
    recognize,
    request,
)
from tests.agent.sample_home import HOME, SHOPPING, TOOLS, called, result

FOUND = {"results": [{"title": "Blue", "can_play": True, "media_content_id": "b"}]}
TOPICS = ["time", "date", "weather"]
ANSWER_NOW = "Now answer the user in one short sentence."


def alternatives(schema: dict[str, Any]) -> list[dict[str, Any]]:
    parts: list[dict[str, Any]] = schema.get("anyOf", [schema])
    return parts


def kinds(schema: dict[str, Any]) -> list[str]:
    """Return what an answer can be: `do`, `look_up`, `answer` or a topic of its own."""
    return [
        part["properties"]["topic"]["const"] if key in {"topic", "day"} else key
        for part in alternatives(schema)
        for key in [list(part["properties"])[-1]]
    ]


def actions(schema: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """Yield the verbs that an answer can have, with their devices."""
    for part in alternatives(schema):
        if "do" in part["properties"]:
            for action in alternatives(part["properties"]["do"]["items"]):
                verb, device = action["properties"]["verb"], action["properties"].get("device", {})
                for each in verb.get("enum") or [verb["const"]]:
                    yield each, device.get("enum", [])


# The schema of an answer.


def test_topic_comes_first_and_every_object_is_closed() -> None:
    for part in alternatives(grammar(request("turn on the desk lamp, dear")).schema):
        assert next(iter(part["properties"])) == "topic"
        assert part["required"] == list(part["properties"])
        assert part["additionalProperties"] is False


def test_mentioned_device_can_be_acted_on_and_looked_up() -> None:
    schema = grammar(request("could you kindly turn on the kettle")).schema
    assert kinds(schema) == ["do", "look_up", "answer"]
    assert dict(actions(schema))["turn_on"] == ["Kettle"]
    assert "lock" not in dict(actions(schema))
    look_up = alternatives(schema)[1]["properties"]["look_up"]
    assert "Kettle" in look_up["items"]["enum"]
    assert (look_up["minItems"], look_up["maxItems"]) == (1, 1)
    do = alternatives(schema)[0]["properties"]["do"]
    assert (do["minItems"], do["maxItems"]) == (1, 4)


def test_lists_are_bounded_however_many_devices_are_mentioned() -> None:
    schema = grammar(request("dear kettle, radio, desk lamp and front door")).schema
    do, look_up = alternatives(schema)[:2]
    assert do["properties"]["do"]["maxItems"] == 4
    assert look_up["properties"]["look_up"]["maxItems"] == 3


def test_message_with_words_of_the_home_only_cannot_be_answered_from_knowledge() -> None:
    assert kinds(grammar(request("turn on the kettle")).schema) == ["do", "look_up"]


def test_message_that_mentions_nothing_has_no_devices() -> None:
    schema = grammar(request("what is the capital of Italy")).schema
    assert kinds(schema) == ["do", *TOPICS, "answer"]
    assert {device for _, devices in actions(schema) for device in devices} == {MISSING}
    assert dict(actions(schema))["tell_joke"] == []
    only = [tool for tool in TOOLS if tool.name == "get_weather"]
    assert kinds(grammar(request("what is love", tools=only)).schema) == ["weather", "answer"]


def test_statement_that_is_recognized_as_a_question_can_be_a_command() -> None:
    recognized = recognize("HassGetState", domain="light", state="off")
    asked = request("all lights off")
    assert kinds(grammar(asked, recognized).schema) == ["look_up"]
    home = replace(HOME, questions=Questions(asked=frozenset({"is", "are"})))
    assert kinds(grammar(asked, recognized, vocabulary=home).schema) == ["do", "look_up"]
    are = request("are all lights off")
    assert kinds(grammar(are, recognized, vocabulary=home).schema) == ["look_up"]


def test_open_items_of_a_list_can_be_completed() -> None:
    items = {SHOPPING.entity_id: ("Milk", "Dark bread")}
    schema = grammar(request("the bread is in the fridge"), open_items=items).schema
    [item] = [
        action["properties"]["item"]["enum"]
        for part in alternatives(schema)
        if "do" in part["properties"]
        for action in alternatives(part["properties"]["do"]["items"])
        if action["properties"]["verb"] == {"enum": ["complete_item"]}
    ]
    assert item == ["Dark bread"]
    none = grammar(request("all is in the fridge"), open_items=items).schema
    assert "Dark bread" not in str(none)


def test_recognized_command_allows_nothing_but_that_command() -> None:
    recognized = recognize("HassTurnOn", name="Kettle")
    schema = grammar(request("turn on the kettle"), recognized).schema
    assert kinds(schema) == ["do"]
    assert dict(actions(schema)) == {"turn_on": ["Kettle"]}
    assert schema["properties"]["do"]["maxItems"] == 1


def test_recognized_value_is_the_only_one() -> None:
    recognized = recognize("HassLightSet", name="Desk Lamp", brightness=40.0)
    schema = grammar(request("desk lamp to forty percent"), recognized).schema
    [action] = alternatives(alternatives(schema)[0]["properties"]["do"]["items"])
    assert action["properties"]["verb"] == {"enum": ["set_brightness"]}
    assert action["properties"]["brightness"] == {"const": 40}


def test_recognized_question_can_only_be_looked_up() -> None:
    recognized = recognize("HassGetState", name="Kettle")
    assert kinds(grammar(request("is the kettle on"), recognized).schema) == ["look_up"]


@pytest.mark.parametrize(
    ("slots", "looked_up"),
    [
        ({"domain": "light"}, ["all lights"]),
        ({"domain": "light", "area": "Kitchen"}, ["all lights in Kitchen"]),
        ({"domain": "lock"}, ["Front Door (lock)"]),
    ],
)
def test_recognized_question_can_only_look_up_what_it_is_about(
    slots: dict[str, Any], looked_up: list[str]
) -> None:
    recognized = recognize("HassGetState", **slots)
    schema = grammar(request("which of the fancy ones are on"), recognized).schema
    assert schema["properties"]["look_up"]["items"]["enum"] == looked_up


@pytest.mark.parametrize(
    ("text", "offered"),
    [("are the lights on", ["do", "look_up"]), ("are the lights fine", ["do", "look_up", *TOPICS])],
)
def test_question_for_the_state_of_a_kind_has_no_topic(text: str, offered: list[str]) -> None:
    questions = Questions(asked=frozenset({"are"}), states=frozenset({"on"}))
    home = replace(HOME, questions=questions)
    found = kinds(grammar(request(text), vocabulary=home).schema)
    assert [each for each in found if each != "answer"] == offered


def test_recognized_question_for_the_time_looks_up_nothing_else() -> None:
    home = replace(HOME, questions=Questions(asked=frozenset({"what"})))
    asked = request("what is it")
    schema = grammar(asked, recognize("HassGetCurrentTime"), vocabulary=home).schema
    assert kinds(schema) == ["time"]


def test_unknown_recognized_intent_is_ignored() -> None:
    recognized = recognize("HassBroadcast", message="kettle")
    asked = request("could you kindly turn on the kettle")
    assert grammar(asked, recognized).schema == grammar(asked).schema


def test_recognized_command_that_nothing_supports_leaves_the_look_up() -> None:
    recognized = recognize("HassLightSet", name="Kettle", brightness=40)
    assert kinds(grammar(request("kettle to 40 percent"), recognized).schema) == ["look_up"]


@pytest.mark.parametrize(
    ("text", "topics"),
    [
        ("open the kettle", []),
        ("the weather and the kettle", ["weather"]),
        ("my smart counter for the weather", ["weather"]),
        ("tell me about the weather", ["weather"]),
        ("good morning", TOPICS),
    ],
)
def test_topics_beside_a_name_are_those_that_the_message_speaks_of(
    text: str, topics: list[str]
) -> None:
    found = kinds(grammar(request(text)).schema)
    assert [kind for kind in found if kind in TOPICS] == topics


@pytest.mark.parametrize(
    ("name", "topic"),
    [
        ("HassGetCurrentTime", "time"),
        ("HassGetCurrentDate", "date"),
        ("HassGetWeather", "weather"),
    ],
)
def test_recognized_topic_is_all_that_can_be_looked_up(name: str, topic: str) -> None:
    assert kinds(grammar(request("how is it"), recognize(name)).schema) == [topic]


@pytest.mark.parametrize("name", ["HassNevermind", "HassRespond"])
def test_recognized_reply_is_answered_in_words(name: str) -> None:
    asked = request("never mind the kettle")
    assert kinds(grammar(asked, recognize(name)).schema) == ["answer"]


def test_required_choice_allows_no_answer_where_there_is_anything_else() -> None:
    asked = request("could you kindly turn on the kettle", tool_choice="required")
    assert kinds(grammar(asked).schema) == ["do", "look_up"]
    assert kinds(grammar(request("hi", tools=[], tool_choice="required")).schema) == ["answer"]


def test_choice_of_none_allows_an_answer_only() -> None:
    asked = request("turn on the kettle", tool_choice="none")
    assert kinds(grammar(asked).schema) == ["answer"]


def test_results_can_only_be_answered() -> None:
    asked = request("is the desk lamp on", Message.assistant(None, [LOOK_UP]), result("off"))
    assert kinds(grammar(asked).schema) == ["answer"]


def test_found_media_can_be_played() -> None:
    search = called("search_media", player_name="Radio", search_query="blue")
    asked = request("play blue on the radio", Message.assistant(None, [search]), result(FOUND))
    schema = grammar(asked).schema
    assert kinds(schema) == ["do", "answer"]
    assert dict(actions(schema)) == {"play": ["Blue"]}
    [call] = grammar(asked).reply([{"verb": "play", "device": "Blue"}]).calls
    assert call.arguments == {"media_content_id": "b", "player_name": "Radio"}


def test_follow_up_continues_with_the_entities_of_the_previous_turn() -> None:
    asked = request(*DONE_BEFORE, "and off again")
    assert "Desk Lamp" in dict(actions(grammar(asked).schema))["turn_off"]
    assert "Desk Lamp" not in str(grammar(request("and off again")).schema)


def test_follow_up_without_a_mention_may_be_answered_in_words() -> None:
    asked = request(*DONE_BEFORE, "which is it")
    assert kinds(grammar(asked).schema) == ["do", "look_up", *TOPICS, "answer"]


def test_answer_to_a_question_of_the_agent_continues_with_its_entities() -> None:
    asked = request("dim it", Message.assistant("Do you mean the kettle?"), "that one")
    assert ("turn_on", ["Kettle"]) in actions(grammar(asked).schema)


def test_area_of_the_user_narrows_a_kind() -> None:
    asked = request("turn on the lights")
    here = dict(actions(grammar(asked, area="Kitchen").schema))
    assert here["turn_on"] == ["all lights in Kitchen"]
    assert dict(actions(grammar(asked).schema))["turn_on"] == ["all lights"]


# The request.


def encode(asked: CompletionRequest, **more: Any) -> CompletionRequest:
    return grammar(asked, **more).encode()


def test_request_has_a_schema_and_no_tools() -> None:
    asked = request("turn on the kettle", tool_choice="required")
    encoded = encode(asked)
    assert (encoded.tools, encoded.tool_choice) == ((), "auto")
    assert encoded.response_format == {
        "type": "json_schema",
        "json_schema": {"name": "reply", "strict": True, "schema": grammar(asked).schema},
    }


def test_prompt_lists_devices_verbs_other_tools_and_examples() -> None:
    prompt = encode(request("hello")).messages[0].content or ""
    assert prompt.startswith("Be brief.\n\n# Devices\n- Elsewhere: ")
    assert "Verbs: turn_on, turn_off, " in prompt
    assert "\n- sweep_chimney: Cleans the chimney." in prompt
    assert 'User: Time for Film Night.\nYou: {"topic": "home", "do": [' in prompt
    assert 'You: {"topic": "other", "answer": "Hola."}' in prompt
    assert 'You: {"topic": "time"}' in prompt


def test_empty_home_has_a_prompt_too() -> None:
    prompt = encode(request("hi", tools=[]), vocabulary=HomeVocabulary()).messages[0].content or ""
    assert "There are none." in prompt
    assert "Verbs: none." in prompt


def test_request_without_a_system_prompt_gets_one() -> None:
    asked = CompletionRequest(messages=(Message.user("Hi"),), tools=TOOLS)
    opening = encode(asked).messages[0]
    assert opening.role == "system"
    assert (opening.content or "").startswith("# Devices")


def test_prefix_is_the_same_in_every_iteration_and_turn() -> None:
    look = [Message.assistant(None, [LOOK_UP]), result("off")]
    turns = [
        request("is the desk lamp on"),
        request("is the desk lamp on", *look),
        request("is the desk lamp on", *look, Message.assistant("It is off."), "thanks"),
        request(
            "is the desk lamp on",
            *look,
            *(Message.assistant("It is off."), Message.user("thanks")),
            *(Message.assistant("You are welcome."), Message.user("lock the front door")),
        ),
    ]
    encoded = [encode(each).messages for each in turns]
    for earlier, later in pairwise(encoded):
        assert later[: len(earlier)] == earlier


def test_suffix_of_a_message_is_kept() -> None:
    asked = request(Message.user("Hi", "(It is noon.)"))
    assert encode(asked).messages[-1] == asked.messages[-1]


def dialog(*messages: Message | str, **more: Any) -> list[tuple[str, str | None]]:
    """Return the dialog behind the prompt as it is sent."""
    encoded = encode(request(*messages), **more)
    return [(each.role.value, each.content) for each in encoded.messages[1:]]


def test_actions_that_succeeded_are_history_without_their_results() -> None:
    """The confirmation was not the model's."""
    assert dialog(*DONE_BEFORE, "thanks") == [
        ("user", "turn on the desk lamp"),
        (
            "assistant",
            '{"topic": "home", "do": [{"verb": "turn_on", "device": "Desk Lamp"}]}',
        ),
        ("user", "thanks"),
    ]


def test_actions_before_other_calls_are_shown_with_their_results() -> None:
    """A capable model had more to do: the turn may have changed to the guided profile since."""
    look = [Message.assistant(None, [LOOK_UP]), result({"state": "on"})]
    told = dialog(*DONE_BEFORE[:3], *look, "thanks")
    assert [role for role, _ in told] == ["user", "assistant", "user", "assistant", "user", "user"]
    assert (told[2][1] or "").startswith('Result of {"verb": "turn_on", "device": "Desk Lamp"}')
    assert (told[4][1] or "").startswith("Result of Desk Lamp")


def test_results_of_the_current_turn_are_shown_with_an_instruction() -> None:
    look = [Message.assistant(None, [LOOK_UP]), result({"state": "off"})]
    assert dialog("is the desk lamp on", *look)[1:] == [
        ("assistant", '{"topic": "home", "look_up": ["Desk Lamp"]}'),
        ("user", f'Result of Desk Lamp:\n{{"state":"off"}}\n\n({ANSWER_NOW})'),
    ]
    in_german = dialog("is the desk lamp on", *look, language="German")
    assert (in_german[-1][1] or "").endswith("sentence. Answer in German.)")


def test_failed_action_is_shown_with_the_answer_to_it() -> None:
    messages = [*DONE_BEFORE[:2], result("stuck", success=False), Message.assistant("It is stuck.")]
    told = dialog(*messages, "try again")
    assert [role for role, _ in told] == ["user", "assistant", "user", "assistant", "user"]
    failure = 'Result of {"verb": "turn_on", "device": "Desk Lamp"}:\n{"success": false'
    assert (told[2][1] or "").startswith(failure)
    assert told[3][1] == '{"topic": "other", "answer": "It is stuck."}'


def test_results_of_several_calls_stand_in_one_message() -> None:
    second = called("GetLiveContext", "2", area="Kitchen")
    told = dialog(
        "and the kitchen",
        Message.assistant(None, [LOOK_UP, second]),
        result({"a": 1}),
        result({"b": 2}, "2"),
        result("of no call", "3"),
    )
    assert told[1][1] == '{"topic": "home", "look_up": ["Desk Lamp", "Kitchen"]}'
    assert (told[2][1] or "").count("Result of") == 3
    assert len(told) == 3


def test_long_result_is_cut() -> None:
    told = dialog("is it on", Message.assistant(None, [LOOK_UP]), result("x" * 9000))
    assert len(told[-1][1] or "") < 5000


def test_call_without_a_result_is_history_too() -> None:
    assert dialog("on", Message.assistant(None, [TURN_ON])) == [
        ("user", "on"),
        ("assistant", '{"topic": "home", "do": [{"verb": "turn_on", "device": "Desk Lamp"}]}'),
    ]


def test_mixed_actions_are_one_list() -> None:
    calls = [TURN_ON, called("GetLiveContext", "2", area="Kitchen")]
    [_, (_, written)] = dialog("on", Message.assistant(None, calls))
    assert [item["verb"] for item in json.loads(written or "")["do"]] == ["turn_on", "look_up"]


def test_silent_confirmation_is_no_message() -> None:
    told = dialog(*DONE_BEFORE[:3], "thanks")
    assert [role for role, _ in told] == ["user", "assistant", "user"]
    empty = dialog("hi", Message.assistant(""), "hello")
    assert empty[1] == ("assistant", '{"topic": "other", "answer": ""}')


def test_question_for_a_device_cannot_be_answered_without_a_look_up() -> None:
    home = replace(HOME, questions=Questions(asked=frozenset({"is"})))
    asked = grammar(request("is my fancy desk lamp on"), vocabulary=home).schema
    assert "look_up" in json.dumps(asked)
    assert "answer" not in json.dumps(asked)
    about_none = grammar(request("is this a fancy question"), vocabulary=home).schema
    assert "answer" in json.dumps(about_none)


def test_question_for_a_state_cannot_be_answered_without_a_look_up() -> None:
    """It may be for a device that has another name in the home."""
    questions = Questions(asked=frozenset({"is"}), states=frozenset({"on"}))
    home = replace(HOME, questions=questions)
    asked = json.dumps(grammar(request("is the coffee maker on"), vocabulary=home).schema)
    assert "Left Blind" in asked
    assert "answer" not in asked
    other = json.dumps(grammar(request("is anybody living on mars"), vocabulary=home).schema)
    assert "Left Blind" not in other
    assert "answer" in other


def test_question_in_known_words_alone_may_be_for_any_device() -> None:
    home = replace(
        HOME, questions=Questions(asked=frozenset({"is"})), grammar=frozenset({"is", "it", "shut"})
    )
    asked = json.dumps(grammar(request("is it shut"), vocabulary=home).schema)
    assert "Left Blind" in asked
    assert "answer" in asked
    assert "Left Blind" not in json.dumps(grammar(request("is 3 shut"), vocabulary=home).schema)


def test_question_about_a_kind_may_be_about_any_topic() -> None:
    """Spanish *tiempo* is the weather, and stands in sentences for thermostats."""
    home = replace(
        HOME,
        questions=Questions(asked=frozenset({"is"})),
        grammar=frozenset({"is", "it"}),
        kinds={"light": ["weatherlike"]},
    )
    found = kinds(grammar(request("is it weatherlike"), vocabulary=home).schema)
    assert {"look_up", *TOPICS} <= set(found)
    command = kinds(grammar(request("weatherlike"), vocabulary=home).schema)
    assert set(TOPICS).isdisjoint(command)


def test_message_without_a_command_is_for_no_missing_device() -> None:
    directions = {
        ("light", "HassTurnOn"): Directions(
            on=frozenset({frozenset({"on"})}), off=frozenset({frozenset({"off"})})
        )
    }
    home = replace(HOME, directions=directions)
    assert MISSING in json.dumps(grammar(request("sauna on"), vocabulary=home).schema)
    assert MISSING in json.dumps(grammar(request("sauna to 80"), vocabulary=home).schema)
    told = grammar(request("when is the next appointment"), vocabulary=home).schema
    assert MISSING not in json.dumps(told)


def test_question_with_a_part_of_a_name_may_be_about_an_event() -> None:
    home = replace(HOME, questions=Questions(asked=frozenset({"what"})))
    asked = kinds(grammar(request("what about the party at the counter"), vocabulary=home).schema)
    assert set(TOPICS) <= set(asked)
    assert "answer" not in asked
