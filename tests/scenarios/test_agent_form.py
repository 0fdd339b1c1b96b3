"""Any sequence of form steps of an agent: no option of memory or safety is lost."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.chatterbox.const import SUBENTRY_CONVERSATION
from custom_components.chatterbox.option_table import AGENT_SECTIONS
from homeassistant.config_entries import SOURCE_RECONFIGURE
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import InvalidData
from homeassistant.setup import async_setup_component
from tests.fake_openai import FakeOpenAI
from tests.form_helpers import suggested

type Step = tuple[str, Any]

# The values of every field that protects somebody: none of them is the default.
PROTECTION: dict[str, dict[str, Any]] = {
    "memory": {
        "remember": "none",
        "memory_scope": "user",
        "memory_minutes": 5,
        "summarize": True,
    },
    "safety": {
        "confirm": ["locks", "doors"],
        "fallback_agent": "conversation.home_assistant",
    },
}
STORED = {key: value for section in PROTECTION.values() for key, value in section.items()}

# Values of the other fields; some of them cannot be stored.
OTHERS: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "model_options": {
        "profile": st.sampled_from(["auto", "capable", "guided"]),
        "temperature": st.sampled_from([0, 0.7, 2, 3]),
        "extra_body": st.sampled_from([{}, {"seed": 7}, {"model": "x"}, ["no object"]]),
    },
    "voice": {
        "max_sentences": st.sampled_from([-1, 0, 3]),
        "voice_features": st.sets(st.sampled_from(["lead_in", "plain_speech"])).map(sorted),
    },
    "limits": {"turn_timeout": st.sampled_from([0, 60, 120])},
}
CHANGES = st.dictionaries(
    st.sampled_from([(section, key) for section, fields in OTHERS.items() for key in fields]),
    st.integers(0, 5),
    max_size=3,
).flatmap(
    lambda chosen: st.fixed_dictionaries(
        {(section, key): OTHERS[section][key] for section, key in chosen}
    )
)
STEPS = st.lists(
    st.one_of(
        # Change some other fields, and send the form with all sections or without some.
        st.tuples(
            st.just("submit"), st.tuples(CHANGES, st.sets(st.sampled_from([*AGENT_SECTIONS])))
        ),
        st.tuples(st.just("empty_section"), st.sampled_from(["memory", "voice", "limits"])),
        st.tuples(st.just("model"), st.sampled_from(["scripted-1", "another"])),
        st.tuples(st.just("prompt"), st.sampled_from([None, "Be brief.", "{{ broken"])),
        st.tuples(st.just("close"), st.none()),
        st.tuples(st.just("reload"), st.none()),
    ),
    max_size=6,
)


class Form:
    """The form of an agent, opened when it is needed."""

    def __init__(self, hass: HomeAssistant, entry: MockConfigEntry) -> None:
        self.hass = hass
        self.entry = entry
        self.flow_id: str | None = None
        self.values: dict[str, Any] = {}

    @property
    def data(self) -> Mapping[str, Any]:
        """The stored data of the agent."""
        [agent] = self.entry.subentries.values()
        return agent.data

    async def take(self, kind: str, value: Any) -> None:
        """Take one step."""
        match kind:
            case "submit":
                changes, missing = value
                await self._submit(changes=changes, missing=missing)
            case "empty_section":
                await self._submit(emptied=value)
            case "model" | "prompt":
                await self._submit(basic={kind: value})
            case "close":
                self._close()
            case "reload":
                self._close()
                await self.hass.config_entries.async_reload(self.entry.entry_id)

    def _close(self) -> None:
        if self.flow_id is not None:
            self.hass.config_entries.subentries.async_abort(self.flow_id)
            self.flow_id = None

    async def _submit(
        self,
        *,
        basic: Mapping[str, Any] | None = None,
        changes: Mapping[tuple[str, str], Any] | None = None,
        missing: set[str] | None = None,
        emptied: str = "",
    ) -> None:
        """Send the form as it is shown, but for some values, sections or fields."""
        flows = self.hass.config_entries.subentries
        if self.flow_id is None:
            [agent] = self.entry.subentries.values()
            menu = await flows.async_init(
                (self.entry.entry_id, SUBENTRY_CONVERSATION),
                context={"source": SOURCE_RECONFIGURE, "subentry_id": agent.subentry_id},
            )
            self.flow_id = menu["flow_id"]
            form = await flows.async_configure(self.flow_id, {"next_step_id": "init"})
            self.values = suggested(form)
        values = {
            key: {**each} if key in AGENT_SECTIONS else each for key, each in self.values.items()
        }
        values |= basic or {}
        for (section, key), value in (changes or {}).items():
            values[section][key] = value
        for section in missing or ():
            del values[section]
        if emptied:
            values[emptied] = {}
        try:
            result = await flows.async_configure(
                self.flow_id, {key: value for key, value in values.items() if value is not None}
            )
        except InvalidData:
            # The frontend shows what is wrong, and keeps what was typed.
            return
        if result["type"] == "form":
            self.values = suggested(result)
            return
        self.flow_id = None
        await self.hass.async_block_till_done(wait_background_tasks=True)


@pytest.mark.parametrize("agent_options", [STORED], ids=["protected"])
@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(steps=STEPS)
def test_no_sequence_of_steps_loses_an_option_of_memory_or_safety(
    hass: HomeAssistant, server: FakeOpenAI, config_entry: MockConfigEntry, steps: list[Step]
) -> None:
    async def run() -> None:
        if not hass.states.async_all("conversation"):
            assert await async_setup_component(hass, "homeassistant", {})
            assert await hass.config_entries.async_setup(config_entry.entry_id)
            await hass.async_block_till_done(wait_background_tasks=True)
        form = Form(hass, config_entry)
        for kind, value in steps:
            await form.take(kind, value)
            assert {key: form.data.get(key) for key in STORED} == STORED, (kind, value)
        await form.take("close", None)

    hass.loop.run_until_complete(run())
