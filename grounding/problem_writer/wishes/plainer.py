"""A command in plainer words, before any reader takes it: frames, complaints, machines and what they do."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from commonground.grounding.language.frames import unframed, untimed
from commonground.grounding.language.mentions import Mention
from commonground.grounding.language.put_right import put_right
from commonground.grounding.meaning import Thing, things_in
from commonground.grounding.memory.english.spelling import common_words
from commonground.grounding.problem_writer.vocabulary import command_words
from commonground.grounding.problem_writer.wishes.account import OPPOSITE, Accounts
from commonground.grounding.problem_writer.wishes.complaints import Complaints
from commonground.grounding.problem_writer.wishes.demands import DETERMINERS, state_verbs
from commonground.grounding.problem_writer.wishes.fetching import brought
from commonground.grounding.problem_writer.wishes.heads import orders
from commonground.grounding.problem_writer.wishes.home import TOOLS, WORK, Home
from commonground.grounding.problem_writer.wishes.likeness import likeness
from commonground.grounding.words.contractions import with_apostrophes
from commonground.grounding.words.numbers import rank_of
from commonground.grounding.words.spelling import Speller

_LIKE_THAT = r"(?P<what>(?:(?!\b(?:in|on|to)\b)[^.,;:!?])+?)\s+(?P<in>in|on)\s+(?:the|a|my|our)\s+"
_UNTIL_DONE = (
    r"(?:put|pop|stick|bung|shove)"
    r"(?=[^!?.;]*\b(?:when|once|until|till)\s+it(?:['’]s|\s+is)\s+(?:done|ready)\b)"
)
_DONE_IN = re.compile(
    rf"\b(?P<verb>do|{_UNTIL_DONE})\s+{_LIKE_THAT}(?P<where>[a-z]+(?:\s+(?:machine|oven|pan|basin))?)\b",
    re.IGNORECASE,
)
"""``do the potato in the microwave``, ``pop it in the toaster, and once it's done …``."""
_QUALITY = r"(?:nice|hot|fresh|strong|good|proper|lovely|black|quick|decent|warm|little|big)"
_AMOUNT = r"(?:(?:bit|bite|cup|mug|slice|piece|round|spot|drop)s?\s+of\s+)"
_SOME = rf"(?:(?:an?|one|some|any)\s+)?(?:{_QUALITY}\s+)*{_AMOUNT}?(?:{_QUALITY}\s+)*"
_FOR_US = re.compile(
    r"\b(?P<verb>make|do|get|fix|brew|cook|knock up|rustle up|prepare)\s+(?:me|us|him|her|them)\s+"
    r"(?=(?:an?|some|one|two)\b)",
    re.IGNORECASE,
)
"""``make me a coffee``."""
_PRODUCT = re.compile(
    rf"\b(?:(?:(?:I|we|he|she|they)(?:['’]d|\s+would)?\s+)?(?:like|want|need)|make|do|get|fix|prepare|have)\s+{_SOME}"
    rf"(?P<what>toast)\b(?!\s+(?:rack|the|it)\b)(?:\s+(?:from|(?:out\s+)?of|with|using)\s+(?:the|some|my|our)\s+bread(?:\s+loaf)?\b)?",
    re.IGNORECASE,
)
"""``do me a bit of toast``: what comes of something that the house has."""
_COFFEE = re.compile(
    rf"\b(?P<verb>make|brew|prepare|get|fix)\s+{_SOME}(?P<what>coffee)\b(?!\s+(?:machine|table|mug|maker|cup|pot|going)\b)(?P<where>\s+in(?:to)?\b)?",
    re.IGNORECASE,
)
_TABLE = re.compile(
    r"\b(?:set|lay)\s+(?:the|a)\s+(?P<table>(?:[a-z]+\s+)?table)(?:\s+for\s+[a-z]+)?"
    r"(?:\s*[.?!:;,–—-]+\s*(?:just|only|with)\s+|\s+with\s+(?:just\s+|only\s+)?)(?P<what>(?:an?|the|one|two|three|four)\s[^.;!?]+)",
    re.IGNORECASE,
)
"""``set the table with a plate and a fork``: with that, and not with what is usual."""
_UP, _DOWN = (
    r"(?:raise|lift|pull up|roll up|draw up)",
    r"(?:lower|pull down|let down|roll down|put down)",
)
_MOVED = re.compile(
    rf"\b(?:(?P<up>{_UP})|(?P<down>{_DOWN})|(?:let|pull|put|roll|draw)(?=\s+(?:\w+\s+){{1,3}}(?:up|down)\b))\s+"
    r"(?P<what>(?:the|my|our|both|all)\s+(?:[a-z]+\s+)?(?P<noun>[a-z]+))(?:\s+(?P<way>up|down)\b)?",
    re.IGNORECASE,
)
"""``raise the blinds``, ``let the blinds down``."""
_WHEN_SO = re.compile(
    r"(?P<before>^|[.;!?,]\s*|\s)(?:(?:and\s+)?(?:when|once|after|as soon as))\s+(?:it|they|that)"
    r"(?:['’](?:s|re)|\s+(?:is|are))(?:\s+all)?\s+(?P<state>[a-z]+)\b,?",
    re.IGNORECASE,
)
"""``when it's cooked``, said of what is to be cooked anyway."""
_ONCE_DONE = re.compile(
    r"(?P<before>^|[.;!?,]\s*(?:and\s+)?)?\s*\b(?:when|once|after|as soon as)\s+(?:it|they|that|you)"
    r"(?:['’](?:s|re|ve)|\s+(?:is|are|have))(?:\s+(?:all|both))?\s+(?:in|inside|there|back|done|finished|ready)"
    r"(?:\s+(?:there|it|with it))?(?=\s*(?:[.,;!?]|$)),?",
    re.IGNORECASE,
)
"""``close it when they're in``: what comes before is done by then."""
_MEANWHILE = re.compile(
    r"\bwhile\s+(?:you|we)(?:['’]re|\s+are)\s+(?:at\s+it|about\s+it|there|up|in\s+there),?\s*(?=[a-z])",
    re.IGNORECASE,
)
"""``and while you're at it rinse the mug``."""
_DRINK = re.compile(
    r"\b(?:(?:put|bring|get|fetch|leave|stand|pour|have)\s+(?:me\s+|us\s+|him\s+|her\s+|them\s+)?)?(?:an?|one|some)\s+"
    r"(?P<vessel>[a-z]+)\s+of\s+(?:cold\s+|fresh\s+|plain\s+)*(?:tap\s+)?water"
    r"(?:\s+(?:over\s+)?(?P<how>on|in|to)(?P<where>\s+the\s+[a-z]+(?:\s+table)?))?",
    re.IGNORECASE,
)
"""``a cup of water on the table``: that takes filling."""
_MEANT_FOR = re.compile(
    r"(?:['’](?:s|re)|\s+(?:is|are))\s+(?:only\s+|just\s+|really\s+|about\s+|now\s+)*"
    r"(?:(?:fit|ready|meant|destined|bound|due|good)\s+(?:only\s+)?)?for\s+(?P<where>(?:the|a)\s+(?P<noun>[a-z]+(?:\s+(?:table|can|bin))?))\b",
    re.IGNORECASE,
)
"""``it's only fit for the bin``: there it goes."""
_BY_HIM = re.compile(
    r"\bthere\s+(?:next\s+to|beside|by|with|for)\s+(?:him|her|them|me|us)\b", re.IGNORECASE
)
_STANDING = re.compile(
    r"(?P<what>\b(?:leave|put|have)\s+(?:it|them|(?:the|my|our)\s+[a-z]+(?:\s+[a-z]+)?))\s+(?:lying|standing|sitting|hanging|resting)"
    r"(?=\s+(?:there|on|in|under)\b)",
    re.IGNORECASE,
)
"""``leave it standing there``: put it there, whatever way."""
_REMINDING = re.compile(
    r"\b(?:(?:do\s+)?remember|(?:do\s+not|don['’]t|never)\s+(?:you\s+)?forget|be\s+sure|make\s+sure)\s+(?:you\s+|to\s+)+",
    re.IGNORECASE,
)
"""``don't forget to turn it off``: turn it off."""
_THAT_ONE = re.compile(r"\b(?:that|this) one(?=\s+(?:again|too|as well)\b|\s*(?:[.,;!?]|$))", re.I)
_USING = re.compile(
    r"\b(?:use|take|using)\s+(?P<tool>(?:the|an?|my|our|some)\s+(?P<noun>[a-z]+(?:\s+[a-z]+)?))\s+(?:to|and)\s+"
    r"(?P<verb>[a-z]+)(?P<rest>\s[^.,;:!?]+?)(?=\s+(?:and|then)\b(?!\s+(?:the|an?|some)\b)|\s*[.,;:!?]|$)",
    re.IGNORECASE,
)
"""``use the microwave to heat the egg``."""
_BY_TOOL = re.compile(
    r"\b(?P<verb>[a-z]+)(?P<what>\s(?:(?!\b(?:and|then|with)\b)[^.,;:!?])+?)\s+(?:with|using)\s+(?:the|an?|my|our|some)\s+"
    r"(?P<noun>[a-z]+(?:\s+[a-z]+)?)(?=\s*(?:[.,;:!?]|and\b|then\b|$))",
    re.IGNORECASE,
)
"""``slice the apple with the knife``: what it takes to slice goes without saying."""
_FIRST = re.compile(
    r"(?P<before>(?:^|[.;!?]|\b(?:and|then|please))\s*)(?P<word>[a-z]{4,})(?=\s)", re.IGNORECASE
)
"""The first word of a clause, which may be a verb."""
_RANKED = re.compile(
    r"\b(?:the\s+)?(?P<rank>[a-z]+)\s+robot\b(?!\s+(?:that|who|which))", re.IGNORECASE
)
"""``the first robot``."""
_TOPIC = re.compile(
    r"(?P<before>(?:^|[.;!?])\s*)(?P<topic>(?:the\s+)?(?P<noun>[a-z]+(?:\s[a-z]+)?))\s*[:–—]\s*"
    r"(?P<verb>(?P<first>[a-z]+)(?:\s(?:up|down|on|off|out|away))?)(?=\s*(?:[.,;!?+&]|$|\b(?:and|then|till|until|when)\b))",
    re.IGNORECASE,
)
"""``kettle: fill.``"""
_MOOT = re.compile(
    r"[\s,]*\bif\s+(?:it|they|the\s+[a-z]+(?:\s+[a-z]+)?)(?:['’](?:s|re)|\s+(?:is|are))(?:\s+(?:still|already|not))?"
    r"\s+(?P<state>[a-z]+)\b,?",
    re.IGNORECASE,
)
"""``turn it on if it's off``."""


def plainer(text: str, home: Home) -> str:
    """Return a command as it would be said plainly."""
    robots = home.graph.robots()
    text = _RANKED.sub(lambda found: _by_rank(found, robots), with_apostrophes(text))
    text = put_right(
        text, lambda said: _mentions(said, home), lambda one: _layer(one, home), robots
    )
    text = _TOPIC.sub(lambda found: _of_topic(found, home), _spelled(text, home))
    text = _REMINDING.sub("", _MEANWHILE.sub("", text))
    text = _MEANT_FOR.sub(lambda found: _goes_there(found, home), text)
    text = _DRINK.sub(lambda found: _filled(found, home), text)
    text = _BY_TOOL.sub(
        lambda found: _by_hand(found, home), _USING.sub(lambda f: _used(f, home), text)
    )
    text = _STANDING.sub(r"\g<what>", _BY_HIM.sub("there", text))
    text = brought(text, home)
    text = untimed(unframed(_done_in(text, home), robots))
    text = _ONCE_DONE.sub(lambda found: f"{found['before']}then" if found["before"] else "", text)
    text = _THAT_ONE.sub("it", _FOR_US.sub(lambda found: f"{found['verb']} ", text))
    if home.present(["Bread"]):
        text = _PRODUCT.sub("toast the bread", text)
    mug = "mug" if home.present(["Mug"]) else "cup"
    text = _COFFEE.sub(lambda found: f"make coffee{found['where'] or f' in a {mug}'}", text)
    text = _TABLE.sub(lambda found: f"put {found['what']} on the {found['table']}", text)
    text = _MOVED.sub(lambda found: _opened(found, home), text)
    accounts = Accounts(text, home)
    text = _in_turn(_without_moot(text, accounts), accounts)
    accounts = Accounts(text, home)
    return Complaints(text, accounts).cure() or text


def _mentions(text: str, home: Home) -> list[Mention]:
    """Return the things of a house that a text names, with their articles."""
    accounts, found = Accounts(text, home), []
    for one in accounts.named:
        at = next(
            (n for n in range(one.start - 1, one.start - 4, -1) if _begins(accounts, n)), one.start
        )
        start, end = accounts.tokens[at].start, accounts.tokens[one.end - 1].end
        found.append(Mention(start, end, Thing(noun=accounts.said(one))))
    return found


def _begins(accounts: Accounts, at: int) -> bool:
    return at >= 0 and accounts.words[at] in DETERMINERS


def _layer(mention: Mention, home: Home) -> str:
    """Tell what is carried and what stays where it is apart."""
    nouns = (home.nouns.find(thing.noun) for thing in things_in(mention.what))
    types = [kind for noun in nouns if noun is not None for kind in noun.types]
    return "carried" if home.usually(types, "pickupable") else "fixed"


def _done_in(text: str, home: Home) -> str:
    """Return a text in which what is done in a machine or a basin is said by what that does."""

    def said(found: re.Match[str]) -> str:
        noun = home.nouns.named(found["where"])
        verb = next((WORK[kind] for kind in (noun.types if noun else ()) if kind in WORK), "")
        idle = not verb or (verb not in ("cook", "toast") and found["verb"].lower() != "do")
        return found[0] if idle else verb + found[0][len(found["verb"]) :]

    return _DONE_IN.sub(said, text)


def _without_moot(text: str, accounts: Accounts) -> str:
    """Return a text without conditions that hold wherever there is anything to do."""
    moot = _MOOT.search(text)
    if moot is None:
        return text
    inside = [
        (ask.state, moot.start() <= accounts.tokens[at].start < moot.end())
        for at, ask in accounts.asked
    ]
    there = {state for state, held in inside if held}
    asked = {state for state, held in inside if not held}
    opposite = there and asked == {OPPOSITE.get(state, "") for state in there}
    return text[: moot.start()] + text[moot.end() :] if opposite else text


def _in_turn(text: str, accounts: Accounts) -> str:
    """Return a text in which what waits for a state that is asked for before comes next."""

    def said(found: re.Match[str]) -> str:
        known = likeness(found["state"])
        start = accounts.tokens
        before = {
            ask.state
            for at, ask in accounts.asked
            if at < len(start) and start[at].end <= found.start() + 1
        }
        return f"{found['before']}then" if known is not None and known.goal in before else found[0]

    return _WHEN_SO.sub(said, text)


def _of_topic(found: re.Match[str], home: Home) -> str:
    """Return an order for what stands before a colon."""
    what = found["topic"] if found["topic"].lower().startswith("the ") else f"the {found['topic']}"
    fits = home.nouns.named(found["noun"]) and found["first"].lower() in orders()
    return f"{found['before']}{found['verb']} {what}" if fits else found[0]


def _goes_there(found: re.Match[str], home: Home) -> str:
    """Return what is fit for a place as what goes there, if things are kept there."""
    noun = home.nouns.named(found["noun"])
    types = noun.types if noun is not None else ()
    holds = home.usually(types, "receptacle") and not home.usually(types, "pickupable")
    return f" goes in {found['where']}" if holds else found[0]


def _filled(found: re.Match[str], home: Home) -> str:
    """Return what is wanted full of water as what is to be filled and put there."""
    noun = home.nouns.named(found["vessel"])
    if noun is None or not home.usually(noun.types, "fillable"):
        return found[0]
    how = "in" if found["how"] and found["how"].lower() == "in" else "on"
    there = f" and put the {found['vessel']} {how}{found['where']}" if found["where"] else ""
    return f"fill the {found['vessel']} with water{there}"


def _spelled(text: str, home: Home) -> str:
    """Return a text with the verbs that begin its clauses as they were meant to be spelled."""

    def said(found: re.Match[str]) -> str:
        word = found["word"].casefold()
        known = word in orders() or word in common_words() or home.nouns.named(word)
        robot = any(word == robot.casefold() for robot in home.graph.robots())
        return (
            found[0]
            if known or robot
            else found["before"] + (_speller().correct(word) or found["word"])
        )

    return _FIRST.sub(said, text)


@cache
def _speller() -> Speller:
    """Return what corrects the single verbs of commands."""
    return Speller(
        word for verbs in command_words().verbs.values() for word in verbs if " " not in word
    )


def _by_rank(found: re.Match[str], robots: Sequence[str]) -> str:
    """Return the name of ``the first robot``."""
    at = rank_of(found["rank"].lower())
    return robots[at - 1] if at and len(robots) >= at and len(robots) > 1 else found[0]


def _used(found: re.Match[str], home: Home) -> str:
    """Return what something is used for as what is done in it, or with it."""
    noun = home.nouns.named(found["noun"])
    done = state_verbs().get(found["verb"].lower())
    if noun is None or not done:
        return found[0]
    how = "in" if any(kind in WORK for kind in noun.types) else "with"
    return f"{found['verb']}{found['rest']} {how} {found['tool']}"


def _by_hand(found: re.Match[str], home: Home) -> str:
    """Return what is done with the tool for it as what is done."""
    noun = home.nouns.named(found["noun"])
    tools = TOOLS.get(state_verbs().get(found["verb"].lower(), ""), frozenset())
    return f"{found['verb']}{found['what']}" if noun and tools.issuperset(noun.types) else found[0]


def _opened(found: re.Match[str], home: Home) -> str:
    """Return what is raised or lowered as opened or closed, where it is something that opens and stays."""
    noun = home.nouns.named(found["noun"])
    types = noun.types if noun is not None else ()
    opens = home.usually(types, "openable") and not home.usually(types, "pickupable")
    up = found["up"] or found["way"] == "up"
    turned = up or found["down"] or found["way"]
    return f"{'open' if up else 'close'} {found['what']}" if opens and turned else found[0]
