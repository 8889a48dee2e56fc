"""Things spoken of: how many, which ones, and what part they play in the clause."""

from __future__ import annotations

from dataclasses import replace

from commonground.grounding.problem_writer.commands.chunks import Chunk
from commonground.grounding.problem_writer.commands.clause_state import ClauseState
from commonground.grounding.problem_writer.commands.clause_words import (
    MENTION,
    POINTING,
)
from commonground.grounding.problem_writer.commands.mentions import (
    PUTTING,
    Mention,
)
from commonground.grounding.problem_writer.wishes.nouns import ALL_OF_THEM
from commonground.grounding.resolver.choice import Unclear


class NounRules(ClauseState):
    """Reads nouns, pronouns and amounts."""

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
        if chunk.text in POINTING and self._names_next():
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
        ahead = following is not None and (following.is_(*MENTION) or following.number > 0)
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
        elif chunk.is_("one_of"):
            self.single = chunk.text != "any"  # ``any vases``: all that there are
        else:
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
        many = 0 if sense.plural and not self.single else None
        group = chunk.sense("group") if sense.kind in ("thing", "group") else None
        loose = self.vague or self.single
        collective = group is not None and group.value in ALL_OF_THEM and not loose
        amount = self.amount if self.amount is not None else 0 if collective else many
        back = sense.kind == "back"
        found = Mention(
            "" if back else chunk.text,
            sense.value if back else "",
            amount,
            tuple(self.states),
            self.pieces,
            self.contents,
            each=self.each,
            begin=self.at,
        )
        self.states, self.amount, self.pieces, self.contents = [], None, False, False
        self.vague = self.single = self.each = False
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
        if places and places[-1][0] != "at" and not self.object_last:
            role, mention = places[-1]
            places[-1] = (role, replace(mention, at=found))
        elif objects and objects[-1].but:
            *others, last = objects[-1].but
            objects[-1] = replace(objects[-1], but=(*others, replace(last, at=found)))
        elif objects:
            objects[-1] = replace(objects[-1], at=found)

    def _except(self, found: Mention) -> None:
        if not self.now.objects:
            raise Unclear("Except what? Please say all of what first.")
        last = self.now.objects[-1]
        self.now.objects[-1] = replace(last, but=(*last.but, found))

    def _add(self, found: Mention) -> None:
        """Give a mention to the clause: as an object, behind a preposition, or as another clause's object."""
        now = self.now
        if self._described_by(found):
            self.linked = False
            return
        if self.anew and not self.role and self._said_to_be():
            self._anew(found)
        elif self.role == "content":
            self._hold(found)
        elif self.role:
            self._behind(found)
        elif self.linked and now.objects and (self.passive or now.states):
            self._anew(found)
        else:
            now.objects.append(found)
        self.object_last = not self.role
        self.linked = False

    def _described_by(self, found: Mention) -> bool:
        """Take what only tells which things are meant, or which are not."""
        if self.role == "except":
            self._except(found)
            self.object_last = True
            return True
        if self.role == "at":
            self._describe(found)
        elif self.role == "left out":
            self.now.left_out.append(found)
        elif self.role != "near":
            return False
        self.role = ""
        return True

    def _behind(self, found: Mention) -> None:
        """Take what stands behind a preposition, or begins the next clause there."""
        now = self.now
        if self.linked and (now.frame in ("", "ensure") or (found.back and self._said_to_be())):
            self._anew(found)
        elif self.linked and now.frame in PUTTING and self._target_ahead():
            self._again(found)
        else:
            now.places.append((self.role, found))

    def _anew(self, found: Mention) -> None:
        """Begin a clause that starts with its objects: ``… and the light should be off``."""
        self._finish()
        self.anew = False
        self.now.objects.append(found)

    def _hold(self, found: Mention) -> None:
        """``a plate with an egg and a tomato``."""
        objects, places = self.now.objects, self.now.places
        if places:
            role, holder = places[-1]
            places[-1] = (role, replace(holder, holding=(*holder.holding, found)))
        elif objects:
            objects[-1] = replace(objects[-1], holding=(*objects[-1].holding, found))
        else:
            objects.append(found)

    def _again(self, found: Mention) -> None:
        """``put the apple in the fridge and the mug in the sink``: the verb is that of the clause before."""
        self._begin(self.now.frame, self.now.word)
        self.now.objects = [found]
