"""Transitions of the state diagram in `docs/loop.md`."""

import re
from functools import cache
from pathlib import Path

from custom_components.chatterbox.agent.events import LoopState

PAGE = Path(__file__).parents[2] / "docs" / "loop.md"


@cache
def transitions() -> frozenset[tuple[LoopState, LoopState]]:
    """Return the pairs of states that an arrow connects."""
    _, _, rest = PAGE.read_text().partition("stateDiagram-v2\n")
    diagram, _, _ = rest.partition("```")
    arrows = re.findall(r"^ *(\w+) --> (\w+)", diagram, re.MULTILINE)
    return frozenset((LoopState[left], LoopState[right]) for left, right in arrows)
