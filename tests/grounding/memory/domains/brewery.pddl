; small brewery, short names as the floor crew types them
(define (domain brw)
  (:requirements :strips :typing :negative-preconditions)
  (:types rm mov fxt brew clr - object
          ppl thg - mov
          keg sack tool key - thg
          brush - tool
          ves mach ln - fxt
          pump - mach)
  (:predicates
    (loc ?x - mov ?r - rm)        ; loose in / standing in a room
    (adj ?a ?b - rm)
    (std ?f - fxt ?r - rm)        ; bolted down
    (has ?p - ppl ?t - thg)
    (hf ?p - ppl)                 ; hand free
    (st-open ?v - ves)            ; hatch up
    (cln ?x - object)
    (mt ?x - object)              ; nothing in it
    (tk ?v - ves ?b - brew)
    (kg ?k - keg ?b - brew)
    (tap ?k - keg ?l - ln)
    (fre ?l - ln)
    (on ?m - mach)
    (brk ?m - mach)
    (lk ?r - rm)
    (fit ?k - key ?r - rm)
    (own ?t - thg ?p - ppl)
    (hue ?x - object ?c - clr))

  (:action go
    :parameters (?p - ppl ?a ?b - rm)
    :precondition (and (loc ?p ?a) (adj ?a ?b) (not (lk ?b)))
    :effect (and (loc ?p ?b) (not (loc ?p ?a))))
  (:action get
    :parameters (?p - ppl ?t - thg ?r - rm)
    :precondition (and (loc ?p ?r) (loc ?t ?r) (hf ?p))
    :effect (and (has ?p ?t) (not (loc ?t ?r)) (not (hf ?p))))
  (:action put
    :parameters (?p - ppl ?t - thg ?r - rm)
    :precondition (and (loc ?p ?r) (has ?p ?t))
    :effect (and (loc ?t ?r) (hf ?p) (not (has ?p ?t))))
  (:action unlk
    :parameters (?p - ppl ?k - key ?a ?r - rm)
    :precondition (and (loc ?p ?a) (adj ?a ?r) (has ?p ?k) (fit ?k ?r) (lk ?r))
    :effect (not (lk ?r)))
  (:action lkup
    :parameters (?p - ppl ?k - key ?a ?r - rm)
    :precondition (and (loc ?p ?a) (adj ?a ?r) (has ?p ?k) (fit ?k ?r) (not (lk ?r)))
    :effect (lk ?r))
  (:action opn
    :parameters (?p - ppl ?v - ves ?r - rm)
    :precondition (and (loc ?p ?r) (std ?v ?r) (not (st-open ?v)))
    :effect (st-open ?v))
  (:action sht
    :parameters (?p - ppl ?v - ves ?r - rm)
    :precondition (and (loc ?p ?r) (std ?v ?r) (st-open ?v))
    :effect (not (st-open ?v)))
  (:action wash
    :parameters (?p - ppl ?w - brush ?v - ves ?r - rm)
    :precondition (and (loc ?p ?r) (std ?v ?r) (has ?p ?w) (st-open ?v) (mt ?v) (not (cln ?v)))
    :effect (cln ?v))
  (:action xfer
    :parameters (?p - ppl ?b - brew ?v ?w - ves ?m - pump ?r - rm)
    :precondition (and (loc ?p ?r) (std ?v ?r) (on ?m) (tk ?v ?b) (mt ?w) (cln ?w)
                       (not (st-open ?v)) (not (st-open ?w)))
    :effect (and (tk ?w ?b) (mt ?v) (not (tk ?v ?b)) (not (mt ?w)) (not (cln ?w))))
  (:action rack
    :parameters (?p - ppl ?b - brew ?v - ves ?k - keg ?r - rm)
    :precondition (and (loc ?p ?r) (std ?v ?r) (loc ?k ?r) (tk ?v ?b) (mt ?k) (cln ?k))
    :effect (and (kg ?k ?b) (not (mt ?k)) (not (cln ?k))))
  (:action hook
    :parameters (?p - ppl ?k - keg ?l - ln ?r - rm)
    :precondition (and (loc ?p ?r) (std ?l ?r) (has ?p ?k) (fre ?l) (not (mt ?k)))
    :effect (and (tap ?k ?l) (hf ?p) (not (has ?p ?k)) (not (fre ?l))))
  (:action unhk
    :parameters (?p - ppl ?k - keg ?l - ln ?r - rm)
    :precondition (and (loc ?p ?r) (std ?l ?r) (tap ?k ?l) (hf ?p))
    :effect (and (has ?p ?k) (fre ?l) (not (tap ?k ?l)) (not (hf ?p))))
  (:action swon
    :parameters (?p - ppl ?m - mach ?r - rm)
    :precondition (and (loc ?p ?r) (std ?m ?r) (not (on ?m)) (not (brk ?m)))
    :effect (on ?m))
  (:action swof
    :parameters (?p - ppl ?m - mach ?r - rm)
    :precondition (and (loc ?p ?r) (std ?m ?r) (on ?m))
    :effect (not (on ?m))))
