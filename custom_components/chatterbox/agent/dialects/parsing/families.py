"""Tokens of all families: the starts of blocks and reasoning, and the ends of answers."""

import re
from collections.abc import Iterable, Mapping

from .cursor import BlockParser
from .deepseek import deepseek_blocks
from .gemma import gemma_block
from .invoke import invoke_blocks
from .json_call import granite_block, tagged
from .kimi import kimi_section
from .llama import call_list, python_tag
from .mistral import mistral_block
from .tool_call_tag import function_tag, tool_call_tag


class TokenSet:
    """Set of literal tokens to search for in streamed text."""

    def __init__(self, tokens: Iterable[str]) -> None:
        ordered = sorted(tokens, key=lambda token: (-len(token), token))
        self.pattern = re.compile("|".join(map(re.escape, ordered)))
        self.prefixes = frozenset(
            token[:length] for token in ordered for length in range(1, len(token))
        )
        self._start = re.compile(f"[{re.escape(''.join({token[0] for token in ordered}))}]")
        self._longest = max(map(len, ordered))

    def partial(self, text: str) -> int:
        """Return the length of the longest beginning of a token at the end of a text."""
        for start in self._start.finditer(text, max(0, len(text) - self._longest + 1)):
            if text[start.start() :] in self.prefixes:
                return len(text) - start.start()
        return 0


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
"""Parsers of blocks of calls, by start token."""

BLOCK_STARTS = TokenSet(BLOCKS)

END_TOKENS = TokenSet(
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
"""Tokens that some servers pass on at the end of an answer, by the templates of all families."""

BLOCK_PREFIX = "<|close|>response<|sep|>"
"""The end token before the calls of Kimi K3, which begin without a line break."""

REASONING_TAGS: Mapping[str, str] = {
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
"""Closing tags of reasoning, by their opening tags.

Sources: the chat templates of Qwen/Qwen3-8B and deepseek-ai/DeepSeek-R1 (`<think>`),
LGAI-EXAONE/EXAONE-Deep-7.8B (`<thought>`), ByteDance-Seed/Seed-OSS-36B-Instruct (`<seed:think>`),
google/gemma-4-31B-it (`<|channel>`), and of Kimi K3 (`<|open|>think`); the model cards of
mistralai/Magistral-Small-2507 (`[THINK]`), moonshotai/Kimi-VL-A3B-Thinking (`◁think▷`) and
open-thoughts/OpenThinker-7B (`<|begin_of_thought|>`). `<thinking>` and `<reasoning>` are usual in
prompts and fine-tunes without a template of their own.
"""

REASONING_ENDS = TokenSet(REASONING_TAGS.values())

HARMONY_STARTS = ("<|channel|>", "<|start|>", "to=functions.")
"""Beginnings of an answer in the harmony format."""
ANSWER_STARTS = ("<|open|>response<|sep|>", "<|assistant|>")
"""Tokens before the text of an answer, without meaning."""
LEADING_TOKENS = TokenSet((*REASONING_TAGS, *HARMONY_STARTS, *ANSWER_STARTS))
