"""Tests of the harmony format of gpt-oss."""

import pytest

from tests.agent.dialects.answer_reader import read
from tests.agent.dialects.sample_calls import HARMONY, MARKED

KITCHEN = [("intent__HassTurnOn", {"name": "Kitchen"})]


@pytest.mark.parametrize("form", HARMONY)
def test_harmony_message_to_a_function_is_a_call(form: str) -> None:
    reading = read(list(HARMONY[form]))
    assert (reading.calls, reading.text) == (KITCHEN, "")


@pytest.mark.parametrize("form", HARMONY)
def test_truncated_answer_of_gpt_oss_calls_nothing(form: str) -> None:
    text = HARMONY[form]
    for end in range(1, len(text) + 1):
        reading = read(text[:end], finish_reason="length")
        assert reading.calls == []
        assert "Kitchen" not in reading.text or end >= text.index("}")


def test_channels_of_gpt_oss() -> None:
    text = (
        "<|channel|>analysis<|message|>Hm <|call|>.<|end|><|start|>assistant<|channel|>commentary"
        "<|message|>One moment.<|end|><|start|>assistant to=python<|channel|>commentary<|message|>"
        "print(1)<|end|><|start|>assistant<|channel|>final<|message|>"
        f"{MARKED['hermes']} is an example.<|return|>"
    )
    for pieces in ([text], list(text)):
        reading = read(pieces)
        assert reading.reasoning == "Hm <|call|>.print(1)"
        assert reading.text == f"One moment.{MARKED['hermes']} is an example."
        assert reading.calls == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<|channel|>" + "x" * 400, ""),
        ("<|channel|>", ""),
        ("<|start|>assistant<|end|>", ""),
        ("<|channel|>??<|end|><|start|>assistant<|channel|>final<|message|>Hi", "Hi"),
        ("<|channel|>what<|message|>Hi", "Hi"),
        ("<|start|>assistant<|message|>Hi < there", "Hi < there"),
        ("<|channel|>commentary to=functions.HassTurnOn<|message|>nonsense", ""),
        ("<|channel|>commentary to=functions.HassTurnOn<|message|>{'a' 'b'}", ""),
        ("<|channel|>commentary to=functions.HassTurnOn<|message|>", ""),
    ],
)
def test_malformed_messages_of_gpt_oss(text: str, said: str) -> None:
    for pieces in ([text], list(text)):
        reading = read(pieces)
        assert (reading.text, reading.calls) == (said, [])
