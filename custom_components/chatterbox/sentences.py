"""Translated sentences: for errors, for the loop, and for the reasons of a profile."""

from collections.abc import Mapping
from pathlib import Path

from homeassistant.components.conversation import ConverseError
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError, Unauthorized
from homeassistant.helpers.translation import async_get_translations

from .agent.dialects.profile import ProfileChoice, ProfileReason
from .agent.errors import (
    ChatterboxError,
    LLMAuthError,
    LLMConnectionError,
    LLMContextLengthError,
    LLMFileError,
    LLMImageError,
    LLMModelNotFoundError,
    LLMQuotaError,
    LLMRateLimitError,
    LLMRepetitionError,
    LLMResponseError,
    LLMResponseTooLargeError,
    LLMServerError,
    LLMTimeoutError,
    TurnTimeoutError,
)
from .agent.loop_settings import Phrases
from .const import DOMAIN
from .intents.nearest_language import nearest_language

# Read at import time, which is outside the event loop.
_LANGUAGES = {path.stem for path in (Path(__file__).parent / "translations").glob("*.json")}

# By class of error; the first match counts.
_KEYS: Mapping[type[Exception], str] = {
    LLMRepetitionError: "repetition",
    LLMTimeoutError: "timeout",
    TurnTimeoutError: "timeout",
    LLMConnectionError: "cannot_connect",
    LLMRateLimitError: "rate_limited",
    LLMAuthError: "invalid_auth",
    LLMQuotaError: "quota_exceeded",
    LLMModelNotFoundError: "model_not_found",
    LLMContextLengthError: "context_length",
    LLMImageError: "no_images",
    LLMFileError: "no_files",
    LLMResponseTooLargeError: "response_too_large",
    LLMResponseError: "bad_response",
    LLMServerError: "server_error",
    ChatterboxError: "server_error",
    ConverseError: "template_error",
    Unauthorized: "not_allowed",
    HomeAssistantError: "llm_api_error",
}


def sentence_key(err: Exception) -> str:
    """Return the key of the sentence for an error; one of our own has it."""
    if isinstance(err, HomeAssistantError) and err.translation_domain == DOMAIN:
        return err.translation_key or "unknown"
    for kind, key in _KEYS.items():
        if isinstance(err, kind):
            return key
    return "unknown"


async def async_get_sentences(hass: HomeAssistant, language: str) -> dict[str, str]:
    """Return the sentences by key, in the nearest language."""
    translations = await _async_translations(hass, language, "exceptions")
    return {key.removesuffix(".message"): text for key, text in translations.items()}


async def async_explain_profile(hass: HomeAssistant, choice: ProfileChoice) -> str:
    """Return the sentence for a profile and the reason for it, in the language of the home."""
    translations = await _async_translations(hass, hass.config.language, "selector")
    if choice.reason is ProfileReason.CHOSEN:
        return translations[f"profile.options.{choice.profile}"]
    return translations[f"profile_reason.options.{choice.reason}"]


async def _async_translations(hass: HomeAssistant, language: str, category: str) -> dict[str, str]:
    best = nearest_language(language, _LANGUAGES) or "en"
    translations = await async_get_translations(hass, best, category, [DOMAIN])
    prefix = f"component.{DOMAIN}.{category}."
    return {key.removeprefix(prefix): text for key, text in translations.items()}


def loop_phrases(sentences: Mapping[str, str], language: str, *, silent_done: bool) -> Phrases:
    """Return the sentences of the loop; with `silent_done` it confirms actions silently."""
    return Phrases(
        language=language,
        done="" if silent_done else sentences["done"],
        no_answer=sentences["no_answer"],
        cut_off=sentences["cut_off"],
        refused=sentences["refused"],
        limit_ask=sentences["limit_ask"],
        limit_stop=sentences["limit_stop"],
        go_on=sentences["go_on"],
        stuck=sentences["stuck"],
        time_up=sentences["time_up"],
        not_done=sentences["not_done"],
        confirm=sentences["confirm"],
        later=sentences["later"],
    )
