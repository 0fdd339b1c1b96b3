"""Index of conversations by id, device and user."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Self

# Conversations without a turn, as the first one failed, expire after this time.
_EMPTY_LIFETIME = timedelta(hours=1)


class MemoryScope(StrEnum):
    """Scope in which a new conversation continues the latest one."""

    CONVERSATION = "conversation"
    DEVICE = "device"
    USER = "user"


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Sender of a message, and the ids of the conversation."""

    active_id: str
    """Current id of the conversation in Home Assistant."""
    sent_id: str | None = None
    """Id that the client sent; Home Assistant replaces an id that it no longer knows."""
    owner: str | None = None
    device: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationInfo:
    """Metadata of a conversation, available without loading it."""

    id: str
    ids: tuple[str, ...]
    owner: str | None
    device: str | None
    created: datetime
    last_used: datetime
    turns: int
    """Number of stored turns."""
    ended: bool

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the metadata from the data of `StoredConversation.to_dict`."""
        return cls(
            id=data["id"],
            ids=tuple(data["ids"]),
            owner=data["owner"],
            device=data["device"],
            created=datetime.fromisoformat(data["created"]),
            last_used=datetime.fromisoformat(data["last_used"]),
            turns=len(data["turns"]),
            ended=data["ended"],
        )


type _Key = tuple[str, str | None]


@dataclass(slots=True)
class ConversationIndex:
    """Metadata of an agent's conversations, indexed by id, device and user.

    Only a conversation's owner finds it; conversations without a user have the owner None.
    """

    _infos: dict[str, ConversationInfo] = field(default_factory=dict)
    _by_id: dict[_Key, str] = field(default_factory=dict)
    _by_device: dict[_Key, str] = field(default_factory=dict)
    _by_user: dict[str, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self._infos)

    def __iter__(self) -> Iterator[ConversationInfo]:
        return iter(self._infos.values())

    def get(self, conversation_id: str) -> ConversationInfo | None:
        """Return the metadata of a conversation, or None if it does not exist."""
        return self._infos.get(conversation_id)

    def put(self, info: ConversationInfo) -> None:
        """Add or update a conversation."""
        if not self._keys_still_valid(info):
            self.remove(info.id)
        self._infos[info.id] = info
        if not info.ended:
            self._add_keys(info)

    def _keys_still_valid(self, info: ConversationInfo) -> bool:
        """Return whether no index key has to be removed, as in the update after a turn."""
        old = self._infos.get(info.id)
        return (
            old is not None
            and (old.owner, old.device, old.ended) == (info.owner, info.device, info.ended)
            and old.last_used <= info.last_used
            and set(old.ids) <= set(info.ids)
        )

    def remove(self, conversation_id: str) -> None:
        """Remove a conversation if it exists."""
        if (info := self._infos.pop(conversation_id, None)) is None or info.ended:
            return
        for known in info.ids:
            if self._by_id.get((known, info.owner)) == info.id:
                del self._by_id[known, info.owner]
        device = (info.device, info.owner) if info.device else None
        was_latest = (device and self._by_device.get(device) == info.id) or (
            info.owner and self._by_user.get(info.owner) == info.id
        )
        if was_latest:
            self._replace_latest(info)

    def _replace_latest(self, info: ConversationInfo) -> None:
        """Make another conversation the latest of the device and of the user."""
        if info.device and self._by_device.get((info.device, info.owner)) == info.id:
            del self._by_device[info.device, info.owner]
        if info.owner and self._by_user.get(info.owner) == info.id:
            del self._by_user[info.owner]
        for other in self._infos.values():
            same = other.owner == info.owner and not other.ended
            if same and (info.owner or other.device == info.device):
                self._add_keys(other)

    def _add_keys(self, info: ConversationInfo) -> None:
        for known in info.ids:
            self._set_if_latest(self._by_id, (known, info.owner), info)
        if info.device:
            self._set_if_latest(self._by_device, (info.device, info.owner), info)
        if info.owner:
            self._set_if_latest(self._by_user, info.owner, info)

    def _set_if_latest[K](self, latest: dict[K, str], key: K, info: ConversationInfo) -> None:
        known = self._infos.get(latest.get(key, ""))
        if known is None or known.last_used <= info.last_used:
            latest[key] = info.id

    def find(self, caller: Caller, scope: MemoryScope, since: datetime) -> str | None:
        """Return the id of the conversation that the caller continues, None for a new one.

        A known id takes precedence. Otherwise it is the latest conversation of the device or of
        the user, depending on the scope, if it was last used at `since` or later.
        """
        for known in (caller.active_id, caller.sent_id):
            if known and (found := self._by_id.get((known, caller.owner))):
                return found
        latest: str | None = None
        if scope is MemoryScope.DEVICE and caller.device:
            latest = self._by_device.get((caller.device, caller.owner))
        elif scope is MemoryScope.USER and caller.owner:
            latest = self._by_user.get(caller.owner)
        return latest if latest and self._infos[latest].last_used >= since else None

    def expired(self, before: datetime, keep: int) -> list[str]:
        """Return the ids of conversations last used before that time, and of all beyond `keep`.

        The oldest are beyond it, first those without a user and a device, as of automations: they
        are only continued by their ids.
        """
        newest = sorted(self._infos.values(), key=lambda info: info.last_used, reverse=True)
        if not newest:
            return []
        empty_before = newest[0].last_used - _EMPTY_LIFETIME
        kept = [info for info in newest if info.turns or info.last_used >= empty_before]
        kept.sort(key=lambda info: info.owner is None and info.device is None)
        kept = [info for info in kept[:keep] if info.last_used >= before]
        wanted = {info.id for info in kept}
        return [info.id for info in newest if info.id not in wanted]
