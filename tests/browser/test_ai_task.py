"""AI tasks: their form, and what they return."""

from playwright.async_api import Page, expect

from tests.fake_openai import FakeOpenAI, Reply
from tests.live.chatterbox import Agent
from tests.live.home import Home

from .pages.integration_page import IntegrationPage
from .texts import label, text

AI_TASK = "config_subentries.ai_task_data"


async def test_ai_task_is_added_and_generates_data(
    page: Page, agent: Agent, home: Home, model: FakeOpenAI
) -> None:
    integration = IntegrationPage(page)
    await integration.open()
    dialog = await integration.add(text(f"{AI_TASK}.initiate_flow.user"))
    await dialog.expect_step(text(f"{AI_TASK}.step.init.title"))
    await dialog.fill(label(f"{AI_TASK}.step.init", "name"), "Poet")
    await dialog.submit()
    await dialog.finish()
    await expect(integration.server).to_contain_text("Poet")
    model.default = Reply("Roses are red.")
    task = {"entity_id": "ai_task.poet", "task_name": "poem", "instructions": "Write a poem."}
    answer = await home.post("api/services/ai_task/generate_data?return_response", task)
    assert answer["service_response"]["data"] == "Roses are red."
