"""What is spoken of a turn: lead-ins before slow tools, and a limited number of sentences."""

from collections.abc import AsyncGenerator, Callable
from typing import cast

from homeassistant.components.conversation import (
    AssistantContentDeltaDict,
    ChatLog,
    ConversationInput,
    ConversationResult,
)

from .active_conversations import ActiveConversation
from .agent.language.segmentation import SentenceBudget
from .chat_log import BLANK_LINE, Delta
from .options import VoiceOptions
from .responses import add_answer, answer_result

# Seconds of silence before a lead-in is worth its own second.
_SLOW = 2.0


class SpokenAnswer:
    """Filter for the chat log deltas of a turn, which makes them fit for speech.

    `lead_in` is the sentence before a slow tool, `typical_seconds` returns the usual duration of a
    tool, and `on_lead_in` is called when the sentence is spoken. Neither a lead-in nor the limit
    changes what the model is sent later.
    """

    def __init__(
        self,
        voice: VoiceOptions,
        language: str,
        lead_in: str,
        typical_seconds: Callable[[str], float],
        on_lead_in: Callable[[], None],
    ) -> None:
        self._limit = voice.max_sentences
        self._language = language
        self._lead_in = lead_in if voice.lead_in else ""
        self._typical_seconds = typical_seconds
        self._on_lead_in = on_lead_in
        self._budget: SentenceBudget | None = None
        self._has_spoken = False

    @property
    def rest(self) -> str:
        """The part of the answer that was not spoken."""
        return self._budget.rest if self._budget is not None else ""

    def deltas(
        self, deltas: AsyncGenerator[Delta], needs_answer: Callable[[], bool]
    ) -> AsyncGenerator[Delta]:
        """Return the deltas to speak.

        `needs_answer` is called at the end. If it returns True, the rest is spoken as well: it ends
        with a question of the agent.
        """
        return self._filter(deltas, needs_answer) if self._limit or self._lead_in else deltas

    async def _filter(
        self, deltas: AsyncGenerator[Delta], needs_answer: Callable[[], bool]
    ) -> AsyncGenerator[Delta]:
        async for delta in deltas:
            if delta.get("role") == "assistant":
                # Only the last message of a turn is the answer.
                self._budget = SentenceBudget(self._limit, self._language) if self._limit else None
            if isinstance(content := delta.get("content"), str):
                spoken = self._within_budget(content)
                self._has_spoken |= bool(spoken.strip())
                yield {"content": spoken}
                continue
            if "tool_calls" in delta and self._announces(delta):
                self._on_lead_in()
                yield {"content": self._lead_in + BLANK_LINE}
            yield delta
        if self.rest and needs_answer():
            yield {"content": self.rest}
            self._budget = None

    def _announces(self, delta: Delta) -> bool:
        """Return whether a lead-in belongs before these calls."""
        if not self._lead_in or self._has_spoken:
            return False
        calls = cast("AssistantContentDeltaDict", delta).get("tool_calls") or ()
        self._has_spoken = any(self._typical_seconds(call.tool_name) >= _SLOW for call in calls)
        return self._has_spoken

    def _within_budget(self, content: str) -> str:
        """Return the text to speak, white space in place of text that is kept back.

        Home Assistant starts the speech output by the number of characters that have come.
        """
        if self._budget is None:
            return content
        had_rest = bool(self._budget.rest)
        spoken = self._budget.feed(content)
        if had_rest:
            return " " * len(content)
        return spoken + BLANK_LINE if self._budget.rest else spoken


def go_on(
    conversation: ActiveConversation,
    user_input: ConversationInput,
    chat_log: ChatLog,
    voice: VoiceOptions,
) -> ConversationResult:
    """Speak the next sentences of the last answer; return them as an answer."""
    budget = SentenceBudget(voice.max_sentences, user_input.language)
    sentences = budget.feed(conversation.unspoken)
    conversation.unspoken = budget.rest
    add_answer(user_input, chat_log, sentences.strip())
    return answer_result(user_input, chat_log, voice.continue_conversation, awaits_yes=False)
