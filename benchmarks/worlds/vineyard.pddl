(define (domain vineyard)
  (:requirements :strips :typing :negative-preconditions)
  (:types
    agent place vessel portable implement lot - object
    person robot - agent
    row - place
    tank barrel - vessel
    hose - portable)
  (:predicates
    (is_at ?a - agent ?p - place)
    (carries ?a - agent ?g - portable)
    (lies_in ?g - portable ?p - place)
    (stands_in ?v - vessel ?p - place)
    (contains ?v - vessel ?l - lot)
    (drained ?v - vessel)
    (clean ?v - vessel)
    (sealed ?v - vessel)
    (coupled_to ?h - hose ?v - vessel)
    (charged ?r - robot)
    (hitched ?r - robot ?i - implement)
    (parked_in ?i - implement ?p - place)
    (mown ?w - row)
    (has_charger ?p - place)
    (is_mower ?i - implement))

  (:action go_to
    :parameters (?a - agent ?from ?to - place)
    :precondition (is_at ?a ?from)
    :effect (and (is_at ?a ?to) (not (is_at ?a ?from))))

  (:action pick_up
    :parameters (?a - agent ?g - portable ?p - place)
    :precondition (and (is_at ?a ?p) (lies_in ?g ?p))
    :effect (and (carries ?a ?g) (not (lies_in ?g ?p))))

  (:action put_down
    :parameters (?a - agent ?g - portable ?p - place)
    :precondition (and (is_at ?a ?p) (carries ?a ?g))
    :effect (and (lies_in ?g ?p) (not (carries ?a ?g))))

  (:action couple_hose
    :parameters (?m - person ?h - hose ?v - vessel ?p - place)
    :precondition (and (is_at ?m ?p) (lies_in ?h ?p) (stands_in ?v ?p) (not (coupled_to ?h ?v)))
    :effect (coupled_to ?h ?v))

  (:action uncouple_hose
    :parameters (?m - person ?h - hose ?v - vessel ?p - place)
    :precondition (and (is_at ?m ?p) (stands_in ?v ?p) (coupled_to ?h ?v))
    :effect (not (coupled_to ?h ?v)))

  (:action rack_wine
    :parameters (?m - person ?l - lot ?src ?dst - vessel ?h - hose ?p - place)
    :precondition (and (is_at ?m ?p) (stands_in ?src ?p) (stands_in ?dst ?p)
                       (coupled_to ?h ?src) (coupled_to ?h ?dst) (contains ?src ?l)
                       (drained ?dst) (clean ?dst) (not (sealed ?src)) (not (sealed ?dst)))
    :effect (and (contains ?dst ?l) (drained ?src)
                 (not (contains ?src ?l)) (not (drained ?dst)) (not (clean ?dst))))

  (:action wash_out
    :parameters (?m - person ?v - vessel ?p - place)
    :precondition (and (is_at ?m ?p) (stands_in ?v ?p) (drained ?v) (not (sealed ?v)))
    :effect (clean ?v))

  (:action seal
    :parameters (?m - person ?v - vessel ?p - place)
    :precondition (and (is_at ?m ?p) (stands_in ?v ?p) (not (sealed ?v)))
    :effect (sealed ?v))

  (:action unseal
    :parameters (?m - person ?v - vessel ?p - place)
    :precondition (and (is_at ?m ?p) (stands_in ?v ?p) (sealed ?v))
    :effect (not (sealed ?v)))

  (:action roll_barrel
    :parameters (?m - person ?b - barrel ?from ?to - place)
    :precondition (and (is_at ?m ?from) (stands_in ?b ?from) (sealed ?b))
    :effect (and (stands_in ?b ?to) (is_at ?m ?to)
                 (not (stands_in ?b ?from)) (not (is_at ?m ?from))))

  (:action hitch_up
    :parameters (?m - person ?r - robot ?i - implement ?p - place)
    :precondition (and (is_at ?m ?p) (is_at ?r ?p) (parked_in ?i ?p))
    :effect (and (hitched ?r ?i) (not (parked_in ?i ?p))))

  (:action unhitch
    :parameters (?m - person ?r - robot ?i - implement ?p - place)
    :precondition (and (is_at ?m ?p) (is_at ?r ?p) (hitched ?r ?i))
    :effect (and (parked_in ?i ?p) (not (hitched ?r ?i))))

  (:action mow_row
    :parameters (?r - robot ?i - implement ?w - row)
    :precondition (and (is_at ?r ?w) (hitched ?r ?i) (is_mower ?i) (charged ?r))
    :effect (mown ?w))

  (:action charge_up
    :parameters (?r - robot ?p - place)
    :precondition (and (is_at ?r ?p) (has_charger ?p) (not (charged ?r)))
    :effect (charged ?r)))
