"""Answers that are JSON of a schema."""

import json
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any, override

from .json_schema import strict_schema, without_nulls
from .messages import ordered_json
from .model.provider import CompletionRequest, LLMProvider, ProviderEvent, ResponseFormat

_FENCE = "```"
_INSTRUCTIONS = "Answer only with JSON of this schema:"
_CORRECTION = "That answer is not valid: {error}\n{instructions}"


@dataclass(frozen=True, slots=True)
class StructuredOutput:
    """The schema of an answer, and its validation."""

    schema: Mapping[str, Any]
    """A JSON schema with the descriptions of the properties."""
    validate: Callable[[Any], object]
    """Raises `ValueError` for data that are not valid; the text is for the model."""

    @property
    def instructions(self) -> str:
        """The schema as text: a grammar has no descriptions, and not every server has grammars."""
        return f"{_INSTRUCTIONS}\n{ordered_json(self.schema)}"

    @property
    def response_format(self) -> ResponseFormat:
        """The format of the request, in the strictest form that the schema allows."""
        if (schema := strict_schema(self.schema)) is None:
            return {"type": "json_object"}
        return {
            "type": "json_schema",
            "json_schema": {"name": "answer", "strict": True, "schema": schema},
        }

    def correction(self, err: ValueError) -> str:
        """Return the message that asks for a valid answer after another one."""
        return _CORRECTION.format(error=err, instructions=self.instructions)

    def parse(self, text: str) -> Any:
        """Return the data of an answer; raises `ValueError` if they are not valid."""
        try:
            data = without_nulls(json.loads(_without_fence(text.strip())), self.schema)
            self.validate(data)
        except RecursionError:
            raise ValueError("the JSON is nested too deeply") from None
        return data


def _without_fence(text: str) -> str:
    """Return the content of a text that is one code fence as a whole, else the text."""
    if not (text.startswith(_FENCE) and text.endswith(_FENCE)):
        return text
    return text.removesuffix(_FENCE).partition("\n")[2]


class StructuredOutputProvider(LLMProvider):
    """Requests answers in a format.

    A request with tools is left as it is: many servers cannot combine both.
    """

    def __init__(self, provider: LLMProvider, response_format: ResponseFormat) -> None:
        self._provider = provider
        self._response_format = response_format

    @override
    async def stream(self, request: CompletionRequest) -> AsyncGenerator[ProviderEvent]:
        """Yield the answer as it comes, then `Completed`."""
        if not request.tools:
            request = replace(request, response_format=self._response_format)
        async with aclosing(self._provider.stream(request)) as events:
            async for event in events:
                yield event
