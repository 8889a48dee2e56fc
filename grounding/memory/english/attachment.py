"""Where noun phrases, prepositions and adjectives belong in the clause being read."""

from __future__ import annotations

from commonground.grounding.memory.english.clause import Clause, VerbGroup, together
from commonground.grounding.memory.english.links import LinkReader
from commonground.grounding.memory.english.mention import Mention
from commonground.grounding.memory.english.verb_groups import CAUSING
from commonground.grounding.memory.english.words import (
    FUNCTION_WORDS,
    LONG_PREPOSITIONS,
    NUMBERS,
    PARTICLES,
    PREPOSITIONS,
)


class Attachment(LinkReader):
    """Gives phrases their role in a clause."""

    def _noun(self, at: int) -> int:
        found = self.mention(at)
        if found is None or found.end <= at:
            return 0
        if self.preposition:
            self._attach_place(found)
        elif self._is_gapped(found):
            self._open_gapped(found)
        elif self._begins_clause(found):
            self._new_subject(found)
        else:
            self._attach_noun(found)
        self.joined, self.comma, self.preposition = "", False, ""
        return found.end - at

    def _begins_clause(self, found: Mention) -> bool:
        """Return whether a noun phrase is the subject of a further clause."""
        if self.clause.verb is None and self.clause.kind != "where":
            return False
        alone = not self.joined and not self.comma
        if not self._finite_after(found.end, alone=alone):
            return False
        if self.clause.verb is not None and self.clause.verb.lemma in CAUSING and self.joined:
            group, _ = self._group(found.end)
            if group is not None and group.form == "base" and not group.modal:
                return False
        if self.clause.kind in ("where", "relative") and self.clause.verb is None:
            return False
        if self.joined or self.comma or self._takes_content():
            return True
        if self.clause.kind == "infinitive" and self.clause.governor is None:
            return True
        return (
            self.clause.subject is not None
            and self.clause.verb is not None
            and bool(self.clause.objects or self.clause.places or self.clause.words)
        )

    def _main_clause(self) -> Clause:
        """Return the clause in which a place clause stands, else the one being read."""
        return self.outer[0] if self.outer and self.clause.kind == "where" else self.clause

    def _is_gapped(self, found: Mention) -> bool:
        """``put the mug on the desk and the plate on the shelf``: the verb is understood again."""
        main = self._main_clause()
        if (
            not (self.joined in ("and", "but") or self.comma)
            or main.verb is None
            or not (main.places or main.where)
        ):
            return False
        if found.kind not in ("thing", "pronoun", "unknown") or self._finite_after(found.end):
            return False
        beside = self.mention(found.end + 1)
        if beside is not None and beside.kind == "hand":
            return False
        return self._place_follows(found.end) or self.word(found.end) == "where"

    def _open_gapped(self, found: Mention) -> None:
        main = self._main_clause()
        self.outer.clear()
        again = Clause(
            kind=main.kind,
            link=self.joined or ",",
            subject=main.subject,
            verb=main.verb,
            agent=main.agent,
        )
        if main.objects:
            again.objects = [found]
        else:
            again.subject = found
        self._open(again)

    def _new_subject(self, found: Mention) -> None:
        if self.joined or self.comma or self.clause.kind == "infinitive":
            while self.outer:
                self._close_inner()
            self._open(Clause(link=self.joined or ",", subject=found, governor=self.clause))
        else:
            self._inner(Clause("content", subject=found, governor=self.clause), keep=False)

    def _attach_noun(self, found: Mention) -> None:
        clause = self.clause
        existing = clause.existential or clause.verb is None
        if clause.subject is None and existing:
            clause.subject = found
        elif clause.verb is None:
            self._attach_verbless(found)
        elif not self._joins(found) and not self._is_late_subject(found, clause.verb):
            rest, first = clause.verb.rest, not clause.objects and not clause.object_preposition
            if rest and rest[-1] in PREPOSITIONS and first:
                clause.object_preposition = rest[-1]
            clause.objects.append(found)

    def _attach_verbless(self, found: Mention) -> None:
        """A further phrase where there is no verb yet: ``the mug, the blue one, …``."""
        clause, subject = self.clause, self.clause.subject
        if self.joined in ("and", "or") and subject is not None:
            clause.subject = together(subject, found)
        else:
            clause.objects.append(found)

    def _joins(self, found: Mention) -> bool:
        """Add a phrase to the one before it: ``the mug and the cup``, ``all, but not the cup``."""
        clause = self.clause
        last = clause.objects[-1] if clause.objects else None
        place = clause.places[-1] if clause.places else None
        if found.kind == "group" and found.excluding and self.comma:
            clause.excluding += found.excluding
        elif self.joined in ("and", "or", "but") and last and not place:
            clause.objects[-1] = together(last, found)
        elif self.joined in ("and", "or") and place and place[1].end >= found.start - 2:
            clause.places[-1] = (place[0], together(place[1], found))
        else:
            return False
        return True

    def _is_late_subject(self, found: Mention, verb: VerbGroup) -> bool:
        """``here comes Ben``, ``off went Ben``, ``in the sink is the mug``."""
        clause, subject = self.clause, self.clause.subject
        if subject is not None:
            late = subject.kind == "place word" and not clause.objects
            if not late or found.kind not in ("person", "thing"):
                return False
            clause.objects.append(subject)
        else:
            off = found.kind == "person" and bool(clause.particles) and not clause.objects
            located = bool(clause.places) and self._is_located(verb)
            if not (off or verb.is_copula or located):
                return False
        clause.subject = found
        return True

    def _attach_place(self, found: Mention) -> None:
        clause, prep = self.clause, self.preposition
        if (
            prep == "by"
            and clause.verb is not None
            and clause.verb.passive
            and clause.agent is None
            and found.kind in ("person", "pronoun", "unknown", "several")
        ):
            clause.agent = found
        else:
            clause.places.append((prep, found))

    # ---- the rest

    def _long_state(self, at: int) -> int:
        """``in pieces``, ``as good as new``: a state in several words; not the begin of ``in two trips``."""
        size = self.lexicon.state_phrases.match(self.words, at)
        if size < 2 or self._group(at)[0] is not None:
            return 0
        return 0 if self._counts_on(at + size) else self._state(at)

    def _counts_on(self, at: int) -> bool:
        """Return whether the word before a place counts what the word there names: ``two trips``."""
        counting, word = self.word(at - 1), self.word(at)
        if counting == "half" and word in ("a", "an", "the"):
            return True
        known = word in FUNCTION_WORDS or self.lexicon.adverbs.match([word], 0)
        return (counting == "half" or counting in NUMBERS) and word.isalpha() and not known

    def _long_prep(self, at: int) -> int:
        long = self._literal(at, LONG_PREPOSITIONS)
        if long is None or self.mention(at + long[1]) is None or self._is_split(at):
            return 0
        self.preposition = long[0]
        self.joined = ""
        if self.word(at) == "back":
            self.clause.particles.append("back")
        return long[1]

    def _is_split(self, at: int) -> bool:
        """Return whether a word is that of a verb with its object between: ``turned it on in the bath``."""
        clause = self.clause
        if clause.verb is None or not clause.objects or self.word(at) not in ("on", "off"):
            return False
        return self.lexicon.verb(clause.verb.lemma, (self.word(at),)) is not None

    def _prep(self, at: int) -> int:
        word = self.word(at)
        if word not in PREPOSITIONS | PARTICLES:
            return 0
        if word in PREPOSITIONS and (
            self.mention(at + 1) is not None
            or self._is_gerund(at + 1)
            or self.word(at + 1) == "where"
        ):
            self.preposition = word
            return 1
        self.clause.particles.append(word)
        return 1

    def _state(self, at: int) -> int:
        size = self.lexicon.state_phrases.match(self.words, at)
        if size:
            phrase = " ".join(self.words[at : at + size])
            self.clause.words.append((phrase, list(self.lexicon.states[phrase])))
            return size
        return 0
