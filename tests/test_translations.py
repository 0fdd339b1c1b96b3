"""Translations: complete, consistent, and in step with the code."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from custom_components.chatterbox import connection_test as probe
from custom_components.chatterbox import sentences
from custom_components.chatterbox.agent.dialects.profile import ProfileReason
from custom_components.chatterbox.flow_schemas import (
    REAUTH_SCHEMA,
    SERVER_SCHEMA,
    agent_schema,
    ai_task_schema,
    model_schema,
    server_options_schema,
)
from custom_components.chatterbox.repair_issues import TRANSLATION_KEYS
from custom_components.chatterbox.repairs import _FLOWS
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import section
from homeassistant.helpers.selector import SelectSelector
from homeassistant.util.yaml import load_yaml_dict

INTEGRATION = Path(__file__).parents[1] / "custom_components" / "chatterbox"
TRANSLATIONS = INTEGRATION / "translations"

every_language = pytest.mark.parametrize(
    "path", sorted(TRANSLATIONS.glob("*.json")), ids=lambda path: path.stem
)


def _load(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(path.read_text())
    return content


def _sentences(node: Any, *path: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield each sentence with the keys that lead to it."""
    if isinstance(node, str):
        yield path, node
    else:
        for key, child in node.items():
            yield from _sentences(child, *path, key)


def _forms(node: Any, *path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each form, and each section of one, that has fields."""
    if isinstance(node, dict):
        if "data" in node:
            yield ".".join(path), node
        for key, child in node.items():
            yield from _forms(child, *path, key)


def _placeholders(sentence: str) -> set[str]:
    return set(re.findall(r"{(\w+)}", sentence))


def _texts(keyword: str) -> set[str]:
    """Return the literal strings that the integration passes as a keyword argument."""
    return {
        node.value.value
        for path in INTEGRATION.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.keyword)
        and node.arg == keyword
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    }


@pytest.fixture
def english() -> dict[str, Any]:
    """Return the English translations."""
    return _load(TRANSLATIONS / "en.json")


@every_language
def test_sentences_are_literal(path: Path) -> None:
    """Home Assistant resolves references for its own integrations only."""
    sentences = list(_sentences(_load(path)))
    assert sentences
    for keys, sentence in sentences:
        assert sentence.strip(), keys
        assert "[%key" not in sentence, keys


@every_language
def test_languages_have_the_keys_and_placeholders_of_english(
    path: Path, english: dict[str, Any]
) -> None:
    """No language has a sentence that English lacks, nor other placeholders in it."""
    originals = dict(_sentences(english))
    for keys, sentence in _sentences(_load(path)):
        assert keys in originals
        assert _placeholders(sentence) == _placeholders(originals[keys]), keys


@every_language
def test_fields_are_described(path: Path) -> None:
    """Each field of each form has a name and a description."""
    forms = dict(_forms(_load(path)))
    assert forms
    for name, form in forms.items():
        assert form["data"].keys() == form["data_description"].keys(), name


def test_steps_are_translated(english: dict[str, Any]) -> None:
    """Each step that a flow shows is described."""
    described = {
        keys[at + 1]
        for keys, _ in _sentences(english)
        for at, key in enumerate(keys)
        if key == "step"
    }
    steps = _texts("step_id")
    assert steps
    assert steps <= described


def test_fields_and_choices_of_forms_are_translated(
    hass: HomeAssistant, english: dict[str, Any]
) -> None:
    """Each field that a form shows has words, and so has each choice in it."""
    forms = {
        "config.step.user": SERVER_SCHEMA,
        "config.step.reconfigure": SERVER_SCHEMA,
        "config.step.reauth_confirm": REAUTH_SCHEMA,
        "config.step.model": model_schema([]),
        "issues.model_not_found.fix_flow.step.model": model_schema([]),
        "options.step.init": server_options_schema({}),
        "config_subentries.ai_task_data.step.init": ai_task_schema([], {"name": ""}),
        "config_subentries.conversation.step.init": agent_schema(hass, [], {"name": "Agent"}),
    }
    for name, form in [*forms.items()]:
        for key, field in form.schema.items():
            if isinstance(field, section):
                forms[f"{name}.sections.{key}"] = field.schema
    described = dict(_forms(english))
    assert described.keys() == forms.keys()
    for name, form in forms.items():
        plain = {str(key) for key, field in form.schema.items() if not isinstance(field, section)}
        assert described[name]["data"].keys() == plain
        for field in form.schema.values():
            if isinstance(field, SelectSelector) and (key := field.config.get("translation_key")):
                choices = {str(choice) for choice in field.config["options"]}
                assert english["selector"][key]["options"].keys() == choices


def test_profile_reasons_are_translated(english: dict[str, Any]) -> None:
    """But for the user's own choice, which needs no reason."""
    reasons = {str(reason) for reason in ProfileReason} - {ProfileReason.CHOSEN}
    assert english["selector"]["profile_reason"]["options"].keys() == reasons


@every_language
def test_sentences_about_devices_name_them(path: Path) -> None:
    """So that somebody who cannot see the dialog knows what is meant."""
    sentences = _load(path)["exceptions"]
    named = {
        key: sentences[key]["message"].format(
            name="Lamp", names="Lamp, Fan", state="on", action="Lock", count=2
        )
        for key in (
            *("do_you_mean", "which_one", "should_be", "should_do", "and_more"),
            "no_such_device",
        )
    }
    assert all("Lamp" in text for key, text in named.items() if key != "no_such_device")
    assert named["no_such_device"].endswith(".")


@every_language
def test_missing_state_is_no_sentence(path: Path) -> None:
    """It follows the name of a device."""
    text = _load(path)["exceptions"]["unavailable"]["message"]
    assert text[0].islower()
    assert text[-1].isalpha()


def test_errors_are_translated(english: dict[str, Any]) -> None:
    """Each thing that can go wrong is told, in a form and when somebody speaks."""
    in_forms = set(probe._FORM_ERRORS.values())
    assert in_forms <= english["config"]["error"].keys()
    assert in_forms <= english["config_subentries"]["conversation"]["error"].keys()
    for issue in english["issues"].values():
        assert "fix_flow" not in issue or in_forms <= issue["fix_flow"]["error"].keys()
    assert set(sentences._KEYS.values()) <= english["exceptions"].keys()


def test_sentence_keys_and_abort_reasons_are_translated(english: dict[str, Any]) -> None:
    """Each key of a sentence or a reason in the code leads to words."""
    known = {key for keys, _ in _sentences(english) for key in keys}
    spoken = {
        key
        for path in INTEGRATION.glob("*.py")
        for key in re.findall(r"sentences\[\"(\w+)\"\]", path.read_text())
    }
    assert spoken
    assert spoken <= english["exceptions"].keys()
    reasons = _texts("reason")
    assert reasons
    assert reasons <= known


@every_language
def test_questions_end_with_a_question_mark(path: Path) -> None:
    """What asks something ends with a question mark: a satellite listens again only then."""
    sentences = _load(path)["exceptions"]
    for key in (
        "limit_ask",
        "go_on",
        "confirm",
        "do_you_mean",
        "which_one",
        "should_be",
        "should_do",
    ):
        assert sentences[key]["message"].endswith("?"), key
    assert not sentences["limit_stop"]["message"].endswith("?")


@pytest.mark.parametrize("language", ["de", "es", "fr", "it", "nl", "pl"])
def test_languages_are_complete(language: str, english: dict[str, Any]) -> None:
    """These languages have every sentence that English has."""
    said = {keys for keys, _ in _sentences(_load(TRANSLATIONS / f"{language}.json"))}
    assert said == {keys for keys, _ in _sentences(english)}


def test_services_are_translated_and_have_icons(english: dict[str, Any]) -> None:
    """Each action and each of its fields has a name, a description, and the action an icon."""
    actions = load_yaml_dict(str(INTEGRATION / "services.yaml"))
    icons = _load(INTEGRATION / "icons.json")["services"]
    assert english["services"].keys() == actions.keys() == icons.keys()
    for name, action in actions.items():
        words = english["services"][name]
        assert words["fields"].keys() == action["fields"].keys()
        for told in (words, *words["fields"].values()):
            assert told["name"]
            assert told["description"]


def test_repair_issues_are_translated(english: dict[str, Any]) -> None:
    """Each problem that is reported as a repair is told."""
    source = (INTEGRATION / "history_store.py").read_text()
    reported = set(re.findall(r"_create_issue\(\"(\w+)\"", source))
    assert reported | set(TRANSLATION_KEYS) == english["issues"].keys()
    assert {key for key, issue in english["issues"].items() if "fix_flow" in issue} == _FLOWS.keys()
