"""Tolerant JSON parser for model output: Python literals, unescaped quotes, doubled braces."""

import json
import re
from typing import Any

from ...messages import replace_lone_surrogates

# String delimiter of Gemma 4; there are no escape sequences between two of them.
RAW_QUOTE = '<|"|>'

# Values that are nested deeper are not the arguments of a tool.
_MAX_DEPTH = 40

_STRUCTURE = re.compile(re.escape(RAW_QUOTE) + r"""|["'()\[\]{}]""")
_IN_DOUBLE = re.compile(r'\\.|"', re.DOTALL)
_IN_SINGLE = re.compile(r"\\.|'", re.DOTALL)
_SPACE = re.compile(r"\s*")
_BARE = re.compile(r"[^,\[\]{}()\n\"']*")
_BARE_KEY = re.compile(r"""[^,:="'\[\]{}()\n]+""")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_LITERALS = {
    "true": True,
    "false": False,
    "null": None,
    "none": None,
}


def find_end(text: str, start: int) -> int | None:
    """Return the position after the bracket that closes the one at `start`, None if it is open."""
    depth = 0
    position = start
    while (found := _STRUCTURE.search(text, position)) is not None:
        position = found.end()
        match token := found.group():
            case "{" | "[" | "(":
                depth += 1
            case "}" | "]" | ")":
                depth -= 1
                if depth <= 0:
                    return position
            case _:
                after = _end_of_string(text, found.start(), token)
                if after is None:
                    return None
                position = after
    return None


def _end_of_string(text: str, start: int, quote: str) -> int | None:
    position = start + len(quote)
    if quote == RAW_QUOTE:
        end = text.find(RAW_QUOTE, position)
        return None if end < 0 else end + len(RAW_QUOTE)
    if quote == "'" and not _may_open(text, start):
        return position
    pattern = _IN_DOUBLE if quote == '"' else _IN_SINGLE
    while (found := pattern.search(text, position)) is not None:
        position = found.end()
        if found.group() == quote:
            return position
    return None


def _may_open(text: str, position: int) -> bool:
    """Return whether a single quote opens a string and is not an apostrophe."""
    position -= 1
    while position >= 0 and text[position].isspace():
        position -= 1
    return position < 0 or text[position] in "{[(,:="


def loads(text: str) -> Any:
    """Return the value of a complete text; raise `ValueError` if it is none."""
    try:
        return json.loads(text, strict=False)
    except ValueError, RecursionError:
        return _Parser(text).parse()


def read_members(text: str, closing: str) -> tuple[dict[str, Any], list[Any]]:
    """Return the members up to the closing bracket: those with a name, and other values.

    Raises `ValueError` if the text is malformed.
    """
    return _Parser(text).members(closing, 0)


class _Parser:
    """Recursive-descent parser of one value."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._position = 0

    def parse(self) -> Any:
        value = self._value(0)
        self._skip_space()
        rest = self._text[self._position :]
        if rest.strip("}]; \n\t"):
            raise ValueError("something follows the value")
        return value

    def _skip_space(self) -> None:
        found = _SPACE.match(self._text, self._position)
        self._position = found.end() if found else self._position

    def _peek(self) -> str:
        self._skip_space()
        return self._text[self._position : self._position + 1]

    def _accept(self, characters: str) -> bool:
        if (here := self._peek()) and here in characters:
            self._position += 1
            return True
        return False

    def _value(self, depth: int) -> Any:
        if depth > _MAX_DEPTH:
            raise ValueError("nested too deeply")
        match self._peek():
            case "":
                raise ValueError("a value is missing")
            case "{":
                return self._object(depth)
            case "[" | "(":
                return self._list(depth)
            case '"' | "'":
                return self._string(self._text[self._position])
        if self._text.startswith(RAW_QUOTE, self._position):
            return self._raw_string()
        return self._word()

    def _object(self, depth: int) -> dict[str, Any]:
        opened = 0
        # Some chat templates make models double the braces.
        while self._accept("{"):
            opened += 1
        named, others = self.members("}", depth)
        if others:
            raise ValueError("a member without a name")
        for _ in range(opened - 1):
            self._expect("}")
        return named

    def _list(self, depth: int) -> list[Any]:
        closing = "]" if self._accept("[") else ")"
        if closing == ")":
            self._accept("(")
        items: list[Any] = []
        while not self._closed(closing):
            items.append(self._value(depth + 1))
            if not self._accept(","):
                self._expect(closing)
                break
        return items

    def members(self, closing: str, depth: int) -> tuple[dict[str, Any], list[Any]]:
        """Read `key: value` or `key=value` until the bracket closes, and values without a key."""
        named: dict[str, Any] = {}
        others: list[Any] = []
        while not self._closed(closing):
            start = self._position
            key = self._key()
            if key is not None and self._accept(":="):
                named[key] = self._value(depth + 1)
            else:
                self._position = start
                others.append(self._value(depth + 1))
            if not self._accept(","):
                self._expect(closing)
                break
        return named, others

    def _closed(self, closing: str) -> bool:
        if not self._peek():
            raise ValueError("the text ends too early")
        return self._accept(closing)

    def _expect(self, closing: str) -> None:
        if not self._accept(closing):
            raise ValueError(f"expected {closing}")

    def _key(self) -> str | None:
        here = self._peek()
        if here in {'"', "'"}:
            return self._string(here)
        if self._text.startswith(RAW_QUOTE, self._position):
            return self._raw_string()
        found = _BARE_KEY.match(self._text, self._position)
        if found is None:
            return None
        self._position = found.end()
        return found.group().strip()

    def _raw_string(self) -> str:
        start = self._position + len(RAW_QUOTE)
        end = self._text.find(RAW_QUOTE, start)
        if end < 0:
            raise ValueError("a string is not closed")
        self._position = end + len(RAW_QUOTE)
        return self._text[start:end]

    def _string(self, quote: str) -> str:
        pattern = _IN_DOUBLE if quote == '"' else _IN_SINGLE
        parts: list[str] = []
        position = self._position + 1
        while (found := pattern.search(self._text, position)) is not None:
            parts.append(self._text[position : found.start()])
            position = found.end()
            if found.group() != quote:
                parts.append(self._unescape(found.group()[1], position))
                position += 4 if parts[-1] and found.group()[1] == "u" else 0
            elif self._ends_string(position):
                self._position = position
                return replace_lone_surrogates("".join(parts))
            else:
                parts.append(quote)
        raise ValueError("a string is not closed")

    def _unescape(self, escaped: str, position: int) -> str:
        if escaped != "u":
            return _ESCAPES.get(escaped, escaped if escaped in "\"'\\/" else f"\\{escaped}")
        digits = self._text[position : position + 4]
        try:
            return chr(int(digits, 16)) if len(digits) == 4 else ""  # noqa: PLR2004 - \uXXXX
        except ValueError:
            return ""

    def _ends_string(self, position: int) -> bool:
        """Return whether a quote closes its string; it may lack its escape character."""
        found = _SPACE.match(self._text, position)
        after = self._text[found.end() if found else position :][:1]
        return not after or after in ",:=}])"

    def _word(self) -> Any:
        found = _BARE.match(self._text, self._position)
        word = found.group().strip() if found else ""
        if not found or not word:
            raise ValueError("a value is missing")
        self._position = found.end()
        if word.casefold() in _LITERALS:
            return _LITERALS[word.casefold()]
        if _NUMBER.fullmatch(word):
            number = float(word)
            return int(word) if word.lstrip("-").isdigit() else number
        return word
