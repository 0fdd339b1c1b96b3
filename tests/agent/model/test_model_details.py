"""Tests of querying a server for the context window and size of a model."""

from typing import Any

import pytest

from custom_components.chatterbox.agent.model.model_details import (
    ModelDetails,
    query_model_details,
    supports_vision,
)

BASE = "http://server:1234/v1"
SHOWN = {
    "parameters": 'stop "<end>"\nnum_ctx                 8192\ntemperature 0.7',
    "model_info": {"general.architecture": "qwen2", "qwen2.context_length": 32_768},
}


async def asked(answers: dict[str, Any], model: str = "m") -> ModelDetails:
    async def ask(url: str, body: dict[str, Any] | None) -> Any:
        assert (body == {"model": model}) == url.endswith("/api/show")
        return answers.get(url.removeprefix("http://server:1234"))

    return await query_model_details(ask, BASE, model)


@pytest.mark.parametrize(
    ("answers", "window"),
    [
        ({}, None),
        ({"/props": {"default_generation_settings": {"n_ctx": 4_096}}}, 4_096),
        ({"/api/show": SHOWN}, 8_192),
        ({"/api/show": {"model_info": SHOWN["model_info"]}}, 32_768),
        ({"/api/show": {"model_info": {"general.architecture": "qwen2"}}}, None),
        (
            {
                "/api/ps": {"models": [{"name": "x"}, {"name": "m", "context_length": 4_096}]},
                "/api/show": SHOWN,
            },
            4_096,
        ),
        ({"/api/ps": {"models": [{"model": "m"}]}, "/api/show": SHOWN}, 8_192),
        (
            {
                "/api/v0/models": {
                    "data": [{"id": "m", "loaded_context_length": 4_096, "max_context_length": 9}]
                }
            },
            4_096,
        ),
        ({"/v1/models": {"data": [{"id": "x"}, {"id": "m", "max_model_len": 16_384}]}}, 16_384),
        ({"/v1/models": {"data": [{"id": "m", "context_length": 200_000}]}}, 200_000),
        ({"/v1/models": {"data": [{"id": "m", "meta": {"n_ctx": 2_048}}]}}, 2_048),
        ({"/v1/models": {"data": [{"id": "m", "context_length": 0, "meta": None}]}}, None),
        ({"/v1/models": {"data": "no list"}, "/props": [1], "/api/ps": {"models": [7]}}, None),
    ],
)
async def test_context_window_is_found(answers: dict[str, Any], window: int | None) -> None:
    assert (await asked(answers)).context_window == window


@pytest.mark.parametrize(
    ("answers", "details"),
    [
        # llama.cpp has the window in one place and the size in another.
        (
            {
                "/props": {"default_generation_settings": {"n_ctx": 4_096}},
                "/v1/models": {"data": [{"id": "m", "meta": {"n_ctx": 8, "n_params": 2e9}}]},
            },
            ModelDetails(context_window=4_096, parameters=2.0),
        ),
        (
            {
                "/api/ps": {
                    "models": [
                        {
                            "name": "m",
                            "context_length": 4_096,
                            "details": {"parameter_size": "1.5B"},
                        }
                    ]
                }
            },
            ModelDetails(context_window=4_096, parameters=1.5),
        ),
        (
            {"/api/show": {**SHOWN, "details": {"parameter_size": "1.5B"}}},
            ModelDetails(context_window=8_192, parameters=1.5),
        ),
        (
            {"/api/show": {"details": {"parameter_size": "1.5B"}}},
            ModelDetails(parameters=1.5),
        ),
        (
            {
                "/api/show": {"details": {"parameter_size": "1.5B"}},
                "/v1/models": {"data": [{"id": "m", "max_model_len": 2_048}]},
            },
            ModelDetails(context_window=2_048, parameters=1.5),
        ),
    ],
)
async def test_size_of_the_model_is_found(answers: dict[str, Any], details: ModelDetails) -> None:
    assert await asked(answers) == details


async def test_complete_details_need_no_model_list() -> None:
    shown = {**SHOWN, "details": {"parameter_size": "1.5B"}, "capabilities": ["completion"]}
    urls: list[str] = []

    async def ask(url: str, _body: dict[str, Any] | None) -> Any:
        urls.append(url)
        return shown if url.endswith("/api/show") else None

    await query_model_details(ask, BASE, "m")
    assert not [url for url in urls if url.endswith("/models")]


@pytest.mark.parametrize(
    ("details", "vision"),
    [
        ({}, None),
        ({"architecture": {"input_modalities": ["text", "image"]}}, True),
        ({"architecture": "llama"}, None),
        ({"capabilities": ["completion"]}, False),
        ({"capabilities": {"vision": True}}, True),
        ({"capabilities": {"vision": "?"}}, None),
        ({"type": "vlm"}, True),
        ({"type": "llm"}, False),
        ({"type": "model"}, None),
    ],
)
def test_vision_is_read_from_the_model_list(
    details: dict[str, Any],
    vision: bool | None,  # noqa: FBT001
) -> None:
    assert supports_vision(details) == vision


@pytest.mark.parametrize(
    ("answers", "vision"),
    [
        ({}, None),
        ({"/props": {"modalities": {"vision": True}}}, True),
        ({"/props": {"modalities": {"vision": "?"}}}, None),
        ({"/api/show": {"capabilities": ["completion", "vision"]}}, True),
        (
            {
                "/api/ps": {"models": [{"name": "m", "context_length": 4_096}]},
                "/api/show": {"capabilities": ["completion"]},
            },
            False,
        ),
        ({"/api/v0/models": {"data": [{"id": "m", "type": "vlm"}]}}, True),
        ({"/v1/models": {"data": [{"id": "m", "capabilities": {"vision": False}}]}}, False),
    ],
)
async def test_server_is_asked_whether_a_model_sees(
    answers: dict[str, Any],
    vision: bool | None,  # noqa: FBT001
) -> None:
    assert (await asked(answers)).vision is vision
