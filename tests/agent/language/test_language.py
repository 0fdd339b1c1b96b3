"""Tests of language tags and phrase lists."""

import pytest

from custom_components.chatterbox.agent.language.language import primary_language, split_phrases


@pytest.mark.parametrize(
    ("tag", "primary"),
    [("de", "de"), ("de-CH", "de"), ("zh_Hant_TW", "zh"), ("", "")],
)
def test_primary_language(tag: str, primary: str) -> None:
    assert primary_language(tag) == primary


def test_phrases_are_split_at_commas_and_lines_are_joined() -> None:
    assert split_phrases("\n  a b, c\n  d,\n  e\n") == ("a b", "c d", "e")
