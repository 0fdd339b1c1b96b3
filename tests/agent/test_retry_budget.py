"""Tests of the retry budget."""

from collections.abc import Sequence

from custom_components.chatterbox.agent.messages import ToolResult
from custom_components.chatterbox.agent.retry_budget import RetryBudget
from tests.agent.builders import call


def failed(text: str, kind: str = "tool_error", tool: str = "dim") -> ToolResult:
    return ToolResult.failure(call(tool), text, kind)


def good() -> ToolResult:
    return ToolResult(call=call(), data="fine")


def may_go_on(budget: RetryBudget, results: Sequence[ToolResult]) -> bool:
    budget.record(results)
    return not budget.blocked


def test_invalid_calls_are_retried_twice() -> None:
    budget = RetryBudget()
    wrong = [failed("no such tool", "unknown_tool"), failed("no name", "invalid_arguments")]
    assert [may_go_on(budget, wrong) for _ in range(3)] == [True, True, False]
    assert budget.used == 2
    assert not budget.available


def test_valid_call_refills_the_budget() -> None:
    budget = RetryBudget()
    wrong = [failed("no name", "invalid_arguments")]
    outcomes = [may_go_on(budget, latest) for latest in (wrong, wrong, [good()], wrong, wrong)]
    assert outcomes == [True] * 5


def test_same_error_twice_in_a_row_exhausts_the_budget() -> None:
    budget = RetryBudget()
    assert may_go_on(budget, [failed("a" * 100 + "1"), good()])
    assert not may_go_on(budget, [failed("a" * 100 + "2")])


def test_other_error_or_other_tool_is_not_the_same_error() -> None:
    budget = RetryBudget()
    for latest in ([failed("x")], [failed("y")], [failed("y", tool="look")], [failed("y")]):
        assert may_go_on(budget, latest)
