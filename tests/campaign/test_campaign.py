"""Campaign: thousands of random steps with one agent.

A run is repeatable. `scripts/campaign` makes longer ones, with other seeds.
"""

import asyncio
import os
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Flaky
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test
from pytest_homeassistant_custom_component.common import MockConfigEntry, MockUser

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
from homeassistant.setup import async_setup_component

from ..fake_openai import FakeOpenAI, Fault
from .workshop import TOOLS, Workshop
from .world import Scripted, Speaker, World

EXAMPLES = int(os.environ.get("CHATTERBOX_CAMPAIGN_EXAMPLES", "8"))
SEED = int(os.environ.get("CHATTERBOX_CAMPAIGN_SEED", "0"))
STEPS = 60

USERS = ("ann", "bob")
# Those that take as long as the server is given to answer.
SLOW = {Fault.NEVER, Fault.HANGING}

SPEAKERS = st.builds(
    Speaker, st.sampled_from([*USERS, None]), st.sampled_from(["kitchen", "attic"])
)
SCRIPTED = st.one_of(
    st.builds(Scripted, st.sampled_from([fault for fault in Fault if fault not in SLOW])),
    st.builds(
        Scripted,
        st.sampled_from([*TOOLS, "Yes.", "Done. And there is more to say about it."]),
        st.one_of(st.none(), st.floats(0, 1)),
    ),
)
SCRIPTS = st.lists(SCRIPTED, min_size=1, max_size=4)


@pytest.fixture
def options() -> dict[str, Any]:
    """Wait for nothing."""
    return {"retry_wait": 0, "first_token_timeout": 10}


@pytest.fixture
def agent_options() -> dict[str, Any]:
    """Return an agent with the tools."""
    return {"llm_hass_api": ["workshop"], "max_iterations": 4}


@pytest.fixture
async def workshop(hass: HomeAssistant, disk: Path) -> Workshop:
    """Offer the tools, and add the users."""
    for component in ("homeassistant", "conversation", "intent", "llm"):
        assert await async_setup_component(hass, component, {})
    for name in USERS:
        MockUser(id=name, name=name, is_owner=False).add_to_hass(hass)
    api = Workshop(hass)
    llm.async_register_api(hass, api)
    return api


@pytest.fixture
async def world(
    hass: HomeAssistant,
    disk: Path,
    server: FakeOpenAI,
    workshop: Workshop,
    loaded_entry: MockConfigEntry,
) -> World:
    """Return a home with the agent."""
    return World(hass, server, workshop, loaded_entry, disk)


def machine(
    world: World, do: Callable[[Coroutine[Any, Any, None]], None], caplog: pytest.LogCaptureFixture
) -> type[RuleBasedStateMachine]:
    """Return the machine whose steps are done by that function."""

    class Machine(RuleBasedStateMachine):
        """What people, servers, tools and Home Assistant do."""

        @rule(speaker=SPEAKERS, script=SCRIPTS)
        def say(self, speaker: Speaker, script: list[Scripted]) -> None:
            do(world.say(speaker, script))

        @rule(speakers=st.lists(SPEAKERS, min_size=2, max_size=4, unique=True), script=SCRIPTS)
        def say_at_once(self, speakers: list[Speaker], script: list[Scripted]) -> None:
            do(world.say_at_once(speakers, script))

        @rule(
            speaker=SPEAKERS,
            script=st.lists(SCRIPTED, max_size=2),
            after=st.integers(0, 4),
            how=st.sampled_from(["cancel", "stop", "speak", "reload", "restart", "clear"]),
        )
        def break_off(self, speaker: Speaker, script: list[Scripted], after: int, how: str) -> None:
            do(world.break_off(speaker, script, after, how))

        @rule()
        def reload(self) -> None:
            do(world.reload())

        @rule()
        def restart(self) -> None:
            do(world.restart())

        @rule()
        def forget_sessions(self) -> None:
            do(world.forget_sessions())

        @rule(user=st.sampled_from([*USERS, None]))
        def clear(self, user: str | None) -> None:
            do(world.clear(user))

        def teardown(self) -> None:
            world.check_logs(caplog.records)
            caplog.clear()

    return seed(SEED)(Machine)


# A request that is cancelled while the HTTP client connects leaves its socket to be collected.
@pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.timeout(0)
async def test_invariants_hold_whatever_happens(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    loop = asyncio.get_running_loop()
    broken: list[Exception] = []

    def do(step: Coroutine[Any, Any, None]) -> None:
        try:
            asyncio.run_coroutine_threadsafe(step, loop).result()
        except Exception as err:
            broken.append(err)
            raise

    # Hypothesis is not asynchronous: it plays in a thread, and its steps are done in the loop.
    try:
        await asyncio.to_thread(
            run_state_machine_as_test,
            machine(world, do, caplog),
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
    print(f"\n{world.turns} turns in {world.steps} steps, {world.tool_runs} runs of tools")  # noqa: T201
    assert world.tool_runs > 0
