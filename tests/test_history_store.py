"""Conversation stores: the persistent one, by the same contract as the one in memory."""

import errno
import json
import os
import stat
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from custom_components.chatterbox import history_store
from custom_components.chatterbox.agent.memory.index import ConversationInfo
from custom_components.chatterbox.agent.memory.store import (
    ConversationStore,
    InMemoryConversationStore,
)
from custom_components.chatterbox.agent.messages import Message
from custom_components.chatterbox.const import DOMAIN
from custom_components.chatterbox.history_store import (
    HassConversationStore,
    async_remove_history,
)
from homeassistant.core import CoreState, HomeAssistant
from homeassistant.helpers import issue_registry as ir
from homeassistant.util.file import WriteError

from .agent.builders import NOON, stored_call, stored_conversation, stored_turn

NAMES = [f"{number:032x}" for number in range(10)]


@pytest.fixture
def on_disk(hass: HomeAssistant, disk: Path) -> HassConversationStore:
    return HassConversationStore(hass, "entry", "agent", "Jarvis")


@pytest.fixture(params=["memory", "disk"])
def store(request: pytest.FixtureRequest) -> ConversationStore:
    if request.param == "memory":
        return InMemoryConversationStore()
    found: HassConversationStore = request.getfixturevalue("on_disk")
    return found


def problems(hass: HomeAssistant) -> list[str]:
    issues = ir.async_get(hass).issues
    return sorted(
        issue.translation_key or "" for issue in issues.values() if issue.domain == DOMAIN
    )


async def restarted(hass: HomeAssistant) -> HassConversationStore:
    """Return the store as it is after a restart: with nothing but what is on the disk."""
    store = HassConversationStore(hass, "entry", "agent", "Jarvis")
    await store.async_read_index()
    return store


# The contract.


async def test_saved_conversation_is_loaded(store: ConversationStore) -> None:
    talk = stored_conversation(stored_turn(0), stored_turn(1))
    await store.save(talk)
    assert await store.load(talk.id) == talk
    changed = talk.with_turn(stored_turn(2), keep=9)
    await store.save(changed)
    assert await store.load(talk.id) == changed
    assert list(store.index) == [changed.info]


async def test_unknown_conversation_is_none(store: ConversationStore) -> None:
    assert await store.load(NAMES[0]) is None


async def test_deleted_conversation_is_gone(store: ConversationStore) -> None:
    await store.save(stored_conversation(stored_turn(0)))
    await store.delete(stored_conversation().id)
    await store.delete(stored_conversation().id)
    assert await store.load(stored_conversation().id) is None
    assert len(store.index) == 0


async def test_two_ids_are_isolated(store: ConversationStore) -> None:
    one, two = (stored_conversation(stored_turn(n), id=NAMES[n], ids=(f"id{n}",)) for n in (0, 1))
    await store.save(one)
    await store.save(two)
    assert await store.load(NAMES[0]) == one
    assert await store.load(NAMES[1]) == two


# The disk.


async def test_conversations_survive_a_restart(
    hass: HomeAssistant, on_disk: HassConversationStore
) -> None:
    talk = stored_conversation(stored_turn(0))
    await on_disk.save(talk)
    again = await restarted(hass)
    assert list(again.index) == [talk.info]
    assert await again.load(talk.id) == talk


async def test_file_is_private(on_disk: HassConversationStore) -> None:
    await on_disk.save(stored_conversation(stored_turn(0)))
    (file,) = on_disk.folder.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


async def test_a_turn_writes_one_file_only(on_disk: HassConversationStore) -> None:
    for name in NAMES:
        await on_disk.save(stored_conversation(stored_turn(0), id=name))
    before = {file.name: file.stat().st_mtime_ns for file in on_disk.folder.iterdir()}
    await on_disk.save(stored_conversation(stored_turn(0), stored_turn(1), id=NAMES[3]))
    after = {file.name: file.stat().st_mtime_ns for file in on_disk.folder.iterdir()}
    assert {name for name in after if after[name] != before[name]} == {NAMES[3]}


@pytest.mark.parametrize("part", [0, 1, 2])
async def test_truncated_file_is_quarantined(
    hass: HomeAssistant, on_disk: HassConversationStore, part: int
) -> None:
    await on_disk.save(stored_conversation(stored_turn(0), id=NAMES[0]))
    await on_disk.save(stored_conversation(stored_turn(1), id=NAMES[1]))
    file = on_disk.folder / NAMES[0]
    content = file.read_bytes()
    file.write_bytes(content[: len(content) * part // 3])
    again = await restarted(hass)
    assert [info.id for info in again.index] == [NAMES[1]]
    (aside,) = on_disk.folder.glob("*.corrupt.*")
    assert aside.name.startswith(NAMES[0])
    assert problems(hass) == ["history_corrupt"]
    assert [info.id for info in (await restarted(hass)).index] == [NAMES[1]]


@pytest.mark.parametrize(
    ("marks", "left"),
    [((), 0), (("ann",), 1), (("ann", NAMES[1]), 2), ((NAMES[0],), 1), (("nobody",), 2)],
)
async def test_unreadable_files_are_deleted_by_what_they_contain(
    hass: HomeAssistant, on_disk: HassConversationStore, marks: tuple[str, ...], left: int
) -> None:
    for number, owner in enumerate(("ann", "bob", "ann")):
        talk = stored_conversation(stored_turn(0), id=NAMES[number])
        await on_disk.save(replace(talk, owner=owner))
    cut_off, newer = on_disk.folder / NAMES[0], on_disk.folder / NAMES[1]
    cut_off.write_bytes(cut_off.read_bytes()[:-5])
    newer.write_text(json.dumps({**json.loads(newer.read_text()), "version": 99}))
    again = await restarted(hass)
    assert await again.delete_unreadable(marks) == 2 - left
    assert len(list(on_disk.folder.iterdir())) == 1 + left
    assert (problems(hass) == []) is (left == 0)
    assert await again.load(NAMES[2]) is not None


async def test_unreadable_files_expire_like_others(
    hass: HomeAssistant, on_disk: HassConversationStore
) -> None:
    for name in NAMES[:2]:
        await on_disk.save(stored_conversation(stored_turn(0), id=name))
        (on_disk.folder / name).write_text("{")
    again = await restarted(hass)
    old = next(on_disk.folder.glob(f"{NAMES[0]}*"))
    os.utime(old, (0, 0))
    await again.delete_unreadable_before(NOON)
    assert [path.name[:32] for path in on_disk.folder.iterdir()] == [NAMES[1]]


async def test_unreadable_file_that_cannot_be_deleted_is_logged(
    hass: HomeAssistant, on_disk: HassConversationStore, caplog: pytest.LogCaptureFixture
) -> None:
    await on_disk.save(stored_conversation(stored_turn(0)))
    (on_disk.folder / stored_conversation().id).write_text("{")
    again = await restarted(hass)
    with patch.object(Path, "unlink", side_effect=OSError(errno.EROFS, "read-only")):
        assert await again.delete_unreadable(()) == 0
    assert "Could not delete an unreadable conversation" in caplog.text
    assert problems(hass) == ["history_corrupt"]


async def test_unreadable_file_that_is_gone_is_no_problem(
    hass: HomeAssistant, on_disk: HassConversationStore, caplog: pytest.LogCaptureFixture
) -> None:
    """Two deletions may run at the same time."""
    await on_disk.save(stored_conversation(stored_turn(0)))
    (on_disk.folder / stored_conversation().id).write_text("{")
    again = await restarted(hass)
    with patch.object(Path, "unlink", side_effect=FileNotFoundError(errno.ENOENT, "gone")):
        assert await again.delete_unreadable(()) == 0
    assert "Could not delete an unreadable conversation" not in caplog.text


async def test_malformed_file_is_quarantined(
    hass: HomeAssistant, on_disk: HassConversationStore
) -> None:
    await on_disk.save(stored_conversation(stored_turn(0), id=NAMES[0]))
    file = on_disk.folder / NAMES[0]
    content = json.loads(file.read_text())
    file.write_text(json.dumps({**content, "data": {"turns": 7}}))
    assert await on_disk.load(NAMES[0]) is None
    assert problems(hass) == ["history_corrupt"]
    assert len(list(on_disk.folder.glob("*.corrupt.*"))) == 1


@pytest.mark.parametrize(
    "messages",
    [
        [Message.assistant("ä" * 50_000)],
        [Message.assistant("\0" * 50_000)],
        [Message.assistant("[{" * 15_000)],
        [Message.assistant(""), Message.assistant(None, [stored_call("")] * 3)] * 300,
        [Message.tool("", "")] * 5_000,
        [Message.assistant("[" * 10**6)],
    ],
)
async def test_no_conversation_is_larger_than_what_is_read(
    hass: HomeAssistant, on_disk: HassConversationStore, messages: list[Message]
) -> None:
    talk = stored_conversation(id=NAMES[0])
    for number in range(50):
        talk = talk.with_turn(stored_turn(number, "[" * 20_000, *messages), keep=100)
    await on_disk.save(talk)
    assert [info.id for info in (await restarted(hass)).index] == [talk.id]
    assert await on_disk.load(talk.id) == talk
    assert problems(hass) == []


@pytest.mark.parametrize("running", [True, False])
@pytest.mark.parametrize(
    "more", [b" " * history_store._MAX_BYTES, b'"x":[' + b"{}," * 200_000 + b"{}]"]
)
async def test_file_larger_than_any_conversation_is_quarantined(
    hass: HomeAssistant, on_disk: HassConversationStore, more: bytes, *, running: bool
) -> None:
    """Parsing it would keep the event loop from running."""
    await on_disk.save(stored_conversation(stored_turn(0), id=NAMES[0]))
    file = on_disk.folder / NAMES[0]
    file.write_bytes(file.read_bytes().replace(b"{", b"{" + more + b"," * (more[:1] != b" "), 1))
    if running:
        assert await on_disk.load(NAMES[0]) is None
    else:
        assert len((await restarted(hass)).index) == 0
    assert problems(hass) == ["history_corrupt"]
    (aside,) = on_disk.folder.iterdir()
    assert aside.name.startswith(f"{NAMES[0]}.corrupt.")


async def test_file_corrupted_while_running_loads_as_none(
    hass: HomeAssistant, on_disk: HassConversationStore
) -> None:
    await on_disk.save(stored_conversation(stored_turn(0)))
    (on_disk.folder / stored_conversation().id).write_text("{")
    assert await on_disk.load(stored_conversation().id) is None
    assert len(list(on_disk.folder.glob("*.corrupt.*"))) == 1


async def test_file_of_a_newer_version_is_unchanged(
    hass: HomeAssistant, on_disk: HassConversationStore
) -> None:
    await on_disk.save(stored_conversation(stored_turn(0), id=NAMES[0]))
    file = on_disk.folder / NAMES[0]
    content = {**json.loads(file.read_text()), "version": 99}
    file.write_text(json.dumps(content))
    again = await restarted(hass)
    assert len(again.index) == 0
    assert problems(hass) == ["history_newer"]
    assert await again.load(NAMES[0]) is None
    assert json.loads(file.read_text()) == content
    file.write_text(json.dumps({**content, "version": 1}))
    assert len((await restarted(hass)).index) == 1
    assert problems(hass) == []


async def test_file_of_an_older_version_is_migrated(
    hass: HomeAssistant, on_disk: HassConversationStore
) -> None:
    talk = stored_conversation(stored_turn(0))
    await on_disk.save(talk)

    def migrate(data: dict[str, Any]) -> dict[str, Any]:
        return {**data, "summary": "From the first version."}

    with (
        patch.object(history_store, "STORAGE_VERSION", 2),
        patch.dict(history_store.MIGRATIONS, {1: migrate}),
    ):
        again = await restarted(hass)
        assert [info.id for info in again.index] == [talk.id]
        migrated = await again.load(talk.id)
    assert migrated is not None
    assert migrated.summary == "From the first version."
    assert json.loads((on_disk.folder / talk.id).read_text())["version"] == 2


async def test_file_of_an_older_version_that_cannot_be_migrated_is_quarantined(
    hass: HomeAssistant, on_disk: HassConversationStore
) -> None:
    await on_disk.save(stored_conversation(stored_turn(0), id=NAMES[0]))
    await on_disk.save(stored_conversation(stored_turn(1), id=NAMES[1]))

    def migrate(data: dict[str, Any]) -> dict[str, Any]:
        return data if data["id"] == NAMES[1] else {}

    with (
        patch.object(history_store, "STORAGE_VERSION", 2),
        patch.dict(history_store.MIGRATIONS, {1: migrate}),
    ):
        again = await restarted(hass)
    assert [info.id for info in again.index] == [NAMES[1]]
    assert problems(hass) == ["history_corrupt"]


async def test_temporary_file_of_a_killed_process_is_removed(
    hass: HomeAssistant, on_disk: HassConversationStore
) -> None:
    await on_disk.save(stored_conversation(stored_turn(0)))
    (on_disk.folder / "tmpab12cd34").write_text("{")
    (on_disk.folder / "notes.txt").write_text("mine")
    again = await restarted(hass)
    assert len(again.index) == 1
    assert problems(hass) == []
    assert sorted(file.name for file in on_disk.folder.iterdir()) == [
        stored_conversation().id,
        "notes.txt",
    ]


@pytest.mark.parametrize(
    "error",
    [
        WriteError(OSError(errno.ENOSPC, "No space left on device")),
        OSError(errno.EROFS, "Read-only file system"),
    ],
)
async def test_write_error_is_reported_once_and_resolved(
    hass: HomeAssistant,
    on_disk: HassConversationStore,
    error: Exception,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with patch("homeassistant.helpers.storage.Store._async_write_data", side_effect=error):
        for number in range(3):
            await on_disk.save(stored_conversation(stored_turn(number)))
    assert problems(hass) == ["history_not_stored"]
    assert caplog.text.count("Could not store") == 1
    assert [info.turns for info in on_disk.index] == [1]
    await on_disk.save(stored_conversation(stored_turn(3)))
    assert problems(hass) == []
    assert await on_disk.load(stored_conversation().id) == stored_conversation(stored_turn(3))


async def test_full_disk_is_reported(hass: HomeAssistant, on_disk: HassConversationStore) -> None:
    """The file system itself says so, as it does on a real machine."""
    with patch(
        "homeassistant.util.file.AtomicWriter", side_effect=OSError(errno.ENOSPC, "No space left")
    ):
        await on_disk.save(stored_conversation(stored_turn(0)))
    assert problems(hass) == ["history_not_stored"]


async def test_corrupt_file_on_a_read_only_disk_raises_nothing(
    hass: HomeAssistant, on_disk: HassConversationStore
) -> None:
    await on_disk.save(stored_conversation(stored_turn(0)))
    (on_disk.folder / stored_conversation().id).write_text("{")
    (on_disk.folder / "tmpab12cd34").write_text("{")
    read_only = OSError(errno.EROFS, "Read-only file system")
    with (
        patch("pathlib.Path.rename", side_effect=read_only),
        patch("pathlib.Path.unlink", side_effect=read_only),
        patch("os.rename", side_effect=read_only),
    ):
        assert len((await restarted(hass)).index) == 0
        assert await on_disk.load(stored_conversation().id) is None
    assert problems(hass) == ["history_corrupt"]


async def test_failed_deletion_is_reported(
    hass: HomeAssistant, on_disk: HassConversationStore
) -> None:
    await on_disk.save(stored_conversation(stored_turn(0)))
    with patch("os.unlink", side_effect=OSError(errno.EROFS, "Read-only file system")):
        await on_disk.delete(stored_conversation().id)
    assert problems(hass) == ["history_not_stored"]


async def test_conversation_is_written_during_shutdown(
    hass: HomeAssistant, on_disk: HassConversationStore
) -> None:
    hass.set_state(CoreState.stopping)
    await on_disk.save(stored_conversation(stored_turn(0)))
    hass.bus.async_fire("homeassistant_final_write")
    await hass.async_block_till_done()
    hass.set_state(CoreState.running)
    assert len((await restarted(hass)).index) == 1


async def test_files_of_removed_agents_are_deleted(hass: HomeAssistant, disk: Path) -> None:
    for agent in ("one", "two"):
        store = HassConversationStore(hass, "entry", agent, agent)
        await store.save(stored_conversation(stored_turn(0)))
    other = HassConversationStore(hass, "other", "one", "one")
    await other.save(stored_conversation(stored_turn(0)))
    await async_remove_history(hass, "entry", keep=["two"])
    assert [folder.name for folder in (other.folder.parents[1] / "entry").iterdir()] == ["two"]
    await async_remove_history(hass, "entry")
    await async_remove_history(hass, "entry")
    assert [folder.name for folder in other.folder.parents[1].iterdir()] == ["other"]


def test_metadata_matches_the_conversation() -> None:
    talk = stored_conversation(stored_turn(0), stored_turn(5), device="desk")
    assert talk.info == ConversationInfo(
        id=talk.id,
        ids=("kitchen",),
        owner="ann",
        device="desk",
        created=NOON,
        last_used=stored_turn(5).at,
        turns=2,
        ended=False,
    )
