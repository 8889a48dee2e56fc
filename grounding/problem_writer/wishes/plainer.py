"""A command in plainer words, before any reader takes it: frames, machines and what they do."""

from __future__ import annotations

import re
from collections.abc import Sequence

from commonground.grounding.problem_writer.wishes.account import Accounts
from commonground.grounding.problem_writer.wishes.beside import without_aims
from commonground.grounding.problem_writer.wishes.demands import state_verbs
from commonground.grounding.problem_writer.wishes.heads import gerunds, orders
from commonground.grounding.problem_writer.wishes.home import TOOLS, WORK, Home
from commonground.grounding.problem_writer.wishes.likeness import likeness
from commonground.grounding.problem_writer.wishes.matrix import unwrapped
from commonground.grounding.problem_writer.wishes.predicates import spelled_out
from commonground.grounding.problem_writer.wishes.remaining import remaining
from commonground.grounding.problem_writer.wishes.second_thoughts import thought_better
from commonground.grounding.problem_writer.wishes.switches import with_own_switches
from commonground.grounding.problem_writer.wishes.turns import turned
from commonground.grounding.problem_writer.wishes.wordings import wordings
from commonground.grounding.resolver.choice import Unclear
from commonground.grounding.words.numbers import rank_of


def plainer(text: str, home: Home) -> str:
    """Return a command as it would be said plainly."""
    robots, known = home.graph.robots(), wordings()
    text, unclear, _ = home.typed.right(text)
    if unclear:
        raise Unclear(unclear)
    text = known["overdue"].sub(" should", known["bother"].sub(_undone, text))
    text = known["all_of_some"].sub(r"\g<before>those", text)
    text = known["whatever"].sub("everything ", known["bound"].sub(r"\g<be> going to", text))
    text = spelled_out(without_aims(unwrapped(text, home), home), home)
    text = turned(known["save_for"].sub("except ", text), home)
    text = known["ranked"].sub(lambda found: _by_rank(found, robots), text)
    text = thought_better(text, home)
    text = known["uncut"].sub(r"don't slice \g<what>", text)
    text = known["topic"].sub(lambda found: _of_topic(found, home), text)
    text = known["watered"].sub(r"wash \g<what>", text)
    text = known["left_over"].sub(r"\g<before>\g<none> ", text)
    text = known["meant_for"].sub(lambda found: _goes_there(found, home), text)
    text = known["drink"].sub(lambda found: _filled(found, home), text)
    text = known["using"].sub(lambda found: _used(found, home), text)
    text = with_own_switches(remaining(text, home), home)
    text = _done_in(text, home)
    text = known["once_done"].sub(
        lambda found: f"{found['before']}then" if found["before"] else "", text
    )
    text = known["turned"].sub("switched", text)
    text = known["for_us"].sub(lambda found: f"{found['verb']} ", text)
    if home.present(["Bread"]):
        text = known["product"].sub("toast the bread", text)
        if re.search(r"\btoast (?:the|it|some|a)\b", text, re.IGNORECASE):
            text = known["toasted"].sub(r"\g<the> bread", text)
    mug = "mug" if home.present(["Mug"]) else "cup"
    text = known["coffee"].sub(lambda found: f"make coffee{found['where'] or f' in a {mug}'}", text)
    text = known["by_tool"].sub(lambda found: _by_hand(found, home), text)
    text = known["moved"].sub(lambda found: _opened(found, home), text)
    accounts = Accounts(text, home)
    text = _in_turn(text, accounts)
    return text


def _undone(found: re.Match[str]) -> str:
    """Return what nobody need bother to do as what is not to be done."""
    verb = gerunds().get(found["verb"].lower(), found["verb"].lower())
    return f"{found['not']} {verb}" if verb in orders() else found[0]


def _done_in(text: str, home: Home) -> str:
    """Return a text in which what is done in a machine or a basin is said by what that does."""

    def said(found: re.Match[str]) -> str:
        noun = home.nouns.named(found["where"])
        verb = next((WORK[kind] for kind in (noun.types if noun else ()) if kind in WORK), "")
        idle = not verb or (verb not in ("cook", "toast") and found["verb"].lower() != "do")
        return found[0] if idle else verb + found[0][len(found["verb"]) :]

    def done(found: re.Match[str]) -> str:
        noun = home.nouns.named(found["where"])
        verb = next((WORK[kind] for kind in (noun.types if noun else ()) if kind in WORK), "")
        return {"cook": "cooked", "toast": "toasted"}.get(verb, found[0])

    return wordings()["done_in"].sub(said, wordings()["done_there"].sub(done, text))


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

    return wordings()["when_so"].sub(said, text)


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
