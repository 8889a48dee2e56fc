"""Writes out what is not said again: ``the den's is shut`` of doors, ``so is mine``, ``Ann to the yard``.

What was named last is meant. Both readers read the whole words far better.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from commonground.grounding.memory.english.lexicon import load_lexicon
from commonground.grounding.words.nouns import word_set

_WORD = re.compile(r"[^\W\d_]+")
_NAME = r"[^\W\d_]+"
_SO_IS = re.compile(
    r"(?P<verb>\b(?:is|are)|['’]s) (?P<state>[^,.;:!?]+?)(?P<joint>(?:, and|,| and|[.;]) )"
    r"(?:so|as) (?:is|are) (?P<what>[^.;:!?]+)",
    re.I,
)
_OWNERS = "mine|hers|ours|theirs"
_ITS = {"mine": "my", "hers": "her", "ours": "our", "theirs": "their"}
_OWNED = re.compile(
    rf"\b(?:(?P<owner>(?:{_NAME} )?{_NAME})(?P<own>['’]s)|(?P<whose>{_OWNERS}))"
    r"(?=(?P<after>\s+[^\W\d_]+(?:['’]t)?|\s*[,.;:!?]|\s*$))",
    re.I,
)
_THE_ONE = re.compile(
    r"\b(?P<the>the|that) (?:one|ones)(?= (?:to|of|leading to|into) (?:the )?(?P<where>[^,.;:!?]+?)"
    r"(?: (?:is|are|was|were|has|have)\b|[,.;:!?]|$))",
    re.I,
)
_FINITE = word_set(
    "is are was were has will would can could does did keeps keep stays stay rings needs too as"
)
"""What follows an owner of what is not named again; ``Ann's been``, ``Ann's in`` tell of Ann."""
_DETERMINERS = word_set("the a an that this it here there")
_AT_HIS = word_set("in into to at from")
"""``at Ann's`` is where Ann lives, ``into Ann's`` into her hands."""
_ADVERBS = word_set("again now still both all just already too also not")
_AWAY = re.compile(
    rf"(?P<before>^|[.!?;:,] )(?P<who>(?:and )?(?P<name>{_NAME})),? "
    r"(?P<way>(?:(?:off|back|over|up|down|out|straight) ){0,2}(?:to|into) (?:the |my |his |her )?)"
    r"(?P<where>[^,.;:!?]+)"
)
_BARE = re.compile(
    rf"(?P<before>^|[.!?;:,] |\band )(?P<name>(?:{_NAME} ){{0,2}}{_NAME})['’]s (?=(?P<after>[^,.;:!?]+))"
)


def with_be(text: str, is_called: Callable[[str], bool], is_person: Callable[[str], bool]) -> str:
    """Return a text with ``the tap is running`` for ``tap's running`` where a clause begins with it."""

    def told(found: re.Match[str]) -> str:
        words = [word.lower() for word in _WORD.findall(found["after"])]
        name = found["name"].split()
        bare = name[0].lower() not in _DETERMINERS and not any(map(is_person, name))
        size = _told_size(words) if bare and is_called(found["name"]) else 0
        if not size or any(map(is_called, words[size : size + 1])):
            return found[0]
        verb = "has" if "been" in words[:size] else "is"
        return f"{found['before']}{_the(found['name'])} {verb} "

    return _BARE.sub(told, text)


def _told_size(words: Sequence[str]) -> int:
    """Return how many words say what is so of something, or was done to it; 0 where they do not."""
    lexicon, at = load_lexicon(), 0
    while at < len(words) and (
        words[at] in _ADVERBS or lexicon.adverbs.match(words[at : at + 1], 0)
    ):
        at += 1
    forms = lexicon.forms_of(words[at]) if at < len(words) else frozenset[str]()
    size = lexicon.state_phrases.match([*words], at)
    told = size or int(words[at : at + 1] == ["been"] or bool(forms & {"participle", "gerund"}))
    return at + told if told else 0


def with_gone(text: str, is_room: Callable[[str], bool], is_person: Callable[[str], bool]) -> str:
    """Return a text with ``Ann has gone to the den`` for ``Ann to the den`` where that is a clause."""

    def gone(found: re.Match[str]) -> str:
        who = is_person(found["name"]) and is_room(found["where"])
        way = f"{found['way']}{found['where']}"
        return f"{found['before']}{found['who']} has gone {way}" if who else found[0]

    return _AWAY.sub(gone, text)


def _the(name: str) -> str:
    return f"The {name[0].lower()}{name[1:]}" if name[0].isupper() else f"the {name}"


def repeated(
    text: str,
    noun_in: Callable[[str, str], str],
    is_owner: Callable[[str], bool],
    lies_there: Callable[[str], bool],
) -> str:
    """Return a text with the nouns and verbs that it does not say again.

    ``noun_in`` returns the noun of what a text named last that an owner, or a room, may have; ``lies_there``
    tells words for where only things are: ``Ann's on the desk`` is then no longer about Ann.
    """
    text = _SO_IS.sub(_so_is, text)
    made, end = "", 0
    for found in sorted(
        [*_OWNED.finditer(text), *_THE_ONE.finditer(text)], key=lambda one: one.start()
    ):
        before = made + text[end : found.start()]
        there = re.match(r"\s+(?:in|on|at) [^,.;:!?]+", text[found.end() :])
        lies = there is not None and bool(before) and lies_there(there[0])
        written = _written(found, before, noun_in, is_owner, lies=lies)
        made = before + (written or found[0])
        end = found.end()
    return made + text[end:]


def _written(
    found: re.Match[str],
    before: str,
    noun_in: Callable[[str, str], str],
    is_owner: Callable[[str], bool],
    *,
    lies: bool,
) -> str:
    """Return an owner with what he owns, or what ``the one`` is; empty where nothing is left out."""
    if found.re is _THE_ONE:
        noun = noun_in(before, found["where"])
        return f"{found['the']} {noun}" if noun else ""
    after = found["after"].strip().lower()
    owner = found["owner"] or ""
    goes_on = lies or not after[:1].isalpha() or after in _FINITE or after.endswith(("n't", "n’t"))
    if not _AT_HIS.isdisjoint(w.lower() for w in (*before.split()[-1:], *owner.split()[:-1])):
        return ""
    named = next(filter(is_owner, [owner, *owner.split()[-1:]]), "")
    noun = noun_in(before, named) if goes_on and (found["whose"] or named) else ""
    lead = f"{owner}{found['own']}" if owner else _ITS[found["whose"].lower()]
    return f"{lead} {noun}" if noun else ""


def _so_is(found: re.Match[str]) -> str:
    """Return ``and mine is clean`` for ``and so is mine``."""
    verb = "are" if found["verb"].lower() == "are" else "is"
    what = found["what"].strip()
    what = what if "," in found["joint"] or "and" in found["joint"] else what[:1].upper() + what[1:]
    return f"{found['verb']} {found['state']}{found['joint']}{what} {verb} {found['state']}"
