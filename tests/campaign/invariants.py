"""The invariants that hold after every step."""

import asyncio
import json
import logging
import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.chatterbox.const import DOMAIN
from custom_components.chatterbox.diagnostics import async_get_config_entry_diagnostics
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir

from ..agent.sample_files import image
from ..conftest import API_KEY
from ..conversation_helpers import AGENT, perform
from ..fake_openai import FakeOpenAI, history_problems
from ..fake_openai.request import Request
from .workshop import Workshop

# Every message carries a note of its own, every fact and every AI task as well. By them they are
# recognized wherever they turn up.
NOTE = re.compile(r"note (?P<by>\w+) (?P<where>\w+) (?P<number>\d+)")
FACT = re.compile(r"fact (?P<of>\w+) (?P<number>\d+)")
TASK = re.compile(r"task number \d+")
NOBODY = "nobody"
# Limits of what is stored: conversations, turns of each, bytes of each.
_MAX_FILES = 200
_MAX_TURNS = 100
_MAX_FILE_SIZE = 500_000
# Tasks that a home at rest may have more than at the start.
_SPARE_TASKS = 20


def people(text: str) -> set[str]:
    """Return whose notes and facts a text has: names of users, and of rooms for satellites."""
    notes = {
        match["where"] if match["by"] == NOBODY else match["by"] for match in NOTE.finditer(text)
    }
    return notes | {match["of"] for match in FACT.finditer(text)}


class Invariants:
    """Invariants of a home with one agent."""

    def __init__(
        self,
        hass: HomeAssistant,
        server: FakeOpenAI,
        workshop: Workshop,
        entry: MockConfigEntry,
    ) -> None:
        self._hass = hass
        self._server = server
        self._workshop = workshop
        self._entry = entry
        self._disk = Path(hass.config.config_dir)
        self._tasks = len(asyncio.all_tasks())
        self.stores = True
        """True if the agent stores its conversations."""
        self.called: set[str] = set()
        """Runs of tools that the server has asked for."""
        self.facts: set[str] = set()
        """Facts that are remembered."""
        self._known: dict[str, str] = {}
        """Whose every note and fact is that was not erased."""
        self._erased: set[str] = set()
        self._erasing: set[str] = set()
        """Those that were erased in this step."""
        self.steps = 0

    @property
    def tool_runs(self) -> int:
        """Number of runs of tools."""
        return sum(self._workshop.done.values())

    def know(self, text: str) -> str:
        """Know of a new note or fact; return it."""
        (owner,) = people(text)
        self._known[text] = owner
        return text

    async def erased(self, user: str | None, *, facts: bool = False) -> None:
        """Expect that no note of a user, or of all, is left anywhere, perhaps no fact either."""
        await self._hass.async_block_till_done()
        gone = {
            text
            for text, owner in self._known.items()
            if user in (None, owner) and (facts or NOTE.match(text))
        }
        self.facts -= gone
        left = [path for path, text in self._stored() if _has(text, gone)]
        assert not left, f"erased, but found in {left}"
        # Requests of this step may have been sent before.
        self._erasing |= gone
        self._known = {text: known for text, known in self._known.items() if text not in gone}

    async def check(self) -> None:
        """Check the invariants, once the home is at rest."""
        await self._hass.async_block_till_done()
        for request in (*self._server.completions, *self._server.prewarms):
            problems = history_problems(request.messages)
            assert not problems, f"{problems} in {request.messages}"
            self._check_confidentiality(request)
        self._check_files()
        await self._check_facts()
        runs = Counter(self._workshop.done)
        assert set(runs.values()) <= {1}, f"a tool ran twice: {runs.most_common(1)}"
        not_called = runs.keys() - self.called
        assert not not_called, f"a tool ran that was not called: {not_called}"
        self.steps += 1
        tasks = asyncio.all_tasks()
        assert len(tasks) <= self._tasks + _SPARE_TASKS, f"tasks are left: {tasks}"
        self._server.reset()
        self._erased |= self._erasing
        self._erasing.clear()

    def _check_files(self) -> None:
        """Check that every stored conversation is complete, of one person, and within bounds."""
        stored = self._stored()
        assert not [path for path, text in stored if image().data in text], "a picture is stored"
        assert not [path for path, text in stored if TASK.search(text)], "an AI task is stored"
        files = {path: text for path, text in stored if "chatterbox.history" in path.parts}
        assert self.stores or not files, "conversations are stored"
        assert len(files) <= _MAX_FILES, "too many files"
        for path, text in files.items():
            size = len(text.encode())
            assert size <= _MAX_FILE_SIZE, f"{path} has {size} bytes"
            # A temporary file may be incomplete, and is renamed when it is not.
            if path.name.startswith("tmp"):
                continue
            turns = json.loads(text)["data"]["turns"]
            messages = [message for turn in turns for message in turn["messages"]]
            assert len(turns) <= _MAX_TURNS
            assert len(people(str(turns))) <= 1, f"several people in {path}: {people(str(turns))}"
            assert {message["role"] for message in messages} <= {"assistant", "tool"}

    async def _check_facts(self) -> None:
        """Check that every fact is remembered of the one who it is about."""
        listed = (await perform(self._hass, "list_facts", agent=AGENT))["facts"]
        for fact in listed:
            assert people(fact["text"]) == {fact["user"] or fact["device"]}, fact
        texts = {fact["text"] for fact in listed}
        assert texts == self.facts, f"{texts - self.facts} appeared, {self.facts - texts} vanished"

    def _check_confidentiality(self, request: Request) -> None:
        """Check that a request has nothing of other people than the one who speaks."""
        text = str(request.messages)
        assert len(people(text)) <= 1, f"several people in one request: {people(text)}"
        assert not (people(text) and TASK.search(text)), "an AI task knows what was said"
        assert not _has(text, self._erased), f"erased, but sent: {text}"

    async def check_reports(self) -> None:
        """Check that what others may see has neither the key nor what was said."""
        diagnostics = await async_get_config_entry_diagnostics(self._hass, self._entry)
        issues = ir.async_get(self._hass).issues.values()
        reports = {
            "diagnostics": str(diagnostics),
            "states": str([state.as_dict() for state in self._hass.states.async_all()]),
            "issues": str([issue for issue in issues if issue.domain == DOMAIN]),
        }
        assert not [name for name, text in reports.items() if _is_secret(text)]

    def check_logs(self, records: Sequence[logging.LogRecord]) -> None:
        """Check that the log has neither the key nor what was said."""
        for record in records:
            line = record.getMessage()
            assert API_KEY not in line
            assert record.levelno <= logging.DEBUG or not _is_secret(line), line

    def _stored(self) -> list[tuple[Path, str]]:
        stored = []
        for path in self._disk.rglob("*"):
            # One that is being written may have been renamed.
            with suppress(FileNotFoundError):
                if path.is_file():
                    stored.append((path, path.read_text(errors="replace")))
        return stored


def _has(text: str, known: set[str]) -> bool:
    """Return whether a text has one of these notes and facts."""
    return any(match[0] in known for pattern in (NOTE, FACT) for match in pattern.finditer(text))


def _is_secret(text: str) -> bool:
    return API_KEY in text or bool(people(text)) or TASK.search(text) is not None
