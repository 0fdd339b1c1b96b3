"""The catalogue of the sample home, and readers of what it offers."""

from typing import Any

from custom_components.chatterbox.agent.dialects.guided.catalogue import Catalogue
from custom_components.chatterbox.agent.dialects.guided.inventory import Action
from custom_components.chatterbox.agent.dialects.guided.scope import Scope, find_scope
from custom_components.chatterbox.agent.messages import ToolCall
from tests.agent.sample_home import HOME, TOOLS

CATALOGUE = Catalogue(TOOLS, HOME)


def scope(text: str, area: str | None = None) -> Scope:
    return find_scope(HOME, CATALOGUE.groups, HOME.mentions(text), area=area)


def to_call(item: Action, catalogue: Catalogue = CATALOGUE) -> ToolCall:
    name, arguments = catalogue.to_call(item)
    return ToolCall(id="1", name=name, arguments=arguments)


def actions(text: str, area: str | None = None, **more: Any) -> dict[str, list[str]]:
    """Return the devices by the verbs that a message can ask for."""
    found: dict[str, list[str]] = {}
    for schema in CATALOGUE.actions(scope(text, area), **more):
        properties = schema["properties"]
        verbs = properties["verb"].get("enum") or [properties["verb"]["const"]]
        for verb in verbs:
            found[verb] = properties.get("device", {}).get("enum", [])
        assert schema["required"] == list(properties)
        assert schema["additionalProperties"] is False
    return found
