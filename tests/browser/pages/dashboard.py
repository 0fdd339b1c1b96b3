"""A dashboard of cards."""

from playwright.async_api import Locator, Page


class Dashboard:
    """A dashboard, at its own address."""

    def __init__(self, page: Page, path: str) -> None:
        self.page = page
        self.path = path
        self.errors = page.locator("hui-error-card, hui-warning")

    async def open(self) -> None:
        """Open the dashboard."""
        await self.page.goto(f"/{self.path}")

    def card(self, title: str) -> Locator:
        """Return the card with this title."""
        return self.page.locator("hui-card").filter(has_text=title)
