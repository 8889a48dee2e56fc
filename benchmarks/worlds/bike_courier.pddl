(define (domain bike_courier)
  (:requirements :strips :typing :negative-preconditions)
  (:types
    place locatable item - object
    courier hold - locatable
    machine locker shelf - hold
    bike charger - machine
    parcel battery - item)
  (:predicates
    (is-at ?x - locatable ?l - place)
    (walkable ?a - place ?b - place)
    (riding ?c - courier ?b - bike)
    (carries ?c - courier ?i - item)
    (stowed-in ?i - item ?h - hold)
    (slotted-in ?bt - battery ?m - machine)
    (charged ?bt - battery)
    (is-shut ?h - hold)
    (in-pool ?p - parcel)
    (assigned-to ?p - parcel ?c - courier)
    (addressed-to ?p - parcel ?l - place)
    (handed-over ?p - parcel)
    (has-flat ?b - bike))

  (:action walk
    :parameters (?c - courier ?from - place ?to - place)
    :precondition (and (is-at ?c ?from) (walkable ?from ?to))
    :effect (and (is-at ?c ?to) (not (is-at ?c ?from))))

  (:action get-on
    :parameters (?c - courier ?b - bike ?l - place)
    :precondition (and (is-at ?c ?l) (is-at ?b ?l))
    :effect (and (riding ?c ?b) (not (is-at ?b ?l))))

  (:action get-off
    :parameters (?c - courier ?b - bike ?l - place)
    :precondition (and (is-at ?c ?l) (riding ?c ?b))
    :effect (and (is-at ?b ?l) (not (riding ?c ?b))))

  (:action ride
    :parameters (?c - courier ?b - bike ?bt - battery ?from - place ?to - place)
    :precondition (and (is-at ?c ?from) (riding ?c ?b) (slotted-in ?bt ?b) (charged ?bt) (not (has-flat ?b)))
    :effect (and (is-at ?c ?to) (not (is-at ?c ?from))))

  (:action insert-batt
    :parameters (?c - courier ?bt - battery ?m - machine ?l - place)
    :precondition (and (is-at ?c ?l) (is-at ?m ?l) (carries ?c ?bt))
    :effect (and (slotted-in ?bt ?m) (not (carries ?c ?bt))))

  (:action remove-batt
    :parameters (?c - courier ?bt - battery ?m - machine ?l - place)
    :precondition (and (is-at ?c ?l) (is-at ?m ?l) (slotted-in ?bt ?m))
    :effect (and (carries ?c ?bt) (not (slotted-in ?bt ?m))))

  (:action charge-batt
    :parameters (?bt - battery ?ch - charger)
    :precondition (and (slotted-in ?bt ?ch) (not (charged ?bt)))
    :effect (charged ?bt))

  (:action stow
    :parameters (?c - courier ?i - item ?h - hold ?l - place)
    :precondition (and (is-at ?c ?l) (is-at ?h ?l) (carries ?c ?i) (not (is-shut ?h)))
    :effect (and (stowed-in ?i ?h) (not (carries ?c ?i))))

  (:action take-out
    :parameters (?c - courier ?i - item ?h - hold ?l - place)
    :precondition (and (is-at ?c ?l) (is-at ?h ?l) (stowed-in ?i ?h) (not (is-shut ?h)))
    :effect (and (carries ?c ?i) (not (stowed-in ?i ?h))))

  (:action open-locker
    :parameters (?c - courier ?k - locker ?l - place)
    :precondition (and (is-at ?c ?l) (is-at ?k ?l) (is-shut ?k))
    :effect (not (is-shut ?k)))

  (:action shut-locker
    :parameters (?c - courier ?k - locker ?l - place)
    :precondition (and (is-at ?c ?l) (is-at ?k ?l) (not (is-shut ?k)))
    :effect (is-shut ?k))

  (:action assign-job
    :parameters (?p - parcel ?c - courier)
    :precondition (in-pool ?p)
    :effect (and (assigned-to ?p ?c) (not (in-pool ?p))))

  (:action hand-over
    :parameters (?c - courier ?p - parcel ?l - place)
    :precondition (and (is-at ?c ?l) (carries ?c ?p) (assigned-to ?p ?c) (addressed-to ?p ?l))
    :effect (and (handed-over ?p) (not (carries ?c ?p)) (not (assigned-to ?p ?c))))

  (:action patch-tyre
    :parameters (?c - courier ?b - bike ?l - place)
    :precondition (and (is-at ?c ?l) (is-at ?b ?l) (has-flat ?b))
    :effect (not (has-flat ?b)))
)
