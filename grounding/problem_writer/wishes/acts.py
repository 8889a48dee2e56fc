"""What each clause of a command does: it orders, wishes, lets be, asks, complains, or only tells.

That is settled here once, by grammar: who is spoken of, the mood, the tense, what is denied, and the modal verb.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias

from commonground.grounding.english.faithful import NEGATIONS
from commonground.grounding.problem_writer.wishes.heads import (
    ADVERBS,
    AUXILIARIES,
    BE,
    DO,
    HAVE,
    HOLDING,
    PREPOSITIONS,
    PRONOUNS,
    Heads,
    Part,
    orders,
    participles,
    past,
)
from commonground.grounding.problem_writer.wishes.likeness import likeness
from commonground.grounding.words.nouns import word_set

Act: TypeAlias = Literal[
    "order", "wish", "leave", "question", "complaint", "report", "own", "elided"
]
"""``own`` is what somebody will do, ``elided`` what only goes on with the clause before."""
ASKING: frozenset[Act] = frozenset(["order", "wish"])
TOLD: frozenset[Act] = frozenset(["question", "complaint", "report", "own"])

_ANYBODY = word_set("somebody someone anybody anyone one either")
_SPEAKERS = word_set("i we he she")
_BACK = word_set("it that this these those they them")
_ASKED = word_set("can could will would wo ca may might")
_WANTING = word_set("want wants need needs fancy fancies prefer require requires wanted")
_LIKING = word_set("like love rather prefer appreciate use want")
_SOME = word_set("a an some")
"""What people would do with something that is not there yet, they want: ``I could murder a coffee``."""
_BETTER = word_set("'d would could")
_DUE = word_set(
    "should must ought shall needs need wants want belongs belong goes go can could may might will 'd lives live"
)
_STAYING = word_set("stay stays remain remains")
_APPROVED = word_set("good fine ok okay alright nice perfect great lovely right enough")
_PLACED = (PREPOSITIONS | word_set("up down out away back open shut")) - {
    "for",
    "of",
    "with",
    "without",
    "by",
}
_KNOWING = word_set("see tell know hear remember check smell find say look")
_ASKING_FOR = word_set("where what if whether how why who when which")
_MANNERLY = word_set("chance possible mind ok okay alright trouble bother kill hurt")
_SAYING = word_set("say says said think thinks reckon reckons told")


class Said(NamedTuple):
    """What a clause does: its first word, the one behind its last, its act."""

    start: int
    end: int
    act: Act


class Acts(Heads):
    """The acts of one text."""

    def __init__(
        self, words: Sequence[str], things: Collection[int], robots: Collection[int] = ()
    ) -> None:
        super().__init__(words, things)
        self.robots = frozenset(robots)
        """Which words name robots."""
        self.said = self._settled([Said(p.start, p.end, self._act(p)) for p in self.parts()])
        tells = TOLD if self.does(*ASKING) else TOLD - {"own"}
        telling = {at for one in self.said if one.act in tells for at in range(one.start, one.end)}
        telling -= self.robots
        self.told = [at in telling for at in range(len(words))]
        """Of each word, whether its clause asks for nothing: what people will do does where nothing else does."""

    def does(self, *acts: Act) -> bool:
        """Return whether any clause does one of some acts."""
        return any(one.act in acts for one in self.said)

    # ---- between clauses --------------------------------------------------------------------------

    def _settled(self, said: list[Said]) -> list[Said]:
        """Return clauses with what others say of them: ``isn't it?``, ``and that's good``."""
        found: list[Said] = []
        for one in said:
            tagged = self._is_tag(one) and bool(found)
            if tagged and found[-1].act in ("report", "complaint", "leave"):
                found[-1] = found[-1]._replace(act="question")
            before = found[-1].act if found else "report"
            if (
                one.act == "leave"
                and before in ("report", "complaint")
                and found
                and self._approves(one)
            ):
                found[-1] = found[-1]._replace(act="leave")
            if one.act == "elided":
                one = one._replace(act=before if before in ASKING else "report")
            if one.act == "report" and before in ASKING and self._is_elided(one):
                one = one._replace(act="wish")
            found.append(one._replace(act="report") if tagged else one)
        asked = [n for n, one in enumerate(found) if one.act in ASKING]
        if all(map(self._is_verbless, found)):
            found = [one._replace(act="wish") for one in found]
        for n in asked[:-1]:
            if self._may_be_past(found[n]):
                found[n] = found[n]._replace(act="report")
        return found

    def _is_verbless(self, one: Said) -> bool:
        """Return whether a clause has no verb that is known: ``stage ingredients``."""
        return one.act == "report" and not self.head(one.start, one.end).mood

    def _may_be_past(self, one: Said) -> bool:
        """Return whether a clause may tell what somebody did: ``somebody put it back dirty``."""
        head = self.head(one.start, one.end)
        return (
            head.mood == "told"
            and self.words[head.subject] in _ANYBODY
            and self.words[head.verb] in past()
        )

    def _is_elided(self, one: Said) -> bool:
        """Return whether a clause goes on with what is to be: ``and the mug washed up``."""
        head = self.head(one.start, one.end)
        states = head.mood == "told" and self.words[head.verb] in participles()
        states = states and NEGATIONS.isdisjoint(self.words[one.start : one.end])
        return states and any(at in self.things for at in range(head.subject, head.verb))

    def _is_tag(self, one: Said) -> bool:
        words = [w for w in self.words[one.start : one.end] if w not in ("n't", "not", ",")]
        ends = self.words[one.end : one.end + 1] == ["?"]
        return ends and len(words) == 2 and words[0] in BE | HAVE | DO and words[1] in PRONOUNS

    def _approves(self, one: Said) -> bool:
        """Return whether a clause is content with what was said before: ``that's good``."""
        return not any(at in self.things for at in range(one.start, one.end))

    def _only_tells(self, begin: int, end: int) -> bool:
        return (
            super()._only_tells(begin, end)
            and self._act(Part(begin, end, self.head(begin, end))) in TOLD
        )

    # ---- single clauses ---------------------------------------------------------------------------

    def _act(self, part: Part) -> Act:
        head = part.head
        if head.mood == "order":
            return self._ordered(head.verb, part.end)
        if head.mood == "inverted":
            return self._inverted(head.verb, part.end)
        if head.mood == "told":
            return self._said(part)
        return self._without_verb(part)

    def _without_verb(self, part: Part) -> Act:
        words = self.words[part.head.subject : part.end]
        if words[:1] and words[0] in HOLDING | {"whatever"}:
            return "order"  # it belongs to what it stands by
        if not words or words == ["please"]:
            return "report"
        named = any(at in self.things for at in range(part.start, part.end))
        back = not {"it", "them", "both"}.isdisjoint(words)
        placed = (
            not _PLACED.isdisjoint(words)
            or any(map(likeness, words))
            or bool(participles() & {*words})
        )
        if words[0] in PREPOSITIONS - {"into", "onto"} and not back and "please" not in words:
            return "elided"
        if back or "please" in words or (named and placed):
            return "wish"
        return "elided" if named else "report"

    def _ordered(self, verb: int, end: int) -> Act:
        words = self.words[verb:end]
        if words[:2] in (["tell", "me"], ["tell", "us"]) or words[:3] in (
            ["let", "me", "know"],
            ["let", "us", "know"],
        ):
            return "question"
        if words[0] in ("leave", "let", "keep") and len(words) > 1:
            last = words[-1]
            if (
                last in ("alone", "be")
                or words[-2:] in (["the", "rest"], ["as", "is"])
                or "as it" in " ".join(words)
            ):
                return "leave"
        return "order"

    def _inverted(self, at: int, end: int) -> Act:
        """Return what a clause does that begins like a question."""
        first, words = self.words[at], self.words[at:end]
        rest = [w for w in words[1:] if w not in ADVERBS]
        if first in ("what", "how") and words[1:2] == ["about"]:
            return "wish"
        if first == "why":
            return (
                "order"
                if words[1:3] == ["do", "n't"] and rest[1:2] in (["you"], ["we"])
                else "question"
            )
        if first == "who":
            return (
                "complaint"
                if not {"left", "leaving", "forgot", "let"}.isdisjoint(words)
                else "question"
            )
        if first == "how" and rest[1:2] in (["i"], ["we"], ["anybody"], ["anyone"]):
            return "report"  # ``how am I to read?``
        if first in ("what", "which", "how"):
            asks = (
                self.words[end : end + 1] == ["?"]
                or not AUXILIARIES.isdisjoint(words[1:2])
                or "'s" in words[1:2]
            )
            return "question" if asks else "report"
        if not _MANNERLY.isdisjoint(words):
            return "order"
        if first in _ASKED:
            idle = (
                first not in ("can", "could", "ca")
                and rest[:1]
                and rest[0] not in _ANYBODY | {"you"}
            )
            return "question" if idle else self._modal(rest)
        if (
            first in ("do", "did")
            and rest[:1] == ["you"]
            and not {"think", "reckon"}.isdisjoint(rest)
        ):
            return "order"
        return "question"

    def _modal(self, rest: Sequence[str]) -> Act:
        """Return what ``can`` and ``could`` do: asked of anybody an order, of a thing a wish."""
        if rest[:1] in (["i"], ["we"]):
            return "wish" if rest[1:2] and rest[1] in ("have", "get", "see") else "question"
        knows = not _KNOWING.isdisjoint(rest[1:2]) and not _ASKING_FOR.isdisjoint(rest[2:])
        return "question" if knows else "order"

    def _said(self, part: Part) -> Act:
        """Return what a clause with a subject does."""
        subject, verb = self.words[part.head.subject : part.head.verb], part.head.verb
        named = any(at in self.things for at in range(part.head.subject, verb))
        words = self.words[verb : part.end]
        plain = [w for w in words if w not in ADVERBS or w in NEGATIONS]
        if not plain:
            return "report"
        if not self.robots.isdisjoint(range(part.head.subject, verb)):
            return "order"
        if "whoever" in subject:
            return "report"
        if "you" in subject:
            return self._of_you(subject, plain)
        if not _ANYBODY.isdisjoint(subject[:1]) and not named and self._is_base(verb, part.end):
            return "order"
        if plain[0] in _SAYING and not named:
            at = verb + 1 + (words[1:2] == ["that"])
            return (
                self._act(Part(at, part.end, self.head(at, part.end)))
                if at < part.end
                else "report"
            )
        if words[-1] == "so" and not {"keep", "stay", "leave", "have"}.isdisjoint(words):
            return "leave"
        if self.words[part.start] not in ("so", "because") and self._content(subject, words):
            return "leave"
        if named or not _BACK.isdisjoint(subject[:1]) or subject[:1] == ["there"]:
            return self._of_thing(plain, words)
        return self._of_people(part, plain)

    def _of_you(self, subject: Sequence[str], plain: Sequence[str]) -> Act:
        denied = not NEGATIONS.isdisjoint(plain[:3])
        if plain[0] in AUXILIARIES - BE - {"'ve", "had"} | {"needs"}:
            needless = (denied and plain[0] in ("need", "do", "does")) or plain[:1] == ["needn"]
            return "leave" if needless else "order"
        return "order" if plain[0] in orders() and plain[0] not in _KNOWING else "report"

    def _content(self, subject: Sequence[str], words: Sequence[str]) -> bool:
        """Return whether somebody is content with how something is: ``I don't mind it``, ``that's fine``."""
        plain = [w for w in words if w not in ADVERBS - NEGATIONS]
        if "mind" in plain[:3] and not NEGATIONS.isdisjoint(plain[:2]):
            return True
        if (
            subject[:1]
            and subject[0] in _SPEAKERS
            and plain[:1] in (["like"], ["love"])
            and plain[-1] in ("it", "so", "way", "that")
        ):
            return True
        says = plain[:1] and plain[0] in BE | {"'s"} and NEGATIONS.isdisjoint(plain)
        few = len(plain) <= 5 and "too" not in words and "if" not in words
        return (
            bool(says)
            and few
            and not _APPROVED.isdisjoint(plain[1:3])
            and subject[:1] != ["there"]
            and plain[-1] not in ("on", "off")
        )

    def _of_thing(self, plain: Sequence[str], words: Sequence[str]) -> Act:
        """Return what a clause about a thing does: it tells what is to become of it, or how it is."""
        denied = not NEGATIONS.isdisjoint(plain[:3])
        if {"'s", "is", "are"} & {*plain[:1]} and {("to", "be"), ("to", "do")} & {*pairwise(plain)}:
            return "wish"
        perfect = (
            plain[0] in ("should", "must", "could", "would", "might", "may")
            and "have" in plain[1:3]
        )
        if not _STAYING.isdisjoint(plain[:3]):
            return "leave"
        asked = plain[0] in _DUE or plain[:2] in (
            ["has", "to"],
            ["have", "to"],
            ["is", "to"],
            ["are", "to"],
        )
        asked = asked or plain[:3] == ["'s", "got", "to"] or {"supposed", "meant"} & {*plain[1:3]}
        if "would" in plain[:2] and "if" in plain:
            return "wish"
        if not asked or perfect:
            return "report"
        if denied:
            return {"need": "leave", "needs": "leave", "must": "wish"}.get(
                plain[0], "complaint" if plain[0] in ("should", "ought") else "report"
            )
        weak = plain[0] in ("will", "might", "may", "'d") or plain[:2] == ["goes", "off"]
        return "report" if weak else "wish"

    def _of_people(self, part: Part, plain: Sequence[str]) -> Act:
        """Return what people do in a clause of theirs: they want something, will do something, or did."""
        at = next((n for n in range(min(4, len(plain))) if self._wants(plain, n)), None)
        if at is None:
            will = plain[0] in ("'ll", "will") and not {"have", "need", "want", "take", "be"} & {
                *plain[1:2]
            }
            return "own" if will else "report"
        denied = not NEGATIONS.isdisjoint(plain[: at + 1])
        rest = plain[at + 1 :]
        if rest[:1] == ["to"]:
            mine = rest[1:2] and rest[1] not in ("have", "be", "see", "get")
            return "report" if denied else "own" if mine else "wish"
        if rest[:1] == ["you"]:
            return "order"
        named = any(n in self.things for n in range(part.head.verb, part.end))
        if denied:
            return "complaint" if named and plain[at] in _WANTING | {"like"} else "report"
        return "wish"

    def _wants(self, plain: Sequence[str], at: int) -> bool:
        word, before = plain[at], plain[:at]
        if word in _WANTING and not (before and before[-1] in ("to",)):
            return not (word == "need" and before[-1:] == ["the"])
        if _BETTER.isdisjoint(before):
            return False
        if not NEGATIONS.isdisjoint(plain):
            return word in _LIKING
        some = next((n for n in range(at + 1, min(at + 4, len(plain))) if plain[n] in _SOME), None)
        return word in _LIKING or (
            some is not None and all(w in PREPOSITIONS for w in plain[at + 1 : some])
        )
