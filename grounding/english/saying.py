"""Utterances said back in plain words, for questions: what was understood, in the words of the speaker."""

from __future__ import annotations

from commonground.grounding.english.utterance import (
    Best,
    Clause,
    Crew,
    Group,
    Part,
    Phrase,
    Reference,
    Relation,
    Span,
    Step,
    Steps,
    Utterance,
)
from commonground.grounding.words.nouns import is_plural, plural

_JOINS = {
    "any order": " and ",
    "in order": ", then ",
    "in reverse": ", and before that ",
    "one of": " or ",
    "at once": " and at the same time ",
}
_CREWS = {
    "all": "every robot",
    "any one": "any one robot",
    "other": "the other robot",
    "unnamed": "",
}
_STANDS = {
    "taken back": "(taken back) ",
    "of another day": "(an order of another day) ",
    "imagined": "(only imagined) ",
    "again as before": "the same as before",
}
_HEDGES = {"formerly": "used to be so", "unknown by now": "was so once"}
_ROLES = (("source", "from"), ("partner", "in exchange for"), ("location", "at"), ("goal", "to"))


def said_back(utterance: Utterance) -> str:
    """Return what an utterance says, in a plain sentence a part."""
    return "; ".join(_part(part) for part in utterance.parts)


def _part(part: Part) -> str:
    who = _crew(part.crew) if part.crew is not None else ""
    begins = "after that, " if part.then else ""
    shared = " (shared out)" if part.shared else ""
    when = f" ({part.when.text})" if part.when is not None else ""
    told = "".join(f"there is {phrase(p)}; " for p in part.introduced)
    body = _STANDS[part.stands] if part.stands == "again as before" else _step(part.step)
    stands = _STANDS.get(part.stands, "") if part.stands != "again as before" else ""
    return f"{stands}{told}{begins}{who + ': ' if who else ''}{body}{shared}{when}"


def _crew(crew: Crew) -> str:
    names = [name.text for name in crew.names]
    if crew.choose == "named":
        return " and ".join(names)
    if crew.choose in ("each", "either"):
        return (" and " if crew.choose == "each" else " or ").join(names)
    if crew.choose == "all but":
        return f"every robot but {' and '.join(names)}"
    if crew.choose == "able":
        return f"whichever robot can {crew.can}"
    if crew.choose == "nearest" and crew.near is not None:
        return f"whichever robot is nearest to {phrase(crew.near)}"
    return _CREWS.get(crew.choose, "a robot")


def _step(step: Step) -> str:
    if isinstance(step, Steps):
        return _JOINS[step.join].join(_step(s) for s in step.steps)
    return clause(step)


def clause(c: Clause) -> str:
    verb = _verb(c)
    if c.sense.startswith("be ") and c.theme is not None:
        words = [reference(c.theme), "is", *(["not"] if c.negated else []), verb[3:]]
        return " ".join([*words, *_roles(c)]) + _doubts(c)
    words = [phrase(c.agent)] if c.agent is not None else []
    words += ["never"] if c.mood == "never" else []
    words += ["not"] if c.negated else []
    words.append(verb)
    words += [c.state.text] if c.state is not None else []
    words += [reference(c.theme)] if c.theme is not None else ["the same"] if c.follows else []
    words += [c.content.text] if c.content is not None else []
    return " ".join([*words, *_roles_behind(c, words[-1])]) + _doubts(c)


def _roles_behind(c: Clause, last: str) -> list[str]:
    """Return roles in words: go to the shore, not go to to the shore; inspect it, not to it."""
    roles = _roles(c)
    direct = c.sense in ("inspect", "explore") or last.endswith((" at", " to", " near"))
    return roles[1:] if direct and roles[:1] in (["at"], ["to"]) else roles


def _verb(c: Clause) -> str:
    if c.verb is not None:
        return c.verb.text
    if c.sense == "be like" and c.state is not None:
        return f"be {c.state.text}"
    return "something" if c.sense == "other" else c.sense


def _roles(c: Clause) -> list[str]:
    words = []
    for role, preposition in _ROLES:
        value = getattr(c, role)
        words += [preposition, reference(value)] if value is not None else []
    words += ["back to where it was"] if c.back else []
    return [*words, c.manner.text] if c.manner is not None else words


def _doubts(c: Clause) -> str:
    notes = [_HEDGES.get(c.hedge, c.hedge)] if c.hedge else []
    notes += [f"heard from {phrase(c.heard_from)}"] if c.heard_from is not None else []
    notes += [f"only if {clause(c.condition)}"] if c.condition is not None else []
    return f" ({'; '.join(notes)})" if notes else ""


def reference(r: Reference) -> str:
    """Return a phrase or a group in words."""
    if isinstance(r, Group):
        return (" and " if r.join == "all of" else " or ").join(phrase(p) for p in r.phrases)
    return phrase(r)


def phrase(p: Phrase) -> str:
    if p.beside is not None:
        return f"beside {phrase(p.beside)}"
    return _plain(p) or _described(p)


def _plain(p: Phrase) -> str:
    """Return what is called by its name."""
    if p.speaker or p.everybody:
        return "you" if p.speaker else "everybody here"
    return next((s.text for s in (p.name, p.symbol, p.person) if s is not None), "")


def _described(p: Phrase) -> str:
    words = [f"{phrase(p.owner)}'s" if p.owner is not None else "" if p.noun is None else p.det]
    words += [s.text for s in (p.count, p.color, p.attribute) if s is not None]
    words += [_best(p.best)] if p.best is not None else []
    words.append(_head(p))
    words += [_relation(r) for r in p.where]
    words += _at(p)
    words += [f"but {phrase(p.but)}"] if p.but is not None else []
    return " ".join(w for w in words if w)


def _head(p: Phrase) -> str:
    if p.everything:
        return "everything" if p.only is None else f"everything {p.only.text}"
    if p.again:
        return "that (" + ", ".join(s.text for s in p.again) + ")"
    noun = p.noun.text if p.noun is not None else "one"
    return plural(noun) if p.det == "all" and not is_plural(noun) else noun


def _at(p: Phrase) -> list[str]:
    level = [f"at level {p.level.text}{' from above' if p.from_above else ''}"] if p.level else []
    located = [f"on {phrase(p.located)}"] if p.located is not None else []
    return [*level, *located, *([f"in {phrase(p.room)}"] if p.room is not None else [])]


def _best(best: Best) -> str:
    words = [_text(best.rank), best.how or _text(best.words)]
    words += [f"(to {reference(best.to)})"] if best.to is not None else []
    return " ".join(w for w in words if w)


def _relation(r: Relation) -> str:
    words = [r.how, _text(r.distance), " and ".join(reference(t) for t in r.to)]
    return " ".join(w for w in words if w)


def _text(span: Span | None) -> str:
    return span.text if span is not None else ""
