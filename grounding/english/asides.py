"""What a text only tells beside its orders: ``they've poured new gravel``, ``you would help me a lot``.

A clause with a subject of its own that is no robot, and no word that wants, forbids or limits anything,
orders nothing. A network that reads the text without it is surer of the rest; what comes of that is still
held against the whole text. An order has no subject, or a robot for one, so none is passed over.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from commonground.grounding.english.chatter import chatter
from commonground.grounding.english.faithful import ARTICLES, BACK, NEGATIONS, NUMBERS
from commonground.grounding.english.indifference import remarks_of_choice
from commonground.grounding.english.names import ROBOT, Names
from commonground.grounding.english.reader import MAX_CHARACTERS
from commonground.grounding.english.remarks import JOINING, MARKS, WANTING
from commonground.grounding.english.tokens import Token, tokens_of
from commonground.grounding.fidelity.clauses import is_state
from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.fidelity.verbs import DEEDS
from commonground.grounding.words.blanks import blanked
from commonground.grounding.words.concepts import everyday
from commonground.grounding.words.nouns import word_set
from commonground.grounding.words.tense import is_past
from commonground.grounding.words.tokens import tokenize

_TELLERS = word_set("i we they he she")
"""Who tells what is so with any verb; of others only a verb that is no order's form tells."""
_PEOPLE = frozenset(["i", "we", "they"])
_ANYBODY = _PEOPLE | {"everyone", "everybody"}
_DOERS = word_set("they he she")
"""These may be robots that were named before."""
_OTHERS = word_set("it you this that there somebody someone everybody everyone people")
_OWNING = word_set("the a an our my his her their its")
_SUBORDINATING = word_set("because since as while although though before after")
"""A clause with a subject may begin with these anywhere in a sentence, and orders nothing."""
_OPEN = word_set("a an any some one")
"""Of what is named with these, where it is may say which is meant."""
_COORDINATING = word_set("so and but for")
_BEING = word_set(
    "is are was were am 's 're 've 'm 'd has have had been would 'll does did gets got"
)
_LEFT_OUT = word_set("is are does do will should must")
"""A clause that ends with one of these says again of something else what was said before."""
_LIMITING = word_set(
    "if when until till once only first last then both either each all one ones other others any "
    "whichever former latter mean meant"
)
"""What a clause says with these, or denies, may hold for the orders beside it."""
_TAKING_UP = BACK | word_set("one ones both former latter other others each either same such em")
_POINTING = frozenset(["it", "this", "that"])
_ADDRESSED = word_set("you your yours for")
_HANGING = (
    _COORDINATING
    | _SUBORDINATING
    | word_set("that what where when who which how if until till unless once whatever then")
)
"""Behind these a subject begins no clause of its own."""
_SAYING = word_set("said says told tells reckons thinks swears")
_CHATTING = _SAYING | _BEING | _TELLERS | {"me", "us"}
_LONGEST_SUBJECT = 4


class _Clause(NamedTuple):
    """A clause."""

    first: int
    last: int
    """Its first token, and the token after its last."""
    joints: tuple[str, ...]
    """What joins it on."""
    words: tuple[str, ...]
    subordinate: bool


def unremarked(text: str, names: Names) -> str:
    """Return a text of the same length without what denies nothing that is ordered, and comes of no order.

    ``I don't want surprises`` and ``I don't know why`` exclude nothing, and ``then we can open`` is no order.
    """
    if len(text) > MAX_CHARACTERS:
        return text  # that is not read at all
    tokens = tokens_of(text)
    named, deeds = _named(tokens, names), _deeds(text)
    idle = [*chatter(text, names)]
    for clause in _clauses(tokens):
        places = range(clause.first, clause.last)
        said = range(clause.last - len(clause.words) + 2, clause.last)  # behind who does what
        does = any(tokens[at].start in deeds for at in said)
        if (
            clause.words
            and named.isdisjoint(places)
            and (_ends(clause, does=does) or (not does and _denies_nothing(clause)))
        ):
            idle.append((tokens[clause.first].start, tokens[clause.last - 1].end))
    choices = [one[:2] for one in remarks_of_choice(text)]
    return without(text, (one for one in idle if not any(_overlap(one, c) for c in choices)))


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _ends(clause: _Clause, *, does: bool) -> bool:
    """Return whether a clause tells what people do in the end: ``then you're off the hook``."""
    who, rest = clause.words[0], clause.words[1:]
    harmless = ARTICLES.isdisjoint(rest)  # not: then we can drive over the dog
    people = who in _ANYBODY and harmless and WANTING.isdisjoint(rest[rest[:1] == ("can",) :])
    over = who == "you" and not does and rest[:1] in (("'re",), ("are",))
    plain = BACK.isdisjoint(rest) and NEGATIONS.isdisjoint(rest) and "you" not in rest
    return "then" in clause.joints and plain and (people or over)


def _denies_nothing(clause: _Clause) -> bool:
    """Return whether a clause denies something of people alone: ``we don't want surprises``."""
    words = clause.words
    why = clause.subordinate and "because" in clause.joints and words[0] in _OTHERS
    denies = (why or words[0] in _PEOPLE) and not NEGATIONS.isdisjoint(words)
    plain = _LIMITING.isdisjoint((*clause.joints, *words)) and BACK.isdisjoint(words[1:])
    things = any(everyday().senses(word) for word in {*words} - WANTING)
    return denies and plain and not things and _ADDRESSED.isdisjoint(words) and not _counts(words)


def _named(tokens: Sequence[Token], names: Names) -> set[int]:
    """Return which tokens name anything of the world."""
    hints = names.hints([t.text for t in tokens])
    return {at for start, end, _ in hints for at in range(start, end)}


def _given(tokens: Sequence[Token], names: Names) -> set[int]:
    """Return where robots are named that get something to do: ``the rest are for Anna``."""
    robots = {start for start, _, group in names.hints([t.text for t in tokens]) if group == ROBOT}
    return {at for at in robots if at and tokens[at - 1].text.casefold() == "for"}


def _is_definite(tokens: Sequence[Token], named: Iterable[int]) -> bool:
    """Return whether no word before what is named leaves open which one is meant."""
    beside = (token for at in named for token in tokens[max(0, at - 2) : at])
    return _OPEN.isdisjoint(token.text.casefold() for token in beside)


def _deeds(text: str) -> set[int]:
    """Return where the verbs of a text begin that may be orders."""
    return {said.start for said in phrases_in(tokenize(text), DEEDS) if said.words not in _BEING}


def pared(text: str, names: Names) -> str:
    """Return a text of the same length with blanks for what it only tells."""
    tokens = tokens_of(text)
    named = _named(tokens, names)
    deeds = _deeds(text)
    given = _given(tokens, names)
    told: list[tuple[int, int]] = []
    later: set[str] = set()
    definite = _is_definite(tokens, named)
    for clause in reversed([*_clauses(tokens)]):
        places = range(clause.first, clause.last)
        names_any = not named.isdisjoint(places)
        does = any(tokens[at].start in deeds for at in places)
        where = definite and _is_where(clause, named, later)
        told_of = where or _is_idle(clause, names_any, does) or _is_told(clause, later)
        told_of = told_of and not (names_any and _goes_on(clause, tokens, deeds))
        tells = _chats(clause, names_any, does) or (told_of and _tells(clause))
        if tells and given.isdisjoint(places):
            told.append((tokens[clause.first].start, tokens[clause.last - 1].end))
        else:
            later.update(tokens[at].text.casefold() for at in places)
    return without(text, (*told, *(one[:2] for one in remarks_of_choice(text))))


def without(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return a text with blanks, if anything is left then."""
    rest = blanked(text, spans)
    return rest if any(map(str.isalnum, rest)) else text


def _clauses(tokens: Sequence[Token]) -> Iterator[_Clause]:
    """Yield the clauses of a text, parted by marks and by what joins a subject on."""
    words = [token.text.casefold() for token in tokens]
    first = 0
    for at in range(len(words) + 1):
        ends = at == len(words) or words[at] in MARKS
        if not ends and not (at > first and _joins(words, at)):
            continue
        if at > first:
            begin = first
            while begin < at and words[begin] in JOINING | _SUBORDINATING | {"then"}:
                begin += 1
            why = not _SUBORDINATING.isdisjoint(words[first:begin])
            yield _Clause(first, at, tuple(words[first:begin]), tuple(words[begin:at]), why)
        first = at + 1 if ends else at


def _joins(words: Sequence[str], at: int) -> bool:
    if words[at] in _TELLERS and words[at - 1] not in _HANGING:
        return at + 1 < len(words) and words[at + 1] in _BEING
    if words[at] == "as" and (words[at - 1] == "same" or words[at - 2 : at - 1] == ["as"]):
        return False  # as long as it is dry; the van as well as the buses
    if words[at] in _SUBORDINATING:
        return _subject(words[at + 1 :], subordinate=True) > 0
    if words[at] not in _COORDINATING | {"then"} or words[at - 1] in _COORDINATING:
        return False
    begin = at + 2 if words[at + 1 : at + 2] == ["then"] else at + 1
    return _subject(words[begin:], subordinate=False) > 0


def _subject(words: Sequence[str], *, subordinate: bool) -> int:
    """Return how many words the subject of a clause has; 0 if it has none that is followed by a verb."""
    for size in range(1, min(_LONGEST_SUBJECT, len(words) - 1) + 1):
        if words[size - 1] in MARKS:
            return 0
        if words[0] in _TELLERS or (subordinate and words[0] in _OTHERS):
            return 1
        if words[0] not in _OWNING | _OTHERS or (size == 1) == (words[0] in _OWNING):
            continue
        following = words[size]
        verbal = subordinate and len(following) > 3 and following.endswith(("s", "ed"))
        if verbal or (following in _BEING and not _owns(words, size)):
            return size
    return 0


def _owns(words: Sequence[str], at: int) -> bool:
    """Return whether an ``'s`` says whose something is: ``the baker's box``, not ``the baker's coming``."""
    behind = words[at + 1] if at + 1 < len(words) else ""
    return words[at] == "'s" and words[at - 1] != "it" and not behind.endswith(("ing", "ed", "en"))


def _tells(clause: _Clause) -> bool:
    """Return whether a clause has a subject and limits nothing."""
    words = clause.words
    if not _subject(words, subordinate=clause.subordinate):
        return False
    if not _LIMITING.isdisjoint((*clause.joints, *words)):
        return False
    if words[0] in _POINTING and not _ADDRESSED.isdisjoint(words):
        return False  # that's you
    if words[-1] in _LEFT_OUT:
        return False  # don't check the gate, the flag is
    return NEGATIONS.isdisjoint((*clause.joints, *words)) and not _counts(words)


def _counts(words: Sequence[str]) -> bool:
    return not NUMBERS.isdisjoint(words) or any(c.isdigit() for word in words for c in word)


def _is_idle(clause: _Clause, names_any: bool, does: bool) -> bool:
    """Return whether a clause names nothing and points back at nothing, so that no order hangs on it."""
    return not names_any and not does and BACK.isdisjoint(clause.words[1:])


def _chats(clause: _Clause, names_any: bool, does: bool) -> bool:
    """Return whether a clause that does and names nothing has a verb of telling: ``gives me the creeps``."""
    words = clause.words[3:] if clause.words[:3] == ("one", "of", "the") else clause.words
    telling = not _CHATTING.isdisjoint(words) and not (_LIMITING | _ADDRESSED).intersection(
        (*clause.joints, *words)
    )
    plain = NEGATIONS.isdisjoint(words) and BACK.isdisjoint(words[1:]) and not _counts(words)
    telling = telling and not (names_any or (does and _SAYING.isdisjoint(words)))
    return telling and plain and WANTING.isdisjoint((*clause.joints, *words))


def _is_where(clause: _Clause, named: Collection[int], later: Collection[str]) -> bool:
    """Return whether a clause only tells where what was spoken of is: ``it's still in the shop``."""
    words = clause.words
    at = [k for k in named if clause.first <= k < clause.last]
    return bool(at) and "there" not in later and is_state(words, len(words) - clause.last + min(at))


def _goes_on(clause: _Clause, tokens: Sequence[Token], deeds: Collection[int]) -> bool:
    """Return whether who was named before may be told to do more: ``and she inspects the pump``."""
    who, verb = clause.words[:1], clause.last - len(clause.words) + 1
    does = verb < clause.last and tokens[verb].start in deeds
    return does and not _DOERS.isdisjoint(who) and not is_past(clause.words[1])


def _is_told(clause: _Clause, later: set[str]) -> bool:
    """Return whether a clause tells of things that nothing takes up later."""
    told = clause.words[0] in _TELLERS | _OWNING and WANTING.isdisjoint(clause.words)
    return told and _TAKING_UP.isdisjoint(later)
