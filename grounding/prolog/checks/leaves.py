"""Findings about names that a plan can have and a behavior tree cannot."""

from __future__ import annotations

from collections.abc import Iterator

from commonground.grounding.prolog.base.findings import Finding, Weight
from commonground.grounding.prolog.base.knowledge_base import START, Base, stem_of
from commonground.grounding.prolog.base.terms import constants, key_of, text, unquoted
from commonground.grounding.prolog.plans.behavior_tree import leaf_fault
from commonground.grounding.prolog.plans.plan_file import ports_of
from commonground.planning.behavior import Action

ONLY_PLANS = "there can be plans and no tree"


def leaf_findings(base: Base) -> Iterator[Finding]:
    """Yield actions and constants that would keep a plan from becoming a tree."""
    mapped = {stem_of(key_of(m.head)[0]) for m in base.mappings}
    for schema in base.schemas:
        if schema.name.endswith(START) and schema.stem not in mapped:
            ports = tuple((name, "") for name, _ in ports_of(base, schema.head))
            if fault := leaf_fault(Action(schema.stem, ports)):
                yield Finding(*schema.place, "tree", f"{ONLY_PLANS}: {fault}", Weight.WARNING)
    facts = [*base.facts, *(fact.term for fact in base.init)]
    for value in sorted({unquoted(text(c)) for fact in facts for c in constants(fact)}):
        if fault := leaf_fault(Action("leaf", (("value", value),))):
            yield Finding(0, 0, "tree", f"{ONLY_PLANS}: {fault}", Weight.WARNING)
