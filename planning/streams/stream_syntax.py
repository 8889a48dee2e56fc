"""Parser of stream PDDL: streams, tests, functions, predicates and rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from commonground.errors import did_you_mean
from commonground.planning.pddl.formula import And, Atom, Formula, is_variable
from commonground.planning.pddl.formula_syntax import FormulaSyntax
from commonground.planning.pddl.source import Group, Node, Source, blame, read, shown

_FIELDS = (":inputs", ":domain", ":fluents", ":outputs", ":certified")
_KINDS = (":stream", ":wild-stream", ":function", ":predicate", ":rule")


@dataclass(frozen=True, slots=True)
class StreamSpec:
    """The declaration of a stream; a test has no outputs, a rule always succeeds."""

    name: str
    inputs: tuple[str, ...]
    domain: tuple[Atom, ...]
    outputs: tuple[str, ...]
    certified: tuple[Atom, ...]
    fluents: tuple[str, ...] = ()
    wild: bool = False
    rule: bool = False


@dataclass(frozen=True, slots=True)
class FunctionSpec:
    """The declaration of a numeric function or boolean predicate that is evaluated lazily."""

    name: str
    inputs: tuple[str, ...]
    domain: tuple[Atom, ...]
    boolean: bool


Spec = StreamSpec | FunctionSpec


def read_streams(
    texts: str | Sequence[str] | None, source: str = "streams"
) -> tuple[tuple[Spec, ...], tuple[Source, ...]]:
    """Read stream PDDL, and return the texts with the places of what was read as well."""
    sources = [
        Source(source, text) for text in ([texts] if isinstance(texts, str) else texts or ())
    ]
    found: list[Spec] = []
    for origin in sources:
        found += StreamSyntax(origin, len(found)).streams(read(origin))
    twice = next((s for i, s in enumerate(found) if s.name in {t.name for t in found[:i]}), None)
    if twice is not None:
        blame(sources, twice, f"'{twice.name}' is declared twice")
    return tuple(found), tuple(sources)


class StreamSyntax(FormulaSyntax):
    """Reads declarations of streams from one source."""

    def __init__(self, source: Source, before: int = 0) -> None:
        super().__init__(source)
        self.count = before

    def streams(self, nodes: tuple[Node, ...]) -> list[Spec]:
        """Read ``(define (stream name) …)``."""
        form = "'(define (stream name) …)'"
        group = self.group(nodes[0] if nodes else None, form, 0)
        if len(nodes) > 1:
            self.source.fail(f"expected the end of the text, found {shown(nodes[1])}", nodes[1].at)
        title = group.items[1] if len(group.items) > 1 else None
        if self.head(group, "'define'") != "define" or not isinstance(title, Group):
            self.source.fail(f"expected {form}", group.at)
        if self.head(title, "'stream'") != "stream":
            self.source.fail(f"expected '(stream name)', found {shown(title)}", title.at)
        what = "a stream such as '(:stream name …)'"
        groups = [self.group(node, what, group.end) for node in group.items[2:]]
        return [self.noted(self.declaration(found), found.at) for found in groups]

    def declaration(self, group: Group) -> Spec:
        kind = self.head(group, f"one of {' '.join(_KINDS)}")
        if kind == ":optimizer":
            self.source.fail(
                "optimizers are not supported; write their samplers as streams", group.at
            )
        if kind not in _KINDS:
            hint = did_you_mean(kind, _KINDS) or f" Expected one of {' '.join(_KINDS)}."
            self.source.fail(f"unknown declaration '{kind}'.{hint}", group.at)
        self.count += 1
        if kind in (":function", ":predicate"):
            return self.function(group, kind == ":predicate")
        return self.stream(group, kind)

    def function(self, group: Group, boolean: bool) -> FunctionSpec:
        """Read ``(:function (f ?a ?b) domain)``; one without arguments needs no domain."""
        head, *domain = group.items[1:] or [group]
        if domain or not isinstance(head, Group) or len(head.items) != 1:
            head, *domain = self.exactly(group, 2, "'(:function (name ?x …) domain)'")
        signature = self.atom(self.group(head, "a function such as '(distance ?a ?b)'", group.end))
        self._distinct(signature.args, group)
        for term in signature.args:
            if not is_variable(term):
                self.source.blame(signature, f"expected a variable, found '{term}'")
        known, name = set(signature.args), signature.predicate
        atoms = [a for node in domain for a in self.conjunction(node, group.end, known, name)]
        return FunctionSpec(name, signature.args, tuple(atoms), boolean)

    def stream(self, group: Group, kind: str) -> StreamSpec:
        """Read a stream, wild stream or rule."""
        rule = kind == ":rule"
        rest = group.items[1 if rule else 2 :]
        name = (
            f"rule-{self.count}"
            if rule
            else self.name(self._at(group, 1), "a stream's name", group.end)
        )
        parts: dict[str, Node] = {}
        for index in range(0, len(rest), 2):
            key = self.word(rest[index], f"one of {' '.join(_FIELDS)}", group.end)
            if key not in _FIELDS:
                hint = did_you_mean(key, _FIELDS) or f" Expected one of {' '.join(_FIELDS)}."
                self.source.fail(f"unknown part '{key}' of stream '{name}'.{hint}", rest[index].at)
            if key in parts:
                self.source.fail(f"stream '{name}' has '{key}' twice", rest[index].at)
            if index + 1 == len(rest):
                self.source.fail(f"expected something after '{key}' of stream '{name}'", group.end)
            parts[key] = rest[index + 1]
        inputs = self._variables(parts.get(":inputs"), group)
        outputs = self._variables(parts.get(":outputs"), group)
        self._distinct((*inputs, *outputs), group)
        fluents = parts.get(":fluents")
        return StreamSpec(
            name,
            inputs,
            self._atoms(parts.get(":domain"), group, set(inputs), name),
            outputs,
            self._atoms(parts.get(":certified"), group, {*inputs, *outputs}, name),
            tuple(self._words(fluents, "a predicate", group)) if fluents else (),
            kind == ":wild-stream",
            rule,
        )

    def _at(self, group: Group, index: int) -> Node | None:
        return group.items[index] if len(group.items) > index else None

    def _words(self, node: Node | None, what: str, group: Group) -> list[str]:
        listed = self.group(node, f"a list of {what}s", group.end)
        return [self.word(item, what, listed.end) for item in listed.items]

    def _variables(self, node: Node | None, group: Group) -> tuple[str, ...]:
        if node is None:
            return ()
        for typed in self.variables(node, group.end):
            if typed.types != ("object",):
                self.source.blame(
                    typed, f"'{typed.name}' has a type; write it as a condition in ':domain'"
                )
        return tuple(self._words(node, "variable", group))

    def _distinct(self, names: Sequence[str], group: Group) -> None:
        twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
        if twice is not None:
            self.source.fail(f"variable '{twice}' is listed twice", group.at)

    def _atoms(
        self, node: Node | None, group: Group, known: set[str], name: str
    ) -> tuple[Atom, ...]:
        return self.conjunction(node, group.end, known, name) if node is not None else ()

    def conjunction(self, node: Node, after: int, known: set[str], name: str) -> tuple[Atom, ...]:
        """Read a conjunction of atoms over known variables."""
        found: list[Atom] = []
        todo: list[Formula] = [self.formula(node, after)]
        while todo:
            formula = todo.pop(0)
            if isinstance(formula, And):
                todo = [*formula.parts, *todo]
            elif isinstance(formula, Atom):
                self._bound(formula, known, name)
                found.append(formula)
            else:
                self.source.blame(
                    formula, f"stream '{name}' may only have conjunctions of atoms here"
                )
        return tuple(found)

    def _bound(self, atom: Atom, known: set[str], name: str) -> None:
        for term in atom.args:
            if is_variable(term) and term not in known:
                hint = did_you_mean(term, known)
                self.source.blame(
                    atom, f"'{term}' in {atom} is no variable of stream '{name}'.{hint}"
                )
