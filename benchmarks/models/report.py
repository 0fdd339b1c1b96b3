"""Tables of the results."""

import json
import statistics
from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .judging import Result
from .sentence import Kind
from .ways import PEER

BEGIN, END = "<!-- results -->", "<!-- end of results -->"
_SETS = {
    "development": "Demo home, the sentences that prompts were tried with",
    "forty": "Demo home, forty sentences",
    "new": "Three homes, sentences made independently",
    "second": "Three homes, a second set made independently",
    "third": "Three homes, a third set made independently",
    "fourth": "Three homes, a fourth set made independently",
    "fifth": "Three homes, a fifth set made independently",
    "sixth": "Three homes, a sixth set made independently",
    "seventh": "Five homes, a seventh set made independently",
}
_MIXED_SETS = {"new", "second", "third", "fourth", "fifth", "sixth", "seventh"}
"""Sets with several kinds of sentences and languages."""

_COLUMNS = (
    "model",
    "way",
    "right",
    "asked back",
    "right after a yes",
    "opposite or unrelated",
    "call syntax spoken",
    "requests per plain command",
    "seconds (median)",
)

type Line = Mapping[str, Any]


def read_results(results: Path) -> list[Line]:
    """Return the lines of a file of results."""
    return [json.loads(line) for line in results.read_text().splitlines()]


def tables(lines: Sequence[Line], *, by_kind: bool) -> str:
    """Return the results as Markdown: a table per set, by kind and language if asked for."""
    groups = _grouped(lines, lambda line: line["set"])
    parts = []
    for name, heading in _SETS.items():
        if name in groups:
            parts += [f"**{heading}**", _table(groups[name])]
            if by_kind and name in _MIXED_SETS:
                parts += [_breakdown(groups[name], part) for part in ("kind", "language")]
    return "\n\n".join(parts)


def write_tables(lines: Sequence[Line], document: Path, *, by_kind: bool) -> None:
    """Replace the tables between their markers in a document."""
    before, _, rest = document.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    content = tables(lines, by_kind=by_kind)
    document.write_text(f"{before}{BEGIN}\n\n{content}\n\n{END}{after}")


def requests_per_plain_command(lines: Sequence[Line]) -> float | None:
    """Return the mean number of requests of plain commands, None if it is unknown."""
    plain = (line for line in lines if line["kind"] in {Kind.PLAIN, Kind.OLD})
    counts = [
        turn["requests"]
        for line in plain
        for turn in line["turns"]
        if turn["requests"] is not None and turn["calls"]
    ]
    return statistics.mean(counts) if counts else None


def _table(lines: Sequence[Line]) -> str:
    rows = [_row(*_COLUMNS), "|---" * len(_COLUMNS) + "|"]
    for (model, way), group in _grouped(lines, _model_and_way).items():
        requests = requests_per_plain_command(group)
        rows.append(
            _row(
                model,
                _way_name(way),
                f"{_share(group)} ({round(100 * _count(group, Result.RIGHT) / len(group))} %)",
                _count(group, Result.ASKED),
                sum(_is_right_after_yes(line) for line in group),
                _count(group, Result.OPPOSITE_OR_UNRELATED),
                sum(line["leaked"] for line in group),
                "unknown" if requests is None else f"{requests:.1f}",
                f"{statistics.median(line['seconds'] for line in group):.1f}",
            )
        )
    return "\n".join(rows)


def _breakdown(lines: Sequence[Line], part: str) -> str:
    """Return the right answers by kind or language, with a column per model and way."""
    columns = _grouped(lines, _model_and_way)
    names = (f"{model}, {_way_name(way)}" for model, way in columns)
    rows = [_row(part, *names), "|---" * (len(columns) + 1) + "|"]
    for value in dict.fromkeys(line[part] for line in lines):
        cells = [[line for line in group if line[part] == value] for group in columns.values()]
        rows.append(_row(value, *map(_share, cells)))
    return "\n".join(rows)


def _grouped[K: Hashable](lines: Sequence[Line], key: Callable[[Line], K]) -> dict[K, list[Line]]:
    groups: dict[K, list[Line]] = defaultdict(list)
    for line in lines:
        groups[key(line)].append(line)
    return dict(groups)


def _model_and_way(line: Line) -> tuple[str, str]:
    return line["model"], line["way"]


def _count(lines: Sequence[Line], result: Result) -> int:
    return sum(line["result"] == result for line in lines)


def _is_right_after_yes(line: Line) -> bool:
    """Return whether a yes to the question of the agent had the expected result."""
    yes = line.get("yes")
    return yes is not None and yes["result"] == Result.RIGHT


def _share(lines: Sequence[Line]) -> str:
    return f"{_count(lines, Result.RIGHT)} of {len(lines)}"


def _way_name(way: str) -> str:
    return f"Home Assistant's `{way}`" if way == PEER else f"Chatterbox, `{way}`"


def _row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"
