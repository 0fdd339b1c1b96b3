"""HTTP client of a server with the OpenAI API."""

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from types import MappingProxyType

import aiohttp
from aiohttp import hdrs
from yarl import URL

from ..errors import LLMAuthError
from .http_errors import HttpStatusError
from .response_body import read_beginning

MAX_ERROR = 2**16
"""Bytes that are read of an error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeouts:
    """Timeouts of a server, in seconds."""

    connect: float = 10
    first_token: float = 60
    between_tokens: float = 30


class HttpClient:
    """Sends requests to a server, through a shared session that is never closed here.

    Only the time for connecting is limited. Redirects are not followed: the key is for this server.
    """

    def __init__(
        self,
        session: aiohttp.ClientSession,
        base_url: str,
        api_key: str | None,
        connect_timeout: float,
        headers: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._session = session
        self._base_url = base_url
        self._timeout = aiohttp.ClientTimeout(total=None, connect=connect_timeout)
        # Compression would hold tokens back.
        self._headers: dict[str, str] = {**headers, hdrs.ACCEPT_ENCODING: "identity"}
        if api_key:
            self._headers[hdrs.AUTHORIZATION] = f"Bearer {api_key}"
        self._post_headers = {**self._headers, hdrs.CONTENT_TYPE: "application/json"}

    async def get(self, path: str) -> aiohttp.ClientResponse:
        """Return the response to a GET request, whose body is still to be read.

        Raises `HttpStatusError` for a status that is no success, `LLMAuthError` for a key that is
        no header, and the errors of aiohttp.
        """
        return await self._request(hdrs.METH_GET, path, self._headers, None)

    async def post(self, path: str, content: bytes) -> aiohttp.ClientResponse:
        """Return the response to a POST request of JSON; see `get`."""
        return await self._request(hdrs.METH_POST, path, self._post_headers, content)

    async def _request(
        self, method: str, path: str, headers: dict[str, str], content: bytes | None
    ) -> aiohttp.ClientResponse:
        try:
            response = await self._session.request(
                method,
                URL(self._base_url + path),
                data=content,
                headers=headers,
                timeout=self._timeout,
                allow_redirects=False,
            )
        except aiohttp.ClientError:
            # Some of them are `ValueError`s as well.
            raise
        except ValueError as err:
            # Control characters, with which a key could add headers.
            raise LLMAuthError("the key cannot be sent") from err
        if HTTPStatus.OK <= response.status < HTTPStatus.MULTIPLE_CHOICES:
            return response
        body = await read_beginning(response, MAX_ERROR)
        raise HttpStatusError(
            response.status, body.decode(errors="replace"), response.headers.get(hdrs.RETRY_AFTER)
        )
