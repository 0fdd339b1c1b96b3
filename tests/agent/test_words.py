"""A stop, a yes and a claim are recognised in the languages of the household."""

import pytest

from custom_components.chatterbox.agent.grounding import ClaimFilter, claims
from custom_components.chatterbox.agent.words import asks, says_stop, says_yes, words_of


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Stop!"),
        ("en-GB", "Stop it, please."),
        ("en", "Never mind"),
        ("en", "That\N{RIGHT SINGLE QUOTATION MARK}s enough."),
        ("de", "Stopp, bitte"),
        ("fr", "Arrête !"),
        ("es", "Cancela, por favor."),
        ("nl", "Laat maar"),
        ("it", "Basta"),
        ("pl", "Przestań"),
    ],
)
def test_a_stop(language: str, text: str) -> None:
    assert says_stop(text, language)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Stop the music"),
        ("en", "please"),
        ("en", ""),
        ("de", "Halt mich auf dem Laufenden"),
        ("xx", "stop"),
    ],
)
def test_no_stop(language: str, text: str) -> None:
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
def test_a_yes(language: str, text: str) -> None:
    assert says_yes(text, language)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "No"),
        ("en", "Yes, but not the garage"),
        ("en", "I don't know"),
        ("de", "Ja, aber erst morgen"),
        ("xx", "yes"),
    ],
)
def test_no_clear_yes(language: str, text: str) -> None:
    assert not says_yes(text, language)


CLAIMS = [
    ("en", "I've turned on the kitchen lights."),
    ("en", "I have just locked the front door."),
    ("en", "The lights have been switched off."),
    ("en", "The door is now locked."),
    ("en", "Turning on the lights now."),
    ("en", "Done."),
    ("en", "Okay, all set!"),
    ("de", "Ich habe das Licht in der Küche eingeschaltet."),
    ("de", "Die Lampen wurden ausgeschaltet."),
    ("de", "Das Licht ist jetzt an."),
    ("de", "Ich schalte das Licht ein."),
    ("de", "Erledigt!"),
    ("fr", "J'ai allumé la lumière de la cuisine."),
    ("fr", "La porte a été verrouillée."),
    ("fr", "C'est fait."),
    ("es", "He encendido la luz de la cocina."),
    ("es", "Listo."),
    ("nl", "Ik heb de lampen aangezet."),
    ("nl", "De deur is nu op slot."),
    ("it", "Ho acceso la luce in cucina."),
    ("it", "Fatto!"),
    ("pl", "Włączyłam światło w kuchni."),
    ("pl", "Drzwi zostały zamknięte."),
    ("pl", "Gotowe."),
]
HARMLESS = [
    ("en", "I could not turn on the lights."),
    ("en", "I haven't turned on the lights."),
    ("en", "The light is already on."),
    ("en", "I turned it on ten minutes ago."),
    ("en", "Shall I turn on the lights?"),
    ("en", "Is the door now locked?"),
    ("en", "It is 21 degrees."),
    ("en", "The kitchen lights are on."),
    ("de", "Ich habe das Licht nicht eingeschaltet."),
    ("de", "Das Licht ist an."),
    ("fr", "Je n'ai pas allumé la lumière."),
    ("es", "No he encendido la luz."),
    ("nl", "Ik heb de lampen niet aangezet."),
    ("it", "Non ho acceso la luce."),
    ("pl", "Nie włączyłam światła."),
]


@pytest.mark.parametrize(("language", "sentence"), CLAIMS)
def test_a_claim(language: str, sentence: str) -> None:
    words = words_of(language)
    assert words is not None
    assert claims(sentence, words)


@pytest.mark.parametrize(("language", "sentence"), HARMLESS)
def test_no_claim(language: str, sentence: str) -> None:
    words = words_of(language)
    assert words is not None
    assert not claims(sentence, words)


def passed(filtered: ClaimFilter, *pieces: str) -> list[str]:
    return [*map(filtered.feed, pieces), filtered.finish()]


def test_sentences_pass_as_soon_as_they_are_whole() -> None:
    filtered = ClaimFilter("turn on the light", "en")
    assert passed(filtered, "Let me", " see. It", " is 3.5 degrees. The", " end.") == [
        "",
        "Let me see.",
        " It is 3.5 degrees.",
        "",
        " The end.",
    ]
    assert filtered.claimed == ""


def test_a_claim_and_what_follows_are_held_back() -> None:
    filtered = ClaimFilter("turn on the light", "en")
    pieces = passed(filtered, "Sure thing! I've turned ", "on the light. Any", "thing else?")
    assert "".join(pieces) == "Sure thing!"
    assert filtered.claimed == " I've turned on the light. Anything else?"


def test_a_claim_at_the_very_end_is_held_back() -> None:
    filtered = ClaimFilter("turn on the light", "en")
    assert passed(filtered, "Done.") == ["", ""]
    assert filtered.claimed == "Done."


@pytest.mark.parametrize(
    ("asked", "language"),
    [("turn on the light", "xx"), ("turn on the light", ""), ("Did you turn it on?", "en")],
)
def test_what_cannot_be_judged_passes_at_once(asked: str, language: str) -> None:
    assert passed(ClaimFilter(asked, language), "Done. ", "Really.") == ["Done. ", "Really.", ""]


@pytest.mark.parametrize(
    ("language", "text", "asking"),
    [
        ("en", "Is the door locked?", True),
        ("en", "is the door locked", True),
        ("en", "Hello, who are you?", True),
        ("en", "Can you open the garage?", False),
        ("en", "Lock the door, is that clear", False),
        ("en", "Open the door, would you?", False),
        ("en", "Isabel's lamp on", False),
        ("de", "Ist die Tür zu?", True),
        ("xx", "Is the door locked?", False),
    ],
)
def test_a_question_for_what_is(language: str, text: str, *, asking: bool) -> None:
    assert asks(text, language) == asking


def test_tools_are_not_spoken_of() -> None:
    """The sentence is held back, in any language; names that are words of one are not known."""
    names = ["intent__HassTurnOn", "goodnight"]
    filtered = ClaimFilter("turn on the light", "en", names)
    pieces = ("Sure. ", "Use HassTurn", "On for that. ", "Bye.")
    assert passed(filtered, *pieces) == ["Sure.", "", "", "", ""]
    assert filtered.talked
    assert filtered.claimed == " Use HassTurnOn for that. Bye."
    unknown = ClaimFilter("x", "xx", names)
    assert passed(unknown, "Say good", "night to ", "intent__HassTurnOn") == [
        "Say ",
        "goodnight to ",
        "",
        "",
    ]
    assert unknown.talked
    assert passed(ClaimFilter("x", "xx", ["goodnight"]), "goodnight") == ["goodnight", ""]
