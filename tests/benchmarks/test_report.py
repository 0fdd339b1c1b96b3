"""Tables of the results, and resuming from them."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.models.judging import Result
from benchmarks.models.report import (
    BEGIN,
    END,
    read_results,
    requests_per_plain_command,
    tables,
    write_tables,
)
from benchmarks.models.runner import read_completed
from benchmarks.models.sentence import Kind


def line(text: str, result: Result, requests: int | None = 1, **values: Any) -> dict[str, Any]:
    turn = {"requests": requests, "calls": ["light.turn_on light.lamp"]}
    return {
        "home": "flat",
        "set": "new",
        "model": "small",
        "way": "guided",
        "kind": Kind.PLAIN,
        "language": "de",
        "text": text,
        "result": result,
        "leaked": result is Result.LEAKED,
        "seconds": 2.0,
        "turns": [turn],
        **values,
    }


LINES = [
    line("a", Result.RIGHT, 1),
    line("b", Result.OPPOSITE_OR_UNRELATED, 2),
    line("c", Result.LEAKED, None, kind=Kind.TALK),
    line("d", Result.ASKED, None, way="llama_cpp", language="en", yes={"result": Result.RIGHT}),
]


def test_each_model_and_profile_has_a_row_with_its_counts() -> None:
    rows = tables(LINES, by_kind=False).splitlines()
    assert "| small | Chatterbox, `guided` | 1 of 3 (33 %) | 0 | 0 | 1 | 1 | 1.5 | 2.0 |" in rows
    assert (
        "| small | Home Assistant's `llama_cpp` | 0 of 1 (0 %) | 1 | 1 | 0 | 0 | unknown | 2.0 |"
        in rows
    )
    assert not any(row.startswith("| kind") for row in rows)


def test_kinds_and_languages_are_broken_down_on_demand() -> None:
    rows = tables(LINES, by_kind=True).splitlines()
    assert "| plain command | 1 of 2 | 0 of 1 |" in rows
    assert "| small talk | 0 of 1 | 0 of 0 |" in rows
    assert "| en | 0 of 0 | 0 of 1 |" in rows


@pytest.mark.parametrize(
    ("name", "homes"),
    [
        ("second", "Three"),
        ("third", "Three"),
        ("fourth", "Three"),
        ("fifth", "Three"),
        ("sixth", "Three"),
        ("seventh", "Five"),
    ],
)
def test_a_further_set_has_its_own_table_and_is_broken_down_too(name: str, homes: str) -> None:
    rows = tables([*LINES, line("a2", Result.RIGHT, set=name)], by_kind=True).splitlines()
    assert rows.index(f"**{homes} homes, a {name} set made independently**") > 0
    assert rows.count("| plain command | 1 of 2 | 0 of 1 |") == 1
    assert rows.count("| plain command | 1 of 1 |") == 1


def test_only_plain_commands_that_called_something_count_for_requests() -> None:
    idle = line("e", Result.NOTHING, 9, turns=[{"requests": 9, "calls": []}])
    other = line("f", Result.RIGHT, 9, kind=Kind.COMPOUND)
    assert requests_per_plain_command([*LINES, idle, other]) == 1.5
    assert requests_per_plain_command(LINES[2:]) is None


def test_tables_replace_the_text_between_their_marks(tmp_path: Path) -> None:
    document = tmp_path / "document.md"
    document.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n")
    write_tables(LINES, document, by_kind=False)
    text = document.read_text()
    assert text.startswith(f"before\n{BEGIN}")
    assert text.endswith(f"{END}\nafter\n")
    assert "old" not in text
    assert "guided" in text


def test_results_are_resumed_after_a_restart(tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    assert read_completed(results) == set()
    results.write_text("".join(f"{json.dumps(line)}\n" for line in LINES))
    assert ("flat", "small", "guided", "a") in read_completed(results)
    assert ("flat", "small", "llama_cpp", "a") not in read_completed(results)
    assert read_results(results) == LINES
