"""Documentation: links, code fences, and diagrams in step with the code."""

import re
from pathlib import Path

import pytest

from custom_components.chatterbox.agent.events import LoopState

PROJECT = Path(__file__).parents[1]
PAGES = sorted([*PROJECT.glob("*.md"), *PROJECT.glob("docs/**/*.md")])

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(PROJECT)))


def _anchors(page: Path) -> set[str]:
    """Return the anchors that a page's headings get where it is shown."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def _diagrams(page: Path) -> list[str]:
    return re.findall(r"^```mermaid\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)


@every_page
def test_links_lead_somewhere(page: Path) -> None:
    """Each relative link names a file that exists, and a heading that is there."""
    for link in re.findall(r"(?:\]\(|(?:src|href|srcset)=\")([^)\"\s]+)", page.read_text()):
        if re.match(r"\w+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        assert target.exists(), link
        assert not anchor or anchor in _anchors(target), link


@every_page
def test_fences_are_closed(page: Path) -> None:
    """Each code block has its end, and each diagram its kind."""
    fences = re.findall(r"^```(.*)$", page.read_text(), re.MULTILINE)
    assert len(fences) % 2 == 0
    assert not any(fences[1::2])
    for diagram in _diagrams(page):
        assert diagram.split()[0] in {"flowchart", "sequenceDiagram", "stateDiagram-v2"}


def test_state_diagram_has_the_states_of_the_loop() -> None:
    """The diagram of the loop shows all its states, and no other."""
    diagrams = _diagrams(PROJECT / "docs" / "loop.md")
    states = [diagram for diagram in diagrams if diagram.startswith("stateDiagram-v2")]
    assert len(states) == 1
    shown = {
        name
        for left, right in re.findall(r"^ *(\S+) --> (\w+|\[\*\])", states[0], re.MULTILINE)
        for name in (left, right)
    }
    assert shown - {"[*]"} == {state.name for state in LoopState}
