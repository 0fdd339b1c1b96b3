"""Adding a server: errors and their correction, and the way to the first answer."""

from playwright.async_api import Page, expect

from tests.fake_openai import FakeOpenAI, Fault, Reply
from tests.live.chatterbox import MODEL
from tests.live.home import free_port

from .interactions import Interactions
from .pages.assistants_page import AssistantsPage
from .pages.device_page import DevicePage
from .pages.flow_dialog import FlowDialog
from .pages.frontend import Frontend
from .pages.integration_page import IntegrationPage
from .pages.integrations_page import IntegrationsPage
from .texts import label, text

USER = "config.step.user"
URL = label(USER, "base_url")
KEY = label(USER, "api_key")
TITLE = text(f"{USER}.title")
MODEL_TITLE = text("config.step.model.title")
MOST_CLICKS = 10
# Four clicks to the form, instead of the confirmation of the button.
MOST_CLICKS_BY_HAND = 11


def error(name: str) -> str:
    """Return an error of the form, up to what is filled in."""
    return text(f"config.error.{name}").partition("{")[0]


async def begin(page: Page) -> FlowDialog:
    """Open the form of a new server."""
    dialog = await IntegrationsPage(page).add_by_link("chatterbox")
    await dialog.expect_step(TITLE)
    return dialog


async def test_url_without_a_server_is_an_error_that_can_be_corrected(
    page: Page, model: FakeOpenAI
) -> None:
    dialog = await begin(page)
    await dialog.fill(URL, f"http://127.0.0.1:{free_port()}")
    await dialog.submit()
    await dialog.expect_error(error("cannot_connect"))
    await dialog.fill(URL, model.url)
    await dialog.submit()
    await dialog.expect_step(MODEL_TITLE)


async def test_invalid_url_is_an_error_below_its_field(page: Page) -> None:
    dialog = await begin(page)
    await dialog.fill(URL, "http://user:password@127.0.0.1")
    await dialog.submit()
    await expect(dialog.dialog.get_by_text(error("invalid_url"))).to_be_visible()


async def test_html_answer_is_an_error(page: Page, model: FakeOpenAI) -> None:
    model.models_reply = model.default = Reply(fault=Fault.HTML)
    dialog = await begin(page)
    await dialog.fill(URL, model.url)
    await dialog.submit()
    await dialog.expect_error(error("not_openai"))


async def test_wrong_key_is_an_error_that_can_be_corrected(page: Page, model: FakeOpenAI) -> None:
    model.api_key = "right"
    dialog = await begin(page)
    await dialog.fill(URL, model.url)
    await dialog.submit()
    await dialog.expect_error(error("key_required"))
    await dialog.fill(KEY, "wrong")
    await dialog.submit()
    await dialog.expect_error(error("invalid_auth"))
    await dialog.fill(KEY, "right")
    await dialog.submit()
    await dialog.expect_step(MODEL_TITLE)
    await expect(dialog.picker(label("config.step.model", "model"))).to_contain_text(MODEL)


async def test_first_answer_takes_few_clicks_and_one_typed_field(
    page: Page, model: FakeOpenAI, interactions: Interactions
) -> None:
    """From the button in the README to an answer of the assistant, with the suggested model."""
    await answer_first_request(page, model, await begin(page))
    assert interactions.clicks <= MOST_CLICKS
    # The second one is the request.
    assert interactions.fields == 2


async def test_first_answer_without_the_button_takes_a_search_more(
    page: Page, model: FakeOpenAI, interactions: Interactions
) -> None:
    """From the overview, by way of the settings."""
    frontend = Frontend(page)
    await frontend.open_overview()
    await frontend.open_settings("Devices & services")
    dialog = await IntegrationsPage(page).add("Chatterbox")
    await dialog.expect_step(TITLE)
    await answer_first_request(page, model, dialog)
    assert interactions.clicks <= MOST_CLICKS_BY_HAND
    assert interactions.fields == 3


async def answer_first_request(page: Page, model: FakeOpenAI, dialog: FlowDialog) -> None:
    """Set up the server, give its agent to the assistant, and ask that something."""
    await dialog.fill(URL, model.url)
    await dialog.submit()
    await dialog.expect_step(MODEL_TITLE)
    await dialog.submit()
    await dialog.follow("Voice assistants")
    await AssistantsPage(page).set_agent("Home Assistant", "Chatterbox")
    model.script(Reply("Good evening!"))
    chat = await Frontend(page).open_assist()
    await chat.ask("Who are you?")
    await chat.expect_answer("Good evening!")


async def test_agent_answers_on_the_page_of_its_device(page: Page, model: FakeOpenAI) -> None:
    """Without an assistant: the dialog of the agent's entity has a chat."""
    dialog = await begin(page)
    await dialog.fill(URL, model.url)
    await dialog.submit()
    await dialog.expect_step(MODEL_TITLE)
    await dialog.submit()
    await dialog.finish()
    await page.get_by_role("link", name="Chatterbox").click()
    await IntegrationPage(page).open_device()
    chat = await DevicePage(page).open_chat()
    model.script(Reply("Good evening!"))
    await chat.ask("Hello")
    await chat.expect_answer("Good evening!")
