"""Talk: what names nothing of a world, and tells or casts doubt on nothing in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from commonground.grounding.memory.english.lexicon import UNTOLD, load_lexicon
from commonground.grounding.memory.english.time_phrases import times_in
from commonground.grounding.memory.ontology.words import (
    EVERY,
    MODALS,
    NEGATIONS,
    Word,
    classes_of,
    lemmas,
    number_in,
    says_nothing,
)
from commonground.grounding.memory.readers.domain.changes import Changes
from commonground.grounding.memory.readers.domain.described.nouns import SMALL
from commonground.grounding.memory.readers.domain.described.phrase import Phrase, text_of
from commonground.grounding.memory.readers.domain.described.phrases import Phrases
from commonground.grounding.memory.readers.domain.described.segment import Segment, segment
from commonground.grounding.memory.readers.domain.described.wording import Wording
from commonground.grounding.words.nouns import word_set

_MARKS = frozenset([",", ";", "-", "–", "—"])
_JOINING = frozenset(["and", "but", "so", "though", "because"])
_SPEAKING = frozenset(["i", "we", "you", "without"])
"""What begins a part that is of the speaker, or tells how; after a joining word."""
UNREAL = word_set("if unless whether almost nearly until till or used wish either")
"""Words under which what stands beside them may not be so."""
DOUBTING = UNREAL | word_set(
    "once when whenever soon before after provided case lest story tale plan idea film "
    "movie play game book script theory test drill exercise example other others rest "
    "same instead who except"
)
"""Words under which what stands beside them may not be so, or not all of it, or of others too."""
_ORDERS = (["do", "that"], ["do", "it"])
"""What asks for what the part before says is not done: ``could you do that``."""
_LINKING = frozenset(["feel", "look", "smell", "taste", "sound"])
_POLITE = word_set("if she he they you be so good kind 'd a love")


class Talk:
    """Tells talk from what is told of one world."""

    def __init__(self, wording: Wording) -> None:
        self.wording, self.denoting = wording, wording.denoting

    def without(
        self, sentences: Sequence[Sequence[Word]], changes: Changes, *, task: bool = False
    ) -> list[list[Word]]:
        """Return sentences without their talk; all of it where nothing else would be left."""
        phrases = Phrases(self.denoting, changes)
        kept = [
            [
                w
                for chunk in _chunks(s)
                if not self._is_talk(chunk, phrases, task=task)
                for w in chunk
            ]
            for s in sentences
        ]
        trimmed = [_trimmed(words) for words in kept]
        left = [words for words in trimmed if words]
        return left or [[*s] for s in sentences]

    def _is_talk(self, chunk: Sequence[Word], phrases: Phrases, *, task: bool) -> bool:
        texts = [w.text for w in chunk if w.text not in _MARKS]
        if task and (_is_polite(texts) or texts[-2:] in _ORDERS):
            return texts[-2:] not in _ORDERS
        if not texts or self._may_matter(texts):
            return not texts and len(chunk) == 0
        parts = phrases.parts([w for w in chunk if w.text not in _MARKS])
        if any(isinstance(p, Phrase) and not p.pronoun for p in parts):
            return False
        made = segment(parts, self.wording.sayings.is_deed)
        return self._is_remark(made)

    def _is_remark(self, made: Segment) -> bool:
        return self._only_feels(made) or self.wording.is_remark(made)

    def _only_feels(self, made: Segment) -> bool:
        """Return whether words only say how something feels or looks, which is no state here."""
        texts = [*map(text_of, made.parts)]
        return bool(links_state(texts)) and not self.wording.is_telling(made)

    def _may_matter(self, texts: Sequence[str]) -> bool:
        """Return whether words may make doubtful, deny, count or correct what is told beside them."""
        counts = not EVERY.isdisjoint(texts) or any(map(number_in, texts))
        return counts or casts_doubt(texts)


def casts_doubt(texts: Sequence[str]) -> bool:
    """Return whether words may make doubtful, deny or correct what is told beside them."""
    said = {*texts}
    if said & DOUBTING or turns(texts):
        return True
    links = links_state(texts)
    classes = {c for t in texts if t not in links for c in classes_of(t, frozenset())}
    if "you" in said:  # "you will never guess", but not "you never know"
        return bool(said & NEGATIONS) and "certain" in classes
    if "?" in said:
        return "observe" not in classes_of(texts[0], frozenset())
    return bool(classes & UNTOLD or said & (MODALS | NEGATIONS - {"without"}))


def links_state(texts: Sequence[str]) -> frozenset[str]:
    """Return the verb by which words only say how something looks or feels: ``feels quite warm``."""
    at = next((n for n, t in enumerate(texts) if lemmas(t) & _LINKING), len(texts))
    rest = [t for t in texts[at + 1 :] if not says_nothing(t)]
    bare = len(rest) == 1 and rest[0] not in SMALL
    return frozenset(texts[at : at + 1]) if bare else frozenset()


def _is_polite(texts: Sequence[str]) -> bool:
    """Return whether words are no more than polite: ``if she would be so good``."""
    return {*texts} <= _POLITE | MODALS and bool({*texts} & MODALS)


def turns(texts: Sequence[str]) -> bool:
    """Return whether words make what is told beside them doubtful, of another time, or correct it."""
    words = load_lexicon()
    phrases = (words.hedges, words.habits, words.retract, words.correct, words.missed)
    weak = texts[0] == "no" or words.correct_weak.match(texts, 0) > 0
    return weak or any(p.find([*texts]) for p in phrases) or bool(times_in(" ".join(texts)))


def _chunks(sentence: Sequence[Word]) -> Iterator[list[Word]]:
    """Yield the parts of a sentence between its marks, each with the mark before it."""
    chunk: list[Word] = []
    for at, word in enumerate(sentence):
        after = sentence[at + 1].text if at + 1 < len(sentence) else ""
        joins = word.text in _JOINING and after in _SPEAKING
        if (word.text in _MARKS or joins) and chunk:
            yield chunk
            chunk = []
        chunk.append(word)
    if chunk:
        yield chunk


def _trimmed(words: Sequence[Word]) -> list[Word]:
    """Return words without marks and joining words at the ends."""
    found = [*words]
    while found and found[0].text in _MARKS:
        found.pop(0)
    while found and found[-1].text in _MARKS | {"and", "but", "so"}:
        found.pop()
    return found
