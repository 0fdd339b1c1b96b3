"""The table of the results, and its place in a document."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

TURN_TABLE, MODEL_TABLE = "agent turns", "agent turns with a model"
LOAD_TABLE = "load"
# Significant digits of a number that is no integer.
_DIGITS = 3
HEADER = ("", "`llama_cpp`", "Chatterbox", "ratio", "wanted", "holds")


@dataclass(frozen=True, slots=True)
class Goal:
    """Goal of a row: a limit of the value or of its ratio to the peer's."""

    limit: float
    of_ratio: bool = True
    at_least: bool = False

    def holds(self, row: Row) -> bool:
        """Return whether a row reaches the goal."""
        value = row.ratio if self.of_ratio else row.ours
        if value is None:
            return False
        return value >= self.limit if self.at_least else value <= self.limit

    def text(self, unit: str) -> str:
        """Return the goal for the table."""
        sign = "≥" if self.at_least else "≤"
        return f"{sign} {_number(self.limit, '×' if self.of_ratio else unit)}"


@dataclass(frozen=True, slots=True)
class Row:
    """A measured quantity of both agents; of the peer it may be missing."""

    label: str
    unit: str
    peer: float | None
    ours: float
    goal: Goal | None = None

    @property
    def ratio(self) -> float | None:
        """Chatterbox's value relative to the peer's, None without one."""
        return self.ours / self.peer if self.peer else None

    def cells(self) -> Sequence[str]:
        """Return the cells of the table."""
        goal = self.goal
        return (
            self.label,
            _number(self.peer, self.unit),
            _number(self.ours, self.unit),
            _number(self.ratio, "×"),
            goal.text(self.unit) if goal else "–",
            ("yes" if goal.holds(self) else "no") if goal else "–",
        )


def table(rows: Iterable[Row]) -> str:
    """Return the rows as a Markdown table."""
    lines = [HEADER, ["---", *["---:"] * 4, "---"], *(row.cells() for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |".replace("|  |", "| |") for line in lines)


def write_table(name: str, content: str, document: Path) -> None:
    """Replace the content between the markers of a name; append it where there are none."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    text = document.read_text() if document.exists() else ""
    before, marker, rest = text.partition(begin)
    after = rest.partition(end)[2] if marker else "\n"
    document.write_text(f"{before}{begin}\n\n{content}\n\n{end}{after}")


def _number(value: float | None, unit: str) -> str:
    if value is None:
        return "–"
    digits = 0 if value == round(value) else max(0, _DIGITS - len(f"{value:.0f}"))
    return f"{value:,.{digits}f} {unit}".rstrip()
