"""Scope of a message: the entities and groups that it may refer to, and with what certainty."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ... import assist
from ...home import HomeVocabulary
from ...mentions import ExposedEntity, Mentions, RecognizedIntent, Targets, is_of, kinds_of
from ...text_match import words

_SMALLEST_GROUP = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """All entities of a kind, in an area, on a floor or everywhere."""

    label: str
    kind: str
    """Empty for all devices of any kind, which can only be turned off."""
    entities: tuple[ExposedEntity, ...]
    area: str | None = None
    floor: str | None = None
    has_exceptions: bool = False
    """True without the entities that a message names: it takes a call for each of the others."""

    @property
    def domain(self) -> str:
        """The domain of the kind."""
        return self.kind.partition(".")[0]

    @property
    def is_limited(self) -> bool:
        """Return whether the group is that of an area or a floor."""
        return bool(self.area or self.floor)

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments of a tool call for this group."""
        return assist.group_arguments(self.kind, self.area, self.floor)


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviousTurn:
    """Targets and words of the previous turn."""

    entities: tuple[ExposedEntity, ...] = ()
    """Targets of its calls."""
    user_text: str = ""
    """Words of the user."""
    answer_text: str = ""
    """Words of the answer, which may quote untrusted text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Entities and groups that a message may refer to."""

    mentions: Mentions = field(default_factory=Mentions)
    targets: Targets = field(default_factory=Targets)
    groups: tuple[Group, ...] = ()

    @property
    def nearby(self) -> frozenset[ExposedEntity]:
        """The entities of which neither the name nor the kind is mentioned."""
        mentions = self.mentions
        return frozenset(
            entity
            for entity in self.targets.possible
            if entity not in mentions.partial and not is_of(entity, mentions.kinds)
        )

    @property
    def strays(self) -> frozenset[ExposedEntity]:
        """The entities with a word of their name beside words for other kinds or places.

        *All downstairs lights* may be said in a home where only the *Downstairs heating* has that
        word in its name; then neither it nor all lights are meant with certainty.
        """
        kinds = self.mentions.kinds
        return self.mentions.misplaced | {
            entity for entity in self.mentions.partial if kinds and not is_of(entity, kinds)
        }

    def alternatives(self, entity: ExposedEntity) -> Sequence[ExposedEntity]:
        """Return the possible targets of the kinds by which an entity is mentioned, if any.

        In *the blinds and curtains* a curtain is no alternative to a blind.
        """
        kinds = self.mentions.kinds & {*kinds_of(entity)}
        return [each for each in self.targets.possible if not kinds or is_of(each, kinds)]

    def with_exceptions(self, label: str) -> Group | None:
        """Return the group with exceptions that has this label, None if there is none."""
        return next((g for g in self.groups if g.has_exceptions and g.label == label), None)

    @property
    def is_directed(self) -> bool:
        """Return whether a device is meant with certainty, or named partly beside a command."""
        partial = self.mentions.partial
        return bool(self.targets.certain) or any(map(self.mentions.all_stated, partial))

    @property
    def is_unnamed(self) -> bool:
        """Return whether the message states a command, and nothing says what it is for."""
        mentions, possible = self.mentions, self.targets.possible
        return not (mentions or self.targets.certain) and any(map(mentions.all_stated, possible))

    @property
    def is_in_doubt(self) -> bool:
        """Return whether a name that nobody knows may be meant."""
        return bool(self.mentions.unknown) or self.is_unnamed

    @property
    def names_something(self) -> bool:
        """Return whether the message has words for an entity, or none that are not known."""
        targets, mentions = self.targets, self.mentions
        return bool(
            targets.certain
            or mentions.partial
            or (targets.possible and mentions.kinds)
            or (self and not mentions.unknown)
        )

    def __bool__(self) -> bool:
        """Return whether the message may refer to any entity."""
        return bool(self.targets.entities or self.groups)


def find_scope(  # noqa: PLR0913 - what is optional is given by name
    vocabulary: HomeVocabulary,
    groups: Sequence[Group],
    mentions: Mentions,
    *,
    area: str | None = None,
    previous: PreviousTurn | None = None,
    recognized: RecognizedIntent | None = None,
) -> Scope:
    """Return the scope of a message with these mentions.

    `area` is the area of the user. A message that mentions nothing, or only a place, refers to the
    targets of the previous turn. A recognized intent overrides all mentions.
    """
    previous = previous or PreviousTurn()
    if recognized and (scope := _recognized_scope(vocabulary, groups, recognized, mentions, area)):
        return replace(scope, mentions=mentions)
    if mentions.is_elsewhere:
        # Not in the area of the user.
        area = None
    if everything := _everything(vocabulary, mentions, area):
        targets = vocabulary.targets(mentions, area)
        return Scope(mentions=mentions, targets=targets, groups=(everything,))
    if not mentions and (continued := _continued_scope(vocabulary, groups, mentions, previous)):
        return continued
    if not mentions and area:
        # Without any mention, the area of the user is the only evidence.
        # What is needed may be for a list, which has no area.
        here = {e for e in vocabulary.entities if e.area == area or e.domain == assist.LIST}
        return _unnamed_scope(vocabulary, mentions, here)
    if not mentions:
        return _unnamed_scope(vocabulary, mentions)
    before = {kind for entity in previous.entities for kind in kinds_of(entity)}
    if (mentions.areas or mentions.floors) and before and not mentions.has_entities:
        mentions = replace(mentions, kinds=frozenset(before))
    targets = vocabulary.targets(mentions, area)
    if previous.entities and not targets.certain and not mentions.partial:
        # A kind alone may refer to the targets of the previous turn.
        targets = _with_previous(targets, previous)
        groups = [group for group in groups if group.area or group.floor]
    possible_groups = (
        _without(group, mentions)
        for group in groups
        if _may_refer_to_all(group, mentions, targets, area)
    )
    return Scope(mentions=mentions, targets=targets, groups=tuple(filter(None, possible_groups)))


def _everything(vocabulary: HomeVocabulary, mentions: Mentions, area: str | None) -> Group | None:
    """Return the group of all devices that are to be turned off, but for those that are named.

    They are those of the mentioned places, else of the area of the user, else of the home.
    """
    is_plain = mentions.apart.issuperset(mentions.single) and not mentions.kinds
    if not (mentions.all_devices and is_plain) or mentions.is_elsewhere:
        return None
    areas = mentions.areas or (() if mentions.floors or not area else (area,))
    places = (*areas, *mentions.floors)
    entities = tuple(
        entity
        for entity in vocabulary.entities
        if assist.ON_OFF in entity.capabilities
        and False in mentions.stated(entity, assist.SWITCH)
        and entity not in mentions.single
        and (not places or entity.area in areas or entity.floor in mentions.floors)
    )
    label = f"everything in {', '.join(places)}" if places else "everything"
    return Group(label=label, kind="", entities=entities, has_exceptions=True) if entities else None


def _unnamed_scope(
    vocabulary: HomeVocabulary, mentions: Mentions, here: Collection[ExposedEntity] = ()
) -> Scope:
    """Return the scope of a message that mentions nothing: what is here, or it has a command for.

    The device may have a name that nobody knows, such as *tele* for a TV.
    """
    is_command = mentions.is_question is False
    possible = tuple(
        entity
        for entity in vocabulary.entities
        if entity in here or (is_command and mentions.all_stated(entity))
    )
    return Scope(mentions=mentions, targets=Targets(possible=possible))


def _without(group: Group, mentions: Mentions) -> Group | None:
    """Return a group without those of its entities that are named, None if no other is left.

    Where only one of them is named, all others in the home are not meant.
    """
    exceptions = [entity for entity in group.entities if entity in mentions.single]
    others = tuple(entity for entity in group.entities if entity not in mentions.single)
    if not (exceptions and others):
        return group if others else None
    if not (group.is_limited or mentions.excepted.issuperset(exceptions)):
        return None
    label = f"{group.label} but {', '.join(entity.name for entity in exceptions)}"
    return replace(group, label=label, entities=others, has_exceptions=True)


def _with_previous(targets: Targets, previous: PreviousTurn) -> Targets:
    """Return the targets with those of the previous turn as the certain ones."""
    possible = tuple(entity for entity in targets.possible if entity not in previous.entities)
    return Targets(certain=previous.entities, possible=possible)


def _recognized_scope(
    vocabulary: HomeVocabulary,
    groups: Sequence[Group],
    recognized: RecognizedIntent,
    mentions: Mentions,
    here: str | None,
) -> Scope | None:
    """Return the scope of a recognized intent, None if its slots match no entity."""
    entities = _recognized_entities(vocabulary, recognized)
    name = recognized.slots.get("name")
    if name and len({entity.area for entity in entities}) > 1:
        entities = [entity for entity in entities if entity.area == here] or entities
    if name and len({entity.domain for entity in entities}) > 1:
        # *The patio light* is not the awning of that name.
        entities = [entity for entity in entities if is_of(entity, mentions.kinds)] or entities
    if not entities:
        return None
    fitting = () if name else tuple(g for g in groups if set(g.entities) == set(entities))
    if recognized.without_area and len(entities) > 1 and not mentions.all_of_kind:
        return Scope(targets=Targets(possible=tuple(entities)))
    return Scope(targets=Targets(certain=tuple(entities)), groups=fitting)


def _has_target(recognized: RecognizedIntent) -> bool:
    return not recognized.slots.keys().isdisjoint(assist.TARGET_ARGUMENTS)


def selects_nothing(vocabulary: HomeVocabulary, recognized: RecognizedIntent | None) -> bool:
    """Return whether a recognized intent has slots that select entities, but the home has none."""
    if recognized is None or not _has_target(recognized):
        return False
    return not _recognized_entities(vocabulary, recognized)


def _recognized_entities(
    vocabulary: HomeVocabulary, recognized: RecognizedIntent
) -> list[ExposedEntity]:
    """Return the entities that match the slots of a recognized intent; none without such slots."""
    slots = recognized.slots
    if recognized.unknown_name or not _has_target(recognized):
        return []
    name = words(str(slots.get("name", "")))
    area, floor = slots.get("area"), slots.get("floor")
    found = [
        entity
        for entity in vocabulary.entities
        if (not name or name in map(words, entity.names))
        and (area is None or entity.area == area)
        and (floor is None or entity.floor == floor)
        and _has_one_of(entity.domain, slots.get("domain"))
        and _has_one_of(entity.device_class, slots.get("device_class"))
    ]
    kinds = assist.KINDS_OF_QUERIES.get(recognized.name, ())
    of_kinds = ([entity for entity in found if is_of(entity, {kind})] for kind in kinds)
    return next(filter(None, of_kinds), found)


def _has_one_of(value: str | None, wanted: Any) -> bool:
    if wanted is None:
        return True
    return value in wanted if isinstance(wanted, list | tuple | set) else value == wanted


def _continued_scope(
    vocabulary: HomeVocabulary, groups: Sequence[Group], mentions: Mentions, previous: PreviousTurn
) -> Scope:
    """Return the scope of the previous turn, with its targets as the certain ones."""
    if previous.entities:
        kinds = {entity.domain for entity in previous.entities}
        areas = {entity.area for entity in previous.entities}
        siblings = tuple(
            entity
            for entity in vocabulary.entities
            if entity not in previous.entities and is_of(entity, kinds) and entity.area in areas
        )
        targets = Targets(certain=previous.entities, possible=siblings)
    else:
        certain = vocabulary.targets(vocabulary.mentions(previous.user_text)).entities
        answered = vocabulary.targets(vocabulary.mentions(previous.answer_text)).entities
        possible = tuple(entity for entity in answered if entity not in certain)
        targets = Targets(certain=certain, possible=possible)
    same = tuple(group for group in groups if set(group.entities) == set(targets.certain))
    return Scope(mentions=mentions, targets=targets, groups=same)


def _may_refer_to_all(group: Group, mentions: Mentions, targets: Targets, area: str | None) -> bool:
    """Return whether a message may refer to all entities of a group."""
    if set(group.entities).isdisjoint(targets.entities):
        return False
    if mentions.kinds.isdisjoint({group.kind, group.domain}):
        return False
    if mentions.areas or mentions.floors:
        return group.area in mentions.areas or group.floor in mentions.floors
    if not mentions.excepted.isdisjoint(group.entities) and not (group.area or group.floor):
        return True
    if group.area or group.floor:
        return group.area is not None and group.area == area
    return area is None


def find_groups(entities: Sequence[ExposedEntity]) -> Iterator[Group]:
    """Yield the groups of entities of a kind: everywhere, on each floor and in each area."""
    for kind in dict.fromkeys(kind for entity in entities for kind in _group_kinds(entity)):
        members = [entity for entity in entities if is_of(entity, {kind})]
        label = f"all {assist.plural(kind)}"
        yield from _group(Group(label=label, kind=kind, entities=()), members)
        for floor in _names(entity.floor for entity in members):
            there = [entity for entity in members if entity.floor == floor]
            named = f"{label} on {floor}"
            yield from _group(Group(label=named, kind=kind, entities=(), floor=floor), there)
        for area in _names(entity.area for entity in members):
            there = [entity for entity in members if entity.area == area]
            named = f"{label} in {area}"
            yield from _group(Group(label=named, kind=kind, entities=(), area=area), there)


def _group(group: Group, members: Sequence[ExposedEntity]) -> Iterator[Group]:
    if len(members) >= _SMALLEST_GROUP:
        yield replace(group, entities=tuple(members))


def _names(names: Iterable[str | None]) -> list[str]:
    return sorted({name for name in names if name})


def _group_kinds(entity: ExposedEntity) -> Iterator[str]:
    """Yield the kinds by which entities are grouped; device classes matter for covers only."""
    return (kind for kind in kinds_of(entity) if entity.domain in {kind, "cover"})
