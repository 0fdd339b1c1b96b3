"""A configured server: a refused key, another address, its options."""

from playwright.async_api import Locator, Page, expect

from tests.fake_openai import FakeOpenAI
from tests.live.chatterbox import Agent, process
from tests.live.home import Home

from .pages.flow_dialog import FlowDialog
from .pages.integration_page import IntegrationPage
from .texts import label, text

REAUTH = "config.step.reauth_confirm"
RECONFIGURE = "config.step.reconfigure"
OPTIONS = "options.step.init"


async def test_refused_key_is_replaced(
    page: Page, agent: Agent, home: Home, model: FakeOpenAI
) -> None:
    model.api_key = "new"
    await process(home, agent, "Hello")
    integration = IntegrationPage(page)
    await integration.open()
    dialog = await integration.reauthenticate()
    await dialog.fill(label(REAUTH, "api_key"), "wrong")
    await dialog.submit()
    await dialog.expect_error(text("config.error.invalid_auth"))
    await dialog.fill(label(REAUTH, "api_key"), "new")
    await dialog.submit()
    await dialog.finish()
    await expect(integration.attention).to_have_count(0)
    assert (await process(home, agent, "Hello"))["response"]["response_type"] == "action_done"


async def test_server_moves_to_another_address(page: Page, agent: Agent, home: Home) -> None:
    async with FakeOpenAI() as other:
        integration = IntegrationPage(page)
        await integration.open()
        dialog = await integration.reconfigure()
        await dialog.expect_step(text(f"{RECONFIGURE}.title"))
        await dialog.fill(label(RECONFIGURE, "base_url"), other.url)
        await dialog.submit()
        await dialog.finish()
        port = other.url.split(":")[2].partition("/")[0]
        await expect(integration.server).to_contain_text(f"127.0.0.1:{port}")
        await process(home, agent, "Hello")
        assert other.completions


async def test_options_are_saved(page: Page, agent: Agent) -> None:
    integration = IntegrationPage(page)
    await integration.open()
    timeout = await open_timeout(integration)
    await timeout.fill("75")
    await FlowDialog(page).submit()
    await FlowDialog(page).finish()
    await expect(await open_timeout(integration)).to_have_value("75")


async def open_timeout(integration: IntegrationPage) -> Locator:
    """Open the options; return the field of one of them, in its section."""
    dialog = await integration.configure()
    await dialog.expect_step(text(f"{OPTIONS}.title"))
    await dialog.open_section(text(f"{OPTIONS}.sections.connection.name"))
    return dialog.field(label(OPTIONS, "first_token_timeout"))
