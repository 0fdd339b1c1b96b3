#!/usr/bin/env python3
"""Pack the integration for the store: scripts/package.py VERSION makes dist/chatterbox.zip."""

import argparse
import json
import re
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

PROJECT = Path(__file__).resolve().parent.parent
INTEGRATION = PROJECT / "custom_components" / "chatterbox"
VERSION = re.compile(r"\d+\.\d+\.\d+(b\d+)?")


def version(text: str) -> str:
    """Return a valid version, such as `1.2.3` or `1.2.3b4`; raise a usage error for others."""
    if not VERSION.fullmatch(text):
        message = f"{text!r} is no version; 1.2.3 and 1.2.3b4 are"
        raise argparse.ArgumentTypeError(message)
    return text


def with_version(manifest: str, version: str) -> str:
    """Return a manifest with the version of the release."""
    return json.dumps(json.loads(manifest) | {"version": version}, indent=2) + "\n"


def archive_contents(version: str) -> Iterator[tuple[str, bytes]]:
    """Yield the names, relative to the integration, and contents of the files in the archive."""
    for path in sorted(INTEGRATION.rglob("*")):
        if path.is_dir() or "__pycache__" in path.parts:
            continue
        name = path.relative_to(INTEGRATION).as_posix()
        if name == "manifest.json":
            yield name, with_version(path.read_text(), version).encode()
        else:
            yield name, path.read_bytes()


def pack(target: Path, version: str) -> None:
    """Write the archive; it is reproducible for the same tree and version."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with ZipFile(target, "w") as archive:
        for name, data in archive_contents(version):
            archive.writestr(ZipInfo(name), data, ZIP_DEFLATED)


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("version", type=version)
    target = PROJECT / "dist" / "chatterbox.zip"
    pack(target, parser.parse_args().version)
    print(target)


if __name__ == "__main__":
    main()
