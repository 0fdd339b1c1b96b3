"""A disk that is full or cannot be written: a real one, in memory."""

import asyncio
import json
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

import pytest

from tests.fake_openai import FakeOpenAI, Reply

from .chatterbox import Agent, process, speech_of
from .home import Home

SIZE = 256 * 1024


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, check=False, stderr=subprocess.PIPE, text=True)


@pytest.fixture
def disk(home: Home) -> Iterator[Path]:
    """Put a small disk where the conversations are stored."""
    folder = home.folder / ".storage" / "chatterbox.history"
    folder.mkdir(exist_ok=True)
    done = run("mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", folder)
    if done.returncode:
        pytest.skip(f"no disk can be mounted here: {done.stderr.strip()}")
    yield folder
    assert run("umount", "--lazy", folder).returncode == 0


def fill(disk: Path) -> None:
    """Use up all space."""
    with (disk / "filler").open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(b"x" * 4096)


def files(disk: Path) -> list[Path]:
    return [path for path in disk.rglob("*") if path.is_file() and path.name != "filler"]


def turns(disk: Path) -> list[int]:
    """Return the numbers of turns of the stored conversations."""
    return [
        len(json.loads(path.read_bytes())["data"]["turns"])
        for path in files(disk)
        if len(path.name) == 32
    ]


async def reported(home: Home, *, wanted: bool) -> None:
    """Wait until there is an issue about the disk, or none."""
    async with asyncio.timeout(30):
        while True:
            found = (await home.ws.call("repairs/list_issues"))["issues"]
            if wanted is any(each["translation_key"] == "history_not_stored" for each in found):
                return
            await asyncio.sleep(0.1)


@pytest.mark.errs
@pytest.mark.parametrize("trouble", ["full", "read-only"])
async def test_agent_goes_on_and_stores_again_after_trouble_with_the_disk(
    home: Home, agent: Agent, model: FakeOpenAI, disk: Path, trouble: str
) -> None:
    room, secret = f"{trouble} {token_hex(4)}", token_hex(8)
    if trouble == "full":
        fill(disk)
    else:
        assert run("mount", "-o", "remount,ro", disk).returncode == 0
    model.script(Reply("I note that."), Reply("You told me so."), Reply("Yes."))
    assert speech_of(await process(home, agent, f"The code is {secret}.", room)) == "I note that."
    await reported(home, wanted=True)
    assert speech_of(await process(home, agent, "What did I say?", room)) == "You told me so."
    assert secret in str(model.completions[-1].messages)
    # Nothing is written in part; the turn before may still be trying.
    async with asyncio.timeout(30):
        while files(disk):  # noqa: ASYNC110 - another process writes
            await asyncio.sleep(0.1)
    if trouble == "full":
        (disk / "filler").unlink()
    else:
        assert run("mount", "-o", "remount,rw", disk).returncode == 0
    assert speech_of(await process(home, agent, "Do you keep it now?", room)) == "Yes."
    await reported(home, wanted=False)
    async with asyncio.timeout(30):
        # The answer does not wait for the disk.
        while turns(disk) != [3]:  # noqa: ASYNC110 - another process writes
            await asyncio.sleep(0.1)
