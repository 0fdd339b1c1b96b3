"""Who may know what: the agent knows no Home Assistant, one module knows the SDK."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

INTEGRATION = Path(__file__).parents[1] / "custom_components" / "chatterbox"
AGENT = INTEGRATION / "agent"
SDK_MODULE = AGENT / "model" / "openai_provider.py"
DIALECTS = AGENT / "dialects"
ASSIST = AGENT / "assist.py"

# voluptuous becomes probatio once Home Assistant is imported, so both are its business.
HOME_ASSISTANT = {"custom_components", "homeassistant", "probatio", "voluptuous"}
# How models write reasoning and tool calls into their text: <think>, <tool_call>, <|name|>, [NAME].
TAG_SYNTAX = re.compile(r"</?(think|thinking|reasoning|tool_?calls?|tools?|function)\b|<\||\[TOOL_")
HOME_ASSISTANT_TOOLS = re.compile(r"\b(Hass[A-Z]\w+|GetLiveContext|GetDateTime)\b")

every_agent_module = pytest.mark.parametrize(
    "path", sorted(AGENT.rglob("*.py")), ids=lambda path: str(path.relative_to(AGENT))
)
every_module = pytest.mark.parametrize(
    "path", sorted(INTEGRATION.rglob("*.py")), ids=lambda path: str(path.relative_to(INTEGRATION))
)


def _imports(source: str) -> Iterator[tuple[int, str]]:
    """Yield the level of relativity and the dotted name of every import."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                yield from ((0, alias.name) for alias in names)
            case ast.ImportFrom(level=level, module=module):
                yield level, module or ""


def _packages(path: Path) -> set[str]:
    """Return the packages outside the integration that a module imports."""
    return {name.split(".")[0] for level, name in _imports(path.read_text()) if not level}


@every_agent_module
def test_agent_does_not_know_home_assistant(path: Path) -> None:
    """The agent imports nothing of Home Assistant."""
    assert not _packages(path) & HOME_ASSISTANT


@every_agent_module
def test_agent_stays_inside(path: Path) -> None:
    """No relative import leaves the agent's folder."""
    depth = len(path.relative_to(AGENT).parts)
    assert all(level <= depth for level, _ in _imports(path.read_text()))


@every_module
def test_one_module_knows_the_sdk(path: Path) -> None:
    """Only one module imports the OpenAI SDK."""
    assert path == SDK_MODULE or "openai" not in _packages(path)


@every_module
def test_only_dialects_know_tag_syntax(path: Path) -> None:
    """Only the dialects know how tool calls and reasoning are written into text."""
    strings = [
        node.value
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    assert DIALECTS in path.parents or not any(map(TAG_SYNTAX.search, strings))


@every_agent_module
def test_only_assist_knows_home_assistants_tools(path: Path) -> None:
    """Only one module of the agent knows the names of Home Assistant's tools and intents."""
    assert path == ASSIST or not HOME_ASSISTANT_TOOLS.search(path.read_text())


IMPORT_EVERYTHING = """
import importlib, pkgutil, sys

blocked = {"homeassistant", "openai", "probatio", "voluptuous"}

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in blocked:
            raise ImportError(f"{name} is blocked")

sys.meta_path.insert(0, Blocker())
sys.path.insert(0, sys.argv[1])
import agent

for module in pkgutil.walk_packages(agent.__path__, "agent."):
    if module.name != "agent.model.openai_provider":
        importlib.import_module(module.name)
        print(module.name)
"""


def test_agent_runs_without_home_assistant() -> None:
    """The agent can be imported where there is neither Home Assistant nor the SDK."""
    result = subprocess.run(
        [sys.executable, "-I", "-c", IMPORT_EVERYTHING, str(INTEGRATION)],
        capture_output=True,
        check=False,
        text=True,
        timeout=50,
    )
    assert result.returncode == 0, result.stderr
    assert "agent.loop" in result.stdout.split()


@pytest.mark.parametrize(
    ("source", "imports"),
    [
        ("import homeassistant.core as core", [(0, "homeassistant.core")]),
        ("def late():\n    from openai import OpenAI", [(0, "openai")]),
        ("from . import loop", [(1, "")]),
        ("from ..server import connect", [(2, "server")]),
    ],
)
def test_imports_are_found(source: str, imports: list[tuple[int, str]]) -> None:
    """The borders are watched everywhere in a module, and for every way to import."""
    assert list(_imports(source)) == imports
