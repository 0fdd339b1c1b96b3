"""Tests of schemas made plain."""

from dataclasses import replace

from custom_components.chatterbox.agent.dialects.schemas import (
    allowed_types,
    call_schemas,
    chosen,
    compact,
    first_type,
    for_meant,
    plain_object,
    plain_schema,
    with_names,
)
from custom_components.chatterbox.agent.dialects.vocabulary import Mentioned
from custom_components.chatterbox.agent.messages import ToolAnnotations

from .reading import LIGHT_SET, TURN_ON, WEATHER, tool
from .test_vocabulary import HOME

TURN_OFF = tool("intent__HassTurnOff", name="string", area="string", domain="array")


def test_the_types_of_a_schema_are_found() -> None:
    """However it says them."""
    assert allowed_types({"type": ["null", "string"]}) == ["null", "string"]
    assert first_type({"type": ["null", "string"]}) == "string"
    assert allowed_types({"allOf": [{"type": "integer"}, {"type": "number"}]}) == ["integer"]
    assert allowed_types({"anyOf": [{"type": "string"}, {"type": "array"}]}) == ["string", "array"]
    assert allowed_types({"enum": ["a"]}) == ["string"]
    assert allowed_types({"enum": [1]}) == []
    assert first_type({}) is None


def test_a_plain_schema_has_one_type_and_nothing_special() -> None:
    """So that every server can make a grammar of it."""
    whole = {
        "allOf": [{"type": "integer"}, {"type": "number", "minimum": 0, "maximum": 100}],
        "description": "how much",
    }
    assert plain_schema(whole) == {"type": "integer", "minimum": 0, "maximum": 100}
    assert plain_schema({"const": 1, "title": "x"}) == {"const": 1}
    assert plain_schema({"enum": ["a"], "type": "string"}) == {"enum": ["a"]}
    assert plain_schema({}) == {"type": "string"}
    listed = {"oneOf": [{"type": "array", "items": {"type": "integer"}}]}
    assert plain_schema(listed) == {
        "type": "array",
        "items": {"type": "integer"},
        "minItems": 0,
        "maxItems": 8,
    }
    nested = {"type": "object", "properties": {"a": {"pattern": "x"}}, "required": ["a"]}
    assert plain_schema(nested) == plain_object(nested)
    assert plain_object(nested) == {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "required": ["a"],
        "additionalProperties": False,
    }


def test_a_tool_gets_the_names_of_the_home() -> None:
    """Those of its domain, where it has one."""
    properties = with_names(LIGHT_SET, HOME).parameters["properties"]
    assert properties["name"]["enum"] == ["Bed Light", "Kitchen Lights", "Lamp"]
    assert properties["area"]["enum"] == ["Attic", "Bedroom", "Hall", "Kitchen"]
    text = {"type": "string"}
    plain = replace(TURN_ON, parameters={"properties": {"name": text, "area": text, "domain": {}}})
    properties = with_names(plain, HOME).parameters["properties"]
    assert "Front Door" in properties["name"]["enum"]
    assert properties["domain"]["items"]["enum"] == ["light", "lock"]
    domains = with_names(TURN_ON, HOME).parameters["properties"]["domain"]["items"]["enum"]
    assert domains == ["light", "switch"]


def test_tools_of_home_assistant_are_for_what_they_are_for() -> None:
    """Some do not say it; no lamp can be stopped while it moves."""
    stop = tool("intent__HassStopMoving", name="string", area="string")
    assert with_names(stop, HOME).parameters["properties"] == {}


def test_what_has_no_name_in_the_home_is_no_argument() -> None:
    """Unless the tool cannot do without."""
    floored = tool("a", floor="string", area="string")
    home = replace(HOME, floors=())
    assert set(with_names(floored, home).parameters["properties"]) == {"area"}
    needed = tool("a", ["floor"], floor="string", area="string")
    assert set(with_names(needed, home).parameters["properties"]) == {"floor", "area"}
    timer = tool("timer", name="string")
    assert with_names(timer, home) == timer
    assert with_names(WEATHER, HOME).parameters == WEATHER.parameters


def test_a_call_has_to_tell_what_it_is_about() -> None:
    """By a name, a room, a floor or a kind: tools that change something fail without."""
    keys = [list(schema["properties"]) for schema in call_schemas(TURN_ON)]
    assert keys == [["name", "area", "domain"], ["area", "domain"], ["domain"]]
    assert [schema["required"] for schema in call_schemas(TURN_ON)] == [
        ["name"],
        ["area"],
        ["domain"],
    ]
    for free in (
        WEATHER,
        replace(TURN_ON, annotations=ToolAnnotations(read_only=True)),
        tool("media_player__HassMediaPause", name="string", area="string"),
        tool("a", ["name"], name="string", area="string"),
    ):
        assert call_schemas(free) == [plain_object(free.parameters)]


def test_a_call_is_for_what_is_meant() -> None:
    """By name, or all of a kind in a room; and not for anything else."""
    door = HOME.mentioned("Lock the front door")
    locked = for_meant(TURN_OFF, door)
    assert locked is not None
    assert locked.parameters["properties"] == {"name": {"type": "string", "enum": ["Front Door"]}}
    assert locked.parameters["required"] == ["name"]
    assert for_meant(LIGHT_SET, door) is None
    assert for_meant(tool("intent__HassCancelAllTimers", area="string"), door) is None
    assert for_meant(WEATHER, door) == WEATHER
    lights = Mentioned(area="Kitchen", domain="light", only=True)
    dimmed = for_meant(LIGHT_SET, lights)
    assert dimmed is not None
    assert dimmed.parameters["properties"]["area"] == {"type": "string", "enum": ["Kitchen"]}
    assert dimmed.parameters["required"] == ["area", "domain"]
    assert "name" not in dimmed.parameters["properties"]
    assert for_meant(tool("fan__HassFanSetSpeed", name="string", area="string"), lights) is None


def test_a_percentage_goes_into_the_argument_that_takes_one() -> None:
    """Tools without one are not for it; looking up is."""
    half = HOME.mentioned("Bed light to 50 percent")
    dimmed = for_meant(LIGHT_SET, half)
    assert dimmed is not None
    assert dimmed.parameters["required"] == ["name", "brightness"]
    assert for_meant(TURN_OFF, half) is None
    assert for_meant(replace(TURN_OFF, annotations=ToolAnnotations(read_only=True)), half)


def test_a_compact_tool_is_short() -> None:
    """The first sentence, what is needed first, and nothing that is seldom used."""
    long = replace(
        tool("a", ["level"], area="string", name="string", level="integer", device_class="string"),
        description="Does something with a thing. And a lot more\nthat is to be known. " * 3,
    )
    short = compact(long)
    assert short.description == "Does something with a thing."
    assert list(short.parameters["properties"]) == ["name", "level", "area"]
    assert len(compact(replace(long, description="x" * 500)).description) < 200
    assert compact(replace(long, description="Short")).description == "Short"


def test_of_too_many_tools_those_of_the_home_are_kept() -> None:
    """In the order in which they were."""
    tools = [tool("timer", minutes="integer"), tool("clock"), WEATHER, LIGHT_SET, TURN_ON]
    assert chosen(tools, 9) == tools
    assert [one.name for one in chosen(tools, 3)] == ["clock", LIGHT_SET.name, TURN_ON.name]
