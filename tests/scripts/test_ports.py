"""Check of ports."""

import socket

import pytest

from scripts.home.console import UserError
from scripts.home.ports import check_port


def test_port_in_use_is_reported(socket_enabled: None) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(UserError, match=f"Port {port} is in use"):
            check_port(port)
    check_port(port)
