"""Deeds that nobody here can do: verbs the vocabulary does not know, or that no answer holds."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache

from commonground.grounding.english.tokens import stretch
from commonground.grounding.fidelity.clauses import Wording, shares_out
from commonground.grounding.fidelity.harm import ENDS, OBJECTS, PEOPLE, is_told
from commonground.grounding.fidelity.held import Held, nouns_of, wanted_acts
from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.fidelity.picks import LOOKING
from commonground.grounding.fidelity.verbs import DEEDS, ROAMING
from commonground.grounding.meaning import Act, Do, Thing
from commonground.grounding.words.closed import BE, HAVE, MODALS
from commonground.grounding.words.concepts import everyday
from commonground.grounding.words.layers import layer_of
from commonground.grounding.words.likeness import is_first_of_all, may_be_verb
from commonground.grounding.words.nouns import singulars, word_set
from commonground.grounding.words.refraining import REFRAINS
from commonground.grounding.words.tense import is_past
from commonground.grounding.words.verbs import guessed_lemma
from commonground.grounding.words.vocabulary import FUNCTION_WORDS, vocabulary

_REACHED = frozenset(["VISIT", "ENTER", "VIA", "EXPLORE", "AVOID", "OMIT", *LOOKING])
_GONE_TO = _REACHED | {"STAY", "END", "RETURN"}
_MOVE = frozenset(["MOVE"])
_IS = frozenset(["is", "are"])
"""``somebody's foot`` has no verb."""
_MEETING = word_set("find join meet")
_CHOOSING = word_set("pick choose select")
"""What is chosen is gone to by a verb of its own: ``pick a shed and go to it``."""
_WAYS = word_set(
    "to into onto toward towards through by past at in inside within on near beside around round over "
    "under along across between of off from with for next then also afterwards after before first last "
    "later finally plus not only all both just and or but so"
)
"""What leads to where somebody goes, where the verb is left out: ``Husky to the flag``, ``then the flag``."""
_WANTED = word_set("want wants need needs like have get should must has to")
"""Behind these a thing may be said to become something: ``I want the gate locked``."""
_TO_BE = word_set("needs need should must has have ought to be get")
_STATES = word_set("left")
"""Also a side."""
_BACK = word_set("it them this that these those both one")
_SOME = frozenset(["a", "an"])
_OWN = frozenset(["its", "their"])
"""Before what belongs to what was named: ``measure its height``."""
_HEARING = word_set("me us you")
_FINITE = BE | HAVE | MODALS | {"'s"}
"""Behind a word these say what that is or does: ``vans that are in the yard``, ``'cause it's late``."""
_RELATIVE = frozenset(["that", "which", "who", "where"])
_LEADING = frozenset(["to", ","])
"""What stands before a verb within what is told: ``send her to close it``, ``check it, close it``."""
_PREPOSITIONS = frozenset(
    [
        "AT", "INTO", "NEAR", "TO", "ALONG", "CROSS", "VIA", "EXCEPT", "FRONT", "OF_FROM", "PATH_WORD", "BUT",
        "HAVING", "AND", "DIR",
    ]
)  # fmt: skip
_ENDING = ENDS | {",", "", "and", "then", "before", "after", "or", "but", "for"}
_TOLD = word_set(
    "you we somebody someone anybody anyone everybody everyone , robots robot and please also"
)
PARTICLES = word_set("up down off out over apart away")
_CARRY = frozenset(["PICK_OR_PLACE"])
_CORE: Mapping[str, frozenset[str]] = {
    "inspect": word_set("inspect examine observe view survey look photograph"),
    "explore": word_set("explore search survey"), "go": word_set("visit"),
    "be": word_set("stay remain"), "place": word_set("put place lay"),
    "pick": word_set("seize clutch"), "take": word_set("seize clutch"),
}  # fmt: skip
"""What each deed is, in plain words; other verbs of the lists, to secure and to haul, may be more."""
KINDS: Mapping[str, frozenset[str]] = {
    "inspect": LOOKING | {"EXPLORE"}, "explore": LOOKING | {"EXPLORE"}, "place": _CARRY | {"PUT"},
    "go": frozenset(["MOVE", "VISIT", "ENTER"]), "be": frozenset(["STAY", "END"]),
    "pick": _CARRY | {"PICK"}, "take": _CARRY | {"PICK"},
}  # fmt: skip
"""Kinds of verbs for what answers do."""
_GIVES = word_set("give gives giving")
_GIVEN_UP_TO = word_set(
    ". ; , ! ? : and then but before after until while when because since if so"
)
_JOINING = frozenset(["and", "then"])
_ANY_DEED = frozenset(
    [
        "DO_IT",
        "GIVE_CHECK",
        "SAFE",
        "EYES",
        "HOLDING",
        "AVOID",
        "OMIT",
        "WIDE_BERTH",
        "LEAVE",
        "SHARE",
        "LOCATE",
        "SEE",
    ]
)
"""Whatever an answer does may be said with these."""
_NO_DEEDS = (
    _MEETING
    | REFRAINS
    | FUNCTION_WORDS
    | word_set(
        "do does take takes keep see tell because among about when whenever while since as until whatever "
        "share split divide send let make"
    )
)
"""What stands first and leads to a deed, or is said for any: ``Bert does the flag``."""
_NEAR = 5
"""So many words a noun phrase has, the article counted, up to its noun."""


def unheard_of(
    said: Wording, things: Collection[str] = (), done: Collection[Do] = ()
) -> Iterator[str]:
    """Yield what a text wants done to something by a verb that no list has; ``things`` are none.

    A verb that means about the same as one of a deed is taken for that where an answer does it.
    """
    parts = {word for name in things for word in name.replace("_", " ").split()}
    for at in range(len(said.words) - 1):
        end = _verb_end(said, at)
        verb = "-".join(said.words[at:end])
        if (
            _is_object(said, end, parts)
            and not _is_known(said, at, end, things)
            and _may_order(said, at)
            and is_told(said, at)
            and not any(means(verb, do) for do in done)
        ):
            yield f"no robot here can {verb}"
        yield from _given(said, at, things, done)


def _is_object(said: Wording, at: int, things: Collection[str]) -> bool:
    """Return whether something begins that a verb may be done to, and not only be said with.

    Nobody is told anything by ``excuse me``, nor by ``toss a coin``, where the map has none.
    """
    word, behind = said.word(at), said.word(at + 1)
    if word not in OBJECTS or behind in _FINITE or shares_out(said, at):
        return _before_deed(said, at)
    if word in PEOPLE:
        return word not in _HEARING or behind in OBJECTS
    if word in _BACK | _OWN:
        return True
    phrase = said.words[at : at + _NEAR + 1]
    return word not in _SOME or any(form in things for w in phrase for form in singulars(w))


def _verb_end(said: Wording, at: int) -> int:
    """Return where a verb ends that begins somewhere; hyphens may join it: ``de-ice the flag``."""
    rest = range(at + 1, len(said.tokens))
    return next((k for k in rest if not said.tokens[k].joined), len(said.tokens))


def _may_order(said: Wording, at: int) -> bool:
    """Return whether a word may be a verb that orders something: no name, no refraining, nothing told of."""
    word = said.words[at]
    named = said.tokens[at].kind != "word" or said.is_robot(word)
    return not (named or word in REFRAINS or _is_told_of(said, at) or _is_someone(said, at))


def _is_someone(said: Wording, at: int) -> bool:
    """Return whether a word that is no verb is who does something: ``Isak the smith has a cold``."""
    if may_be_verb(said.words[at]):
        return False
    rest = said.words[at + 1 : said.clause(at)[1]]
    own = rest[: next((k for k, word in enumerate(rest) if word in _RELATIVE), len(rest))]
    return not (_FINITE | _WANTED - {"to", "get", "like"}).isdisjoint(own[1:])


def _before_deed(said: Wording, at: int) -> bool:
    """Return whether a deed follows as what is done to it: ``resist going``, ``desist from going``."""
    word = said.word(at + (said.word(at) == "from"))
    return word.endswith("ing") and bool(phrases_in(said.tokens[at : at + 2], DEEDS))


@lru_cache(maxsize=1024)
def means(verb: str, do: Do) -> bool:
    """Return whether a verb that no list has means about what a deed is, before all else, by WordNet."""
    return any(is_first_of_all(base, _CORE.get(do, frozenset())) for base in _bases(verb))


def _bases(verb: str) -> set[str]:
    """Return the words that may be the base form of a verb."""
    guessed = guessed_lemma(verb)
    return {verb, *singulars(verb), *([guessed[0]] if guessed else [])}


def _given(said: Wording, at: int, things: Collection[str], done: Collection[Do]) -> Iterator[str]:
    """Yield a deed told as what something is given that nobody here can do: ``give the wall a wash``.

    Somebody may be given a thing.
    """
    somebody = said.word(at + 1) in PEOPLE
    if said.words[at] not in _GIVES or (somebody and not is_told(said, at)):
        return
    gift = _gift(said.words[at + 1 :])
    known = any(_is_word(word, things) or any(means(word, do) for do in done) for word in gift[1:])
    if gift and not known and not (somebody and everyday().senses(gift[-1])):
        yield f"no robot here can give anything {' '.join(gift)}"


def _gift(behind: list[str]) -> list[str]:
    """Return what follows who or what is given it, its article first; nothing without one."""
    end = next((k for k, word in enumerate(behind) if word in _GIVEN_UP_TO), len(behind))
    articles = (k for k in range(1, end) if behind[k] in ("a", "an"))
    first = next((k for k in articles if behind[k - 1] not in _WAYS), end)
    last = next((k for k in range(first + 1, end) if behind[k] in _WAYS), end)
    return behind[first:last] if last > first + 1 else []


def _is_known(said: Wording, at: int, end: int, things: Collection[str]) -> bool:
    """Return whether a list has a verb, or of a joined one what it says in the end: ``double-check``."""
    if end == at + 1:
        return _is_word(said.words[at], things)
    return bool(phrases_in(said.tokens[end - 1 : end], DEEDS))


def _is_word(word: str, things: Collection[str]) -> bool:
    return word in vocabulary()[1] or not {*singulars(word)}.isdisjoint(things)


def _is_told_of(said: Wording, at: int) -> bool:
    """Return whether a verb behind ``and`` says what somebody else does: ``he sits there and swears``."""
    words = said.words
    third = words[at].endswith("s") and not words[at].endswith("ss")
    if said.word(at - 1) in MODALS and at > 1 and not _may_be_told(said, at - 2):
        return True  # either will suit the boss
    if not third or said.word(at - 1) != "and":
        return False
    begin = stretch(words, at, ENDS)[0]
    return all(words[k + 1] == "," for k in range(begin, at) if said.is_robot(words[k]))


def _is_verb(said: Wording, at: int) -> bool:
    """Return whether a word stands where a text says what to do."""
    word = said.words[at]
    if said.tokens[at].kind != "word" or word in _WAYS or word.endswith("ly"):
        return False  # "and lastly the kitchen"
    if is_past(word) or (word.endswith("ing") and said.sentence(at)[0] == at):
        return False  # "got a piano here", "counting the bales"
    if _verb_end(said, at) == at + 1 and not any(map(may_be_verb, _bases(word))):
        return False  # "quick one before lunch", "likewise each of the bins"
    first = at - 1 if said.word(at - 1).endswith("ly") else at  # kindly switch it on
    return not said.is_robot(word) and (is_told(said, at) or is_told(said, first))


def _is_verb_within(said: Wording, at: int, end: int) -> bool:
    """Return whether a word is a verb within what a text says to do: ``send her to close the gate``.

    It stands before a thing that the answer does something with, or before a pronoun at the end.
    """
    before, alone = said.word(at - 1), said.word(end) in _BACK
    if said.word(at - 2) in _HEARING or (before == "," == said.word(end + 1)):
        return False  # allow me to bring up the van; one of you, bless it, goes
    if before not in _LEADING or (alone and said.word(end + 1) not in _ENDING):
        return False
    if said.tokens[end].kind == "number" or said.word(at - 2) in ("not", "never"):
        return False  # ward 7; be sure not to miss the flag
    if before == "," and said.word(end) == "them":
        return False  # bless them
    kinds = {kind for _, kind, *_ in vocabulary()[0].matches(said.words, at)}
    return may_be_verb(said.words[at]) and kinds.isdisjoint(_PREPOSITIONS)


def _goes(said: Wording, at: int, end: int, last: int, kinds: frozenset[str]) -> bool:
    """Return whether the words up to a thing may mean going there, or words behind it do.

    Who drives or parks *it* goes nowhere: only verbs of getting somewhere have a place right behind them.
    """
    tokens = said.tokens
    # the verb may have begun: "go see the barn"
    begin, start = said.clause(at)[0], tokens[at].start
    going = phrases_in(tokens[begin:last], kinds)
    verb = [one for one in going if one.start <= start < one.start + len(one.words)]
    moving = phrases_in(tokens[at:last], _MOVE)[:1]  # make your way
    verb += [one for one in moving if one.start == tokens[at].start and " " in one.words]
    whole = any(len(one.words.split()) >= end - at for one in verb)
    # what ends behind where the thing begins: "take up a post"
    beyond = tokens[end].start
    later = (
        one
        for one in phrases_in(tokens[at:last], _GONE_TO)
        if one.words not in _IS and one.start + len(one.words) > beyond
    )
    return whole or any(later) or said.words[at] in _MEETING


def _may_be_told(said: Wording, at: int) -> bool:
    """Return whether whoever stands before a modal verb is one that a text tells what to do."""
    word = said.words[at]
    return said.is_robot(word) or word in _TOLD or word in ENDS


def other_deeds(held: Held) -> Iterator[str]:
    """Yield what a text wants done by a verb that can mean no deed of an answer: ``open the barrel``.

    A model and a network take any verb for any deed, and pass over what they cannot place.
    """
    acts = wanted_acts(held.meaning)
    names = (w for thing in held.parts(Thing) for w in thing.noun.casefold().split())
    nouns = {form for word in names for form in singulars(word)}
    for at, word in enumerate(held.words if acts else ()):
        end = _object_behind(held, at)
        leads = word in _NO_DEEDS and held.word(end - 1) not in PARTICLES
        if end and not leads and nouns.isdisjoint(singulars(word)):
            yield from _other_deed(held, at, end, acts)
    yield from _wanted_states(held, acts)


def _other_deed(held: Held, at: int, end: int, acts: Collection[Act]) -> Iterator[str]:
    """Yield a verb that means none of what is done with the thing behind it.

    What is said of anything else is no reason to ask: ``toss a coin``, ``mind the splinters``.
    """
    phrase = held.words[end : min(end + _NEAR, held.clause(at)[1])]
    named = [act for act in acts if not {*nouns_of(act)}.isdisjoint(phrase)]
    known = not phrases_in(held.tokens[at:end], DEEDS) and any(map(everyday().senses, phrase))
    here = bool(named) or known or held.word(end) in _BACK | _OWN
    is_verb = here and (_is_verb(held, at) or _is_verb_within(held, at, end))
    if is_verb and not any(_can_mean(held, at, end, act.do) for act in named or acts):
        verb = held.text[slice(*held.span(at, end))]
        yield f"the text says '{verb}', which is nothing that the answer does"


def _wanted_states(held: Held, acts: Collection[Act]) -> Iterator[str]:
    """Yield what a text wants a thing to be that no deed makes it: ``I want the gate locked``."""
    for act in acts:
        for noun in held.once(nouns_of(act.what)):
            begin, end = held.clause(noun)
            at = next((k for k in range(noun + 1, end) if held.words[k] not in _TO_BE), end)
            word, wanted = held.word(at), held.words[begin:at]
            if word in _STATES | BE or not is_past(word) or _WANTED.isdisjoint(wanted):
                continue
            kinds = _GONE_TO if act.do in ROAMING else KINDS.get(act.do, frozenset())
            if not phrases_in(held.tokens[at:end], kinds | _ANY_DEED) and not means(word, act.do):
                yield f"the text wants it '{word}', which is nothing that the answer does"


def _object_behind(held: Held, at: int) -> int:
    """Return where what a verb is done to begins; 0 where no verb stands there, or it leads somewhere."""
    end = _verb_end(held, at)
    if held.tokens[at].kind != "word" or _is_told_of(held, at) or shares_out(held, end):
        return 0
    end += held.word(end) in PARTICLES
    objects = OBJECTS - PEOPLE | {"them"}
    pointed = held.word(end) in objects and held.word(end + 1) not in _FINITE
    if held.word(end) == "both" and held.word(end + 1) in ENDS:
        return 0  # morning both
    if held.word(end + 1) == "of" and held.word(end + 2) in _HEARING:
        return 0  # go each of you
    counted = end < len(held.words) and held.tokens[end].kind in ("symbol", "number")
    return end if pointed or (counted and not layer_of(held.words[at])) else 0


def _can_mean(said: Wording, at: int, end: int, do: Do) -> bool:
    """Return whether a verb, or what follows in its clause, may say what an answer does, maybe elsewhere."""
    words, tokens = said.words, said.tokens
    last = len(words) if words[at] in _CHOOSING else said.clause(at)[1]
    if words[at] not in _CHOOSING:
        deeds = (
            k for k in range(end + 1, last) if words[k - 1] in _JOINING and words[k] not in OBJECTS
        )
        last = next(deeds, last)
    if do in ROAMING and _goes(said, at, end, last, _REACHED):
        return True
    kinds = frozenset() if do in ROAMING else KINDS.get(do, frozenset())
    known = phrases_in(tokens[at:last], kinds | _ANY_DEED)
    new = (word for word in words[at:end] if word not in vocabulary()[1])
    return bool(known) or any(means(word, do) for word in new)
