"""The small words of English: a closed list that no world changes."""

from __future__ import annotations

from collections.abc import Mapping

from commonground.grounding.words import closed
from commonground.grounding.words.nouns import word_set
from commonground.grounding.words.numbers import NUMBER_WORDS


def _words(listed: Mapping[str, str]) -> dict[str, str]:
    """Return words by what they come to, from lists of words that come to the same."""
    return {word: same for same, words in listed.items() for word in words.split()}


def _phrases(listed: Mapping[str, str]) -> dict[tuple[str, ...], str]:
    """Return phrases by the word that they come to, from lists of phrases that come to the same."""
    return {tuple(p.split()): same for same, all_ in listed.items() for p in all_.split(", ")}


DETERMINERS = frozenset(
    ["the", "a", "an", "this", "that", "these", "those", "some", "any", "another"]
)
QUANTIFIERS = frozenset(
    ["all", "every", "each", "both", "everything", "anything", "whatever", "nothing", "everyone"]
)
POSSESSIVES = {
    "my": "i", "your": "you", "his": "he", "her": "she", "its": "it", "our": "we", "their": "they",
    "whose": "who",
}  # fmt: skip
PRONOUNS = _words(
    {
        "i": "i me myself mine",
        "you": "you yourself",
        "he": "he him",
        "she": "she her hers",
        "it": "it",
        "they": "they them these those",
        "we": "we us",
        "someone": "someone somebody anyone anybody",
        "nobody": "nobody",
        "everyone": "everyone everybody",
        "nothing": "none nothing",
        "this": "this that",
        "one": "one",
        "who": "who",
    }
)  # fmt: skip
PLACE_WORDS = frozenset(("there", "here"))
PREPOSITIONS = word_set(
    "at to in into on onto off from out of with by inside within atop upon over under up down "
    "through toward towards between among beside near behind against via for about around "
    "across along round underneath beneath without besides past outside top"
)
PARTICLES = word_set(
    "on off up down out away over back in along around round through apart aside about to together"
)
LONG_PREPOSITIONS = _phrases(
    {
        "out of": "out of",
        "off": "off of",
        "on": "on top of, down on, up on, over on, back on, away on, out on, on board, aside on",
        "beside": "next to, in front of",
        "to":
        "up to, over to, down to, back to, through to, across to, along to, off to, on over to, out to, "
        "round to, around to, away to, straight to, upto, as far as",
        "into":
        "down into, up into, over into, in to, back into, away into, out into, right into, straight into, "
        "on in, on into",
        "onto": "down onto, up onto, over onto, on to, back onto, out onto",
        "in": "down in, back in, over in, up in, away in, in with, out in, aside in",
        "from":
        "away from, up from, out from, down from, from off, from inside, from within, from out of, over "
        "from, back from, up off, off from",
        "inside": "inside of, back inside, away inside",
        "at": "over at, back at, out at",
        "with": "together with, along with, as well as, in addition to, in the company of",
        "except":
        "apart from, except for, except, other than, aside from, with the exception of, excluding, save "
        "for, but for, bar, barring, minus, besides, excepting, not counting, leaving out, without "
        "counting, save, not including",
        "of owner": "belonging to",
        "instead of": "instead of, in place of",
        "exchange for": "in exchange for",
        "by": "on the part of, thanks to, due to, at the hands of, courtesy of, because of",
    }
)  # fmt: skip
CONJUNCTIONS = frozenset(["and", "but", "or", "so", "then"])
SUBORDINATORS = word_set(
    "while as when whilst before after until till since because though although once where "
    "whereas whereupon wherever if whether unless that"
)
LONG_SUBORDINATORS = _phrases(
    {
        "after":
        "as soon as, right after, just after, shortly after, no sooner, the moment, straight after, soon "
        "after, directly after, immediately after, not long after, the instant, the minute, once",
        "so": "so that",
        "while": "at the same time as, just as, the same time, meanwhile, whilst, whereas",
        "and": "as well as, on top of that, not only, but also, plus, &, and also",
        "because": "now that, given that",
        "though": "even though",
        "before": "right before, just before, shortly before, long before",
        "to": "so as to, in order to",
        "if": "as if, as though, as long as",
        "then": "followed by, after that, after which, upon which, whereupon, and then",
        "then before": "before that",
        "but": "except that",
        "and to": "only to",
    }
)  # fmt: skip
RELATIVES = frozenset(["who", "which", "whom", "that"])
NEGATIONS = frozenset(["not", "never", "neither", "nor", "hardly"])
LONG_NEGATIONS = _phrases(
    {
        "not":
        "no longer, not any more, not anymore, not any longer, no more, any more, anymore, any longer, no way"
    }
)  # fmt: skip
BE = closed.BE | {"'s"}
HAVE = closed.HAVE | {"having"}
DO = closed.DO
MODALS = closed.MODALS
NUMBERS = {word: number for word, number in NUMBER_WORDS.items() if number <= 20}
ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
    "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14,
    "fifteenth": 15,
    "1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "5th": 5, "6th": 6, "7th": 7, "8th": 8, "9th": 9, "10th": 10,
    "11th": 11, "12th": 12, "13th": 13, "14th": 14, "15th": 15,
    "bottom": 1, "lowest": 1, "lowermost": 1, "bottommost": 1, "lower": 1,
    "top": -1, "highest": -1, "uppermost": -1, "topmost": -1, "upper": -1, "last": -1,
    "middle": 0, "central": 0, "center": 0, "centre": 0, "mid": 0,
}  # fmt: skip
"""Which level, counted from the bottom; negative from the top; 0 is the middle one."""
GROUP_NOUNS = word_set("rest remainder others lot contents content stuff things items belongings")
FUNCTION_WORDS = (
    DETERMINERS | QUANTIFIERS | frozenset(POSSESSIVES) | frozenset(PRONOUNS) | PLACE_WORDS
    | PREPOSITIONS | PARTICLES
    | CONJUNCTIONS | SUBORDINATORS | RELATIVES | NEGATIONS | BE | HAVE | DO | MODALS
    | frozenset(("no", "how", "what", "when", "why", "yes", "please", "only", "own", "same",
                 "other", "else", "much", "many", "more", "most", "than", "such", "its", "'s", "as",
                 "because", "used", "ago",
                 "owned", "owns", "owner", "belongs", "belonging", "belonged", "now", "just",
                 "later", "oneself"))
)  # fmt: skip
