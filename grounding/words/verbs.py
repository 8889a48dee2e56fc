"""Forms of English verbs, made from their lemmas."""

from __future__ import annotations

from typing import Literal

from commonground.grounding.words.nouns import with_s

Form = Literal["base", "third", "past", "participle", "gerund"]

_IRREGULAR = """
be was been|become became become|begin began begun|bend bent bent|bet bet bet|bite bit bitten|blow blew blown|
break broke broken|bring brought brought|build built built|burn burned/burnt burned/burnt|burst burst burst|
buy bought bought|catch caught caught|choose chose chosen|cling clung clung|come came come|cost cost cost|
creep crept crept|cut cut cut|deal dealt dealt|dig dug dug|do did done|draw drew drawn|
dream dreamt/dreamed dreamt/dreamed|
drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed fed|feel felt felt|
fight fought fought|
find found found|fling flung flung|fly flew flown|forbid forbade forbidden|forget forgot forgotten|
freeze froze frozen|
get got got/gotten|give gave given|go went gone|grind ground ground|grow grew grown|
hang hung/hanged hung/hanged|have had had|
hear heard heard|hide hid hidden|hit hit hit|hold held held|keep kept kept|know knew known|lay laid laid|
lead led led|lean leaned/leant leaned/leant|leap leapt/leaped leapt/leaped|
learn learned/learnt learned/learnt|leave left left|
lend lent lent|let let let|lie lay lain|light lit/lighted lit/lighted|lose lost lost|make made made|
mean meant meant|meet met met|
mislay mislaid mislaid|mistake mistook mistaken|pay paid paid|put put put|quit quit quit|
read read read|rid rid rid|
ride rode ridden|ring rang/rung rung|rise rose risen|run ran run|say said said|see saw seen|
seek sought sought|sell sold sold|send sent sent|
set set set|sew sewed sewn|shake shook shaken|shine shone/shined shone/shined|shoot shot shot|
show showed shown|shrink shrank shrunk|
shut shut shut|sing sang sung|sink sank sunk|sit sat sat|sleep slept slept|slide slid slid|sling slung slung|
sneak sneaked/snuck sneaked/snuck|speak spoke spoken|spend spent spent|
spill spilled/spilt spilled/spilt|spin spun spun|split split split|
spread spread spread|spring sprang sprung|stand stood stood|steal stole stolen|stick stuck stuck|
stink stank stunk|
stride strode stridden|strike struck struck|string strung strung|swear swore sworn|
sweep swept swept|swim swam swum|
swing swung swung|take took taken|teach taught taught|tear tore torn|tell told told|think thought thought|
throw threw thrown|tread trod trodden|undo undid undone|unmake unmade unmade|wake woke woken|
wear wore worn|wind wound wound|
win won won|wring wrung wrung|write wrote written|remake remade remade|redo redid redone|rerun reran rerun|
understand understood understood|withdraw withdrew withdrawn|withhold withheld withheld|
swell swelled swollen|stride strode stridden|
dwell dwelt/dwelled dwelt/dwelled|leap leapt leapt|smell smelled/smelt smelled/smelt|
overhear overheard overheard|reset reset reset|bear bore borne/born|undergo underwent undergone|
unshut unshut unshut
"""
_TABLE = {
    words[0]: (words[1].split("/"), words[2].split("/"))
    for entry in _IRREGULAR.replace("\n", "").split("|")
    if (words := entry.split())
}
_VOWELS = "aeiou"
_UNDOUBLED = "bdgmnprt"
_DOUBLE_LONG = {
    "refer", "transfer", "permit", "begin", "forget", "regret", "prefer", "unplug", "admit",
    "commit", "occur", "deter",
    "submit", "entrap", "unwrap", "unzip", "unpin", "reset", "travel", "signal", "cancel", "level",
    "label", "shovel",
    "unclip", "kidnap", "misput", "equip", "snivel", "swivel", "fuel", "marvel", "dishevel", "unbar",
    "forbid", "omit", "rerun", "unshut",
}  # fmt: skip


def verb_forms(lemma: str) -> dict[str, set[Form]]:
    """Return every form of a one-word verb with what it may be."""
    forms: dict[str, set[Form]] = {}

    def note(word: str, form: Form) -> None:
        forms.setdefault(word, set()).add(form)

    note(lemma, "base")
    note({"be": "is", "have": "has"}.get(lemma) or with_s(lemma), "third")
    past, participle = _TABLE.get(lemma, ([_with_ed(lemma)], [_with_ed(lemma)]))
    for word in past:
        note(word, "past")
    for word in participle:
        note(word, "participle")
    note(_gerund(lemma), "gerund")
    return forms


def irregular_verbs() -> tuple[str, ...]:
    """Return the lemmas whose forms are listed."""
    return tuple(_TABLE)


def _stem(lemma: str) -> str:
    """Return the lemma with its last consonant doubled where -ed and -ing double it."""
    if len(lemma) < 3 or lemma[-1] in "aeiouwxyh" or lemma[-2] not in _VOWELS:
        return lemma
    short = lemma[-3] not in _VOWELS and sum(c in _VOWELS for c in lemma) == 1
    qu = lemma[-3] == "u" and lemma[-4:-3] == "q"
    return lemma + lemma[-1] if short or qu or lemma in _DOUBLE_LONG else lemma


def _with_ed(lemma: str) -> str:
    if lemma.endswith("e"):
        return lemma + "d"
    if lemma.endswith("y") and len(lemma) > 1 and lemma[-2] not in _VOWELS:
        return lemma[:-1] + "ied"
    return _stem(lemma) + "ed"


def _gerund(lemma: str) -> str:
    if lemma == "be":
        return "being"
    if lemma.endswith("ie"):
        return lemma[:-2] + "ying"
    if lemma.endswith("e") and not lemma.endswith(("ee", "oe", "ye")):
        return lemma[:-1] + "ing"
    return _stem(lemma) + "ing"


def guessed_lemma(word: str) -> tuple[str, Form] | None:
    """Return the lemma and form of a word that looks like an inflected verb, or None."""
    if word.endswith("ied") and len(word) > 4:
        return word[:-3] + "y", "past"
    if word.endswith("ed") and len(word) > 4:
        return (word[:-3] if word[-3] == word[-4] and word[-3] in _UNDOUBLED else word[:-2]), "past"
    if word.endswith("ing") and len(word) > 5:
        return (
            word[:-4] if word[-4] == word[-5] and word[-4] in _UNDOUBLED else word[:-3]
        ), "gerund"
    return None
