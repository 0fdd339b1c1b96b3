"""Stamp of the version, and the files of a release."""

import hashlib
import json
import re
import shutil
from pathlib import Path
from zipfile import ZipFile

import pytest

from scripts.release import PROJECT, Release, ReleaseError, main, order

CHANGELOG = """\
# Changelog

## [Unreleased]

### Added

- A feature.

## [0.1.0] - 2026-10-01

- The beginning.

[Unreleased]: https://github.com/chatterbox-home/chatterbox/compare/v0.1.0...main
[0.1.0]: https://github.com/chatterbox-home/chatterbox/releases/tag/v0.1.0
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a copy of the project with version 0.1.0."""
    name = "custom_components/chatterbox"
    shutil.copytree(
        PROJECT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "*.pyc")
    )
    manifest = tmp_path / name / "manifest.json"
    manifest.write_text(re.sub(r'"version": "[^"]*"', '"version": "0.1.0"', manifest.read_text()))
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG)
    return tmp_path


def test_version_is_stamped_into_the_manifest_and_the_changelog(project: Path) -> None:
    manifest = project / "custom_components/chatterbox/manifest.json"
    before = manifest.read_text()
    assert main(["stamp", "0.2.0"], Release(project)) == 0
    assert manifest.read_text() == before.replace('"0.1.0"', '"0.2.0"')
    release = Release(project)
    assert release.version == "0.2.0"
    assert release.notes("Unreleased") == ""
    assert release.notes("0.2.0") == "### Added\n\n- A feature."
    assert release.notes("0.1.0") == "- The beginning."
    changelog = (project / "CHANGELOG.md").read_text()
    assert re.search(r"^## \[0\.2\.0\] - \d{4}-\d\d-\d\d$", changelog, re.MULTILINE)
    assert "/compare/v0.2.0...main\n[0.2.0]: " in changelog
    assert "[0.1.0]: " in changelog


def test_own_changelog_can_be_stamped(project: Path) -> None:
    """The project's own files are as the script takes them."""
    shutil.copy(PROJECT / "CHANGELOG.md", project)
    release = Release(project)
    changes = release.notes("Unreleased")
    release.stamp("99.0.0")
    assert release.notes("99.0.0") == changes
    assert order(Release().version)


@pytest.mark.parametrize("version", ["0.1.0", "0.0.9", "0.1.0b1", "1.2", "v1.2.3", "1.2.3-rc1", ""])
def test_version_that_is_not_new_is_refused(
    project: Path, capsys: pytest.CaptureFixture[str], version: str
) -> None:
    manifest = project / "custom_components/chatterbox/manifest.json"
    before = manifest.read_text()
    assert main(["stamp", version], Release(project)) == 1
    assert re.match(r"scripts/release\.py: .*(newer|no version)", capsys.readouterr().err)
    assert manifest.read_text() == before
    assert (project / "CHANGELOG.md").read_text() == CHANGELOG


def test_version_without_changes_is_refused(project: Path) -> None:
    release = Release(project)
    release.stamp("0.2.0")
    with pytest.raises(ReleaseError, match="no changes"):
        release.stamp("0.3.0")


def test_release_follows_its_betas() -> None:
    versions = ["0.9.9", "1.0.0b1", "1.0.0b2", "1.0.0b10", "1.0.0", "1.0.1b1", "1.10.0"]
    assert sorted(versions, key=order) == versions


def test_release_has_the_integration_its_checksum_and_the_notes(project: Path) -> None:
    release = Release(project)
    assert main(["pack", "v0.1.0"], release) == 0
    with ZipFile(release.target / "chatterbox.zip") as archive:
        names = archive.namelist()
        assert json.loads(archive.read("manifest.json"))["version"] == "0.1.0"
    assert {"manifest.json", "translations/en.json", "brand/icon.png", "agent/loop.py"} <= {*names}
    first = (release.target / "chatterbox.zip").read_bytes()
    digest = hashlib.sha256(first).hexdigest()
    assert (release.target / "SHA256SUMS").read_text() == f"{digest}  chatterbox.zip\n"
    assert (release.target / "notes.md").read_text() == "- The beginning.\n"
    (project / "custom_components/chatterbox/__pycache__").mkdir()
    (project / "custom_components/chatterbox/__pycache__/x.pyc").touch()
    release.pack("v0.1.0")
    assert (release.target / "chatterbox.zip").read_bytes() == first


@pytest.mark.parametrize("tag", ["v0.2.0", "0.1.0", "v0.1.0b1", ""])
def test_tag_of_another_version_is_refused(project: Path, tag: str) -> None:
    release = Release(project)
    assert main(["pack", tag], release) == 1
    assert not release.target.exists()


def test_version_that_the_changelog_does_not_have_is_refused(project: Path) -> None:
    (project / "CHANGELOG.md").write_text(CHANGELOG.replace("## [0.1.0]", "## [0.0.1]"))
    with pytest.raises(ReleaseError, match=r"nothing of 0\.1\.0"):
        Release(project).pack("v0.1.0")
