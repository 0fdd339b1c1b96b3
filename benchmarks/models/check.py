"""Checks that the homes have what the sentences speak of; asks no model.

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

from .home import Stage
from .judging import Snapshot
from .sentence import Sentence, fits
from .stages import STAGES


async def problems(hass: HomeAssistant, stage: Stage) -> list[str]:
    """Return what is wrong with the sentences of a running home."""
    found = []
    for sentence in (sentence for group in stage.sets.values() for sentence in group):
        await stage.arrange(hass, sentence.given)
        before = stage.snapshot(hass)
        wrong = [
            *_absent(hass, sentence),
            *(("a check is met beforehand",) if _is_met(sentence, before) else ()),
            *_unasked(sentence),
        ]
        stage.device(sentence.area)
        found += [f"{stage.key}: {sentence.text}: {problem}" for problem in wrong]
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
    """Return whether a turn would be right though nothing had been done for an entity."""
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
    for key in sys.argv[1:] or STAGES:
        stage = STAGES[key]()
        with tempfile.TemporaryDirectory(prefix="chatterbox-bench-") as folder:
            prepare_folder(Path(folder), port=0)
            async with running_home(Path(folder), stage.plan) as hass:
                found += await problems(hass, stage)
        for name, sentences in stage.sets.items():
            print(stage.key, name, len(sentences), Counter(str(s.kind) for s in sentences))
    print(*found, sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(_check()))
