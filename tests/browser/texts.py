"""Texts of the forms, as the English translation has them."""

import json
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).parents[2]
INTEGRATION = PROJECT / "custom_components" / "chatterbox"
TRANSLATIONS = json.loads((INTEGRATION / "translations" / "en.json").read_text())


def text(path: str) -> str:
    """Return a text by its path, such as `config.step.user.title`; raise `KeyError` without one."""
    found: Any = TRANSLATIONS
    for name in path.split("."):
        found = found[name]
    return str(found)


def label(step: str, field: str) -> str:
    """Return the label of a field of a step, such as `config.step.user`; also of a section's."""
    found: Any = TRANSLATIONS
    for name in step.split("."):
        found = found[name]
    sections = found.get("sections", {}).values()
    labels = [item["data"][field] for item in (found, *sections) if field in item.get("data", {})]
    return str(labels[0])


# What the menu of an agent's form offers.
EDIT = text("config_subentries.conversation.step.reconfigure.menu_options.init")
TEST = text("config_subentries.conversation.step.reconfigure.menu_options.test")
