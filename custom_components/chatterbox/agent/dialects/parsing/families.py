"""Opening markers of all families, and the tokens that end an answer."""

import re
from collections.abc import Iterable, Mapping

from .cursor import BlockParser
from .deepseek import deepseek_blocks
from .gemma import gemma_block
from .granite import granite_block
from .invoke import invoke_blocks
from .kimi import kimi_section
from .llama import call_list, python_tag
from .mistral import mistral_block
from .tool_call_tag import function_tag, tagged, tool_call_tag


class Markers:
    """Literal markers that a text is searched for while it comes."""

    def __init__(self, markers: Iterable[str]) -> None:
        ordered = sorted(markers, key=lambda marker: (-len(marker), marker))
        self.pattern = re.compile("|".join(map(re.escape, ordered)))
        self.prefixes = frozenset(
            marker[:length] for marker in ordered for length in range(1, len(marker))
        )
        self._longest = max(map(len, ordered))

    def partial(self, text: str) -> int:
        """Return how many characters at the end of a text may be the beginning of a marker."""
        longest = min(self._longest - 1, len(text))
        return next((size for size in range(longest, 0, -1) if text[-size:] in self.prefixes), 0)


BLOCKS: Mapping[str, BlockParser] = {
    "<tool_call>": tool_call_tag,
    "<function=": function_tag,
    "<function_call>": granite_block,
    "<|tool_call|>": granite_block,
    "<TOOLCALL>": tagged("</TOOLCALL>"),
    "[TOOL_CALLS]": mistral_block,
    "<|tool_calls_section_begin|>": kimi_section,
    "<|tool_call>": gemma_block,
    "<|python_tag|>": python_tag,
    "<|python_start|>": call_list("<|python_end|>"),
    "<|tool_call_start|>": call_list("<|tool_call_end|>"),
    **dict(deepseek_blocks()),
    **dict(invoke_blocks()),
}
"""The parsers of the blocks that hold calls, by their opening marker."""

OPENERS = Markers(BLOCKS)

END_TOKENS = Markers(
    (
        "<|im_end|>",
        "<|eot_id|>",
        "<|eom_id|>",
        "<|endoftext|>",
        "<|end_of_text|>",
        "<end_of_turn>",
        "<turn|>",
        "<|tool_response>",
        "<｜end▁of▁sentence｜>",
        "<|user|>",
        "<|observation|>",
        "<|end|>",
        "<|return|>",
        "</s>",
        "<eos>",
        "<|close|>response<|sep|>",
        "<|close|>message<|sep|>",
    )
)
"""Tokens that some servers pass on at the end of an answer."""

BLOCK_PREFIX = "<|close|>response<|sep|>"
"""The end token behind which the calls of Kimi K3 begin, without a line break."""

REASONING_MARKS: Mapping[str, str] = {
    **{
        f"<{tag}>": f"</{tag}>"
        for tag in ("think", "thinking", "thought", "reasoning", "seed:think")
    },
    "[THINK]": "[/THINK]",
    "<|channel>thought": "<channel|>",
    "<|open|>think<|sep|>": "<|close|>think<|sep|>",
    "◁think▷": "◁/think▷",
    "<|begin_of_thought|>": "<|end_of_thought|>",
}
"""What opens reasoning, and what closes it.

By the chat templates of Qwen3 and DeepSeek-R1 (`<think>`), Seed-OSS (`<seed:think>`), Magistral
(`[THINK]`), Gemma 4 (`<|channel>`), Kimi K3 (`<|open|>think`) and Kimi-VL (`◁think▷`).
"""

REASONING_ENDS = Markers(REASONING_MARKS.values())

HARMONY_STARTS = ("<|channel|>", "<|start|>", "to=functions.")
ANSWER_STARTS = ("<|open|>response<|sep|>", "<|assistant|>")
"""What may stand before the text of an answer and says nothing."""
START_MARKERS = Markers((*REASONING_MARKS, *HARMONY_STARTS, *ANSWER_STARTS))
