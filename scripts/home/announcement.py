"""Announcement of the development server in the local network, with mDNS."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from ipaddress import ip_address
from socket import gethostname

import ifaddr
from zeroconf import Error
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from .console import say

SERVICE_TYPE = "_chatterbox._tcp.local."


def addresses_for_others(host: str) -> list[str]:
    """Return the addresses at which other machines reach a server that listens at this one."""
    candidates = [host]
    if ip_address(host).is_unspecified:
        adapters = ifaddr.get_adapters()
        candidates = [str(ip.ip) for adapter in adapters for ip in adapter.ips if ip.is_IPv4]
    return [address for address in candidates if not ip_address(address).is_loopback]


def service_name(port: int) -> str:
    """Return the name of the server at this port; no other one in the network has it."""
    return f"Chatterbox {port} on {gethostname().partition('.')[0]}.{SERVICE_TYPE}"


@asynccontextmanager
async def announced(addresses: Sequence[str], port: int) -> AsyncIterator[None]:
    """Announce a server at these addresses until the context ends; without any, do nothing.

    A network without multicast is reported, and the server goes on.
    """
    if not addresses:
        yield
        return
    try:
        zeroconf = AsyncZeroconf(interfaces=[*addresses])
    except OSError as err:
        say(f"The server is not announced in the network: {err}.")
        yield
        return
    try:
        await _register(zeroconf, addresses, port)
        yield
    finally:
        await zeroconf.async_unregister_all_services()
        await zeroconf.async_close()


async def _register(zeroconf: AsyncZeroconf, addresses: Sequence[str], port: int) -> None:
    try:
        service = AsyncServiceInfo(
            SERVICE_TYPE,
            service_name(port),
            port=port,
            parsed_addresses=[*addresses],
            properties={"path": "/conversation"},
        )
        await (await zeroconf.async_register_service(service))
    except (Error, OSError) as err:
        say(f"The server is not announced in the network: {err}.")
