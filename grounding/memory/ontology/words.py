"""Words as the domain's names have them: tokens of a text, lemmas, and what describes a state."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

import yaml

from commonground.grounding.memory.english.lexicon import guess_verb, load_lexicon
from commonground.grounding.memory.english.state_words import State
from commonground.grounding.memory.english.tokens import Token, sentences
from commonground.grounding.memory.english.words import BE
from commonground.grounding.words.likeness import has_meaning, likeness
from commonground.grounding.words.nouns import singular, word_set
from commonground.grounding.words.numbers import count_of, rank_of

TITLES = frozenset(["mr", "mrs", "ms", "miss", "dr", "prof", "st", "mister", "doctor", "professor"])
_BRACKETS = str.maketrans("()[]", "    ")
_TITLE = re.compile(rf"\b({'|'.join(sorted(TITLES))})\.\s", re.IGNORECASE)

COPULAS = BE - {"'s"}
AUXILIARIES = COPULAS | word_set("has have had having do does did got get gets getting")
NEGATIONS = frozenset(["not", "never", "no", "neither", "nor", "without"])
MODALS = word_set("will would can could may might must shall should ought")
TO = word_set("to in into inside on onto aboard at upon within around for with against over under")
FROM = frozenset(["from", "off", "out"])
PARTICLES = frozenset(["on", "off", "up", "down", "out", "in", "away", "back", "over"])
DETERMINERS = word_set("the a an this that these those my our your yon yonder")
EVERY = frozenset(["all", "every", "each", "both"])
GENERAL = word_set("everybody everyone nobody everything anything nothing whatever something")
"""Words for all or none, which name nothing by themselves."""
OPPOSITE = {"up": "down", "down": "up", "on": "off", "off": "on", "in": "out", "out": "in"}
PERSONAL = word_set("he she him her they them his their it its hers theirs")
_GIVING = 0.6
"""A verb that is more like giving or getting tells that something changes hands."""
_SHORTEST = 4
"""No longer words begin with a syllable of their own: ``read``, ``unit``."""
OF_IT = frozenset(["his", "her", "its", "their"])
ENDED = frozenset(["done", "complete", "completed", "completes", "finished", "finishes"])
"""What is said of any work that came to its end."""
TRANSFERS = word_set("place take hold give receive go transport leave release")
"""The classes of verbs for moving and having things, whatever these are, and oneself."""
FILLING = (
    word_set(
        "now just again already still too also then there here so and but as well of any more "
        "anymore longer please to today have has had be that by self itself himself herself "
        "themselves finally later currently fully completely right away back somebody someone "
        "sure through along across over up down"
    )
    | AUXILIARIES
    | DETERMINERS
    | TO
    | FROM
)
"""Words that say nothing of what is so."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a sentence; ``'s`` is one of its own."""

    text: str
    capital: bool = False


def sentences_of(text: str) -> list[list[Word]]:
    """Return the sentences of a text; titles end none, and numbers in words are left as they are."""
    plain = _TITLE.sub(r"\1 ", text).translate(_BRACKETS)
    return [
        [Word(w, t.capital) for t in tokens if t.text != '"' for w in _apart(t)]
        for tokens in sentences(plain)
    ]


def _apart(token: Token) -> list[str]:
    """Return the parts of a word with hyphens, as names have them."""
    return [token.text] if token.is_mark else [w for w in token.text.split("-") if w]


@lru_cache(maxsize=1 << 14)
def lemmas(word: str) -> frozenset[str]:
    """Return what a word can be a form of, itself included."""
    found = {word, singular(word), *load_lexicon().lemmas(word)}
    if word.endswith("wn") and word[:-1] != "o":
        found.add(word[:-1])  # "sown"
    if word not in load_lexicon().forms:
        guessed = guess_verb(word)
        if guessed is not None:
            found |= {guessed[0], guessed[0] + "e"}
            if guessed[0][-2:-1] == guessed[0][-1:]:
                found.add(guessed[0][:-1])  # "labelled"
    return frozenset(found)


def alike(one: str, other: str) -> bool:
    """Return whether two words are forms of one."""
    return bool(lemmas(one) & lemmas(other))


def tells_same(one: str, other: str) -> bool | None:
    """Return whether what two words tell is the same, or the contrary (False); None where it is neither."""
    if alike(one, other) or alike(_once(one), _once(other)):
        return True
    pairs = ((one, other), (other, one))
    if any(len(a) > _SHORTEST and a[:-1] == b and a.endswith("y") for a, b in pairs):
        return True  # "a mess" is messy
    undone = any(a.startswith("un") and len(a) > _SHORTEST and alike(a[2:], b) for a, b in pairs)
    return False if undone or one == OPPOSITE.get(other) else None


_OTHER = 0.55
_ENDINGS = frozenset(["off", "out", "up", "down"])
"""Particles by which a verb means another thing; ``back`` and ``in`` only say where to."""


@lru_cache(maxsize=1 << 13)
def near(one: str, other: str, particles: frozenset[str] = frozenset()) -> float:
    """Return how much alike forms of two words are in what they mean, or how opposite.

    ``particles`` may belong to the first one: what burns out breaks.
    """
    phrases = {f"{a} {p}" for a in lemmas(one) for p in particles & _ENDINGS}
    pairs = ((a, b) for a in {*filter(has_meaning, phrases)} or lemmas(one) for b in lemmas(other))
    return max((likeness(a, b) for a, b in pairs), key=abs, default=0.0)


def _once(word: str) -> str:
    """Return a word without the syllable for doing it again."""
    return word[2:] if word.startswith("re") and len(word) > _SHORTEST else word


def is_participle(word: str) -> bool:
    """Return whether a word can be the past participle of a verb."""
    known = load_lexicon().lemmas(word)
    if known:
        return any("participle" in forms for forms in known.values())
    guessed = guess_verb(word)
    return guessed is not None and guessed[1] == "past"


def is_going_on(word: str) -> bool:
    """Return whether a word is a verb with ``-ing``, which ``bring`` is not."""
    return word.endswith("ing") and lemmas(word) != {word}


@lru_cache(maxsize=1 << 12)
def classes_of(word: str, particles: frozenset[str]) -> frozenset[str]:
    """Return the classes of a verb, with any of some particles or without."""
    lexicon, found = load_lexicon(), set[str]()
    for lemma in lemmas(word):
        for rest in [(), *((p,) for p in particles)]:
            verb = lexicon.verb(lemma, rest)
            found |= verb.classes if verb is not None else set()
    return frozenset(found)


@lru_cache(maxsize=1 << 12)
def classes_by_likeness(verb: str) -> frozenset[str]:
    """Return what a verb is like: to part with a thing, as to sell it, or to get one, as to adopt it."""
    gives, gets = near(verb, "give"), min(near(verb, "get"), near(verb, "acquire"))
    alike_ = {"sell"} if gives > _GIVING and gives > gets else {"take"} if gets > _GIVING else ()
    return frozenset(alike_)


@lru_cache(maxsize=1 << 12)
def states_of(word: str, particles: frozenset[str] = frozenset()) -> frozenset[State]:
    """Return the states that a word describes or, as a verb, brings about."""
    lexicon, found = (
        load_lexicon(),
        {*load_lexicon().states.get(word, ()), *_more_words().get(word, ())},
    )
    for lemma in lemmas(word):
        for rest in [
            *((p,) for p in sorted(particles)),
            *([] if _is_other(lemma, particles) else [()]),
        ]:
            verb = lexicon.verb(lemma, rest)
            more = _more_verbs().get((lemma, *rest), ())
            if (verb is not None and verb.states) or more:
                turned = {*(verb.states if verb is not None else ()), *more}
                found |= {s for s in turned if State(s.concepts, not s.positive) not in found}
                break
    return frozenset(found)


def _is_other(verb: str, particles: frozenset[str]) -> bool:
    """Return whether a verb means something else with a particle: what has burnt out does not burn."""
    phrases = (f"{verb} {p}" for p in particles & _ENDINGS)
    return any(has_meaning(p) and likeness(p, verb) < _OTHER for p in phrases)


@cache
def _more_verbs() -> dict[tuple[str, ...], list[State]]:
    return {tuple(phrase.split()): states for phrase, states in _more("verbs").items()}


@cache
def _more_words() -> dict[str, list[State]]:
    return _more("words")


def _more(kind: str) -> dict[str, list[State]]:
    """Return the states of things in domains by the verbs or the words for them."""
    text = (files(__package__) / "states.yaml").read_text(encoding="utf-8")
    found: dict[str, list[State]] = {}
    for concept, poles in yaml.safe_load(text).items():
        for pole, lists in poles.items():
            for phrase in lists[kind]:
                found.setdefault(phrase, []).append(State((concept,), pole == "positive"))
    return found


def is_verb(word: str) -> bool:
    """Return whether a word is a form of a verb that the lexicon knows."""
    return bool(load_lexicon().lemmas(word))


@cache
def ordinal(word: str) -> int | None:
    """Return the number of an ordinal such as ``third`` or ``3rd``."""
    return rank_of(word)


@lru_cache(maxsize=1 << 12)
def belongs(verb: str, particle: str) -> bool:
    """Return whether a particle right after a verb is a part of it: ``turned on the light``."""
    if particle not in PARTICLES - {"in"}:
        return False
    for lemma in lemmas(verb):
        known = load_lexicon().verb(lemma, (particle,))
        if known is not None:
            switched = any(s.concept in ("power", "flow", "sound") for s in known.states)
            return switched or particle not in ("on", "over") or "receive" in known.classes
    return False


@lru_cache(maxsize=1 << 12)
def says_nothing(word: str) -> bool:
    """Return whether a word is an adverb that tells how or when, and changes nothing."""
    return (
        load_lexicon().adverbs.match([word], 0) == 1
        or load_lexicon().sequence.match([word], 0) == 1
    )


def number_in(word: str) -> str:
    """Return the number a word states, in digits; '' for none."""
    if word.isdigit():
        return str(int(word))
    counts = len(word) > 2 and word.isalpha() and (word not in FILLING or word == "one")
    count = count_of(word) if counts else None
    return str(count) if count is not None and count < 100 and word != "both" else ""
