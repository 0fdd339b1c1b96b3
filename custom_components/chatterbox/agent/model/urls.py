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
USUAL_PORTS = (11434, 1234, 8080, 8000, 4000)
"""Ports of these servers, the most distinctive ones first."""

_ENDPOINT = re.compile(r"(/chat/completions|/completions|/models|/)+$")
# Ollama's own API, beside the OpenAI one.
_OLLAMA_ENDPOINT = re.compile(r"/api(/chat|/generate|/tags)?$")
_HOST = re.compile(r"[a-z0-9._-]+")
_MAX_CHARS = 2000
_VERSION = re.compile(r"/v\d+\w*(/|$)")
# Top-level domains that the internet does not have: RFC 6761, RFC 6762 with its appendix G, RFC
# 8375, and the one that ICANN has reserved for private use.
_LOCAL_DOMAINS = frozenset(
    {
        "corp",
        "home",
        "internal",
        "intranet",
        "lan",
        "local",
        "localdomain",
        "localhost",
        "private",
    }
)
_PUBLIC_PRESETS = {
    urlsplit(url).hostname: url for url in PRESETS.values() if url.startswith("https:")
}


def normalize_base_url(text: str) -> str:
    """Return the base URL, with its version, for a URL as a user types it.

    A missing scheme is `http` for a local host and `https` for any other. The path of an endpoint
    is cut off, and `/v1` is added where the path has no version. Raises `ValueError` if it is not a
    valid URL.
    """
    parts = _split(text)
    netloc = _netloc(parts)
    if (preset := _PUBLIC_PRESETS.get(netloc)) and parts.scheme != "http":
        return preset
    scheme = parts.scheme or ("http" if is_local_host(parts.hostname or "") else "https")
    path = _ENDPOINT.sub("", parts.path)
    if not _VERSION.search(path):
        path = f"{_OLLAMA_ENDPOINT.sub('', path)}/v1"
    return urlunsplit((scheme, netloc, path, "", ""))


def urls_on_usual_ports(text: str) -> list[str]:
    """Return the base URLs of a local host on the usual ports, for a host without anything else.

    Empty for any other text. Raises `ValueError` if it is not a valid URL.
    """
    parts = _split(text)
    host = _netloc(parts)
    if parts.scheme or parts.port or parts.path not in {"", "/"} or not is_local_host(host):
        return []
    return [f"http://{host}:{port}/v1" for port in USUAL_PORTS]


def is_local_host(host: str) -> bool:
    """Return whether a host cannot be one of the internet, judged by its name or address alone."""
    try:
        return is_local_address(host.strip("[]"))
    except ValueError:
        name = host.lower().rstrip(".")
        last = name.rpartition(".")[2]
        return name == last or last in _LOCAL_DOMAINS or name.endswith(".home.arpa")


def is_local_address(address: str) -> bool:
    """Return whether an IP address cannot be one of the internet."""
    return not ip_address(address.partition("%")[0]).is_global


def _split(text: str) -> SplitResult:
    """Return the parts of a typed URL; its scheme is empty if it has none."""
    text = text.strip()
    if len(text) > _MAX_CHARS or not text.isprintable() or " " in text:
        raise ValueError("too long, or contains spaces or control characters")
    parts = urlsplit(text if "://" in text else f"//{text}")
    if parts.scheme not in {"http", "https", ""} or not parts.hostname or parts.port == 0:
        raise ValueError("not an HTTP URL")
    if "@" in parts.netloc:
        # They would be shown wherever the URL is.
        raise ValueError("contains credentials")
    return parts


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
