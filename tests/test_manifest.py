"""Manifest, brand images, icons, quality scale and workflows."""

import ast
import json
import re
import sys
from collections.abc import Iterable
from importlib import import_module
from importlib.metadata import requires
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from PIL import Image

import homeassistant
from custom_components.chatterbox import PLATFORMS
from homeassistant.const import Platform, __version__
from homeassistant.util.yaml import load_yaml_dict

PROJECT = Path(__file__).parents[1]
INTEGRATION = PROJECT / "custom_components" / "chatterbox"
HOME_ASSISTANT = Path(homeassistant.__path__[0])


def _json(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(path.read_text())
    return content


@pytest.fixture
def manifest() -> dict[str, Any]:
    """Read the integration's manifest."""
    return _json(INTEGRATION / "manifest.json")


def _packages(requirements: Iterable[str]) -> set[str]:
    """Return the import names of requirements; here they are those of the distributions."""
    return {Requirement(each).name.lower().replace("-", "_") for each in requirements}


def test_nothing_has_to_be_installed(manifest: dict[str, Any]) -> None:
    """Each package that is imported is one of Home Assistant or of a dependency."""
    assert manifest["requirements"] == []
    imported = {
        name.split(".")[0]
        for path in INTEGRATION.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        for name in _imported(node)
    }
    dependencies = (
        _json(HOME_ASSISTANT / "components" / name / "manifest.json")
        for name in manifest["dependencies"]
    )
    there = {
        "homeassistant",
        # Home Assistant makes it another name of probatio.
        "voluptuous",
        *sys.stdlib_module_names,
        *_packages(requires("homeassistant") or ()),
        *chain.from_iterable(_packages(each["requirements"]) for each in dependencies),
    }
    assert imported <= there


def _imported(node: ast.AST) -> list[str]:
    """Return the absolute names that a node imports."""
    match node:
        case ast.Import(names=names):
            return [alias.name for alias in names]
        case ast.ImportFrom(level=0, module=str(module)):
            return [module]
    return []


def test_imported_integrations_are_dependencies(manifest: dict[str, Any]) -> None:
    """Each integration that is imported is set up first, or belongs to every home."""
    imported = {
        found
        for path in INTEGRATION.rglob("*.py")
        for found in re.findall(r"homeassistant\.components(?:\.| import )(\w+)", path.read_text())
    }
    # What is imported of these needs no setup: they load the modules that import it.
    loaders = {"diagnostics", "repairs", "system_health"}
    everywhere = {"homeassistant", *loaders, *Platform} - {"conversation"}
    assert imported - everywhere <= {*manifest["dependencies"], *manifest["after_dependencies"]}


def test_manifest_is_sorted(manifest: dict[str, Any]) -> None:
    """Home Assistant's validation wants the domain and the name first, the rest sorted."""
    assert list(manifest) == ["domain", "name", *sorted(manifest.keys() - {"domain", "name"})]


def test_manifest_has_the_keys_that_hacs_requires(manifest: dict[str, Any]) -> None:
    """The store refuses a repository whose manifest lacks one of these."""
    wanted = {"codeowners", "documentation", "domain", "issue_tracker", "name", "version"}
    assert all(manifest[key] for key in wanted)
    assert manifest["domain"] == INTEGRATION.name


def test_manifest_says_what_the_store_shows(manifest: dict[str, Any]) -> None:
    """The category is that of Home Assistant's own agents from 2026.11 on; 2026.10 has none."""
    assert manifest["categories"] == ["ai_voice.ai_models"]
    # A server may be in the network or on the internet.
    assert manifest["connectivity"] == ["cloud", "network"]


def test_store_takes_the_files_of_a_tag() -> None:
    """The Marketplace's catalog cannot install archives, so the manifest in Git has the version."""
    assert "zip_release" not in _json(PROJECT / "hacs.json")


def test_minimum_release_is_the_tested_one() -> None:
    """The store offers the integration from the release on that the tests prove."""
    year, month, _ = __version__.split(".", 2)
    assert _json(PROJECT / "hacs.json")["homeassistant"] == f"{year}.{month}.0"


@pytest.mark.parametrize(("suffix", "side"), [("", 256), ("@2x", 512)])
@pytest.mark.parametrize("name", ["icon", "logo", "dark_logo"])
def test_brand_images_have_the_required_sizes(name: str, suffix: str, side: int) -> None:
    """Icons are square, logos are wide; both are trimmed and see-through."""
    with Image.open(INTEGRATION / "brand" / f"{name}{suffix}.png") as image:
        assert image.height == side
        assert (image.width == side) == (name == "icon")
        assert image.mode == "RGBA"
        left, top, right, bottom = image.getbbox() or (0, 0, 0, 0)
    allowed = side // 32
    assert max(left, top, image.width - right, image.height - bottom) <= allowed


def test_icons_belong_to_entities() -> None:
    """Each icon is for a translation key that an entity of that platform has."""
    for platform, icons in _json(INTEGRATION / "icons.json")["entity"].items():
        tree = ast.parse((INTEGRATION / f"{platform}.py").read_text())
        strings = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
        assert set(icons) <= strings


def test_every_rule_of_the_quality_scale_is_met_or_does_not_apply() -> None:
    rules = load_yaml_dict(str(INTEGRATION / "quality_scale.yaml"))["rules"]
    theirs = load_yaml_dict(str(HOME_ASSISTANT / "components/anthropic/quality_scale.yaml"))[
        "rules"
    ]
    assert rules.keys() == theirs.keys()
    for answer in rules.values():
        assert answer == "done" or (answer["status"] == "exempt" and answer["comment"].strip())


@pytest.mark.parametrize("platform", PLATFORMS)
def test_each_platform_limits_its_updates(platform: Platform) -> None:
    module = import_module(f"custom_components.chatterbox.{platform}")
    assert isinstance(module.PARALLEL_UPDATES, int)


def test_page_shows_where_each_rule_of_the_quality_scale_is_met() -> None:
    """Each name of the code on the page is in one of the files that its row links to."""
    rules = load_yaml_dict(str(INTEGRATION / "quality_scale.yaml"))["rules"]
    docs = PROJECT / "docs"
    page = (docs / "quality_scale.md").read_text()
    rows = dict(re.findall(r"^\| `([a-z-]+)` \| (.+) \|$", page, re.MULTILINE))
    assert list(rows) == list(rules)
    for rule, row in rows.items():
        if rules[rule] != "done":
            assert row == f"Does not apply: {rules[rule]['comment'].strip()}"
            continue
        linked = [docs / target.split("#")[0] for target in re.findall(r"\]\(([^)]+)\)", row)]
        assert linked
        assert all(path.exists() for path in linked), rule
        sources = "".join(path.read_text() for path in linked if path.is_file())
        for name in re.findall(r"(?<!\[)`(\w+)`", row):
            assert name in sources, rule


@pytest.mark.parametrize("path", sorted((PROJECT / ".github" / "workflows").glob("*.yml")), ids=str)
def test_workflows_pin_actions_and_limit_permissions(path: Path) -> None:
    """Actions are taken by commit with the version beside it, and nothing is allowed unasked."""
    text = path.read_text()
    uses = re.findall(r"uses: (.*)", text)
    assert uses
    for action in uses:
        assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # \S+", action)
    workflow = load_yaml_dict(str(path))
    assert workflow["permissions"] == {}
    assert all("permissions" in job for job in workflow["jobs"].values())
    assert text.count("actions/checkout@") == text.count("persist-credentials: false")
