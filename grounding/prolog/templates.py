"""Actions whose patterns of facts are prepared to be filled in often."""

from __future__ import annotations

from dataclasses import dataclass

from commonground.grounding.prolog.lifted import Lifted
from commonground.grounding.prolog.relations import Bound, Fact, Key, Row, fact_of
from commonground.grounding.prolog.terms import Term, Var, args_of, key_of, substitute, variables


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern of facts, prepared to be filled in often."""

    term: Term
    key: Key
    names: tuple[str, ...] | None
    """The variables that are its arguments; None: some are something else."""

    @classmethod
    def of(cls, term: Term) -> Pattern:
        """Prepare a pattern."""
        args = args_of(term)
        names = tuple(a.name for a in args if isinstance(a, Var))
        return cls(term, key_of(term), names if len(names) == len(args) else None)

    def fact(self, binding: Bound) -> Fact:
        """Return the fact under a binding; what is not bound stays open."""
        if self.names is not None:
            return (self.key[0], *map(binding.get, self.names, args_of(self.term)))
        return fact_of(substitute(self.term, binding))


class Template:
    """An action with its patterns prepared."""

    def __init__(self, lifted: Lifted) -> None:
        self.lifted = lifted
        self.needs = [Pattern.of(t) for t in lifted.needs]
        self.forbids = [Pattern.of(t) for stage in lifted.stages for t in stage.forbids]
        self.adds = [Pattern.of(t) for t in lifted.adds]
        self.deletes = [Pattern.of(t) for t in lifted.deletes]
        terms = [lifted.head, *lifted.needs, *lifted.adds, *lifted.deletes]
        terms += [arg for table in lifted.tables for arg in table.args]
        self.names = tuple(dict.fromkeys(name for term in terms for name in variables(term)))
        fixed = {name for term in lifted.needs for name in variables(term)}
        self._free = tuple(name for name in self.names if name not in fixed)

    def free_choice(self, number: int, binding: Bound) -> Row:
        """Return what an instance chose of its own accord: not by what holds, but by what is listed."""
        return number, *(binding.get(name, "") for name in self._free)
