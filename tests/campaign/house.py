"""A home with facts, pictures, tasks, actions, forms and repairs."""

from collections import Counter
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, override

import probatio as vol
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.chatterbox.const import DOMAIN, SUBENTRY_CONVERSATION
from homeassistant.components import ai_task
from homeassistant.components.camera import Camera
from homeassistant.components.repairs.const import DOMAIN as REPAIRS
from homeassistant.components.repairs.issue_handler import RepairsFlowManager
from homeassistant.config_entries import SOURCE_RECONFIGURE, ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.selector import TextSelector

from ..agent.sample_files import PNG
from ..builders import add_user
from ..conftest import MODEL
from ..conversation_helpers import AGENT, perform
from ..fake_openai import Call, FakeOpenAI, Reply
from .invariants import people
from .workshop import Workshop
from .world import Asked, Scripted, Speaker, World

CAMERA = "camera.door"
TASK_ENTITY = "ai_task.task"
_PICTURE = {
    "media_content_id": f"media-source://camera/{CAMERA}",
    "media_content_type": "image/png",
}


class Picture(Enum):
    """Pictures of the camera."""

    GOOD = PNG
    WRONG = b"<html>"
    MISSING = b""


class DoorCamera(Camera):
    """A camera that may be broken."""

    _attr_name = "Door"
    _attr_has_entity_name = False
    picture = Picture.GOOD

    @override
    async def async_camera_image(
        self, width: int | None = None, height: int | None = None
    ) -> bytes | None:
        return self.picture.value or None


class House(World):
    """A home with a camera and an AI task."""

    def __init__(
        self,
        hass: HomeAssistant,
        server: FakeOpenAI,
        workshop: Workshop,
        entry: MockConfigEntry,
        camera: DoorCamera,
    ) -> None:
        super().__init__(hass, server, workshop, entry)
        self._camera = camera
        self.done: Counter[str] = Counter()
        """Numbers of what was done, by name."""
        self.settings: Mapping[str, Any] = {}
        """Settings to submit when the options are changed during a turn."""

    async def remember(self, speaker: Speaker, cut: float | None) -> None:
        """Have a fact remembered."""
        self.done["facts"] += 1
        owner = speaker.user or speaker.where
        fact = self.invariants.know(f"fact {owner} {self.done['facts']}")
        call = Call("*remember_fact", {"fact": fact})
        self._server.script(Reply(tool_calls=[call], cut=cut), Reply("Noted."))
        await self._listen(self._ask(speaker))
        listed = await self._perform("list_facts")
        if fact in {each["text"] for each in listed["facts"]}:
            self.invariants.facts.add(fact)
            self.done["facts remembered"] += 1
        else:
            # Nobody may be told otherwise.
            told = str([request.messages for request in self._server.completions])
            assert f'"remembered":"{fact}"' not in told.replace(": ", ":")
        await self.invariants.check()

    async def forget_fact(self, speaker: Speaker) -> None:
        """Have a fact about oneself forgotten."""
        known = self.invariants.facts
        own = sorted(fact for fact in known if people(fact) == {speaker.user or speaker.where})
        if not own:
            return
        call = Call("*forget_fact", {"fact": own[0]})
        self._server.script(Reply(tool_calls=[call]), Reply("Forgotten."))
        await self._listen(self._ask(speaker))
        listed = {each["text"] for each in (await self._perform("list_facts"))["facts"]}
        assert known - {own[0]} <= listed
        known &= listed
        await self.invariants.check()

    async def erase(self, user: str | None, *, facts: bool) -> None:
        """Delete what was said by a user, or by all, perhaps with the facts."""
        await self._clear(user)
        if facts:
            await self._perform("erase_facts", **({} if user is None else {"user": user}))
        await self._forget(user, facts=facts)
        await self.invariants.check()

    async def remove_user(self, user: str, *, unloaded: bool) -> None:
        """Remove a user, perhaps while the server is not loaded; another of that name comes."""
        entry_id = self._entry.entry_id
        if unloaded:
            assert await self._hass.config_entries.async_unload(entry_id)
        removed = await self._hass.auth.async_get_user(user)
        assert removed is not None
        await self._hass.auth.async_remove_user(removed)
        if unloaded:
            assert await self._hass.config_entries.async_setup(entry_id)
            self._reloaded()
        await self._hass.async_block_till_done(wait_background_tasks=True)
        await self._forget(user, facts=True)
        await add_user(self._hass, user)
        await self.invariants.check()

    async def ask(
        self, speaker: Speaker, script: Sequence[Scripted], picture: Picture | None
    ) -> None:
        """Ask through the action."""
        self._script(script)
        self.turns += 1
        more = {"attachments": self._attachments(picture)} if picture else {}
        try:
            response = await perform(
                self._hass,
                "ask",
                speaker.user,
                agent=AGENT,
                text=f"Go on with {self._note(speaker)}",
                conversation_id=speaker.conversation,
                language="en",
                **more,
            )
        except HomeAssistantError as err:
            _check_error(err, picture)
        else:
            assert response["answer"].strip()
            self.done["answers to actions"] += 1
        await self.invariants.check()

    async def generate(
        self,
        script: Sequence[Scripted],
        picture: Picture | None,
        *,
        structured: bool,
        tools: bool,
    ) -> None:
        """Run an AI task."""
        self._script(script)
        self.done["AI tasks"] += 1
        structure = vol.Schema({vol.Required("color"): TextSelector()}) if structured else None
        try:
            result = await ai_task.async_generate_data(
                self._hass,
                task_name="Task",
                entity_id=TASK_ENTITY,
                instructions=f"Do task number {self.done['AI tasks']}",
                structure=structure,
                attachments=self._attachments(picture),
                llm_api=self._workshop if tools else None,
            )
        except HomeAssistantError as err:
            _check_error(err, picture)
        else:
            assert isinstance(result.data, dict if structured else str)
            assert result.data
            self.done["AI tasks with data"] += 1
        await self.invariants.check()

    def _attachments(self, picture: Picture | None) -> list[dict[str, str]] | None:
        """Attach what the camera gives from now on."""
        if picture is None:
            return None
        self._camera.picture = picture
        return [_PICTURE]

    async def look_around(self, user: str | None) -> None:
        """List everything that a user may see, and clear the cache."""
        for action in ("list_conversations", "export_history", "list_facts", "clear_tool_cache"):
            seen = people(str(await perform(self._hass, action, user, agent=AGENT)))
            assert user is None or seen <= {user}, f"{user} sees {seen} by {action}"
        await self.invariants.check_reports()

    async def configure(self, settings: Mapping[str, Any]) -> None:
        """Submit the form of the agent."""
        await self._configure(settings)
        await self.invariants.check()

    async def _configure(self, settings: Mapping[str, Any]) -> None:
        (agent,) = (
            each
            for each in self._entry.subentries.values()
            if each.subentry_type == SUBENTRY_CONVERSATION
        )
        data = self._entry.runtime_data
        stored, remembered_all = self.invariants.stores, self.remembers_all
        flows = self._hass.config_entries.subentries
        menu = await flows.async_init(
            (self._entry.entry_id, SUBENTRY_CONVERSATION),
            context={"source": SOURCE_RECONFIGURE, "subentry_id": agent.subentry_id},
        )
        form = await flows.async_configure(menu["flow_id"], {"next_step_id": "init"})
        values = {"name": agent.title, "model": MODEL, "prompt": "You are a test."}
        done = await flows.async_configure(form["flow_id"], {**values, **settings})
        assert done["type"] is FlowResultType.ABORT, done
        assert done["reason"] == "reconfigure_successful"
        memory, model = settings["memory"], settings["model_options"]
        self.invariants.stores = memory["remember"] == "persistent"
        self.remembers_all = (
            self.invariants.stores
            and memory["memory_scope"] == "conversation"
            and model == {"profile": "auto", "context_window": 0}
        )
        self.done["changed settings"] += 1
        await self._hass.async_block_till_done()
        if not (remembered_all and self.remembers_all):
            self._remember_from_now_on()
        # Settings that are the same do not reload the server.
        if self._entry.runtime_data is not data:
            self._reloaded()
            if not stored:
                self.invariants.facts.clear()

    @override
    async def _interrupt(self, asked: Asked, how: str) -> None:
        if how == "configure":
            await self._configure(self.settings)
        else:
            await super()._interrupt(asked, how)

    async def repair(self, script: Sequence[Scripted]) -> None:
        """Repair what can be repaired; a repair that fails leaves the issue as it is."""
        self._script(script)
        manager: RepairsFlowManager = self._hass.data[REPAIRS]["flow_manager"]
        issues = ir.async_get(self._hass).issues
        for issue in list(issues.values()):
            if issue.domain != DOMAIN or not issue.is_fixable:
                continue
            form = await manager.async_init(DOMAIN, context={"issue_id": issue.issue_id})
            data = {"model": MODEL} if form["step_id"] == "model" else {}
            done = await manager.async_configure(form["flow_id"], data)
            if done["type"] is FlowResultType.FORM:
                assert done["errors"]
                manager.async_abort(form["flow_id"])
            else:
                assert done["type"] is FlowResultType.CREATE_ENTRY
            repaired = done["type"] is FlowResultType.CREATE_ENTRY
            self.done["repairs"] += repaired
            assert repaired is ((DOMAIN, issue.issue_id) not in issues)
        await self._hass.async_block_till_done()
        assert self._entry.state is ConfigEntryState.LOADED
        # Those that test a model are no conversations.
        self._server.requests.clear()
        await self.invariants.check()


def _check_error(err: HomeAssistantError, picture: Picture | None) -> None:
    """Check that an error is translated, unless it is the one of the camera."""
    assert err.translation_domain == DOMAIN or (
        picture is Picture.MISSING and "image" in str(err)
    ), err
    assert not people(str(err))
