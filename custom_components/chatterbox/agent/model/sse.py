"""Parser for server-sent events.

Source: the event stream format of the HTML standard, of which servers use the data lines only.
"""

from collections.abc import AsyncGenerator, AsyncIterable

DONE = "[DONE]"


async def event_data(lines: AsyncIterable[str]) -> AsyncGenerator[str]:
    """Yield the data of every event, also of a last one without its empty line."""
    data: list[str] = []
    async for line in lines:
        if line.startswith("data:"):
            data.append(line.removeprefix("data:").removeprefix(" "))
        elif not line and data:
            yield "\n".join(data)
            data = []
    if data:
        yield "\n".join(data)
