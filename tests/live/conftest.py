"""A real Home Assistant for the live tests, once for each supported release.

These tests are run by themselves, with `pytest tests/live`: the test plugin of Home Assistant,
which all the other tests need, puts a guard before every socket and looks after a Home Assistant of
its own. The pytest.ini of this folder leaves the plugin out, and since that is where the settings
are, no conftest.py of a folder above is read.

pytest runs on the oldest release; the newest has an environment of its own, which scripts/setup
makes. A process is started once per release and serves all tests.
"""

import sys
from collections.abc import AsyncIterator, Generator
from pathlib import Path

import pytest

from tests.fake_openai import FakeOpenAI

from .chatterbox import KITCHEN, Agent, add_agent, expose
from .home import PROJECT, Home, newest_environment
from .log import Record

INTEGRATION = PROJECT / "custom_components" / "chatterbox"


@pytest.fixture(scope="session", params=["oldest", "newest"])
def program(request: pytest.FixtureRequest) -> Path:
    """Return the `hass` of a supported release."""
    environment = Path(sys.prefix) if request.param == "oldest" else newest_environment()
    return environment / "bin" / "hass"


@pytest.fixture(scope="session")
async def model() -> AsyncIterator[FakeOpenAI]:
    """Run the scripted server."""
    async with FakeOpenAI() as server:
        yield server


@pytest.fixture(scope="session")
async def home(program: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Home]:
    """Run Home Assistant with its demo home."""
    async with Home(program, tmp_path_factory.mktemp("home"), INTEGRATION) as running:
        await expose(running, KITCHEN)
        yield running


@pytest.fixture(scope="session")
async def agent(home: Home, model: FakeOpenAI) -> Agent:
    """Return an agent of Chatterbox that uses the scripted server."""
    model.reset()
    return await add_agent(home, model.url)


@pytest.fixture(autouse=True)
async def quiet(
    request: pytest.FixtureRequest, home: Home, model: FakeOpenAI
) -> AsyncIterator[None]:
    """Start each test without a script, and check the log at its end."""
    model.reset()
    yield
    allowed = {
        level
        for marker, level in (("warns", "WARNING"), ("errs", "ERROR"))
        if request.node.get_closest_marker(marker) is not None
    }
    complaints = [
        record
        for record in await home.new_records()
        if record.complains_about_chatterbox and not (record.level in allowed and is_own(record))
    ]
    # Of a traceback its last lines tell the most.
    shown = [f"{str(record)[:400]} ... {record.text[-400:]}" for record in complaints]
    assert not complaints, "\n".join(shown)


def is_own(record: Record) -> bool:
    """Return whether Chatterbox itself wrote the record, in one line."""
    return (
        record.logger.startswith("custom_components.chatterbox") and "Traceback" not in record.text
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show what Home Assistant logged about Chatterbox when a test fails."""
    report = yield
    home = getattr(item, "funcargs", {}).get("home")
    if report.failed and home is not None:
        records = [record for record in home.log.records[home.checked :] if record.about_chatterbox]
        lines = [str(record)[:500] for record in records[-20:]]
        report.sections.append(("Home Assistant about Chatterbox", "\n".join(lines)))
    return report
