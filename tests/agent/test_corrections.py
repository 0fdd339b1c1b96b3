"""A model may be wrong twice; then it has to answer."""

from custom_components.chatterbox.agent.corrections import Corrections
from custom_components.chatterbox.agent.messages import ToolResult

from .fakes import call


def failed(text: str, kind: str = "tool_error", tool: str = "dim") -> ToolResult:
    return ToolResult.failure(call(tool), text, kind)


def good() -> ToolResult:
    return ToolResult(call=call(), data="fine")


def test_wrong_calls_are_corrected_twice() -> None:
    corrections = Corrections()
    wrong = [failed("no such tool", "unknown_tool"), failed("no name", "invalid_arguments")]
    assert [corrections.after(wrong) for _ in range(3)] == [True, True, False]
    assert corrections.made == 2


def test_a_right_call_in_between_is_a_new_beginning() -> None:
    corrections = Corrections()
    wrong = [failed("no name", "invalid_arguments")]
    outcomes = [corrections.after(latest) for latest in (wrong, wrong, [good()], wrong, wrong)]
    assert outcomes == [True] * 5


def test_the_same_error_twice_in_a_row_is_enough() -> None:
    corrections = Corrections()
    assert corrections.after([failed("a" * 100 + "1"), good()])
    assert not corrections.after([failed("a" * 100 + "2")])


def test_another_error_or_another_tool_is_not_the_same() -> None:
    corrections = Corrections()
    for latest in ([failed("x")], [failed("y")], [failed("y", tool="look")], [failed("y")]):
        assert corrections.after(latest)
