"""Light and dark, on a computer and on a phone."""

from pathlib import PurePosixPath
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Page, expect

from tests.live.chatterbox import Agent

from .conftest import DESKTOP, PHONE, Browse
from .pages.flow_dialog import FlowDialog
from .pages.integration_page import IntegrationPage
from .pages.integrations_page import IntegrationsPage
from .texts import EDIT, text

SIZES = {"desktop": DESKTOP, "phone": PHONE}

every_appearance = pytest.mark.parametrize(
    ("scheme", "size"),
    [(scheme, size) for scheme in ("light", "dark") for size in SIZES],
)


async def expect_to_fit(page: Page, dialog: FlowDialog) -> None:
    """Check that no part of a form is beside the screen, and that it can be submitted."""
    await expect(dialog.submit_button).to_be_in_viewport()
    width = await page.evaluate("innerWidth")
    assert await page.evaluate("document.scrollingElement.scrollWidth") <= width
    fields = await dialog.dialog.locator("ha-form").locator("[class*=root] > *").all()
    assert fields
    for field in fields:
        box = await field.bounding_box()
        assert box is None or (box["x"] >= 0 and box["x"] + box["width"] <= width), box


@every_appearance
async def test_setup_form_fits_the_screen(browse: Browse, scheme: str, size: str) -> None:
    page = await browse(color_scheme=scheme, viewport=SIZES[size])
    dialog = await IntegrationsPage(page).add_by_link("chatterbox")
    await dialog.expect_step(text("config.step.user.title"))
    await expect_to_fit(page, dialog)


@every_appearance
async def test_agent_form_fits_the_screen(
    browse: Browse, agent: Agent, scheme: str, size: str
) -> None:
    page = await browse(color_scheme=scheme, viewport=SIZES[size])
    integration = IntegrationPage(page)
    await integration.open()
    dialog = await integration.reconfigure_agent(EDIT)
    await dialog.expect_step(text("config_subentries.conversation.step.init.title"))
    await expect_to_fit(page, dialog)


@pytest.mark.parametrize(("scheme", "icon"), [("light", "icon"), ("dark", "dark_icon")])
async def test_icon_is_that_of_the_color_scheme(
    browse: Browse, agent: Agent, scheme: str, icon: str
) -> None:
    page = await browse(color_scheme=scheme)
    await IntegrationPage(page).open()
    image = page.get_by_role("img", name="Chatterbox").first
    await expect(image).to_have_js_property("complete", value=True)
    assert await image.evaluate("image => image.naturalWidth")
    source = str(await image.get_attribute("src"))
    assert PurePosixPath(urlsplit(source).path).stem.removesuffix("@2x") == icon
