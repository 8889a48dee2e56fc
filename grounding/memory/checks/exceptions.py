"""What a text excepts from all it tells of: ``everyone but Ann is here``, ``bar the jug, all of it went``.

What is named behind a word of exception is left as it is by the rest of its clause. A reading that changes
it all the same is no reading, whoever made it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from commonground.grounding.english.faithful import NEGATIONS
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.ontology.linking import Calling
from commonground.grounding.memory.ontology.name_words import Words, words_of
from commonground.grounding.memory.retrieval.query import Mention, mentions_in, telling
from commonground.grounding.words.nouns import word_set

_SENTENCES = re.compile(r"[.!?;:](?:\s|$)|[–—]")
_SURELY = re.compile(
    r"\b(?:with the exception of|except(?:ing)?(?: for)?|excluding|barring|minus|apart from|aside from"
    r"|other than|save for|not counting|leaving out)\s+(?!that\b|when\b|where\b|what\b)",
    re.I,
)
_PERHAPS = re.compile(r"\b(?:but|save|bar)\s+(?:not\s+)?(?=\w)", re.I)
"""Words that mean something else, too: they except where all is named right before or no more follows."""
_BEGINNING = re.compile(r"\s*(?:save|bar)\s+(?=(?:the|my|his|her|our|their)\s|[A-Z])[^,]*,", re.I)
_ALL = word_set("all everyone everybody everything anyone anybody anything every each any whatever")
_NONE = NEGATIONS | word_set("nobody nothing none no neither nowhere never")
_JOINING = word_set("and or nor plus")
_BETWEEN = _JOINING | word_set("of the a an my your his her our their its 's for one ones")
_COMMA = re.compile(r",\s+(?!and\b|or\b|but\b)")
"""Joins what is excepted in the end: ``all of it, bar the jug, the pan and the pot``."""
_TAKING_UP = word_set("which who whom that it this he she they them these those him her")


def excepted_in(text: str, changed: Iterable[Fact], calling: Calling) -> list[str]:
    """Return what a change is about though a text excepts it.

    What the text takes up again may change, but not to what becomes of the others.
    """
    facts, found = [*changed], list[str]()
    for spared, again in _spared(text, calling):
        rest = {(f.relation, f.object) for f in facts if f.subject not in spared}
        of_it = (f for f in facts if f.subject in spared)
        found += [f.subject for f in of_it if not again or (f.relation, f.object) in rest]
    return [*dict.fromkeys(found)]


def _spared(text: str, calling: Calling) -> Iterator[tuple[set[str], bool]]:
    """Yield what each sentence excepts, and whether it takes that up again."""
    for sentence in _SENTENCES.split(text):
        for end in _exceptions(sentence, calling):
            before = words_of(_PERHAPS.sub(" ", _SURELY.sub(" ", sentence[:end])))
            all_of = _ALL.isdisjoint(before) or _NONE.intersection(before)
            if all_of and not _NONE.isdisjoint(
                words_of(_PERHAPS.sub(" ", _SURELY.sub(" ", sentence)))
            ):
                continue  # "nobody but Ann is here" tells of her
            after = words_of(_COMMA.sub(" and ", sentence[end:]) if before else sentence[end:])
            listed = _listed(after, calling)
            spared = {t for m in listed for t in _meant(m, after, calling)}
            rest = after[listed[-1].end :] if listed else ()
            again = not _TAKING_UP.isdisjoint(rest)
            named = mentions_in(" ".join(rest), calling)
            if spared:
                yield spared, again or any(spared & _meant(m, rest, calling) for m in named)


def _exceptions(sentence: str, calling: Calling) -> Iterator[int]:
    """Yield where words of exception end."""
    yield from (found.end() for found in _SURELY.finditer(sentence))
    for found in _PERHAPS.finditer(sentence):
        before, part = words_of(sentence[: found.start()]), sentence[found.end() :]
        words = words_of(re.split("[,;]", part)[0])
        listed = _listed(words, calling)
        ends = bool(listed) and listed[-1].end == len(words)
        begins = not before and _BEGINNING.match(sentence) is not None
        if begins or _is_all(before, calling) or (ends and not _ALL.isdisjoint(before)):
            yield found.end()


def _is_all(words: Words, calling: Calling) -> bool:
    """Return whether words end with what names all of something: ``all the crates``."""
    last = max((at for at, word in enumerate(words) if word in _ALL), default=None)
    if last is None:
        return False
    kept = words[last + 1 :]
    named = {n for m in mentions_in(" ".join(kept), calling) for n in range(m.start, m.end)}
    return all(at in named or word in _BETWEEN for at, word in enumerate(kept))


def _listed(words: Words, calling: Calling) -> list[Mention]:
    """Return the phrases that words begin with: ``the jug and the pan``."""
    found, at = list[Mention](), 0
    for mention in _mentions(words, calling):
        between = words[at : mention.start]
        if not _BETWEEN.issuperset(between) or (found and _JOINING.isdisjoint(between)):
            break
        found.append(mention)
        at = mention.end
    return found


def _mentions(words: Words, calling: Calling) -> list[Mention]:
    """Return the phrases for things, people and robots in words."""
    robots = {words_of(calling.names.things[r].name): r for r in calling.names.robots}
    found = mentions_in(" ".join(words), calling)
    for name, robot in robots.items():
        at = next((n for n in range(len(words)) if words[n : n + len(name)] == name), None)
        if at is not None and not any(m.start <= at < m.end for m in found):
            found.append(Mention(at, at + len(name), " ".join(name), {robot}, set(), set()))
    return sorted(found, key=lambda m: m.start)


def _meant(mention: Mention, words: Words, calling: Calling) -> set[str]:
    """Return what a phrase may mean: by its noun, or only by whose it is or what it is like."""
    names = calling.names
    if mention.things:
        return telling(mention, names) or mention.things
    if mention.qualities:
        return {t for t, n in names.names.items() if n.attributes >= mention.qualities}
    if words[mention.end : mention.end + 1] == ("'s",):
        return {t for t, n in names.names.items() if n.owner in mention.people}
    return mention.people
