(define (domain fire-station)
  (:requirements :strips :typing :negative-preconditions)
  (:types
    firefighter engine place watch kit - object
    hose ba-set cyl tool - kit)
  (:predicates
    (at-loc ?f - firefighter ?p - place)
    (parked-at ?e - engine ?p - place)
    (has-kit ?f - firefighter ?k - kit)
    (kept-in ?k - kit ?p - place)
    (stowed-on ?k - kit ?e - engine)
    (wears ?f - firefighter ?s - ba-set)
    (cyl-fitted ?c - cyl ?s - ba-set)
    (cyl-full ?c - cyl)
    (door-open ?p - place)
    (detailed-to ?f - firefighter ?e - engine)
    (of-watch ?f - firefighter ?w - watch)
    (on-duty ?w - watch)
    (has-compressor ?p - place))

  (:action walk
    :parameters (?f - firefighter ?from ?to - place)
    :precondition (at-loc ?f ?from)
    :effect (and (at-loc ?f ?to) (not (at-loc ?f ?from))))

  (:action grab
    :parameters (?f - firefighter ?k - kit ?p - place)
    :precondition (and (at-loc ?f ?p) (kept-in ?k ?p))
    :effect (and (has-kit ?f ?k) (not (kept-in ?k ?p))))

  (:action put-back
    :parameters (?f - firefighter ?k - kit ?p - place)
    :precondition (and (at-loc ?f ?p) (has-kit ?f ?k))
    :effect (and (kept-in ?k ?p) (not (has-kit ?f ?k))))

  (:action stow
    :parameters (?f - firefighter ?k - kit ?e - engine ?p - place)
    :precondition (and (at-loc ?f ?p) (parked-at ?e ?p) (has-kit ?f ?k))
    :effect (and (stowed-on ?k ?e) (not (has-kit ?f ?k))))

  (:action offload
    :parameters (?f - firefighter ?k - kit ?e - engine ?p - place)
    :precondition (and (at-loc ?f ?p) (parked-at ?e ?p) (stowed-on ?k ?e))
    :effect (and (has-kit ?f ?k) (not (stowed-on ?k ?e))))

  (:action don-set
    :parameters (?f - firefighter ?s - ba-set)
    :precondition (has-kit ?f ?s)
    :effect (and (wears ?f ?s) (not (has-kit ?f ?s))))

  (:action doff-set
    :parameters (?f - firefighter ?s - ba-set)
    :precondition (wears ?f ?s)
    :effect (and (has-kit ?f ?s) (not (wears ?f ?s))))

  (:action change-cyl
    :parameters (?f - firefighter ?old ?new - cyl ?s - ba-set ?p - place)
    :precondition (and (at-loc ?f ?p) (kept-in ?s ?p) (cyl-fitted ?old ?s)
                       (has-kit ?f ?new) (cyl-full ?new))
    :effect (and (cyl-fitted ?new ?s) (has-kit ?f ?old)
                 (not (cyl-fitted ?old ?s)) (not (has-kit ?f ?new))))

  (:action refill-cyl
    :parameters (?f - firefighter ?c - cyl ?p - place)
    :precondition (and (at-loc ?f ?p) (has-compressor ?p) (has-kit ?f ?c) (not (cyl-full ?c)))
    :effect (cyl-full ?c))

  (:action open-door
    :parameters (?f - firefighter ?p - place)
    :precondition (and (at-loc ?f ?p) (not (door-open ?p)))
    :effect (door-open ?p))

  (:action shut-door
    :parameters (?f - firefighter ?p - place)
    :precondition (and (at-loc ?f ?p) (door-open ?p))
    :effect (not (door-open ?p)))

  (:action drive
    :parameters (?f - firefighter ?e - engine ?from ?to - place)
    :precondition (and (at-loc ?f ?from) (parked-at ?e ?from) (door-open ?from) (door-open ?to))
    :effect (and (parked-at ?e ?to) (at-loc ?f ?to)
                 (not (parked-at ?e ?from)) (not (at-loc ?f ?from))))

  (:action detail
    :parameters (?f - firefighter ?old ?new - engine)
    :precondition (detailed-to ?f ?old)
    :effect (and (detailed-to ?f ?new) (not (detailed-to ?f ?old))))

  (:action relieve
    :parameters (?off ?on - watch)
    :precondition (and (on-duty ?off) (not (on-duty ?on)))
    :effect (and (on-duty ?on) (not (on-duty ?off)))))
