"""Action catalogue: what can be done and looked up in the home, by verb and device."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from .. import assist
from ..assist import Verb, short_name
from ..home import ExposedEntity, HomeVocabulary, Mentions, Targets, is_of, kinds_of
from ..messages import ToolCall, ToolDefinition
from .schemas import plain_object, plain_schema

LOOK_UP = "look_up"
TIME, DATE, WEATHER = "time", "date", "weather"
ELSEWHERE = "something else"
"""The device of an action on something that is not in the home."""

type Item = dict[str, Any]
"""One entry of `do`: `verb`, `device` and the value of the verb; or `verb` and `arguments`."""
type Schema = dict[str, Any]

_FORECAST_DAYS = 3
_LIST = {"add_to_list", "complete_item", "remove_item"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """All entities of a kind, in an area, on a floor or everywhere."""

    label: str
    kind: str
    entities: tuple[ExposedEntity, ...]
    area: str | None = None
    floor: str | None = None

    @property
    def domain(self) -> str:
        """The domain of the kind."""
        return self.kind.partition(".")[0]

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments of a tool that mean this group."""
        arguments: dict[str, Any] = {"domain": [self.domain]}
        if device_class := self.kind.partition(".")[2]:
            arguments["device_class"] = [device_class]
        if self.area:
            arguments["area"] = self.area
        if self.floor:
            arguments["floor"] = self.floor
        return arguments


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What one message may be about."""

    targets: Targets = Targets()
    groups: tuple[Group, ...] = ()
    areas: tuple[str, ...] = ()
    mentions: Mentions = Mentions()


@dataclass(frozen=True, slots=True)
class _Offer:
    verb: Verb
    tool: ToolDefinition
    entities: tuple[ExposedEntity, ...]

    def can_be_done_to(self, group: Group) -> bool:
        properties = self.tool.parameters.get("properties") or {}
        return (
            self.verb.groups
            and group.arguments.keys() <= properties.keys()
            and any(entity in self.entities for entity in group.entities)
        )


class Catalogue:
    """The verbs that the offered tools have for what the home exposes, and their translation."""

    def __init__(self, tools: Sequence[ToolDefinition], vocabulary: HomeVocabulary) -> None:
        self._tools = {short_name(tool): tool for tool in tools}
        self._vocabulary = vocabulary
        self._labels = _labels(vocabulary.entities)
        self._by_label = {label: entity for entity, label in self._labels.items()}
        offers = (self._offer(verb) for verb in assist.VERBS)
        self._offers = {offer.verb.name: offer for offer in offers if offer is not None}
        self.others = tuple(assist.other_tools(tools))

    def _offer(self, verb: Verb) -> _Offer | None:
        if (tool := self._tools.get(verb.tool)) is None:
            return None
        entities = tuple(
            entity
            for entity in self._vocabulary.entities
            if (not verb.domains or entity.domain in verb.domains)
            and entity.capabilities is not None
            and verb.capability in entity.capabilities
        )
        return _Offer(verb, tool, entities) if entities else None

    @property
    def verbs(self) -> list[Verb]:
        """The verbs that something in the home supports."""
        return [offer.verb for offer in self._offers.values()]

    def entities_for(self, verb: str) -> tuple[ExposedEntity, ...]:
        """Return the entities that a verb can be done to; none if there is no such verb."""
        return self._offers[verb].entities if verb in self._offers else ()

    def value_key(self, verb: str) -> str | None:
        """Return the key of a verb's value, None if it has none."""
        value = self._offers[verb].verb.value if verb in self._offers else None
        return value.key if value else None

    @property
    def entities(self) -> tuple[ExposedEntity, ...]:
        """All exposed entities."""
        return self._vocabulary.entities

    @property
    def reads_states(self) -> bool:
        """Whether there is a tool that returns the states of entities."""
        return assist.LIVE_CONTEXT in self._tools

    def label(self, entity: ExposedEntity) -> str:
        """Return the name by which the model knows an entity, which no other one has."""
        return self._labels[entity]

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """All groups of at least two entities of a kind that a verb can be done to."""
        usable = [
            entity
            for entity in self._vocabulary.entities
            if any(entity in offer.entities for offer in self._offers.values() if offer.verb.groups)
        ]
        return tuple(_groups(usable))

    @property
    def topics(self) -> list[str]:
        """What `look_up` knows beside devices and areas."""
        found = []
        if self._tools.keys() & set(assist.DATE_TIME):
            found += [TIME, DATE]
        if assist.WEATHER in self._tools:
            found.append(WEATHER)
        return found

    def scope(self, mentions: Mentions, area: str | None = None) -> Scope:
        """Return what a message with these mentions may be about.

        `area` is where the user is.
        """
        targets = self._vocabulary.targets(mentions, area)
        return Scope(
            targets=targets,
            groups=tuple(group for group in self.groups if _is_meant(group, mentions, targets, area)),
            areas=mentions.areas,
            mentions=mentions,
        )

    def items(self, scope: Scope, *, actions: bool = True) -> list[Schema]:
        """Return the schemas of what may stand in `do` for a message with this scope."""
        schemas = self._actions(scope) if actions else []
        if (look_up := self._look_up(scope)) is not None:
            schemas.append(look_up)
        for tool in self.others if actions else ():
            schemas.append(
                _object(
                    {
                        "verb": {"const": short_name(tool)},
                        "arguments": plain_object(tool.parameters),
                    }
                )
            )
        return schemas

    def _actions(self, scope: Scope) -> list[Schema]:
        alike: dict[tuple[str, ...], list[str]] = {}
        schemas: list[Schema] = []
        for offer in self._offers.values():
            devices = tuple(self._devices(offer, scope))
            if not devices:
                continue
            if offer.verb.value is None:
                alike.setdefault(devices, []).append(offer.verb.name)
            else:
                value = {offer.verb.value.key: _value_schema(offer)}
                schemas.append(_action([offer.verb.name], devices, value))
        schemas += [_action(verbs, devices) for devices, verbs in alike.items()]
        return schemas or [_action(list(self._offers), [ELSEWHERE])]

    def _devices(self, offer: _Offer, scope: Scope) -> Iterator[str]:
        """Yield the labels of what a verb can be done to in this scope."""
        groups = [group for group in scope.groups if offer.can_be_done_to(group)]
        grouped = {entity for group in groups for entity in group.entities}
        for entity in scope.targets.entities:
            # Of a kind in a place, all are meant unless one is named.
            named = entity in scope.mentions.named or entity in scope.mentions.partial
            if entity in offer.entities and (named or entity not in grouped):
                yield self._labels[entity]
        yield from (group.label for group in groups)

    def _look_up(self, scope: Scope) -> Schema | None:
        known = assist.LIVE_CONTEXT in self._tools
        entities = (scope.targets.entities or self._vocabulary.entities) if known else ()
        about = [
            *(self._labels[entity] for entity in entities),
            *(group.label for group in scope.groups if known),
            *(scope.areas if known else ()),
            *self.topics,
        ]
        if not about:
            return None
        return _object({"verb": {"const": LOOK_UP}, "device": {"enum": about}})

    def call(self, item: Item) -> tuple[str, dict[str, Any]] | None:
        """Return the name and the arguments of the tool call that an item stands for.

        None if nothing in the home is meant.
        """
        verb, device = item.get("verb"), item.get("device")
        if device == ELSEWHERE:
            return None
        if verb == LOOK_UP:
            return self._look_up_call(str(device))
        if (offer := self._offers.get(str(verb))) is None:
            tool = self._tools.get(str(verb))
            arguments = item.get("arguments")
            name = tool.name if tool else str(verb)
            return name, dict(arguments) if isinstance(arguments, Mapping) else {}
        value = {offer.verb.value.key: item.get(offer.verb.value.key)} if offer.verb.value else {}
        return offer.tool.name, {**self._target(offer, str(device)), **value}

    def _target(self, offer: _Offer, device: str) -> dict[str, Any]:
        if (group := self._group(device)) is not None:
            return {**group.arguments, **offer.verb.fixed}
        entity = self._by_label.get(device)
        if entity is None:
            return {offer.verb.target: device, **offer.verb.fixed}
        return assist.arguments_for(
            offer.verb, offer.tool, entity, name_is_unique=self._is_unique(entity)
        )

    def _is_unique(self, entity: ExposedEntity) -> bool:
        return (
            sum(
                (other.name, other.domain) == (entity.name, entity.domain)
                for other in self._vocabulary.entities
            )
            == 1
        )

    def _group(self, label: str) -> Group | None:
        return next((group for group in self.groups if group.label == label), None)

    def _look_up_call(self, about: str) -> tuple[str, dict[str, Any]]:
        if about in {TIME, DATE}:
            tool = next(self._tools[name] for name in assist.DATE_TIME if name in self._tools)
            return tool.name, {}
        if about == WEATHER and assist.WEATHER in self._tools:
            return self._tools[assist.WEATHER].name, {"days": _FORECAST_DAYS}
        entity = self._by_label.get(about)
        if entity and entity.domain == "todo" and assist.TODO_ITEMS in self._tools:
            return self._tools[assist.TODO_ITEMS].name, {"todo_list": entity.name}
        if entity and entity.domain == "calendar" and assist.CALENDAR_EVENTS in self._tools:
            events = {"calendar": entity.name, "range": "week"}
            return self._tools[assist.CALENDAR_EVENTS].name, events
        context = self._tools.get(assist.LIVE_CONTEXT)
        name = context.name if context else assist.LIVE_CONTEXT
        if entity is not None:
            arguments = {"name": entity.name, "domain": [entity.domain]}
            if not self._is_unique(entity) and entity.area:
                arguments["area"] = entity.area
            return name, arguments
        if (group := self._group(about)) is not None:
            return name, {k: v for k, v in group.arguments.items() if k in {"domain", "area"}}
        return name, {"area": about}

    def item(self, call: ToolCall) -> Item:
        """Return the item that stands for a tool call, as it is shown in the history."""
        short = short_name(call.name)
        if short in assist.DATE_TIME:
            return {"verb": LOOK_UP, "device": TIME}
        if short == assist.WEATHER and "location" not in call.arguments:
            return {"verb": LOOK_UP, "device": WEATHER}
        if short in {assist.LIVE_CONTEXT, assist.TODO_ITEMS, assist.CALENDAR_EVENTS}:
            return {"verb": LOOK_UP, "device": self._device(call.arguments) or "home"}
        device = self._device(call.arguments)
        for offer in self._offers.values():
            if offer.verb.tool == short and device and self._fits(offer, call, device):
                value = offer.verb.value
                extra = {value.key: call.arguments.get(value.key)} if value else {}
                return {"verb": offer.verb.name, "device": device, **extra}
        return {"verb": short, "arguments": call.arguments}

    def _fits(self, offer: _Offer, call: ToolCall, device: str) -> bool:
        verb = offer.verb
        if verb.value and verb.value.key not in call.arguments:
            return False
        if any(call.arguments.get(key) != value for key, value in verb.fixed.items()):
            return False
        group = self._group(device)
        entities = group.entities if group else [self._by_label.get(device)]
        return any(entity in offer.entities for entity in entities)

    def _device(self, arguments: Mapping[str, Any]) -> str | None:
        """Return the label of what the arguments of a call mean."""
        for key in ("name", "player_name", "todo_list", "calendar"):
            if isinstance(name := arguments.get(key), str):
                domains = arguments.get("domain") or ()
                fitting = [
                    label
                    for entity, label in self._labels.items()
                    if entity.name == name
                    and (not domains or entity.domain in domains)
                    and arguments.get("area") in {None, entity.area}
                ]
                return fitting[0] if fitting else name
        wanted = {k: v for k, v in arguments.items() if k in {"domain", "area", "floor"}}
        for group in self.groups:
            if {k: v for k, v in group.arguments.items() if k != "device_class"} == wanted:
                return group.label
        area = arguments.get("area")
        return area if isinstance(area, str) else None


def _value_schema(offer: _Offer) -> Schema:
    value = offer.verb.value
    if value is None:
        return {}
    if value.values:
        return {"enum": list(value.values)}
    schema = plain_schema((offer.tool.parameters.get("properties") or {}).get(value.key) or {})
    return schema


def _object(properties: Schema) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _labels(entities: Iterable[ExposedEntity]) -> dict[ExposedEntity, str]:
    """Return a label for every entity: its name, with its kind and area where that is shared."""
    entities = list(entities)
    for describe in (_by_name, _by_kind, _by_area):
        counts = Counter(map(describe, entities))
        if len(counts) == len(entities):
            break
    names = Counter(map(_by_name, entities))
    kinds = Counter(map(_by_kind, entities))
    labels: dict[ExposedEntity, str] = {}
    for entity in entities:
        label = _by_name(entity)
        if names[label] > 1:
            label = _by_kind(entity)
            if kinds[label] > 1:
                label = _by_area(entity)
        labels[entity] = label
    return labels


def _by_name(entity: ExposedEntity) -> str:
    return entity.name


def _by_kind(entity: ExposedEntity) -> str:
    return f"{entity.name} ({entity.domain.replace('_', ' ')})"


def _by_area(entity: ExposedEntity) -> str:
    return f"{entity.name} ({entity.domain.replace('_', ' ')}, {entity.area or entity.entity_id})"


def _groups(entities: Sequence[ExposedEntity]) -> Iterator[Group]:
    kinds = dict.fromkeys(
        kind
        for entity in entities
        for kind in kinds_of(entity)
        if kind == entity.domain or entity.domain == "cover"
    )
    for kind in kinds:
        members = tuple(entity for entity in entities if is_of(entity, {kind}))
        whole = Group(label=f"all {assist.plural(kind)}", kind=kind, entities=members)
        if len(members) > 1:
            yield whole
        for floor in sorted({entity.floor for entity in members if entity.floor}):
            there = tuple(entity for entity in members if entity.floor == floor)
            if len(there) > 1:
                yield replace(
                    whole, label=f"{whole.label} on {floor}", floor=floor, entities=there
                )
        for area in sorted({entity.area for entity in members if entity.area}):
            there = tuple(entity for entity in members if entity.area == area)
            if len(there) > 1:
                yield replace(whole, label=f"{whole.label} in {area}", area=area, entities=there)


def _is_meant(group: Group, mentions: Mentions, targets: Targets, area: str | None) -> bool:
    """Return whether a message may mean all entities of a group."""
    if set(group.entities).isdisjoint(targets.entities):
        return False
    if mentions.kinds.isdisjoint({group.kind, group.domain}) and not mentions.everything:
        return False
    if mentions.areas or mentions.floors:
        return group.area in mentions.areas or group.floor in mentions.floors
    if group.area or group.floor:
        return area is not None and group.area == area and not mentions.everything
    return mentions.everything or area is None


def _action(verbs: Sequence[str], devices: Sequence[str], value: Schema | None = None) -> Schema:
    return _object({"verb": {"enum": verbs}, "device": {"enum": devices}, **(value or {})})
