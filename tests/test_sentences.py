"""The agent's own sentences, from the translations."""

import inspect

import pytest

from custom_components.chatterbox.agent import errors
from custom_components.chatterbox.agent.dialects.profile import (
    Profile,
    ProfileChoice,
    ProfileReason,
)
from custom_components.chatterbox.agent.loop_settings import Phrases
from custom_components.chatterbox.sentences import (
    async_explain_profile,
    async_get_sentences,
    loop_phrases,
    sentence_key,
)
from homeassistant.components.conversation import ConverseError
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError, Unauthorized
from homeassistant.helpers.intent import IntentResponse

ERRORS = [
    (errors.LLMTimeoutError("x"), "timeout"),
    (errors.TurnTimeoutError("x"), "timeout"),
    (errors.LLMConnectionError("x"), "cannot_connect"),
    (errors.LLMRateLimitError("x", 429), "rate_limited"),
    (errors.LLMAuthError("x", 401), "invalid_auth"),
    (errors.LLMQuotaError("x", 402), "quota_exceeded"),
    (errors.LLMModelNotFoundError("x", 404), "model_not_found"),
    (errors.LLMContextLengthError("x", 400), "context_length"),
    (errors.LLMImageError("x", 400), "no_images"),
    (errors.LLMFileError("x", 400), "no_files"),
    (errors.LLMResponseError("x"), "bad_response"),
    (errors.LLMResponseTooLargeError("x"), "response_too_large"),
    (errors.LLMRepetitionError("x"), "repetition"),
    (errors.LLMServerError("x", 500), "server_error"),
    (errors.LLMUnsupportedError("x", 400), "server_error"),
    (errors.LLMAPIError("x", 418), "server_error"),
    (errors.LLMError("x"), "server_error"),
    (Unauthorized(), "not_allowed"),
    (ConverseError("x", "id", IntentResponse("en")), "template_error"),
    (HomeAssistantError("x"), "llm_api_error"),
    (KeyError("x"), "unknown"),
]


@pytest.mark.parametrize(("err", "key"), ERRORS, ids=lambda value: type(value).__name__)
async def test_every_error_has_its_sentence(hass: HomeAssistant, err: Exception, key: str) -> None:
    assert sentence_key(err) == key
    assert (await async_get_sentences(hass, "en"))[key].endswith(".")


def test_every_error_of_the_model_is_in_the_table() -> None:
    kinds = {
        kind
        for _, kind in inspect.getmembers(errors, inspect.isclass)
        if issubclass(kind, errors.LLMError)
    }
    assert kinds == {type(err) for err, _ in ERRORS if isinstance(err, errors.LLMError)}


@pytest.mark.parametrize("language", ["en", "en-GB", "xx", "*"])
async def test_unknown_language_gets_the_english_sentences(
    hass: HomeAssistant, language: str
) -> None:
    assert await async_get_sentences(hass, language) == await async_get_sentences(hass, "en")


async def test_phrases_of_the_loop_are_complete_templates(hass: HomeAssistant) -> None:
    sentences = await async_get_sentences(hass, "en")
    said = loop_phrases(sentences, "en", silent_done=False)
    assert said.done == sentences["done"]
    assert "7" in said.limit_ask.format(limit=7)
    assert said.limit_ask.endswith("?")
    assert "7" in said.limit_stop.format(limit=7)
    assert not said.limit_stop.endswith("?")
    assert Phrases.__slots__ == said.__slots__


async def test_silent_done_has_no_confirmation_phrase(hass: HomeAssistant) -> None:
    assert not loop_phrases(await async_get_sentences(hass, "en"), "en", silent_done=True).done


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "guided, because the server ignores tools"),
        ("de", "geführt, weil der Server Werkzeuge nicht beachtet"),
        ("de-CH", "geführt, weil der Server Werkzeuge nicht beachtet"),
        ("xx", "guided, because the server ignores tools"),
    ],
)
async def test_profile_is_explained_in_the_language_of_the_home(
    hass: HomeAssistant, language: str, sentence: str
) -> None:
    hass.config.language = language
    choice = ProfileChoice(Profile.GUIDED, ProfileReason.TOOLS_IGNORED)
    assert await async_explain_profile(hass, choice) == sentence


async def test_profile_that_was_chosen_is_named(hass: HomeAssistant) -> None:
    choice = ProfileChoice(Profile.CAPABLE, ProfileReason.CHOSEN)
    assert await async_explain_profile(hass, choice) == "Capable: calls tools by itself"
