"""Ground atoms of a state, and the bindings under which a formula holds in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from commonground.planning.pddl.formula import (
    EQUALS,
    And,
    Arithmetic,
    Atom,
    Compare,
    Exists,
    Expression,
    Fluent,
    Forall,
    Formula,
    Imply,
    Not,
    Number,
    Or,
    Typed,
    is_variable,
)
from commonground.planning.pddl.logic import conjuncts, free_variables, nnf, objects_of
from commonground.planning.pddl.relation import Changing
from commonground.planning.pddl.substitution import substitute

Binding: TypeAlias = "dict[str, str]"
Members: TypeAlias = Mapping[str, Sequence[str]]

_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "<": lambda a, b: a < b, "<=": lambda a, b: a <= b + 1e-9, "=": lambda a, b: abs(a - b) <= 1e-9,
    ">=": lambda a, b: a >= b - 1e-9, ">": lambda a, b: a > b,
}  # fmt: skip


class Facts:
    """Ground atoms by predicate with indices on demand, and the numbers of functions."""

    def __init__(
        self, atoms: Iterable[Atom], members: Members, numbers: Mapping[Fluent, float] | None = None
    ) -> None:
        self.members = members
        self.numbers = numbers if numbers is not None else {}
        self._relations: dict[str, Changing[str]] = {}
        self._types: dict[str, frozenset[str]] = {}
        for atom in atoms:
            self.add(atom.predicate, atom.args)

    def __contains__(self, atom: Atom) -> bool:
        return atom.args in self._of(atom.predicate).rows

    def add(self, predicate: str, args: tuple[str, ...]) -> bool:
        """Add an atom; tell whether it is new."""
        return self._of(predicate).add(args)

    def discard(self, predicate: str, args: tuple[str, ...]) -> bool:
        """Remove an atom; tell whether it was there."""
        return self._of(predicate).discard(args)

    def clear(self, predicate: str) -> None:
        """Remove all atoms of a predicate."""
        self._relations[predicate] = Changing()

    def count(self, predicate: str) -> int:
        """Return how many atoms there are of a predicate."""
        return len(self._of(predicate))

    def _of(self, predicate: str) -> Changing[str]:
        found = self._relations.get(predicate)
        if found is None:
            found = self._relations[predicate] = Changing()
        return found

    def atoms(self) -> Iterator[Atom]:
        """Yield all atoms."""
        for predicate, relation in self._relations.items():
            for args in relation.rows:
                yield Atom(predicate, args)

    def matches(self, atom: Atom, binding: Binding) -> Iterator[Binding]:
        """Yield the extensions of a binding under which a positive atom holds."""
        pattern = [binding.get(term, term) for term in atom.args]
        bound = tuple(i for i, term in enumerate(pattern) if not is_variable(term))
        found = self._lookup(atom.predicate, bound, tuple(pattern[i] for i in bound))
        for args in found:
            extended = dict(binding)
            if all(
                extended.setdefault(p, a) == a
                for p, a in zip(pattern, args, strict=True)
                if is_variable(p)
            ):
                yield extended

    def _lookup(
        self, predicate: str, positions: tuple[int, ...], key: tuple[str, ...]
    ) -> Sequence[tuple[str, ...]]:
        relation = self._of(predicate)
        if len(positions) == len(next(iter(relation.rows), ())):
            return [key] if key in relation.rows else []
        return list(relation.find(positions, key) if positions else relation.rows)

    def is_a(self, name: str, typed: Typed) -> bool:
        """Return whether an object is of the type of a variable."""
        for kind in typed.types:
            if kind not in self._types:
                self._types[kind] = frozenset(self.members.get(kind, ()))
            if name in self._types[kind]:
                return True
        return False

    # ---- truth --------------------------------------------------------------------------------

    def holds(self, formula: Formula, binding: Binding | None = None) -> bool:
        """Return whether a formula is true; all its free variables must be bound."""
        return self._holds(formula, binding or {})

    def _holds(self, formula: Formula, binding: Binding) -> bool:
        if isinstance(formula, Atom):
            args = tuple(binding.get(term, term) for term in formula.args)
            if formula.predicate == EQUALS:
                return args[0] == args[1]
            return args in self._of(formula.predicate).rows
        if isinstance(formula, Not):
            return not self._holds(formula.body, binding)
        if isinstance(formula, And):
            return all(self._holds(part, binding) for part in formula.parts)
        if isinstance(formula, Or):
            return any(self._holds(part, binding) for part in formula.parts)
        if isinstance(formula, Imply):
            return not self._holds(formula.left, binding) or self._holds(formula.right, binding)
        if isinstance(formula, Compare):
            return self._compare(formula, binding)
        return self._quantified(formula, binding)

    def _quantified(self, formula: Exists | Forall, binding: Binding) -> bool:
        """Look for a witness, of the body or against it."""
        witness = formula.body if isinstance(formula, Exists) else Not(formula.body)
        outer = {n: v for n, v in binding.items() if all(n != p.name for p in formula.parameters)}
        found = next(self.answers(witness, formula.parameters, outer), None)
        return (found is not None) == isinstance(formula, Exists)

    def _compare(self, formula: Compare, binding: Binding) -> bool:
        left, right = self.number(formula.left, binding), self.number(formula.right, binding)
        return left is not None and right is not None and _COMPARE[formula.operator](left, right)

    def number(self, expression: Expression, binding: Binding | None = None) -> float | None:
        """Return the value of an expression; None where a function has no value or on division by 0."""
        if isinstance(expression, Number):
            return expression.value
        if isinstance(expression, Fluent):
            args = tuple((binding or {}).get(term, term) for term in expression.args)
            return self.numbers.get(Fluent(expression.function, args))
        values = [self.number(part, binding) for part in expression.parts]
        known = [value for value in values if value is not None]
        return _calculated(expression, known) if len(known) == len(values) else None

    # ---- queries ------------------------------------------------------------------------------

    def answers(
        self, formula: Formula, variables: Sequence[Typed], binding: Binding | None = None
    ) -> Iterator[Binding]:
        """Yield every binding of typed variables that makes a formula true, each once.

        Positive atoms are joined first, the most bound one next; what they leave open is enumerated.
        """
        start = binding or {}
        parts = list(conjuncts(nnf(formula)))
        names = [typed.name for typed in variables]
        seen: set[tuple[str, ...]] = set()
        for found in self._join(parts, {typed.name: typed for typed in variables}, start):
            key = tuple(found[name] for name in names)
            if key not in seen:
                seen.add(key)
                yield {name: found[name] for name in (*start, *names)}

    def _join(
        self, parts: list[Formula], types: Mapping[str, Typed], binding: Binding
    ) -> Iterator[Binding]:
        rest = self._open(parts, binding)
        if rest is None:
            return
        unbound = next((name for name in types if name not in binding), None)
        if unbound is None:
            yield binding
            return
        chosen = self._cheapest(rest, binding)
        if chosen is None:
            for name in objects_of(types[unbound], self.members):
                yield from self._join(rest, types, {**binding, unbound: name})
            return
        rest.remove(chosen)
        if isinstance(chosen, Atom):
            for extended in self._typed_matches(chosen, types, binding):
                yield from self._join(rest, types, extended)
        elif isinstance(chosen, Or):
            for part in chosen.parts:
                yield from self._join([*conjuncts(part), *rest], types, binding)
        else:
            yield from self._join_exists(chosen, rest, types, binding)

    def _open(self, parts: Sequence[Formula], binding: Binding) -> list[Formula] | None:
        """Return the parts with variables that have no value yet; None where another part is false."""
        rest = []
        for part in parts:
            if not free_variables(part) <= binding.keys():
                rest.append(part)
            elif not self._holds(part, binding):
                return None
        return rest

    def _typed_matches(
        self, atom: Atom, types: Mapping[str, Typed], binding: Binding
    ) -> Iterator[Binding]:
        """Yield the matches of an atom whose new values are of the types of their variables."""
        for extended in self.matches(atom, binding):
            if all(self.is_a(extended[n], types[n]) for n in extended.keys() - binding.keys()):
                yield extended

    def _join_exists(
        self, chosen: Exists, rest: list[Formula], types: Mapping[str, Typed], binding: Binding
    ) -> Iterator[Binding]:
        fresh = {
            typed.name: f"{typed.name}'{len(binding)}.{len(types)}" for typed in chosen.parameters
        }
        inner = {fresh[t.name]: Typed(fresh[t.name], t.types) for t in chosen.parameters}
        parts = conjuncts(substitute(chosen.body, fresh))
        for found in self._join([*parts, *rest], {**types, **inner}, binding):
            yield {name: value for name, value in found.items() if name not in inner}

    def _cheapest(self, parts: Sequence[Formula], binding: Binding) -> Atom | Or | Exists | None:
        """Return the part to join next: an atom with few matches, else a disjunction or quantifier."""
        best: tuple[float, Atom | Or | Exists] | None = None
        for part in parts:
            if isinstance(part, Atom) and part.predicate != EQUALS:
                known = sum(not is_variable(t) or t in binding for t in part.args)
                size = self.count(part.predicate)
                cost = size / 8.0**known
            elif isinstance(part, Or | Exists):
                cost = 1e12
            else:
                continue
            if best is None or cost < best[0]:
                best = (cost, part)
        return best[1] if best else None


def _calculated(expression: Arithmetic, values: Sequence[float]) -> float | None:
    if expression.operator == "-":
        return -values[0] if len(values) == 1 else values[0] - values[1]
    if expression.operator == "/":
        return values[0] / values[1] if values[1] != 0 else None
    total = values[0]
    for value in values[1:]:
        total = total + value if expression.operator == "+" else total * value
    return total
