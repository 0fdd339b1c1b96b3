"""Dialog of a flow: the forms of a config flow, an options flow or a subentry flow."""

import re

from playwright.async_api import Locator, Page, expect

SUBMIT = re.compile("^(Submit|Next)$")


class FlowDialog:
    """The dialog; its forms follow each other."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.dialog = page.locator("dialog-data-entry-flow")
        self.submit_button = self.dialog.get_by_role("button", name=SUBMIT)

    async def expect_step(self, title: str) -> None:
        """Wait for the step with this title."""
        await expect(self.dialog.get_by_text(title, exact=True).first).to_be_visible()

    async def expect_error(self, error: str) -> None:
        """Wait for an error at the top of the form."""
        await expect(self.dialog.locator("ha-alert")).to_contain_text(error)

    def field(self, label: str) -> Locator:
        """Return a text or number field."""
        fields = self.dialog.get_by_role("textbox", name=label)
        return fields.or_(self.dialog.get_by_role("spinbutton", name=label)).first

    def picker(self, label: str) -> Locator:
        """Return a field that opens a list."""
        return self.dialog.get_by_role("button", name=label)

    async def fill(self, label: str, text: str) -> None:
        """Type into a field."""
        await self.field(label).fill(text)

    async def switch(self, label: str) -> None:
        """Turn a switch to its other position, by its key: what is drawn lies over the switch."""
        await self.dialog.get_by_role("switch", name=label).press("Space")

    async def open_section(self, name: str) -> None:
        """Expand a section."""
        await self.dialog.get_by_role("button", name=name).click()

    async def choose(self, option: str) -> None:
        """Choose from a menu."""
        await self.dialog.get_by_text(option, exact=True).click()

    async def follow(self, link: str) -> None:
        """Follow a link in a text."""
        await self.dialog.get_by_role("link", name=link).click()

    async def submit(self) -> None:
        """Submit the form, which is the last one or not."""
        await self.submit_button.click()

    async def finish(self) -> None:
        """Leave the last page of the dialog."""
        await expect(self.submit_button).to_have_count(0)
        await self.dialog.locator("ha-dialog-footer").get_by_role("button").last.click()
        await expect(self.dialog.get_by_role("button")).to_have_count(0)
