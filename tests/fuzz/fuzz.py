"""Fuzz target: parsers and decoders of the text of models and servers.

Run by scripts/fuzz. Findings are an exception, an answer that depends on the split of its stream,
and a text that takes seconds; the fuzzer writes the input of a finding to a file.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

import atheris

PROJECT = Path(__file__).parents[2]
# The agent alone: the package around it needs Home Assistant.
sys.path.insert(0, str(PROJECT / "custom_components" / "chatterbox"))

with atheris.instrument_imports():
    from agent.dialects.capable.arguments import ArgumentNormalizer
    from agent.dialects.capable.quoted_calls import QuotedCalls
    from agent.dialects.capable.reader import AnswerReader
    from agent.dialects.guided.action_grammar import ActionGrammar
    from agent.dialects.guided.guided_context import GuidedContext
    from agent.dialects.guided.reply_decoder import ReplyDecoder
    from agent.dialects.parsing.lenient_json import loads
    from agent.dialects.parsing.pieces import ParsedCall
    from agent.home import ExposedEntity, HomeVocabulary
    from agent.language.speech import SpeechFilter
    from agent.messages import Message, ToolDefinition
    from agent.model.provider import Completed, CompletionRequest, CompletionResult, TextDelta
    from agent.model.sse import EventParser

TOOLS = [
    ToolDefinition(
        name="intent__HassTurnOn",
        description="Turns on.",
        parameters={
            "type": "object",
            "properties": {
                "name": {"type": "string"},
                "area": {"type": "string"},
                "domain": {"type": "array", "items": {"type": "string", "enum": ["light"]}},
                "brightness": {"type": "integer"},
            },
        },
    ),
    ToolDefinition(name="get_weather", description="Returns the weather."),
]
NORMALIZER = ArgumentNormalizer(TOOLS)
LAMP = ExposedEntity(name="Lamp", domain="light", capabilities=frozenset({"on_off"}))
CONTEXT = GuidedContext(
    vocabulary=HomeVocabulary(entities=(LAMP,), kinds={"light": ["light"]}),
)

type Reading = tuple[str, str, list[tuple[str, dict[str, object]]]]


def read(pieces: list[str], *, quoted: str = "", starts_thinking: bool = False) -> Reading:
    """Read an answer that comes in these pieces."""
    reader = AnswerReader(
        NORMALIZER,
        QuotedCalls([Message.user(quoted)], NORMALIZER.tool_name),
        starts_thinking=starts_thinking,
    )
    said: list[str] = []
    thought: list[str] = []
    for event in (*map(TextDelta, pieces), Completed(CompletionResult())):
        for told in reader.read(event):
            if isinstance(told, Completed):
                calls = [(call.name, call.arguments) for call in told.result.tool_calls]
                return "".join(said), "".join(thought), calls
            (said if isinstance(told, TextDelta) else thought).append(told.text)
    raise AssertionError("an answer has an end")


def decode(pieces: list[str]) -> tuple[str, list[dict[str, object]]]:
    """Decode a guided answer that comes in these pieces."""
    decoder = ReplyDecoder()
    text = "".join(map(decoder.feed, pieces))
    rest, items = decoder.finish()
    return text + rest, items


def check_guided(text: str, cuts: Sequence[list[str]]) -> None:
    """Check a guided answer that quotes the user."""
    said, items = decode([text])
    if any(decode(cut) != (said, items) for cut in cuts):
        raise AssertionError("a guided answer depends on the split of its stream")
    request = CompletionRequest(messages=(Message.user(text),), tools=tuple(TOOLS))
    grammar = ActionGrammar(CONTEXT, request)
    grammar.encode()
    if any(call.name != "get_weather" for call in grammar.reply(items).calls):
        raise AssertionError("a quoted action was done")


def speak(pieces: list[str]) -> str:
    """Return what is spoken of a text that comes in these pieces."""
    speech = SpeechFilter("en")
    return "".join([*map(speech.feed, pieces), speech.finish()])


def events(pieces: list[bytes]) -> list[bytes]:
    """Return the events of a stream that comes in these pieces."""
    parser = EventParser()
    # A connection delivers no empty pieces.
    found = [data for piece in filter(None, pieces) for data in parser.feed(piece)]
    return [*found, *parser.finish()]


def check(data: bytes) -> None:
    """Check one input with every parser and decoder."""
    provider = atheris.FuzzedDataProvider(data)
    thinks = provider.ConsumeBool()
    place = provider.ConsumeIntInRange(0, 200)
    text = provider.ConsumeBytes(4096).decode(errors="replace")
    pieces = [text[:place], text[place:]]
    whole = read([text], starts_thinking=thinks)
    cuts = (pieces, list(text))
    if any(read(cut, starts_thinking=thinks) != whole for cut in cuts):
        raise AssertionError("an answer depends on the split of its stream")
    check_guided(text, cuts)
    if read([text], quoted=text)[2]:
        raise AssertionError("a quoted call was made")
    if speak(pieces) != speak([text]):
        raise AssertionError("spoken text depends on the split of its stream")
    raw = text.encode()
    if events([raw[:place], raw[place:]]) != events([raw]):
        raise AssertionError("an event depends on the split of its stream")
    try:
        value = loads(text)
    except ValueError:
        return
    if isinstance(value, dict):
        NORMALIZER.parsed("1", ParsedCall("HassTurnOn", value, typed=False))


if __name__ == "__main__":
    atheris.Setup(sys.argv, check)
    atheris.Fuzz()
