"""Count of clicks and typed fields, as a person makes them."""

from playwright.async_api import BrowserContext

# Presses and typing reach the window from every shadow root. Only those of a person count: pages
# click by script, too. A field is counted once, however much is typed into it.
SCRIPT = """
window.addEventListener("pointerdown", (event) => {
  if (event.isTrusted) countInteraction("click");
}, true);
const typed = new WeakSet();
window.addEventListener("input", (event) => {
  const field = event.composedPath()[0];
  const text = !["checkbox", "radio"].includes(field.type);
  if (event.isTrusted && text && !typed.has(field)) {
    typed.add(field);
    countInteraction("field");
  }
}, true);
"""


class Interactions:
    """Clicks and typed fields on the pages of a browser context."""

    def __init__(self) -> None:
        self.clicks = 0
        self.fields = 0

    async def count_in(self, context: BrowserContext) -> None:
        """Count on all pages that are opened from now on."""
        await context.expose_function("countInteraction", self._count)
        await context.add_init_script(SCRIPT)

    def _count(self, kind: str) -> None:
        if kind == "click":
            self.clicks += 1
        else:
            self.fields += 1
