"""The guide to writing a tool tells the truth: its example works, its results are real."""

import json
import re
from pathlib import Path
from types import ModuleType

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

GUIDE = (Path(__file__).parents[1] / "docs" / "tools.md").read_text()


def blocks(language: str) -> list[str]:
    """Return the guide's blocks of code in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)


async def test_the_example_is_a_tool() -> None:
    """Saved in the package as the guide says, the example can be called."""
    (source,) = blocks("python")
    module = ModuleType(f"{tools_package}.dice")
    module.__package__ = tools_package
    exec(source, vars(module))  # noqa: S102 - it is our own
    guard = ToolGuard(ToolRegistry([module.DiceTool()]))

    good = await guard.dispatch(ToolCall(id="1", name="roll_dice", arguments={"sides": "20"}))
    bad = await guard.dispatch(ToolCall(id="2", name="roll_dice", arguments={"sides": 1}))

    assert good.data["sides"] == 20
    assert 1 <= good.data["number"] <= 20
    assert bad.data["error"] == "sides must be a whole number from 2 to 100."


def test_the_results_shown_have_the_keys_of_real_ones() -> None:
    """A result of the weather tool that lacks nothing is the one shown."""
    shown = json.loads(blocks("json")[0])
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


def test_the_arguments_are_those_of_the_tools() -> None:
    """Each tool has its section, whose table names all its arguments."""
    for tool in (WeatherTool, DateTimeTool):
        section = GUIDE.partition(f"## {tool.definition.name}\n")[2].partition("\n## ")[0]
        named = re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)
        assert named == list(tool.definition.parameters["properties"])
