; A film-set prop store with locked doors, lidded crates and two vans.
; People may carry any number of things; a crate can only be opened on a rack.
(define (domain prop-store)
  (:requirements :strips :typing :negative-preconditions)
  (:types
    zone door located portable - object
    person van rack charger - located
    crate item - portable
    key badge prop - item
    lamp - prop)
  (:predicates
    (at ?x - located ?z - zone)
    (door-between ?d - door ?z1 - zone ?z2 - zone)
    (road ?z1 - zone ?z2 - zone)
    (locked ?d - door)
    (fits ?k - key ?d - door)
    (on ?x - portable ?r - rack)
    (inside ?x - item ?c - crate)
    (loaded ?c - crate ?v - van)
    (holding ?p - person ?x - portable)
    (wearing ?p - person ?b - badge)
    (lid-open ?c - crate)
    (belongs-to ?x - portable ?p - person)
    (charged ?l - lamp)
    (fuelled ?v - van))

  (:action walk
    :parameters (?p - person ?d - door ?from - zone ?to - zone)
    :precondition (and (at ?p ?from) (door-between ?d ?from ?to) (not (locked ?d)))
    :effect (and (at ?p ?to) (not (at ?p ?from))))
  (:action unlock
    :parameters (?p - person ?k - key ?d - door ?z - zone ?beyond - zone)
    :precondition (and (at ?p ?z) (door-between ?d ?z ?beyond) (holding ?p ?k) (fits ?k ?d) (locked ?d))
    :effect (not (locked ?d)))
  (:action lock
    :parameters (?p - person ?k - key ?d - door ?z - zone ?beyond - zone)
    :precondition (and (at ?p ?z) (door-between ?d ?z ?beyond) (holding ?p ?k) (fits ?k ?d) (not (locked ?d)))
    :effect (locked ?d))
  (:action take
    :parameters (?p - person ?x - portable ?r - rack ?z - zone)
    :precondition (and (at ?p ?z) (at ?r ?z) (on ?x ?r))
    :effect (and (holding ?p ?x) (not (on ?x ?r))))
  (:action place
    :parameters (?p - person ?x - portable ?r - rack ?z - zone)
    :precondition (and (at ?p ?z) (at ?r ?z) (holding ?p ?x))
    :effect (and (on ?x ?r) (not (holding ?p ?x))))
  (:action open-lid
    :parameters (?p - person ?c - crate ?r - rack ?z - zone)
    :precondition (and (at ?p ?z) (at ?r ?z) (on ?c ?r) (not (lid-open ?c)))
    :effect (lid-open ?c))
  (:action close-lid
    :parameters (?p - person ?c - crate ?r - rack ?z - zone)
    :precondition (and (at ?p ?z) (at ?r ?z) (on ?c ?r) (lid-open ?c))
    :effect (not (lid-open ?c)))
  (:action pack
    :parameters (?p - person ?x - item ?c - crate ?r - rack ?z - zone)
    :precondition (and (at ?p ?z) (at ?r ?z) (on ?c ?r) (lid-open ?c) (holding ?p ?x))
    :effect (and (inside ?x ?c) (not (holding ?p ?x))))
  (:action unpack
    :parameters (?p - person ?x - item ?c - crate ?r - rack ?z - zone)
    :precondition (and (at ?p ?z) (at ?r ?z) (on ?c ?r) (lid-open ?c) (inside ?x ?c))
    :effect (and (holding ?p ?x) (not (inside ?x ?c))))
  (:action load
    :parameters (?p - person ?c - crate ?v - van ?z - zone)
    :precondition (and (at ?p ?z) (at ?v ?z) (holding ?p ?c) (not (lid-open ?c)))
    :effect (and (loaded ?c ?v) (not (holding ?p ?c))))
  (:action unload
    :parameters (?p - person ?c - crate ?v - van ?z - zone)
    :precondition (and (at ?p ?z) (at ?v ?z) (loaded ?c ?v))
    :effect (and (holding ?p ?c) (not (loaded ?c ?v))))
  (:action drive
    :parameters (?p - person ?v - van ?b - badge ?from - zone ?to - zone)
    :precondition (and (at ?p ?from) (at ?v ?from) (road ?from ?to) (wearing ?p ?b) (fuelled ?v))
    :effect (and (at ?p ?to) (at ?v ?to) (not (at ?p ?from)) (not (at ?v ?from))))
  (:action wear
    :parameters (?p - person ?b - badge)
    :precondition (and (holding ?p ?b) (belongs-to ?b ?p))
    :effect (and (wearing ?p ?b) (not (holding ?p ?b))))
  (:action charge
    :parameters (?p - person ?l - lamp ?s - charger ?z - zone)
    :precondition (and (at ?p ?z) (at ?s ?z) (holding ?p ?l) (not (charged ?l)))
    :effect (charged ?l)))
