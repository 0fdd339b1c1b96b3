"""Search for a model server on this machine."""

import json
from typing import Any

import pytest

from scripts.home import servers
from scripts.home.servers import Server, list_models, model_names, running_server

from .conftest import Serve


def models(*names: str) -> bytes:
    """Return a list of models as a server gives it."""
    return json.dumps({"object": "list", "data": [{"id": name} for name in names]}).encode()


@pytest.mark.parametrize(
    ("reply", "names"),
    [
        ({"data": [{"id": "a"}, {"id": "b"}]}, ["a", "b"]),
        ({"data": [{"id": ""}, {"name": "b"}, "c", {"id": 4}]}, []),
        ({"data": []}, []),
        ({"data": None}, []),
        ({"models": ["a"]}, []),
        (["a"], []),
        (None, []),
    ],
)
def test_model_names_are_read_from_a_model_list(reply: Any, names: list[str]) -> None:
    assert model_names(reply) == names


def test_models_of_a_server_are_listed(serve: Serve) -> None:
    assert list_models(serve({"/v1/models": models("m1", "m2")}) + "/v1") == ["m1", "m2"]


def test_missing_server_has_no_models(serve: Serve, closed_url: str) -> None:
    assert list_models(f"{closed_url}/v1") == []
    assert list_models(serve({}) + "/v1") == []
    assert list_models(serve({"/v1/models": b"<html>"}) + "/v1") == []


def test_search_takes_the_first_server_that_has_a_model(
    serve: Serve, closed_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = serve({"/v1/models": models("m1", "m2")}) + "/v1"
    places = {
        "closed": f"{closed_url}/v1",
        "empty": serve({"/v1/models": models()}) + "/v1",
        "found": found,
        "later": serve({"/v1/models": models("m3")}) + "/v1",
    }
    monkeypatch.setattr(servers, "LOCAL_SERVERS", places)
    assert running_server(None) == Server(found, model="m1")
    assert running_server("m2") == Server(found, model="m2")


def test_search_without_a_server_finds_none(
    closed_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servers, "LOCAL_SERVERS", {"closed": closed_url})
    assert running_server(None) is None


def test_common_ports_are_searched() -> None:
    ports = {name: url.removesuffix("/v1")[-5:] for name, url in servers.LOCAL_SERVERS.items()}
    assert ports == {"Ollama": "11434", "LM Studio": ":1234", "llama.cpp": ":8080"}


def test_key_is_not_in_the_representation() -> None:
    assert "sk-secret" not in repr(Server("http://x", "sk-secret"))
