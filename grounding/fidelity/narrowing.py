"""Words that narrow down what is meant: superlatives, sides and clauses behind a noun are in the meaning.

A reader that passes over one of them acts on more things than were spoken of, or on another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

from commonground.grounding.english.faithful import DETERMINERS
from commonground.grounding.fidelity.held import Held, nouns_of, wanted_acts
from commonground.grounding.fidelity.negation import negatives
from commonground.grounding.fidelity.unknown import LINKS
from commonground.grounding.language.vocabulary import FUNCTION_WORDS
from commonground.grounding.meaning import Act, Assignment, Reference, Relation, Several, Thing, Who
from commonground.grounding.words.closed import BE, RELATIVES
from commonground.grounding.words.concepts import everyday
from commonground.grounding.words.nouns import singular, singulars, word_set

_SIDED = frozenset(["left", "right", "leftmost", "rightmost", "front", "behind"])
_SIDE = re.compile(
    r"\b(?:on|to|at|of) (?:the|its|his|her|their|your|my|our) (left|right)(?: hand)?(?: side)?"
    r"(?= (?:of|from|as|when|if|and|side|hand|that|which|i|you|we|they|he|she|is|are|please|then|first|too)\b"
    r"| ?$| ?[.,;:!?\n])"
    r"|\b(left|right) hand\b|\b(left|right) ?most\b"
)
_OPENING = RELATIVES | {"with"}
"""What opens a clause behind a noun: ``the tree with the most space around it``."""
_NOT_NEAR = re.compile(r"\bnot (?:near|close to|next to|beside|within|around)\b")
_FACING = frozenset(["front", "behind"])
_SUPERLATIVE = re.compile(r"[a-z]{2,}[^aeiou]?est")
_DETERMINED = frozenset(["the", "its", "your", "our", "my", "their", "s"])
_KNOWN = frozenset(
    ["NEAREST", "FARTHEST", "COMPASS_MOST", "COMPASS_MORE", "SIZE", "MOST", "FEWEST", "COMPASS", "FIRST",
     "LAST", "FILLER", "IDIOM"]
)  # fmt: skip
"""Phrases with superlatives that others hold against the meaning, or that pick out nothing."""
_PLAIN = word_set(
    "best latest soonest earliest rest quickest fastest shortest easiest request interest forest harvest "
    "guest chest test quest contest protest honest modest priest crest vest pest nest conquest manifest "
    "earnest"
)
"""``the latest``, ``the shortest way``: of the deed, not of a thing; or no superlatives at all."""
_DESCRIBING = frozenset(
    ["FILLER", "IDIOM", "LOCATED", "IN_IT", "THERE", "THAT_BE", "THAT_NOT", "SEE", "VAGUE", "COLOR",
     "COLORED",
     "COMPASS", "COMPASS_MOST", "COMPASS_MORE", "SIZE", "NEAREST", "FARTHEST", "SIDE", "FRONT", "PLACED_AT",
     "HAVING", "NOT_HAVING", "SAFE", "OFF_LIMITS", "MODAL", "INSPECT", "INSPECT_SPLIT", "BE", "BE_IN",
     "MOST", "FEWEST", "SITE", "ID_WORD", "PREDICATE", "CONTAINS"]
)  # fmt: skip
"""What clauses behind a noun may say; the rest of it is the meaning's, or it is lost."""


_GOING_ON = word_set("and but then so when until till before after while")
_ORDERED = re.compile(r"(?:must|should|shall|can|needs?|wants?)\b|(?:has|have|is|are) to\b")
"""What is to be done with a thing does not say which it is."""
_ANY_PLACE = frozenset(["anywhere", "somewhere"])
_OTHERS = frozenset(["others", "remaining", "rest"])
_ONE_ANOTHER = word_set("each an one any no or after every by with to this that these some")
"""Before ``other`` these leave nothing out: ``each other``, ``one or other``, ``any other day``."""
_LEFT = frozenset(["leave", "ignore", "skip", "forget", "for", "than"])
"""Before ``the rest``, of which nothing is said to be done: ``for the rest of the night``."""
_FROM_ONE = frozenset(["or", "on", "to", "from"])
"""Before ``the other``: ``one or the other``, ``from one end to the other``."""
_PAST = frozenset(["past", "above", "before", "than", "of", "not", "nor"])
"""Before ``everything else`` and ``anywhere else`` these leave nothing out that the meaning has."""
_ALL = frozenset(["everything", "all", "whatever"])
_OTHER_ONE = re.compile(r"\bthe other(?: one)?(?: [.,;!?]| and\b|$)")
_OVER = re.compile(
    r"\b(?:what|whatever|all that|everything that)(?: \w+)?(?: is| are| 's)?"
    r" (?:left|remains?|remaining)\b(?! of\b)"
)
"""All that nobody was told of yet."""
_WHICHEVER = re.compile(
    r"\b(?:which|whichever|whatever|what) (?P<what>\w+(?: \w+)?) (?:'s|has|have|holds?)(?: got)?"
    r" (?:an?|some|any|one|the) (?:\w+ )??(?P<told>\w+) (?:\w+ )?(?:in|on|by|at|near|beside|under|there)\b"
)
_EACH = frozenset(["each", "every", "any", "all"])
_ANYWHERE = frozenset(["position", "place", "spot", "point", "stop", "post"])
"""Beside a thing these are no things of their own: to take up a position there is to go to it."""
_POINTING = "|".join(sorted(DETERMINERS | _EACH))
_NEAR = re.compile(
    rf"\b(?:{_POINTING}) (?:\w+ )?"
    r"(?:(?P<noun>\w+) (?:right |just )?"
    r"(?:near|next to|close to|beside|alongside|adjacent to|bordering|adjoining)"
    rf" (?:{_POINTING})\b|(?:adjacent|adjoining|neighbou?ring|surrounding) \w+)"
)
"""A noun that is told by what it is near to; of a deed these words say how far it goes."""
_ROUND = word_set("way than order day words side end")
"""Behind ``other`` these do: ``the other way round``; ``other than`` is an exception."""


def lost_sides(held: Held) -> Iterator[str]:
    """Yield sides that only the text tells things apart by."""
    sides = {r.how for r in held.parts(Relation)} & _SIDED
    east = any(thing.trait for thing in held.parts(Thing))
    found = [*_SIDE.finditer(held.line)][-1:]
    last = next(filter(None, found[0].groups()), "") if found else ""
    if found and not east and not any(side.startswith(last) or side in _FACING for side in sides):
        yield f"the text says '{found[0][0]}', and the answer does not"


def wrong_nearness(held: Held) -> Iterator[str]:
    """Yield a ``not near`` that an answer takes for ``not in``: what is beside it would be taken, too."""
    hows = {relation.how for relation in held.parts(Relation) if relation.negated}
    said = _NOT_NEAR.search(held.line)
    if said and hows == {"in"}:
        yield f"the text says '{said[0]}', and the answer does not"


def wrong_number(held: Held) -> Iterator[str]:
    """Yield a clause about several that an answer takes for one about the one thing in front of it.

    In ``the trees on the lawn that are not near the fence`` no lawn is.
    """
    told = {t.noun.split()[-1].casefold() for t in held.parts(Thing) if t.noun and t.where}
    rows = zip(held.words, held.words[1:], held.words[2:], strict=False)
    for noun, that, be in rows:
        single = noun in told and singular(noun) == noun
        if that in RELATIVES and be in ("are", "were") and single:
            yield f"the text says '{that} {be}' of more than the {noun}"


def lost_there(held: Held) -> Iterator[str]:
    """Yield a ``there`` right behind several things that an answer takes wherever they are."""
    anywhere = {t.noun.split()[-1].casefold() for t in held.parts(Thing) if t.noun and not t.where}
    for at, (before, word) in enumerate(pairwise(held.words), 1):
        plain = word == "there" and held.word(at + 1) not in BE | {"'s"} and at > 2
        each = singular(before) != before or not _EACH.isdisjoint(held.words[max(at - 4, 0) : at])
        if plain and before in anywhere and each:
            yield f"the text says '{before} there', and the answer takes them anywhere"


def lost_nearness(held: Held) -> Iterator[str]:
    """Yield a thing that is told by what it is near, where a meaning has nothing near anything."""
    carried = any(act.do in ("place", "hold") for act in held.parts(Act))
    if carried or any(relation.how not in ("in", "on") for relation in held.parts(Relation)):
        return
    for near in _NEAR.finditer(held.line):
        if near["noun"] not in _ANYWHERE and near["noun"] not in (*held.robots, *LINKS):
            yield f"the text says '{near[0]}', and the answer has nothing near anything"


def lost_in_there(held: Held) -> Iterator[str]:
    """Yield an ``in there`` right behind a thing that an answer takes wherever it is."""
    for thing in held.parts(Thing):
        noun = thing.noun.casefold().split()[-1:]
        inside = any(relation.how in ("in", "on") for relation in thing.where)
        if noun and not inside and f" {noun[0]} in there " in f" {held.line} ":
            yield f"the text says '{noun[0]} in there', and the answer takes it anywhere"


def places_for_things(held: Held) -> Iterator[str]:
    """Yield where a text only says which things are meant, and the answer does something with that place."""
    for act in held.parts(Act):
        for noun in {thing.noun.casefold() for thing in _things_of(act.what) if thing.noun}:
            named = rf"\b(?:(those|ones?) (?:in|on|at) )?(?:the )?{re.escape(noun)}\b"
            said = re.findall(named, held.line)
            if said and all(said):
                yield f"the text says '{said[0]}' in front of the {noun}, and the answer does not"


def _things_of(what: Reference) -> Iterator[Thing]:
    """Yield the things that are joined in a reference, and those excepted of them."""
    if isinstance(what, Thing):
        yield what
    for part in what.things if isinstance(what, Several) else what.but:
        yield from _things_of(part)


def lost_others(held: Held) -> Iterator[str]:
    """Yield an ``elsewhere``, ``the others`` or ``the other robot`` where a meaning has no others."""
    yield from _lost_rest(held)
    if _leaves_out(held):
        return
    crews = {one.who.names for one in held.meaning.assignments if one.who.choose == "each"}
    nouns = {*nouns_of(held.meaning)}
    for at, word in enumerate(held.words):
        thing = not nouns.isdisjoint(singulars(held.word(at + 1)))
        one = word == "other" and (thing or len(crews) < 2) and _is_other_one(held, at)
        if one or _is_others(held, at):
            yield f"the text says '{held.word(at - 1)} {word}', and the answer leaves nothing out"


def _lost_rest(held: Held) -> Iterator[str]:
    """Yield what nobody was told of yet, where a meaning has none of it, and one that is done by all."""
    other = any(thing.of == "other" for thing in held.parts(Thing))
    over = None if other else _OVER.search(held.line)
    if over:
        yield f"the text says '{over[0]}', and the answer has nothing of the others"
    shared = not other and any(map(_all_have_the_one, held.meaning.assignments))
    if shared and _OTHER_ONE.search(held.line):
        yield "the text says 'the other', and the answer has all do the same"


def _all_have_the_one(one: Assignment) -> bool:
    """Return whether several robots by name are told to do something with one and the same thing."""
    whats = [act.what for act in wanted_acts(one.task)]
    single = any(isinstance(what, Thing) and what.amount == "the" for what in whats)
    return one.who.choose == "each" and len(one.who.names) > 1 and single


def _is_other_one(held: Held, at: int) -> bool:
    """Return whether ``other`` tells one of two from the one before, of which none was named as such."""
    first, before, behind = (held.word(k) for k in (at - 2, at - 1, at + 1))
    ranged = before in _ONE_ANOTHER or first in _FROM_ONE or behind in _ROUND
    here = held.words[held.sentence(at)[0] : at]
    return not ranged and ("the", "one") not in pairwise(held.words[:at]) and "one" not in here


def _is_others(held: Held, at: int) -> bool:
    """Return whether a word stands for all others: ``the others``, ``the rest``, ``anywhere else``."""
    than, first, before, word = (held.word(k) for k in range(at - 3, at + 1))
    rest = word in _OTHERS and before == "the" and first not in _LEFT
    else_ = word == "else" and (before.endswith("where") or before in _ALL)
    else_ = else_ and first not in _PAST
    return (rest and than != "than") or word == "elsewhere" or else_  # farther than all the rest


def _leaves_out(held: Held) -> bool:
    """Return whether a meaning has others: things left out, or the robot that has no task yet."""
    return (
        any(who.choose in ("other", "share") or who.but for who in held.parts(Who))
        or any(thing.of == "other" for thing in held.parts(Thing))
        or any(negatives(held.meaning))
    )


def lost_superlatives(held: Held) -> Iterator[str]:
    """Yield superlatives that no word of the vocabulary is, and that the meaning does not have."""
    described, known = _words(held), _letters(held, _KNOWN)
    for (before, word), token in zip(pairwise(held.words), held.tokens[1:], strict=False):
        told = before not in _DETERMINED or held.only_tells(token.start)
        if told or token.start in known:
            continue
        superlative = _SUPERLATIVE.fullmatch(word) and word not in _PLAIN
        if superlative and word not in described and not everyday().senses(word):
            yield f"the text says '{word}', and the answer does not"


def lost_clauses(held: Held) -> Iterator[str]:
    """Yield clauses right behind the noun of a thing of which nothing is in the meaning."""
    nouns, described = {*nouns_of(held.meaning)}, _words(held)
    told = _letters(held, _DESCRIBING)
    for at, (before, word) in enumerate(pairwise(held.words), 1):
        if word not in _OPENING or before not in nouns:
            continue
        said = held.tokens[at + 1 : held.clause(at)[1]]
        said = [*takewhile(lambda token: token.text not in _GOING_ON, said)]
        words = [t.text for t in said]
        orders = _is_order(held, words)
        if orders or any(t.text in described or t.kind in ("symbol", "number") for t in said):
            continue
        if any(t.text not in FUNCTION_WORDS | _ANY_PLACE and t.start not in told for t in said):
            yield f"the text says '{' '.join([word, *words])}', and the answer does not"


def _is_order(held: Held, words: Sequence[str]) -> bool:
    """Return whether a clause says what is to be done with a thing: ``that Anna can skip``."""
    return any(map(held.is_robot, words)) or _ORDERED.match(" ".join(words)) is not None


def done_for_told(held: Held) -> Iterator[str]:
    """Yield what an answer does with what only says which is meant: ``whichever hut has a bag in it``."""
    for said in _WHICHEVER.finditer(held.line):
        told = {*singulars(said["told"])}
        for thing in (thing for act in held.acts for thing in _things_of(act.what)):
            if thing.noun and not told.isdisjoint(singulars(thing.noun.casefold().split()[-1])):
                yield f"the text only says which {said['what']} is meant by the {thing.noun}"


def _letters(held: Held, kinds: frozenset[str]) -> set[int]:
    """Return where the letters of phrases of some kinds stand."""
    return {k for s in held.phrases(kinds) for k in range(s.start, s.start + len(s.words))}


def _words(held: Held) -> set[str]:
    """Return the words by which a meaning describes things."""
    described = (part for t in held.parts(Thing) for part in (t.noun, t.trait, t.color))
    return {word for part in described for word in part.casefold().split()}
