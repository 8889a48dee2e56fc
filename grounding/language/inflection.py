"""Regular and irregular forms of English verbs."""

from __future__ import annotations

import re
from typing import NamedTuple

from commonground.grounding.words.nouns import plural

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
    return plural(base) if base not in ("bus",) else base


def _gerund(base: str, stem: str) -> str:
    if base == "be":
        return "being"
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith("ee"):
        return base[:-1] + "ing"
    return stem + "ing"
