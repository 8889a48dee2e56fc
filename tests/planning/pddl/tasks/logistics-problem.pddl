(define (problem freight-2) (:domain freight)
  (:objects lyon bern - town  l1 b1 - depot  lair bair - airfield
            vl vb - van  jet - plane  p1 p2 - parcel)
  (:init (within l1 lyon) (within lair lyon) (within b1 bern) (within bair bern)
         (located vl l1) (located vb b1) (located jet lair) (located p1 l1) (located p2 b1))
  (:goal (and (located p1 b1) (located p2 l1))))
