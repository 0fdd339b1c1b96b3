"""Home Assistant's response sentences, chosen and rendered in all of its languages."""

from pathlib import Path
from typing import Any

import pytest
from home_assistant_intents import get_intent_info, get_intents, get_languages

from custom_components.chatterbox.intents.response_templates import (
    IntentCall,
    ResponseTemplates,
    async_get_response_templates,
)
from homeassistant.components.conversation.agent_manager import get_agent_manager
from homeassistant.core import HomeAssistant, State
from homeassistant.setup import async_setup_component

LIGHT = State("light.desk", "on", {"friendly_name": "Desk Lamp"})
LOCK = State("lock.front", "locked", {"friendly_name": "Front Door"})
VALUES: dict[str, Any] = {
    "area": "Office",
    "brightness": 40,
    "color": "red",
    "conversation_command": "turn on the light",
    "device_class": ["blind"],
    "fan_mode": "auto",
    "floor": "Attic",
    "hours": 1,
    "item": "milk",
    "media_class": "album",
    "message": "Dinner!",
    "minutes": 30,
    "name": "Desk Lamp",
    "percentage": 40,
    "position": 40,
    "search_query": "Moonlight",
    "seconds": 15,
    "temperature": 21.5,
    "volume_level": 40,
    "volume_step": "up",
}
SPEECH_SLOTS: dict[str, dict[str, Any]] = {
    "HassCancelAllTimers": {"canceled": 2},
    "HassMediaSearchAndPlay": {"media": {"title": "Moonlight"}},
}


@pytest.fixture
def loaded_sentences() -> None:
    """Load Home Assistant's sentences for each home: a reload has to load them again."""


@pytest.fixture
async def conversation(hass: HomeAssistant) -> None:
    for component in ("homeassistant", "conversation"):
        assert await async_setup_component(hass, component, {})


def possible_calls() -> list[IntentCall]:
    """Return a call for every form of every action that Home Assistant knows."""
    calls: list[IntentCall] = []
    for intent, details in (get_intent_info() or {}).items():
        if "Get" in intent or "Status" in intent:
            continue
        for form in details["slot_combinations"].values():
            slots = {name: VALUES[name] for name in form["slots"] if name in VALUES}
            domains = {
                domain
                for kind in ("name_domains", "inferred_domains")
                for group in form.get(kind, {}).values()
                for domain in group
            }
            calls.extend(
                IntentCall(
                    intent=intent,
                    slots=slots,
                    speech_slots=SPEECH_SLOTS.get(intent, {}),
                    states=[State(f"{domain}.thing", "on")] if domain else (),
                )
                for domain in sorted(domains or {""})
            )
    return calls


@pytest.mark.parametrize("language", sorted(get_languages()))
async def test_every_sentence_that_can_be_chosen_renders(
    hass: HomeAssistant, language: str, caplog: pytest.LogCaptureFixture
) -> None:
    templates = ResponseTemplates(hass, get_intents(language) or {}, get_intent_info() or {})
    calls = possible_calls()
    assert len(calls) > 100
    for call in calls:
        for sentence in (templates.matching(call), templates.fallback(call)):
            assert sentence is None or sentence == " ".join(sentence.split()) != ""
            assert "TODO" not in (sentence or "")
    assert not caplog.records


@pytest.mark.parametrize("language", sorted(get_languages()))
async def test_every_error_renders(hass: HomeAssistant, language: str) -> None:
    source = get_intents(language) or {}
    templates = ResponseTemplates(hass, source, {})
    values = {"entity": "Lamp", "area": "Office", "floor": "Attic", "domain": "light"}
    values |= {"device_class": "blind", "state": "on"}
    errors = source["responses"]["errors"]
    missing = {key for key in errors if templates.error(key, values) is None}
    untranslated = {key for key, text in errors.items() if "TODO" in text}
    # Two need a value that these errors do not have.
    unspeakable = {"no_device_class", "no_device_class_exposed"} if language == "ne" else set()
    assert missing - untranslated == unspeakable
    assert templates.error("no_such_error", {}) is None


@pytest.mark.usefixtures("conversation")
async def test_variant_of_a_language_is_used(hass: HomeAssistant) -> None:
    assert (await async_get_response_templates(hass, "de-AT")).language == "de"
    assert (await async_get_response_templates(hass, "pt-BR")).language == "pt-BR"


@pytest.mark.usefixtures("conversation")
@pytest.mark.parametrize("language", ["tlh", "*"])
async def test_language_without_sentences_has_english_ones(
    hass: HomeAssistant, language: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert (await async_get_response_templates(hass, language)).language == "en"
    assert not [record for record in caplog.records if record.levelname == "WARNING"]


@pytest.mark.usefixtures("conversation")
async def test_language_is_loaded_once_until_a_reload(hass: HomeAssistant) -> None:
    first = await async_get_response_templates(hass, "en")
    assert await async_get_response_templates(hass, "en") is first
    agent = get_agent_manager(hass).default_agent
    assert agent is not None
    await agent.async_reload()
    assert await async_get_response_templates(hass, "en") is not first


@pytest.mark.usefixtures("conversation")
async def test_users_own_responses_are_used(hass: HomeAssistant, tmp_path: Path) -> None:
    sentences = tmp_path / "custom_sentences" / "en"
    sentences.mkdir(parents=True)
    (sentences / "mine.yaml").write_text(
        "language: en\nresponses:\n  intents:\n    HassTurnOn:\n      lock: Bolting the door\n"
        "intents:\n  HassTurnOn:\n    data:\n      - sentences: [bolt it]\n"
    )
    hass.config.config_dir = str(tmp_path)
    templates = await async_get_response_templates(hass, "en")
    call = IntentCall(intent="HassTurnOn", slots={"name": "Front Door"}, states=[LOCK])
    assert templates.matching(call) == "Bolting the door"


async def test_package_is_used_where_the_default_agent_is_missing(hass: HomeAssistant) -> None:
    assert await async_setup_component(hass, "homeassistant", {})
    assert await async_setup_component(hass, "conversation", {})
    get_agent_manager(hass).default_agent = None
    templates = await async_get_response_templates(hass, "nl")
    call = IntentCall(intent="HassTurnOn", slots={"name": "Front Door"}, states=[LOCK])
    assert templates.matching(call) == "Vergrendeld"


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (IntentCall(intent="HassTurnOn", slots={"name": "Desk Lamp"}, states=[LIGHT]), "Lamp on"),
        # Without its slot, the better sentence cannot be said.
        (IntentCall(intent="HassTurnOn", slots={}, states=[LIGHT]), None),
        (IntentCall(intent="HassTurnOn", slots={"name": "Front"}, states=[LOCK]), None),
        (IntentCall(intent="HassTurnOff", slots={"name": "Desk Lamp"}, states=[LIGHT]), None),
    ],
)
async def test_sentence_needs_a_rule(
    hass: HomeAssistant, call: IntentCall, expected: str | None
) -> None:
    source = {
        "intents": {
            "HassTurnOn": {
                "data": [
                    {
                        "metadata": {"slot_combination": "name_only"},
                        "requires_context": {"domain": "light"},
                        "response": "lamp",
                    },
                    {"sentences": ["a sentence without a response"]},
                ]
            }
        },
        "responses": {"intents": {"HassTurnOn": {"lamp": "Lamp on", "other": "On"}}},
    }
    info = {"HassTurnOn": {"slot_combinations": {"name_only": {"slots": ["name"]}}}}
    assert ResponseTemplates(hass, source, info).matching(call) == expected


@pytest.mark.parametrize(
    "template",
    ["{{ slots.missing }}", "Turned on {{ {'fan': 'x'}.get(state.domain) }}", "{{ 1 / 0 }}", " "],
)
async def test_sentence_that_lacks_something_is_not_said(
    hass: HomeAssistant, template: str
) -> None:
    source = {"responses": {"intents": {"HassTurnOn": {"default": template}}}}
    call = IntentCall(intent="HassTurnOn", slots={}, states=[LIGHT])
    assert ResponseTemplates(hass, source, {}).fallback(call) is None
