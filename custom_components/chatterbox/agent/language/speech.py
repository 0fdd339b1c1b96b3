"""Incremental filter that cleans text up for speech: no markup, links, code, symbols and emoji.

The result does not depend on how the text was cut into pieces.
"""

import re
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import override

from ..model.provider import Completed, CompletionRequest, LLMProvider, ProviderEvent, TextDelta
from .units import LONGEST_UNIT, QUANTITY, UNIT_MAY_FOLLOW, spoken_units

_FENCE = re.compile(r"\s*(?:```|~~~)")
_RULE = re.compile(r"\s*(?:[-*_=]\s*){3,}\Z")
_TABLE_RULE = re.compile(r"(?=[^|]*\|)[\s:|-]+\Z")
_LINE_START = re.compile(
    r"\s*(?:>\s?)*(?P<mark>#{1,6}\s+|[-*+•‣◦–]\s+)?(?:\[[ xX]\]\s+)?(?P<number>\(?\d{1,3}[.)]\s)?"
)
# A number below zero, or an item of a list.
_SIGNED = re.compile(rf"\s*[-–]\s+{QUANTITY.pattern}")
_JSON_LINE = re.compile(r"\s*[{\[]\s*[\"'{\[].*[}\]]\s*\Z")
_SENTENCE_END = ".!?:;,…。！？"
_COLONS = (":", "：")
# Punctuation that belongs to the preceding text; not so in `.5` and `.NET`.
_CLOSES = re.compile(rf"[{_SENTENCE_END}]+(?!\w)")

# Emoji, pictures, and their joiners and color modifiers. The degree sign, currencies, arrows,
# musical signs and the suits of cards stay.
_EMOJI = (
    "\U0001f000-\U0001faff\U0001fb00-\U0001fbff\u2600-\u265f\u2668-\u266c\u2670-\u27bf\u2b00-\u2bff"
    "\u2300-\u23ff\u25a0-\u25ff\ufe0e\ufe0f\u200d\u20e3\U000e0020-\U000e007f\u3030\u303d"
)
_HOST = r"([A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*)"
_PATH = r"(?::\d+)?(?:[/?#](?:[!-~]*[^\s<>()\"'.,;:!?\u0080-\U0010ffff])?)?"
# Marks within a line; what a group holds is kept.
_INLINE: Sequence[tuple[re.Pattern[str], str]] = (
    # A footnote; after anything but a word or a sentence it is an index or a number in brackets.
    (re.compile(r"\[\^\d+\]|(?:(?<=[^\W\d_]{3})|(?<=[.!?…]))(?:\[[1-9]\d?\])+(?!\()"), ""),
    (re.compile(r"(?<!\S)!\[([^\]\n]*)\]\([^)\n]*\)"), r"\1"),
    (re.compile(r"\[([^\]\n]+)\](?:\([^)\n]*\)|\[[^\]\n]*\])"), r"\1"),
    (re.compile(r"\((?:https?://|www\.)[^\s()]*\)"), ""),
    (re.compile(r"<mailto:([^>\s]*)>"), r"\1"),
    (
        re.compile(
            rf"<?(?:(?<![^\W_])https?://(?:[^\s/@<>]*@)?|(?<![^\W_])(?=www\.)){_HOST}{_PATH}>?"
        ),
        r"\1",
    ),
    (re.compile(r"</?[A-Za-z][\w-]*(?:\s[^<>\n]*)?/?>"), ""),
    (re.compile(r"`+([^`\n]*)`+"), r"\1"),
    (re.compile(r"\\[()\[\]]"), ""),
    # A formula; a single dollar, and one before a number, is money.
    (re.compile(r"(?<![\w$])(\${1,2})(?=[^\s\d$]|[^\s$]*[\\^])([^\s$]+)\1(?![\d$])"), r"\2"),
    (re.compile(r"\\frac\{([^{}\n]*)\}\{([^{}\n]*)\}"), r"\1 / \2"),
    (re.compile(r"\^?\{?\\circ\}?"), "°"),
    (re.compile(r"\\(?:text|mathrm|mathbf|textbf|mathit)\{([^{}\n]*)\}"), r"\1"),
    (re.compile(r"\\sqrt\{([^{}\n]*)\}"), r"√\1"),
    (re.compile(r"\\(?:cdot|times)\b"), "×"),
    (re.compile(r"\\pm\b"), "±"),
    (re.compile(r"\\approx\b"), "≈"),
    # After a letter or a colon it is a part of a path.
    (re.compile(r"(?<![^\W\d_])(?<![:\\])(?:\\[A-Za-z]+\*?)+"), ""),
    # Two stars before a number, or between two letters, are a power.
    (
        re.compile(
            r"(?!(?<=[A-Za-z0-9)])\*\*(?=\d)|(?<=\b[A-Za-z])\*\*(?=[A-Za-z]\b))\*{2,3}"
            # One between two numbers or names, or alone, multiplies.
            r"|(?<![A-Za-z0-9)\]*])\*(?=[^\s*])|(?<=[^\s*])\*(?![A-Za-z0-9(*])|~~"
            r"|(?<!\w)_{1,3}(?=\w)|(?<=\w)_{1,3}(?!\w)"
        ),
        "",
    ),
    # A suit of cards is an emoji where a variation selector says so.
    (re.compile(f"(?:[{_EMOJI}]|[\u2660-\u2667]\ufe0f)+"), ""),
    (re.compile(r"\s{2,}"), " "),
)
# Marks that are opened here and closed later in the line.
_OPEN = re.compile(r"!?\[[^\]]*\Z|\]\([^)]*\Z|<[A-Za-z/][^>]*\Z|\\\([^)]*\Z|\{[^}]*\Z")
# A number, or a sign, whose unit or number may follow; behind a letter it has no unit.
_NUMBER_OPEN = re.compile(r"(?:(?<![^\W_])\d+|°)[*_`]*[-−]?\Z|(?:^|\s)[-−]\Z")
_NUMBER = re.compile(r"\s*[*_`]*[-−]?\d")
# Text at the beginning of a segment that is spoken as it stands, whatever follows: it contains no
# mark, no beginning of a link, and no unit of a number, nor what may become one of them.
_LINK = r"(?:https?://|www\.|(?:h(?:t(?:t(?:ps?(?::/?)?)?)?)?|w{1,3})\Z)"
_PLAIN = re.compile(
    rf"\s*(?![{_SENTENCE_END}])(?:(?:(?<=\S) )?(?:(?<![^\W_])(?!{_LINK})|(?<=[^\W_]))"
    # Marks at the beginning of a word are removed for sure.
    rf"(?:(?<!\S)(?:\*{{1,3}}|_{{1,3}})(?=[^\W\d_])(?!{_LINK})"
    rf"|[^\s\d*_`\[(<~$\\{{|^!\-−\u2660-\u2667{_EMOJI}]|(?<=\S)!|\((?=\S)(?!{_LINK})|[-−](?=\D)"
    rf"|\d(?!{UNIT_MAY_FOLLOW})))*(?:(?<=\S) )?\d*"
)
# The first letters of a link.
_LINK_START = "hw"
# Punctuation after a word that opens no mark.
_PAUSES = ",.!?"
_LEADING_MARKS = re.compile(r"(?<!\S)[*_]+")
_LONGEST_SEGMENT = 300
_LONGEST_WORD = 300
# A line that cannot be classified by so many characters cannot be before its end.
_LONGEST_START = 300
# Punctuation, and letters of scripts that have no spaces between their words.
_WORD_END = (
    "。！？，、：\uff1b\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3040-\u318f\u31a0-\u31ff"
    "\u3400-\u4dbf\u4e00-\ua4cf\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
_ENDED = re.compile(rf"[{_WORD_END}]\Z")
_WORD = re.compile(
    rf"\s*(?:[^\s{_WORD_END}]{{0,{_LONGEST_WORD}}}[{_WORD_END}]|\S{{1,{_LONGEST_WORD}}})"
)
# Beginnings of lines that may turn out not to be text: code, a rule, a table, JSON, a mark.
_UNCLEAR = re.compile(
    r"\s*(?:\||`{1,2}\Z|```|~{1,2}\Z|~~~|[{\[]\s*(?:\Z|[\"'{\[])|\[[ xX]\]?\Z|[\s:|-]+\Z"
    r"|[-*_=#>+•‣◦–]+(?:\s|\Z)|\(?\d{0,3}[.)]?\Z)"
)
# Text after a dash and a number that is long enough to hold a unit: then it may be a minus.
_AFTER_DASH = re.compile(rf"[\d.,]+\D.{{{LONGEST_UNIT + 1}}}")


class SpeechFilter:
    """Stateful filter for the text of one answer.

    The language of the answer is a tag such as `de` or `pt-BR`.
    """

    def __init__(self, language: str = "") -> None:
        self._language = language
        self._buffer = ""
        self._in_line = False
        self._in_code = False
        self._is_item = False
        self._is_signed = False
        self._in_list = False
        """True after an item of a list, and after a line that announces one with a colon."""
        self._last = ""
        self._gap = ""
        self._said = ""
        """The speech so far of a segment that is incomplete."""
        self.has_code = False
        """True after the beginning of a code block."""

    def feed(self, text: str) -> str:
        """Add a piece of the text; return the speech that is complete."""
        self._buffer += text
        return self._advance(final=False)

    def finish(self) -> str:
        """End the text; return the rest of the speech."""
        return self._advance(final=True)

    def _advance(self, *, final: bool) -> str:
        spoken: list[str] = []
        lines = self._buffer.split("\n")
        for number, line in enumerate(lines):
            is_signed = self._begins_with_minus(lines[number : number + 5], final=final)
            if is_signed is None:
                self._buffer = "\n".join(lines[number:])
                return "".join(spoken)
            self._is_signed = is_signed
            if number < len(lines) - 1:
                spoken += (self._take(line, complete=True)[0], self._end_line())
        speech, self._buffer = self._take(lines[-1], complete=final)
        return "".join([*spoken, speech])

    def _begins_with_minus(self, lines: Sequence[str], *, final: bool) -> bool | None:
        """Return whether the first line begins with a number below zero; None if it is unknown yet.

        It does if it is no item of a list, which is announced by a colon or has several items.
        """
        line, *following = (line[:_LONGEST_START] for line in lines)
        if self._in_line or self._in_code or self._in_list or not _SIGNED.match(line):
            return False
        if len(line) == _LONGEST_START:
            return True
        incomplete = len(following) - 1 if not final else len(following)
        # Up to two empty lines may be between two items.
        for number, other in enumerate(following[:3]):
            if number >= incomplete and len(other) < _LONGEST_START and not _is_clear(other):
                return None
            if other.strip():
                return not _has_item_mark(_line_start(other))
        return True if following or final else None

    def _take(self, line: str, *, complete: bool) -> tuple[str, str]:
        """Return the speech of a line, or of its beginning, and the text that is held back."""
        if not self._in_line:
            body = self._begin_line(line, complete=complete)
            if body is None:
                return "", "" if complete else line
            line = body
        spoken: list[str] = []
        position = 0
        while (end := _end_of_segment(line, position, complete=complete)) is not None:
            spoken.append(
                self._say(line[position:end], _speech(line[position:end], self._language))
            )
            position = end
        rest = line[position:]
        if not complete and (plain := _plain(rest)):
            spoken.append(self._say(rest, plain, complete=False))
        return "".join(spoken), rest

    def _begin_line(self, line: str, *, complete: bool) -> str | None:
        """Return a line without its mark; None if it cannot be classified yet, or is not spoken."""
        if not complete:
            if self._in_code or not _is_clear(line[:_LONGEST_START]):
                return None
        elif _FENCE.match(line):
            self._in_code = not self._in_code
            self.has_code = True
            return None
        elif self._in_code or not line.strip() or _not_text(line):
            return None
        elif line.lstrip().startswith("|"):
            self._in_line = self._is_item = True
            return ", ".join(cell.strip() for cell in line.split("|") if cell.strip())
        self._in_line = True
        start = _line_start(line)
        if self._is_signed:
            return f"-{line[start.end('mark') :]}"
        self._is_item = start["mark"] is not None or start["number"] is not None
        return line[start.end() if start["number"] is None else start.start("number") :]

    def _end_line(self) -> str:
        """Return the punctuation for the end of a line: items of a list are separate sentences."""
        item = self._is_item and self._in_line
        if self._in_line:
            self._in_list = item or self._last in _COLONS
        self._in_line = self._is_item = False
        if self._last:
            self._gap = " "
        if item and self._last and self._last not in _SENTENCE_END:
            self._last = "."
            return "."
        return ""

    def _say(self, segment: str, speech: str, *, complete: bool = True) -> str:
        """Return what is new in the speech of a segment."""
        said, self._said = self._said, speech
        if not said and segment[:1].isspace() and self._last:
            self._gap = " "
        if complete:
            # The beginning of what is now the next segment may have been said as well.
            self._said = said[len(speech) :].lstrip()
        if len(speech) <= len(said):
            return ""
        lead = "" if said or _CLOSES.match(speech) else self._gap
        self._gap = ""
        self._last = speech[-1]
        return lead + speech[len(said) :]


def _is_word(text: str) -> bool:
    """Return whether a text is a word without any mark or unit, such as most words are."""
    return text.isalpha() or (text.isascii() and text.isalnum() and text[0].isalpha())


def _plain(text: str) -> str:
    """Return the speech of the beginning of a segment, as far as it is certain."""
    word = text.strip()
    if not word or (word.isalpha() and word[0] not in _LINK_START):
        return word
    found = _PLAIN.match(text)
    return _LEADING_MARKS.sub("", found.group()).strip() if found else ""


def _speech(segment: str, language: str) -> str:
    """Return the speech of a segment."""
    word = segment.strip()
    if _is_word(word.rstrip(_PAUSES)):
        return word
    if (plain := _PLAIN.match(segment)) and plain.end() == len(segment):
        return _LEADING_MARKS.sub("", segment).strip()
    text = segment
    for pattern, kept in _INLINE:
        text = pattern.sub(kept, text)
    return spoken_units(text, language).strip()


def _line_start(line: str) -> re.Match[str]:
    # It may be of no length, so there is always one.
    return next(_LINE_START.finditer(line))


def _has_item_mark(start: re.Match[str]) -> bool:
    return start["number"] is not None or (start["mark"] or "#")[0] != "#"


def _is_clear(line: str) -> bool:
    """Return whether enough of the line has arrived to classify it."""
    start = _line_start(line)
    body = line[start.end() if start["number"] is None else start.start("number") :]
    if start["mark"] is not None and body[:1].isdigit():
        return _AFTER_DASH.match(body) is not None
    return bool(body) and not _UNCLEAR.match(body)


def _not_text(line: str) -> bool:
    return any(pattern.match(line) for pattern in (_RULE, _TABLE_RULE, _JSON_LINE))


def _end_of_segment(line: str, start: int, *, complete: bool) -> int | None:
    """Return the end of the next words that belong together, None if more has to come.

    It does not depend on later text, so that the cuts of a stream do not matter.
    """
    position = start
    before = None
    while (found := _WORD.match(line, position)) is not None:
        position = found.end()
        word = found.group().lstrip()
        if position == len(line) and not (_ENDED.search(word) or len(word) >= _LONGEST_WORD):
            return position if complete else None
        segment = line[start:position]
        if before is None and _is_word(segment.strip().rstrip(_PAUSES)):
            return position
        if before is not None and _NUMBER.match(found.group()):
            return before
        is_open, is_number = _is_open(segment), _NUMBER_OPEN.search(segment) is not None
        if len(segment) > _LONGEST_SEGMENT or not (is_open or is_number):
            return position
        before = None if is_open else position
    return position if complete and position > start else None


def _is_open(segment: str) -> bool:
    """Return whether a mark is opened in these words and not closed."""
    return segment.count("`") % 2 == 1 or _OPEN.search(segment) is not None


class SpeechFilterProvider(LLMProvider):
    """Provider whose answers are cleaned up for speech, also in the dialog and in the history.

    An answer of which nothing can be spoken, such as a lone emoji, stays as it is; `code_only` is
    said in place of one that is code.
    """

    def __init__(self, provider: LLMProvider, language: str = "", *, code_only: str = "") -> None:
        self._provider = provider
        self._language = language
        self._code_only = code_only

    @override
    async def stream(self, request: CompletionRequest) -> AsyncGenerator[ProviderEvent]:
        """Yield the answer as it comes, then `Completed`."""
        speech = SpeechFilter(self._language)
        original: list[str] = []
        spoken: list[str] = []
        async with aclosing(self._provider.stream(request)) as events:
            async for event in events:
                text = ""
                match event:
                    case TextDelta():
                        original.append(event.text)
                        text = speech.feed(event.text)
                    case Completed():
                        text = speech.finish()
                        if not (text or spoken or event.result.tool_calls):
                            said_of_code = self._code_only if speech.has_code else ""
                            text = said_of_code or "".join(original).strip()
                    case _:
                        yield event
                if text:
                    spoken.append(text)
                    yield TextDelta(text)
                if isinstance(event, Completed):
                    yield Completed(replace(event.result, content="".join(spoken) or None))
