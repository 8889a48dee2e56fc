;; Baggage reclaim and lost property of a small regional airport.
(define (domain airport-luggage-hall)
  (:requirements :strips :typing :negative-preconditions)
  (:types
    area person baggage-item equipment-item baggage-trolley storage-rack
    shelf-level conveyor-belt screening-machine flight colour - object
    staff-member passenger - person
    suitcase backpack instrument-case duffel-bag - baggage-item
    access-card tag-printing-device handheld-radio - equipment-item)
  (:predicates
    ;; where people and things are
    (person-is-present-in ?who - person ?where - area)
    (has-been-left-in ?what - (either baggage-item equipment-item) ?where - area)
    (is-being-held-by ?what - (either baggage-item equipment-item) ?who - person)
    (is-holding-on-to ?who - person ?what - (either baggage-item equipment-item))
    (hands-are-unoccupied ?who - person)
    (has-been-stowed-at ?bag - baggage-item ?rack - storage-rack ?level - shelf-level)
    (shelf-space-is-vacant ?rack - storage-rack ?level - shelf-level)
    (has-been-loaded-onto ?bag - baggage-item ?cart - baggage-trolley)
    (trolley-is-parked-in ?cart - baggage-trolley ?where - area)
    (has-been-placed-on-belt ?bag - baggage-item ?belt - conveyor-belt)
    ;; status
    (belt-is-in-motion ?belt - conveyor-belt)
    (belt-has-jammed ?belt - conveyor-belt)
    (screening-machine-is-powered ?machine - screening-machine)
    (has-been-screened ?bag - baggage-item)
    (has-been-tagged-for-flight ?bag - baggage-item ?service - flight)
    (carries-no-flight-tag ?bag - baggage-item)
    (flight-is-assigned-to-belt ?service - flight ?belt - conveyor-belt)
    (area-is-closed-off ?where - area)
    (has-been-reported-missing-by ?bag - baggage-item ?who - passenger)
    ;; layout and other things that do not change
    (areas-are-connected ?from ?to - area)
    (is-situated-in ?fixture - (either storage-rack conveyor-belt screening-machine) ?where - area)
    (level-is-directly-above ?upper ?lower - shelf-level)
    (card-grants-entry-to ?card - access-card ?where - area)
    (is-owned-by ?what - (either baggage-item equipment-item) ?who - person)
    (is-owner-of ?who - person ?what - (either baggage-item equipment-item))
    (is-coloured-in ?what - baggage-item ?shade - colour))

  (:action walk-between-areas
    :parameters (?who - person ?from ?to - area)
    :precondition (and (person-is-present-in ?who ?from) (areas-are-connected ?from ?to)
                       (not (area-is-closed-off ?to)))
    :effect (and (not (person-is-present-in ?who ?from)) (person-is-present-in ?who ?to)))

  (:action lift-up-from-floor
    :parameters (?who - person ?what - (either baggage-item equipment-item) ?where - area)
    :precondition (and (person-is-present-in ?who ?where) (has-been-left-in ?what ?where)
                       (hands-are-unoccupied ?who))
    :effect (and (not (has-been-left-in ?what ?where)) (not (hands-are-unoccupied ?who))
                 (is-being-held-by ?what ?who) (is-holding-on-to ?who ?what)))

  (:action set-down-on-floor
    :parameters (?who - person ?what - (either baggage-item equipment-item) ?where - area)
    :precondition (and (person-is-present-in ?who ?where) (is-being-held-by ?what ?who))
    :effect (and (not (is-being-held-by ?what ?who)) (not (is-holding-on-to ?who ?what))
                 (hands-are-unoccupied ?who) (has-been-left-in ?what ?where)))

  (:action stow-on-shelf
    :parameters (?who - person ?bag - baggage-item ?rack - storage-rack ?level - shelf-level ?where - area)
    :precondition (and (person-is-present-in ?who ?where) (is-situated-in ?rack ?where)
                       (is-being-held-by ?bag ?who) (shelf-space-is-vacant ?rack ?level))
    :effect (and (not (is-being-held-by ?bag ?who)) (not (is-holding-on-to ?who ?bag))
                 (hands-are-unoccupied ?who) (not (shelf-space-is-vacant ?rack ?level))
                 (has-been-stowed-at ?bag ?rack ?level)))

  (:action take-down-from-shelf
    :parameters (?who - person ?bag - baggage-item ?rack - storage-rack ?level - shelf-level ?where - area)
    :precondition (and (person-is-present-in ?who ?where) (is-situated-in ?rack ?where)
                       (has-been-stowed-at ?bag ?rack ?level) (hands-are-unoccupied ?who))
    :effect (and (not (has-been-stowed-at ?bag ?rack ?level)) (not (hands-are-unoccupied ?who))
                 (shelf-space-is-vacant ?rack ?level)
                 (is-being-held-by ?bag ?who) (is-holding-on-to ?who ?bag)))

  (:action load-onto-trolley
    :parameters (?who - person ?bag - baggage-item ?cart - baggage-trolley ?where - area)
    :precondition (and (person-is-present-in ?who ?where) (trolley-is-parked-in ?cart ?where)
                       (is-being-held-by ?bag ?who))
    :effect (and (not (is-being-held-by ?bag ?who)) (not (is-holding-on-to ?who ?bag))
                 (hands-are-unoccupied ?who) (has-been-loaded-onto ?bag ?cart)))

  (:action unload-from-trolley
    :parameters (?who - person ?bag - baggage-item ?cart - baggage-trolley ?where - area)
    :precondition (and (person-is-present-in ?who ?where) (trolley-is-parked-in ?cart ?where)
                       (has-been-loaded-onto ?bag ?cart) (hands-are-unoccupied ?who))
    :effect (and (not (has-been-loaded-onto ?bag ?cart)) (not (hands-are-unoccupied ?who))
                 (is-being-held-by ?bag ?who) (is-holding-on-to ?who ?bag)))

  (:action push-trolley-along
    :parameters (?who - person ?cart - baggage-trolley ?from ?to - area)
    :precondition (and (person-is-present-in ?who ?from) (trolley-is-parked-in ?cart ?from)
                       (hands-are-unoccupied ?who) (areas-are-connected ?from ?to)
                       (not (area-is-closed-off ?to)))
    :effect (and (not (person-is-present-in ?who ?from)) (not (trolley-is-parked-in ?cart ?from))
                 (person-is-present-in ?who ?to) (trolley-is-parked-in ?cart ?to)))

  (:action put-onto-moving-belt
    :parameters (?who - person ?bag - baggage-item ?belt - conveyor-belt ?where - area)
    :precondition (and (person-is-present-in ?who ?where) (is-situated-in ?belt ?where)
                       (is-being-held-by ?bag ?who) (has-been-screened ?bag) (belt-is-in-motion ?belt))
    :effect (and (not (is-being-held-by ?bag ?who)) (not (is-holding-on-to ?who ?bag))
                 (hands-are-unoccupied ?who) (has-been-placed-on-belt ?bag ?belt)))

  (:action set-belt-in-motion
    :parameters (?who - staff-member ?belt - conveyor-belt ?where - area)
    :precondition (and (person-is-present-in ?who ?where) (is-situated-in ?belt ?where)
                       (not (belt-is-in-motion ?belt)) (not (belt-has-jammed ?belt)))
    :effect (belt-is-in-motion ?belt))

  (:action bring-belt-to-standstill
    :parameters (?who - staff-member ?belt - conveyor-belt ?where - area)
    :precondition (and (person-is-present-in ?who ?where) (is-situated-in ?belt ?where)
                       (belt-is-in-motion ?belt))
    :effect (not (belt-is-in-motion ?belt)))

  (:action pass-through-screening
    :parameters (?who - person ?bag - baggage-item ?machine - screening-machine ?where - area)
    :precondition (and (person-is-present-in ?who ?where) (is-situated-in ?machine ?where)
                       (screening-machine-is-powered ?machine) (is-being-held-by ?bag ?who)
                       (not (has-been-screened ?bag)))
    :effect (has-been-screened ?bag))

  (:action attach-flight-tag
    :parameters (?who - staff-member ?device - tag-printing-device ?bag - baggage-item ?service - flight ?where - area)
    :precondition (and (person-is-present-in ?who ?where) (is-being-held-by ?device ?who)
                       (has-been-left-in ?bag ?where) (carries-no-flight-tag ?bag))
    :effect (and (not (carries-no-flight-tag ?bag)) (has-been-tagged-for-flight ?bag ?service)))

  (:action open-up-area-with-card
    :parameters (?who - staff-member ?card - access-card ?from ?to - area)
    :precondition (and (person-is-present-in ?who ?from) (areas-are-connected ?from ?to)
                       (is-being-held-by ?card ?who) (card-grants-entry-to ?card ?to)
                       (area-is-closed-off ?to))
    :effect (not (area-is-closed-off ?to))))
