"""Questions at a memory, by what its domain says: what is believed of the things that they name.

``Is the iron in?`` is read as the report that it would be if it were told, and held against what is believed;
``which irons are in?`` is that of each iron.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.knowledge.index import View
from commonground.grounding.memory.clock import shown
from commonground.grounding.memory.discourse import Discourse
from commonground.grounding.memory.domain.claims import INSIDE, Claim, Claims
from commonground.grounding.memory.domain.described.named import EXACT, RELATED, TYPE
from commonground.grounding.memory.domain.described.phrase import Part, Phrase, text_at, text_of
from commonground.grounding.memory.domain.described.phrases import Phrases
from commonground.grounding.memory.domain.described.referents import Referents
from commonground.grounding.memory.domain.described.text import may_order
from commonground.grounding.memory.domain.reader import DomainReader
from commonground.grounding.memory.domain.words import COPULAS, DETERMINERS, Word, sentences_of
from commonground.grounding.memory.known import Answered, Known, in_words, why
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.unclear import Unclear
from commonground.grounding.words.verbs import verb_forms

_DO = frozenset(["does", "do", "did"])
_HAVE = frozenset(["has", "have", "had"])
_VERBS = COPULAS | _DO | _HAVE
"""What a question begins with that is answered by yes or no."""
_WHICH = frozenset(["what", "which"])
_WHO = frozenset(["who", "whom"])
_ANY = frozenset(["any", "a", "an", "some"])
_ANYBODY = frozenset(["anybody", "anyone", "somebody", "someone"])
_ANYTHING = frozenset(["anything", "something"])
_SINCE = {("how", "long"): 2, ("since", "when"): 2, ("when",): 1}
UNSURE = 0.5
"""No surer is where somebody is who was said to do something elsewhere since."""
_LATELY = 50
"""So many changes back it is looked at who did what where."""
_ALONE = frozenset(["is", "are", "like", "about", "how", "what", "the", "status", "state", "of"])
_OPENERS = [
    (*polite, *tell)
    for polite in (
        (),
        ("please",),
        ("can", "you"),
        ("could", "you"),
        ("so",),
        ("do", "you"),
        ("and",),
    )
    for tell in (("tell", "me"), ("know",), ("say",), ())
    if polite or tell
]


@dataclass(frozen=True, slots=True)
class Sought:
    """What a question asks for: which of some things make a clause true; the clause has a gap for them."""

    things: tuple[str, ...]
    before: tuple[Part, ...]
    after: tuple[Part, ...]
    none: str = "none"
    """What is answered where there is none."""

    def clause(self, thing: str) -> list[Part]:
        """Return the clause said of one thing."""
        return [*self.before, named(thing), *self.after]


def named(thing: str) -> Phrase:
    """Return a phrase that means one thing."""
    return Phrase(("it",), {thing: EXACT}, source=("it",))


class Questions:
    """Answers questions by what a domain's own words say."""

    def __init__(
        self,
        memory: Memory,
        reader: DomainReader,
        view: View,
        now_ns: int,
        at_ns: int | None = None,
    ) -> None:
        """Ask about a state of the world: what is believed now, or to have held at a time."""
        self.memory, self.view, self.now_ns, self.at_ns = memory, view, now_ns, at_ns
        self.roles, self.kinds = reader.roles, reader.calling.kinds
        self.own_words = reader.calling.own_words
        talk = memory.discourse
        self.talk = Discourse(talk.now, talk.before, talk.previous)  # questions change none of it
        groups = memory.store.groups
        self.claims = Claims(reader, memory.meanings, groups, view, self.talk)
        self.where = self.claims.where
        meant = reader.meant(view, self.talk)
        self.phrases = Phrases(reader.described.denoting, meant.changes)
        self.referents = Referents(meant, reader.described.denoting)

    def answer(self, question: str) -> Answered | None:
        """Return what is believed of that; None where it is not understood."""
        try:
            return self._answer(question)
        except Unclear as unclear:
            return Answered(unclear.kind if unclear.kind == "unknown" else "ask", str(unclear))

    def _answer(self, question: str) -> Answered | None:
        sentences = [*map(_asked, sentences_of(question.replace("?", ".")))]
        parts = [
            p for s in sentences for p in self.phrases.parts(s) if text_of(p) not in (".", ",")
        ]
        if len(sentences) != 1 or not parts:
            return None
        first, texts = text_of(parts[0]), [*map(text_of, parts)]
        if first in _VERBS:
            return self._decided(parts)
        for words, count in _SINCE.items():
            if texts[:count] == [*words]:
                return self._since(parts[count:])
        if texts[:2] == ["how", "many"]:
            sought = self._sought(parts[2:])
            return None if sought is None else self._listed(sought, count=True)
        if first == "where":
            return self._where(parts[1:])
        if first == "whose":
            return self._whose(parts[1:])
        if first in _WHO | _WHICH:
            return self._which(parts)
        return self._how(parts) if first == "how" else None

    # ---- what phrases mean --------------------------------------------------------------------------

    def _one(self, phrase: Phrase) -> Phrase:
        """Return a phrase for the one thing that is meant; Unclear where that is open."""
        things = self.referents.candidates(phrase)
        if len(things) > 1:
            names = ", ".join(self._name(t) for t in sorted(things)[:4])
            raise Unclear(f"which one is meant by '{phrase.text}': {names}?")
        if not things:
            raise Unclear(f"nothing known here is called '{phrase.text}'", "unknown")
        self.referents.meant.spoke_of(things[0])
        return replace(phrase, things={things[0]: EXACT}, pronoun="", owners=(), every=False)

    def _all(self, phrase: Phrase) -> tuple[str, ...]:
        """Return all things of a kind that a phrase names."""
        sure = {t: r for t, r in phrase.things.items() if r <= TYPE} or phrase.things
        kind = replace(phrase, every=True, things=sure)
        return tuple(sorted(self.referents.candidates(kind), key=self._name))

    def _somebody(self) -> tuple[str, ...]:
        acts = self.roles.people | self.roles.robots
        return tuple(
            t for t in sorted(self.kinds, key=self._name) if self.roles.is_a(self.kinds[t], acts)
        )

    def _something(self) -> tuple[str, ...]:
        people = {*self._somebody()} - {
            t for t in self.kinds if self.roles.is_a(self.kinds[t], self.roles.robots)
        }
        return tuple(t for t in sorted(self.kinds, key=self._name) if t not in people)

    def _resolved(self, parts: Sequence[Part]) -> list[Part]:
        """Return a clause with the one thing that each phrase means; ``a fine`` may only tell a state."""
        return [
            self._one(p) if isinstance(p, Phrase) else p
            for part in parts
            for p in (_words_of(part) if _is_state(part) else (part,))
        ]

    def _name(self, thing: str) -> str:
        return self.memory.names.things[thing].name

    # ---- yes or no ----------------------------------------------------------------------------------

    def _decided(self, parts: Sequence[Part]) -> Answered | None:
        """Return whether what is asked is so."""
        at = 1 + (text_at(parts, 1) == "there")
        some = self._some(parts[at:])
        if some is not None:
            things, rest = some
            return self._any(Sought(things, (), (Word("is"), *rest)), there=at == 2)
        subject = parts[1] if len(parts) > 1 else None
        if not isinstance(subject, Phrase):
            return self._of_world(parts)
        several = self._all(subject) if subject.is_plural or subject.every else ()
        if len(several) > 1 and len(self.referents.candidates(subject)) > 1:
            return self._every([self.claims.of(self._told(parts, named(t))) for t in several])
        if len(several := self.referents.candidates(subject)) > 1:
            fitting = [t for t in several if self.claims.of(self._told(parts, named(t)))]
            subject = named(fitting[0]) if len(fitting) == 1 else subject
        claim = self.claims.of(self._told(parts, self._one(subject)))
        return None if claim is None else self._judged(claim)

    def _told(self, parts: Sequence[Part], subject: Phrase) -> list[Part]:
        """Return a question for yes or no as the report of it: ``is the iron in`` → ``the iron is in``."""
        verb, rest = text_of(parts[0]), [*parts[2:]]
        if verb in _DO and rest:
            rest, verb = [_third(rest[0]), *rest[1:]], ""
        said = [subject, *([Word(verb)] if verb else [])]
        return [*said, *self._resolved(rest)]

    def _of_world(self, parts: Sequence[Part]) -> Answered | None:
        """Return whether a state of the world is so that no phrase names: ``is the curtain down``."""
        if text_at(parts, 1) not in ("the", "it") or len(parts) < 4:
            return None
        claim = self.claims.of([*parts[1:3], parts[0], *self._resolved(parts[3:])])
        return None if claim is None else self._judged(claim)

    def _some(self, parts: Sequence[Part]) -> tuple[tuple[str, ...], Sequence[Part]] | None:
        """Return of which things it is asked whether any is such, and the rest; None where of one."""
        first, kind = text_at(parts, 0), parts[1] if len(parts) > 1 else None
        if first in _ANYBODY:
            return self._somebody(), parts[1:]
        if first in _ANYTHING:
            return self._something(), parts[1:]
        if first in _ANY and isinstance(kind, Phrase):
            return self._all(kind), parts[2:]
        kind = parts[0] if parts else None
        if isinstance(kind, Phrase) and kind.source[:1] in (("a",), ("an",), ("any",), ("some",)):
            return self._all(kind), parts[1:]
        return None

    def _any(self, sought: Sought, *, there: bool) -> Answered | None:
        if there and len(sought.after) == 1:  # "are there any vials"
            return self._known_of(sought.things, "yes")
        found = self._claims_of(sought)
        if found is None:
            return None
        held = [f for c in found.values() if c.so for f in c.facts]
        if held:
            return self._told_facts(held, "yes")
        return self._none(found, "no")

    def _every(self, claims: Sequence[Claim | None]) -> Answered | None:
        if any(c is None for c in claims):
            return None
        known = [c for c in claims if c is not None]
        against = [f for c in known if c.so is False for f in c.facts]
        if against:
            return self._told_facts(against, "no")
        if any(c.so is None for c in known):
            return Answered("unknown", "that is not known of all of them")
        return self._told_facts([f for c in known for f in c.facts], "yes")

    def _judged(self, claim: Claim) -> Answered:
        if claim.so is None:
            about = "; ".join(in_words(self.memory, f) for f in claim.facts)
            return Answered("unknown", f"nothing is known of that{about and ': ' + about}")
        return self._told_facts(claim.facts, "yes" if claim.so else "no")

    # ---- which, who and how many --------------------------------------------------------------------

    def _which(self, parts: Sequence[Part]) -> Answered | None:
        """Return what or who makes a clause true."""
        if text_of(parts[0]) in _WHO:
            things, rest = self._somebody(), parts[1:]
        elif isinstance(parts[1] if len(parts) > 1 else None, Phrase):
            sought = self._sought(parts[1:])
            return None if sought is None else self._listed(sought)
        else:
            things, rest = self._something(), parts[1:]
        alone = rest[1] if len(rest) == 2 and text_of(rest[0]) in COPULAS else None
        if text_of(parts[0]) in _WHICH and isinstance(alone, Phrase) and not alone.bare:
            return self._how(rest)
        inside = len(rest) == 3 and text_at(rest, 0) in COPULAS and text_at(rest, 1) in INSIDE
        if inside and text_of(parts[0]) in _WHICH:
            things = tuple(sorted(self.kinds, key=self._name))
        found = self._gap(things, rest)
        none = "nobody" if text_of(parts[0]) in _WHO else "nothing"
        return None if found is None else self._listed(replace(found, none=none))

    def _sought(self, parts: Sequence[Part]) -> Sought | None:
        """Return what is asked for of a kind of things: ``freezers are there in the cold room``."""
        kind, rest = (parts[0] if parts else None), [*parts[1:]]
        if not isinstance(kind, Phrase):
            return None
        things = self._all(kind)
        place = rest[1] if len(rest) > 1 else None
        if text_at(rest, 0) in INSIDE and isinstance(place, Phrase) and len(rest) > 2:
            within = next(iter(self._one(place).things))  # "books in the hall are damaged"
            things = tuple(t for t in things if within in self.where.around(t))
            rest = rest[2:]
        return self._gap(things, rest)

    def _gap(self, things: tuple[str, ...], rest: Sequence[Part]) -> Sought | None:
        """Return a clause with a gap: after its verb where somebody else does what is asked for."""
        verb, after = text_at(rest, 0), rest[1] if len(rest) > 1 else None
        if not rest or (len(rest) == 1 and not verb):
            return None
        if isinstance(rest[0], Phrase):  # "what Ann has"
            return Sought(things, (self._one(rest[0]), *self._resolved(rest[1:])), ())
        if verb in _VERBS and isinstance(after, Phrase) and (verb not in _HAVE or len(rest) > 2):
            told = self._resolved(rest[2:])
            subject = self._one(after)
            own = next(iter(subject.things))
            does = [*map(_third, told[:1]), *told[1:]]
            told = does if verb in _DO else [Word(verb), *told]
            return Sought(tuple(t for t in things if t != own), (subject, *told), ())
        if verb in COPULAS and text_at(rest, 1) == "there":
            rest = [rest[0], *rest[2:]]
        said = self._resolved(rest)
        return Sought(things, (), tuple(said))

    def _claims_of(self, sought: Sought) -> dict[str, Claim] | None:
        """Return whether the clause is so of each thing of which it may be said; None where of none."""
        found: dict[str, Claim] = {}
        for thing in sought.things:
            claim = self.claims.of(sought.clause(thing))
            if claim is not None:
                found[thing] = claim
        return found or None

    def _listed(self, sought: Sought, *, count: bool = False) -> Answered | None:
        """Return of which things a clause is so, or of how many."""
        if count and len(sought.after) == 1 and text_of(sought.after[0]) in COPULAS:
            return self._known_of(sought.things, str(len(sought.things)))
        found = self._claims_of(sought)
        if found is None:
            return None
        held = {t: c.facts for t, c in found.items() if c.so}
        if not held:
            return self._none(found, "0" if count else sought.none)
        facts = [f for of in held.values() for f in of]
        told = self._told_facts(facts, str(len(held)) if count else "")
        open_ = (
            [self._name(t) for t in found if found[t].so is None] if self._is_state(found) else []
        )
        if not open_:
            return told
        return replace(told, text=f"{told.text}; not known of {', '.join(open_)}")

    @staticmethod
    def _is_state(found: dict[str, Claim]) -> bool:
        """Return whether it is a state that is asked for, of which all things have one or its contrary."""
        return any(f.is_property for c in found.values() for f in c.facts)

    def _none(self, found: dict[str, Claim], word: str) -> Answered:
        """Return that of none of some things something is so, where that is known of all."""
        against = [f for c in found.values() if c.so is False for f in c.facts]
        if any(c.so is None for c in found.values()) or not against:
            return Answered("unknown", "nothing is known of that")
        about = {f.relation for f in against}
        if len(about) == 1 and all(f.is_property for f in against):
            return self._told_facts(against, word)
        elsewhere = [*dict.fromkeys(f for f in against if not f.is_property)]
        if len(elsewhere) == 1:
            return self._told_facts(elsewhere, word)
        return Answered("ok", f"{word}, as far as is known")

    def _known_of(self, things: Sequence[str], word: str) -> Answered:
        if not things:
            return Answered("unknown", "nothing is known of that")
        return Answered("ok", f"{word}: {', '.join(map(self._name, things))}")

    # ---- where, whose, how, since when --------------------------------------------------------------

    def _where(self, parts: Sequence[Part]) -> Answered | None:
        """Return where things are, or by which relation a verb puts them somewhere."""
        subject = next((p for p in parts if isinstance(p, Phrase)), None)
        if subject is None or len([p for p in parts if isinstance(p, Phrase)]) > 1:
            return None
        verbs = [
            p.text for p in parts if isinstance(p, Word) and p.text not in _VERBS | {"now", "at"}
        ]
        several = self._all(subject) if subject.is_plural and not subject.pronoun else ()
        things = several if len(several) > 1 else tuple(self._one(subject).things)
        if len(things) > 1 and not subject.is_plural:
            self._one(subject)
        if verbs:
            relations = self.claims.relations(verbs)
            facts = [
                f for t in things for f in sorted(self.view.about(t)) if f.relation in relations
            ]
            if relations and not facts:
                return Answered(
                    "unknown", f"nothing is known of where {self._name(things[0])} {verbs[0]}s"
                )
            return self._told_facts(facts) if facts else None
        facts = [f for t in things for f in self.where.way(t)]
        since = (
            self._seen_since(things[0], facts) if len(things) == 1 and self.at_ns is None else ""
        )
        if not facts:
            names = ", ".join(map(self._name, things))
            return Answered("unknown", f"nothing is known of where {names} is{since}")
        told = self._told_facts(facts)
        if not since:
            return told
        unsure = tuple(replace(k, confidence=min(k.confidence, UNSURE)) for k in told.known)
        return replace(told, text=f"last known: {told.text}{since}", known=unsure)

    def _seen_since(self, person: str, facts: Sequence[Fact]) -> str:
        """Return what somebody was said to do elsewhere after he was where he is believed to be."""
        if person not in self._somebody():
            return ""
        known = self.memory.store.record(facts[0]) if facts else None
        places = {*self.where.around(person)}
        for change in self.memory.store.changes(_LATELY):
            if known is not None and change.observed_ns <= known.confirmed_ns:
                continue
            added, _ = self.memory.store.effect(change.tx)
            if change.undoes is None and self._names(person, change.source.words):
                around = {p for f in added for p in self.where.around(f.subject)}
                if around - places:
                    return f"; later: '{change.source.words}'"
        return ""

    def _names(self, person: str, text: str) -> bool:
        """Return whether a report names somebody."""
        own = self.own_words[person]
        said = {w.text for s in sentences_of(text) for w in s}
        return bool(own) and {*own} <= said

    def _whose(self, parts: Sequence[Part]) -> Answered | None:
        """Return whose something is."""
        thing = next((p for p in parts if isinstance(p, Phrase)), None)
        if thing is None or len(parts) > 2:
            return None
        one = self._one(thing)
        found = Sought(self._somebody(), (), (Word("owns"), one))
        return self._listed(found) or Answered("unknown", "nothing is known of that")

    def _how(self, parts: Sequence[Part]) -> Answered | None:
        """Return how a thing is: all that is believed of it and may change."""
        phrases = [p for p in parts if isinstance(p, Phrase)]
        words = {p.text for p in parts if isinstance(p, Word)}
        if len(phrases) != 1 or not words <= _ALONE:
            return None
        (thing,) = self._one(phrases[0]).things
        facts = sorted(f for f in self.view.about(thing) if f.relation in self.roles.signatures)
        changing = [
            f for f in facts if f.relation in self.roles.vocabulary.changing or f.is_property
        ]
        if not facts:
            return Answered("unknown", f"nothing is known about {self._name(thing)}")
        return self._told_facts(changing or facts)

    def _since(self, parts: Sequence[Part]) -> Answered | None:
        """Return since when something is so."""
        subject = parts[1] if len(parts) > 1 else None
        if text_at(parts, 0) not in _VERBS or not isinstance(subject, Phrase):
            return None
        claim = self.claims.of(self._told(parts, self._one(subject)))
        if claim is None or claim.so is None:
            return None if claim is None else self._judged(claim)
        told = self._told_facts(claim.facts, "" if claim.so else "no")
        if not claim.so:
            return told
        since = shown(min(k.record.valid_ns for k in told.known))
        return replace(told, text=f"{told.text}, since {since}")

    # ---- facts in words -----------------------------------------------------------------------------

    def _told_facts(self, facts: Iterable[Fact], word: str = "") -> Answered:
        known = tuple(self._why(fact) for fact in dict.fromkeys(facts))
        told = "; ".join(in_words(self.memory, one.fact) for one in known)
        return Answered("ok", f"{word}: {told}" if word else told, known)

    def _why(self, fact: Fact) -> Known:
        return why(self.memory, fact, self.now_ns, self.at_ns)


def _asked(words: Sequence[Word]) -> list[Word]:
    """Return a question without what only asks to be told, and with ``own`` as a verb before a noun."""
    said = [*words]
    for opener in _OPENERS:
        if [w.text for w in said[: len(opener)]] == [*opener]:
            said = said[len(opener) :]
            break
    return [
        Word("owns") if word.text == "own" and after.text in DETERMINERS else word
        for word, after in zip(said, [*said[1:], Word(".")], strict=True)
    ]


def _third(verb: Part) -> Part:
    """Return a verb as it is said of somebody: ``does she owe`` → ``she owes``."""
    if not may_order(text_of(verb)):
        return verb
    return next(
        (Word(w) for w, forms in verb_forms(text_of(verb)).items() if "third" in forms), verb
    )


def _is_state(part: Part) -> bool:
    """Return whether a phrase has no noun, and only what is so of things tells which it means."""
    return isinstance(part, Phrase) and part.bare and {*part.things.values()} == {RELATED}


def _words_of(part: Part) -> Iterator[Part]:
    if isinstance(part, Phrase):
        yield from map(Word, part.source or part.words)
    else:
        yield part
