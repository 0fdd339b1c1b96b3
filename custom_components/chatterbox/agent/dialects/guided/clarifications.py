"""Questions and refusals of commands whose target or action is in doubt."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...mentions import ExposedEntity, spoken_names
from .inventory import Action, Inventory

# As many names as one remembers when listening.
_MAX_NAMES = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Clarifications:
    """Localized sentences for commands whose target is in doubt."""

    do_you_mean: str = "Do you mean {name}?"
    which_one: str = "Which one do you mean: {names}?"
    no_such_device: str = "I cannot find that device."
    confirm: str = "Are you sure?"
    should_be: str = "Should {name} be {state}?"
    should_do: str = "{name}: {action}?"
    and_more: str = "{names} and {count} more"

    def before(
        self, action: Action, entities: Sequence[ExposedEntity], inventory: Inventory
    ) -> str:
        """Return the question before an action: what becomes of which devices."""
        if not entities:
            return self.confirm
        name = self._names(entities)
        if (state := inventory.state_after(str(action["verb"]), entities)) is not None:
            return self.should_be.format(name=name, state=state)
        if (wording := inventory.wording(action, entities)) is not None:
            return self.should_do.format(name=name, action=wording)
        return self.do_you_mean.format(name=name)

    def _names(self, entities: Sequence[ExposedEntity]) -> str:
        """Return the names of entities; of very many, the first ones and the number of others."""
        names = ", ".join(spoken_names(entities)[:_MAX_NAMES])
        count = len(entities) - _MAX_NAMES
        return self.and_more.format(names=names, count=count) if count > 0 else names
