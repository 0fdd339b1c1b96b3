"""Built-in tool that looks at a camera."""

import pytest

from custom_components.chatterbox.agent.attachments import Attachment
from custom_components.chatterbox.agent.errors import ToolArgumentError, ToolError
from custom_components.chatterbox.agent.tools.builtin.camera import CameraTool
from custom_components.chatterbox.agent.tools.guard import ToolGuard
from custom_components.chatterbox.agent.tools.registry import ToolRegistry
from tests.agent.builders import call
from tests.agent.sample_files import image


async def look(camera: str) -> Attachment:
    if camera == "Cellar":
        raise ToolError("Cellar is unavailable.")
    return image(camera)


TOOL = CameraTool(["Cellar", "Door"], look)


async def test_image_is_attached_to_the_result_and_not_in_its_data() -> None:
    result = await ToolGuard(ToolRegistry([TOOL])).dispatch(call("look_at_camera", camera="Door"))
    assert result.attachments == (image("Door"),)
    assert result.data == {"camera": "Door", "image": "image/png"}
    assert type(result.data) is dict
    assert image().data not in result.content


async def test_error_has_no_image() -> None:
    result = await ToolGuard(ToolRegistry([TOOL])).dispatch(call("look_at_camera", camera="Cellar"))
    assert (result.error_text, result.attachments) == ("Cellar is unavailable.", ())


async def test_unknown_camera_is_answered_with_the_names() -> None:
    with pytest.raises(ToolArgumentError, match="Cellar, Door"):
        await TOOL.call({"camera": "Garden"})


async def test_missing_camera_is_an_argument_error() -> None:
    with pytest.raises(ToolArgumentError):
        await TOOL.call({"camera": ""})


def test_cameras_are_an_enumeration() -> None:
    assert TOOL.definition.parameters["properties"]["camera"]["enum"] == ["Cellar", "Door"]
    assert TOOL.definition.annotations.read_only
