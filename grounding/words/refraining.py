"""Verbs of refraining and of forbidding: what they are said of is not to be done.

A closed class of English, by what WordNet has beneath *refrain*, *avoid*, *forbid*, *prevent*, *refuse*,
*omit* and *give up*, without those that are as often said of other deeds (to pass, to drop, to leave).
"""

from __future__ import annotations

from collections.abc import Iterable

from commonground.grounding.words.nouns import word_set
from commonground.grounding.words.verbs import Form, verb_forms

OMITTING = word_set(
    "abandon abort bypass cancel disregard forego forget forgo forsake ignore neglect omit overlook "
    "postpone defer relinquish renounce scrap scratch skip spare"
)
"""What these are said of is simply left: an answer need not keep anybody from it."""
HOLDING_BACK = word_set(
    "abstain avoid boycott circumvent decline desist dodge elude eschew evade flee forbear oppose refrain "
    "refuse reject resist shirk shun sidestep withhold"
)
FORBIDDING = word_set(
    "ban debar disallow discourage dissuade deter exclude forbid hinder interdict outlaw preclude "
    "prevent prohibit proscribe restrain veto"
)
CEASING = word_set("cease discontinue quit stop halt")
"""Only before a deed: one may stop at the gate."""


def _forms(lemmas: Iterable[str], *kinds: Form) -> frozenset[str]:
    wanted = {*kinds}
    return frozenset(
        form for one in lemmas for form, are in verb_forms(one).items() if are & wanted
    )


OMITS = _forms(OMITTING, "base", "third", "gerund")
REFRAINS = OMITS | _forms(HOLDING_BACK | FORBIDDING, "base", "third", "gerund")
CEASES = _forms(CEASING, "base", "third", "gerund")
FORBIDDEN = _forms(FORBIDDING, "participle") | word_set(
    "barred denied disqualified suspended taboo unauthorized"
)
"""Said of somebody or something that is so."""
LEFT = _forms(OMITTING | HOLDING_BACK, "participle")
"""Said of what is to be so; what is neglected may well be wanted done."""
