"""Check of ports of this machine."""

import socket

from .console import UserError


def check_port(port: int) -> None:
    """Raise `UserError` if the port is in use."""
    with socket.socket() as probe:
        # A port that has just been released can be used again.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as err:
            raise UserError(f"Port {port} is in use; choose another one with --port.") from err
