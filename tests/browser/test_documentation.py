"""Scenes of the documentation: what its pictures and examples show.

`pytest --screenshots docs/images` takes the pictures. The model in them is scripted.
"""

import re
from typing import Any

import yaml
from playwright.async_api import expect

from tests.fake_openai import Call, FakeOpenAI, Reply
from tests.live.chatterbox import KITCHEN, Agent, create_pipeline, expose, process, reloaded
from tests.live.home import Home

from .conftest import Browse, Screenshot
from .pages.dashboard import Dashboard
from .pages.device_page import DevicePage
from .pages.frontend import Frontend
from .pages.integration_page import IntegrationPage
from .pages.integrations_page import IntegrationsPage
from .texts import EDIT, PROJECT, label, text

# Small enough to be read beside text.
WINDOW = {"width": 900, "height": 640}
NARROW = {"width": 620, "height": 740}
GARAGE, LOCK = "cover.garage_door", "lock.front_door"
EXAMPLE = "## On a dashboard"


async def test_setup_form_takes_a_host(browse: Browse, screenshot: Screenshot) -> None:
    page = await browse(viewport=WINDOW)
    dialog = await IntegrationsPage(page).add_by_link("chatterbox")
    await dialog.expect_step(text("config.step.user.title"))
    await dialog.fill(label("config.step.user", "base_url"), "192.168.1.20")
    await page.mouse.move(0, 0)
    await screenshot("setup", page)


async def test_agent_form_is_one_page(browse: Browse, agent: Agent, screenshot: Screenshot) -> None:
    form = "config_subentries.conversation.step.init"
    page = await browse(viewport={"width": 900, "height": 1280})
    integration = IntegrationPage(page)
    await integration.open()
    dialog = await integration.reconfigure_agent(EDIT)
    await dialog.expect_step(text(f"{form}.title"))
    for section in ("model_options", "voice", "memory", "safety", "limits"):
        await expect(
            dialog.dialog.get_by_text(text(f"{form}.sections.{section}.name"), exact=True)
        ).to_be_visible()
    await screenshot("agent", page)


async def test_conversation_acts_and_answers(
    browse: Browse, agent: Agent, home: Home, model: FakeOpenAI, screenshot: Screenshot
) -> None:
    await expose(home, KITCHEN, GARAGE, LOCK)
    await home.call_service("light.turn_off", entity_id=KITCHEN)
    await create_pipeline(home, agent.entity_id, name="Chatterbox")
    page = await browse(viewport=NARROW)
    frontend = Frontend(page)
    await frontend.open_overview()
    dialog = await frontend.open_assist()
    await dialog.choose_assistant("Chatterbox")
    turns = (
        (
            "It's movie time, but I still need some light in the kitchen.",
            Call("*HassLightSet", {"name": "Kitchen Lights", "brightness": 20}),
            "The kitchen lights are at 20 percent. Enjoy the movie!",
        ),
        (
            "Thanks! Did I lock up?",
            Call("*GetLiveContext", {}),
            "The front door is locked, but the garage door is still open. Shall I close it?",
        ),
    )
    for request, call, answer in turns:
        model.script(Reply(tool_calls=[call]), Reply(answer))
        await dialog.ask(request)
        await dialog.expect_answer(answer)
    light = await home.get(f"api/states/{KITCHEN}")
    assert (light["state"], light["attributes"]["brightness"]) == ("on", 51)
    await screenshot("conversation", page)


async def test_device_page_shows_the_sensors(
    browse: Browse, agent: Agent, home: Home, screenshot: Screenshot
) -> None:
    await enable_sensors(home, agent)
    await talk(home, agent)
    page = await browse(viewport={"width": 1180, "height": 1040})
    integration = IntegrationPage(page)
    await integration.open()
    await integration.open_device()
    sensors = DevicePage(page).card("Diagnostic")
    for sensor in ("time_to_first_token", "input_tokens", "turns"):
        await expect(sensors).to_contain_text(text(f"entity.sensor.{sensor}.name"))
    await expect(sensors).to_contain_text("3 responses")
    # Icons and the activity come last.
    await page.locator("state-badge svg").last.wait_for()
    await page.locator("ha-logbook").get_by_role("button").first.wait_for()
    await screenshot("device", page)


async def test_dashboard_example_shows_no_error(
    browse: Browse, agent: Agent, home: Home, screenshot: Screenshot
) -> None:
    await enable_sensors(home, agent)
    await talk(home, agent)
    await show_on_dashboard(home, "voice-agent", dashboard_example())
    page = await browse(viewport={"width": 560, "height": 480})
    dashboard = Dashboard(page, "voice-agent/0")
    await dashboard.open()
    await expect(dashboard.card("Voice agent")).to_contain_text("Input tokens")
    await page.locator("state-badge svg").last.wait_for()
    await expect(dashboard.errors).to_have_count(0)
    await screenshot("dashboard", page)


def dashboard_example() -> Any:
    """Return the card of the documentation."""
    guide = (PROJECT / "docs" / "sensors.md").read_text().partition(EXAMPLE)[2]
    found = re.search(r"^```yaml\n(.*?)^```$", guide, re.MULTILINE | re.DOTALL)
    assert found
    return yaml.safe_load(found[1])


async def enable_sensors(home: Home, agent: Agent) -> None:
    """Enable all entities of the agent."""
    async with reloaded(home, agent.entry_id):
        for entity in await home.ws.call("config/entity_registry/list"):
            if entity["config_entry_id"] == agent.entry_id and entity["disabled_by"]:
                await home.ws.call(
                    "config/entity_registry/update",
                    entity_id=entity["entity_id"],
                    disabled_by=None,
                )
        await home.post(f"api/config/config_entries/entry/{agent.entry_id}/reload")


async def talk(home: Home, agent: Agent) -> None:
    """Give the sensors something to report."""
    for request in ("Good morning", "Tell me a story", "Thank you"):
        await process(home, agent, request)


async def show_on_dashboard(home: Home, path: str, card: Any) -> None:
    """Make a dashboard with one card."""
    await home.ws.call(
        "lovelace/dashboards/create", url_path=path, title="Voice agent", mode="storage"
    )
    views = [{"title": "Voice agent", "cards": [card]}]
    await home.ws.call("lovelace/config/save", url_path=path, config={"views": views})
