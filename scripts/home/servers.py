"""OpenAI-compatible servers, and the search for one on this machine."""

import json
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any

from .console import say

SEARCH_TIMEOUT = 1.0
LOCAL_SERVERS: Mapping[str, str] = {
    "Ollama": "http://localhost:11434/v1",
    "LM Studio": "http://localhost:1234/v1",
    "llama.cpp": "http://localhost:8080/v1",
}


@dataclass(frozen=True, slots=True)
class Server:
    """An OpenAI-compatible server; without a model, the config flow suggests one."""

    url: str
    key: str | None = field(default=None, repr=False)
    model: str | None = None
    slow: bool = False
    """Whether an answer may take minutes."""


def running_server(model: str | None) -> Server | None:
    """Return the first server on this machine that has a model, None if there is none."""
    for name, url in LOCAL_SERVERS.items():
        if models := list_models(url):
            say(f"Using {name} at {url}.")
            return Server(url, model=model or models[0])
    return None


def list_models(url: str, timeout: float = SEARCH_TIMEOUT) -> list[str]:
    """Return the names of the models of a server; none if it cannot be reached."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(f"{url}/models", timeout=timeout) as response:
            return model_names(json.load(response))
    except OSError, HTTPException, ValueError:
        return []


def model_names(reply: Any) -> list[str]:
    """Return the names in a server's list of models; none if it is malformed."""
    match reply:
        case {"data": [*models]}:
            return [name for model in models if (name := _name(model))]
    return []


def _name(model: Any) -> str | None:
    match model:
        case {"id": str(name)}:
            return name
    return None
