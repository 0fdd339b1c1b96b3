"""Body of an HTTP response, up to a limit."""

import aiohttp

# Bytes that are read at once.
_CHUNK = 2**16


async def async_read_body(response: aiohttp.ClientResponse, limit: int) -> bytes | None:
    """Return the body of a response, None if it has more than `limit` bytes."""
    body = bytearray()
    async for chunk in response.content.iter_chunked(_CHUNK):
        body += chunk
        if len(body) > limit:
            return None
    return bytes(body)
