"""Query the server for a model's context window and size."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .model_name import parameters_of

type RequestJson = Callable[[str, dict[str, Any] | None], Awaitable[Any]]
"""Fetches JSON from a URL: with GET, or with POST if there is a body.

Returns None for any status but 200, and for a response that is not JSON.
"""

# Keys of an entry in a list of models: LM Studio (loaded, then maximum), vLLM, OpenRouter, LiteLLM.
_LIST_KEYS = (
    "loaded_context_length",
    "max_model_len",
    "context_length",
    "max_context_length",
    "context_window",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelDetails:
    """Details of a model by its server; None means unknown."""

    context_window: int | None = None
    """Tokens."""
    parameters: float | None = None
    """The size of the model, in billions."""
    vision: bool | None = None
    """True for a model that accepts images, False for one that does not, None if unknown."""


async def query_model_details(request: RequestJson, base_url: str, model: str) -> ModelDetails:
    """Return the details of a model.

    The context window in use takes precedence over the largest that the model supports. Raises the
    errors of `request`.
    """
    root = base_url.rstrip("/").removesuffix("/v1")
    found = ModelDetails()
    for query in (_query_llama_cpp, _query_ollama, _query_lm_studio):
        details = await query(request, root, model)
        found = replace(
            found,
            parameters=found.parameters or details.parameters,
            vision=_first(found.vision, details.vision),
        )
        if details.context_window is not None:
            found = replace(found, context_window=details.context_window)
            break
    if None not in (found.context_window, found.parameters, found.vision):
        return found
    listed = _listed(await request(f"{base_url.rstrip('/')}/models", None), model)
    return ModelDetails(
        context_window=found.context_window or listed.context_window,
        parameters=found.parameters or listed.parameters,
        vision=_first(found.vision, listed.vision),
    )


def supports_vision(details: Mapping[str, Any]) -> bool | None:
    """Return whether a model accepts images, None if its entry in the model list says nothing."""
    modalities = _mapping(details.get("architecture")).get("input_modalities")
    if isinstance(modalities, list):
        return "image" in modalities
    match details.get("capabilities"):
        case list(capabilities):
            return bool({"vision", "multimodal", "image"} & {str(one) for one in capabilities})
        case {"vision": bool(vision)}:
            return vision
    # LM Studio.
    return {"vlm": True, "llm": False}.get(str(details.get("type")))


def _first(*values: bool | None) -> bool | None:
    return next((value for value in values if value is not None), None)


async def _query_llama_cpp(request: RequestJson, root: str, _model: str) -> ModelDetails:
    answer = _mapping(await request(f"{root}/props", None))
    settings = _mapping(answer.get("default_generation_settings"))
    vision = _mapping(answer.get("modalities")).get("vision")
    return ModelDetails(
        context_window=_tokens(settings.get("n_ctx")),
        vision=vision if isinstance(vision, bool) else None,
    )


async def _query_ollama(request: RequestJson, root: str, model: str) -> ModelDetails:
    window = parameters = None
    for loaded in _list(_mapping(await request(f"{root}/api/ps", None)).get("models")):
        if model in (loaded.get("name"), loaded.get("model")) and (
            in_use := _tokens(loaded.get("context_length"))
        ):
            window, parameters = in_use, parameters_of(loaded)
            break
    answer = _mapping(await request(f"{root}/api/show", {"model": model}))
    return ModelDetails(
        context_window=window or _ollama_window(answer),
        parameters=parameters or parameters_of(answer),
        vision=supports_vision(answer),
    )


def _ollama_window(answer: Mapping[str, Any]) -> int | None:
    for line in str(answer.get("parameters") or "").splitlines():
        match line.split():
            case ["num_ctx", number] if number.isdecimal():
                return int(number)
    for key, value in _mapping(answer.get("model_info")).items():
        if key.endswith(".context_length"):
            return _tokens(value)
    return None


async def _query_lm_studio(request: RequestJson, root: str, model: str) -> ModelDetails:
    return _listed(await request(f"{root}/api/v0/models", None), model)


def _listed(answer: Any, model: str) -> ModelDetails:
    for entry in _list(_mapping(answer).get("data")):
        if entry.get("id") == model:
            return ModelDetails(
                context_window=_listed_window(entry),
                parameters=parameters_of(entry),
                vision=supports_vision(entry),
            )
    return ModelDetails()


def _listed_window(entry: Mapping[str, Any]) -> int | None:
    # llama.cpp nests it under `meta`.
    for place in (entry, _mapping(entry.get("meta"))):
        for key in (*_LIST_KEYS, "n_ctx"):
            if (found := _tokens(place.get(key))) is not None:
                return found
    return None


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _list(value: Any) -> Sequence[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def _tokens(value: Any) -> int | None:
    return value if isinstance(value, int) and value > 0 else None
