% Two cups are carried from a tray to a shelf.
agent(r1).
agent(r2).
cup(c1).
cup(c2).
place(left).
place(right).
shelf(top).
shelf(bottom).
resources(agent(_)).

ll_arm(r1).
ll_arm(r2).
ll_spot(left).
ll_spot(right).
ll_spot(top).
ll_spot(bottom).

init_state([stands(c1, left), stands(c2, right), available(r1), available(r2),
            ll_at(r1, home1), ll_at(r2, home2), ll_vacuum(r1, off), ll_vacuum(r2, off)]).
goal_state([stands(c1, top), stands(c2, bottom), available(r1), available(r2)]).

ll_spot(home1).
ll_spot(home2).

action(carry_start(Agent, Cup, From, To),
    [available(Agent), stands(Cup, From)],
    [stands(_, To), carrying(_, _, _, To)],
    [agent(Agent), cup(Cup), place(From), shelf(To)],
    [del(available(Agent)), del(stands(Cup, From)), add(carrying(Agent, Cup, From, To))]).
action(carry_end(Agent, Cup, From, To),
    [carrying(Agent, Cup, From, To)],
    [],
    [agent(Agent)],
    [del(carrying(Agent, Cup, From, To)), add(stands(Cup, To)), add(available(Agent))]).

ll_action(go_start(Arm, To), [ll_at(Arm, From)], [ll_going(Arm, _), ll_at(_, To)],
    [ll_arm(Arm), ll_spot(To)],
    [del(ll_at(Arm, From)), add(ll_going(Arm, To))]).
ll_action(go_end(Arm, To), [ll_going(Arm, To)], [], [ll_arm(Arm)],
    [del(ll_going(Arm, To)), add(ll_at(Arm, To))]).
ll_action(suck_start(Arm), [ll_vacuum(Arm, off)], [ll_going(Arm, _)], [ll_arm(Arm)],
    [del(ll_vacuum(Arm, off)), add(ll_switching(Arm))]).
ll_action(suck_end(Arm), [ll_switching(Arm)], [], [ll_arm(Arm)],
    [del(ll_switching(Arm)), add(ll_vacuum(Arm, on))]).
ll_action(drop_start(Arm), [ll_vacuum(Arm, on)], [ll_going(Arm, _)], [ll_arm(Arm)],
    [del(ll_vacuum(Arm, on)), add(ll_switching(Arm))]).
ll_action(drop_end(Arm), [ll_switching(Arm)], [], [ll_arm(Arm)],
    [del(ll_switching(Arm)), add(ll_vacuum(Arm, off))]).

mapping(carry_start(Agent, Cup, From, To),
    [go_start(Agent, From), go_end(Agent, From), suck_start(Agent), suck_end(Agent),
     go_start(Agent, To), go_end(Agent, To), drop_start(Agent), drop_end(Agent)]).

duration(go, 2, 5).
duration(suck, 0.5, 1).
duration(drop, 0.5, 1).
