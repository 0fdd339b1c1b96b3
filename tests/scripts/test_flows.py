"""Setup of the integration through its config flow."""

from collections.abc import Mapping
from typing import Any, override

import pytest

from scripts.home.console import UserError
from scripts.home.flows import (
    FlowAbortedError,
    FlowDriver,
    Result,
    add_chatterbox,
    sentence_of,
    suggested_model,
)
from scripts.home.servers import Server

URL = "http://localhost:1234/v1"
USER: Result = {"type": "form", "step_id": "user", "flow_id": "f", "errors": {}}
MODEL: Result = {
    **USER,
    "step_id": "model",
    "data_schema": [{"name": "model", "description": {"suggested_value": "m1"}}],
}
ENTRY: Result = {"type": "create_entry", "result": "the entry"}


class ScriptedFlow(FlowDriver):
    """A flow that gives these results."""

    def __init__(self, *results: Result) -> None:
        self._results = iter((USER, *results))
        self.answers: list[Mapping[str, Any]] = []

    @override
    async def start(self, domain: str) -> Result:
        assert domain == "chatterbox"
        return next(self._results)

    @override
    async def submit(self, flow_id: str, answers: Mapping[str, Any]) -> Result:
        assert flow_id == "f"
        self.answers.append(answers)
        return next(self._results)


async def test_server_is_added_with_the_suggested_model() -> None:
    flow = ScriptedFlow(MODEL, ENTRY)
    assert await add_chatterbox(flow, Server(URL)) == "the entry"
    assert flow.answers == [{"base_url": URL}, {"model": "m1"}]


async def test_key_and_model_are_passed_on() -> None:
    flow = ScriptedFlow(MODEL, ENTRY)
    await add_chatterbox(flow, Server(URL, "k", "m2"))
    assert flow.answers == [
        {"base_url": URL, "api_key": "k"},
        {"model": "m2"},
    ]


@pytest.mark.parametrize(
    ("results", "sentence"),
    [
        (({**USER, "errors": {"base": "cannot_connect"}},), "Failed to connect"),
        (({**USER, "errors": {"base": "invalid_auth"}},), "does not accept this API key"),
        (({**USER, "errors": {"base_url": "invalid_url"}},), "Invalid URL"),
        (({**USER, "errors": {"base": "not_openai"}},), "not as an OpenAI-compatible"),
        ((MODEL, {**MODEL, "errors": {"model": "model_not_found"}}), "Model not found"),
        (({**USER, "errors": {"base": "brand_new"}},), "brand_new"),
        ((USER,), "shows another step"),
        ((MODEL, USER), "shows another step"),
    ],
)
async def test_error_of_the_form_is_reported_with_its_sentence(
    results: tuple[Result, ...], sentence: str
) -> None:
    with pytest.raises(UserError, match=sentence):
        await add_chatterbox(ScriptedFlow(*results), Server(URL))


async def test_abort_keeps_its_reason() -> None:
    flow = ScriptedFlow({"type": "abort", "reason": "already_configured"})
    with pytest.raises(FlowAbortedError) as aborted:
        await add_chatterbox(flow, Server(URL))
    assert aborted.value.reason == "already_configured"
    assert str(aborted.value) != "already_configured"


def test_placeholders_are_filled_in() -> None:
    result = {"description_placeholders": {"message": "HTTP 500"}}
    assert sentence_of({"api": "It said {message}."}, "api", result) == "It said HTTP 500."
    assert sentence_of({"api": "It said {message}."}, "api", {}) == "It said {message}."


@pytest.mark.parametrize(
    ("field", "model"),
    [
        ({"description": {"suggested_value": "s"}, "default": "d"}, "s"),
        ({"default": "d"}, "d"),
        ({"selector": {"select": {"options": ["o", "p"]}}}, "o"),
        ({"selector": {"select": {"options": [{"value": "v", "label": "V"}]}}}, "v"),
    ],
)
def test_suggested_model_is_that_of_the_form(field: Mapping[str, Any], model: str) -> None:
    form = {"data_schema": [{"name": "other", "default": "x"}, {"name": "model", **field}]}
    assert suggested_model(form) == model


@pytest.mark.parametrize("schema", [[], [{"name": "model", "selector": {"text": {}}}]])
def test_no_suggestion_asks_for_a_name(schema: list[Mapping[str, Any]]) -> None:
    with pytest.raises(UserError, match="--model"):
        suggested_model({"data_schema": schema})
