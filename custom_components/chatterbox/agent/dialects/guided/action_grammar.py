"""Action grammar: replies are JSON objects, constrained to the actions that a message allows.

    {"topic": "home", "do": [{"verb": "turn_on", "device": "Desk Lamp"}]}
    {"topic": "home", "look_up": ["Front Door"]}
    {"topic": "weather", "day": "tomorrow"}
    {"topic": "other", "answer": "Rome is the capital of Italy."}

The topic comes first: a small model that decides it before anything else does not take a question
of arithmetic for a temperature. Verbs determine the domain, devices are enumerations of those that
the message mentions, and both are translated to ordinary tool calls and back.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ... import assist, assist_results
from ...mentions import ExposedEntity, RecognizedIntent, spoken_names
from ...messages import Message, Role, ToolCall, new_call_id
from ...model.provider import CompletionRequest
from ..capable.quoted_calls import QuotedCalls
from ..parsing.pieces import ParsedCall
from .catalogue import find_catalogue
from .guided_context import GuidedContext
from .guided_prompt import build_instructions, encode_history, with_instructions
from .inventory import DATE, MISSING, TIME, Action, is_look_up
from .offers import Schema, sample_actions
from .replies import (
    ANSWER,
    any_of,
    count_devices,
    do_schema,
    look_up_schema,
    reply_of,
    topic_schema,
    write_json,
)
from .reply_decoder import actions_of
from .schema_match import matches, only_value
from .scope import PreviousTurn, Scope, find_scope, selects_nothing
from .stance import Stance, Stances

# Actions on one device in a reply, such as to turn it on and dim it.
_MAX_ACTIONS_PER_DEVICE = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """Text and tool calls of a reply."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()


class ActionGrammar:
    """The action grammar of one request: its prompt and schema, and the meaning of the reply."""

    def __init__(self, context: GuidedContext, request: CompletionRequest) -> None:
        self._context = context
        self._request = request
        self._catalogue = find_catalogue(request.tools, context.vocabulary)
        self._media = assist_results.found_media(request.messages)
        self._verbs = self._catalogue.commands(context.recognized)
        self._has_no_target = bool(self._verbs) and selects_nothing(
            context.vocabulary, context.recognized
        )
        if self._has_no_target:
            self._verbs = frozenset()
        self._recognized = context.recognized if self._is_recognized() else None

    def _is_recognized(self) -> bool:
        """Return whether the recognized intent is a verb of the catalogue or a query."""
        recognized = self._context.recognized
        if recognized is None or recognized.unknown_name or self._has_no_target:
            return False
        return bool(self._verbs) or recognized.name in assist.QUERY_INTENTS

    @cached_property
    def _scope(self) -> Scope:
        """Scope of the user's message, which may continue the previous turn."""
        messages = self._request.messages
        *earlier, current = (i for i, m in enumerate(messages) if m.role is Role.USER)
        before = messages[earlier[-1] : current] if earlier else ()
        vocabulary = self._context.vocabulary
        entities = (
            entity
            for message in before
            for call in message.tool_calls
            for entity in self._catalogue.entities_of(call)
        )
        user_text, answer_text = (
            " ".join(m.content or "" for m in before if m.role is role)
            for role in (Role.USER, Role.ASSISTANT)
        )
        return find_scope(
            vocabulary,
            self._catalogue.groups,
            vocabulary.mentions(messages[current].content or ""),
            area=self._context.area,
            previous=PreviousTurn(
                entities=tuple(dict.fromkeys(entities)),
                user_text=user_text,
                answer_text=answer_text,
            ),
            recognized=self._recognized,
        )

    @cached_property
    def _stances(self) -> Stances:
        return Stances(
            mentions=self._scope.mentions,
            states=self._context.states,
            set_points=self._context.set_points,
            numbered=self._catalogue.numbered,
            nearby=self._scope.nearby,
        )

    @property
    def refusal(self) -> str | None:
        """Answer to a command for an unknown device, None if the model is to be asked.

        Home Assistant's sentences identify a command even if the name of the device is unknown.
        """
        recognized = self._context.recognized
        if recognized is None or self._after_tools:
            return None
        if not (self._has_no_target or recognized.unknown_name):
            return None
        if self._scope.names_something or (self._scope and self._actions):
            return None
        return self._context.clarifications.no_such_device

    @property
    def _after_tools(self) -> bool:
        return self._request.messages[-1].role is Role.TOOL

    @property
    def evident_calls(self) -> tuple[ToolCall, ...]:
        """The calls of the only reply that the message allows, none if the model has a choice."""
        value = None if self._after_tools else only_value(self.schema)
        return () if value is None else self.reply([*actions_of(value)]).calls

    def encode(self) -> CompletionRequest:
        """Return the request with the instructions in its prompt and the schema of the reply."""
        request = self._request
        return replace(
            request,
            messages=with_instructions(
                encode_history(request.messages, self._catalogue, self._context.language),
                build_instructions(self._catalogue),
            ),
            tools=(),
            tool_choice="auto",
            response_format={
                "type": "json_schema",
                "json_schema": {"name": "reply", "strict": True, "schema": self.schema},
            },
        )

    @cached_property
    def schema(self) -> Schema:
        """The schema of the reply."""
        answer = ANSWER
        if self._request.tool_choice == "none" or self._needs_only_reply:
            return answer
        if self._after_tools:
            # A look-up is followed by an answer; a search for media by playing one of them.
            play = self._catalogue.play_schema(self._media)
            return any_of([do_schema([play]), answer] if play else [answer])
        home = self._home_replies()
        is_about_home = self._is_about_home or self._asks_about_device
        if home and (self._request.tool_choice == "required" or is_about_home):
            return any_of(home)
        return any_of([*home, answer])

    @property
    def _needs_only_reply(self) -> bool:
        """Return whether the message only needs a reply, such as a greeting."""
        recognized = self._context.recognized
        is_reply = recognized is not None and recognized.name in assist.REPLY_INTENTS
        return is_reply and not self._after_tools

    @property
    def _is_about_home(self) -> bool:
        """Return whether all words belong to the home or to Home Assistant's grammar."""
        if self._recognized is not None:
            return True
        mentions = self._scope.mentions
        return bool(self._scope) and bool(mentions) and not mentions.unknown

    @property
    def _asks_about_device(self) -> bool:
        """Return whether a question names a device or a state.

        A model that has not looked makes the answer up.
        """
        mentions = self._scope.mentions
        is_named = bool(mentions.named or mentions.partial)
        return bool(mentions.is_question and (is_named or mentions.asks_for_state))

    @property
    def _query(self) -> RecognizedIntent | None:
        """The recognized question, None if it may be a command: *all lights off upstairs*."""
        mentions = self._scope.mentions
        is_command = self._verbs or (mentions.is_question is False and not mentions.described)
        return None if is_command else self._recognized

    @cached_property
    def _actions(self) -> list[Schema]:
        """The schemas of the actions that the message allows."""
        if self._query:
            return []
        scope, recognized = self._scope, self._recognized
        slots, items = recognized.slots if recognized else {}, self._context.open_items
        return self._catalogue.actions(scope, self._verbs, slots, items, self._stances)

    def _home_replies(self) -> list[Schema]:
        """Return the schemas of the actions and look-ups that the message allows."""
        catalogue, scope, actions = self._catalogue, self._scope, self._actions
        if self._verbs and actions:
            return [do_schema(actions, count_devices(actions))]
        labels = [] if scope.is_unnamed else catalogue.look_ups(scope, self._query)
        max_actions = _MAX_ACTIONS_PER_DEVICE * count_devices(actions)
        is_known = scope.is_directed or scope.mentions.is_question or self._is_about_home
        is_known |= bool(scope.groups) and scope.mentions.means_all
        may_miss = not is_known and scope.mentions.may_command
        if may_miss and (missing := catalogue.missing(self._certain_verbs(actions))):
            actions = [*actions, missing]
            max_actions += 1
        return [
            *(
                [do_schema(actions, max_actions, shortest=max(1, len(self._commands)))]
                if actions
                else []
            ),
            *([look_up_schema(labels)] if labels else []),
            *(topic_schema(topic) for topic in self._topics()),
        ]

    @cached_property
    def _commands(self) -> list[Action]:
        """The commands that the message states beyond doubt if it has several."""
        mentions = self._scope.mentions
        if mentions.is_question is not False or mentions.is_negated or self._scope.strays:
            return []
        certain = [each for each in self._scope.targets.certain if each in mentions.named]
        named = [entity for entity in certain if entity in mentions.clauses]
        found = (self._catalogue.command_for(entity, self._stances) for entity in named)
        return [action for action in found if action is not None]

    def _certain_verbs(self, actions: Sequence[Schema]) -> set[str]:
        """Return the verbs with a device that needs no question, or of a mentioned kind.

        No other one is missing.
        """
        samples = [action for schema in actions for action in sample_actions(schema)]
        certain = [each for each in samples if self._question(each, [each]) is None]
        kinds = self._scope.mentions.kinds
        described = [each for each in samples if self._catalogue.is_of(each, kinds)]
        return {str(each["verb"]) for each in (*certain, *described)}

    def _topics(self) -> list[str]:
        """Return the topics that a message may be about; one with a name is about the home."""
        mentions, topics = self._scope.mentions, self._catalogue.topics
        kinds = {*mentions.kinds, *assist.topics_of(self._recognized)}
        kinds |= {entity.domain for entity in (*mentions.named, *mentions.partial)}
        found = [topic for topic in topics if topic in kinds]
        # A word for a kind may be one for the weather as well, such as Spanish *tiempo*.
        is_clear = self._recognized or (self._is_about_home and not mentions.is_question)
        is_named = mentions.named or (mentions.partial and not mentions.is_question)
        is_state = mentions.has_entities and mentions.asks_for_state
        return found if found or is_named or is_clear or is_state else topics

    def reply(self, actions: Sequence[Action]) -> Reply:
        """Return the tool calls of these actions, or a question if the target is in doubt.

        Without constrained decoding a model can write anything: a reply that does not match the
        schema of the request is dropped, and one with an action that a message quotes.
        """
        unique = list({write_json(action): action for action in actions}.values())
        if not unique or not matches(reply_of(unique), self.schema):
            return Reply()
        if any(map(self._is_quoted, unique)):
            return Reply()
        known = [action for action in unique if action.get("device") != MISSING]
        texts = [] if known == unique else [self._context.clarifications.no_such_device]
        calls: list[ToolCall] = []
        unique = self._catalogue.with_commands(known, self._commands)
        unique = self._catalogue.without_reversals(unique)
        for action in unique:
            if names := self._alternatives(action, unique):
                which_one = self._context.clarifications.which_one
                texts.append(which_one.format(names=", ".join(names)))
                continue
            question = self._question(action, unique)
            for single in self._expanded(action):
                absolute = self._absolute(single)
                name, arguments = self._catalogue.to_call(absolute, self._media)
                call = ToolCall(id=new_call_id(), name=name, arguments=arguments, question=question)
                calls.append(replace(call, day=absolute.get("days") or None))
        return Reply(text=" ".join(dict.fromkeys(texts)), calls=tuple(calls))

    def _expanded(self, action: Action) -> Iterator[Action]:
        """Yield an action, or those that it stands for: one for each device or calendar.

        The time that a message with unknown words asks for may be that of an event.
        """
        label = str(action.get("device"))
        labels = [label]
        if is_look_up(action):
            labels = self._catalogue.read_by(label, self._scope.mentions)
            if label in {TIME, DATE} and self._scope.mentions.unknown:
                labels += self._catalogue.calendars
        elif self._scope.with_exceptions(label):
            labels = [self._catalogue.label(entity) for entity in self._targets(action)]
        elif "device" not in action:
            yield action
            return
        yield from ({**action, "device": each} for each in labels)

    def _targets(self, action: Action) -> Sequence[ExposedEntity]:
        """Return the entities of an action; of a group with exceptions, those that it changes."""
        label = str(action["device"])
        if group := self._scope.with_exceptions(label):
            return self._catalogue.changed(str(action["verb"]), group, self._context.states)
        return self._catalogue.targets(label)

    @cached_property
    def _quoted(self) -> QuotedCalls:
        """Calls in any message, those of the model included: it may have quoted a tool result."""
        messages = (m for m in self._request.messages if m.role is not Role.SYSTEM)
        return QuotedCalls([Message.user(m.text) for m in messages], lambda _: None)

    def _is_quoted(self, action: Action) -> bool:
        arguments = {key: value for key, value in action.items() if key != "verb"}
        return self._quoted.contains(ParsedCall(action["verb"], arguments), write_json(action))

    def _alternatives(self, action: Action, actions: Sequence[Action]) -> list[str]:
        """Return the names that a message fits equally well, if the action chose one of them."""
        entity = self._catalogue.entity(str(action.get("device")))
        scope = self._scope
        if entity is None or entity not in scope.targets.possible or is_look_up(action):
            return []
        if entity in scope.mentions.partial or scope.is_in_doubt:
            return []
        targets = {self._catalogue.entity(str(other.get("device"))) for other in actions}
        supported = self._catalogue.entities_for(str(action["verb"]))
        others = [each for each in scope.alternatives(entity) if each in supported]
        return [] if targets.issuperset(others) else spoken_names(others)

    def _question(self, action: Action, actions: Sequence[Action]) -> str | None:
        """Return the question to ask before an action, None if its target is not in doubt."""
        scope, device = self._scope, str(action.get("device"))
        if is_look_up(action) or "device" not in action or not scope:
            return None
        if self._is_doubtful(action):
            doubtful = [each for each in actions if self._is_doubtful(each)]
            return " ".join(dict.fromkeys(self._before(each, doubtful) for each in doubtful))
        if group := self._catalogue.group(device):
            is_whole = group.is_limited or (self._is_for_everything(action) and not scope.strays)
            certain = set(group.entities) <= set(scope.targets.certain)
            return None if is_whole or certain else self._before(action, [action])
        entity = self._catalogue.entity(device)
        if (
            entity in scope.targets.possible
            and (scope.is_in_doubt or entity in scope.strays)
            and not self._catalogue.are_all_of(scope.mentions.kinds, actions)
        ):
            return self._context.clarifications.do_you_mean.format(name=entity.name)
        return None

    def _is_doubtful(self, action: Action) -> bool:
        """Return whether it is in doubt what is to be done with the devices of an action."""
        is_unsure = not self._verbs and self._is_unsure(action)
        return is_unsure or self._scope.with_exceptions(str(action.get("device"))) is not None

    def _before(self, action: Action, actions: Sequence[Action]) -> str:
        """Return the question before an action, with the devices of all that do the same."""
        same = [each for each in actions if {**each, "device": ""} == {**action, "device": ""}]
        targets = dict.fromkeys(target for each in same for target in self._targets(each))
        clarifications = self._context.clarifications
        return clarifications.before(self._absolute(action), [*targets], self._catalogue)

    def _is_for_everything(self, action: Action) -> bool:
        """Return whether a message says what is to be done with everything."""
        mentions = self._scope.mentions
        has_value = bool(action.keys() - {"verb", "device"})
        return mentions.everything and (mentions.may_command or has_value)

    def _absolute(self, action: Action) -> Action:
        return self._catalogue.absolute(action, self._context.set_points, self._context.weekday)

    def _is_unsure(self, action: Action) -> bool:
        """Return whether the words of a message leave an action in doubt."""
        if self._catalogue.is_guessed(action, self._scope.mentions):
            return True
        return self._catalogue.stance(action, self._stances) is Stance.ASK
