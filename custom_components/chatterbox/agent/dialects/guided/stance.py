"""Stances of a message on actions: carried out at once, after a question, or not offered."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto

from ... import assist
from ...assist import Verb
from ...mentions import ExposedEntity, Mentions, SetPoint


class Stance(Enum):
    """Permission of a message for an action."""

    NO = auto()
    """The action is not offered."""
    ASK = auto()
    """The user is asked before it is carried out."""
    FREE = auto()
    """The action is carried out at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stances:
    """Stances of a message on the verbs for the devices of a home.

    A verb with an opposite needs words for its direction. Without any, only what changes the state
    of the device can be meant; if it moves something, or the state is not known, that is asked.
    """

    mentions: Mentions = field(default_factory=Mentions)
    states: Mapping[str, str] = field(default_factory=dict)
    """States by entity id."""
    numbered: Collection[ExposedEntity] = frozenset()
    """Entities that can be set to a number."""
    set_points: Mapping[str, SetPoint] = field(default_factory=dict)
    """Set points of thermostats by entity id."""
    nearby: Collection[ExposedEntity] = frozenset()
    """Entities of which only the place may be meant."""

    def of(self, verb: Verb, entities: Iterable[ExposedEntity]) -> Stance:
        """Return the stance on a verb for one entity, or for several at once."""
        retracted, single = self.mentions.retracted, {*entities}
        found = {
            Stance.NO if entity in retracted else self._of_one(verb, entity) for entity in single
        }
        if found >= {Stance.FREE, Stance.NO}:
            # Without words for a direction, several devices in different states allow both.
            return Stance.ASK
        most = max(found, key=lambda stance: stance.value, default=Stance.NO)
        may_be_other = verb.groups and not single.isdisjoint(self.mentions.exceptions)
        told = any(entity.domain in self.mentions.described for entity in single)
        if told and self.mentions.is_question:
            return Stance.NO
        is_doubtful = self._is_limited or may_be_other or told
        return Stance.ASK if most is Stance.FREE and is_doubtful else most

    @property
    def _is_limited(self) -> bool:
        mentions = self.mentions
        # *Everything but the lights*: a kind may be an exception.
        is_part = mentions.all_devices and bool(mentions.kinds)
        return mentions.is_negated or mentions.is_qualified or mentions.describes or is_part

    def is_commanded(self, verb: Verb, entity: ExposedEntity) -> bool:
        """Return whether the message states a verb for an entity, and it changes the state."""
        pair, state = assist.direction(verb), self.states.get(entity.entity_id)
        return (
            pair is not None
            and bool(self.mentions.stated(entity, pair[0]))
            and assist.changes(verb, state) is True
            and self.of(verb, [entity]) is Stance.FREE
        )

    def of_value(self, entity: ExposedEntity | None, value: float) -> Stance:
        """Return the stance on setting an entity, or several ones, to a number.

        A number that the message does not have is guessed.
        """
        mentions = self.mentions
        has_number = bool(mentions.numbers or mentions.parts)
        is_for_entity = entity is None or (
            mentions.is_numbered(entity) and entity not in self.nearby
        )
        is_doubtful = (
            mentions.is_question
            or self._is_limited
            or entity in self.mentions.exceptions
            or self._is_turned_off(entity)
            or not mentions.may_be_set(entity, value)
        )
        is_certain = has_number and is_for_entity and not is_doubtful
        return Stance.FREE if is_certain else Stance.ASK

    def _is_turned_off(self, entity: ExposedEntity | None) -> bool:
        """Return whether a message turns an entity off: a number is then that of minutes, say.

        What moves is opened and closed to a position; but Spanish *cuarto* is a room as well.
        """
        if entity is None or self.mentions.stated(entity, assist.SWITCH) != {False}:
            return False
        return not (assist.is_moving(entity.domain) and self.mentions.numbers)

    def _of_one(self, verb: Verb, entity: ExposedEntity) -> Stance:
        pair = assist.direction(verb)
        if pair is not None and verb.step:
            return self._of_step(entity, pair)
        if not self.mentions.directions:
            return Stance.FREE
        if pair is None:
            return self._without_opposite(verb, entity)
        command, is_first = pair
        if stated := self.mentions.stated(entity, command):
            stance = self._stated(stated, entity, is_first=is_first)
            # A number that cannot be set may be a time.
            is_set = self.mentions.is_numbered(entity)
            changes = assist.changes(verb, self.states.get(entity.entity_id))
            # *Open it a crack*: an unknown word after what moves may say how far.
            is_part = entity in self.numbered and self._may_be_partly_moved(entity)
            # With no effect and unknown words, something else may be meant.
            is_doubtful = (
                is_set
                or is_part
                or (changes is False and self.mentions.unknown)
                or self._is_reported(entity, is_first=is_first)
            )
            return Stance.ASK if is_doubtful and stance is Stance.FREE else stance
        return self._place_only(entity, self._unstated(verb, entity, command, is_first=is_first))

    def _is_reported(self, entity: ExposedEntity, *, is_first: bool) -> bool:
        """Return whether a direction of what moves may be reported or depend on something."""
        mentions = self.mentions
        if not assist.is_moving(entity.domain):
            return False
        is_unsafe = bool(mentions.unknown) and assist.lets_in(entity, is_first=is_first)
        return is_unsafe or entity.domain in mentions.reported

    def _may_be_partly_moved(self, entity: ExposedEntity) -> bool:
        return assist.is_moving(entity.domain) and entity.domain in self.mentions.detailed

    def _of_step(self, entity: ExposedEntity, pair: tuple[str, bool]) -> Stance:
        """Return the stance on setting a temperature relative to the current one."""
        mentions, set_point = self.mentions, self.set_points.get(entity.entity_id)
        if set_point is None or any(map(set_point.allows, mentions.numbers)):
            return Stance.NO
        command, is_first = pair
        stated = mentions.stated(entity, command)
        if stated and entity not in self.nearby:
            return self._stated(stated, entity, is_first=is_first)
        is_other = bool(stated or mentions.all_stated(entity) or mentions.is_question)
        is_meant = mentions.numbers or mentions.unknown or entity not in self.nearby
        return Stance.ASK if is_meant and not is_other else Stance.NO

    def _without_opposite(self, verb: Verb, entity: ExposedEntity) -> Stance:
        """Return the stance on a verb without an opposite, such as to stop or to set a color."""
        asks = self.mentions.is_question
        if verb.value:
            if not self._may_be_set(verb, entity):
                return Stance.NO
            return Stance.ASK if asks and verb.choices else Stance.FREE
        if asks:
            # *Do the good night thing* has the form of a question.
            return Stance.ASK if verb.name == assist.ACTIVATE else Stance.NO
        # To stop is another command than to open or to close.
        is_other = assist.is_moving(entity.domain) and self.mentions.directs(entity.domain)
        return self._place_only(entity, Stance.ASK if is_other else Stance.FREE)

    def _may_be_set(self, verb: Verb, entity: ExposedEntity) -> bool:
        """Return whether an entity can be set to a number of the message: two degrees are few."""
        set_point = self.set_points.get(entity.entity_id)
        if verb.name != assist.SET_TEMPERATURE or set_point is None:
            return True
        numbers = self.mentions.numbers
        return not numbers or any(map(set_point.allows, numbers))

    def _place_only(self, entity: ExposedEntity, stance: Stance) -> Stance:
        """Return the stance on an entity of which only the place may be meant."""
        if entity not in self.nearby or stance is Stance.NO:
            return stance
        return Stance.NO if self.mentions else Stance.ASK

    def _unstated(
        self, verb: Verb, entity: ExposedEntity, command: str, *, is_first: bool
    ) -> Stance:
        """Return the stance on a direction where none is stated."""
        mentions = self.mentions
        changes = assist.changes(verb, self.states.get(entity.entity_id))
        # What moves may be said to go up or down, which is no other command.
        is_moving = assist.is_moving(entity.domain)
        steps = mentions.stated(entity, assist.VOLUME_STEP) if is_moving else frozenset()
        others = mentions.all_stated(entity) - steps
        if (
            changes is False
            or mentions.is_question
            or (entity in self.numbered and mentions.is_numbered(entity))
            # *Go on* is not only to turn on, but *off* is not to pause.
            or (others and (others != {True} or not is_first or not changes))
        ):
            return Stance.NO
        if steps:
            # Beside a verb that is not known there is nothing else to understand.
            is_clear = steps == {is_first} and changes and len(mentions.unknown) <= 1
            is_part = self._may_be_partly_moved(entity)
            is_doubtful = not is_clear or is_part or self._may_ask(entity, is_first=is_first)
            return Stance.ASK if is_doubtful else Stance.FREE
        if inherited := mentions.inherited(entity, command):
            if inherited == {is_first}:
                return Stance.FREE
            # What the other clause states has no effect here.
            return Stance.ASK if changes or is_first in inherited else Stance.NO
        is_guess = (
            is_moving
            or assist.has_several_pairs(entity.domain)
            # What has a set point may be said to be too warm.
            or entity.entity_id in self.set_points
            # What is on may be set to something, such as *brighter* or *a quarter*.
            or (entity in self.numbered and not is_first)
            or (command == assist.SWITCH and mentions.is_question is None)
        )
        return Stance.FREE if changes and not is_guess else Stance.ASK

    def _stated(self, stated: Collection[bool], entity: ExposedEntity, *, is_first: bool) -> Stance:
        """Return the stance on a direction where directions are stated."""
        if is_first not in stated:
            return Stance.NO
        is_doubtful = self._may_ask(entity, is_first=is_first) or len(stated) > 1
        return Stance.ASK if is_doubtful else Stance.FREE

    def _may_ask(self, entity: ExposedEntity, *, is_first: bool) -> bool:
        """Return whether a message may ask for the state that a direction leads to.

        A polite request has the form of a question. For what moves it counts as one if all words
        are known, and if it lets nobody in.
        """
        mentions = self.mentions
        if mentions.is_question is not None or not assist.is_moving(entity.domain):
            return bool(mentions.is_question)
        return bool(mentions.unknown) or assist.lets_in(entity, is_first=is_first)
