"""Campaign: thousands of random steps with one agent.

A run is repeatable. `scripts/campaign` makes longer ones, with other seeds.
"""

import asyncio
import os
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.errors import Flaky
from hypothesis.stateful import run_state_machine_as_test
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.chatterbox.const import SUBENTRY_AI_TASK
from homeassistant.components.conversation import DOMAIN as CONVERSATION
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import ConfigSubentry
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
from homeassistant.setup import async_setup_component

from ..builders import add_user
from ..conftest import MODEL
from ..fake_openai import FakeOpenAI
from .house import CAMERA, DoorCamera, House
from .machine import FACT_TOOLS, USERS, Machine
from .workshop import Workshop

EXAMPLES = int(os.environ.get("CHATTERBOX_CAMPAIGN_EXAMPLES", "8"))
SEED = int(os.environ.get("CHATTERBOX_CAMPAIGN_SEED", "0"))
STEPS = 60

COMPONENTS = ("homeassistant", "conversation", "intent", "llm", "camera", "image", "repairs")


@pytest.fixture
def options() -> dict[str, Any]:
    """Wait for nothing."""
    return {"retry_wait": 0, "first_token_timeout": 3}


@pytest.fixture
def agent_options() -> dict[str, Any]:
    """Return an agent with the tools."""
    return {"llm_hass_api": ["workshop"], "built_in_tools": FACT_TOOLS, "max_iterations": 4}


@pytest.fixture
async def workshop(hass: HomeAssistant, disk: Path) -> Workshop:
    """Offer the tools, and add the users."""
    for component in COMPONENTS:
        assert await async_setup_component(hass, component, {})
    for name in USERS:
        await add_user(hass, name)
    api = Workshop(hass)
    llm.async_register_api(hass, api)
    return api


@pytest.fixture
async def house(
    hass: HomeAssistant,
    server: FakeOpenAI,
    workshop: Workshop,
    camera: DoorCamera,
    loaded_entry: MockConfigEntry,
) -> House:
    """Return a home with the agent and an AI task."""
    task = ConfigSubentry(
        data=MappingProxyType({"model": MODEL}),
        subentry_type=SUBENTRY_AI_TASK,
        title="Task",
        unique_id=None,
    )
    hass.config_entries.async_add_subentry(loaded_entry, task)
    await hass.async_block_till_done(wait_background_tasks=True)
    return House(hass, server, workshop, loaded_entry, camera)


@pytest.fixture
async def camera(hass: HomeAssistant, workshop: Workshop) -> DoorCamera:
    """Return an exposed camera."""
    door = DoorCamera()
    await hass.data["camera"].async_add_entities([door])
    async_expose_entity(hass, CONVERSATION, CAMERA, should_expose=True)
    return door


# A request that is cancelled while the HTTP client connects leaves its socket to be collected.
@pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.timeout(0)
async def test_invariants_hold_whatever_happens(
    house: House, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    broken: list[Exception] = []

    class SeededMachine(Machine):
        """The machine in this house."""

    SeededMachine.house, SeededMachine.logs = house, caplog
    SeededMachine.loop, SeededMachine.broken = asyncio.get_running_loop(), broken
    try:
        await asyncio.to_thread(
            run_state_machine_as_test,
            seed(SEED)(SeededMachine),
            settings=settings(
                max_examples=EXAMPLES,
                stateful_step_count=STEPS,
                deadline=None,
                database=None,
                suppress_health_check=list(HealthCheck),
                # The home is the same throughout: a failing run cannot be replayed in parts.
                phases=[Phase.generate],
                report_multiple_bugs=False,
            ),
        )
    except Flaky:
        # A run that is replayed goes another way: what broke first is what matters.
        raise broken[0] from None
    done = {
        "turns": house.turns,
        "steps": house.invariants.steps,
        "runs of tools": house.invariants.tool_runs,
        **house.done,
    }
    with capsys.disabled():
        # For `scripts/campaign`.
        print("\n" + ", ".join(f"{number} {name}" for name, number in done.items()))  # noqa: T201
    assert house.invariants.tool_runs > 0
