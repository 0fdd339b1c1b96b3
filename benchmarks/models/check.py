"""Validation of the sentences against their homes, without a model.

home/bin/python -m benchmarks.models.check
"""

import asyncio
import sys
import tempfile
from collections import Counter
from pathlib import Path

from homeassistant.components.homeassistant.exposed_entities import async_should_expose
from homeassistant.core import HomeAssistant
from scripts.home.core import ASSISTANT, prepare_folder, running_home

from .bench_homes import BENCH_HOMES
from .home import BenchHome
from .judging import Snapshot
from .sentence import Sentence, fits


async def problems(hass: HomeAssistant, home: BenchHome) -> list[str]:
    """Return the problems of the sentences of a running home."""
    found = []
    for sentence in (sentence for group in home.sets.values() for sentence in group):
        await home.reset(hass, sentence.given)
        before = home.snapshot(hass)
        wrong = [
            *_absent(hass, sentence),
            *(("a check is met beforehand",) if _is_met(sentence, before) else ()),
            *_unasked(sentence),
        ]
        home.satellite(sentence.area)
        found += [f"{home.key}: {sentence.text}: {problem}" for problem in wrong]
    return found


def _absent(hass: HomeAssistant, sentence: Sentence) -> list[str]:
    named = {
        entity_id
        for turn in sentence.turns
        for entity_id in (*turn.changes, *turn.calls.values(), *turn.given)
    }
    return [
        f"{entity_id} is not there or not exposed"
        for entity_id in sorted(named)
        if not hass.states.get(entity_id) or not async_should_expose(hass, ASSISTANT, entity_id)
    ]


def _is_met(sentence: Sentence, before: Snapshot) -> bool:
    """Return whether a turn would be right without any action for one of its entities."""
    earlier: dict[str, object] = {}
    for turn in sentence.turns:
        for entity_id, check in turn.changes.items():
            if entity_id in earlier:
                met = earlier[entity_id] == check
            else:
                values = before[entity_id]
                met = all(fits(values[key], values[key], check[key]) for key in check)
            if met:
                return True
        earlier |= turn.changes
    return False


def _unasked(sentence: Sentence) -> list[str]:
    return [
        f"'{turn.text}' expects nothing"
        for turn in sentence.turns
        if not turn.changes and not turn.calls and turn.says is None
    ]


async def _check() -> int:
    found = []
    for key in sys.argv[1:] or BENCH_HOMES:
        home = BENCH_HOMES[key]()
        with tempfile.TemporaryDirectory(prefix="chatterbox-bench-") as folder:
            prepare_folder(Path(folder), port=0)
            async with running_home(Path(folder), home.setup) as hass:
                found += await problems(hass, home)
        for name, sentences in home.sets.items():
            print(home.key, name, len(sentences), Counter(str(s.kind) for s in sentences))
    print(*found, sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(_check()))
