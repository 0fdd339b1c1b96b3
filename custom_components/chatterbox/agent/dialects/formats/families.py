"""What calls and reasoning begin with, in all families of models."""

import functools
import itertools
from collections.abc import Iterator, Mapping

from ..lenient_json import loads
from ..scanner import (
    INCOMPLETE,
    Block,
    Context,
    FoundCall,
    Mode,
    Openers,
    Parser,
    Said,
    Scanner,
    marker,
)
from .invocations import KIMI_K3, invocation
from .names import PRINT, bracket_block, name_block, print_block
from .objects import answer_in, object_block
from .special import (
    deepseek_block,
    gemma_block,
    harmony_block,
    kimi_block,
    mistral_block,
)
from .xml import FENCE, function_block, tag_block, word_block

_CALL_TAGS = (
    "tool_call",
    "tool_calls",
    "function_call",
    "function_calls",
    "TOOLCALL",
    "minimax:tool_call",
    "xml:tool_call",
)
# An answer may also speak of these.
_WORD_TAGS = ("tools", "tool", "functions", "call")
_REASONING_TAGS = ("think", "thinking", "thought", "reasoning", "seed:think", "analysis")
# What ends a thought and hardly stands anywhere else.
_ENDS_OF_THOUGHT = frozenset(
    {
        "</think>",
        "</thinking>",
        "</seed:think>",
        "[/THINK]",
        "<channel|>",
        "◁/think▷",
        "<|end_of_thought|>",
    }
)
_DSML = "｜DSML｜"

# Marks that only say what the text is from there on.
_MARKS: Mapping[Mode, tuple[str, ...]] = {
    Mode.SILENT: (
        # Nothing but the end of the answer, or another message, can follow these.
        "<|im_end|>",
        "<|eot_id|>",
        "<|eom_id|>",
        "<|endoftext|>",
        "<|end_of_text|>",
        "<|im_start|>",
        "<|start_header_id|>",
        "<end_of_turn>",
        "<start_of_turn>",
        "<turn|>",
        "<|turn>",
        "<|tool_response>",
        "<tool_response>",
        "<｜end▁of▁sentence｜>",
        "<｜User｜>",
        "<｜Assistant｜>",
        "<|user|>",
        "<|observation|>",
        "<|end|>",
        "<|call|>",
        "<|return|>",
        "</s>",
        "<eos>",
        # Here calls begin that have an opener of their own.
        "<|python_tag|>",
        "<|python_start|>",
        "<|tool_call_start|>",
        "<|tool_calls_section_begin|>",
        "<|open|>tools<|sep|>",
        "<|close|>think<|sep|>",
        "<|close|>response<|sep|>",
        "<|close|>message<|sep|>",
        f"<{_DSML}function_calls>",
        f"<{_DSML}tool_calls>",
        f"<{_DSML} calls>",
        *(f"<{bar}tool{gap}calls{gap}begin{bar}>" for bar in "｜|" for gap in "▁_"),
        "[AVAILABLE_TOOLS]",
        "[TOOL_RESULTS]",
    ),
    Mode.OUTER: (
        *(f"</{tag}>" for tag in (*_CALL_TAGS, *_WORD_TAGS)),
        "</function>",
        "</parameter>",
        "</tool_response>",
        "<tool_call|>",
        "<tool_response|>",
        "<|/tool_call|>",
        "<|tool_call_end|>",
        "<|tool_calls_section_end|>",
        "<|python_end|>",
        "<|close|>tools<|sep|>",
        f"</{_DSML}function_calls>",
        f"</{_DSML}tool_calls>",
        f"</{_DSML} calls>",
        *(
            f"<{bar}tool{gap}{what}{gap}end{bar}>"
            for bar in "｜|"
            for gap in "▁_"
            for what in ("call", "calls")
        ),
    ),
    Mode.REASONING: (
        "[THINK]",
        "<|channel>thought\n",
        "<|channel>thought",
        "<|open|>think<|sep|>",
        "◁think▷",
        "<|begin_of_thought|>",
    ),
    Mode.TEXT: (
        *(f"</{tag}>" for tag in _REASONING_TAGS),
        "[/THINK]",
        "<channel|>",
        "<|open|>response<|sep|>",
        "◁/think▷",
        "<|end_of_thought|>",
        "<|assistant|>",
    ),
}


def fence_block(text: str, start: int, after: int, context: Context) -> Block | None:
    """Parse a fenced block of code: the calls in it, if it holds any."""
    if context.mode is Mode.ANSWER:
        return None
    if context.mode is Mode.SILENT:
        return Block(after)
    end = text.find(FENCE, after)
    if end < 0 and not context.whole:
        return INCOMPLETE
    body = text[after : end if end >= 0 else len(text)]
    first, newline, rest = body.partition("\n")
    code = rest if newline and len(first.split()) <= 1 else body
    after_fence = end + len(FENCE) if end >= 0 else len(text)
    if (answer := _answer_in_code(code, context)) is not None:
        return Block(after_fence, text=answer)
    inner = Scanner(
        _openers_in_fence(tuple(context.names)),
        names=context.names,
        knows=context.knows,
        alone=context.alone,
    )
    found = [*inner.feed(code), *inner.finish()]
    calls = tuple(piece for piece in found if isinstance(piece, FoundCall))
    said = "".join(piece.text for piece in found if isinstance(piece, Said))
    if calls or (end < 0 and said != code):
        return Block(after_fence, calls)
    return Block(after_fence, text=text[start:after_fence])


def _answer_in_code(code: str, context: Context) -> str | None:
    try:
        return answer_in(loads(code.strip(), unclosed=True), context)
    except ValueError:
        return None


def _no_fence(_text: str, _start: int, _after: int, _context: Context) -> None:
    """Find nothing: there is no fence within a fence."""


def _all_parsers() -> Iterator[tuple[str, Parser]]:
    for mode, marks in _MARKS.items():
        for mark in marks:
            yield mark, marker(mode, ends_thought=mark in _ENDS_OF_THOUGHT)
    for tag in _CALL_TAGS:
        yield f"<{tag}>", tag_block
    for tag in _WORD_TAGS:
        yield f"<{tag}>", word_block
    for tag in _REASONING_TAGS:
        yield f"<{tag}>", marker(Mode.REASONING)
    for form in (invocation(""), invocation(_DSML), invocation(f"{_DSML} "), KIMI_K3):
        yield form.opener, form.parser
    for bar, gap in itertools.product("｜|", "▁_"):
        yield f"<{bar}tool{gap}call{gap}begin{bar}>", deepseek_block
    yield "<|tool_call_begin|>", kimi_block
    yield "<function=", function_block
    yield "[TOOL_CALLS]", mistral_block
    yield "<|tool_call>", gemma_block
    yield "<|tool_call|>", gemma_block
    yield from ((opener, harmony_block) for opener in ("<|start|>", "<|channel|>", "to=functions."))
    yield "{", object_block
    yield "[", bracket_block
    yield FENCE, fence_block


_PARSERS: Mapping[str, Parser] = dict(_all_parsers())


@functools.lru_cache(maxsize=32)
def openers(names: tuple[str, ...]) -> Openers:
    """Return what blocks begin with where tools of these names are offered."""
    return Openers({**_named(names), **_PARSERS})


@functools.lru_cache(maxsize=32)
def _openers_in_fence(names: tuple[str, ...]) -> Openers:
    return Openers({**_named(names), **_PARSERS, FENCE: _no_fence})


def _named(names: tuple[str, ...]) -> Mapping[str, Parser]:
    printed = (f"{PRINT}{name}" for name in names)
    return {**dict.fromkeys(names, name_block), **dict.fromkeys(printed, print_block)}
