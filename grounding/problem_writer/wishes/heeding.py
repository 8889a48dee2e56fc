"""Every clause of a command held against a wish, whoever read it: none that may ask for something is lost.

A clause only tells where its grammar says so: it is of the past, gives a reason, or says how something is.
One with a word of wishing or of duty in it, and one that has a thing where it is not, may ask as well; and
nothing is switched, opened, cut or broken for which no clause that speaks of it asks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from commonground.grounding.english.faithful import NEGATIONS
from commonground.grounding.problem_writer.goals import Wish, in_state, is_reached
from commonground.grounding.problem_writer.wishes.account import OPPOSITE, Accounts
from commonground.grounding.problem_writer.wishes.acts import ASKING, Said
from commonground.grounding.problem_writer.wishes.demands import Named
from commonground.grounding.problem_writer.wishes.framed import frame_at
from commonground.grounding.problem_writer.wishes.heads import (
    ENDS,
    HOLDING,
    JOINTS,
    SPEAKING,
)
from commonground.grounding.problem_writer.wishes.home import NEEDED
from commonground.grounding.problem_writer.wishes.where import IN
from commonground.grounding.words.nouns import word_set
from commonground.planning.pddl import Atom, Formula
from commonground.planning.pddl.strata import literals

_WHY = word_set("because since as cos cause for though although while whilst than") | (
    HOLDING - {"where", "which", "that"}
)
"""What begins with these tells why, when or although what, whatever words are in it."""
_DUE = word_set(
    "should must shall ought may might needs need wants deserves belongs please supposed meant"
)
_WANTING = word_set(
    "want need wish prefer like love hope appreciate grateful glad obliged welcome rather ask beg "
    "abide bear stand"
)
_BETTER = word_set("better easier happier nicer safer sounder")
_FANCYING = word_set("should would 'd could")
_PEOPLE = SPEAKING - {"it", "there"}
_THE = word_set("the a an my our your his her some")
_PARTS = word_set("door lid light lights rest lot others same")
"""What belongs to things of the house, or stands for some."""
_BACK = word_set("it them that those")
_NEAR = 4
_GOING = word_set("goes go belongs belong")
_LASTING = {*OPPOSITE, "SLICED", "BROKEN"}
"""States that nobody brings about unasked."""


def unheeded(wish: Wish, accounts: Accounts) -> Iterator[str]:
    """Yield the clauses that may ask for something which a wish does not hold, or says otherwise."""
    for said in accounts.acts.said:
        inside = [one for one in accounts.named if _is_in(one, said)]
        lost = any(_is_lost(one, said, wish, accounts) for one in inside)
        lost = lost or _is_of_unknown(said, accounts)
        lost = lost or _is_sent_there(inside, wish, accounts)
        rest = [w for w in accounts.words[said.start : said.end] if w not in JOINTS | {"please"}]
        lost = lost or rest in (["do", "n't"], ["do", "not"])  # that forbids what was told before
        if lost:
            yield " ".join(accounts.written(said.start, said.end))


def _is_lost(one: Named, said: Said, wish: Wish, accounts: Accounts) -> bool:
    """Return whether a clause may ask for something to be done with a thing with which nothing is."""
    if not accounts.is_left(one, wish):
        return False
    named = not wish.vague or any(not accounts.is_left(each, wish) for each in accounts.named)
    told = accounts.acts.head(said.start, said.end).mood == "told" and said.act != "question"
    untrue = told and not _tells_why(said, accounts) and _is_untrue(one, said, accounts)
    return untrue or _may_ask(one, said, accounts) or (told and not named)


def _is_untrue(one: Named, said: Said, accounts: Accounts) -> bool:
    """``the lamp is off``, where it is on: nobody tells that, so it is how it should be."""
    verb = accounts.words[accounts.acts.head(said.start, said.end).verb]
    things = [*_states_of(one, said, accounts)]
    now = verb in ("is", "are", "'s", "'re") and NEGATIONS.isdisjoint(
        accounts.words[said.start : said.end]
    )
    return (
        now and bool(things) and not any(is_reached(each, accounts.home.graph) for each in things)
    )


def _states_of(one: Named, said: Said, accounts: Accounts) -> Iterator[Formula]:
    """Yield that a thing is switched or opened as the words behind it say."""
    states = {accounts.state_at(at)[1] for at in range(one.end, said.end)} & {*OPPOSITE}
    yield from (in_state(kind, state) for kind in accounts.lit(one) for state in states)


def _is_sent_there(inside: Sequence[Named], wish: Wish, accounts: Accounts) -> bool:
    """``once nobody needs the knife it goes in the sink``: in whatever clause, something shall go there."""
    atoms = (atom for atom, _ in literals(wish.goal) if atom.predicate == "contains")
    filled = {accounts.home.type_of(atom.args[0]) for atom in atoms}
    for place in inside:
        near = range(max(place.start - _NEAR, 1), place.start)
        goes = (
            at
            for at in near
            if accounts.words[at] in _GOING and accounts.words[at - 1] in _BACK | {"they"}
        )
        verb = next(goes, place.start)
        if filled.isdisjoint(place.types) and not IN.isdisjoint(
            accounts.words[verb + 1 : place.start]
        ):
            return True
    return False


def _is_in(one: Named, said: Said) -> bool:
    return said.start <= one.start < said.end


def _may_ask(one: Named, said: Said, accounts: Accounts) -> bool:
    """Return whether a clause that names a thing may ask for something to be done with that."""
    before, behind = accounts.words[said.start : one.start], accounts.words[one.end : said.end]
    if _tells_why(said, accounts):  # ``because I want the egg in it`` asks for that as well
        wanted = not {"want", "need"}.isdisjoint(before) and said.act != "question"
        return wanted and not IN.isdisjoint(behind[:2]) and _is_wanted(before)
    return _is_wanted(before) or _is_due(behind) or ("to", "be") in pairwise(behind[:3])


def _is_of_unknown(said: Said, accounts: Accounts) -> bool:
    """``throw out the empty roll``: a house that does not know the thing has nothing done."""
    if said.act != "order" or any(_is_in(one, said) for one in accounts.named):
        return False
    for at in range(accounts.acts.head(said.start, said.end).verb, said.end - 2):
        frame, size = frame_at(at, said.end, accounts)
        if frame:
            the, *rest = accounts.words[at + size : said.end] or [""]
            return the in _THE and bool(rest) and _PARTS.isdisjoint(rest)
    return False


def _tells_why(said: Said, accounts: Accounts) -> bool:
    words = (w for w in accounts.words[said.start : said.end] if w not in ("and", "but", ","))
    return said.act == "question" or next(words, "") in _WHY


def _is_wanted(before: Sequence[str]) -> bool:
    """``I should like the pen to be there``, ``I'd be glad of the lamp``."""
    at = max((n for n, word in enumerate(before) if word in _WANTING | _BETTER), default=0)
    near = {*before[max(at - 4, 0) : at]}
    if before[at + 1 : at + 2] == ["to"] and not _has(before[at + 2 : at + 4]):
        return False  # what somebody wants to do is not what others shall do
    return bool((_PEOPLE | _FANCYING) & near) and near.isdisjoint({"did", "used"})


def _has(verb: Sequence[str]) -> bool:
    """``I want to have it there``, ``I want to see it shut``, ``I want it to be shut``."""
    begins = [*verb[:1]] in (["have"], ["find"], ["see"], ["get"], ["know"])
    return begins or ([*verb[:1]] == ["be"] and not verb[-1].endswith("ing"))


def _is_due(behind: Sequence[str]) -> bool:
    """``the pen should be there``; what should have been done was not."""
    at = next((n for n, word in enumerate(behind) if word in _DUE), None)
    return at is not None and "have" not in behind[at + 1 : at + 3]


def unasked(wish: Wish, accounts: Accounts) -> Iterator[str]:
    """Yield what is switched, opened, cut or broken where no clause that speaks of it asks for that."""
    for atom, so in literals(wish.goal):
        state = atom.args[-1]
        if not so or atom.predicate != "state" or state not in _LASTING:
            continue
        kind = accounts.home.type_of(atom.args[0])
        named = [one for one in accounts.named if kind in accounts.lit(one)]
        asked = [at for at, ask in accounts.asked if _asks_for(state, at, ask.state, accounts)]
        about = wish.vague or _is_about_any(asked, named, state, accounts)
        if named and asked and (not about or _is_so_left(atom, named, asked, accounts)):
            yield f"{state.lower()} {accounts.said(named[0])}"


def _is_about_any(
    asked: Sequence[int], named: Sequence[Named], state: str, accounts: Accounts
) -> bool:
    return any(_is_about(at, named, state, accounts) for at in asked)


def _is_so_left(
    atom: Atom, named: Sequence[Named], asked: Sequence[int], accounts: Accounts
) -> bool:
    """``don't turn the light off``: where it is on, that is no order to switch another lamp on."""
    kinds = (kind for one in named for kind in accounts.home.present(one.types))
    so = (in_state(kind, atom.args[-1]) for kind in kinds)
    graph, left = accounts.home.graph, accounts.denied.issuperset(asked)
    return left and not is_reached(atom, graph) and any(is_reached(each, graph) for each in so)


def _asks_for(state: str, at: int, asked: str, accounts: Accounts) -> bool:
    """Return whether a word asks for a state; one that is denied asks for the opposite."""
    if at in accounts.denied:
        return OPPOSITE.get(asked) == state
    return asked == state or (asked, state) == ("TOASTED", "SLICED")


def _is_about(at: int, named: Sequence[Named], state: str, accounts: Accounts) -> bool:
    """Return whether a word that asks for a state may be said of some things, and of no others before."""
    usable = NEEDED.get(state, "pickupable")
    able = [one for one in accounts.named if accounts.home.usually(accounts.lit(one), usable)]
    ends = [-1, *(n for n, word in enumerate(accounts.words[:at]) if word in ENDS)]
    inside = [*_said_of(at, able, accounts)]
    for begin in () if inside else reversed(ends):
        inside = inside or [one for one in able if begin < one.start < at]
    return not inside or any(one in named for one in inside)


def _said_of(at: int, able: Sequence[Named], accounts: Accounts) -> Iterator[Named]:
    """Yield what the clause of a word names that it may be said of, with what is listed with that."""
    of = next(ask.of for n, ask in accounts.asked if n == at)
    said = next((s for s in accounts.acts.said if s.start <= at < s.end), None)
    inside = [one for one in able if said is not None and _is_in(one, said)]
    for one in [one for one in inside if one.types == of] or inside:
        yield from (*accounts.listed_from(one), *accounts.listed_to(one))
    yield from (one for one in able if _goes_on(one, at, accounts))


def _goes_on(one: Named, at: int, accounts: Accounts) -> bool:
    """Return whether a word is said of what is named later: ``slice the apple and in the end the pear``."""
    between = range(at + 1, one.start)
    apart = any(n in between for n, _ in accounts.asked)
    apart = apart or not ENDS.isdisjoint(accounts.words[at : one.start])
    asked = any(s.act in ASKING and _is_in(one, s) for s in accounts.acts.said)
    return at < one.start and asked and not apart
