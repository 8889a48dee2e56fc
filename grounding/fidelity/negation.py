"""What a text excludes: its meaning excludes it too."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, takewhile
from typing import Any

from commonground.grounding.english.parts import parts_of
from commonground.grounding.english.remarks import WANTING
from commonground.grounding.fidelity.clauses import (
    asks_leave,
    clause_at,
    names_nothing,
    puts_off,
    remark_at,
    sentence_at,
)
from commonground.grounding.fidelity.robots import nouns_of
from commonground.grounding.language.tokens import Token, tokenize
from commonground.grounding.meaning import (
    TOLD,
    Act,
    Instruction,
    Plan,
    Relation,
    Several,
    Task,
    Thing,
    Who,
)
from commonground.grounding.words.nouns import word_set

_NEGATORS = frozenset(["not", "never", "nobody", "minus"])
EXCLUDING = ("except", "exclud", "avoid")
"""Words that begin like this exclude something."""
_SELF_NEGATING = word_set(
    "forget fail miss neglect omit hesitate only just care mind matter count hurry worry rush panic"
)
"""After ``not`` these leave nothing negated."""
_SAYING = word_set("say said explain explained know known remember given stated")
_ASKED = word_set("why how when , . ; ! ?")
"""Behind a verb of saying: that somebody does not say why excludes nothing."""
_STANDING = WANTING | word_set(
    "if rather prefer to allowed permitted supposed meant you that which who one ones"
)
"""Where a sentence has one of these, what was not so says what is wanted, or which things are."""
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
_EXCEPTED = re.compile(
    r"\b(?:except(?:ing)?(?: for)?|(?:apart|aside) from|all but) (?:the|that) (?:\w+ )?ones?\b([^.,;!?\n]*)"
)
_AND_ONE = re.compile(r"\band (?:the|that) (?:\w+ )?ones?\b")
"""Each of these behind an exception excludes more."""
_NOT_ONES = re.compile(r"\bnot (?:(?:the|any) (?:\w+ )?ones?|those)\b")
_SPARED = {"leave": "alone", "let": "alone", "give": "miss", "giving": "miss", "gives": "miss"}
_SPARING_WORDS = 6
"""So many words after ``leave`` its ``alone`` may follow."""
_KEEPING = word_set("stay stays keep keeps steer steers remain remains stand stands")
_AWAY = frozenset(["out", "away", "clear", "off"])
"""``stay out`` excludes as ``not`` does."""
_KEPT_WORDS = 6
"""So many words from ``keep`` on its ``out of`` may follow."""
_HINDERING = word_set("stop ban bar block prevent prohibit")
_FAR = word_set("far a an the at by in on near next right just short")
"""Behind ``stop`` these tell where."""
_AVOIDING = frozenset(["avoid", "keep_away", "leave_alone"])


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
_BACK = frozenset(["it", "them", "there"])


def lost_negation(meaning: Instruction, tokens: Sequence[Token]) -> Iterator[str]:
    """Yield what a text excludes and its meaning does not."""
    said = _negators(tokens)
    told = sum(1 for act in parts_of(meaning, Act) if act.do in TOLD)
    words = " ".join(token.text for token in tokens)
    said += _DREADED.findall(words)
    said += [again for listed in _EXCEPTED.findall(words) for again in _AND_ONE.findall(listed)]
    if len(said) > sum(negatives(meaning)) + told:
        yield f"the text says '{said[-1]}', and something that it excludes is left out"


def misplaced_negation(meaning: Instruction, tokens: Sequence[Token]) -> Iterator[str]:
    """What a single negation excludes is named after it, where anything is named in its clause."""
    said = list(_negations(tokens))
    if len(said) != 1:
        return
    start = tokens[said[0]].start
    ends = [t.start for t in tokens[said[0] :] if t.text in {".", ",", ";", "!", "?"}]
    excluded, others = _named_at(meaning, tokens)
    if (
        excluded
        and max(excluded) < start
        and any(start < at < min(ends, default=at + 1) for at in others)
    ):
        yield f"the text says '{tokens[said[0]].text}' of something else than the answer does"
    begin, end = clause_at(tokens, said[0])
    here = {token.start for token in tokens[begin:end]}
    if excluded and here.isdisjoint(excluded) and min(here & others, default=start) < start:
        yield f"the text says '{tokens[said[0]].text}' of what the answer does"


def forbidden_for_left_out(meaning: Instruction, tokens: Sequence[Token]) -> Iterator[str]:
    """Yield where a text only says which things are not meant, and the answer keeps away from them."""
    said = _NOT_ONES.findall(" ".join(token.text for token in tokens))
    avoids = any(act.do in _AVOIDING for act in parts_of(meaning, Act))
    if said and avoids and len(said) == len(_negators(tokens)):
        yield f"the text says '{said[0]}', and the answer keeps away from them"


def avoided_before(meaning: Instruction, tokens: Sequence[Token]) -> Iterator[str]:
    """Yield where a text keeps out of what it named before, and the answer of what is named after."""
    excluded, others = _named_at(meaning, tokens)
    for word, lead, back in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if word.text == "not" and lead.text in _LEADING and back.text in _BACK:
            before = [k for k in (*excluded, *others) if k < word.start]
            if before and max(before) not in excluded:
                yield f"the text says 'not {lead.text} {back.text}' of something else"


def wrong_sides(meaning: Instruction, text: str) -> Iterator[str]:
    """Yield where an answer keeps out of what a text only leaves free, or goes to what it warns of or allows.

    ``You needn't go into the hall`` forbids nothing; ``mind the step`` is no order to go there.
    """
    nouns: tuple[set[str], set[str]] = (set(), set())
    for act, kept_out in with_sides(meaning):
        nouns[kept_out].update(nouns_of(act.what))
    sides = (
        (_NEEDLESS, nouns[True], "keeps out of"),
        (_WARNING, nouns[False] - nouns[True], "does"),
    )
    for said, named, does in sides:
        for found in said.finditer(text):
            if not named.isdisjoint(re.findall(r"\w+", found["rest"].casefold())):
                yield f"the text says '{found['need']}' of what the answer {does}"


def _named_at(meaning: Instruction, tokens: Sequence[Token]) -> tuple[set[int], set[int]]:
    """Return where the text names what a meaning keeps away from, and where what it does something with."""
    excluded: set[int] = set()
    others: set[int] = set()
    for act, kept_out in with_sides(meaning):
        for noun in nouns_of(act):
            at = [token.start for token in tokens if token.text == noun]
            if len(at) == 1:
                (excluded if kept_out else others).add(at[0])
    return excluded, others


def _with_sides(tasks: Iterable[Task], kept_out: bool = False) -> Iterator[tuple[Act, bool]]:
    """Yield every act that is more than talk, and whether it is what must not be done."""
    for task in tasks:
        if isinstance(task, Plan):
            yield from _with_sides(task.tasks, kept_out or task.order == "not")
        elif task.do not in TOLD:
            yield task, kept_out or task.do in _AVOIDING


def with_sides(meaning: Instruction) -> Iterator[tuple[Act, bool]]:
    """Yield every act of an answer, and whether it is what must not be done."""
    yield from _with_sides(one.task for one in meaning.assignments)


def wanted_acts(what: Instruction | Task) -> list[Act]:
    """Return every act that is to be done, without what is kept away from or only said."""
    tasks = [one.task for one in what.assignments] if isinstance(what, Instruction) else [what]
    return [act for act, kept_out in _with_sides(tasks) if not kept_out]


def negators(text: str) -> list[str]:
    """Return the words of a text that exclude something."""
    return _negators(tokenize(text))


def _negators(tokens: Sequence[Token]) -> list[str]:
    return [tokens[at].text for at in _negations(tokens)]


def _negations(tokens: Sequence[Token]) -> Iterator[int]:
    """Yield which tokens begin what is excluded."""
    words = [*(t.text for t in tokens), ""]
    for at, (word, following) in enumerate(pairwise(words)):
        negates = _negates(tokens, at) and following not in _SELF_NEGATING
        keeps_away = (word in _KEEPING and following in _AWAY) or _is_kept_away(words[at:])
        keeps_away = keeps_away and words[at - 1] not in _NEGATORS
        spares = _SPARED.get(word) in words[at + 1 : at + _SPARING_WORDS]
        if negates or keeps_away or spares or (word, following) in _EXCEPTING:
            yield at


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


def _negates(tokens: Sequence[Token], at: int) -> bool:
    """Return whether a word negates for good; ``or not`` and ``not before`` do not."""
    word, before = tokens[at].text, tokens[at - 1].text if at else ""
    negates = word in _NEGATORS or word.startswith(EXCLUDING)
    if not negates or before == "or" or _is_remarked(tokens, at):
        return False
    if _is_past(tokens, at) or _is_unsaid(tokens, at) or _is_polite(tokens, at):
        return False
    return not puts_off(tokens, at) and not _says_again(tokens, at)


def _is_remarked(tokens: Sequence[Token], at: int) -> bool:
    """Return whether a negation is only about people: ``nobody can tell me which``, ``I'm not fussy``."""
    remark = remark_at(tokens, at)
    if tokens[at + 1 : at + 2] and tokens[at + 1].text in ("but", "except"):
        return False
    return remark is not None and names_nothing(tokens[slice(*remark)])


def _is_past(tokens: Sequence[Token], at: int) -> bool:
    """Return whether a negation only says what was not so: ``it was never theirs``, ``that wasn't me``."""
    start, end = sentence_at(tokens, at)
    told = [token.text for token in tokens if start <= token.start < end]
    past = at > 0 and tokens[at - 1].text == "was"
    return past and _STANDING.isdisjoint(told[1:] if told[0] == "that" else told)


def _is_polite(tokens: Sequence[Token], at: int) -> bool:
    """Return whether a negation only asks for leave: ``if it isn't too much trouble``."""
    begin, end = clause_at(tokens, at)
    words = [token.text for token in tokens[begin:end]]
    return words[:1] == ["if"] and asks_leave(words[1:])


def _is_unsaid(tokens: Sequence[Token], at: int) -> bool:
    """Return whether a negation is only about what somebody says: ``reason not given``."""
    verb, behind = [*(t.text for t in tokens[at + 1 : at + 3]), ".", "."][:2]
    return verb in _SAYING and behind in _ASKED


def _says_again(tokens: Sequence[Token], at: int) -> bool:
    """Return whether nothing stands beside a negation that it could be about."""
    begin, end = clause_at(tokens, at)
    return begin > 0 and _EMPTY.issuperset(t.text for t in tokens[begin:end])


def negatives(meaning: Instruction) -> Iterator[int]:
    """Yield how many things each negation of a meaning is about."""
    yield from (_size(act.what) for act in parts_of(meaning, Act) if act.do in _AVOIDING)
    yield from (len(plan.tasks) for plan in parts_of(meaning, Plan) if plan.order == "not")
    yield from (len(who.but) + who.cannot for who in parts_of(meaning, Who))
    yield from (int(relation.negated) for relation in parts_of(meaning, Relation))
    yield from (sum(map(_size, thing.but)) for thing in parts_of(meaning, Thing))


def _size(what: Any) -> int:
    return len(what.things) if isinstance(what, Several) else max(1, len(getattr(what, "ids", ())))
