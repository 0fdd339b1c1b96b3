"""Default system prompt, and separation of volatile parts from Home Assistant's prompt."""

import re

from homeassistant.helpers import llm
from homeassistant.util import dt as dt_util

DEFAULT_PROMPT = """\
You are the voice assistant of the home "{{ ha_name }}".
Your answers are spoken aloud: one or two short sentences in plain words, without lists, symbols or links, in the language of the user."""  # noqa: E501 - a line break in the text is one for the model

# Home Assistant puts the area of the device into the system prompt, and the time unless one of its
# tools returns it. There they would change the prompt prefix from one turn or area to the next, and
# the server could not reuse its prompt cache.
_CLOCK_FORMAT = (
    llm.DATE_TIME_PROMPT.replace('{{ now().strftime("%H:%M:%S") }}', "%H:%M:%S")
    .replace('{{ now().strftime("%Y-%m-%d") }}', "%Y-%m-%d")
    .rstrip("\n")
)
_CLOCK = re.compile(
    re.escape(_CLOCK_FORMAT)
    .replace("%H:%M:%S", r"\d\d:\d\d:\d\d")
    .replace(re.escape("%Y-%m-%d"), r"\d{4}-\d\d-\d\d")
)
_AREA = re.compile(r"^You are in area .+ should target this area\.$", re.MULTILINE)
# Home Assistant's sentence for a device without an area.
_NO_AREA = (
    "When a user asks to turn on all devices of a specific type, ask the user to specify an area,"
    " unless there is only one device of that type."
)


def split_time_and_place(prompt: str) -> tuple[str, list[str]]:
    """Return the prompt without time and area, and the sentences about these.

    The time is that of now: the prompt may be of an earlier turn of the session.
    """
    clock = [dt_util.now().strftime(_CLOCK_FORMAT)] if _CLOCK.search(prompt) else []
    time_and_place = [*_AREA.findall(prompt), *clock]
    return _CLOCK.sub("", _AREA.sub(_NO_AREA, prompt)).strip("\n"), time_and_place
