"""Form schemas of the flows: titles, suggested models and presets."""

import pytest

from custom_components.chatterbox.flow_schemas import (
    SERVER_SCHEMA,
    server_title,
    suggested_model,
)
from homeassistant.const import CONF_API_KEY

from .form_helpers import fields


@pytest.mark.parametrize(
    ("url", "title"),
    [
        ("http://localhost:11434/v1", "Ollama (localhost:11434)"),
        ("http://192.168.1.20:11434/v1", "Ollama (192.168.1.20:11434)"),
        ("https://llm.example.com:11434/v1", "llm.example.com:11434"),
        ("https://api.openai.com/v1", "OpenAI (api.openai.com)"),
        ("https://openrouter.ai/api/v1", "OpenRouter (openrouter.ai)"),
        # Two servers have this port.
        ("http://localhost:8080/v1", "localhost:8080"),
        ("http://192.168.1.20/v1", "192.168.1.20"),
        ("https://example.com/llm/v1", "example.com"),
    ],
)
def test_server_title(url: str, title: str) -> None:
    """A server is called like its address, a well-known one by its name."""
    assert server_title(url) == title


@pytest.mark.parametrize(
    ("models", "model"),
    [([], None), (["b", "a"], "b"), (["a", "gpt-4o-mini"], "gpt-4o-mini")],
)
def test_suggested_model(models: list[str], model: str | None) -> None:
    """The usual model is suggested where there is one."""
    assert suggested_model(models) == model


def test_url_is_free_text() -> None:
    """A list with other values would lose what is typed and left without the enter key."""
    form = fields({"type": "form", "data_schema": SERVER_SCHEMA})
    assert form["base_url"]["selector"]["text"]["multiple"] is False
    assert form[CONF_API_KEY]["selector"]["text"]["type"] == "password"
