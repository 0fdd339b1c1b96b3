"""Model profiles, and their automatic selection."""

from dataclasses import dataclass
from enum import StrEnum

from ..model.model_name import SMALL_MODEL, is_small
from ..model.server_quirks import Quirk, ServerQuirks


class Profile(StrEnum):
    """Profiles as options of the user."""

    AUTO = "auto"
    CAPABLE = "capable"
    """Native tool calls of the OpenAI API."""
    GUIDED = "guided"
    """The action grammar, for small models and servers without tool calling."""


class ProfileReason(StrEnum):
    """Reasons for the choice of a profile."""

    CHOSEN = "chosen"
    """Set by the user."""
    TOOLS_REFUSED = "tools_refused"
    TOOLS_IGNORED = "tools_ignored"
    CALLED_NATIVELY = "called_natively"
    SMALL_BY_NAME = "small_by_name"
    SMALL_BY_METADATA = "small_by_metadata"
    DEFAULT = "default"
    """No reason for the guided profile."""


@dataclass(frozen=True, slots=True)
class ProfileChoice:
    """The effective profile, never `auto`, and the reason for it."""

    profile: Profile
    reason: ProfileReason


_GUIDED = frozenset(
    {
        ProfileReason.TOOLS_REFUSED,
        ProfileReason.TOOLS_IGNORED,
        ProfileReason.SMALL_BY_NAME,
        ProfileReason.SMALL_BY_METADATA,
    }
)


def select_profile(
    configured: Profile, model: str, quirks: ServerQuirks, parameters: float | None
) -> ProfileChoice:
    """Return the profile of a model; `parameters` is its size in billions, if it is known."""
    if configured is not Profile.AUTO:
        return ProfileChoice(configured, ProfileReason.CHOSEN)
    reason = _automatic_reason(model, quirks, parameters)
    return ProfileChoice(Profile.GUIDED if reason in _GUIDED else Profile.CAPABLE, reason)


def _automatic_reason(model: str, quirks: ServerQuirks, parameters: float | None) -> ProfileReason:
    if quirks.has(Quirk.TOOLS):
        return ProfileReason.TOOLS_REFUSED
    if quirks.ignores_tools:
        return ProfileReason.TOOLS_IGNORED
    if quirks.called_natively:
        return ProfileReason.CALLED_NATIVELY
    if is_small(model):
        return ProfileReason.SMALL_BY_NAME
    if parameters is not None and parameters <= SMALL_MODEL:
        return ProfileReason.SMALL_BY_METADATA
    return ProfileReason.DEFAULT
