"""Persistent conversation store, with one file per conversation."""

import re
import shutil
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, override

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError, UnsupportedStorageVersionError
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.json import json_dumps
from homeassistant.helpers.storage import STORAGE_DIR, Store
from homeassistant.util import dt as dt_util
from homeassistant.util.file import WriteError
from homeassistant.util.json import json_loads

from .agent.memory.index import ConversationIndex, ConversationInfo
from .agent.memory.store import ConversationStore, StoredConversation
from .const import DOMAIN, LOGGER

STORAGE_KEY = f"{DOMAIN}.history"
STORAGE_VERSION = 1
STORAGE_MINOR_VERSION = 1

type Migration = Callable[[dict[str, Any]], dict[str, Any]]

# Parsing keeps the event loop from running, also in a thread. No conversation has so much: large
# turns are limited when they are added.
_MAX_BYTES = 4 * 2**20
_MAX_OBJECTS = 200_000

# By version: migration of the data to the next version.
MIGRATIONS: dict[int, Migration] = {}

_FILE_NAME = re.compile(r"[0-9a-f]{32}")
# Temporary file of an atomic write that was killed.
_TEMP_FILE_NAME = re.compile(r"tmp\w{8}")


class ConversationFile(Store[dict[str, Any]]):
    """File of a conversation; `key` is its path below the storage folder."""

    def __init__(self, hass: HomeAssistant, key: str) -> None:
        super().__init__(
            hass,
            STORAGE_VERSION,
            key,
            private=True,
            atomic_writes=True,
            minor_version=STORAGE_MINOR_VERSION,
            serialize_in_event_loop=False,
        )
        self.error: Exception | None = None
        """Error of the last write, None if it succeeded."""

    @override
    async def _async_migrate_func(
        self, old_major_version: int, old_minor_version: int, old_data: dict[str, Any]
    ) -> dict[str, Any]:
        for version in range(old_major_version, STORAGE_VERSION):
            old_data = MIGRATIONS[version](old_data)
        return old_data

    @override
    async def _async_write_data(self, data: dict[str, Any]) -> None:
        # Home Assistant only logs these errors; the store reports them as a repair issue.
        try:
            await super()._async_write_data(data)
        except (WriteError, OSError) as err:
            self.error = err


class HassConversationStore(ConversationStore):
    """Persistent store of one agent's conversations, in a folder of its own.

    Errors of the disk or of a file never stop the agent; they are reported as repair issues.
    """

    def __init__(self, hass: HomeAssistant, entry_id: str, agent_id: str, name: str) -> None:
        self._hass = hass
        self._agent_id = agent_id
        self._name = name
        self._key = f"{STORAGE_KEY}/{entry_id}/{agent_id}"
        self._writable = True
        self.folder = Path(hass.config.path(STORAGE_DIR, self._key))
        self.index = ConversationIndex()

    async def async_read_index(self) -> None:
        """Build the index from the stored files."""
        found, corrupt, newer = await self._hass.async_add_executor_job(_scan, self.folder)
        for name, info in found.items():
            if info is not None:
                self.index.put(info)
            elif (migrated := await self.load(name)) is not None:
                self.index.put(migrated.info)
        if corrupt:
            self._create_issue("history_corrupt", persistent=True)
        if newer:
            self._create_issue("history_newer")
        else:
            self._delete_issue("history_newer")

    @override
    async def load(self, conversation_id: str) -> StoredConversation | None:
        """Return a conversation, or None if it does not exist or is unreadable."""
        file = self._file(conversation_id)
        try:
            await self._hass.async_add_executor_job(_read, Path(file.path))
            data = await file.async_load()
            return None if data is None else StoredConversation.from_dict(data)
        except UnsupportedStorageVersionError:
            self._create_issue("history_newer")
        except (HomeAssistantError, OSError, ValueError, KeyError, TypeError) as err:
            LOGGER.warning(
                "Stored conversation is unreadable (%s); renaming it to .corrupt",
                type(err).__name__,
            )
            await self._hass.async_add_executor_job(_quarantine, Path(file.path))
            self._create_issue("history_corrupt", persistent=True)
        return None

    @override
    async def save(self, conversation: StoredConversation) -> None:
        """Save a conversation; on return it is on the disk, unless writing failed."""
        self.index.put(conversation.info)
        file = self._file(conversation.id)
        await file.async_save(conversation.to_dict())
        if file.error is not None and self._writable:
            LOGGER.error("Could not store conversations: %s", file.error)
            self._create_issue("history_not_stored")
        elif file.error is None and not self._writable:
            LOGGER.info("Storing conversations works again")
            self._delete_issue("history_not_stored")
        self._writable = file.error is None

    @override
    async def delete(self, conversation_id: str) -> None:
        """Delete a conversation if it exists."""
        self.index.remove(conversation_id)
        try:
            await self._file(conversation_id).async_remove()
        except OSError as err:
            LOGGER.warning("Could not delete a conversation: %s", err)
            self._create_issue("history_not_stored")

    @override
    async def containing(self, text: str) -> list[str]:
        """Return the ids of the conversations whose files contain a text."""
        known = [info.id for info in self.index]
        mark = _json_text(text).encode()
        return await self._hass.async_add_executor_job(_containing, self.folder, known, mark)

    @override
    async def delete_unreadable(self, marks: Collection[str]) -> int:
        """Delete unreadable files, and those of a newer version, that contain all these texts."""
        texts = [_json_text(mark).encode() for mark in marks]
        return await self._async_delete_unreadable(
            lambda path: all(text in path.name.encode() + path.read_bytes() for text in texts)
        )

    @override
    async def delete_unreadable_before(self, before: datetime) -> None:
        """Delete unreadable files, and those of a newer version, that are older than that time."""
        await self._async_delete_unreadable(lambda path: path.stat().st_mtime < before.timestamp())

    async def _async_delete_unreadable(self, is_meant: Callable[[Path], bool]) -> int:
        deleted, left = await self._hass.async_add_executor_job(
            _delete_unreadable, self.folder, {info.id for info in self.index}, is_meant
        )
        if deleted and not left:
            self._delete_issue("history_corrupt")
            self._delete_issue("history_newer")
        return deleted

    def _file(self, conversation_id: str) -> ConversationFile:
        return ConversationFile(self._hass, f"{self._key}/{conversation_id}")

    def _create_issue(self, problem: str, *, persistent: bool = False) -> None:
        ir.async_create_issue(
            self._hass,
            DOMAIN,
            f"{problem}_{self._agent_id}",
            is_fixable=False,
            is_persistent=persistent,
            severity=ir.IssueSeverity.WARNING,
            translation_key=problem,
            translation_placeholders={
                "agent": self._name,
                "folder": f"{STORAGE_DIR}/{self._key}",
            },
        )

    def _delete_issue(self, problem: str) -> None:
        ir.async_delete_issue(self._hass, DOMAIN, f"{problem}_{self._agent_id}")


def _scan(folder: Path) -> tuple[dict[str, ConversationInfo | None], bool, bool]:
    """Return the metadata by file name, whether a file was corrupt, and whether one is newer.

    The metadata is None where the file needs a migration. Corrupt files are renamed; files of a
    newer version are left for when that version is installed again.
    """
    found: dict[str, ConversationInfo | None] = {}
    corrupt = newer = False
    for path in folder.iterdir() if folder.is_dir() else ():
        if _TEMP_FILE_NAME.fullmatch(path.name):
            with suppress(OSError):
                path.unlink()
        if not _FILE_NAME.fullmatch(path.name):
            continue
        try:
            content: Any = json_loads(_read(path))
            version = content["version"]
            newer |= version > STORAGE_VERSION
            if version == STORAGE_VERSION:
                found[path.name] = ConversationInfo.from_dict(content["data"])
            elif version < STORAGE_VERSION:
                found[path.name] = None
        except ValueError, KeyError, TypeError, OSError:
            _quarantine(path)
            corrupt = True
    return found, corrupt, newer


def _read(path: Path) -> bytes:
    """Return the content of a file, nothing if it does not exist.

    Raises `ValueError` for one that is larger than any conversation.
    """
    try:
        with path.open("rb") as file:
            content = file.read(_MAX_BYTES + 1)
    except FileNotFoundError:
        return b""
    if len(content) > _MAX_BYTES or content.count(b"{") + content.count(b"[") > _MAX_OBJECTS:
        raise ValueError("too large")
    return content


def _containing(folder: Path, names: Iterable[str], mark: bytes) -> list[str]:
    """Return the names of the files that contain a mark; of those that exist."""
    found = []
    for name in names:
        # It may have been deleted, or not been written yet.
        with suppress(OSError):
            if mark in (folder / name).read_bytes():
                found.append(name)
    return found


def _json_text(text: str) -> str:
    """Return a text as it is inside a string of the files."""
    return json_dumps(text)[1:-1]


def _delete_unreadable(
    folder: Path, known: Collection[str], is_meant: Callable[[Path], bool]
) -> tuple[int, int]:
    """Delete the files of unknown conversations that are meant; return how many, and the rest."""
    deleted = left = 0
    for path in folder.iterdir() if folder.is_dir() else ():
        name, _, _ = path.name.partition(".")
        if not _FILE_NAME.fullmatch(name) or path.name in known:
            continue
        try:
            if is_meant(path):
                path.unlink()
                deleted += 1
                continue
        except FileNotFoundError:
            # Another deletion came first.
            continue
        except OSError as err:
            LOGGER.warning("Could not delete an unreadable conversation: %s", err)
        left += 1
    return deleted, left


def _quarantine(path: Path) -> None:
    # The file may be gone already, or the disk may be read-only.
    with suppress(OSError):
        path.rename(path.with_name(f"{path.name}.corrupt.{dt_util.utcnow():%Y%m%dT%H%M%S%f}"))


async def async_remove_history(
    hass: HomeAssistant, entry_id: str, keep: Iterable[str] = ()
) -> None:
    """Delete the stored conversations of an entry's agents, except those in `keep`."""
    folder = Path(hass.config.path(STORAGE_DIR, STORAGE_KEY, entry_id))
    await hass.async_add_executor_job(_remove, folder, set(keep))


def _remove(folder: Path, keep: set[str]) -> None:
    for agent in folder.iterdir() if folder.is_dir() else ():
        if agent.name not in keep:
            shutil.rmtree(agent, ignore_errors=True)
    if not keep and folder.is_dir():
        shutil.rmtree(folder, ignore_errors=True)
