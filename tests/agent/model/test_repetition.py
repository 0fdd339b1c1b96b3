"""Tests of the repetition guard."""

import pytest

from custom_components.chatterbox.agent.errors import LLMRepetitionError
from custom_components.chatterbox.agent.model.repetition import RepetitionGuard, repeats
from tests.agent.builders import request
from tests.agent.fake_provider import Answer, ScriptedProvider, heard

CIRCLE = "The light is on, the light is off, "


@pytest.mark.parametrize(
    "text",
    ["!" * 101, "\n" * 500, "no " * 40, CIRCLE * 3, "First something else. " + CIRCLE * 5],
)
def test_repetition_is_detected(text: str) -> None:
    assert repeats(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Hello.",
        "!" * 100,
        CIRCLE * 2,
        CIRCLE * 3 + "and that is it.",
        " ".join(map(str, range(500))),
    ],
)
def test_other_text_is_no_repetition(text: str) -> None:
    assert not repeats(text)


async def test_repetitive_answer_is_aborted() -> None:
    model = ScriptedProvider(Answer(text=" ".join(["again"] * 200)))
    said, error = await heard(RepetitionGuard(model).stream(request()))
    assert isinstance(error, LLMRepetitionError)
    assert 10 < len(said) < 30
    assert model.closed == 1


async def test_repetitive_reasoning_is_aborted() -> None:
    model = ScriptedProvider(Answer(reasoning="hm, " * 100, text="Yes."))
    with pytest.raises(LLMRepetitionError):
        await RepetitionGuard(model).complete(request())


async def test_normal_answer_passes() -> None:
    model = ScriptedProvider(Answer(text="It is noon.", reasoning="Easy."))
    assert (await RepetitionGuard(model).complete(request())).content == "It is noon."
