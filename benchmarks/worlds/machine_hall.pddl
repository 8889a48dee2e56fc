(define (domain machine_hall)
  (:requirements :strips :typing :negative-preconditions)
  (:types
    zone equipment gear mover - object
    machine support - equipment
    pallet - support
    tool fixture workpiece - gear
    machinist agv - mover)
  (:predicates
    (is_at ?m - mover ?z - zone)
    (stands_in ?e - equipment ?z - zone)
    (lies_on ?g - gear ?s - support)
    (carries ?h - machinist ?g - gear)
    (rides_on ?p - pallet ?a - agv)
    (mounted_in ?g - gear ?m - machine)
    (assigned-to ?h - machinist ?m - machine)
    (is_running ?m - machine)
    (guard_open ?m - machine)
    (is_finished ?w - workpiece)
    (is_worn ?t - tool))
  (:action go
    :parameters (?m - mover ?from - zone ?to - zone)
    :precondition (and (is_at ?m ?from) (not (is_at ?m ?to)))
    :effect (and (is_at ?m ?to) (not (is_at ?m ?from))))
  (:action pick_up
    :parameters (?h - machinist ?g - gear ?s - support ?z - zone)
    :precondition (and (is_at ?h ?z) (stands_in ?s ?z) (lies_on ?g ?s))
    :effect (and (carries ?h ?g) (not (lies_on ?g ?s))))
  (:action put_down
    :parameters (?h - machinist ?g - gear ?s - support ?z - zone)
    :precondition (and (is_at ?h ?z) (stands_in ?s ?z) (carries ?h ?g))
    :effect (and (lies_on ?g ?s) (not (carries ?h ?g))))
  (:action load_agv
    :parameters (?a - agv ?p - pallet ?z - zone)
    :precondition (and (is_at ?a ?z) (stands_in ?p ?z))
    :effect (and (rides_on ?p ?a) (not (stands_in ?p ?z))))
  (:action unload_agv
    :parameters (?a - agv ?p - pallet ?z - zone)
    :precondition (and (is_at ?a ?z) (rides_on ?p ?a))
    :effect (and (stands_in ?p ?z) (not (rides_on ?p ?a))))
  (:action mount
    :parameters (?h - machinist ?g - gear ?m - machine ?z - zone)
    :precondition (and (is_at ?h ?z) (stands_in ?m ?z) (carries ?h ?g) (guard_open ?m) (not (is_running ?m)))
    :effect (and (mounted_in ?g ?m) (not (carries ?h ?g))))
  (:action unmount
    :parameters (?h - machinist ?g - gear ?m - machine ?z - zone)
    :precondition (and (is_at ?h ?z) (stands_in ?m ?z) (mounted_in ?g ?m) (guard_open ?m) (not (is_running ?m)))
    :effect (and (carries ?h ?g) (not (mounted_in ?g ?m))))
  (:action open_guard
    :parameters (?h - machinist ?m - machine ?z - zone)
    :precondition (and (is_at ?h ?z) (stands_in ?m ?z) (not (guard_open ?m)) (not (is_running ?m)))
    :effect (guard_open ?m))
  (:action close_guard
    :parameters (?h - machinist ?m - machine ?z - zone)
    :precondition (and (is_at ?h ?z) (stands_in ?m ?z) (guard_open ?m))
    :effect (not (guard_open ?m)))
  (:action start_spindle
    :parameters (?h - machinist ?m - machine ?z - zone)
    :precondition (and (is_at ?h ?z) (stands_in ?m ?z) (assigned-to ?h ?m) (not (guard_open ?m)) (not (is_running ?m)))
    :effect (is_running ?m))
  (:action stop_spindle
    :parameters (?h - machinist ?m - machine ?z - zone)
    :precondition (and (is_at ?h ?z) (stands_in ?m ?z) (is_running ?m))
    :effect (not (is_running ?m)))
  (:action machine_part
    :parameters (?w - workpiece ?t - tool ?m - machine)
    :precondition (and (is_running ?m) (mounted_in ?w ?m) (mounted_in ?t ?m) (not (is_worn ?t)) (not (is_finished ?w)))
    :effect (is_finished ?w))
  (:action sharpen
    :parameters (?h - machinist ?t - tool)
    :precondition (and (carries ?h ?t) (is_worn ?t))
    :effect (not (is_worn ?t)))
  (:action take_over
    :parameters (?old - machinist ?new - machinist ?m - machine)
    :precondition (and (assigned-to ?old ?m) (not (assigned-to ?new ?m)))
    :effect (and (assigned-to ?new ?m) (not (assigned-to ?old ?m)))))
