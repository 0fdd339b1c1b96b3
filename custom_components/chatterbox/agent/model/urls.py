"""Normalization of server URLs."""

# Otherwise the codec is imported at its first use, in the event loop.
import encodings.idna  # noqa: F401
import re
from collections.abc import Mapping
from ipaddress import IPv4Address, ip_address
from urllib.parse import SplitResult, urlsplit, urlunsplit

# Default URLs of well-known servers.
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

_ENDPOINT = re.compile(r"(/chat/completions|/completions|/models|/)+$")
_HOST = re.compile(r"[a-z0-9._-]+")
_MAX_CHARS = 2000
_VERSION = re.compile(r"/v\d+\w*(/|$)")


def normalize_base_url(text: str) -> str:
    """Return the base URL, with its version, for a URL as a user types it.

    A missing scheme is `http`, the path of an endpoint is cut off, and `/v1` is added where the
    path has no version. Raises `ValueError` if it is not a valid URL.
    """
    text = text.strip()
    if "://" not in text:
        text = f"http://{text}"
    if len(text) > _MAX_CHARS or not text.isprintable() or " " in text:
        raise ValueError("too long, or contains spaces or control characters")
    parts = urlsplit(text)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.port == 0:
        raise ValueError("not an HTTP URL")
    if "@" in parts.netloc:
        # They would be shown wherever the URL is.
        raise ValueError("contains credentials")
    path = _ENDPOINT.sub("", parts.path)
    if not _VERSION.search(path):
        path = f"{path}/v1"
    return urlunsplit((parts.scheme, _netloc(parts), path, "", ""))


def is_local_address(address: str) -> bool:
    """Return whether an IP address cannot be one of the internet."""
    return not ip_address(address.partition("%")[0]).is_global


def _netloc(parts: SplitResult) -> str:
    """Return the host, validated without a lookup, and the port."""
    host = parts.hostname or ""
    if ":" in host:
        host = f"[{host}]"
    else:
        host = host.encode("idna").decode()
        if not _HOST.fullmatch(host):
            raise ValueError("not a host name")
        if host.replace(".", "").isdecimal():
            host = str(IPv4Address(host))
    return host if parts.port is None else f"{host}:{parts.port}"
