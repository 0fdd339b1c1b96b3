"""Announcement of the development server."""

import pytest
from zeroconf.asyncio import AsyncZeroconf

from scripts.home import announcement
from scripts.home.announcement import SERVICE_TYPE, addresses_for_others, announced, service_name

THIS_MACHINE = "127.0.0.1"
# An address of the documentation, which no machine has.
NOBODY = "192.0.2.255"


async def test_server_is_registered_while_it_is_announced(
    socket_enabled: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a responder on this machine only; what it sends is up to the library."""
    responder = AsyncZeroconf(interfaces=[THIS_MACHINE])
    monkeypatch.setattr(announcement, "AsyncZeroconf", lambda **_: responder)
    registry = responder.zeroconf.registry
    async with announced([THIS_MACHINE], 8765):
        service = registry.async_get_info_name(service_name(8765).lower())
        assert service is not None
        assert (service.type, service.port) == (SERVICE_TYPE, 8765)
        assert service.parsed_addresses() == [THIS_MACHINE]
    assert registry.async_get_info_name(service_name(8765).lower()) is None
    assert responder.zeroconf.done


async def test_network_without_multicast_is_reported(
    socket_enabled: None, capsys: pytest.CaptureFixture[str]
) -> None:
    async with announced([NOBODY], 8765):
        pass
    assert "not announced" in capsys.readouterr().err


async def test_nothing_is_announced_without_an_address(capsys: pytest.CaptureFixture[str]) -> None:
    async with announced([], 8765):
        pass
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("host", "addresses"),
    [(THIS_MACHINE, []), ("::1", []), ("192.0.2.7", ["192.0.2.7"])],
)
def test_only_what_others_reach_is_announced(host: str, addresses: list[str]) -> None:
    assert addresses_for_others(host) == addresses


def test_all_addresses_are_those_of_the_network() -> None:
    assert THIS_MACHINE not in addresses_for_others("0.0.0.0")  # noqa: S104 - nothing listens
