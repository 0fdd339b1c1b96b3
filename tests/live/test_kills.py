"""Kills at random moments: no file is half written, and at most the last turns are lost.

`CHATTERBOX_KILLS` sets the number of kills, `CHATTERBOX_CAMPAIGN_SEED` their moments.
"""

import asyncio
import json
import os
import random
from itertools import count
from typing import Any

import pytest

from tests.fake_openai import FakeOpenAI, Reply, history_problems

from .chatterbox import Agent, process
from .home import Home

KILLS = int(os.environ.get("CHATTERBOX_KILLS", "2"))
SEED = int(os.environ.get("CHATTERBOX_CAMPAIGN_SEED", "0"))
ROOMS = [f"room {SEED}-{number}" for number in range(12)]
# Turns that are stored of a conversation, at least: a few of its older ones may have gone.
STORED = 90
# A kill comes so many seconds after the first message, at the latest.
LONGEST = 5


async def talk(
    home: Home, agent: Agent, room: str, first: int, answered: dict[str, list[str]]
) -> None:
    """Say one thing after the other, until the home is gone."""
    for number in count(first):
        text = f"{room} says {number}."
        try:
            await process(home, agent, text, room)
        except ConnectionError:
            return
        answered[room].append(text)


def stored(home: Home) -> list[dict[str, Any]]:
    """Return all conversations, each of which has to be complete."""
    folder = home.folder / ".storage" / "chatterbox.history"
    files = [path for path in folder.rglob("*") if path.is_file()]
    # A write that was killed leaves a file of another name.
    return [json.loads(path.read_bytes())["data"] for path in files if len(path.name) == 32]


@pytest.mark.timeout(0)
async def test_conversations_survive_kills_at_random_moments(
    home: Home, agent: Agent, model: FakeOpenAI, capsys: pytest.CaptureFixture[str]
) -> None:
    # Home Assistant stores the settings of the agent a while later.
    await home.restart()
    moments = random.Random(SEED)  # noqa: S311 - it has to be repeatable
    answered: dict[str, list[str]] = {room: [] for room in ROOMS}
    turns = lost = 0
    for kill in range(KILLS):
        model.reset()
        model.default = Reply("All right, I keep that in mind.")
        before = {room: len(texts) for room, texts in answered.items()}
        talks = [
            asyncio.create_task(talk(home, agent, room, 1000 * kill, answered)) for room in ROOMS
        ]
        await asyncio.sleep(moments.uniform(0, LONGEST))
        await home.kill()
        await asyncio.wait_for(asyncio.gather(*talks), 30)
        assert all(history_problems(request.messages) == [] for request in model.completions)
        found = "\n".join(turn["user"] for each in stored(home) for turn in each["turns"])
        for room, texts in answered.items():
            # A turn begins when the one before is stored; the result of one does not wait for that.
            certain = texts[:-1] if len(texts) > before[room] else texts
            assert [text for text in certain[-STORED:] if text not in found] == []
            turns += len(texts) - before[room]
            lost += texts[-1:] != [] and texts[-1] not in found
            answered[room] = [text for text in texts if text in found]
        await home.start()
    with capsys.disabled():
        # For `scripts/campaign`.
        print(f"\n{KILLS} kills, {turns} turns, {lost} last turns lost")  # noqa: T201
    assert any(answered.values())
    for room, texts in answered.items():
        model.reset()
        await process(home, agent, "And now?", room)
        sent = model.completions[0].messages
        assert history_problems(sent) == []
        assert not texts or texts[-1] in str(sent)
