"""Recognition of commands by Home Assistant's own intents, while the model is thinking.

It is the evidence for an unfulfilled command: an answer without a tool call to a sentence that
Home Assistant itself understands as a command.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from hassil.expression import Sentence
from hassil.models import UnmatchedTextEntity
from hassil.recognize import MISSING_ENTITY, RecognizeResult

from homeassistant.components.conversation import ConversationInput
from homeassistant.core import HomeAssistant

from ..agent.assist import QUERY_INTENTS, REPLY_INTENTS, short_name
from ..agent.mentions import RecognizedIntent
from ..const import LOGGER
from .default_agent import get_default_agent, nearest_intent_language
from .sentence_templates import requires_words

# Seconds. The first recognition in a language takes longest, as its sentences are loaded.
_LONGEST_WAIT = 2.0


class CommandRecognition:
    """Recognition of a command in the background of a turn."""

    def __init__(
        self, task: asyncio.Task[RecognizedIntent | None], commands: frozenset[str]
    ) -> None:
        self._task = task
        self._commands = commands

    @property
    def command(self) -> RecognizedIntent | None:
        """The recognized intent if it is a complete command that a tool can carry out."""
        found = self.recognized
        if found is None or found.unknown_name or found.without_area:
            return None
        return found if found.name in self._commands else None

    @property
    def recognized(self) -> RecognizedIntent | None:
        """The recognized intent; None if there is none, or the recognition is still running."""
        if not self._task.done() or self._task.cancelled():
            return None
        return self._task.result()

    def is_command(self) -> bool:
        """Return whether the sentence was recognized as a command that a tool can carry out."""
        return self.command is not None

    async def async_result(self) -> RecognizedIntent | None:
        """Return the recognized intent, None if there is none in time."""
        await asyncio.wait({self._task}, timeout=_LONGEST_WAIT)
        return self.recognized

    def close(self) -> None:
        """Stop the recognition."""
        self._task.cancel()


def async_start_recognition(
    hass: HomeAssistant,
    user_input: ConversationInput,
    writing_tools: Iterable[str],
    *,
    unknown_names: bool = False,
    then: Callable[[], Awaitable[None]] | None = None,
) -> CommandRecognition:
    """Start a recognition of the user's sentence; it has to be closed at the end of the turn.

    A command is an intent that one of the writing tools, those that are not read-only, carries
    out. With `unknown_names`, one for a device that is unknown or not exposed is recognized, too.
    `then` is awaited after an intent was recognized, as a part of the recognition.
    """
    commands = frozenset(map(short_name, writing_tools)) - REPLY_INTENTS
    task = hass.async_create_background_task(
        _recognize(hass, user_input, unknown_names=unknown_names, then=then),
        "chatterbox command recognition",
        eager_start=False,
    )
    return CommandRecognition(task, commands)


async def _recognize(
    hass: HomeAssistant,
    user_input: ConversationInput,
    *,
    unknown_names: bool,
    then: Callable[[], Awaitable[None]] | None,
) -> RecognizedIntent | None:
    """Return the intent of the whole sentence, None if there is none.

    With `unknown_names` also a command with a name that is not known or not exposed.
    """
    try:
        recognized = await _recognize_in_language(hass, user_input, unknown_names=unknown_names)
        if recognized is not None and then is not None:
            await then()
    except Exception as err:
        LOGGER.debug("Command recognition failed: %s", type(err).__name__, exc_info=err)
        return None
    LOGGER.debug("Home Assistant recognizes %s", recognized.name if recognized else "no intent")
    return recognized


async def _recognize_in_language(
    hass: HomeAssistant, user_input: ConversationInput, *, unknown_names: bool
) -> RecognizedIntent | None:
    agent = get_default_agent(hass)
    language = nearest_intent_language(user_input.language or hass.config.language)
    # The agent logs a warning for every sentence in a language that it does not have.
    if agent is None or language is None:
        return None
    if (known := await agent.async_get_or_load_intents(language)) is None:
        return None
    message = replace(user_input, language=language)
    # The agent caches by sentence: asked strictly first, it finds no unknown names afterwards.
    loose = await agent.async_recognize_intent(message) if unknown_names else None
    result = await agent.async_recognize_intent(message, strict_intents_only=True)
    if result is not None and not result.unmatched_entities:
        return RecognizedIntent(
            name=result.intent.name, slots=_slots(result), response=result.response or ""
        )
    if loose is None or loose.intent.name in {*QUERY_INTENTS, *REPLY_INTENTS}:
        return None
    return _incomplete(loose, known.intents.expansion_rules)


def _incomplete(result: RecognizeResult, rules: Mapping[str, Sentence]) -> RecognizedIntent | None:
    """Return a command that lacks its area, or is for an unknown device; None for others."""
    if _lacks_area_only(result):
        return RecognizedIntent(name=result.intent.name, slots=_slots(result), without_area=True)
    # A scene may be activated by its name alone: any sentence is such a command.
    template = result.intent_sentence
    is_evident = template is not None and requires_words(template.expression, rules)
    if is_evident and _has_unknown_name_only(result):
        return RecognizedIntent(name=result.intent.name, unknown_name=True)
    return None


def _slots(result: RecognizeResult) -> dict[str, Any]:
    return {name: entity.value for name, entity in result.entities.items()}


def _lacks_area_only(result: RecognizeResult) -> bool:
    """Return whether the sentence lacks nothing but an area."""
    return [
        entity.name
        for entity in result.unmatched_entities.values()
        if isinstance(entity, UnmatchedTextEntity) and entity.text == MISSING_ENTITY
    ] == ["area"] and len(result.unmatched_entities) == 1


def _has_unknown_name_only(result: RecognizeResult) -> bool:
    """Return whether only the name is unknown, or is that of an entity that is not exposed.

    A question, too, may fit a command if several parts of it are taken for names.
    """
    unmatched = result.unmatched_entities.values()
    return not unmatched or [
        entity.name
        for entity in unmatched
        if isinstance(entity, UnmatchedTextEntity) and entity.text != MISSING_ENTITY
    ] == ["name"]
