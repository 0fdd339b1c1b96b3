"""Conversations by voice: satellites, speech-to-text and text-to-speech around the agent.

What is heard while the model still answers, or while a tool still runs, is heard while the server,
or the tool, is held.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass

import pytest

from tests.fake_openai import Call, FakeOpenAI, Gate, Reply, history_problems

from .chatterbox import FLOW, add_server, change_agent, conversation_entity, create_pipeline, expose
from .home import Home
from .wyoming_satellite import VoiceSatellite
from .wyoming_speech import LANGUAGES, SpeechServer, served

pytestmark = pytest.mark.timeout(60)

# The name of both lights of the home.
LIGHT = "Ceiling"
LIGHTS = {"Kitchen": "light.kitchen_lights", "Bedroom": "light.bed_light"}


@dataclass(frozen=True)
class Voice:
    """The server of the agent, and the voice pipeline of each language."""

    model: FakeOpenAI
    pipelines: dict[str, str]


@dataclass(frozen=True)
class Story:
    """An answer of two sentences, held within the second one.

    Home Assistant speaks an answer while it is written once it has more than 60 characters.
    """

    language: str
    question: str
    first: str
    rest: str

    @property
    def text(self) -> str:
        """The answer."""
        return f"{self.first} {self.rest}"

    def gate(self) -> Gate:
        """Return a gate behind the role, the first sentence and one delta more."""
        return Gate(after=len(self.first) // Reply.chunk_size + 3)


STORIES = [
    Story(
        "en",
        "why is the sky blue?",
        "Sunlight is made of all the colors of the rainbow, mixed together.",
        "The air scatters blue light far more than red light.",
    ),
    Story(
        "de",
        "warum ist der Himmel blau?",
        "Sonnenlicht besteht aus allen Farben des Regenbogens, miteinander gemischt.",
        "Die Luft streut blaues Licht viel stärker als rotes Licht.",
    ),
    Story(
        "zh",
        "天空为什么是蓝色的？",
        "太阳光看起来是白色的，但它其实是由红色、橙色、黄色、绿色、蓝色、靛色和紫色混合而成的，"
        "这些光在穿过大气层的时候会遇到空气分子并且改变方向。",
        "蓝光比红光更容易被空气散射，所以天空是蓝色的。",
    ),
]


async def add_wyoming(home: Home, port: int) -> str:
    """Add a Wyoming server; return the id of its entry."""
    form = await home.post(FLOW, {"handler": "wyoming"})
    done = await home.post(f"{FLOW}/{form['flow_id']}", {"host": "127.0.0.1", "port": port})
    assert done["type"] == "create_entry", done
    entry_id: str = done["result"]["entry_id"]
    return entry_id


async def entity_of(home: Home, entry_id: str, platform: str) -> str:
    """Return the only entity of a platform that an entry has."""
    entities = await home.ws.call("config/entity_registry/list")
    (entity_id,) = (
        item["entity_id"]
        for item in entities
        if item["config_entry_id"] == entry_id and item["entity_id"].startswith(f"{platform}.")
    )
    return str(entity_id)


@pytest.fixture(scope="module")
async def voice(home: Home) -> AsyncIterator[Voice]:
    """Return an agent with a voice, which also has slow tools."""
    async with AsyncExitStack() as stack:
        model = await stack.enter_async_context(FakeOpenAI())
        speech = SpeechServer()
        port = await stack.enter_async_context(served(speech.handle, speech.ended))
        speech_entry = await add_wyoming(home, port)
        stt = await entity_of(home, speech_entry, "stt")
        tts = await entity_of(home, speech_entry, "tts")
        entry_id = await add_server(home, model.url)
        await change_agent(
            home,
            entry_id,
            llm_hass_api=["assist", "trouble"],
            memory_scope="device",
            profile="capable",
        )
        agent = await conversation_entity(home, entry_id)
        pipelines = {
            language: await create_pipeline(
                home,
                agent,
                language,
                stt_engine=stt,
                stt_language=language,
                tts_engine=tts,
                tts_language=language,
            )
            for language in LANGUAGES
        }
        # Where satellites get what they announce.
        await home.ws.call("config/core/update", internal_url=home.url.rstrip("/"))
        yield Voice(model, pipelines)
        for entry in (speech_entry, entry_id):
            await home.delete(f"api/config/config_entries/entry/{entry}")


@pytest.fixture(scope="module")
async def satellites(home: Home, voice: Voice) -> AsyncIterator[dict[str, VoiceSatellite]]:
    """Return a satellite in the kitchen and one in the bedroom, each with a light of that name."""
    entries = []
    async with AsyncExitStack() as stack:
        found = {}
        for area in LIGHTS:
            satellite = await stack.enter_async_context(VoiceSatellite(f"{area} satellite", area))
            entries.append(await add_wyoming(home, satellite.port))
            await satellite.connected()
            satellite.entity_id = await entity_of(home, entries[-1], "assist_satellite")
            found[area] = satellite
        for area in await home.ws.call("config/area_registry/list"):
            if light := LIGHTS.get(area["name"]):
                await home.ws.call(
                    "config/entity_registry/update",
                    entity_id=light,
                    name=LIGHT,
                    area_id=area["area_id"],
                )
        await expose(home, *LIGHTS.values())
        yield found
        for entry in entries:
            await home.delete(f"api/config/config_entries/entry/{entry}")


@pytest.fixture
async def model(home: Home, voice: Voice) -> FakeOpenAI:
    """Return the server of the agent, without a script; the pipelines speak English."""
    voice.model.reset()
    await speak(home, voice, "en")
    return voice.model


@pytest.fixture
def kitchen(satellites: dict[str, VoiceSatellite], model: FakeOpenAI) -> VoiceSatellite:
    """Return the satellite in the kitchen."""
    return satellites["Kitchen"]


@pytest.fixture
def bedroom(satellites: dict[str, VoiceSatellite], model: FakeOpenAI) -> VoiceSatellite:
    """Return the satellite in the bedroom."""
    return satellites["Bedroom"]


async def speak(home: Home, voice: Voice, language: str) -> None:
    """Let the satellites speak a language."""
    await home.ws.call(
        "assist_pipeline/pipeline/set_preferred", pipeline_id=voice.pipelines[language]
    )


def said(model: FakeOpenAI, number: int = -1) -> list[tuple[str, str]]:
    """Return who said what in a request."""
    messages = model.completions[number].messages
    assert history_problems(messages) == []
    # Without the system prompt, and without what the model is told of the moment.
    return [(each["role"], str(each["content"]).partition("\n\n(")[0]) for each in messages[1:]]


def turn(tool: str, hold: Gate | None = None) -> Reply:
    """Return the call of a tool for the light of an area, which the model leaves open."""
    return Reply(tool_calls=[Call(f"*{tool}", {"name": LIGHT, "domain": ["light"]})], hold=hold)


async def test_wake_word_speech_answer(kitchen: VoiceSatellite, model: FakeOpenAI) -> None:
    """What is said reaches the model, with the area; the answer is heard."""
    model.script(Reply("It is dry outside."))
    assert await kitchen.ask("how is the weather?") == "It is dry outside."
    assert kitchen.transcripts[-1] == "how is the weather?"
    assert not kitchen.invited
    (request,) = model.completions
    assert "Kitchen" in request.messages[-1]["content"]


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.language)
async def test_first_sentence_is_heard_while_the_model_still_answers(
    home: Home, voice: Voice, kitchen: VoiceSatellite, model: FakeOpenAI, story: Story
) -> None:
    """The first sentence is heard before the model has written the second one."""
    await speak(home, voice, story.language)
    gate = story.gate()
    model.script(Reply(story.text, hold=gate))
    await kitchen.say(story.question)
    await gate.reached.wait()
    await kitchen.hears(story.first)
    assert story.rest not in kitchen.answers[-1]
    gate.open()
    assert await kitchen.answer() == story.text


async def test_question_is_answered_without_a_wake_word(
    home: Home, kitchen: VoiceSatellite, model: FakeOpenAI
) -> None:
    """After a question the satellite listens, and the reply continues the conversation."""
    light = LIGHTS["Kitchen"]
    await home.call_service("light.turn_off", entity_id=light)
    model.script(Reply("Which light do you mean?"), turn("HassTurnOn"), Reply("It is on."))
    await kitchen.say("turn it on")
    await kitchen.reply("the ceiling")
    assert await kitchen.answer() == "It is on."
    assert await home.state(light) == "on"
    assert not kitchen.invited
    assert said(model, 1)[-3:] == [
        ("user", "turn it on"),
        ("assistant", "Which light do you mean?"),
        ("user", "the ceiling"),
    ]


async def test_new_wake_word_interrupts_the_answer(
    kitchen: VoiceSatellite, model: FakeOpenAI
) -> None:
    """A new wake word ends the request of the answer that is playing, and is answered."""
    story = STORIES[0]
    model.script(Reply(story.text, hold=story.gate()), Reply("It is noon."))
    await kitchen.say(story.question)
    await kitchen.hears(story.first)
    assert await kitchen.ask("what time is it?") == "It is noon."
    await model.completions[0].disconnected.wait()
    assert said(model)[-1] == ("user", "what time is it?")


async def test_timer_rings_on_the_satellite_where_it_was_started(
    kitchen: VoiceSatellite, bedroom: VoiceSatellite, model: FakeOpenAI
) -> None:
    """The tool for timers is offered to satellites; the timer rings where it was started."""
    model.script(Reply(tool_calls=[Call("*HassStartTimer", {"seconds": 1})]), Reply("Started."))
    assert await kitchen.ask("set a timer for one second") == "Started."
    await kitchen.rings()
    assert kitchen.timers == ["timer-started", "timer-finished"]
    assert bedroom.timers == []


async def test_announcement_is_heard(home: Home, kitchen: VoiceSatellite) -> None:
    """An announcement is spoken by the voice of the agent's pipeline."""
    await home.call_service(
        "assist_satellite.announce", entity_id=kitchen.entity_id, message="Dinner is ready."
    )
    assert await kitchen.answer() == "Dinner is ready."
    assert not kitchen.invited


async def test_two_satellites_at_once_act_in_their_areas(
    home: Home, kitchen: VoiceSatellite, bedroom: VoiceSatellite, model: FakeOpenAI
) -> None:
    """The same sentence in two areas at once turns off the light of each."""
    for light in LIGHTS.values():
        await home.call_service("light.turn_on", entity_id=light)
    gates = [Gate(), Gate()]
    model.script(*(turn("HassTurnOff", gate) for gate in gates))
    model.default = Reply("It is off.")
    async with asyncio.TaskGroup() as group:
        for satellite in (kitchen, bedroom):
            group.create_task(satellite.say("turn off the ceiling"))
    # Both turns are running.
    for gate in gates:
        await gate.reached.wait()
    first, second = model.completions
    areas = [
        [area for area in LIGHTS if area in request.messages[-1]["content"]]
        for request in (first, second)
    ]
    assert sorted(areas) == [["Bedroom"], ["Kitchen"]]
    order = ["Kitchen", "Bedroom"] if areas[0] == ["Kitchen"] else ["Bedroom", "Kitchen"]
    at = {"Kitchen": kitchen, "Bedroom": bedroom}
    for gate, area in zip(gates, order, strict=True):
        gate.open()
        assert await at[area].answer() == "It is off."
        assert await home.state(LIGHTS[area]) == "off"
        if area == order[0]:
            assert await home.state(LIGHTS[order[1]]) == "on"


async def test_conversation_of_a_satellite_continues_after_a_restart(
    home: Home, kitchen: VoiceSatellite, bedroom: VoiceSatellite, model: FakeOpenAI
) -> None:
    """After a restart each satellite goes on with its own conversation."""
    model.script(Reply("Hello, Ada."), Reply("Hello, Bob."))
    await kitchen.ask("my name is Ada")
    await bedroom.ask("my name is Bob")
    await home.restart()
    model.script(Reply("You are Ada."), Reply("You are Bob."))
    assert await kitchen.ask("who am I?") == "You are Ada."
    assert ("user", "my name is Ada") in said(model)
    assert ("user", "my name is Bob") not in said(model)
    assert await bedroom.ask("who am I?") == "You are Bob."
    assert ("user", "my name is Bob") in said(model)
    assert ("user", "my name is Ada") not in said(model)
