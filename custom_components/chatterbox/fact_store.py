"""Facts that an agent remembers about its users."""

import asyncio
import shutil
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers.storage import STORAGE_DIR, Store
from homeassistant.util import dt as dt_util

from .agent.tools.builtin.facts import ForgetFactTool, RememberFactTool
from .agent.tools.registry import Tool
from .const import DOMAIN, LOGGER, TOOL_FACTS

STORAGE_KEY = f"{DOMAIN}.facts"
STORAGE_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A fact about a user, or about those who use a device where no user is known."""

    text: str
    created: datetime
    user: str | None
    device: str | None

    def to_dict(self) -> dict[str, Any]:
        """Return the fact as JSON data."""
        return {
            "text": self.text,
            "created": self.created.isoformat(),
            "user": self.user,
            "device": self.device,
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Fact:
        """Return the fact of JSON data. Raises `KeyError`, `TypeError` or `ValueError`."""
        created = datetime.fromisoformat(data["created"])
        return cls(
            text=str(data["text"]), created=created, user=data["user"], device=data["device"]
        )


class FactStore:
    """Facts of one agent, which outlasts its reloads.

    They are stored in a file once that was read, and kept in memory only before.
    """

    def __init__(self, hass: HomeAssistant, key: str) -> None:
        self._file: Store[list[dict[str, Any]]] = Store(
            hass, STORAGE_VERSION, f"{STORAGE_KEY}/{key}", private=True, atomic_writes=True
        )
        self._is_stored = False
        self.lock = asyncio.Lock()
        """Held while the file is read or written."""
        self.facts: list[Fact] = []
        """Oldest first."""
        self.erased: Callable[[Sequence[Fact]], Awaitable[None]] | None = None
        """Awaited after facts were erased."""

    async def async_load(self) -> None:
        """Read the facts; a file that cannot be read is left as it is, and nothing is stored."""
        async with self.lock:
            # Those in memory are told to the model until the others are read.
            facts: list[Fact] = []
            try:
                facts = [Fact.from_dict(data) for data in await self._file.async_load() or ()]
            except (HomeAssistantError, KeyError, TypeError, ValueError) as err:
                # Such as the file of a newer version, which is kept for that.
                LOGGER.warning("Stored facts cannot be read (%s)", type(err).__name__)
                self._is_stored = False
            else:
                self._is_stored = True
            self.facts = facts

    async def async_close(self) -> None:
        """Forget the facts, and store none from now on; the file is left as it is."""
        async with self.lock:
            self.facts = []
            self._is_stored = False

    async def async_add(self, fact: Fact) -> None:
        """Add a fact; on return it is stored."""
        async with self.lock:
            self.facts = [*self.facts, fact]
            await self._async_save()

    async def async_erase(self, is_meant: Callable[[Fact], bool]) -> int:
        """Delete the facts that are meant, with all copies; return how many there were."""
        async with self.lock:
            erased = [fact for fact in self.facts if is_meant(fact)]
            if erased:
                self.facts = [fact for fact in self.facts if not is_meant(fact)]
                await self._async_save()
        if erased and self.erased is not None:
            await self.erased(erased)
        return len(erased)

    async def _async_save(self) -> None:
        if self._is_stored:
            await self._file.async_save([fact.to_dict() for fact in self.facts])


class CallerFacts:
    """The facts about the caller of a message."""

    def __init__(self, store: FactStore, user: str | None, device: str | None) -> None:
        self._store = store
        self._user = user
        self._device = None if user else device

    @property
    def is_known(self) -> bool:
        """Whether the user or the device is known, so that facts can be found again."""
        return bool(self._user or self._device)

    @property
    def texts(self) -> list[str]:
        """The facts, oldest first."""
        return [fact.text for fact in self._store.facts if self._is_own(fact)]

    async def async_add(self, text: str) -> None:
        """Add a fact; on return it is stored."""
        fact = Fact(text=text, created=dt_util.utcnow(), user=self._user, device=self._device)
        await self._store.async_add(fact)

    async def async_remove(self, text: str) -> None:
        """Remove a fact; on return that is stored."""
        await self._store.async_erase(lambda fact: self._is_own(fact) and fact.text == text)

    def tools(self, names: Collection[str]) -> list[Tool]:
        """Return the tools that remember and forget, if they are among the named ones."""
        if TOOL_FACTS not in names or not self.is_known:
            return []
        return [RememberFactTool(self), ForgetFactTool(self)]

    def _is_own(self, fact: Fact) -> bool:
        return self.is_known and (fact.user, fact.device) == (self._user, self._device)


async def async_remove_facts(hass: HomeAssistant, entry_id: str, keep: Iterable[str] = ()) -> None:
    """Delete the stored facts of an entry's agents, except those in `keep`."""
    folder = Path(hass.config.path(STORAGE_DIR, STORAGE_KEY, entry_id))
    await hass.async_add_executor_job(_remove, folder, set(keep))


def _remove(folder: Path, keep: set[str]) -> None:
    for file in folder.iterdir() if folder.is_dir() else ():
        # Home Assistant sets a corrupt file aside with a longer name.
        if file.name.partition(".")[0] not in keep:
            file.unlink(missing_ok=True)
    if not keep:
        shutil.rmtree(folder, ignore_errors=True)
