"""Tests of the selection of a profile."""

import pytest

from custom_components.chatterbox.agent.dialects.profile import (
    Profile,
    ProfileChoice,
    ProfileReason,
    select_profile,
)
from custom_components.chatterbox.agent.model.server_quirks import LIFETIME, Quirk, ServerQuirks
from tests.agent.fake_clock import FakeClock


@pytest.mark.parametrize("configured", [Profile.CAPABLE, Profile.GUIDED])
@pytest.mark.parametrize("quirk", [*Quirk])
def test_chosen_profile_is_kept(configured: Profile, quirk: Quirk) -> None:
    quirks = ServerQuirks()
    quirks.learn(quirk)
    assert select_profile(configured, "tiny-1b", quirks, 1.0) == ProfileChoice(
        configured, ProfileReason.CHOSEN
    )


@pytest.mark.parametrize(
    ("model", "learned", "parameters", "profile", "reason"),
    [
        ("gpt-4o", [], None, Profile.CAPABLE, ProfileReason.DEFAULT),
        ("qwen:7b", [], 7.6, Profile.CAPABLE, ProfileReason.DEFAULT),
        ("qwen:7b", ["temperature"], None, Profile.CAPABLE, ProfileReason.DEFAULT),
        ("qwen:4b", [], None, Profile.GUIDED, ProfileReason.SMALL_BY_NAME),
        ("qwen:1.5b", [], 1.5, Profile.GUIDED, ProfileReason.SMALL_BY_NAME),
        ("home", [], 4.0, Profile.GUIDED, ProfileReason.SMALL_BY_METADATA),
        ("home", [], 4.1, Profile.CAPABLE, ProfileReason.DEFAULT),
        ("qwen:3b", [Quirk.CALLED_NATIVELY], 3.0, Profile.CAPABLE, ProfileReason.CALLED_NATIVELY),
        ("home", [Quirk.CALLED_NATIVELY], 3.0, Profile.CAPABLE, ProfileReason.CALLED_NATIVELY),
        ("gpt-4o", [Quirk.TOOLS], None, Profile.GUIDED, ProfileReason.TOOLS_REFUSED),
        ("gpt-4o", [Quirk.IGNORES_TOOLS], None, Profile.GUIDED, ProfileReason.TOOLS_IGNORED),
        ("qwen:1.5b", [Quirk.TOOLS], None, Profile.GUIDED, ProfileReason.TOOLS_REFUSED),
    ],
)
def test_automatic_profile_depends_on_learned_quirks_and_size(
    model: str,
    learned: list[str],
    parameters: float | None,
    profile: Profile,
    reason: ProfileReason,
) -> None:
    quirks = ServerQuirks()
    for quirk in learned:
        quirks.learn(quirk)
    choice = select_profile(Profile.AUTO, model, quirks, parameters)
    assert choice == ProfileChoice(profile, reason)


@pytest.mark.parametrize("quirk", [Quirk.TOOLS, Quirk.IGNORES_TOOLS])
def test_guidance_for_a_server_ends_after_a_week_or_with_a_native_call(quirk: Quirk) -> None:
    clock = FakeClock()
    quirks = ServerQuirks(clock=clock.now)
    quirks.learn(quirk)
    clock.seconds += LIFETIME
    assert select_profile(Profile.AUTO, "gpt-4o", quirks, None).profile is Profile.CAPABLE
    quirks.learn(quirk)
    assert select_profile(Profile.AUTO, "gpt-4o", quirks, None).profile is Profile.GUIDED
    quirks.learn(Quirk.CALLED_NATIVELY)
    assert select_profile(Profile.AUTO, "gpt-4o", quirks, None).profile is Profile.CAPABLE
