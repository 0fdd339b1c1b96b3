"""A real Home Assistant with its frontend, and a browser that is logged in.

These tests run by themselves, with `scripts/test browser`: their environment has Playwright and
neither Home Assistant nor its test plugin. Home Assistant is the newest supported release, as a
`hass` process of its own environment; the model is the scripted server.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, BrowserContext, Page, Route, StorageState

from tests.fake_openai import FakeOpenAI
from tests.live.chatterbox import KITCHEN, Agent, add_agent, expose
from tests.live.home import CONFIGURATION, OWNER, Home, newest_environment

from .chromium import running_chromium
from .interactions import Interactions
from .pages.frontend import Frontend
from .texts import INTEGRATION

# Like the home of a user: with the frontend, and without what only the live tests need.
USER_CONFIGURATION = "frontend:\nconfig:\n" + CONFIGURATION.replace("dialog:\ntrouble:\n", "")
DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
# A slow machine takes its time for the first page.
PATIENCE = 30_000

type Browse = Callable[..., Awaitable[Page]]
type Screenshot = Callable[[str, Page], Awaitable[None]]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option for the pictures of the documentation."""
    parser.addoption(
        "--screenshots", type=Path, help="folder for the screenshots of the documentation"
    )


@pytest.fixture(scope="session")
async def model() -> AsyncIterator[FakeOpenAI]:
    """Run the scripted server."""
    async with FakeOpenAI() as server:
        yield server


@pytest.fixture(scope="session")
async def home(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Home]:
    """Run Home Assistant with its demo home and its frontend."""
    program = newest_environment() / "bin" / "hass"
    folder = tmp_path_factory.mktemp("home")
    async with Home(program, folder, INTEGRATION, USER_CONFIGURATION) as running:
        await expose(running, KITCHEN)
        yield running


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    """Run Chromium."""
    async with running_chromium() as running:
        yield running


@dataclass(frozen=True)
class Login:
    """A browser, the URL of the home, and what a browser stores of the login."""

    browser: Browser
    url: str
    stored: StorageState


@pytest.fixture(scope="session")
async def login(home: Home, browser: Browser) -> Login:
    """Log in as the owner, once."""
    context = await browser.new_context(base_url=home.url)
    page = await context.new_page()
    page.set_default_timeout(PATIENCE)
    await Frontend(page).log_in(**OWNER)
    stored = await context.storage_state()
    await context.close()
    return Login(browser, home.url, stored)


@pytest.fixture
async def interactions() -> Interactions:
    """Return the count of clicks and typed fields on the pages of the test."""
    return Interactions()


@pytest.fixture
async def browse(
    request: pytest.FixtureRequest,
    login: Login,
    interactions: Interactions,
    tmp_path: Path,
) -> AsyncIterator[Browse]:
    """Return a function that opens a page, optionally with options of the browser's context."""
    contexts: list[BrowserContext] = []

    async def open_page(**options: Any) -> Page:
        context = await login.browser.new_context(
            **{
                "base_url": login.url,
                "locale": "en-US",
                "storage_state": login.stored,
                "viewport": DESKTOP,
                "reduced_motion": "reduce",
                "service_workers": "block",
                **options,
            }
        )
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        await context.route(lambda url: not url.startswith(login.url), refuse)
        await interactions.count_in(context)
        return await context.new_page()

    yield open_page
    report = request.node.stash.get(FAILED, None)
    for number, context in enumerate(contexts):
        for page in context.pages if report else ():
            picture = tmp_path / f"page-{number}.png"
            await page.screenshot(path=picture)
            report.sections.append(("Page", f"{page.url}\n{picture}"))
        await context.close()


async def refuse(route: Route) -> None:
    """Keep a page off the internet."""
    await route.abort()


@pytest.fixture
async def page(browse: Browse) -> Page:
    """Return a page of a desktop computer."""
    return await browse()


@pytest.fixture
async def screenshot(request: pytest.FixtureRequest) -> Screenshot:
    """Return a function that takes a picture for the documentation, if they are asked for."""
    folder: Path | None = request.config.getoption("--screenshots")

    async def take(name: str, page: Page) -> None:
        if folder is not None:
            await page.screenshot(path=folder / f"{name}.png", animations="disabled")

    return take


@pytest.fixture
async def agent(home: Home, model: FakeOpenAI) -> Agent:
    """Return an agent of Chatterbox that uses the scripted server."""
    return await add_agent(home, model.url)


@pytest.fixture(autouse=True)
async def fresh(home: Home, model: FakeOpenAI) -> AsyncIterator[None]:
    """Start each test without a script and without a server; check the log at its end."""
    model.reset()
    model.api_key = None
    yield
    await reset_assistants(home)
    for entry in await home.ws.call("config_entries/get", domain="chatterbox"):
        await home.delete(f"api/config/config_entries/entry/{entry['entry_id']}")
    errors = [
        str(record)
        for record in await home.new_records()
        if record.about_chatterbox and record.level in {"ERROR", "CRITICAL"}
    ]
    assert not errors, "\n".join(errors)


async def reset_assistants(home: Home) -> None:
    """Leave only the preferred assistant, with Home Assistant as its agent."""
    found = await home.ws.call("assist_pipeline/pipeline/list")
    for pipeline in found["pipelines"]:
        pipeline_id = pipeline.pop("id")
        if pipeline_id == found["preferred_pipeline"]:
            settings = {**pipeline, "conversation_engine": "conversation.home_assistant"}
            await home.ws.call(
                "assist_pipeline/pipeline/update", pipeline_id=pipeline_id, **settings
            )
        else:
            await home.ws.call("assist_pipeline/pipeline/delete", pipeline_id=pipeline_id)


FAILED = pytest.StashKey[pytest.TestReport]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Keep the report of a failed test for its pages, and show what Home Assistant logged."""
    report = yield
    home = getattr(item, "funcargs", {}).get("home")
    if call.when == "call" and report.failed and home is not None:
        item.stash[FAILED] = report
        records = [record for record in home.log.records[home.checked :] if record.about_chatterbox]
        lines = [str(record)[:500] for record in records[-20:]]
        report.sections.append(("Home Assistant about Chatterbox", "\n".join(lines)))
    return report
