(define (domain hospital_pharmacy)
  (:requirements :strips :typing :negative-preconditions)
  (:types
    place locatable pack order - object
    agent container counter - locatable
    pharmacist robot - agent
    fridge cabinet trolley - container)
  (:predicates
    (is_at ?x - locatable ?l - place)
    (has_charger ?l - place)
    (stored_in ?p - pack ?c - container)
    (lies_on ?p - pack ?c - counter)
    (holds ?h - pharmacist ?p - pack)
    (is_open ?c - container)
    (hauled_by ?t - trolley ?a - agent)
    (ordered_for ?o - order ?l - place)
    (assigned_to ?o - order ?h - pharmacist)
    (is_verified ?o - order)
    (labelled_for ?p - pack ?o - order)
    (docked ?r - robot)
    (batt_low ?r - robot))

  (:action walk
    :parameters (?h - pharmacist ?from - place ?to - place)
    :precondition (is_at ?h ?from)
    :effect (and (is_at ?h ?to) (not (is_at ?h ?from))))

  (:action drive_robot
    :parameters (?r - robot ?from - place ?to - place)
    :precondition (is_at ?r ?from)
    :effect (and (is_at ?r ?to) (not (is_at ?r ?from)) (not (docked ?r))))

  (:action dock_robot
    :parameters (?r - robot ?l - place)
    :precondition (and (is_at ?r ?l) (has_charger ?l))
    :effect (and (docked ?r) (not (batt_low ?r))))

  (:action grab_trolley
    :parameters (?a - agent ?t - trolley ?l - place)
    :precondition (and (is_at ?a ?l) (is_at ?t ?l))
    :effect (and (hauled_by ?t ?a) (not (is_at ?t ?l))))

  (:action park_trolley
    :parameters (?a - agent ?t - trolley ?l - place)
    :precondition (and (is_at ?a ?l) (hauled_by ?t ?a))
    :effect (and (is_at ?t ?l) (not (hauled_by ?t ?a))))

  (:action open_up
    :parameters (?h - pharmacist ?c - container ?l - place)
    :precondition (and (is_at ?h ?l) (is_at ?c ?l) (not (is_open ?c)))
    :effect (is_open ?c))

  (:action close_up
    :parameters (?h - pharmacist ?c - container ?l - place)
    :precondition (and (is_at ?h ?l) (is_at ?c ?l) (is_open ?c))
    :effect (not (is_open ?c)))

  (:action take_out
    :parameters (?h - pharmacist ?p - pack ?c - container ?l - place)
    :precondition (and (is_at ?h ?l) (is_at ?c ?l) (is_open ?c) (stored_in ?p ?c))
    :effect (and (holds ?h ?p) (not (stored_in ?p ?c))))

  (:action put_in
    :parameters (?h - pharmacist ?p - pack ?c - container ?l - place)
    :precondition (and (is_at ?h ?l) (is_at ?c ?l) (is_open ?c) (holds ?h ?p))
    :effect (and (stored_in ?p ?c) (not (holds ?h ?p))))

  (:action pick_up
    :parameters (?h - pharmacist ?p - pack ?c - counter ?l - place)
    :precondition (and (is_at ?h ?l) (is_at ?c ?l) (lies_on ?p ?c))
    :effect (and (holds ?h ?p) (not (lies_on ?p ?c))))

  (:action set_down
    :parameters (?h - pharmacist ?p - pack ?c - counter ?l - place)
    :precondition (and (is_at ?h ?l) (is_at ?c ?l) (holds ?h ?p))
    :effect (and (lies_on ?p ?c) (not (holds ?h ?p))))

  (:action pass_order_on
    :parameters (?o - order ?from - pharmacist ?to - pharmacist)
    :precondition (and (assigned_to ?o ?from) (not (assigned_to ?o ?to)))
    :effect (and (assigned_to ?o ?to) (not (assigned_to ?o ?from))))

  (:action verify_order
    :parameters (?o - order ?h - pharmacist)
    :precondition (and (assigned_to ?o ?h) (not (is_verified ?o)))
    :effect (is_verified ?o))

  (:action label_pack
    :parameters (?h - pharmacist ?p - pack ?o - order)
    :precondition (and (holds ?h ?p) (is_verified ?o))
    :effect (labelled_for ?p ?o))
)
