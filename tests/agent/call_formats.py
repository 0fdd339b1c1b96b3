"""Builders of tool calls in every known format.

Families write calls between markers of their own; everything else could as well be an example, a
quotation or prose.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

type Arguments = Mapping[str, Any]
type WrittenCall = tuple[str, Arguments]
"""The name of a tool, and the arguments of its call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallFormat:
    """A format for tool calls."""

    name: str
    marked: bool
    """Whether the format has markers of its own."""
    write: Callable[[Sequence[WrittenCall]], str]
    names_tools: bool = True
    """Whether a call carries the name of its tool."""

    def render(self, name: str, arguments: Arguments) -> str:
        """Return one call."""
        return self.write([(name, arguments)])

    def render_all(self, calls: Sequence[WrittenCall]) -> str:
        """Return several calls of one answer."""
        return self.write(calls)

    def __str__(self) -> str:
        return self.name


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _plain(value: Any) -> str:
    """Return a value as XML formats write it: strings as they are."""
    return value if isinstance(value, str) else _json(value)


def _object(name: str, arguments: Arguments, key: str = "arguments") -> str:
    return _json({"name": name, key: dict(arguments)})


def _objects(calls: Iterable[WrittenCall]) -> str:
    return _json([{"name": name, "arguments": dict(arguments)} for name, arguments in calls])


def _each(
    write: Callable[[str, Arguments], str], before: str = "", between: str = "\n", after: str = ""
) -> Callable[[Sequence[WrittenCall]], str]:
    """Return a writer for calls that stand one behind the other."""

    def write_all(calls: Sequence[WrittenCall]) -> str:
        return before + between.join(write(name, arguments) for name, arguments in calls) + after

    return write_all


def _hermes(name: str, arguments: Arguments) -> str:
    return f"<tool_call>\n{_object(name, arguments)}\n</tool_call>"


def _hermes_in_line(name: str, arguments: Arguments) -> str:
    return f"<tool_call>{_object(name, arguments)}</tool_call>"


def _qwen_coder(name: str, arguments: Arguments) -> str:
    parameters = "".join(
        f"<parameter={key}>\n{_plain(value)}\n</parameter>\n" for key, value in arguments.items()
    )
    return f"<tool_call>\n<function={name}>\n{parameters}</function>\n</tool_call>"


def _glm(line_break: str) -> Callable[[str, Arguments], str]:
    def write(name: str, arguments: Arguments) -> str:
        pairs = "".join(
            f"<arg_key>{key}</arg_key>{line_break}<arg_value>{_plain(value)}</arg_value>"
            f"{line_break}"
            for key, value in arguments.items()
        )
        return f"<tool_call>{name}{line_break}{pairs}</tool_call>"

    return write


def _llama_object(name: str, arguments: Arguments) -> str:
    return _object(name, arguments, "parameters")


def _llama_function(name: str, arguments: Arguments) -> str:
    return f"<function={name}>{_json(dict(arguments))}</function>"


def _python_call(name: str, arguments: Arguments) -> str:
    return f"{name}({', '.join(f'{key}={value!r}' for key, value in arguments.items())})"


def _mistral(name: str, arguments: Arguments) -> str:
    return f"[TOOL_CALLS]{name}[ARGS]{_json(dict(arguments))}"


def _deepseek_v3(name: str, arguments: Arguments) -> str:
    return (
        f"<｜tool▁call▁begin｜>function<｜tool▁sep｜>{name}\n"
        f"```json\n{_json(dict(arguments))}\n```<｜tool▁call▁end｜>"
    )


def _deepseek_v31(name: str, arguments: Arguments) -> str:
    return f"<｜tool▁call▁begin｜>{name}<｜tool▁sep｜>{_json(dict(arguments))}<｜tool▁call▁end｜>"


def _deepseek(write: Callable[[str, Arguments], str], between: str) -> Any:
    return _each(write, "<｜tool▁calls▁begin｜>", between, "<｜tool▁calls▁end｜>")


def _invoke(prefix: str, *, typed: bool = False) -> Callable[[str, Arguments], str]:
    def write(name: str, arguments: Arguments) -> str:
        lines = [f'<{prefix}invoke name="{name}">']
        for key, value in arguments.items():
            kind = f' string="{str(isinstance(value, str)).lower()}"' if typed else ""
            lines.append(
                f'<{prefix}parameter name="{key}"{kind}>{_plain(value)}</{prefix}parameter>'
            )
        return "\n".join([*lines, f"</{prefix}invoke>"])

    return write


def _kimi_k2(calls: Sequence[WrittenCall]) -> str:
    inner = "".join(
        f"<|tool_call_begin|>functions.{name}:{number}<|tool_call_argument_begin|>"
        f"{_json(dict(arguments))}<|tool_call_end|>"
        for number, (name, arguments) in enumerate(calls)
    )
    return f"<|tool_calls_section_begin|>{inner}<|tool_calls_section_end|>"


def _kimi_k3(calls: Sequence[WrittenCall]) -> str:
    inner = ""
    for number, (name, arguments) in enumerate(calls, start=1):
        inner += f'<|open|>call tool="{name}" index="{number}"<|sep|>'
        for key, value in arguments.items():
            kind = "string" if isinstance(value, str) else "number"
            inner += f'<|open|>argument key="{key}" type="{kind}"<|sep|>{_plain(value)}'
            inner += "<|close|>argument<|sep|>"
        inner += "<|close|>call<|sep|>"
    return f"<|open|>tools<|sep|>{inner}<|close|>tools<|sep|>"


def _gemma_value(mark: str) -> Callable[[Any], str]:
    def write(value: Any) -> str:
        return f"{mark}{value}{mark}" if isinstance(value, str) else _json(value)

    return write


def _gemma(start: str, mark: str, end: str) -> Callable[[str, Arguments], str]:
    write_value = _gemma_value(mark)

    def write(name: str, arguments: Arguments) -> str:
        pairs = ",".join(f"{key}:{write_value(value)}" for key, value in arguments.items())
        return f"{start}call:{name}{{{pairs}}}{end}"

    return write


def _harmony(name: str, arguments: Arguments) -> str:
    return (
        f"<|channel|>commentary to=functions.{name} <|constrain|>json<|message|>"
        f"{_json(dict(arguments))}<|call|>"
    )


def _functionary_v2(name: str, arguments: Arguments) -> str:
    return f"<|from|>assistant\n<|recipient|>{name}\n<|content|>{_json(dict(arguments))}"


def _functionary_v3(name: str, arguments: Arguments) -> str:
    return f">>>{name}\n{_json(dict(arguments))}"


def _openai(calls: Sequence[WrittenCall]) -> str:
    return _json(
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {
                    "id": f"call_{number}",
                    "type": "function",
                    "function": {"name": name, "arguments": _json(dict(arguments))},
                }
                for number, (name, arguments) in enumerate(calls)
            ],
        }
    )


def _function_call(name: str, arguments: Arguments) -> str:
    return _json({"function_call": {"name": name, "arguments": _json(dict(arguments))}})


def _tool_object(name: str, arguments: Arguments) -> str:
    return _json({"tool": name, "arguments": dict(arguments)})


def _keyed_object(name: str, arguments: Arguments) -> str:
    return _json({name: dict(arguments)})


def _prose(name: str, arguments: Arguments) -> str:
    return f"I call {name} with " + " and ".join(
        f"{key}={_json(value)}" for key, value in arguments.items()
    )


def _react(name: str, arguments: Arguments) -> str:
    return f"Action: {name}\nAction Input: {_json(dict(arguments))}"


_VERBS = {"HassTurnOn": "lock", "HassTurnOff": "unlock"}


def _action_grammar(calls: Sequence[WrittenCall]) -> str:
    steps = [
        {"verb": _VERBS.get(name, name), "device": arguments.get("name", "all")}
        for name, arguments in calls
    ]
    return _json({"topic": "home", "do": steps})


def _marked(name: str, write: Callable[[Sequence[WrittenCall]], str]) -> CallFormat:
    return CallFormat(name=name, marked=True, write=write)


def _unmarked(name: str, write: Callable[[Sequence[WrittenCall]], str]) -> CallFormat:
    return CallFormat(name=name, marked=False, write=write)


MARKED_FORMATS: Sequence[CallFormat] = (
    _marked("hermes", _each(_hermes)),
    _marked("hermes_in_line", _each(_hermes_in_line)),
    _marked("qwen_coder", _each(_qwen_coder)),
    _marked("glm_4_5", _each(_glm("\n"))),
    _marked("glm_4_7", _each(_glm(""), between="")),
    _marked("llama_python_tag", _each(_llama_object, "<|python_tag|>", "; ")),
    _marked("llama_function", _each(_llama_function)),
    _marked("llama_4", lambda calls: f"<|python_start|>{_pythonic(calls)}<|python_end|>"),
    _marked("lfm2", lambda calls: f"<|tool_call_start|>{_pythonic(calls)}<|tool_call_end|>"),
    _marked("mistral_list", lambda calls: f"[TOOL_CALLS]{_objects(calls)}"),
    _marked("mistral_args", _each(_mistral, between="")),
    _marked("deepseek_v3", _deepseek(_deepseek_v3, "\n")),
    _marked("deepseek_v3_1", _deepseek(_deepseek_v31, "")),
    _marked(
        "deepseek_v3_2",
        _each(
            _invoke("｜DSML｜", typed=True),
            "<｜DSML｜function_calls>\n",
            "\n",
            "\n</｜DSML｜function_calls>",
        ),
    ),
    _marked("kimi_k2", _kimi_k2),
    _marked("kimi_k3", _kimi_k3),
    _marked("gemma_4", _each(_gemma("<|tool_call>", '<|"|>', "<tool_call|>"), between="")),
    _marked(
        "function_gemma",
        _each(
            _gemma("<start_function_call>", "<escape>", "<end_function_call>"),
            between="",
        ),
    ),
    _marked("granite", lambda calls: f"<|tool_call|>{_objects(calls)}"),
    _marked(
        "minimax",
        _each(_invoke(""), "<minimax:tool_call>\n", "\n", "\n</minimax:tool_call>"),
    ),
    _marked("invoke", _each(_invoke(""), "<function_calls>\n", "\n", "\n</function_calls>")),
    _marked("harmony", _each(_harmony, between="<|start|>assistant")),
    _marked("functionary_v2", _each(_functionary_v2)),
)


def _pythonic(calls: Sequence[WrittenCall]) -> str:
    return f"[{', '.join(_python_call(name, arguments) for name, arguments in calls)}]"


def _fenced(language: str, write: Callable[[Sequence[WrittenCall]], str]) -> Any:
    return lambda calls: f"```{language}\n{write(calls)}\n```"


UNMARKED_FORMATS: Sequence[CallFormat] = (
    _unmarked("llama_object", _each(_llama_object, between="; ")),
    _unmarked("pythonic_list", _pythonic),
    _unmarked("python_call", _each(_python_call)),
    _unmarked("json_object", _each(_object)),
    _unmarked("json_list", _objects),
    _unmarked("openai", _openai),
    _unmarked("function_call", _each(_function_call)),
    _unmarked("tool_object", _each(_tool_object)),
    _unmarked("keyed_object", _each(_keyed_object)),
    _unmarked("functionary_v3", _each(_functionary_v3)),
    _unmarked("fenced_json", _fenced("json", _each(_object))),
    _unmarked("fenced_tool_code", _fenced("tool_code", _each(_python_call))),
    _unmarked("fenced_hermes", _fenced("xml", _each(_hermes))),
    _unmarked("react", _each(_react)),
    _unmarked("prose", _each(_prose)),
    CallFormat(name="action_grammar", marked=False, write=_action_grammar, names_tools=False),
)
FORMATS: Sequence[CallFormat] = (*MARKED_FORMATS, *UNMARKED_FORMATS)
