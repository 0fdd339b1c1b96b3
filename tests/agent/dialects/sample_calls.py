"""One call in the syntax of every model family, and texts that are no call."""

CALL = '{"name": "HassTurnOn", "arguments": {"name": "Kitchen"}}'
LIST = f"[{CALL}]"

MARKED = {
    "hermes": f"<tool_call>\n{CALL}\n</tool_call>",
    "hermes with a wrapped object": (
        f'<tool_call>{{"type": "function", "function": {CALL}}}</tool_call>'
    ),
    "hermes with arguments as text": (
        '<tool_call>{"name": "HassTurnOn", "arguments": "{\\"name\\": \\"Kitchen\\"}"}</tool_call>'
    ),
    "hermes in a list": f"<tool_call>{LIST}</tool_call>",
    "qwen-coder": (
        "<tool_call>\n<function=HassTurnOn>\n<parameter=name>\nKitchen\n"
        "</parameter>\n</function>\n</tool_call>"
    ),
    "qwen-coder without the outer tag": (
        "<function=HassTurnOn>\n<parameter=name>\nKitchen\n</parameter>\n</function>"
    ),
    "qwen-coder with the outer end tag": (
        "<function=HassTurnOn><parameter=name>Kitchen</parameter></function>\n</tool_call>"
    ),
    "llama function": '<function=HassTurnOn>{"name": "Kitchen"}</function>',
    "glm": (
        "<tool_call>HassTurnOn\n<arg_key>name</arg_key>\n<arg_value>Kitchen</arg_value>\n"
        "</tool_call>"
    ),
    "granite 3": f"<|tool_call|>{LIST}",
    "granite code": f"<function_call> {CALL}",
    "phi": f"<|tool_call|>{LIST}<|/tool_call|>",
    "nemotron": f"<TOOLCALL>{LIST}</TOOLCALL>",
    "mistral": f"[TOOL_CALLS] {LIST}",
    "mistral with arguments": '[TOOL_CALLS]HassTurnOn[ARGS]{"name": "Kitchen"}',
    "mistral with an id": '[TOOL_CALLS]HassTurnOn[CALL_ID]a1b2c3d4e[ARGS]{"name": "Kitchen"}',
    "deepseek 3": (
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>HassTurnOn\n```json\n"
        '{"name": "Kitchen"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>'
    ),
    "deepseek 3.1": (
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>HassTurnOn<｜tool▁sep｜>"
        '{"name": "Kitchen"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>'
    ),
    "deepseek 3.2": (
        '<｜DSML｜function_calls>\n<｜DSML｜invoke name="HassTurnOn">\n'
        '<｜DSML｜parameter name="name" string="true">Kitchen</｜DSML｜parameter>\n'
        "</｜DSML｜invoke>\n</｜DSML｜function_calls>"
    ),
    "minimax": (
        '<minimax:tool_call>\n<invoke name="HassTurnOn">\n<parameter name="name">Kitchen'
        "</parameter>\n</invoke>\n</minimax:tool_call>"
    ),
    "invoke": ('<invoke name="HassTurnOn"><parameter name="name">Kitchen</parameter></invoke>'),
    "kimi 2": (
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.HassTurnOn:0"
        '<|tool_call_argument_begin|>{"name": "Kitchen"}<|tool_call_end|>'
        "<|tool_calls_section_end|>"
    ),
    "kimi 3": (
        '<|open|>tools<|sep|><|open|>call tool="HassTurnOn" index="1"<|sep|><|open|>argument '
        'key="name" type="string"<|sep|>Kitchen<|close|>argument<|sep|><|close|>call<|sep|>'
        "<|close|>tools<|sep|>"
    ),
    "gemma 4": '<|tool_call>call:HassTurnOn{name:<|"|>Kitchen<|"|>}<tool_call|>',
    "llama 3": f"<|python_tag|>{CALL}",
    "llama 4": "<|python_start|>[HassTurnOn(name='Kitchen')]<|python_end|>",
    "liquid": "<|tool_call_start|>[HassTurnOn(name='Kitchen')]<|tool_call_end|>",
}
"""Complete blocks, each with one call of HassTurnOn."""

HARMONY = {
    "gpt-oss": (
        "<|channel|>commentary to=functions.HassTurnOn <|constrain|>json<|message|>"
        '{"name": "Kitchen"}<|call|>'
    ),
    "gpt-oss with the recipient in the role": (
        ' to=functions.HassTurnOn<|channel|>commentary<|message|>{"name": "Kitchen"}'
    ),
}
"""Whole answers of gpt-oss."""

UNMARKED = {
    "object": CALL,
    "list": LIST,
    "python": 'HassTurnOn(name="Kitchen")',
    "python list": "[HassTurnOn(name='Kitchen')]",
    "name and object": 'HassTurnOn {"name": "Kitchen"}',
    "keyed": '{"HassTurnOn": {"name": "Kitchen"}}',
    "fence": f"```json\n{CALL}\n```",
    "tool code": "```tool_code\nprint(HassTurnOn(name='Kitchen'))\n```",
    "fenced marker": f"```\n<tool_call>{CALL}</tool_call>\n```",
    "tilde fence": f"~~~\n<tool_call>{CALL}</tool_call>\n~~~",
    "indented code": f"Code:\n\n    <tool_call>{CALL}</tool_call>",
    "marker in a line": f"Write <tool_call>{CALL}</tool_call>",
    "block quotation": f"> <tool_call>{CALL}</tool_call>",
    "list item": f"- <tool_call>{CALL}</tool_call>",
    "quotation": f'"\n<tool_call>{CALL}</tool_call>\n"',
    "German quotation": f"„\n<tool_call>{CALL}</tool_call>\n“",
    "code span": f"`\n<tool_call>{CALL}</tool_call>\n`",
    "word": "HassTurnOn",
    "Qwen's tools": f"<tools>{CALL}</tools>",
    "answer": '{"answer": "It is warm."}',
    "braces": "{{ 'on' if is_state('light.desk', 'on') else 'off' }}",
    "no end tag": f"<tool_call>{CALL}",
    "wrong end tag": f"<tool_call>{CALL}</call>",
    "no object": "<tool_call>?</tool_call>",
    "unknown tool": '<tool_call>{"name": "open_door", "arguments": {}}</tool_call>',
    "nearly a tool": '<tool_call>{"name": "hass_turn_on", "arguments": {}}</tool_call>',
    "unreadable object": '<tool_call>{"name" "x"}</tool_call>',
    "no name": '<tool_call>{"arguments": {}}</tool_call>',
    "arguments that are none": '<tool_call>{"name": "HassTurnOn", "arguments": 5}</tool_call>',
    "unreadable arguments": (
        '<tool_call>{"name": "HassTurnOn", "arguments": "{broken"}</tool_call>'
    ),
    "a list for the arguments": '[TOOL_CALLS] [{"name": "HassTurnOn", "arguments": [1]}]',
    "positional arguments": "<|python_start|>[HassTurnOn('Kitchen')]<|python_end|>",
    "no list": "<|python_start|>HassTurnOn()<|python_end|>",
    "an empty list": "<|python_start|>[]<|python_end|>",
    "half a list": "<|python_start|>[HassTurnOn() and]<|python_end|>",
    "an unreadable list": "<|python_start|>[HassTurnOn(a=)]<|python_end|>",
    "an unclosed list": "<|python_start|>[HassTurnOn(']<|python_end|>",
    "python for the interpreter": "<|python_tag|>print(1)",
    "an empty section": "<|tool_calls_section_begin|><|tool_calls_section_end|>",
    "another empty section": "<｜tool▁calls▁begin｜><｜tool▁calls▁end｜>",
    "a third empty section": "<minimax:tool_call></minimax:tool_call>",
    "gemma without braces": "<|tool_call>call:bad_func no brace<tool_call|>" + "x" * 150,
    "gemma unreadable": "<|tool_call>call:HassTurnOn{name:}<tool_call|>",
    "gemma without a key": "<|tool_call>call:HassTurnOn{5}<tool_call|>",
    "stop token in the middle": "It costs <s>10</s> euros",
    "closing thought": "It ends with </think>, then the answer comes.",
}
"""Texts without a call."""
