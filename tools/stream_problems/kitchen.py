"""Coffee with cream and sugar, stirred, on a coaster that has to be pushed into place.

Motions come from a stream that is told where everything stands (a fluent stream).
"""

from __future__ import annotations

from commonground.planning.streams.language import DEBUG, And, Expression, PDDLProblem

_DOMAIN = """
(define (domain kitchen)
  (:predicates (hand ?h) (vessel ?o) (stirrer ?o) (spoon ?o) (slab ?o) (pourable ?o)
    (pose ?o ?p) (hold ?o ?g) (control ?u) (motion ?h ?p1 ?p2 ?u)
    (can-grasp ?h ?p ?o ?po ?g ?u) (can-fill ?h ?p ?o ?g) (can-pour ?h ?p ?o ?g ?into ?pi ?u)
    (can-scoop ?h ?p1 ?p2 ?o ?g ?from ?pf ?u) (can-dump ?h ?p1 ?p2 ?o ?g ?into ?pi ?u)
    (can-stir ?h ?p ?o ?g ?into ?pi ?u) (can-push ?h ?p1 ?p2 ?o ?po1 ?po2 ?u)
    (stackable ?o ?on) (rests ?o ?po ?on ?pon) (clear ?o) (on-table ?p)
    (at ?o ?p) (held ?o ?g) (empty ?h) (may-move ?h)
    (coffee ?o) (sugar ?o) (cream ?o) (mixed ?o) (loaded ?o) (on ?o ?s))
  (:action move :parameters (?h ?p1 ?p2 ?u)
    :precondition (and (motion ?h ?p1 ?p2 ?u) (at ?h ?p1))
    :effect (and (at ?h ?p2) (not (at ?h ?p1)) (not (may-move ?h)) (increase (total-cost) 1)))
  (:action push :parameters (?h ?p1 ?p2 ?o ?po1 ?po2 ?u)
    :precondition (and (can-push ?h ?p1 ?p2 ?o ?po1 ?po2 ?u) (at ?h ?p1) (at ?o ?po1) (empty ?h) (clear ?o))
    :effect (and (at ?h ?p2) (at ?o ?po2) (may-move ?h) (not (at ?h ?p1)) (not (at ?o ?po1))
      (increase (total-cost) 1)))
  (:action pick :parameters (?h ?p ?o ?po ?g ?u)
    :precondition (and (can-grasp ?h ?p ?o ?po ?g ?u) (at ?h ?p) (at ?o ?po) (empty ?h) (on-table ?po))
    :effect (and (held ?o ?g) (may-move ?h) (not (at ?o ?po)) (not (empty ?h)) (increase (total-cost) 1)))
  (:action place :parameters (?h ?p ?o ?po ?g ?u)
    :precondition (and (can-grasp ?h ?p ?o ?po ?g ?u) (at ?h ?p) (on-table ?po) (held ?o ?g)
      (not (loaded ?o)))
    :effect (and (at ?o ?po) (empty ?h) (may-move ?h) (not (held ?o ?g)) (increase (total-cost) 1)))
  (:action stack :parameters (?h ?p ?o ?po ?g ?s ?ps ?u)
    :precondition (and (can-grasp ?h ?p ?o ?po ?g ?u) (rests ?o ?po ?s ?ps) (at ?h ?p) (held ?o ?g)
      (at ?s ?ps) (clear ?s))
    :effect (and (at ?o ?po) (empty ?h) (may-move ?h) (not (held ?o ?g)) (not (clear ?s))
      (increase (total-cost) 1)))
  (:action fill :parameters (?h ?p ?o ?g)
    :precondition (and (can-fill ?h ?p ?o ?g) (at ?h ?p) (held ?o ?g))
    :effect (and (coffee ?o) (may-move ?h) (increase (total-cost) 1)))
  (:action pour :parameters (?h ?p ?o ?g ?into ?pi ?u)
    :precondition (and (can-pour ?h ?p ?o ?g ?into ?pi ?u) (at ?h ?p) (held ?o ?g) (at ?into ?pi) (cream ?o))
    :effect (and (cream ?into) (may-move ?h) (not (cream ?o)) (increase (total-cost) 1)))
  (:action scoop :parameters (?h ?p1 ?p2 ?o ?g ?from ?pf ?u)
    :precondition (and (can-scoop ?h ?p1 ?p2 ?o ?g ?from ?pf ?u) (at ?h ?p1) (held ?o ?g) (at ?from ?pf)
      (sugar ?from))
    :effect (and (at ?h ?p2) (sugar ?o) (may-move ?h) (loaded ?o) (not (at ?h ?p1))
      (increase (total-cost) 1)))
  (:action dump :parameters (?h ?p1 ?p2 ?o ?g ?into ?pi ?u)
    :precondition (and (can-dump ?h ?p1 ?p2 ?o ?g ?into ?pi ?u) (at ?h ?p1) (held ?o ?g) (at ?into ?pi)
      (sugar ?o))
    :effect (and (sugar ?into) (may-move ?h) (not (sugar ?o)) (not (loaded ?o)) (not (at ?h ?p1))
      (at ?h ?p2) (increase (total-cost) 1)))
  (:action stir :parameters (?h ?p ?o ?g ?into ?pi ?u)
    :precondition (and (can-stir ?h ?p ?o ?g ?into ?pi ?u) (at ?h ?p) (held ?o ?g) (at ?into ?pi)
      (coffee ?into) (cream ?into) (sugar ?into))
    :effect (and (mixed ?into) (may-move ?h) (increase (total-cost) 1)))
  (:derived (on ?o ?s) (exists (?po ?ps) (and (rests ?o ?po ?s ?ps) (at ?o ?po) (at ?s ?ps)))))
"""

_STREAMS = """
(define (stream kitchen)
  (:stream sample-motion :inputs (?h ?p1 ?p2) :domain (and (hand ?h) (pose ?h ?p1) (pose ?h ?p2))
    :fluents (at held) :outputs (?u) :certified (and (motion ?h ?p1 ?p2 ?u) (control ?u)))
  (:stream sample-push :inputs (?h ?o ?po1 ?po2)
    :domain (and (hand ?h) (slab ?o) (pose ?o ?po1) (pose ?o ?po2)) :outputs (?p1 ?p2 ?u)
    :certified (and (can-push ?h ?p1 ?p2 ?o ?po1 ?po2 ?u) (pose ?h ?p1) (pose ?h ?p2)))
  (:stream sample-pour :inputs (?h ?o ?into ?pi)
    :domain (and (hand ?h) (pourable ?o) (vessel ?into) (pose ?into ?pi)) :outputs (?g ?p ?u)
    :certified (and (can-pour ?h ?p ?o ?g ?into ?pi ?u) (pose ?h ?p) (hold ?o ?g)))
  (:stream sample-stack :inputs (?o ?s ?ps) :domain (and (stackable ?o ?s) (pose ?s ?ps)) :outputs (?po)
    :certified (and (rests ?o ?po ?s ?ps) (pose ?o ?po)))
  (:stream sample-grasp :inputs (?h ?o ?po ?g) :domain (and (hand ?h) (pose ?o ?po) (hold ?o ?g))
    :outputs (?p ?u) :certified (and (can-grasp ?h ?p ?o ?po ?g ?u) (pose ?h ?p) (control ?u)))
  (:stream hold-stirrer :inputs (?o) :domain (stirrer ?o) :outputs (?g) :certified (hold ?o ?g))
  (:stream hold-vessel :inputs (?o) :domain (vessel ?o) :outputs (?g) :certified (hold ?o ?g))
  (:stream sample-fill :inputs (?h ?o ?g) :domain (and (hand ?h) (vessel ?o) (hold ?o ?g)) :outputs (?p)
    :certified (and (can-fill ?h ?p ?o ?g) (pose ?h ?p)))
  (:stream sample-scoop :inputs (?h ?o ?from ?pf)
    :domain (and (hand ?h) (spoon ?o) (vessel ?from) (pose ?from ?pf)) :outputs (?p1 ?p2 ?g ?u)
    :certified (and (can-scoop ?h ?p1 ?p2 ?o ?g ?from ?pf ?u) (pose ?h ?p1) (pose ?h ?p2) (hold ?o ?g)))
  (:stream sample-dump :inputs (?h ?o ?g ?into ?pi)
    :domain (and (hand ?h) (spoon ?o) (hold ?o ?g) (vessel ?into) (pose ?into ?pi)) :outputs (?p1 ?p2 ?u)
    :certified (and (can-dump ?h ?p1 ?p2 ?o ?g ?into ?pi ?u) (pose ?h ?p1) (pose ?h ?p2)))
  (:stream sample-stir :inputs (?h ?o ?g ?into ?pi)
    :domain (and (hand ?h) (stirrer ?o) (hold ?o ?g) (vessel ?into) (pose ?into ?pi)) :outputs (?p ?u)
    :certified (and (can-stir ?h ?p ?o ?g ?into ?pi ?u) (pose ?h ?p))))
"""

_POSES = {
    "hand": (0.0, 15.0),
    "cup": (7.5, 0.0),
    "sugar-bowl": (-10.0, 0.0),
    "cream-jug": (15.0, 0.0),
    "spoon": (0.5, 0.5),
    "whisk": (20.0, 0.5),
    "coaster": (-20.0, 0.0),
}


def coffee() -> PDDLProblem:
    """Return the task; the streams yield made-up values."""
    place = (-25.0, 0.0)
    init: list[Expression] = [("pose", "coaster", place), ("empty", "hand"), ("may-move", "hand")]
    init += [("hand", "hand"), ("slab", "coaster"), ("spoon", "spoon"), ("pourable", "cream-jug")]
    init += [("vessel", name) for name in ("cup", "sugar-bowl", "cream-jug")]
    init += [
        ("stirrer", "spoon"),
        ("stirrer", "whisk"),
        ("sugar", "sugar-bowl"),
        ("cream", "cream-jug"),
    ]
    init += [("stackable", "cup", "coaster"), ("clear", "coaster")]
    for name, pose in _POSES.items():
        init += [("pose", name, pose), ("at", name, pose), ("on-table", pose)]
    goal = And(
        ("empty", "hand"),
        ("at", "coaster", place),
        ("on", "cup", "coaster"),
        *[(what, "cup") for what in ("coffee", "cream", "sugar", "mixed")],
    )
    return PDDLProblem(_DOMAIN, {}, _STREAMS, DEBUG, init, goal)
