"""Architecture: the borders between folders, and `docs/architecture.md` in step with the code."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from graphlib import TopologicalSorter
from itertools import chain, takewhile
from pathlib import Path
from unittest.mock import Mock

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.chatterbox.agent.tools.conversation_state import ConversationState
from custom_components.chatterbox.agent.tools.registry import ToolRegistry
from custom_components.chatterbox.options import AgentOptions
from custom_components.chatterbox.turn_model import TurnModel
from custom_components.chatterbox.turn_setup import build_dispatcher, build_provider
from homeassistant.const import CONF_MODEL
from homeassistant.core import HomeAssistant

PROJECT = Path(__file__).parents[1]
PAGE = (PROJECT / "docs" / "architecture.md").read_text()
INTEGRATION = PROJECT / "custom_components" / "chatterbox"
AGENT = INTEGRATION / "agent"
HTTP_MODULES = {
    AGENT / "model" / name
    for name in ("http_client.py", "http_errors.py", "openai_provider.py", "response_body.py")
}
DIALECTS = AGENT / "dialects"
ASSIST = AGENT / "assist.py"

# voluptuous becomes probatio once Home Assistant is imported, so both are its business.
HOME_ASSISTANT = {"custom_components", "homeassistant", "probatio", "voluptuous"}
# How models write reasoning and tool calls into their text: <think>, <tool_call>, <|name|>, [NAME].
TAG_SYNTAX = re.compile(r"</?(think|thinking|reasoning|tool_?calls?|tools?|function)\b|<\||\[TOOL_")
HOME_ASSISTANT_TOOLS = re.compile(r"\b(Hass[A-Z]\w+|GetLiveContext|GetDateTime)\b")

type Module = tuple[str, ...]

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


@every_agent_module
def test_few_modules_know_http(path: Path) -> None:
    """Only some modules of the agent import the HTTP library."""
    assert path in HTTP_MODULES or "aiohttp" not in _packages(path)


@every_module
def test_config_entries_are_typed(path: Path) -> None:
    """Only the module of the runtime data knows entries of any integration."""
    generic = re.search(r"\bConfigEntry\b", path.read_text()) is not None
    assert generic == (path == INTEGRATION / "data.py")


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

blocked = {"homeassistant", "probatio", "voluptuous"}

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in blocked:
            raise ImportError(f"{name} is blocked")

sys.meta_path.insert(0, Blocker())
sys.path.insert(0, sys.argv[1])
import agent

for module in pkgutil.walk_packages(agent.__path__, "agent."):
    importlib.import_module(module.name)
    print(module.name)
"""


def test_agent_runs_without_home_assistant() -> None:
    """The agent can be imported where there is no Home Assistant."""
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
        ("def late():\n    from aiohttp import web", [(0, "aiohttp")]),
        ("from . import loop", [(1, "")]),
        ("from ..server import connect", [(2, "server")]),
    ],
)
def test_imports_are_found(source: str, imports: list[tuple[int, str]]) -> None:
    """The borders are watched everywhere in a module, and for every way to import."""
    assert list(_imports(source)) == imports


def _dotted(path: Path) -> Module:
    """Return a module as its path in the package: `("agent", "loop")`; a folder's is its own."""
    parts = path.relative_to(INTEGRATION).with_suffix("").parts
    return parts[:-1] if path.name == "__init__.py" else parts


MODULES: dict[Module, Path] = {_dotted(path): path for path in sorted(INTEGRATION.rglob("*.py"))}


def _folder(module: Module) -> Module:
    return module if MODULES[module].name == "__init__.py" else module[:-1]


@cache
def _edges() -> frozenset[tuple[Module, Module]]:
    """Return the imports between the modules of the integration."""
    edges = set()
    for module, path in MODULES.items():
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.ImportFrom) or not node.level:
                continue
            folder = _folder(module)
            base = folder[: len(folder) - node.level + 1]
            base += tuple(node.module.split(".")) if node.module else ()
            names = ((*base, alias.name) for alias in node.names)
            edges |= {(module, name if name in MODULES else base) for name in names}
    return frozenset(edges)


@cache
def _sections() -> dict[str, list[str]]:
    """Return the modules that the page describes, by the title of their section, as patterns."""
    _, _, modules = PAGE.partition("\n## Modules\n")
    sections: dict[str, list[str]] = {}
    for section in modules.split("\n### ")[1:]:
        title, _, table = section.partition("\n")
        folder = "".join(re.findall(r"^`(.+/)`", title))
        group = title.replace("`", "").partition(":")[0]
        rows = re.findall(r"^\| `([^`]+\.py)` \|", table, re.MULTILINE)
        sections.setdefault(group, []).extend(folder + row for row in rows)
    return sections


@cache
def _group(module: Module) -> str | None:
    """Return the section of the page that describes a module."""
    path = MODULES[module].relative_to(INTEGRATION)
    for group, patterns in _sections().items():
        if any(path.full_match(pattern) for pattern in patterns):
            return group
    return None


def test_every_module_is_described() -> None:
    """The page describes each module once, and nothing else."""
    described = [
        (pattern, path)
        for patterns in _sections().values()
        for pattern in patterns
        for path in INTEGRATION.glob(pattern)
        if not ("?" in pattern and path.name == "__init__.py")
    ]
    paths = [path for _, path in described]
    assert len(paths) == len(set(paths))
    # A module with nothing but a docstring is only the name of its folder.
    assert set(paths) == {
        path for path in MODULES.values() if len(ast.parse(path.read_text()).body) > 1
    }
    assert {name for name, _ in described} == set(chain.from_iterable(_sections().values()))


def test_names_on_the_page_exist() -> None:
    """The page names files that are there, and identifiers of the code or the translations."""
    page, _, _ = PAGE.partition("\n## Modules\n")
    sources = "\n".join(path.read_text() for path in MODULES.values())
    words = set(re.findall(r"\w+", sources + (INTEGRATION / "translations/en.json").read_text()))
    roots = (INTEGRATION, PROJECT)
    for name in re.findall(r"`([^`\n]+)`", page):
        if "/" in name or re.search(r"\.(?:py|md|json|yaml)$", name):
            assert any((root / name).exists() for root in roots), name
        else:
            assert set(re.findall(r"\w+", name)) <= words, name


def test_names_are_in_the_modules_given_for_them() -> None:
    """Where the page gives the module of a name, the name is there."""
    given = re.findall(r"`(\w+)`(?: in | \(| \| )`([\w/.]+\.py)`", PAGE)
    assert given
    for name, module in given:
        assert re.search(rf"\b{name}\b", (INTEGRATION / module).read_text()), (name, module)


def _diagram() -> tuple[dict[str, frozenset[str]], set[tuple[str, str]]]:
    """Return the nodes and frames of the diagram, as the groups in them, and its arrows."""
    _, _, rest = PAGE.partition("```mermaid\n")
    groups: dict[str, frozenset[str]] = {}
    arrows: set[tuple[str, str]] = set()
    frames: list[str] = []
    for line in rest.partition("```")[0].splitlines()[1:]:
        match line.split():
            case ["subgraph", frame, *_]:
                frames.append(frame.partition("[")[0])
            case ["end"]:
                frames.pop()
            case [left, "<-->", right]:
                arrows |= {(left, right), (right, left)}
            case [left, *_, "-->", right]:
                arrows.add((left, right))
            case _:
                node, _, label = line.strip().removesuffix('"]').partition('["')
                for name in (node, *frames):
                    groups[name] = groups.get(name, frozenset()) | {label}
    return groups, arrows


def test_arrows_of_the_diagram_are_the_imports() -> None:
    """Each import between folders has its arrow, and each arrow stands for an import."""
    groups, arrows = _diagram()
    assert set().union(*groups.values()) == set(_sections())
    assert {end for arrow in arrows for end in arrow} <= set(groups)
    shown = {
        arrow: {(left, right) for left in groups[arrow[0]] for right in groups[arrow[1]]}
        for arrow in arrows
    }
    imported = {
        (left, right)
        for module, other in _edges()
        if (left := _group(module)) != (right := _group(other)) and left and right
    }
    assert imported <= set().union(*shown.values())
    for arrow, pairs in shown.items():
        assert pairs & imported, arrow


def test_modules_do_not_import_each_other_in_a_circle() -> None:
    """There is an order in which every module comes after those that it imports."""
    TopologicalSorter(_graph(_edges())).prepare()


def test_sibling_folders_do_not_import_each_other_in_a_circle() -> None:
    """Of two folders side by side at most one imports the other."""
    siblings = set()
    for module, other in _edges():
        left, right = _folder(module), _folder(other)
        shared = len([*takewhile(lambda pair: pair[0] == pair[1], zip(left, right, strict=False))])
        if shared < min(len(left), len(right)):
            siblings.add((left[: shared + 1], right[: shared + 1]))
    assert siblings
    TopologicalSorter(_graph(siblings)).prepare()


def _graph(edges: Iterable[tuple[Module, Module]]) -> dict[Module, set[Module]]:
    graph: dict[Module, set[Module]] = {}
    for module, other in edges:
        graph.setdefault(module, set()).add(other)
    return graph


@every_module
def test_modules_are_short(path: Path) -> None:
    """A module fits into one's head; the entity only admits messages."""
    longest = 130 if path.name == "conversation.py" else 400
    assert len(path.read_text().splitlines()) <= longest


def _stack(heading: str) -> list[str]:
    """Return the classes in the table below a heading of the page, the outermost first."""
    _, _, section = PAGE.partition(f"\n### {heading}\n")
    return re.findall(r"^\| `(\w+)` \|", section.partition("\n#")[0], re.MULTILINE)


def _layers(outermost: object) -> list[str]:
    """Return the classes of middleware and of what is inside it."""
    layers = []
    layer: object | None = outermost
    while layer is not None:
        layers.append(type(layer).__name__)
        layer = getattr(layer, "_provider", None) or getattr(layer, "_inner", None)
    return layers


async def test_stacks_of_a_turn_are_those_of_the_page(
    hass: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    """The page has the middleware of providers and dispatchers in its order."""
    data, options = loaded_entry.runtime_data, AgentOptions.parse({CONF_MODEL: "model"})
    model = TurnModel(hass, data, options, Mock(language="en"), {"code_only": "Code."})
    provider = build_provider(data, options, model.provider)
    assert _layers(provider) == _stack("Provider stack")
    dispatcher = build_dispatcher(hass, data, options, ToolRegistry(), ConversationState())
    assert _layers(dispatcher) == _stack("Dispatcher stack")


@pytest.mark.parametrize("folder", ["custom_components", "scripts", "benchmarks"])
def test_docstrings_have_one_style(folder: str) -> None:
    """Functions are named by what they do or return, and constructors by their class."""
    for path in sorted((PROJECT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                text = ast.get_docstring(node) or ""
                assert not text.startswith(("Take ", "Tell ")), f"{path}: {text}"
                assert not text or getattr(node, "name", "") != "__init__", f"{path}: {text}"
