"""Manifest, brand images, icons, quality scale and workflows."""

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from PIL import Image

import homeassistant
from homeassistant.const import Platform, __version__
from homeassistant.util.yaml import load_yaml_dict

PROJECT = Path(__file__).parents[1]
INTEGRATION = PROJECT / "custom_components" / "chatterbox"
HOME_ASSISTANT = Path(homeassistant.__path__[0])


def _json(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(path.read_text())
    return content


def _pins(lines: str) -> dict[str, str]:
    """Read the exact versions of a list of requirements."""
    return dict(re.findall(r"^([\w.-]+)==(\S+)$", lines, re.MULTILINE))


@pytest.fixture
def manifest() -> dict[str, Any]:
    """Read the integration's manifest."""
    return _json(INTEGRATION / "manifest.json")


@pytest.mark.parametrize(
    "pins",
    [
        pytest.param(
            _pins((HOME_ASSISTANT / "package_constraints.txt").read_text()),
            id="oldest",
        ),
        pytest.param(_pins((PROJECT / "requirements" / "home.txt").read_text()), id="newest"),
    ],
)
def test_requirements_allow_the_versions_that_home_assistant_pins(
    manifest: dict[str, Any], pins: dict[str, str]
) -> None:
    """Home Assistant installs each requirement in exactly the version that it pins."""
    for requirement in map(Requirement, manifest["requirements"]):
        assert pins[requirement.name] in requirement.specifier


def test_requirements_have_no_upper_bound(manifest: dict[str, Any]) -> None:
    """The pins of Home Assistant rise every month; none of them may lock the integration out."""
    for requirement in map(Requirement, manifest["requirements"]):
        assert {specifier.operator for specifier in requirement.specifier} == {">="}


def test_imported_integrations_are_dependencies(manifest: dict[str, Any]) -> None:
    """Each integration that is imported is set up first, or belongs to every home."""
    imported = {
        found
        for path in INTEGRATION.rglob("*.py")
        for found in re.findall(r"homeassistant\.components(?:\.| import )(\w+)", path.read_text())
    }
    # What is imported of the diagnostics needs no setup.
    everywhere = {"homeassistant", "diagnostics", *Platform} - {"conversation"}
    assert imported - everywhere <= {*manifest["dependencies"], *manifest["after_dependencies"]}


def test_manifest_is_sorted(manifest: dict[str, Any]) -> None:
    """Home Assistant's validation wants the domain and the name first, the rest sorted."""
    assert list(manifest) == ["domain", "name", *sorted(manifest.keys() - {"domain", "name"})]


def test_manifest_has_the_keys_that_hacs_requires(manifest: dict[str, Any]) -> None:
    """The store refuses a repository whose manifest lacks one of these."""
    wanted = {"codeowners", "documentation", "domain", "issue_tracker", "name", "version"}
    assert all(manifest[key] for key in wanted)
    assert manifest["domain"] == INTEGRATION.name


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


def test_quality_scale_answers_every_rule() -> None:
    """Every rule that Home Assistant has is answered, and what is not done has a reason."""
    rules = load_yaml_dict(str(INTEGRATION / "quality_scale.yaml"))["rules"]
    theirs = load_yaml_dict(str(HOME_ASSISTANT / "components/anthropic/quality_scale.yaml"))[
        "rules"
    ]
    assert rules.keys() == theirs.keys()
    for answer in rules.values():
        assert answer == "done" or (
            answer["status"] in {"done", "exempt", "todo"} and answer["comment"].strip()
        )


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
