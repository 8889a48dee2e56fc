"""Wishes that a main clause only introduces: ``what I need is the egg cooked``, ``it would be good if …``.

Who wants something, and how gladly, is said before it in many ways; what they all have in common is that such
a clause names no thing of the house, and that a clause about one depends on it. That clause is the wish.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from commonground.grounding.english.faithful import NEGATIONS
from commonground.grounding.problem_writer.wishes.account import Accounts
from commonground.grounding.problem_writer.wishes.heads import (
    ADVERBS,
    AUXILIARIES,
    BREAKS,
    CLOSED,
    DETERMINERS,
    MODALS,
    PREPOSITIONS,
    orders,
    sentences,
)
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.problem_writer.wishes.verb_acts import ANYBODY
from commonground.grounding.words.nouns import word_set
from commonground.grounding.words.verbs import guessed_lemma, irregular_verbs, verb_forms

_WANTING = word_set(
    "want wants wanted need needs needed wish wishes wishing hope hopes hoping hoped like love prefer "
    "rather appreciate ask asks asking asked request requests requesting insist insists suggest propose "
    "expect expects expecting beg wonder wondering require requires fancy desire recommend after "
    "obliged grateful glad thankful pleased happy delighted matters happen"
)
"""Verbs and moods of who wants something."""
_WISHES = word_set(
    "wish request desire plan idea aim goal task job point thing order orders instruction instructions "
    "preference hope rule arrangement upshot dream favor favour suggestion priority requirement"
)
"""What a wish is called: ``the plan is that …``."""
_GOOD = word_set(
    "good nice lovely great best better important essential vital helpful kind wonderful fine ideal "
    "perfect marvelous marvellous brilliant fantastic super splendid necessary imperative preferable "
    "handy useful happier easier nicer safer delightful sensible wise swell awesome cool amazing "
    "crucial sweet neat grand welcome decent"
)
_NEEDED = word_set("important essential vital necessary imperative crucial best better preferable")
"""What is said so of what is not yet; ``it is nice that`` is said of what is."""
_COULD = word_set("would 'd could might will 'll wo")
_MATRIX = word_set(
    "i we he she they it that this all what my our his her their the your where nothing"
)
_KNOWING = word_set("know tell see check say says said remember whether sure")
_ASKING = word_set("ask asks asked asking wonder wondering")
"""With ``if`` these ask what is so, unless that could be."""
_BARE = word_set("hope hoping rather wish insist suggest time")
"""Behind these a clause begins without ``that``."""
_THAT = ("that", "if", "when")
_HAVING = word_set("have see find get know")
_BACK = word_set("it they them everything these those something")
_EITHER = word_set("both all either neither each")
_BE = word_set("is are was were be 's 're been am")
_INSIDE = DETERMINERS | PREPOSITIONS | ADVERBS | word_set("and or nor of who that") | {","}
"""What may stand in a subject besides what is named."""
_NEAR = 5
_MOST = 14
"""No main clause that introduces a wish has more words."""


def unwrapped(text: str, home: Home) -> str:
    """Return a text in which what is wanted is said by itself, without the clause that it depends on."""
    accounts = Accounts(text, home)
    edits: list[tuple[int, int, str]] = []
    for begin, end in sentences(accounts.words):
        edits += _Matrix(accounts, begin, end).edits()
    for start, stop, instead in sorted(edits, reverse=True):
        first, last = (
            accounts.tokens[start].start,
            accounts.tokens[stop - 1].end if stop > start else None,
        )
        if last is None:
            text = f"{text[:first]}{instead} {text[first:]}"
        else:
            rest = text[last:]
            text = f"{text[:first]}{instead}{rest if instead else rest.lstrip()}"
    return text


class _Matrix:
    """One sentence, as a clause that introduces a wish, and that wish."""

    def __init__(self, accounts: Accounts, begin: int, end: int) -> None:
        self.accounts, self.words, self.begin, self.end = accounts, accounts.words, begin, end

    def edits(self) -> list[tuple[int, int, str]]:
        """Return the words that go, or become others."""
        found = next(self._introduced(), None)
        if found is None:
            return [*self._fronted()]
        start, at, finite = found
        if not finite:
            return [(start, at, "I want")]
        edits = [*self._due(at)]
        return [(start, at, ""), *edits] if edits else []

    def _introduced(self) -> Iterator[tuple[int, int, bool]]:
        """Yield where a main clause begins, and what it introduces, and whether that has a finite verb."""
        for at in range(self.begin + 1, self.end):
            start = self._start(at)
            matrix = self.words[start:at]
            if not self._introduces(start, at) or not self._wants(matrix):
                continue
            last = matrix[-1]
            cleft = last in _BE and self._names_wish(matrix)
            some = cleft and self.words[at] in ("a", "an", "some")
            if self._subject(at) == at and not some:
                continue
            if cleft:
                yield start, at, self.words[self._verb(at) or at] in MODALS | _BE
            elif self._joins(matrix, at):
                yield start, at, True
            elif self._names(matrix):
                yield start, at, False
            elif last == "for" and "to" in self.words[at : min(at + 8, self.end)]:
                yield start, at, True

    def _introduces(self, start: int, at: int) -> bool:
        """Return whether words may be a main clause: few, of a person or of nothing, and of no thing."""
        named = any(map(self._named_at, range(start, at)))
        that = self.words[at] == "that" and self.words[at - 1] not in _THAT
        return not (named or that) and 1 < at - start <= _MOST and self.words[start] in _MATRIX

    def _joins(self, matrix: list[str], at: int) -> bool:
        """Return whether a clause ends with what introduces one with a verb: ``that``, ``if``, ``I hope``."""
        *_, before, last = matrix
        verb = self._verb(at)
        if last in _THAT:
            could = verb is not None and self.words[verb] in _COULD | {"can"}
            return before not in _ASKING or (last == "that") or could
        if last not in _BARE or verb is None:
            return False
        return last == "time" or self.words[verb] in MODALS | _BE

    def _names(self, matrix: list[str]) -> bool:
        """``I'd like to have``, ``we should be glad of``, ``nothing would please me more than``."""
        *_, before, last = matrix
        than = matrix[0] == "nothing" and last == "than"
        with_it = last == "with" and not _GOOD.isdisjoint(matrix)
        having = before == "to" and last in _HAVING
        return than or with_it or having or last == "welcome" or (before, last) == ("glad", "of")

    def _fronted(self) -> Iterator[tuple[int, int, str]]:
        """``if the pillow could be moved to the chair, I'd sit better``: that is what is wanted."""
        at = self._start_of(self.begin)
        verb = (
            self._verb(at + 1)
            if self.words[at] == "if" and self._subject(at + 1) > at + 1
            else None
        )
        mark = next((n for n in range(at, self.end - 2) if self.words[n] == ","), None)
        if verb is None or mark is None or mark < verb:
            return
        better = self.words[mark + 1] in _MATRIX and self.words[mark + 2] in _COULD
        named = any(mark < one.start < self.end for one in self.accounts.named)
        if better and not named and self.words[verb] in _COULD | {"were"}:
            yield at, at + 1, ""
            yield from self._due(at + 1)
            yield mark, self.end, ""

    def _start_of(self, start: int) -> int:
        """Return where a sentence begins behind words that are only said before it."""
        while self.words[start] in (ADVERBS - _BACK - {"all"}) | {","} and start + 1 < self.end:
            start += 1
        return start

    def _start(self, at: int) -> int:
        """Return where the clause begins that ends before a word."""
        for n in range(at - 1, self.begin, -1):
            joint = self.words[n - 1] in ("and", "but", "so") and self.words[n] in _MATRIX
            if joint or self.words[n - 1] in BREAKS | {","}:
                return n
        return self._start_of(self.begin)

    def _wants(self, matrix: list[str]) -> bool:
        """Return whether a clause says that something is wanted, or would be good."""
        if matrix[0] == "nothing":
            return not _COULD.isdisjoint(matrix)
        if not NEGATIONS.isdisjoint(matrix) or not _KNOWING.isdisjoint(matrix[:2]):
            return False
        if {"you", "had", "did", "used"} & {*matrix}:
            return False
        could = not _COULD.isdisjoint(matrix)
        good = not (_GOOD if could else _NEEDED).isdisjoint(matrix)
        wants = not _WANTING.isdisjoint(matrix)
        return good or wants or self._names_wish(matrix)

    def _names_wish(self, matrix: list[str]) -> bool:
        """``what I need is``, ``the plan is``."""
        if "time" in matrix and not {"high", "about"}.isdisjoint(matrix):
            return True
        cleft = matrix[0] in ("what", "all") and not (_WANTING | {"happen"}).isdisjoint(matrix)
        where = matrix[0] == "where"
        return (cleft or not _WISHES.isdisjoint(matrix)) and not where

    def _subject(self, at: int) -> int:
        """Return where a thing that is named at a word ends, or what stands for one; else the word."""
        if self.words[at] in ("its", "their") and self.words[at + 1 : at + 2] != []:
            return at + 2
        both = self.words[at] in _EITHER
        begin = at + both
        for n in range(begin, min(begin + _NEAR, self.end)):
            one = next((one for one in self.accounts.named if one.start == n), None)
            if one is not None:
                return one.end
            if not self.words[n].isalpha() or self.words[n] in CLOSED - DETERMINERS:
                break
            if n == begin and self.words[n] not in DETERMINERS:
                break
        return at + 1 if both or self.words[at] in _BACK | ANYBODY else at

    def _verb(self, at: int) -> int | None:
        """Return where the verb of a subject is."""
        last = self._subject(at)
        for n in range(last, min(self.end, last + 12)):
            word = self.words[n]
            if self._named_at(n):
                continue
            if word in MODALS | _BE | {"gets", "got", "get"} or _base(word) or self._plain(n):
                return n
            if word not in _INSIDE:
                return None
        return None

    def _plain(self, at: int) -> bool:
        """``that the box go on the bed``."""
        return self.words[at] == "be" or self.words[at] in _bases().values()

    def _due(self, at: int) -> Iterator[tuple[int, int, str]]:
        """Yield the verbs of what is introduced as those of what should be."""
        if self.words[at] in ANYBODY:  # ``if somebody opened the box``
            verb = self._verb(at)
            if verb is not None and _base(self.words[verb]):
                yield at, verb + 1, _base(self.words[verb])
            return
        subjects = [at, *(n for n in range(at + 2, self.end - 1) if self._is_further(n))]
        done = at
        for subject in subjects:
            verb = self._to_verb(subject) or self._verb(subject)
            if verb is None or verb <= done:
                continue
            to = self.words[verb] in _BE and self.words[verb + 1 : verb + 2] == ["to"]
            yield verb, verb + 1 + to, f"should{'' if to else self._as_base(verb)}"
            done = verb
            stop = next((s for s in subjects if s > subject), self.end)
            yield from self._joined(verb, stop)

    def _is_further(self, at: int) -> bool:
        """``and that the mug is there``."""
        joint = self.words[at - 1] == "and" or self.words[at - 2 : at] == ["and", "that"]
        return joint and self._subject(at) > at and self._verb(at) is not None

    def _to_verb(self, at: int) -> int | None:
        """``for the egg to be cooked``."""
        end = self._subject(at)
        return end if self.words[end : end + 1] == ["to"] and self.words[at - 1] == "for" else None

    def _as_base(self, verb: int) -> str:
        word = self.words[verb]
        if word in MODALS or word == "to":
            return ""
        return f" {'be' if word in _BE else _base(word) or word}"

    def _joined(self, verb: int, stop: int) -> Iterator[tuple[int, int, str]]:
        """Yield the further verbs of a subject: ``and then goes into the fridge``."""
        for n in range(verb + 2, stop):
            before = self.words[n - 1]
            joined = before == "and" or (before in ADVERBS and "and" in self.words[n - 3 : n])
            third = self.words[n].endswith("s") and (_base(self.words[n]) or self.words[n] == "is")
            if joined and third and not self._named_at(n):
                yield n, n + 1, self._as_base(n).strip()

    def _named_at(self, at: int) -> bool:
        return any(one.start <= at < one.end for one in self.accounts.named)


@cache
def _bases() -> dict[str, str]:
    """Return the verbs in the third person and of the past that are no base, with their bases."""
    known = (*irregular_verbs(), *orders(), "belong", "end", "stay")
    forms = [(w, f, base) for base in known for w, fs in verb_forms(base).items() for f in fs]
    bases = {word for word, form, _ in forms if form == "base"}
    return {w: base for w, form, base in forms if form in ("third", "past") and w not in bases}


def _base(word: str) -> str:
    """Return the base of a finite verb of its own; nothing for other words."""
    if word in AUXILIARIES or not word.isalpha():
        return {"has": "have"}.get(word, "")
    guessed = guessed_lemma(word)
    known = _bases().get(word, "")
    return known or (guessed[0] if guessed is not None and guessed[1] == "past" else "")
