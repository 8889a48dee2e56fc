; A house in which people and a robot with one hand handle things.
(define (domain house)
  (:requirements :strips :typing :negative-preconditions)
  (:types
    room fixture item actor liquid channel colour - object
    spot door lamp tv shelf dispenser - fixture
    surface receptacle tier basin - spot
    bed - surface
    closable box - receptacle
    fridge oven washer - closable
    washable food phone gadget - item
    dish cloth - washable
    vessel - dish
    person robot - actor)
  (:predicates
    (in_room ?f - fixture ?r - room) (tier_of ?t - tier ?s - shelf) (opens_to ?d - door ?r - room)
    (dispenses ?d - dispenser ?l - liquid) (owned_by ?x - item ?p - person) (coloured ?x - item ?c - colour)
    (resting_on ?x - item ?s - surface) (stowed_in ?x - item ?c - receptacle) (shelved_at ?x - item ?t - tier)
    (lying_in ?x - item ?b - basin) (held_by ?x - item ?p - person) (gripped_by ?x - item ?a - robot)
    (person_at ?p - person ?r - room) (robot_at ?a - robot ?r - room) (hand_free ?a - robot)
    (door_open ?d - door) (lid_open ?c - closable) (lit ?l - lamp) (screen_on ?t - tv) (tuned_to ?t - tv ?c - channel)
    (water_running ?b - basin) (bed_made ?b - bed) (ringing ?p - phone) (clean ?x - washable) (empty ?v - vessel)
    (filled_with ?v - vessel ?l - liquid) (broken ?x - item) (hot ?f - food))

  ; ---- going
  (:action drive
    :parameters (?a - robot ?here - room ?d - door ?there - room)
    :precondition (and (robot_at ?a ?here) (opens_to ?d ?here) (opens_to ?d ?there) (door_open ?d))
    :effect (and (robot_at ?a ?there) (not (robot_at ?a ?here))))
  (:action pull_open
    :parameters (?a - robot ?d - door ?r - room)
    :precondition (and (robot_at ?a ?r) (opens_to ?d ?r) (not (door_open ?d)))
    :effect (door_open ?d))
  (:action push_shut
    :parameters (?a - robot ?d - door ?r - room)
    :precondition (and (robot_at ?a ?r) (opens_to ?d ?r) (door_open ?d))
    :effect (not (door_open ?d)))

  ; ---- lids, lamps, screens, taps, beds, phones
  (:action lift_lid
    :parameters (?a - robot ?c - closable ?r - room)
    :precondition (and (robot_at ?a ?r) (in_room ?c ?r) (not (lid_open ?c)))
    :effect (lid_open ?c))
  (:action drop_lid
    :parameters (?a - robot ?c - closable ?r - room)
    :precondition (and (robot_at ?a ?r) (in_room ?c ?r) (lid_open ?c))
    :effect (not (lid_open ?c)))
  (:action light_up
    :parameters (?a - robot ?l - lamp ?r - room)
    :precondition (and (robot_at ?a ?r) (in_room ?l ?r) (not (lit ?l)))
    :effect (lit ?l))
  (:action put_out
    :parameters (?a - robot ?l - lamp ?r - room)
    :precondition (and (robot_at ?a ?r) (in_room ?l ?r) (lit ?l))
    :effect (not (lit ?l)))
  (:action start_screen
    :parameters (?a - robot ?t - tv ?r - room)
    :precondition (and (robot_at ?a ?r) (in_room ?t ?r) (not (screen_on ?t)))
    :effect (screen_on ?t))
  (:action stop_screen
    :parameters (?a - robot ?t - tv ?r - room)
    :precondition (and (robot_at ?a ?r) (in_room ?t ?r) (screen_on ?t))
    :effect (not (screen_on ?t)))
  (:action tune
    :parameters (?a - robot ?t - tv ?old - channel ?new - channel ?r - room)
    :precondition (and (robot_at ?a ?r) (in_room ?t ?r) (screen_on ?t) (tuned_to ?t ?old))
    :effect (and (tuned_to ?t ?new) (not (tuned_to ?t ?old))))
  (:action turn_tap_on
    :parameters (?a - robot ?b - basin ?r - room)
    :precondition (and (robot_at ?a ?r) (in_room ?b ?r) (not (water_running ?b)))
    :effect (water_running ?b))
  (:action turn_tap_off
    :parameters (?a - robot ?b - basin ?r - room)
    :precondition (and (robot_at ?a ?r) (in_room ?b ?r) (water_running ?b))
    :effect (not (water_running ?b)))
  (:action make_bed
    :parameters (?a - robot ?b - bed ?r - room)
    :precondition (and (robot_at ?a ?r) (in_room ?b ?r) (hand_free ?a) (not (bed_made ?b)))
    :effect (bed_made ?b))
  (:action silence
    :parameters (?a - robot ?p - phone)
    :precondition (and (gripped_by ?p ?a) (ringing ?p))
    :effect (not (ringing ?p)))

  ; ---- taking
  (:action take_from_surface
    :parameters (?a - robot ?x - item ?s - surface ?r - room)
    :precondition (and (robot_at ?a ?r) (in_room ?s ?r) (hand_free ?a) (resting_on ?x ?s))
    :effect (and (gripped_by ?x ?a) (not (hand_free ?a)) (not (resting_on ?x ?s))))
  (:action take_out_of_closable
    :parameters (?a - robot ?x - item ?c - closable ?r - room)
    :precondition (and (robot_at ?a ?r) (in_room ?c ?r) (hand_free ?a) (lid_open ?c) (stowed_in ?x ?c))
    :effect (and (gripped_by ?x ?a) (not (hand_free ?a)) (not (stowed_in ?x ?c))))
  (:action take_out_of_box
    :parameters (?a - robot ?x - item ?c - box ?r - room)
    :precondition (and (robot_at ?a ?r) (in_room ?c ?r) (hand_free ?a) (stowed_in ?x ?c))
    :effect (and (gripped_by ?x ?a) (not (hand_free ?a)) (not (stowed_in ?x ?c))))
  (:action take_from_tier
    :parameters (?a - robot ?x - item ?t - tier ?r - room)
    :precondition (and (robot_at ?a ?r) (in_room ?t ?r) (hand_free ?a) (shelved_at ?x ?t))
    :effect (and (gripped_by ?x ?a) (not (hand_free ?a)) (not (shelved_at ?x ?t))))
  (:action take_from_basin
    :parameters (?a - robot ?x - item ?b - basin ?r - room)
    :precondition (and (robot_at ?a ?r) (in_room ?b ?r) (hand_free ?a) (lying_in ?x ?b))
    :effect (and (gripped_by ?x ?a) (not (hand_free ?a)) (not (lying_in ?x ?b))))
  (:action take_from_person
    :parameters (?a - robot ?x - item ?p - person ?r - room)
    :precondition (and (robot_at ?a ?r) (person_at ?p ?r) (hand_free ?a) (held_by ?x ?p))
    :effect (and (gripped_by ?x ?a) (not (hand_free ?a)) (not (held_by ?x ?p))))

  ; ---- putting
  (:action put_on_surface
    :parameters (?a - robot ?x - item ?s - surface ?r - room)
    :precondition (and (robot_at ?a ?r) (in_room ?s ?r) (gripped_by ?x ?a))
    :effect (and (resting_on ?x ?s) (hand_free ?a) (not (gripped_by ?x ?a))))
  (:action put_into_closable
    :parameters (?a - robot ?x - item ?c - closable ?r - room)
    :precondition (and (robot_at ?a ?r) (in_room ?c ?r) (lid_open ?c) (gripped_by ?x ?a))
    :effect (and (stowed_in ?x ?c) (hand_free ?a) (not (gripped_by ?x ?a))))
  (:action put_into_box
    :parameters (?a - robot ?x - item ?c - box ?r - room)
    :precondition (and (robot_at ?a ?r) (in_room ?c ?r) (gripped_by ?x ?a))
    :effect (and (stowed_in ?x ?c) (hand_free ?a) (not (gripped_by ?x ?a))))
  (:action put_on_tier
    :parameters (?a - robot ?x - item ?t - tier ?r - room)
    :precondition (and (robot_at ?a ?r) (in_room ?t ?r) (gripped_by ?x ?a))
    :effect (and (shelved_at ?x ?t) (hand_free ?a) (not (gripped_by ?x ?a))))
  (:action put_into_basin
    :parameters (?a - robot ?x - item ?b - basin ?r - room)
    :precondition (and (robot_at ?a ?r) (in_room ?b ?r) (gripped_by ?x ?a))
    :effect (and (lying_in ?x ?b) (hand_free ?a) (not (gripped_by ?x ?a))))
  (:action give
    :parameters (?a - robot ?x - item ?p - person ?r - room)
    :precondition (and (robot_at ?a ?r) (person_at ?p ?r) (gripped_by ?x ?a))
    :effect (and (held_by ?x ?p) (hand_free ?a) (not (gripped_by ?x ?a))))

  ; ---- what becomes of things
  (:action rinse
    :parameters (?a - robot ?x - dish ?b - basin ?r - room)
    :precondition (and (robot_at ?a ?r) (in_room ?b ?r) (lying_in ?x ?b) (water_running ?b) (not (clean ?x)))
    :effect (clean ?x))
  (:action launder
    :parameters (?a - robot ?x - cloth ?w - washer ?r - room)
    :precondition (and (robot_at ?a ?r) (in_room ?w ?r) (stowed_in ?x ?w) (not (lid_open ?w)) (not (clean ?x)))
    :effect (clean ?x))
  (:action heat
    :parameters (?a - robot ?f - food ?o - oven ?r - room)
    :precondition (and (robot_at ?a ?r) (in_room ?o ?r) (stowed_in ?f ?o) (not (lid_open ?o)) (not (hot ?f)))
    :effect (hot ?f))
  (:action chill
    :parameters (?a - robot ?f - food ?o - fridge ?r - room)
    :precondition (and (robot_at ?a ?r) (in_room ?o ?r) (stowed_in ?f ?o) (not (lid_open ?o)) (hot ?f))
    :effect (not (hot ?f)))
  (:action draw
    :parameters (?a - robot ?v - vessel ?d - dispenser ?l - liquid ?r - room)
    :precondition (and (robot_at ?a ?r) (in_room ?d ?r) (dispenses ?d ?l) (gripped_by ?v ?a) (empty ?v))
    :effect (and (filled_with ?v ?l) (not (empty ?v))))
  (:action pour_away
    :parameters (?a - robot ?v - vessel ?b - basin ?l - liquid ?r - room)
    :precondition (and (robot_at ?a ?r) (in_room ?b ?r) (gripped_by ?v ?a) (filled_with ?v ?l))
    :effect (and (empty ?v) (not (filled_with ?v ?l)))))
