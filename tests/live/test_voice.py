"""Conversations by voice: satellites, speech-to-text and text-to-speech around the agent.

What is heard while the model still answers, or while a tool still runs, is heard while the server,
or the tool, is held.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

import pytest

from tests.fake_openai import Call, FakeOpenAI, Gate, Reply, history_problems

from .chatterbox import (
    FLOW,
    Json,
    add_server,
    change_agent,
    create_pipeline,
    deltas_of,
    entity_of,
    expose,
)
from .home import Home
from .wyoming_satellite import VoiceSatellite
from .wyoming_speech import LANGUAGES, SpeechServer, served

STOPPED = "All right, I stopped."
LATER = "I'll tell you when it is done."
STOPPED_WRITING = "I've stopped, but what I had already started is still being completed."
# The name of both lights of the home.
LIGHT = "Ceiling"
LIGHTS = {"Kitchen": "light.kitchen_lights", "Bedroom": "light.bed_light"}
# Of the agent; the API `trouble` has slow tools.
OPTIONS = {
    "llm_hass_api": ["assist", "trouble"],
    "memory_scope": "device",
    "profile": "capable",
    # What tests change is changed back.
    "lead_in": False,
    "background_tools": False,
    "max_sentences": 0,
    "turn_timeout": 120,
}


@dataclass(frozen=True)
class Voice:
    """The server of the agent, and the voice pipeline of each language."""

    model: FakeOpenAI
    entry_id: str
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
        """Return a gate within the second sentence."""
        return held_in(self.text, self.rest)


def held_in(text: str, part: str) -> Gate:
    """Return a gate for a text, behind the first words of a part of it."""
    # The first event of a stream is the role.
    return Gate(after=text.index(part) // Reply.chunk_size + 4)


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


@pytest.fixture(scope="module")
async def voice(home: Home) -> AsyncIterator[Voice]:
    """Return an agent with a voice."""
    async with AsyncExitStack() as stack:
        model = await stack.enter_async_context(FakeOpenAI())
        speech = SpeechServer()
        port = await stack.enter_async_context(served(speech.handle, speech.ended))
        speech_entry = await add_wyoming(home, port)
        stt = await entity_of(home, speech_entry, "stt")
        tts = await entity_of(home, speech_entry, "tts")
        entry_id = await add_server(home, model.url)
        await change_agent(home, entry_id, **OPTIONS)
        agent = await entity_of(home, entry_id, "conversation")
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
        yield Voice(model, entry_id, pipelines)
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


async def recognized(home: Home, intent: str, begin: int) -> int:
    """Wait until Home Assistant has understood a command itself; return where its log goes on.

    Only what it has understood before the model calls a tool is confirmed by its sentence.
    """
    return 1 + await home.log.wait_for(f"recognizes {intent}", begin)


@asynccontextmanager
async def changed(home: Home, voice: Voice, **options: object) -> AsyncIterator[None]:
    """Change options of the agent."""
    await change_agent(home, voice.entry_id, **{**OPTIONS, **options})
    # The form asks for the models.
    voice.model.reset()
    yield
    await change_agent(home, voice.entry_id, **OPTIONS)


@asynccontextmanager
async def sawing(home: Home) -> AsyncIterator[Callable[[], Awaitable[object]]]:
    """Let the saw, a slow tool, run; the value waits until it has begun."""
    begin = len(home.log.records)
    try:
        yield lambda: home.log.wait_for("saw is called", begin)
    finally:
        await home.ws.call("fire_event", event_type="trouble_go_on")


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
    await hear(story, gate, kitchen)


async def test_first_sentence_of_a_guided_agent_is_heard_while_the_model_still_answers(
    home: Home, voice: Voice, kitchen: VoiceSatellite, model: FakeOpenAI
) -> None:
    """The answer is heard out of the object that the model writes."""
    story = STORIES[0]
    answer = json.dumps({"topic": "other", "answer": story.text})
    gate = held_in(answer, story.rest)
    async with changed(home, voice, profile="guided"):
        model.script(Reply(answer, hold=gate))
        await hear(story, gate, kitchen)


async def hear(story: Story, gate: Gate, satellite: VoiceSatellite) -> None:
    """Ask the question of a story, and hear the first sentence while the model is held."""
    await satellite.say(story.question)
    await gate.reached.wait()
    await satellite.hears(story.first)
    assert story.rest not in satellite.answers[-1]
    gate.open()
    assert await satellite.answer() == story.text


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.language)
async def test_first_token_is_passed_on_at_once(
    home: Home, voice: Voice, model: FakeOpenAI, story: Story
) -> None:
    """A pipeline gets the first token before the model has written the second one."""
    gate = Gate(after=2)
    model.script(Reply(story.text, hold=gate))
    events: list[Json] = []
    async with home.ws.subscribed(
        "assist_pipeline/run",
        start_stage="intent",
        end_stage="intent",
        input={"text": story.question},
        pipeline=voice.pipelines[story.language],
    ) as queue:
        while not any(delta.get("content") for delta in deltas_of(events)):
            events.append(await queue.get())
        gate.open()
        while events[-1]["type"] != "run-end":
            events.append(await queue.get())
    assert "".join(delta.get("content", "") for delta in deltas_of(events)) == story.text


async def test_what_is_typed_is_answered_in_markdown(
    home: Home, voice: Voice, kitchen: VoiceSatellite, model: FakeOpenAI
) -> None:
    """Unlike what is heard."""
    model.script(Reply("**Two** lamps:\n- `hall`"), Reply("**Two** lamps:\n- `hall`"))
    events: list[Json] = []
    async with home.ws.subscribed(
        "assist_pipeline/run",
        start_stage="intent",
        end_stage="intent",
        input={"text": "how many?"},
        pipeline=voice.pipelines["en"],
    ) as queue:
        while not events or events[-1]["type"] != "run-end":
            events.append(await queue.get())
    assert "".join(delta.get("content", "") for delta in deltas_of(events)) == (
        "**Two** lamps:\n- `hall`"
    )
    assert await kitchen.ask("how many?") == "Two lamps: hall"


async def test_question_is_answered_without_a_wake_word(
    home: Home, kitchen: VoiceSatellite, model: FakeOpenAI
) -> None:
    """After a question the satellite listens, and the reply continues the conversation."""
    light = LIGHTS["Kitchen"]
    await home.call_service("light.turn_off", entity_id=light)
    gate = Gate()
    model.script(Reply("Which light do you mean? 💡"), turn("HassTurnOn", gate))
    await kitchen.say("brighter, please")
    begin = len(home.log.records)
    await kitchen.reply("turn on the ceiling")
    await recognized(home, "HassTurnOn", begin)
    gate.open()
    assert await kitchen.answer() == "Turned on the light."
    assert await home.state(light) == "on"
    assert not kitchen.invited
    # What Home Assistant understood as well is confirmed by its own sentence.
    assert len(model.completions) == 2
    assert said(model)[-3:] == [
        ("user", "brighter, please"),
        ("assistant", "Which light do you mean?"),
        ("user", "turn on the ceiling"),
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


async def test_interrupted_answer_is_known_to_the_next_turn(
    kitchen: VoiceSatellite, model: FakeOpenAI
) -> None:
    """A turn after an interruption knows the question, and what was heard of its answer."""
    story = STORIES[0]
    model.script(Reply(story.text, hold=story.gate()), Reply(story.rest))
    await kitchen.say(story.question)
    await kitchen.hears(story.first)
    assert await kitchen.ask("go on") == story.rest
    (*_, asked, heard, now) = said(model)
    assert [asked, now] == [("user", story.question), ("user", "go on")]
    assert heard[0] == "assistant"
    assert heard[1].startswith(story.first)


async def test_stop_of_an_answer_is_not_for_the_model(
    kitchen: VoiceSatellite, model: FakeOpenAI
) -> None:
    """A “stop” while the model answers, or while its answer plays, is no message to it."""
    story = STORIES[0]
    model.script(Reply(story.text, hold=story.gate()), Reply("It is noon."))
    await kitchen.say(story.question)
    await kitchen.hears(story.first)
    assert await kitchen.ask("stop") == STOPPED
    assert len(model.completions) == 1
    kitchen.keeps_playing = True
    assert await kitchen.ask("what time is it?") == "It is noon."
    kitchen.keeps_playing = False
    assert await kitchen.ask("stop") == STOPPED
    assert len(model.completions) == 2


async def test_stop_is_answered_while_a_tool_still_runs(
    home: Home, kitchen: VoiceSatellite, model: FakeOpenAI
) -> None:
    """After “stop” the satellite is free at once, while a change in progress is completed."""
    model.script(Reply(tool_calls=[Call("*saw")]), Reply("It is noon."))
    async with sawing(home) as begun:
        await kitchen.say("saw the board")
        await begun()
        assert await kitchen.ask("stop") == STOPPED_WRITING
        assert len(model.completions) == 1
        assert await kitchen.ask("what time is it?") == "It is noon."
    assert said(model)[-1] == ("user", "what time is it?")


async def test_lead_in_is_heard_while_the_tool_runs(
    home: Home, kitchen: VoiceSatellite, model: FakeOpenAI
) -> None:
    """What the model says before a slow tool is heard before the tool is done."""
    model.script(
        Reply("I am sawing the board.", tool_calls=[Call("*saw")]), Reply("The board is cut.")
    )
    async with sawing(home) as begun:
        await kitchen.say("saw the board")
        await begun()
        await kitchen.hears("I am sawing the board.")
        # The result of the tool is not there yet.
        assert len(model.completions) == 1
    assert await kitchen.answer() == "I am sawing the board. The board is cut."


async def test_tool_that_is_usually_slow_is_announced_while_it_runs(
    home: Home, voice: Voice, kitchen: VoiceSatellite, model: FakeOpenAI
) -> None:
    """The agent itself says something while a tool runs that took long before."""
    call = Reply(tool_calls=[Call("*saw")])
    async with changed(home, voice, lead_in=True, turn_timeout=8):
        model.script(call, Reply("It takes too long."), call, Reply("The board is cut."))
        async with sawing(home):
            assert await kitchen.ask("saw the board") == "It takes too long."
        async with sawing(home) as begun:
            await kitchen.say("saw the board")
            await begun()
            await kitchen.hears("One moment.")
            # The result of the tool is not there yet.
            assert len(model.completions) == 3
        assert await kitchen.answer() == "One moment. The board is cut."


async def test_long_answer_goes_on_when_asked(
    home: Home, voice: Voice, kitchen: VoiceSatellite, model: FakeOpenAI
) -> None:
    """An answer stops after so many sentences; the rest is heard without the model."""
    story = STORIES[0]
    async with changed(home, voice, max_sentences=1):
        model.script(Reply(story.text))
        assert await kitchen.ask(story.question) == story.first
        assert await kitchen.ask("go on") == story.rest
        assert len(model.completions) == 1


async def test_result_of_a_long_job_is_announced(
    home: Home, voice: Voice, kitchen: VoiceSatellite, bedroom: VoiceSatellite, model: FakeOpenAI
) -> None:
    """A tool that takes too long is promised, and its result announced where it was asked for."""
    async with changed(home, voice, background_tools=True, turn_timeout=4):
        model.script(
            Reply(tool_calls=[Call("*saw")]), Reply("It is noon."), Reply("The board is cut.")
        )
        heard = [*bedroom.answers]
        async with sawing(home):
            assert await kitchen.ask("saw the board") == LATER
            # The model is not asked before the result is there.
            assert len(model.completions) == 1
            assert await kitchen.ask("what time is it?") == "It is noon."
        await kitchen.hears("The board is cut.")
        assert said(model)[-1][0] == "tool"
        await kitchen.answer()
        assert bedroom.answers == heard


async def test_timer_rings_on_the_satellite_where_it_was_started(
    home: Home, kitchen: VoiceSatellite, bedroom: VoiceSatellite, model: FakeOpenAI
) -> None:
    """The tool for timers is offered to satellites; the timer rings where it was started."""
    # Home Assistant confirms it, or the model if that has been faster.
    confirmation = "Timer set for 1 second."
    model.script(Reply(tool_calls=[Call("*HassStartTimer", {"seconds": 1})]), Reply(confirmation))
    assert await kitchen.ask("set a timer for 1 second") == confirmation
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


async def test_conversation_started_by_the_home_has_its_question(
    home: Home, kitchen: VoiceSatellite, model: FakeOpenAI
) -> None:
    """The model knows the question that the satellite asked, to which the user replies."""
    model.script(Reply("I leave it open."))
    await home.call_service(
        "assist_satellite.start_conversation",
        entity_id=kitchen.entity_id,
        start_message="The window is open. Should I close it?",
    )
    assert await kitchen.answer() == "The window is open. Should I close it?"
    await kitchen.reply("no")
    assert await kitchen.answer() == "I leave it open."
    assert said(model)[-2:] == [
        ("assistant", "The window is open. Should I close it?"),
        ("user", "no"),
    ]


async def test_two_satellites_at_once_act_in_their_areas(
    home: Home, kitchen: VoiceSatellite, bedroom: VoiceSatellite, model: FakeOpenAI
) -> None:
    """The same sentence in two areas at once turns off the light of each."""
    for light in LIGHTS.values():
        await home.call_service("light.turn_on", entity_id=light)
    gates, begin = [Gate(), Gate()], len(home.log.records)
    model.script(*(turn("HassTurnOff", gate) for gate in gates))
    async with asyncio.TaskGroup() as group:
        for satellite in (kitchen, bedroom):
            group.create_task(satellite.say("turn off the ceiling"))
    # Both turns are running.
    for gate in gates:
        await gate.reached.wait()
        begin = await recognized(home, "HassTurnOff", begin)
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
        assert await at[area].answer() == "Turned off the light."
        assert await home.state(LIGHTS[area]) == "off"
        if area == order[0]:
            assert await home.state(LIGHTS[order[1]]) == "on"


async def test_cancelled_answer_of_one_satellite_leaves_the_other_alone(
    home: Home, kitchen: VoiceSatellite, bedroom: VoiceSatellite, model: FakeOpenAI
) -> None:
    """The action cancels the answer of its target; another one is heard to its end."""
    story = STORIES[0]
    gates = [story.gate(), story.gate()]
    model.script(*(Reply(story.text, hold=gate) for gate in gates))
    for satellite in (kitchen, bedroom):
        await satellite.say(story.question)
        await satellite.hears(story.first)
    done = await home.post(
        "api/services/chatterbox/cancel?return_response", {"entity_id": kitchen.entity_id}
    )
    assert done["service_response"] == {"status": "interrupted"}
    heard = await kitchen.answer()
    assert heard.startswith(story.first)
    assert story.rest not in heard
    gates[1].open()
    assert await bedroom.answer() == story.text


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
