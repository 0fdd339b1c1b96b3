"""Built-in tool that looks at a camera."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from ...attachments import Attachment
from ...errors import ToolArgumentError
from ...messages import ToolAnnotations, ToolDefinition
from ..arguments import read_arguments
from ..result import DataWithAttachments


class CameraTool:
    """Snapshot of a camera, which the model gets as an image with the next request.

    `cameras` are the names to choose from; `look` returns the image of one, or raises a
    `ToolError`.
    """

    def __init__(
        self, cameras: Sequence[str], look: Callable[[str], Awaitable[Attachment]]
    ) -> None:
        self._look = look
        self.definition = ToolDefinition(
            name="look_at_camera",
            description=(
                "Looks at a camera of the home and shows you what it sees now. Use it when the "
                "user asks what can be seen somewhere, or who or what is there."
            ),
            parameters={
                "type": "object",
                "properties": {
                    "camera": {
                        "type": "string",
                        "enum": list(cameras),
                        "description": "The camera.",
                    }
                },
                "required": ["camera"],
            },
            annotations=ToolAnnotations(
                read_only=True, destructive=False, idempotent=True, open_world=False
            ),
        )

    async def call(self, arguments: dict[str, Any]) -> DataWithAttachments:
        """Return the name of the camera and the type of its `image`, with the image attached."""
        camera = read_arguments(arguments, self.definition.parameters).get("camera")
        if camera is None:
            raise ToolArgumentError("camera must say at which camera to look.")
        image = await self._look(camera)
        return DataWithAttachments({"camera": camera, "image": image.media_type}, image)
