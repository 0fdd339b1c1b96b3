"""Query the server for a model's context window and size."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .model_name import parameters_of

type AskJson = Callable[[str, dict[str, Any] | None], Awaitable[Any]]
"""Fetches JSON from a URL: with GET, or with POST if there is something to send.

Returns None where there is no such thing.
"""

# Behind the name of a model in a list: LM Studio (loaded, then at most), vLLM, OpenRouter, LiteLLM.
_IN_A_LIST = (
    "loaded_context_length",
    "max_model_len",
    "context_length",
    "max_context_length",
    "context_window",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelDetails:
    """What a server says of a model; None is what it does not say."""

    window: int | None = None
    """Tokens of the context window."""
    parameters: float | None = None
    """The size of the model, in billions."""


async def query_model(ask: AskJson, base_url: str, model: str) -> ModelDetails:
    """Return what the server says of a model.

    The window that the server has in use counts more than what the model could do.
    """
    root = base_url.rstrip("/").removesuffix("/v1")
    found = ModelDetails()
    for read in (_llama_cpp, _ollama, _lm_studio):
        said = await read(ask, root, model)
        found = replace(found, parameters=found.parameters or said.parameters)
        if said.window is not None:
            found = replace(found, window=said.window)
            break
    if found.window is not None and found.parameters is not None:
        return found
    listed = _listed(await ask(f"{base_url.rstrip('/')}/models", None), model)
    return ModelDetails(
        window=found.window or listed.window, parameters=found.parameters or listed.parameters
    )


async def _llama_cpp(ask: AskJson, root: str, _model: str) -> ModelDetails:
    answer = _mapping(await ask(f"{root}/props", None))
    return ModelDetails(
        window=_tokens(_mapping(answer.get("default_generation_settings")).get("n_ctx"))
    )


async def _ollama(ask: AskJson, root: str, model: str) -> ModelDetails:
    for loaded in _list(_mapping(await ask(f"{root}/api/ps", None)).get("models")):
        if model in (loaded.get("name"), loaded.get("model")) and (
            in_use := _tokens(loaded.get("context_length"))
        ):
            return ModelDetails(window=in_use, parameters=parameters_of(loaded))
    answer = _mapping(await ask(f"{root}/api/show", {"model": model}))
    return ModelDetails(window=_ollama_window(answer), parameters=parameters_of(answer))


def _ollama_window(answer: Mapping[str, Any]) -> int | None:
    for line in str(answer.get("parameters") or "").splitlines():
        match line.split():
            case ["num_ctx", number] if number.isdecimal():
                return int(number)
    for key, value in _mapping(answer.get("model_info")).items():
        if key.endswith(".context_length"):
            return _tokens(value)
    return None


async def _lm_studio(ask: AskJson, root: str, model: str) -> ModelDetails:
    return _listed(await ask(f"{root}/api/v0/models", None), model)


def _listed(answer: Any, model: str) -> ModelDetails:
    for listed in _list(_mapping(answer).get("data")):
        if listed.get("id") == model:
            return ModelDetails(window=_listed_window(listed), parameters=parameters_of(listed))
    return ModelDetails()


def _listed_window(listed: Mapping[str, Any]) -> int | None:
    # llama.cpp keeps it one step further down.
    for place in (listed, _mapping(listed.get("meta"))):
        for key in (*_IN_A_LIST, "n_ctx"):
            if (found := _tokens(place.get(key))) is not None:
                return found
    return None


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _list(value: Any) -> Sequence[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def _tokens(value: Any) -> int | None:
    return value if isinstance(value, int) and value > 0 else None
