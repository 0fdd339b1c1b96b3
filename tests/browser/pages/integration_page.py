"""Page of one integration: its servers with their agents."""

from playwright.async_api import Page

from .flow_dialog import FlowDialog


class IntegrationPage:
    """Page of Chatterbox, with a single server."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.server = page.locator("ha-config-entry-row")
        # What Home Assistant waits for, such as a new key.
        self.attention = page.get_by_text("Attention required")

    async def open(self) -> None:
        """Open the page by its address."""
        await self.page.goto("/config/integrations/integration/chatterbox")
        await self.server.wait_for()

    async def configure(self) -> FlowDialog:
        """Open the options of the server."""
        await self.server.get_by_role("button", name="Configure", exact=True).click()
        return FlowDialog(self.page)

    async def reconfigure(self) -> FlowDialog:
        """Open the address and key of the server."""
        await self.open_menu()
        await self.page.get_by_role("menuitem", name="Reconfigure").click()
        return FlowDialog(self.page)

    async def reauthenticate(self) -> FlowDialog:
        """Open the form for a new key, where Home Assistant asks for one."""
        await self.attention.wait_for()
        await self.page.get_by_role("button", name="Reconfigure", exact=True).click()
        return FlowDialog(self.page)

    async def reconfigure_agent(self, choice: str) -> FlowDialog:
        """Open the menu of the agent's form, and choose from it."""
        await self.page.get_by_role("button", name="Reconfigure conversation agent").click()
        dialog = FlowDialog(self.page)
        await dialog.choose(choice)
        return dialog

    async def add(self, kind: str) -> FlowDialog:
        """Add something to the server, by its menu."""
        await self.open_menu()
        await self.page.get_by_role("menuitem", name=kind).click()
        return FlowDialog(self.page)

    async def open_menu(self) -> None:
        """Open the menu of the server."""
        await self.server.get_by_role("button", name="Menu").first.click()

    async def open_device(self) -> None:
        """Open the page of the device of the only agent."""
        await self.page.get_by_role("link", name="1 service").first.click()
