"""Corpus of answers of large models, by topic.

Each topic is a text file. An answer begins with a line `=== id language`; the message of the user
follows, then a line `---`, then the answer up to the line break in front of the next header.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent
_HEADER = re.compile(r"^=== (?P<id>[a-z0-9-]+) (?P<language>[a-z]{2})\n", re.MULTILINE)
_SEPARATOR = "\n---\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusAnswer:
    """An answer, and the message that it answers."""

    id: str
    language: str
    topic: str
    user: str
    text: str


@cache
def load_corpus() -> tuple[CorpusAnswer, ...]:
    """Return all answers, sorted by topic."""
    return tuple(answer for path in sorted(_FOLDER.glob("*.txt")) for answer in _load_topic(path))


def _load_topic(path: Path) -> list[CorpusAnswer]:
    # A carriage return is part of an answer.
    text = path.read_bytes().decode()
    headers = list(_HEADER.finditer(text))
    ends = [*(header.start() for header in headers[1:]), len(text)]
    answers = []
    for header, end in zip(headers, ends, strict=True):
        user, _, answer = text[header.end() : end].partition(_SEPARATOR)
        answers.append(
            CorpusAnswer(
                id=header["id"],
                language=header["language"],
                topic=path.stem,
                user=user,
                text=answer.removesuffix("\n"),
            )
        )
    return answers
