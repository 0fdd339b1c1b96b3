"""Conversations on the disk: one file each, so that a turn touches nothing but its own."""

import logging
import re
import shutil
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, override

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError, UnsupportedStorageVersionError
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.storage import STORAGE_DIR, Store
from homeassistant.util import dt as dt_util
from homeassistant.util.file import WriteError
from homeassistant.util.json import json_loads

from .agent.conversation_index import ConversationIndex, ConversationInfo
from .agent.store import Conversation, ConversationStore
from .const import DOMAIN

LOGGER = logging.getLogger(__package__)

STORAGE_KEY = f"{DOMAIN}.history"
STORAGE_VERSION = 1
STORAGE_MINOR_VERSION = 1

type Migration = Callable[[dict[str, Any]], dict[str, Any]]

# What turns the data of a version into that of the next one.
MIGRATIONS: dict[int, Migration] = {}

_FILE_NAME = re.compile(r"[0-9a-f]{32}")
# What a process that was killed while it wrote leaves behind.
_HALF_WRITTEN = re.compile(r"tmp\w{8}")


class ConversationFile(Store[dict[str, Any]]):
    """The file of a conversation."""

    def __init__(self, hass: HomeAssistant, key: str) -> None:
        """Take the key, which is the path below the storage folder."""
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
        """Why the last attempt to write failed."""

    @override
    async def _async_migrate_func(
        self, old_major_version: int, old_minor_version: int, old_data: dict[str, Any]
    ) -> dict[str, Any]:
        for version in range(old_major_version, STORAGE_VERSION):
            old_data = MIGRATIONS[version](old_data)
        return old_data

    @override
    async def _async_write_data(self, data: dict[str, Any]) -> None:
        # Home Assistant logs an error here and goes on, so that nobody would ever know.
        try:
            await super()._async_write_data(data)
        except (WriteError, OSError) as err:
            self.error = err


class HassConversationStore(ConversationStore):
    """Keeps the conversations of one agent in a folder of its own.

    Nothing that is wrong with the disk or with a file stops the agent: it is told as a repair.
    """

    def __init__(self, hass: HomeAssistant, entry_id: str, agent_id: str, name: str) -> None:
        """Take the agent by its entry, its own id and its name."""
        self._hass = hass
        self._agent_id = agent_id
        self._name = name
        self._key = f"{STORAGE_KEY}/{entry_id}/{agent_id}"
        self._writable = True
        self.folder = Path(hass.config.path(STORAGE_DIR, self._key))
        self.index = ConversationIndex()

    async def async_read_index(self) -> None:
        """Find out what there is."""
        found, broken, newer = await self._hass.async_add_executor_job(_scan, self.folder)
        for name, info in found.items():
            if info is not None:
                self.index.put(info)
            elif (migrated := await self.load(name)) is not None:
                self.index.put(migrated.info)
        if broken:
            self._report("history_corrupt", persistent=True)
        if newer:
            self._report("history_newer")
        else:
            self._settle("history_newer")

    @override
    async def load(self, conversation_id: str) -> Conversation | None:
        """Return a conversation, None if there is none that can be read."""
        file = self._file(conversation_id)
        try:
            data = await file.async_load()
            return None if data is None else Conversation.from_dict(data)
        except UnsupportedStorageVersionError:
            self._report("history_newer")
        except (HomeAssistantError, OSError, ValueError, KeyError, TypeError) as err:
            LOGGER.warning(
                "A conversation cannot be read (%s) and is set aside", type(err).__name__
            )
            await self._hass.async_add_executor_job(_set_aside, Path(file.path))
            self._report("history_corrupt", persistent=True)
        return None

    @override
    async def save(self, conversation: Conversation) -> None:
        """Keep a conversation; when this returns it is on the disk, if the disk takes it."""
        self.index.put(conversation.info)
        file = self._file(conversation.id)
        await file.async_save(conversation.to_dict())
        if file.error is not None and self._writable:
            LOGGER.error("Conversations cannot be stored: %s", file.error)
            self._report("history_not_stored")
        elif file.error is None and not self._writable:
            LOGGER.info("Conversations can be stored again")
            self._settle("history_not_stored")
        self._writable = file.error is None

    @override
    async def delete(self, conversation_id: str) -> None:
        """Erase a conversation; there need not be one."""
        self.index.remove(conversation_id)
        try:
            await self._file(conversation_id).async_remove()
        except OSError as err:
            LOGGER.warning("A conversation cannot be erased: %s", err)
            self._report("history_not_stored")

    def _file(self, conversation_id: str) -> ConversationFile:
        return ConversationFile(self._hass, f"{self._key}/{conversation_id}")

    def _report(self, problem: str, *, persistent: bool = False) -> None:
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

    def _settle(self, problem: str) -> None:
        ir.async_delete_issue(self._hass, DOMAIN, f"{problem}_{self._agent_id}")


def _scan(folder: Path) -> tuple[dict[str, ConversationInfo | None], bool, bool]:
    """Return what there is, by its name; None where a migration has to come first.

    And tell whether something was broken and set aside, and whether something is of a newer
    version: that stays as it is, for when the newer version is back.
    """
    found: dict[str, ConversationInfo | None] = {}
    broken = newer = False
    for path in folder.iterdir() if folder.is_dir() else ():
        if _HALF_WRITTEN.fullmatch(path.name):
            with suppress(OSError):
                path.unlink()
        if not _FILE_NAME.fullmatch(path.name):
            continue
        try:
            content: Any = json_loads(path.read_bytes())
            version = content["version"]
            newer |= version > STORAGE_VERSION
            if version == STORAGE_VERSION:
                found[path.name] = ConversationInfo.from_dict(content["data"])
            elif version < STORAGE_VERSION:
                found[path.name] = None
        except ValueError, KeyError, TypeError, OSError:
            _set_aside(path)
            broken = True
    return found, broken, newer


def _set_aside(path: Path) -> None:
    # It may be gone already, and a disk that cannot be written to keeps it where it is.
    with suppress(OSError):
        path.rename(path.with_name(f"{path.name}.corrupt.{dt_util.utcnow():%Y%m%dT%H%M%S%f}"))


async def async_remove_history(
    hass: HomeAssistant, entry_id: str, keep: Iterable[str] = ()
) -> None:
    """Remove what is stored of the agents of an entry, save for those to keep."""
    folder = Path(hass.config.path(STORAGE_DIR, STORAGE_KEY, entry_id))
    await hass.async_add_executor_job(_remove, folder, set(keep))


def _remove(folder: Path, keep: set[str]) -> None:
    for agent in folder.iterdir() if folder.is_dir() else ():
        if agent.name not in keep:
            shutil.rmtree(agent, ignore_errors=True)
    if not keep and folder.is_dir():
        shutil.rmtree(folder, ignore_errors=True)
