"""Tests of the action grammar: replies."""

from dataclasses import replace
from typing import Any

import pytest

from custom_components.chatterbox.agent.assist import short_name
from custom_components.chatterbox.agent.dialects.guided.action_grammar import (
    Reply,
)
from custom_components.chatterbox.agent.directions import Directions
from custom_components.chatterbox.agent.home import HomeVocabulary
from custom_components.chatterbox.agent.mentions import ExposedEntity, RecognizedIntent, SetPoint
from custom_components.chatterbox.agent.messages import Message, ToolCall, ToolDefinition
from custom_components.chatterbox.agent.number_words import NumberWords
from custom_components.chatterbox.agent.qualifiers import Qualifiers
from custom_components.chatterbox.agent.questions import Questions
from tests.agent.builders import entity
from tests.agent.dialects.guided.sample_grammar import (
    LOOK_UP,
    TURN_ON,
    grammar,
    recognize,
    request,
)
from tests.agent.sample_home import HOME, TOOLS, result

DIRECTED = replace(
    HOME,
    directions={
        ("light", "HassTurnOn"): Directions(
            on=frozenset({frozenset({"on"})}), off=frozenset({frozenset({"off"})})
        ),
        ("lock", "HassTurnOn"): Directions(
            on=frozenset({frozenset({"lock"})}), off=frozenset({frozenset({"unlock"})})
        ),
        ("cover", "HassTurnOn"): Directions(
            on=frozenset({frozenset({"open"})}), off=frozenset({frozenset({"close"})})
        ),
    },
    grammar=HOME.grammar | {"close", "lock", "unlock"},
    questions=Questions(asked=frozenset({"is"})),
    inflects=False,
)


def reply(text: str, *items: dict[str, Any], **more: Any) -> Reply:
    return grammar(request(text), **more).reply(items)


def do(device: str, verb: str = "turn_on") -> dict[str, Any]:
    return {"verb": verb, "device": device}


def only_call(found: Reply) -> ToolCall:
    assert found.text == ""
    [call] = found.calls
    return call


def test_action_becomes_a_call_with_an_id_of_its_own() -> None:
    found = reply("desk lamp and kettle", do("Desk Lamp"), do("Kettle"), do("Desk Lamp"))
    assert [call.arguments["name"] for call in found.calls] == ["Desk Lamp", "Kettle"]
    assert len({call.id for call in found.calls}) == 2
    assert [call.question for call in found.calls] == [None, None]


def test_device_that_is_set_to_a_value_is_not_turned_off() -> None:
    off, dim = do("Desk Lamp", "turn_off"), {**do("Desk Lamp", "set_brightness"), "brightness": 40}
    found = reply("desk lamp 40 percent", off, dim)
    assert [short_name(call.name) for call in found.calls] == ["HassLightSet"]


def test_action_that_reverses_an_earlier_one_is_dropped() -> None:
    off, on = do("Desk Lamp", "turn_off"), do("Desk Lamp")
    found = reply("desk lamp and kettle", off, do("Kettle"), on)
    assert [(short_name(call.name), call.arguments["name"]) for call in found.calls] == [
        ("HassTurnOff", "Desk Lamp"),
        ("HassTurnOn", "Kettle"),
    ]


def test_no_action_is_an_empty_reply() -> None:
    assert reply("hello") == Reply()


def test_ambiguous_device_is_asked_about() -> None:
    found = reply("turn on a light", do("Desk Lamp"), area="Hall")
    assert found.calls == ()
    assert found.text == "Which: Counter Light, Desk Lamp, Floor Lamp, Sink Light?"
    twice = reply("turn on a light", do("Desk Lamp"), do("Desk Lamp", "turn_off"), area="Hall")
    assert twice.text == found.text


def test_devices_of_several_kinds_are_no_alternatives() -> None:
    awning = entity("Awning", "cover", None, "stop", device_class="awning")
    home = replace(
        HOME,
        entities=(*HOME.entities, awning),
        kinds={**HOME.kinds, "cover.awning": ["awnings"]},
        grammar=HOME.grammar | {"stop"},
    )
    found = grammar(request("stop the blind and the awnings"), area="Hall", vocabulary=home)
    assert only_call(found.reply([do("Awning", "stop_moving")])).question is None
    assert found.reply([do("Left Blind", "stop_moving")]).text == "Which: Left Blind, Right Blind?"


def test_all_of_the_possible_devices_are_meant() -> None:
    both = [do("Left Blind", "stop_moving"), do("Right Blind", "stop_moving")]
    assert len(reply("stop the blind", *both, area="Hall").calls) == 2


def test_only_device_of_a_kind_is_meant() -> None:
    assert only_call(reply("pause the music", do("Radio", "pause"))).question is None


def test_partly_named_device_is_meant() -> None:
    assert only_call(reply("turn on the counter", do("Counter Light"))).question is None


def test_device_is_asked_about_when_the_message_has_unknown_words() -> None:
    counter = do("Counter Light", "turn_on")
    assert only_call(reply("turn on my smart counter", counter)).question == "This: Counter Light?"


def test_all_devices_of_a_mentioned_kind_are_not_asked_about() -> None:
    assert only_call(reply("play my music", do("Radio", "pause"))).question is None


def test_missing_device_is_the_answer() -> None:
    missing = do("not in this home", "open")
    assert reply("lower the drawbridge", missing) == Reply(text="There is none.")
    both = reply("music and the smart drawbridge", do("Radio", "pause"), missing)
    assert both.text == "There is none."
    assert [call.arguments["name"] for call in both.calls] == ["Radio"]
    assert reply("turn on the kettle", do("not in this home")) == Reply()
    # It has no value.
    gloomy = grammar(request("something gloomy"), area="Kitchen")
    dim = {**do("Counter Light", "set_brightness"), "brightness": 25}
    found = gloomy.reply([dim, do("not in this home", "set_brightness")])
    assert found.text == "There is none."
    assert only_call(replace(found, text="")).question is not None


def test_device_of_a_certain_verb_is_not_missing() -> None:
    """A model that has said the verb would else say that the device is missing."""
    asked = grammar(request("pause the smart music"))
    assert only_call(asked.reply([do("Radio", "pause")])).question is None
    assert asked.reply([do("not in this home", "pause")]) == Reply()
    assert asked.reply([do("not in this home", "open")]).text == "There is none."
    # One of a kind that the home has is rather asked for.
    dark = grammar(request("turn on the attic light"))
    assert dark.reply([do("not in this home", "turn_on")]) == Reply()
    assert dark.reply([do("not in this home", "open")]).text == "There is none."


def test_guessed_color_is_asked_about() -> None:
    glow = {**do("Desk Lamp", "set_color"), "color": "green"}
    assert only_call(reply("a gloomy desk lamp", glow)).question == "Desk Lamp: green?"


def test_everything_needs_words_for_what_is_to_be_done() -> None:
    home = replace(DIRECTED, everything=frozenset({frozenset({"everywhere"})}))
    vague = grammar(request("crumbs everywhere, dear lights"), vocabulary=home)
    assert only_call(vague.reply([do("all lights")])).question is not None
    clear = grammar(request("turn on the lights everywhere"), vocabulary=home)
    assert only_call(clear.reply([do("all lights")])).question is None


def test_sensors_and_calendars_are_looked_up_one_by_one() -> None:
    windows = [
        ExposedEntity(name=name, domain="binary_sensor", device_class="window")
        for name in ("Left", "Right")
    ]
    calendars = [ExposedEntity(name=name, domain="calendar") for name in ("Work", "School")]
    home = HomeVocabulary(
        entities=(*windows, *calendars),
        kinds={"binary_sensor.window": ["window"]},
        grammar=frozenset({"is", "a", "open"}),
    )
    tools = (*TOOLS, ToolDefinition(name="assist__get_events", description="", parameters={}))
    asked = grammar(request("is a window open", tools=tools), vocabulary=home)
    found = asked.reply([do("all windows", "look_up")])
    assert [call.arguments["name"] for call in found.calls] == ["Left", "Right"]
    assert asked.reply([do("Left", "look_up")]) == Reply()
    asked = grammar(request("when is the match", tools=tools), vocabulary=home)
    found = asked.reply([{**do("calendar", "look_up"), "day": "this week"}])
    assert [(c.arguments["calendar"], c.day) for c in found.calls] == [
        ("Work", None),
        ("School", None),
    ]
    assert len(asked.reply([do("time", "look_up")]).calls) == 3
    asked = grammar(request("the time please", tools=tools), recognize("HassGetCurrentTime"))
    assert len(asked.reply([do("time", "look_up")]).calls) == 1
    asked = grammar(request("what is on work", tools=tools), vocabulary=home)
    assert "Work" not in str(asked.schema)
    [call] = asked.reply([{**do("calendar", "look_up"), "day": "tomorrow"}]).calls
    assert (call.arguments["calendar"], call.day) == ("Work", 2)


def test_look_up_is_never_asked_about() -> None:
    assert (
        only_call(reply("is my smart counter on", do("Counter Light", "look_up"))).question is None
    )
    assert only_call(reply("is a light on", do("all lights", "look_up"))).question is None


def test_group_of_the_whole_home_is_asked_about() -> None:
    assert only_call(reply("all lights", do("all lights"))).question == (
        "This: Counter Light, Desk Lamp, Floor Lamp, Sink Light?"
    )
    kitchen = do("all lights in Kitchen")
    assert only_call(reply("all lights in the kitchen", kitchen)).question is None
    upstairs = do("all lights on Upstairs")
    assert only_call(reply("all lights upstairs", upstairs)).question is None
    recognized = recognize("HassTurnOn", domain="light")
    sure = only_call(reply("all lights", do("all lights"), recognized=recognized))
    assert sure.question is None


def test_word_of_a_name_beside_another_kind_leaves_the_target_in_doubt() -> None:
    home = replace(HOME, everything=frozenset({frozenset({"all"})}))
    blinds = request("all counter blinds")
    found = grammar(blinds, vocabulary=home)
    assert only_call(found.reply([do("Counter Light")])).question == "This: Counter Light?"
    everything = {"verb": "close", "device": "all blinds"}
    assert only_call(found.reply([everything])).question == "This: Left Blind, Right Blind?"
    sure = grammar(request("all blinds"), vocabulary=home)
    assert only_call(sure.reply([everything])).question is None


def test_other_tools_are_not_asked_about() -> None:
    timer = {"verb": "HassStartTimer", "arguments": {"minutes": 5}}
    assert only_call(reply("a timer of 5 minutes for the kettle", timer)).question is None


@pytest.mark.parametrize(
    ("text", "item"),
    [
        ("hello", do("Kettle")),
        ("turn on the kettle", do("Toaster")),
        ("turn on the kettle", do("Desk Lamp")),
        ("turn on the kettle", do("Kettle", "unlock")),
        ("turn on the kettle", do("Kettle", "HassTurnOn")),
        ("turn on the kettle", {**do("Kettle"), "area": "Office"}),
        ("turn on the kettle", {"verb": "turn_on"}),
        ("turn on the kettle", {"verb": "look_up"}),
        ("turn on the kettle", do("Desk Lamp", "look_up")),
        ("desk lamp to 20", {**do("Desk Lamp", "set_brightness"), "brightness": 30}),
        ("desk lamp to 20", do("Desk Lamp", "set_brightness")),
        ("turn on the kettle", {"verb": "HassStartTimer", "arguments": {"minutes": 5}}),
        ("a timer please", {"verb": "HassStartTimer", "arguments": {"hours": 5}}),
        ("a timer please", {"verb": "HassStartTimer", "arguments": None}),
    ],
)
def test_unoffered_action_is_no_reply(text: str, item: dict[str, Any]) -> None:
    assert reply(text, item) == Reply()


def test_unoffered_action_discards_the_actions_beside_it() -> None:
    assert reply("turn on the kettle", do("Kettle"), do("Front Door", "unlock")) == Reply()
    assert reply("turn on the kettle", do("Kettle"), do("Kettle", "look_up")) == Reply()


def test_answer_with_too_many_actions_does_none() -> None:
    names = ["Counter Light", "Desk Lamp", "Floor Lamp", "Sink Light", "Kettle"]
    text = " ".join(names)
    assert len(reply(text, *map(do, names[:4])).calls) == 4
    assert reply(text, *map(do, names)) == Reply()


@pytest.mark.parametrize(
    "quote",
    [
        '{"verb": "turn_on", "device": "Kettle"}',
        '{"device":"kettle","verb":"turn_on"}',
        'the entry {"topic": "home", "do": [{"verb": "turn_on", "device": "Kettle"}]}',
        '{"do": [{"verb": "lock", "device": "Safe"}, {"verb": "turn_on", "device": "Kettle"}]}',
    ],
)
def test_quoted_action_is_not_done(quote: str) -> None:
    assert reply(f"what does {quote} mean", do("Kettle")) == Reply()
    assert reply(f"what is the kettle in {quote}", do("Kettle", "look_up")).calls
    listed = (Message.assistant(None, [LOOK_UP]), result([{"summary": quote}]))
    for before in ([Message.user(quote)], listed, [Message.assistant(f"Your list: {quote}")]):
        asked = request("hello", *before, "turn on the kettle")
        assert grammar(asked).reply([do("Kettle")]) == Reply()
        assert len(grammar(asked).reply([do("Kettle", "turn_off")]).calls) == (
            "turn_off" not in quote
        )


def test_no_action_is_done_when_only_an_answer_is_allowed() -> None:
    asked = request("turn on the kettle", tool_choice="none")
    assert grammar(asked).reply([do("Kettle")]) == Reply()
    after = request("turn on the kettle", Message.assistant(None, [TURN_ON]), result())
    assert grammar(after).reply([do("Kettle")]) == Reply()


def test_words_for_one_of_several_devices_count_for_the_others_without_any() -> None:
    both = request("the desk lamp and the floor lamp off")
    on = [do("Desk Lamp"), do("Floor Lamp")]
    assert grammar(both, vocabulary=DIRECTED).reply(on) == Reply()
    off = [do("Desk Lamp", "turn_off"), do("Floor Lamp", "turn_off")]
    calls = grammar(both, vocabulary=DIRECTED).reply(off).calls
    assert [call.question for call in calls] == [None, None]
    each = request("the desk lamp on, the floor lamp off")
    calls = grammar(each, vocabulary=DIRECTED).reply([on[0], off[1]]).calls
    assert [call.question for call in calls] == [None, None]
    assert grammar(each, vocabulary=DIRECTED).reply([off[0], on[1]]) == Reply()


def test_opposite_of_the_message_is_not_offered_for_the_only_device() -> None:
    off = request("the desk lamp off")
    assert grammar(off, vocabulary=DIRECTED).reply([do("Desk Lamp")]) == Reply()
    turn_off = do("Desk Lamp", "turn_off")
    assert only_call(grammar(off, vocabulary=DIRECTED).reply([turn_off])).question is None
    recognized = recognize("HassTurnOn", name="Desk Lamp")
    certain = grammar(off, recognized, vocabulary=DIRECTED)
    assert only_call(certain.reply([do("Desk Lamp")])).question is None


@pytest.mark.parametrize(
    ("text", "item", "asks"),
    [
        ("let her in at the front door", do("Front Door (lock)", "unlock"), True),
        ("bolt the front door", do("Front Door (lock)", "lock"), True),
        ("unlock the front door", do("Front Door (lock)", "unlock"), False),
        ("is the lock of the front door on", do("Front Door (lock)", "lock"), True),
        ("is the left blind about to close", do("Left Blind", "close"), True),
        ("quickly unlock the front door", do("Front Door (lock)", "unlock"), True),
        ("lock the front door behind her", do("Front Door (lock)", "lock"), False),
        ("lock the squeaky front door", do("Front Door (lock)", "lock"), True),
        ("close the left blind", do("Left Blind", "close"), False),
        ("somebody ought to close the left blind", do("Left Blind", "close"), True),
    ],
)
def test_moving_and_unlocking_need_words_of_a_command(
    text: str, item: dict[str, Any], *, asks: bool
) -> None:
    call = only_call(grammar(request(text), vocabulary=DIRECTED).reply([item]))
    assert call.question == (f"This: {item['device'].partition(' (')[0]}?" if asks else None)


NAMED = replace(
    DIRECTED,
    states={"light": {"on": "on", "off": "off"}},
    everything=frozenset({frozenset({"all"})}),
)


@pytest.mark.parametrize(
    "text",
    [
        "all lights off except the desk lamp",
        "off with all lights, just the desk lamp may shine",
        "all the lights and the desk lamp off",
        "all lights off but leave the desk lamp",
    ],
)
def test_group_with_an_exception_is_a_call_for_each_other_device_after_one_yes(text: str) -> None:
    states = {"light.counter_light": "on", "light.floor_lamp": "off", "light.sink_light": "on"}
    entities = tuple(
        replace(each, entity_id=f"{each.domain}.{each.name.lower().replace(' ', '_')}")
        for each in NAMED.entities
    )
    home = replace(NAMED, entities=entities)
    asked = grammar(request(text), vocabulary=home, states=states)
    found = asked.reply([do("all lights but Desk Lamp", "turn_off")])
    assert [call.arguments["name"] for call in found.calls] == ["Counter Light", "Sink Light"]
    assert {call.question for call in found.calls} == {"Should Counter Light, Sink Light be off?"}
    # The exception is not turned off, and all together are not either.
    assert asked.reply([do("Desk Lamp", "turn_off")]) == Reply()
    assert asked.reply([do("all lights", "turn_off")]) == Reply()
    # Without a device that changes, all the others are named.
    idle = grammar(request(text), vocabulary=home, states=dict.fromkeys(states, "off"))
    assert len(idle.reply([do("all lights but Desk Lamp", "turn_off")]).calls) == len(states)


def test_device_of_another_kind_is_no_exception_from_a_group() -> None:
    text = "turn all the lights on and open the left blind"
    for item in (do("all lights"), do("Left Blind", "open")):
        found = grammar(request(text), vocabulary=NAMED).reply([item])
        assert only_call(found).question is None


def test_device_beside_everything_in_unknown_words_is_asked_about() -> None:
    found = reply(
        "turn everything off but the kettle", do("Kettle", "turn_off"), vocabulary=SWITCHED
    )
    assert only_call(found).question == "This: Kettle?"
    plain = reply("the kettle off this instant", do("Kettle", "turn_off"), vocabulary=SWITCHED)
    assert only_call(plain).question is None


SWITCHED = replace(
    DIRECTED,
    directions={("switch", "HassTurnOn"): DIRECTED.directions["light", "HassTurnOn"]},
)


def test_device_before_a_no_is_not_offered_and_the_one_after_it_is_asked_about() -> None:
    home = replace(DIRECTED, qualifiers=Qualifiers(refusals=frozenset({"no"})))
    asked = grammar(request("desk lamp on, no wait, floor lamp"), vocabulary=home)
    assert asked.reply([do("Desk Lamp")]) == Reply()
    assert only_call(asked.reply([do("Floor Lamp")])).question == "This: Floor Lamp?"


def test_question_has_the_state_in_which_a_device_is_left() -> None:
    home = replace(DIRECTED, states={"cover": {"closed": "shut"}})
    close = do("Left Blind", "close")
    states = {"cover.left": "open"}
    asked = grammar(request("draw the left blind"), vocabulary=home, states=states)
    assert only_call(asked.reply([close])).question == "Should Left Blind be shut?"
    unknown = grammar(request("draw the left blind"), vocabulary=home)
    assert only_call(unknown.reply([do("Left Blind", "open")])).question == "This: Left Blind?"


def test_actions_in_doubt_are_asked_about_together() -> None:
    """A yes is for all of them."""
    home = replace(DIRECTED, states={"cover": {"closed": "shut", "open": "open"}})
    states = {"cover.left": "open", "cover.right": "open"}
    asked = grammar(request("draw the blinds"), vocabulary=home, states=states)
    left, right = (do(f"{side} Blind", "close") for side in ("Left", "Right"))
    assert [call.question for call in asked.reply([left, right]).calls] == [
        "Should Left Blind, Right Blind be shut?"
    ] * 2
    dim = {**do("Desk Lamp", "set_brightness"), "brightness": 50}
    both = grammar(
        request("a cosy desk lamp, and draw the left blind"), vocabulary=home, states=states
    )
    assert [call.question for call in both.reply([dim, left]).calls] == [
        "Desk Lamp: 50? Should Left Blind be shut?"
    ] * 2


def test_only_reply_is_known_without_the_model() -> None:
    recognized = recognize("HassTurnOn", name="Desk Lamp")
    [call] = grammar(request("turn on the desk lamp"), recognized).evident_calls
    assert short_name(call.name) == "HassTurnOn"
    assert grammar(request("a gloomy desk lamp")).evident_calls == ()
    after = request(
        Message.user("turn on the desk lamp"), Message.assistant(None, [TURN_ON]), result()
    )
    assert grammar(after, recognized).evident_calls == ()


def test_question_allows_no_action_without_words_for_it() -> None:
    asked = grammar(request("is the left blind down"), vocabulary=DIRECTED)
    assert asked.reply([do("Left Blind", "close")]) == Reply()


def test_guessed_value_is_asked_about() -> None:
    dim = {**do("Desk Lamp", "set_brightness"), "brightness": 50}
    assert only_call(reply("a cosy desk lamp", dim)).question == "Desk Lamp: 50?"
    assert only_call(reply("desk lamp at 50", dim)).question is None


def test_group_of_everything_is_not_asked_about() -> None:
    home = replace(HOME, everything=frozenset({frozenset({"all"})}))
    found = grammar(request("all lights"), vocabulary=home).reply([do("all lights")])
    assert only_call(found).question is None


UNKNOWN = RecognizedIntent(name="HassTurnOn", unknown_name=True)


@pytest.mark.parametrize(
    ("text", "recognized", "refusal"),
    [
        ("turn on the toaster", UNKNOWN, "There is none."),
        ("turn on the toaster light", UNKNOWN, None),
        ("turn on the toaster", None, None),
        ("turn on the kettle and the toaster", UNKNOWN, None),
        ("turn on the counter", UNKNOWN, None),
        ("turn on the smart counter", UNKNOWN, None),
        ("turn on", UNKNOWN, "There is none."),
        ("turn on the kettle", RecognizedIntent(name="HassTurnOn"), None),
        ("turn on the kettle", recognize("HassTurnOn", name="Kettle"), None),
        ("vents off", recognize("HassTurnOff", domain="fan"), "There is none."),
        ("kettle off", recognize("HassTurnOff", domain="fan"), None),
        ("is a vent on", recognize("HassGetState", domain="fan"), None),
    ],
)
def test_command_for_an_unknown_device_is_refused(
    text: str, recognized: RecognizedIntent | None, refusal: str | None
) -> None:
    assert grammar(request(text), recognized).refusal == refusal


@pytest.mark.parametrize("text", ["turn on the glim", "turn it on"])
def test_command_with_a_name_that_nobody_knows_is_asked_about(text: str) -> None:
    """Only what it can be for is offered, and nothing is looked up."""
    found = grammar(request(text), UNKNOWN, vocabulary=DIRECTED)
    assert found.refusal is None
    assert found.reply([do("Desk Lamp")]).calls[0].question == "This: Desk Lamp?"
    assert found.reply([do("Kettle")]) == Reply()
    assert found.reply([{"verb": "look_up", "device": "Desk Lamp"}]) == Reply()


def test_turn_with_a_completed_action_is_not_refused() -> None:
    asked = request("toaster", Message.assistant(None, [TURN_ON]), result())
    assert grammar(asked, UNKNOWN).refusal is None


def test_difference_of_temperature_is_asked_about_as_a_temperature() -> None:
    stove = replace(entity("Stove", "climate", None, "temperature"), entity_id="climate.s")
    found = grammar(
        request("stove two degrees warmer"),
        vocabulary=HomeVocabulary(
            entities=(stove,), number_words=NumberWords(numbers={("two",): 2})
        ),
        set_points={"climate.s": SetPoint(value=20, lowest=7, highest=30)},
    )
    call = only_call(found.reply([{"verb": "warmer", "device": "Stove", "degrees": 2}]))
    assert short_name(call.name) == "HassClimateSetTemperature"
    assert call.arguments["temperature"] == 22
    assert call.question == "Stove: 22?"


@pytest.mark.parametrize(
    ("text", "least"),
    [
        ("turn on the desk lamp", 1),
        ("turn on the desk lamp and open the left blind", 2),
        ("turn on the desk lamp, open the left blind and lock the front door", 3),
        # A device that is only mentioned, or is as the clause says, needs no action.
        ("turn on the desk lamp and the left blind is in the office", 1),
        ("turn on the desk lamp and the counter light off", 1),
        # What is asked about or not to be done neither.
        ("is the desk lamp on and the left blind open?", 1),
        ("turn on the desk lamp and never open the left blind", 1),
    ],
)
def test_reply_has_an_action_for_each_device_with_a_command(text: str, least: int) -> None:
    home = replace(DIRECTED, negations=frozenset({"never"}))
    found = grammar(request(text), vocabulary=home, states={"": "off"})
    [enum] = [
        part["properties"]["do"]
        for part in found.schema.get("anyOf", [found.schema])
        if "do" in part["properties"]
    ]
    assert enum["minItems"] == least
    # What a reply leaves out is done as well.
    action = do("Desk Lamp")
    assert len(found.reply([action, action]).calls) == least
