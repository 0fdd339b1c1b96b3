"""Action catalogue: the verbs and devices of a home, their schemas, and their tool calls."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import chain, islice
from types import MappingProxyType
from typing import Any

from ... import assist, assist_results
from ...assist import short_name
from ...home import HomeVocabulary
from ...json_schema import object_of, plain_object
from ...mentions import ExposedEntity, Mentions, RecognizedIntent, is_of
from ...messages import ToolCall, ToolDefinition
from .inventory import (
    CALENDAR,
    DATE,
    IN_USE,
    LOOK_UP,
    MISSING,
    NOW,
    PLAY,
    TIME,
    TODAY,
    TOMORROW,
    WEATHER,
    Action,
    Inventory,
)
from .offers import Offer, Schema, action_schema, may_ask_for, valueless_schemas
from .scope import Scope
from .stance import Stance, Stances

# Days of a forecast, by the last one of them.
_NEAR_DAYS = {0: NOW, 1: TODAY}
# Devices in one enumeration of the grammar, which servers compile for every request.
_MAX_DEVICES = 60
_SENSORS = frozenset({"binary_sensor", "sensor"})
# Sensors that measure what devices of a kind control.
_MEASURED = {"climate": "sensor.temperature", "humidifier": "sensor.humidity"}
_ANYTHING = Stances()
# Sensors that one look-up reads.
_MAX_SENSORS = 8


class Catalogue(Inventory):
    """Schemas of the actions of a home, and their translation to tool calls and back."""

    def entities_of(self, call: ToolCall) -> tuple[ExposedEntity, ...]:
        """Return the target entities of a call."""
        label = self._device(call.arguments)
        return () if label is None else self.targets(label)

    # Schemas.

    def commands(self, recognized: RecognizedIntent | None) -> frozenset[str]:
        """Return the verbs of a recognized command; none if it is no command of the catalogue."""
        if recognized is None or recognized.unknown_name:
            return frozenset()
        verbs = {
            name
            for name, offer in self._offers.items()
            if offer.verb.tool == recognized.name
            and (offer.verb.value is None or offer.verb.value in recognized.slots)
            and all(recognized.slots.get(key) == value for key, value in offer.verb.fixed.items())
        }
        return frozenset(verbs | (self.other_tools.keys() & {recognized.name}))

    def actions(
        self,
        scope: Scope,
        verbs: Collection[str] = (),
        slots: Mapping[str, Any] = MappingProxyType({}),
        items: Mapping[str, Sequence[str]] = MappingProxyType({}),
        stances: Stances = _ANYTHING,
    ) -> list[Schema]:
        """Return the schemas of the actions that are possible in this scope.

        `verbs` limits them to recognized ones; `slots` holds the recognized values, `items` the
        open items of to-do lists by entity id.
        """
        names_by_devices: dict[tuple[str, ...], list[str]] = {}
        schemas: list[Schema] = []
        for name, offer in self._offers.items():
            if offer.verb.of_list:
                if not verbs or name in verbs:
                    schemas += self._item_actions(offer, scope, items)
                continue
            labels = dict.fromkeys(self._devices(offer, scope, None if verbs else stances, verbs))
            value = offer.value_schema(scope.mentions, slots)
            if not labels or value is None or (verbs and name not in verbs):
                continue
            devices = tuple(islice(labels, _MAX_DEVICES))
            if value:
                schemas.append(action_schema([name], devices, value))
            else:
                names_by_devices.setdefault(devices, []).append(name)
        for devices, names in names_by_devices.items():
            schemas += valueless_schemas(names, devices, schemas, scope.mentions)
        return [*schemas, *self._other_actions(scope, verbs)]

    def _item_actions(
        self, offer: Offer, scope: Scope, items: Mapping[str, Sequence[str]]
    ) -> Iterator[Schema]:
        """Yield the schemas of a verb on the open items of the lists in scope."""
        if scope.mentions.is_question:
            return
        for entity in offer.entities:
            is_meant = entity in scope.targets.entities
            found = scope.mentions.best_of(items.get(entity.entity_id, ()), known=is_meant)
            if found:
                value = {str(offer.verb.value): {"enum": found[:_MAX_DEVICES]}}
                yield action_schema([offer.verb.name], [self._labels[entity]], value)

    def missing(self, without: Collection[str]) -> Schema | None:
        """Return the schema of a command for something that the home does not have.

        It may have any verb but those in `without`.
        """
        verbs = [name for name in self._offers if name not in without]
        return action_schema(verbs, [MISSING]) if verbs else None

    def _other_actions(self, scope: Scope, verbs: Collection[str]) -> Iterator[Schema]:
        """Yield the schemas of the other tools."""
        for verb, tool in self.other_tools.items():
            if verb in verbs or (not verbs and may_ask_for(tool, scope.mentions)):
                arguments = plain_object(tool.parameters)
                yield object_of({"verb": {"const": verb}, "arguments": arguments})

    def _devices(
        self, offer: Offer, scope: Scope, stances: Stances | None, verbs: Collection[str]
    ) -> Iterator[str]:
        """Yield the labels of the groups and entities that a verb can act on in this scope."""
        # With a word that is not known, one of all entities of a kind may be meant.
        is_in_doubt = scope.mentions.unknown and not scope.targets.certain
        groups = [
            group
            for group in scope.groups
            if offer.supports(group)
            and (not stances or self._stance_on_group(offer, group, stances) is not Stance.NO)
            and (group.is_limited or not is_in_doubt or scope.mentions.means_all)
        ]
        grouped = {entity for group in groups for entity in group.entities}
        # What is said of all others is not for the exceptions.
        are_excepted = any(group.has_exceptions for group in groups)
        exceptions = scope.mentions.exceptions if are_excepted else frozenset()
        distinct = scope.mentions.single
        supported = [
            entity
            for entity in scope.targets.entities
            if entity in offer.entities
            and (not stances or stances.of(offer.verb, [entity]) is not Stance.NO)
        ]
        is_open = distinct.isdisjoint(supported) and not scope.targets.certain
        if offer.verb.untargeted and is_open:
            if not supported and offer.verb.name in verbs:
                supported = [*offer.entities]
            # An unknown word may name one of them.
            if len(supported) > 1 and not (scope.targets.possible and scope.mentions.unknown):
                yield IN_USE
                return
        yield from (group.label for group in groups)
        for entity in supported:
            # Of a kind in a place, all are meant unless one is named.
            if entity not in exceptions and (entity in distinct or entity not in grouped):
                yield self._labels[entity]

    def look_ups(self, scope: Scope, query: RecognizedIntent | None = None) -> list[str]:
        """Return the labels of the groups, areas and entities of a scope that can be looked up.

        A recognized `query` is about what the scope certainly holds, or about a topic.
        """
        if not self.reads_states or any(assist.topics_of(query)):
            return []
        if query and scope.targets.certain:
            # The groups are the same entities: that which one call reads comes first.
            groups = sorted(
                scope.groups, key=lambda each: not assist.is_read_at_once(each.arguments)
            )
            entities = [self._labels[entity] for entity in scope.targets.certain]
            return [group.label for group in groups[:1]] or entities
        mentions, measuring = scope.mentions, self._measuring(scope)
        targets = replace(scope.targets, certain=(*scope.targets.certain, *measuring))
        sensors = {
            label: each
            for label, each in self._sensors_of_kinds.items()
            if len(set(each) & set(targets.entities)) > 1
        }
        groups = [group for group in scope.groups if not group.has_exceptions]
        # Of several entities of a kind, all are meant unless one is named.
        members = chain(*sensors.values(), *(group.entities for group in groups))
        grouped = {*members}.difference(mentions.named, mentions.partial)
        # Reading does no harm: if the target is in doubt, everything can be read.
        is_in_doubt = targets.possible and mentions.unknown and not targets.certain
        # A question for a state, or in known words alone, is about what it has other words for.
        is_plain = not (mentions.unknown or mentions.numbers)
        asks = mentions.is_question and not mentions and (mentions.asks_for_state or is_plain)
        is_of_kind = any(is_of(entity, mentions.kinds) for entity in targets.entities)
        everything = asks or (is_in_doubt and not is_of_kind)
        # A place is asked about as a whole unless something in it is.
        is_whole = mentions.unknown or not (targets.certain and mentions.has_entities)
        labels = (
            *sensors,
            *(group.label for group in groups),
            *(
                label
                for entity in targets.entities
                if entity not in grouped and (label := self._labels[entity]) not in self.calendars
            ),
            *(mentions.areas if is_whole else ()),
            *((*self.areas, *self._labels.values()) if everything else ()),
        )
        return list(islice(dict.fromkeys(labels), _MAX_DEVICES))

    def _measuring(self, scope: Scope) -> Iterator[ExposedEntity]:
        """Yield the sensors, in a mentioned place, of what devices of a mentioned kind control."""
        mentions = scope.mentions
        kinds = {_MEASURED[kind] for kind in mentions.kinds & _MEASURED.keys()}
        yield from (
            entity for entity in self.entities if is_of(entity, kinds) and mentions.places(entity)
        )

    @cached_property
    def _sensors_of_kinds(self) -> Mapping[str, tuple[ExposedEntity, ...]]:
        """Sensors of kinds that several have, by label: no verb has a group of them."""
        found: dict[str, list[ExposedEntity]] = {}
        for entity in self.entities:
            if entity.device_class and entity.domain in _SENSORS:
                found.setdefault(f"all {assist.plural(entity.device_class)}", []).append(entity)
        return {
            label: tuple(each) for label, each in found.items() if 1 < len(each) <= _MAX_SENSORS
        }

    def read_by(self, label: str, mentions: Mentions) -> list[str]:
        """Return the labels of the single look-ups that a look-up stands for."""
        if label == CALENDAR:
            named = [self._labels[entity] for entity in mentions.named]
            return [each for each in self.calendars if each in named] or [*self.calendars]
        members = self._sensors_of_kinds.get(label, ())
        if (group := self.group(label)) is not None and not assist.is_read_at_once(group.arguments):
            members = group.entities
        return [self._labels[entity] for entity in members] or [label]

    def play_schema(self, media: Iterable[Mapping[str, Any]]) -> Schema | None:
        """Return the schema of playing one of the found media, None if there are none."""
        titles = [item["title"] for item in media]
        return action_schema([PLAY], list(dict.fromkeys(titles))) if titles else None

    # Translation between actions and tool calls.

    def to_call(
        self, action: Action, media: Sequence[Mapping[str, Any]] = ()
    ) -> tuple[str, dict[str, Any]]:
        """Return the tool and the arguments of an action; `media` are those that were found."""
        verb, device = str(action.get("verb")), str(action.get("device"))
        if verb == LOOK_UP:
            return self._look_up_call(device, action.get("days"))
        if verb == PLAY and assist.PLAY_MEDIA in self._tools:
            return self._tools[assist.PLAY_MEDIA].name, assist_results.play_arguments(media, device)
        if (offer := self._offers.get(verb)) is None:
            tool, arguments = self.other_tools.get(verb), action.get("arguments")
            name = tool.name if tool else verb
            return name, dict(arguments) if isinstance(arguments, Mapping) else {}
        key = self.value_key(verb)
        value = {key: action.get(key)} if key else {}
        return offer.tool.name, {**self._target(offer, device), **value, **offer.verb.fixed}

    def _target(self, offer: Offer, device: str) -> dict[str, Any]:
        if device == IN_USE:
            return {}
        if (group := self.group(device)) is not None:
            return group.arguments
        if (entity := self.entity(device)) is None:
            return {offer.verb.target: device}
        target = {offer.verb.target: entity.name, **self._distinction(entity)}
        known = {offer.verb.target, *offer.properties}
        return {key: value for key, value in target.items() if key in known}

    def _distinction(self, entity: ExposedEntity) -> dict[str, Any]:
        """Return the arguments that distinguish an entity from others of the same name."""
        same = [e for e in self.entities if (e.name, e.domain) == (entity.name, entity.domain)]
        return assist.entity_arguments(entity, with_area=len(same) > 1)

    def _look_up_call(self, label: str, days: int | None = None) -> tuple[str, dict[str, Any]]:
        """Return the call that looks up a label; `days` are those of a forecast."""
        if label in {TIME, DATE} and label in self.topics:
            name = next(name for name in assist.DATE_TIME if name in self._tools)
            return self._tools[name].name, {}
        if label == WEATHER and label in self.topics:
            return self._tools[assist.WEATHER].name, {"days": days} if days else {}
        entity = self.entity(label)
        if entity and (found := assist.LISTINGS.get(entity.domain)) and found.tool in self._tools:
            return self._tools[found.tool].name, {found.target: entity.name, **found.fixed}
        context = self._tools.get(assist.LIVE_CONTEXT)
        name = context.name if context else assist.LIVE_CONTEXT
        if entity is not None:
            return name, {"name": entity.name, **self._distinction(entity)}
        if (group := self.group(label)) is not None:
            return name, group.arguments
        return name, {"area": label}

    def to_action(self, call: ToolCall) -> Action:
        """Return the action of a tool call, for the history."""
        short = short_name(call.name)
        if short in assist.DATE_TIME and not call.arguments:
            return {"verb": LOOK_UP, "device": TIME}
        if short == assist.WEATHER and "location" not in call.arguments:
            day = _NEAR_DAYS.get(call.arguments.get("days", 0), TOMORROW)
            return {"verb": LOOK_UP, "device": WEATHER, "day": day}
        device = self._device(call.arguments)
        if short in assist.LOOK_UP_TOOLS:
            return {"verb": LOOK_UP, "device": device or "home"}
        for name, offer in self._offers.items():
            if offer.verb.tool == short and self._fits(offer, call):
                key = self.value_key(name)
                return {
                    "verb": name,
                    "device": device or IN_USE,
                    **({key: call.arguments.get(key)} if key else {}),
                }
        return {"verb": self._verb_of_tool(call.name), "arguments": call.arguments}

    def _fits(self, offer: Offer, call: ToolCall) -> bool:
        key = self.value_key(offer.verb.name)
        same = all(call.arguments.get(k) == value for k, value in offer.verb.fixed.items())
        entities = self.entities_of(call)
        return (
            same
            and (key is None or key in call.arguments)
            and any(entity in offer.entities for entity in entities)
        )

    def _device(self, arguments: Mapping[str, Any]) -> str | None:
        """Return the label of the target of a call, None if it has no target."""
        if (name := assist.target_name(arguments)) is not None:
            return next(self._labels_of(name, arguments), name)
        area, wanted = arguments.get("area"), assist.group_part(arguments)
        groups = (group.label for group in self.groups if group.arguments == wanted)
        return next(groups, area if isinstance(area, str) else None)

    def _labels_of(self, name: str, arguments: Mapping[str, Any]) -> Iterator[str]:
        for entity, label in self._labels.items():
            if entity.name == name and assist.target_matches(arguments, entity):
                yield label


@lru_cache(maxsize=8)
def find_catalogue(tools: tuple[ToolDefinition, ...], vocabulary: HomeVocabulary) -> Catalogue:
    """Return the catalogue of tools and a home, the same one until either changes."""
    return Catalogue(tools, vocabulary)
