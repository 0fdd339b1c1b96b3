"""Model profiles: how a model gets to know its tools, and why in this way."""

from dataclasses import dataclass
from enum import StrEnum

from ..model_name import SMALL_MODEL, is_small
from ..server_quirks import Quirk, ServerQuirks


class Profile(StrEnum):
    """The profiles, as a user chooses between them."""

    AUTO = "auto"
    CAPABLE = "capable"
    """The model calls tools by itself, as the OpenAI API has them."""
    GUIDED = "guided"
    """The model is small, or its server has no tool calling: it chooses from a list of actions."""


class ProfileReason(StrEnum):
    """Reasons for the choice of a profile."""

    CHOSEN = "chosen"
    """The user has set it."""
    TOOLS_REFUSED = "tools_refused"
    TOOLS_IGNORED = "tools_ignored"
    CALLED_NATIVELY = "called_natively"
    SMALL_BY_NAME = "small_by_name"
    SMALL_BY_METADATA = "small_by_metadata"
    DEFAULT = "default"
    """Nothing speaks for guidance."""


@dataclass(frozen=True, slots=True)
class ProfileChoice:
    """A profile that is in force, never `auto`, and why."""

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
    """Return the profile of a model; `parameters` is its size by its server, in billions."""
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
