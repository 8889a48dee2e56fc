"""Orders that no robot can carry out: people ask for them, and none may be bent into a deed.

Sheets name few such verbs; a dictionary has thousands.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from examples import SYMBOL, Example

from commonground.grounding.english.spans import KINDS
from commonground.grounding.english.tokens import tokens_of

VERB, ROBOT, NOUN, SYMBOLS = (KINDS.index(k) for k in ("verb", "robot", "noun", "symbol"))
SEEN = 2
"""Verbs that wordings say more often than this may be one of the deeds that robots do."""
FRAMES = (
    "R , V .", "V , R .", "R , V now .", "R should V .", "can R V ?", "I want R to V for us .",
    "R , please V .", "V please , R .", "R , V at the N .", "R , V the N .", "R , V the N please .",
    "have R V the N .", "V every N , R .", "could you V the N , R ?", "R , V S .", "R has to V .",
)  # fmt: skip
"""R: robot, V: verb, N: noun, S: symbol."""
TOLD_BY = ("name", "label", "sign", "note", "screen", "writing")
DOING = (
    "do what the W of O says",
    "do whatever the W on O tells you to",
    "follow the W of O",
    "obey the W on O",
)


def rare_verbs(examples: Sequence[Example], wordnet: Path) -> list[str]:
    """Return the verbs of a dictionary that wordings hardly ever say, nor anything of the same meaning."""
    said = Counter(token.lower() for e in examples for token in e.tokens)
    found: dict[str, bool] = {}
    for line in (wordnet / "data.verb").read_text(encoding="latin-1").splitlines():
        if line.startswith(" "):
            continue
        cells = line.split()
        lemmas = [cells[4 + 2 * i].lower() for i in range(int(cells[3], 16))]
        odd = all(said[lemma] <= SEEN for lemma in lemmas)
        for lemma in lemmas:
            found[lemma] = found.get(lemma, True) and odd
    return [verb for verb, odd in found.items() if odd and verb.isalpha() and 2 < len(verb) < 12]


class Oddities:
    """Makes up such orders."""

    def __init__(
        self, verbs: Sequence[str], nouns: Sequence[Sequence[str]], robots: Sequence[Sequence[str]],
        rng: random.Random,
    ) -> None:  # fmt: skip
        self.verbs, self.nouns, self.robots, self.random = verbs, nouns, robots, rng

    def verb(self, instead: Sequence[str]) -> Sequence[str]:
        """Return another verb in the form of one."""
        if len(instead) != 1:
            return instead
        made = self.random.choice(self.verbs)
        for ending in ("ing", "ed", "s"):
            if instead[0].endswith(ending):
                return [made.removesuffix("e") + ending if ending != "s" else made + ending]
        return [made]

    def __call__(self, domain: str) -> Example:
        """Return an order of one sentence."""
        if self.random.random() < 0.15:
            return self._doing(domain)
        frame = self.random.choice(FRAMES).split()
        words = {
            "R": self.random.choice(self.robots),
            "V": [self.random.choice(self.verbs)],
            "N": self.random.choice(self.nouns),
            "S": [f"O{self.random.randrange(1, 800)}"],
        }
        kinds = {"R": ROBOT, "V": VERB, "N": NOUN, "S": SYMBOLS}
        tokens: list[str] = []
        segments, place = [], {}
        for piece in frame:
            if piece in words:
                place[piece] = -1 - len(segments)
                segments.append((len(tokens), len(tokens) + len(words[piece]), kinds[piece]))
            tokens += words.get(piece, [piece])
        det = ["det=all"] if "every" in frame else []
        about = place.get("N") or place.get("S")
        theme: list[int] = []
        if about is not None:
            field = "noun" if "N" in place else "symbol"
            theme = [
                SYMBOL["theme:Phrase"],
                SYMBOL[field],
                about,
                *(SYMBOL[d] for d in det),
                SYMBOL[")"],
            ]
        return self.example(domain, tokens, segments, place["V"], theme, place["R"])

    def _doing(self, domain: str) -> Example:
        """Return an order to do what is written somewhere."""
        frame = self.random.choice(DOING).replace("W", self.random.choice(TOLD_BY))
        before, _, after = frame.partition(" O")
        verb = [t.text for t in tokens_of(before)]
        thing = [self.random.choice(("O", "object ")) + str(self.random.randrange(1, 800))]
        robot = list(self.random.choice(self.robots))
        tokens = [*robot, ",", *verb, *thing[0].split(), *after.split(), "."]
        a, b = len(robot) + 1, len(robot) + 1 + len(verb)
        segments = [(0, len(robot), ROBOT), (a, b, VERB), (b, b + len(thing[0].split()), SYMBOLS)]
        theme = [SYMBOL["theme:Phrase"], SYMBOL["symbol"], -3, SYMBOL[")"]]
        return self.example(domain, tokens, segments, -2, theme, -1)

    def example(
        self, domain: str, tokens: list[str], segments: list[tuple[int, int, int]], verb: int,
        theme: list[int], robot: int,
    ) -> Example:  # fmt: skip
        """Return an order to do what only its own verb tells."""
        close = SYMBOL[")"]
        items = [
            SYMBOL["parts"], SYMBOL["step:Clause"], SYMBOL["sense=other"], SYMBOL["verb"], verb, *theme,
            close, SYMBOL["crew"], SYMBOL["choose=named"], SYMBOL["names"], robot, close, close, close,
        ]  # fmt: skip
        return Example(domain, tokens, segments, items, [""] * len(segments))
