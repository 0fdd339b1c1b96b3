"""Saying that a new conversation begins."""

import pytest

from custom_components.chatterbox.agent.new_conversation import wants_new_conversation


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("new conversation", "en"),
        ("New conversation, please.", "en-GB"),
        ("Neues Gespräch!", "de"),
        ("neue unterhaltung bitte", "de-AT"),
        ("Nueva conversación", "es"),
        ("new conversation", "de"),
        ("Ny samtale", "no"),
        ("new conversation", "xx"),
    ],
)
def test_it_is_understood(text: str, language: str) -> None:
    assert wants_new_conversation(text, language)


@pytest.mark.parametrize(
    "text", ["", "please", "What was our new conversation about?", "Turn on the light"]
)
def test_anything_else_is_not(text: str) -> None:
    assert not wants_new_conversation(text, "en")
