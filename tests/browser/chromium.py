"""Chromium without a window."""

import os
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from playwright.async_api import Browser, async_playwright

# A machine for tests has no graphics card and no sandbox, and its browser stays off the internet.
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Letters of the same width on every machine.
    "--font-render-hinting=none",
)


def find_chromium() -> str:
    """Return the path of Chromium: what scripts/setup has found, or the machine's own."""
    made = Path(sys.prefix) / "bin" / "chromium"
    found = os.environ.get("CHATTERBOX_CHROMIUM") or shutil.which(made) or shutil.which("chromium")
    assert found, "There is no Chromium; scripts/setup browser gets it from Debian's packages."
    return found


@asynccontextmanager
async def running_chromium() -> AsyncIterator[Browser]:
    """Run Chromium with a new, empty profile until the context ends."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=find_chromium(), headless=True, args=ARGUMENTS
        )
        yield browser
        await browser.close()
