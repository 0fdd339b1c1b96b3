"""Chatterbox's own tools, for its agents and for others."""

from tests.fake_openai import FakeOpenAI

from .chatterbox import Agent, process, set_options
from .home import Home

DATE_TIME = "chatterbox__get_current_datetime"


async def test_other_agents_are_offered_the_shared_tools(
    home: Home, agent: Agent, model: FakeOpenAI
) -> None:
    """Through Home Assistant's platform for tools; the own agents get each tool once."""
    await set_options(home, agent.entry_id, shared_tools=["get_current_datetime"])
    answer = await home.respond(
        "neighbor.call_tool", tool=DATE_TIME, arguments={"timezone": "Asia/Tokyo"}
    )
    assert [name for name in answer["tools"] if name.startswith("chatterbox__")] == [DATE_TIME]
    assert (answer["error"], answer["data"]["timezone"]) == (False, "Asia/Tokyo")
    wrong = await home.respond(
        "neighbor.call_tool", tool=DATE_TIME, arguments={"timezone": "Europe"}
    )
    assert wrong["error"]
    assert "IANA" in wrong["data"]["error"]

    await process(home, agent, "What time is it in Tokyo?")
    offered = model.completions[-1].tools
    assert [name for name in offered if "get_current_datetime" in name] == ["get_current_datetime"]
    await set_options(home, agent.entry_id, shared_tools=[])
