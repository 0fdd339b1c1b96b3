"""Assist dialog: a conversation with an assistant or an agent."""

from playwright.async_api import Locator, Page, expect


class AssistDialog:
    """A chat: that of the Assist dialog, or of the dialog of an agent's entity."""

    def __init__(self, page: Page, element: str) -> None:
        self.page = page
        self.dialog = page.locator(element)
        self.request = self.dialog.get_by_role("textbox", name="Enter a request")

    async def choose_assistant(self, name: str) -> None:
        """Select the assistant that answers."""
        await self.dialog.locator("ha-dropdown").get_by_role("button").click()
        await self.page.get_by_role("menuitem", name=name, exact=True).click()

    async def ask(self, text: str) -> None:
        """Send a request; the answer may take a while."""
        await self.request.fill(text)
        await self.request.press("Enter")

    @property
    def answer(self) -> Locator:
        """The text of the last answer, as far as it has been written."""
        return self.dialog.locator(".message.hass ha-markdown").last

    @property
    def error(self) -> Locator:
        """The last answer, if it is shown as an error."""
        return self.dialog.locator(".message.error")

    async def expect_answer(self, text: str) -> None:
        """Wait until the last answer is exactly this text."""
        await expect(self.answer).to_have_text(text)
