"""One clause and what it asks of a house: conditions, what must not be done, or a question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace

from commonground.grounding.english.parts import in_words
from commonground.grounding.english.utterance import Clause, Group, Phrase, Reference
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.problem_writer.goals import is_reached
from commonground.grounding.problem_writer.wishes.conditions import as_described, switched
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.problem_writer.wishes.likeness import is_of_no_matter
from commonground.grounding.problem_writer.wishes.referents import Referents, Senseless
from commonground.grounding.problem_writer.wishes.table import TABLE, Roles, Row
from commonground.grounding.problem_writer.wishes.things import Condition, Things, whole
from commonground.grounding.resolver.choice import Unclear
from commonground.planning.pddl import Not

_PLACED = frozenset(["cook", "heat", "toast", "chill", "clean", "put", "break"])
"""What is said with where it is done or ends up."""


@dataclass(slots=True)
class Deed:
    """What one clause asks for."""

    clause: Clause
    conditions: list[Condition] = field(default_factory=list)
    spared: list[Fact] = field(default_factory=list)
    handled: frozenset[str] = frozenset()
    """The names and types that it is about."""
    waits: bool = False
    """It only comes to something with another clause about the same things."""
    takes_out: bool = False
    """It only takes things from where they are, which other clauses may want elsewhere."""
    vague: bool = False
    """It was worked out from what things are for."""


class Clauses:
    """Reads clauses one after the other."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self.referents = Referents(home)

    def read(self, clause: Clause) -> Deed:
        """Return what a clause asks for, or raise `Unclear` with a question."""
        row = TABLE.get(clause.sense)
        if row is None:
            raise _unheard_of(clause)
        check_certain(clause)
        clause = self._done_there(clause, row)
        _check_roles(clause, row)
        roles = self._roles(clause, row)
        if clause.mood == "never" or clause.negated:
            return self._never(clause, row, roles)
        deed = Deed(clause, list(row.write(roles, self.home)), waits=row.waits)
        everything = (*roles.theme, *roles.goal, *roles.location, *roles.partner)
        for things in everything:
            deed.conditions += as_described(things, self.home)
        deed.handled = frozenset(w for things in everything for w in things.words)
        deed.takes_out = bool(roles.source) and not roles.goal
        if clause.sense in ("cut up", "toast"):
            self.referents.cut += roles.theme
        return deed

    def introduce(self, phrases: Sequence[Phrase]) -> None:
        """Take note of things that are spoken of before anything is asked for."""
        for phrase in phrases:
            self.referents.of(phrase)

    def _roles(self, clause: Clause, row: Row) -> Roles:
        theme = self.referents.of(clause.theme, clause.source)
        return Roles(
            in_words(clause),
            theme,
            self.referents.of(clause.goal),
            self._places(clause.source),
            self._location(clause),
            self.referents.of(clause.partner),
            clause.content.text if clause.content is not None else "",
            clause.state.text if clause.state is not None else "",
            clause.back,
            isinstance(clause.theme, Phrase) and clause.theme.everything,
        )

    def _done_there(self, clause: Clause, row: Row) -> Clause:
        """Return a clause in which things are not in the place where it is done: ``fry it in the pan``."""
        theme, role = clause.theme, "location" if "location" in row.takes else "goal"
        if not isinstance(theme, Phrase) or theme.located is None or clause.goal is not None:
            return clause
        if clause.sense not in _PLACED or role not in row.takes:
            return clause
        things, place = self._named(theme), self._named(theme.located)
        if not (things and place) or self.home.inside(things, place) or getattr(clause, role):
            return clause
        moved = {role: theme.located}
        return replace(clause, theme=replace(theme, located=None), **moved)  # type: ignore[arg-type]

    def _named(self, phrase: Phrase) -> list[str]:
        """Return the things that a noun names."""
        noun = self.home.nouns.find(phrase.noun.text) if phrase.noun is not None else None
        return self.home.things(noun.types) if noun is not None else []

    def _places(self, source: Reference | None) -> tuple[Things, ...]:
        """Return all places that things may be taken from."""
        phrases = source.phrases if isinstance(source, Group) else (source,) if source else ()
        return tuple(
            Things((tuple(self.referents.holders(p)),), in_words(p))
            for p in phrases
            if p.noun or p.again
        )

    def _location(self, clause: Clause) -> tuple[Things, ...]:
        """Return where something is done; a house of one room does not know its name."""
        if clause.sense in ("light the room", "darken the room"):
            return ()
        return self.referents.of(clause.location)

    # ---- what shall not be ------------------------------------------------------------------------

    def _never(self, clause: Clause, row: Row, roles: Roles) -> Deed:
        deed = Deed(clause)
        skills = row.skills
        if skills is None or roles.goal:
            return self._denied(deed, row, roles)
        if not roles.theme:
            raise Unclear(f"What must not be done to what: '{roles.said}'?")
        for things in roles.theme:
            if skills in (("SwitchOn",), ("SwitchOff",)):
                things = switched(things, self.home)
            names = self.home.things(things.words)
            deed.spared += [Fact(name, "spared", skill) for name in names for skill in skills]
        return deed

    def _denied(self, deed: Deed, row: Row, roles: Roles) -> Deed:
        """An outcome that shall not hold in the end; what is so already cannot be asked not to happen."""
        for condition in row.write(roles, self.home):
            so_already = is_reached(condition.formula, self.home.graph)
            if deed.clause.mood == "do" or not so_already:
                deed.conditions.append(whole(Not(condition.formula)))
        if row.waits:
            raise Unclear(f"What must not be true in the end: '{roles.said}'?")
        return deed


def check_certain(clause: Clause) -> None:
    """Raise `Unclear` for what no deed takes account of: reports, doubts, conditions, ways to do it."""
    if clause.mood in ("tell", "ask"):
        raise Unclear(
            f"That asks for nothing: '{in_words(clause)}'. What should be true in the end?"
        )
    if clause.condition is not None:
        raise Unclear(
            f"I cannot decide whether '{in_words(clause.condition)}'. Should I do it or not?"
        )
    if clause.hedge or clause.heard_from is not None or clause.follows:
        what = in_words(clause.heard_from) or clause.hedge or "what went before"
        raise Unclear(f"I cannot take account of '{what}' in '{in_words(clause)}'. What is meant?")
    if clause.manner is not None and not is_of_no_matter(clause.manner.text):
        raise Unclear(f"I cannot promise '{clause.manner.text}'. Should it be done all the same?")


def _check_roles(clause: Clause, row: Row) -> None:
    """Raise `Unclear` for what a clause says and its sense has no place for, or needs and was not said."""
    for name, value in _rest(clause, row):
        words = in_words(value) or name
        raise Unclear(f"I cannot take account of '{words}' in '{in_words(clause)}'. What is meant?")
    if row.needs and getattr(clause, row.needs) is None:
        raise Senseless(f"What is meant: '{in_words(clause) or clause.sense}'?")


def _unheard_of(clause: Clause) -> Unclear:
    """Return the question about what no robot of a house does."""
    if clause.sense == "nothing":
        return Unclear("That asks for nothing. What should be done?")
    vague = clause.sense in ("other", "routine")
    what = in_words(clause) if vague else f"{clause.sense} {in_words(clause)}"
    if not what:
        return Senseless("What should be done?")
    question = f"No robot here can do that: '{what}'. What should be true in the end?"
    return Senseless(question) if vague else Unclear(question)


def _rest(clause: Clause, row: Row) -> Iterator[tuple[str, object]]:
    """Yield what a clause says beyond its sense, its mood and the roles that the sense takes."""
    handled = {"sense", "mood", "verb", "manner", "negated", *row.takes}
    for each in fields(clause):
        value = getattr(clause, each.name)
        if each.name not in handled and value not in (None, "", False):
            yield each.name, value
