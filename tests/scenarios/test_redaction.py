"""Nothing that is private leaves: secrets and sentences are planted everywhere, and looked for.

An option that is added later is planted by the kind of its field, without a change here.
"""

import asyncio
import json
import logging
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any, override

import probatio as vol
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry, get_system_health_info

from custom_components.chatterbox.const import DOMAIN
from custom_components.chatterbox.diagnostics import async_get_config_entry_diagnostics
from custom_components.chatterbox.flow_schemas import (
    SERVER_SCHEMA,
    agent_schema,
    server_options_schema,
)
from homeassistant.components import conversation
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.const import CONF_NAME, MATCH_ALL
from homeassistant.core import Context, Event, HomeAssistant
from homeassistant.data_entry_flow import section
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers import llm
from homeassistant.helpers.selector import (
    BooleanSelector,
    NumberSelector,
    ObjectSelector,
    SelectSelector,
    TemplateSelector,
    TextSelector,
    TextSelectorType,
)
from homeassistant.helpers.storage import STORAGE_DIR
from homeassistant.setup import async_setup_component

from ..conftest import MODEL
from ..conversation_helpers import AGENT
from ..fake_openai import Call, FakeOpenAI, Fault, Reply

# The name of an agent is shown on purpose.
SHOWN = {CONF_NAME}


class Plants:
    """Texts that are found nowhere else, by the place that they were planted in."""

    def __init__(self) -> None:
        self._places: dict[str, str] = {}
        self.keys: list[str] = []
        """Those that are keys."""

    def text(self, place: str) -> str:
        """Return a text that is new."""
        text = f"planted{len(self._places)}x"
        self._places[text] = place
        return text

    def key(self, place: str) -> str:
        """Return a key that is new."""
        text = self.text(place)
        self.keys.append(text)
        return text

    def found_in(self, output: str, *, keys_only: bool = False) -> list[str]:
        """Return the places whose texts are in an output."""
        return [
            place
            for text, place in self._places.items()
            if text.lower() in output.lower() and not (keys_only and text not in self.keys)
        ]


@pytest.fixture
def plants() -> Plants:
    return Plants()


def fields(schema: vol.Schema) -> Iterator[tuple[str, Any]]:
    """Yield the fields of a form, with those of its sections."""
    for marker, field in schema.schema.items():
        if isinstance(field, section):
            yield from fields(field.schema)
        else:
            yield str(marker), field


def planted_options(plants: Plants, schema: vol.Schema) -> dict[str, Any]:
    """Return a value for each field of a form that takes any text."""
    values: dict[str, Any] = {}
    for name, field in fields(schema):
        selector = field.validators[0] if isinstance(field, vol.All) else field
        match selector:
            case _ if name in SHOWN:
                pass
            case TextSelector() if field.config.get("type") == TextSelectorType.PASSWORD:
                values[name] = plants.key(name)
            case TextSelector() if field.config.get("multiple"):
                # Lines with a name and a value are stored as a mapping.
                values[name] = {"X-Planted": plants.key(name)}
            case TextSelector() | TemplateSelector():
                values[name] = plants.text(name)
            case ObjectSelector():
                values[name] = {plants.text(f"{name}: key"): plants.key(name)}
            case BooleanSelector() | NumberSelector() | SelectSelector():
                # Numbers and choices are shown.
                pass
            case _:
                pytest.fail(f"say whether {name} is private")
    return values


class Cupboard(llm.API):
    """An LLM API with a tool whose results are the next of `results`."""

    def __init__(self, hass: HomeAssistant) -> None:
        super().__init__(hass=hass, id="cupboard", name="Cupboard")
        self.results: list[Any] = []

    @override
    async def async_get_api_instance(self, llm_context: llm.LLMContext) -> llm.APIInstance:
        return llm.APIInstance(
            api=self,
            api_prompt="",
            llm_context=llm_context,
            tools=[CupboardTool(self)],
            custom_serializer=None,
        )


class CupboardTool(llm.Tool):
    """A tool that returns or raises what it is given."""

    name = "open_cupboard"
    description = "Opens the cupboard."
    integration = "cupboard"
    parameters = vol.Schema({vol.Optional("what"): str})

    def __init__(self, cupboard: Cupboard) -> None:
        self._cupboard = cupboard

    @override
    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        result = self._cupboard.results.pop(0)
        if isinstance(result, Exception):
            raise result
        assert isinstance(result, llm.ToolResult)
        return result


class Home:
    """An agent that talks with everything planted, and what could be seen of it."""

    def __init__(
        self,
        hass: HomeAssistant,
        entry: MockConfigEntry,
        server: FakeOpenAI,
        plants: Plants,
        cupboard: Cupboard,
    ) -> None:
        self.hass, self.entry, self.server = hass, entry, server
        self.plants, self.cupboard = plants, cupboard
        self.events: list[Event[Any]] = []
        self.issues: list[str] = []
        self._turns = 0
        hass.bus.async_listen(MATCH_ALL, self.events.append)

    async def talk(self, place: str, *replies: Reply) -> None:
        """Hold a turn with a planted message."""
        self._turns += 1
        self.server.reset()
        self.server.script(*replies)
        await conversation.async_converse(
            self.hass,
            f"Tell me about {self.plants.text(f'{place}: message')}",
            f"{place}-{self._turns}",
            Context(),
            language="en",
            agent_id=AGENT,
            extra_system_prompt=self.plants.text(f"{place}: extra prompt"),
        )
        await self.hass.async_block_till_done(wait_background_tasks=True)
        # A later turn may delete an issue.
        self.issues += [
            str(asdict(issue))
            for issue in ir.async_get(self.hass).issues.values()
            if issue.domain == DOMAIN
        ]

    async def call_tool(self, place: str, result: Any) -> None:
        """Hold a turn that calls the tool."""
        self.cupboard.results = [result]
        call = Call("open_cupboard", {"what": self.plants.text(f"{place}: argument")})
        answer = self.plants.text(f"{place}: answer")
        await self.talk(place, Reply(tool_calls=[call]), Reply(f"It has {answer}."))
        assert self.cupboard.results == [], "the tool was not called"

    async def outputs(self) -> dict[str, str]:
        """Return everything that can be seen, but the log."""
        entities = {
            entity.entity_id
            for entity in er.async_entries_for_config_entry(
                er.async_get(self.hass), self.entry.entry_id
            )
        }
        states = [state for state in self.hass.states.async_all() if state.entity_id in entities]
        assert states
        health = await get_system_health_info(self.hass, DOMAIN)
        return {
            "diagnostics": json.dumps(
                await async_get_config_entry_diagnostics(self.hass, self.entry), default=str
            ),
            "repairs": "\n".join(self.issues),
            "states": str([state.as_dict() for state in states]),
            "events": "\n".join(
                str(event.as_dict())
                for event in self.events
                if event.data.get("entity_id", next(iter(entities))) in entities
            ),
            "system health": str(
                {
                    key: await value if asyncio.iscoroutine(value) else value
                    for key, value in health.items()
                }
            ),
        }


@pytest.fixture
async def planted_home(  # noqa: PLR0917 - fixtures are given by name
    hass: HomeAssistant,
    config_entry: MockConfigEntry,
    server: FakeOpenAI,
    plants: Plants,
    all_entities_enabled: None,
    caplog: pytest.LogCaptureFixture,
) -> Home:
    """Set up an agent with texts planted in all of its options."""
    caplog.set_level(logging.DEBUG)
    for component in ("homeassistant", "conversation", "llm", "system_health"):
        assert await async_setup_component(hass, component, {})
    hass.states.async_set("light.lamp", "on", {"friendly_name": plants.text("name of an entity")})
    async_expose_entity(hass, conversation.DOMAIN, "light.lamp", should_expose=True)
    cupboard = Cupboard(hass)
    llm.async_register_api(hass, cupboard)
    hass.config_entries.async_update_entry(
        config_entry,
        data={**planted_options(plants, SERVER_SCHEMA), **_kept(config_entry.data)},
        options={
            **planted_options(plants, server_options_schema({})),
            "retry_wait": 0,
            "first_token_timeout": 1,
            "trace_requests": True,
        },
    )
    (agent,) = config_entry.subentries.values()
    schema = agent_schema(hass, [MODEL], {"name": agent.title})
    hass.config_entries.async_update_subentry(
        config_entry,
        agent,
        data={
            **agent.data,
            **planted_options(plants, schema),
            "llm_hass_api": ["assist", "cupboard"],
        },
    )
    assert await hass.config_entries.async_setup(config_entry.entry_id), config_entry.reason
    await hass.async_block_till_done(wait_background_tasks=True)
    return Home(hass, config_entry, server, plants, cupboard)


def _kept(data: Mapping[str, Any]) -> dict[str, Any]:
    return {key: data[key] for key in ("base_url", "verify_ssl")}


async def assert_clean(home: Home, caplog: pytest.LogCaptureFixture) -> None:
    """Fail if anything planted can be seen."""
    formatter = logging.Formatter("%(name)s %(message)s")
    for record in caplog.records:
        line = formatter.format(record)
        # The test plugin logs what would be written to the disk.
        from_tests = record.name.startswith("pytest_homeassistant_custom_component")
        if record.levelno > logging.DEBUG:
            assert home.plants.found_in(line) == [], line
        elif not from_tests:
            assert home.plants.found_in(line, keys_only=True) == [], line
    for name, output in (await home.outputs()).items():
        assert home.plants.found_in(output) == [], name


async def test_what_is_said_and_done_is_not_shown(
    planted_home: Home, caplog: pytest.LogCaptureFixture
) -> None:
    """Answers, reasoning, arguments, results and errors of tools, also of the unexpected kind."""
    home, text = planted_home, planted_home.plants.text
    await home.talk("answer", Reply(text("answer"), reasoning=text("reasoning")))
    assert home.plants.found_in(str(home.server.completions[-1].json)), "nothing was sent"
    for place, result in (
        ("result", llm.ToolResult(data={text("key of a result"): text("result")})),
        ("error result", llm.ToolResult(data={"error": text("error result")}, error=True)),
        ("expected error", HomeAssistantError(text("expected error"))),
        ("wrong value", ValueError(text("wrong value"))),
        ("unexpected error", KeyError(text("unexpected error"))),
        ("wrong argument", vol.Invalid(text("wrong argument"))),
    ):
        await home.call_tool(place, result)
    for place, call in (
        ("tool that is made up", Call(text("tool that is made up"), {text("argument"): 1})),
        ("broken arguments", Call("open_cupboard", f"{{'{text('broken arguments')}")),
        ("unknown argument", Call("open_cupboard", {text("unknown argument"): 1})),
    ):
        await home.talk(place, Reply(tool_calls=[call]), Reply("I cannot."))
    await home.talk("finish reason", Reply("Well.", finish_reason=text("finish reason")))
    await home.talk("stopped", Reply("", finish_reason=text("finish reason of nothing")))
    await assert_clean(home, caplog)
    assert "turn" in (await home.outputs())["diagnostics"]


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 413, 422, 429, 500, 503])
async def test_words_of_a_failing_server_are_not_shown(
    planted_home: Home, caplog: pytest.LogCaptureFixture, status: int
) -> None:
    """In its body and its headers, and where the text is known to mean something."""
    home, text = planted_home, planted_home.plants.text
    for what in ("", "model not found ", "context length exceeded ", "insufficient_quota "):
        body = {"error": {"message": what + text(f"error {status}"), "code": text("code")}}
        headers = {"X-Reason": text("header"), "Retry-After": text("retry-after")}
        reply = Reply(status=status, body=json.dumps(body), headers=headers)
        await home.talk(f"error {status} {what}", reply, reply)
    page = Reply(status=status, body=f"<html>{text('page')}</html>")
    await home.talk(f"page {status}", page, page)
    await assert_clean(home, caplog)


async def test_malformed_responses_are_not_shown(
    planted_home: Home, caplog: pytest.LogCaptureFixture
) -> None:
    home, text = planted_home, planted_home.plants.text
    for body in (
        text("no JSON"),
        json.dumps({"choices": text("no choices")}),
        json.dumps({"choices": [{"message": {"tool_calls": text("no calls")}}]}),
        f"data: {json.dumps({'error': {'message': text('error event')}})}\n\n",
        f"data: {text('no JSON in an event')}\n\n",
    ):
        reply = Reply(body=body)
        await home.talk("malformed response", reply, reply)
    for fault in (Fault.RESET, Fault.RESET_MIDWAY, Fault.TRUNCATED, Fault.HTML):
        await home.talk(fault, *[Reply(text(fault), fault=fault)] * 2)
    home.server.models_reply = Reply(status=500, body=text("list of models"))
    assert await home.hass.config_entries.async_reload(home.entry.entry_id)
    await home.hass.async_block_till_done(wait_background_tasks=True)
    await assert_clean(home, caplog)


async def test_unexpected_error_is_not_shown_with_its_message(
    planted_home: Home, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, text = planted_home, planted_home.plants.text
    for place in (
        "agent_turn.async_render_prompt",
        "agent.loop.next_step",
        "agent_history.AgentHistory.async_record",
    ):
        error = RuntimeError(text(place))

        def fail(*_: object, error: Exception = error, **__: object) -> None:
            raise error

        with monkeypatch.context() as patched:
            patched.setattr(f"custom_components.chatterbox.{place}", fail)
            await home.talk(place, Reply("Well."))
    assert "RuntimeError" in caplog.text
    await assert_clean(home, caplog)


async def test_stored_conversation_that_is_damaged_is_not_shown(
    planted_home: Home, caplog: pytest.LogCaptureFixture, disk: Any
) -> None:
    home, text = planted_home, planted_home.plants.text
    await home.talk("stored", Reply("Well."))
    folder = disk / STORAGE_DIR / f"{DOMAIN}.history"
    (path,) = [path for path in folder.rglob("*") if path.is_file() and "index" not in path.name]
    path.write_text(f'{{"version": 1, "data": {{"turns": "{text("damaged")}"}}}}')
    home.entry.runtime_data.histories.clear()
    assert await home.hass.config_entries.async_reload(home.entry.entry_id)
    await home.talk("afterwards", Reply("Well."))
    await assert_clean(home, caplog)


async def test_options_that_cannot_be_used_are_not_shown(
    hass: HomeAssistant,
    config_entry: MockConfigEntry,
    plants: Plants,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Such as a URL with a password, or a text in place of a number or a choice."""
    caplog.set_level(logging.INFO)
    assert await async_setup_component(hass, "homeassistant", {})
    url = f"http://{plants.key('user')}:{plants.key('password')}@host/v1?{plants.key('query')}"
    names = [name for name, _ in fields(server_options_schema({}))]
    (agent,) = config_entry.subentries.values()
    private = {"model", "llm_hass_api", "built_in_tools", "fallback_agent", *SHOWN}
    schema = agent_schema(hass, [MODEL], {"name": "Agent"})
    hass.config_entries.async_update_entry(
        config_entry,
        data={**config_entry.data, "base_url": url, "headers": {"X": plants.key("header")}},
        options={name: plants.text(name) for name in names},
    )
    texts = {name: plants.text(name) for name, _ in fields(schema) if name not in private}
    hass.config_entries.async_update_subentry(
        config_entry, agent, data={**agent.data, **texts, "later": plants.text("later")}
    )
    await hass.config_entries.async_setup(config_entry.entry_id)
    found = await async_get_config_entry_diagnostics(hass, config_entry)
    assert {*names} <= found["options"].keys()
    assert {"later", *texts} <= found["agents"][0].keys()
    assert plants.found_in(json.dumps(found)) == []
    assert plants.found_in(caplog.text) == []
    assert plants.found_in(str(config_entry.reason)) == []
