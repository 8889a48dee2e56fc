; A small veterinary clinic. Lids are the doors of cages, fridge and cabinet.
; The robot has no fingers for lids: it only lifts things from surfaces.
(define (domain animal-clinic)
  (:requirements :strips :typing :negative-preconditions)
  (:types
    room locatable carriable - object
    agent surface closable - locatable
    person robot - agent
    nurse vet - person
    trolley table - surface
    cage fridge cabinet - closable
    animal item - carriable
    medicine food tool - item)
  (:predicates
    (at ?x - locatable ?r - room)
    (connected ?r1 - room ?r2 - room)
    (has-dock ?r - room)
    (in ?c - carriable ?k - closable)
    (on ?c - carriable ?s - surface)
    (holding ?a - agent ?c - carriable)
    (free-handed ?a - agent)
    (open ?k - closable)
    (clean ?k - cage)
    (fed ?n - animal)
    (charged ?b - robot)
    (given ?m - medicine ?n - animal)
    (cares-for ?p - nurse ?n - animal))

  (:action walk
    :parameters (?p - person ?from - room ?to - room)
    :precondition (and (at ?p ?from) (connected ?from ?to))
    :effect (and (at ?p ?to) (not (at ?p ?from))))
  (:action drive
    :parameters (?b - robot ?from - room ?to - room)
    :precondition (and (at ?b ?from) (connected ?from ?to) (charged ?b))
    :effect (and (at ?b ?to) (not (at ?b ?from))))
  (:action push-trolley
    :parameters (?p - person ?t - trolley ?from - room ?to - room)
    :precondition (and (at ?p ?from) (at ?t ?from) (connected ?from ?to) (free-handed ?p))
    :effect (and (at ?p ?to) (at ?t ?to) (not (at ?p ?from)) (not (at ?t ?from))))
  (:action open-lid
    :parameters (?p - person ?k - closable ?r - room)
    :precondition (and (at ?p ?r) (at ?k ?r) (not (open ?k)))
    :effect (open ?k))
  (:action close-lid
    :parameters (?p - person ?k - closable ?r - room)
    :precondition (and (at ?p ?r) (at ?k ?r) (open ?k))
    :effect (not (open ?k)))
  (:action take-out
    :parameters (?p - person ?c - carriable ?k - closable ?r - room)
    :precondition (and (at ?p ?r) (at ?k ?r) (open ?k) (in ?c ?k) (free-handed ?p))
    :effect (and (holding ?p ?c) (not (in ?c ?k)) (not (free-handed ?p))))
  (:action put-away
    :parameters (?p - person ?c - carriable ?k - closable ?r - room)
    :precondition (and (at ?p ?r) (at ?k ?r) (open ?k) (holding ?p ?c))
    :effect (and (in ?c ?k) (free-handed ?p) (not (holding ?p ?c))))
  (:action pick-up
    :parameters (?a - agent ?c - carriable ?s - surface ?r - room)
    :precondition (and (at ?a ?r) (at ?s ?r) (on ?c ?s) (free-handed ?a))
    :effect (and (holding ?a ?c) (not (on ?c ?s)) (not (free-handed ?a))))
  (:action set-down
    :parameters (?a - agent ?c - carriable ?s - surface ?r - room)
    :precondition (and (at ?a ?r) (at ?s ?r) (holding ?a ?c))
    :effect (and (on ?c ?s) (free-handed ?a) (not (holding ?a ?c))))
  (:action hand-over
    :parameters (?giver - agent ?taker - agent ?c - carriable ?r - room)
    :precondition (and (at ?giver ?r) (at ?taker ?r) (holding ?giver ?c) (free-handed ?taker))
    :effect (and (holding ?taker ?c) (free-handed ?giver)
                 (not (holding ?giver ?c)) (not (free-handed ?taker))))
  (:action wash-cage
    :parameters (?p - person ?k - cage ?r - room)
    :precondition (and (at ?p ?r) (at ?k ?r) (open ?k) (free-handed ?p) (not (clean ?k)))
    :effect (clean ?k))
  (:action feed
    :parameters (?p - person ?n - animal ?f - food ?k - cage ?r - room)
    :precondition (and (at ?p ?r) (at ?k ?r) (open ?k) (in ?n ?k) (holding ?p ?f) (not (fed ?n)))
    :effect (fed ?n))
  (:action give-medicine
    :parameters (?p - nurse ?n - animal ?m - medicine ?s - surface ?r - room)
    :precondition (and (at ?p ?r) (at ?s ?r) (on ?n ?s) (holding ?p ?m)
                       (cares-for ?p ?n) (not (given ?m ?n)))
    :effect (given ?m ?n))
  (:action recharge
    :parameters (?b - robot ?r - room)
    :precondition (and (at ?b ?r) (has-dock ?r) (not (charged ?b)))
    :effect (charged ?b)))
