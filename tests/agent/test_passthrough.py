"""The text of a capable model reaches the user as it came, and nothing in it is called."""

from collections import Counter
from collections.abc import Sequence
from contextlib import aclosing
from random import Random

import pytest

from custom_components.chatterbox.agent.dialects.dialect import DialectName
from custom_components.chatterbox.agent.events import ToolCallsRequested
from custom_components.chatterbox.agent.provider import TextDelta

from .corpus import CorpusAnswer, load_corpus
from .fakes import collect, only, spoken
from .streaming import StreamedAnswer, StreamingModel, house_tools, turn

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


async def assert_passes(answer: CorpusAnswer, pieces: Sequence[str]) -> None:
    """Assert that an answer in these pieces is spoken as it is, after one request."""
    model, tools = StreamingModel([StreamedAnswer(pieces)]), house_tools()
    events = await collect(turn(model, tools, answer.user))
    assert spoken(events) == answer.text
    assert not only(ToolCallsRequested, events)
    assert not any(tool.calls for tool in tools.values())
    assert model.requests == 1


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
    model, tools = StreamingModel([StreamedAnswer(cut(answer.text, Random(1)))]), house_tools()  # noqa: S311 - the same in each run
    events = await collect(turn(model, tools, answer.user, dialect=DialectName.NATIVE))
    assert spoken(events) == answer.text
    assert not any(tool.calls for tool in tools.values())


def may_begin_marker(text: str) -> bool:
    """Return whether a text is white space, or such and the beginning of a marker or its block."""
    begun = text.lstrip()
    return any(marker.startswith(begun) or begun.startswith(marker) for marker in MARKERS)


async def held_texts(answer: CorpusAnswer) -> list[str]:
    """Return what was held back when each piece was spoken, where single characters are sent."""
    model = StreamingModel([StreamedAnswer(list(answer.text))])
    held: list[str] = []
    said = 0
    async with aclosing(turn(model, house_tools(), answer.user)) as events:
        async for event in events:
            if isinstance(event, TextDelta):
                held.append(answer.text[said : len(model.sent) - 1])
                said += len(event.text)
    return held


@every_answer
async def test_first_piece_is_spoken_as_soon_as_it_can_be_no_marker(answer: CorpusAnswer) -> None:
    first, *_ = await held_texts(answer)
    assert may_begin_marker(first)


@every_answer
async def test_no_more_is_held_back_than_the_beginning_of_a_marker(answer: CorpusAnswer) -> None:
    assert [held for held in await held_texts(answer) if not may_begin_marker(held)] == []


def test_text_that_is_no_marker_may_not_be_held() -> None:
    assert may_begin_marker("\n\n<tool_")
    assert may_begin_marker("<tool_call>{")
    assert not may_begin_marker("<b")
    assert not may_begin_marker("Hello <tool_call>")
