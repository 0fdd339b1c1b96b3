"""Spoken results of actions in the guided profile."""

from collections.abc import Mapping, Sequence

from homeassistant.core import HomeAssistant

from .agent.messages import ToolDefinition, ToolResult
from .agent.tools.confirmation import CONFIRMATION_NEEDED
from .agent.turn import SpeakResults, SpokenResults
from .result_sentences import ResultPhrases, async_load_result_sentences


async def async_speak_results(
    hass: HomeAssistant,
    language: str,
    sentences: Mapping[str, str],
    tools: Sequence[ToolDefinition],
    *,
    silent_done: bool,
) -> SpeakResults:
    """Return what speaks of results, and asks for what has to be confirmed."""
    reads = {tool.name for tool in tools if tool.annotations.read_only}
    result_sentences = await async_load_result_sentences(
        hass,
        language,
        ResultPhrases(
            done=sentences["done"],
            failed=sentences["failed"],
            partly_failed=sentences["partly_failed"],
            unconfirmed=sentences["unconfirmed"],
        ),
        is_read_only=reads.__contains__,
        silent_done=silent_done,
    )

    def speak(results: Sequence[ToolResult]) -> SpokenResults | None:
        asked = [result for result in results if result.error_type == CONFIRMATION_NEEDED]
        spoken = result_sentences.speak([result for result in results if result not in asked])
        if not asked:
            return spoken
        question = asked[0].call.question or sentences["confirm"]
        text = f"{spoken.text} {question}" if spoken and spoken.text else question
        return SpokenResults(text, final=True)

    return speak
