"""Targets of a message: the entities that it may refer to, and which of them for certain."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from .mentions import ExposedEntity, Mentions, Targets, is_in, is_of, kinds_of


def find_targets(
    entities: Sequence[ExposedEntity], mentions: Mentions, area: str | None = None
) -> Targets:
    """Return the entities that a message with these mentions may refer to.

    `area` is the area of the user: it limits a kind that is mentioned without a place.
    """
    named = set(_of_same_name(mentions, area))
    names = Counter(entity.name for entity in named)
    # One of several devices of a name, in a place that is not known, corrected or one of several.
    is_corrected = bool(mentions.unknown) and len((*mentions.areas, *mentions.floors)) > 1
    is_vague = mentions.is_elsewhere or is_corrected or bool(_areas_beside(mentions))
    is_placed = bool(mentions.areas or mentions.floors)
    vague = {
        entity
        for entity in named
        if names[entity.name] > 1 and (is_vague or (is_placed and not mentions.places(entity)))
    }
    vague |= mentions.misplaced
    named -= vague
    named_kinds = {kind for entity in named for kind in kinds_of(entity)}
    kinds = {kind for kind in mentions.kinds if kind not in named_kinds}
    of_kind = {entity for entity in entities if is_of(entity, kinds)}
    there = set(filter(mentions.places, entities))
    here = {entity for entity in of_kind if area and entity.area == area}
    if there:
        certain = named | (there & of_kind)
        possible = set(mentions.partial) | (set() if there & of_kind or named or vague else there)
    else:
        certain = named | here
        possible = set(mentions.partial) | (set() if here else of_kind)
    possible |= vague
    return Targets(
        certain=tuple(entity for entity in entities if entity in certain),
        possible=tuple(entity for entity in entities if entity in possible - certain),
    )


def find_misplaced(
    named: Collection[ExposedEntity], places: Collection[str], kinds: Iterable[str]
) -> frozenset[ExposedEntity]:
    """Return the named entities if they have one name, and are in none of the mentioned places.

    Beside words for other kinds, the places may be for those.
    """
    domains = {each.domain for each in named}
    is_single = len({each.name for each in named}) == 1
    are_there = any(each.area is None or is_in(each, places) for each in named)
    is_other = any(kind.partition(".")[0] not in domains for kind in kinds)
    return frozenset(named if places and is_single and not (are_there or is_other) else ())


def _of_same_name(mentions: Mentions, area: str | None) -> Iterator[ExposedEntity]:
    """Yield the named entities; of several with one name, those that are described.

    They are told apart by a mentioned place, else by the area of the user and those of other named
    devices, as in *close the study curtain and put the lamp on in there*, and by a kind: a device
    class is more telling than a domain without a command.
    """
    by_name: defaultdict[str, list[ExposedEntity]] = defaultdict(list)
    for entity in mentions.named:
        by_name[entity.name].append(entity)
    areas = {area, *_areas_beside(mentions)} - {None}
    telling = {kind for kind in mentions.kinds if "." in kind or mentions.directs(kind)}
    for same in by_name.values():
        there = _narrowed(same, mentions.places, lambda entity: entity.area in areas)
        yield from _narrowed(
            there,
            lambda entity: is_of(entity, telling),
            lambda entity: is_of(entity, mentions.kinds),
        )


def _areas_beside(mentions: Mentions) -> frozenset[str]:
    """Return the areas of the named entities whose names no others have, unless a place is said."""
    if mentions.is_elsewhere or mentions.areas or mentions.floors:
        return frozenset()
    names = Counter(entity.name for entity in mentions.named)
    return frozenset(
        entity.area for entity in mentions.named if names[entity.name] == 1 and entity.area
    )


def _narrowed(
    entities: Iterable[ExposedEntity], *conditions: Callable[[ExposedEntity], bool]
) -> list[ExposedEntity]:
    """Return the entities that fulfill the first condition which any of them fulfills."""
    found = list(entities)
    for condition in conditions:
        if fitting := list(filter(condition, found)):
            return fitting
    return found
