"""Body of an HTTP response."""

import pytest
from pytest_homeassistant_custom_component.test_util.aiohttp import AiohttpClientMocker

from custom_components.chatterbox.http_body import async_read_body
from homeassistant.core import HomeAssistant

URL = "http://example.test/"


@pytest.mark.parametrize(
    ("size", "is_read"), [(0, True), (5, True), (100_000, True), (100_001, False)]
)
async def test_body_is_read_up_to_a_limit(
    hass: HomeAssistant,
    aioclient_mock: AiohttpClientMocker,
    size: int,
    is_read: bool,  # noqa: FBT001 - a column
) -> None:
    aioclient_mock.get(URL, content=b"x" * size)
    session = aioclient_mock.create_session(hass.loop)
    async with session.get(URL) as response:
        body = await async_read_body(response, 100_000)
    await session.close()
    assert body == (b"x" * size if is_read else None)
