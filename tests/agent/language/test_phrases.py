"""Tests of whole utterances: stop, yes, go on, and a new conversation."""

import pytest

from custom_components.chatterbox.agent.language.phrases import (
    knows_yes,
    says_go_on,
    says_stop,
    says_yes,
    wants_new_conversation,
)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Stop!"),
        ("en-GB", "Stop it, please."),
        ("en", "Never mind"),
        ("en", "That\N{RIGHT SINGLE QUOTATION MARK}s enough."),
        ("de", "Stopp, bitte"),
        ("de", "Hör bitte auf"),
        ("fr", "Arrête !"),
        ("fr", "ARRETE"),
        ("fr", "S\N{RIGHT SINGLE QUOTATION MARK}il te plaît, tais-toi"),
        ("es", "Cancela, por favor."),
        ("nl", "Laat maar"),
        ("it", "Basta"),
        ("pl", "Przestań"),
    ],
)
def test_stop_phrase_is_recognized(language: str, text: str) -> None:
    assert says_stop(text, language)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Stop the music"),
        ("en", "please"),
        ("en", ""),
        ("de", "Halt mich auf dem Laufenden"),
        ("da", ""),
        ("da", "stop"),
        ("xx", "stop"),
    ],
)
def test_other_phrase_is_no_stop(language: str, text: str) -> None:
    assert not says_stop(text, language)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Yes."),
        ("en", "Yes, do it please"),
        ("en_US", "OK, go ahead!"),
        ("de", "Ja, mach das."),
        ("fr", "Oui, vas-y"),
        ("es", "Sí, claro"),
        ("nl", "Ja, doe het maar"),
        ("it", "Sì, procedi"),
        ("pl", "Tak, zrób to"),
    ],
)
def test_yes_phrase_is_recognized(language: str, text: str) -> None:
    assert says_yes(text, language)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "No"),
        ("en", "Yes, but not the garage"),
        ("en", "I don't know"),
        ("de", "Ja, aber erst morgen"),
        ("nl", "Ja, maar niet nu"),
        ("nl", "Ja maar"),
        ("da", "yes"),
        ("xx", "yes"),
    ],
)
def test_unclear_phrase_is_no_yes(language: str, text: str) -> None:
    assert not says_yes(text, language)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("new conversation", "en"),
        ("New conversation, please.", "en-GB"),
        ("Neues Gespräch!", "de"),
        ("neue unterhaltung bitte", "de-AT"),
        ("Beginne bitte ein neues Gespräch", "de"),
        ("Nueva conversación", "es"),
        ("new conversation", "de"),
        ("Ny samtale", "no"),
        ("Ny samtale, please", "da"),
        ("new conversation", "xx"),
    ],
)
def test_phrase_for_a_new_conversation_is_recognized(text: str, language: str) -> None:
    assert wants_new_conversation(text, language)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("", "en"),
        ("please", "en"),
        ("What was our new conversation about?", "en"),
        ("Turn on the light", "en"),
        # They are for the film.
        ("Start over!", "en"),
        ("Fang bitte von vorne an", "de"),
    ],
)
def test_other_phrase_starts_no_new_conversation(text: str, language: str) -> None:
    assert not wants_new_conversation(text, language)


@pytest.mark.parametrize(("language", "known"), [("pl", True), ("da", False), ("xx", False)])
def test_yes_is_known_in_languages_with_phrases_for_it(language: str, *, known: bool) -> None:
    assert knows_yes(language) is known


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Go on, please."),
        ("de", "Weiter!"),
        ("de", "Erzähl bitte weiter"),
        ("fr", "Continue"),
        ("es", "Continúa, por favor"),
        ("nl", "Ga verder, graag"),
        ("it", "Vai avanti"),
        ("pl", "Mów dalej"),
    ],
)
def test_wish_for_the_rest_is_recognized(language: str, text: str) -> None:
    assert says_go_on(text, language)


@pytest.mark.parametrize(
    ("language", "text"),
    [("en", "Go on with the music"), ("en", "please"), ("de", "Mach das Licht an"), ("xx", "more")],
)
def test_other_phrase_is_no_wish_for_the_rest(language: str, text: str) -> None:
    assert not says_go_on(text, language)
