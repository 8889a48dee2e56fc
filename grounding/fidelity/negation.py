"""What a text excludes: its meaning excludes it too."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, takewhile
from typing import Any

from commonground.grounding.english.faithful import DETERMINERS
from commonground.grounding.english.parts import parts_of
from commonground.grounding.english.remarks import WANTING
from commonground.grounding.fidelity.clauses import Wording, asks_leave, names_nothing
from commonground.grounding.fidelity.held import Held, nouns_of
from commonground.grounding.meaning import (
    AVOIDING,
    Act,
    Instruction,
    Plan,
    Relation,
    Several,
    Thing,
    Who,
)
from commonground.grounding.words.closed import HAVE, TAKING_UP
from commonground.grounding.words.nouns import word_set
from commonground.grounding.words.refraining import OMITS, REFRAINS
from commonground.grounding.words.tokens import Token, tokenize

_NEGATORS = frozenset(["not", "never", "nobody", "minus", "barring", "sans"])
_LESS = word_set("less bar save")
_WHOLE = word_set("all every each both any everything everybody everyone")
"""Behind these, and before what is left out, a ``less`` takes something away."""
_LESS_REACH = 6
EXCLUDING = ("except", "exclud", "avoid")
"""Words that begin like this exclude something."""
_SELF_NEGATING = (OMITS - {"forgetting"}) | word_set(
    "fail miss hesitate refuse decline only just care mind matter count hurry worry rush panic "
    "fussed fussy bothered picky choosy"
)
"""After ``not`` these leave nothing negated."""
_SAYING = word_set("ask say said explain explained know known remember given stated")
_ASKED = word_set("why how when , . ; ! ?")
"""Behind a verb of saying: that somebody does not say why excludes nothing."""
_ASKED_OF = frozenset(["can", "could", "will", "would"])
_STANDING = WANTING | word_set(
    "if rather prefer to allowed permitted supposed meant you that which who one ones"
)
"""Where a sentence has one of these, what was not so says what is wanted, or which things are."""
REGRET = word_set(
    "shame pity disaster crime waste mistake sin loss sad bad wrong terrible awful unfortunate foolish "
    "careless unwise silly sorry upset disappointed cross angry unhappy irresponsible remiss"
)
"""What is so if something is not done had better be done."""
_EMPTY = word_set(
    "the a an one once ever even again at all under any circumstances please no not never ok okay"
)
"""Where a clause says nothing but these, its negation only says another again: ``..., never, not once``."""
_EXCEPTING = frozenset(
    [
        ("apart", "from"), ("aside", "from"), ("other", "than"), ("forget", "about"), ("off", "limits"),
        ("wide", "berth"), ("anywhere", "but"), ("anything", "but"), ("everything", "but"),
        ("everywhere", "but"), ("anyone", "but"), ("everyone", "but"),
    ]
)  # fmt: skip
_DREADED = re.compile(
    r"(?<!not )\b(?:(?:i|we) (?:would|do) (?:mind|hate)|(?:heaven|god) (?:help|forbid)|woe betide"
    r"|over my dead body|last thing (?:i|we|anybody) (?:want|wants|need|needs)|(?:be|is) trouble if"
    r"|(?:dangerous|unsafe|risky|not safe) (?:for \w+ )?to)\b"
)
"""What is said to be feared or unwelcome is not to be done: ``I would mind if you went in there``."""
UNWANTED = re.compile(
    r"\bnot (?:where|what|who|the (?:place|one|thing)s?) (?:i|we) (?:want|need|wish|would)\b"
)
"""``The barn is not where I want you to wait`` is no mere remark."""
_ASIDE = re.compile(
    r"(?:^|[.;:!?,]\s+)(?:the|my|our|this|that|these|those)\s+(?:[\w-]+\s+){1,4}?(aside|apart|excepted|excluded)"
    r"(?=\s*[,;])",
    re.IGNORECASE,
)
_EXCEPTED = re.compile(
    r"\b(?:except(?:ing)?(?: for)?|(?:apart|aside) from|all but) (?:the|that) (?:\w+ )?ones?\b([^.,;!?\n]*)"
)
_AND_ONE = re.compile(r"\band (?:the|that) (?:\w+ )?ones?\b")
"""Each of these behind an exception excludes more."""
_NOT_ONES = re.compile(r"\bnot (?:(?:the|any) (?:\w+ )?ones?|those)\b")
_SPARED = {"leave": "alone", "let": "alone", "give": "miss", "giving": "miss", "gives": "miss"}
_SPARING_WORDS = 10
"""So many words after ``leave`` its ``alone`` may follow."""
_SKIPPING = word_set("skip skips skipping omit omits omitting ignore ignores ignoring")
"""Before the name of a thing these leave it out; a skip is a thing as well."""
_WELL = word_set("well right far completely entirely totally very always clean")
"""Between ``steer`` and ``away``."""
_KEEPING = word_set("stay stays stayed keep keeps kept steer steers remain remains stand stands")
_AWAY = frozenset(["out", "away", "clear", "off"])
_LEFT = dict.fromkeys(_KEEPING, _AWAY) | dict.fromkeys(
    word_set("leave leaves left"), frozenset(["alone", "be"])
)
"""Words that keep away together."""
"""``stay out`` excludes as ``not`` does."""
_KEPT_WORDS = 6
"""So many words from ``keep`` on its ``out of`` may follow."""
_HINDERING = word_set("stop ban bar block prevent prohibit")
TAKING_UP_ALL = TAKING_UP | {"that", "this", "those", "these"}
_FAR = word_set("far a an the at by in on near next right just short")
"""Behind ``stop`` these tell where."""
_LEADING = word_set("through into in inside via across past near by over on to")
_NEEDLESS = re.compile(
    r"\b(?P<need>need(?:n['’]?t| not)|(?:do|does)(?:n['’]?t| not) (?:need|have) to|no need to)\b"
    r"(?P<rest>[^.,;!?\n]*)",
    re.IGNORECASE,
)
_WARNING = re.compile(
    r"\b(?P<need>mind|beware(?: of)?|(?:watch|look) out for|(?:careful|cautious|wary) (?:of|with|around|near)"
    r"|you (?:may|can) (?:use|cross))"
    r"(?P<rest>\s+(?:the|that|those|any|all|both)\b[^.,;!?\n]*?)(?=\s+(?:and|then|when|as|on|in)\b|[.,;!?\n]|$)",
    re.IGNORECASE,
)
_DENYING = word_set("not no never neither nobody none")
_DENIED = 6
"""So many words behind one of these it may be said of them."""
_BARRED = (REFRAINS - OMITS) | word_set("closed shut avoided")
_STOPS = frozenset([".", ",", ";", "!", "?"])


def doubled_exception(held: Held) -> Iterator[str]:
    """Yield where more things have something left out of them than the text leaves out of any.

    Of ``any bag except the red one and the green one`` there is one bag, not one but red and one but green.
    """
    held = held.apart
    said = _negators(held)
    if said and len(said) < sum(1 for thing in held.parts(Thing) if thing.but):
        yield f"the text says '{said[-1]}' of one thing, and the answer of several"


def misplaced_negation(held: Held) -> Iterator[str]:
    """What a single negation excludes is named after it, where anything is named in its clause."""
    held = held.apart
    said = negations(held)
    excluded, others = named_at(held)
    if len(said) != 1 or not excluded:
        return
    at = said[0]
    stops = (k for k in range(at, len(held.words)) if held.words[k] in _STOPS)
    after = range(at + 1, next(stops, len(held.words)))
    back = not TAKING_UP_ALL.isdisjoint(held.words[at + 1 : at + 4])
    if max(excluded) < at and not back and not others.isdisjoint(after):
        yield f"the text says '{held.words[at]}' of something else than the answer does"
    here = {*range(*held.clause(at))}
    if here.isdisjoint(excluded) and min(here & others, default=at) < at:
        yield f"the text says '{held.words[at]}' of what the answer does"


def forbidden_for_left_out(held: Held) -> Iterator[str]:
    """Yield where a text only says which things are not meant, and the answer keeps away from them."""
    said = _NOT_ONES.findall(held.line)
    avoids = any(act.do in AVOIDING for act in held.parts(Act))
    if said and avoids and len(said) == len(_negators(held)):
        yield f"the text says '{said[0]}', and the answer keeps away from them"


def denied_ban(held: Held) -> Iterator[str]:
    """Yield where a text denies keeping away, and the answer keeps away: ``nobody may avoid the flag``."""
    if not any(act.do in AVOIDING for act in held.parts(Act)):
        return
    for at, word in enumerate(held.words):
        if word not in _DENYING:
            continue
        behind = [*takewhile(str.isalnum, held.words[at + 1 : at + 1 + _DENIED])]
        behind = [*takewhile(lambda one: one not in ("and", "or", "but"), behind)]
        away = any(b in _LEFT.get(a, ()) for a, b in pairwise(behind))
        if away or not _BARRED.isdisjoint(behind):
            yield f"the text says '{word}' of keeping away, and the answer keeps away"


def avoided_before(held: Held) -> Iterator[str]:
    """Yield where a text keeps out of what it named before, and the answer of what is named after."""
    excluded, others = named_at(held)
    words = held.words
    for at, (word, lead, back) in enumerate(zip(words, words[1:], words[2:], strict=False)):
        if word == "not" and lead in _LEADING and back in TAKING_UP:
            before = [k for k in (*excluded, *others) if k < at]
            if before and max(before) not in excluded:
                yield f"the text says 'not {lead} {back}' of something else"


def wrong_sides(held: Held) -> Iterator[str]:
    """Yield where an answer keeps out of what a text only leaves free, or goes to what it warns of or allows.

    ``You needn't go into the hall`` forbids nothing; ``mind the step`` is no order to go there.
    """
    nouns: tuple[set[str], set[str]] = (set(), set())
    for act, kept_out in held.sides:
        nouns[kept_out].update(nouns_of(act.what))
    sides = (
        (_NEEDLESS, nouns[True], "keeps out of"),
        (_WARNING, nouns[False] - nouns[True], "does"),
    )
    for said, named, does in sides:
        for found in said.finditer(held.text):
            if not named.isdisjoint(re.findall(r"\w+", found["rest"].casefold())):
                yield f"the text says '{found['need']}' of what the answer {does}"


def named_at(held: Held) -> tuple[set[int], set[int]]:
    """Return where the text names what a meaning keeps away from, and where what it does something with."""
    named: tuple[set[int], set[int]] = (set(), set())
    for act, kept_out in held.sides:
        named[not kept_out].update(held.once(nouns_of(act)))
    return named


def feared(line: str) -> list[str]:
    """Return the words by which a text says that something would be bad, so that it is not to be done."""
    return _DREADED.findall(line)


def excepted_besides(line: str) -> list[str]:
    """Return what each thing but the first is excepted with: ``except the red one and the green one``."""
    return [a for listed in _EXCEPTED.findall(line) for a in _AND_ONE.findall(listed)]


def left_aside(line: str) -> list[str]:
    """Return the words behind a thing that leave it out: ``the south lawn aside, ...``."""
    return _ASIDE.findall(line)


def negators(text: str) -> list[str]:
    """Return the words of a text that exclude something."""
    return _negators(Wording(tokenize(text)))


def _negators(said: Wording) -> list[str]:
    return [said.words[at] for at in negations(said)]


def negations(said: Wording) -> tuple[int, ...]:
    """Return which tokens begin what is excluded."""
    return _excluding(tuple(said.tokens), tuple(said.robots))


@lru_cache(maxsize=256)  # several checks of each reading of a text ask for them
def _excluding(tokens: tuple[Token, ...], robots: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(_found(Wording(tokens, robots)))


def _found(said: Wording) -> Iterator[int]:
    words = [*said.words, ""]
    for at, (word, following) in enumerate(pairwise(words)):
        undone = words[at + 2] if following == "to" and at + 2 < len(words) else following
        negates = _negates(said, at) and undone not in _SELF_NEGATING
        following = next((one for one in words[at + 1 :] if one not in _WELL), "")
        keeps_away = (word in _KEEPING and following in _AWAY) or _is_kept_away(words[at:])
        keeps_away = keeps_away and words[at - 1] not in _NEGATORS
        spares = _is_spared(words, at)
        if negates or keeps_away or spares or (word, following) in _EXCEPTING:
            yield at


def _is_spared(words: Sequence[str], at: int) -> bool:
    """Return whether a word has something skipped, left alone or in peace, or given a miss."""
    word, behind = words[at], words[at + 1 : at + _SPARING_WORDS]
    skipped = word in _SKIPPING and behind[:1] and behind[0] in DETERMINERS
    if not _NEGATORS.isdisjoint(words[max(0, at - 2) : at]):
        return False  # be sure not to skip it
    rest = [*takewhile(lambda one: one not in _STOPS, words[at:])]
    peace = (word == "leave" and "peace" in behind) or (word == "let" and rest[-1:] == ["be"])
    return (
        bool(skipped and words[at - 1] not in DETERMINERS) or peace or _SPARED.get(word) in behind
    )


def _is_kept_away(words: Sequence[str]) -> bool:
    """Return whether somebody is to be kept away by others: ``keep both robots out of the barn``."""
    if words[0] != "keep" and words[0] not in _HINDERING:
        return False  # most words
    whom = [*takewhile(lambda word: word.isalnum() and word != "and", words[1:_KEPT_WORDS])]
    held = words[0] in _HINDERING and whom[:1] and whom[0] not in _FAR
    going = held and len(whom) > 1 and (whom[1] == "from" or whom[1].endswith("ing"))
    near = [*pairwise([*whom, ""])]
    out = any(a == "off" or (a in _AWAY and b in ("of", "from")) for a, b in near)
    return bool(going) or (words[0] == "keep" and out)


def _negates(said: Wording, at: int) -> bool:
    """Return whether a word negates for good; ``or not`` and ``not before`` do not."""
    word = said.words[at]
    negates = word in _NEGATORS or word.startswith(EXCLUDING) or _takes_away(said, at)
    none = word.startswith(EXCLUDING) and said.word(at - 1) in ("no", "none", "without")
    if not negates or none or said.word(at - 1) == "or" or _is_remarked(said, at):
        return False
    if _is_past(said, at) or _is_unsaid(said, at) or _is_polite(said, at) or is_regretted(said, at):
        return False
    return not said.puts_off(at) and not _says_again(said, at)


def _takes_away(said: Wording, at: int) -> bool:
    """Return whether a word takes something from all: ``all bar the red one``; not ``more or less``."""
    if said.words[at] not in _LESS or said.word(at - 1) in ("or", "much", "no", "any", "the", "a"):
        return False
    before = said.words[max(said.clause(at)[0], at - _LESS_REACH) : at]
    return not _WHOLE.isdisjoint(before) and said.word(at + 1) not in ("", "than", *_STOPS)


def _is_remarked(said: Wording, at: int) -> bool:
    """Return whether a negation is only about people: ``nobody can tell me which``, ``I'm not fussy``."""
    remark = said.remark(at)
    if said.word(at + 1) in ("but", "except"):
        return False
    return remark is not None and names_nothing(said.words[slice(*remark)])


def _is_past(said: Wording, at: int) -> bool:
    """Return whether a negation only says what was not so: ``it was never theirs``, ``that wasn't me``."""
    told = said.words[slice(*said.sentence(at))]
    past = said.word(at - 1) == "was"
    return past and _STANDING.isdisjoint(told[1:] if told[0] == "that" else told)


def is_regretted(said: Wording, at: int) -> bool:
    """Return whether a negation is of what is regretted, so that it is wanted: ``a shame if nobody looked``.

    That nobody has done something yet is no ban either.
    """
    before = said.words[said.sentence(at)[0] : at]
    linked = before if not {"if", "that", "to"}.isdisjoint(before) else before[-1:]
    would = not REGRET.isdisjoint(linked)
    return would or (said.words[at] == "nobody" and said.word(at + 1) in HAVE)


def _is_polite(said: Wording, at: int) -> bool:
    """Return whether a negation only asks: ``can't you``, ``if it isn't too much trouble``."""
    if said.word(at - 1) in _ASKED_OF and said.word(at + 1) == "you":
        return True
    words = said.words[slice(*said.clause(at))]
    return words[:1] == ["if"] and asks_leave(words[1:])


def _is_unsaid(said: Wording, at: int) -> bool:
    """Return whether a negation is only about what somebody says: ``reason not given``."""
    behind = at + 2 + (said.word(at + 2) in ("me", "us"))
    return said.word(at + 1) in _SAYING and (said.word(behind) or ".") in _ASKED


def _says_again(said: Wording, at: int) -> bool:
    """Return whether nothing stands beside a negation that it could be about."""
    begin, end = said.clause(at)
    return begin > 0 and _EMPTY.issuperset(said.words[begin:end])


def negatives(meaning: Instruction) -> Iterator[int]:
    """Yield how many things each negation of a meaning is about."""
    yield from (_size(act.what) for act in parts_of(meaning, Act) if act.do in AVOIDING)
    yield from (len(plan.tasks) for plan in parts_of(meaning, Plan) if plan.order == "not")
    yield from (len(who.but) + who.cannot for who in parts_of(meaning, Who))
    yield from (int(relation.negated) for relation in parts_of(meaning, Relation))
    yield from (sum(map(_size, thing.but)) for thing in parts_of(meaning, Thing))


def _size(what: Any) -> int:
    return len(what.things) if isinstance(what, Several) else max(1, len(getattr(what, "ids", ())))
