;; Lighting rig of a small repertory house.
;; bar = flown pipe, fix = luminaire, circ = dimmer circuit, gel = colour filter
(define (domain lightrig)
  (:requirements :strips :typing :negative-preconditions)

  (:types
    tech place circ gear - object
    bar - place
    fix gel - gear)

  (:predicates
    (at ?t - tech ?p - place)       ; at a bar = up the ladder there
    (in ?g - gear ?p - place)       ; lying in a room
    (has ?t - tech ?g - gear)
    (hung ?f - fix ?b - bar)
    (plugged ?f - fix ?c - circ)
    (live ?f - fix)                 ; is plugged in somewhere
    (free ?c - circ)
    (runs ?c - circ ?b - bar)       ; circuit comes out on that bar
    (out ?b - bar)                  ; flown out to trim, out of reach
    (minds ?t - tech ?b - bar)      ; responsible flyman for the bar
    (gelled ?f - fix ?g - gel)
    (open ?f - fix)                 ; open white, no gel in the frame
    (blown ?f - fix)
    (hire ?g - gear))               ; hired in, goes back after the run

  (:action walk
    :parameters (?t - tech ?a ?b - place)
    :precondition (at ?t ?a)
    :effect (and (at ?t ?b) (not (at ?t ?a))))

  (:action grab
    :parameters (?t - tech ?g - gear ?p - place)
    :precondition (and (at ?t ?p) (in ?g ?p))
    :effect (and (has ?t ?g) (not (in ?g ?p))))

  (:action stow
    :parameters (?t - tech ?g - gear ?p - place)
    :precondition (and (at ?t ?p) (has ?t ?g))
    :effect (and (in ?g ?p) (not (has ?t ?g))))

  (:action hang
    :parameters (?t - tech ?f - fix ?b - bar)
    :precondition (and (at ?t ?b) (not (out ?b)) (has ?t ?f))
    :effect (and (hung ?f ?b) (not (has ?t ?f))))

  (:action strike
    :parameters (?t - tech ?f - fix ?b - bar)
    :precondition (and (at ?t ?b) (not (out ?b)) (hung ?f ?b) (not (live ?f)))
    :effect (and (has ?t ?f) (not (hung ?f ?b))))

  (:action plug
    :parameters (?t - tech ?f - fix ?c - circ ?b - bar)
    :precondition (and (at ?t ?b) (not (out ?b)) (hung ?f ?b) (runs ?c ?b)
                       (free ?c) (not (live ?f)))
    :effect (and (plugged ?f ?c) (live ?f) (not (free ?c))))

  (:action unplug
    :parameters (?t - tech ?f - fix ?c - circ ?b - bar)
    :precondition (and (at ?t ?b) (not (out ?b)) (hung ?f ?b) (plugged ?f ?c))
    :effect (and (free ?c) (not (plugged ?f ?c)) (not (live ?f))))

  (:action gel
    :parameters (?t - tech ?f - fix ?g - gel ?b - bar)
    :precondition (and (at ?t ?b) (not (out ?b)) (hung ?f ?b) (has ?t ?g) (open ?f))
    :effect (and (gelled ?f ?g) (not (open ?f)) (not (has ?t ?g))))

  (:action fly-in
    :parameters (?t - tech ?b - bar)
    :precondition (and (minds ?t ?b) (out ?b))
    :effect (not (out ?b)))

  (:action fly-out
    :parameters (?t - tech ?b - bar)
    :precondition (and (minds ?t ?b) (not (out ?b)))
    :effect (out ?b))
)
