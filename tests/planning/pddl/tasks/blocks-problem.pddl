(define (problem tower-4) (:domain tower)
  (:objects a b c d)
  (:init (grounded a) (upon b a) (upon c b) (grounded d) (topmost c) (topmost d) (idle))
  (:goal (and (upon a b) (upon b c) (upon c d))))
