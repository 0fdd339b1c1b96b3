"""Tests of the dialect provider: snapshots of the request payloads."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from custom_components.chatterbox.agent.dialects.guided.guided_context import GuidedContext
from custom_components.chatterbox.agent.dialects.profile import Profile
from custom_components.chatterbox.agent.dialects.provider import DialectProvider, DialectSettings
from custom_components.chatterbox.agent.messages import Message
from custom_components.chatterbox.agent.model.server_quirks import Quirk, ServerQuirks
from tests.agent.builders import request
from tests.agent.conftest import Connect
from tests.agent.sample_home import (
    CLOCK,
    CONTEXT,
    DESK,
    FLOOR_LAMP,
    HOME,
    LOCK,
    TOOLS,
    called,
    result,
)
from tests.agent.scripted_server import provider
from tests.fake_openai import FakeOpenAI, Reply

SMALL_HOME = replace(HOME, entities=(DESK, FLOOR_LAMP, LOCK))
OFFERED = [
    *(tool for tool in TOOLS if tool.name in {"assist__HassTurnOn", "assist__HassLightSet"}),
    *(CONTEXT, CLOCK),
]
QUESTION = [Message.system("Be brief."), Message.user("Is the front door locked?")]
LISTED = """\
Live Context: An overview of the areas and the devices in this smart home:
- names: Front Door
  domain: lock
  state: locked
"""
TOOL_CALL = called("GetLiveContext", name="Front Door", domain=["lock"])
ANSWERED = [
    *QUESTION,
    Message.assistant(None, [TOOL_CALL]),
    result({"result": LISTED}),
]


async def small_home() -> GuidedContext:
    return GuidedContext(vocabulary=SMALL_HOME)


async def payload(
    server: FakeOpenAI,
    connect: Connect,
    messages: Sequence[Message],
    profile: Profile,
    learned: Sequence[Quirk],
) -> dict[str, Any]:
    """Return the body of the request for these messages."""
    quirks = ServerQuirks()
    for quirk in learned:
        quirks.learn(quirk)
    server.default = Reply('{"topic": "other", "answer": "Yes."}')
    dialect = DialectProvider(
        provider(connect(), more={"quirks": quirks}),
        DialectSettings(profile=profile),
        quirks,
        small_home,
    )
    await dialect.complete(request(messages, OFFERED))
    body: dict[str, Any] = server.completions[-1].json
    return body


@pytest.mark.parametrize(
    ("profile", "learned"),
    [
        pytest.param(Profile.CAPABLE, [], id="native"),
        pytest.param(Profile.GUIDED, [], id="json_schema"),
        pytest.param(Profile.GUIDED, [Quirk.RESPONSE_FORMAT], id="json_object"),
        pytest.param(Profile.GUIDED, [Quirk.RESPONSE_FORMAT, Quirk.JSON_OBJECT], id="text"),
    ],
)
@pytest.mark.parametrize(
    "messages", [pytest.param(QUESTION, id="question"), pytest.param(ANSWERED, id="tool_result")]
)
async def test_payload(
    server: FakeOpenAI,
    connect: Connect,
    snapshot: SnapshotAssertion,
    *,
    messages: Sequence[Message],
    profile: Profile,
    learned: Sequence[Quirk],
) -> None:
    assert await payload(server, connect, messages, profile, learned) == snapshot
