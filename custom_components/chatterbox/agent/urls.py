"""The address of a server, as a user types it and as it is asked."""

import re
from collections.abc import Mapping
from urllib.parse import urlsplit, urlunsplit

# The usual addresses of well-known servers.
PRESETS: Mapping[str, str] = {
    "Ollama": "http://localhost:11434/v1",
    "LM Studio": "http://localhost:1234/v1",
    "llama.cpp": "http://localhost:8080/v1",
    "vLLM": "http://localhost:8000/v1",
    "LocalAI": "http://localhost:8080/v1",
    "LiteLLM": "http://localhost:4000/v1",
    "OpenRouter": "https://openrouter.ai/api/v1",
    "OpenAI": "https://api.openai.com/v1",
}

_ENDPOINTS = ("/chat/completions", "/completions", "/models")
_VERSION = re.compile(r"/v\d+\w*(/|$)")


def normalize_base_url(text: str) -> str:
    """Return the base URL that a user means.

    A missing scheme is `http`, the path of an endpoint is cut off, and `/v1` is added where the
    path names no version. Raises `ValueError` for what is no address.
    """
    text = text.strip()
    if "://" not in text:
        text = f"http://{text}"
    parts = urlsplit(text)
    # Reading the port raises the ValueError of one that is no number.
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.port == 0:
        raise ValueError("not an HTTP address")
    if any(character.isspace() for character in text):
        raise ValueError("an address has no spaces")
    path = parts.path.rstrip("/")
    for endpoint in _ENDPOINTS:
        path = path.removesuffix(endpoint)
    if not _VERSION.search(path):
        path = f"{path}/v1"
    return urlunsplit((parts.scheme, parts.netloc.lower(), path, "", ""))
