"""Clauses of a command with their heads: an order's verb, an inverted question, or a subject and its verb."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache
from typing import Literal, NamedTuple, TypeAlias

from commonground.grounding.english.remarks import MARKS
from commonground.grounding.problem_writer.commands.vocabulary import command_words
from commonground.grounding.problem_writer.wishes.likeness import likeness
from commonground.grounding.words.concepts import everyday
from commonground.grounding.words.nouns import word_set
from commonground.grounding.words.verbs import guessed_lemma, irregular_verbs, verb_forms

Mood: TypeAlias = Literal["order", "inverted", "told", ""]

ENDS = frozenset(".;!?")
BREAKS = frozenset(":()–—")
JOINTS = word_set(
    "and but so because since as cos cause while whilst although though then or plus &"
)
"""Behind these a clause may begin anywhere."""
HOLDING = word_set(
    "if unless until till when whenever once before after where that which who whose"
)
"""What begins with these belongs to the clause that it stands by."""
ADVERBS = word_set(
    "please just now then also kindly first quickly really only still already always never ever even finally "
    "probably actually simply both all either too again maybe perhaps well definitely not n't longer "
    "ok okay oh right hey hi hello ugh yes no well today tonight later next afterwards"
)
BE = word_set("is are was were am 're 'm")
DO = word_set("do does did")
HAVE = word_set("has have had 've")
MODALS = word_set("will would can could shall should may might must ought wo ca cannot 'd 'll need")
AUXILIARIES = BE | DO | HAVE | MODALS
PRONOUNS = word_set(
    "i we he she they it that this these those there you everyone everybody everything somebody someone "
    "something nobody noone anybody anyone who whoever whatever which one"
)
_ASKED_OF = word_set(
    "i we he she they there you everyone everybody somebody someone anybody anyone"
)
"""Behind ``do`` and ``have`` these are who is asked about, and nothing that is done or had."""
DETERMINERS = word_set(
    "the a an my your our his her their its this that these those some any no every each both all "
    "another one two three four five six"
)
OBJECTS = (DETERMINERS - {"no", "nobody"}) | word_set("it them me us him everything anything")
PREPOSITIONS = word_set(
    "in on at to from of off with without by for into onto inside under over up down near behind beside "
    "between out about around upon"
)
_CLOSED = ADVERBS | AUXILIARIES | PRONOUNS | DETERMINERS | PREPOSITIONS | JOINTS | HOLDING | MARKS
_HELPING = word_set(
    "do let go come make give get leave try deal sort see be have keep mind remember forget"
)
_SOME = word_set("one either both any each some none neither all whichever")
_FROM_PLAN = word_set("goes go needs need wants want belongs belong stays stay looks smells feels")
_TURNED = word_set("on off out up down open shut closed away")
_OPENINGS = [[word] for word in DETERMINERS]
_LONGEST = 10


class Head(NamedTuple):
    """How a clause begins: its mood, where its subject begins and where its verb is."""

    mood: Mood
    subject: int
    verb: int


class Part(NamedTuple):
    """One clause: its first word, the one behind its last, and its head."""

    start: int
    end: int
    head: Head


class Heads:
    """The clauses of one text."""

    def __init__(self, words: Sequence[str], things: Collection[int]) -> None:
        self.words, self.things = words, frozenset(things)
        """The words, and which of them name things of the house."""

    def parts(self) -> Iterator[Part]:
        """Yield all clauses."""
        begin = 0
        for end in [*(n for n, w in enumerate(self.words) if w in ENDS), len(self.words)]:
            if end > begin:
                yield from self._divided(begin, end)
            begin = end + 1

    def _divided(self, begin: int, end: int) -> Iterator[Part]:
        cuts = [begin]
        for at in range(begin + 1, end):
            cut = self._cut(at, cuts[-1], end)
            if cut is not None and cut > cuts[-1]:
                cuts.append(cut)
        for start, stop in zip(cuts, [*cuts[1:], end], strict=True):
            while stop > start and self.words[stop - 1] in MARKS | BREAKS:
                stop -= 1
            if stop > start:
                yield Part(start, stop, self.head(start, stop))

    def _cut(self, at: int, begin: int, end: int) -> int | None:
        """Return where a clause begins at a word that may join one on."""
        word = self.words[at]
        if word in BREAKS:
            return at + 1
        if word not in JOINTS and word != ",":
            return None
        if word == "as" and (
            self.words[at + 1] not in PRONOUNS | DETERMINERS
            or "as" in self.words[max(at - 3, 0) : at]
        ):
            return None
        start = at + 1 if word == "," else at
        head = self.head(start, end)
        before = self.head(begin, at)
        if word == "," and not head.mood and self._is_beside(begin, at, end):
            return start
        fragment = not head.mood and self._is_fragment(start, end) and self._only_tells(begin, at)
        if not (head.mood or fragment):
            return None
        listed = not before.mood and head.mood == "told" and self._is_list(begin, at, word)
        return None if listed else start

    def _is_beside(self, begin: int, end: int, last: int) -> bool:
        """Return whether a clause only tells something in the middle of one: ``put the mug, it's wet, in the sink``."""
        head = self.head(begin, end)
        aside = (
            head.mood == "told"
            and self.words[head.subject] in ("it", "they")
            and self.words[begin - 1 : begin] == [","]
        )
        return (
            aside
            and self._only_tells(begin, end)
            and any(at in self.things for at in range(end, last))
        )

    def _only_tells(self, begin: int, end: int) -> bool:
        """Return whether a clause asks for nothing."""
        return self.head(begin, end).mood == "told"

    def _is_list(self, begin: int, end: int, joint: str) -> bool:
        """Return whether words only name what the subject of a clause goes on with."""
        begin = self._skipped(begin, end)
        named = any(at in self.things for at in range(begin, end))
        return (named and self._names_only(begin, end)) or (joint == "and" and end - begin < 4)

    def _names_only(self, begin: int, end: int) -> bool:
        """Return whether words only list things."""
        listing = DETERMINERS | {",", "and", "'s"}
        return all(at in self.things or self.words[at] in listing for at in range(begin, end))

    def _is_fragment(self, at: int, end: int) -> bool:
        """Return whether what has no verb says how or where a thing is to be: ``into the bin with it``."""
        at = self._skipped(at, end)
        stop = next((n for n in range(at, end) if self.words[n] == ","), end)
        words = self.words[at:stop]
        turned = self.words[at] not in PREPOSITIONS and any(
            n in self.things and self.words[n + 1] in _TURNED and self.words[n + 2 : n + 3] not in _OPENINGS
            for n in range(at, stop - 1)
        )
        named = any(n in self.things for n in range(at, stop))
        into = words[:1] in (["into"], ["onto"]) or (
            bool(words) and words[0] in ("in", "on") and "with" in words
        )
        return turned or (named and (into or "please" in words))

    def _skipped(self, at: int, end: int) -> int:
        while at < end and (self.words[at] in JOINTS | ADVERBS | MARKS | {"'s"}):
            if self.words[at] in ("all", "both", "no", "never", "not", "either") and at + 1 < end:
                if (
                    self.words[at + 1] in DETERMINERS
                    or at + 1 in self.things
                    or self.words[at + 1].isdigit()
                ):
                    break
            at += 1
        return at

    def head(self, start: int, end: int) -> Head:
        """Return how a clause that begins at a word begins."""
        at = self._skipped(start, end)
        if at and self.words[at - 1 : at + 1] == ["so", "that"]:
            at += 1
        if at >= end:
            return Head("", at, at)
        word, after = self.words[at], self.words[at + 1] if at + 1 < end else ""
        if word in DO and after in ("n't", "not") and (self._is_base(at + 2, end)):
            return Head("order", at, self._skipped(at + 2, end))
        if word == "let" and after in ("'s", "us"):
            return Head("order", at, at + 2)
        if word in HOLDING - {"that", "which", "who"}:
            return self._held(at, end)
        if self._is_inverted(at, end):
            return Head("inverted", at, at)
        if self._is_base(at, end) and not self._is_subject(at, end):
            return Head("order", at, at)
        subject = self._behind_place(at, end) if word in PREPOSITIONS else at
        verb = self._verb(subject, end) if subject < end else None
        return Head("told", subject, verb) if verb is not None else Head("", at, at)

    def _behind_place(self, at: int, end: int) -> int:
        """Return where the subject behind a place is: ``even with the lamp on I can't read``."""
        speaks = word_set("i we he she it they there")
        return next(
            (
                n
                for n in range(at + 1, end - 1)
                if self.words[n] in speaks and self.words[n + 1] in AUXILIARIES | {"'s"}
            ),
            end,
        )

    def _held(self, at: int, end: int) -> Head:
        """Return the head of a question that begins with ``when`` or ``where``; others begin no clause."""
        asks = self.words[at] in ("when", "where", "whose") and self.words[at + 1 : at + 2]
        inverted = bool(asks) and self.words[at + 1] in BE | DO | HAVE | {"'s"}
        return Head("inverted" if inverted else "", at, at)

    def _is_inverted(self, at: int, end: int) -> bool:
        word = self.words[at]
        after = self.words[at + 1] if at + 1 < end else ""
        if word in ("what", "which", "why", "how", "who"):
            return True
        if word not in AUXILIARIES - {"'re", "'m", "'ve", "'d", "'ll", "need"}:
            return False
        if after in ("n't", "not"):
            at, after = at + 1, self.words[at + 2] if at + 2 < end else ""
            return after in PRONOUNS | DETERMINERS or at + 1 in self.things
        if word in ("do", "have"):
            return after in _ASKED_OF
        return (
            after in PRONOUNS | DETERMINERS
            or at + 1 in self.things
            or (after.isalpha() and self._asks(at))
        )

    def _asks(self, at: int) -> bool:
        """Return whether the sentence of a word ends with a question mark."""
        return next((w for w in self.words[at:] if w in ENDS), "") == "?"

    def _is_base(self, at: int, end: int) -> bool:
        """Return whether a word is a verb as orders begin with it."""
        at = self._skipped(at, end)
        if at >= end:
            return False
        word, after = self.words[at], self.words[at + 1] if at + 1 < end else ""
        if word in orders() or word in _HELPING:
            return bool(after) or likeness(word) is None
        plain = word.isalpha() and word not in _CLOSED and at not in self.things
        return (
            plain
            and (after in OBJECTS - {"that"} or (after == "that" and at + 2 in self.things))
            and not word.endswith(("s", "ing", "ed"))
            and word not in _finite()
        )

    def _is_subject(self, at: int, end: int) -> bool:
        """Return whether a word that may be an order's verb is a noun: ``light off``, ``set is``."""
        after = self.words[at + 1] if at + 1 < end else ""
        if after in AUXILIARIES | {"'s"} and self.words[at] not in _HELPING:
            return True
        return (
            at in self.things
            and after not in OBJECTS
            and not (at + 1 in self.things and at + 1 not in self._same(at))
        )

    def _same(self, at: int) -> set[int]:
        """Return the words that stand right behind one that names a thing as well."""
        found, n = set(), at + 1
        while n in self.things:
            found.add(n)
            n += 1
        return found

    def _verb(self, at: int, end: int) -> int | None:
        """Return where the verb of a subject is; None where there is no clause with one."""
        word = self.words[at]
        if word in AUXILIARIES | MARKS | participles():
            return None
        after = self.words[at + 1] if at + 1 < end else ""
        if (
            after == "of"
            and word in _SOME
            and at + 3 < end
            and self.words[at + 2] in ("you", "us", "them")
        ):
            return self._skipped(at + 3, end)
        alone = (
            word not in DETERMINERS
            or after in AUXILIARIES | {"'s"}
            or self._skipped(at + 1, end) > at + 1
        )
        if word in PRONOUNS and alone and after != "of":
            verb = at + 1
            while verb < end and self.words[verb] in ADVERBS - {"n't", "not"}:
                verb += 1
            return (
                verb
                if verb < end and self.words[verb] not in MARKS | JOINTS | PREPOSITIONS
                else None
            )
        return self._behind(at, end)

    def _behind(self, at: int, end: int) -> int | None:
        """Return where the verb behind a noun is: the first that no ``that`` or ``who`` goes before."""
        related = False
        for n in range(at + 1, min(end, at + _LONGEST)):
            word, before = self.words[n], self.words[n - 1]
            if word == "," and self._names_only(at, n):
                continue
            if word in MARKS | BREAKS or word in HOLDING - {"that", "which", "who"}:
                return None
            if word in JOINTS and self._is_base(n + 1, end) and not self._is_subject(n + 1, end):
                return None
            if (
                before in ("that", "which", "who")
                and n - 1 > at
                and (word in AUXILIARIES or self._is_finite(n, at))
            ):
                related = True
                continue
            if word in AUXILIARIES and not (word == "need" and before in DETERMINERS):
                return n
            if (word == "'s" and self._is_short_form(n, end)) or (
                self._is_finite(n, at) and not related
            ):
                return n
            related = related and self._is_finite(n, at)
        return None

    def _is_short_form(self, at: int, end: int) -> bool:
        """Return whether ``'s`` is a verb and does not tell whose something is."""
        after = self.words[at + 1] if at + 1 < end else ""
        if after == "back":
            return False
        known = after in ADVERBS | DETERMINERS | PREPOSITIONS | {
            "got",
            "gone",
            "not",
            "n't",
            "been",
            "so",
            "too",
            "far",
            "way",
        }
        formed = (
            after.endswith(("ing", "ed")) or after in participles() or not everyday().senses(after)
        )
        return known or (formed and after.isalpha() and not {at + 1, at + 2} & self.things)

    def _is_finite(self, at: int, subject: int) -> bool:
        """Return whether a word is a verb in the third person or of the past."""
        word, before = self.words[at], self.words[at - 1]
        if (
            at in self.things
            or before in DETERMINERS | PREPOSITIONS | {"'s"}
            or word in _CLOSED - _FROM_PLAN
        ):
            return False
        if word in _FROM_PLAN or word in _finite():
            return True
        guessed = guessed_lemma(word)
        return guessed is not None and guessed[1] == "past" and self.words[at + 1 : at + 2] != []


@cache
def orders() -> frozenset[str]:
    """Return the verbs that ask for something, as they are in orders."""
    return frozenset(p.partition(" ")[0] for ps in command_words().verbs.values() for p in ps) - {
        "do",
        "be",
    }


@cache
def placing() -> frozenset[str]:
    """Return the verbs that say of something only where it shall go."""
    found = frozenset(verb for frame in ("put", "trash") for verb in command_words().verbs[frame])
    return found - word_set("take set keep leave save prepare gather collect add lock secure pour house file toss throw")


@cache
def _finite() -> frozenset[str]:
    """Return verbs in the third person and of the past that are no base form as well."""
    known = (*irregular_verbs(), *orders())
    forms = {(w, f) for base in known for w, fs in verb_forms(base).items() for f in fs}
    bases = {word for word, form in forms if form == "base"}
    return frozenset(
        word for word, form in forms if form in ("third", "past") and word not in bases
    )


@cache
def past() -> frozenset[str]:
    """Return the verbs whose past is as their base: ``put``."""
    return frozenset(base for base in irregular_verbs() if "past" in verb_forms(base)[base])


@cache
def participles() -> frozenset[str]:
    """Return the participles of known verbs: ``washed``."""
    known = (*irregular_verbs(), *orders())
    forms = ((w, f) for base in known for w, fs in verb_forms(base).items() for f in fs)
    return frozenset(word for word, form in forms if form == "participle")
