"""The release archive."""

import json
from argparse import ArgumentTypeError
from pathlib import Path
from zipfile import ZipFile

import pytest

from scripts import package


def test_archive_is_the_integration_with_its_version(tmp_path: Path) -> None:
    """The archive holds the files at its top, and the manifest has the version of the release."""
    package.pack(tmp_path / "new" / "one.zip", "1.2.3")
    with ZipFile(tmp_path / "new" / "one.zip") as archive:
        names = archive.namelist()
        manifest = json.loads(archive.read("manifest.json"))
        assert archive.read("__init__.py") == (package.INTEGRATION / "__init__.py").read_bytes()
    assert manifest["version"] == "1.2.3"
    assert manifest["domain"] == "chatterbox"
    assert {"manifest.json", "translations/en.json", "brand/icon.png", "agent/loop.py"} <= {*names}
    assert not any("__pycache__" in name for name in names)


def test_archive_is_reproducible(tmp_path: Path) -> None:
    """The same files make the same bytes."""
    for name in ("one.zip", "two.zip"):
        package.pack(tmp_path / name, "1.2.3")
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


@pytest.mark.parametrize("text", ["1.2", "v1.2.3", "1.2.3-rc1", "1.2.3/..", ""])
def test_tag_that_is_no_version_is_rejected(text: str) -> None:
    """A tag that is no version stops the release."""
    with pytest.raises(ArgumentTypeError):
        package.version(text)


@pytest.mark.parametrize("text", ["1.2.3", "10.20.30", "1.2.3b4"])
def test_releases_and_betas_are_versions(text: str) -> None:
    """Releases and their betas have versions."""
    assert package.version(text) == text
