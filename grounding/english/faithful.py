"""Whether an utterance is faithful to its text: names, numbers, symbols and negations that it leaves out.

A trained reader may pass over a word. Words of these kinds change what is to be done, whatever the domain;
so a listener asks about those that are in no span of the utterance instead of acting on the rest. A number
or a negation counts where it says something of words that were heard: ``any order, I don't mind`` does not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from commonground.grounding.english.names import ROBOT, Names
from commonground.grounding.english.parts import parts_of
from commonground.grounding.english.remarks import MARKS, only_tells, remarks
from commonground.grounding.english.tokens import Token, tokens_of
from commonground.grounding.english.utterance import (
    Clause,
    Crew,
    Group,
    Part,
    Phrase,
    Relation,
    Span,
    Steps,
    Utterance,
)
from commonground.grounding.words.nouns import singulars, word_set
from commonground.grounding.words.numbers import count_of

NO_NAMES = Names()
NUMBERS = word_set(
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred dozen "
    "pair couple"
)
TWO = frozenset(["two", "pair", "couple"])
NEGATIONS = word_set(
    "not n't never no nobody none nothing nowhere neither nor without except excluding unless cannot "
    "dont isnt wont doesnt didnt"
)
EXCEPTIONS = frozenset([("apart", "from"), ("aside", "from"), ("other", "than"), ("save", "for")])
"""Words that leave something out as ``except`` does."""
BANS = ("avoid", "forbid", "prohibit", "refrain")
"""Beginnings of verbs that forbid what comes with them."""
COMPARED = frozenset(
    ["more", "less", "fewer", "farther", "further", "closer", "nearer", "later", "earlier"]
)
"""After a negation these make a limit: ``no more than``."""
BACK = frozenset(
    ["it", "them", "there", "that", "these", "those", "this", "he", "him", "she", "her", "they"]
)
"""Words that stand for what was heard before."""
ARTICLES = frozenset(["a", "an", "the", "this", "that", "any", "no"])
COUNTED = frozenset(["them", "these", "those", "you", "ye"])
"""Words for several that may be counted: ``two of them``, ``the pair of you``."""
DETERMINERS = ARTICLES | {"these", "those", "every", "each", "all", "some", "our", "my", "'s"}
SUBJECTS = word_set("it he she that who which then ever never always also first")
"""Before a verb; before a noun without article they are rare."""
ENDS = MARKS - {","}
PAIRS = ("the two", "any two", "both")
CERTAIN_OR_MAYBE = frozenset(["", "maybe", "planned"])
"""Doubts that deny nothing; all others do."""
LISTED = re.compile(r"\d+(?:\.\d+|st|nd|rd|th)")
"""What numbers sentences: ``1.2 Spot moves``, ``1st Spot moves``."""
NOTHING = frozenset(["nothing", "none", "anything", "single"])
NO_ORDER = frozenset(["wrong", "amiss", "there"])
"""Behind ``nothing`` these only tell how things are: ``there's nothing wrong with it``."""
EMPTYING = frozenset(["clear", "empty", "be empty"])
"""Senses that are said by a negation as well: ``I want nothing left on the desk``."""
IMPLIED = {"run water": {"water"}, "stop water": {"water"}}
"""Words that a sense says itself."""
TELLING = frozenset(
    ["is", "'s", "was", "has", "seems", "looks", "sounds", "would", "might", "will"]
)
"""Behind a subject these tell how it is."""
REACH = 4
"""How many words after a number what it counts is looked for."""


def unheard(
    text: str,
    utterance: Utterance,
    chatter: Iterable[Span] = (),
    names: Names = NO_NAMES,
    is_thing: Callable[[str], bool] | None = None,
) -> tuple[Span, ...]:
    """Return what a text says and an utterance does not, in the order of the text.

    Chatter is what the reader took for talk; a name of the world in it is content all the same. So is a noun
    outside of chatter that ``is_thing`` knows something of the world by.
    """
    talk = [*chatter]
    listener = _Listener(text, utterance, names)
    nouns = listener.nouns(talk, is_thing) if is_thing is not None else ()
    return listener.left_out(talk, nouns)


class _Listener:
    """Compares the words of a text with those that an utterance holds."""

    def __init__(self, text: str, utterance: Utterance, names: Names) -> None:
        self.text, self.tokens, self.names = text, tokens_of(text), names
        spans = [*parts_of(utterance, Span)]
        self.words = [token.text.casefold() for token in self.tokens]
        self.heard = [_is_in(token, spans) for token in self.tokens]
        self.told = remarks(text)
        self.known = {w for w, heard in zip(self.words, self.heard, strict=True) if heard}
        self.implied = {
            word for clause in parts_of(utterance, Clause) for word in IMPLIED.get(clause.sense, ())
        }
        self.known |= self.implied
        self.forms = {form for word in self.known for form in singulars(word)}
        levels = [p.level for p in parts_of(utterance, Phrase) if p.level is not None]
        self.counted = {at + 1 for at, token in enumerate(self.tokens) if _is_in(token, levels)}
        """Places of words that only say what an ordinal counts: the third shelf."""
        self.negative = _is_negative(utterance)
        self.banned = _is_banned(utterance)
        self.emptied = any(c.sense in EMPTYING for c in parts_of(utterance, Clause))
        self.pairs = _has_pairs(utterance)
        self.sizes = {*_sizes(utterance)} - {0, 1}
        self.free = _has_choice(utterance)

    def left_out(
        self, chatter: Sequence[Span], nouns: Iterable[tuple[int, int]]
    ) -> tuple[Span, ...]:
        found = [*self._names(), *nouns]
        for at, word in enumerate(self.words):
            if self.heard[at] or (self._is_number(word) and self._is_known(word)):
                continue
            if self._denies(at) or self._counts(at) or self._is_symbol(at):
                found.append((at, at + 1))
        return tuple(_merged(self.text, self.tokens, found, chatter))

    def _names(self) -> Iterator[tuple[int, int]]:
        """Yield the names of the world of which no word was heard anywhere."""
        for start, end, group in self.names.hints([token.text for token in self.tokens]):
            said = self.words[start:end]
            known = any(self.heard[start:end]) or all(map(self._is_known_in_any_form, said))
            known = known or start in self.counted
            if not known and not (group == ROBOT and self._is_common(start)):
                yield start, end

    def _is_known_in_any_form(self, word: str) -> bool:
        return word in self.known or not self.forms.isdisjoint(singulars(word))

    def nouns(
        self, chatter: Sequence[Span], is_thing: Callable[[str], bool]
    ) -> Iterator[tuple[int, int]]:
        """Yield words that name things of the world and of which nothing was heard."""
        for at, word in enumerate(self.words):
            if self.heard[at] or not word.isalpha() or _is_in(self.tokens[at], chatter):
                continue
            if self.told(self.tokens[at]) or count_of(word) is not None or word == "ones":
                continue  # shed one has the word one in it
            forms = {*singulars(word)}
            noun = at > 0 and self.words[at - 1] in DETERMINERS
            noun = noun or (bool(forms - {word}) and not self._is_verb(at))
            if noun and self.forms.isdisjoint(forms) and is_thing(word):
                yield at, at + 1

    def _is_verb(self, at: int) -> bool:
        """Return whether a word that ends like a plural says what somebody does: ``and then drives out``."""
        return at > 0 and self.words[at - 1] in SUBJECTS

    def _is_common(self, at: int) -> bool:
        """Return whether a word is a noun that a robot happens to be called by: ``a good spot``."""
        before = self.words[max(at - 2, 0) : at]
        return self.tokens[at].text.islower() and not ARTICLES.isdisjoint(before)

    def _denies(self, at: int) -> bool:
        """Return whether a negation that the utterance lacks is said of anything heard."""
        word, after = self.words[at], self._after(at)
        if word.startswith(BANS):
            return not self.banned and any(self.heard[k] for k in after)
        if self._is_denied(at):
            return False
        if word == "but":
            return self._excepts(at)
        follows = self.words[at + 1 : at + 2]
        if (word, *follows) in EXCEPTIONS:
            return any(self.heard[k] for k in after)
        tells = word == "nothing" and not NO_ORDER.isdisjoint(follows)
        denies = word in NEGATIONS and not tells and not self._is_limit(at)
        return denies and self._is_about(after)

    def _is_denied(self, at: int) -> bool:
        """Return whether the utterance denies something as well, or nothing is to be denied."""
        emptied = self.emptied and self._leaves_nothing(at)
        return self.negative or emptied or only_tells(self.words, at)

    def _is_about(self, places: Sequence[int]) -> bool:
        """Return whether any of some words were heard, or stand for such."""
        return any(self.heard[k] or self.words[k] in BACK for k in places)

    def _is_limit(self, at: int) -> bool:
        """Return whether a negation belongs to a limit, or to what a sense says: no more than, no water."""
        follows = {self.words[k] for k in self._after(at)[:1]}
        water = self.words[at] == "no" and not self.implied.isdisjoint(follows)
        return water or not COMPARED.isdisjoint(follows)

    def _excepts(self, at: int) -> bool:
        """Return whether a ``but`` leaves something out: ``anyone but Spot``."""
        follows = self._after(at)[:1]
        return self.words[at - 1] not in MARKS and any(self.heard[k] for k in follows)

    def _leaves_nothing(self, at: int) -> bool:
        """Return whether a negation says that nothing stays."""
        return not NOTHING.isdisjoint(self.words[k] for k in (at, *self._after(at)))

    def _counts(self, at: int) -> bool:
        """Return whether a number that the utterance lacks is said of anything heard."""
        word, after = self.words[at], self._after(at)[:REACH]
        one_of = not self.free and self._is_one_of(at)
        counts = one_of or word in NUMBERS
        if not counts or (word in TWO and self.pairs) or self._is_tally(at):
            return False
        if one_of and self.words[at + 2 : at + 3] == ["them"]:
            return True
        return any(self.heard[k] or (self.words[k] in COUNTED and not one_of) for k in after)

    def _is_one_of(self, at: int) -> bool:
        """Return whether one of several is meant, of which more is said than how it is."""
        one_of = self.words[at : at + 2] == ["one", "of"]
        every = self.words[at - 1] in ("each", "every") or self._is_head(at)
        return one_of and not every and not self._is_told_of(at)

    def _is_told_of(self, at: int) -> bool:
        """Return whether one of several only is somehow: ``one of them's stuck``; not ``is to go``."""
        for k in range(at + 3, min(at + 7, len(self.words) - 1)):
            if self.words[k] in TELLING:
                return self.words[k + 1] not in ("to", "for")
        return False

    def _is_head(self, at: int) -> bool:
        """Return whether a word stands for a noun: ``the green one of the mugs``."""
        return at > 1 and self.heard[at - 1] and self.words[at - 2] in DETERMINERS

    def _is_tally(self, at: int) -> bool:
        """Return whether a number says how many things are named: ``two items, the knife and the fork``."""
        word, begins = self.words[at], at == 0 or not self.words[at - 1].isalpha()
        if word.isdigit() and not begins:
            return False  # robot 2
        named = count_of(word) in self.sizes
        return named and at + 1 < len(self.words) and not self.heard[at + 1]

    def _is_symbol(self, at: int) -> bool:
        """Return whether a word has digits and does not number the sentences."""
        if not any(c.isdigit() for c in self.words[at]) or self._is_tally(at):
            return False
        if self.words[at + 1 : at + 2] == [")"] and "(" not in self.words[:at]:
            return False  # 1) the soap, 2) the sponge
        begins = at == 0 or self.words[at - 1] in ENDS
        marked = self.words[at + 1 : at + 2] != [","] and (
            at + 1 == len(self.words) or self.words[at + 1] in MARKS
        )
        listed = marked or LISTED.fullmatch(self.words[at]) is not None
        return not (begins and listed)

    def _is_number(self, word: str) -> bool:
        return word in NUMBERS or word.isdigit()

    def _is_known(self, number: str) -> bool:
        """Return whether a number was heard elsewhere, in these words or in others."""
        same = {word for word in self.known & NUMBERS if count_of(word) == count_of(number)}
        return number in self.known or bool(same)

    def _after(self, at: int) -> list[int]:
        """Return the words after a word up to the next mark."""
        found = []
        for k in range(at + 1, len(self.words)):
            if self.words[k] in MARKS:
                break
            found.append(k)
        return found


def _has_pairs(utterance: Utterance) -> bool:
    """Return whether an utterance speaks of two without a span: ``both``, ``one of you two``."""
    crews = parts_of(utterance, Crew)
    return any(p.det in PAIRS for p in parts_of(utterance, Phrase)) or any(
        c.choose not in ("named", "any one") or len(c.names) > 1 for c in crews
    )


def _sizes(utterance: Utterance) -> Iterator[int]:
    """Yield how many are named side by side, in each list of an utterance."""
    yield len(utterance.parts)
    yield from (len(g.phrases) for g in parts_of(utterance, Group))
    yield from (len(s.steps) for s in parts_of(utterance, Steps))
    yield from (len(c.names) for c in parts_of(utterance, Crew))


def _has_choice(utterance: Utterance) -> bool:
    """Return whether an utterance leaves a choice: of a thing, of a robot, of what to do."""
    return (
        any(p.det.startswith("any") or _is_share(p) for p in parts_of(utterance, Phrase))
        or any(g.join == "one of" for g in parts_of(utterance, Group))
        or any(s.join == "one of" for s in parts_of(utterance, Steps))
        or any(c.choose not in ("named", "unnamed") for c in parts_of(utterance, Crew))
    )


def _is_share(phrase: Phrase) -> bool:
    """Return whether some of several are meant: ``one rack``, ``two of the three``; not ``the two racks``."""
    return phrase.count is not None and (
        phrase.total is not None or count_of(phrase.count.text) in (None, 1)
    )


def _is_banned(utterance: Utterance) -> bool:
    """Return whether anything in an utterance must not be done, or was not."""
    clauses = parts_of(utterance, Clause)
    return any(c.mood == "never" or c.negated for c in clauses) or any(
        p.stands for p in parts_of(utterance, Part)
    )


def _is_negative(utterance: Utterance) -> bool:
    """Return whether anything in an utterance is denied, forbidden, left out or taken back."""
    clauses = parts_of(utterance, Clause)
    return (
        any(c.mood == "never" or c.negated or c.hedge not in CERTAIN_OR_MAYBE for c in clauses)
        or any(r.how in ("not in", "holds no") for r in parts_of(utterance, Relation))
        or any(p.but is not None or p.corrected is not None for p in parts_of(utterance, Phrase))
        or any(c.choose in ("all but", "other") for c in parts_of(utterance, Crew))
        or any(p.stands for p in parts_of(utterance, Part))
    )


def _is_in(token: Token, spans: Iterable[Span]) -> bool:
    return any(s.start < token.end and token.start < s.end for s in spans)


def _merged(
    text: str, tokens: Sequence[Token], found: Sequence[tuple[int, int]], talk: Sequence[Span]
) -> Iterator[Span]:
    """Yield the places found, once each; what lies in chatter as the whole chatter."""
    spans: dict[tuple[int, int], None] = {}
    for first, last in sorted(found):
        start, end = tokens[first].start, tokens[last - 1].end
        around = next(((s.start, s.end) for s in talk if s.start < end and start < s.end), None)
        spans[around or (start, end)] = None
    yield from (Span(start, end, text[start:end]) for start, end in spans)
