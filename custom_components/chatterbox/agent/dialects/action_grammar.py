"""Action grammar: an answer is one JSON object, held to what the home offers for the message.

    {"topic": "home", "do": [{"verb": "turn_on", "device": "Desk Lamp"}]}
    {"topic": "other", "answer": "Rome is the capital of Italy."}

The topic comes first: a small model that has to decide it before anything else does not take a
question of arithmetic for a temperature. Verbs decide the domain, devices are enumerations of what
the message mentions, and both are translated to ordinary tool calls and back.
"""

import json
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, override

from .. import assist
from ..home import HomeVocabulary
from ..messages import Message, Role, ToolCall, ToolDefinition
from .catalogue import ELSEWHERE, Catalogue, Item, Previous, Schema, Scope
from .dialect import Dialect, Request, with_instructions
from .examples import worked_examples

_INSTRUCTIONS = """\
# Devices
{devices}

# How you answer
Answer with one JSON object and nothing else.
When something at home is to be done or looked up: {{"topic": "home", "do": [{{"verb": "…", "device": "…"}}]}}
For everything else, such as knowledge, arithmetic, jokes, greetings and thanks: {{"topic": "other", "answer": "…"}}
Verbs: {verbs}. `look_up` reads the state of a device, the time, the date or the weather. The device is "{elsewhere}" if it is none of those above.{others}

# Examples
{examples}"""  # noqa: E501 - a line break in the text is one for the model
_ANSWER_NOW = "Answer the question with this in one short sentence."
_LONGEST_DO = 4
_LONGEST_RESULT = 4000


@dataclass(frozen=True, slots=True, kw_only=True)
class Clarifications:
    """What the agent asks or says where it is not clear which device is meant."""

    do_you_mean: str = "Do you mean {name}?"
    which_one: str = "Which one do you mean: {names}?"
    no_such_device: str = "I cannot find that device."
    confirm: str = "Are you sure?"


@dataclass(frozen=True, slots=True, kw_only=True)
class GuidedContext:
    """What the action grammar has to know of the home and of the moment."""

    vocabulary: HomeVocabulary = field(default_factory=HomeVocabulary)
    area: str | None = None
    """Where the user is."""
    language: str = ""
    """The name of the user's language in English, empty for English."""
    clarifications: Clarifications = Clarifications()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What an answer came to."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()


class ActionGrammar(Dialect):
    """Calls and answers as one JSON object, for small models and servers without tool calling."""

    def __init__(self, context: GuidedContext, request: Request) -> None:
        self._context = context
        self._request = request
        self._catalogue = Catalogue(request.tools, context.vocabulary)
        self._scope = self._scope_of(request.messages)

    def _scope_of(self, messages: Sequence[Message]) -> Scope:
        *earlier, current = (i for i, m in enumerate(messages) if m.role is Role.USER)
        text = messages[current].content or ""
        start = earlier[-1] if earlier else current
        before = messages[start:current]
        previous = Previous(
            calls=tuple(call for message in before for call in message.tool_calls),
            mentions=self._context.vocabulary.mentions(
                " ".join(m.content or "" for m in before if m.role is not Role.TOOL)
            ),
        )
        mentions = self._context.vocabulary.mentions(text)
        return self._catalogue.scope(mentions, self._context.area, previous)

    @override
    def encode(self, request: Request) -> Request:
        """Return the request with the catalogue in its prompt and the grammar of the answer."""
        schema = reply_schema(self._items(), answers=request.tool_choice != "required")
        messages = with_instructions(self._dialog(request.messages), self._instructions())
        return replace(
            request,
            messages=messages,
            tools=(),
            tool_choice="auto",
            response_format={
                "type": "json_schema",
                "json_schema": {"name": "reply", "strict": True, "schema": schema},
            },
        )

    def _items(self) -> list[Schema]:
        request = self._request
        if request.tool_choice == "none":
            return []
        if request.messages[-1].role is Role.TOOL:
            # What was looked up is answered with; nothing else is done with it.
            return [schema] if (schema := self._catalogue.play_schema(self._found())) else []
        return self._catalogue.items(self._scope)

    def _found(self) -> list[Mapping[str, Any]]:
        """Return the media that the last search has found."""
        return assist.found_media(self._request.messages)

    def _instructions(self) -> str:
        catalogue = self._catalogue
        others = "".join(f"\n`{tool}`: {text}" for tool, text in catalogue.other_verbs)
        examples = (
            f"User: {example.user}\n"
            f"You: {write_do(example.do) if example.do else write_answer(example.answer)}"
            for example in worked_examples(catalogue)
        )
        return _INSTRUCTIONS.format(
            devices="\n".join(catalogue.device_lines()) or "There are none.",
            verbs=", ".join(verb.name for verb in catalogue.verbs) or "none",
            elsewhere=ELSEWHERE,
            others=others,
            examples="\n".join(examples),
        )

    def _dialog(self, messages: Sequence[Message]) -> list[Message]:
        """Return the history in the form of this dialect."""
        dialog: list[Message] = []
        number = 0
        while number < len(messages):
            message = messages[number]
            number += 1
            if message.tool_calls:
                dialog.append(
                    Message.assistant(write_do(map(self._catalogue.item, message.tool_calls)))
                )
                end = number
                while end < len(messages) and messages[end].role is Role.TOOL:
                    end += 1
                results = messages[number:end]
                number = end
                if self._is_only_done(message, results) and end < len(messages):
                    # The confirmation was not the model's; the next word is the user's.
                    number += messages[end].role is Role.ASSISTANT
                elif results:
                    dialog.append(Message.user(self._results(message, results)))
            elif message.role is Role.ASSISTANT:
                dialog.append(Message.assistant(write_answer(message.content or "")))
            else:
                dialog.append(message)
        return dialog

    def _is_only_done(self, message: Message, results: Sequence[Message]) -> bool:
        """Return whether all calls of a message were actions that succeeded."""
        return not any(map(assist.is_failure, results)) and not any(
            self._is_read(call) for call in message.tool_calls
        )

    def _is_read(self, call: ToolCall) -> bool:
        return any(
            tool.name == call.name and tool.annotations.read_only for tool in self._request.tools
        )

    def _results(self, message: Message, results: Sequence[Message]) -> str:
        calls = {call.id: call for call in message.tool_calls}
        lines = []
        for result in results:
            call = calls.get(result.tool_call_id or "")
            about = write_item(self._catalogue.item(call)) if call else "it"
            lines.append(f"Result of {about}:\n{assist.result_text(result)[:_LONGEST_RESULT]}")
        language = f" Answer in {self._context.language}." if self._context.language else ""
        return "\n\n".join([*lines, f"({_ANSWER_NOW}{language})"])

    def decoder(self) -> "ReplyDecoder":
        """Return the decoder of one answer."""
        return ReplyDecoder(self._reply)

    def _reply(self, items: Sequence[Item]) -> Reply:
        """Return the calls of the items, or what is to be asked before."""
        unique = list({write_item(item): item for item in items}.values())
        texts: list[str] = []
        calls: list[ToolCall] = []
        for item in unique:
            translated = self._catalogue.call(item, self._found())
            if translated is None:
                texts.append(self._context.clarifications.no_such_device)
            elif (names := self._catalogue.alternatives(item, unique, self._scope)) is not None:
                texts.append(self._context.clarifications.which_one.format(names=", ".join(names)))
            else:
                name, arguments = translated
                calls.append(
                    ToolCall(
                        id=f"call_{uuid.uuid4().hex[:24]}",
                        name=name,
                        arguments=arguments,
                        question=self._question(item),
                    )
                )
        return Reply(text=" ".join(dict.fromkeys(texts)), calls=tuple(calls))

    def _question(self, item: Item) -> str | None:
        """Return what to ask before an item is done, None if it is clear what is meant."""
        if not self._catalogue.is_doubtful(item, self._scope):
            return None
        clarifications = self._context.clarifications
        if (entity := self._catalogue.entity(str(item.get("device")))) is None:
            return clarifications.confirm
        return clarifications.do_you_mean.format(name=entity.name)


def reply_schema(items: Sequence[Schema], *, answers: bool = True) -> Schema:
    """Return the schema of an answer that may do these things, or just speak."""
    answer = _object({"topic": {"const": "other"}, "answer": {"type": "string"}})
    if not items:
        return answer
    do = {
        "type": "array",
        "items": items[0] if len(items) == 1 else {"anyOf": list(items)},
        "minItems": 1,
        "maxItems": _LONGEST_DO,
    }
    home = _object({"topic": {"const": "home"}, "do": do})
    return {"anyOf": [home, answer]} if answers else home


def _object(properties: Schema) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def write_do(items: "Iterator[Item] | Sequence[Item]") -> str:
    """Return an answer that does something."""
    return write_item({"topic": "home", "do": list(items)})


def write_answer(answer: str) -> str:
    """Return an answer that speaks."""
    return write_item({"topic": "other", "answer": answer})


def write_item(value: Mapping[str, Any]) -> str:
    """Return JSON as models write it most often; the order of the keys is kept."""
    return json.dumps(value, ensure_ascii=False, default=str)
