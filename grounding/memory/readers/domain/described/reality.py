"""Whether what a sentence tells is so: not asked, wished, doubted, imagined, intended or hearsay."""

from __future__ import annotations

from collections.abc import Sequence

from commonground.grounding.memory.english.lexicon import UNTOLD, load_lexicon
from commonground.grounding.memory.interpretation.unclear import CERTAIN, Unclear
from commonground.grounding.memory.ontology.words import (
    COPULAS,
    MODALS,
    OF_IT,
    Word,
    alike,
    classes_of,
    is_participle,
    is_verb,
    states_of,
)
from commonground.grounding.memory.readers.domain.changes import Changes
from commonground.grounding.memory.readers.domain.described.denoting import Denoting
from commonground.grounding.memory.readers.domain.described.phrase import text_of
from commonground.grounding.memory.readers.domain.described.phrases import Phrases
from commonground.grounding.memory.readers.domain.described.talk import UNREAL
from commonground.grounding.words.nouns import word_set

_INTENDING = word_set("going about planning meaning hoping trying ready supposed meant due")

_DEGREES = word_set(
    "half quarter partly partially nearly almost mostly barely hardly scarcely slightly somewhat"
)
_OF_DEGREE = frozenset(["a", "bit", "way", "of", "the"])


class Reality:
    """Asks about sentences that may tell what is not so."""

    def __init__(self, denoting: Denoting) -> None:
        self.denoting, self.sayings = denoting, denoting.sayings

    def check_report(self, sentence: Sequence[Word], changes: Changes) -> None:
        """Raise Unclear for what may not be so, or was only meant to be done."""
        if not sentence:
            raise Unclear("what was seen?")
        self.check(sentence, changes)
        self._check_degree([w.text for w in sentence])
        if self._is_intended([*map(text_of, Phrases(self.denoting, changes).parts(sentence))]):
            raise Unclear("was that done, or only meant to be?")

    def _check_degree(self, texts: Sequence[str]) -> None:
        """Raise Unclear where a thing is said to be something only in part: that, or not, is neither."""
        for at, text in enumerate(texts):
            told = next((w for w in texts[at + 1 : at + 3] if w not in _OF_DEGREE), "")
            states = self.sayings.state_words
            if text in _DEGREES and (states_of(told) or any(alike(told, s) for s in states)):
                raise Unclear(f"'{text} {told}': is it {told}, or not?")
            if {text, *texts[at + 2 : at + 3]} == {"on", "off"} and texts[at + 1] == "and":
                raise Unclear("is it on now, or off?")

    def check(self, sentence: Sequence[Word], changes: Changes) -> None:
        """Raise Unclear for what is asked, wished, doubted, imagined or said by others."""
        parts = Phrases(self.denoting, changes).parts(_without_likening(sentence))
        texts = [text_of(p) for p in parts]
        words = [t for n, t in enumerate(texts) if t and not self.sayings.lacks(texts[n:])]
        doubted = {*words} & (UNREAL | MODALS | {"?"}) or load_lexicon().hedges.find(words)
        if doubted:
            open_by = doubted if isinstance(doubted, str) else min(doubted, key=words.index)
            raise Unclear(f"'{open_by}' leaves that open: {CERTAIN}")
        if [w.text for w in sentence if w.text not in ("!", ".")][-1:] in (["not"], ["never"]):
            raise Unclear("is that so, or not?")
        untold = next((w for at, w in enumerate(words) if self._is_untold(words, at)), None)
        if untold is not None:
            raise Unclear(f"'{untold}': is that so, or only said, thought or wished?")

    def _is_untold(self, words: Sequence[str], at: int) -> bool:
        """Return whether a word is a verb under which what it speaks of may not be so."""
        word = words[at]
        if is_participle(word) and words[at + 1 : at + 2] == ["for"]:
            return False  # what is meant for somebody
        if word in COPULAS or words[max(at - 1, 0) : at] in (["at"], ["a"], ["an"]):
            return False  # "at long last", "a call"
        return bool(classes_of(word, frozenset()) & UNTOLD) and not self._is_own(word)

    def _is_intended(self, texts: Sequence[str]) -> bool:
        """Return whether words only tell what somebody was about to do: ``was going to lift it``."""
        return any(
            (text == "going" or (text in _INTENDING | COPULAS and not self._is_own(text)))
            and texts[at + 1 : at + 2] == ["to"]
            and any(map(self._is_doing, texts[at + 2 : at + 3]))
            for at, text in enumerate(texts)
        ) or bool({*texts} & {"gonna", "wanna"})

    def _is_doing(self, word: str) -> bool:
        """Return whether a word is a verb, and not rather a place of the domain: ``going to rack 2``."""
        return self.sayings.is_deed(word) or (is_verb(word) and not self._is_own(word))

    def _is_own(self, word: str) -> bool:
        """Return whether a word is one of the domain's."""
        said = {w for s in self.sayings.all.values() for w in (s.word, *s.nouns)}
        return any(alike(word, w) for w in (*said, *self.sayings.deed_words) if w)


def _without_likening(sentence: Sequence[Word]) -> list[Word]:
    """Return words without what tells no doubt: ``like an oven``, ``has been used``, ``nor here, either``."""
    texts = ["", *(w.text for w in sentence), "."]
    around = zip(sentence, texts, texts[2:], strict=False)
    denied = bool({"not", "no", "never"} & {*texts})
    return [
        word
        for word, last, after in around
        if not (word.text == "like" and last in COPULAS)
        and not (word.text == "mind" and last in OF_IT)
        and not (word.text == "used" and after != "to")
        and not (word.text == "either" and denied and not after.isalpha())
    ]
