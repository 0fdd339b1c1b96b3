#!/usr/bin/env python3
"""Make a release, in two steps.

scripts/release.py stamp 1.2.3   write the version into the manifest and the changelog, to commit
scripts/release.py pack v1.2.3   make the files of the release of that tag, in dist/
"""

import argparse
import hashlib
import json
import re
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

PROJECT = Path(__file__).resolve().parent.parent
REPOSITORY = "https://github.com/chatterbox-home/chatterbox"
VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)(?:b(\d+))?")
FINAL = sys.maxsize
"""The number of a beta that stands for the release after all betas."""
UNRELEASED = "## [Unreleased]\n"


class ReleaseError(Exception):
    """The release cannot be made."""


def order(version: str) -> tuple[int, ...]:
    """Return what versions are compared by; raise `ReleaseError` for a text that is none."""
    if (found := VERSION.fullmatch(version)) is None:
        raise ReleaseError(f"{version!r} is no version; 1.2.3 and 1.2.3b4 are")
    return tuple(FINAL if number is None else int(number) for number in found.groups())


class Release:
    """The files of a project that a release is made of."""

    def __init__(self, project: Path = PROJECT) -> None:
        self._integration = project / "custom_components" / "chatterbox"
        self._manifest = self._integration / "manifest.json"
        self._changelog = project / "CHANGELOG.md"
        self.target = project / "dist"

    @property
    def version(self) -> str:
        """The version in the manifest."""
        return str(json.loads(self._manifest.read_text())["version"])

    def stamp(self, version: str) -> None:
        """Write a version into the manifest and the changelog.

        Raises `ReleaseError` for a version that is not new, or without changes.
        """
        changelog = self._changelog.read_text()
        is_new = order(version) >= order(self.version) and f"## [{version}]" not in changelog
        if not is_new:
            raise ReleaseError(f"{version} is not newer than {self.version}")
        if not self.notes("Unreleased"):
            raise ReleaseError("the changelog has no changes")
        day = f"{datetime.now(UTC):%Y-%m-%d}"
        changelog = changelog.replace(UNRELEASED, f"{UNRELEASED}\n## [{version}] - {day}\n", 1)
        changelog = re.sub(
            r"^\[Unreleased\]: .*\n?",
            f"[Unreleased]: {REPOSITORY}/compare/v{version}...main\n"
            f"[{version}]: {REPOSITORY}/releases/tag/v{version}\n",
            changelog,
            flags=re.MULTILINE,
        )
        self._changelog.write_text(changelog)
        manifest = json.dumps(self.version)
        text = self._manifest.read_text()
        self._manifest.write_text(
            text.replace(f'"version": {manifest}', f'"version": "{version}"', 1)
        )

    def notes(self, heading: str) -> str:
        """Return what the changelog has below a heading; empty if it has nothing."""
        section = rf"^## \[{re.escape(heading)}\][^\n]*\n(.*?)(?=^## |^\[|\Z)"
        found = re.search(section, self._changelog.read_text(), re.MULTILINE | re.DOTALL)
        return found[1].strip() if found else ""

    def pack(self, tag: str) -> None:
        """Make the archive, its checksum and the notes of a tag.

        The archive is reproducible. Raises `ReleaseError` for a tag of another version.
        """
        if tag != f"v{self.version}":
            raise ReleaseError(f"the manifest has version {self.version}, the tag is {tag}")
        if not (notes := self.notes(self.version)):
            raise ReleaseError(f"the changelog has nothing of {self.version}")
        self.target.mkdir(exist_ok=True)
        archive = self.target / "chatterbox.zip"
        with ZipFile(archive, "w") as packed:
            for path in self._files():
                name = path.relative_to(self._integration).as_posix()
                packed.writestr(ZipInfo(name), path.read_bytes(), ZIP_DEFLATED)
        digest = hashlib.sha256(archive.read_bytes()).hexdigest()
        (self.target / "SHA256SUMS").write_text(f"{digest}  {archive.name}\n")
        (self.target / "notes.md").write_text(f"{notes}\n")

    def _files(self) -> Iterator[Path]:
        for path in sorted(self._integration.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path


def main(arguments: Sequence[str] | None = None, release: Release | None = None) -> int:
    """Run the command; return its exit status."""
    release = release or Release()
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("step", choices=("stamp", "pack"))
    parser.add_argument("version", help="1.2.3 to stamp, v1.2.3 to pack")
    parsed = parser.parse_args(arguments)
    try:
        if parsed.step == "stamp":
            release.stamp(parsed.version)
        else:
            release.pack(parsed.version)
    except ReleaseError as err:
        print(f"scripts/release.py: {err}.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
