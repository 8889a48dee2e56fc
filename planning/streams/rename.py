"""Renaming of a domain's constants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from commonground.planning.pddl.domain import Action, Domain
from commonground.planning.pddl.formula import Effect
from commonground.planning.pddl.substitution import substitute, substitute_effect


def renamed_domain(domain: Domain, names: Mapping[str, str]) -> Domain:
    """Return a domain with objects named in its conditions and effects replaced."""
    actions = tuple(_renamed(a, names) for a in domain.actions)
    axioms = tuple(replace(axiom, body=substitute(axiom.body, names)) for axiom in domain.axioms)
    return replace(domain, actions=actions, axioms=axioms)


def _renamed(action: Action, names: Mapping[str, str]) -> Action:
    effects: tuple[Effect, ...] = tuple(
        substitute_effect(effect, names) for effect in action.effects
    )
    return replace(action, precondition=substitute(action.precondition, names), effects=effects)
