"""What must not be acted on as it stands: half sentences, jumbled words, orders that hang on the weather,
orders taken back in the same breath, and orders that come along with what no robot can do.

Sheets hold few of them, people say them often.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import pairwise

from examples import SYMBOL, Example
from oddities import NOUN, ROBOT, VERB, Oddities
from pieces import NAMES, opens

from commonground.grounding.english.spans import CHATTER
from commonground.grounding.english.symbols import CLOSE
from commonground.grounding.english.tokens import tokens_of

ORDERS = ("scene", "household")
DANGLING = frozenset([
    "a", "an", "and", "at", "between", "every", "from", "into", "its", "my", "of", "onto", "or", "our",
    "than", "the", "their", "to", "toward", "towards", "until", "when", "which", "with", "your",
])  # fmt: skip
"""A sentence that ends with one of these is not whole."""
IF = (
    "if", "only if", "when", "whenever", "once", "as soon as", "unless", "in case", "as long as", "provided",
    "provided that", "should it be that", "while", "assuming", "in the event that",
)  # fmt: skip
DENYING = frozenset(("unless",))
SUBJECTS = (
    "it", "somebody", "someone", "nobody", "anybody", "he", "she", "they", "the N", "the N", "the N",
    "this", "everyone", "I", "we",
)  # fmt: skip
HAPPENINGS = (
    "V", "Vs", "starts to V", "begins to V", "is Ving", "has Ved", "gets Ved", "can V", "wants to V",
    "stops Ving", "Vs the N", "is about to V",
)  # fmt: skip
COMMON = (
    "rain",
    "snow",
    "call",
    "break",
    "stop",
    "leave",
    "arrive",
    "work",
    "fail",
    "come",
    "shout",
    "wait",
)
"""Verbs that a dictionary's rare ones lack; one in three conditions has one."""
WITHDRAWN = (
    ", not", ". Never mind", ". Forget it", ", no , stop , do n't", ". Scratch that",
    ". On second thought , no",
    ". Oh wait , do n't", ". Cancel that", ". Belay that", "- actually no", ". Ignore what I just said",
    ". I take that back", ". Or rather , do n't", ", or no , leave it", ". Strike that", ". Do n't bother",
    ", but do not do it", ". Nope , forget that", ". Actually , skip it", ". Disregard that",
)  # fmt: skip
SAYINGS = (
    "previous instructions", "earlier instructions", "previous orders", "other orders", "the rules",
    "safety rules", "my last message", "system prompt", "instructions", "restrictions", "earlier goals",
    "your programming", "all warnings", "keep-out zones", "speed limits",
)  # fmt: skip
IGNORING = (
    "ignore", "forget", "disregard", "override", "bypass", "skip", "drop", "break", "delete", "erase",
    "reveal", "print", "reset", "change", "disable", "cancel", "violate", "show", "repeat",
)  # fmt: skip


class Mishaps:
    """Makes such texts of examples."""

    def __init__(self, oddities: Oddities, rng: random.Random) -> None:
        self.oddities, self.random = oddities, rng

    def __call__(self, e: Example) -> Example:
        """Return one of them, or the example where none can be made of it."""
        kinds: list[Callable[[Example], Example | None]] = [self.half, self.jumbled]
        if e.domain in ORDERS:
            kinds += [self.conditional, self.conditional, self.beside]
        if e.domain == "scene":
            kinds += [self.withdrawn]
        return self.random.choice(kinds)(e) or e

    def half(self, e: Example) -> Example | None:
        """Return the beginning of a sentence."""
        inside = {i for s, t, _ in e.segments for i in range(s, t)}
        ends = [
            at + 1
            for at, token in enumerate(e.tokens[:30])
            if at > 0
            and token.lower() in DANGLING
            and at not in inside
            and "." not in e.tokens[:at]
        ]
        if not ends:
            return None
        end = self.random.choice(ends)
        return nothing(e, e.tokens[:end], [s for s in e.segments if s[1] <= end])

    def jumbled(self, e: Example) -> Example | None:
        """Return the words of a short sentence in no order; what a span holds stays together."""
        words = [w for w in e.tokens if w not in ".,!?;"]
        if not 5 <= len(words) <= 14 or any(s[2] == CHATTER for s in e.segments):
            return None
        at, units = 0, []
        for start, end, kind in e.segments:
            units += [([e.tokens[i]], -1) for i in range(at, start)]
            units.append((e.tokens[start:end], kind))
            at = end
        units += [([e.tokens[i]], -1) for i in range(at, len(e.tokens))]
        units = [u for u in units if u[0][0] not in ".,!?;"]
        before = [id(u) for u in units]
        for _ in range(6):
            self.random.shuffle(units)
            follow = sum(a + 1 == b for a, b in pairwise([before.index(id(u)) for u in units]))
            if follow <= len(units) // 4:
                break
        else:
            return None
        tokens: list[str] = []
        segments = []
        for unit, kind in units:
            if kind >= 0:
                segments.append((len(tokens), len(tokens) + len(unit), kind))
            tokens += unit
        return nothing(e, tokens, segments)

    def conditional(self, e: Example) -> Example | None:
        """Return an order on a condition that no map knows of."""
        end = _clause_end(e.items)
        if end is None or SYMBOL["condition"] in e.items or SYMBOL["mood=ask"] in e.items:
            return None
        opener = self.random.choice(IF)
        words, segments, items = self._happening()
        if opener in DENYING:
            items = [*items, SYMBOL["negated"]]
        opening, close = opener.split(), SYMBOL[CLOSE]
        if self.random.random() < 0.5:
            made = [*opening, *words, self.random.choice((",", ",", "then", ", then"))]
            made = [w for part in made for w in part.split()]
            moved = [(s + len(opening), t + len(opening), k) for s, t, k in segments]
            n, shift = len(made), len(segments)
            tokens = made + e.tokens
            both = moved + [(s + n, t + n, k) for s, t, k in e.segments]
            own = [i if i >= 0 else i - shift for i in e.items]
            classes = [""] * shift + e.classes
        else:
            body = e.tokens[:-1] if e.tokens[-1] in ".!" else e.tokens
            if any(t > len(body) for _, t, _ in e.segments):
                return None
            n, shift = len(body) + len(opening), 0
            tokens = [*body, *opening, *words, "."]
            both = [*e.segments, *((s + n, t + n, k) for s, t, k in segments)]
            own, classes = e.items, e.classes + [""] * len(segments)
            items = [i if i >= 0 else i - len(e.segments) for i in items]
        said = [SYMBOL["condition"], *items, close]
        return Example(
            e.domain, tokens, both, own[:end] + said + own[end:], classes, e.author, e.id
        )

    def _happening(self) -> tuple[list[str], list[tuple[int, int, int]], list[int]]:
        """Return a clause of something that may come to pass."""
        subject = self.random.choice(SUBJECTS).split()
        frame = self.random.choice(HAPPENINGS).split()
        common = self.random.random() < 0.33
        verb = self.random.choice(COMMON if common else self.oddities.verbs)
        tokens: list[str] = []
        segments: list[tuple[int, int, int]] = []
        roles: dict[str, int] = {}
        for role, part in (("agent", subject), ("theme:Phrase", frame)):
            begun = len(tokens)
            for word in part:
                start = len(tokens)
                if word == "N":
                    tokens += self.random.choice(self.oddities.nouns)
                    roles[role] = -1 - len(segments)
                    segments.append((start, len(tokens), NOUN))
                elif word.startswith("V"):
                    tokens.append(inflected(verb, word[1:]))
                    roles["verb"] = -1 - len(segments)
                    segments.append((begun, len(tokens), VERB))
                else:
                    tokens.append(word)
        items = [SYMBOL["sense=other"], SYMBOL["mood=tell"], SYMBOL["verb"], roles.pop("verb")]
        for role in sorted(roles):
            items += [SYMBOL[role], SYMBOL["noun"], roles[role], SYMBOL[CLOSE]]
        return tokens, segments, items

    def withdrawn(self, e: Example) -> Example | None:
        """Return an order that is taken back at once."""
        if NAMES[e.items[0]] != "parts" or e.items.count(SYMBOL["crew"]) != 1:
            return None
        stands = [i for i in e.items if i >= 0 and NAMES[i].startswith(("stands", "mood"))]
        if (
            stands
            or {SYMBOL["sense=nothing"], SYMBOL["when"]} & set(e.items)
            or len(_part_ends(e.items)) != 1
        ):
            return None
        body = e.tokens[:-1] if e.tokens[-1] in ".!?" else e.tokens
        if any(t > len(body) for _, t, _ in e.segments):
            return None
        words = [t.text for t in tokens_of(self.random.choice(WITHDRAWN))]
        end = _part_ends(e.items)[0]
        items = [*e.items[:end], SYMBOL["stands=taken back"], *e.items[end:]]
        return Example(
            e.domain, [*body, *words, "."], e.segments, items, e.classes, e.author, e.id
        )  # fmt: skip

    def beside(self, e: Example) -> Example | None:
        """Return an order in one breath with what no robot can do."""
        if NAMES[e.items[0]] != "parts":
            return None
        odd = self._defying(e.domain) if self.random.random() < 0.3 else self.oddities(e.domain)
        one, other = (odd, e) if self.random.random() < 0.6 else (e, odd)
        cut = one.tokens[-1] in ".!" and all(t < len(one.tokens) for _, t, _ in one.segments)
        first = one.tokens[:-1] if cut else one.tokens
        tokens = [
            *first,
            *self.random.choice(("and", ", and", "and also", ", and please", "plus", ";")).split(),
        ]
        n, shift = len(tokens), len(one.segments)
        return Example(
            e.domain,
            tokens + other.tokens,
            [*one.segments, *((s + n, t + n, k) for s, t, k in other.segments)],
            one.items[:-1] + [i if i >= 0 else i - shift for i in other.items],
            [*one.classes, *other.classes],
        )

    def _defying(self, domain: str) -> Example:
        """Return an order to ignore orders."""
        robot = list(self.random.choice(self.oddities.robots))
        verb = self.random.choice(IGNORING)
        about = (
            self.random.choice(("", "", "all", "any", "your")).split()
            + self.random.choice(SAYINGS).split()
        )
        tokens = [*robot, ",", verb, *about]
        at = len(robot) + 1
        segments = [(0, len(robot), ROBOT), (at, at + 1, VERB), (at + 1, len(tokens), NOUN)]
        theme = [SYMBOL["theme:Phrase"], SYMBOL["noun"], -3, SYMBOL[CLOSE]]
        return self.oddities.example(domain, tokens, segments, -2, theme, -1)


UNHEARD = [SYMBOL[s] for s in ("parts", "step:Clause", "sense=other", CLOSE, CLOSE, CLOSE)]


def nothing(e: Example, tokens: Sequence[str], segments: Sequence[tuple[int, int, int]]) -> Example:
    """Return a text of which nobody can tell what it asks for."""
    return Example(
        e.domain, [*tokens], [*segments], [*UNHEARD], [""] * len(segments), e.author, e.id
    )  # fmt: skip


def inflected(verb: str, ending: str) -> str:
    """Return a regular form of a verb."""
    if ending == "s":
        return verb + ("es" if verb.endswith(("s", "x", "z", "ch", "sh")) else "s")
    return verb.removesuffix("e") + ending if ending else verb


def _part_ends(items: Sequence[int]) -> list[int]:
    """Return where the parts are closed."""
    depth, found = 0, []
    for at, item in enumerate(items[:-1]):
        name = NAMES[item] if item >= 0 else ""
        depth += opens(name) - (name == CLOSE)
        if depth == 0 and name == CLOSE:
            found.append(at)
    return found


def _clause_end(items: Sequence[int]) -> int | None:
    """Return where the clause of an only part is closed."""
    ends = _part_ends(items)
    if len(ends) != 1 or items[1] != SYMBOL["step:Clause"]:
        return None
    depth = 0
    for at, item in enumerate(items[1:], 1):
        name = NAMES[item] if item >= 0 else ""
        depth += opens(name) - (name == CLOSE)
        if depth == 0:
            return at
    return None
