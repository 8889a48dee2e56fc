"""Contracted words: with the apostrophes that haste leaves out (``dont``), and written out (``do not``)."""

from __future__ import annotations

import re

from commonground.grounding.words.nouns import word_set

_CONTRACTED = re.compile(
    r"(?<![\w.'’-])"
    r"(?:(he|she|that|there|here|what|where|who)(s)|(you|they)(re|ve)|(we)(ve)|(i)(m|ve)"
    r"|(wo|do|ca|is|are|was|were|did|does|has|have|had|could|would|should)"
    r"(nt|['’]nt|n[;`´]t|(?<!ca)n t|not| nt))(?![\w'’.-]*\w)",
    re.I,
)
"""``were`` is a word of its own; the apostrophe of a negation may be missing, misplaced or another key.
``can t`` is left, as robots may be called by a letter."""
JOINED = word_set(
    "dont cant wont isnt arent wasnt werent didnt doesnt hasnt havent hadnt couldnt wouldnt shouldnt"
)
"""Negations as haste writes them."""
_WHOLE = {
    "can't": "can not", "cannot": "can not", "won't": "will not", "shan't": "shall not", "let's": "let us",
    "ain't": "is not", "mustnt": "must not", "y'all": "you all", "gonna": "going to", "wanna": "want to",
    "gotta": "have to", "lemme": "let me", "gimme": "give me", "d'you": "do you", "u": "you", "ya": "you",
    "'cause": "because", "cos": "because", "cuz": "because",
    "kinda": "kind of", "em": "them", "o'clock": "o'clock", "its'": "its", "teh": "the", "hte": "the",
    "adn": "and", "nad": "and", "thier": "their",
}  # fmt: skip
_ENDINGS = {"n't": "not", "'re": "are", "'ve": "have", "'ll": "will", "'m": "am", "'d": "would"}
_BEING = word_set(
    "it that there here what who where he she this everything something nothing which whichever "
    "whoever someone somebody one everybody nobody how when why"
)
"""What ``'s`` means ``is`` behind; behind anything else it says whose something is."""
_MOST = 3
"""So many contracted words stand in one: ``you'd've``."""


def with_apostrophes(text: str) -> str:
    """Return a text whose contracted words have their apostrophes."""
    return _CONTRACTED.sub(_contracted, text)


def _contracted(found: re.Match[str]) -> str:
    stem, ending = (part for part in found.groups() if part is not None)
    stem = "I" if stem == "i" else stem
    return f"{stem}n't" if ending.lower().endswith("t") else f"{stem}'{ending}"


def written_out(word: str) -> list[str]:
    """Return the words that a lower-case word stands for; a possessive ``'s`` is a word of its own."""
    behind: list[str] = []
    for _ in range(_MOST):
        word = with_apostrophes(word).lower()
        ending = next((e for e in _ENDINGS if word.endswith(e) and len(word) > len(e)), "")
        if not ending or word in _WHOLE:
            break
        word = word.removesuffix(ending)
        behind.insert(0, _ENDINGS[ending])
    return [*_parted(word), *behind]


def _parted(word: str) -> list[str]:
    """Return a word that is written as one, or with its possessive or the ``is`` that ``'s`` stands for."""
    if word in _WHOLE:
        return _WHOLE[word].split()
    if word.endswith("s'"):
        return [word[:-1], "'s"]
    if word.endswith("'s"):
        return [word[:-2], "is" if word[:-2] in _BEING else "'s"]
    return [word.rstrip("'")]
