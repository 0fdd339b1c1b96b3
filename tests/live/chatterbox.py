"""Client of Chatterbox in a running home, through Home Assistant's own API."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from .home import Home

DOMAIN = "chatterbox"
FLOW = "api/config/config_entries/flow"
SUBENTRY_FLOW = "api/config/config_entries/subentries/flow"
USUAL_TOOLS = ["get_weather", "get_current_datetime"]
OPTIONS_FLOW = "api/config/config_entries/options/flow"
MODEL = "scripted-1"
KITCHEN = "light.kitchen_lights"

type Json = dict[str, Any]


@dataclass(frozen=True)
class Agent:
    """A loaded agent."""

    entry_id: str
    entity_id: str
    pipeline: str


# Setting up.


async def begin(home: Home) -> Json:
    """Start the config flow of a server; return its first form."""
    form: Json = await home.post(FLOW, {"handler": DOMAIN})
    assert form["step_id"] == "user", form
    return form


async def submit(home: Home, form: Json, **data: Any) -> Json:
    """Submit a form, by default with its suggested values; return the next step."""
    filled = fill(form["data_schema"], data)
    step: Json = await home.post(f"{FLOW}/{form['flow_id']}", filled)
    return step


def fill(schema: Iterable[Mapping[str, Any]], data: Mapping[str, Any]) -> Json:
    """Return the input for a form: the given data, else the suggested values."""
    filled: Json = {}
    for item in schema:
        name = item["name"]
        suggested = (item.get("description") or {}).get("suggested_value")
        if "schema" in item:
            filled[name] = fill(item["schema"], data)
        elif name == "voice_features":
            features = item["selector"]["select"]["options"]
            filled[name] = [key for key in features if data.get(key, key in item["default"])]
        elif name in data:
            filled[name] = data[name]
        elif (value := item.get("default", suggested)) is not None:
            filled[name] = value
    return filled


async def add_server(home: Home, url: str, **data: Any) -> str:
    """Add a server with its first agent; return the id of its entry."""
    form = await submit(home, await begin(home), base_url=url, **data)
    assert form.get("step_id") == "model", form
    done = await submit(home, form, model=MODEL)
    assert done["type"] == "create_entry", done
    assert done["result"]["state"] == "loaded", done
    entry_id: str = done["result"]["entry_id"]
    return entry_id


async def set_options(home: Home, entry_id: str, **options: Any) -> None:
    """Change options of a server, and wait until it is loaded with them."""
    async with reloaded(home, entry_id):
        form = await home.post(OPTIONS_FLOW, {"handler": entry_id})
        assert form["step_id"] == "init", form
        filled = fill(form["data_schema"], options)
        done = await home.post(f"{OPTIONS_FLOW}/{form['flow_id']}", filled)
        assert done["type"] == "create_entry", done


@asynccontextmanager
async def reloaded(home: Home, entry_id: str) -> AsyncIterator[None]:
    """Wait at the end until the changed server is loaded again."""
    async with home.ws.subscribed("config_entries/subscribe") as changes:
        yield
        reloading = False
        while True:
            for change in await changes.get():
                if change["entry"]["entry_id"] != entry_id:
                    continue
                if reloading and change["entry"]["state"] == "loaded":
                    return
                reloading |= change["entry"]["state"] != "loaded"


async def reconfigure(home: Home, entry_id: str, choice: str) -> Json:
    """Reconfigure the only agent of a server; return the step that is chosen in the menu."""
    (agent,) = await home.ws.call("config_entries/subentries/list", entry_id=entry_id)
    menu = await home.post(
        SUBENTRY_FLOW,
        {"handler": [entry_id, "conversation"], "subentry_id": agent["subentry_id"]},
    )
    step: Json = await home.post(f"{SUBENTRY_FLOW}/{menu['flow_id']}", {"next_step_id": choice})
    return step


async def change_agent(home: Home, entry_id: str, **data: Any) -> None:
    """Reconfigure the only agent of a server, and wait until it is loaded again."""
    async with reloaded(home, entry_id):
        form = await reconfigure(home, entry_id, "init")
        while form["type"] == "form":
            filled = fill(form["data_schema"], data)
            form = await home.post(f"{SUBENTRY_FLOW}/{form['flow_id']}", filled)
        assert form["reason"] == "reconfigure_successful", form


async def probe_agent(home: Home, entry_id: str) -> Json:
    """Test the only agent of a server in its flow; return what the result shows."""
    step = await reconfigure(home, entry_id, "test")
    flow = f"{SUBENTRY_FLOW}/{step['flow_id']}"
    while step["type"] == "progress":
        await asyncio.sleep(0.1)
        step = await home.get(flow)
    assert step["step_id"] == "result", step
    await home.delete(flow)
    shown: Json = step["description_placeholders"]
    return shown


async def entity_of(home: Home, entry_id: str, platform: str) -> str:
    """Return the only entity of a platform that an entry has."""
    entities = await home.ws.call("config/entity_registry/list")
    (entity_id,) = (
        item["entity_id"]
        for item in entities
        if item["config_entry_id"] == entry_id and item["entity_id"].startswith(f"{platform}.")
    )
    return str(entity_id)


async def create_pipeline(home: Home, entity_id: str, language: str = "en", **settings: str) -> str:
    """Make an Assist pipeline with this agent, by default without a voice; return its id."""
    nothing = dict.fromkeys(
        (
            *("stt_engine", "stt_language", "tts_engine", "tts_language", "tts_voice"),
            *("wake_word_entity", "wake_word_id"),
        )
    )
    pipeline = await home.ws.call(
        "assist_pipeline/pipeline/create",
        language=language,
        conversation_engine=entity_id,
        conversation_language=language,
        **{"name": f"Chatterbox {language}", **nothing, **settings},
    )
    return str(pipeline["id"])


async def expose(home: Home, *entity_ids: str, exposed: bool = True) -> None:
    """Expose entities to Assist, or no longer."""
    await home.ws.call(
        "homeassistant/expose_entity",
        assistants=["conversation"],
        entity_ids=entity_ids,
        should_expose=exposed,
    )


async def add_agent(home: Home, url: str) -> Agent:
    """Add a server with short timeouts and its agent."""
    entry_id = await add_server(home, url)
    await set_options(home, entry_id, first_token_timeout=2, retry_wait=2)
    entity_id = await entity_of(home, entry_id, "conversation")
    return Agent(entry_id, entity_id, await create_pipeline(home, entity_id))


# Talking.


async def process(home: Home, agent: Agent, text: str, conversation_id: str | None = None) -> Json:
    """Send a message; return the result of `conversation/process`."""
    result: Json = await home.ws.call(
        "conversation/process",
        text=text,
        agent_id=agent.entity_id,
        conversation_id=conversation_id,
        language="en",
    )
    return result


async def run_pipeline(
    home: Home,
    agent: Agent,
    text: str,
    conversation_id: str | None = None,
    device_id: str | None = None,
) -> list[Json]:
    """Send a message through the pipeline, optionally from a device; return its events."""
    events: list[Json] = []
    async with home.ws.subscribed(
        "assist_pipeline/run",
        start_stage="intent",
        end_stage="intent",
        input={"text": text},
        pipeline=agent.pipeline,
        conversation_id=conversation_id,
        device_id=device_id,
    ) as queue:
        while not events or events[-1]["type"] != "run-end":
            events.append(await queue.get())
    return events


def result_of(events: Iterable[Json]) -> Json:
    """Return the result of a pipeline's turn, in the form of `conversation/process`."""
    (end,) = (event["data"] for event in events if event["type"] == "intent-end")
    result: Json = end["intent_output"]
    return result


def deltas_of(events: Iterable[Json]) -> list[Json]:
    """Return the deltas of a turn, in their order."""
    return [
        event["data"]["chat_log_delta"]
        for event in events
        if event["type"] == "intent-progress" and "chat_log_delta" in event["data"]
    ]


def speech_of(result: Json) -> str:
    """Return the speech of a result."""
    speech: str = result["response"]["speech"]["plain"]["speech"]
    return speech
