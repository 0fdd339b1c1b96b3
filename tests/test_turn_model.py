"""The model of one turn: profile, dialect, and the context of the user's message."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_mock_service

from custom_components.chatterbox.agent.dialects.guided.clarifications import Clarifications
from custom_components.chatterbox.agent.dialects.profile import (
    Profile,
    ProfileChoice,
    ProfileReason,
)
from custom_components.chatterbox.agent.mentions import RecognizedIntent
from custom_components.chatterbox.agent.messages import (
    ToolAnnotations,
    ToolCall,
    ToolDefinition,
    ToolResult,
)
from custom_components.chatterbox.agent.model.server_quirks import Quirk
from custom_components.chatterbox.agent.turn import SpokenResults
from custom_components.chatterbox.options import AgentOptions
from custom_components.chatterbox.sentences import async_get_sentences
from custom_components.chatterbox.turn_model import TurnModel, profile_choice
from homeassistant.components import conversation
from homeassistant.components.conversation import ConversationInput, ConversationResult
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.const import CONF_LLM_HASS_API, CONF_MODEL
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import llm
from homeassistant.setup import async_setup_component

from .builders import user_message
from .conversation_helpers import AGENT, bodies, speech
from .fake_openai import FakeOpenAI, Gate, Reply

TURN_ON = '{"topic": "home", "do": [{"verb": "turn_on", "device": "Desk Lamp"}]}'

type Ask = Callable[[str], Awaitable[ConversationResult]]


@pytest.fixture
async def ask(hass: HomeAssistant, loaded_entry: MockConfigEntry) -> Ask:
    """Return what asks the agent of a home with a lamp, as somebody who lives there."""
    for component in ("conversation", "intent"):
        assert await async_setup_component(hass, component, {})
    hass.states.async_set("light.desk", "off", {"friendly_name": "Desk Lamp"})
    async_expose_entity(hass, conversation.DOMAIN, "light.desk", should_expose=True)
    user = await hass.auth.async_create_user("Ada")

    async def converse(text: str) -> ConversationResult:
        return await conversation.async_converse(
            hass, text, None, Context(user_id=user.id), language="en", agent_id=AGENT
        )

    return converse


async def test_tool_call_in_the_text_is_executed(
    hass: HomeAssistant, ask: Ask, server: FakeOpenAI
) -> None:
    """Nothing of it is spoken, and the answer is plain."""
    lamp = async_mock_service(hass, "light", "turn_on")
    call = '<tool_call>{"name": "HassTurnOn", "arguments": {"name": "desk LAMP"}}</tool_call>'
    server.script(Reply(call), Reply("**Done**, it is at 40%. 💡"))
    assert speech(await ask("Light!")) == "Done, it is at 40 percent."
    assert [service.data["entity_id"] for service in lamp] == [["light.desk"]]


@pytest.mark.parametrize(
    "agent_options",
    [{}, {"plain_speech": False, "recommended": False}],
    ids=["speech", "as it is"],
)
@pytest.mark.parametrize(
    "text",
    ["and so on " * 300, "```\nprint('and so on')\n" * 200, "👍 " * 300],
    ids=["words", "code", "emoji"],
)
async def test_answer_that_repeats_itself_is_cut(ask: Ask, server: FakeOpenAI, text: str) -> None:
    """Also where nothing of it is spoken; then it is requested again."""
    server.script(Reply(text, hold=Gate(250)), Reply("Hello there."))
    assert speech(await ask("Hello")).endswith(
        ("I started to repeat myself, so I stopped.", "Hello there.")
    )


@pytest.mark.parametrize("agent_options", [{CONF_MODEL: "tiny-1.5b"}])
async def test_small_model_gets_the_guided_profile(
    hass: HomeAssistant, ask: Ask, server: FakeOpenAI
) -> None:
    """With examples of this home, a schema of its names, and no name of the user."""
    lamp = async_mock_service(hass, "light", "turn_on")
    server.script(Reply(TURN_ON))
    assert speech(await ask("Turn on the desk lamp for my homework")) == "Turned on the light."
    assert len(lamp) == 1
    [body] = bodies(server)
    assert "tools" not in body
    assert "Desk Lamp" in str(body["response_format"])
    system, user = body["messages"]
    assert "# Examples" in system["content"]
    assert "Never invent" not in system["content"]
    assert "Ada" not in user["content"]


@pytest.mark.parametrize("agent_options", [{CONF_MODEL: "tiny-1.5b", "profile": "capable"}])
async def test_chosen_profile_overrides_the_size_of_the_model(ask: Ask, server: FakeOpenAI) -> None:
    server.script(Reply("Hello."))
    await ask("Hello")
    [body] = bodies(server)
    assert "tools" in body
    assert "response_format" not in body


async def test_volatile_context_is_sent_with_its_message(
    hass: HomeAssistant, ask: Ask, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    """So that the server finds every request to begin as the one before it."""
    kitchen = ar.async_get(hass).async_create("Kitchen")
    devices = dr.async_get(hass)
    satellite = devices.async_get_or_create(
        config_entry_id=loaded_entry.entry_id, identifiers={("satellite", "1")}
    )
    devices.async_update_device(satellite.id, area_id=kitchen.id)
    user = await hass.auth.async_create_user("Ada")
    server.script(Reply("Hello."), Reply("Yes."))
    conversation_id = None
    for text, extra in (("Hello", "The door bell rang."), ("Are you there?", None)):
        result = await conversation.async_converse(
            hass,
            text,
            conversation_id,
            Context(user_id=user.id),
            language="en",
            agent_id=AGENT,
            device_id=satellite.id,
            extra_system_prompt=extra,
        )
        conversation_id = result.conversation_id
    first, second = (body["messages"] for body in bodies(server))
    assert second[: len(first)] == first
    assert "Kitchen" not in first[0]["content"]
    assert "You are in area Kitchen" in first[1]["content"]
    assert first[1]["content"].endswith("The user's name is Ada. The door bell rang.)")
    # Nothing but the message tells the room: the rest is what somebody elsewhere is told.
    server.script(Reply("Hello."))
    await ask("Hello")
    assert bodies(server)[-1]["messages"][0] == first[0]
    assert "ask the user to specify an area" in first[0]["content"]
    assert "You are in area Kitchen" in second[-1]["content"]
    assert "Ada" not in second[-1]["content"]


@pytest.mark.parametrize(
    "agent_options",
    [{"thinking": "off", "extra_body": {"seed": 7}, "plain_speech": False}],
)
async def test_requests_have_the_thinking_switch_and_the_extra_parameters(
    ask: Ask, server: FakeOpenAI
) -> None:
    """And answers are as the model writes them."""
    server.script(Reply("**40%**"))
    assert speech(await ask("How much?")) == "**40%**"
    [body] = bodies(server)
    assert body["seed"] == 7
    assert body["chat_template_kwargs"] == {"enable_thinking": False}


@pytest.mark.parametrize("agent_options", [{CONF_MODEL: "tiny-1.5b", CONF_LLM_HASS_API: []}])
async def test_agent_without_control_gets_no_names(
    hass: HomeAssistant, ask: Ask, server: FakeOpenAI
) -> None:
    """Though it has other tools."""
    server.script(Reply('{"topic": "other", "answer": "I cannot."}'))
    await ask("Turn on the desk lamp")
    assert "Desk Lamp" not in str(bodies(server))


@pytest.mark.parametrize("agent_options", [{"context_window": 0}, {"context_window": 8192}])
async def test_small_context_window_gets_short_descriptions_of_tools(
    ask: Ask, server: FakeOpenAI, agent_options: dict[str, Any]
) -> None:
    """The tools and the conversation have to fit into it, too."""
    server.script(Reply("Hello."))
    await ask("Hello")
    [body] = bodies(server)
    is_small = agent_options["context_window"] == 8192
    properties = [
        schema
        for tool in body["tools"]
        for schema in tool["function"]["parameters"].get("properties", {}).values()
    ]
    assert any("description" in schema for schema in properties) is not is_small


async def test_friendly_name_can_be_a_number(
    hass: HomeAssistant, ask: Ask, server: FakeOpenAI
) -> None:
    """Where somebody wrote one; it is no reason to say nothing."""
    hass.states.async_set("light.five", "off", {"friendly_name": 5})
    async_expose_entity(hass, conversation.DOMAIN, "light.five", should_expose=True)
    server.script(Reply("Hello."))
    assert speech(await ask("Hello")) == "Hello."


@pytest.mark.parametrize("agent_options", [{"remember": "none"}])
async def test_extra_system_prompt_lasts_as_long_as_the_conversation(
    hass: HomeAssistant, ask: Ask, server: FakeOpenAI
) -> None:
    """As long as the conversation, also if nothing else of it is remembered."""
    server.script(Reply("Yes?"), Reply("I see."))
    first = await conversation.async_converse(
        hass, "Hello", None, Context(), agent_id=AGENT, extra_system_prompt="The bell rang."
    )
    await conversation.async_converse(
        hass, "Who is it?", first.conversation_id, Context(), agent_id=AGENT
    )
    assert [body["messages"][-1]["content"] for body in bodies(server)] == [
        "Hello\n\n(The bell rang.)",
        "Who is it?\n\n(The bell rang.)",
    ]


# The model of one turn.


async def turn_model(
    hass: HomeAssistant,
    entry: MockConfigEntry,
    user_input: ConversationInput | None = None,
    **options: Any,
) -> TurnModel:
    agent = {CONF_MODEL: "tiny-1.5b", CONF_LLM_HASS_API: [llm.LLM_API_ASSIST], **options}
    sentences = await async_get_sentences(hass, "en")
    options_of_agent = AgentOptions.parse(agent)
    return TurnModel(
        hass, entry.runtime_data, options_of_agent, user_input or user_message(), sentences
    )


@pytest.mark.parametrize(
    ("options", "quirk", "choice"),
    [
        ({}, None, ProfileChoice(Profile.GUIDED, ProfileReason.SMALL_BY_NAME)),
        ({CONF_MODEL: "big"}, None, ProfileChoice(Profile.CAPABLE, ProfileReason.DEFAULT)),
        (
            {CONF_MODEL: "big"},
            Quirk.TOOLS,
            ProfileChoice(Profile.GUIDED, ProfileReason.TOOLS_REFUSED),
        ),
        ({"profile": "capable"}, None, ProfileChoice(Profile.CAPABLE, ProfileReason.CHOSEN)),
    ],
)
async def test_profile_in_force_is_that_of_the_turn(
    hass: HomeAssistant,
    loaded_entry: MockConfigEntry,
    *,
    options: dict[str, Any],
    quirk: Quirk | None,
    choice: ProfileChoice,
) -> None:
    agent = {CONF_MODEL: "tiny-1.5b", **options}
    if quirk is not None:
        loaded_entry.runtime_data.quirks[agent[CONF_MODEL]].learn(quirk)
    assert profile_choice(loaded_entry.runtime_data, AgentOptions.parse(agent)) == choice
    model = await turn_model(hass, loaded_entry, **options)
    assert model.is_guided is (choice.profile is Profile.GUIDED)


async def test_guided_context_has_the_home_the_language_and_the_sentences(
    hass: HomeAssistant, ask: Ask, loaded_entry: MockConfigEntry
) -> None:
    model = await turn_model(hass, loaded_entry, user_message(language="de-CH"))
    context = await model.async_guided_context()
    assert [entity.name for entity in context.vocabulary.entities] == ["Desk Lamp"]
    assert context.language == "German"
    assert (context.area, context.recognized) == (None, None)
    assert context.clarifications == Clarifications(
        do_you_mean="Do you mean {name}?",
        which_one="Which one do you mean: {names}?",
        no_such_device="I cannot find that device.",
        confirm="Are you sure?",
        should_be="Should {name} be {state}?",
        should_do="{name}: {action}?",
        and_more="{names} and {count} more",
    )
    assert set(context.states) == {"light.desk"}
    assert await model.async_guided_context() is context


@pytest.mark.parametrize("language", ["en", "en-GB"])
async def test_english_has_no_name_in_the_guided_context(
    hass: HomeAssistant, ask: Ask, loaded_entry: MockConfigEntry, language: str
) -> None:
    model = await turn_model(hass, loaded_entry, user_message(language=language))
    assert (await model.async_guided_context()).language == ""


async def test_guided_context_of_an_agent_that_controls_nothing_has_no_home(
    hass: HomeAssistant, ask: Ask, loaded_entry: MockConfigEntry
) -> None:
    model = await turn_model(hass, loaded_entry, llm_hass_api=[])
    context = await model.async_guided_context()
    assert context.vocabulary.entities == ()
    assert (context.states, context.open_items) == ({}, {})


@pytest.mark.parametrize(
    ("options", "spoken"),
    [
        ({}, SpokenResults("Desk Lamp: on, Brightness 50 percent.", final=True)),
        (
            {"plain_speech": False, "recommended": False},
            SpokenResults("Desk Lamp: on, Brightness 50 %.", final=True),
        ),
        ({"llm_hass_api": []}, None),
    ],
    ids=["speech", "as it is", "without the home"],
)
async def test_look_up_of_a_guided_model_is_told(
    hass: HomeAssistant,
    ask: Ask,
    loaded_entry: MockConfigEntry,
    options: dict[str, Any],
    spoken: SpokenResults | None,
) -> None:
    hass.states.async_set("light.desk", "on", {"friendly_name": "Desk Lamp", "brightness": 128})
    reading = ToolAnnotations(read_only=True)
    tool = ToolDefinition(name="GetLiveContext", description="", annotations=reading)
    call = ToolCall(id="1", name=tool.name, arguments={"name": "Desk Lamp"})
    model = await turn_model(hass, loaded_entry, user_message("the desk lamp"), **options)
    await model.async_start([tool])
    await model.async_guided_context()
    assert model.speak_results([ToolResult(call=call, data={"result": "…"})]) == spoken


@pytest.mark.parametrize("by", ["device", "satellite"])
async def test_guided_context_has_the_area_of_the_user(
    hass: HomeAssistant, ask: Ask, loaded_entry: MockConfigEntry, by: str
) -> None:
    kitchen = ar.async_get(hass).async_create("Kitchen")
    device = dr.async_get(hass).async_get_or_create(
        config_entry_id=loaded_entry.entry_id, identifiers={("satellite", "1")}
    )
    satellite = er.async_get(hass).async_get_or_create("assist_satellite", "x", "1")
    if by == "device":
        dr.async_get(hass).async_update_device(device.id, area_id=kitchen.id)
    else:
        er.async_get(hass).async_update_entity(satellite.entity_id, area_id=kitchen.id)
    said_there = user_message(device_id=device.id, satellite_id=satellite.entity_id)
    model = await turn_model(hass, loaded_entry, said_there)
    assert (await model.async_guided_context()).area == "Kitchen"


async def test_guided_context_has_what_home_assistant_recognizes(
    hass: HomeAssistant, ask: Ask, loaded_entry: MockConfigEntry
) -> None:
    tools = [
        ToolDefinition(name="HassTurnOn", description=""),
        ToolDefinition(
            name="GetLiveContext", description="", annotations=ToolAnnotations(read_only=True)
        ),
    ]
    reading = await turn_model(hass, loaded_entry, user_message("turn on the desk lamp"))
    await reading.async_start(tools[1:])
    assert reading.recognition is None
    model = await turn_model(hass, loaded_entry, user_message("turn on the desk lamp"))
    await model.async_start(tools)
    assert model.recognition is not None
    assert (await model.async_guided_context()).recognized == RecognizedIntent(
        name="HassTurnOn", slots={"name": "Desk Lamp"}, response="default"
    )
    unknown = await turn_model(hass, loaded_entry, user_message("turn on the moon lander"))
    await unknown.async_start(tools)
    assert (await unknown.async_guided_context()).recognized == RecognizedIntent(
        name="HassTurnOn", unknown_name=True
    )


async def test_command_of_a_capable_model_is_recognized(
    hass: HomeAssistant, ask: Ask, loaded_entry: MockConfigEntry
) -> None:
    model = await turn_model(
        hass,
        loaded_entry,
        user_message("turn on the moon lander"),
        profile="capable",
        quick_confirmation=False,
    )
    await model.async_start([ToolDefinition(name="HassTurnOn", description="")])
    assert model.recognition is not None
    assert await model.recognition.async_result() is None
