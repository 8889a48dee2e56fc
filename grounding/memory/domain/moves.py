"""What clauses tell of where things are and who has them, by the types of what they name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.domain.clauses import Clause, Role
from commonground.grounding.memory.domain.finding import Found, Scene, fact, pairs_of
from commonground.grounding.memory.domain.roles import Seat, tells_having, words_of
from commonground.grounding.memory.domain.words import FROM, PARTICLES, TO, alike
from commonground.planning.pddl import Atom

_TAKING = frozenset(["take", "receive", "hold"])
_MOVING = frozenset(["place", "give", "transport", "go", "leave", "located", "release"]) | _TAKING
_CARRYING = frozenset(["transport", "place", "give"])
_INTO = frozenset(["in", "into", "inside", "on", "onto"])


# ---- relations by words ---------------------------------------------------------------------------


def find_relations(scene: Scene, clause: Clause, agents: Sequence[str], found: Found) -> bool:
    """Find relations whose own words a clause has, between two things that it names."""
    hit = False
    placing = {s.relation for s in (*scene.roles.positions, *scene.roles.whereabouts)}
    for relation in scene.roles.binary:
        told = scene.sayings.told(relation, clause.words, (), clause.verb)
        if told is None or not told.words - PARTICLES or (told.how and relation in placing):
            continue
        seat, holds = Seat(relation, 0), told.holds != clause.negated
        for one, other in pairs_of([r for r in clause.roles if r.preposition not in FROM]):
            if scene.may(one, relation, 0) and scene.may(other, relation, 1):
                scene.relate(clause, seat, one, other, holds, found)
                found.words |= told.words
                hit = True
        if not hit and _find_by_agent(scene, clause, agents, relation, holds, found):
            found.words |= told.words
            hit = True
    return hit


def _find_by_agent(
    scene: Scene, clause: Clause, agents: Sequence[str], relation: str, holds: bool, found: Found
) -> bool:
    """Find a relation between who acts, named before, and what a clause names."""
    for agent, role in product(agents, clause.roles):
        if scene.roles.fits(scene.kinds[agent], relation, 0) and scene.may(role, relation, 1):
            things = scene.meant(role, Seat(relation, 1), clause)
            facts = [fact(Seat(relation, 0), agent, t) for t in things]
            (found.made if holds else found.ended).extend(facts)
            role.used = True
            return True
    return False


# ---- moves by types -------------------------------------------------------------------------------


def find_moves(
    scene: Scene, clause: Clause, agents: Sequence[str], verbs: frozenset[str], found: Found
) -> bool:
    """Find where something is now: by what it can be put into, held by, or be in."""
    if not (clause.copula or found.made or _is_moving(scene, clause.verb, verbs)):
        return False
    themes = [t for t in clause.themes() if not t.mention.owner]
    carried = _carry(
        scene, clause, themes, agents if verbs & _CARRYING == {"transport"} else (), found
    )
    hit = carried or _put_all(scene, clause, themes, found)
    if not hit and not clause.copula:
        takes = verbs & _TAKING or scene.sayings.takes(clause.verb)
        hit = bool(takes) and _take(scene, clause, themes, agents, found)
        hit = hit or _leave_from(scene, clause, themes, found)
    found.words |= {clause.verb, *clause.particles} - {""} if hit else set()
    return hit


def _is_moving(scene: Scene, verb: str, verbs: frozenset[str]) -> bool:
    """Return whether a verb tells that something moves: by its classes, or as that of an action."""
    return (bool(verbs & _MOVING) and "neutral" not in verbs) or scene.sayings.moves(verb)


def _targets(clause: Clause) -> list[Role]:
    """Return where a clause says that something goes."""
    placed = clause.placed()
    targets = [r for r in placed if r.preposition in TO]
    whole = [r for r in placed if r.preposition == "of"] if targets else []
    receiver = clause.receiver()
    return [*targets, *whole, *([receiver] if receiver is not None else [])]


def _carry(
    scene: Scene,
    clause: Clause,
    themes: Sequence[Role],
    agents: Sequence[str],
    found: Found,
) -> bool:
    """Find who goes somewhere with what he carries; that he lets go of it there would be said."""
    if scene.task or clause.negated or len(agents) != 1:
        return False
    agent, fits = agents[0], scene.roles.fits
    holding = [s for s in scene.roles.holding if fits(scene.kinds[agent], s.relation, s.other)]
    going = [s for s in scene.roles.whereabouts if fits(scene.kinds[agent], s.relation, s.at)]
    for theme, target, hold, go in product(themes, _targets(clause), holding, going):
        taken = scene.may(theme, hold.relation, hold.at) and scene.may(theme, go.relation, go.at)
        if taken and scene.may(target, go.relation, go.other):
            things = scene.meant(theme, hold, clause)
            zones = scene.meant(target, Seat(go.relation, go.other), clause)
            found.made += [*(fact(hold, t, agent) for t in things), fact(go, agent, zones[0])]
            theme.used = target.used = True
            return len(zones) == 1
    return False


def _put_all(scene: Scene, clause: Clause, themes: Sequence[Role], found: Found) -> bool:
    """Find where things are put; return whether any is."""
    pairs = product(themes, _targets(clause))
    return sum(_put(scene, clause, *pair, found) for pair in pairs) > 0


def _put(scene: Scene, clause: Clause, theme: Role, target: Role, found: Found) -> bool:
    """Find the one relation that a thing can have to where it is said to be."""
    placing = {*scene.roles.positions, *scene.roles.whereabouts}
    best = _best(scene, clause, placing, theme, target)
    best = best or _best(scene, clause, _others(scene, theme), theme, target)
    if len({s.relation for s in best}) != 1:
        return False
    scene.relate(clause, best[0], theme, target, not clause.negated, found)
    told = not (clause.negated or scene.task)
    if best[0] not in placing and told and target.preposition in _INTO:
        for made in [f for f in found.made if f.relation == best[0].relation]:
            kept = scene.roles.kept_with(made.relation)
            before = scene.changes.where(made.subject, scene.roles.positions)
            found.ended += [f for f in before if f.relation not in kept]
    return True


def _best(
    scene: Scene, clause: Clause, seats: Iterable[Seat], theme: Role, target: Role
) -> list[Seat]:
    """Return the seats that suit two phrases, by types, and best by the words of the clause."""
    fitting: dict[Seat, int] = {}
    for seat in seats:
        suits = scene.may(theme, seat.relation, seat.at)
        if suits and scene.may(target, seat.relation, seat.other):
            fitting[seat] = scene.sayings.heard(seat.relation, clause.words)
    most = max(fitting.values(), default=0)
    return [seat for seat, heard in fitting.items() if heard == most]


def _others(scene: Scene, theme: Role) -> Iterator[Seat]:
    """Yield further relations that what is no person can be brought into; all for what can be held."""
    held = any(scene.may(theme, seat.relation, seat.at) for seat in scene.roles.holding)
    changing = scene.roles.vocabulary.changing
    if held or not any(map(scene.is_somebody, theme.mention.things)):
        yield from (Seat(r, 0) for r in scene.roles.binary if held or r in changing)


def _take(
    scene: Scene, clause: Clause, themes: Sequence[Role], agents: Sequence[str], found: Found
) -> bool:
    """Find who has a thing now; where nobody is said to, what it was in and is no longer."""
    for theme, agent, seat in product(themes, agents, _holding(scene, clause.verb)):
        fits = scene.roles.fits(scene.kinds[agent], seat.relation, seat.other)
        if fits and scene.may(theme, seat.relation, seat.at):
            held = [fact(seat, thing, agent) for thing in scene.meant(theme, seat, clause)]
            (found.ended if clause.negated else found.made).extend(held)
            theme.used = True
            return True
    return bool(themes) and not agents and _leave(scene, clause, themes, found)


def _holding(scene: Scene, verb: str) -> list[Seat]:
    """Return the relations in which somebody has something, those that a verb brings about first."""
    sayings = scene.sayings.all
    begun = {
        seat.relation: any(alike(verb, name[0]) for name in sayings[seat.relation].begins if name)
        for seat in scene.roles.holding
    }
    having = {r: tells_having(r) for r in begun}
    return sorted(
        scene.roles.holding,
        key=lambda s: (not begun[s.relation], not having[s.relation], s.relation, s.at),
    )


def _leave_from(scene: Scene, clause: Clause, themes: Sequence[Role], found: Found) -> bool:
    """Find what things are no longer in, where a clause says that they went from somewhere."""
    leaving = any(r.preposition in FROM for r in clause.roles)
    return leaving and _leave(scene, clause, themes, found)


def _leave(scene: Scene, clause: Clause, themes: Sequence[Role], found: Found) -> bool:
    """Find what things were in before and are no longer, where nobody says where they are now."""
    gone: list[Fact] = []
    for theme in themes:
        before = len(gone)
        for thing in scene.resolve(theme.mention, lambda _: True, clause):
            gone += scene.changes.where(thing, scene.roles.positions)
        theme.used = len(gone) > before
    found.ended += gone
    return bool(gone)


def find_brought(scene: Scene, clause: Clause, agents: Sequence[str], found: Found) -> None:
    """Find what people have with them: ``came in with the tray``."""
    for role in clause.placed():
        if role.used or role.preposition != "with" or not found.made:
            continue
        for seat, agent in product(scene.roles.holding, agents):
            fits = scene.roles.fits(scene.kinds[agent], seat.relation, seat.other)
            if fits and scene.may(role, seat.relation, seat.at):
                found.made += [fact(seat, t, agent) for t in scene.meant(role, seat, clause)]
                role.used = True


def find_along(scene: Scene, clause: Clause, agents: Sequence[str], found: Found) -> None:
    """Find who goes along by the action that a clause names: ``Ann pushed the cart to the hall``."""
    for deed in scene.roles.deeds if clause.verb and not clause.negated else ():
        if not alike(clause.verb, words_of(deed.name)[0]):
            continue
        for made, own, other in product([*found.made], deed.adds, deed.adds):
            seat = _along(scene, own, other) if own.predicate == made.relation else None
            if seat is None or {made.subject, made.object} & {*agents}:
                continue
            kinds = deed.kinds.get(other.args[seat.at], ())
            there = made.object if own.args[1] == other.args[seat.other] else made.subject
            going = [a for a in agents if scene.roles.is_a(scene.kinds[a], kinds)]
            found.made += [fact(seat, agent, there) for agent in going]


def _along(scene: Scene, own: Atom, other: Atom) -> Seat | None:
    """Return who else is where a fact brings something, as an argument of another fact of the same zone."""
    if own == other or len(own.args) != 2 or len(other.args) != 2:
        return None
    zones = {
        atom.args[s.other]
        for atom in (own,)
        for s in scene.roles.whereabouts
        if s.relation == own.predicate
    }
    seats = (s for s in scene.roles.whereabouts if s.relation == other.predicate)
    return next((s for s in seats if other.args[s.other] in zones), None)
