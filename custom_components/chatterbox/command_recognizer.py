"""Recognition of commands by Home Assistant's own intents, while the model is thinking.

It is the evidence for an unfulfilled command: an answer without a tool call to a sentence that
Home Assistant itself understands as a command.
"""

import asyncio
import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from homeassistant.components.conversation import ConversationInput
from homeassistant.core import HomeAssistant

from .default_agent import get_default_agent, nearest_intent_language

LOGGER = logging.getLogger(__package__)

# They answer, or end the conversation; nothing in the home changes.
_REPLIES = frozenset({"HassNevermind", "HassRespond"})


@dataclass(frozen=True, slots=True)
class RecognizedIntent:
    """What Home Assistant understood."""

    name: str
    slots: Mapping[str, Any]


class CommandRecognition:
    """A recognition that runs in the background of a turn; it delays nothing."""

    def __init__(
        self, task: asyncio.Task[RecognizedIntent | None], commands: frozenset[str]
    ) -> None:
        self._task = task
        self._commands = commands

    @property
    def recognized(self) -> RecognizedIntent | None:
        """What was understood; None if it is nothing, or not known yet."""
        if not self._task.done() or self._task.cancelled():
            return None
        return self._task.result()

    def is_command(self) -> bool:
        """Return whether the sentence is known to be a command that a tool can carry out."""
        return self.recognized is not None and self.recognized.name in self._commands

    def close(self) -> None:
        """Stop the recognition."""
        self._task.cancel()


def async_start_recognition(
    hass: HomeAssistant, user_input: ConversationInput, writing_tools: Iterable[str]
) -> CommandRecognition:
    """Start to recognize what the user said; close it at the end of the turn.

    A command is what one of the writing tools, those that are not read-only, carries out.
    """
    task = hass.async_create_background_task(
        _recognize(hass, user_input), "chatterbox command recognition", eager_start=False
    )
    names = frozenset(name.rpartition("__")[2] for name in writing_tools)
    return CommandRecognition(task, names - _REPLIES)


async def _recognize(hass: HomeAssistant, user_input: ConversationInput) -> RecognizedIntent | None:
    """Return the intent that the whole sentence stands for, None if there is none."""
    try:
        recognized = await _recognize_strictly(hass, user_input)
    except Exception as err:
        LOGGER.debug("Command recognition failed: %s", type(err).__name__, exc_info=err)
        return None
    LOGGER.debug("Home Assistant recognizes %s", recognized.name if recognized else "no intent")
    return recognized


async def _recognize_strictly(
    hass: HomeAssistant, user_input: ConversationInput
) -> RecognizedIntent | None:
    agent = get_default_agent(hass)
    language = nearest_intent_language(user_input.language or hass.config.language)
    # The agent logs a warning for every sentence in a language that it does not have.
    if agent is None or language is None:
        return None
    if await agent.async_get_or_load_intents(language) is None:
        return None
    result = await agent.async_recognize_intent(
        replace(user_input, language=language), strict_intents_only=True
    )
    if result is None or result.unmatched_entities:
        return None
    slots = {name: entity.value for name, entity in result.entities.items()}
    return RecognizedIntent(result.intent.name, slots)
