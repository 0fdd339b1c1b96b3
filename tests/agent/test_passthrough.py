"""The text of a capable model reaches the user as it came, and nothing in it is called."""

from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from random import Random

import pytest

from custom_components.chatterbox.agent.dialects.dialect import DialectName
from custom_components.chatterbox.agent.events import ToolCallsRequested
from custom_components.chatterbox.agent.provider import Completed, ReasoningDelta, TextDelta

from .corpus import CorpusAnswer, load_corpus
from .fakes import collect, only, spoken
from .streaming import StreamedAnswer, StreamingModel, ask, house_tools, turn

LANGUAGES = {"en", "de", "fr", "es", "pl", "zh", "ja", "ar", "th", "ko", "hi", "ru"}
# What reasoning or calls may begin with: text is held while it can still become one of these.
MARKERS = (
    *(f"<{tag}>" for tag in ("think", "thinking", "thought", "reasoning", "seed:think")),
    *(f"<{tag}>" for tag in ("tool_call", "tool_calls", "function_call", "function_calls")),
    *(f"<{tag}>" for tag in ("TOOLCALL", "minimax:tool_call", "xml:tool_call")),
    "<analysis>",
    '<invoke name="',
    "<function=",
    "<start_function_call>",
    "<|",
    "<｜",
    "<eos>",
    "<end_of_turn>",
    "<turn|>",
    "</s>",
    "</think>",
    "</thinking>",
    "</thought>",
    "</reasoning>",
    "</seed:think>",
    "◁/think▷",
    "[/THINK]",
    "to=functions.",
    "[TOOL_CALLS]",
    "[THINK]",
    "◁think▷",
)
_CUTS = 3

every_answer = pytest.mark.parametrize("answer", load_corpus(), ids=lambda answer: answer.id)


def cut(text: str, random: Random) -> list[str]:
    """Return the text in pieces of random lengths."""
    pieces, position = [], 0
    while position < len(text):
        length = random.choice((1, 1, 2, 3, 5, 8, 40))
        pieces.append(text[position : position + length])
        position += length
    return pieces


async def assert_passes(
    answer: CorpusAnswer, pieces: Sequence[str], dialect: DialectName = DialectName.AUTO
) -> None:
    """Assert that an answer in these pieces is nothing but text, which stays as it is."""
    model = StreamingModel([StreamedAnswer(pieces)])
    *deltas, completed = [
        event async for event in ask(model, house_tools(), answer.user, dialect=dialect)
    ]
    assert "".join(delta.text for delta in only(TextDelta, deltas)) == spoken_text(answer)
    assert not only(ReasoningDelta, deltas)
    assert isinstance(completed, Completed)
    assert completed.result.tool_calls == ()
    assert completed.result.finish_reason == "stop"


def spoken_text(answer: CorpusAnswer) -> str:
    """Return the text of an answer; white space in front of it says nothing."""
    return answer.text.lstrip()


def test_corpus_covers_every_language_and_has_unique_ids() -> None:
    corpus = load_corpus()
    assert len(corpus) >= 220
    assert {answer.language for answer in corpus} >= LANGUAGES
    assert max(Counter(answer.id for answer in corpus).values()) == 1
    assert all(answer.user and answer.text for answer in corpus)


@every_answer
async def test_whole_answer_passes_unchanged(answer: CorpusAnswer) -> None:
    await assert_passes(answer, [answer.text])


@every_answer
async def test_answer_cut_into_characters_passes_unchanged(answer: CorpusAnswer) -> None:
    await assert_passes(answer, list(answer.text))


@every_answer
async def test_answer_cut_at_random_places_passes_unchanged(answer: CorpusAnswer) -> None:
    random = Random(answer.id)  # noqa: S311 - the cuts have to be the same in each run
    for _ in range(_CUTS):
        await assert_passes(answer, cut(answer.text, random))


@every_answer
async def test_answer_passes_unchanged_when_native_calls_are_configured(
    answer: CorpusAnswer,
) -> None:
    await assert_passes(answer, list(answer.text), DialectName.NATIVE)


@every_answer
async def test_answer_passes_the_loop_unchanged_after_one_request(answer: CorpusAnswer) -> None:
    model, tools = StreamingModel([StreamedAnswer(list(answer.text))]), house_tools()
    events = await collect(turn(model, tools, answer.user))
    assert spoken(events) == spoken_text(answer)
    assert not only(ToolCallsRequested, events)
    assert not any(tool.calls for tool in tools.values())
    assert model.requests == 1


def may_begin_marker(text: str) -> bool:
    """Return whether a text is white space, or such and the beginning of a marker or its block."""
    begun = text.lstrip()
    return any(marker.startswith(begun) or begun.startswith(marker) for marker in MARKERS)


async def held_texts(
    answer: CorpusAnswer, model: StreamingModel, events: AsyncGenerator[object]
) -> list[str]:
    """Return what was held back before each piece of text, where single characters are sent."""
    held: list[str] = []
    said = len(answer.text) - len(spoken_text(answer))
    async with aclosing(events):
        async for event in events:
            if isinstance(event, TextDelta):
                held.append(answer.text[said : len(model.sent) - 1])
                said += len(event.text)
    return held


@every_answer
async def test_text_leaves_as_soon_as_it_can_be_no_marker(answer: CorpusAnswer) -> None:
    model = StreamingModel([StreamedAnswer(list(answer.text))])
    held = await held_texts(answer, model, ask(model, house_tools(), answer.user))
    assert held
    assert [text for text in held if not may_begin_marker(text)] == []


@every_answer
async def test_text_leaves_the_loop_as_soon_as_it_can_be_no_marker(answer: CorpusAnswer) -> None:
    model = StreamingModel([StreamedAnswer(list(answer.text))])
    held = await held_texts(answer, model, turn(model, house_tools(), answer.user))
    assert held
    assert [text for text in held if not may_begin_marker(text)] == []


def test_text_that_is_no_marker_may_not_be_held() -> None:
    assert may_begin_marker("\n\n<tool_")
    assert may_begin_marker("<tool_call>{")
    assert not may_begin_marker("<b")
    assert not may_begin_marker("Hello <tool_call>")
