"""Chunks put together to clauses: a verb, what it is done to, where to, and which states are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from commonground.grounding.problem_writer.commands.chunks import Chunk
from commonground.grounding.problem_writer.commands.mentions import (
    OPPOSITE,
    PUTTING,
    STATE_OF,
    THROWN,
    Clause,
    Mention,
)
from commonground.grounding.resolver.choice import Unclear

_MENTION = (
    "thing",
    "group",
    "name",
    "back",
    "one",
    "all",
    "both",
    "some",
    "one_of",
    "pieces",
    "contents",
)
_DENIALS = frozenset(
    ["not", "never", "without", "except", "unless", "no", "neither", "nor", "cannot", "if"]
)
_POINTING = ("that", "this", "these", "those")
_CONJUNCTIONS = ("after", "once", "before", "as soon as", "until", "when", "only after")
_INTACT = ("whole", "intact", "uncut", "unsliced", "unbroken")
_LEFT = (["leave"], ["leaving"], ["keep"], ["keeping"])
_REPEATED = ("both of them", "all of them", "each of them", "every one of them", "the two of them")
_TAKEN = ("take", "taking", "get", "getting", "bring", "pull", "move", "fetch", "lift")
_COLLECTIVE = frozenset(
    ["cutlery", "silverware", "crockery", "tableware", "cookware", "stationery", "electronics",
     "sports equipment", "sports gear", "gym equipment", "clothes", "laundry", "jewelry", "produce", "food", "reading material"]
)  # fmt: skip
"""Words for all things of a group: ``put the cutlery in the sink``."""
_KEPT = ("leave", "keep", "leaving", "keeping", "have", "get", "want", "need")
"""Verbs after which a participle is a state: ``leave the microwave closed``."""
_AS_NOUN = ("thing", "group", "name", "pieces", "one")
_WITH_TOOL = ("wash", "slice", "break", "clear")
_WITH_STATE = ("turn", "push", "put", "ensure", "", "take_up", "switch_on", "switch_off")
_CARRIED_ON = frozenset(
    ["slice", "wash", "cook", "heat", "chill", "toast", "trash", "break", "fill"]
)


def clauses_of(chunks: Sequence[Chunk]) -> list[Clause]:
    """Return the clauses of a command, in order."""
    return _Builder(chunks).build()


class _Builder:
    """Goes over the chunks once; where a chunk has several meanings, its neighbours decide."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self.chunks = chunks
        self.done: list[Clause] = []
        self.now = Clause()
        self.role = ""
        """Of the preposition that was read last."""
        self.linked = True
        """A link, or nothing, stands before."""
        self.states: list[str] = []
        """Said before a noun: ``the sliced tomato``."""
        self.amount: int | None = None
        self.pieces = self.contents = False
        self.passive = False
        """The verb stands behind its objects: ``the tomato should be sliced``."""
        self.described = False
        """A participle said where things are: ``kept in``."""
        self.been = False
        """``is``, ``should be``: what follows is said of the objects."""
        self.denying = ""
        """``do not``: what is asked for next shall not be."""
        self.describing = False
        """``the one``: the place that follows tells which."""
        self.vague = False
        """``some``."""
        self.each = False
        self.anew = False
        """``after the television …``: a clause of its own begins."""
        self.links: list[str] = []
        self.object_last = True
        """An object, not a place, was named last."""
        self.at = 0

    def build(self) -> list[Clause]:
        while self.at < len(self.chunks):
            chunk = self.chunks[self.at]
            for rule in (
                self._denial, self._mark, self._verb, self._participle, self._state, self._place, self._noun,
                self._small,
            ):  # fmt: skip
                if rule(chunk):
                    break
            else:
                self.now.unknown.append(chunk.text)
                self.linked = False
            if self.at < len(self.chunks):
                self.now.chunks.append(chunk)
            self.at += 1
        self._finish()
        if self.denying:
            raise Unclear(
                f"I cannot take account of '{self.denying}'. What should be true at the end?"
            )
        return self.done

    # ---- clauses ----------------------------------------------------------------------------------

    def _unused_amount(self) -> None:
        """``and the other two on the sofa``: a number without a noun is asked about."""
        if self.amount:
            self.now.unknown.append(str(self.amount))
        self.amount = None

    def _finish(self) -> None:
        self._unused_amount()
        if self.states and self.now.objects:
            self.now.states += self.states
        if not self.now.empty:
            self.done.append(self.now)
        self.now = Clause(links=tuple(self.links))
        self.links = []
        self.describing = False
        self.role, self.states, self.amount = "", [], None
        self.pieces = self.contents = self.passive = self.been = False

    def _begin(self, frame: str, word: str) -> None:
        only_places = bool(self.now.places) and not (self.now.frame or self.now.objects)
        carried = self.now.chunks if self.now.empty or only_places else []
        places = self.now.places if only_places else []
        if only_places:  # ``in the drawer, put the watch``
            self.now = Clause()
        self._finish()
        self.now.places = list(places)
        self.now.frame, self.now.word = frame, word
        self.now.denied, self.denying = bool(self.denying), ""
        self.anew = False
        self.now.chunks = carried
        self.linked = False

    # ---- rules ------------------------------------------------------------------------------------

    def _denial(self, chunk: Chunk) -> bool:
        if chunk.is_("except") or (chunk.text == "but" and self._excepts()):
            self.role, self.linked = "except", False
            return True
        if chunk.is_("deny_be") and self.now.objects:
            self.now.frame = self.now.frame or "ensure"
            self.now.denied = self.been = True
            self.role, self.linked = "", False
            return True
        if chunk.is_("deny") and not chunk.is_("fillers"):
            self._deny(chunk)
            return True
        if chunk.text in _DENIALS and not chunk.known:
            raise Unclear(
                f"I cannot take account of '{chunk.text}'. What should be true at the end?"
            )
        return False

    def _excepts(self) -> bool:
        """``all but the potato``."""
        following = self._following()
        every = bool(self.now.objects) and self.now.objects[-1].amount == 0
        return every and following is not None and following.is_(*_AS_NOUN)

    def _deny(self, chunk: Chunk) -> None:
        """``do not move it``, ``but not the laptop``, ``not on the bed``."""
        following = self._following()
        noun = following is not None and following.is_(*_AS_NOUN) and not following.is_("verb")
        place = following is not None and following.is_("preposition") and bool(self.now.objects)
        if not (noun or place) or chunk.text == "without":
            self.denying = chunk.text
            return
        if not (self.now.frame and self.now.objects):
            raise Unclear(
                f"I cannot take account of '{chunk.text}'. What should be true at the end?"
            )
        if noun and self.now.frame in PUTTING and not self.now.places and self._target_ahead():
            self.role = "left out"  # ``put the fork, but not the spoon, in the sink``
            return
        self.denying = chunk.text
        objects = [] if noun else list(self.now.objects)
        frame, word = self.now.frame, self.now.word
        places = list(self.now.places) if noun else []
        self._begin(frame, word)
        self.now.objects, self.now.places = objects, places

    def _mark(self, chunk: Chunk) -> bool:
        if chunk.is_("stop"):
            self._finish()
            self.linked = True
            self.links.append(".")
            return True
        if chunk.is_("comma", "links"):
            self.linked = True
            self.links += [] if chunk.is_("comma") else [chunk.text]
            self.anew = self.anew or chunk.text in _CONJUNCTIONS
            if self.role == "content" and chunk.is_("comma"):
                return True
            return True
        if chunk.is_("either"):
            self.now.either = True
            self.linked = True
            return True
        return False

    def _verb(self, chunk: Chunk) -> bool:
        sense = chunk.sense("verb")
        if sense is None or not self._may_begin(chunk):
            return False
        if self.been and not self.linked and self.now.objects and chunk.text.endswith("ing"):
            return False
        if self._split_particle(chunk):
            return True
        if self._needs_doing(chunk):
            self.been = True
            return True
        if self.now.frame == "give" and self.now.objects and not self.linked:
            self.now.frame, self.now.word = sense.value, chunk.text  # ``give the mug a wash``
            return True
        self._begin(sense.value, chunk.text)
        return True

    def _needs_doing(self, chunk: Chunk) -> bool:
        """``the apple needs slicing``."""
        gerund = self._following()
        return (
            chunk.text in ("wants", "needs", "requires", "deserves", "want", "need", "require")
            and bool(self.now.objects)
            and not self.now.frame
            and gerund is not None
            and gerund.is_("verb")
            and gerund.text.split()[0].endswith("ing")
        )

    def _may_begin(self, chunk: Chunk) -> bool:
        """Tell whether a word that can be a verb is one here."""
        following = self._following()
        if chunk.is_("thing", "state", "fillers", "be", "preposition"):
            starts = self.linked and following is not None and following.is_(*_MENTION)
            return starts and not (chunk.is_("state") and self._state_fits())
        return not (self.now.frame == "ensure" and self.now.objects and chunk.is_("past"))

    def _state_fits(self) -> bool:
        """``the fridge is open``, ``the light on``: a state of what was just named."""
        return bool(self.now.objects) and not self.linked

    def _participle(self, chunk: Chunk) -> bool:
        """``should be sliced``, ``have the fork washed and put in the bowl``; or ``the chopped tomato``."""
        sense = chunk.sense("past")
        if sense is None and self.been and chunk.text.split()[0].endswith("ing"):
            sense = chunk.sense("verb")
        if sense is None:
            return False
        if self._split_particle(chunk):
            return True
        following = self._following(skip_links=False)
        noun_next = following is not None and following.is_("thing", "group", "name", "pieces")
        before = self.chunks[self.at - 1].text if self.at else ""
        if before in ("have", "has", "had", "having") and noun_next:
            self._begin(sense.value, chunk.text)  # ``once you have opened the microwave``
            return True
        objects = self.now.objects or (self.done[-1].objects if self.linked and self.done else [])
        if noun_next and not (objects and not self.linked):
            state = chunk.sense("state")
            if state is not None and state.value in ("SLICED", "TOASTED", "COOKED", "BROKEN"):
                self.states.append(state.value)
            return True
        if chunk.is_("state") and self.now.word.split()[:1] and self.now.word.split()[0] in _KEPT:
            return False
        if not objects:
            if chunk.is_("verb"):
                self._begin(chunk.sense("verb").value, chunk.text)  # type: ignore[union-attr]
                return True
            return False
        active = self.now.frame not in ("", "ensure", "take_up") and not self.passive
        if active and self.now.objects and not self.linked:
            self.described = True  # ``slice the tomato kept in the fridge``
            return True
        waiting = self.now.frame in ("", "ensure", "take_up") and not self.now.states
        either = self.now.either
        if waiting and self.now.objects:
            self.now.frame, self.now.word = sense.value, chunk.text
        else:
            self._begin(sense.value, chunk.text)
            self.now.objects, self.now.either = list(objects), either
        self.role, self.linked, self.passive = "", False, True
        return True

    def _split_particle(self, chunk: Chunk) -> bool:
        """``must be switched on and put on the bed``: the particle belongs to the place."""
        verb, _, _ = chunk.text.partition(" ")
        following = self._following()
        if chunk.text not in ("put on", "put in", "set on") or not (
            following is not None and following.is_("thing", "group", "name") and self.passive
        ):
            return False
        self._begin("put", verb)
        self.now.objects = list(self.done[-1].objects) if self.done else []
        self.role, self.linked, self.passive = "target", False, True
        return True

    def _state(self, chunk: Chunk) -> bool:
        sense = chunk.sense("state")
        if sense is None:
            return False
        following = self._following(skip_links=False)
        noun_next = following is not None and following.is_(*_MENTION)
        if chunk.is_("preposition") and (noun_next or not self.now.objects):
            return False
        if chunk.is_("preposition") and following is not None and following.is_("preposition"):
            return True  # ``drop it off in the sink``
        if noun_next and not self.now.objects:
            if sense.value in ("SLICED", "TOASTED"):
                self.states.append(sense.value)
            return True
        if not self.now.objects:
            return chunk.is_("fillers")
        if self.now.frame in _WITH_STATE or chunk.text == "off":
            self._other_state(sense.value)
            self._placed_states()
            self.now.states.append(sense.value)
            self.linked = False
            return True
        return chunk.is_("fillers") or chunk.is_("preposition") is False

    def _also_placed(self) -> None:
        """``has to be closed and lying on the bed``."""
        objects = list(self.now.objects)
        if self.passive and objects:
            self._finish()
            self.now.objects, self.now.frame, self.been = objects, "ensure", True

    def _other_state(self, state: str) -> None:
        """``switch on the stove, then the light off``: the last object is of a clause of its own."""
        if OPPOSITE.get(state) in self.now.states:  # ``turn the light off and then on again``
            objects = list(self.now.objects)
            self._finish()
            self.now.objects, self.now.frame = objects, "ensure"
            return
        if STATE_OF.get(self.now.frame) in (None, state) or len(self.now.objects) < 2:
            return
        last = self.now.objects.pop()
        self._finish()
        self.now.objects, self.now.frame = [last], "ensure"

    def _placed_states(self) -> None:
        """``the lamp on the desk is on``: a place before the state tells which."""
        for _, place in [one for one in self.now.places if one[0] == "target"]:
            self.now.objects[-1] = replace(self.now.objects[-1], at=place)
        self.now.places = [one for one in self.now.places if one[0] != "target"]

    def _place(self, chunk: Chunk) -> bool:
        sense = chunk.sense("preposition")
        following = self._following(skip_links=False)
        if sense is None or (following is None and chunk.is_("there")):
            return False
        if following is None or not (
            following.is_(*_MENTION) or following.number or following.is_("there")
        ):
            return True  # ``cut into pieces``
        self._unused_amount()
        if sense.value == "near":
            self._told_apart()
            return True
        self.role = "source" if self.described else sense.value
        if self.role == "where" and self.been:
            self._also_placed()
            self.role = "target"  # ``should be lying on the sofa``
        elif self.role == "where" or (self.describing and self.role in ("target", "source")):
            self.role = "at" if self.now.objects or self.now.places else "source"
        self.describing = False
        if chunk.text == "with" and self.now.frame in _WITH_TOOL:
            self.role = "means"
        self.described = self.linked = False
        return True

    def _noun(self, chunk: Chunk) -> bool:
        if chunk.number:
            self.amount = chunk.number
            return True
        if chunk.is_("all", "both", "some", "one_of", "pieces", "contents") and self._amount(chunk):
            return True
        if chunk.is_("there") and self.role == "content":
            self.role = ""  # ``a tray with a cup on it``
            return True
        if chunk.is_("there") and not self._speaks_of_place(chunk):
            self.role = "target"
            self._add(Mention(back=chunk.text))
            self.role = ""
            return True
        if chunk.is_("one"):
            self._one()
            return True
        if chunk.text in _POINTING and self._names_next():
            return True
        found = self._mention(chunk)
        if found is None:
            return False
        remark = self.been and not self.linked and not self.role and self.now.frame == "ensure"
        if not remark:  # ``the pen is rubbish``
            self._add(found)
        return True

    def _amount(self, chunk: Chunk) -> bool:
        following = self._following(skip_links=False)
        ahead = following is not None and (following.is_(*_MENTION) or following.number > 0)
        if not ahead:
            return chunk.is_("fillers", "pieces")
        if chunk.is_("pieces"):
            self.pieces = True
        elif chunk.is_("contents"):
            self.contents = True
        elif chunk.is_("some"):
            self.amount = 2 if self._plural(following) else None
            self.vague = True
        elif chunk.is_("both"):
            many = self._plural(following)
            self.amount = (
                2 if many and following and following.is_("group") else 0 if many else None
            )
        elif not chunk.is_("one_of"):
            self.amount = 0
            self.each = chunk.text.split()[0] in ("each", "every")
        return True

    @staticmethod
    def _plural(chunk: Chunk | None) -> bool:
        sense = chunk.sense("thing", "group") if chunk is not None else None
        return sense is not None and sense.plural

    def _mention(self, chunk: Chunk) -> Mention | None:
        sense = chunk.sense("name", "thing", "group", "back")
        if sense is None:
            return None
        many = 0 if sense.plural else None
        group = chunk.sense("group") if sense.kind in ("thing", "group") else None
        collective = group is not None and group.value in _COLLECTIVE and not self.vague
        amount = self.amount if self.amount is not None else 0 if collective else many
        types = tuple(dict.fromkeys(s.value for s in chunk.senses if s.kind == "thing"))
        found = Mention(
            types if sense.kind in ("thing", "group") else (),
            group.value if group is not None else "",
            sense.value if sense.kind == "name" else "",
            sense.value if sense.kind == "back" else "",
            amount,
            tuple(self.states),
            self.pieces,
            self.contents,
            each=self.each,
        )
        self.states, self.amount, self.pieces, self.contents = [], None, False, False
        self.vague = self.each = False
        return found

    def _speaks_of_place(self, chunk: Chunk) -> bool:
        """``there is``, or ``there`` where nothing has been named that could be put."""
        return chunk.is_("fillers") and not (self.now.objects and self.now.frame)

    def _one(self) -> None:
        """``the one in the cabinet``: as an apposition, or as a further thing of the same type."""
        before = self.chunks[self.at - 1] if self.at else None
        apposed = before is not None and before.is_("comma") and not self.role
        if not (apposed and self.now.objects):
            self._add(Mention(back="one"))
        self.describing, self.linked = True, False

    def _told_apart(self) -> None:
        """``the chair by the window``: where it stands cannot be checked."""
        self.role = "near"
        if self.now.objects:
            self.now.objects[-1] = replace(self.now.objects[-1], near=True)

    def _describe(self, found: Mention) -> None:
        """Tell where the thing named last is."""
        objects, places = self.now.objects, self.now.places
        if places and places[-1][0] != "at" and not self._object_last():
            role, mention = places[-1]
            places[-1] = (role, replace(mention, at=found))
        elif objects and objects[-1].but:
            *others, last = objects[-1].but
            objects[-1] = replace(objects[-1], but=(*others, replace(last, at=found)))
        elif objects:
            objects[-1] = replace(objects[-1], at=found)

    def _object_last(self) -> bool:
        return not self.now.places or self.object_last

    def _except(self, found: Mention) -> None:
        if not self.now.objects:
            raise Unclear("Except what? Please say all of what first.")
        last = self.now.objects[-1]
        self.now.objects[-1] = replace(last, but=(*last.but, found))

    def _add(self, found: Mention) -> None:
        """Give a mention to the clause: as an object, behind a preposition, or as another clause's object."""
        now = self.now
        before = self.chunks[self.at - 1] if self.at else None
        if found.back in _REPEATED and before is not None and before.is_("comma") and now.objects:
            return  # ``the nails in the crate, every one of them``
        if self.role == "near":
            self.role = ""
        elif self.role == "at":
            self._describe(found)
            self.role = ""
        elif self.role == "except":
            self._except(found)
        elif self.role == "left out":
            now.left_out.append(found)
            self.role = ""
        elif self.anew and not self.role and self._said_to_be():
            self._anew(found)
        elif self.role == "content":
            self._hold(found)
        elif self.role:
            if self.linked and (now.frame in ("", "ensure") or (found.back and self._said_to_be())):
                self._anew(found)
            elif self.linked and now.frame in PUTTING and self._target_ahead():
                self._again(found, keep_places=False)
            elif self.linked and (now.frame in PUTTING or now.frame in _CARRIED_ON):
                self._again(found, keep_places=now.frame in PUTTING)
            else:
                now.places.append((self.role, found))
                self.object_last, self.linked = False, False
                return
        elif self.linked and now.objects and (self.passive or now.states):
            self._anew(found)
        else:
            now.objects.append(found)
        self.object_last = self.role in ("", "except")
        self.linked = False

    def _anew(self, found: Mention) -> None:
        """Begin a clause that starts with its objects: ``… and the light should be off``."""
        self._finish()
        self.anew = False
        self.now.objects.append(found)

    def _hold(self, found: Mention) -> None:
        """``a plate with an egg and a tomato``."""
        now = self.now
        kept = now.places if now.places else None
        if kept:
            role, holder = kept[-1]
            kept[-1] = (role, replace(holder, holding=(*holder.holding, found)))
        elif now.objects:
            now.objects[-1] = replace(now.objects[-1], holding=(*now.objects[-1].holding, found))
        else:
            now.objects.append(found)

    def _again(self, found: Mention, *, keep_places: bool) -> None:
        """``put the apple in the fridge and the mug in the sink``: the verb is that of the clause before."""
        frame, word = self.now.frame, self.now.word
        places = list(self.now.places) if keep_places else []
        self._begin(frame, word)
        self.now.objects, self.now.places = [found], places

    def _small(self, chunk: Chunk) -> bool:
        thrown = self.now.word.split()[:1]
        if chunk.text == "out" and thrown and thrown[0] in _TAKEN and self.now.objects:
            self.now.frame = "remove"  # ``take the egg out``
            return True
        if chunk.text in ("out", "away") and thrown and thrown[0] in THROWN and self.now.objects:
            self.now.frame = "trash"  # ``throw the newspaper out``
            return True
        if chunk.text in _INTACT and self.now.objects and self.now.word.split()[:1] in _LEFT:
            self.now.frame = "intact"  # ``leave the tomato whole``
            return True
        if chunk.is_("as_is") and self.now.objects and self.now.frame in PUTTING:
            self.now.frame = "spare"  # ``leave the tomato where it is``
            return True
        if chunk.is_("be"):
            self.role, self.linked = "", False
            if not self.now.frame and self.now.objects:
                self.now.frame = "ensure"
            self.been = True
            return True
        if chunk.is_("verb"):  # a word that is a verb elsewhere and says nothing here
            return chunk.is_("fillers")
        return chunk.is_("fillers", "back", "there", "some", "all", "both", "one_of")

    def _said_to_be(self) -> bool:
        """``once it has been sliced``."""
        following = self.chunks[self.at + 1 : self.at + 4]
        return any(chunk.is_("be", "past") for chunk in following)

    def _names_next(self) -> bool:
        """``that microwave``: the word only points."""
        following = self.chunks[self.at + 1] if self.at + 1 < len(self.chunks) else None
        while following is not None and following.text in ("the", "a", "an"):
            at = self.chunks.index(following, self.at) + 1
            following = self.chunks[at] if at < len(self.chunks) else None
        return following is not None and following.is_("thing", "group", "name")

    # ---- looking ahead ----------------------------------------------------------------------------

    def _following(self, *, skip_links: bool = False) -> Chunk | None:
        """Return the next chunk that says something."""
        for chunk in self.chunks[self.at + 1 :]:
            if chunk.is_("comma", "links", "stop") and not skip_links:
                return None
            if not chunk.is_("fillers") or chunk.is_(*_MENTION):
                return chunk
        return None

    def _target_ahead(self) -> bool:
        """Tell whether a further preposition comes before the next verb."""
        for chunk in self.chunks[self.at + 1 :]:
            if chunk.is_("stop") or (
                chunk.is_("verb") and not chunk.is_("thing", "fillers", "state")
            ):
                return False
            sense = chunk.sense("preposition")
            if sense is not None and sense.value == "target":
                return True
        return False
