% A beam can only be screwed on while another robot holds it: the actions have to overlap.
agent(a).
agent(b).
resources(agent(_)).
beam(b1).
init_state([free(a), free(b), loose(b1)]).
goal_state([fixed(b1), free(a), free(b)]).
action(hold_start(R, B), [free(R), loose(B)], [], [agent(R), beam(B)],
    [del(free(R)), add(held(R, B))]).
action(hold_end(R, B), [held(R, B)], [screwing(_, B)], [agent(R)],
    [del(held(R, B)), add(free(R))]).
action(screw_start(R, B), [free(R), loose(B), held(_, B)], [], [agent(R), beam(B)],
    [del(free(R)), add(screwing(R, B))]).
action(screw_end(R, B), [screwing(R, B)], [], [agent(R)],
    [del(screwing(R, B)), del(loose(B)), add(fixed(B)), add(free(R))]).
duration(hold, 1, 100).
duration(screw, 5, 5).
