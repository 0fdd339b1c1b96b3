"""Tests of the vocabulary of the home: mentions and targets."""

from dataclasses import replace

import pytest

from custom_components.chatterbox.agent.directions import Directions
from custom_components.chatterbox.agent.home import HomeVocabulary
from custom_components.chatterbox.agent.mentions import (
    ExposedEntity,
    Mentions,
    Place,
    Targets,
    is_of,
    spoken_names,
)
from custom_components.chatterbox.agent.number_words import NumberWords
from custom_components.chatterbox.agent.qualifiers import Qualifiers
from custom_components.chatterbox.agent.questions import Questions
from tests.agent.builders import entity
from tests.agent.sample_home import (
    COUNTER,
    DESK,
    FLOOR_LAMP,
    GARAGE,
    HOME,
    KETTLE,
    LEFT,
    LOCK,
    RADIO,
    RIGHT,
    SENSOR,
    SINK,
    STOVE_K,
    STOVE_O,
)

GERMAN = HomeVocabulary(
    entities=(
        entity("Schreibtischlampe", "light", "Büro"),
        entity("Küchenlicht", "light", "Küche"),
        entity("Waschmaschine", "switch", "Bad"),
    ),
    areas=(Place(name="Büro"), Place(name="Küche"), Place(name="Bad")),
    kinds={"light": ["Licht", "Lampe"], "cover.blind": ["Rollo"]},
    grammar=frozenset({"schalte", "das", "ein", "in", "der"}),
)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("turn on the desk lamp", (DESK,)),
        ("turn on the work light", (DESK,)),
        ("Desk lamps and counter light", (COUNTER, DESK)),
        ("the front door", (LOCK, SENSOR)),
        ("the lamp desk", ()),
        ("", ()),
    ],
)
def test_entity_is_named_by_its_whole_name_or_alias(
    text: str, named: tuple[ExposedEntity, ...]
) -> None:
    assert HOME.mentions(text).named == named


def test_name_within_a_longer_one_is_not_mentioned() -> None:
    home = HomeVocabulary(entities=(entity("Lamp", "light"), entity("Floor Lamp", "light")))
    lamp, floor_lamp = home.entities
    assert home.mentions("the floor lamp").named == (floor_lamp,)
    assert home.mentions("the floor lamp and the other lamp").named == (lamp, floor_lamp)


def test_distinctive_part_of_a_name_is_a_partial_mention() -> None:
    mentions = HOME.mentions("dim the counter")
    assert (mentions.named, mentions.partial) == ((), (COUNTER,))
    assert HOME.mentions("all lights").partial == ()
    assert HOME.mentions("the blinds in the kitchen").partial == ()
    assert (
        HomeVocabulary(entities=(entity("TV of Al", "media_player"),)).mentions("Al").partial == ()
    )


def test_words_of_a_named_entity_mention_nothing_else() -> None:
    mentions = HOME.mentions("turn on the counter light")
    assert (mentions.named, mentions.kinds, mentions.partial) == ((COUNTER,), frozenset(), ())
    assert HOME.mentions("the counter light and all lights").kinds == {"light"}


def test_areas_floors_and_kinds_are_mentioned_by_any_of_their_names() -> None:
    mentions = HOME.mentions("The blinds in the study on the top floor, 20.5 or 3,5 percent")
    assert mentions.areas == ("Office",)
    assert mentions.floors == ("Upstairs",)
    assert mentions.kinds == {"cover.blind"}
    assert mentions.numbers == (20.5, 3.5)


def test_numbers_may_be_spelled_out_and_the_longest_counts() -> None:
    spelled = {("twenty",): 20, ("one",): 1, ("twenty", "one"): 21, ("five",): 5}
    home = replace(HOME, number_words=NumberWords(numbers=spelled))
    mentions = home.mentions("7 minutes, twenty one, five and twenty")
    assert mentions.numbers == (7.0, 21.0, 5.0, 20.0)
    assert mentions.unknown == ("minutes",)


def test_unknown_words_are_those_of_neither_the_home_nor_the_grammar() -> None:
    mentions = HOME.mentions("turn on the toaster and 3 lights")
    assert mentions.unknown == ("toaster",)
    assert HOME.mentions("set all lights").unknown == ()


def test_empty_mentions_are_false() -> None:
    assert not HOME.mentions("good morning")
    assert not HOME.mentions("turn it on")
    for text in ("desk lamp", "counter", "kitchen", "upstairs", "weather"):
        assert HOME.mentions(text)


def test_parts_of_compound_words_are_mentioned_where_words_inflect() -> None:
    lamp, light, washer = GERMAN.entities
    assert GERMAN.mentions("Schalte die Schreibtischlampen ein").named == (lamp,)
    assert GERMAN.mentions("das Licht in der Küche").areas == ("Küche",)
    assert GERMAN.mentions("die Deckenlampe").kinds == {"light"}
    assert GERMAN.mentions("die Waschmaschine").named == (washer,)
    assert GERMAN.mentions("Küchenrollos").areas == ("Küche",)
    english = replace(GERMAN, inflects=False)
    assert english.mentions("die Deckenlampe").kinds == frozenset()
    assert GERMAN.mentions("Küchenlicht").named == (light,)


def test_names_in_scripts_without_spaces_are_found_within_words() -> None:
    home = HomeVocabulary(
        entities=(entity("台所の電気", "light", "台所"), entity("扇風機", "fan")),
        areas=(Place(name="台所"),),
        kinds={"light": ["電気"], "fan": ["扇"]},
    )
    light, fan = home.entities
    assert home.mentions("台所の電気をつけて").named == (light,)
    assert home.mentions("台所は暑い").areas == ("台所",)
    assert home.mentions("電気をつけて").kinds == {"light"}
    assert home.mentions("扇風機").named == (fan,)


def test_names_without_words_are_never_mentioned() -> None:
    home = HomeVocabulary(entities=(entity("…", "light"),), kinds={"light": ["!"]})
    assert not home.mentions("… anything !")


def targets(text: str, area: str | None = None) -> Targets:
    return HOME.targets(HOME.mentions(text), area)


@pytest.mark.parametrize(
    ("text", "area", "certain", "possible"),
    [
        ("the desk lamp", None, (DESK,), ()),
        ("the lights in the kitchen", None, (COUNTER, SINK), ()),
        ("the lights", "Kitchen", (COUNTER, SINK), ()),
        ("the lights", None, (), (COUNTER, DESK, FLOOR_LAMP, SINK)),
        ("the blinds upstairs", None, (LEFT, RIGHT), ()),
        ("dim the counter", None, (), (COUNTER,)),
        ("the desk lamp in the office", None, (DESK,), ()),
        ("the heating", None, (), (STOVE_K, STOVE_O)),
        ("the lock in the kitchen", "Kitchen", (), "Kitchen"),
        ("hello", "Kitchen", (), ()),
    ],
)
def test_targets_are_certain_when_name_or_kind_and_place_are_mentioned(
    text: str,
    area: str | None,
    certain: tuple[ExposedEntity, ...],
    possible: tuple[ExposedEntity, ...] | str,
) -> None:
    if isinstance(possible, str):
        possible = tuple(each for each in HOME.entities if each.area == possible)
    found = targets(text, area)
    assert (found.certain, found.possible) == (certain, possible)
    assert found.entities == (*certain, *possible)


def test_kind_of_a_named_entity_refers_to_that_entity() -> None:
    found = HOME.targets(Mentions(named=(LEFT,), kinds=frozenset({"cover.blind"})))
    assert (found.certain, found.possible) == ((LEFT,), ())


def test_kinds_are_the_domain_and_the_device_class() -> None:
    assert is_of(LEFT, {"cover"})
    assert is_of(LEFT, {"cover.blind"})
    assert not is_of(LEFT, {"cover.garage", "light"})
    assert not is_of(LOCK, ())


COMMANDS = HomeVocabulary(
    entities=(entity("Open Day", "cover", None),),
    directions={
        ("cover", "move"): Directions(
            on=frozenset({frozenset({"open"}), frozenset({"let", "up"})}),
            off=frozenset({frozenset({"close"})}),
        )
    },
    questions=Questions(asked=frozenset({"is"})),
    everything=frozenset({frozenset({"all"}), frozenset({"whole", "house"})}),
    inflects=False,
)


@pytest.mark.parametrize(
    ("text", "directions"),
    [
        ("open it", {True}),
        ("let it up", {True}),
        ("up with it", set()),
        ("reopen it", set()),
        ("close open day", {False}),
        ("open one and close one", {True, False}),
    ],
)
def test_words_of_a_command_indicate_its_direction(text: str, directions: set[bool]) -> None:
    mentions = COMMANDS.mentions(text)
    assert mentions.directions == {("cover", "move"): frozenset(directions)}


def test_question_is_known_by_its_first_word() -> None:
    assert COMMANDS.mentions("Is it open?").is_question is True
    assert COMMANDS.mentions("open it, it is dark").is_question is False
    assert HOME.mentions("is it open").is_question is None


@pytest.mark.parametrize(
    ("text", "negated"),
    [
        ("open it", False),
        ("not open it", True),
        ("do not bother, I am fine", True),
        ("it is not nice, open it", False),
        ("do not open it, it is fine", True),
    ],
)
def test_negation_is_for_what_a_command_says(text: str, *, negated: bool) -> None:
    home = replace(COMMANDS, negations=frozenset({"not"}))
    assert home.mentions(text).is_negated is negated


def test_negation_may_be_for_any_of_several_devices() -> None:
    home = replace(HOME, directions=COMMANDS.directions, negations=frozenset({"not"}))
    assert home.mentions("open the Desk Lamp, not the Kettle").is_negated


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        ("open it", False),
        ("please open the rusty thing", False),
        ("I am leaving, open it", False),
        ("it up please let", False),
        ("is it open", True),
        ("leave it open", True),
        ("I wonder who may open it", True),
        ("nothing of that sort", False),
    ],
)
def test_command_begins_its_clause_or_has_no_other_words(text: str, *, reported: bool) -> None:
    polite = frozenset({("please",)})
    home = replace(
        COMMANDS,
        grammar=frozenset({"it", "let", "up", "open", "close", "please"}),
        questions=replace(COMMANDS.questions, polite=polite),
    )
    assert home.mentions(text).reported == ({"cover"} if reported else set())


OPEN_DAY = COMMANDS.entities[0]


@pytest.mark.parametrize(
    ("text", "apart"),
    [
        ("close open day", False),
        ("close whatever but not open day", True),
        ("close whatever or open day, close it", True),
        ("whatever close it open day", False),
        ("open day stays, close it", False),
        ("open day close it", False),
        ("whatever of open day", False),
    ],
)
def test_name_is_apart_from_commands_by_unknown_words(text: str, *, apart: bool) -> None:
    home = replace(COMMANDS, grammar=frozenset({"open", "close", "it", "let", "up"}))
    assert home.mentions(text).apart == ({OPEN_DAY} if apart else set())


@pytest.mark.parametrize(
    ("text", "excepted"),
    [
        ("all lights and the desk lamp", {DESK}),
        ("all of the desk lamp", set()),
        ("all lights and the left blind", set()),
        # A word for the kind beside the name belongs to it.
        ("all of the light desk lamp", set()),
        ("lights and the desk lamp", set()),
        # Nor is a verb such a word.
        ("all the blinds and lock just the front door", set()),
        ("all the locks but the front door", {LOCK}),
    ],
)
def test_named_beside_all_of_their_kind_may_be_exceptions(
    text: str, excepted: set[ExposedEntity]
) -> None:
    lock = Directions(on=frozenset({frozenset({"lock"})}))
    home = replace(
        HOME,
        everything=frozenset({frozenset({"all"})}),
        directions={("lock", "HassTurnOn"): lock},
    )
    assert home.mentions(text).excepted == excepted


def test_entity_of_a_kind_in_an_area_is_not_named_as_a_single_one() -> None:
    only = entity("Attic light", "light", "Attic")
    home = HomeVocabulary(
        entities=(only, entity("Lamp", "light", "Attic")),
        areas=(Place(name="Attic"),),
        kinds={"light": ["light", "lamp"]},
    )
    found = home.mentions("lights in the attic")
    assert (found.named, found.single) == ((only,), frozenset())
    assert home.mentions("attic light").single == {only}


def test_number_in_a_name_is_not_for_its_device() -> None:
    spot, fan = entity("Spot 2", "light", "Hall"), entity("Fan", "fan", "Hall")
    home = HomeVocabulary(entities=(spot, fan))
    named, numbered = home.mentions("spot 2 and fan"), home.mentions("spot 2 and fan 30")
    assert not named.is_numbered(spot)
    assert not named.is_numbered(fan)
    assert (numbered.is_numbered(spot), numbered.is_numbered(fan)) == (False, True)


def test_correction_retracts_what_was_named_before_it() -> None:
    home = replace(HOME, qualifiers=Qualifiers(refusals=frozenset({"no"})))
    found = home.mentions("the desk lamp, no, the kettle")
    assert (found.retracted, found.is_qualified) == (frozenset({DESK}), True)
    again = home.mentions("the desk lamp and the kettle, no wait, just the kettle")
    assert (again.retracted, again.is_qualified) == (frozenset(), True)
    plain = home.mentions("no, the desk lamp and the kettle")
    assert (plain.retracted, plain.is_qualified) == (frozenset(), False)


@pytest.mark.parametrize(
    ("text", "numbers", "qualified"),
    [
        ("the desk lamp to 50 no make that 20", (20.0,), True),
        ("the desk lamp to 50, no, 20.5 percent", (20.5,), True),
        ("the desk lamp to 20.5, no, 50 percent", (50.0,), True),
        ("the desk lamp to 50, no wait", (50.0,), True),
        ("the desk lamp to 50, no, the kettle", (50.0,), True),
        ("no, the desk lamp to 50", (50.0,), False),
        ("the desk lamp to 50 and the kettle to 20", (50.0, 20.0), False),
    ],
)
def test_number_after_a_correction_counts(
    text: str, numbers: tuple[float, ...], *, qualified: bool
) -> None:
    home = replace(HOME, qualifiers=Qualifiers(refusals=frozenset({"no"})))
    found = home.mentions(text)
    assert (found.numbers, found.is_qualified) == (numbers, qualified)


def test_correction_of_a_number_retracts_no_device() -> None:
    home = replace(HOME, qualifiers=Qualifiers(refusals=frozenset({"no"})))
    assert not home.mentions("the desk lamp to 50 no 20").retracted


def test_words_for_everything_are_recognized() -> None:
    assert COMMANDS.mentions("close all of them").everything
    assert COMMANDS.mentions("close the whole house").everything
    assert not COMMANDS.mentions("close the house").everything


VALVE = entity("Main water valve", "valve", "Hall")
DESCRIBED = HomeVocabulary(
    entities=(
        VALVE,
        entity("Bedside light", "light", "Main room"),
        entity("Light", "light", "Hall"),
    ),
    areas=(Place(name="Main room"), Place(name="Bedside")),
    kinds={"valve": ["valve", "water"], "light": ["light", "lamp"]},
)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("turn the main water off", ["Main water valve"]),
        ("the bedside lamp", []),
        ("the lamp at my bedside table", []),
        ("main course", []),
        ("water", []),
        ("the lamp", []),
    ],
)
def test_entity_is_named_by_its_kind_and_the_rest_of_its_name(text: str, named: list[str]) -> None:
    assert [each.name for each in DESCRIBED.mentions(text).named] == named
    without_areas = replace(DESCRIBED, areas=())
    if "bedside" in text:
        assert [each.name for each in without_areas.mentions(text).named] == ["Bedside light"]


def test_best_phrases_share_most_words_with_the_message() -> None:
    home = HomeVocabulary(grammar=frozenset({"the", "is", "gate"}))
    mentions = home.mentions("the cat is fed")
    assert mentions.best_of(["Feed the cat", "Water the plants", "The cat"]) == [
        "Feed the cat",
        "The cat",
    ]
    assert home.mentions("the gate").best_of(["Fix the gate", "Paint the wall"]) == ["Fix the gate"]
    assert home.mentions("hello").best_of(["Fix the gate"]) == []
    assert mentions.best_of([]) == []


def test_only_spelled_numbers_are_followed_by_a_half() -> None:
    home = HomeVocabulary(number_words=NumberWords(numbers={("nineteen",): 19}))
    mentions = home.mentions("nineteen bits or 20 bits")
    assert (mentions.numbers, mentions.halved_numbers) == ((20.0, 19.0), (19.5,))


@pytest.mark.parametrize(
    ("text", "detailed"),
    [
        ("open the blind a crack", {"cover"}),
        ("open the shutter a crack", {"cover"}),
        ("open the blind, it is dark", set()),
        ("kindly open the blind", set()),
    ],
)
def test_unknown_word_after_a_device_is_a_detail_of_it(text: str, detailed: set[str]) -> None:
    home = HomeVocabulary(
        entities=(entity("Blind", "cover", None),),
        kinds={"cover": {"shutter"}},
        grammar=frozenset({"open", "the", "a", "it", "is"}),
        directions={("cover", "open"): Directions(on=frozenset({frozenset({"open"})}))},
    )
    assert home.mentions(text).detailed == detailed


TWINS = HomeVocabulary(
    entities=(
        entity("Lamp", "light", "Lounge"),
        entity("Lamp", "light", "Study"),
        entity("Patio", "light", "Garden"),
        entity("Patio", "cover", "Garden", device_class="awning"),
    ),
    areas=(Place(name="Lounge"), Place(name="Study")),
    kinds={"light": ["light", "out"], "cover.awning": ["awning"]},
    directions={("light", "turn"): Directions(off=frozenset({frozenset({"off"})}))},
)


@pytest.mark.parametrize(
    ("text", "area", "certain"),
    [
        ("lamp on", None, [("light", "Lounge"), ("light", "Study")]),
        ("study lamp on", None, [("light", "Study")]),
        ("study lamp on", "Lounge", [("light", "Study")]),
        ("lamp on", "Lounge", [("light", "Lounge")]),
        ("patio awning out", None, [("cover", "Garden")]),
        ("patio light", None, [("light", "Garden")]),
        ("patio light off but not the awning", None, [("light", "Garden"), ("cover", "Garden")]),
        ("patio", None, [("light", "Garden"), ("cover", "Garden")]),
    ],
)
def test_entities_of_one_name_are_told_apart_by_place_and_kind(
    text: str, area: str | None, certain: list[tuple[str, str]]
) -> None:
    found = TWINS.targets(TWINS.mentions(text), area).certain
    assert [(each.domain, each.area) for each in found] == certain


def test_verb_is_no_form_of_a_word_for_a_kind() -> None:
    home = HomeVocabulary(
        entities=(entity("Fan", "switch", None), entity("Lamp", "light", None)),
        kinds={"switch": frozenset({"schalter"}), "light": frozenset({"licht", "an"})},
        directions={
            ("light", "turn"): Directions(
                on=frozenset({frozenset({"schalt", "an"})}), off=frozenset({frozenset({"aus"})})
            )
        },
    )
    assert home.mentions("schalt die Lamp aus").kinds == set()
    assert home.mentions("die Schalter aus").kinds == {"switch"}
    assert home.mentions("alle an").kinds == {"light"}


@pytest.mark.parametrize(
    ("text", "certain", "possible"),
    [
        # Another light is there.
        ("turn on the lamp in the kitchen", ["Counter Light", "Sink Light"], []),
        ("turn on the lamp in the office", ["Lamp"], []),
        ("turn on the lamp upstairs", ["Lamp"], []),
        # No blind is there, and a radio only where it is named.
        ("close the left blind in the kitchen", [], ["Left Blind"]),
        ("pause the radio in the office", [], ["Radio"]),
        ("open the garage door in the office", ["Garage Door"], []),
        # It has a name of its own.
        ("turn on the counter light in the office", [], ["Counter Light"]),
        # The place may be that of the lights.
        ("turn off the radio and the lights in the office", ["Lamp", "Radio"], []),
        ("turn on the lamp and the kettle in the kitchen", ["Kettle", "Lamp"], []),
    ],
)
def test_named_device_is_not_meant_elsewhere(
    text: str, certain: list[str], possible: list[str]
) -> None:
    lamp = replace(DESK, name="Lamp", aliases=())
    entities = (COUNTER, GARAGE, KETTLE, lamp, LEFT, RADIO, SINK)
    home = replace(HOME, entities=entities, kinds={**HOME.kinds, "light": ["light", "lamp"]})
    mentions = home.mentions(text)
    found = home.targets(mentions)
    assert [entity.name for entity in found.certain] == certain
    named = [e.name for e in found.possible if e in mentions.misplaced]
    assert named == possible


def test_all_of_a_kind_are_not_those_that_are_named_after_it() -> None:
    lamp = replace(DESK, name="Lamp", aliases=())
    kinds = {**HOME.kinds, "light": ["light", "lamp"]}
    home = replace(
        HOME,
        entities=(COUNTER, KETTLE, lamp),
        kinds=kinds,
        all_of_kind=frozenset({"all"}),
        questions=Questions(commanded=frozenset({"turn"})),
    )
    one = home.mentions("turn off the lamp")
    assert (one.named, one.all_of_kind) == ((lamp,), False)
    every = home.mentions("turn off all the lamps")
    assert not every.named
    assert every.kinds == {"light"}
    assert every.all_of_kind
    for text in (
        "turn off all lights but the lamp",
        "turn off all lamps but the lamp in the office",
        "that's all, turn the lamp off",
        "the lamp off, all is said",
        "the kids are all in bed so turn the lamp off",
    ):
        assert home.mentions(text).named == (lamp,)
    assert home.mentions("turn off all lights and the kettle").named == (KETTLE,)


@pytest.mark.parametrize(
    ("text", "areas"),
    [
        ("lights in the bedroom", ("Main bedroom",)),
        ("the bedroom lights off", ("Main bedroom",)),
        ("the bedroom is tidy, turn the light off", ()),
        ("lights in the guest room", ("Guest room",)),
        ("lights in the room", ()),
        # A device elsewhere has the word in its name.
        ("the main light", ()),
        ("close the bath", ()),
    ],
)
def test_distinctive_word_of_an_area_is_enough(text: str, areas: tuple[str, ...]) -> None:
    names = ("Main bedroom", "Guest room", "Bath room", "Kitchen")
    valve = replace(KETTLE, name="Main valve", area="Kitchen")
    tub = replace(KETTLE, name="Bath", area="Main bedroom")
    home = replace(
        HOME,
        entities=(valve, tub),
        areas=tuple(Place(name=name) for name in names),
        grammar=HOME.grammar | {"guest"},
        prepositions=frozenset({"in"}),
    )
    assert home.mentions(text).areas == areas


def test_place_that_is_not_known_is_elsewhere() -> None:
    home = replace(GERMAN, prepositions=frozenset({"in"}))
    assert home.mentions("das Licht in der Diele").is_elsewhere
    assert not home.mentions("das Licht in der Küche").is_elsewhere


def test_word_of_a_verb_names_nothing() -> None:
    """*Bring it back in* is not about the back door."""
    back = Directions(on=frozenset({frozenset({"go", "back"})}))
    home = HomeVocabulary(
        entities=(entity("Back door", "lock"), entity("Side door", "lock")),
        directions={("media_player", "previous"): back},
        inflects=False,
    )
    assert home.mentions("bring it back in").partial == ()
    assert home.mentions("the side one").partial == (home.entities[1],)


@pytest.mark.parametrize(
    ("text", "stove", "lamp"),
    [
        # What is before the verb of a clause belongs to the one before.
        ("turn the stove to 18 and turn the lamp off", True, False),
        ("turn the stove to 18, turn the lamp to 40", True, True),
        ("turn the stove to 18 and the lamp off", True, True),
        ("turn the lamp off and the stove to 18", True, False),
    ],
)
def test_number_belongs_to_the_device_of_its_clause(
    text: str,
    stove: bool,  # noqa: FBT001 - a column
    lamp: bool,  # noqa: FBT001 - a column
) -> None:
    turned = Directions(
        on=frozenset({frozenset({"turn", "on"})}), off=frozenset({frozenset({"turn", "off"})})
    )
    home = HomeVocabulary(
        entities=(entity("Stove", "climate"), entity("Lamp", "light")),
        directions={("light", "turn"): turned, ("climate", "turn"): turned},
        inflects=False,
    )
    clauses = home.mentions(text).clauses
    assert [bool(clauses[each].numbers) for each in home.entities] == [stove, lamp]


def test_spoken_names_have_the_area_where_they_repeat() -> None:
    assert spoken_names((STOVE_K, DESK, STOVE_O)) == [
        "Stove (Kitchen)",
        "Desk Lamp",
        "Stove (Office)",
    ]
