"""Table of the benchmark of turns."""

from pathlib import Path

import pytest

from benchmarks.agent_turn.report import TURN_TABLE, Goal, Row, table, write_table


@pytest.mark.parametrize(
    ("row", "cells"),
    [
        (
            Row("plain turn", "ms", 9.2, 17.12, Goal(0.6)),
            "| plain turn | 9.20 ms | 17.1 ms | 1.86 × | ≤ 0.60 × | no |",
        ),
        (
            Row("plain turn", "ms", 10.0, 5.0, Goal(0.6)),
            "| plain turn | 10 ms | 5 ms | 0.50 × | ≤ 0.60 × | yes |",
        ),
        (
            Row("deltas", "", 50, 50, Goal(50, of_ratio=False, at_least=True)),
            "| deltas | 50 | 50 | 1 × | ≥ 50 | yes |",
        ),
        (
            Row("first question", "s", None, 4321.5, Goal(1.3)),
            "| first question | – | 4,322 s | – | ≤ 1.30 × | no |",
        ),
        (Row("turns", "", 30, 60, None), "| turns | 30 | 60 | 2 × | – | – |"),
    ],
)
def test_row_shows_both_agents_their_ratio_and_the_goal(row: Row, cells: str) -> None:
    header, line, only = table([row]).splitlines()
    assert header == "| | `llama_cpp` | Chatterbox | ratio | wanted | holds |"
    assert line == "| --- | ---: | ---: | ---: | ---: | --- |"
    assert only == cells


def test_table_replaces_what_is_between_its_markers(tmp_path: Path) -> None:
    document = tmp_path / "performance.md"
    begin, end = f"<!-- {TURN_TABLE} -->", f"<!-- end of {TURN_TABLE} -->"
    document.write_text(f"# Performance\n\n{begin}\nold\n{end}\n\nMore.\n")
    write_table(TURN_TABLE, "new", document)
    assert document.read_text() == f"# Performance\n\n{begin}\n\nnew\n\n{end}\n\nMore.\n"


def test_table_is_appended_to_a_document_without_markers(tmp_path: Path) -> None:
    document = tmp_path / "performance.md"
    write_table("turns", "new", document)
    assert document.read_text() == "<!-- turns -->\n\nnew\n\n<!-- end of turns -->\n"
