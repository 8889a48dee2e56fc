; a hospital ward: a porter robot, staff, patients, devices, drawers of a trolley
(define (domain hospital)
  (:requirements :strips :typing :negative-preconditions)
  (:types
    room corridor - area
    patient nurse doctor - person
    bed wheelchair - seat
    drip monitor - device
    chart medicine linen - item
    cabinet trolley - holder
    robot drawer dose
  )
  (:predicates
    (area_has ?a - area ?x - (either bed cabinet trolley device wheelchair))
    (staff_in ?s - (either nurse doctor) ?a - area)
    (robot_in ?r - robot ?a - area)
    (lies_in ?p - patient ?b - bed)
    (sits_in ?p - patient ?w - wheelchair)
    (connected_to ?p - patient ?d - (either drip monitor))
    (carries ?s - (either nurse doctor) ?i - item)
    (robot_carries ?r - robot ?i - item)
    (inside ?i - item ?c - cabinet)
    (on_trolley ?i - item ?t - trolley)
    (on_bed ?l - linen ?b - bed)
    (in_drawer ?i - item ?d - drawer)
    (trolley_has_drawer ?t - trolley ?d - drawer)
    (cabinet_locked ?c - cabinet)
    (alarm_on ?m - monitor)
    (device_running ?d - device)
    (curtain_drawn ?b - bed)
    (bed_made ?b - bed)
    (rail_up ?b - bed)
    (linen_soiled ?l - linen)
    (patient_asleep ?p - patient)
    (given ?p - patient ?m - medicine)
    (assigned ?n - nurse ?p - patient)
    (brake_on ?w - wheelchair)
  )
  (:action drive
    :parameters (?r - robot ?from - area ?to - area)
    :precondition (robot_in ?r ?from)
    :effect (and (not (robot_in ?r ?from)) (robot_in ?r ?to)))
  (:action fetch_from_cabinet
    :parameters (?r - robot ?i - item ?c - cabinet ?a - area)
    :precondition (and (inside ?i ?c) (area_has ?a ?c) (robot_in ?r ?a) (not (cabinet_locked ?c)))
    :effect (and (not (inside ?i ?c)) (robot_carries ?r ?i)))
  (:action store_in_cabinet
    :parameters (?r - robot ?i - item ?c - cabinet ?a - area)
    :precondition (and (robot_carries ?r ?i) (area_has ?a ?c) (robot_in ?r ?a) (not (cabinet_locked ?c)))
    :effect (and (not (robot_carries ?r ?i)) (inside ?i ?c)))
  (:action unlock_cabinet
    :parameters (?r - robot ?c - cabinet ?a - area)
    :precondition (and (area_has ?a ?c) (robot_in ?r ?a) (cabinet_locked ?c))
    :effect (not (cabinet_locked ?c)))
  (:action lock_cabinet
    :parameters (?r - robot ?c - cabinet ?a - area)
    :precondition (and (area_has ?a ?c) (robot_in ?r ?a) (not (cabinet_locked ?c)))
    :effect (cabinet_locked ?c))
  (:action take_off_trolley
    :parameters (?r - robot ?i - item ?t - trolley ?d - drawer ?a - area)
    :precondition (and (on_trolley ?i ?t) (in_drawer ?i ?d) (area_has ?a ?t) (robot_in ?r ?a))
    :effect (and (not (on_trolley ?i ?t)) (not (in_drawer ?i ?d)) (robot_carries ?r ?i)))
  (:action put_on_trolley
    :parameters (?r - robot ?i - item ?t - trolley ?d - drawer ?a - area)
    :precondition (and (robot_carries ?r ?i) (trolley_has_drawer ?t ?d) (area_has ?a ?t) (robot_in ?r ?a))
    :effect (and (not (robot_carries ?r ?i)) (on_trolley ?i ?t) (in_drawer ?i ?d)))
  (:action hand_to_staff
    :parameters (?r - robot ?i - item ?s - (either nurse doctor) ?a - area)
    :precondition (and (robot_carries ?r ?i) (staff_in ?s ?a) (robot_in ?r ?a))
    :effect (and (not (robot_carries ?r ?i)) (carries ?s ?i)))
  (:action take_from_staff
    :parameters (?r - robot ?i - item ?s - (either nurse doctor) ?a - area)
    :precondition (and (carries ?s ?i) (staff_in ?s ?a) (robot_in ?r ?a))
    :effect (and (not (carries ?s ?i)) (robot_carries ?r ?i)))
  (:action spread_linen
    :parameters (?r - robot ?l - linen ?b - bed ?a - area)
    :precondition (and (robot_carries ?r ?l) (area_has ?a ?b) (robot_in ?r ?a) (not (linen_soiled ?l)))
    :effect (and (not (robot_carries ?r ?l)) (on_bed ?l ?b) (bed_made ?b)))
  (:action strip_linen
    :parameters (?r - robot ?l - linen ?b - bed ?a - area)
    :precondition (and (on_bed ?l ?b) (area_has ?a ?b) (robot_in ?r ?a))
    :effect (and (not (on_bed ?l ?b)) (not (bed_made ?b)) (robot_carries ?r ?l)))
  (:action start_device
    :parameters (?r - robot ?d - device ?a - area)
    :precondition (and (area_has ?a ?d) (robot_in ?r ?a) (not (device_running ?d)))
    :effect (device_running ?d))
  (:action stop_device
    :parameters (?r - robot ?d - device ?a - area)
    :precondition (and (area_has ?a ?d) (robot_in ?r ?a) (device_running ?d))
    :effect (not (device_running ?d)))
  (:action silence_alarm
    :parameters (?r - robot ?m - monitor ?a - area)
    :precondition (and (area_has ?a ?m) (robot_in ?r ?a) (alarm_on ?m))
    :effect (not (alarm_on ?m)))
  (:action draw_curtain
    :parameters (?r - robot ?b - bed ?a - area)
    :precondition (and (area_has ?a ?b) (robot_in ?r ?a) (not (curtain_drawn ?b)))
    :effect (curtain_drawn ?b))
  (:action open_curtain
    :parameters (?r - robot ?b - bed ?a - area)
    :precondition (and (area_has ?a ?b) (robot_in ?r ?a) (curtain_drawn ?b))
    :effect (not (curtain_drawn ?b)))
  (:action raise_rail
    :parameters (?r - robot ?b - bed ?a - area)
    :precondition (and (area_has ?a ?b) (robot_in ?r ?a) (not (rail_up ?b)))
    :effect (rail_up ?b))
  (:action lower_rail
    :parameters (?r - robot ?b - bed ?a - area)
    :precondition (and (area_has ?a ?b) (robot_in ?r ?a) (rail_up ?b))
    :effect (not (rail_up ?b)))
  (:action help_into_wheelchair
    :parameters (?r - robot ?p - patient ?b - bed ?w - wheelchair ?a - area)
    :precondition (and (lies_in ?p ?b) (area_has ?a ?b) (area_has ?a ?w) (robot_in ?r ?a) (brake_on ?w) (not (rail_up ?b)))
    :effect (and (not (lies_in ?p ?b)) (sits_in ?p ?w)))
  (:action help_into_bed
    :parameters (?r - robot ?p - patient ?b - bed ?w - wheelchair ?a - area)
    :precondition (and (sits_in ?p ?w) (area_has ?a ?b) (area_has ?a ?w) (robot_in ?r ?a) (not (rail_up ?b)))
    :effect (and (not (sits_in ?p ?w)) (lies_in ?p ?b)))
  (:action push_wheelchair
    :parameters (?r - robot ?w - wheelchair ?from - area ?to - area)
    :precondition (and (area_has ?from ?w) (robot_in ?r ?from) (not (brake_on ?w)))
    :effect (and (not (area_has ?from ?w)) (area_has ?to ?w) (not (robot_in ?r ?from)) (robot_in ?r ?to)))
  (:action set_brake
    :parameters (?r - robot ?w - wheelchair ?a - area)
    :precondition (and (area_has ?a ?w) (robot_in ?r ?a) (not (brake_on ?w)))
    :effect (brake_on ?w))
  (:action release_brake
    :parameters (?r - robot ?w - wheelchair ?a - area)
    :precondition (and (area_has ?a ?w) (robot_in ?r ?a) (brake_on ?w))
    :effect (not (brake_on ?w)))
  (:action give_medicine
    :parameters (?r - robot ?p - patient ?m - medicine ?b - bed ?a - area)
    :precondition (and (robot_carries ?r ?m) (lies_in ?p ?b) (area_has ?a ?b) (robot_in ?r ?a) (not (patient_asleep ?p)))
    :effect (and (not (robot_carries ?r ?m)) (given ?p ?m)))
)
