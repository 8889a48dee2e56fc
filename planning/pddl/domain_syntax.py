"""Parser of domains and problems from nested lists of words."""

from __future__ import annotations

import math

from commonground.errors import did_you_mean
from commonground.planning.pddl.domain import (
    Action,
    Axiom,
    Domain,
    Function,
    Metric,
    Predicate,
    Problem,
)
from commonground.planning.pddl.formula import TRUE, Atom, Fluent, Typed, negated_atom
from commonground.planning.pddl.formula_syntax import FormulaSyntax, as_number
from commonground.planning.pddl.source import Group, Node, Word, shown

_SUPPORTED = (
    ":strips", ":typing", ":negative-preconditions", ":disjunctive-preconditions", ":equality",
    ":existential-preconditions", ":universal-preconditions", ":quantified-preconditions",
    ":conditional-effects", ":fluents", ":numeric-fluents", ":adl", ":derived-predicates",
    ":durative-actions", ":duration-inequalities", ":timed-initial-literals", ":action-costs",
    ":domain-axioms", ":time",
)  # fmt: skip
"""What domains may say that they require; those of time do no harm where nothing takes time."""
_UNSUPPORTED = (
    ":preferences", ":constraints", ":continuous-effects", ":goal-utilities", ":object-fluents",
)  # fmt: skip
_DOMAIN_SECTIONS = (
    ":requirements", ":types", ":constants", ":predicates", ":functions", ":action", ":derived", ":axiom",
)  # fmt: skip
_WITHOUT_TIME = "are not supported: plans here are made without time"
_OF_TIME = {
    ":durative-action": "durative actions", ":process": "processes", ":event": "events",
    ":constraints": "constraints on the way to the goal",
}  # fmt: skip
_HINTS = (":length",)
_PROBLEM_SECTIONS = (":domain", ":requirements", ":objects", ":init", ":goal", ":metric", *_HINTS)


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
        name, parts = self.fields(section, (":parameters", ":precondition", ":effect"))
        end = section.end
        parameters = self.variables(parts[":parameters"], end) if ":parameters" in parts else ()
        precondition = (
            self.formula(parts[":precondition"], end) if ":precondition" in parts else TRUE
        )
        effects = self.effects(parts[":effect"], end) if ":effect" in parts else ()
        return self.noted(Action(name, parameters, precondition, effects), section.at)


class DomainSyntax(ActionSyntax):
    """Reads domains and problems from one source."""

    # ---- the frame both share -----------------------------------------------------------------

    def define(self, nodes: tuple[Node, ...], kind: str) -> tuple[str, tuple[Group, ...]]:
        """Return the name and the sections of ``(define (kind name) section…)``."""
        form = f"'(define ({kind} name) …)'"
        group = self.group(nodes[0] if nodes else None, form, 0)
        if len(nodes) > 1:
            self.source.fail(
                f"expected the end of the text after {form}, found {shown(nodes[1])}", nodes[1].at
            )
        if self.head(group, "'define'").lower() != "define":
            self.source.fail(f"expected {form}", group.at)
        title = self.group(
            group.items[1] if len(group.items) > 1 else None, f"'({kind} name)'", group.end
        )
        if self.head(title, f"'{kind}'").lower() != kind:
            self.source.fail(f"expected '({kind} name)', found {shown(title)}", title.at)
        (name,) = self.exactly(title, 1, f"'({kind} name)'")
        sections = tuple(
            self.group(item, "a section such as '(:init …)'", group.end) for item in group.items[2:]
        )
        return self.word(name, f"the name of the {kind}", title.end), sections

    def keyword(self, section: Group, known: tuple[str, ...]) -> str:
        """Return the keyword of a section or fail with the nearest known one."""
        key = self.head(section, f"one of {' '.join(known)}").lower()
        if key in _OF_TIME:
            self.source.fail(f"{_OF_TIME[key]} {_WITHOUT_TIME}", section.at)
        if key not in known:
            hint = did_you_mean(key, known) or f" Expected one of {' '.join(known)}."
            self.source.fail(f"unknown section '{key}'.{hint}", section.at)
        return key

    def once(
        self, sections: tuple[Group, ...], known: tuple[str, ...], single: tuple[str, ...]
    ) -> None:
        """Refuse a second section of a kind of which there is one, as Fast Downward's translator does."""
        keys = [self.keyword(section, known) for section in sections]
        for i, (key, section) in enumerate(zip(keys, sections, strict=True)):
            if key in single and key in keys[:i]:
                self.source.fail(f"section {shown(section)} appears twice", section.at)

    def requirements(self, section: Group) -> tuple[str, ...]:
        """Read ``:requirements``."""
        found = []
        for node in section.items[1:]:
            flag = self.word(node, "a requirement such as ':typing'", section.end).lower()
            if flag in _UNSUPPORTED:
                self.source.fail(f"requirement '{flag}' is not supported", node.at)
            if flag not in _SUPPORTED:
                self.source.fail(
                    f"unknown requirement '{flag}'.{did_you_mean(flag, _SUPPORTED)}", node.at
                )
            found.append(flag)
        return tuple(found)

    # ---- domains ------------------------------------------------------------------------------

    def domain(self, nodes: tuple[Node, ...]) -> Domain:
        name, sections = self.define(nodes, "domain")
        self.once(sections, _DOMAIN_SECTIONS, _DOMAIN_SECTIONS[:5])
        lists: dict[str, tuple[Typed, ...]] = {}
        requirements: tuple[str, ...] = ()
        predicates: tuple[Predicate, ...] = ()
        functions: tuple[Function, ...] = ()
        axioms: list[Axiom] = []
        actions: list[Action] = []
        for section in sections:
            key = self.keyword(section, _DOMAIN_SECTIONS)
            if key == ":requirements":
                requirements += self.requirements(section)
            elif key in (":types", ":constants"):
                lists[key] = lists.get(key, ()) + self.typed_list(
                    section.items[1:], variables=False, after=section.end
                )
            elif key == ":predicates":
                predicates += tuple(self.predicate(item, section.end) for item in section.items[1:])
            elif key == ":functions":
                functions += self.functions(section)
            elif key in (":derived", ":axiom"):
                axioms.append(self.axiom(section))
            else:
                actions.append(self.action(section))
        return Domain(
            name, requirements, lists.get(":types", ()), lists.get(":constants", ()), predicates,
            functions, tuple(axioms), tuple(actions),
        )  # fmt: skip

    def predicate(self, node: Node, after: int) -> Predicate:
        """Read ``(name ?x - type …)``."""
        group = self.group(node, "a predicate such as '(on ?x ?y)'", after)
        name = self.name(group.items[0] if group.items else None, "a predicate's name", group.end)
        parameters = self.typed_list(group.items[1:], variables=True, after=group.end)
        return self.noted(Predicate(name, parameters), group.at)

    def functions(self, section: Group) -> tuple[Function, ...]:
        """Read ``(f ?x - type …) … - number``."""
        found: list[Function] = []
        nodes = iter(section.items[1:])
        for node in nodes:
            if isinstance(node, Word) and node.text == "-":
                kind = self.word(next(nodes, None), "'number'", section.end)
                if kind.lower() != "number":
                    self.source.fail(
                        f"expected 'number', found '{kind}': functions are numeric", node.at
                    )
                continue
            if isinstance(node, Word):
                found.append(
                    self.noted(Function(self.name(node, "a function", section.end)), node.at)
                )
                continue
            declared = self.predicate(node, section.end)
            found.append(self.noted(Function(declared.name, declared.parameters), node.at))
        return tuple(found)

    def axiom(self, section: Group) -> Axiom:
        """Read ``(:derived (p ?x) formula)``."""
        head, body = self.exactly(section, 2, "'(:derived (predicate ?x …) formula)'")
        axiom = Axiom(self.predicate(head, section.end), self.formula(body, section.end))
        return self.noted(axiom, section.at)

    # ---- problems -----------------------------------------------------------------------------

    def problem(self, nodes: tuple[Node, ...]) -> Problem:
        name, sections = self.define(nodes, "problem")
        given = {self.keyword(section, _PROBLEM_SECTIONS): section for section in sections}
        self.once(sections, _PROBLEM_SECTIONS, _PROBLEM_SECTIONS)
        for key in (":domain", ":goal"):
            if key not in given:
                self.source.fail(f"problem '{name}' needs a '({key} …)' section", nodes[0].at)
        (domain,) = self.exactly(given[":domain"], 1, "'(:domain name)'")
        (goal,) = self.exactly(given[":goal"], 1, "'(:goal formula)'")
        objects, init = given.get(":objects"), given.get(":init")
        atoms, denied, values = self.init(init) if init else ((), (), ())
        return Problem(
            name,
            self.noted(self.word(domain, "the name of the domain", given[":domain"].end), domain.at),
            self.typed_list(objects.items[1:], variables=False, after=objects.end) if objects else (),
            atoms, values,
            self.formula(goal, given[":goal"].end),
            self.metric(given[":metric"]) if ":metric" in given else None,
            self.requirements(given[":requirements"]) if ":requirements" in given else (),
            denied,
            tuple(key for key in _HINTS if key in given),
        )  # fmt: skip

    def init(
        self, section: Group
    ) -> tuple[tuple[Atom, ...], tuple[Atom, ...], tuple[tuple[Fluent, float], ...]]:
        """Read what holds initially, what is said not to hold, and the numbers."""
        atoms: list[Atom] = []
        denied: list[Atom] = []
        values: list[tuple[Fluent, float]] = []
        for node in section.items[1:]:
            group = self.group(node, "an initial fact such as '(on a b)'", section.end)
            head = self.head(group, "a predicate or '='").lower()
            if head == "=" and not self._equates_terms("=", group):
                values.append(self.value(group))
            elif head == "at" and len(group.items) == 3 and isinstance(group.items[2], Group):
                self.source.fail(f"timed initial literals {_WITHOUT_TIME}", group.at)
            else:
                literal = self.literal(group, section.end)
                atom = literal if isinstance(literal, Atom) else negated_atom(literal)
                if atom is not None:
                    (atoms if atom is literal else denied).append(atom)
        return tuple(atoms), tuple(denied), tuple(values)

    def value(self, group: Group) -> tuple[Fluent, float]:
        """Read ``(= (f a b) 3.5)``."""
        target, number = self.exactly(group, 2, "'(= (function …) number)'")
        fluent = self.expression(target, group.end)
        if not isinstance(fluent, Fluent):
            self.source.fail("expected a function such as '(distance a b)'", target.at)
        return fluent, self.number(number, group.end)

    def number(self, node: Node | None, after: int) -> float:
        value = as_number(self.word(node, "a number", after))
        if node is None or value is None or not math.isfinite(value):
            self.source.fail(
                f"expected a finite number, found {shown(node)}", node.at if node else after
            )
        return value

    def metric(self, section: Group) -> Metric:
        """Read ``(:metric minimize expression)``."""
        direction, expression = self.exactly(section, 2, "'(:metric minimize expression)'")
        word = self.word(direction, "'minimize' or 'maximize'", section.end).lower()
        value = self.expression(expression, section.end)
        if word == "minimize":
            return self.noted(Metric("minimize", value), section.at)
        if word == "maximize":
            return self.noted(Metric("maximize", value), section.at)
        self.source.fail(f"expected 'minimize' or 'maximize', found '{word}'", direction.at)
