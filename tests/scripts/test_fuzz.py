"""The target of the fuzzer, without the fuzzer, which has an environment of its own."""

import subprocess
import sys
from pathlib import Path

import pytest

TARGET = Path(__file__).parents[1] / "fuzz" / "fuzz.py"

# Gives the target the same three values of each input as the fuzzer would.
FUZZER = """
import contextlib, runpy, sys, types


class FuzzedDataProvider:
    def __init__(self, data):
        self.data = data

    def ConsumeBool(self):
        return bool(self.data[0] & 1)

    def ConsumeIntInRange(self, low, high):
        return low + self.data[1] % (high - low + 1)

    def ConsumeBytes(self, count):
        return self.data[2:2 + count]


atheris = types.ModuleType("atheris")
atheris.instrument_imports = contextlib.nullcontext
atheris.FuzzedDataProvider = FuzzedDataProvider
sys.modules["atheris"] = atheris
check = runpy.run_path(sys.argv[1])["check"]
for text in sys.argv[2:]:
    for place in range(0, 60, 3):
        for thinks in (0, 1):
            check(bytes([thinks, place]) + text.encode())
print("checked")
"""


@pytest.mark.parametrize(
    "text",
    [
        "It is **on**.\n\n- one\n- two \U0001f600",
        '<think>Hm.</think><tool_call>{"name": "HassTurnOn", "arguments": {}}</tool_call>',
        "data: {}\r\n\r\ndata: [DONE]\n\n: ping\rdata: x",
        '{"topic": "home", "do": [{"action": "turn_on", "device": "Lamp"}]}',
    ],
)
def test_target_checks_every_parser(text: str) -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-c", FUZZER, str(TARGET), text],
        capture_output=True,
        check=False,
        text=True,
        timeout=50,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "checked"
