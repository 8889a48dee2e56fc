(define (domain catering)
  (:requirements :strips :typing :negative-preconditions)
  (:types
    place person thing van dish - object
    cook driver - person
    tray holder - thing
    oven fridge box - holder)
  (:predicates
    (is_in ?p - person ?r - place)
    (stands_at ?h - holder ?r - place)
    (parked-at ?v - van ?r - place)
    (tray_in ?t - tray ?h - holder)
    (holding ?p - person ?x - thing)
    (on_tray ?d - dish ?t - tray)
    (loaded_in ?b - box ?v - van)
    (has_keys ?d - driver ?v - van)
    (is_sealed ?b - holder)
    (oven_on ?o - oven)
    (is_baked ?d - dish))
  (:action go
    :parameters (?p - person ?from - place ?to - place)
    :precondition (and (is_in ?p ?from) (not (is_in ?p ?to)))
    :effect (and (is_in ?p ?to) (not (is_in ?p ?from))))
  (:action drive
    :parameters (?d - driver ?v - van ?from - place ?to - place)
    :precondition (and (has_keys ?d ?v) (is_in ?d ?from) (parked-at ?v ?from) (not (parked-at ?v ?to)))
    :effect (and (is_in ?d ?to) (parked-at ?v ?to) (not (is_in ?d ?from)) (not (parked-at ?v ?from))))
  (:action hand_keys
    :parameters (?d1 - driver ?d2 - driver ?v - van ?r - place)
    :precondition (and (is_in ?d1 ?r) (is_in ?d2 ?r) (has_keys ?d1 ?v) (not (has_keys ?d2 ?v)))
    :effect (and (has_keys ?d2 ?v) (not (has_keys ?d1 ?v))))
  (:action put_tray
    :parameters (?p - person ?t - tray ?h - holder ?r - place)
    :precondition (and (is_in ?p ?r) (stands_at ?h ?r) (holding ?p ?t) (not (is_sealed ?h)))
    :effect (and (tray_in ?t ?h) (not (holding ?p ?t))))
  (:action take_tray
    :parameters (?p - person ?t - tray ?h - holder ?r - place)
    :precondition (and (is_in ?p ?r) (stands_at ?h ?r) (tray_in ?t ?h))
    :effect (and (holding ?p ?t) (not (tray_in ?t ?h)) (not (is_sealed ?h))))
  (:action seal
    :parameters (?p - person ?b - box ?r - place)
    :precondition (and (is_in ?p ?r) (stands_at ?b ?r) (not (is_sealed ?b)))
    :effect (is_sealed ?b))
  (:action lift_box
    :parameters (?p - person ?b - box ?r - place)
    :precondition (and (is_in ?p ?r) (stands_at ?b ?r))
    :effect (and (holding ?p ?b) (not (stands_at ?b ?r))))
  (:action set_box
    :parameters (?p - person ?b - box ?r - place)
    :precondition (and (is_in ?p ?r) (holding ?p ?b))
    :effect (and (stands_at ?b ?r) (not (holding ?p ?b))))
  (:action load_van
    :parameters (?p - person ?b - box ?v - van ?r - place)
    :precondition (and (is_in ?p ?r) (parked-at ?v ?r) (holding ?p ?b) (is_sealed ?b))
    :effect (and (loaded_in ?b ?v) (not (holding ?p ?b))))
  (:action unload_van
    :parameters (?p - person ?b - box ?v - van ?r - place)
    :precondition (and (is_in ?p ?r) (parked-at ?v ?r) (loaded_in ?b ?v))
    :effect (and (holding ?p ?b) (not (loaded_in ?b ?v))))
  (:action switch_on
    :parameters (?p - person ?o - oven ?r - place)
    :precondition (and (is_in ?p ?r) (stands_at ?o ?r) (not (oven_on ?o)))
    :effect (oven_on ?o))
  (:action switch_off
    :parameters (?p - person ?o - oven ?r - place)
    :precondition (and (is_in ?p ?r) (stands_at ?o ?r) (oven_on ?o))
    :effect (not (oven_on ?o)))
  (:action bake
    :parameters (?c - cook ?d - dish ?t - tray ?o - oven ?r - place)
    :precondition (and (is_in ?c ?r) (stands_at ?o ?r) (oven_on ?o) (tray_in ?t ?o) (on_tray ?d ?t) (not (is_baked ?d)))
    :effect (is_baked ?d))
  (:action shift_dish
    :parameters (?c - cook ?d - dish ?from - tray ?to - tray ?h - holder ?r - place)
    :precondition (and (is_in ?c ?r) (stands_at ?h ?r) (holding ?c ?from) (tray_in ?to ?h) (on_tray ?d ?from))
    :effect (and (on_tray ?d ?to) (not (on_tray ?d ?from)))))
