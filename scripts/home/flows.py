"""Setup of Chatterbox through its config flow, independent of the transport."""

import json
from collections.abc import Mapping
from typing import Any, Protocol

from .console import PROJECT, UserError
from .servers import Server

INTEGRATION = PROJECT / "custom_components" / "chatterbox"
DOMAIN = "chatterbox"
ALREADY_CONFIGURED = "already_configured"

type Result = Mapping[str, Any]


class FlowDriver(Protocol):
    """Transport of a config flow; results are those of Home Assistant's REST API."""

    async def start(self, domain: str) -> Result:
        """Start the user flow of an integration."""

    async def submit(self, flow_id: str, answers: Mapping[str, Any]) -> Result:
        """Submit the form that the flow shows."""


class FlowAbortedError(UserError):
    """The flow was aborted; `reason` is the key of its reason."""

    def __init__(self, sentence: str, reason: str) -> None:
        super().__init__(sentence)
        self.reason = reason


async def add_chatterbox(driver: FlowDriver, server: Server) -> Any:
    """Add the server with its first agent; return the new entry as the driver gives it.

    Raises `UserError` with the error that the form shows.
    """
    form = await driver.start(DOMAIN)
    answers = {"base_url": server.url}
    if server.key:
        answers["api_key"] = server.key
    form = checked(await driver.submit(form["flow_id"], answers), "model")
    model = server.model or suggested_model(form)
    return checked(await driver.submit(form["flow_id"], {"model": model}), None)["result"]


def checked(result: Result, next_step: str | None) -> Result:
    """Return a result that shows `next_step` without errors, or with None has created the entry.

    Raises `UserError` with the form's first error, `FlowAbortedError` with the reason of an abort.
    """
    translations = json.loads((INTEGRATION / "translations" / "en.json").read_text())["config"]
    if result["type"] == "abort":
        sentence = sentence_of(translations.get("abort", {}), result["reason"], result)
        raise FlowAbortedError(sentence, result["reason"])
    if errors := result.get("errors"):
        raise UserError(
            sentence_of(translations.get("error", {}), next(iter(errors.values())), result)
        )
    if result["type"] != ("form" if next_step else "create_entry") or (
        next_step and result["step_id"] != next_step
    ):
        raise UserError("Chatterbox could not be set up: its config flow shows another step.")
    return result


def sentence_of(translations: Mapping[str, str], key: str, result: Result) -> str:
    """Return the formatted translation of a key, the key itself without a translation."""
    sentence = translations.get(key, key)
    for name, value in (result.get("description_placeholders") or {}).items():
        sentence = sentence.replace(f"{{{name}}}", str(value))
    return sentence


def suggested_model(form: Result) -> str:
    """Return the model that the form suggests, or the first option.

    Raises `UserError` if the form has neither.
    """
    fields = (field for field in form["data_schema"] if field["name"] == "model")
    match next(fields, {}):
        case {"description": {"suggested_value": str(model)}} if model:
            return model
        case {"default": str(model)} if model:
            return model
        case {"selector": {"select": {"options": [{"value": str(model)} | str(model), *_]}}}:
            return model
    raise UserError("The server does not list its models; specify one with --model.")
