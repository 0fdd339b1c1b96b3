"""Requests and action grammars of the sample home."""

from collections.abc import Sequence
from typing import Any

from custom_components.chatterbox.agent.dialects.guided.action_grammar import ActionGrammar
from custom_components.chatterbox.agent.dialects.guided.clarifications import Clarifications
from custom_components.chatterbox.agent.dialects.guided.guided_context import GuidedContext
from custom_components.chatterbox.agent.mentions import RecognizedIntent
from custom_components.chatterbox.agent.messages import Message, ToolDefinition
from custom_components.chatterbox.agent.model.provider import CompletionRequest
from tests.agent.sample_home import HOME, TOOLS, called, result

SYSTEM = Message.system("Be brief.")
CLARIFICATIONS = Clarifications(
    do_you_mean="This: {name}?",
    which_one="Which: {names}?",
    no_such_device="There is none.",
    confirm="Everything?",
)
TURN_ON = called("HassTurnOn", name="Desk Lamp", domain=["light"])
LOOK_UP = called("GetLiveContext", name="Desk Lamp", domain=["light"])
DONE_BEFORE = (
    Message.user("turn on the desk lamp"),
    Message.assistant(None, [TURN_ON]),
    result(),
    Message.assistant("Turned on the light."),
)


def request(
    *messages: Message | str, tools: Sequence[ToolDefinition] = TOOLS, **more: Any
) -> CompletionRequest:
    """Return a request; a text is what the user says."""
    said = [Message.user(each) if isinstance(each, str) else each for each in messages]
    return CompletionRequest(messages=(SYSTEM, *said), tools=tuple(tools), **more)


def grammar(
    asked: CompletionRequest, recognized: RecognizedIntent | None = None, **more: Any
) -> ActionGrammar:
    context = GuidedContext(
        **{"vocabulary": HOME, "clarifications": CLARIFICATIONS, "recognized": recognized, **more}
    )
    return ActionGrammar(context, asked)


def recognize(name: str, /, **slots: Any) -> RecognizedIntent:
    return RecognizedIntent(name=name, slots=slots)
