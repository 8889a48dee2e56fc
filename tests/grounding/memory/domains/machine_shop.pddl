; a machine shop: a cart robot, mechanics, machines with guards, a rack with rows, bins, batteries
(define (domain machine_shop)
  (:requirements :strips :typing :negative-preconditions)
  (:types
    zone mechanic cart shelf_row socket_kind - object
    machine bench rack bin charger - station
    lathe drill_press saw - machine
    tool part battery - portable
    wrench screwdriver torque_gun - tool
    forklift - object
  )
  (:predicates
    (zone_contains ?z - zone ?s - (either station forklift))
    (mechanic_at ?m - mechanic ?z - zone)
    (cart_at ?c - cart ?z - zone)
    (holding ?m - mechanic ?p - portable)
    (in_gripper ?p - portable ?c - cart)
    (lying_on ?p - portable ?b - bench)
    (stored_in ?p - (either part battery) ?b - bin)
    (hangs_on ?t - tool ?r - rack)
    (on_row ?t - tool ?w - shelf_row)
    (rack_row ?r - rack ?w - shelf_row)
    (clamped_in ?p - part ?m - machine)
    (charging_at ?b - battery ?c - charger)
    (fitted_to ?b - battery ?t - torque_gun)
    (machine_running ?m - machine)
    (guard_closed ?m - machine)
    (emergency_stop_pressed ?m - machine)
    (bench_clean ?b - bench)
    (bin_full ?b - bin)
    (part_drilled ?p - part)
    (part_deburred ?p - part)
    (part_oiled ?p - part)
    (tool_broken ?t - tool)
    (battery_charged ?b - battery)
    (forklift_parked ?f - forklift)
    (drives ?m - mechanic ?f - forklift)
    (responsible_for ?m - mechanic ?s - machine)
  )
  (:action roll
    :parameters (?c - cart ?x ?y - zone)
    :precondition (cart_at ?c ?x)
    :effect (and (not (cart_at ?c ?x)) (cart_at ?c ?y)))
  (:action grab_from_bench
    :parameters (?c - cart ?p - portable ?b - bench ?z - zone)
    :precondition (and (lying_on ?p ?b) (zone_contains ?z ?b) (cart_at ?c ?z))
    :effect (and (not (lying_on ?p ?b)) (in_gripper ?p ?c)))
  (:action lay_on_bench
    :parameters (?c - cart ?p - portable ?b - bench ?z - zone)
    :precondition (and (in_gripper ?p ?c) (zone_contains ?z ?b) (cart_at ?c ?z))
    :effect (and (not (in_gripper ?p ?c)) (lying_on ?p ?b) (not (bench_clean ?b))))
  (:action wipe_bench
    :parameters (?c - cart ?b - bench ?z - zone)
    :precondition (and (zone_contains ?z ?b) (cart_at ?c ?z) (not (bench_clean ?b)))
    :effect (bench_clean ?b))
  (:action pick_from_bin
    :parameters (?c - cart ?p - (either part battery) ?b - bin ?z - zone)
    :precondition (and (stored_in ?p ?b) (zone_contains ?z ?b) (cart_at ?c ?z))
    :effect (and (not (stored_in ?p ?b)) (in_gripper ?p ?c) (not (bin_full ?b))))
  (:action drop_in_bin
    :parameters (?c - cart ?p - (either part battery) ?b - bin ?z - zone)
    :precondition (and (in_gripper ?p ?c) (zone_contains ?z ?b) (cart_at ?c ?z) (not (bin_full ?b)))
    :effect (and (not (in_gripper ?p ?c)) (stored_in ?p ?b)))
  (:action hang_up
    :parameters (?c - cart ?t - tool ?r - rack ?w - shelf_row ?z - zone)
    :precondition (and (in_gripper ?t ?c) (rack_row ?r ?w) (zone_contains ?z ?r) (cart_at ?c ?z))
    :effect (and (not (in_gripper ?t ?c)) (hangs_on ?t ?r) (on_row ?t ?w)))
  (:action take_down
    :parameters (?c - cart ?t - tool ?r - rack ?w - shelf_row ?z - zone)
    :precondition (and (hangs_on ?t ?r) (on_row ?t ?w) (zone_contains ?z ?r) (cart_at ?c ?z))
    :effect (and (in_gripper ?t ?c) (not (hangs_on ?t ?r)) (not (on_row ?t ?w))))
  (:action pass_to
    :parameters (?c - cart ?p - portable ?m - mechanic ?z - zone)
    :precondition (and (in_gripper ?p ?c) (mechanic_at ?m ?z) (cart_at ?c ?z))
    :effect (and (not (in_gripper ?p ?c)) (holding ?m ?p)))
  (:action receive_from
    :parameters (?c - cart ?p - portable ?m - mechanic ?z - zone)
    :precondition (and (holding ?m ?p) (mechanic_at ?m ?z) (cart_at ?c ?z))
    :effect (and (not (holding ?m ?p)) (in_gripper ?p ?c)))
  (:action clamp
    :parameters (?c - cart ?p - part ?m - machine ?z - zone)
    :precondition (and (in_gripper ?p ?c) (zone_contains ?z ?m) (cart_at ?c ?z) (not (machine_running ?m)) (not (guard_closed ?m)))
    :effect (and (not (in_gripper ?p ?c)) (clamped_in ?p ?m)))
  (:action unclamp
    :parameters (?c - cart ?p - part ?m - machine ?z - zone)
    :precondition (and (clamped_in ?p ?m) (zone_contains ?z ?m) (cart_at ?c ?z) (not (machine_running ?m)) (not (guard_closed ?m)))
    :effect (and (not (clamped_in ?p ?m)) (in_gripper ?p ?c)))
  (:action close_guard
    :parameters (?c - cart ?m - machine ?z - zone)
    :precondition (and (zone_contains ?z ?m) (cart_at ?c ?z) (not (guard_closed ?m)))
    :effect (guard_closed ?m))
  (:action open_guard
    :parameters (?c - cart ?m - machine ?z - zone)
    :precondition (and (zone_contains ?z ?m) (cart_at ?c ?z) (guard_closed ?m) (not (machine_running ?m)))
    :effect (not (guard_closed ?m)))
  (:action start_machine
    :parameters (?c - cart ?m - machine ?z - zone)
    :precondition (and (zone_contains ?z ?m) (cart_at ?c ?z) (guard_closed ?m) (not (machine_running ?m)) (not (emergency_stop_pressed ?m)))
    :effect (machine_running ?m))
  (:action stop_machine
    :parameters (?c - cart ?m - machine ?z - zone)
    :precondition (and (zone_contains ?z ?m) (cart_at ?c ?z) (machine_running ?m))
    :effect (not (machine_running ?m)))
  (:action release_emergency_stop
    :parameters (?c - cart ?m - machine ?z - zone)
    :precondition (and (zone_contains ?z ?m) (cart_at ?c ?z) (emergency_stop_pressed ?m))
    :effect (not (emergency_stop_pressed ?m)))
  (:action drill
    :parameters (?c - cart ?p - part ?d - drill_press ?z - zone)
    :precondition (and (clamped_in ?p ?d) (machine_running ?d) (zone_contains ?z ?d) (cart_at ?c ?z))
    :effect (part_drilled ?p))
  (:action oil
    :parameters (?c - cart ?p - part)
    :precondition (in_gripper ?p ?c)
    :effect (part_oiled ?p))
  (:action plug_in_battery
    :parameters (?c - cart ?b - battery ?h - charger ?z - zone)
    :precondition (and (in_gripper ?b ?c) (zone_contains ?z ?h) (cart_at ?c ?z))
    :effect (and (not (in_gripper ?b ?c)) (charging_at ?b ?h)))
  (:action unplug_battery
    :parameters (?c - cart ?b - battery ?h - charger ?z - zone)
    :precondition (and (charging_at ?b ?h) (zone_contains ?z ?h) (cart_at ?c ?z))
    :effect (and (not (charging_at ?b ?h)) (in_gripper ?b ?c) (battery_charged ?b)))
)
