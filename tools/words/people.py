"""Write the nouns that mostly mean people: `grounding/words/data/people.txt`.

    python tools/words/people.py /usr/share/wordnet

A noun is kept where most of the usual senses of WordNet's are people, and the first of them is no thing,
animal or plant: a guard, not a printer. What does something and may be a tool as well is left out: a cutter.
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

PEOPLE, MADE = "18", "06"
"""WordNet's files of people and of made things."""
OTHERS = frozenset([MADE, "05", "13", "20"])
"""Its files of what is no person first of all: made things, animals, food, plants."""
USUAL = 3
"""So many senses of a word count."""
TOOLS = 4
"""So many senses of a word for who does something are looked at for tools."""
OUT = Path(__file__).parents[2] / "grounding" / "words" / "data" / "people.txt"
HEAD = """\
# Nouns that mostly mean people, of WordNet 3.0, Copyright 2006 by Princeton University, by
# tools/words/people.py; its license is in wordnet.license.txt.
"""
WORD = re.compile(r"[a-z]{3,16}")


def people(data: str, index: str) -> Iterator[str]:
    """Yield the nouns; the format of both texts is wndb(5WN)."""
    files, small = dict[str, str](), set[str]()
    for line in data.splitlines():
        if line[0] != " ":
            fields = line.split()
            files[fields[0]] = fields[1]
            small |= {fields[4 + 2 * n] for n in range(int(fields[3], 16))}
    for line in index.splitlines():
        fields = line.split()
        if line[0] != " " and WORD.fullmatch(fields[0]) and fields[0] in small:
            senses = [files[sense] for sense in fields[-int(fields[2]) :]]
            if _means_people(fields[0], senses):
                yield fields[0]


def _means_people(word: str, senses: list[str]) -> bool:
    usual = senses[:USUAL]
    tool = word.endswith(("er", "or")) and MADE in senses[:TOOLS]
    share = 2 * usual.count(PEOPLE) - len(usual)
    first = share > 0 or (share == 0 and senses[0] == PEOPLE)
    return first and senses[0] not in OTHERS and not tool


def main() -> None:
    """Write the file."""
    folder = Path(sys.argv[1])
    texts = ((folder / name).read_text(encoding="utf-8") for name in ("data.noun", "index.noun"))
    words = textwrap.fill(" ".join(people(*texts)), 110)
    OUT.write_text(f"{HEAD}{words}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
