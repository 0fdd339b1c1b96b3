"""Documentation: links, code fences, and diagrams and examples in step with the code."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from custom_components.chatterbox.agent.events import LoopState
from custom_components.chatterbox.agent.messages import ToolCall
from custom_components.chatterbox.agent.tools.builtin import __name__ as tools_package
from custom_components.chatterbox.agent.tools.builtin.date_time import DateTimeTool
from custom_components.chatterbox.agent.tools.builtin.weather import WeatherTool
from custom_components.chatterbox.agent.tools.builtin.weather_report import (
    METRIC,
    CurrentWeather,
    DayForecast,
    WeatherReport,
    describe,
)
from custom_components.chatterbox.agent.tools.guard import ToolGuard
from custom_components.chatterbox.agent.tools.registry import ToolRegistry

PROJECT = Path(__file__).parents[1]
INTEGRATION = PROJECT / "custom_components" / "chatterbox"
TRANSLATION = json.loads((INTEGRATION / "translations" / "en.json").read_text())
LARGEST_IMAGE = 150_000
TOOL_GUIDE = (PROJECT / "docs" / "tools.md").read_text()
PAGES = sorted([*PROJECT.glob("*.md"), *PROJECT.glob("docs/**/*.md")])

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(PROJECT)))


def _anchors(page: Path) -> set[str]:
    """Return the anchors that a page's headings get where it is shown."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def _diagrams(page: Path) -> list[str]:
    return re.findall(r"^```mermaid\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)


@every_page
def test_link_targets_exist(page: Path) -> None:
    """Each relative link names a file that exists, and a heading that is there."""
    for link in re.findall(r"(?:\]\(|(?:src|href|srcset)=\")([^)\"\s]+)", page.read_text()):
        if re.match(r"\w+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        assert target.exists(), link
        assert not anchor or anchor in _anchors(target), link


def _links(page: Path) -> list[str]:
    """Return the targets of the links and images of a page, without their anchors."""
    found = re.findall(r"(?:\]\(|(?:src|href|srcset)=\")([^)\"\s#]+)", page.read_text())
    return [target for target in found if not re.match(r"\w+:", target)]


def test_every_page_and_image_is_linked() -> None:
    """Each page can be reached from the README, and each image is shown somewhere."""
    readme = PROJECT / "README.md"
    reached = {readme}
    pending = [readme]
    while pending:
        page = pending.pop()
        found = {(page.parent / link).resolve() for link in _links(page)} - reached
        reached |= found
        pending += [path for path in found if path.suffix == ".md"]
    images = [*(PROJECT / "docs" / "images").iterdir()]
    assert images
    for path in (*PROJECT.glob("docs/*.md"), *images):
        assert path in reached, path
        assert path.suffix == ".md" or path.stat().st_size < LARGEST_IMAGE, path


def _labels() -> Iterator[str]:
    """Yield the labels of all fields of all forms."""
    subentries = TRANSLATION["config_subentries"].values()
    for flow in (TRANSLATION["config"], TRANSLATION["options"], *subentries):
        for step in flow["step"].values():
            for fields in (step, *step.get("sections", {}).values()):
                yield from fields.get("data", {}).values()


def _names(entities: Any) -> Iterator[str]:
    """Yield the names of all entities."""
    for platform in entities.values():
        for entity in platform.values():
            if "name" in entity:
                yield entity["name"]


@pytest.mark.parametrize("label", sorted(set(_labels())))
def test_option_is_explained(label: str) -> None:
    assert label.lower() in (PROJECT / "docs" / "options.md").read_text().lower()


@pytest.mark.parametrize("name", sorted(set(_names(TRANSLATION["entity"]))))
def test_entity_is_explained(name: str) -> None:
    assert f"**{name}**" in (PROJECT / "docs" / "sensors.md").read_text()


@pytest.mark.parametrize("action", TRANSLATION["services"])
def test_action_is_explained(action: str) -> None:
    page = (PROJECT / "docs" / "actions.md").read_text()
    assert re.search(rf"`(chatterbox\.)?{action}`", page)


@pytest.mark.parametrize("tool", TRANSLATION["selector"]["built_in_tools"]["options"])
def test_built_in_tool_is_explained(tool: str) -> None:
    assert f"## {tool}\n" in TOOL_GUIDE


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


def _blocks(language: str) -> list[str]:
    """Return the guide's blocks of code in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", TOOL_GUIDE, re.MULTILINE | re.DOTALL)


async def test_example_of_the_tool_guide_is_a_working_tool() -> None:
    """Saved in the package as the guide says, the example can be called."""
    (source,) = _blocks("python")
    module = ModuleType(f"{tools_package}.dice")
    module.__package__ = tools_package
    exec(source, vars(module))  # noqa: S102 - it is our own
    guard = ToolGuard(ToolRegistry([module.DiceTool()]))

    good = await guard.dispatch(ToolCall(id="1", name="roll_dice", arguments={"sides": "20"}))
    bad = await guard.dispatch(ToolCall(id="2", name="roll_dice", arguments={"sides": 1}))

    assert good.data["sides"] == 20
    assert 1 <= good.data["number"] <= 20
    assert bad.data["error"] == "sides must be a whole number from 2 to 100."


def test_result_in_the_tool_guide_is_a_real_one() -> None:
    """A result of the weather tool that lacks nothing is the one shown."""
    shown = json.loads(_blocks("json")[0])
    day = DayForecast(**shown["daily"][0])
    current = CurrentWeather(
        conditions=shown["conditions"],
        temperature=shown["temperature_c"],
        feels_like=shown["feels_like_c"],
        humidity_percent=shown["humidity_percent"],
        wind_speed=shown["wind_speed_kmh"],
        is_day=shown["is_day"],
        local_time=shown["local_time"],
    )
    report = WeatherReport(
        source=shown["source"], timezone=shown["timezone"], current=current, days=[day]
    )

    assert describe(report, shown["location_name"], METRIC, 1) == shown


def test_argument_tables_of_the_tool_guide_are_complete() -> None:
    """Each tool has its section, whose table names all its arguments."""
    for tool in (WeatherTool, DateTimeTool):
        section = TOOL_GUIDE.partition(f"## {tool.definition.name}\n")[2].partition("\n## ")[0]
        named = re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)
        assert named == list(tool.definition.parameters["properties"])
