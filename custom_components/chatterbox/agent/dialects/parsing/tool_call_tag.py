"""Tool calls in `<tool_call>` and `<function=…>` tags.

Sources:
- Hermes and Qwen, a JSON object between the tags: chat templates of Qwen/Qwen2.5-7B-Instruct and
  Qwen/Qwen3-8B (tokenizer_config.json).
- Qwen3-Coder, `<function=name><parameter=key>value</parameter></function>` between the tags: chat
  template of Qwen/Qwen3-Coder-30B-A3B-Instruct (chat_template.jinja).
- Llama 3.1 to 3.3, `<function=name>{…}</function>` without other tags:
  models/llama3_3/prompt_format.md of meta-llama/llama-models.
- GLM 4.5 and later, `name<arg_key>…</arg_key><arg_value>…</arg_value>` between the tags: chat
  template of zai-org/GLM-4.5 (chat_template.jinja).
"""

import re

from .cursor import Cursor, IncompleteBlock
from .json_call import tagged
from .pieces import ParsedCall

_END = "</tool_call>"
_FUNCTION = "<function="
_FUNCTION_NAME = re.compile(r"\s*([\w.\-]{1,80})\s*>")
_PARAMETER = re.compile(r"\s*<parameter=\s*([^>\n]{1,80}?)\s*>")
_END_OF_VALUE = re.compile(r"(</parameter>|<parameter=|</function>)")
_END_ON_LINE = re.compile(r"\n(</parameter>|<parameter=|</function>)")
_KEY = re.compile(r"\s*([^<>\s][^<>]{0,80}?)\s{0,50}</arg_key>\s{0,50}<arg_value>")
_MAX_TAG_LENGTH = 200


def tool_call_tag(cursor: Cursor) -> list[ParsedCall]:
    """Read a block after `<tool_call>`, in any of its three formats."""
    cursor.skip_space()
    if cursor.text.startswith(("{", "["), cursor.position):
        return tagged(_END)(cursor)
    if not cursor.accept(_FUNCTION):
        return [_glm_call(cursor)]
    calls = [_function(cursor)]
    cursor.skip_space()
    while cursor.accept(_FUNCTION):
        calls.append(_function(cursor))
        cursor.skip_space()
    cursor.expect(_END)
    return calls


def function_tag(cursor: Cursor) -> list[ParsedCall]:
    """Read a call after `<function=` without `<tool_call>`, but with an optional end tag of it."""
    call = _function(cursor)
    end = cursor.position
    cursor.skip_space()
    if not cursor.accept(_END):
        cursor.position = end
    return [call]


def _function(cursor: Cursor) -> ParsedCall:
    name = cursor.match(_FUNCTION_NAME, _MAX_TAG_LENGTH)[1]
    start = cursor.position
    cursor.skip_space()
    if cursor.text.startswith("{", cursor.position):
        call = ParsedCall(name, cursor.arguments())
        cursor.skip_space()
        cursor.expect("</function>")
        return call
    cursor.position = start
    arguments: dict[str, str] = {}
    while (parameter := _PARAMETER.match(cursor.text, cursor.position)) is not None:
        cursor.position = parameter.end()
        arguments[parameter[1]] = _parameter_value(cursor)
    cursor.skip_space()
    if cursor.text.startswith("<p", cursor.position):
        # The beginning of a parameter tag.
        cursor.match(_PARAMETER, _MAX_TAG_LENGTH)
    cursor.expect("</function>")
    return ParsedCall(name, arguments, typed=False)


def _parameter_value(cursor: Cursor) -> str:
    """Read a value; its own end tag may be missing."""
    on_lines = cursor.text.startswith("\n", cursor.position)
    pattern = _END_ON_LINE if on_lines else _END_OF_VALUE
    if (end := pattern.search(cursor.text, cursor.position)) is None:
        raise IncompleteBlock
    value = cursor.text[cursor.position + on_lines : end.start()]
    cursor.position = end.end() if end[1] == "</parameter>" else end.start(1)
    return value


def _glm_call(cursor: Cursor) -> ParsedCall:
    name = cursor.name()
    arguments: dict[str, str] = {}
    cursor.skip_space()
    while not cursor.accept(_END):
        cursor.expect("<arg_key>")
        key = cursor.match(_KEY, _MAX_TAG_LENGTH)[1]
        if cursor.final and "</arg_value>" not in cursor.text[cursor.position :]:
            # Models forget the end tag of the last value.
            arguments[key] = cursor.until(_END)
            break
        arguments[key] = cursor.until("</arg_value>")
        cursor.skip_space()
    return ParsedCall(name, arguments, typed=False)
