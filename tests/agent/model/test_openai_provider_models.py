"""Tests of the OpenAI provider: the list of models."""

from typing import Any

import pytest

from custom_components.chatterbox.agent.errors import LLMAPIError, LLMAuthError
from tests.agent.conftest import Connect
from tests.agent.scripted_server import QUESTION, provider, raw_whole
from tests.fake_openai import FakeOpenAI


async def test_model_list_is_sorted(server: FakeOpenAI, connect: Connect) -> None:
    """The names are sorted."""
    server.models = ("small", "large", "middle")
    assert await connect().list_models() == ["large", "middle", "small"]


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ({"object": "list", "data": []}, []),
        ({"data": [{"id": "b"}, {"id": None}, {"name": "no id"}, {"id": "a"}]}, ["a", "b"]),
    ],
)
async def test_models_without_an_id_are_left_out(
    server: FakeOpenAI, connect: Connect, body: dict[str, Any], names: list[str]
) -> None:
    server.models_reply = raw_whole(body)
    assert await connect().list_models() == names


async def test_missing_model_list_is_an_error_with_status_404(
    server: FakeOpenAI, connect: Connect
) -> None:
    """That there is no list can be told from everything else."""
    server.models = None
    with pytest.raises(LLMAPIError) as caught:
        await connect().list_models()
    assert caught.value.status_code == 404


async def test_wrong_key_is_an_authentication_error(server: FakeOpenAI, connect: Connect) -> None:
    """A key is checked by the list of models and by a completion."""
    server.api_key = "sk-right"
    for key in ("sk-wrong", None):
        endpoint = connect(api_key=key)
        with pytest.raises(LLMAuthError):
            await endpoint.list_models()
        with pytest.raises(LLMAuthError):
            await provider(endpoint).complete(QUESTION)
    assert await connect(api_key="sk-right").list_models() == ["scripted-1"]
