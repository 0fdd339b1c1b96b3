"""Steps of people, servers, tools and Home Assistant, in any order."""

import asyncio
from collections.abc import Coroutine
from typing import Any, ClassVar

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from ..fake_openai import Fault
from .house import House, Picture
from .workshop import TOOLS
from .world import BUILT_IN_CALLS, NEW_CONVERSATION, Scripted, Speaker

USERS = ("ann", "bob")
# Those that take as long as the server is given to answer.
SLOW = {Fault.NEVER, Fault.HANGING}

ROOMS = st.sampled_from(["kitchen", "attic"])
SPEAKERS = st.builds(Speaker, st.sampled_from([*USERS, None]), ROOMS)
USERS_OF_APPS = st.builds(Speaker, st.sampled_from(USERS), ROOMS)
PICTURES = st.one_of(st.none(), st.sampled_from(Picture))
ANYBODY = st.sampled_from([*USERS, None])
FAULTS = st.builds(Scripted, st.sampled_from([fault for fault in Fault if fault not in SLOW]))
TEXTS = ["Yes.", "Done. And there is more to say about it.", '{"color": "red"}']
REPLIES = st.builds(
    Scripted,
    st.sampled_from([*TOOLS, *BUILT_IN_CALLS, *TEXTS]),
    st.one_of(st.none(), st.none(), st.floats(0, 1)),
)
SCRIPTED = st.one_of(FAULTS, REPLIES, REPLIES)
SCRIPTS = st.lists(SCRIPTED, min_size=1, max_size=4)
FACT_TOOLS = ["facts", "search_history", "look_at_camera"]
# Most homes keep what the agent is set to at first.
DEFAULTS: dict[str, Any] = {
    "llm_hass_api": ["workshop"],
    "built_in_tools": FACT_TOOLS,
    "model_options": {"profile": "auto", "context_window": 0},
    "voice": {"voice_features": ["plain_speech"]},
    "memory": {"remember": "persistent", "memory_scope": "conversation", "summarize": False},
    "safety": {"confirm": []},
}
OTHER_SETTINGS = st.fixed_dictionaries(
    {
        "llm_hass_api": st.just(["workshop"]),
        "built_in_tools": st.sampled_from([FACT_TOOLS, [*FACT_TOOLS, "search_tools"], []]),
        "model_options": st.fixed_dictionaries(
            {
                "profile": st.sampled_from(["auto", "auto", "auto", "capable", "guided"]),
                "context_window": st.sampled_from([0, 0, 4000]),
            }
        ),
        "voice": st.fixed_dictionaries(
            {
                "max_sentences": st.sampled_from([0, 1]),
                "voice_features": st.sampled_from([["lead_in", "plain_speech"], ["interrupt"], []]),
            }
        ),
        "memory": st.fixed_dictionaries(
            {
                "remember": st.sampled_from(["persistent", "persistent", "session", "none"]),
                "memory_scope": st.sampled_from(["conversation", "device", "user"]),
                "summarize": st.booleans(),
            }
        ),
        "safety": st.sampled_from([{"confirm": ["destructive"]}, {"confirm": []}]),
        "limits": st.just({"max_iterations": 4}),
    }
)
SETTINGS = st.one_of(st.just(DEFAULTS), OTHER_SETTINGS)


class Machine(RuleBasedStateMachine):
    """The steps of a run, which are done in a house.

    Hypothesis is not asynchronous: it plays in a thread, and its steps are done in the loop.
    """

    house: ClassVar[House]
    loop: ClassVar[asyncio.AbstractEventLoop]
    logs: ClassVar[pytest.LogCaptureFixture]
    broken: ClassVar[list[Exception]]
    """Errors of the steps, the first one first."""

    def _do(self, step: Coroutine[Any, Any, None]) -> None:
        try:
            asyncio.run_coroutine_threadsafe(step, self.loop).result()
        except Exception as err:
            self.broken.append(err)
            raise

    @rule(speaker=SPEAKERS, script=SCRIPTS)
    def say(self, speaker: Speaker, script: list[Scripted]) -> None:
        self._do(self.house.say(speaker, script))

    @rule(speakers=st.lists(SPEAKERS, min_size=2, max_size=4, unique=True), script=SCRIPTS)
    def say_at_once(self, speakers: list[Speaker], script: list[Scripted]) -> None:
        self._do(self.house.say_at_once(speakers, script))

    @rule(
        speaker=SPEAKERS,
        script=st.lists(SCRIPTED, max_size=2),
        after=st.integers(0, 4),
        how=st.sampled_from(["cancel", "stop", "speak", "reload", "restart", "clear", "configure"]),
        settings=SETTINGS,
    )
    def break_off(
        self,
        speaker: Speaker,
        script: list[Scripted],
        after: int,
        how: str,
        settings: dict[str, Any],
    ) -> None:
        self.house.settings = settings
        self._do(self.house.break_off(speaker, script, after, how))

    @rule(how=st.sampled_from(["reload", "restart", "forget_sessions"]))
    def begin_again(self, how: str) -> None:
        self._do(self.house.begin_again(how))

    @rule(user=ANYBODY, facts=st.booleans())
    def erase(self, user: str | None, *, facts: bool) -> None:
        self._do(self.house.erase(user, facts=facts))

    @rule(user=st.sampled_from(USERS), unloaded=st.booleans())
    def remove_user(self, user: str, *, unloaded: bool) -> None:
        self._do(self.house.remove_user(user, unloaded=unloaded))

    @rule(speaker=SPEAKERS, text=st.sampled_from(["Yes", "No", NEW_CONVERSATION]))
    def answer(self, speaker: Speaker, text: str) -> None:
        self._do(self.house.answer(speaker, text))

    @rule(speaker=SPEAKERS, cut=st.one_of(st.none(), st.floats(0, 1)))
    def remember(self, speaker: Speaker, cut: float | None) -> None:
        self._do(self.house.remember(speaker, cut))

    @rule(speaker=SPEAKERS)
    def forget_fact(self, speaker: Speaker) -> None:
        self._do(self.house.forget_fact(speaker))

    @rule(speaker=USERS_OF_APPS, script=SCRIPTS, picture=PICTURES)
    def ask(self, speaker: Speaker, script: list[Scripted], picture: Picture | None) -> None:
        self._do(self.house.ask(speaker, script, picture))

    @rule(script=SCRIPTS, structured=st.booleans(), picture=PICTURES, tools=st.booleans())
    def generate(
        self, script: list[Scripted], picture: Picture | None, *, structured: bool, tools: bool
    ) -> None:
        self._do(self.house.generate(script, picture, structured=structured, tools=tools))

    @rule(user=ANYBODY)
    def look_around(self, user: str | None) -> None:
        self._do(self.house.look_around(user))

    @rule(settings=SETTINGS)
    def configure(self, settings: dict[str, Any]) -> None:
        self._do(self.house.configure(settings))

    @rule(script=st.lists(SCRIPTED, max_size=2))
    def repair(self, script: list[Scripted]) -> None:
        self._do(self.house.repair(script))

    def teardown(self) -> None:
        self.house.invariants.check_logs(self.logs.records)
        self.logs.clear()
