"""Tests of the size of a model, by its name or its server."""

from typing import Any

import pytest

from custom_components.chatterbox.agent.model.model_name import is_small, model_size, parameters_of


@pytest.mark.parametrize(
    ("model", "size"),
    [
        ("qwen2.5-coder-1.5b-instruct", 1.5),
        ("llama3.2:3b", 3),
        ("gemma3:270m", 0.27),
        ("Qwen3-30B-A3B", 30),
        ("gemma3n:e4b", 4),
        ("MiniMax-Text-1M", None),
        ("gemini-1.5-pro-1m", None),
        ("gpt-4o-mini", None),
        ("phi-4", None),
    ],
)
def test_size_is_read_from_the_name(model: str, size: float | None) -> None:
    assert model_size(model) == size
    assert is_small(model) == (size is not None and size <= 4)


@pytest.mark.parametrize(
    ("details", "parameters"),
    [
        # llama.cpp, in its list of models.
        ({"id": "m", "meta": {"n_ctx_train": 32_768, "n_params": 1_543_714_304}}, 1.543714304),
        # Ollama: /api/ps, and /api/show, where `parameters` is something else.
        ({"name": "m", "details": {"family": "qwen2", "parameter_size": "494.03M"}}, 0.49403),
        (
            {
                "parameters": "num_ctx 4096",
                "details": {"parameter_size": "7.6B"},
                "model_info": {"general.parameter_count": 7_615_616_512},
            },
            7.615616512,
        ),
        # LM Studio.
        ({"key": "m", "params_string": "4B"}, 4),
        ({"id": "m", "parameter_size": " 850k "}, 0.00085),
        # vLLM, OpenAI.
        ({"id": "m", "owned_by": "vllm", "max_model_len": 4_096}, None),
        ({}, None),
        # What cannot be a size.
        ({"details": {"parameter_size": ""}, "meta": None}, None),
        ({"details": {"parameter_size": "unknown"}}, None),
        ({"details": {"parameter_size": "0B"}}, None),
        ({"details": {"parameter_size": 7}}, None),
        ({"meta": {"n_params": 0}}, None),
        ({"meta": {"n_params": True}}, None),
        ({"meta": {"n_params": "many"}}, None),
    ],
)
def test_size_is_read_from_the_details_of_the_server(
    details: dict[str, Any], parameters: float | None
) -> None:
    assert parameters_of(details) == (pytest.approx(parameters) if parameters else None)
