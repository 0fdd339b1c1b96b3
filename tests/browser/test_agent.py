"""An agent: its form, and its device with sensors."""

import re

from playwright.async_api import Page, expect

from tests.fake_openai import FakeOpenAI, Reply
from tests.live.chatterbox import Agent, process
from tests.live.home import Home

from .pages.device_page import DevicePage
from .pages.integration_page import IntegrationPage
from .texts import EDIT, TEST, label, text

FORM = "config_subentries.conversation.step.init"


async def test_agent_is_renamed_in_its_form(page: Page, agent: Agent) -> None:
    integration = IntegrationPage(page)
    await integration.open()
    dialog = await integration.reconfigure_agent(EDIT)
    await dialog.expect_step(text(f"{FORM}.title"))
    await dialog.fill(label(FORM, "name"), "Jeeves")
    await dialog.submit()
    await dialog.finish()
    await expect(integration.server).to_contain_text("Jeeves")
    dialog = await integration.reconfigure_agent(EDIT)
    await expect(dialog.field(label(FORM, "name"))).to_have_value("Jeeves")


async def test_option_in_a_collapsed_section_is_saved(page: Page, agent: Agent) -> None:
    integration = IntegrationPage(page)
    await integration.open()
    for submitted in (False, True):
        dialog = await integration.reconfigure_agent(EDIT)
        await dialog.expect_step(text(f"{FORM}.title"))
        await dialog.open_section(text(f"{FORM}.sections.memory.name"))
        summarize = dialog.dialog.get_by_role("switch", name=label(FORM, "summarize"))
        if submitted:
            await expect(summarize).to_be_checked()
        else:
            await dialog.switch(label(FORM, "summarize"))
            await dialog.submit()
            await dialog.finish()


async def test_test_of_an_agent_shows_an_answer(
    page: Page, agent: Agent, model: FakeOpenAI
) -> None:
    """The scripted model calls no tool, and so its agent looks the time up."""
    model.default = Reply("It is half past nine.")
    integration = IntegrationPage(page)
    await integration.open()
    dialog = await integration.reconfigure_agent(TEST)
    await dialog.expect_step(text("config_subentries.conversation.step.result.title"))
    await expect(dialog.dialog.get_by_text(re.compile(r"^\d+:\d\d [AP]M\.$"))).to_be_visible()


async def test_device_has_sensors_of_the_last_turn(page: Page, agent: Agent, home: Home) -> None:
    await process(home, agent, "Hello")
    integration = IntegrationPage(page)
    await integration.open()
    await integration.open_device()
    device = DevicePage(page)
    await expect(device.card("Events")).to_contain_text("Completed")
    sensors = device.card("Diagnostic")
    await expect(sensors).to_contain_text(text("entity.sensor.time_to_first_token.name"))
    await expect(sensors).not_to_contain_text("Unknown")
