"""One AI task: its instructions, attachments and tools, and the data that the model generates."""

from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import fields, replace
from typing import Any

import voluptuous as vol
from probatio import Schema, to_openapi

from homeassistant.components.ai_task import GenDataTask
from homeassistant.components.conversation import ChatLog, ConversationInput, SystemContent
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
from homeassistant.util.ulid import ulid_now

from .agent.attachments import Attachment
from .agent.errors import ChatterboxError, LLMAuthError
from .agent.events import LoopOutcome, TurnFinished
from .agent.loop import AgenticLoop
from .agent.loop_settings import OnLimit, Phrases
from .agent.messages import Message
from .agent.model.provider import LLMProvider
from .agent.model.request_log import RequestLog
from .agent.prompt import rules
from .agent.structured_output import StructuredOutput, StructuredOutputProvider
from .agent.tools.conversation_state import ConversationState
from .agent.tools.dispatcher import ToolDispatcher
from .agent.trace import TurnTrace
from .agent.trace_id import TRACE_ID
from .attachments import async_read_attachments
from .chat_log import DeltaStream
from .const import DOMAIN, LOGGER
from .data import Agent
from .llm_api import registry
from .repair_issues import async_report_failure, async_report_success
from .sentences import async_get_sentences, sentence_key
from .turn_model import TurnModel
from .turn_report import async_report, error_detail
from .turn_setup import build_dispatcher, build_provider

# Where the model says nothing there are no data: no sentence of the agent may stand for them.
_SILENT = Phrases(**dict.fromkeys((field.name for field in fields(Phrases)), ""))


class TaskRun:
    """The run of one AI task in its chat log, in which its messages are streamed."""

    def __init__(
        self, agent: Agent, chat_log: ChatLog, agent_id: str, context: Context | None
    ) -> None:
        self._id = ulid_now()
        self._agent = agent
        self._agent_id = agent_id
        self._chat_log = chat_log
        self._hass: HomeAssistant = chat_log.hass
        self._context = context or Context()
        self._requests = RequestLog(keeps_bodies=agent.data.options.trace_requests)

    async def async_generate(self, task: GenDataTask) -> Any:
        """Return the data of a task: text, or what its structure allows.

        An answer that the structure does not allow is corrected once by the model. Raises a
        translated `HomeAssistantError` if there are no data.
        """
        TRACE_ID.set(self._id)
        try:
            data = await self._async_generate(task)
        except ChatterboxError as err:
            agent = self._agent
            if isinstance(err, LLMAuthError):
                agent.entry.async_start_reauth(self._hass)
            async_report_failure(self._hass, agent, err, self._requests)
            LOGGER.debug("%s could not generate data", self._agent_id, exc_info=err)
            raise _error(sentence_key(err)) from err
        async_report_success(self._hass, self._agent, self._requests)
        return data

    async def _async_generate(self, task: GenDataTask) -> Any:
        attachments = await async_read_attachments(self._hass, task.attachments)
        structure = structured_output(task.structure) if task.structure is not None else None
        await self._async_prepare(task)
        tools, text = self._tools(), task.instructions
        # With tools, the guided profile has a grammar of its own: its answer is corrected.
        if structure is not None and not (tools is not None and self._model.is_guided):
            text = f"{text}\n\n{structure.instructions}"
        provider: LLMProvider = build_provider(
            self._agent.data, self._agent.options, self._model.provider, self._requests
        )
        if structure is not None:
            provider = StructuredOutputProvider(provider, structure.response_format)
        loop = AgenticLoop(
            provider,
            replace(self._agent.options.loop, on_limit=OnLimit.STOP, note_cut_off=False),
            phrases=_SILENT,
            system_prompt=self._system_prompt(guided=self._model.is_guided),
        )
        finished = await self._async_ask(loop, text, [], tools, attachments)
        if structure is None:
            return finished.text
        try:
            return structure.parse(finished.text)
        except ValueError as err:
            LOGGER.debug("%s answered with invalid data: %s", self._agent_id, err)
            correction = structure.correction(err)
        asked = Message.user(text, self._suffix, attachments)
        finished = await self._async_ask(loop, correction, [asked, *finished.messages])
        try:
            return structure.parse(finished.text)
        except ValueError as err:
            raise _error("task_invalid") from err

    @property
    def _suffix(self) -> str | None:
        return self._agent.options.thinking_switch.suffix

    async def _async_prepare(self, task: GenDataTask) -> None:
        """Make the model, which in the guided profile needs the language and the tools."""
        api, options = self._chat_log.llm_api, self._agent.options
        language = self._hass.config.language
        self._sentences = await async_get_sentences(self._hass, language)
        self._model = TurnModel(
            self._hass,
            self._agent.data,
            replace(options, llm_apis=(api.api.id,)) if api is not None else options,
            ConversationInput(
                text=task.instructions,
                context=self._context,
                conversation_id=self._chat_log.conversation_id,
                device_id=None,
                satellite_id=None,
                language=language,
                agent_id=self._agent_id,
            ),
            self._sentences,
            log=self._requests,
        )

    def _system_prompt(self, *, guided: bool) -> str:
        """Return the instructions of Home Assistant, with the rules for using tools."""
        opening = self._chat_log.content[0]
        text = opening.content if isinstance(opening, SystemContent) else ""
        tools = registry(self._chat_log.llm_api).definitions
        return "\n\n".join(filter(None, (text, "" if guided else rules(tools))))

    def _tools(self) -> ToolDispatcher | None:
        """Return the tools that the caller of the task has asked for, None without any."""
        tools = registry(self._chat_log.llm_api)
        if not tools.names:
            return None
        agent = self._agent
        return build_dispatcher(self._hass, agent.data, agent.options, tools, ConversationState())

    async def _async_ask(
        self,
        loop: AgenticLoop,
        text: str,
        history: Sequence[Message],
        tools: ToolDispatcher | None = None,
        attachments: Sequence[Attachment] = (),
    ) -> TurnFinished:
        """Stream an answer to the chat log, and return its end; there has to be an answer."""
        stream = DeltaStream(lambda _: None)
        events = loop.stream(
            text,
            history,
            tools,
            suffix=self._suffix,
            attachments=attachments,
            on_cancel=stream.finish,
        )
        try:
            async with aclosing(events), aclosing(stream.deltas(events)) as deltas:
                async for _ in self._chat_log.async_add_delta_content_stream(
                    self._agent_id, deltas
                ):
                    pass
        finally:
            self._trace(stream)
        if stream.unexplained_error is not None:
            raise stream.unexplained_error
        finished = stream.finished
        if finished is None or not finished.text.strip():
            is_limit = finished is not None and finished.outcome is LoopOutcome.LIMIT
            raise _error("task_limit" if is_limit else "no_answer")
        if finished.truncated:
            raise _error("task_truncated")
        return finished

    def _trace(self, stream: DeltaStream) -> None:
        """Report the trace of an answer."""
        if stream.finished is None:
            return
        err = stream.unexplained_error
        trace = TurnTrace.of(
            self._id,
            self._chat_log.conversation_id,
            stream.finished,
            agent=self._agent_id,
            model=self._agent.options.model,
            profile=self._model.profile,
            requests=self._requests,
            error=error_detail(err, self._sentences[sentence_key(err)]) if err else None,
        )
        async_report(self._agent, self._agent.data, self._chat_log, trace)


def structured_output(structure: Schema) -> StructuredOutput:
    """Return the structure of a task as the model gets it; it may have selectors."""

    def validate(data: Any) -> None:
        try:
            structure(data)
        except vol.Invalid as err:
            raise ValueError(str(err)) from err

    schema = to_openapi(
        structure, custom_serializer=llm.selector_serializer, openapi_version="3.1.0"
    )
    return StructuredOutput(schema, validate)


def _error(key: str) -> HomeAssistantError:
    return HomeAssistantError(translation_domain=DOMAIN, translation_key=key)
