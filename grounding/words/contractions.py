"""Contracted words written out: ``can't`` → ``can not``, ``it's`` → ``it is``, ``ann's`` → ``ann 's``."""

from __future__ import annotations

from commonground.grounding.words.apostrophes import with_apostrophes
from commonground.grounding.words.nouns import words_of

_WHOLE = {
    "can't": "can not", "cannot": "can not", "won't": "will not", "shan't": "shall not", "let's": "let us",
    "ain't": "is not", "mustnt": "must not", "y'all": "you all", "gonna": "going to", "wanna": "want to",
    "gotta": "have to", "lemme": "let me", "gimme": "give me", "d'you": "do you", "u": "you", "ya": "you",
    "pls": "please", "plz": "please", "'cause": "because", "cos": "because", "cuz": "because",
    "kinda": "kind of", "em": "them", "o'clock": "o'clock", "its'": "its", "teh": "the", "hte": "the",
    "adn": "and", "nad": "and", "thier": "their",
}  # fmt: skip
_ENDINGS = {"n't": "not", "'re": "are", "'ve": "have", "'ll": "will", "'m": "am", "'d": "would"}
_BEING = frozenset(
    words_of(
        "it that there here what who where he she this everything something nothing which whichever "
        "whoever someone somebody one everybody nobody how when why"
    )
)
"""What ``'s`` means ``is`` behind; behind anything else it says whose something is."""


def written_out(word: str) -> list[str]:
    """Return the words that a lower-case word stands for; a possessive ``'s`` is a word of its own."""
    word = with_apostrophes(word).lower()
    if word in _WHOLE:
        return _WHOLE[word].split()
    if word.endswith("s'"):
        return [word[:-1], "'s"]
    if word.endswith("'s"):
        stem = word[:-2]
        return [stem, "is" if stem in _BEING else "'s"]
    for ending, full in _ENDINGS.items():
        stem = word.removesuffix(ending)
        if stem and stem != word:
            return [*written_out(stem), full]
    return [word.rstrip("'")]
