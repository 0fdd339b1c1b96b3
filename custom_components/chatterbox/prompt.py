"""What the model is told before everything else."""

import re

from homeassistant.helpers import llm

DEFAULT_PROMPT = """\
You are the voice assistant of the home "{{ ha_name }}".
Your answers are spoken aloud: one or two short sentences in plain words, without lists, symbols or links, in the language of the user.
Use a tool whenever the answer depends on the home, the time or the weather, or when something is to be changed. Never invent a state, a number or the outcome of an action.
A tool answers in JSON: success with a result, or an error that says what to change. When it fails, try another way, or say in plain words why it did not work.
Say that something is done only after the tool that did it has succeeded.
"""  # noqa: E501 - a line break in the text is one for the model

# Home Assistant puts the time into the system prompt where no tool of its own tells it. There it
# would change the first bytes of every request, and no server could reuse what it has read.
_CLOCK = re.compile(
    re.escape(llm.DATE_TIME_PROMPT)
    .replace(re.escape('{{ now().strftime("%H:%M:%S") }}'), r"\d\d:\d\d:\d\d")
    .replace(re.escape('{{ now().strftime("%Y-%m-%d") }}'), r"\d{4}-\d\d-\d\d")
    .removesuffix(re.escape("\n"))
)


def split_clock(prompt: str) -> tuple[str, str | None]:
    """Return the system prompt without the time, and the time, None where it was not told."""
    if (clock := _CLOCK.search(prompt)) is None:
        return prompt, None
    rest = prompt[: clock.start()] + prompt[clock.end() :]
    return rest.strip("\n"), clock.group()
