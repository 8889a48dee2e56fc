"""The small words of English: a closed list that no world changes."""

from __future__ import annotations

from commonground.grounding.words.nouns import word_set
from commonground.grounding.words.numbers import NUMBER_WORDS

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
PRONOUNS = {
    "i": "i", "me": "i", "myself": "i", "you": "you", "yourself": "you", "he": "he", "him": "he",
    "she": "she",
    "her": "she", "it": "it", "they": "they", "them": "they", "we": "we", "us": "we", "mine": "i",
    "hers": "she",
    "someone": "someone", "somebody": "someone", "nobody": "nobody", "anyone": "someone",
    "anybody": "someone",
    "everyone": "everyone", "everybody": "everyone", "none": "nothing", "nothing": "nothing",
    "this": "this", "that": "this",
    "these": "they", "those": "they", "one": "one", "who": "who",
}  # fmt: skip
PLACE_WORDS = frozenset(("there", "here"))
PREPOSITIONS = word_set(
    "at to in into on onto off from out of with by inside within atop upon over under up down "
    "through toward towards between among beside near behind against via for about around "
    "across along round underneath beneath without besides past outside top"
)
PARTICLES = word_set(
    "on off up down out away over back in along around round through apart aside about to together"
)
LONG_PREPOSITIONS = {
    ("out", "of"): "out of", ("off", "of"): "off", ("on", "top", "of"): "on", ("next", "to"): "beside",
    ("in", "front", "of"): "beside", ("up", "to"): "to", ("over", "to"): "to", ("down", "to"): "to",
    ("down", "into"): "into", ("down", "onto"): "onto", ("down", "on"): "on", ("down", "in"): "in",
    ("up", "on"): "on", ("up", "onto"): "onto", ("up", "into"): "into", ("over", "on"): "on",
    ("over", "onto"): "onto",
    ("over", "into"): "into", ("away", "from"): "from", ("inside", "of"): "inside", ("on", "to"): "onto",
    ("in", "to"): "into", ("back", "to"): "to", ("back", "into"): "into", ("back", "in"): "in",
    ("back", "on"): "on", ("back", "onto"): "onto", ("up", "from"): "from", ("out", "from"): "from",
    ("over", "in"): "in", ("over", "at"): "at", ("up", "in"): "in", ("through", "to"): "to",
    ("across", "to"): "to",
    ("along", "to"): "to", ("away", "in"): "in", ("away", "into"): "into", ("away", "on"): "on",
    ("off", "to"): "to",
    ("on", "over", "to"): "to", ("down", "from"): "from", ("from", "off"): "from", ("from", "inside"): "from",
    ("from", "within"): "from", ("from", "out", "of"): "from", ("out", "to"): "to", ("out", "into"): "into",
    ("out", "onto"): "onto", ("out", "on"): "on", ("round", "to"): "to", ("around", "to"): "to",
    ("right", "into"): "into", ("together", "with"): "with", ("along", "with"): "with",
    ("over", "from"): "from",
    ("on", "board"): "on", ("apart", "from"): "except", ("except", "for"): "except", ("except",): "except",
    ("other", "than"): "except", ("aside", "from"): "except", ("with", "the", "exception", "of"): "except",
    ("excluding",): "except", ("save", "for"): "except", ("but", "for"): "except", ("bar",): "except",
    ("barring",): "except", ("minus",): "except", ("besides",): "except", ("excepting",): "except",
    ("not", "counting"): "except",
    ("leaving", "out"): "except", ("as", "well", "as"): "with", ("belonging", "to"): "of owner",
    ("instead", "of"): "instead of",
    ("in", "exchange", "for"): "exchange for", ("in", "place", "of"): "instead of",
    ("away", "to"): "to", ("back", "from"): "from",
    ("back", "at"): "at", ("back", "inside"): "inside", ("up", "off"): "from",
    ("off", "from"): "from", ("in", "with"): "in",
    ("straight", "to"): "to", ("straight", "into"): "into", ("without", "counting"): "except",
    ("in", "addition", "to"): "with", ("upto",): "to",
    ("out", "in"): "in", ("aside", "on"): "on", ("aside", "in"): "in",
    ("on", "the", "part", "of"): "by", ("thanks", "to"): "by", ("due", "to"): "by",
    ("at", "the", "hands", "of"): "by", ("courtesy", "of"): "by", ("because", "of"): "by",
    ("in", "the", "company", "of"): "with", ("away", "inside"): "inside",
    ("save",): "except", ("on", "in"): "into", ("not", "including"): "except", ("out", "at"): "at",
    ("on", "into"): "into",
}  # fmt: skip
CONJUNCTIONS = frozenset(["and", "but", "or", "so", "then"])
SUBORDINATORS = word_set(
    "while as when whilst before after until till since because though although once where "
    "whereas whereupon wherever if whether unless that"
)
LONG_SUBORDINATORS = {
    ("as", "soon", "as"): "after", ("so", "that"): "so", ("at", "the", "same", "time", "as"): "while",
    ("as", "well", "as"): "and", ("now", "that"): "because", ("even", "though"): "though",
    ("right", "before"): "before",
    ("right", "after"): "after", ("just", "after"): "after", ("just", "as"): "while",
    ("just", "before"): "before",
    ("shortly", "after"): "after", ("shortly", "before"): "before", ("no", "sooner"): "after",
    ("the", "moment"): "after",
    ("straight", "after"): "after", ("soon", "after"): "after", ("directly", "after"): "after",
    ("so", "as", "to"): "to",
    ("in", "order", "to"): "to", ("as", "if"): "if", ("as", "though"): "if", ("long", "before"): "before",
    ("immediately", "after"): "after", ("not", "long", "after"): "after",
    ("on", "top", "of", "that"): "and", ("followed", "by"): "then",
    ("before", "that"): "then before", ("after", "that"): "then", ("after", "which"): "then",
    ("upon", "which"): "then", ("whereupon",): "then",
    ("not", "only"): "and", ("but", "also"): "and", ("the", "instant"): "after",
    ("the", "minute"): "after", ("given", "that"): "because", ("the", "same", "time"): "while",
    ("and", "then"): "then", ("plus",): "and", ("&",): "and", ("and", "also"): "and",
    ("as", "long", "as"): "if", ("except", "that"): "but", ("only", "to"): "and to",
    ("once",): "after", ("meanwhile",): "while", ("whilst",): "while", ("whereas",): "while",
}  # fmt: skip
RELATIVES = frozenset(["who", "which", "whom", "that"])
NEGATIONS = frozenset(["not", "never", "neither", "nor", "hardly"])
LONG_NEGATIONS = (
    ("no", "longer"),
    ("not", "any", "more"),
    ("not", "anymore"),
    ("not", "any", "longer"),
    ("no", "more"),
    ("any", "more"),
    ("anymore",),
    ("any", "longer"),
    ("no", "way"),
)
BE = frozenset(["is", "am", "are", "was", "were", "be", "been", "being", "'s"])
HAVE = frozenset(["has", "have", "had", "having"])
DO = frozenset(["do", "does", "did"])
MODALS = frozenset(
    ["will", "would", "shall", "should", "can", "could", "may", "might", "must", "ought"]
)
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
