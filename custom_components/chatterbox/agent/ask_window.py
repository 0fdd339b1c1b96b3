"""Ask a server how large the window of a model is. Servers say it in different places."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

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


async def ask_window(ask: AskJson, base_url: str, model: str) -> int | None:
    """Return the tokens of a model's window, None if the server does not say.

    What the server has in use counts more than what the model could do.
    """
    root = base_url.rstrip("/").removesuffix("/v1")
    for read in (_llama_cpp, _ollama, _lm_studio, _model_list):
        if (found := await read(ask, root, base_url, model)) is not None:
            return found
    return None


async def _llama_cpp(ask: AskJson, root: str, _base_url: str, _model: str) -> int | None:
    answer = _mapping(await ask(f"{root}/props", None))
    return _tokens(_mapping(answer.get("default_generation_settings")).get("n_ctx"))


async def _ollama(ask: AskJson, root: str, _base_url: str, model: str) -> int | None:
    for loaded in _list(_mapping(await ask(f"{root}/api/ps", None)).get("models")):
        if model in (loaded.get("name"), loaded.get("model")) and (
            in_use := _tokens(loaded.get("context_length"))
        ):
            return in_use
    answer = _mapping(await ask(f"{root}/api/show", {"model": model}))
    for line in str(answer.get("parameters") or "").splitlines():
        match line.split():
            case ["num_ctx", number] if number.isdecimal():
                return int(number)
    for key, value in _mapping(answer.get("model_info")).items():
        if key.endswith(".context_length"):
            return _tokens(value)
    return None


async def _lm_studio(ask: AskJson, root: str, _base_url: str, model: str) -> int | None:
    return _listed(await ask(f"{root}/api/v0/models", None), model)


async def _model_list(ask: AskJson, _root: str, base_url: str, model: str) -> int | None:
    return _listed(await ask(f"{base_url.rstrip('/')}/models", None), model)


def _listed(answer: Any, model: str) -> int | None:
    for listed in _list(_mapping(answer).get("data")):
        if listed.get("id") == model:
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
