; Small-boat fishing co-op: three boats, a short quay, shared ice house and loft.
(define (domain fishcoop)
  (:requirements :strips :typing :negative-preconditions)

  (:types
    person boat place item - object
    berth - place          ; a berth is a place on the quay where one boat can lie
    crate net - item)

  (:predicates
    ;; boats
    (moored ?b - boat ?q - berth)
    (at-sea ?b - boat)
    (occupied ?q - berth)
    (has-pump ?q - berth)               ; diesel pump on the quay
    (fuelled ?b - boat)
    (skipper-of ?m - person ?b - boat)
    ;; people
    (aboard ?m - person ?b - boat)
    (ashore ?m - person ?p - place)
    ;; gear and catch
    (stowed ?i - item ?b - boat)
    (kept ?i - item ?p - place)
    (full ?c - crate)                   ; full of fish
    (torn ?n - net)
    (belongs-to ?i - item ?m - person)
    (promised ?c - crate ?m - person))  ; the catch in it is spoken for

  (:action walk
    :parameters (?m - person ?from - place ?to - place)
    :precondition (ashore ?m ?from)
    :effect (and (not (ashore ?m ?from)) (ashore ?m ?to)))

  (:action board
    :parameters (?m - person ?b - boat ?q - berth)
    :precondition (and (ashore ?m ?q) (moored ?b ?q))
    :effect (and (not (ashore ?m ?q)) (aboard ?m ?b)))

  (:action disembark
    :parameters (?m - person ?b - boat ?q - berth)
    :precondition (and (aboard ?m ?b) (moored ?b ?q))
    :effect (and (not (aboard ?m ?b)) (ashore ?m ?q)))

  ; the co-op's cart fetches things from anywhere on the quay
  (:action load
    :parameters (?i - item ?p - place ?b - boat ?q - berth)
    :precondition (and (kept ?i ?p) (moored ?b ?q))
    :effect (and (not (kept ?i ?p)) (stowed ?i ?b)))

  (:action unload
    :parameters (?i - item ?b - boat ?q - berth ?p - place)
    :precondition (and (stowed ?i ?b) (moored ?b ?q))
    :effect (and (not (stowed ?i ?b)) (kept ?i ?p)))

  (:action cast-off
    :parameters (?m - person ?b - boat ?q - berth)
    :precondition (and (skipper-of ?m ?b) (aboard ?m ?b) (moored ?b ?q) (fuelled ?b))
    :effect (and (not (moored ?b ?q)) (not (occupied ?q)) (at-sea ?b)))

  (:action moor
    :parameters (?m - person ?b - boat ?q - berth)
    :precondition (and (skipper-of ?m ?b) (aboard ?m ?b) (at-sea ?b) (not (occupied ?q)))
    :effect (and (not (at-sea ?b)) (moored ?b ?q) (occupied ?q)))

  (:action haul
    :parameters (?m - person ?b - boat ?n - net ?c - crate)
    :precondition (and (at-sea ?b) (aboard ?m ?b) (stowed ?n ?b) (not (torn ?n))
                       (stowed ?c ?b) (not (full ?c)))
    :effect (full ?c))

  (:action mend
    :parameters (?m - person ?n - net ?p - place)
    :precondition (and (ashore ?m ?p) (kept ?n ?p) (torn ?n))
    :effect (not (torn ?n)))

  (:action refuel
    :parameters (?m - person ?b - boat ?q - berth)
    :precondition (and (ashore ?m ?q) (moored ?b ?q) (has-pump ?q) (not (fuelled ?b)))
    :effect (fuelled ?b))
)
