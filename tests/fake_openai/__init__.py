"""Scripted OpenAI-compatible server."""

from .history import history_problems
from .replies import Call, Fault, Gate, Lockstep, Reply
from .request import Request
from .server import FakeOpenAI

__all__ = [
    "Call",
    "FakeOpenAI",
    "Fault",
    "Gate",
    "Lockstep",
    "Reply",
    "Request",
    "history_problems",
]
