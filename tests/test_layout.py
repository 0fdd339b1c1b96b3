"""Tests of the layout of the tests: those of the agent mirror its package one to one."""

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parent / "agent"
AGENT = Path(__file__).parents[1] / "custom_components" / "chatterbox" / "agent"
# Whole-agent scenarios concern no single module.
SCENARIOS = TESTS / "scenarios"
# Modules with a function or class but without a test module, by reason.
UNTESTED = {
    "events.py": "data without behavior",
    "dialects/parsing/pieces.py": "data without behavior",
    "tools/conversation_state.py": "data without behavior",
    "language/languages/fr.py": "its plural form is tested in language/test_units.py",
    "language/languages/pl.py": "its plural form is tested in language/test_units.py",
}


def has_code(module: Path) -> bool:
    """Return whether a module defines a function or class."""
    definitions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return any(isinstance(node, definitions) for node in ast.parse(module.read_text()).body)


def expected_test_module(module: Path) -> Path:
    """Return the path of the test module of a module; a package has one beside its folder."""
    named = module.parent if module.stem == "__init__" else module
    return TESTS / named.relative_to(AGENT).parent / f"test_{named.stem}.py"


MODULES = sorted(AGENT.rglob("*.py"))
TEST_MODULES = sorted(path for path in TESTS.rglob("test_*.py") if SCENARIOS not in path.parents)
MODULES_WITH_CODE = [
    module
    for module in MODULES
    if has_code(module) and str(module.relative_to(AGENT)) not in UNTESTED
]


@pytest.mark.parametrize("module", MODULES_WITH_CODE, ids=lambda path: str(path.relative_to(AGENT)))
def test_module_with_code_has_a_test_module_of_its_name(module: Path) -> None:
    assert expected_test_module(module).is_file()


@pytest.mark.parametrize("path", TEST_MODULES, ids=lambda path: str(path.relative_to(TESTS)))
def test_test_module_names_a_module(path: Path) -> None:
    """A name may continue with an aspect of the module: `test_<module>_<aspect>.py`."""
    names = [expected_test_module(module) for module in MODULES]
    named = [name.stem for name in names if name.parent == path.parent]
    assert any(path.stem == stem or path.stem.startswith(f"{stem}_") for stem in named)


@pytest.mark.parametrize("name", UNTESTED)
def test_exception_is_still_needed(name: str) -> None:
    module = AGENT / name
    assert has_code(module)
    assert not expected_test_module(module).exists()
