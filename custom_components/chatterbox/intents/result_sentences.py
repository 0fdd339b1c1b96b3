"""Spoken confirmation of actions, made from their results in the user's language.

It is spoken in place of another answer of the model.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import intent, llm

from ..agent.assist import short_name
from ..agent.errors import ToolTimeoutError
from ..agent.language.language import primary_language
from ..agent.messages import ToolDefinition, ToolResult
from ..agent.tools.confirmation import CONFIRMATION_NEEDED
from ..agent.turn import SpokenResults
from .match_errors import match_error
from .response_templates import IntentCall, ResponseTemplates, async_get_response_templates

type AnswerReads = Callable[[Sequence[ToolResult]], Sequence[str]]
"""Function that returns the sentences which answer look-ups, none if the model has to."""

_MAX_SENTENCES = 4
_MAX_NAMES = 4
# The slots that name what a call was about, the most telling first.
_SUBJECT_SLOTS = ("item", "name", "area", "floor")
_SCOPE_SLOTS = frozenset({"area", "floor", "domain", "device_class"})
# Characters with the property Sentence_Terminal (Unicode Standard Annex #29), and the ellipsis.
_SENTENCE_ENDS = tuple(".!?…。！？।\u06d4")
_IDEOGRAPHIC_STOP = "。"
# The full stops of languages that write another one than `.`, by the chapters of the Unicode
# Standard on their scripts: danda, ideographic full stop, Arabic full stop; Thai has none.
_FULL_STOPS = {
    "bn": "।",
    "hi": "।",
    "ja": _IDEOGRAPHIC_STOP,
    "ne": "।",
    "pa": "।",
    "th": "",
    "ur": "\u06d4",
    "zh": _IDEOGRAPHIC_STOP,
}


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence and its subjects."""

    text: str
    subjects: tuple[str, ...] = ()
    """Names of entities or of their area, which are spoken where there are several sentences."""
    named: bool = False
    """Whether the subjects are spoken in any case."""

    def spoken(self, *, named: bool) -> str:
        """Return the sentence, with its subjects in front if they are missing in it."""
        missing = [name for name in self.subjects if name.casefold() not in self.text.casefold()]
        if not missing or not (named or self.named):
            return self.text
        return f"{_enumerated(self.subjects)}: {self.text}"


class ResultSentences:
    """Sentences for the results of one model answer.

    They are Home Assistant's own; `sentences` are those of the agent, where there are no others.
    With `silent_done`, success is confirmed silently.
    """

    def __init__(
        self,
        hass: HomeAssistant,
        templates: ResponseTemplates,
        sentences: Mapping[str, str],
        *,
        read_only: Collection[str],
        silent_done: bool = False,
    ) -> None:
        self._hass = hass
        self._templates = templates
        self._full_stop = _FULL_STOPS.get(primary_language(templates.language), ".")
        self._sentences = sentences
        self._read_only = read_only
        self._silent_done = silent_done

    def speak(
        self, results: Sequence[ToolResult], answer: AnswerReads = lambda _: ()
    ) -> SpokenResults | None:
        """Return the spoken results, None if the model has to answer them all.

        `answer` returns the sentences that answer the reads. Without any, the model still has to
        answer them, unless a call is held until the user confirms it.
        """
        held = [result for result in results if result.error_type == CONFIRMATION_NEEDED]
        done = [result for result in results if result.error_type != CONFIRMATION_NEEDED]
        reads = [result for result in done if result.call.name in self._read_only]
        actions = [result for result in done if result.call.name not in self._read_only]
        answers = answer(reads)
        if not (actions or held or answers):
            return None
        sentences = [self._report(actions), *map(self._terminated, answers)]
        if held:
            sentences.append(held[0].call.question or self._sentences["confirm"])
        is_final = bool(held or answers or not reads)
        return SpokenResults(self._spaced(filter(None, sentences)), final=is_final)

    def _report(self, actions: Iterable[ToolResult]) -> str:
        """Return the sentences for the successful actions, then those for the failed ones."""
        done: list[_Sentence] = []
        failed: list[_Sentence] = []
        for result in actions:
            if (problem := self._problem(result)) is not None:
                failed.append(problem)
            else:
                done.extend(self._confirmation(result))
        if self._silent_done and not failed:
            return ""
        return self._joined(_merged(done), _merged(failed))

    def _problem(self, result: ToolResult) -> _Sentence | None:
        """Return the sentence for the failure of an action, None if it did not fail."""
        if result.error:
            return _Sentence(self._reason(result), _subjects(result.call.arguments), named=True)
        if (response := intent_response(result)) is None:
            return None
        if response.response_type is intent.IntentResponseType.ERROR:
            text = _speech(response) or self._sentences["failed"]
            return _Sentence(text, _subjects(result.call.arguments), named=True)
        if not response.failed_results:
            return None
        succeeded = _entities(response.success_results)
        # Of a group, Home Assistant 2026.10 does not know which ones failed.
        text = self._sentences["partly_failed"] if succeeded else self._sentences["failed"]
        names = [*_scope(response), *succeeded, *_entities(response.failed_results)]
        return _Sentence(text, tuple(names[:1] if _scope(response) else names), named=True)

    def _reason(self, result: ToolResult) -> str:
        """Return the sentence for an error that a tool raised."""
        if result.error_type == ToolTimeoutError.error_type:
            return self._sentences["unconfirmed"]
        cause = result.raw.__cause__ if isinstance(result.raw, Exception) else None
        key = ""
        values: dict[str, Any] = {}
        match cause:
            case intent.MatchFailedError():
                key, values = match_error(cause)
            case intent.IntentHandleError(response_key=str(response_key)):
                key = response_key
            case intent.IntentHandleError() | intent.IntentUnexpectedError():
                key = "handle_error"
        return self._templates.error(key, values) or self._sentences["failed"]

    def _confirmation(self, result: ToolResult) -> Iterator[_Sentence]:
        """Yield the sentences of an action that was done."""
        if (response := intent_response(result)) is None:
            yield _Sentence(self._sentences["done"])
            return
        if speech := _speech(response):
            yield _Sentence(speech)
            return
        call = _intent_call(result, response)
        text = self._templates.matching(call)
        if text is None and len(call.states) > 1:
            yield from self._confirmation_by_domain(call, _scope(response))
            return
        # Without a name or an area, a sentence says itself that it is about all.
        names = _names(call.states) if len(call.states) == 1 else ()
        yield _Sentence(
            text or self._templates.fallback(call) or self._sentences["done"],
            _scope(response) or names or _subjects(call.slots),
            named=self._is_unexpected(result.call.arguments.get("name"), call.states),
        )

    def _confirmation_by_domain(
        self, call: IntentCall, scope: tuple[str, ...]
    ) -> Iterator[_Sentence]:
        """Yield sentences for a group of entities that no single sentence describes."""
        for domain in sorted(call.domains):
            group = [state for state in call.states if state.domain == domain]
            text = self._templates.matching(replace(call, states=group))
            if text is not None:
                yield _Sentence(text, scope or _names(group), named=True)
            else:
                yield from (self._confirmation_by_name(call, state) for state in group)

    def _confirmation_by_name(self, call: IntentCall, state: State) -> _Sentence:
        """Return the sentence that an entity would have had if it had been named."""
        slots = {key: value for key, value in call.slots.items() if key not in _SCOPE_SLOTS}
        own = replace(call, slots={**slots, "name": state.name}, states=[state])
        text = self._templates.matching(own) or self._templates.fallback(own)
        return _Sentence(text or self._sentences["done"], (state.name,), named=True)

    def _is_unexpected(self, name: Any, states: Sequence[State]) -> bool:
        """Return whether the only target was called by a name that it does not have."""
        if not isinstance(name, str) or len(states) != 1:
            return False
        entry = er.async_get(self._hass).async_get(states[0].entity_id)
        aliases = intent.async_get_entity_aliases(self._hass, entry, state=states[0])
        return name.strip().casefold() not in {alias.casefold() for alias in aliases}

    def _joined(self, done: list[_Sentence], failed: list[_Sentence]) -> str:
        if len(failed) > _MAX_SENTENCES:
            failed = [_summarized(failed, self._sentences["failed"])]
        if done and len(done) + len(failed) > _MAX_SENTENCES:
            done = [_summarized(done, self._sentences["done"])]
        sentences = [*done, *failed]
        spoken: list[str] = []
        subjects: tuple[str, ...] = ()
        for sentence in sentences:
            is_new = sentence.subjects != subjects
            subjects = sentence.subjects
            text = sentence.spoken(named=len(sentences) > 1) if is_new else sentence.text
            spoken.append(self._terminated(text))
        return self._spaced(spoken)

    def _terminated(self, sentence: str) -> str:
        """Return a sentence with a full stop, unless it ends in a punctuation mark."""
        return sentence if sentence.endswith(_SENTENCE_ENDS) else f"{sentence}{self._full_stop}"

    @staticmethod
    def _spaced(sentences: Iterable[str]) -> str:
        """Return sentences as one text; none follows an ideographic full stop with a space."""
        return " ".join(sentences).replace(f"{_IDEOGRAPHIC_STOP} ", _IDEOGRAPHIC_STOP)


async def async_load_result_sentences(
    hass: HomeAssistant,
    language: str,
    sentences: Mapping[str, str],
    tools: Iterable[ToolDefinition],
    *,
    silent_done: bool,
) -> ResultSentences:
    """Return the sentences for the results of a turn; `tools` are those that it offers."""
    return ResultSentences(
        hass,
        await async_get_response_templates(hass, language),
        sentences,
        read_only={tool.name for tool in tools if tool.annotations.read_only},
        silent_done=silent_done,
    )


def intent_response(result: ToolResult) -> intent.IntentResponse | None:
    """Return the response of an intent, None for any other tool."""
    original = getattr(result.raw, "original", None)
    is_intent = isinstance(result.raw, llm.IntentResponseDict)
    return original if is_intent and isinstance(original, intent.IntentResponse) else None


def _speech(response: intent.IntentResponse) -> str:
    return str(response.speech.get("plain", {}).get("speech") or "")


def _intent_call(result: ToolResult, response: intent.IntentResponse) -> IntentCall:
    """Return the call of an intent, with the names of its targets in the slots."""
    arguments = result.call.arguments.items()
    slots = {name: value for name, value in arguments if value not in (None, "", [], {})}
    if slots.get("name") == "all":
        del slots["name"]
    if "name" in slots and len(response.matched_states) == 1:
        slots["name"] = response.matched_states[0].name
    for target in response.success_results:
        # The values of an area and a floor may also be ids.
        if target.type in slots:
            slots[target.type] = target.name
    name = short_name(result.call.name)
    return IntentCall(
        intent=response.intent.intent_type if response.intent else name,
        slots=slots,
        speech_slots=response.speech_slots,
        states=response.matched_states,
    )


def _entities(targets: Iterable[intent.IntentResponseTarget]) -> list[str]:
    return [
        target.name for target in targets if target.type is intent.IntentResponseTargetType.ENTITY
    ]


def _scope(response: intent.IntentResponse) -> tuple[str, ...]:
    """Return the names of the areas or floors that were targets as a whole."""
    if len(response.matched_states) == 1:
        return ()
    scopes = (intent.IntentResponseTargetType.AREA, intent.IntentResponseTargetType.FLOOR)
    return tuple(target.name for target in response.success_results if target.type in scopes)


def _names(states: Iterable[State]) -> tuple[str, ...]:
    return tuple(state.name for state in states)


def _subjects(slots: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the subject of a call without known targets, as a tuple of at most one name."""
    named = (slots.get(slot) for slot in _SUBJECT_SLOTS)
    return next(((name,) for name in named if isinstance(name, str) and name), ())


def _merged(sentences: Iterable[_Sentence]) -> list[_Sentence]:
    """Return the sentences, equal ones merged into one with all of their subjects."""
    merged: dict[str, _Sentence] = {}
    for sentence in sentences:
        if (known := merged.get(sentence.text)) is None:
            merged[sentence.text] = sentence
        else:
            subjects = tuple(dict.fromkeys((*known.subjects, *sentence.subjects)))
            named = known.named or len(subjects) > 1
            merged[sentence.text] = replace(known, subjects=subjects, named=named)
    return list(merged.values())


def _summarized(sentences: Iterable[_Sentence], text: str) -> _Sentence:
    """Return one sentence for the subjects of several."""
    subjects = dict.fromkeys(name for sentence in sentences for name in sentence.subjects)
    return _Sentence(text, tuple(subjects), named=True)


def _enumerated(names: Sequence[str]) -> str:
    if len(names) <= _MAX_NAMES:
        return ", ".join(names)
    shown = _MAX_NAMES - 1
    return f"{', '.join(names[:shown])} +{len(names) - shown}"
