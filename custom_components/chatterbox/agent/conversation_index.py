"""Which conversation goes on when somebody speaks."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Self

# A conversation without a turn, whose first one failed, is of no use for longer than this.
_EMPTY_FOR = timedelta(hours=1)


class MemoryScope(StrEnum):
    """What a new conversation continues."""

    CONVERSATION = "conversation"
    DEVICE = "device"
    USER = "user"


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who speaks, and by which ids the conversation goes."""

    active_id: str
    """The id that is in force."""
    sent_id: str | None = None
    """The id that the client sent; another one where it was no longer known."""
    owner: str | None = None
    device: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationInfo:
    """What can be known of a conversation without reading it."""

    id: str
    ids: tuple[str, ...]
    owner: str | None
    device: str | None
    created: datetime
    last_used: datetime
    turns: int
    ended: bool

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read it from the form in which the conversation is stored."""
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
    """The conversations of an agent, by everything they are looked for by.

    An owner's conversation is found by that owner only. Nobody counts as an owner, too.
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
        """Return what is known of a conversation."""
        return self._infos.get(conversation_id)

    def put(self, info: ConversationInfo) -> None:
        """Take in a conversation, or what has changed about it."""
        if not self._goes_on(info):
            self.remove(info.id)
        self._infos[info.id] = info
        if not info.ended:
            self._point_at(info)

    def _goes_on(self, info: ConversationInfo) -> bool:
        """Tell whether everything that points at it may stay: so it is after every turn."""
        old = self._infos.get(info.id)
        return (
            old is not None
            and (old.owner, old.device, old.ended) == (info.owner, info.device, info.ended)
            and old.last_used <= info.last_used
            and set(old.ids) <= set(info.ids)
        )

    def remove(self, conversation_id: str) -> None:
        """Forget a conversation; there need not be one."""
        if (info := self._infos.pop(conversation_id, None)) is None or info.ended:
            return
        for known in info.ids:
            if self._by_id.get((known, info.owner)) == info.id:
                del self._by_id[known, info.owner]
        device = (info.device, info.owner) if info.device else None
        lost = (device and self._by_device.get(device) == info.id) or (
            info.owner and self._by_user.get(info.owner) == info.id
        )
        if lost:
            self._forget_latest(info)

    def _forget_latest(self, info: ConversationInfo) -> None:
        """Let another conversation be the latest of a device and of a user."""
        if info.device and self._by_device.get((info.device, info.owner)) == info.id:
            del self._by_device[info.device, info.owner]
        if info.owner and self._by_user.get(info.owner) == info.id:
            del self._by_user[info.owner]
        for other in self._infos.values():
            same = other.owner == info.owner and not other.ended
            if same and (info.owner or other.device == info.device):
                self._point_at(other)

    def _point_at(self, info: ConversationInfo) -> None:
        for known in info.ids:
            self._claim(self._by_id, (known, info.owner), info)
        if info.device:
            self._claim(self._by_device, (info.device, info.owner), info)
        if info.owner:
            self._claim(self._by_user, info.owner, info)

    def _claim[K](self, latest: dict[K, str], key: K, info: ConversationInfo) -> None:
        known = self._infos.get(latest.get(key, ""))
        if known is None or known.last_used <= info.last_used:
            latest[key] = info.id

    def find(self, caller: Caller, scope: MemoryScope, since: datetime) -> str | None:
        """Return the conversation that the caller goes on with, None for a new one.

        An id that is known decides. Without one it is the latest of the device or of the user,
        as the scope has it, if it was used after `since`.
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
        """Return what was last used before that time, and the oldest beyond `keep`."""
        newest = sorted(self._infos.values(), key=lambda info: info.last_used, reverse=True)
        if not newest:
            return []
        empty_before = newest[0].last_used - _EMPTY_FOR
        kept = [info for info in newest if info.turns or info.last_used >= empty_before]
        kept = [info for info in kept[:keep] if info.last_used >= before]
        wanted = {info.id for info in kept}
        return [info.id for info in newest if info.id not in wanted]
