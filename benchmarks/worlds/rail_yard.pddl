(define (domain rail_yard)
  (:requirements :strips :typing :negative-preconditions)
  (:types
    track vehicle points person kit cargo - object
    wagon loco - vehicle
    shunter driver - person)
  (:predicates
    (loco_on ?l - loco ?t - track)
    (parked_on ?w - wagon ?t - track)
    (coupled_to ?w - wagon ?l - loco)
    (handbrake_on ?w - wagon)
    (is-inspected ?w - wagon)
    (loaded_with ?w - wagon ?c - cargo)
    (stacked_by ?c - cargo ?t - track)
    (at_track ?p - person ?t - track)
    (in_cab ?d - driver ?l - loco)
    (carries ?p - person ?k - kit)
    (lies_at ?k - kit ?t - track)
    (serves ?pts - points ?t - track)
    (set_for ?pts - points ?t - track)
    (pts-locked ?pts - points))
  (:action walk
    :parameters (?p - person ?from - track ?to - track)
    :precondition (at_track ?p ?from)
    :effect (and (not (at_track ?p ?from)) (at_track ?p ?to)))
  (:action climb-up
    :parameters (?d - driver ?l - loco ?t - track)
    :precondition (and (at_track ?d ?t) (loco_on ?l ?t))
    :effect (and (not (at_track ?d ?t)) (in_cab ?d ?l)))
  (:action climb-down
    :parameters (?d - driver ?l - loco ?t - track)
    :precondition (and (in_cab ?d ?l) (loco_on ?l ?t))
    :effect (and (not (in_cab ?d ?l)) (at_track ?d ?t)))
  (:action drive
    :parameters (?d - driver ?l - loco ?pts - points ?from - track ?to - track)
    :precondition (and (in_cab ?d ?l) (loco_on ?l ?from) (set_for ?pts ?to))
    :effect (and (not (loco_on ?l ?from)) (loco_on ?l ?to)))
  (:action couple
    :parameters (?s - shunter ?w - wagon ?l - loco ?t - track)
    :precondition (and (at_track ?s ?t) (parked_on ?w ?t) (loco_on ?l ?t) (not (handbrake_on ?w)))
    :effect (and (not (parked_on ?w ?t)) (coupled_to ?w ?l)))
  (:action uncouple
    :parameters (?s - shunter ?w - wagon ?l - loco ?t - track)
    :precondition (and (at_track ?s ?t) (coupled_to ?w ?l) (loco_on ?l ?t))
    :effect (and (not (coupled_to ?w ?l)) (parked_on ?w ?t)))
  (:action apply-brake
    :parameters (?p - person ?w - wagon ?t - track)
    :precondition (and (at_track ?p ?t) (parked_on ?w ?t) (not (handbrake_on ?w)))
    :effect (handbrake_on ?w))
  (:action release-brake
    :parameters (?p - person ?w - wagon ?t - track)
    :precondition (and (at_track ?p ?t) (parked_on ?w ?t) (handbrake_on ?w))
    :effect (not (handbrake_on ?w)))
  (:action throw-points
    :parameters (?p - person ?pts - points ?here - track ?from - track ?to - track)
    :precondition (and (at_track ?p ?here) (serves ?pts ?here) (serves ?pts ?to)
                       (set_for ?pts ?from) (not (pts-locked ?pts)))
    :effect (and (not (set_for ?pts ?from)) (set_for ?pts ?to)))
  (:action load
    :parameters (?p - person ?c - cargo ?w - wagon ?t - track)
    :precondition (and (at_track ?p ?t) (parked_on ?w ?t) (stacked_by ?c ?t))
    :effect (and (not (stacked_by ?c ?t)) (loaded_with ?w ?c)))
  (:action unload
    :parameters (?p - person ?c - cargo ?w - wagon ?t - track)
    :precondition (and (at_track ?p ?t) (parked_on ?w ?t) (loaded_with ?w ?c))
    :effect (and (not (loaded_with ?w ?c)) (stacked_by ?c ?t)))
  (:action inspect
    :parameters (?s - shunter ?w - wagon ?t - track)
    :precondition (and (at_track ?s ?t) (parked_on ?w ?t))
    :effect (is-inspected ?w))
  (:action take-kit
    :parameters (?p - person ?k - kit ?t - track)
    :precondition (and (at_track ?p ?t) (lies_at ?k ?t))
    :effect (and (not (lies_at ?k ?t)) (carries ?p ?k)))
  (:action leave-kit
    :parameters (?p - person ?k - kit ?t - track)
    :precondition (and (at_track ?p ?t) (carries ?p ?k))
    :effect (and (not (carries ?p ?k)) (lies_at ?k ?t))))
