"""How the models of agents are talked to, and what is learned of them."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_mock_service

from custom_components.chatterbox.home import vocabulary
from homeassistant.components import conversation
from homeassistant.components.conversation import ConversationResult
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.const import CONF_LLM_HASS_API, CONF_MODEL
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component

from .fake_openai import FakeOpenAI, Reply

AGENT = "conversation.scripted"

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


def bodies(server: FakeOpenAI) -> list[dict[str, Any]]:
    """Return the requests for completions."""
    return [request.json for request in server.completions]


def said(result: ConversationResult) -> str:
    """Return what was spoken."""
    speech: str = result.response.speech["plain"]["speech"]
    return speech


async def test_a_call_in_the_text_is_made(
    hass: HomeAssistant, ask: Ask, server: FakeOpenAI
) -> None:
    """Where it is marked; nothing of it is spoken, and the answer is plain."""
    lamp = async_mock_service(hass, "light", "turn_on")
    call = '<tool_call>{"name": "HassTurnOn", "arguments": {"name": "desk lamp"}}</tool_call>'
    server.script(Reply(call), Reply("**Done**, it is at 40%. 💡"))
    assert said(await ask("Light!")) == "Done, it is at 40 percent."
    assert [service.data["entity_id"] for service in lamp] == [["light.desk"]]


@pytest.mark.parametrize("agent_options", [{CONF_MODEL: "tiny-1.5b"}])
async def test_a_small_model_is_helped(hass: HomeAssistant, ask: Ask, server: FakeOpenAI) -> None:
    """With examples of this home, a schema of its names, and what the message probably means."""
    lamp = async_mock_service(hass, "light", "turn_on")
    server.script(
        Reply('{"tool": "HassTurnOn", "arguments": {"name": "Desk Lamp"}}'),
        Reply('{"answer": "It is on."}'),
    )
    assert said(await ask("Turn on the desk lamp")) == "It is on."
    assert len(lamp) == 1
    first, second = bodies(server)
    assert "tools" not in first
    assert "Desk Lamp" in str(first["response_format"])
    assert "# Examples" in first["messages"][0]["content"]
    assert "In this home: Desk Lamp (light)." in first["messages"][-1]["content"]
    # What a server has read once it need not read again.
    assert second["messages"][: len(first["messages"])] == first["messages"]


async def test_what_is_true_of_a_moment_stays_with_its_message(
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
async def test_requests_carry_what_the_user_wants(ask: Ask, server: FakeOpenAI) -> None:
    """And answers are as the model writes them."""
    server.script(Reply("**40%**"))
    assert said(await ask("How much?")) == "**40%**"
    [body] = bodies(server)
    assert body["seed"] == 7
    assert body["chat_template_kwargs"] == {"enable_thinking": False}


async def test_what_is_learned_outlasts_a_restart(
    hass: HomeAssistant,
    hass_storage: dict[str, Any],
    ask: Ask,
    server: FakeOpenAI,
    loaded_entry: MockConfigEntry,
) -> None:
    """Nothing that was refused once is sent again, until the server is another one."""
    server.refuses = ["temperature", "tools with stream"]
    await ask("Hello")
    assert len(server.refused) == 2
    assert await hass.config_entries.async_reload(loaded_entry.entry_id)
    await hass.async_block_till_done(wait_background_tasks=True)
    [key] = [key for key in hass_storage if key.startswith("chatterbox.models.")]
    learned = hass_storage[key]["data"]["scripted-1"]["learned"]
    assert learned.keys() == {"stream with tools", "temperature"}
    server.refused.clear()
    await ask("Hello again")
    assert server.refused == []
    assert await hass.config_entries.async_remove(loaded_entry.entry_id)
    await hass.async_block_till_done(wait_background_tasks=True)
    assert key not in hass_storage


async def test_a_changed_agent_begins_anew(
    hass: HomeAssistant, ask: Ask, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    """Its server may have been updated meanwhile."""
    server.refuses = ["temperature"]
    await ask("Hello")
    knowledge = loaded_entry.runtime_data.knowledge
    assert knowledge["scripted-1"].refused == {"temperature"}
    kept = knowledge["scripted-1"]
    knowledge.forget("scripted-1")
    assert knowledge.as_dict() == {}
    # What a turn learns that outlasts all this is not written over what is known since.
    assert await hass.config_entries.async_reload(loaded_entry.entry_id)
    kept.learn("stream")
    assert loaded_entry.runtime_data.knowledge.as_dict() == {}
    await hass.async_block_till_done(wait_background_tasks=True)


@pytest.mark.parametrize("agent_options", [{CONF_MODEL: "tiny-1.5b", CONF_LLM_HASS_API: []}])
async def test_who_controls_nothing_is_told_no_names(
    hass: HomeAssistant, ask: Ask, server: FakeOpenAI
) -> None:
    """Though it has other tools."""
    server.script(Reply('{"answer": "I cannot."}'))
    await ask("Turn on the desk lamp")
    assert "Desk Lamp" not in str(bodies(server))


@pytest.mark.parametrize(
    "agent_options", [{CONF_MODEL: "tiny-1.5b", "context_window": window} for window in (0, 8192)]
)
async def test_a_tight_window_gets_fewer_examples(
    ask: Ask, server: FakeOpenAI, agent_options: dict[str, Any]
) -> None:
    """The tools and the conversation have to fit into it, too."""
    server.script(Reply('{"answer": "Hello."}'))
    await ask("Hello")
    [body] = bodies(server)
    examples = body["messages"][0]["content"].count("\nUser: ")
    assert (examples <= 8) == (agent_options["context_window"] == 8192)


async def test_a_name_can_be_a_number(hass: HomeAssistant, ask: Ask, server: FakeOpenAI) -> None:
    """Where somebody wrote one; it is no reason to say nothing."""
    hass.states.async_set("light.five", "off", {"friendly_name": 5})
    async_expose_entity(hass, conversation.DOMAIN, "light.five", should_expose=True)
    server.script(Reply("Hello."))
    assert said(await ask("Hello")) == "Hello."


@pytest.mark.parametrize("agent_options", [{"remember": "none"}])
async def test_what_a_caller_wants_to_be_known_lasts(
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


async def test_the_home_is_known_by_its_names(hass: HomeAssistant) -> None:
    """With the rooms that things are in, themselves or their devices, and their other names."""
    assert await async_setup_component(hass, "homeassistant", {})
    entry = MockConfigEntry()
    entry.add_to_hass(hass)
    kitchen = ar.async_get(hass).async_create("Kitchen")
    devices, entities = dr.async_get(hass), er.async_get(hass)
    device = devices.async_get_or_create(config_entry_id=entry.entry_id, identifiers={("x", "y")})
    devices.async_update_device(device.id, area_id=kitchen.id)
    lamp = entities.async_get_or_create("light", "x", "1", device_id=device.id)
    entities.async_update_entity(lamp.entity_id, aliases=["Big one"])
    for entity_id, name in ((lamp.entity_id, "Lamp"), ("switch.hidden", "Hidden")):
        hass.states.async_set(entity_id, "on", {"friendly_name": name})
    async_expose_entity(hass, conversation.DOMAIN, lamp.entity_id, should_expose=True)
    async_expose_entity(hass, conversation.DOMAIN, "switch.hidden", should_expose=False)
    [thing] = vocabulary(hass).things
    assert (thing.name, thing.area, thing.aliases) == ("Lamp", "Kitchen", ("Big one",))
    assert vocabulary(hass).areas == ("Kitchen",)
