"""Tests of the log of a turn's requests."""

from custom_components.chatterbox.agent.model.request_log import RequestLog, SentRequest


def test_requests_are_kept_only_if_wanted() -> None:
    log = RequestLog()
    log.keep(b"{}", ["top_k"])
    assert log.sent == []
    log = RequestLog(keeps_bodies=True)
    log.keep(b"{}", ["top_k"])
    assert log.sent == [SentRequest(b"{}", frozenset({"top_k"}))]
    assert "sent" not in repr(log)


def test_numbers_have_no_bodies() -> None:
    log = RequestLog(retries=1, chars=8, tokens=2, context_window=4096, keeps_bodies=True)
    log.keep(b"secret", [])
    assert log.as_dict() == {
        "retries": 1,
        "characters": 8,
        "estimated_tokens": 2,
        "context_window": 4096,
        "turns_left_out": 0,
    }
