"""Words that clauses are told apart by."""

from __future__ import annotations

from commonground.grounding.words.nouns import words_of

MENTION = words_of("thing group name back one all both some one_of pieces contents")
DENIALS = frozenset(words_of("not never without except unless no neither nor cannot if"))
"""What nothing may be made of, not even by what things are for, where it was not read."""
POINTING = ("that", "this", "these", "those")
CONJUNCTIONS = ("after", "once", "before", "as soon as", "until", "when", "only after")
INTACT = ("whole", "intact", "uncut", "unsliced", "unbroken")
LEFT = ("leave", "leaving", "keep", "keeping")
TAKEN = ("take", "taking", "get", "getting", "bring", "pull", "move", "fetch", "lift")
AS_NOUN = ("thing", "group", "name", "pieces", "one")
WITH_TOOL = ("wash", "slice", "break", "clear")
WITH_STATE = ("turn", "push", "put", "ensure", "", "take_up", "switch_on", "switch_off")
KEPT = words_of("leave keep leaving keeping have get want need")
"""Verbs after which a participle is a state: ``leave the microwave closed``."""
