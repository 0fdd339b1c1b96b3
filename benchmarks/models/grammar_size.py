"""Cost of the action grammar in homes of different sizes: bytes, tokens and seconds.

    home/bin/python -m benchmarks.models.grammar_size --embedded 1.5b

Every request is sent once before it is measured, so that the server has cached the prompt: the
time is that of compiling the grammar and writing one token, compared with the same request without
a grammar.
"""

import argparse
import asyncio
import json
import statistics
import time
import urllib.request
from collections.abc import Iterator, Sequence
from typing import Any

import homeassistant  # noqa: F401 - before what it puts in the place of voluptuous
from custom_components.chatterbox.agent.dialects.guided.action_grammar import ActionGrammar
from custom_components.chatterbox.agent.dialects.guided.guided_context import GuidedContext
from custom_components.chatterbox.agent.home import HomeVocabulary
from custom_components.chatterbox.agent.mentions import ExposedEntity, Place
from custom_components.chatterbox.agent.messages import Message, ToolAnnotations, ToolDefinition
from custom_components.chatterbox.agent.model.provider import CompletionRequest
from scripts.home.options import add_arguments, check_arguments, selected_server
from scripts.home.servers import Server, list_models

SIZES = (20, 100, 500)
SENTENCES = {
    "one name": "Turn on light 7",
    "an area": "Turn off the lights in area 3",
    "a kind": "Is any light on?",
}
_DEVICES_PER_AREA = 8
_ROUNDS = 5
_KINDS = (("light", ("on_off", "brightness")), ("cover", ("open", "close", "position")))


def vocabulary(size: int) -> HomeVocabulary:
    """Return the vocabulary of a home with this number of lights and covers."""
    areas = [f"Area {number}" for number in range(max(1, size // _DEVICES_PER_AREA))]
    entities = [
        ExposedEntity(
            name=f"{domain.title()} {number}",
            domain=domain,
            entity_id=f"{domain}.{number}",
            area=areas[number % len(areas)],
            capabilities=frozenset({"state", *capabilities}),
        )
        for number in range(size)
        for domain, capabilities in (_KINDS[number % len(_KINDS)],)
    ]
    return HomeVocabulary(
        entities=tuple(entities),
        areas=tuple(Place(name=area) for area in areas),
        kinds={"light": ("light", "lights"), "cover": ("cover", "blinds")},
        inflects=False,
    )


def tools() -> Iterator[ToolDefinition]:
    """Yield tools like those of Home Assistant."""
    text = {"type": "string"}
    percent = {"type": "integer", "minimum": 0, "maximum": 100}
    target = {"name": text, "area": text, "floor": text, "domain": {"type": "array"}}
    for name, more in (
        ("HassTurnOn", {}),
        ("HassTurnOff", {}),
        ("HassLightSet", {"brightness": percent, "color": text}),
        ("HassSetPosition", {"position": percent}),
    ):
        yield ToolDefinition(
            name=name, description=name, parameters={"properties": {**target, **more}}
        )
    yield ToolDefinition(
        name="GetLiveContext",
        description="States",
        parameters={"properties": target},
        annotations=ToolAnnotations(read_only=True),
    )


def body(model: str, size: int, sentence: str, *, grammar: bool) -> dict[str, Any]:
    """Return the body of a request."""
    request = CompletionRequest(
        messages=(Message.system("You are a voice assistant."), Message.user(sentence)),
        tools=tuple(tools()),
    )
    context = GuidedContext(vocabulary=vocabulary(size))
    encoded = ActionGrammar(context, request).encode()
    return {
        "model": model,
        "messages": [message.to_wire() for message in encoded.messages],
        "temperature": 0.1,
        "max_tokens": 1,
        **({"response_format": encoded.response_format} if grammar else {}),
    }


def ask(server: Server, content: dict[str, Any]) -> tuple[float, int]:
    """Return the seconds of a request, and the tokens of its prompt."""
    request = urllib.request.Request(  # noqa: S310 - the server that was chosen
        f"{server.url}/chat/completions",
        json.dumps(content).encode(),
        {"Content-Type": "application/json"},
    )
    started = time.monotonic()
    with urllib.request.urlopen(request, timeout=600) as response:  # noqa: S310
        reply = json.load(response)
    return time.monotonic() - started, int(reply["usage"]["prompt_tokens"])


def measure(server: Server, sizes: Sequence[int]) -> None:
    """Print a row for each size and sentence."""
    model = server.model or list_models(server.url)[0]
    print("| devices | message mentions | prompt tokens | schema bytes | grammar (s) | none (s) |")
    print("|---|---|---|---|---|---|")
    for size in sizes:
        for mentions, sentence in SENTENCES.items():
            with_grammar = body(model, size, sentence, grammar=True)
            without = body(model, size, sentence, grammar=False)
            ask(server, with_grammar)
            seconds: tuple[list[float], list[float]] = ([], [])
            tokens = 0
            for _ in range(_ROUNDS):
                for column, content in enumerate((with_grammar, without)):
                    taken, tokens = ask(server, content)
                    seconds[column].append(taken)
            schema = len(json.dumps(with_grammar["response_format"]))
            medians = " | ".join(f"{statistics.median(column):.2f}" for column in seconds)
            print(f"| {size} | {mentions} | {tokens} | {schema} | {medians} |", flush=True)


async def main() -> None:
    """Run the benchmark with the server of the command line."""
    parser = argparse.ArgumentParser(prog="benchmarks.models.grammar_size", description=__doc__)
    add_arguments(parser)
    parser.add_argument("--sizes", nargs="+", type=int, default=SIZES)
    arguments = parser.parse_args()
    check_arguments(parser, arguments)
    with selected_server(arguments) as server:
        await asyncio.to_thread(measure, server, arguments.sizes)


if __name__ == "__main__":
    asyncio.run(main())
