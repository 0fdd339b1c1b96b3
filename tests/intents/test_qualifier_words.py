"""Words that qualify a command, from Home Assistant's own texts."""

import pytest

from custom_components.chatterbox.agent.text_match import MessageText
from custom_components.chatterbox.intents.language_words import async_language_words
from homeassistant.core import HomeAssistant


@pytest.mark.parametrize(
    ("language", "refusal"),
    [("en", "no"), ("de", "nein"), ("nl", "nee"), ("sv", "nej"), ("pl", "nie"), ("tlh", None)],
)
async def test_refusal_is_the_name_of_what_is_not_so(
    hass: HomeAssistant, language: str, refusal: str | None
) -> None:
    found = (await async_language_words(hass, language)).qualifiers.refusals
    assert found == ({refusal} if refusal else set())


@pytest.mark.parametrize(
    ("language", "text"),
    [
        pytest.param("en", "If nobody is there close it", id="English condition"),
        pytest.param("de", "Weißt du, ob das Tor zu ist", id="German condition"),
        pytest.param("fr", "ferme le volet quand je pars", id="French condition"),
        pytest.param("es", "cierra la persiana cuando salga", id="Spanish condition"),
        pytest.param("it", "spegni la lampada quando esco", id="Italian condition"),
        pytest.param("de", "mach das Licht an, wenn es dunkel wird", id="German if"),
        pytest.param("en", "close it unless she is back", id="English unless"),
        pytest.param("nl", "doe het licht aan als het donker wordt", id="Dutch condition"),
        pytest.param("pl", "jeśli jest ciemno, zapal lampę", id="Polish condition"),
        pytest.param("sv", "stäng garaget när jag går", id="Swedish condition"),
        pytest.param("en", "open it in three hours", id="English delay"),
        pytest.param("de", "in einer Minute das Rollo zu", id="German delay"),
        pytest.param("fr", "éteins le poêle dans dix minutes", id="French delay"),
        pytest.param("es", "dentro de una hora apaga el horno", id="Spanish delay"),
        pytest.param("nl", "doe de lamp over twintig minuten uit", id="Dutch delay"),
        pytest.param("pl", "za 5 minut zgaś lampę", id="Polish delay"),
    ],
)
async def test_conditions_and_delays_are_known(
    hass: HomeAssistant, language: str, text: str
) -> None:
    qualifiers = (await async_language_words(hass, language)).qualifiers
    assert qualifiers.limit(MessageText(text, inflects=language != "en"))


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "could you please open all of the blinds in the attic and turn it up"),
        ("de", "kannst du bitte jetzt im Bad alle Lichter ausschalten, es wird hell"),
        ("fr", "peux-tu ouvrir les volets de la chambre s'il te plaît"),
        ("es", "por favor enciende las luces de la cocina y abre la puerta"),
        ("it", "per favore accendi ora la luce in cucina"),
        ("nl", "kun je alsjeblieft de lamp in de keuken aandoen"),
        ("pl", "proszę zgaś światło w kuchni"),
    ],
)
async def test_plain_command_is_not_qualified(
    hass: HomeAssistant, language: str, text: str
) -> None:
    qualifiers = (await async_language_words(hass, language)).qualifiers
    message = MessageText(text, inflects=language != "en")
    assert not qualifiers.limit(message)
    assert qualifiers.refusals.isdisjoint(message.words)
