"""What each clause of a command does: it orders, wishes, lets be, asks, complains, or only tells.

That is settled here once, by grammar: who is spoken of, mood, tense, what is denied, and the modal verb.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import NamedTuple

from commonground.grounding.english.faithful import NEGATIONS
from commonground.grounding.problem_writer.wishes.heads import (
    ADVERBS,
    AUXILIARIES,
    BE,
    ENDS,
    HOLDING,
    OBJECTS,
    PREPOSITIONS,
    ordered,
    participles,
    past,
)
from commonground.grounding.problem_writer.wishes.likeness import likeness
from commonground.grounding.problem_writer.wishes.parts import Part, Parts
from commonground.grounding.problem_writer.wishes.verb_acts import (
    ANYBODY,
    WAIVING,
    WANTING,
    Act,
    modal,
    of_nobody,
    of_thing,
    of_you,
    ordered_act,
    unwanted,
    wants,
    wondered,
)
from commonground.grounding.words.nouns import word_set
from commonground.grounding.words.verbs import guessed_lemma

ASKING: frozenset[Act] = frozenset(["order", "wish"])
TOLD: frozenset[Act] = frozenset(["question", "complaint", "report", "own"])

_NOBODY = word_set("nobody noone no none")
_SHALL = word_set("should must could can might needs")
_BACK = word_set("it that this these those they them there both")
_WANTED = WANTING | {"like"}
_ANY = word_set("which what where how whether who")
_HAVING = [["have"], ["be"], ["see"], ["get"]]
"""Behind ``I want to`` these tell what is wanted, and not what somebody will do."""
_SOME = word_set("a an some something another")
_KEEPING = word_set("keep stay leave have")
_ENSURING = frozenset(
    [("make", "sure"), ("make", "certain"), ("making", "sure"), ("be", "sure"), ("see", "that"),
     ("check", "that"), ("ensure", "the"), ("ensure", "that"), ("see", "to")]
)  # fmt: skip
"""How words begin that tell what somebody is to see to."""
_APPROVED = word_set("good fine ok okay alright nice perfect great lovely right enough")
_SAYING = word_set("say says said think thinks reckon reckons told")
_WOULD = word_set("would could might 'd")
_BYGONE = word_set("already yesterday earlier ago last when itself over overnight")
"""With one of these a participle tells what has been done: ``mug washed already``."""
_MANNERLY = word_set("chance possible mind ok okay alright trouble bother kill hurt")
_PLACED = (PREPOSITIONS | word_set("up down out away back open shut")) - word_set(
    "for of with without by"
)


class Said(NamedTuple):
    """What a clause does: its first word, the one behind its last, its act."""

    start: int
    end: int
    act: Act


class Acts(Parts):
    """The acts of one text."""

    def __init__(
        self, words: Sequence[str], things: Collection[int], robots: Collection[int] = ()
    ) -> None:
        super().__init__(words, things)
        self.robots = frozenset(robots)
        """Which words name robots."""
        self.said = self._settled([Said(p.start, p.end, self._act(p)) for p in self.parts()])
        tells = TOLD if self.does(*ASKING, "leave") else TOLD - {"own"}
        telling = {
            at
            for one in self.said
            if one.act in tells and not self._is_bare(one)
            for at in range(one.start, one.end)
        }
        self.told = [at in telling - self.robots for at in range(len(words))]
        """Of each word, whether its clause asks for nothing; what people will do may ask by itself."""

    def _is_bare(self, one: Said) -> bool:
        """Return whether a clause names things and has no verb: that tells nothing, so it may ask."""
        reason = self.words[one.start] == "because"
        return self._is_verbless(one) and self.named(one.start, one.end) and not reason

    def does(self, *acts: Act) -> bool:
        """Return whether any clause does one of some acts."""
        return any(one.act in acts for one in self.said)

    def _only_tells(self, begin: int, end: int) -> bool:
        return self._act(Part(begin, end, self.head(begin, end))) in TOLD

    def named(self, start: int, end: int) -> bool:
        return not self.things.isdisjoint(range(start, end))

    def _settled(self, said: Sequence[Said]) -> list[Said]:
        """Return clauses with what others say of them: ``isn't it?``, ``and that's good``."""
        found: list[Said] = []
        for one in said:
            if found and found[-1].act in TOLD | {"leave"}:
                found[-1] = found[-1]._replace(act=self._said_of(found[-1], one))
            found.append(one._replace(act=self._going_on(one, found)))
        found = [one._replace(act=self._depending(one, found)) for one in found]
        if all(map(self._is_verbless, found)):
            return [one._replace(act="wish") for one in found]
        last = max((n for n, one in enumerate(found) if one.act in ASKING), default=0)
        return [
            *(self._before_others(*both) for both in pairwise(found[: last + 1])),
            *found[last:],
        ]

    def _depending(self, one: Said, found: Sequence[Said]) -> Act:
        """Return what a clause does in its sentence: ``after the meal I slept`` orders nothing."""
        at = self._skipped(one.start, one.end)
        if self._word(at, one.end) not in HOLDING or self.head(one.start, one.end).mood:
            return one.act
        ends = [n for n, word in enumerate(self.words) if word in ENDS]
        begin = max((n for n in ends if n < one.start), default=-1)
        end = min((n for n in ends if n >= one.end), default=len(self.words))
        others = [
            each.act for each in found if begin < each.start < end and each.start != one.start
        ]
        return "report" if others and TOLD.issuperset(others) else one.act

    def _said_of(self, before: Said, one: Said) -> Act:
        """Return what a clause does, given the next: ``that's good`` lets be what is so."""
        content = one.act == "leave" and not self.named(one.start, one.end)
        content = content and "you" not in self.words[one.start : one.end]
        return "leave" if content else before.act

    def _going_on(self, one: Said, found: Sequence[Said]) -> Act:
        """Return what a clause does behind others."""
        before = found[-1].act if found else "report"
        goes_on = one.act == "elided" or (before in ASKING and self._is_elided(one))
        goes_on = goes_on or (before in ASKING and self._is_ensured(one))
        return self._asked_before(one, found) if goes_on else one.act

    def _before_others(self, one: Said, after: Said) -> Said:
        """Return a clause before others that ask for something: it may tell why, or ask by itself."""
        head = self.head(one.start, one.end)
        if head.mood != "told":
            return one
        back = not _BACK.isdisjoint(self.words[after.start : after.end])
        if one.act == "complaint" and not back:
            return one._replace(act="wish")  # ``I don't want it opened`` forbids that
        did = self.words[head.subject] in ANYBODY and self.words[head.verb] in past()
        return one._replace(act="report") if one.act in ASKING and did else one

    def _asked_before(self, one: Said, found: Sequence[Said]) -> Act:
        """Return how the last clause of the same sentence asks that does."""
        asked = [each for each in found if each.act in ASKING]
        same = bool(asked) and ENDS.isdisjoint(self.words[asked[-1].end : one.start])
        goes_on = bool(found) and found[-1].act in ASKING
        return asked[-1].act if asked and (same or goes_on) else "report"

    def _is_verbless(self, one: Said) -> bool:
        """Return whether a clause has no verb that is known: ``stage ingredients``."""
        return one.act == "report" and not self.head(one.start, one.end).mood

    def _is_ensured(self, one: Said) -> bool:
        """``make sure it is shut and the light is off``: both are what somebody is to see to."""
        head = self.head(one.start, one.end)
        states = head.mood == "told" and self.words[head.verb] in BE | {"'s", "'re"}
        first = max((at + 1 for at in range(one.start) if self.words[at] in ENDS), default=0)
        ensures = not _ENSURING.isdisjoint(pairwise(self.words[first : one.start]))
        return (
            one.act == "report" and states and ensures and self.named(head.subject, head.verb)
        )  # fmt: skip

    def _is_elided(self, one: Said) -> bool:
        """Return whether a clause goes on with what is to be: ``and the mug washed up``."""
        head = self.head(one.start, one.end)
        verb = self.words[head.verb] if head.mood == "told" else ""
        states = verb in participles() or guessed_lemma(verb) is not None
        denied = not NEGATIONS.isdisjoint(self.words[one.start : one.end])
        return one.act == "report" and states and not denied and self.named(head.subject, head.verb)

    # ---- single clauses ---------------------------------------------------------------------------

    def _act(self, part: Part) -> Act:
        where = part.head.mood == "told" and "where" in self.words[part.start - 1 : part.start]
        if where or self._gives_reason(part):
            return "report"
        if self.words[part.end - 3 : part.end] == ["as", "you", "can"]:
            return "report"
        act = self._act_by_head(part)
        asks = "please" in self.words[part.start : part.end] or self._begs(part)
        return "wish" if act == "report" and asks and self.named(part.start, part.end) else act

    def _begs(self, part: Part) -> bool:
        """``we'd only be glad if one of you would wash it``."""
        at = next((n for n in range(part.start, part.end) if self.words[n] == "if"), part.end)
        who, may = self._word(at + 1, part.end), self.words[at + 2 : min(at + 6, part.end)]
        return who in ANYBODY | {"you"} and not _WOULD.isdisjoint(may)

    def _act_by_head(self, part: Part) -> Act:
        head = part.head
        if head.mood == "order":
            waives = self.words[head.verb] in WAIVING and not self.named(head.verb, part.end)
            return "order" if waives else ordered_act(self.words[head.verb : part.end])
        if head.mood == "inverted":
            return self._inverted(head.verb, part.end)
        return self._told(part) if head.mood == "told" else self._without_verb(part)

    def _without_verb(self, part: Part) -> Act:
        """Return what a clause without a verb does: ``telly on``, ``film night``."""
        words = self.words[part.head.subject : part.end]
        if words and words[0] in HOLDING | {"whatever"}:  # it belongs to what it stands by
            return "report" if {"was", "were"} & {*words[1:4]} else "order"
        if not {"it", "them", "both"}.isdisjoint(words) or ("please" in words and len(words) > 1):
            return "wish"
        if words and words[0] in PREPOSITIONS - {"into", "onto"}:
            return "elided"
        placed = not _PLACED.isdisjoint(words) or any(map(likeness, words))
        placed = placed or not participles().isdisjoint(words)
        named = self.named(part.start, part.end)
        return "report" if not named else "wish" if placed else "elided"

    def _inverted(self, at: int, end: int) -> Act:
        """Return what a clause does that begins like a question."""
        first, words = self.words[at], self.words[at:end]
        rest = [w for w in words[1:] if w not in ADVERBS]
        asks = self.words[end : end + 1] == ["?"] or not AUXILIARIES.isdisjoint(words[1:2])
        if first in ("what", "which", "how", "why", "who"):
            return wondered(first, words, rest, asks=asks or "'s" in words[1:2])
        if first in ("can", "could", "ca"):
            return modal(rest)
        to_you = rest[:1] and rest[0] in ANYBODY | {"you"}
        if not _MANNERLY.isdisjoint(words) or (first in ("will", "would", "wo") and to_you):
            return "order"
        reckons = rest[:1] == ["you"] and not {"think", "reckon"}.isdisjoint(rest)
        return "order" if reckons else "wish" if first in ("may", "might") else "question"

    def _told(self, part: Part) -> Act:
        """Return what a clause with a subject does."""
        first, verb = part.head.subject, part.head.verb
        subject, words = self.words[first:verb], self.words[verb : part.end]
        plain = [w for w in words if w not in ADVERBS or w in NEGATIONS]
        if not plain or "whoever" in subject:
            return "report"
        if self._is_noted(part):
            return "wish"
        if self._is_spoken_to(part) or not self.robots.isdisjoint(range(first, verb)):
            return of_you(plain) if "you" in subject else "order"
        return self._told_of(part, subject, plain)

    def _told_of(self, part: Part, subject: Sequence[str], plain: Sequence[str]) -> Act:
        """Return what a clause does whose subject is not who shall do it."""
        verb, words = part.head.verb, self.words[part.head.verb : part.end]
        if self._content(part, subject, plain):
            return "leave"
        if subject[0] == "nothing" and plain[0] in _SHALL | {"may"}:
            return "wish"  # ``nothing may be left on it``
        if subject[0] in _SOME and plain[0] in ("would", "'d"):
            return "wish"  # ``something hot would be nice``
        if self.named(part.head.subject, verb) or subject[0] in _BACK:
            return of_thing(plain)
        if plain[0] == "mean" and subject[0] in ("i", "we"):
            return "elided"  # ``somewhere cold, I mean the fridge``
        at = verb + 1 + (words[1:2] == ["that"])
        if plain[0] in _SAYING and at < part.end:
            return self._act(Part(at, part.end, self.head(at, part.end)))
        return self._of_people(part, plain)

    def _is_noted(self, part: Part) -> bool:
        """``egg cracked into the bowl``: what is to be, as people note it."""
        first, verb = part.head.subject, part.head.verb
        bare = first == part.start and first in self.things and self._names_state(first, verb)
        some = (
            self.words[first] in _SOME | {"one", "two", "three", "both"}
            or self.words[first].isdigit()
        )
        apart = self.words[verb - 1] == "," and self._names_only(first, verb)
        return (bare or some or apart) and self._is_done_to(verb, part.end)

    def _is_done_to(self, verb: int, end: int) -> bool:
        """Return whether a participle is said of what is done to a subject, and has no object."""
        object_follows = verb + 1 in self.things or self._word(verb + 1, end) in OBJECTS
        over = not _BYGONE.isdisjoint(self.words[verb:end])
        return self.words[verb] in ordered() and not (object_follows or over)

    def _names_state(self, first: int, verb: int) -> bool:
        """Return whether the words before a verb are a bare name, and how that is to be besides."""
        rest = (self.words[at] for at in range(first, verb) if at not in self.things)
        return all(word == "and" or likeness(word) is not None for word in rest)

    def _is_spoken_to(self, part: Part) -> bool:
        """Return whether a subject is who shall do it: ``you``, ``somebody`` before an order's verb."""
        first, verb = part.head.subject, part.head.verb
        anybody = self.words[first] in ANYBODY and not self.named(first, verb)
        shall = self._is_base(verb, part.end) or self.words[verb] in _SHALL
        return "you" in self.words[first:verb] or (anybody and shall)

    def _why(self, part: Part) -> bool:
        """Return whether a clause tells what for, or because of what."""
        return self.words[part.start] in ("so", "because")

    def _content(self, part: Part, subject: Sequence[str], plain: Sequence[str]) -> bool:
        """Return whether somebody is content with how something is: ``I don't mind it``, ``that's fine``."""
        if not NEGATIONS.isdisjoint(plain[:4]):
            minds = not {"mind", "care"}.isdisjoint(plain[:4])
            return minds and _ANY.isdisjoint(plain[2:5])  # ``I don't mind which``
        keeps = plain[-1] == "so" and not _KEEPING.isdisjoint(plain)
        if keeps or (plain[0] in ("like", "love") and plain[-1] in ("it", "way", "that")):
            return True
        says = plain[0] in BE | {"'s"} and len(plain) <= 5 and not _APPROVED.isdisjoint(plain[1:3])
        aside = self._why(part) or subject[0] == "there" or plain[-1] in ("on", "off")
        return says and not aside

    def _of_people(self, part: Part, plain: Sequence[str]) -> Act:
        """Return what people do in a clause of theirs: they want something, will do something, or did."""
        if self.words[part.head.subject] in _NOBODY:
            return "report" if self._why(part) else of_nobody(plain)
        at = next((n for n in range(min(4, len(plain))) if wants(plain, n)), None)
        if at is None:
            return unwanted(plain)
        denied = not NEGATIONS.isdisjoint(plain[: at + 1])
        if plain[at + 1 : at + 2] == ["you"]:
            return "order"
        if plain[at + 1 : at + 2] == ["to"] and plain[at + 2 : at + 3] not in _HAVING:
            return "report" if denied else "own"
        if not denied:
            return "wish"
        named = self.named(part.start, part.end)
        return "complaint" if named and plain[at] in _WANTED else "report"
