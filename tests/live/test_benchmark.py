"""The benchmark of turns, for as short as possible."""

import os
import subprocess

import pytest

from .home import PROJECT, newest_environment


@pytest.fixture(autouse=True)
def quiet() -> None:
    """Leave out the check of a home's log: the benchmark has a home of its own."""


def test_benchmark_measures_both_agents_in_one_home() -> None:
    rows = ("plain", "tool", "streaming")
    python = newest_environment() / "bin" / "python"
    done = subprocess.run(
        [python, "-m", "benchmarks.agent_turn", "--turns", "1", "--rows", *rows],
        cwd=PROJECT,
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    lines = [line.split(" | ") for line in done.stdout.splitlines() if line.startswith("| ")]
    assert [line[0] for line in lines[2:]] == [
        "| plain turn, added time",
        "| plain turn, processor time",
        "| tool turn, added time",
        "| tool turn, processor time",
        "| first delta in a pipeline",
        "| deltas of 50 tokens",
    ]
    assert all("–" not in line[1:4] for line in lines[2:])
