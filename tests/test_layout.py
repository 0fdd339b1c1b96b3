"""Tests of the layout of the tests, which mirror the package one to one."""

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
INTEGRATION = TESTS.parent / "custom_components" / "chatterbox"
# Folders of the tests that mirror the package; scenarios concern no single module.
MIRRORED = ("agent", "intents")
SCENARIOS = "scenarios"

# Modules with a function or class but without a test module, by reason.
UNTESTED = {
    "agent/events.py": "data without behavior",
    "agent/dialects/guided/guided_context.py": "data without behavior",
    "agent/dialects/parsing/pieces.py": "data without behavior",
    "agent/tools/conversation_state.py": "data without behavior",
    "agent/language/languages/fr.py": "its plural form is tested in language/test_units.py",
    "agent/language/languages/pl.py": "its plural form is tested in language/test_units.py",
}
# Test modules that are named after no module, by reason.
WITHOUT_MODULE = {
    "test_architecture.py": "borders between all packages",
    "test_docs.py": "the folder docs/",
    "test_layout.py": "the layout of the tests",
    "test_manifest.py": "manifest.json and the files beside it",
    "test_translations.py": "the folder translations/",
}


def has_code(module: Path) -> bool:
    """Return whether a module defines a function or class."""
    definitions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return any(isinstance(node, definitions) for node in ast.parse(module.read_text()).body)


def expected_test_module(module: Path) -> Path:
    """Return the path of the test module of a module; a package has one beside its folder."""
    path = module.relative_to(INTEGRATION)
    if path == Path("__init__.py"):
        return TESTS / "test_init.py"
    named = path.parent if path.stem == "__init__" else path
    return TESTS / named.parent / f"test_{named.stem}.py"


MODULES = sorted(INTEGRATION.rglob("*.py"))
TEST_MODULES = sorted(
    path
    for path in [
        *TESTS.glob("test_*.py"),
        *(path for folder in MIRRORED for path in (TESTS / folder).rglob("test_*.py")),
    ]
    if SCENARIOS not in path.parts
)
MODULES_WITH_CODE = [
    module
    for module in MODULES
    if has_code(module) and str(module.relative_to(INTEGRATION)) not in UNTESTED
]


@pytest.mark.parametrize(
    "module", MODULES_WITH_CODE, ids=lambda path: str(path.relative_to(INTEGRATION))
)
def test_module_with_code_has_a_test_module_of_its_name(module: Path) -> None:
    assert expected_test_module(module).is_file()


@pytest.mark.parametrize("path", TEST_MODULES, ids=lambda path: str(path.relative_to(TESTS)))
def test_test_module_names_a_module(path: Path) -> None:
    """A name may continue with an aspect of the module: `test_<module>_<aspect>.py`."""
    names = [expected_test_module(module) for module in MODULES]
    named = [name.stem for name in names if name.parent == path.parent]
    listed = str(path.relative_to(TESTS)) in WITHOUT_MODULE
    assert listed or any(path.stem == stem or path.stem.startswith(f"{stem}_") for stem in named)


@pytest.mark.parametrize("name", UNTESTED)
def test_exception_is_still_needed(name: str) -> None:
    module = INTEGRATION / name
    assert has_code(module)
    assert not expected_test_module(module).exists()
