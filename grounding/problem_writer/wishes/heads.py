"""How clauses begin: with an order's verb, inverted as questions, or with a subject and its verb."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache
from typing import Literal, NamedTuple, TypeAlias

from commonground.grounding.english.remarks import MARKS
from commonground.grounding.problem_writer.vocabulary import command_words
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
    "ok okay oh right hey hi hello ugh yes no well today tonight tomorrow later next afterwards"
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
CLOSED = ADVERBS | AUXILIARIES | PRONOUNS | DETERMINERS | PREPOSITIONS | JOINTS | HOLDING | MARKS
HELPING = word_set(
    "do let go come make give get leave try deal sort see be have keep mind remember forget show act "
    "demonstrate"
)
_LEADING = {(a, b) for a in ("do", "does", "did") for b in ("n't", "not")} | {
    ("let", "'s"),
    ("let", "us"),
}
"""Before an order's verb."""
_RELATIVE = word_set("that which who what")
SPEAKING = word_set("i we he she it they there")
_SPEAKING = word_set("i we they")
_COUNTING = word_set("all both no never not either")
_SOME = word_set("one either both any each some none neither all whichever")
_FROM_PLAN = word_set(
    "goes go needs need wants want belongs belong stays stay looks smells feels hates loves likes thinks "
    "knows reckons shines"
)
_PREDICATED = word_set("got gone n't been so too far way")
_POSED = word_set("stand lie sit hang rest")
_LONGEST = 10


class Head(NamedTuple):
    """How a clause begins: its mood, where its subject begins and where its verb is."""

    mood: Mood
    subject: int
    verb: int


class Heads:
    """The words of one text, as clauses begin with them."""

    def __init__(self, words: Sequence[str], things: Collection[int]) -> None:
        self.words, self.things = words, frozenset(things)
        """The words, and which of them name things of the house."""

    def _names_only(self, begin: int, end: int) -> bool:
        """Return whether words only list things."""
        listing = DETERMINERS | {",", "and", "'s"}
        return all(at in self.things or self.words[at] in listing for at in range(begin, end))

    def _word(self, at: int, end: int) -> str:
        return self.words[at] if at < end else ""

    def _names(self, at: int, end: int) -> bool:
        """Return whether a phrase for a thing or somebody begins at a word, or a pronoun."""
        return at in self.things or self._word(at, end) in PRONOUNS | DETERMINERS

    def _skipped(self, at: int, end: int) -> int:
        """Return where a clause begins behind what joins it on and adverbs; ``both the mugs`` has none."""
        while at < end and self.words[at] in JOINTS | ADVERBS | MARKS | {"'s"}:
            counts = self.words[at] in _COUNTING and at + 1 < end
            if counts and (
                at + 1 in self.things or self.words[at + 1] in DETERMINERS | AUXILIARIES
            ):
                break
            at += 1
        return at

    def head(self, start: int, end: int) -> Head:
        """Return how a clause that begins at a word begins."""
        at = min(self._begin(start, end), end - 1)  # of ``now, please`` nothing is left
        word, after = self._word(at, end), self._word(at + 1, end)
        if (word, after) in _LEADING and self._is_base(at + 2, end):
            return Head("order", at, self._skipped(at + 2, end))
        if self._is_inverted(at, end):
            return Head("inverted", at, at)
        if not word or word in HOLDING - _RELATIVE:
            return Head("", at, at)
        if self._is_base(at, end) and not self._is_subject(at, end):
            return Head("order", at, at)
        return self._told_head(at, end)

    def _begin(self, start: int, end: int) -> int:
        """Return where a clause begins behind what stands before its subject or its verb."""
        at = self._skipped(start, end)
        some = at > 0 and self._word(at, end) == "of" and self.words[at - 1] in _SOME
        some = some or (at > 0 and self.words[at - 1 : at + 1] == ["so", "that"])
        behind = at > 0 and (self.words[at - 1] == "," or at - 1 in self.things)
        related = behind and self._word(at, end) in _RELATIVE and self._word(at + 1, end) == "you"
        return at + (
            some or related
        )  # ``both of those go away``, ``the pan, which you had better wash``

    def _told_head(self, at: int, end: int) -> Head:
        """Return how a clause with a subject begins."""
        subject = self._behind_place(at, end) if self._word(at, end) in PREPOSITIONS else at
        verb = self._verb(subject, end) if subject < end else None
        if verb is None:
            return Head("", at, at)
        spoken = verb - 1 > subject and self.words[verb - 1] in SPEAKING
        return Head("told", verb - 1 if spoken else subject, verb)

    def _behind_place(self, at: int, end: int) -> int:
        """Return where the subject behind a place is: ``even with the lamp on I can't read``."""
        for n in range(at + 1, end - 1):
            if self.words[n] in SPEAKING and self.words[n + 1] in AUXILIARIES | {"'s"}:
                return n
        return end

    def _is_inverted(self, at: int, end: int) -> bool:
        """Return whether a clause begins as a question does: ``when it is`` begins part of one."""
        word, after = self._word(at, end), self._word(at + 1, end)
        if word in ("what", "which", "why", "how", "who"):
            return True
        if word in ("when", "where", "whose"):
            return after in BE | DO | HAVE | {"'s"}
        if word not in AUXILIARIES - {"'re", "'m", "'ve", "'d", "'ll", "need"}:
            return False
        if after in ("n't", "not"):
            return self._names(at + 2, end)
        if word in ("do", "have"):
            return after in _ASKED_OF
        return self._names(at + 1, end) or (after.isalpha() and self._asks(at))

    def _asks(self, at: int) -> bool:
        """Return whether the sentence of a word ends with a question mark."""
        return next((w for w in self.words[at:] if w in ENDS), "") == "?"

    def _is_base(self, at: int, end: int) -> bool:
        """Return whether a word is a verb as orders begin with it: a known one, or one before an object."""
        at = self._skipped(at, end)
        word, after = self._word(at, end), self._word(at + 1, end)
        if word in orders() or word in HELPING:
            return bool(after) or likeness(word) is None
        if not word.isalpha() or word in CLOSED or at in self.things or word in _finite():
            return False
        return (
            at + 2 in self.things if after == "that" else after in OBJECTS
        ) and not word.endswith(("s", "ing", "ed", "ly"))

    def _is_subject(self, at: int, end: int) -> bool:
        """Return whether a word that may be an order's verb is a noun: ``light off``, ``set is``."""
        after = self._word(at + 1, end)
        verbal = after in AUXILIARIES | {"'s"} and self.words[at] not in HELPING
        return verbal or (at in self.things and after not in OBJECTS)

    def _verb(self, at: int, end: int) -> int | None:
        """Return where the verb of a subject is; None where there is no clause with one."""
        word, after = self.words[at], self._word(at + 1, end)
        if word in AUXILIARIES | MARKS | participles():
            return None
        if word in _SOME and after == "of" and self._word(at + 2, end) in ("you", "us", "them"):
            return self._skipped(at + 3, end) if at + 3 < end else None
        if word not in PRONOUNS or after == "of" or not self._is_alone(at, end):
            return self._behind(at, end)
        verb = at + 1
        while verb < end and self.words[verb] in ADVERBS - {"n't", "not"}:
            verb += 1
        return verb if self._word(verb, end) not in MARKS | JOINTS | PREPOSITIONS | {""} else None

    def _is_alone(self, at: int, end: int) -> bool:
        """Return whether a pronoun stands alone and is not before a noun: ``that is``, ``that mug is``."""
        verbal = self._word(at + 1, end) in AUXILIARIES | _FROM_PLAN | {"'s"}
        many = self.words[at] in ("these", "those") and at + 1 not in self.things
        verbal = verbal or (many and self._is_base(at + 1, end))  # ``those go in the drawer``
        if self.words[at] == "something" and likeness(self._word(at + 1, end)) is not None:
            return False  # ``something hot to drink``
        return self.words[at] not in DETERMINERS or verbal or self._skipped(at + 1, end) > at + 1

    def _behind(self, at: int, end: int) -> int | None:
        """Return where the verb behind a noun is: the first that no ``that`` or ``who`` goes before."""
        related = False
        for n in range(at + 1, min(end, at + _LONGEST)):
            finite = self._is_finite(n)
            if self._ends_subject(at, n, end):
                return None
            if n - 1 > at and self.words[n - 1] in _RELATIVE and (self._helps(n, end) or finite):
                related = True
            elif self._helps(n, end) or (finite and not related):
                return n
            elif self.words[n - 1] in _SPEAKING and self.words[n] in _known():
                return n  # ``since my fall I get dizzy``
            else:
                related = related and finite
        return None

    def _ends_subject(self, at: int, n: int, end: int) -> bool:
        """Return whether a subject cannot go on with a word: a mark, ``if``, ``and`` before an order."""
        word = self.words[n]
        if word == ",":
            return not self._names_only(at, n)
        if word == "and" and n - 2 in self.things and likeness(self.words[n - 1]) is not None:
            return True  # ``laptop open and switched on``
        orders = word in JOINTS and self._is_base(n + 1, end) and not self._is_subject(n + 1, end)
        fears = word == "case" and self.words[n - 1] == "in"
        return orders or fears or word in MARKS | BREAKS or word in HOLDING - _RELATIVE

    def _helps(self, at: int, end: int) -> bool:
        """Return whether a word is a verb that helps others, or ``is``."""
        if self.words[at] == "'s":
            return self._is_short_form(at, end)
        noun = at in self.things or (self.words[at] == "need" and self.words[at - 1] in DETERMINERS)
        return self.words[at] in AUXILIARIES and not noun

    def _is_short_form(self, at: int, end: int) -> bool:
        """Return whether ``'s`` is a verb and does not tell whose something is."""
        after = self._word(at + 1, end)
        if after in ADVERBS | DETERMINERS | PREPOSITIONS | _PREDICATED:
            return True
        formed = (
            after.endswith(("ing", "ed")) or after in participles() or not everyday().senses(after)
        )
        return (
            after.isalpha()
            and after != "back"
            and formed
            and self.things.isdisjoint((at + 1, at + 2))
        )

    def _is_finite(self, at: int) -> bool:
        """Return whether a word is a verb in the third person or of the past."""
        word, before = self.words[at], self.words[at - 1]
        floats = before in ("both", "all", "each")  # ``the mugs both belong there``
        this_one = before == "one" and self.words[max(at - 2, 0)] in DETERMINERS
        floats |= this_one
        if at in self.things or (before in DETERMINERS | PREPOSITIONS | {"'s"} and not floats):
            return False
        if word in _POSED and at - 1 in self.things and at + 1 < len(self.words):
            return self.words[at + 1] in PREPOSITIONS  # ``two rolls stand on the counter``
        if this_one and word.endswith("s") and word not in CLOSED:
            return True  # ``that one glares``
        guessed = guessed_lemma(word) if word not in CLOSED else None
        return word in _FROM_PLAN | _finite() or (guessed is not None and guessed[1] == "past")


def sentences(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield where each sentence begins, and the mark that ends it."""
    begin = 0
    for end in [*(n for n, w in enumerate(words) if w in ENDS), len(words)]:
        if end > begin:
            yield begin, end
        begin = end + 1


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
    return found - word_set(
        "take set keep leave save prepare gather collect add lock secure pour house file toss throw"
    )


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
def _known() -> frozenset[str]:
    """Return verbs as they are behind ``I``."""
    return frozenset(irregular_verbs()) | orders() | HELPING


@cache
def past() -> frozenset[str]:
    """Return the verbs whose past is as their base: ``put``."""
    return frozenset(base for base in irregular_verbs() if "past" in verb_forms(base)[base])


@cache
def ordered() -> dict[str, str]:
    """Return the verbs that orders begin with by their participles: ``cracked``."""
    forms = ((w, f, base) for base in orders() for w, fs in verb_forms(base).items() for f in fs)
    return {word: base for word, form, base in forms if form == "participle"}


@cache
def participles() -> frozenset[str]:
    """Return the participles of known verbs: ``washed``."""
    known = (*irregular_verbs(), *orders())
    forms = ((w, f) for base in known for w, fs in verb_forms(base).items() for f in fs)
    return frozenset(word for word, form in forms if form == "participle")


@cache
def gerunds() -> dict[str, str]:
    """Return the verbs that orders begin with by their participles and gerunds."""
    forms = (
        (w, form, base)
        for base in (*orders(), "raise", "lower")
        for w, fs in verb_forms(base).items()
        for form in fs
    )
    return {w: base for w, form, base in forms if form in ("gerund", "participle")} | ordered()
