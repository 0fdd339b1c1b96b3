"""Messages with attachments: as they are sent, and as they are stored."""

from custom_components.chatterbox.agent.messages import (
    PLACEHOLDER,
    Message,
    ToolCall,
    wire_messages,
)
from custom_components.chatterbox.agent.model.request_body import ModelSettings, request_body
from custom_components.chatterbox.agent.model.server_quirks import Quirk, ServerQuirks
from tests.agent.builders import request
from tests.agent.sample_files import image, pdf

CALLS = [ToolCall(id=name, name="look_at_camera", arguments={}) for name in ("a", "b")]


def test_attachments_follow_the_text_of_the_user() -> None:
    message = Message.user("What is this?", "It is noon.", [image(), pdf()])
    (sent,) = wire_messages([message])
    assert sent == {
        "role": "user",
        "content": [
            {"type": "text", "text": "What is this?\n\n(It is noon.)"},
            image().to_wire(),
            pdf().to_wire(),
        ],
    }


def test_message_without_attachments_is_sent_as_before() -> None:
    messages = [Message.system("Be brief."), Message.user("Hello"), Message.assistant("Hi.")]
    assert wire_messages(messages) == [message.to_wire() for message in messages]


def test_images_of_results_follow_all_results_in_a_message_of_the_user() -> None:
    """Every call has its result first, and roles alternate."""
    messages = [
        Message.user("Look."),
        Message.assistant(None, CALLS),
        Message.tool("a", "{}", [image("Door")]),
        Message.tool("b", "{}", [image("Garden")]),
        Message.assistant("A cat."),
    ]
    sent = wire_messages(messages)
    roles = [message["role"] for message in sent]
    assert roles == ["user", "assistant", "tool", "tool", "assistant", "user", "assistant"]
    assert sent[3] == {"role": "tool", "content": "{}", "tool_call_id": "b"}
    assert sent[4]["content"] == PLACEHOLDER
    assert sent[5]["content"] == [
        {"type": "text", "text": "(Images from the tools: Door, Garden)"},
        image().to_wire(),
        image().to_wire(),
    ]


def test_images_of_the_last_results_are_sent() -> None:
    sent = wire_messages([Message.assistant(None, CALLS[:1]), Message.tool("a", "{}", [image()])])
    assert [message["role"] for message in sent] == ["assistant", "tool", "assistant", "user"]


def test_instructions_may_be_put_before_a_message_with_attachments() -> None:
    """For a server that rejects system messages."""
    quirks = ServerQuirks()
    quirks.learn(Quirk.SYSTEM_ROLE)
    messages = [Message.system("Be brief."), Message.user("Look.", attachments=[image()])]
    body = request_body(request(messages), ModelSettings(model="m"), quirks)
    (sent,) = body["messages"]
    assert [part.get("text") for part in sent["content"]] == ["Be brief.", "Look.", None]


def test_stored_message_has_no_attachments() -> None:
    message = Message.user("What is this?", attachments=[image()])
    assert message.to_wire() == {"role": "user", "content": "What is this?"}
    assert message.without_attachments == Message.user("What is this?")
    plain = Message.user("Hello")
    assert plain.without_attachments is plain
