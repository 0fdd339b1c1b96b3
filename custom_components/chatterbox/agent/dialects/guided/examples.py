"""Few-shot examples of the action grammar, made of the entities of the home.

Their wording is unlike usual commands, so that the model learns the format, not the sentence.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from ...text_match import words
from .catalogue import Catalogue
from .inventory import (
    CALENDAR,
    DATE,
    LOOK_UP,
    MISSING,
    NOW,
    TIME,
    TOMORROW,
    WEATHER,
    WEEK,
    Action,
)


@dataclass(frozen=True, slots=True)
class FewShotExample:
    """A message of a user and the right reply: actions, or an answer."""

    user: str
    do: tuple[Action, ...] = ()
    answer: str = ""


@dataclass(frozen=True, slots=True)
class _ExampleTemplate:
    """An example for the entities of a domain; `{}` stands for the name of one."""

    domain: str
    verb: str
    user: str
    value: int | str | None = None


_TEMPLATES = (
    _ExampleTemplate("light", "turn_on", "It should not be dark any more, I want {} to shine."),
    _ExampleTemplate("light", "turn_off", "{} has shone long enough."),
    _ExampleTemplate("light", "set_brightness", "{} with thirty-five percent of its light.", 35),
    _ExampleTemplate("light", "set_color", "I would love {} in purple.", "purple"),
    _ExampleTemplate("switch", "turn_on", "{} is needed now."),
    _ExampleTemplate("switch", "turn_off", "{} is not needed any more."),
    _ExampleTemplate("cover", "open", "{} belongs up at this hour."),
    _ExampleTemplate("cover", "close", "{} has to be shut, all the way down."),
    _ExampleTemplate("cover", "set_position", "Bring {} to 45 percent.", 45),
    _ExampleTemplate("valve", "open", "Let the water through at {}."),
    _ExampleTemplate("valve", "close", "No more water through {}."),
    _ExampleTemplate("lock", "unlock", "Let them in through {}."),
    _ExampleTemplate("lock", "lock", "Nobody may come in through {} now."),
    _ExampleTemplate("fan", "turn_on", "Some wind from {} would be nice."),
    _ExampleTemplate("fan", "turn_off", "Enough wind from {}."),
    _ExampleTemplate("fan", "set_speed", "{} running at 65 percent.", 65),
    _ExampleTemplate("climate", "set_temperature", "I want it 18 degrees, use {}.", 18),
    _ExampleTemplate("climate", "warmer", "Three degrees more from {}.", 3),
    _ExampleTemplate("climate", "cooler", "Four degrees less from {}.", 4),
    _ExampleTemplate("vacuum", "start_cleaning", "The floor is dirty, {} should take care of it."),
    _ExampleTemplate("vacuum", "return_to_base", "{} has done enough, back to its station."),
    _ExampleTemplate("lawn_mower", "start_mowing", "The grass is high, {} should cut it."),
    _ExampleTemplate("lawn_mower", "return_to_dock", "{} has cut enough and may rest."),
    _ExampleTemplate("media_player", "turn_on", "I want to use {}."),
    _ExampleTemplate("media_player", "turn_off", "I am done with {}."),
    _ExampleTemplate("media_player", "pause", "Hold {} for a moment."),
    _ExampleTemplate("media_player", "set_volume", "{} at 25 percent loudness.", 25),
    _ExampleTemplate("media_player", "next_track", "{}: skip this one."),
    _ExampleTemplate("media_player", "volume_up", "I can hardly hear {}."),
    _ExampleTemplate("todo", "add_to_list", "Write down flour on {}.", "flour"),
    _ExampleTemplate("todo", "complete_item", "Flour on {} is done.", "flour"),
    _ExampleTemplate("scene", "activate", "Time for {}."),
    _ExampleTemplate("humidifier", "set_humidity", "{} to fifty-five percent.", 55),
)
_QUESTIONS = (
    ("light", "Does {} shine at the moment?"),
    ("cover", "Tell me whether {} stands open."),
    ("lock", "Has somebody forgotten to lock {}?"),
    ("climate", "How many degrees does {} say?"),
    ("sensor", "Which value does {} have?"),
    ("switch", "Does {} still work?"),
    ("todo", "Which things stand on {}?"),
    ("vacuum", "Where is {} now?"),
    ("media_player", "Which song comes from {}?"),
)
_KNOWLEDGE = (
    FewShotExample("How many legs has a spider?", answer="A spider has eight legs."),
    FewShotExample("Who painted the Mona Lisa?", answer="Leonardo da Vinci painted it."),
    FewShotExample(
        "How does one clean a wool sweater?", answer="Wash it by hand in cold water, dry it flat."
    ),
    FewShotExample(
        "Why do leaves fall in autumn?", answer="Trees drop them to save water in winter."
    ),
    FewShotExample("What is twelve percent of fifty?", answer="Twelve percent of fifty is six."),
    FewShotExample("Say hello in Spanish.", answer="Hola."),
    FewShotExample("That was kind of you!", answer="You are welcome."),
    FewShotExample("Nice to meet you.", answer="Nice to meet you, too."),
    FewShotExample("Which planet is the largest?", answer="Jupiter is the largest planet."),
    FewShotExample("How long does a potato bake?", answer="About an hour at 200 degrees."),
    FewShotExample("What is nine times nine?", answer="Nine times nine is eighty-one."),
    FewShotExample("Forget it, see you later.", answer="All right, see you later."),
    FewShotExample("Make me laugh.", answer="Why did the bicycle fall over? It was two-tired."),
    FewShotExample("I had a long day.", answer="I hope you can rest now."),
)
# Things that hardly any home has: what to do, the verbs that fit it, and what it is done to.
_RARE = (
    ("Let the {} down.", ("open", "turn_on"), "drawbridge"),
    ("The {} has to go round.", ("turn_on", "activate"), "carousel"),
    ("Enough of the {}.", ("turn_off", "pause"), "fog machine"),
    ("Warm up the {} for me.", ("set_temperature", "turn_on"), "sauna"),
)
_REFUSALS = 2
_MIN_ACTIONS_FOR_COMPOUND = 3


def worked_examples(catalogue: Catalogue) -> list[FewShotExample]:
    """Return examples for each domain of the home, and for questions of general knowledge."""
    actions = list(_actions(catalogue))
    examples = [*actions, *_groups(catalogue)]
    if len(actions) > _MIN_ACTIONS_FOR_COMPOUND:
        first, second = actions[0], actions[len(actions) // 2]
        both = f"{first.user[:-1]}, and {second.user[0].lower()}{second.user[1:]}"
        examples.append(FewShotExample(both, (*first.do, *second.do)))
    return [*examples, *_look_ups(catalogue), *_refusals(catalogue), *_KNOWLEDGE]


def _actions(catalogue: Catalogue) -> Iterator[FewShotExample]:
    for number, template in enumerate(_TEMPLATES):
        entities = [
            entity
            for entity in catalogue.entities_for(template.verb)
            if entity.domain == template.domain
        ]
        if not entities:
            continue
        # Various entities, so that the model learns the format, not the name.
        entity = entities[number % len(entities)]
        action: Action = {"verb": template.verb, "device": catalogue.label(entity)}
        if template.value is not None and (key := catalogue.value_key(template.verb)):
            action[key] = template.value
        yield FewShotExample(template.user.format(entity.name), (action,))


def _groups(catalogue: Catalogue) -> Iterator[FewShotExample]:
    for group in catalogue.groups:
        if group.domain == "light" and group.area:
            action = {"verb": "turn_off", "device": group.label}
            yield FewShotExample(f"It is far too bright in the {group.area}.", (action,))
            return


def _look_ups(catalogue: Catalogue) -> Iterator[FewShotExample]:
    for domain, user in _QUESTIONS:
        entities = [entity for entity in catalogue.entities if entity.domain == domain]
        if entities and catalogue.reads_states:
            action = {"verb": LOOK_UP, "device": catalogue.label(entities[-1])}
            yield FewShotExample(user.format(entities[-1].name), (action,))
    for topic, day, user in (
        (TIME, {}, "Which hour do we have?"),
        (DATE, {}, "Which day of the month do we have?"),
        (WEATHER, {"day": NOW}, "Is it windy out there?"),
        (WEATHER, {"day": TOMORROW}, "Do I need a coat tomorrow?"),
        (CALENDAR, {"day": WEEK}, "At what hour does the tennis match begin?"),
        (CALENDAR, {"day": TOMORROW}, "Do we have any plans tomorrow?"),
    ):
        if topic in catalogue.topics:
            yield FewShotExample(user, ({"verb": LOOK_UP, "device": topic, **day},))


def _refusals(catalogue: Catalogue) -> Iterator[FewShotExample]:
    """Yield commands for things that no device of the home is named after."""
    named = {word for entity in catalogue.entities for name in entity.names for word in words(name)}
    examples = (
        FewShotExample(user.format(thing), ({"verb": verb, "device": MISSING},))
        for user, verbs, thing in _RARE
        if named.isdisjoint(words(thing))
        for verb in [verb for verb in verbs if verb in catalogue.verbs][:1]
    )
    yield from islice(examples, _REFUSALS)
