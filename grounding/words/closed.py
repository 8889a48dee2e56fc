"""Small words of English that no world changes, in the sets that readers and checks share."""

from __future__ import annotations

from commonground.grounding.words.nouns import word_set

BE = word_set("am are be been being is was were")
HAVE = word_set("has have had")
DO = word_set("do does did")
MODALS = word_set("will would shall should can could may might must ought")
SPEAKERS = word_set("i we")
"""Who speaks."""
RELATIVES = word_set("that which who")
"""What a clause behind a noun begins with."""
REASONS = word_set("as because since")
"""What a clause that says why begins with."""
TAKING_UP = word_set("it them there")
"""What takes up the things and places named before."""
WITHDRAWING = "scratch|strike|scrap|forget|cancel|disregard"
"""Verbs that take an order back, as a pattern: ``scrap that``."""
ENDS = frozenset([".", ";", "!", "?", "\n"])
"""Marks that end a sentence."""
NO_TITLE = r"(?<!\bmr)(?<!\bms)(?<!\bmrs)(?<!\bdr)"
"""Before the dot that ends a sentence, as a pattern: none behind ``Mr``."""
