"""Deeds and choices: a meaning has those that its text has, and no others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from commonground.grounding.english.faithful import BACK, BANS, DETERMINERS, ENDS
from commonground.grounding.english.indifference import remarks_of_choice
from commonground.grounding.english.remarks import MARKS
from commonground.grounding.english.tokens import stretch, tokens_of
from commonground.grounding.fidelity.clauses import Wording, asks_leave
from commonground.grounding.fidelity.denials import denials
from commonground.grounding.fidelity.held import Held, nouns_of
from commonground.grounding.fidelity.negation import EXCLUDING, negatives, negators
from commonground.grounding.fidelity.picks import LOOKING
from commonground.grounding.fidelity.robots import GROUP
from commonground.grounding.fidelity.verbs import DEEDS, looks_about, verbs_in
from commonground.grounding.meaning import Act, Plan, Reference, Several, Thing, Who, things_in
from commonground.grounding.words.blanks import blanked
from commonground.grounding.words.concepts import everyday
from commonground.grounding.words.nouns import plural, singulars, word_set
from commonground.grounding.words.numbers import count_of
from commonground.grounding.words.tense import is_past
from commonground.grounding.words.tokens import tokenize

_CHOICES = word_set(
    "or either any some one ones a an another whichever whoever couple few several pair somebody someone "
    "anybody anyone something anything anywhere somewhere"
)
_CARRYING = frozenset(["PICK", "PICK_SPLIT", "PICK_OR_PLACE", "PUT", "PUT_SPLIT", "HOLDING"])
_SEEN = LOOKING | {"EXPLORE", "GIVE_CHECK", "SAFE"}
_LOOKED = re.compile(r"inspect|check|examin|look|safe|secur|scan|survey|eye")
"""Parts of words for what an inspection does, whatever they are in a sentence."""
_NUMBERED = word_set("region object place node number area room spot item thing")
_WHERE = word_set("in on across inside within throughout")
_WITHIN = word_set("of and or but with")
_STAYS_PUT = re.compile(
    r"\b(?:stays?|remains?)(?:\s*(?=[.,;:!?]|$)"
    r"|\s+(?:put|there|here|in place|(?:right |just )?(?:where|as) (?:it|they)\b))",
    re.IGNORECASE,
)
"""What stays where it is, is not to be taken away; nobody has to keep away from it."""
_SPARING = word_set(
    "without unless instead clear skip ignore neglect exclude beware spare bypass shun out outside away "
    "off no none neither nor save bar barring barred only banned closed stay keep steer rather other "
    "others rest else remaining cannot n't"
)
"""Words that may keep a robot from something, one way or another."""
_OUTSIDE = frozenset([("out", "there"), ("out", "here")])
"""These only say where something is: ``it looks so bare out there``."""
_SWITCHING = word_set("shut switch turn power cut knock drop set start head take pull tear break")
"""``off`` behind one of these keeps nobody away."""
_EXACTLY = re.compile(r"\b(?:exactly|precisely) \w+ of\b")
_ALTERNATIVES = frozenset(["or", "either"])
_POLITE = word_set(
    "can could would will may might please possible need needed necessary like not no so i"
)
"""Behind ``if`` these make no condition: ``if you can``, ``if possible``, ``if not``."""
_FIRST = 3
"""So many words may stand before the first that something is asked with: ``Well, Spot, if …``."""
_UNTIL = frozenset(["until", "till"])
_WAITING = frozenset(["wait", "waits", "waiting"])
_WHETHER = word_set("check see look tell know find verify confirm ask")
_WISHING = word_set("would 'd d i'd it'd obliged grateful appreciate kind")
_FEELINGS = word_set(
    "better easier happier happy glad pleased pleasure grateful thankful kindness favor favour nice"
)
_REACH = 6
"""So many words behind ``most of`` its thing is named."""
_SHARES = frozenset(["most", "half"])
_LOOSE = frozenset(["so", "else", "not", "less", "i", "we", "they", "he", "she"])
"""After ``or`` these make no alternative: ``or we are in trouble``."""
_WHOLE = word_set(
    "all any every each anything everything anybody everybody everyone anyone anywhere everywhere"
)
_WHOLE_REACH = 5
"""So many words before ``but`` stands what it takes something from."""


def wrong_choices(held: Held) -> Iterator[str]:
    """Yield a choice that only the text leaves, or only the meaning."""
    open_to = any(_is_open(act.what) or _is_open(act.to) for act in held.parts(Act))
    yield from _more_than_told(held, open_to=open_to)
    if (open_to or _orders_any(held)) and not _offers_choice(held):
        yield "the answer leaves a choice that the text does not leave"
    offered = [held.words[at] for at in range(len(held.words)) if _is_alternative(held, at)]
    excludes = negators(held.text) or "without" in held.words
    if offered and not excludes and not _has_alternatives(held):
        yield f"the text says '{offered[0]}', and the answer leaves no choice"


def _is_alternative(held: Held, at: int) -> bool:
    """Return whether a word leaves a choice of what is done, or with what, or by whom."""
    word, behind = held.words[at], held.word(at + 1)
    begin, end = held.sentence(at)
    nouns = {*nouns_of(held.meaning)}

    def is_named(first: int, last: int) -> bool:
        words = {form for w in held.words[first:last] for form in singulars(w)}
        return not words.isdisjoint(nouns) or any(
            held.is_symbol(k) or held.is_robot(held.words[k]) for k in range(first, last)
        )

    if word not in _ALTERNATIVES or behind in _LOOSE:
        return False
    if word == "or" and at == begin > 0:
        return True  # to all of the sentence before: "Or explore the garage."
    if not is_named(begin, end):
        return False
    if word == "either":
        return (
            behind in ("of", "one")
            or is_named(at + 1, min(at + 2, end))
            or "or" in held.words[at:end]
        )
    goes_on = held.words[at + 1 : held.clause(at)[1]]
    return not DETERMINERS.isdisjoint(goes_on) or is_named(at + 1, held.clause(at)[1])


def _more_than_told(held: Held, *, open_to: bool) -> Iterator[str]:
    exact = _EXACTLY.search(held.line) if open_to else None
    if exact:
        yield f"the text says '{exact[0]}', and the answer may do more"


def _orders_any(held: Held) -> bool:
    return any(plan.order == "any" for plan in held.parts(Plan))


def _has_alternatives(held: Held) -> bool:
    return (
        _orders_any(held)
        or any(thing.amount == "any" for thing in held.parts(Thing))
        or any(several.join == "any" for several in held.parts(Several))
        or any(who.choose in ("one", "other") for who in held.parts(Who))
    )


def _is_open(what: Reference | None) -> bool:
    """Return whether one may choose among things; what they are described by leaves nothing to choose."""
    if isinstance(what, Several):
        return what.join == "any" or any(map(_is_open, what.things))
    return what is not None and what.amount == "any"


def _offers_choice(held: Held) -> bool:
    counted = any(
        count_of(word) is not None and not (word.isdigit() and _is_noun(last))
        for last, word in pairwise(["", *held.spoken])
    )
    return counted or not _CHOICES.isdisjoint(held.spoken) or bool(GROUP.search(held.text))


def _is_noun(word: str) -> bool:
    """Return whether a number behind a word is a name: ``region 5``, ``number 212``, ``barrel 44``."""
    return word in _NUMBERED or bool(everyday().senses(word))


def unsaid_bans(held: Held) -> Iterator[str]:
    """Yield what a meaning keeps from, and its text does not."""
    left = held.phrases(frozenset(["LEAVE"]))
    spares = left or may_spare(_STAYS_PUT.sub(" ", held.text))
    if any(negatives(held.meaning)) and not spares:
        yield "the answer keeps away from something, and the text from nothing"
    if any(kept_out and _is_whatever(act.what) for act, kept_out in held.sides):
        yield "the answer keeps away from something, and tells not what it is"


def wrong_deeds(held: Held) -> Iterator[str]:
    """Yield what a meaning inspects and its text does not."""
    done = {act.do for act in held.parts(Act)}
    if "inspect" in done and not _is_looked(held):
        yield "the answer inspects, and the text only says other deeds"
    yield from _looked_around(held)


def _is_looked(held: Held) -> bool:
    """Return whether a text may have something looked at; one that says no deed at all may, too."""
    others = verbs_in(held) - {one.start for one in held.phrases(frozenset(["OMIT"]))}
    said = _LOOKED.search(held.line) or held.phrases(_SEEN)
    return not others or bool(said) or any(map(looks_about, held.phrases(DEEDS | {"SEE"})))


def _looked_around(held: Held) -> Iterator[str]:
    """Yield what an answer inspects where its text only says where: ``Anna, the same again on the pier``."""
    ends = {held.at(deed) + len(deed.words.split()) for deed in held.phrases(_SEEN | _CARRYING)}
    looked = [a.what for a in held.acts if a.do in ("inspect", "explore")]
    nouns = {thing.noun for what in looked for thing in things_in(what)} - {""}
    for at in (at for noun in nouns for at in _named_once(held, noun.casefold().split())):
        before = range(at, held.clause(at)[0], -1)
        where = next((k for k in before if held.words[k - 1] in _WHERE), at) - 1
        taken_up = not ends.isdisjoint(range(where - 1, where + 2)) or _goes_on(held, where, at)
        if held.words[where] in _WHERE and not taken_up:
            yield f"the text only says '{held.words[where]}' of the {held.words[at]}"


def _goes_on(held: Held, where: int, at: int) -> bool:
    """Return whether more is said of where something is, or what is done: ``in scrutinising the bin``."""
    beside = _WITHIN.intersection(held.words[where:at]) | BACK.intersection(held.words[at:])
    return bool(beside) or held.words[where + 1].endswith("ing")


def _named_once(held: Held, noun: Sequence[str]) -> list[int]:
    """Return where the one place ends at which a text has a noun or a name."""
    ends = range(len(noun), len(held.words) + 1)
    found = [end - 1 for end in ends if held.words[end - len(noun) : end] == [*noun]]
    return found if len(found) == 1 else []


def _is_whatever(what: Reference | None) -> bool:
    """Return whether a phrase tells only where something is: it may be an area as well as a thing."""
    if not isinstance(what, Thing) or what.kind != "thing" or what.of is not None:
        return False
    return not (what.noun or what.ids or what.among) and bool(what.where)


def wrong_limits(held: Held) -> Iterator[str]:
    """Yield conditions and shares of a text, which no meaning holds; what is only polite is none."""
    words = _without_choices(held.text)
    nouns = nouns_of(held.meaning)
    named = BACK | {*(form for noun in nouns for form in (noun, plural(noun)))}
    yield from (f"the text says '{word}', and no robot waits for another" for word in _waits(held))
    yield from _either_case(words)
    yield from (
        f"the text says '{words[at]} of', and nothing tells how many those are"
        for at in _shares(words)
        if not named.isdisjoint(words[at + 1 : at + _REACH])
    )
    for at, word in enumerate(words):
        whether = not _WHETHER.isdisjoint(words[max(0, at - 2) : at])
        if word == "unless" or (word == "if" and not (whether or _is_polite(words, at))):
            yield f"the text says '{word}', and nothing can wait for that"


def _either_case(words: Sequence[str]) -> Iterator[str]:
    for last, word in pairwise(["", *words]):
        if word in ("otherwise", "failing") and not is_past(last):  # until told otherwise
            yield f"the text says '{word}', and no answer holds what is done in either case"


def _shares(words: Sequence[str]) -> Iterator[int]:
    """Yield where a text speaks of a share: ``most of them``, ``half the bins``."""
    for at, word in enumerate(words):
        of = word in _SHARES and "of" in words[at + 1 : at + 3]
        if of or (word == "half" and words[at + 1 : at + 2] == ["the"]):
            yield at


def _without_choices(text: str) -> list[str]:
    """Return the words of a text without what it says only to leave a choice."""
    rest = blanked(text, (one[:2] for one in remarks_of_choice(text)))
    return [token.text.casefold() for token in tokens_of(rest)]


def _is_polite(words: Sequence[str], at: int) -> bool:
    """Return whether an ``if`` belongs to a wish, or only asks for leave."""
    wishes = not _WISHING.isdisjoint(words[:at]) or not _POLITE.isdisjoint(words[at + 1 : at + 3])
    return wishes or _would_please(words, at) or _is_leave(words, at)


def _would_please(words: Sequence[str], at: int) -> bool:
    """Return whether only how somebody feels hangs on an ``if``: ``I sleep better if you check it``."""
    begin, end = stretch(words, at, ENDS)
    comma = next((k for k in range(at, end) if words[k] == ","), end)
    main = words[begin:at] if at > begin else words[comma + 1 : end]
    return main[:1] in (["i"], ["we"], ["it"]) and not _FEELINGS.isdisjoint(main)


def _is_leave(words: Sequence[str], at: int) -> bool:
    """Return whether an ``if`` only asks for leave: ``if that's okay``, first or last in what is asked.

    Behind an order, before the next, it may be about what that found: ``check it, and if that's okay, …``.
    """
    behind = words[at + 1 :]
    end = next((k for k, word in enumerate(behind) if word in MARKS), len(behind))
    last = end == len(behind) or behind[end] in ENDS
    if at > _FIRST and (not last or not ENDS.isdisjoint(words[:at])):
        return False
    return asks_leave(behind[:end])


def _waits(held: Held) -> list[str]:
    """Return the words by which a text has somebody wait for a robot."""
    words, names = held.spoken, [*map(str.casefold, held.robots)]
    waits = [w for w, who in pairwise(words) if w in _UNTIL and who in names]
    rows = zip(words, words[1:], words[2:], strict=False)
    return waits + [w for w, to, who in rows if w in _WAITING and to == "for" and who in names]


def may_spare(text: str) -> bool:
    """Return whether any word of a text may keep a robot from something."""
    return _spares(text, [token.text.casefold() for token in tokens_of(text)])


def _spares(text: str, words: Sequence[str]) -> bool:
    """Return whether a text may keep a robot from something."""
    off = {pair for pair in pairwise(words) if pair[1] == "off" and pair[0] in _SWITCHING}
    words = [w for w, behind in pairwise([*words, ""]) if (w, behind) not in _OUTSIDE]
    if len(off) == words.count("off"):
        words = [word for word in words if word != "off"]
    bans = any(word.startswith((*BANS, *EXCLUDING)) for word in words)
    denied = any(denials(Wording(tokenize(text))))
    return (
        bans or denied or bool(negators(text)) or not _SPARING.isdisjoint(words) or _excepts(words)
    )


def _excepts(words: Sequence[str]) -> bool:
    """Return whether a ``but`` makes an exception: ``all of them but the last``."""
    at = [i for i, word in enumerate(words) if word == "but"]
    return any(not _WHOLE.isdisjoint(words[max(0, i - _WHOLE_REACH) : i]) for i in at)
