"""What is told to a memory, as it is usually written: what is left out put in, talk to the robot left out."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from commonground.grounding.english.asking_back import sentences_in
from commonground.grounding.memory.english.lexicon import load_lexicon
from commonground.grounding.memory.interpretation.events import themes_of
from commonground.grounding.memory.ontology.name_words import words_of
from commonground.grounding.memory.retrieval.query import mentions_in
from commonground.grounding.memory.rewriting.apposition import in_usual_order
from commonground.grounding.words.contractions import with_apostrophes
from commonground.grounding.words.nouns import word_set
from commonground.grounding.words.spelling import common_words

if TYPE_CHECKING:
    from commonground.grounding.memory.memory import Memory


_WORD = r"[^\W\d_]+"
_OWNERS = "mine|hers|ours|theirs"
_ITS = {"mine": "my", "hers": "her", "ours": "our", "theirs": "their"}
_OWNED = re.compile(
    rf"\b(?:(?P<owner>(?:{_WORD} )?{_WORD})(?P<own>['’]s)|(?P<whose>{_OWNERS}))"
    r"(?=(?P<after>\s+[^\W\d_]+(?:['’]t)?|\s*[,.;:!?]|\s*$))",
    re.I,
)
_FINITE = word_set(
    "is are was were has will would can could does did keeps keep stays stay rings needs too as"
)
"""What follows an owner of what is not named again; ``Ann's been``, ``Ann's in`` tell of Ann."""
_AT_HIS = word_set("in into to at from")
"""``at Ann's`` is where Ann lives, ``into Ann's`` into her hands."""


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
    made, end = "", 0
    for found in _OWNED.finditer(text):
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
    """Return an owner with what he owns; empty where nothing is left out."""
    after = found["after"].strip().lower()
    owner = found["owner"] or ""
    goes_on = lies or not after[:1].isalpha() or after in _FINITE or after.endswith(("n't", "n’t"))
    if not _AT_HIS.isdisjoint(w.lower() for w in (*before.split()[-1:], *owner.split()[:-1])):
        return ""
    named = next(filter(is_owner, [owner, *owner.split()[-1:]]), "")
    noun = noun_in(before, named) if goes_on and (found["whose"] or named) else ""
    lead = f"{owner}{found['own']}" if owner else _ITS[found["whose"].lower()]
    return f"{lead} {noun}" if noun else ""


_SOMEBODY = r"(?:you|anyone|anybody|someone|somebody)"
_SEEKING = r"(?:needs?|wants?|misses|miss|(?:is|are) (?:looking|searching) for|looks? for|(?:is|are) after)"
_LOOKING = (
    r"(?:please )?(?:check|try|see|ask|search|look|have a look|go and look)"
    r"(?: (in|inside|on|at|under|behind|with))?"
)
_WHERE = r"(?:the|an?|his|her|my|your|our|their|[^\W\d_]+['’]s) .+?"
_END = r"(?=\s*(?:[.!?;]|$))"
_IF_SOUGHT = re.compile(
    rf"(?:\b(?:if|when|whenever) {_SOMEBODY}|\bshould {_SOMEBODY}) {_SEEKING} ([^,;.!?]+), "
    rf"{_LOOKING} ({_WHERE}|[^\W\d_]+(?:,? (?:and )?not [^\W\d_]+)?){_END}",
    re.I,
)
_LOOK_FOR = re.compile(
    rf"(?:^|(?<=[.!?;] ))look for ([^,;.!?]+?) ((?:in|inside|on|at|under|behind) {_WHERE}){_END}",
    re.I,
)
_NOT_THERE = re.compile(
    rf"(\b(?:not|no longer|won['’]t|can['’]t|isn['’]t|aren['’]t|gone|left)\b[^;.!?]*)([;.!]) "
    rf"{_LOOKING} ({_WHERE}){_END}",
    re.I,
)
_MET = re.compile(r"\b(?:meet|find|see|catch|reach) ([^\W\d_]+)\b", re.I)
_EXCEPT = re.compile(r",? (?:and )?not [^\W\d_]+$", re.I)


def told_where(text: str, is_person: Callable[[str], bool]) -> str:
    """Return a text with where a thing is in place of where to look for it."""

    def sought(found: re.Match[str]) -> str:
        thing, how, where = found.groups()
        who = _EXCEPT.sub("", where)
        return f"{who} has {thing}" if is_person(who) else f"{thing} is {how or 'at'} {where}"

    def elsewhere(found: re.Match[str]) -> str:
        before, mark, how, where = found.groups()
        who = next((name for name in _MET.findall(before) if is_person(name)), None)
        now = f"{who} is {how or 'in'}" if who is not None else f"it is {how or 'at'}"
        return f"{before}{mark} {now} {where}"

    text = _IF_SOUGHT.sub(sought, text)
    text = _LOOK_FOR.sub(r"\1 is \2", text)
    return _NOT_THERE.sub(elsewhere, text)


_BEGINNING = re.compile(
    r"^((?:(?:ok|okay|oh|so|well|and|then|also|just|right|yo|lol|nvm|btw|fyi|hi|hey)\b[,.!]?\s+)*)"
    r"([^\W\d_]+)\s+([^\W\d_]+)",
    re.I,
)
_AFTER = word_set(
    "the a an my his her its our your their it them him me that this those these some all both "
    "you everything back up down out off over away on in into onto to at from home just and mine"
)
"""What follows a verb rather than a participle: ``filled the jug``, and not ``filled jugs are there``."""
_FEW = 3
"""Who says so few words says no participle either: ``closed fridge``."""
_ADDRESS = re.compile(
    r"^(?:(?:oi|hey|hi|hello|ok|okay|oh|yo|so|well|um|right|now|dear|listen)\b[,!]? )*([^\W\d_]+)"
    r"(?:[,:!] | (?=(?:can|could|would|will) you\b))",
    re.I,
)
"""Who is called at the beginning, with a mark behind or a question to him."""
_ARROW = re.compile(r"(?<=[\w.)])\s*(?:-+>|=+>|\N{RIGHTWARDS ARROW})\s*(?=\w)")
_CALLED_LAST = re.compile(r",\s+([^\W\d_]+)(?=\s*[.!?]*\s*$)")
_TELLING = re.compile(
    r"^(?:please )?(?:note|know|remember|mind|be aware|be told) that (?=\w)", re.I
)
_THERE_GOES = re.compile(
    r"^(?:(?:and|so|well|oh),? )?(?:there|here) (?:it|he|she|they|we|you|i) (?:goes?|comes?|are|is)"
    r"\s*[:;,!–—-]+\s+(?=\w)",
    re.I,
)
"""Calls attention to what follows, and tells nothing."""


def without_arrows(text: str) -> str:
    """Return a line of a log with ``to`` for the arrows between its words: ``Ann hall -> yard``."""
    return _ARROW.sub(" to ", text)


def without_address(text: str, is_robot: Callable[[str], bool]) -> str:
    """Return a text without whom it calls and that it tells something: ``Robot, note that it is here``."""
    text = "".join(_unaddressed(sentence, is_robot) for sentence in sentences_in(text))
    return _THERE_GOES.sub("", _TELLING.sub("", text))


def _unaddressed(sentence: str, is_robot: Callable[[str], bool]) -> str:
    found = _ADDRESS.match(sentence)
    called = found is not None and is_robot(found[1])
    sentence = sentence[found.end() :] if found is not None and called else sentence
    last = _CALLED_LAST.search(sentence)
    if last is not None and is_robot(last[1]):
        sentence = sentence[: last.start()] + sentence[last.end() :]
    return sentence


def with_subject(text: str, is_person: Callable[[str], bool]) -> str:
    """Return a report with ``I`` before sentences that begin with what only who speaks can have done.

    What follows on somebody's doings may be his.
    """
    made = ""
    for sentence in sentences_in(text):
        others = any(is_person(word) or word.lower() in _OTHERS for word in _NAME.findall(made))
        made += sentence if others else _with_subject(sentence)
    return made


def _with_subject(sentence: str) -> str:
    found = _BEGINNING.match(sentence)
    if found is None:
        return sentence
    said, verb, after = found.group(1), found[2].lower(), found[3].lower()
    plain = after in _AFTER or len(sentence[len(said) :].split()) <= _FEW
    done = verb == "have" and "participle" in load_lexicon().forms_of(after)
    if not (verb == "am" or done or (plain and _is_past(verb))):
        return sentence
    rest = sentence[len(said) :]
    return f"{said}I {rest[0].lower()}{rest[1:]}"


def _is_past(word: str) -> bool:
    """Return whether a word can only be a past form: ``put`` may be an order."""
    forms = load_lexicon().forms_of(word)
    return "past" in forms and "base" not in forms


_NAME = re.compile(r"\b[^\W\d_]+\b")
_OTHERS = word_set("he she they")
_WITH = re.compile(r"\bw/?(?= [^\W\d_])")


def typed_out(text: str, is_person: Callable[[str], bool]) -> str:
    """Return a text with its apostrophes, and names with a capital where it has no capitals at all."""
    text = with_apostrophes(_WITH.sub("with", text))
    if text != text.lower():
        return text

    def named(found: re.Match[str]) -> str:
        word = found[0]
        person = is_person(word) and word not in common_words()
        return word.capitalize() if person else word

    return _NAME.sub(named, text)


class Usual:
    """Writes reports and tasks as both readers read them best."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    def spelled(self, text: str) -> str:
        """Return a text as it is best read: words of this world written as usual, and in the usual order."""
        calling, is_person = self.memory.retriever.calling, self.memory.names.is_named_person
        typed = typed_out(calling.rejoined(text), is_person)
        return in_usual_order(typed, self._is_called)

    def report(self, text: str, speaker: str | None) -> str:
        """Return a report as it is best read, and as what it tells rather than how."""
        names = self.memory.names
        plain = without_address(text, names.is_only_robot)
        whole = self.spelled(
            plain if speaker is None else with_subject(plain, names.is_named_person)
        )
        whole = repeated(whole, self._noun_in, self._may_own, self._lies_there)
        return told_where(whole, names.is_named_person)

    def task(self, text: str) -> str:
        """Return a task as it is best read."""
        return self.spelled(without_address(text, self.memory.names.is_only_robot))

    def _noun_in(self, text: str, owner: str) -> str:
        """Return the noun of what a text, or the report before it, names last that an owner may have.

        Rooms have what is fixed, and people what can be carried.
        """
        names, calling = self.memory.names, self.memory.retriever.calling
        called = {thing for mention in mentions_in(owner, calling) for thing in mention.things}
        is_room = any(map(names.is_room, called))

        def may_be_owned(thing: str) -> bool:
            return names.is_fixture(thing) if is_room else names.is_item(thing)

        for mention in reversed(mentions_in(text, calling)):
            if any(map(may_be_owned, mention.things)):
                return mention.words.split()[-1]
        told = (t for event in reversed(self.memory.discourse.now.events) for t in themes_of(event))
        return next((" ".join(names.names[t].head) for t in told if may_be_owned(t)), "")

    def _may_own(self, words: str) -> bool:
        """Return whether words name somebody, or a room, and nothing else as well."""
        return self.memory.names.is_named_person(words) or self._is_room(words)

    def _lies_there(self, words: str) -> bool:
        """Return whether words name a place for things and no room."""
        names, mentions = self.memory.names, mentions_in(words, self.memory.retriever.calling)
        things = {thing for mention in mentions[-1:] for thing in mention.things}
        return any(map(names.is_place, things)) and not any(map(names.is_room, things))

    def _is_room(self, words: str) -> bool:
        """Return whether words name a room and nothing else as well."""
        return any(map(self.memory.names.is_room, self.memory.names.called(words_of(words))))

    def _is_called(self, word: str) -> bool:
        """Return whether a word names somebody or something."""
        names = self.memory.names
        return names.is_named_person(word) or bool(names.called(words_of(word)))
