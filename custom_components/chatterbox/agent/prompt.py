"""What a model is told beside the user's instructions, and where it is told.

The system prompt, the tools and the history are the same bytes in every request, so that a server
reads them once. What changes stands behind them: with the message, or with the results of tools.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import takewhile
from typing import Any

from .dialects.vocabulary import Mentioned, Thing, Vocabulary
from .dialects.written import Example
from .messages import Message, Role, ToolDefinition

_FAILED_NOTE = (
    "That failed. Correct the call or try another way; if nothing works, say why in plain words."
)
_UNFINISHED_NOTE = "Not done yet: {}."
_RESULT_NOTE = "Now tell the user in one short sentence, unless something else was asked as well."


class TurnMode(StrEnum):
    """What a message asks for, as far as it can be told at once."""

    CONVERSATION = "conversation"
    """Nothing can be called: just talk."""
    CONTROL = "control"
    """Something is to be changed."""
    INFORMATION = "information"
    """Something is to be looked up."""
    HYBRID = "hybrid"
    """Not clear."""


def turn_mode(tools: Sequence[ToolDefinition], *, asks: bool) -> TurnMode:
    """Return what a message can come to with these tools, and if it asks what is or was."""
    if not tools:
        return TurnMode.CONVERSATION
    reads = [tool.annotations.read_only for tool in tools]
    # Read-only tools alone can only inform; what changes something can do both.
    if asks or all(reads):
        return TurnMode.INFORMATION
    return TurnMode.HYBRID if any(reads) else TurnMode.CONTROL


_NOTES: Mapping[TurnMode, str] = {
    TurnMode.CONTROL: "Do what is asked with a tool before you say that it is done.",
    TurnMode.INFORMATION: "Look up what is asked. Change nothing unless you are asked to.",
    TurnMode.HYBRID: "Use a tool if something is to be done or looked up; else just answer.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What is true of one message only."""

    moment: Sequence[str] = ()
    """What Home Assistant tells of the time and the place, as sentences."""
    user: str | None = None
    extra: str | None = None
    """What the caller wants the model to know, such as what it is an answer to."""
    mentioned: Mentioned = field(default_factory=Mentioned)
    """What at home the message may mean, for models that do not find it in a long prompt."""
    mode: TurnMode = TurnMode.CONVERSATION
    switch: str | None = None
    """What has the model think as it is to."""


def suffix(around: Surroundings) -> str | None:
    """Return what stands behind a message, None if there is nothing to say."""
    parts = [*_meant_by_message(around.mentioned), *around.moment]
    if around.user:
        parts.append(f"The user's name is {around.user}.")
    if around.mode in _NOTES:
        parts.append(_NOTES[around.mode])
    parts += filter(None, (around.extra, around.switch))
    return " ".join(parts) or None


def _meant_by_message(mentioned: Mentioned) -> Iterator[str]:
    if mentioned.things:
        told = (
            f"{thing.name} ({f'{thing.domain}, {thing.area}' if thing.area else thing.domain})"
            for thing in mentioned.things
        )
        yield f"In this home: {'; '.join(told)}."
        if mentioned.called and len(mentioned.things) > 1:
            yield "Call a tool for each of them."
    if mentioned.area and mentioned.domain:
        arguments = json.dumps({"area": mentioned.area, "domain": [mentioned.domain]})
        yield f"This means {arguments}, without a name."
    elif mentioned.area:
        yield f"The area is {mentioned.area}."


def with_notes(messages: Sequence[Message], vocabulary: Vocabulary | None = None) -> list[Message]:
    """Return the messages with a note behind the results of tools: what to do with them.

    A note depends on what stands before it alone, so it is the same in every request.
    """
    noted = list(messages)
    ends = [
        number
        for number, message in enumerate(noted)
        if message.role is Role.TOOL
        and (number + 1 == len(noted) or noted[number + 1].role is not Role.TOOL)
    ]
    for end in ends:
        noted[end] = noted[end].told(_note(messages[: end + 1], vocabulary))
    return noted


def _note(messages: Sequence[Message], vocabulary: Vocabulary | None) -> str:
    """Return the note behind the last of these messages."""
    if any(map(_tells_failure, takewhile(_is_result, reversed(messages)))):
        return _FAILED_NOTE
    if left := ", ".join(_not_called(messages, vocabulary)) if vocabulary else "":
        return _UNFINISHED_NOTE.format(left)
    return _RESULT_NOTE


def _not_called(messages: Sequence[Message], vocabulary: Vocabulary) -> Iterator[str]:
    """Yield the names that the user called and no tool was called for."""
    asked = max(
        (number for number, message in enumerate(messages) if message.role is Role.USER), default=0
    )
    mentioned = vocabulary.mentioned(messages[asked].content or "")
    calls = [call for message in messages[asked:] for call in message.tool_calls]
    for thing in mentioned.things if mentioned.called else ():
        if not any(_is_for(call.arguments, thing) for call in calls):
            yield thing.name


def _is_for(arguments: Mapping[str, Any], thing: Thing) -> bool:
    """Tell whether a call with these arguments has to do with a thing; without any it has."""
    if (name := arguments.get("name")) is not None:
        return bool(name == thing.name)
    return arguments.get("area") in {None, thing.area}


def _is_result(message: Message) -> bool:
    return message.role is Role.TOOL


def _tells_failure(message: Message) -> bool:
    try:
        content = json.loads(message.content or "")
    except ValueError:
        return False
    return isinstance(content, dict) and content.get("success") is False


# What answers can depend on, by the tools that tell it.
_TOPICS: Mapping[str, frozenset[str]] = {
    "the home": frozenset({"GetLiveContext", "HassGetState"}),
    "the time": frozenset({"get_current_datetime", "GetDateTime", "HassGetCurrentTime"}),
    "the weather": frozenset({"get_weather", "HassGetWeather"}),
    "what was said before": frozenset({"search_history"}),
}
_GROUNDING = "Never invent a state, a number or the outcome of an action."
_SILENCE = "Call it at once; never speak of tools, of their names or their arguments."
_ENVELOPE = (
    "A tool answers in JSON: success with a result, or an error that says what to change. When it"
    " fails, try another way, or say in plain words why it did not work."
)
_DONE = "Say that something is done only after the tool that did it has succeeded."


def rules(tools: Sequence[ToolDefinition]) -> str:
    """Return what a model has to know to work with these tools; nothing if there are none."""
    if not tools:
        return ""
    short = {tool.name.rpartition("__")[2] for tool in tools}
    reasons = [topic for topic, names in _TOPICS.items() if names & short]
    when = f"the answer depends on {_or(reasons)}" if reasons else "it helps to answer"
    writes = not all(tool.annotations.read_only for tool in tools)
    if writes:
        when += ", or when something is to be changed"
    lines = [f"Use a tool whenever {when}. {_GROUNDING} {_SILENCE}", _ENVELOPE]
    return "\n".join([*lines, _DONE] if writes else lines)


def _or(words: Sequence[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last


@dataclass(frozen=True, slots=True)
class _Lesson:
    """An example that fits every home which has such a thing and such a tool."""

    tool: str
    domains: tuple[str, ...]
    said: str
    arguments: Mapping[str, Any]
    by: str = "name"
    """Which argument tells what is meant: `name`, `area`, or nothing."""


_LESSONS = (
    _Lesson("HassTurnOn", ("light",), "I want the {} to be on.", {}),
    _Lesson("HassTurnOff", ("light",), "No light in the {}.", {"domain": ["light"]}, "area"),
    _Lesson("HassTurnOn", ("light",), "Make it bright in the {}.", {"domain": ["light"]}, "area"),
    _Lesson("HassLightSet", ("light",), "{} at thirty-five percent.", {"brightness": 35}),
    _Lesson("HassLightSet", ("light",), "I would like {} in green.", {"color": "green"}),
    _Lesson("HassTurnOn", ("cover",), "Could you open the {}?", {}),
    _Lesson("HassTurnOff", ("cover",), "The {} has to be shut.", {}),
    _Lesson("HassSetPosition", ("cover",), "Bring the {} to 45 percent.", {"position": 45}),
    _Lesson("HassTurnOn", ("lock",), "Is it safe? Better lock the {}.", {}),
    _Lesson("HassTurnOff", ("lock",), "Let them in, unlock the {}.", {}),
    _Lesson("HassTurnOff", ("switch",), "I do not need the {} any more.", {}),
    _Lesson("HassClimateSetTemperature", ("climate",), "{}: 18 degrees.", {"temperature": 18}),
    _Lesson("HassFanSetSpeed", ("fan",), "Run the {} at 70 percent.", {"percentage": 70}),
    _Lesson("HassTurnOn", ("fan",), "Some wind from the {}, please.", {}),
    _Lesson("HassTurnOff", ("fan",), "Enough wind from the {}.", {}),
    _Lesson("HassMediaPause", ("media_player",), "Hold {} for a moment.", {}),
    _Lesson("GetLiveContext", ("sensor", "climate"), "What does {} say?", {}),
    _Lesson("GetLiveContext", ("lock", "cover", "light"), "Tell me how the {} is.", {}),
    _Lesson("get_weather", (), "Do I need a coat today?", {}, ""),
    _Lesson("get_current_datetime", (), "How late is it?", {}, ""),
    _Lesson("GetDateTime", (), "Which day is today?", {}, ""),
)
_SMALL_TALK = (
    Example(user="Good night!", answer="Good night, sleep well."),
    Example(user="How are you?", answer="I am fine. What can I do for you?"),
    Example(user="Thank you!", answer="You are welcome."),
)


def worked_examples(
    tools: Sequence[ToolDefinition], vocabulary: Vocabulary, limit: int
) -> list[Example]:
    """Return at most so many examples made of the tools and things that there are."""
    taught = [
        example
        for number, lesson in enumerate(_LESSONS)
        if (example := _taught(lesson, number, tools, vocabulary)) is not None
    ]
    examples = taught[: max(0, limit - len(_SMALL_TALK) - 1)]
    if len(examples) > 1:
        first, last = examples[0], examples[len(examples) // 2]
        said = f"{first.user} {last.user}"
        examples.append(Example(user=said, calls=(*first.calls, *last.calls)))
    return [*examples, *_SMALL_TALK][:limit]


def _taught(
    lesson: _Lesson, number: int, tools: Sequence[ToolDefinition], vocabulary: Vocabulary
) -> Example | None:
    name = next((t.name for t in tools if t.name.rpartition("__")[2] == lesson.tool), None)
    things = [thing for thing in vocabulary.things if thing.domain in lesson.domains]
    if name is None or (lesson.domains and not things):
        return None
    if not lesson.by:
        return Example(user=lesson.said, calls=((name, lesson.arguments),))
    # Not always the same thing: the model is to learn the form, not the name.
    meant = _meant(lesson, things[number % len(things)])
    if meant is None:
        return None
    arguments = {lesson.by: meant, **lesson.arguments}
    return Example(user=lesson.said.format(meant), calls=((name, arguments),))


def _meant(lesson: _Lesson, thing: Thing) -> str | None:
    return thing.area if lesson.by == "area" else thing.name
