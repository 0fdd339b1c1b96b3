"""The names that things, rooms and floors have in the home, and which of them is meant."""

import difflib
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..units import PERCENTAGE

_NEAR = 0.8
_SAME_WORD = 0.85
_CLEARLY = 0.05
# What hangs on a switch may well be a light.
_LIKE_LIGHTS = frozenset({"light", "switch"})
_EMPTY_WORDS = {"the", "a", "an", "in", "on", "of", "and", "to", "off", "is", "i", "all", ""}
_FILLER = re.compile(r"\b(?:the|a|an|my|our|der|die|das|den|le|la|les|el|il|de|het)\b")


def plainest(text: str) -> str:
    """Return a text without case, accents and everything but letters and digits."""
    folded = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in folded if character.isalnum())


def nearest(written: str, names: Iterable[str]) -> str | None:
    """Return the one name that is meant, None if it is none or not clear which."""
    forms: dict[str, list[str]] = {}
    for name in names:
        forms.setdefault(plainest(name), []).append(name)
    for text in (written, _FILLER.sub("", written.casefold())):
        wanted = plainest(text)
        if wanted in forms:
            return forms[wanted][0] if len(forms[wanted]) == 1 else None
    near = clearly_nearest(text, {form: each[0].casefold() for form, each in forms.items()}, _NEAR)
    return forms[near][0] if near is not None and len(forms[near]) == 1 else None


def clearly_nearest(written: str, forms: Mapping[str, str], cutoff: float) -> str | None:
    """Return the form of the name that is like what was written, more so than all others."""
    wanted = plainest(written)
    alike = [form for form, name in forms.items() if _have_same_words(written, name)]
    near = difflib.get_close_matches(wanted, alike, n=2, cutoff=cutoff - _CLEARLY)
    likeness = [difflib.SequenceMatcher(None, form, wanted).ratio() for form in near]
    if not near or likeness[0] < cutoff:
        return None
    return near[0] if len(near) == 1 or likeness[0] - likeness[1] >= _CLEARLY else None


def _have_same_words(written: str, name: str) -> bool:
    """Tell whether texts differ in how their words are spelled only.

    What is like another thing as a whole may be another thing, or do the opposite.
    """
    ours, theirs = _words(written), _words(name)
    pairs = zip(ours, theirs, strict=False)
    return len(ours) == len(theirs) and all(_is_same_word(*pair) for pair in pairs)


def _words(text: str) -> list[str]:
    parted = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    return [plainest(word) for word in re.findall(r"[^\W\d_]+|\d+", parted)]


def _is_same_word(one: str, other: str) -> bool:
    """Tell whether words are the same but for a slip; what opposites differ in comes first."""
    if one == other:
        return True
    if one.isdigit() or one[:1] != other[:1]:
        return False
    return difflib.SequenceMatcher(None, other, one).ratio() >= _SAME_WORD


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """Something in the home that can be asked about or changed."""

    name: str
    domain: str
    entity_id: str = ""
    area: str | None = None
    aliases: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All that it is called."""
        return (self.name, *self.aliases)

    def likeness(self, words: set[str]) -> float:
        """Return how much the name has of these words; the room counts less than the name."""
        names = [set(_stems(name)) for name in self.names]
        shared = max(len(words & name) + len(words & name) / (len(name) or 1) for name in names)
        return shared + len(words & set(_stems(self.area or ""))) / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Mentioned:
    """What a message most likely means."""

    things: tuple[Thing, ...] = ()
    area: str | None = None
    domain: str | None = None
    """The kind of things in the room that is meant, if it is all of them."""
    called: bool = False
    """Whether the things are certain: the message calls them by their names."""
    only: bool = False
    """Whether nothing else of the home is meant, as far as its names tell."""
    percentage: bool = False
    """Whether a percentage is told, and all that is meant is to get it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """The names of a home."""

    things: tuple[Thing, ...] = ()
    areas: tuple[str, ...] = ()
    floors: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """The names of the things, each once, sorted."""
        return sorted({thing.name for thing in self.things})

    def mentioned(self, text: str, limit: int = 6) -> Mentioned:
        """Return what a message most likely means.

        What is called by its name is all that is meant. Otherwise a room and a kind of thing are:
        as one thing if there is one such thing in it, else as both.
        """
        words = set(_stems(text))
        percentage = PERCENTAGE.search(text) is not None
        if named := [thing for thing in self.things if _is_called(thing, text)]:
            return Mentioned(
                things=tuple(named[:limit]),
                called=True,
                only=_can_be_told(named, limit) and not self._means_more(words, named),
                percentage=percentage and len(named) == 1,
            )
        areas = [area for area in self.areas if _is_part(area, text)]
        domains = {thing.domain for thing in self.things if thing.domain in words}
        if len(areas) == len(domains) == 1:
            [area], [domain] = areas, domains
            there = tuple(t for t in self.things if t.area == area and t.domain == domain)
            only = not self._means_more(words - {domain}, there, area)
            if len(there) == 1:
                return Mentioned(things=there, called=True, only=only, percentage=percentage)
            if there:
                return Mentioned(area=area, domain=domain, only=only, percentage=percentage)
        scores = [(thing.likeness(words), thing) for thing in self.things]
        best = max((score for score, _ in scores), default=0.0)
        likely = tuple(thing for score, thing in scores if score and score > best / 2)
        return Mentioned(things=likely[:limit], area=areas[0] if len(areas) == 1 else None)

    def _means_more(self, words: set[str], things: Sequence[Thing], area: str = "") -> bool:
        """Tell whether words are left that belong to something else than these things."""
        said = {word for thing in things for name in thing.names for word in _stems(name)}
        # What is to be locked is said with the word for its kind.
        said |= {thing.domain for thing in things}
        kinds = {thing.domain for thing in self.things}
        names = {name for thing in self.things for name in thing.names}
        others = {word for name in (*names, *self.areas, *self.floors) for word in _stems(name)}
        return bool((words - said - set(_stems(area))) & (kinds | others))

    def corrected(
        self, arguments: Mapping[str, Any], properties: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return arguments with the names of the home where it is clear which are meant."""
        corrected = dict(arguments)
        if "name" in properties and isinstance(written := corrected.get("name"), str):
            corrected.pop("name")
            corrected |= self._thing(written, corrected, properties)
        for key, names in (("area", self.areas), ("floor", self.floors)):
            if key in properties and isinstance(written := corrected.get(key), str):
                corrected[key] = self._place(written, names)
        if "name" in properties and "name" not in corrected:
            corrected |= self._named_as_area(corrected)
        if isinstance(name := corrected.get("name"), str) and "name" in properties:
            corrected = self._without_contradiction(name, corrected, properties)
        return {key: value for key, value in corrected.items() if value is not None}

    def _thing(
        self, written: str, others: Mapping[str, Any], properties: Mapping[str, Any]
    ) -> dict[str, Any]:
        if written in self.names:
            return {"name": written}
        for thing in self.things:
            if written == thing.entity_id or plainest(written) in map(plainest, thing.aliases):
                return {"name": thing.name}
        if "area" in properties and "area" not in others and (area := _same(written, self.areas)):
            # Without a kind it would be all that is in the room.
            return {"area": area} if _has_kind(others, properties) else {"name": written}
        domain, _, rest = written.partition(".")
        if rest and domain in {thing.domain for thing in self.things}:
            written = rest
        name = nearest(written.replace("_", " "), self.names)
        return {"name": name or written}

    def _place(self, written: str, names: Sequence[str]) -> str:
        return nearest(written.replace("_", " "), names) or written

    def _named_as_area(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the name of a thing that was given as a room."""
        area = arguments.get("area")
        if isinstance(area, str) and area not in self.areas and (name := _same(area, self.names)):
            return {"name": name, "area": None}
        return {}

    def _without_contradiction(
        self, name: str, arguments: dict[str, Any], properties: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Leave out what agrees with the one thing of this name, or is not of this home.

        What contradicts it stays: the tool will not find anything, and say so.
        """
        meant = [thing for thing in self.things if thing.name == name]
        if len(meant) != 1:
            return arguments
        left_out = {
            "area": self._place_agrees(arguments.get("area"), meant[0], self.areas),
            "floor": self._place_agrees(arguments.get("floor"), meant[0], self.floors),
            "domain": self._kind_agrees(arguments.get("domain"), meant[0]),
            "device_class": True,
        }
        return {
            key: value
            for key, value in arguments.items()
            if key not in properties or not left_out.get(key)
        }

    def _place_agrees(self, place: Any, thing: Thing, places: Sequence[str]) -> bool:
        # The floor of a thing is not known here: the tool knows it.
        return thing.area is None or place == thing.area or place not in places

    def _kind_agrees(self, domain: Any, thing: Thing) -> bool:
        kinds = domain if isinstance(domain, list) else [domain]
        told = {kind for kind in kinds if isinstance(kind, str)}
        agreeing = _LIKE_LIGHTS if thing.domain in _LIKE_LIGHTS else {thing.domain}
        return bool(told & agreeing) or not told & {each.domain for each in self.things}


def _stems(text: str) -> list[str]:
    """Return the words of a text that names can share, without their plural."""
    words = (plainest(word).removesuffix("s") for word in re.findall(r"\w+", text.casefold()))
    return [word for word in words if word not in _EMPTY_WORDS]


def _has_kind(arguments: Mapping[str, Any], properties: Mapping[str, Any]) -> bool:
    """Tell whether a kind of things is told, or a tool is for one kind anyway."""
    schema = properties.get("domain")
    if schema is None or arguments.get("domain"):
        return True
    items = schema.get("items")
    kinds = (items if isinstance(items, dict) else schema).get("enum") or ()
    return len(kinds) == 1


def _can_be_told(things: Sequence[Thing], limit: int) -> bool:
    """Tell whether the names are enough to tell the things, and not too many."""
    return len(things) <= limit and len({thing.name for thing in things}) == len(things)


def _is_part(name: str, text: str) -> bool:
    return f" {' '.join(_stems(name))} " in f" {' '.join(_stems(text))} "


def _is_called(thing: Thing, text: str) -> bool:
    return any(_is_part(name, text) for name in thing.names)


def _same(written: str, names: Iterable[str]) -> str | None:
    """Return the name that differs in its writing only."""
    wanted = plainest(written.replace("_", " "))
    return next((name for name in names if plainest(name) == wanted), None)
