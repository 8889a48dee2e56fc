"""Parser of actions, instantaneous and durative, from nested lists of words."""

from __future__ import annotations

from commonground.errors import did_you_mean
from commonground.planning.pddl.domain import Action, DurativeAction
from commonground.planning.pddl.formula import (
    TRUE,
    Formula,
    Instant,
    TimedCondition,
    TimedEffect,
    Typed,
)
from commonground.planning.pddl.formula_syntax import FormulaSyntax, joined
from commonground.planning.pddl.source import Group, Node, Word, shown

_INSTANTS: dict[tuple[str, str], Instant] = {
    ("at", "start"): "start", ("over", "all"): "all", ("at", "end"): "end"
}  # fmt: skip


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
        """Read an instantaneous action."""
        name, parts = self.fields(section, (":parameters", ":precondition", ":effect"))
        end = section.end
        parameters = self.variables(parts[":parameters"], end) if ":parameters" in parts else ()
        precondition = (
            self.formula(parts[":precondition"], end) if ":precondition" in parts else TRUE
        )
        effects = self.effects(parts[":effect"], end) if ":effect" in parts else ()
        return self.noted(Action(name, parameters, precondition, effects), section.at)

    # ---- durative actions ---------------------------------------------------------------------

    def durative(self, section: Group) -> DurativeAction:
        """Read a durative action."""
        name, parts = self.fields(section, (":parameters", ":duration", ":condition", ":effect"))
        end = section.end
        if ":duration" not in parts:
            self.source.fail(f"durative-action '{name}' needs ':duration'", end)
        return self.noted(
            DurativeAction(
                name,
                self.variables(parts[":parameters"], end) if ":parameters" in parts else (),
                self.formula(parts[":duration"], end),
                tuple(self.timed_conditions(parts[":condition"], end))
                if ":condition" in parts
                else (),
                tuple(self.timed_effects(parts[":effect"], (), TRUE, TRUE, end))
                if ":effect" in parts
                else (),
            ),
            section.at,
        )

    def instant(self, group: Group) -> Instant | None:
        """Return when ``(at start …)``, ``(over all …)`` or ``(at end …)`` is, or None."""
        words = [item.text.lower() for item in group.items[:2] if isinstance(item, Word)]
        return (
            _INSTANTS.get((words[0], words[1]))
            if len(words) == 2 and len(group.items) == 3
            else None
        )

    def timed_conditions(self, node: Node | None, after: int) -> list[TimedCondition]:
        """Read a conjunction of timed conditions."""
        group = self.group(node, "a timed condition such as '(at start …)'", after)
        if not group.items:
            return []
        when = self.instant(group)
        if when is not None:
            return [
                self.noted(TimedCondition(when, self.formula(group.items[2], group.end)), group.at)
            ]
        if self.head(group, "'and', 'at' or 'over'").lower() == "and":
            return [c for item in group.items[1:] for c in self.timed_conditions(item, group.end)]
        form = "'(at start …)', '(over all …)' or '(at end …)'"
        self.source.fail(f"expected {form}, found {shown(group)}", group.at)

    def timed_effects(
        self,
        node: Node | None,
        bound: tuple[Typed, ...],
        begin: Formula,
        finish: Formula,
        after: int,
    ) -> list[TimedEffect]:
        """Read timed effects; ``begin`` and ``finish`` are what enclosing conditions ask."""
        group = self.group(node, "a timed effect such as '(at end …)'", after)
        if not group.items:
            return []
        when = self.instant(group)
        if when in ("start", "end"):
            return self._timed(group, when, bound, begin, finish)
        head = self.head(group, "'and', 'at', 'when' or 'forall'").lower()
        if head == "and":
            return [
                e
                for item in group.items[1:]
                for e in self.timed_effects(item, bound, begin, finish, group.end)
            ]
        if head == "forall":
            variables, body = self.exactly(group, 2, "'(forall (?x - type) timed-effect)'")
            inner = self._nested(bound, self.variables(variables, group.end))
            return self.timed_effects(body, inner, begin, finish, group.end)
        if head == "when":
            condition, body = self.exactly(group, 2, "'(when timed-condition timed-effect)'")
            for timed in self.timed_conditions(condition, group.end):
                if timed.when == "all":
                    self.source.blame(timed, "'over all' cannot condition an effect")
                begin = joined(begin, timed.formula) if timed.when == "start" else begin
                finish = joined(finish, timed.formula) if timed.when == "end" else finish
            return self.timed_effects(body, bound, begin, finish, group.end)
        self.source.fail(f"expected '(at start …)' or '(at end …)', found {shown(group)}", group.at)

    def _timed(
        self, group: Group, when: Instant, bound: tuple[Typed, ...], begin: Formula, finish: Formula
    ) -> list[TimedEffect]:
        if when == "start" and finish != TRUE:
            self.source.fail("an effect at the start cannot depend on the end", group.at)
        now, before = (begin, TRUE) if when == "start" else (finish, begin)
        found = self._effects(group.items[2], bound, now, group.end)
        return [self.noted(TimedEffect(when, effect, before), group.at) for effect in found]
