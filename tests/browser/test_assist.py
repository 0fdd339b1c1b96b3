"""Talking to the agent: the Assist dialog, its streaming, and what is remembered."""

from playwright.async_api import Page, expect

from tests.fake_openai import Call, FakeOpenAI, Gate, Reply
from tests.live.chatterbox import KITCHEN, Agent, change_agent
from tests.live.home import Home

from .conftest import Screenshot
from .pages.assist_dialog import AssistDialog
from .pages.assistants_page import AssistantsPage
from .pages.frontend import Frontend
from .texts import text

ASSISTANT = "Chatterbox en"


async def open_assist(page: Page) -> AssistDialog:
    """Open the Assist dialog with the assistant that has the agent."""
    frontend = Frontend(page)
    await frontend.open_overview()
    dialog = await frontend.open_assist()
    await dialog.choose_assistant(ASSISTANT)
    return dialog


async def test_answer_appears_while_the_model_writes(
    page: Page, agent: Agent, model: FakeOpenAI
) -> None:
    dialog = await open_assist(page)
    written = Gate(after=4)
    model.script(Reply("One moment, here is the rest.", chunk_size=4, hold=written))
    await dialog.ask("Tell me something")
    await expect(dialog.answer).to_contain_text("One")
    await expect(dialog.answer).not_to_contain_text("rest")
    written.open()
    await dialog.expect_answer("One moment, here is the rest.")


async def test_command_changes_the_home(
    page: Page, agent: Agent, home: Home, model: FakeOpenAI, screenshot: Screenshot
) -> None:
    await home.call_service("light.turn_off", entity_id=KITCHEN)
    dialog = await open_assist(page)
    model.script(
        Reply(tool_calls=[Call("*HassTurnOn", {"name": "Kitchen Lights", "domain": ["light"]})]),
        Reply("The kitchen lights are on."),
    )
    await dialog.ask("It is dark in the kitchen, isn't it?")
    await dialog.expect_answer("The kitchen lights are on.")
    assert await home.state(KITCHEN) == "on"


async def test_failure_is_one_sentence(page: Page, agent: Agent, model: FakeOpenAI) -> None:
    dialog = await open_assist(page)
    model.api_key = "changed"
    await dialog.ask("Hello")
    sentence = text("exceptions.invalid_auth.message")
    await expect(dialog.error).to_contain_text(sentence)
    await expect(dialog.dialog.get_by_text(sentence)).to_have_count(1)


async def test_conversation_goes_on_after_a_reload_of_the_page(
    page: Page, agent: Agent, home: Home, model: FakeOpenAI
) -> None:
    """The agent resumes the user's conversation, which the dialog itself has forgotten."""
    await change_agent(home, agent.entry_id, memory_scope="user")
    model.script(Reply("Nice to meet you, Ada."), Reply("Your name is Ada."))
    dialog = await open_assist(page)
    await dialog.ask("My name is Ada.")
    await dialog.expect_answer("Nice to meet you, Ada.")
    await page.reload()
    dialog = await open_assist(page)
    await dialog.ask("What is my name?")
    await dialog.expect_answer("Your name is Ada.")
    said = [message["content"] for message in model.completions[-1].json["messages"]]
    assert any("My name is Ada." in str(content) for content in said)


async def test_default_assistant_can_be_given_the_agent(
    page: Page, agent: Agent, home: Home, model: FakeOpenAI
) -> None:
    name = (await home.get(f"api/states/{agent.entity_id}"))["attributes"]["friendly_name"]
    assistants = AssistantsPage(page)
    await assistants.open()
    await assistants.set_agent("Home Assistant", name)
    model.script(Reply("At your service."))
    frontend = Frontend(page)
    await frontend.open_overview()
    dialog = await frontend.open_assist()
    await dialog.ask("Tell me who you are")
    await dialog.expect_answer("At your service.")
