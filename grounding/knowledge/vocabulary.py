"""What a PDDL domain lets facts say: its types, and its predicates of one or two arguments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from commonground.errors import GroundingError, did_you_mean
from commonground.grounding.knowledge.bearers import Bearers
from commonground.grounding.knowledge.facts import BOOLEANS, Fact
from commonground.grounding.knowledge.glosses import glosses_of
from commonground.grounding.knowledge.spots import Spots, kind_of
from commonground.planning.pddl import Atom, Domain, Effect, Step, TypeTree, parse_domain
from commonground.planning.pddl.formula import TOTAL_COST, negated_atom
from commonground.planning.pddl.source import PddlError


@dataclass(frozen=True, slots=True)
class Signature:
    """The types a predicate's arguments may have (several: any one of them)."""

    name: str
    arguments: tuple[tuple[str, ...], ...]

    @property
    def is_property(self) -> bool:
        """Return whether the predicate is about one thing."""
        return len(self.arguments) == 1


def _changing(domain: Domain) -> frozenset[str]:
    """Return the predicates that some action changes."""
    changes = (
        effect.change if isinstance(effect, Effect) else effect.effect.change
        for action in domain.actions
        for effect in action.effects
    )
    atoms = (negated_atom(change) or change for change in changes)
    return frozenset(atom.predicate for atom in atoms if isinstance(atom, Atom))


class Vocabulary:
    """The predicates and types of a domain, asked for what is well-formed."""

    def __init__(self, domain: Domain, glosses: Mapping[str, str] | None = None) -> None:
        self.spots = Spots.of(domain)
        """What makes a thing of several arguments, where actions change predicates of more than two."""
        self.bearers = Bearers.of(domain)
        """What bears the predicates without arguments."""
        domain = domain if self.spots is None else self.spots.domain(domain)
        domain = self.bearers.domain(domain)
        self.domain = domain
        self.types = TypeTree(domain.types)
        self.glosses = glosses or {}
        """What comments say of predicates."""
        self._is_a: dict[tuple[str, tuple[str, ...]], bool] = {}
        """What was asked of types before: they are few, and asked about for every thing."""
        self.signatures = {
            p.name: Signature(p.name, tuple(typed.types for typed in p.parameters))
            for p in domain.predicates
            if len(p.parameters) in (1, 2)
        }
        self.changing = _changing(domain)
        """The predicates that some action changes."""
        self.fixed = {
            p.name: Signature(p.name, tuple(typed.types for typed in p.parameters))
            for p in domain.predicates
            if len(p.parameters) > 2 and p.name not in self.changing
        }
        """The predicates of more arguments: what never changes may have them."""

    def is_a(self, kind: str, *wanted: str) -> bool:
        """Return whether a type is one of the wanted ones or below one of them."""
        known = self._is_a.get((kind, wanted))
        if known is None:
            known = self._is_a[kind, wanted] = bool(self.types.fits((kind,), wanted))
        return known

    def signature(self, relation: str) -> Signature:
        """Return the signature of a predicate, or raise GroundingError with the nearest name."""
        found = self.signatures.get(relation)
        if found is None:
            raise GroundingError(self._unknown(relation))
        return found

    def _unknown(self, relation: str) -> str:
        if any(p.name == relation for p in self.domain.predicates):
            return f"predicate '{relation}' has no fact form: only one or two arguments have one"
        return f"unknown predicate '{relation}'.{did_you_mean(relation, self.signatures)}"

    def problem(self, fact: Fact, kinds: Mapping[str, str]) -> str | None:
        """Return what is wrong with a fact about things of the given types, or None."""
        signature = self.signatures.get(fact.relation)
        if signature is None:
            return self._unknown(fact.relation)
        terms = [fact.subject] if signature.is_property else [fact.subject, fact.object]
        if signature.is_property != (fact.object in BOOLEANS):
            wanted = "true or false" if signature.is_property else "a thing"
            return f"'{fact.relation}' takes {wanted} as its object, not '{fact.object}'"
        for term, types in zip(terms, signature.arguments, strict=True):
            if term not in kinds:
                return f"unknown thing '{term}'.{did_you_mean(term, kinds)}"
            if not self.is_a(kinds[term], *types):
                return (
                    f"'{term}' is a {kinds[term]}, but '{fact.relation}' takes {' or '.join(types)}"
                )
        return None

    def fixed_problem(self, atom: Atom, kinds: Mapping[str, str]) -> str | None:
        """Return what is wrong with a fact of more than two arguments, or None."""
        signature = self.fixed.get(atom.predicate)
        if signature is None or len(signature.arguments) != len(atom.args):
            return f"no predicate '{atom.predicate}' of {len(atom.args)} arguments stays as it is"
        for term, types in zip(atom.args, signature.arguments, strict=True):
            if term not in kinds or not self.is_a(kinds[term], *types):
                return f"'{term}' is no {' or '.join(types)}"
        return None

    def own_step(self, step: Step) -> Step:
        """Return a step of a plan with the parameters that its action has in the domain that was given."""
        action = self.domain.action(step.action)
        spots = {kind_of(kinds) for kinds in self.spots.kinds} if self.spots is not None else set()
        named = zip(step.args, action.parameters, strict=True)
        kept = [(arg, typed) for arg, typed in named if spots.isdisjoint(typed.types)]
        args, parameters = (tuple(part) for part in zip(*kept, strict=True)) if kept else ((), ())
        return self.bearers.own_step(
            replace(step, args=args), replace(action, parameters=parameters)
        )

    def unheld(self) -> list[str]:
        """Return what the domain speaks of and no fact can say."""
        told = self.signatures.keys() | self.fixed.keys()
        numbers = (f.name for f in self.domain.functions if f.name != TOTAL_COST.function)
        return [*(p.name for p in self.domain.predicates if p.name not in told), *numbers]

    @classmethod
    def parse(cls, text: str, source: str = "domain") -> Vocabulary:
        """Read a domain's PDDL text."""
        try:
            return _read(text)
        except PddlError:
            parse_domain(text, source=source)  # the same mistake, told of its own file
            raise


@lru_cache(maxsize=16)  # what opens a memory asks for its domain again and again
def _read(text: str) -> Vocabulary:
    return Vocabulary(parse_domain(text), glosses_of(text))
