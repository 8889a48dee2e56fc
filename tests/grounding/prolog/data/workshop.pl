% Robots drill plates, each with the tool it has to fetch first; w1 and w2 are alike, k1 can weld only.
agent(w1).
agent(w2).
agent(k1).
resources(agent(_)).
skill(w1, drilling).
skill(w2, drilling).
skill(k1, welding).
tool_for(drilling, drill).
tool_for(welding, torch).
plate(p1).
plate(p2).
plate(p3).
seam(p1, p2).
heavier(X, Y) :- mass(X, A), mass(Y, B), A > B.
mass(p1, 4).
mass(p2, 3).
mass(p3, 9).

init_state([idle(w1), idle(w2), idle(k1), raw(p1), raw(p2), raw(p3), rack(drill), rack(torch)]).
goal_state([bored(p1), bored(p2), joined(p1, p2), idle(w1), idle(w2), idle(k1)]).

action(fetch_start(R, Tool),
    [idle(R), rack(Tool)], [fetching(R, _)],
    [agent(R), skill(R, S), tool_for(S, Tool)],
    [del(idle(R)), add(fetching(R, Tool))]).
action(fetch_end(R, Tool),
    [fetching(R, Tool)], [], [agent(R)],
    [del(fetching(R, Tool)), add(has(R, Tool)), add(idle(R))]).
action(bore_start(R, P),
    [idle(R), has(R, drill), raw(P)], [boring(_, P), joining(_, P, _), joining(_, _, P)],
    [agent(R), plate(P)],
    [del(idle(R)), add(boring(R, P))]).
action(bore_end(R, P),
    [boring(R, P)], [], [agent(R)],
    [del(boring(R, P)), del(raw(P)), add(bored(P)), add(idle(R))]).
action(join_start(R, A, B),
    [idle(R), has(R, torch), bored(A), bored(B)], [joining(_, A, _)],
    [agent(R), seam(A, B), heavier(A, B)],
    [del(idle(R)), add(joining(R, A, B))]).
action(join_end(R, A, B),
    [joining(R, A, B)], [], [agent(R)],
    [del(joining(R, A, B)), add(joined(A, B)), add(idle(R))]).

duration(fetch, 1, 1).
duration(bore, 3, 4).
duration(join, 2, 2).
setup_time(bore, bore, 0.5).
