"""Runner of the benchmark: asks the sentences and records their results."""

import asyncio
import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from homeassistant.components import conversation
from homeassistant.const import ATTR_ENTITY_ID, EVENT_CALL_SERVICE
from homeassistant.core import Context, Event, HomeAssistant, callback
from homeassistant.util import dt as dt_util

from .home import BenchHome
from .judging import Call, Reply, Result, Snapshot, Verdict, judge, worst
from .sentence import Kind, Sentence
from .ways import Agents

TURN_SECONDS = 600.0

_YES = {
    "en": "Yes",
    "de": "Ja",
    "es": "Sí",
    "fr": "Oui",
    "it": "Sì",
    "nl": "Ja",
    "pl": "Tak",
}

type Key = tuple[str, str, str, str]
type Answer = tuple[str, str | None, bool]
"""The speech, the id of the conversation, and whether the turn failed."""


def read_completed(results: Path) -> set[Key]:
    """Return the keys of the sentences in the results: home, model, way and text."""
    if not results.exists():
        return set()
    lines = map(json.loads, results.read_text().splitlines())
    return {(line["home"], line["model"], line["way"], line["text"]) for line in lines}


@contextmanager
def recorded_calls(hass: HomeAssistant) -> Iterator[list[Call]]:
    """Collect the service calls until the context ends."""
    calls: list[Call] = []

    @callback
    def record(event: Event[Any]) -> None:
        entity_ids = event.data["service_data"].get(ATTR_ENTITY_ID, ())
        ids = (entity_ids,) if isinstance(entity_ids, str) else tuple(entity_ids)
        calls.append(Call(f"{event.data['domain']}.{event.data['service']}", ids))

    stop = hass.bus.async_listen(EVENT_CALL_SERVICE, record)
    try:
        yield calls
    finally:
        stop()


class BenchmarkRun:
    """Run of the benchmark in one home; the results are appended to a file."""

    def __init__(self, home: BenchHome, agents: Agents, context: Context, results: Path) -> None:
        self._home = home
        self._hass = agents.hass
        self._agents = agents
        self._context = context
        self._results = results

    async def run(self, way: str, set_name: str) -> None:
        """Ask the sentences of a set that are not in the results of this way yet."""
        asked = read_completed(self._results)
        missing = [
            sentence
            for sentence in self._home.sets[set_name]
            if (self._home.key, self._agents.model, way, sentence.text) not in asked
        ]
        if not missing:
            return
        agent = await self._agents.select(way)
        await self._warm_up(agent)
        # Sorted by area: with it the prompt may change, which the server has to process again.
        for sentence in sorted(missing, key=lambda sentence: sentence.area or ""):
            await self._ask(agent, way, set_name, sentence)

    async def _warm_up(self, agent: str) -> None:
        """Have the server cache the prompt."""
        started = time.monotonic()
        await self._speech(agent, Sentence("Good morning!", kind=Kind.TALK), None)
        print(f"warm after {time.monotonic() - started:.1f} s", file=sys.stderr, flush=True)

    async def _ask(self, agent: str, way: str, set_name: str, first: Sentence) -> None:
        """Ask a sentence and its follow-ups, until one is not right; record the result."""
        await self._home.reset(self._hass, first.given)
        turns: list[dict[str, Any]] = []
        verdicts: list[Verdict] = []
        yes: dict[str, Any] | None = None
        conversation_id = None
        for sentence in first.turns:
            before = self._home.snapshot(self._hass)
            verdict, turn, conversation_id = await self._turn(
                agent, way, sentence, conversation_id, before
            )
            verdicts.append(verdict)
            turns.append(turn)
            if verdict.result is Result.ASKED:
                # Users say yes to the right question only: this shows whether it was the right one.
                agreed = replace(sentence, text=_YES[sentence.language])
                verdict_on_yes, yes, _ = await self._turn(
                    agent, way, agreed, conversation_id, before
                )
                yes["result"] = verdict_on_yes.result
            if verdict.result is not Result.RIGHT:
                break
        verdict = worst(verdicts)
        line = {
            "home": self._home.key,
            "set": set_name,
            "model": self._agents.model,
            "way": way,
            "kind": first.kind,
            "language": first.language,
            "text": first.text,
            "result": verdict.result,
            "leaked": verdict.leaked,
            "findings": verdict.findings,
            "seconds": round(sum(turn["seconds"] for turn in turns) / len(turns), 2),
            "turns": turns,
            "yes": yes,
        }
        with self._results.open("a") as results:
            results.write(f"{json.dumps(line, ensure_ascii=False)}\n")
        spoken = " / ".join(turn["speech"][:160] for turn in turns)
        result = f"asked, then {yes['result']}" if yes else verdict.result
        columns = (result, line["seconds"], way, first.text, spoken, *verdict.findings)
        print(*columns, sep=" | ", file=sys.stderr, flush=True)

    async def _turn(
        self,
        agent: str,
        way: str,
        sentence: Sentence,
        conversation_id: str | None,
        before: Snapshot,
    ) -> tuple[Verdict, dict[str, Any], str | None]:
        """Ask one sentence; return its verdict, its record, and the id of the conversation."""
        seen = self._agents.last_trace()
        with recorded_calls(self._hass) as calls:
            started = time.monotonic()
            speech, conversation_id, failed = await self._speech(agent, sentence, conversation_id)
            seconds = time.monotonic() - started
            await self._home.wait_until_idle(self._hass)
        reply = Reply(speech, failed=failed, now=dt_util.now())
        verdict = judge(sentence, before, self._home.snapshot(self._hass), calls, reply)
        turn = {
            "text": sentence.text,
            "speech": speech,
            "failed": failed,
            "requests": self._agents.requests(way, seen),
            "seconds": round(seconds, 2),
            "calls": [f"{call.service} {' '.join(call.entity_ids)}".strip() for call in calls],
        }
        return verdict, turn, conversation_id

    async def _speech(self, agent: str, sentence: Sentence, conversation_id: str | None) -> Answer:
        try:
            async with asyncio.timeout(TURN_SECONDS):
                result = await conversation.async_converse(
                    self._hass,
                    sentence.text,
                    conversation_id,
                    self._context,
                    sentence.language,
                    agent,
                    self._home.satellite(sentence.area),
                )
        except Exception as err:  # noqa: BLE001 - whatever it is, the sentence was not answered
            return f"({type(err).__name__}: {err})", None, True
        speech: str = result.response.speech.get("plain", {}).get("speech", "")
        return speech, result.conversation_id, result.response.error_code is not None
