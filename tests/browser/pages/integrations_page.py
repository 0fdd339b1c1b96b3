"""Page with all integrations."""

from playwright.async_api import Page

from .flow_dialog import FlowDialog


class IntegrationsPage:
    """Page with all integrations, under Settings → Devices & services."""

    def __init__(self, page: Page) -> None:
        self.page = page

    async def open(self) -> None:
        """Open the page by its address."""
        await self.page.goto("/config/integrations/dashboard")

    async def add(self, name: str) -> FlowDialog:
        """Search for an integration and select it."""
        await self.page.get_by_role("button", name="Add integration").click()
        await self.page.get_by_placeholder("Search for a brand name").fill(name)
        await self.page.get_by_role("listitem").get_by_role("button", name=name, exact=True).click()
        return FlowDialog(self.page)

    async def add_by_link(self, domain: str) -> FlowDialog:
        """Follow the link behind a My button, and confirm it."""
        await self.page.goto(f"/config/integrations/dashboard/add?domain={domain}")
        await self.page.get_by_role("button", name="OK").click()
        return FlowDialog(self.page)
