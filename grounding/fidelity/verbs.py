"""Verbs of a text and the things that stand behind them: what is to be inspected is not only gone to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from commonground.grounding.english.names import singular
from commonground.grounding.english.parts import parts_of
from commonground.grounding.fidelity.clauses import Wording
from commonground.grounding.fidelity.held import Held, nouns_of
from commonground.grounding.fidelity.negation import is_regretted
from commonground.grounding.fidelity.phrases import Said
from commonground.grounding.fidelity.picks import LOOKING, is_many
from commonground.grounding.meaning import Act, Plan, Reference, Thing, things_in
from commonground.grounding.resolver.wording import describe
from commonground.grounding.words.closed import BE
from commonground.grounding.words.nouns import word_set
from commonground.grounding.words.tense import is_past
from commonground.grounding.words.tokens import Token
from commonground.grounding.words.vocabulary import vocabulary

_GOING = frozenset(["MOVE", "VISIT", "ENTER", "RETURN", "STAY", "END", "VIA"])
_AROUND = frozenset(["MOVE", "VISIT", "VIA", "AVOID"])
"""Verbs of going that tell of no end: ``go around``."""
_HANDLING = frozenset(["PICK", "PICK_SPLIT", "PICK_OR_PLACE", "PUT", "PUT_SPLIT"])
DEEDS = LOOKING | _GOING | _HANDLING | {"AVOID", "OMIT", "EXPLORE"}
_ENDING = frozenset(["STAY", "END"])
_PLACING = word_set("at by in on near next beside inside within with alongside to into")
_TELLING = frozenset(["there", "which"])
_ROVING = frozenset(["MOVE"])
_PASSING = frozenset(["VISIT", "ENTER", "VIA"])
_AT_LAST = word_set("end ends done over finish finished final finally last completion")
_BY = re.compile(r"\b(?:past|pass(?:es|ing)?(?: by)?|drives? by|driving by)\b")
_MADE_SAFE = re.compile(
    r"\b(?P<make>(?:make|render|leave|count|pass|ensure)s?|made|rendered|left) (?:\w+ ){0,12}?safe\b"
)
_FOUND = re.compile(
    r"\byou (?:will|may|can|should|might) (?:find|see) (?P<what>(?:the|an?|one|some|two|three) [^.,;:!?]*)"
)
_REACH = 3
"""So near before what somebody goes by its ``past`` stands."""
_BACK_AT = frozenset(["be", "back", "end", "you"])
"""Between what is inspected and where somebody ends: ``check the tap and be at the gate``."""
ROAMING = frozenset(["go", "be", "explore"])
_LOOKS = frozenset(["inspect", "explore"])
_SEEING = LOOKING | {"EXPLORE"}
_PRONOUNS = frozenset(
    ["it", "them", "one", "both", "these", "those", "there", "all", "each", "either"]
)
_NONE = frozenset(["no", "not", "nothing", "without", "never"])
_FINDING_OUT = word_set("what how whether if")
_ABOUT = word_set("around round through about over")
_NEEDING = word_set("need needed have has to do any a reason point for you there is")
"""Words between a verb and the word that denies it: ``no need to check``."""
BEING = BE


def wrong_verbs(held: Held) -> Iterator[str]:
    """Yield things that a text has inspected and the answer only gone to, or the other way round."""
    acts, deeds = held.acts, deeds_said(held)
    idle = {deed for deed in deeds if _is_all(deed, _SEEING) and _is_needless(held, deed)}
    deeds = [deed for deed in deeds if deed not in idle]
    yield from _wrong_looks(held, deeds)
    yield from _unsafe(held)
    yield from _found(held)
    yield from _passed(held)
    yield from _carried(held, deeds)
    yield from _followed(held)
    if not any(plan.order == "sequence" for plan in held.parts(Plan)):
        yield from _wrong_ends(held, deeds)
    looks = any(_is_all(deed, _SEEING) for deed in deeds)
    if idle and not looks and any(act.do in _LOOKS for act in acts):
        words = " and ".join(sorted(deed.words for deed in idle))
        yield f"the text says that there is no need to {words}"


def verbs_in(said: Wording) -> set[int]:
    """Return where the verbs of a text begin that do more than be."""
    return {deed.start for deed in said.phrases(DEEDS) if deed.words not in BEING}


def deeds_said(held: Held) -> list[Said]:
    """Return the verbs of a text; 'barrels' are things here, and nobody barrels along."""
    nouns = {singular([w]) for thing in held.parts(Thing) for w in thing.noun.casefold().split()}
    return [
        deed
        for deed in held.phrases(DEEDS)
        if not (_is_state(held, deed) or _is_noun(held, deed))
        and singular([deed.words]) not in nouns
    ]


def _is_noun(held: Held, deed: Said) -> bool:
    """Return whether a verb stands as a noun that tells of no deed: ``the rest``, ``the watch``."""
    return " " not in deed.words and held.word(held.at(deed) - 1) == "the"


def _wrong_looks(held: Held, deeds: Sequence[Said]) -> Iterator[str]:
    inspected = [act for act in held.acts if act.do in _LOOKS]
    for act in _only_visited(held, inspected):
        for deed in _verbs_of(held, act, deeds):
            if _is_all(deed, LOOKING) and not _is_back(held, act, deed):
                yield f"the text says '{deed.words}' of what the answer only goes to"
    if held.acts:
        yield from _looked_at(inspected, [deed for deed in deeds if _is_all(deed, LOOKING)])
    yield from _only_gone_to(held, inspected, deeds)


def _only_gone_to(held: Held, inspected: Sequence[Act], deeds: Sequence[Said]) -> Iterator[str]:
    """Yield the going that a text says of what an answer inspects.

    ``Go to the bench and check it`` has the bench inspected, and one word for that.
    """
    if len(inspected) > sum(_is_all(deed, _SEEING) for deed in deeds):
        for deed in _said_of(held, inspected, deeds):
            if _is_going(deed) and not looks_about(deed):
                yield f"the text says '{deed.words}' of what the answer inspects"


def _is_going(deed: Said) -> bool:
    """Return whether a verb is one of going, as is any that may be one and leads on: ``return to``."""
    kinds = {kind for kind, _ in deed.senses}
    leads = "to" in (deed.words.split()[-1], deed.next) and kinds.isdisjoint(_SEEING)
    return kinds <= _GOING or (leads and not kinds.isdisjoint(_GOING))


def looks_about(deed: Said) -> bool:
    """Return whether going is looking: ``go and see what shape it is in``, ``stroll around the lawn``."""
    about = not _ABOUT.isdisjoint((deed.words.split()[-1], deed.next))
    return deed.next in _FINDING_OUT or (about and _is_all(deed, _ROVING))


def _only_visited(held: Held, inspected: Sequence[Act]) -> list[Act]:
    nouns = {noun for act in inspected for noun in nouns_of(act)}
    return [a for a in held.acts if a.do in ("go", "be") and nouns.isdisjoint(nouns_of(a))]


def _looked_at(inspected: Sequence[Act], looks: Sequence[Said]) -> Iterator[str]:
    """Yield a ``check them`` where an answer inspects one thing, and a ``check it`` where it does nothing."""
    one = len(inspected) == 1 and _is_one(inspected[0].what)
    for deed in looks:
        if one and deed.next == "them":
            yield f"the text says '{deed.words} them', and the answer inspects one"
        if not inspected and deed.next in ("it", "them") and deed.words != "see to":
            yield f"the text says '{deed.words} {deed.next}', and the answer inspects nothing"


def _unsafe(held: Held) -> Iterator[str]:
    """Yield that something is to be made safe, where an answer inspects nothing."""
    said = _MADE_SAFE.search(held.line)
    if said and not any(act.do in _LOOKS for act in held.acts):
        yield f"the text says '{said['make']} … safe', and the answer inspects nothing"


def _found(held: Held) -> Iterator[str]:
    """Yield what an answer goes to of which a text only says that one will find it."""
    gone_to = {noun for act in held.acts if act.do == "go" for noun in nouns_of(act.what)}
    for found in _FOUND.finditer(held.line):
        behind = held.line[found.end() :].split()
        for noun in gone_to.intersection(found["what"].split()):
            if held.words.count(noun) == 1 and _PRONOUNS.isdisjoint(behind):
                yield f"the text only says where the {noun} is"


def _is_one(what: Reference) -> bool:
    return not is_many(what) and isinstance(what, Thing) and what.count in (None, 1)


def _is_back(held: Held, act: Act, deed: Said) -> bool:
    """Return whether where somebody ends or goes is said between a verb and what it is not said of."""
    at = max(held.once(nouns_of(act.what)), default=0)
    between = [t.text for t in held.tokens[:at] if t.start > deed.start]
    joined = [k for k, word in enumerate(between) if word in ("and", ",")][-1:]
    onward = any("to" in between[k:] for k in joined)  # a look at the van, and a trip to the shed
    return onward or (act.do == "be" and not _BACK_AT.isdisjoint(between))


def _wrong_ends(held: Held, deeds: Sequence[Said]) -> Iterator[str]:
    """Yield where a text ends somewhere and the answer passes through, or the other way round."""
    for do, kinds, instead in (("go", _ENDING, "passes"), ("be", _PASSING, "ends at")):
        for deed in _said_of(held, [act for act in held.acts if act.do == do], deeds):
            stays = do == "be" and (
                any(d.start > deed.start and _is_all(d, _ENDING) for d in deeds)
                or not _AT_LAST.isdisjoint(held.words)
            )
            if _is_all(deed, kinds) and not (stays or _is_either(deed, do)):
                yield f"the text says '{deed.words}' of what the answer {instead}"


def _carried(held: Held, deeds: Sequence[Said]) -> Iterator[str]:
    """Yield where an answer puts what a text only goes to or around: ``go around the flag to the rock``."""
    placed = [act for act in held.acts if act.do == "place"]
    for at in held.once(noun for act in placed for noun in nouns_of(act.what)):
        for deed in last_before(held, at, deeds):
            joined = {",", "and"} & {*held.words[held.at(deed) : at]}
            if _is_all(deed, _AROUND) and not joined:
                yield f"the text says '{deed.words}' of what the answer puts somewhere"


def _followed(held: Held) -> Iterator[str]:
    """Yield where an answer has somebody go where a text only has something put."""
    said = (deed for deed in held.phrases(DEEDS) if deed.words not in BEING - {"be"})
    if any(_is_all(deed, _GOING - {"ENTER"}) for deed in said):
        return
    filled = {noun for act in held.acts if act.do == "place" for noun in nouns_of(act.to)}
    gone_to = {n for act in held.acts if act.do in ROAMING for n in nouns_of(act.what)}
    for at in held.once(filled & gone_to):
        yield f"the text only has something put in the {held.words[at]}"


def _passed(held: Held) -> Iterator[str]:
    """Yield where an answer ends that a text only goes past; the last thing to go to is an end."""
    lasts = [plan.tasks[-1] for plan in held.parts(Plan) if plan.order == "sequence"]
    for last in (*lasts, *(one.task for one in held.meaning.assignments if one.then)):
        if isinstance(last, Act) and last.do == "go" and _goes_by(held, last):
            yield f"the text only goes past {describe(last.what)}"
    for act in held.acts:
        for _ in _passed_places(held, act) if act.do == "be" else ():
            yield "the text says 'past' of what the answer ends at"


def _passed_places(said: Wording, act: Act) -> list[int]:
    """Return where a text names what somebody does something with, right behind a ``past``."""
    places = said.once(nouns_of(act.what))
    return [at for at in places if "past" in said.words[max(0, at - _REACH) : at]]


def goes_by(act: Act, tokens: Sequence[Token]) -> bool:
    """Return whether a text only goes past a thing: that is no place to end at."""
    return _goes_by(Wording(tokens), act)


def _goes_by(said: Wording, act: Act) -> bool:
    symbols = (key for thing in parts_of(act.what, Thing) for key in thing.ids)
    named = [*said.once((*nouns_of(act.what), *symbols))]
    if any("to" in said.words[max(0, at - 2) : at] for at in named):
        return False  # past the shed, then to the gate
    verbs = _verbs_of(said, act, said.phrases(DEEDS))
    return any(_BY.search(deed.words) for deed in verbs) or bool(_passed_places(said, act))


def _is_either(deed: Said, do: str) -> bool:
    """Return whether a verb tells no more than another could: ``be in it``, ``what stands there``."""
    first = deed.words.split()[0]
    if do == "go":  # wait at the gate, not 'no wait'
        placed = not _PLACING.isdisjoint((deed.words.split()[-1], deed.next))
        return not placed or first.endswith(("s", "ing"))
    begins = {kind for _, kind, *_ in vocabulary()[0].matches(deed.words.split(), 0)}
    return first in BEING or not begins.isdisjoint(_ENDING)


def _is_needless(said: Wording, deed: Said) -> bool:
    """Return whether a text says that something need not be done: ``no need to check``."""
    at = said.at(deed)
    before = reversed(said.words[said.clause(at)[0] : at])
    denied = next((word for word in before if word not in _NEEDING), "")
    if is_regretted(said, at) and denied != "no":
        return False
    return denied in _NONE and not said.puts_off(at)


def _is_state(said: Wording, deed: Said) -> bool:
    """Return whether a ``be`` only tells how something is; first, it is an order (``be at the door``)."""
    at = said.at(deed)
    if deed.words.split()[0] in BEING - {"be"} and said.word(at - 1) == "there":
        return True  # whatever bins there are in the yard
    if deed.words not in BEING:  # there stands a bench, which is standing
        return said.word(at - 1) in _TELLING and _is_all(deed, _ENDING)
    return deed.words != "be" or said.clause(at)[0] != at


def _said_of(said: Wording, acts: Sequence[Act], deeds: Sequence[Said]) -> list[Said]:
    return [deed for act in acts for deed in _verbs_of(said, act, deeds)]


def _verbs_of(said: Wording, act: Act, deeds: Sequence[Said]) -> Iterator[Said]:
    """Yield the last verb before each noun of an act, or before the word that takes it up later.

    Where a sentence has none, that of the sentence before is left out: ``check the bin. Husky, the bench``.
    """
    things = [*things_in(act.what)]
    symbols = (key for thing in things for key in thing.ids)
    for at in said.once((*(w for t in things for w in t.noun.lower().split()[-1:]), *symbols)):
        end = said.sentence(at)[1]
        taken_up = (k for k in range(end, len(said.words)) if said.words[k] in _PRONOUNS)
        later = (last_before(said, k, deeds) for k in taken_up)
        yield from (
            _fronted(said, at, deeds)
            or last_before(said, at, deeds)
            or next(later, [])
            or _left_out(said, at, deeds)
        )


def _fronted(said: Wording, at: int, deeds: Sequence[Said]) -> list[Said]:
    """Return the verb behind what a clause begins with: ``at the gate you stay``."""
    begin, end = said.clause(at)
    places = {said.at(deed): deed for deed in deeds}
    if said.word(at + 1) != "you" or any(k in places for k in range(begin, at)):
        return []
    verb = next((k for k in range(at + 2, min(at + 4, end)) if k in places), None)
    return [] if verb is None or is_past(said.words[verb]) else [places[verb]]


def _left_out(said: Wording, at: int, deeds: Sequence[Said]) -> list[Said]:
    """Return the verb that a sentence without any takes from what was said before."""
    begin, end = said.sentence(at)
    here = {token.start for token in said.tokens[begin:end]}
    if not _PLACING.isdisjoint(said.words[begin:at]) or any(d.start in here for d in deeds):
        return []
    return [deed for deed in deeds if deed.start < said.tokens[begin].start][-1:]


def last_before(said: Wording, at: int, deeds: Sequence[Said]) -> list[Said]:
    """Return the last verb of a sentence before one of its words."""
    begin, end = said.tokens[said.sentence(at)[0]].start, said.tokens[at].start
    return [deed for deed in deeds if begin <= deed.start < end][-1:]


def _is_all(deed: Said, kinds: frozenset[str]) -> bool:
    return {kind for kind, _ in deed.senses} <= kinds
