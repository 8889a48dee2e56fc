"""Whether words only tell something: they order, wish, forbid, limit and choose nothing for a robot.

Whoever tells a story has a subject of its own in each clause. What people did, have and feel is no order,
whatever they deny and whoever wanted it; what is wished, forbidden or limited of a thing of the world, or of
what a robot could do, may be one, and so may be all that speaks to robots or depends on a condition.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

from commonground.grounding.english.faithful import NEGATIONS, NUMBERS
from commonground.grounding.english.names import Names
from commonground.grounding.english.tokens import Token, tokens_of
from commonground.grounding.fidelity.phrases import Said, phrases_in
from commonground.grounding.fidelity.picks import LOOKING
from commonground.grounding.fidelity.verbs import DEEDS
from commonground.grounding.language.tokens import tokenize
from commonground.grounding.words.closed import BE, HAVE
from commonground.grounding.words.nouns import word_set

_BY_THE_WAY = re.compile(
    r"\bif you (?:ask|must know)\b[^,.;!?]*|\bwould you believe(?: it)?\b|\byou (?:know|see)\b(?= *[,.;!?])|\byou(?:['’]d| would)n['’]t believe\b"
    r"|\byou (?:all )?(?:have(?! to)|see|hear|can (?:see|hear))\b|\bmind you\b|\b(?:believe|trust) (?:you )?me\b|\bI(?:['’]ll)? tell you\b|\bbless (?:you|him|her|them)\b|\bthank you\b",
    re.I,
)
"""What speaks to somebody and says nothing: a listener knows that, too."""
_SYMBOL = re.compile(r"[A-Za-z]\d+")
_ADDRESSING = word_set("you your yours yourself yourselves ye u ya robot robots bot bots machine machines")
_CASES = word_set("if unless whether provided otherwise")
_SPEAKERS = word_set("i we")
_PEOPLE = word_set("he she they somebody someone everybody everyone people")
_NOBODY = word_set("nobody none nothing anyone anybody no anything neither")
_NO_ONE = word_set("nobody none anyone anybody noone")
_POINTING = word_set("it this that these those there one ones")
_OWNING = word_set("the a an my our his her their its some every each all both another")
_LEADING = word_set(
    "when since as because with in on at by for from after before during last this every yesterday today "
    "tonight last whoever whatever what how why such once earlier"
)
"""Besides a subject, a sentence that tells something begins with these."""
_TEMPORAL = word_set("when once as after before during while")
"""What was so then is told; what is to be so first may be a condition."""
_FILLING = word_set(
    "right well so now okay ok anyway and but then hey hello hi good morning evening yeah um er uh look oh ah "
    "honestly basically actually apparently still just never ever even also always not too"
)
_BREAKS = frozenset(",:;–—()") | word_set("and but so or because n nor")
_ENDS = frozenset(".!;")
_TIES = word_set("it them there one ones those these which former latter other others rest both each same")
"""Words that stand for what was named before."""
_IS = BE | {"'s"}
_DUTIES = word_set(
    "must should ought need needs needed please let required supposed allowed permitted better forbidden banned "
    "sure ensure shall"
)
_ALLOWED = word_set("allowed permitted supposed")
_WISHES = word_set("want wants wanted wish wishes prefer prefers expect expects insist insists")
_GETTING = word_set("have get see know find be make")
_CLOSED = word_set(
    "closed shut limits bounds barred private reserved dangerous danger unsafe broken fine done finished ok okay "
    "ready fire harm hurt careful avoid keep stay apart lock locked roped sealed fenced blocked flooded"
)
"""What is so of a thing or an area may be a reason not to go there."""
_LETTING = word_set("let have see allow want like trust")
"""Who denies these wants others not to do something."""
_LEAVING = word_set("can may could")
_UNTIL = frozenset(["until", "till"])
_LIMITING = word_set("only except excluding apart save just without already")
_CORRECTING = word_set("mean meant sorry wait scratch rather instead correction he she they him her")
"""After an order these may put it right, or speak of its robot."""
_DENIED = word_set("do please mind watch use leave skip ignore forget take let make keep stay ask tell")
"""A clause without a subject that begins with these is an order."""
_PAST = word_set(
    "was were had did been went took brought saw drove held gone taken seen driven said told sat swore lost ran "
    "left put came got broke fell thought knew made gave found kept slept rang used stood led began bought built "
    "caught ate flew forgot grew heard hid hit laid let met paid read sang sold sent shook shot stole threw wore "
    "wrote"
)
_VERBS = BE | HAVE | _PAST | word_set(
    "'s 're 've 'm 'd 'll wo ca will would can could may might does do says say thinks reckons swears claims never"
)
_LOOKING = LOOKING | {"EXPLORE"}
_MOVING = frozenset(["AVOID", "OMIT"])
_YEAR = 4
"""Digits of a number that counts nothing."""
_LONGEST = 6
"""So many words the subject of a clause may have."""

Who = Literal["speaker", "people", "nobody", "thing", ""]


class Known(NamedTuple):
    """What of a world may be spoken of."""

    robots: Sequence[str]
    names: Names
    is_thing: Callable[[str], bool]
    is_area: Callable[[str], bool]


class _Clause(NamedTuple):
    """A clause without what joins it on."""

    words: tuple[str, ...]
    who: Who
    about: bool
    """Whether it names anything of the world, or takes it up."""
    names: bool
    """Whether it names anything of the world, or takes up what the sentence named before."""
    counts: bool
    """Whether it says how many of something there are."""
    is_place: bool
    """Whether it names areas, and no things."""
    deeds: tuple[tuple[int, Said], ...]
    """What it says that robots could do, and at which word."""

    @property
    def is_past(self) -> bool:
        """Whether it tells of what was."""
        return any(w in _PAST or w.endswith("ed") for w in self.words)

    def has(self, words: frozenset[str]) -> bool:
        """Return whether it has any of some words."""
        return not words.isdisjoint(self.words)


def only_tells(text: str, known: Known, *, after: bool = False) -> bool:
    """Return whether a sentence only tells something.

    After an order, what speaks of things may put it right, and so tells more.
    """
    told = _BY_THE_WAY.sub(lambda said: "I know", text)
    tokens = tokens_of(told)
    words = [token.text.casefold() for token in tokens]
    if "?" in words or not (_ADDRESSING | _CASES).isdisjoint(words) or not _opens(words):
        return False
    if any(re.search(rf"(?<!\w){re.escape(r)}(?!\w)", told, re.I) for r in known.robots):
        return False
    named = named_in(tokens, known)
    clauses = [*_clauses(told, tokens, named, _areas_in(tokens, named, known))]
    if after and any(c.about or c.has(_CORRECTING | NUMBERS) for c in clauses):
        return False
    tells = any(map(_has_verb, clauses)) or (bool(clauses) and words[0] in ("what", "how"))
    return tells and not any(map(_orders, clauses))


def named_in(tokens: Sequence[Token], known: Known) -> set[int]:
    """Return which tokens name things of the world."""
    words = [token.text for token in tokens]
    hints = known.names.hints(words)
    found = {at for start, end, _ in hints for at in range(start, end)}
    for at, word in enumerate(words):
        noun = at > 0 and words[at - 1].casefold() in _OWNING and word.isalpha()
        if (noun and known.is_thing(word.casefold())) or _SYMBOL.fullmatch(word):
            found.add(at)
    return found


def _areas_in(tokens: Sequence[Token], named: set[int], known: Known) -> set[int]:
    """Return which tokens name areas: those of a name, too."""
    hints = known.names.hints([token.text for token in tokens])
    spans = [(start, end) for start, end, _ in hints]
    spans += [(at, at + 1) for at in named if not any(start <= at < end for start, end in spans)]
    names = ((span, " ".join(token.text for token in tokens[slice(*span)])) for span in spans)
    return {at for span, name in names if known.is_area(name) for at in range(*span)}


def _opens(words: Sequence[str]) -> bool:
    """Return whether a sentence begins as what tells something does, with a subject of its own."""
    at = next((k for k, w in enumerate(words) if w not in _FILLING and w.isalpha()), len(words))
    first, rest = [*words, ""][at], words[at + 1 :]
    if first in _TEMPORAL:
        return any(word in _PAST or word.endswith("ed") for word in rest)
    if first in _SPEAKERS | _PEOPLE | _NOBODY | _POINTING | _OWNING | _LEADING | NUMBERS:
        return True
    near = [word for word in rest if word.isalpha() or word.startswith("'")][:2]
    verbal = (word in _VERBS or word.endswith(("s", "ed")) for word in near)
    return _OWNING.isdisjoint(near) and any(verbal)  # not: respect the rules


def _has_verb(clause: _Clause) -> bool:
    subject = not (_SPEAKERS | _PEOPLE).isdisjoint(clause.words[:-1])
    return subject or any(w in _VERBS or w.endswith("ed") for w in clause.words)


def _clauses(
    text: str, tokens: Sequence[Token], named: set[int], areas: set[int]
) -> Iterator[_Clause]:
    """Yield the clauses of a sentence; one without a subject has that of the clause before."""
    said = {one.start: one for one in phrases_in(tokenize(text), DEEDS) if one.words not in BE - {"be"}}
    words = [token.text.casefold() for token in tokens]
    first, who, before = 0, "", False
    for at in range(len(words) + 1):
        if at < len(words) and words[at] not in _BREAKS | _ENDS:
            continue
        while first < at and words[first] in _FILLING - {"not", "never"}:
            first += 1
        if first < at:
            who = _who(words[first:at], {k - first for k in named}) or who
            deeds = [(k - first, said[tokens[k].start]) for k in range(first, at) if tokens[k].start in said]
            here = named.intersection(range(first, at))
            about = bool(here) or _takes_up(words[first:at])
            place = bool(here) and here <= areas
            counts = any(_counts(words, k, here) for k in range(first, at))
            names = bool(here) or (before and about)
            before = before or bool(here)
            yield _Clause(tuple(words[first:at]), who, about, names, counts, place, tuple(deeds))
        first = at + 1


def _counts(words: Sequence[str], at: int, named: set[int]) -> bool:
    """Return whether a number says how many there are of what is named, or of them."""
    number = words[at] in NUMBERS or (words[at].isdigit() and len(words[at]) < _YEAR)
    of_them = words[at + 1 : at + 2] == ["of"] and words[at + 2 : at + 3] in (["them"], ["those"], ["these"])
    return number and (of_them or not named.isdisjoint(range(at + 1, at + 4)))


def _takes_up(words: Sequence[str]) -> bool:
    """Return whether words stand for what was named before; ``there's`` and ``it rained`` do not."""
    behind = (*words[1:], "")
    opens = words[0] in ("there", "it") and behind[0] != "to"
    ties = zip(words[opens:], behind[opens:], strict=True)
    return any(a in _TIES and not (a == "there" and b in _IS) for a, b in ties)


def _who(words: Sequence[str], named: set[int]) -> Who:
    """Return who does what a clause tells; empty where it does not say."""
    first = words[0]
    if first in _LEADING:
        at = next((k for k, w in enumerate(words) if w in _SPEAKERS | _PEOPLE), 0)
        return _who(words[at:], {k - at for k in named}) if at else "thing"
    if first in _SPEAKERS:
        return "speaker"
    if first in _NOBODY or words[:2] == ["not", "a"]:
        return "nobody"
    if first in _PEOPLE:
        return "people"
    if first in _POINTING | NUMBERS:
        return "thing"
    subject = next((k for k, w in enumerate(words[:_LONGEST]) if w in _VERBS or w.endswith("ed")), 0)
    if first in _OWNING or subject:
        return "people" if named.isdisjoint(range(subject or _LONGEST)) else "thing"
    return ""


def _orders(clause: _Clause) -> bool:
    """Return whether a clause may order, forbid, limit or choose anything."""
    touches = clause.about or bool(clause.deeds)
    return (
        _is_imperative(clause)
        or (touches and clause.words[0] != "where" and _wishes(clause))
        or (touches and clause.has(NEGATIONS) and _forbids(clause))
        or (touches and _keeps_out(clause))
        or (clause.about and clause.who == "thing" and _may(clause))
        or (clause.is_place and clause.who == "thing")  # the lawn was sown: that may be a rule
        or (clause.about and (clause.counts or clause.has(_CLOSED) or _limits(clause)))
        or (clause.names and any(_is_done(said) for _, said in clause.deeds))
    )


def _limits(clause: _Clause) -> bool:
    """Return whether a clause limits something; until when something went on is told."""
    own = clause.who in ("speaker", "people") and not clause.names  # I just lie there
    return (clause.has(_LIMITING) and not own) or (clause.has(_UNTIL) and not clause.is_past)


def _keeps_out(clause: _Clause) -> bool:
    """Return whether a clause says what nobody does; what nobody did is told."""
    words = clause.words
    pairs = enumerate(zip(words, (*words[1:], ""), strict=True))
    at = next((k for k, pair in pairs if pair[0] in _NO_ONE or pair == ("no", "one")), None)
    if at is None:
        return clause.who == "nobody" and not clause.is_past
    return not any(w in _PAST or w.endswith("ed") for w in words[at:])


def _may(clause: _Clause) -> bool:
    """Return whether a thing may be left as it is: ``the crane can wait``; not ``the can in the shed``."""
    pairs = zip(clause.words, clause.words[1:], strict=False)
    return any(a in _LEAVING and b not in _LEADING for a, b in pairs)


def _is_imperative(clause: _Clause) -> bool:
    words = clause.words
    if words[0] in _DENIED:
        return True
    bare = [said for at, said in clause.deeds if at == 0]
    return any(not said.words.split()[0].endswith(("s", "ed", "ing")) and words[0] not in _PAST for said in bare)


def _is_done(said: Said) -> bool:
    """Return whether a verb says that something is looked at, or is left out."""
    return not (_LOOKING | _MOVING).isdisjoint(kind for kind, _ in said.senses)


def _wishes(clause: _Clause) -> bool:
    """Return whether a clause says what somebody must do, or wants done."""
    words = clause.words
    pairs = [*zip(words, (*words[1:], ""), strict=True)]
    due = any(b == "to" and (a in BE or a in ("'s", "'re", "'m", "has", "have", "got", "'ve")) for a, b in pairs)
    passive = any(a == "be" and (b.endswith(("ed", "en")) or b in ("done", "put", "kept")) for a, b in pairs)
    told = any(a in ("says", "said", "asked", "asks", "told") and b == "to" for a, b in pairs)
    liked = any(a in ("'d", "would") and b in ("like", "love", "rather", "want") for a, b in pairs)
    return due or passive or told or liked or _is_due(clause) or _wants(clause)


def _is_due(clause: _Clause) -> bool:
    """Return whether something has to be; what the speaker may not do is told."""
    own = _ALLOWED if clause.who == "speaker" else frozenset[str]()
    return clause.has(_DUTIES - own)


def _wants(clause: _Clause) -> bool:
    """Return whether somebody wants a thing, or something done; not only to do something himself."""
    words = clause.words
    at = next((k for k, w in enumerate(words) if w in _WISHES), None)
    if at is None:
        return clause.who == "speaker" and clause.has(frozenset(["like", "hope"]))
    own = clause.who == "people" and words[at + 1 : at + 2] in (("to",), ("on",))
    return not (own and _GETTING.isdisjoint(words[at + 2 : at + 3]))


def _forbids(clause: _Clause) -> bool:
    """Return whether a clause that denies something may forbid it: not what people themselves do not do."""
    if clause.who in ("thing", ""):
        return True
    pairs = zip(clause.words, clause.words[1:], strict=False)
    if any(a in NEGATIONS and b in _LETTING for a, b in pairs):
        return True
    anybody = clause.has(_NO_ONE) or (clause.who == "speaker" and clause.about and clause.deeds)
    return bool(anybody) and not clause.is_past
