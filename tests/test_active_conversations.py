"""Active conversations, and the rest of cancelled turns."""

from custom_components.chatterbox.active_conversations import ActiveConversations

from .builders import user_message


def test_old_conversations_are_forgotten() -> None:
    conversations, message = ActiveConversations(), user_message()
    first = conversations.get("0", message)
    for number in range(200):
        conversations.get(str(number), message)
    assert conversations.get("0", message) is first
    conversations.get("200", message)
    conversations.get("201", message)
    assert conversations.get("0", message) is first


def test_a_conversation_goes_on_under_another_id() -> None:
    conversations = ActiveConversations()
    first = conversations.get("first", user_message(user_id="ada"))
    first.begin(user_message(user_id="ada"))
    assert (
        conversations.get("second", user_message(user_id="ada", conversation_id="first")) is first
    )
    assert (
        conversations.get("third", user_message(user_id="bob", conversation_id="first"))
        is not first
    )
    assert (
        conversations.get("fourth", user_message(user_id="ada", conversation_id="unknown"))
        is not first
    )
