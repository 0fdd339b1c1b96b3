"""The table of the results."""

import json
import statistics
from collections import defaultdict
from pathlib import Path
from typing import Any

BEGIN, END = "<!-- results -->", "<!-- end of results -->"


def table(lines: list[dict[str, Any]]) -> str:
    """Return the results as a Markdown table."""
    groups: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for line in lines:
        groups[line["model"], line["way"]].append(line)
    columns = ("model", "way", "done right", "call syntax spoken", "seconds (median)")
    rows = [f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
    for (model, way), group in groups.items():
        right = sum(line["right"] for line in group)
        leaked = sum(line["leaked"] for line in group)
        seconds = statistics.median(line["seconds"] for line in group)
        name = "Home Assistant's `llama_cpp`" if way == "llama_cpp" else f"Chatterbox, `{way}`"
        share = round(100 * right / len(group))
        rows.append(
            f"| {model} | {name} | {right} of {len(group)} ({share} %) | {leaked} | {seconds:.1f} |"
        )
    return "\n".join(rows)


def write_table(results: Path, document: Path) -> None:
    """Put the table between its marks in a document."""
    lines = [json.loads(line) for line in results.read_text().splitlines()]
    before, _, rest = document.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    document.write_text(f"{before}{BEGIN}\n\n{table(lines)}\n\n{END}{after}")
