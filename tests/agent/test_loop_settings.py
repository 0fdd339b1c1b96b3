"""Tests of the settings of the loop."""

import pytest

from custom_components.chatterbox.agent.loop_settings import LoopSettings, OnLimit


def test_default_limits_are_ten_requests_in_120_seconds() -> None:
    """Ten requests in 120 seconds, then the user is asked."""
    settings = LoopSettings()
    assert (settings.max_iterations, settings.turn_timeout) == (10, 120)
    assert settings.on_limit is OnLimit.ASK


@pytest.mark.parametrize(("soft", "whole", "deadline"), [(90, 120, 90), (90, 30, 30)])
def test_no_tool_is_started_after_the_earlier_timeout(
    soft: float, whole: float, deadline: float
) -> None:
    assert LoopSettings(soft_timeout=soft, turn_timeout=whole).tool_deadline == deadline
