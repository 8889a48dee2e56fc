"""More of the same: other names and nouns, chatter, joined wordings, lost letters, marks and capitals."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import vocabulary as v
from examples import SYMBOL, Example
from gapping import Gapping
from mishaps import Mishaps
from namesakes import WORDS_FOR, Namesakes
from oddities import Oddities, rare_verbs
from phrases import Exchange
from pieces import quiet
from shapes import Shapes

from commonground.grounding.english.names import GROUPS, Hint
from commonground.grounding.english.spans import CHATTER, KINDS
from commonground.grounding.english.symbols import CLOSE
from commonground.grounding.english.tokens import tokens_of

LISTS = {
    "thing": {*v.OUTDOOR_THINGS, *v.INDOOR_THINGS},
    "area": {*v.REGIONS},
    "room": {*v.ROOMS},
    "furniture": {*v.FURNITURE},
    "portable": {*v.PORTABLE, *v.DISHES, *v.VESSELS, *v.CLOTHES, *v.FOOD},
    "device": {*v.SWITCHABLES, *v.CLOSABLES, *v.SCREENS},
}
HINTED = {
    KINDS.index("robot"): GROUPS.index("robot"),
    KINDS.index("person"): GROUPS.index("person"),
    KINDS.index("noun"): GROUPS.index("noun"),
    KINDS.index("region name"): GROUPS.index("area"),
}
NOUNS = GROUPS.index("noun")
IN_A_WORLD = 0.85
"""The share of texts that are read with a world's names at hand; of some worlds nothing is known."""
OF_ORDERS, OF_TALK, OF_OTHERS = 0.9, 0.04, 0.02
"""How often a world has a name for what is spoken of, for a word of talk, and for another word.

On eleven strangers' sites it has one for 95 of 100 nouns that are meant and for one of 100 words of talk.
A reader that relies on names less than that takes talk of things that are not there for orders; one that
relies on them more takes orders for such things for talk.
"""
NODE = re.compile(r"[opr]\d+", re.I)
NOUN, NUMBER, SYMBOLS, PERSON, ROBOT, REGION, VERB = (
    KINDS.index(k) for k in ("noun", "number", "symbol", "person", "robot", "region name", "verb")
)
WORDNET = Path("/usr/share/wordnet")
AREA = GROUPS.index("area")
LISTING = {",", "and", "or"}
"""What stands between the things of a list."""
ARTICLES = {"the", "a", "our", "your", "that", "this"}
KEPT = {KINDS.index(k) for k in ("number", "routine", "manner", "state", "time", "chatter")}
"""Spans whose words are not exchanged: the sentence around them would not fit."""


def class_of(kind: int, word: str) -> str:
    """Return the pool that a span's words belong to."""
    if kind != NOUN:
        return KINDS[kind]
    return next((name for name, words in LISTS.items() if word in words), "thing")


def plural(words: Sequence[str]) -> bool:
    """Return whether a noun looks like a plural."""
    last = words[-1].lower()
    return last.endswith("s") and not last.endswith(("ss", "us", "is"))


class Augmenter:
    """Makes a fresh example of an example, each time another."""

    def __init__(self, examples: Sequence[Example], nouns: Sequence[str], seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311  # nobody has to be kept from guessing it
        self.examples = examples
        self.by_domain = defaultdict(list)
        self.pools: dict[tuple[str, bool], list[tuple[str, ...]]] = defaultdict(list)
        self.chatter: list[tuple[str, ...]] = []
        for e in examples:
            self.by_domain[e.domain].append(e)
            for (start, end, kind), word in zip(e.segments, e.classes, strict=True):
                words = tuple(e.tokens[start:end])
                if kind == CHATTER:
                    self.chatter.append(words)
                elif kind != ROBOT or not NODE.fullmatch(words[0]):
                    many = kind == NOUN and plural(words)
                    self.pools[class_of(kind, word), many].append(words)
        self.namesakes = Namesakes(self.random)
        self.exchange = Exchange(examples, class_of, plural, self.random)
        self.shapes = Shapes(self.pools, self.random)
        wide = [tuple(t.text for t in tokens_of(n)) for n in nouns]
        self.wide = [w for w in wide if 0 < len(w) <= 3]
        verbs, robots = rare_verbs(examples, WORDNET), self.pools["robot", False]
        self.oddities = Oddities(verbs, self.wide or [("box",)], robots, self.random)
        self.mishaps = Mishaps(self.oddities, self.random)
        self.gapping = Gapping(self.wide or [("box",)], self.random)
        self.gappable = [e for e in examples if self.gapping(e) is not e]

    def __call__(self, example: Example) -> Example:
        """Return another example that says the same of other things, or that and more."""
        if self.random.random() < 0.04:
            example = self.oddities(self.random.choice(("scene", "scene", "household")))
        elif self.random.random() < 0.07:
            example = self.mishaps(example)
        elif self.gappable and self.random.random() < 0.04:
            example = self.gapping(self.random.choice(self.gappable))
        made = self.rephrased(example)
        made = quiet(made) if self.random.random() < 0.3 else made
        made = self.exchanged(made)
        if self.random.random() < 0.16 and len(made.tokens) < 45:
            other = self.exchanged(self.random.choice(self.by_domain[made.domain]))
            if len(other.tokens) < 45:
                made = self.joined(made, other)
        if self.chatter and self.random.random() < 0.12:
            made = self.chatting(made)
        elif self.random.random() < 0.04:
            made = self.favoring(made)
        if self.random.random() < 0.5:
            made = self.listed(made)
        made = self.noisy(made)
        if self.random.random() < IN_A_WORLD:
            made = self.named(made)
            made.hints = self.hinted(made)
        return made

    def rephrased(self, e: Example) -> Example:
        """Return the example with a phrase of another wording, or one in another shape."""
        pick = self.random.random()
        if pick < 0.3:
            return self.exchange(e)
        return self.shapes(e, self.exchange.own.get(id(e), ())) if pick < 0.6 else e

    def hinted(self, e: Example) -> list[Hint]:
        """Return names that a world might have of this text: most of its spans, parts of some, others."""
        found: list[Hint] = []
        free = 0
        for start, end, kind in [*e.segments, (len(e.tokens), len(e.tokens), -1)]:
            chance = OF_TALK if kind == CHATTER else OF_OTHERS
            inside = range(free, end if kind == CHATTER else start)
            words = [at for at in inside if e.tokens[at].isalpha() and len(e.tokens[at]) > 3]
            found += [(at, at + 1, NOUNS) for at in words if self.random.random() < chance]
            free = end
            if kind in HINTED and self.random.random() < OF_ORDERS:
                whole = end - start == 1 or self.random.random() < 0.9
                found.append((start if whole else end - 1, end, HINTED[kind]))
        return found

    def named(self, e: Example) -> Example:
        """Return the example in a world where some areas are called by what they are."""
        segments, items = list(e.segments), list(e.items)
        for at in range(1, len(items) - 1):
            k = -1 - items[at]
            bare = items[at] < 0 and items[at - 1] == NOUN_FIELD and items[at + 1] == CLOSED
            if not bare or class_of(segments[k][2], e.classes[k]) != "area":
                continue
            if items.count(items[at]) == 1 and self.random.random() < 0.3:
                items[at - 1] = NAME_FIELD
                segments[k] = (*segments[k][:2], REGION)
        return Example(e.domain, e.tokens, segments, items, e.classes, e.author, e.id)

    def listed(self, e: Example) -> Example:
        """Return the example with its lists of nodes as people shorten them: regions 7, 12 and 11."""
        tokens, run = list(e.tokens), 0
        for at, (start, end, kind) in enumerate(e.segments):
            before = e.segments[at - 1] if at else (0, 0, -1)
            letters = {t[0].lower() for t in (e.tokens[end - 1], e.tokens[before[1] - 1])}
            between = set(e.tokens[before[1] : start])
            follows = before[2] == kind == SYMBOLS and between and between <= LISTING
            if not (follows and len(letters) == 1 and letters <= WORDS_FOR.keys()):
                run = 0
                continue
            if run == 0 and before[1] - before[0] == 1:
                word = WORDS_FOR[letters.pop()][0]
                tokens[before[0]] = f"{word}s {tokens[before[0]][1:]}"
            run += 1
            tokens[start:end] = [t[1:] if t[1:].isdigit() else "" for t in tokens[start:end]]
        return self.respaced(e, tokens)

    def respaced(self, e: Example, words: Sequence[str]) -> Example:
        """Return the example with other words at its places, none or several for one."""
        place, tokens = [0], []
        for word in words:
            tokens += word.split()
            place.append(len(tokens))
        segments = [(place[s], place[t], k) for s, t, k in e.segments]
        return Example(e.domain, tokens, segments, e.items, e.classes, e.author, e.id)

    def exchanged(self, e: Example) -> Example:
        """Return the example with other words for some of its spans."""
        tokens: list[str] = []
        segments = []
        at = 0
        rate = self.random.choice((0.0, 0.3, 0.7))
        for (start, end, kind), word in zip(e.segments, e.classes, strict=True):
            tokens += e.tokens[at:start]
            words: Sequence[str] = e.tokens[start:end]
            node = kind == ROBOT and bool(NODE.fullmatch(words[0]))  # a robot called R2 is a trap
            if kind not in KEPT and (node or self.random.random() < rate):
                words = self.other(kind, word, words)
                if kind == REGION and self.random.random() < 0.6:
                    words = self.region(tokens)
            segments.append((len(tokens), len(tokens) + len(words), kind))
            tokens += words
            at = end
        tokens += e.tokens[at:]
        return Example(e.domain, tokens, segments, e.items, e.classes, e.author, e.id)

    def other(self, kind: int, word: str, words: Sequence[str]) -> Sequence[str]:
        many = kind == NOUN and plural(words)
        if kind == NOUN and self.wide and self.random.random() < 0.35:
            found = self.random.choice(self.wide)
            return (*found[:-1], found[-1] + "s") if many else found
        if kind == SYMBOLS:
            return self.namesakes.symbol(words)
        if kind == VERB:
            return self.oddities.verb(words)
        if kind == ROBOT and self.random.random() < 0.3:
            return self.namesakes.robot()
        pool = self.pools.get((class_of(kind, word), many))
        return self.random.choice(pool) if pool else words

    def region(self, before: list[str]) -> list[str]:
        """Return a made-up name of a region, its article put behind the words before it."""
        article, words = self.namesakes.region()
        if article and not (before and before[-1].lower() in ARTICLES):
            before.append("the")
        return words

    def joined(self, a: Example, b: Example) -> Example:
        """Return two wordings said one after the other."""
        n, shift = len(a.tokens), len(a.segments)
        return Example(
            a.domain,
            a.tokens + b.tokens,
            a.segments + [(s + n, e + n, k) for s, e, k in b.segments],
            a.items[:-1] + [i if i >= 0 else i - shift for i in b.items],
            a.classes + b.classes,
        )

    def chatting(self, e: Example) -> Example:
        """Return the example with talk before or after it."""
        talk = list(self.random.choice(self.chatter))
        if self.random.random() < 0.5:
            n = len(talk)
            segments = [(0, n, CHATTER), *((s + n, t + n, k) for s, t, k in e.segments)]
            items = [i if i >= 0 else i - 1 for i in e.items]
            return Example(e.domain, talk + e.tokens, segments, items, ["", *e.classes])
        end = len(e.tokens)
        segments = [*e.segments, (end, end + len(talk), CHATTER)]
        return Example(e.domain, e.tokens + talk, segments, e.items, [*e.classes, ""])

    def favoring(self, e: Example) -> Example:
        """Return an order that is said to be for somebody's sake: that is no part of what is to be done."""
        gives = any(i in GIVING for i in e.items)
        open_end = e.tokens[-1:] in ([mark] for mark in ".!?") and all(
            t < len(e.tokens) for _, t, _ in e.segments
        )
        if e.domain == "memory" or gives or not open_end:
            return e
        person = self.random.choice(self.pools["person", False] or [("her",)])
        whom = self.random.choice((("me",), ("us",), ("him",), ("her",), person, person, person))
        end = len(e.tokens) - 1
        tokens = [*e.tokens[:end], "for", *whom, e.tokens[end]]
        segments = [*e.segments, (end, end + 1 + len(whom), CHATTER)]
        return Example(e.domain, tokens, segments, e.items, [*e.classes, ""], e.author, e.id)

    def noisy(self, e: Example) -> Example:
        """Return the example as somebody careless writes it."""
        tokens = list(e.tokens)
        if self.random.random() < 0.18:
            tokens = [t.lower() for t in tokens]
        if self.random.random() < 0.2:
            for at in range(len(tokens)):
                if self.random.random() < 0.09:
                    tokens[at] = self.slip(tokens[at])
        made = Example(e.domain, tokens, e.segments, e.items, e.classes, e.author, e.id)
        return self.unmarked(made) if self.random.random() < 0.1 else made

    def slip(self, word: str) -> str:
        """Return a word with one slip of the keys."""
        if len(word) < 4 or not word.isalpha():
            return word
        at = self.random.randrange(1, len(word) - 1)
        kind = self.random.randrange(3)
        if kind == 0:
            return word[:at] + word[at + 1 :]
        if kind == 1:
            return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        return word[:at] + word[at] + word[at:]

    def unmarked(self, e: Example) -> Example:
        """Return the example without commas, or without any marks."""
        lost = {","} if self.random.random() < 0.5 else {*",.;:!?-—()\"'"}
        inside = {i for s, t, _ in e.segments for i in range(s, t)}
        place, tokens = [], []
        for at, token in enumerate(e.tokens):
            place.append(len(tokens))
            if token not in lost or at in inside:
                tokens.append(token)
        place.append(len(tokens))
        segments = [(place[s], place[t - 1] + 1, k) for s, t, k in e.segments]
        return Example(e.domain, tokens, segments, e.items, e.classes, e.author, e.id)


GIVING = {SYMBOL[f"sense={s}"] for s in ("give", "serve", "bring along", "other", "routine")}
CLOSED, NOUN_FIELD, NAME_FIELD = SYMBOL[CLOSE], SYMBOL["noun"], SYMBOL["name"]
