"""Prompt of the guided profile: instructions with worked examples, and the history as replies."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from ... import assist, assist_results
from ...mentions import ExposedEntity
from ...messages import Message, Role
from .catalogue import Catalogue
from .examples import worked_examples
from .inventory import LOOK_UP, MISSING
from .replies import write_actions, write_answer, write_json, write_topic

_INSTRUCTIONS = """\
# Devices
{devices}

# How you answer
Answer with one JSON object and nothing else.
To do something at home: {{"topic": "home", "do": [{{"verb": "…", "device": "…"}}]}}
If no device fits, the device is "{missing}".
To read the state of devices: {{"topic": "home", "look_up": ["…"]}}{topics}
For everything else, such as knowledge, arithmetic, jokes, greetings and thanks: {{"topic": "other", "answer": "…"}}
Verbs: {verbs}.{others}

# Examples
{examples}"""  # noqa: E501 - a line break in the text is one for the model
_ANSWER_NOW = "Now answer the user in one short sentence."
_MAX_RESULT_LENGTH = 4000
# Characters of the device names in the prompt.
_DEVICES_BUDGET = 8000


@lru_cache(maxsize=8)
def build_instructions(catalogue: Catalogue) -> str:
    """Return the instructions for the system prompt; they depend on the catalogue only."""
    examples = (
        f"User: {example.user}\n"
        f"You: {write_actions(example.do) if example.do else write_answer(example.answer)}"
        for example in worked_examples(catalogue)
    )
    others = (f"\n- {verb}: {tool.description}" for verb, tool in catalogue.other_tools.items())
    return _INSTRUCTIONS.format(
        devices="\n".join(device_lines(catalogue)) or "There are none.",
        topics="".join(
            f"\nTo read the {topic}: {write_topic(topic)}" for topic in catalogue.topics
        ),
        missing=MISSING,
        verbs=", ".join(catalogue.verbs) or "none",
        others="".join(others),
        examples="\n".join(examples),
    )


def device_lines(catalogue: Catalogue) -> list[str]:
    """Return a line for every area: its name, and its devices with their kinds.

    A large home has only the kinds: the names that a message mentions are in the grammar.
    """
    areas: dict[str, list[ExposedEntity]] = {}
    for entity in catalogue.entities:
        areas.setdefault(entity.area or "Elsewhere", []).append(entity)
    lines = [
        f"- {area}: {', '.join(_described(catalogue, entity) for entity in entities)}"
        for area, entities in sorted(areas.items())
    ]
    if sum(map(len, lines)) <= _DEVICES_BUDGET:
        return lines
    kinds = {
        area: sorted({assist.plural(entity.domain) for entity in entities})
        for area, entities in sorted(areas.items())
    }
    return [f"- {area}: {', '.join(names)}" for area, names in kinds.items()]


def _described(catalogue: Catalogue, entity: ExposedEntity) -> str:
    label = catalogue.label(entity)
    return label if label != entity.name else f"{label} ({entity.domain.replace('_', ' ')})"


def encode_history(
    messages: Sequence[Message], catalogue: Catalogue, language: str
) -> list[Message]:
    """Return the messages with tool calls, results and answers as the action grammar has them.

    `language` is the English name of the language of the answer, empty for English.
    """
    return list(_encode_history(messages, catalogue, language))


def _encode_history(
    messages: Sequence[Message], catalogue: Catalogue, language: str
) -> Iterator[Message]:
    position = 0
    while position < len(messages):
        message = messages[position]
        position += 1
        if message.tool_calls:
            yield Message.assistant(
                write_actions(list(map(catalogue.to_action, message.tool_calls)))
            )
            end = position
            while end < len(messages) and messages[end].role is Role.TOOL:
                end += 1
            results, position = messages[position:end], end
            following = messages[end] if end < len(messages) else None
            if (
                following is not None
                and not following.tool_calls
                and _has_only_acted(message, results, catalogue)
            ):
                # The model did not write the confirmation; the user's next message follows.
                position += following.role is Role.ASSISTANT
            elif results:
                yield Message.user(
                    _results(message, results, catalogue, language),
                    attachments=[each for result in results for each in result.attachments],
                )
        elif message.role is Role.ASSISTANT:
            yield Message.assistant(write_answer(message.content or ""))
        else:
            yield message


def _has_only_acted(message: Message, results: Sequence[Message], catalogue: Catalogue) -> bool:
    """Return whether all calls of a message were actions that succeeded."""
    return not any(map(assist_results.is_failure, results)) and catalogue.read_only.isdisjoint(
        call.name for call in message.tool_calls
    )


def _results(
    message: Message, results: Sequence[Message], catalogue: Catalogue, language: str
) -> str:
    calls = {call.id: call for call in message.tool_calls}
    lines = []
    for result in results:
        call = calls.get(result.tool_call_id or "")
        action = catalogue.to_action(call) if call else {}
        about = action["device"] if action.get("verb") == LOOK_UP else write_json(action)
        text = assist_results.result_text(result, catalogue.states)[:_MAX_RESULT_LENGTH]
        lines.append(f"Result of {about}:\n{text}")
    suffix = f" Answer in {language}." if language else ""
    return "\n\n".join([*lines, f"({_ANSWER_NOW}{suffix})"])


def with_instructions(messages: Sequence[Message], instructions: str) -> tuple[Message, ...]:
    """Return the messages with instructions at the end of the system prompt."""
    if messages and messages[0].role == "system":
        opening = messages[0]
        content = f"{opening.content or ''}\n\n{instructions}".lstrip()
        return (replace(opening, content=content), *messages[1:])
    return (Message.system(instructions), *messages)
