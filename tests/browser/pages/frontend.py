"""The frontend as a whole: login, navigation."""

from playwright.async_api import Page

from .assist_dialog import AssistDialog


class Frontend:
    """The frontend in one page of the browser."""

    def __init__(self, page: Page) -> None:
        self.page = page

    async def log_in(self, username: str, password: str) -> None:
        """Log in on the login page."""
        await self.page.goto("/")
        await self.page.get_by_label("Username").fill(username)
        await self.page.get_by_label("Password", exact=True).fill(password)
        await self.page.get_by_role("button", name="Log in").click()
        await self.page.locator("home-assistant-main").wait_for()

    async def open_overview(self) -> None:
        """Open the overview, where everybody begins."""
        await self.page.goto("/home/overview")
        await self.page.get_by_role("heading", name="Areas").wait_for()

    async def open_settings(self, name: str) -> None:
        """Open a page of the settings by the sidebar."""
        await self.page.locator("ha-sidebar").get_by_role("link", name="Settings").click()
        await self.page.locator("ha-config-dashboard").get_by_role("link", name=name).click()

    async def open_assist(self) -> AssistDialog:
        """Open the Assist dialog, by its key."""
        await self.page.keyboard.press("a")
        dialog = AssistDialog(self.page, "ha-voice-command-dialog")
        await dialog.request.wait_for()
        return dialog
