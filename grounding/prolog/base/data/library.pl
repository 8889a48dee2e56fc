% What Commonground asks of SWI-Prolog about a knowledge base. Reading a base runs nothing of it; clauses
% that passed the checks are added to a module of their own; answers are JSON.

:- module(assembly,
          [ kb_read/2, kb_add/3, kb_safe/3, kb_tables/5, kb_run/5, kb_search/5, kb_trial/5
          ]).

:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(time)).
:- use_module(library(random)).
:- use_module(library(solution_sequences)).
:- use_module(library(sandbox)).
:- use_module(library(http/json)).

:- dynamic clause_read/3.                   % Module, Number, Term

% ---- JSON of terms: atoms are strings, numbers numbers, the rest one-key objects --------------------

term_json(T, json([v=N])) :- var(T), !, format(atom(N), '~w', [T]).
term_json('$VAR'(N), json([v=N])) :- atom(N), !.
term_json(T, T) :- number(T), \+ rational_not_integer(T), !.
term_json([], json([l=[]])) :- !.
term_json(T, json([s=A])) :- string(T), !, atom_string(A, T).
term_json(T, A) :- atom(T), !, json_atom(T, A).
term_json(T, json([l=Es])) :- is_list(T), !, maplist(term_json, T, Es).
term_json(T, json([f=F, a=As])) :-
    compound(T), !, compound_name_arguments(T, F, Args), maplist(term_json, Args, As).
term_json(T, json([s=A])) :- format(atom(A), '~q', [T]).

rational_not_integer(T) :- rational(T), \+ integer(T).

% null, true and false would become JSON's own words
json_atom(A, json([c=S])) :- memberchk(A, [null, true, false]), !, atom_string(A, S0), S = S0.
json_atom(A, A).

answer(Json, String) :-
    with_output_to(string(String), json_write(current_output, Json, [width(0)])).

% ---- reading ----------------------------------------------------------------------------------------

% kb_read(+Text, -Answer): every clause with its positions, and every syntax error
kb_read(Module-Text, Answer) :-
    retractall(clause_read(Module, _, _)),
    setup_call_cleanup(open_string(Text, Stream), read_all(Stream, Module, 0, Items), close(Stream)),
    answer(Items, Answer).

read_all(Stream, Module, N, Items) :-
    catch(read_one(Stream, Module, N, Item), error(syntax_error(What), Where), bad(What, Where, Item)),
    (   Item == end
    ->  Items = []
    ;   Items = [Item|Rest], N1 is N+1, read_all(Stream, Module, N1, Rest)
    ).

read_one(Stream, Module, N, Item) :-
    read_term(Stream, Term,
              [ subterm_positions(Positions), variable_names(Names), syntax_errors(error),
                module(assembly_reader), cycles(false), singletons(Single) ]),
    (   Term == end_of_file
    ->  Item = end
    ;   assertz(clause_read(Module, N, Term)),
        maplist(bind_name, Names),
        term_json(Term, T), position_json(Positions, P),
        maplist(arg(1), Single, Singles),
        Item = json([number=N, term=T, at=P, single=Singles])
    ).

bind_name(Name='$VAR'(Name)) :- !.
bind_name(_).

bad(What, Where, json([syntax=Message, char=Char])) :-
    format(atom(Message), '~w', [What]),
    (   Where = stream(_, _, _, Char) -> true
    ;   Where = string(_, Char) -> true
    ;   Char = 0
    ).

position_json(P, [0, 0, []]) :- var(P), !.
position_json(F-T, [F, T, []]) :- !.
position_json(string_position(F, T), [F, T, []]) :- !.
position_json(brace_term_position(F, T, A), [F, T, [P]]) :- !, position_json(A, P).
position_json(list_position(F, T, Es, _), [F, T, Ps]) :- !, maplist(position_json, Es, Ps).
position_json(term_position(F, T, _, _, As), [F, T, Ps]) :- !, maplist(position_json, As, Ps).
position_json(parentheses_term_position(_, _, A), P) :- !, position_json(A, P).
position_json(_, [0, 0, []]).

% ---- loading ----------------------------------------------------------------------------------------

% kb_add(+Module, +Numbers-Keys, -Answer): add the clauses that were found harmless, and predicates without any
kb_add(Module, Numbers-Keys, Answer) :-
    set_module(Module:base(system)),
    add_import_module(Module, lists, end),
    forall(member(Key, Keys), dynamic(Module:Key)),
    forall(member(N, Numbers), ( clause_read(Module, N, Clause), declare(Module, Clause) )),
    forall(member(N, Numbers), ( clause_read(Module, N, Clause), assertz(Module:Clause) )),
    answer(json([added=ok]), Answer).

declare(Module, (Head :- _)) :- !, declare(Module, Head).
declare(Module, Head) :- functor(Head, Name, Arity), dynamic(Module:Name/Arity).

% kb_safe(+Module, +Goals, -Answer): what library(sandbox) says of goals
kb_safe(Module, Goals, Answer) :-
    maplist(safe(Module), Goals, Said),
    answer(Said, Answer).

safe(Module, Goal, Said) :-
    catch(( sandbox:safe_goal(Module:Goal), Said = ok ), Error, message(Error, Said)).

message(error(instantiation_error, _), 'calls what is only known at run time') :- !.
message(Error, Text) :-
    (   Error = error(Formal, _) -> true ; Formal = Error ),
    format(atom(Text), '~q', [Formal]).

% ---- tables of grounding goals ----------------------------------------------------------------------

% kb_tables(+Module, +Questions, +Cap, +Seconds, -Answer): all solutions of conjunctions; question: Goals-Variables
kb_tables(Module, Questions, Cap, Seconds, Answer) :-
    maplist(solutions(Module, Cap, Seconds), Questions, Tables),
    answer(Tables, Answer).

solutions(Module, Cap, Seconds, Goals-Vars, Table) :-
    conjunction(Goals, Goal),
    tuples(Module, Goal, Vars, Cap, Seconds, Table).

tuples(Module, Goal, Vars, Cap, Seconds, Table) :-
    Most is Cap+1,
    catch(call_with_time_limit(Seconds,
                               findall(Vars, limit(Most, distinct(Vars, Module:Goal)), Rows)),
          Error, true),
    (   nonvar(Error) -> error_name(Error, Name), Table = json([error=Name])
    ;   \+ ground(Rows) -> Table = json([error=open])
    ;   length(Rows, Count), Count > Cap -> Table = json([error=many])
    ;   maplist(maplist(term_json), Rows, Js), Table = json([rows=Js])
    ).

error_name(time_limit_exceeded, time) :- !.
error_name(error(instantiation_error, _), open) :- !.
error_name(error(resource_error(_), _), memory) :- !.
error_name(Error, Name) :- message(Error, Name).

conjunction([G], G) :- !.
conjunction([G|Gs], (G, C)) :- conjunction(Gs, C).

% ---- executing --------------------------------------------------------------------------------------

% A step: all positive preconditions match facts of the state, the grounding goals hold, and no fact of the
% state unifies with a negative precondition. Effects are applied in order.
step(Module, Action, S0, S, done(Action, Needs, Forbids, Effects)) :-
    schema(Module, Action, Needs, Forbids, Goals, Effects),
    needs(Needs, S0),
    goals(Goals, Module),
    \+ forbidden(Forbids, S0, _),
    effects(Effects, S0, S), !.

schema(Module, A, P, N, G, E) :- current(Module, action(A, P, N, G, E)).
schema(Module, A, P, N, G, E) :- current(Module, ll_action(A, P, N, G, E)).

current(Module, Goal) :-
    functor(Goal, Name, Arity),
    current_predicate(Module:Name/Arity),
    call(Module:Goal).

needs([], _).
needs([N|Ns], S) :- member(N, S), needs(Ns, S).

goals([], _).
goals([G|Gs], Module) :- call(Module:G), goals(Gs, Module).

forbidden(Forbids, S, Fact) :- member(F, Forbids), member(Fact, S), \+ F \= Fact.

effects([], S, S).
effects([del(F)|Es], S0, S) :- ( selectchk(F, S0, S1) -> true ; S1 = S0 ), effects(Es, S1, S).
effects([add(F)|Es], S0, S) :- ( memberchk(F, S0) -> S1 = S0 ; S1 = [F|S0] ), effects(Es, S1, S).

% kb_run(+Module, +Init, +Steps, +Goal, -Answer): make steps s(Id, Action, Before, Group); within a group of
% one instant, whichever can be made next is made next once the steps Before it are done
kb_run(Module, Init, Steps, Goal, Answer) :-
    run(Steps, Module, Init, State, [], Done, Fault),
    reverse(Done, InOrder),
    maplist(done_json, InOrder, Js),
    (   Fault = none
    ->  findall(G, ( member(G, Goal), \+ member(G, State) ), Open0),
        ( satisfied(Goal, State) -> Open = [] ; Open0 = [] -> Open = Goal ; Open = Open0 )
    ;   Open = []
    ),
    maplist(term_json, Open, OpenJs), maplist(term_json, State, StateJs),
    fault_json(Fault, FaultJs),
    answer(json([done=Js, fault=FaultJs, open=OpenJs, state=StateJs]), Answer).

satisfied([], _).
satisfied([G|Gs], S) :- member(G, S), satisfied(Gs, S).

run([], _, S, S, Done, Done, none).
run([s(I, A, B, G)|Rest], Module, S0, S, Done0, Done, Fault) :-
    partition(at_instant(G), [s(I, A, B, G)|Rest], Now, Later),
    instant(Now, Module, S0, S1, Done0, Done1, Fault0),
    (   Fault0 = none -> run(Later, Module, S1, S, Done1, Done, Fault)
    ;   S = S1, Done = Done1, Fault = Fault0
    ).

at_instant(G, s(_, _, _, H)) :- G == H.

instant([], _, S, S, Done, Done, none) :- !.
instant(Steps, Module, S0, S, Done0, Done, Fault) :-
    (   select(s(I, A, B, _), Steps, Others),
        \+ ( member(X, B), member(s(X, _, _, _), Others) ),
        step(Module, A, S0, S1, Record)
    ->  instant(Others, Module, S1, S, [I-Record|Done0], Done, Fault)
    ;   select(s(I, A, B, _), Steps, Others), \+ ( member(X, B), member(s(X, _, _, _), Others) )
    ->  S = S0, Done = Done0, why_not(Module, A, S0, Why), Fault = fault(I, A, Why)
    ;   S = S0, Done = Done0, Steps = [s(I, A, _, _)|_], Fault = fault(I, A, circle)
    ).

why_not(Module, A, _, unknown) :- \+ schema(Module, A, _, _, _, _), !.
why_not(Module, A, S, Why) :-
    schema(Module, A, P, N, G, _),
    (   \+ needs(P, S) -> longest(P, S, Missing), Why = needs(Missing)
    ;   \+ ( needs(P, S), goals(G, Module) ) -> needs(P, S), first_false(G, Module, False), Why = goal(False)
    ;   needs(P, S), goals(G, Module), forbidden(N, S, Fact) -> Why = forbids(Fact)
    ;   Why = unknown
    ), !.
why_not(_, _, _, unknown).

longest([P|Ps], S, Missing) :-
    (   \+ member(P, S) -> Missing = P
    ;   findall(L-M, ( member(P, S), longest_from(Ps, S, 1, L, M) ), Found),
        Found \== [] -> max_member(_-Missing, Found)
    ;   Missing = P
    ).

longest_from([P|Ps], S, N, L, M) :-
    (   \+ member(P, S) -> L = N, M = P
    ;   N1 is N+1, member(P, S), longest_from(Ps, S, N1, L, M)
    ).

first_false([G|Gs], Module, False) :-
    ( catch(call(Module:G), _, fail) -> first_false(Gs, Module, False) ; False = G ).
first_false([], _, true).

done_json(I-done(A, P, N, E), json([id=I, action=Aj, needs=Pj, forbids=Nj, effects=Ej])) :-
    term_json(A, Aj), maplist(term_json, P, Pj), maplist(term_json, N, Nj), maplist(term_json, E, Ej).

fault_json(none, json([])) :- !.
fault_json(fault(I, A, Why), json([id=I, action=Aj, why=Wj])) :- term_json(A, Aj), term_json(Why, Wj).

% ---- depth-first search: the reference backend ------------------------------------------------------

% kb_search(+Module, +Init, +Goal, +Depth, -Answer): iterative deepening over high-level actions
kb_search(Module, Init, Goal, Depth, Answer) :-
    sort(Init, S0),
    (   between(0, Depth, D), dfs(D, Module, S0, Goal, [S0], Plan)
    ->  maplist(term_json, Plan, Js), answer(json([plan=Js]), Answer)
    ;   answer(json([none=Depth]), Answer)
    ).

dfs(_, _, S, Goal, _, []) :- satisfied(Goal, S), !.
dfs(D, Module, S0, Goal, Seen, [A|Plan]) :-
    D > 0, D1 is D-1,
    current(Module, action(A, P, N, G, E)),
    needs(P, S0), goals(G, Module), \+ forbidden(N, S0, _),
    effects(E, S0, S1), sort(S1, S), \+ memberchk(S, Seen),
    dfs(D1, Module, S, Goal, [S|Seen], Plan).

% ---- trying mappings out ----------------------------------------------------------------------------

% kb_trial(+Module, +Init, +Actors-Walks-Length, +Seed, -Answer): random walks of one actor each, every high-level
% action made together with what it is mapped to; returns which were made and what went wrong
kb_trial(Module, Init, Actors-Walks-Length, Seed, Answer) :-
    set_random(seed(Seed)),
    findall(Actor-Event,
            ( between(1, Walks, _), member(Actor, Actors), walk(Length, Module, Actor, Init, Events),
              member(Event, Events) ),
            All),
    sort(All, Distinct),
    maplist(event_json, Distinct, Js),
    answer(Js, Answer).

event_json(Actor-made(Name), json([actor=Actor, made=Name])).
event_json(Actor-fault(Name, Action, Why), json([actor=Actor, name=Name, action=Aj, why=Wj])) :-
    term_json(Action, Aj), term_json(Why, Wj).
event_json(Actor-touched(Name, Action, Fact), json([actor=Actor, name=Name, action=Aj, touched=Fj])) :-
    term_json(Action, Aj), term_json(Fact, Fj).

walk(0, _, _, _, []) :- !.
walk(N, Module, Actor, S0, Events) :-
    findall(A, starts(Module, Actor, S0, A), Starts0),
    (   Starts0 == []
    ->  Events = []
    ;   findall(F, ( member(A, Starts0), functor(A, F, _) ), Fs0), sort(Fs0, Fs),
        random_member(F, Fs), include(named(F), Starts0, Starts),
        random_member(Start, Starts),
        pair(Module, Start, Actor, S0, Outcome, S1),
        functor(Start, Name, _),
        (   Outcome = ok
        ->  Events = [made(Name)|Rest], N1 is N-1, walk(N1, Module, Actor, S1, Rest)
        ;   Outcome = fault(Action, Why) -> Events = [fault(Name, Action, Why)]
        ;   Outcome = touched(Action, Fact) -> Events = [touched(Name, Action, Fact)]
        )
    ).

named(F, A) :- functor(A, F, _).

% at most some instances of each action, for bases with many
starts(Module, Actor, S, A) :-
    findall(X, clause_of(Module, X), Schemas),
    member(Schema, Schemas),
    findnsols_first(60, Schema, possible(Module, Actor, S, Schema), Found),
    member(A, Found).

findnsols_first(N, T, Goal, Found) :- findall(T, limit(N, Goal), Found).

clause_of(Module, A) :-
    current(Module, action(A, _, _, _, _)), functor(A, Name, _), sub_atom(Name, _, _, 0, '_start').

possible(Module, Actor, S, A) :-
    random_permutation(S, Mixed),
    current(Module, action(A, P, N, G, _)),
    actor_in(Actor, A),
    needs(P, Mixed), goals(G, Module), \+ forbidden(N, S, _).

actor_in(none, _) :- !.
actor_in(Actor, A) :- A =.. [_|Args], member(X, Args), X = Actor.

pair(Module, Start, _, S0, Outcome, S) :-
    (   step(Module, Start, S0, S1, _) -> true ; S1 = S0 ),
    (   current(Module, mapping(Start, Lows)) -> true ; Lows = [] ),
    lows(Lows, Module, S1, S2, Outcome0),
    (   Outcome0 \== ok -> Outcome = Outcome0, S = S2
    ;   Start =.. [Name|Args], atom_concat(Stem, '_start', Name), atom_concat(Stem, '_end', EndName),
        End =.. [EndName|Args],
        (   step(Module, End, S2, S, _) -> Outcome = ok
        ;   why_not(Module, End, S2, Why), Outcome = fault(End, Why), S = S2
        )
    ).

lows([], _, S, S, ok).
lows([L|Ls], Module, S0, S, Outcome) :-
    (   step(Module, L, S0, S1, done(_, _, _, Effects))
    ->  (   member(Effect, Effects), arg(1, Effect, Fact), high_fact(Module, Fact)
        ->  Outcome = touched(L, Fact), S = S1
        ;   lows(Ls, Module, S1, S, Outcome)
        )
    ;   why_not(Module, L, S0, Why), Outcome = fault(L, Why), S = S0
    ).

% a fact that high-level actions read or write
high_fact(Module, Fact) :-
    current(Module, action(_, P, N, _, E)),
    (   member(F, P) ; member(F, N) ; member(X, E), arg(1, X, F) ),
    \+ F \= Fact, !.
