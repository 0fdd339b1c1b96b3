"""Worked examples of the action grammar, made of what the home has.

Their wording is nobody's command: the model is to learn the form, not the sentence.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from .catalogue import DATE, LOOK_UP, TIME, WEATHER, Catalogue, Item


@dataclass(frozen=True, slots=True)
class FewShotExample:
    """What a user says, and the right reply: what is done, or the answer."""

    user: str
    do: tuple[Item, ...] = ()
    answer: str = ""


@dataclass(frozen=True, slots=True)
class _Template:
    domain: str
    verb: str
    user: str
    value: int | str | None = None


_TEMPLATES = (
    _Template("light", "turn_on", "It should not be dark any more, I want {} to shine."),
    _Template("light", "set_brightness", "{} with thirty-five percent of its light.", 35),
    _Template("light", "set_color", "I would love {} in purple.", "purple"),
    _Template("switch", "turn_off", "{} is not needed any more."),
    _Template("cover", "close", "{} has to be shut."),
    _Template("cover", "set_position", "Bring {} to 45 percent.", 45),
    _Template("valve", "open", "Let the water through at {}."),
    _Template("lock", "unlock", "Let them in through {}."),
    _Template("lock", "lock", "Nobody may come in through {} now."),
    _Template("fan", "turn_off", "Enough wind from {}."),
    _Template("fan", "set_speed", "{} running at 65 percent.", 65),
    _Template("climate", "set_temperature", "I want it 18 degrees, use {}.", 18),
    _Template("vacuum", "start_cleaning", "The floor is dirty, {} should take care of it."),
    _Template("vacuum", "return_to_base", "{} has done enough, back to its station."),
    _Template("lawn_mower", "start_mowing", "The grass is high, {} should cut it."),
    _Template("lawn_mower", "return_to_dock", "{} has cut enough and may rest."),
    _Template("media_player", "pause", "Hold {} for a moment."),
    _Template("media_player", "set_volume", "{} at 25 percent loudness.", 25),
    _Template("media_player", "next_track", "{}: skip this one."),
    _Template("media_player", "volume_up", "I can hardly hear {}."),
    _Template("todo", "add_to_list", "Write down flour on {}.", "flour"),
    _Template("todo", "complete_item", "Flour on {} is done.", "flour"),
    _Template("scene", "activate", "Time for {}."),
    _Template("humidifier", "set_humidity", "{} to fifty-five percent.", 55),
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
_SEVERAL = 3


def worked_examples(catalogue: Catalogue) -> list[FewShotExample]:
    """Return examples for every kind of entity that the home has, and for everything else."""
    actions = list(_actions(catalogue))
    examples = [*actions, *_groups(catalogue)]
    if len(actions) > _SEVERAL:
        first, second = actions[0], actions[len(actions) // 2]
        both = f"{first.user[:-1]}, and {second.user[0].lower()}{second.user[1:]}"
        examples.append(FewShotExample(both, (*first.do, *second.do)))
    return [*examples, *_look_ups(catalogue), *_KNOWLEDGE]


def _actions(catalogue: Catalogue) -> Iterator[FewShotExample]:
    for number, template in enumerate(_TEMPLATES):
        entities = [
            entity
            for entity in catalogue.entities_for(template.verb)
            if entity.domain == template.domain
        ]
        if not entities:
            continue
        # Not always the same one: the model is to learn the form, not the name.
        entity = entities[number % len(entities)]
        item: Item = {"verb": template.verb, "device": catalogue.label(entity)}
        if template.value is not None and (key := catalogue.value_key(template.verb)):
            item[key] = template.value
        yield FewShotExample(template.user.format(entity.name), (item,))


def _groups(catalogue: Catalogue) -> Iterator[FewShotExample]:
    for group in catalogue.groups:
        if group.domain == "light" and group.area:
            item = {"verb": "turn_off", "device": group.label}
            yield FewShotExample(f"It is far too bright in the {group.area}.", (item,))
            return


def _look_ups(catalogue: Catalogue) -> Iterator[FewShotExample]:
    for domain, user in _QUESTIONS:
        entities = [entity for entity in catalogue.entities if entity.domain == domain]
        if entities and catalogue.reads_states:
            item = {"verb": LOOK_UP, "device": catalogue.label(entities[-1])}
            yield FewShotExample(user.format(entities[-1].name), (item,))
    for topic, user in (
        (TIME, "Which hour do we have?"),
        (DATE, "Which day of the month do we have?"),
        (WEATHER, "Do I need a coat tomorrow?"),
    ):
        if topic in catalogue.topics:
            yield FewShotExample(user, ({"verb": LOOK_UP, "device": topic},))
