"""Schemas of the verbs of an action catalogue."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ... import assist
from ...assist import Verb
from ...json_schema import object_of, plain_schema
from ...mentions import ExposedEntity, Mentions
from ...messages import ToolDefinition
from ...text_match import same_word, words
from .scope import Group

type Schema = dict[str, Any]

_NUMBERS = frozenset({"integer", "number"})
_QUARTERS = (25, 50, 75)


@dataclass(frozen=True, slots=True)
class Offer:
    """A verb whose tool is offered, and the entities that support it."""

    verb: Verb
    tool: ToolDefinition
    entities: tuple[ExposedEntity, ...]

    @property
    def properties(self) -> Mapping[str, Any]:
        """The arguments of the tool."""
        return self.tool.parameters.get("properties") or {}

    def supports(self, group: Group) -> bool:
        """Return whether the verb can act on a group with one call."""
        return (
            self.verb.groups
            and (bool(group.kind) or self.verb.name == assist.TURN_OFF)
            and group.arguments.keys() <= self.properties.keys()
            and not set(group.entities).isdisjoint(self.entities)
        )

    def value_schema(self, mentions: Mentions, slots: Mapping[str, Any]) -> Schema | None:
        """Return the schema of the value as a property, None if the message has no such value.

        The schema is empty for a verb without a value. A recognized slot is the only value. A
        number must stand in the message, and a text needs a word in it that is neither of the home
        nor of Home Assistant's grammar.
        """
        if (key := self.verb.value) is None:
            return {}
        if self.verb.step:
            return {key: {"enum": list(map(whole, mentions.numbers)) or [1]}}
        if key in slots:
            return {key: {"const": whole(slots[key])}}
        if self.verb.choices:
            # A color that no word of the language stands for may be one of the unknown words.
            colors = [name for name in self.verb.choices if name in mentions.colors]
            if not colors and self._may_guess(mentions):
                colors = list(self.verb.choices)
            return {key: {"enum": colors}} if colors else None
        schema = plain_schema(self.properties.get(key) or {})
        if schema.get("type") in _NUMBERS:
            guesses = _QUARTERS if self._may_guess(mentions) else ()
            numbers = list(dict.fromkeys(map(whole, _numbers(schema, mentions, guesses))))
            return {key: {"enum": numbers}} if numbers else None
        is_missing = schema.get("type") == "string" and not mentions.unknown
        return None if is_missing else {key: schema}

    def _may_guess(self, mentions: Mentions) -> bool:
        """Return whether an unknown word may stand for a value: no direction says what to do."""
        return bool(mentions.unknown) and not any(map(mentions.directs, self.verb.domains))

    @property
    def takes_number(self) -> bool:
        """Return whether the value of the verb is a number."""
        details = self.properties.get(self.verb.value or "") or {}
        return plain_schema(details).get("type") in _NUMBERS


def _numbers(schema: Schema, mentions: Mentions, guesses: Sequence[int]) -> Iterator[float]:
    """Yield the numbers that a message may mean: its own, parts of a whole, or guesses."""
    is_part = (schema.get("minimum"), schema.get("maximum")) == (0, 100)
    yield from mentions.numbers
    if schema["type"] == "number":
        yield from mentions.halved_numbers
    if is_part:
        yield from mentions.parts
    has_number = mentions.numbers or mentions.parts
    if is_part and not (has_number or mentions.is_question):
        yield from guesses


def valueless_schemas(
    names: Sequence[str], devices: Sequence[str], valued: Sequence[Schema], mentions: Mentions
) -> Iterator[Schema]:
    """Yield the schemas of verbs without a value on these devices.

    A device that a number in the message may be for is not just turned on: `valued` are the schemas
    of the verbs with a value.
    """
    numbered = {
        device
        for schema in valued
        if (mentions.numbers or mentions.parts)
        and any(map(_is_number, schema["properties"].values()))
        for device in schema["properties"]["device"]["enum"]
    }
    rest = [device for device in devices if device not in numbered]
    if len(rest) == len(devices):
        yield action_schema(names, devices)
        return
    for only_turns_on, labels in ((False, devices), (True, rest)):
        verbs = [name for name in names if assist.only_turns_on(name) is only_turns_on]
        if verbs and labels:
            yield action_schema(verbs, labels)


def _is_number(schema: Schema) -> bool:
    return any(isinstance(value, int | float) for value in schema.get("enum", ()))


def action_schema(
    verbs: Sequence[str], devices: Sequence[str], value: Schema | None = None
) -> Schema:
    """Return the schema of an action: one of these verbs on one of these devices."""
    return object_of(
        {"verb": {"enum": list(verbs)}, "device": {"enum": list(devices)}, **(value or {})}
    )


def sample_actions(schema: Schema) -> Iterator[dict[str, Any]]:
    """Yield the actions of a schema for each verb and device, with the first of their values."""
    properties = schema["properties"]
    values = {key: each["enum"][0] for key, each in properties.items() if each.get("enum")}
    for verb in properties["verb"].get("enum", ()):
        for device in properties.get("device", {}).get("enum", ()):
            yield {**values, "verb": verb, "device": device}


def whole(value: Any) -> Any:
    """Return a number without a fraction as an integer, anything else as it is."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def may_ask_for(tool: ToolDefinition, mentions: Mentions) -> bool:
    """Return whether a message may ask for a tool; it must mention a tool that is not read-only."""
    if (kind := assist.kind_of_tool(tool)) is not None:
        needs_text = tool.annotations.read_only
        return kind in mentions.kinds and (bool(mentions.unknown) or not needs_text)
    if tool.annotations.read_only:
        return True
    named = words(f"{assist.short_name(tool)} {tool.description}")
    return any(same_word(word, each) for word in mentions.unknown for each in named)
