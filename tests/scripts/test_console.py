"""Console output: sentences and progress bars."""

from io import StringIO

import pytest

from scripts.home.console import MEBIBYTE, ProgressBar, say


class Terminal(StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_sentences_go_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    say("Working ...")
    assert capsys.readouterr() == ("", "Working ...\n")


def test_bar_on_a_terminal_stays_on_one_line() -> None:
    stream = Terminal()
    bar = ProgressBar(4 * MEBIBYTE, stream)
    bar(MEBIBYTE)
    bar(MEBIBYTE)
    bar(4 * MEBIBYTE)
    bar.end()
    shown = stream.getvalue()
    assert shown.count("\r") == 2
    assert shown.endswith(f"\r[{'#' * 30}] 4 of 4 MiB \n")


def test_bar_elsewhere_is_a_line_per_tenth() -> None:
    stream = StringIO()
    bar = ProgressBar(100 * MEBIBYTE, stream)
    for done in range(101):
        bar(done * MEBIBYTE)
    bar.end()
    lines = stream.getvalue().splitlines()
    assert len(lines) == 11
    assert lines[-1] == "100 of 100 MiB"


def test_bar_never_shows_more_than_there_is() -> None:
    stream = StringIO()
    ProgressBar(MEBIBYTE, stream)(5 * MEBIBYTE)
    assert stream.getvalue() == "1 of 1 MiB\n"


def test_bar_that_never_moved_leaves_no_line() -> None:
    stream = Terminal()
    ProgressBar(MEBIBYTE, stream).end()
    assert stream.getvalue() == ""
