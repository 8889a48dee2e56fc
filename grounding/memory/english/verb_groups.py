"""Verbs with their helpers: tense, voice, negation, particles."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from commonground.grounding.memory.english.clause import Clause, VerbGroup
from commonground.grounding.memory.english.lexicon import Lexicon, guess_verb
from commonground.grounding.memory.english.mention import Mention
from commonground.grounding.memory.english.state_words import State
from commonground.grounding.memory.english.tokens import Token
from commonground.grounding.memory.english.words import (
    BE,
    DO,
    FUNCTION_WORDS,
    HAVE,
    LONG_NEGATIONS,
    MODALS,
    NEGATIONS,
)
from commonground.grounding.words.verbs import verb_forms

WILDCARDS = {
    "oneself": frozenset(
        ["himself", "herself", "themselves", "myself", "yourself", "itself", "ourselves"]
    ),
    "one's": frozenset(["his", "her", "its", "their", "my", "your", "our"]),
}
CAUSING = frozenset(["let", "make", "help", "have", "see", "watch", "hear"])
"""Verbs with an object and a bare infinitive: ``let Ben have it``."""
_FORMS = {"was": "past", "were": "past", "had": "past", "did": "past"} | {
    "be": "base", "have": "base", "do": "base", "being": "gerund", "having": "gerund"
}  # fmt: skip
"""Forms of the verbs that help others, where they stand alone."""
TRUE_PREPOSITIONS = frozenset(
    ("in", "on", "into", "onto", "at", "to", "from", "for", "with", "of", "by")
)
GET = frozenset(("get", "gets", "got", "getting"))
COMPLEMENTED = frozenset(
    ("leave", "keep", "hear", "find", "get", "have", "set", "catch", "let", "start")
)
"""Verbs that say of their object what it does: ``left the tap running``."""


Phrase = Callable[[Sequence[Token], int], Mention | None]


class VerbReader:
    """Reads verb groups, and holds the state of reading a sentence."""

    def __init__(self, tokens: Sequence[Token], phrase: Phrase, lexicon: Lexicon) -> None:
        self.tokens = tokens
        self.words = [token.text for token in tokens]
        self.phrase_at = phrase
        self.lexicon = lexicon
        self.found: list[Clause] = []
        self.clause = Clause()
        self.outer: list[Clause] = []
        """Clauses that an inner one has interrupted."""
        self.joined = ""
        """A conjunction just read."""
        self.comma = False
        self.preposition = ""
        self._cache: dict[int, Mention | None] = {}

    def word(self, at: int) -> str:
        """Return a word, or an empty one beyond the end or at a mark."""
        return self.words[at] if 0 <= at < len(self.words) and not self.tokens[at].is_mark else ""

    def mention(self, at: int) -> Mention | None:
        """Return the noun phrase at a place, read once."""
        if at not in self._cache:
            within = at < len(self.tokens)
            self._cache[at] = self.phrase_at(self.tokens, at) if within else None
        return self._cache[at]

    def _literal(self, at: int, table: dict[tuple[str, ...], str]) -> tuple[str, int] | None:
        for size in (4, 3, 2, 1):
            key = tuple(self.words[at : at + size])
            if len(key) == size and key in table:
                return table[key], size
        return None

    def _group(self, at: int) -> tuple[VerbGroup | None, int]:
        """Return the verb with its helpers that begins at a place, and how many tokens it has."""
        start, helpers, negated = at, [], False
        infinitive = self.word(at) == "to"
        if infinitive:
            at += 1
        while True:
            word = self.word(at)
            if word == "'s" and start == at and not infinitive:
                if not self._short_form(at):
                    return None, 0
                helpers.append("is")
                at += 1
                continue
            size = self._negative(at, bare=not helpers and not infinitive)
            negated = negated or size > 0
            size = size or self._helper(at, helpers)
            if not size:
                break
            at += size
        return self._with_main(start, at, helpers, negated=negated, infinitive=infinitive)

    def _negative(self, at: int, *, bare: bool) -> int:
        """Return how many words negate a verb here: ``not``, ``no longer``."""
        word = self.word(at)
        if word == "no":
            return 2 if self.word(at + 1) in ("longer", "more") else 0
        return int(word in NEGATIONS and (not bare or word in ("not", "never")))

    def _helper(self, at: int, helpers: list[str]) -> int:
        """Take in a helper verb; return how many words it has."""
        word = self.word(at)
        perfect = bool(helpers) and helpers[-1] in HAVE
        if word in BE | HAVE | DO | MODALS:
            helpers.append(word)
        elif word == "to" and (perfect or helpers[-1:] == ["ought"]):
            helpers[-1] = "must"
        elif self.word(at + 1) == "to" and word == ("going" if helpers else "used"):
            helpers.append(
                "will" if helpers else "did"
            )  # "used to be" is past, and nothing is used
            return 2
        elif word in GET and self._participle_at(at + 1):
            present = "is" if word in ("get", "gets") else "was"
            helpers.append("been" if perfect else present)
        elif word not in ("also", "both", "all", "only") or not helpers:
            return 0
        return 1

    def _participle_at(self, at: int) -> bool:
        """Return whether a participle stands here: ``got stained`` is passive."""
        forms = self.lexicon.forms_of(self.word(at))
        return "participle" in forms and not forms & {"base"} and self.mention(at) is None

    def _short_form(self, at: int) -> bool:
        """``'s`` after a name is a verb where no possessed thing follows."""
        before = self.mention(at - 1)
        return before is None or before.end == at

    def _with_main(
        self, start: int, at: int, helpers: list[str], *, negated: bool, infinitive: bool
    ) -> tuple[VerbGroup | None, int]:
        modal = next((h for h in helpers if h in MODALS), "")
        found = self._main(at, helpers, infinitive=infinitive)
        if found is not None:
            lemma, form, known = found
            be = bool(helpers) and helpers[-1] in BE
            group = VerbGroup(
                lemma,
                form,
                passive=be and form == "participle" and lemma not in ("go", "come"),
                progressive=be and form == "gerund",
                perfect=any(h in HAVE for h in helpers),
                past="had" in helpers or "was" in helpers or "were" in helpers or form == "past",
                modal=modal,
                negated=negated,
                known=known,
                infinitive=infinitive,
                word=self.word(at),
            )
            at += 1
            group.rest = self._rest(lemma, at)
            return group, at + len(group.rest) - start
        if not helpers:
            return None, 0
        last = helpers[-1]
        if last in MODALS:
            return None, 0
        lemma = "be" if last in BE else "have" if last in HAVE else "do"
        group = VerbGroup(
            lemma,
            _FORMS.get(last, "third"),
            perfect=any(h in HAVE for h in helpers[:-1]),
            past=helpers[0] in ("was", "were", "had", "did"),
            modal=modal,
            negated=negated,
            infinitive=infinitive,
        )
        group.rest = self._rest(lemma, at)
        return group, at + len(group.rest) - start

    def _main(
        self, at: int, helpers: list[str], *, infinitive: bool
    ) -> tuple[str, str, bool] | None:
        """Return lemma, form and whether it is known, of the main verb at a place."""
        word = self.word(at)
        if not word or (
            word in FUNCTION_WORDS - {"left", "put", "set"} and not self.lexicon.lemmas(word)
        ):
            return None
        if (word == "like" and helpers) or (
            word == "gone" and not (helpers and helpers[-1] in HAVE)
        ):
            return None
        wanted = _forms_after(helpers, infinitive=infinitive)
        for lemma, forms in self.lexicon.lemmas(word).items():
            if lemma in ("be", "have", "do") and word in BE | HAVE | DO:
                continue
            for form in wanted:
                if form in forms:
                    return lemma, form, True
        if self.lexicon.lemmas(word) or word in self.lexicon.states:
            return None
        return self._unknown_verb(at, word, helpers, wanted, infinitive=infinitive)

    def _unknown_verb(
        self, at: int, word: str, helpers: list[str], wanted: tuple[str, ...], *, infinitive: bool
    ) -> tuple[str, str, bool] | None:
        guess = guess_verb(word)
        if guess is not None:
            lemma, form = guess
            if form == "past" and helpers and helpers[-1] in BE | HAVE:
                form = "participle"
            if form in wanted and self._verb_position(at, helpers):
                return lemma, form, False
            return None
        if (
            (infinitive or (helpers and helpers[-1] in MODALS | DO))
            and "base" in wanted
            and self.mention(at) is None
        ):
            return word, "base", False
        return None

    def _verb_position(self, at: int, helpers: list[str]) -> bool:
        return (
            bool(helpers)
            or self._subject_just_before(at)
            or at == 0
            or bool(self.joined)
            or self.comma
        )

    def _subject_just_before(self, at: int) -> bool:
        subject = self.clause.subject
        return self.clause.verb is None and subject is not None and subject.end == at

    def _rest(self, lemma: str, at: int) -> tuple[str, ...]:
        """Return the longest run of particles after a verb that the lexicon lists with it."""
        state = self.lexicon.state_phrases.match(self.words, at) if at < len(self.words) else 0
        for rest in self.lexicon.rests.get(lemma, ()):
            if len(rest) < state:
                return ()
            if rest and tuple(self.words[at : at + len(rest)]) == rest:
                if (
                    len(rest) == 1
                    and rest[0] in TRUE_PREPOSITIONS
                    and self.mention(at + 1) is not None
                ):
                    continue
                if rest == ("out",) and self.word(at + 1) == "of":
                    continue
                return rest
            open_word = bool(rest) and self.word(at) in WILDCARDS.get(rest[0], ())
            if open_word and tuple(self.words[at + 1 : at + len(rest)]) == rest[1:]:
                return rest
        return ()

    def _is_gerund(self, at: int) -> bool:
        group, _ = self._group(at)
        return group is not None and group.form == "gerund" and not group.progressive

    def _finite_after(self, at: int, *, alone: bool = False) -> bool:
        """Return whether a finite verb follows, perhaps after ``and`` with another noun phrase."""
        while (
            not alone
            and self.word(at) in ("and", "both", "or")
            and self.mention(at + 1) is not None
        ):
            at = self.mention(at + 1).end  # type: ignore[union-attr]
        if tuple(self.words[at : at + 2]) in LONG_NEGATIONS:
            at += 2
        group, _ = self._group(at)
        return group is not None and group.is_finite

    def _clause_begins(self, at: int) -> bool:
        """Return whether a subject with a finite verb, or such a verb alone, begins here."""
        if self.word(at) == "there" and self._group(at + 1)[0] is not None:
            return True
        subject = self.mention(at)
        if subject is None:
            return False
        return self._finite_after(subject.end)

    def _last_mention(self) -> Mention | None:
        clause = self.clause
        found = clause.mentions
        return max(found, key=lambda m: m.end, default=None)

    def _described_by(self, group: VerbGroup) -> list[State]:
        entry = self.lexicon.verb(group.lemma, group.rest)
        return list(entry.states) if entry is not None else []

    def _takes_content(self) -> bool:
        verb = self.clause.verb
        if verb is None:
            return False
        telling = {"speech", "belief", "certain", "observe", "desire"}
        classes = self.lexicon.classes_of(verb.lemma)
        return bool(classes & telling) or (verb.is_copula and bool(classes))

    def _is_located(self, verb: VerbGroup) -> bool:
        """Return whether a verb says that something is somewhere: ``on the table lies the mug``."""
        return "located" in self.lexicon.classes_of(verb.lemma)

    def _just_after_verb(self, at: int) -> bool:
        """Return whether the word before is the clause's main verb."""
        before = self.word(at - 1)
        verb = self.clause.verb
        return (
            verb is not None
            and not verb.is_copula
            and not self.joined
            and before in verb_forms(verb.lemma)
        )

    def _open(self, clause: Clause) -> None:
        self.clause = clause
        self.found.append(clause)
        self.joined, self.comma, self.preposition = "", False, ""

    def _inner(self, clause: Clause, *, keep: bool = True) -> None:
        if keep:
            self.outer.append(self.clause)
        self._open(clause)

    def _close_inner(self) -> None:
        """Return from a relative or gerund clause to the one it interrupted."""
        if self.outer:
            self.clause = self.outer.pop()


def _forms_after(helpers: list[str], *, infinitive: bool) -> tuple[str, ...]:
    """Return the forms a verb can have after its last helper, the likeliest first."""
    if not helpers:
        return ("base",) if infinitive else ("past", "third", "gerund", "participle", "base")
    last = helpers[-1]
    if last in BE:
        return ("gerund", "participle")
    if last in HAVE:
        return ("participle",)
    return ("base",)
