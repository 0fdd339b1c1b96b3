"""Words and phrases of sentence templates: those by which Home Assistant recognizes commands.

The templates are in the language of `hassil`, such as `turn on [the] (light|lamp)[s]`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product, zip_longest
from typing import Any

from hassil.expression import (
    Alternative,
    Expression,
    Group,
    ListReference,
    Permutation,
    RuleReference,
    Sentence,
    TextChunk,
)
from hassil.parse_expression import parse_sentence

from ..agent.text_match import is_unspaced, words

_NOTHING: frozenset[str] = frozenset()
_EMPTY = frozenset({""})
# Strings of one template; few have more.
_MAX_VARIANTS = 500
_BRACKET_OR_SPACE = re.compile(r"[][(){}<> ]")


@dataclass(frozen=True, slots=True)
class _Strings:
    """The words of the strings that an expression stands for, by their place.

    The first and last words of strings with spaces may go on in what stands beside them.
    """

    without_space: frozenset[str] = _NOTHING
    first: frozenset[str] = _NOTHING
    last: frozenset[str] = _NOTHING
    inner: frozenset[str] = _NOTHING

    def __add__(self, after: _Strings) -> _Strings:
        """Return the strings followed directly by those of another expression."""
        return _Strings(
            _joined(self.without_space, after.without_space),
            self.first | _joined(self.without_space, after.first),
            after.last | _joined(self.last, after.without_space),
            self.inner | after.inner | _joined(self.last, after.first),
        )

    @property
    def words(self) -> frozenset[str]:
        return self.without_space | self.first | self.last | self.inner


_NO_TEXT = _Strings(without_space=_EMPTY)
_SPACE = _Strings(first=_EMPTY, last=_EMPTY)


class SentenceTemplates:
    """The sentence templates of a language, with the rules and lists that they refer to."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._rules: Mapping[str, str] = data.get("expansion_rules", {})
        self._lists: Mapping[str, Mapping[str, Any]] = data.get("lists", {})
        self._known: dict[str, _Strings] = {}
        self._shortest_by_rule: dict[str, frozenset[str]] = {}

    def words(self, templates: Iterable[str]) -> frozenset[str]:
        """Return all words of these templates, including those of their rules and lists."""
        # Two spaces, or one at the end, have no part between them.
        parts = {part for template in templates for part in _parts(template) if part}
        return _NOTHING.union(*(self._strings(part).words for part in parts)) - _EMPTY

    def list_values(self, name: str) -> Iterator[tuple[str, str]]:
        """Yield each value of a list with each phrase for it."""
        for template, outs in self._values(name):
            for phrase in self._phrases(parse_sentence(template).expression):
                yield from ((out, " ".join(phrase.split())) for out in outs)

    def required_words(
        self, templates: Iterable[str], ignored: frozenset[str] = _NOTHING
    ) -> frozenset[frozenset[str]]:
        """Return the smallest of these sets of words: those without which there is no sentence."""
        return smallest(self.phrases(templates, ignored))

    def phrases(
        self, templates: Iterable[str], ignored: frozenset[str] = _NOTHING
    ) -> frozenset[frozenset[str]]:
        """Return the sets of words that sentences of each template have to contain.

        Words of lists, optional words and those to be ignored are left out.
        """
        found = (self._required_words(template, ignored) for template in templates)
        return frozenset(each for sets in found for each in sets if each)

    def _required_words(self, template: str, ignored: frozenset[str]) -> frozenset[frozenset[str]]:
        found = frozenset({_NOTHING})
        for part in filter(None, _parts(template)):
            texts = self._shortest(parse_sentence(part).expression)
            own = {frozenset(words(text)) - ignored for text in texts}
            # The smallest sets are those of the smallest parts.
            both = {one | other for one in found for other in own}
            # Templates with so many variants have no words that stand for all of them.
            found = smallest(both) if len(both) <= _MAX_VARIANTS else frozenset({_NOTHING})
        return found

    def units(self, templates: Iterable[str], list_name: str) -> frozenset[str]:
        """Return the words that may directly follow the values of a list, such as *degrees*."""
        return (
            _NOTHING.union(
                *(
                    each
                    for template in templates
                    for part in filter(None, _parts(template))
                    for each in self._units(parse_sentence(part).expression, list_name)
                )
            )
            - _EMPTY
        )

    def _units(self, expression: Expression, list_name: str) -> Iterator[frozenset[str]]:
        match expression:
            case RuleReference(rule_name=name) if name in self._rules:
                yield from self._units(parse_sentence(self._rules[name]).expression, list_name)
            case Group(items=items):
                for item, following in zip_longest(items, items[1:]):
                    is_listed = isinstance(item, ListReference) and item.list_name == list_name
                    if is_listed and isinstance(following, Alternative) and following.is_optional:
                        yield self._read(following).words
                    yield from self._units(item, list_name)

    def has_listed_value(self, template: str) -> bool:
        """Return whether all sentences of a template have one of the values of a list."""
        return any(
            self._requires_listed_value(parse_sentence(part).expression)
            for part in filter(None, _parts(template))
        )

    def _requires_listed_value(self, expression: Expression) -> bool:
        match expression:
            case ListReference(list_name=name):
                return any(self._values(name))
            case RuleReference(rule_name=name) if name in self._rules:
                return self._requires_listed_value(parse_sentence(self._rules[name]).expression)
            case Alternative(is_optional=True):
                return False
            case Alternative(items=items):
                return all(map(self._requires_listed_value, items))
            case Group(items=items):
                return any(map(self._requires_listed_value, items))
        return False

    def first_words(self, templates: Iterable[str]) -> frozenset[str]:
        """Return the words that sentences of these templates begin with, if not with a list."""
        return _NOTHING.union(*map(self._first_words, templates))

    def _first_words(self, template: str) -> frozenset[str]:
        for part in filter(None, _parts(template)):
            texts = self._shortest(parse_sentence(part).expression)
            if texts != _EMPTY:
                return frozenset(words(text)[0] for text in texts if words(text))
        return _NOTHING

    def _shortest(self, expression: Expression) -> frozenset[str]:
        """Return the strings of an expression without its optional parts."""
        match expression:
            case TextChunk(text=text):
                return frozenset({text})
            case RuleReference(rule_name=name) if name in self._rules:
                return self._shortest_of_rule(name)
            case Alternative(is_optional=True):
                return _EMPTY
            case Alternative(items=items):
                return _NOTHING.union(*map(self._shortest, items))
            case Group(items=items):
                between = " " if isinstance(expression, Permutation) else ""
                parts = islice(product(*self._shortest_of_parts(items)), _MAX_VARIANTS)
                return frozenset(between.join(each) for each in parts)
        return frozenset({" "})

    def _shortest_of_parts(self, items: Sequence[Expression]) -> Iterator[frozenset[str]]:
        """Yield the strings of the parts of a group.

        Letters that a word may have within or before it make it another word: *enc[i]ende*.
        """
        for item, following in zip_longest(items, items[1:]):
            texts = self._shortest(item)
            is_within = isinstance(following, TextChunk) and following.text[:1].isalpha()
            if is_within and isinstance(item, Alternative) and item.is_optional:
                texts = texts.union(*map(self._shortest, item.items))
            yield texts

    def _shortest_of_rule(self, name: str) -> frozenset[str]:
        if name not in self._shortest_by_rule:
            # A rule that refers to itself has no more words.
            self._shortest_by_rule[name] = _EMPTY
            expression = parse_sentence(self._rules[name]).expression
            self._shortest_by_rule[name] = self._shortest(expression)
        return self._shortest_by_rule[name]

    def _values(self, name: str) -> Iterator[tuple[str, Sequence[str]]]:
        for value in self._lists.get(name, {}).get("values", ()):
            if isinstance(value, str):
                yield value, (value,)
            else:
                out = value.get("out")
                yield str(value["in"]), out if isinstance(out, list) else (str(out),)

    def _strings(self, template: str) -> _Strings:
        if template not in self._known:
            # A rule that refers to itself has no more words.
            self._known[template] = _NO_TEXT
            self._known[template] = self._read(parse_sentence(template).expression)
        return self._known[template]

    def _read(self, expression: Expression) -> _Strings:
        match expression:
            case TextChunk(text=text):
                return _text(text)
            case RuleReference(rule_name=name) if name in self._rules:
                return self._strings(self._rules[name])
            case ListReference(list_name=name):
                values = [self._strings(template) for template, _ in self._values(name)]
                return _SPACE + _any(values) + _SPACE if values else _SPACE
            case Group(items=items):
                return _grouped(expression, list(map(self._read, items)))
        return _NO_TEXT

    def _phrases(self, expression: Expression) -> Iterator[str]:
        match expression:
            case TextChunk(text=text):
                yield text
            case RuleReference(rule_name=name) if name in self._rules:
                yield from self._phrases(parse_sentence(self._rules[name]).expression)
            case Alternative(items=items):
                for item in items:
                    yield from self._phrases(item)
            case Group(items=items):
                yield from map("".join, product(*map(self._phrases, items)))
            case _:
                yield ""


def requires_words(expression: Expression, rules: Mapping[str, Sentence]) -> bool:
    """Return whether all sentences of an expression have a word that is not of a list or a name."""
    match expression:
        case TextChunk(text=text):
            return bool(words(text))
        case RuleReference(rule_name=name):
            return name in rules and requires_words(rules[name].expression, rules)
        case Alternative(is_optional=True):
            return False
        case Alternative(items=items):
            return all(requires_words(item, rules) for item in items)
        case Group(items=items):
            return any(requires_words(item, rules) for item in items)
    return False


def _parts(template: str) -> Iterator[str]:
    """Yield the parts of a template between the spaces outside of brackets."""
    depth = start = 0
    for match in _BRACKET_OR_SPACE.finditer(template):
        if match[0] != " ":
            depth += 1 if match[0] in "[(<{" else -1
        elif not depth:
            yield template[start : match.start()]
            start = match.end()
    yield template[start:]


def smallest(sets: Iterable[frozenset[str]]) -> frozenset[frozenset[str]]:
    """Return the sets that contain none of the others."""
    kept: list[frozenset[str]] = []
    for each in sorted(set(sets), key=len):
        if not any(other <= each for other in kept):
            kept.append(each)
    return frozenset(kept)


def _text(text: str) -> _Strings:
    parts = text.split(" ")
    if is_unspaced(text):
        # Where no spaces are written, the pieces of a template are the words.
        return _SPACE + _Strings(inner=frozenset(parts)) + _SPACE
    if len(parts) == 1:
        return _Strings(without_space=frozenset(parts))
    first, *inner, last = parts
    return _Strings(first=frozenset({first}), last=frozenset({last}), inner=frozenset(inner))


def _grouped(group: Group, items: Sequence[_Strings]) -> _Strings:
    if isinstance(group, Alternative):
        return _any(items)
    if isinstance(group, Permutation):
        return _SPACE + _any(items) + _SPACE
    return sum(items, _NO_TEXT)


def _any(strings: Sequence[_Strings]) -> _Strings:
    return _Strings(
        _NOTHING.union(*(each.without_space for each in strings)),
        _NOTHING.union(*(each.first for each in strings)),
        _NOTHING.union(*(each.last for each in strings)),
        _NOTHING.union(*(each.inner for each in strings)),
    )


def _joined(before: frozenset[str], after: frozenset[str]) -> frozenset[str]:
    if before == _EMPTY:
        return after
    if after == _EMPTY:
        return before
    return frozenset(one + other for one in before for other in after)
