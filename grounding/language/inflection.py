"""Regular and irregular forms of English nouns and verbs."""

from __future__ import annotations

import re
from typing import NamedTuple

_PLURALS = {
    "person": "people", "man": "men", "woman": "women", "child": "children", "foot": "feet",
    "tooth": "teeth", "mouse": "mice", "shelf": "shelves", "leaf": "leaves", "loaf": "loaves",
    "knife": "knives", "half": "halves", "bus": "buses", "gas": "gases", "goose": "geese",
    "quay": "quays", "bookshelf": "bookshelves", "scarf": "scarves", "wharf": "wharves",
}  # fmt: skip
_MASS = frozenset(
    [
        "trash",
        "rubbish",
        "garbage",
        "litter",
        "waste",
        "refuse",
        "seating",
        "storage",
        "food",
        "decor",
        "clothing",
        "furniture",
        "laundry",
        "luggage",
        "baggage",
        "parking",
        "fencing",
        "signage",
        "shelving",
        "vegetation",
        "grass",
        "sand",
        "gravel",
        "ground",
        "equipment",
        "machinery",
        "decoration",
        "greenery",
        "water",
        "flora",
        "pavement",
        "tarmac",
        "asphalt",
        "lighting",
        "foliage",
        "debris",
        "fruit",
    ]
)
_PLURAL_ONLY = {
    "clothes", "stairs", "scissors", "groceries", "garments", "premises", "snacks", "greens",
    "traffic lights", "railings", "bushes",
}  # fmt: skip
_INVARIANT = {"sheep", "fish", "aircraft", "series", "species"}
_VOWELS = "aeiou"

_VERBS = {  # base: (past, participle)
    "go": ("went", "gone"), "be": ("was", "been"), "get": ("got", "gotten"), "take": ("took", "taken"),
    "have": ("had", "had"), "make": ("made", "made"), "give": ("gave", "given"), "do": ("did", "done"),
    "run": ("ran", "run"), "drive": ("drove", "driven"), "come": ("came", "come"),
    "stand": ("stood", "stood"), "swing": ("swung", "swung"), "put": ("put", "put"), "set": ("set", "set"),
    "leave": ("left", "left"), "bring": ("brought", "brought"), "hold": ("held", "held"),
    "keep": ("kept", "kept"), "ride": ("rode", "ridden"), "wind": ("wound", "wound"),
    "find": ("found", "found"), "see": ("saw", "seen"), "lay": ("laid", "laid"), "sit": ("sat", "sat"),
    "pay": ("paid", "paid"), "send": ("sent", "sent"), "tell": ("told", "told"), "let": ("let", "let"),
    "begin": ("began", "begun"), "cut": ("cut", "cut"), "fly": ("flew", "flown"), "lie": ("lay", "lain"),
    "lead": ("led", "led"), "seek": ("sought", "sought"), "choose": ("chose", "chosen"),
    "forget": ("forgot", "forgotten"), "hit": ("hit", "hit"), "show": ("showed", "shown"),
}  # fmt: skip
_DOUBLED = {
    "transfer": "transferr",
    "refer": "referr",
    "permit": "permitt",
    "nip": "nipp",
    "scan": "scann",
}


class VerbForms(NamedTuple):
    """The forms of one verb that instructions use."""

    base: str
    third: str
    gerund: str
    past: str
    participle: str


def plural(phrase: str) -> str:
    """Return the plural of a noun phrase; its last word changes."""
    head, _, last = phrase.rpartition(" ")
    return f"{head} {_plural_word(last)}".strip()


def is_mass(phrase: str) -> bool:
    """Return whether a noun has no plural of its own (``trash``, ``seating``)."""
    return phrase.rpartition(" ")[2] in _MASS


def is_plural_only(phrase: str) -> bool:
    """Return whether a noun is always plural (``clothes``)."""
    last = phrase.rpartition(" ")[2]
    return phrase in _PLURAL_ONLY or last in _PLURAL_ONLY


def singulars(phrase: str) -> list[str]:
    """Return what a noun phrase may be the plural of, itself first."""
    head, _, last = phrase.rpartition(" ")
    found = [last, *(s for s, p in _PLURALS.items() if p == last)]
    if last.endswith("ies") and len(last) > 4:
        found.append(last[:-3] + "y")
    if last.endswith("ves"):
        found += [last[:-3] + "f", last[:-3] + "fe"]
    if last.endswith("es"):
        found.append(last[:-2])
    if last.endswith("s") and not last.endswith("ss"):
        found.append(last[:-1])
    return [f"{head} {word}".strip() for word in dict.fromkeys(found)]


def _plural_word(word: str) -> str:
    if word in _PLURALS:
        return _PLURALS[word]
    if word in _MASS or word in _INVARIANT or word in _PLURAL_ONLY:
        return word
    if re.search(r"(s|x|z|ch|sh)$", word):
        return word + "es"
    if word.endswith("y") and len(word) > 1 and word[-2] not in _VOWELS:
        return word[:-1] + "ies"
    return word + "s"


def verb_forms(base: str) -> VerbForms:
    """Return the forms of a verb given by its base form."""
    stem = _stem(base)
    past, participle = _VERBS.get(base, (_past(base, stem),) * 2)
    return VerbForms(base, _third(base), _gerund(base, stem), past, participle)


def _stem(base: str) -> str:
    """The stem before -ed and -ing, its last consonant doubled where English does."""
    if base in _DOUBLED:
        return _DOUBLED[base]
    short = re.fullmatch(r"[^aeiou]*[aeiou][^aeiouwxy]", base) is not None
    if short or base in ("begin", "forget"):
        return base + base[-1]
    if base == "travel":
        return "travell"
    return base


def _past(base: str, stem: str) -> str:
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2] not in _VOWELS:
        return base[:-1] + "ied"
    return stem + "ed"


def _third(base: str) -> str:
    if base in ("be", "have"):
        return {"be": "is", "have": "has"}[base]
    if base in ("go", "do"):
        return base + "es"
    return _plural_word(base) if base not in ("bus",) else base


def _gerund(base: str, stem: str) -> str:
    if base == "be":
        return "being"
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith("ee"):
        return base[:-1] + "ing"
    return stem + "ing"
