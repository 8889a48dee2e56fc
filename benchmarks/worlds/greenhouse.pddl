(define (domain greenhouse)
  (:requirements :strips :typing :negative-preconditions)
  (:types
    agent zone support portable lamp valve - object
    person gantry - agent
    bench trolley - support
    tray sensor - portable)
  (:predicates
    (in_zone ?a - agent ?z - zone)
    (stands-in ?s - support ?z - zone)
    (sits_on ?x - portable ?s - support)
    (holds ?a - agent ?x - portable)
    (stuck_in ?s - sensor ?t - tray)
    (is-calibrated ?s - sensor)
    (hangs_over ?l - lamp ?b - bench)
    (lit ?l - lamp)
    (feeds ?v - valve ?b - bench)
    (valve-open ?v - valve)
    (infested ?t - tray)
    (tended_by ?t - tray ?p - person))
  (:action go
    :parameters (?a - agent ?from - zone ?to - zone)
    :precondition (in_zone ?a ?from)
    :effect (and (not (in_zone ?a ?from)) (in_zone ?a ?to)))
  (:action pick-up
    :parameters (?a - agent ?x - portable ?s - support ?z - zone)
    :precondition (and (in_zone ?a ?z) (stands-in ?s ?z) (sits_on ?x ?s))
    :effect (and (not (sits_on ?x ?s)) (holds ?a ?x)))
  (:action set-down
    :parameters (?a - agent ?x - portable ?s - support ?z - zone)
    :precondition (and (in_zone ?a ?z) (stands-in ?s ?z) (holds ?a ?x))
    :effect (and (not (holds ?a ?x)) (sits_on ?x ?s)))
  (:action hand-over
    :parameters (?a - agent ?b - agent ?x - portable ?z - zone)
    :precondition (and (in_zone ?a ?z) (in_zone ?b ?z) (holds ?a ?x))
    :effect (and (not (holds ?a ?x)) (holds ?b ?x)))
  (:action wheel
    :parameters (?p - person ?c - trolley ?from - zone ?to - zone)
    :precondition (and (in_zone ?p ?from) (stands-in ?c ?from))
    :effect (and (not (in_zone ?p ?from)) (not (stands-in ?c ?from))
                 (in_zone ?p ?to) (stands-in ?c ?to)))
  (:action switch-on
    :parameters (?p - person ?l - lamp ?b - bench ?z - zone)
    :precondition (and (in_zone ?p ?z) (hangs_over ?l ?b) (stands-in ?b ?z) (not (lit ?l)))
    :effect (lit ?l))
  (:action switch-off
    :parameters (?p - person ?l - lamp ?b - bench ?z - zone)
    :precondition (and (in_zone ?p ?z) (hangs_over ?l ?b) (stands-in ?b ?z) (lit ?l))
    :effect (not (lit ?l)))
  (:action open-valve
    :parameters (?p - person ?v - valve ?b - bench ?z - zone)
    :precondition (and (in_zone ?p ?z) (feeds ?v ?b) (stands-in ?b ?z) (not (valve-open ?v)))
    :effect (valve-open ?v))
  (:action shut-valve
    :parameters (?p - person ?v - valve ?b - bench ?z - zone)
    :precondition (and (in_zone ?p ?z) (feeds ?v ?b) (stands-in ?b ?z) (valve-open ?v))
    :effect (not (valve-open ?v)))
  (:action insert-probe
    :parameters (?a - agent ?s - sensor ?t - tray ?f - support ?z - zone)
    :precondition (and (in_zone ?a ?z) (holds ?a ?s) (sits_on ?t ?f) (stands-in ?f ?z))
    :effect (and (not (holds ?a ?s)) (stuck_in ?s ?t)))
  (:action pull-probe
    :parameters (?a - agent ?s - sensor ?t - tray ?f - support ?z - zone)
    :precondition (and (in_zone ?a ?z) (stuck_in ?s ?t) (sits_on ?t ?f) (stands-in ?f ?z))
    :effect (and (not (stuck_in ?s ?t)) (holds ?a ?s)))
  (:action calibrate
    :parameters (?p - person ?s - sensor)
    :precondition (and (holds ?p ?s) (not (is-calibrated ?s)))
    :effect (is-calibrated ?s))
  (:action treat
    :parameters (?p - person ?t - tray ?f - support ?z - zone)
    :precondition (and (in_zone ?p ?z) (sits_on ?t ?f) (stands-in ?f ?z) (infested ?t))
    :effect (not (infested ?t)))
  (:action reassign
    :parameters (?t - tray ?old - person ?new - person)
    :precondition (tended_by ?t ?old)
    :effect (and (not (tended_by ?t ?old)) (tended_by ?t ?new))))
