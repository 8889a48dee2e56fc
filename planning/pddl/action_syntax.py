"""Parser of actions from nested lists of words."""

from __future__ import annotations

from commonground.errors import did_you_mean
from commonground.planning.pddl.domain import Action
from commonground.planning.pddl.formula import TRUE
from commonground.planning.pddl.formula_syntax import FormulaSyntax
from commonground.planning.pddl.source import Group, Node


class ActionSyntax(FormulaSyntax):
    """Reads actions from one source."""

    def fields(self, section: Group, known: tuple[str, ...]) -> tuple[str, dict[str, Node]]:
        """Return the name of an action and the node after each of its keywords."""
        what = self.head(section, "':action'")[1:]
        rest = section.items[1:]
        name = self.name(rest[0] if rest else None, f"the name of the {what}", section.end)
        found: dict[str, Node] = {}
        for index in range(1, len(rest), 2):
            key = self.word(rest[index], f"one of {' '.join(known)}", section.end).lower()
            if key not in known:
                hint = did_you_mean(key, known) or f" Expected one of {' '.join(known)}."
                self.source.fail(f"unknown part '{key}' of {what} '{name}'.{hint}", rest[index].at)
            if key in found:
                self.source.fail(f"{what} '{name}' has '{key}' twice", rest[index].at)
            if index + 1 == len(rest):
                self.source.fail(
                    f"expected something after '{key}' of {what} '{name}'", section.end
                )
            found[key] = rest[index + 1]
        return name, found

    def action(self, section: Group) -> Action:
        """Read an action."""
        name, parts = self.fields(section, (":parameters", ":precondition", ":effect"))
        end = section.end
        parameters = self.variables(parts[":parameters"], end) if ":parameters" in parts else ()
        precondition = (
            self.formula(parts[":precondition"], end) if ":precondition" in parts else TRUE
        )
        effects = self.effects(parts[":effect"], end) if ":effect" in parts else ()
        return self.noted(Action(name, parameters, precondition, effects), section.at)
