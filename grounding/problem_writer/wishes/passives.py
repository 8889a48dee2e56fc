"""What is to be done to things, as orders: ``I should like the pens put away``, ``the pot needs washing``."""

from __future__ import annotations

import re
from functools import cache

from commonground.grounding.english.faithful import NEGATIONS
from commonground.grounding.problem_writer.wishes.account import Accounts
from commonground.grounding.problem_writer.wishes.acts import ASKING, Said
from commonground.grounding.problem_writer.wishes.heads import (
    AUXILIARIES,
    DETERMINERS,
    HOLDING,
    ordered,
    orders,
    participles,
)
from commonground.grounding.words.nouns import word_set
from commonground.grounding.words.verbs import verb_forms

_SOON = r"(?:(?:both|all|also|then|please|now|just|really|only|very|much|so) )*"
_BEGIN = re.compile(
    r"(?P<joint>(?:(?:and|but|so|then|also|please|finally|afterwards|now|kindly|,) )*)"
    rf"(?P<wish>(?:i|we|he|she|they|my \w+) (?:(?:'d|would|should|do) )?{_SOON}"
    r"(?:like|love|prefer|want|need|wish|ask)s? (?:to (?:have|see|find|get) |for )?"
    r"|have |get |let )?"
)
"""How a clause begins that wants something done: ``and I would like to have``."""
_TO_BE = (
    r"(?:(?:(?:is|are) )?to|should|must|shall|may|might|can|could|would|ought to|wants? to|needs? to"
    rf"|ha(?:s|ve) to) {_SOON}be |be |were |was |is |are "
)
_NEEDING = r"(?:needs?|wants?|requires?|deserves?|could (?:do with|use)) (?:an? )?(?:good |quick |proper )?"
_FRONTED = re.compile(
    r"(?P<what>(?!i |we )[^,]+?) (?:is what |are what )?(?:i|we) (?:(?:'d|would|should) )?"
    r"(?:want|need|like|prefer|love) (?:to be )?"
)
"""``the pen I want moved``."""
_DUE = re.compile(r"(?!were|was|(?:is|are) (?!to ))")
_MOVING = ("raise", "lower")
_JOINT = re.compile(r"and ", re.I)
"""Before a clause with a verb of its own this lists nothing with what is ordered before it."""
_BACK = word_set("it them that those this these both all everything")


def active(accounts: Accounts) -> str:
    """Return a text in which what is to be done to things is said as orders."""
    text, found, done, turned = accounts.text, "", 0, False
    for said in accounts.acts.said:
        begin = accounts.tokens[said.start].start
        words = _ordered(said, accounts) if said.act in ASKING else ""
        joint = _JOINT.match(text, begin) if turned else None
        if words:
            found += text[done:begin] + words
            done = accounts.tokens[said.end - 1].end
        elif joint is not None and _has_verb(said, accounts):
            found += text[done:begin].rstrip(" ,") + ". "
            done = joint.end()
        turned = bool(words)
    return found + text[done:]


def _has_verb(said: Said, accounts: Accounts) -> bool:
    """Return whether a clause says something of a thing with a verb of its own: ``the cup is fine``."""
    head = accounts.acts.head(said.start, said.end)
    return head.mood == "told" and accounts.words[head.verb] not in participles()


def _ordered(said: Said, accounts: Accounts) -> str:
    """Return a clause as an order; nothing where nothing is done to anything, or that is forbidden."""
    words = accounts.words[said.start : said.end]
    begin = _BEGIN.match(" ".join(words))
    if begin is None or not NEGATIONS.isdisjoint(words):
        return ""
    rest, wished = begin.string[begin.end() :], bool(begin["wish"])
    if not wished and (fronted := _FRONTED.match(rest)):
        rest, wished = f"{fronted['what']} {rest[fronted.end() :]}", True
    order = _order(rest, accounts, wished=wished)
    return re.sub(r" (?=[,']|n't)", "", begin["joint"] + order) if order else ""


def _order(words: str, accounts: Accounts, *, wished: bool) -> str:
    """Return an order for what is to be done to what is named first."""
    found = _done().search(words)
    if found is None or not (wished or found["need"] or _DUE.match(found["be"] or "is ")):
        return ""
    what, done = words[: found.start()], found["done"] or found["doing"]
    if not _is_things(what.split(), accounts):
        return ""
    rest = _more().sub(_also, words[found.end() :])
    return f"{gerunds()[done]} {what}{rest}"


def _is_things(words: list[str], accounts: Accounts) -> bool:
    """Return whether words name things of the house, or stand for them, and say nothing of them."""
    listed = [each for each in " ".join(words).replace(" ,", " and").split(" and ") if each]
    return bool(listed) and all(_is_thing(each.split(), accounts) for each in listed)


def _is_thing(words: list[str], accounts: Accounts) -> bool:
    bare = [word for word in words if word not in DETERMINERS]
    plain = (AUXILIARIES | HOLDING).isdisjoint(words)
    return plain and (
        not bare or accounts.home.nouns.find(" ".join(bare)) is not None or _BACK.issuperset(bare)
    )


@cache
def gerunds() -> dict[str, str]:
    """Return the verbs that orders begin with by their participles and gerunds."""
    forms = (
        (w, form, base)
        for base in (*orders(), *_MOVING)
        for w, fs in verb_forms(base).items()
        for form in fs
    )
    return {w: base for w, form, base in forms if form in ("gerund", "participle")} | ordered()


@cache
def _done() -> re.Pattern[str]:
    """Return a pattern for what is done, behind what it is done to: ``is to be washed``."""
    doing = "|".join(sorted(w for w in gerunds() if w.endswith("ing")))
    done = "|".join(sorted(w for w in gerunds() if not w.endswith("ing")))
    return re.compile(
        rf" (?:(?P<be>{_TO_BE})?{_SOON}(?P<done>{done})|(?P<need>{_NEEDING})(?P<doing>{doing}))(?= |$)"
    )


@cache
def _more() -> re.Pattern[str]:
    """Return a pattern for what is done to something else as well: ``and the lamp switched off``."""
    return re.compile(
        r"(?P<joint> and | , (?:and )?)"
        r"(?P<what>(?:the|both|all|my|our|his|her|its|that|those) (?:\w+ ){1,3}?)"
        rf"(?:to be )?(?P<done>{'|'.join(sorted(gerunds()))})(?= |$)"
    )


def _also(found: re.Match[str]) -> str:
    return f"{found['joint']}{gerunds()[found['done']]} {found['what'].strip()}"
