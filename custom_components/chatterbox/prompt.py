"""What the model is told before everything else."""

import re

from homeassistant.helpers import llm

DEFAULT_PROMPT = """\
You are the voice assistant of the home "{{ ha_name }}".
Your answers are spoken aloud: one or two short sentences in plain words, without lists, symbols or links, in the language of the user.
"""  # noqa: E501 - a line break in the text is one for the model

# Home Assistant puts the time into the system prompt where no tool of its own tells it, and the
# room of the satellite. There they would change the first bytes of the requests from one turn or
# room to the next, and no server could reuse what it has read.
_CLOCK = re.compile(
    re.escape(llm.DATE_TIME_PROMPT)
    .replace(re.escape('{{ now().strftime("%H:%M:%S") }}'), r"\d\d:\d\d:\d\d")
    .replace(re.escape('{{ now().strftime("%Y-%m-%d") }}'), r"\d{4}-\d\d-\d\d")
    .removesuffix(re.escape("\n"))
)
_ROOM = re.compile(r"^You are in area .+ should target this area\.$", re.MULTILINE)
# What stands there for somebody who is in no room that is known.
_NO_ROOM = (
    "When a user asks to turn on all devices of a specific type, ask the user to specify an area,"
    " unless there is only one device of that type."
)


def split_moment(prompt: str) -> tuple[str, list[str]]:
    """Return the system prompt as it is at any time and in any room, and what it said of those."""
    moment = [*_ROOM.findall(prompt), *_CLOCK.findall(prompt)]
    return _CLOCK.sub("", _ROOM.sub(_NO_ROOM, prompt)).strip("\n"), moment
