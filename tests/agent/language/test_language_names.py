"""Tests of the English names of languages."""

import pytest

from custom_components.chatterbox.agent.language.language_names import language_name


@pytest.mark.parametrize(
    ("tag", "name"),
    [
        ("de", "German"),
        ("de-CH", "German"),
        ("pt_BR", "Portuguese"),
        ("ZH-hant", "Chinese"),
        ("tlh", "tlh"),
        ("", ""),
    ],
)
def test_name_is_that_of_the_primary_language(tag: str, name: str) -> None:
    assert language_name(tag) == name
