"""Runtime data of a config entry."""

from pytest_homeassistant_custom_component.common import MockConfigEntry

from .conversation_helpers import Ask
from .fake_openai import FakeOpenAI, Reply


async def test_only_the_traces_of_the_latest_turns_are_kept(
    ask: Ask, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    server.script(Reply("One."), Reply("Two."))
    turns = loaded_entry.runtime_data.turns
    await ask("One?")
    (first,) = turns
    turns.extend([first] * (turns.maxlen - 1))
    await ask("Two?")
    assert len(turns) == turns.maxlen
    assert turns[-1] is not first


async def test_context_window_of_an_unused_model_is_unknown(loaded_entry: MockConfigEntry) -> None:
    windows = loaded_entry.runtime_data.context_windows
    assert windows["unused"].size() is None
    assert windows["unused"] is windows["unused"]
