"""Captions of simulated things, and which are true of what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.grounding.lookup.encoder import PROMPTS
from commonground.grounding.words.concepts import everyday
from tools.showroom.catalog import MATERIALS, paint_words
from tools.showroom.showroom import all_kinds

ANYTHING = "thing"
"""The noun that is true of everything."""


@dataclass(frozen=True, slots=True)
class Look:
    """What can be said of a thing by its looks; '' where nothing is said."""

    noun: str
    color: str
    material: str


@dataclass(frozen=True, slots=True)
class Caption:
    """A sentence, and what it claims."""

    text: str
    claim: Look


class Captions:
    """Draws captions and tells which are true of which looks."""

    def __init__(self) -> None:
        self.kinds = kinds = all_kinds()
        heads = {kind.rpartition(" ")[2] for kind in kinds}
        said = {*everyday().words(), *kinds, *heads, ANYTHING}
        denoted = {noun: _below(noun, kinds) for noun in said}
        denoted[ANYTHING] = frozenset(kinds)
        self.denoted = denoted
        self.strange = tuple(sorted(noun for noun, there in denoted.items() if not there))
        """Nouns of which a showroom has no thing."""
        self._of = {
            kind: tuple(sorted(n for n, there in denoted.items() if kind in there))
            for kind in kinds
        }
        self.colors, self.materials = paint_words(), tuple(sorted(MATERIALS.values()))

    def words(self) -> set[str]:
        """Return every word of the captions but those of strange nouns."""
        nouns = {noun for noun, there in self.denoted.items() if there}
        texts = [*nouns, *self.colors, *self.materials, *PROMPTS]
        return {w for text in texts for w in text.lower().split() if w.isalpha()}

    def taught(self) -> list[str]:
        """Return the kinds, colors and materials."""
        return sorted({*self.kinds, *self.colors, *self.materials})

    def draw(self, look: Look, rng: np.random.Generator) -> Caption:
        """Return a caption that is true of a thing, or of nothing there."""
        if rng.random() < 0.08:
            return self.named(Look(self.strange[int(rng.integers(len(self.strange)))], "", ""), rng)
        names = self._of[look.noun]
        noun = look.noun if rng.random() < 0.7 else names[int(rng.integers(len(names)))]
        color = look.color if rng.random() < 0.45 else ""
        material = look.material if rng.random() < 0.3 else ""
        if (color or material) and rng.random() < 0.08:
            noun = ANYTHING
        return self.named(Look(noun, color, material), rng)

    def draw_pair(self, look: Look, rng: np.random.Generator) -> tuple[Caption, Caption]:
        """Return a caption as ``draw`` does, and one that is wrong in one word."""
        kind = self.kinds[int(rng.integers(len(self.kinds)))]
        color = self.colors[int(rng.integers(len(self.colors)))]
        material = self.materials[int(rng.integers(len(self.materials)))]
        wrong = (
            Look(kind, look.color, ""),
            Look(look.noun, color, ""),
            Look(look.noun, "", material),
        )
        near = wrong[int(rng.choice(3, p=(0.35, 0.4, 0.25)))]
        return self.draw(look, rng), self.named(near, rng)

    def also(self) -> NDArray[np.bool_]:
        """Return whether a thing of each kind (k) may be called by the name of each other (k) as well."""
        out = np.array([[a in self.denoted[b] for b in self.kinds] for a in self.kinds])
        return out & ~np.eye(len(out), dtype=bool)

    def true(self, captions: Sequence[Caption], looks: Sequence[Look]) -> NDArray[np.bool_]:
        """Return whether each caption (c) is true of each look (k), as (k, c)."""
        out = np.zeros((len(looks), len(captions)), bool)
        for j, caption in enumerate(captions):
            claim = caption.claim
            there = self.denoted[claim.noun]
            out[:, j] = [
                look.noun in there
                and claim.color in ("", look.color)
                and claim.material in ("", look.material)
                for look in looks
            ]
        return out

    def named(self, claim: Look, rng: np.random.Generator) -> Caption:
        """Return a sentence that claims it."""
        phrase = " ".join(w for w in (claim.color, claim.material, claim.noun) if w)
        prompts = ("{}", *PROMPTS)
        return Caption(prompts[int(rng.integers(len(prompts)))].format(phrase), claim)


def _below(noun: str, kinds: Sequence[str]) -> frozenset[str]:
    """Return the kinds that are called by a noun, end in it (a bar stool is a stool) or lie below it.

    A class above does not make a caption true: not each seat is a bench.
    """
    concepts = everyday()
    wanted = set(concepts.senses(noun))
    called = {k for k in kinds if noun in (k, k.rpartition(" ")[2])}
    return frozenset(called | {k for k in kinds if wanted & _above(k)})


def _above(kind: str) -> set[int]:
    """Return the senses of a kind's word, else of its head, and all above them."""
    concepts = everyday()
    senses = concepts.senses(kind) or concepts.senses(kind.rpartition(" ")[2])
    return {above for sense in senses for above in concepts.line(sense)}
