"""Offers of the action grammar for each sentence, measured without a model.

    home/bin/python -m benchmarks.models.offered --sets third

Whatever the model, it cannot do what is not offered. Every single action that the grammar of a
sentence permits is carried out in the home and judged: whether it does a part of what is expected,
goes the other way, or changes something else. It is carried out a second time after all that is
expected was done, so that an action in the opposite direction shows in every state.
"""

import argparse
import asyncio
import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import mean
from typing import Any

from custom_components.chatterbox.agent.dialects.guided.action_grammar import ActionGrammar, Reply
from custom_components.chatterbox.agent.dialects.guided.guided_context import GuidedContext
from custom_components.chatterbox.agent.errors import ToolError
from custom_components.chatterbox.agent.messages import Message, ToolCall
from custom_components.chatterbox.agent.model.provider import CompletionRequest
from custom_components.chatterbox.builtin_tools import built_in_tools
from custom_components.chatterbox.const import DOMAIN, TOOL_DATE_TIME, TOOL_WEATHER
from custom_components.chatterbox.intents.command_recognizer import async_start_recognition
from custom_components.chatterbox.intents.default_agent import get_default_agent
from custom_components.chatterbox.llm_api import AgentAPI, registry
from custom_components.chatterbox.turn_model import async_with_home
from homeassistant.components.conversation import ConversationInput
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import llm
from scripts.home.core import prepare_folder, running_home

from .bench_homes import BENCH_HOMES
from .home import BenchHome, TableBenchHome
from .judging import Reply as Answer
from .judging import Result, Snapshot, differences, judge
from .oracle import obey
from .sentence import OneMore, Sentence, fits

type Action = dict[str, Any]

_DONE = Answer("Done.")
_SYSTEM = Message.system("You are a voice assistant.")


@dataclass(slots=True)
class Offered:
    """Offers of the grammar for one sentence."""

    text: str
    wanted: int = 0
    """Expected changes, by entity."""
    right: int = 0
    """Those of them that an action does at once."""
    after_question: int = 0
    """Those of them that an action does after the user has agreed."""
    opposite: set[str] = field(default_factory=set)
    """Actions that go the other way at once."""
    unrelated: set[str] = field(default_factory=set)
    """Entities that an action changes at once, though nobody asked for it."""
    alternatives: int = 0
    """Actions, look-ups, topics and answers that are offered."""
    may_ask: bool = False

    @property
    def is_right(self) -> bool:
        """Return whether all that is expected can be done, at once or where a question is right."""
        asked = self.after_question if self.may_ask else 0
        return self.right + asked >= self.wanted or (self.may_ask and not self.right)

    @property
    def is_right_or_asked(self) -> bool:
        """Return whether all that is expected can be done, at once or after a question."""
        return self.is_right or self.right + self.after_question >= self.wanted


@dataclass(frozen=True, slots=True)
class Summary:
    """Figures of several sentences."""

    sentences: int
    right: int
    right_or_asked: int
    opposite: int
    """Sentences for which an opposite action is offered."""
    with_unrelated: int
    """Sentences for which an unrelated device is offered."""
    unrelated: float
    """Mean number of unrelated devices."""
    alternatives: float

    @classmethod
    def of(cls, found: Sequence[Offered]) -> Summary:
        """Return the figures of these sentences."""
        return cls(
            sentences=len(found),
            right=sum(each.is_right for each in found),
            right_or_asked=sum(each.is_right_or_asked for each in found),
            opposite=sum(bool(each.opposite) for each in found),
            with_unrelated=sum(bool(each.unrelated) for each in found),
            unrelated=round(mean(len(each.unrelated) for each in found), 2),
            alternatives=round(mean(each.alternatives for each in found), 1),
        )


class GrammarMeasure:
    """Measures the grammars of sentences in a running home."""

    def __init__(self, hass: HomeAssistant, home: BenchHome) -> None:
        self._hass = hass
        self._home = home

    async def measure(self, first: Sentence) -> Offered:
        """Return what is offered for a sentence; of several, for the last one."""
        await self._home.reset(self._hass, first.given)
        messages: list[Message] = [_SYSTEM]
        given = dict(first.given)
        found = Offered(first.text)
        for sentence in first.turns:
            start = self._home.snapshot(self._hass)
            grammar = await self._grammar(sentence, messages)
            found, right = await self._offered(sentence, grammar, start, given)
            if sentence is first.turns[-1] or not found.is_right_or_asked:
                break
            calls = _calls(grammar, right)
            given = {}
            await self._home.reset(self._hass, first.given)
            await obey(self._hass, sentence, start)
            messages = [*messages, Message.user(sentence.text), *_history(calls)]
        return found

    async def _grammar(self, sentence: Sentence, messages: Sequence[Message]) -> ActionGrammar:
        device_id = self._home.satellite(sentence.area)
        said = ConversationInput(
            text=sentence.text,
            context=Context(),
            conversation_id=None,
            device_id=device_id,
            satellite_id=None,
            language=sentence.language,
            agent_id="conversation.chatterbox",
        )
        built_in = built_in_tools(self._hass, (TOOL_DATE_TIME, TOOL_WEATHER))
        api = AgentAPI(self._hass, [llm.LLM_API_ASSIST], built_in, with_prompt=False)
        self._tools = registry(await api.async_get_api_instance(said.as_llm_context(DOMAIN)))
        tools = self._tools.definitions
        writing = {tool.name for tool in tools if not tool.annotations.read_only}
        if (agent := get_default_agent(self._hass)) is not None:
            # The first recognition in a language, which loads it, may take too long for a turn.
            await agent.async_prepare(sentence.language)
        recognition = async_start_recognition(self._hass, said, writing, unknown_names=True)
        context = GuidedContext(area=sentence.area, recognized=await recognition.async_result())
        context = await async_with_home(self._hass, context, sentence.language)
        request = CompletionRequest(
            messages=(*messages, Message.user(sentence.text)), tools=tuple(tools)
        )
        return ActionGrammar(context, request)

    async def _offered(
        self,
        sentence: Sentence,
        grammar: ActionGrammar,
        start: Snapshot,
        given: Mapping[str, Mapping[str, Any]],
    ) -> tuple[Offered, list[Action]]:
        """Return what a grammar offers, and the actions that do what is expected."""
        found = Offered(sentence.text, wanted=len(sentence.changes), may_ask=sentence.may_ask)
        if grammar.refusal is not None:
            return found, []
        actions = list(_actions(grammar.schema, _texts(sentence)))
        found.alternatives = len(actions) + _others(grammar.schema)
        at_once: dict[str, Action] = {}
        asked: dict[str, Action] = {}
        harmful: list[Action] = []
        for action in actions:
            calls = grammar.reply([action]).calls
            if not calls or "arguments" in action:
                continue
            before = await self._prepared(sentence, start, given, obeyed=False)
            after = await self._after(calls)
            verdict = judge(sentence, before, after, [], _DONE)
            is_harm = verdict.result is Result.OPPOSITE_OR_UNRELATED
            met = [] if is_harm else list(_met(sentence, before, after))
            before = await self._prepared(sentence, start, given, obeyed=True)
            undone = _undone(sentence, before, await self._after(calls))
            if is_harm or undone:
                harmful.append(action)
            fulfilled = asked if any(call.question for call in calls) else at_once
            for entity_id in met:
                fulfilled.setdefault(entity_id, action)
        for action in harmful:
            if _is_asked(grammar, action, [*at_once.values()]):
                continue
            await self._count_harm(found, sentence, start, given, (action, grammar))
        found.right = len(at_once)
        found.after_question = len(asked.keys() - at_once.keys())
        return found, [*{**asked, **at_once}.values()]

    async def _count_harm(
        self,
        found: Offered,
        sentence: Sentence,
        start: Snapshot,
        given: Mapping[str, Mapping[str, Any]],
        offered: tuple[Action, ActionGrammar],
    ) -> None:
        action, grammar = offered
        calls = grammar.reply([action]).calls
        before = await self._prepared(sentence, start, given, obeyed=False)
        after = await self._after(calls)
        changed = {*differences(before, after)}
        obeyed = await self._prepared(sentence, start, given, obeyed=True)
        changed |= {*differences(obeyed, await self._after(calls))}
        if unrelated := changed - sentence.changes.keys():
            found.unrelated |= unrelated
        else:
            found.opposite.add(json.dumps(action, ensure_ascii=False))

    async def _prepared(
        self,
        sentence: Sentence,
        start: Snapshot,
        given: Mapping[str, Mapping[str, Any]],
        *,
        obeyed: bool,
    ) -> Snapshot:
        """Return the state before an action: as given, or with all done that is expected."""
        await self._home.reset(self._hass, given)
        before = self._home.snapshot(self._hass)
        for entity_id, values in start.items():
            # What an earlier turn has changed.
            if before[entity_id]["state"] != values["state"] and values["state"] in {"on", "off"}:
                await self._hass.services.async_call(
                    "homeassistant",
                    f"turn_{values['state']}",
                    {"entity_id": entity_id},
                    blocking=True,
                )
        if obeyed:
            await obey(self._hass, sentence, start)
        return self._home.snapshot(self._hass)

    async def _after(self, calls: Iterable[ToolCall]) -> Snapshot:
        for call in calls:
            tool = self._tools.get(call.name)
            if tool is not None and not tool.definition.annotations.read_only:
                try:
                    await tool.call(dict(call.arguments))
                except ToolError:
                    continue
        await self._hass.async_block_till_done()
        return self._home.snapshot(self._hass)


def _calls(grammar: ActionGrammar, actions: Sequence[Action]) -> tuple[ToolCall, ...]:
    unique = list({json.dumps(action): action for action in actions}.values())
    reply: Reply = grammar.reply(unique)
    return reply.calls


def _history(calls: Sequence[ToolCall]) -> Iterator[Message]:
    """Yield the messages of a turn whose calls succeeded."""
    plain = [replace(call, question=None) for call in calls]
    yield Message.assistant(None, plain)
    for call in plain:
        yield Message.tool(call.id, json.dumps({"success": True, "result": "done"}))
    yield Message.assistant("Done.")


def _is_asked(grammar: ActionGrammar, action: Action, company: Sequence[Action]) -> bool:
    """Return whether an action is dropped or asked about, alone and beside a right one."""
    own = grammar.reply([action]).calls
    # What the message states for other devices is done as well, without a question.
    wanted = {call.key for call in own if call.question} or {call.key for call in own}
    for actions in ([action], *([other, action] for other in company if other != action)):
        calls = [call for call in grammar.reply(actions).calls if call.key in wanted]
        if any(not call.question for call in calls):
            return False
    return True


def _met(sentence: Sentence, before: Snapshot, after: Snapshot) -> Iterator[str]:
    """Yield the entities that are as expected."""
    for entity_id, check in sentence.changes.items():
        values = after[entity_id]
        if all(fits(before[entity_id][key], values[key], check[key]) for key in check):
            yield entity_id


def _undone(sentence: Sentence, before: Snapshot, after: Snapshot) -> bool:
    """Return whether something expected was done before, and is reversed or switched off."""
    reversed_ones = replace(
        sentence,
        changes={
            entity_id: {"state": check["state"]} if "state" in check else {}
            for entity_id, check in sentence.changes.items()
        },
    )
    verdict = judge(reversed_ones, before, after, [], _DONE)
    return verdict.result is Result.OPPOSITE_OR_UNRELATED


def _texts(sentence: Sentence) -> tuple[str, ...]:
    """Return what a model may write where any text is allowed."""
    expected = (value for check in sentence.changes.values() for value in check.values())
    found = tuple(f"Some {value.text}" for value in expected if isinstance(value, OneMore))
    return found or ("anything",)


def _parts(schema: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    parts: Sequence[Mapping[str, Any]] = schema.get("anyOf", [schema])
    return parts


def _actions(schema: Mapping[str, Any], texts: Sequence[str]) -> Iterator[Action]:
    """Yield the single actions that a reply may have."""
    for reply in _parts(schema):
        if "do" not in reply["properties"]:
            continue
        for entry in _parts(reply["properties"]["do"]["items"]):
            yield from _filled(entry["properties"], texts)


def _filled(properties: Mapping[str, Any], texts: Sequence[str]) -> Iterator[Action]:
    actions: list[Action] = [{}]
    for key, schema in properties.items():
        values = schema.get("enum") or ([schema["const"]] if "const" in schema else texts)
        if schema.get("type") == "object":
            values = [{}]
        actions = [{**action, key: value} for action in actions for value in values]
    yield from actions


def _others(schema: Mapping[str, Any]) -> int:
    """Return the number of look-ups, topics and answers that a reply may have."""
    replies = (reply["properties"] for reply in _parts(schema) if "do" not in reply["properties"])
    return sum(
        len(reply["look_up"]["items"]["enum"]) if "look_up" in reply else 1 for reply in replies
    )


async def measure(
    hass: HomeAssistant, home: BenchHome, sentences: Iterable[Sentence]
) -> list[Offered]:
    """Return what is offered for each sentence in a running home."""
    measured = GrammarMeasure(hass, home)
    return [await measured.measure(sentence) for sentence in sentences]


async def _run(arguments: argparse.Namespace) -> None:
    found: dict[str, list[Offered]] = {}
    for key in arguments.homes:
        home = BENCH_HOMES[key]()
        if not isinstance(home, TableBenchHome):
            continue
        with tempfile.TemporaryDirectory(prefix="chatterbox-bench-") as folder:
            prepare_folder(Path(folder), port=0)
            async with running_home(Path(folder), home.setup) as hass:
                for name in (name for name in arguments.sets if name in home.sets):
                    half = arguments.half
                    sentences = home.sets[name][half or 0 :: 1 if half is None else 2]
                    each = await measure(hass, home, sentences)
                    found.setdefault(name, []).extend(each)
    for name, each in found.items():
        print(name, Summary.of(each))
        if arguments.verbose:
            for one in each:
                if not one.is_right or one.opposite or one.unrelated:
                    print(f"  {'' if one.is_right else 'NOT '}right", one)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="benchmarks.models.offered", description=__doc__)
    parser.add_argument("--homes", nargs="+", default=list(BENCH_HOMES))
    parser.add_argument("--sets", nargs="+", default=["new", "second", "third", "fourth"])
    parser.add_argument("--half", type=int, choices=(0, 1), default=None)
    parser.add_argument("--verbose", action="store_true")
    asyncio.run(_run(parser.parse_args()))
