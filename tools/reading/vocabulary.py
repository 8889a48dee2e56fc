"""Words that sampled meanings are about: things, places, people, robots, and what can be said of them.

The lists are wide on purpose and not complete: a reader has to take any noun, so what it is trained on must
not be a list it could learn by heart. Wordings may use synonyms of all of them.
"""

from __future__ import annotations


def words(text: str) -> tuple[str, ...]:
    """Return the comma-separated entries of a text."""
    return tuple(" ".join(entry.split()) for entry in text.split(",") if entry.strip())


OUTDOOR_THINGS = words("""
bench, bicycle, bin, bollard, boat, box, bucket, bush, cable drum, canoe, car, cart, chair,
concrete block, cone, crate, dumpster, fence post, fire hydrant, flag, flower bed, forklift,
fountain, fuel can, gas bottle, gate, generator, grill, hand truck, handrail, hose reel,
information board, jerrycan, kayak, kiosk, ladder, lamp post, lawn mower, life ring, loudspeaker,
mailbox, manhole cover, milestone, motorbike, mural, notice board, paddle, pallet, parasol,
parking meter, picnic table, pillar, pipe, plank, planter, power box, pump, rain barrel, rock,
rope, rubble pile, sandbag, scaffold, scooter, shopping cart, sign, skip, sledge, solar panel,
speed bump, statue, stool, street light, suitcase, surfboard, swing, tarpaulin, telescope, tent,
ticket machine, tire, toolbox, tractor, traffic cone, traffic light, trailer, trash can, tree,
tripod, truck, umbrella, valve, van, vending machine, water tank, weather vane, wheelbarrow,
wheelchair, windsock, woodpile, antenna, barrel, beehive, birdhouse, backpack, duffel bag, drone,
fire extinguisher, first aid kit, helmet, camera mast, charging post, cooler, easel, banner,
billboard, bell, buoy, anchor, crane, excavator, compressor, welding set, oil drum, hay bale,
trough, stepladder, roller, tool cart, road sign, delivery box, gas canister, stretcher, rack of
bicycles, dinghy, moped, pickup truck, bulldozer, cement mixer, wind turbine, satellite dish,
turnstile, barrier, water trough, deck chair, hammock, fishing rod, oar, life jacket, pylon, stone
lion, sundial, bird feeder, garden gnome, compost heap, rake, shovel, spade, wire spool, tool bag,
cool box, sack of cement, brick pile, portable toilet, megaphone, weather station
""")

INDOOR_THINGS = words("""
armchair, bookcase, cabinet, coat rack, coffee machine, copier, couch, desk, door, fan, filing
cabinet, fridge, heater, hat stand, keyboard, lamp, laptop, locker, microphone, mirror, monitor,
painting, paper shredder, phone, photo, piano, plant, poster, printer, projector, radiator,
router, safe, screen, server rack, shelf, sink, sofa, speaker, stool, suitcase, table, television,
vase, wardrobe, whiteboard, window, workbench, cot, cradle, clock, globe, aquarium, treadmill,
trophy, typewriter, umbrella stand, water dispenser, defibrillator, smoke detector, gas meter,
lectern, hospital bed, drip stand, scanner, cash register, mannequin, aquarium pump, coat hook,
doormat, drawer unit, flip chart, bar stool, chandelier, washing machine, tumble dryer, crib,
football table, jukebox, wine rack, switchboard, patch panel, oven, rug, beanbag
""")

REGIONS = words("""
alley, arcade, atrium, avenue, back yard, balcony, bay, beach, boiler room, boulevard, bridge, bus
station, campsite, canteen, car park, cellar, cemetery, classroom, conference room, corridor,
courtyard, crossroads, depot, dock, driveway, embankment, engine room, entrance hall, farmyard,
field, food court, footpath, forecourt, forest, foyer, front lawn, garage, garden, greenhouse,
gym, hallway, hangar, harbor, helipad, hill, island, jetty, junction, kitchen, laboratory, landing
stage, lane, lawn, library, loading bay, lobby, lot, market square, meadow, mezzanine, office,
orchard, parking lot, passage, path, patio, pavilion, pier, playground, plaza, pond, quarry, quay,
ramp, reception, restroom, river bank, road, roof terrace, roundabout, schoolyard, server room,
shed, shelter, shop floor, shore, sidewalk, sports field, stable, staircase, storage yard, street,
terrace, trail, tunnel, underpass, vineyard, waiting room, walkway, ward, warehouse, wash house,
workshop, yard
""")

REGION_NAMES = words("""
north lot, south lot, upper field, lower field, gate A, hall 3, dock two, the Elms, Harbor Road,
block C, sector 7, main street, the old mill, bay 12, the annex, west wing, east wing, Building 4,
the ridge, Station Road, pump house two, the Hollow, terminal B, the nursery, quad, zone 9, the
Ring, Mill Lane, camp two, Hangar One, the cutting
""")

ROBOTS = words("""
Spot, Husky, Jackal, Warthog, Anymal, Atlas, Boxer, Ridgeback, Rover, Scout, Bravo, Alpha, Tango,
Unit 4, Robot 2, robot1, Hound, Moose, Digit, Talos, Pepper, Kuka, Fetch, Stretch, Cassie, Otto,
Mule, Falcon, Ranger, Bruno, Heron, R2, Nova, Delta, carrier one, the crawler, Ibex, Tortuga,
Walker, Argo
""")

PEOPLE = words("""
Ada, Ahmed, Aiko, Alma, Amara, Anders, Anouk, Anton, Astrid, Ben, Bianca, Bo, Boris, Camille,
Carlos, Chen, Clara, Dana, Daniel, Dario, Dina, Elif, Elsa, Emeka, Emil, Enzo, Esther, Eva, Farah,
Felix, Finn, Fiona, Frieda, Gina, Goran, Grace, Greta, Hana, Hannes, Hugo, Ida, Igor, Imani, Ines,
Ingrid, Iris, Ivan, Jamal, Jan, Jana, Joel, Jonas, Julia, Kaito, Karim, Katja, Kofi, Lara, Lars,
Leila, Leo, Lina, Liam, Lucia, Luis, Magda, Mara, Marco, Mei, Mila, Milan, Mina, Mona, Nadia,
Naomi, Nico, Nils, Noor, Olga, Omar, Otto, Paul, Petra, Pia, Priya, Rafael, Rana, Rosa, Ruth,
Sami, Sara, Selma, Sofia, Sven, Tara, Tariq, Theo, Tilda, Tom, Uma, Vera, Viktor, Wanda, Wei,
Yara, Yusuf, Zoe, Grandma, Dad, Mum, Mr. Novak, Mrs. Adeyemi, the nurse, Dr. Okafor, the
caretaker, my sister, our neighbor, the plumber
""")

COLORS = words("""
red, blue, green, yellow, white, black, gray, brown, orange, purple, pink, turquoise, beige,
silver, golden, dark blue, light green, maroon, navy, cream
""")
ATTRIBUTES = words("""
wooden, metal, plastic, broken, rusty, tall, small, big, round, square, old, new, empty, full,
open, closed, striped, dirty, wet, folded, glass, leather, heavy, damaged, covered, electric,
spare, half-full, cracked, unlocked
""")
PORTABLE = words("""
apple, atlas, backpack, ball, banana, baseball bat, basket, bathrobe, beaker, book, bottle, bowl,
box of tissues, bread knife, butter knife, calculator, camera, candle, cap, cardigan, casserole,
charger, clipboard, cloth, coat, comb, cookie jar, corkscrew, cup, cushion, diary, dish towel,
doll, drill, dumbbell, egg, envelope, flashlight, flask, folder, fork, game console, glass,
glasses case, glove, guitar, hairbrush, hammer, handbag, hat, headphones, hot water bottle, iron,
jacket, jar, jug, kettle, key ring, keys, knife, ladle, lettuce, lipstick, loaf of bread, lunch
box, magazine, magnifying glass, map, medicine bottle, milk carton, mobile, mug, newspaper,
notebook, novel, onion, package, paintbrush, pan, parcel, passport, pen, pencil case, pepper
shaker, pill box, pillow, plate, plunger, potato, pot, puzzle, quiche, razor, remote control, ring
binder, rolling pin, ruler, salt shaker, sandwich, saucer, saw, scarf, scissors, screwdriver,
shirt, shoe, soap, soup bowl, spatula, spectacles, sponge, spoon, spray bottle, stapler, sweater,
tablet, tape measure, tea towel, teapot, teddy bear, tennis racket, thermometer, thermos, toaster,
tomato, toothbrush, torch, towel, toy train, tray, tumbler, umbrella, vase, violin, wallet, watch,
watering can, wine bottle, wrench, yoga mat, blood pressure monitor, bandage roll, walking stick,
hearing aid, pair of slippers, spanner, glue gun, safety goggles, passport photo, water bottle,
tin opener, cheese grater, colander, egg timer, hand mirror, nail file, sewing kit, ball of wool,
crossword book, bus ticket, credit card, sunglasses, rucksack, lunch, mouse, headset, USB stick,
phone charger, pair of tights, tie, belt, sock, boot, mitten, dress, skirt, toilet roll, shampoo
bottle, pacifier, baby bottle, rattle, jigsaw, chess set, deck of cards, bell pepper, cucumber, jar
of honey, bag of flour, rice cooker, dustpan, broom, mop, duster, screw box, pliers, file
""")
DISHES = words("""
plate, bowl, mug, cup, glass, pan, pot, saucer, tray, jug, tumbler, casserole, baking dish, lunch box, thermos
""")
VESSELS = words(
    "mug, cup, glass, jug, bottle, bowl, teapot, thermos, bucket, vase, watering can, kettle, flask"
)
CLOTHES = words(
    "shirt, cardigan, towel, scarf, jacket, sweater, bathrobe, apron, blouse, blanket, tablecloth"
)
FOOD = words("""
apple, tomato, potato, lettuce, loaf of bread, egg, onion, carrot, cucumber, cheese, quiche, soup,
lasagne, porridge, pie, banana, mushroom, pepper, stew, pizza, cake, vegetables, fruit, rice, chicken, fish,
noodles, beans, melon, leftovers, bagel, ham, pancake
""")
FURNITURE = words("""
armchair, bed, bench, bookcase, bookshelf, breakfast bar, cabinet, chest of drawers, coffee table,
console, counter, cupboard, desk, dining table, drawer, dresser, fridge, hamper, ironing board,
kitchen table, laundry basket, medicine cabinet, nightstand, pantry, rack, shelf, shoe bench, side
table, sideboard, sink, sofa, stool, stove, table, toolbox, trunk, wardrobe, washbasin, window
sill, workbench, worktop, bathtub, microwave, oven, freezer, dishwasher, box, basket, locker
""")
CLOSABLES = words("""
cabinet, cupboard, drawer, dresser, fridge, microwave, oven, wardrobe, chest, toolbox, laptop,
book, box, medicine cabinet, window, dishwasher, freezer, safe, suitcase, jewelry box, piano lid,
locker, gate, hatch, blinds, curtains, shutters, shower curtain, door, jar, handbag, lid, skylight, roller
blind, pantry, mailbox, trunk, washing machine, bread bin, pill box
""")
SWITCHABLES = words("""
lamp, desk lamp, ceiling light, floor lamp, wall light, light, coffee machine, television, radio,
fan, heater, oven, stove, microwave, toaster, tap, faucet, shower head, dishwasher, computer,
laptop, phone, spotlight, air conditioner, pump, water heater, extractor hood, humidifier, printer
""")
BREAKABLES = words(
    "vase, mug, plate, glass, bowl, mirror, window, phone, laptop, television, egg, bottle, lamp, statue"
)
SCREENS = words("television, TV set, monitor, radio, screen, projector")
CHANNELS = words(
    "the news, channel four, the sports channel, the film channel, the music channel, the weather channel"
)
DRINKS = words("water, coffee, tea, milk, juice, soup, lemonade, cocoa, soapy water, paint")
ROOMS = words("""
attic, bathroom, bedroom, boiler room, cellar, conservatory, corridor, den, dining room, entrance
hall, gallery, garage, garden shed, guest room, hallway, kitchen, landing, laundry room, library,
living room, lounge, nursery, office, playroom, porch, shower room, storage room, studio, study,
upstairs hall, utility room, veranda, workshop, ward 3, treatment room, nurses' station, room 7,
day room, pharmacy
""")
ORDINALS = words(
    "first, second, third, fourth, fifth, top, bottom, middle, lowest, highest, last, next-to-last"
)
MANNERS = words("""
slowly, quietly, as fast as is safe, in less than ten minutes, before noon, by five o'clock, with
the lights off, without using the arm, at walking pace, with the camera running, carefully,
backwards, on a single battery charge, twice
""")
TIMES = words("""
just now, a minute ago, this morning, around ten, after lunch, yesterday, last night, at 16:40,
ten minutes ago, earlier, on Monday, before the meeting, half an hour ago, at noon, a moment ago,
during the night
""")
ODD_VERBS = words("""
repaint, photograph, weld, sing to, weigh, count, guard, follow, push over, run over, scare off,
calibrate, sterilize, lubricate, sharpen, vacuum, water, feed, measure, tighten, untie, dismantle,
polish, translate, ram, set fire to, hide, wrap, label, iron, sand down, disinfect, recharge,
film, interview, shove, dance around, spray, unplug, sweep, rotate, tow, bless, auction, bury,
kick, salute, x-ray, sketch, fumigate, tickle, defrost, laminate, do what is written on, obey,
follow the instructions on, run into, chase, hit, steal, throw, blow up, sell, break, knock over,
plug in, refuel, climb, jump over, hand over, lend, delete, hack, read out, unload, shut down
""")
ROUTINES = words("""
prepare breakfast, set the table for four, tidy up the living room, get the kitchen ready for the
night, make a cup of coffee, do the laundry, lock up for the night, air the bedroom, clean up after
dinner, get the bath ready, make the place cozy for a film, prepare a snack, pack for a day at the
beach, get the study ready for work, wake everybody up, baby-proof the hallway, make it look as if
somebody were home, get ready for guests, recreate a lazy Sunday morning, save electricity
""")
UNMAPPED = words("""
most expensive, newest, oldest, heaviest, prettiest, most popular, cleanest, busiest, ugliest,
best, fastest, least used, noisiest, coolest
""")
