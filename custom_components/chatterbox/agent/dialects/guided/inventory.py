"""Inventory of a home: its verbs, its devices and groups, and their labels."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from ... import assist
from ...assist import Verb, short_name
from ...const import WEEKDAYS
from ...home import HomeVocabulary
from ...mentions import ExposedEntity, Mentions, SetPoint, is_of
from ...messages import ToolDefinition
from .offers import Offer, whole
from .scope import Group, find_groups
from .stance import Stance, Stances

LOOK_UP = "look_up"
PLAY = "play"
TOPICS = TIME, DATE, WEATHER, CALENDAR = "time", "date", "weather", "calendar"
NOW, WEEK, TODAY, TOMORROW = "now", "this week", "today", "tomorrow"
_NEAR_DAYS = (TODAY, TOMORROW, *WEEKDAYS)
DAYS: Mapping[str, Sequence[str]] = {WEATHER: (NOW, *_NEAR_DAYS), CALENDAR: (WEEK, *_NEAR_DAYS)}
"""The days that a topic can be looked up for; the first one if none is said."""

type Action = dict[str, Any]
"""An action of the model: `verb`, `device` and a value; or `verb` and `arguments`."""

IN_USE = "the one in use"
"""The device of a verb for which Home Assistant finds the entity itself."""
MISSING = "not in this home"
"""The device of a command for something that the home does not have."""
_RESERVED = frozenset({LOOK_UP, PLAY, *(verb.name for verb in assist.VERBS)})


def is_look_up(action: Action) -> bool:
    """Return whether an action only reads a state."""
    return action.get("verb") == LOOK_UP


def _count_days(day: str, weekday: int) -> int:
    """Return the number of a day, counted from today, which is 1; 0 if it is no single day.

    `weekday` is that of today, Monday is 0.
    """
    if day in WEEKDAYS:
        return (WEEKDAYS.index(day) - weekday) % len(WEEKDAYS) + 1
    return _NEAR_DAYS.index(day) + 1 if day in _NEAR_DAYS else 0


class Inventory:
    """Verbs of the offered tools, and the exposed entities with their labels."""

    def __init__(self, tools: Sequence[ToolDefinition], vocabulary: HomeVocabulary) -> None:
        self._tools = {short_name(tool): tool for tool in tools}
        self.entities = vocabulary.entities
        self.states = vocabulary.states
        """Names of states, by kind and state."""
        self._actions = vocabulary.actions
        self.areas = [place.name for place in vocabulary.areas]
        self._labels = vocabulary.labels
        self._by_label = {label: entity for entity, label in self._labels.items()}
        offers = (self._offer(verb) for verb in assist.VERBS)
        self._offers = {offer.verb.name: offer for offer in offers if offer is not None}
        self._short_names = Counter(map(short_name, tools))
        others = assist.other_tools(tools)
        self.other_tools = {self._verb_of_tool(tool.name): tool for tool in others}
        """The tools that are verbs of their own, by these verbs."""
        self.read_only = frozenset(tool.name for tool in tools if tool.annotations.read_only)

    def _offer(self, verb: Verb) -> Offer | None:
        if (tool := self._tools.get(verb.tool)) is None:
            return None
        entities = tuple(
            entity
            for entity in self.entities
            if (not verb.domains or entity.domain in verb.domains)
            and verb.capability in entity.capabilities
        )
        return Offer(verb, tool, entities) if entities else None

    def _verb_of_tool(self, tool: str) -> str:
        """Return the verb for a tool that no verb of the catalogue represents."""
        short = short_name(tool)
        if short in _RESERVED:
            return f"use_{tool}"
        return tool if self._short_names[short] > 1 else short

    # Verbs, entities and groups.

    @property
    def verbs(self) -> list[str]:
        """The verbs that an entity supports, and those of the other tools."""
        return [*self._offers, *self.other_tools]

    @property
    def reads_states(self) -> bool:
        """Return whether a tool returns the states of entities."""
        return assist.LIVE_CONTEXT in self._tools

    @property
    def topics(self) -> list[str]:
        """The topics that can be looked up beside devices and areas."""
        return [
            *((TIME, DATE) if self._tools.keys() & set(assist.DATE_TIME) else ()),
            *((WEATHER,) if assist.WEATHER in self._tools else ()),
            *((CALENDAR,) if self.calendars else ()),
        ]

    @cached_property
    def calendars(self) -> list[str]:
        """The labels of the calendars whose events a tool lists."""
        is_listed = assist.LISTINGS[CALENDAR].tool in self._tools
        return [
            self._labels[entity]
            for entity in self.entities
            if entity.domain == CALENDAR and is_listed
        ]

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """All groups of entities that a verb can act on with one call."""
        usable = {e for o in self._offers.values() if o.verb.groups for e in o.entities}
        found = find_groups([entity for entity in self.entities if entity in usable])
        return tuple(group for group in found if group.label not in self._by_label)

    def entities_for(self, verb: str) -> tuple[ExposedEntity, ...]:
        """Return the entities that support a verb; none if there is no such verb."""
        return self._offers[verb].entities if verb in self._offers else ()

    def value_key(self, verb: str) -> str | None:
        """Return the key of a verb's value, None if it has no value."""
        return self._offers[verb].verb.value if verb in self._offers else None

    def is_guessed(self, action: Action, mentions: Mentions) -> bool:
        """Return whether an action has a color that the message does not mention."""
        offer = self._offers.get(str(action["verb"]))
        if offer is None or not offer.verb.choices:
            return False
        return action.get(str(offer.verb.value)) not in mentions.colors

    def direction(self, verb: str) -> tuple[str, bool] | None:
        """Return the pair of opposite commands that a verb is one of, and which one; else None."""
        return assist.direction(self._offers[verb].verb) if verb in self._offers else None

    def without_reversals(self, actions: Sequence[Action]) -> list[Action]:
        """Return the actions without those that reverse another one on the same device.

        The first direction of a device counts. A device that is set to a value is not turned off.
        """
        directions = [self.direction(str(action["verb"])) for action in actions]
        is_set = {
            action.get("device")
            for action, direction in zip(actions, directions, strict=True)
            if direction is None and self.value_key(str(action["verb"]))
        }
        kept: dict[tuple[Any, str], bool] = {}
        for action, direction in zip(actions, directions, strict=True):
            if direction is not None:
                command, is_first = direction
                device = action.get("device")
                kept.setdefault((device, command), True if device in is_set else is_first)
        return [
            action
            for action, direction in zip(actions, directions, strict=True)
            if direction is None or kept[action.get("device"), direction[0]] is direction[1]
        ]

    def with_commands(self, actions: Sequence[Action], commands: Sequence[Action]) -> list[Action]:
        """Return the actions, and those commands whose devices none of them acts on."""
        if any(is_look_up(action) or "device" not in action for action in actions):
            return [*actions]
        devices = {each for action in actions for each in self.targets(str(action["device"]))}
        left_out = (c for c in commands if devices.isdisjoint(self.targets(str(c["device"]))))
        return [*actions, *left_out]

    def stance(self, action: Action, stances: Stances) -> Stance:
        """Return the stance on an action."""
        offer, label = self._offers.get(str(action["verb"])), str(action.get("device"))
        if offer is None:
            return Stance.FREE
        if offer.takes_number:
            value = float(action[str(offer.verb.value)])
            return stances.of_value(self.entity(label), value)
        if label == IN_USE:
            return stances.of(offer.verb, offer.entities)
        if (group := self.group(label)) is not None:
            return self._stance_on_group(offer, group, stances)
        entity = self.entity(label)
        return stances.of(offer.verb, [entity]) if entity else Stance.FREE

    def command_for(self, entity: ExposedEntity, stances: Stances) -> Action | None:
        """Return the command that a message states for an entity beyond doubt, None if none.

        It changes the state of the entity.
        """
        for name, offer in self._offers.items():
            if entity in offer.entities and stances.is_commanded(offer.verb, entity):
                return {"verb": name, "device": self._labels[entity]}
        return None

    def targets(self, label: str) -> tuple[ExposedEntity, ...]:
        """Return the entities with a label: one, those of a group, or none."""
        if (group := self.group(label)) is not None:
            return group.entities
        entity = self.entity(label)
        return (entity,) if entity else ()

    def is_of(self, action: Action, kinds: Collection[str]) -> bool:
        """Return whether an action is on a device of one of these kinds."""
        return any(is_of(entity, kinds) for entity in self.targets(str(action.get("device"))))

    def are_all_of(self, kinds: Collection[str], actions: Sequence[Action]) -> bool:
        """Return whether actions are on all entities of one of these kinds."""
        chosen = {self.entity(str(action.get("device"))) for action in actions}
        return any(
            chosen >= {entity for entity in self.entities if is_of(entity, {kind})}
            for kind in kinds
            if any(entity and is_of(entity, {kind}) for entity in chosen)
        )

    def state_after(self, verb: str, entities: Iterable[ExposedEntity]) -> str | None:
        """Return the name of the state in which a verb leaves entities, None if unknown."""
        state = assist.state_after(verb)
        if state is None:
            return None
        found = {
            assist.state_name(self.states, entity.domain, entity.device_class, state)
            for entity in entities
        }
        return found.pop() if len(found) == 1 else None

    def wording(self, action: Action, entities: Iterable[ExposedEntity]) -> str | None:
        """Return the value of an action, else its name in the user's language, None if unknown."""
        verb = str(action["verb"])
        if (key := self.value_key(verb)) is not None:
            return str(action[key]) if key in action else None
        domains = {entity.domain for entity in entities}
        names = {self._actions.get(each, {}).get(assist.action_of(verb, each)) for each in domains}
        return names.pop() if len(names) == 1 else None

    def changed(
        self, verb: str, group: Group, states: Mapping[str, str]
    ) -> tuple[ExposedEntity, ...]:
        """Return the entities of a group that a verb changes; all that support it if none."""
        supported = [entity for entity in group.entities if entity in self.entities_for(verb)]
        changed = tuple(
            entity
            for entity in supported
            if assist.changes(self._offers[verb].verb, states.get(entity.entity_id)) is not False
        )
        return changed or tuple(supported)

    def absolute(self, action: Action, set_points: Mapping[str, SetPoint], weekday: int) -> Action:
        """Return the action with the temperature that it results in, if it has a difference.

        `set_points` are those of the thermostats, by entity id. A look-up for a day gets the number
        of that day, counted from today, as `days`; `weekday` is that of today, Monday is 0.
        """
        if "day" in action:
            return {**action, "days": _count_days(action["day"], weekday)}
        offer = self._offers.get(str(action["verb"]))
        if offer is None or not offer.verb.step:
            return action
        device = str(action["device"])
        set_point = set_points[self._by_label[device].entity_id]
        temperature = set_point.stepped(offer.verb.step * float(action[str(offer.verb.value)]))
        return {"verb": assist.SET_TEMPERATURE, "device": device, "temperature": whole(temperature)}

    @staticmethod
    def _stance_on_group(offer: Offer, group: Group, stances: Stances) -> Stance:
        supported = [entity for entity in group.entities if entity in offer.entities]
        return stances.of(offer.verb, supported)

    @cached_property
    def numbered(self) -> frozenset[ExposedEntity]:
        """The entities that can be set to a number."""
        return frozenset(
            entity
            for offer in self._offers.values()
            if offer.takes_number
            for entity in offer.entities
        )

    def label(self, entity: ExposedEntity) -> str:
        """Return the unique name of an entity in the prompt and the grammar."""
        return self._labels[entity]

    def entity(self, label: str) -> ExposedEntity | None:
        """Return the entity with this label, None if there is none."""
        return self._by_label.get(label)

    def group(self, label: str) -> Group | None:
        """Return the group with this label, None if there is none."""
        return self._group_by_label.get(label)

    @cached_property
    def _group_by_label(self) -> Mapping[str, Group]:
        # Of two groups with one label, the first counts.
        return {group.label: group for group in reversed(self.groups)}
