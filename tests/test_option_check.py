"""Check of stored options."""

import math
from types import MappingProxyType
from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.chatterbox.const import DOMAIN
from custom_components.chatterbox.option_check import check_agent, check_server

SERVER = {"base_url": "http://server/v1"}


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"prompt": None, "temperature": None, "llm_hass_api": None},
        # Forms return whole numbers as floats.
        {"max_tokens": 1024.0, "turn_timeout": 30, "temperature": 0},
        {"llm_hass_api": ["assist"], "extra_body": {"top_k": 3}, "remember": "none"},
        {"extra_body": MappingProxyType({"top_k": 3})},
        {"of_a_later_version": object()},
    ],
)
def test_usable_options_of_an_agent_pass(options: dict[str, Any]) -> None:
    check_agent({"model": "m", **options})


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"model": None}, "model cannot be of type NoneType"),
        ({"remember": "sing"}, "'sing' is not a valid Retention"),
        ({"max_tokens": "many"}, "max_tokens cannot be of type str"),
        ({"max_tokens": 10.5}, "max_tokens cannot be of type float"),
        ({"max_tokens": -1}, "max_tokens is -1"),
        ({"max_tokens": True}, "max_tokens cannot be of type bool"),
        ({"turn_timeout": math.nan}, "turn_timeout is nan"),
        ({"turn_timeout": True}, "turn_timeout cannot be of type bool"),
        ({"summarize": "yes"}, "summarize cannot be of type str"),
        ({"extra_body": ["a"]}, "extra_body cannot be of type list"),
        ({"llm_hass_api": [1]}, "llm_apis cannot be of type tuple"),
        ({"llm_hass_api": 1}, "'int' object is not iterable"),
        ({"turn_timeout": "long"}, "turn_timeout cannot be of type str"),
        ({"lead_in": 1}, "lead_in cannot be of type int"),
    ],
)
def test_option_of_an_agent_that_cannot_be_used_is_named(
    options: dict[str, Any], error: str
) -> None:
    with pytest.raises(ValueError, match=error):
        check_agent({"model": "m", **options})


def test_agent_without_a_model_is_rejected() -> None:
    with pytest.raises(ValueError, match="'model' is missing"):
        check_agent({})


def server(options: dict[str, Any] | None = None, **data: Any) -> MockConfigEntry:
    return MockConfigEntry(domain=DOMAIN, data={**SERVER, **data}, options=options or {})


def test_usable_options_of_a_server_pass() -> None:
    prices = {"prompt_price": 1, "completion_price": 2.5}
    check_server(server({"first_token_timeout": 5, **prices}, api_key="key", verify_ssl=False))


@pytest.mark.parametrize(
    ("entry", "error"),
    [
        (server(base_url="ftp://server"), "not an HTTP URL"),
        (server(base_url=None), "base_url cannot be of type NoneType"),
        (server(api_key=7), "api_key cannot be of type int"),
        (server({"first_token_timeout": "5"}), "first_token_timeout cannot be of type str"),
        (server({"prompt_price": 1, "completion_price": -2}), "completion is -2"),
        (MockConfigEntry(domain=DOMAIN, data={}), "'base_url' is missing"),
    ],
)
def test_option_of_a_server_that_cannot_be_used_is_named(
    entry: MockConfigEntry, error: str
) -> None:
    with pytest.raises(ValueError, match=error):
        check_server(entry)
