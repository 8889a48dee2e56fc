"""A base as Prolog text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from commonground.grounding.prolog.base.knowledge_base import Base, Located, Schema
from commonground.grounding.prolog.base.terms import Term, text


def program_of(base: Base) -> str:
    """Return the text of a base; reading it gives the base again, without its comments."""
    return "\n".join(_parts(base)) + "\n"


def _parts(base: Base) -> Iterator[str]:
    yield ":- discontiguous action/5, ll_action/5, mapping/2."
    yield ""
    for clause in base.general:
        yield text(clause.head) + (f" :- {text(clause.body)}." if clause.body is not None else ".")
    yield ""
    yield from (f"resources({text(r.term)})." for r in base.resources)
    yield from (f"{text(t.term)}." for t in base.times)
    yield f"\ninit_state({_listed(base.init)}).\n\ngoal_state({_listed(base.goal)}).\n"
    yield from map(_action, base.schemas)
    yield from (f"mapping({text(m.head)},\n    {_listed(m.lows)}).\n" for m in base.mappings)


def _action(schema: Schema) -> str:
    kind = "action" if schema.level == "high" else "ll_action"
    effects = (f"{'add' if added else 'del'}({text(fact.term)})" for added, fact in schema.effects)
    lists = [_terms(c.term for c in part) for part in (schema.needs, schema.forbids, schema.goals)]
    inner = ",\n    ".join([text(schema.head), *lists, f"[{', '.join(effects)}]"])
    return f"{kind}({inner}).\n"


def _listed(terms: Iterable[Located]) -> str:
    inner = ",\n    ".join(text(t.term) for t in terms)
    return f"[\n    {inner}\n]" if inner else "[]"


def _terms(terms: Iterable[Term]) -> str:
    return f"[{', '.join(text(t) for t in terms)}]"
