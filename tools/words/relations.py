"""Write which verbs, states and happenings mean about the same: `grounding/words/data/relations.txt`.

    python tools/words/relations.py /usr/share/wordnet

Each line is a synset of WordNet: its words, each with the number of its sense, then the lines that it is a
kind of, is like, comes of and is the opposite of. Nouns are kept where a verb or an adjective comes of them,
as `a rip` of `to rip`. Words that WordNet's tagged texts never use are left out.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

OUT = Path(__file__).parents[2] / "grounding" / "words" / "data" / "relations.txt"
FILES = {"verb": "v", "adj": "a", "noun": "n"}
KINDS = {
    "@": "<",
    "~": ">",
    "&": "=",
    "$": "=",
    "^": "=",
    ">": "*",
    "*": "*",
    "!": "!",
    "+": "+",
    "\\": "+",
}
"""WordNet's pointers, and what they are called here: < kind of, = like, * causes, + comes of, ! opposite."""
WRITTEN = "<=*+!"
WORD = re.compile(r"[a-z]{2,}(_[a-z]{2,})?")
SENSES = 12
"""So many senses of a word; rarer ones mislead more than they help."""
HEAD = """\
# Verbs, states and happenings of WordNet 3.0, Copyright 2006 by Princeton University, by
# tools/words/relations.py; its license is in wordnet.license.txt. A line is one meaning: its words with the
# number of each one's sense, then the numbers of lines it is a kind of (<), is like (=), brings about (*),
# comes of (+) and is the opposite of (!), the first line being 0.
"""


@dataclass(slots=True)
class Synset:
    """One meaning."""

    words: list[str] = field(default_factory=list)
    links: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))


def read(folder: Path) -> dict[str, Synset]:
    """Return the synsets of verbs, adjectives and nouns by letter and offset; format: wndb(5WN)."""
    ranks = {key: n for file in FILES for key, n in _ranks(folder, file)}
    spoken = _spoken(folder)
    found: dict[str, Synset] = {}
    for file, letter in FILES.items():
        for line in (folder / f"data.{file}").read_text("latin-1").splitlines():
            if not line.startswith(" "):
                offset, *fields = line.partition("|")[0].split()
                found[letter + offset] = _synset(letter, offset, fields, ranks, spoken)
    return found


def _synset(
    letter: str, offset: str, fields: list[str], ranks: dict[tuple[str, str], int], spoken: set[str]
) -> Synset:
    count = int(fields[2], 16)
    made = Synset()
    for word in (fields[3 + 2 * i].partition("(")[0] for i in range(count)):
        rank = ranks.get((letter + offset, word.lower()), SENSES + 1)
        parts = word.split("_")
        if WORD.fullmatch(word) and rank <= SENSES and parts[0] in spoken:
            made.words.append(f"{word}{rank}")
    at = 3 + 2 * count
    for i in range(int(fields[at])):
        kind, end, letters, _ = fields[at + 1 + 4 * i : at + 5 + 4 * i]
        if kind in KINDS and letters in "vasn":
            made.links[KINDS[kind]].add(letters.replace("s", "a") + end)
    return made


def _ranks(folder: Path, file: str) -> Iterator[tuple[tuple[str, str], int]]:
    for line in (folder / f"index.{file}").read_text("latin-1").splitlines():
        if not line.startswith(" "):
            fields = line.split()
            for n, offset in enumerate(fields[-int(fields[2]) :], 1):
                yield (FILES[file] + offset, fields[0]), n


def _spoken(folder: Path) -> set[str]:
    """Return the words that the tagged texts use in some sense."""
    lines = (folder / "cntlist.rev").read_text("latin-1").splitlines()
    return {line.partition("%")[0] for line in lines}


def kept(synsets: dict[str, Synset]) -> list[str]:
    """Return the keys of the synsets that say something: verbs, adjectives, and nouns that come of these."""
    used = {k for k, s in synsets.items() if s.words and k[0] in "va"}
    used |= {
        k
        for k, s in synsets.items()
        if s.words and k[0] == "n" and any(e in used for e in s.links["+"])
    }
    linked = {
        k for k in used if any(e in used for kind in WRITTEN + ">" for e in synsets[k].links[kind])
    }
    return sorted(k for k in used if k in linked or len(synsets[k].words) > 1)


def main() -> None:
    synsets = read(Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/wordnet"))
    keys = kept(synsets)
    number = {key: n for n, key in enumerate(keys)}
    lines = []
    for key in keys:
        parts = [" ".join([key[0], *synsets[key].words])]
        for kind in WRITTEN:
            ends = sorted(number[e] for e in synsets[key].links[kind] if e in number)
            if kind == "+" or kind == "!" or kind == "=":
                ends = [e for e in ends if e > number[key]]  # either way the same
            if ends:
                parts.append(kind + " ".join(map(str, ends)))
        lines.append("".join(parts))
    OUT.write_text(HEAD + "\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
