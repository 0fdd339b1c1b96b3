"""Page with the voice assistants."""

from playwright.async_api import Page, expect


class AssistantsPage:
    """Page with the assistants, under Settings → Voice assistants."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.dialog = page.locator("dialog-voice-assistant-pipeline-detail")

    async def open(self) -> None:
        """Open the page by its address."""
        await self.page.goto("/config/voice-assistants/assistants")

    async def set_agent(self, assistant: str, agent: str) -> None:
        """Select the conversation agent of an assistant."""
        assistants = self.page.locator("assist-pref")
        await assistants.get_by_role("button", name=assistant).first.click()
        await self.dialog.get_by_role("button", name="Conversation agent").click()
        await self.dialog.get_by_role("menuitem", name=agent).click()
        await self.dialog.get_by_role("button", name="Update").click()
        await expect(self.dialog.get_by_role("button", name="Update")).to_have_count(0)
