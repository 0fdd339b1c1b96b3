"""Fixtures of the tests of the commands: small web servers on this machine."""

import threading
from collections.abc import Callable, Iterator, Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import override

import pytest

type Pages = Mapping[str, bytes]
type Serve = Callable[[Pages], str]


def _handler(pages: Pages) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            page = pages.get(self.path)
            self.send_response(HTTPStatus.NOT_FOUND if page is None else HTTPStatus.OK)
            self.end_headers()
            self.wfile.write(page or b"")

        @override
        def log_message(self, format: str, *args: object) -> None:
            """Keep quiet."""

    return Handler


@pytest.fixture
def serve(socket_enabled: None) -> Iterator[Serve]:
    """Return a function that serves pages and gives the address they are under."""
    running: list[tuple[ThreadingHTTPServer, threading.Thread]] = []

    def start(pages: Pages) -> str:
        server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(pages))
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        running.append((server, thread))
        return f"http://127.0.0.1:{server.server_port}"

    yield start
    for server, thread in running:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def closed_url(serve: Serve) -> str:
    """Return an address where nothing listens."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _handler({})) as server:
        return f"http://127.0.0.1:{server.server_port}"
