"""Page of a device: an agent with its entities."""

from playwright.async_api import Locator, Page

from .assist_dialog import AssistDialog


class DevicePage:
    """Page of the device of an agent."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def card(self, title: str) -> Locator:
        """Return the card with entities of a kind, such as `Diagnostic`."""
        return self.page.locator("ha-device-entities-card").filter(has_text=title)

    def row(self, name: str) -> Locator:
        """Return the row of an entity."""
        return self.page.locator("ha-device-entities-card #entities > *").filter(has_text=name)

    async def open_chat(self) -> AssistDialog:
        """Open the dialog of the agent's entity, which has a chat."""
        await self.card("Assist").locator("hui-text-entity-row, hui-simple-entity-row").click()
        dialog = AssistDialog(self.page, "ha-more-info-dialog")
        await dialog.request.wait_for()
        return dialog
