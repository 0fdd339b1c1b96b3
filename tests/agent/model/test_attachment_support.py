"""Models that do not accept images or files: known, or learned from a rejection."""

import pytest

from custom_components.chatterbox.agent.attachments import Attachment
from custom_components.chatterbox.agent.errors import LLMAPIError, LLMFileError, LLMImageError
from custom_components.chatterbox.agent.messages import Message
from custom_components.chatterbox.agent.model.attachment_support import AttachmentSupportProvider
from custom_components.chatterbox.agent.model.provider import LLMProvider
from custom_components.chatterbox.agent.model.request_body import ModelSettings
from custom_components.chatterbox.agent.model.server_quirks import Quirk, ServerQuirks
from tests.agent.builders import request
from tests.agent.conftest import Connect
from tests.agent.sample_files import image, pdf
from tests.fake_openai import FakeOpenAI, Reply

# As real servers say it.
NO_IMAGES = [
    (500, "image input is not supported - hint: you may need to provide the mmproj"),
    (400, "this model is missing data required for image input"),
    (400, "Model does not support images. Please use a model that does."),
    (400, "gemma is not a multimodal model"),
    (400, "At most 0 image(s) may be provided in one request."),
    (404, "No endpoints found that support image input"),
    (400, "messages[0]: unknown variant `image_url`, expected `text`"),
    (400, "'messages.0.content' : value must be a string. content must be a string"),
    (400, "Invalid content type. image_url is not supported by this model"),
]
OTHER = [
    (400, "You uploaded an unsupported image. Please make sure your image is valid."),
    (400, "image is too large"),
    (400, "Failed to download the image"),
    (503, "image input is not supported"),
]
NO_FILES = [
    (400, "unsupported content[].type"),
    (400, "Unknown part type: file"),
    (400, "invalid message format"),
    (400, "This model does not support PDF"),
]


def provider(connect: Connect, quirks: ServerQuirks) -> LLMProvider:
    raw = connect().provider(ModelSettings(model="scripted-1"), quirks=quirks)
    return AttachmentSupportProvider(raw, quirks)


async def ask(model: LLMProvider, *attachments: Attachment) -> str | None:
    message = Message.user("What is this?", attachments=attachments)
    return (await model.complete(request([message]))).content


def refusal(status: int, text: str) -> Reply:
    return Reply(status=status, body=f'{{"error": {{"message": "{text}"}}}}')


@pytest.mark.parametrize(("status", "text"), NO_IMAGES)
async def test_rejected_image_is_learned(
    server: FakeOpenAI, connect: Connect, status: int, text: str
) -> None:
    """The next image is not sent, but everything else is."""
    quirks = ServerQuirks()
    model = provider(connect, quirks)
    server.script(refusal(status, text))
    for _ in range(2):
        with pytest.raises(LLMImageError):
            await ask(model, image())
    assert len(server.completions) == 1
    assert quirks.is_blind
    assert await ask(model)
    assert await ask(model, pdf())


@pytest.mark.parametrize(("status", "text"), OTHER)
async def test_other_error_is_not_learned(
    server: FakeOpenAI, connect: Connect, status: int, text: str
) -> None:
    quirks = ServerQuirks()
    server.script(refusal(status, text))
    with pytest.raises(LLMAPIError) as caught:
        await ask(provider(connect, quirks), image())
    assert not isinstance(caught.value, LLMImageError)
    assert not quirks.is_blind


@pytest.mark.parametrize(("status", "text"), NO_FILES)
async def test_rejected_file_is_learned(
    server: FakeOpenAI, connect: Connect, status: int, text: str
) -> None:
    quirks = ServerQuirks()
    model = provider(connect, quirks)
    server.script(refusal(status, text))
    for _ in range(2):
        with pytest.raises(LLMFileError):
            await ask(model, pdf())
    assert len(server.completions) == 1
    assert quirks.has(Quirk.FILES)
    assert await ask(model, image())


async def test_error_without_attachments_is_about_something_else(
    server: FakeOpenAI, connect: Connect
) -> None:
    quirks = ServerQuirks()
    server.script(refusal(*NO_IMAGES[0]))
    with pytest.raises(LLMAPIError):
        await ask(provider(connect, quirks))
    assert not quirks.is_blind


def test_statement_of_the_server_counts_more_than_a_rejection() -> None:
    quirks = ServerQuirks()
    quirks.note_vision(sees=False)
    assert quirks.is_blind
    quirks.note_vision(sees=True)
    assert not quirks.is_blind
