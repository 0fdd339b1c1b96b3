"""Scenario: the text of a model passes the whole agent unchanged, and nothing in it is called."""

import re
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from itertools import groupby
from random import Random

import pytest

from custom_components.chatterbox.agent.events import ToolCallsRequested
from custom_components.chatterbox.agent.model.provider import Completed, ReasoningDelta, TextDelta
from tests.agent.corpus import CorpusAnswer, load_corpus
from tests.agent.streams import Agent, StreamedAnswer, StreamingModel, ask, house_tools, turn
from tests.agent.turns import collect, only, spoken

LANGUAGES = {"en", "de", "fr", "es", "pl", "zh", "ja", "ar", "th", "ko", "hi", "ru"}
# Beginnings of reasoning or calls: text is held while it can still become one of these.
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
_OBJECT = re.compile(r'\s*(?:```(?:json)?\s*)?(?:\{\s*(?:["}]|\Z)|\Z)')

every_topic = pytest.mark.parametrize(
    "answers",
    [tuple(answers) for _, answers in groupby(load_corpus(), key=lambda answer: answer.topic)],
    ids=lambda answers: answers[0].topic,
)


def cut(text: str, random: Random) -> list[str]:
    """Return the text in pieces of random lengths."""
    pieces, position = [], 0
    while position < len(text):
        length = random.choice((1, 1, 2, 3, 5, 8, 40))
        pieces.append(text[position : position + length])
        position += length
    return pieces


async def assert_passes(
    answer: CorpusAnswer, pieces: Sequence[str], agent: Agent = Agent.CAPABLE
) -> None:
    """Assert that an answer in these pieces is nothing but text, which stays as it is."""
    model = StreamingModel([StreamedAnswer(pieces)])
    *deltas, completed = [event async for event in ask(model, house_tools(), answer.user, agent)]
    text = "".join(delta.text for delta in only(TextDelta, deltas))
    # White space in front of the object is not that in front of its text.
    expected = answer.text if agent is Agent.GUIDED else spoken_text(answer)
    assert (answer.id, text) == (answer.id, expected)
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


@every_topic
async def test_whole_answer_passes_unchanged(answers: Sequence[CorpusAnswer]) -> None:
    for answer in answers:
        await assert_passes(answer, [answer.text])


@every_topic
async def test_answer_cut_into_characters_passes_unchanged(answers: Sequence[CorpusAnswer]) -> None:
    for answer in answers:
        await assert_passes(answer, list(answer.text))


@every_topic
async def test_answer_cut_at_random_places_passes_unchanged(
    answers: Sequence[CorpusAnswer],
) -> None:
    for answer in answers:
        random = Random(answer.id)  # noqa: S311 - the cuts have to be the same in each run
        for _ in range(_CUTS):
            await assert_passes(answer, cut(answer.text, random))


@every_topic
async def test_answer_of_a_guided_model_passes_unchanged(answers: Sequence[CorpusAnswer]) -> None:
    for answer in answers:
        await assert_passes(answer, list(answer.text), Agent.GUIDED)


@every_topic
async def test_answer_of_a_guided_model_without_a_schema_passes_unchanged(
    answers: Sequence[CorpusAnswer],
) -> None:
    """An answer that begins with an object is an attempt to act, not text."""
    for answer in answers:
        if not _OBJECT.match(answer.text):
            await assert_passes(answer, list(answer.text), Agent.UNCONSTRAINED)


@every_topic
async def test_answer_passes_the_loop_unchanged_after_one_request(
    answers: Sequence[CorpusAnswer],
) -> None:
    for answer in answers:
        model, tools = StreamingModel([StreamedAnswer(list(answer.text))]), house_tools()
        events = await collect(turn(model, tools, answer.user))
        assert (answer.id, spoken(events)) == (answer.id, spoken_text(answer))
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


@every_topic
@pytest.mark.parametrize("asked", [ask, turn], ids=["model", "loop"])
async def test_text_is_passed_on_once_it_can_be_no_marker(
    asked: Callable[..., AsyncGenerator[object]], answers: Sequence[CorpusAnswer]
) -> None:
    for answer in answers:
        model = StreamingModel([StreamedAnswer(list(answer.text))])
        held = await held_texts(answer, model, asked(model, house_tools(), answer.user))
        assert held
        late = [text for text in held if not may_begin_marker(text)]
        assert (answer.id, late) == (answer.id, [])


def test_text_that_is_no_marker_is_not_held() -> None:
    assert may_begin_marker("\n\n<tool_")
    assert may_begin_marker("<tool_call>{")
    assert not may_begin_marker("<b")
    assert not may_begin_marker("Hello <tool_call>")
