"""Tests of the settings of the loop."""

from custom_components.chatterbox.agent.loop import LoopSettings, OnLimit


def test_limit_by_default() -> None:
    """Ten requests in 120 seconds, then the user is asked."""
    settings = LoopSettings()
    assert (settings.max_iterations, settings.turn_timeout) == (10, 120)
    assert settings.on_limit is OnLimit.ASK
    assert settings.concurrent_reads
