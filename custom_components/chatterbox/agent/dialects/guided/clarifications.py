"""Questions and refusals of commands whose target or action is in doubt."""

from dataclasses import dataclass

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

    def before(self, action: Action, inventory: Inventory) -> str:
        """Return the question before an action: what becomes of which devices."""
        names = [entity.name for entity in inventory.targets(str(action["device"]))]
        if not 0 < len(names) <= _MAX_NAMES:
            return self.confirm
        name = ", ".join(names)
        if (state := inventory.state_after(action)) is not None:
            return self.should_be.format(name=name, state=state)
        if (wording := inventory.wording(action)) is not None:
            return self.should_do.format(name=name, action=wording)
        return self.do_you_mean.format(name=name)
