"""Layout of the tests: those of the Home Assistant side mirror its modules one to one."""

import ast
from fnmatch import fnmatch
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
INTEGRATION = TESTS.parent / "custom_components" / "chatterbox"
# Folders of the Home Assistant side, below the integration and below the tests alike.
FOLDERS = ("", "intents")

# Modules with code and without a test module of their name, each with the reason.
WITHOUT_TESTS: dict[str, str] = {}

# Test modules that are named after no module, each with the reason.
WITHOUT_MODULE = {
    "test_borders.py": "borders between all packages",
    "test_docs.py": "the folder docs/",
    "test_layout*.py": "the layout of the tests",
    "test_manifest.py": "manifest.json and the files beside it",
    "test_translations.py": "the folder translations/",
}


def _has_code(source: str) -> bool:
    """Return whether a module defines a function or a class."""
    definitions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return any(isinstance(node, definitions) for node in ast.walk(ast.parse(source)))


def _test_of(module: Path) -> Path:
    """Return the path of a module's test module, below the tests."""
    return module.with_name(f"test_{module.stem.strip('_')}.py")


def _python_files(root: Path, pattern: str) -> list[Path]:
    """Return the Python files of the Home Assistant side, relative to a root."""
    return sorted(
        path.relative_to(root) for folder in FOLDERS for path in (root / folder).glob(pattern)
    )


MODULES = [
    path
    for path in _python_files(INTEGRATION, "*.py")
    if _has_code((INTEGRATION / path).read_text())
]


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_module_has_a_test_module_of_its_name(module: Path) -> None:
    assert (TESTS / _test_of(module)).exists() is (str(module) not in WITHOUT_TESTS)


@pytest.mark.parametrize("test", _python_files(TESTS, "test_*.py"), ids=str)
def test_test_module_is_named_after_a_module(test: Path) -> None:
    listed = any(fnmatch(str(test), pattern) for pattern in WITHOUT_MODULE)
    assert listed or test in {_test_of(module) for module in MODULES}


def test_exceptions_are_modules_with_code() -> None:
    assert WITHOUT_TESTS.keys() <= {str(module) for module in MODULES}


@pytest.mark.parametrize(
    ("source", "has_code"),
    [
        ('"""Doc."""\nX = 1\n', False),
        ("def f(): ...", True),
        ("if True:\n    async def f(): ...", True),
        ("class C: ...", True),
    ],
)
def test_module_with_a_function_or_a_class_has_code(source: str, *, has_code: bool) -> None:
    assert _has_code(source) is has_code


@pytest.mark.parametrize(
    ("module", "test"),
    [
        ("__init__.py", "test_init.py"),
        ("server.py", "test_server.py"),
        ("intents/kind_words.py", "intents/test_kind_words.py"),
    ],
)
def test_test_module_mirrors_the_path_of_its_module(module: str, test: str) -> None:
    assert _test_of(Path(module)) == Path(test)
