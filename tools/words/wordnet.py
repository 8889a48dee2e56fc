"""Write WordNet's made things and food as a taxonomy: `grounding/words/data/artifacts.txt`.

    python tools/words/wordnet.py /usr/share/wordnet

An indented line is a kind of the line above it, commas separate words for the same thing, as in `things.txt`.
What has several kinds above it is listed under the first. Proper names are left out.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FILES = ("06", "13")
"""WordNet's files of artifacts and of food."""
SENSES = 2
"""So many senses of a word; rarer ones mislead more than they help."""
OUT = Path(__file__).parents[2] / "grounding" / "words" / "data" / "artifacts.txt"
HEAD = """\
# Made things and food of WordNet 3.0, Copyright 2006 by Princeton University, by tools/words/wordnet.py;
# its license is in wordnet.license.txt. An indented line is a kind of the line above it.
"""


@dataclass(frozen=True, slots=True)
class Synset:
    """Words for the same thing, and what is above it."""

    words: tuple[str, ...]
    above: str


def synsets(data: str, index: str) -> dict[str, Synset]:
    """Return the synsets of the files by offset, each word in its most usual senses; format: wndb(5WN)."""
    found: dict[str, Synset] = {}
    files = {line.split()[0]: line.split()[1] for line in data.splitlines() if line[0] != " "}
    usual = _usual(index, files)
    for line in data.splitlines():
        if line.startswith("  "):
            continue
        fields = line.partition("|")[0].split()
        count = int(fields[3], 16)
        pointers = fields[5 + 2 * count :]
        above = [pointers[i + 1] for i in range(0, len(pointers), 4) if pointers[i] == "@"]
        if fields[1] in FILES and above:
            words = (fields[4 + 2 * i].replace("_", " ") for i in range(count))
            kept = tuple(w for w in words if w.islower() and fields[0] in usual[w])
            found[fields[0]] = Synset(kept, above[0])
    return found


def _usual(index: str, files: dict[str, str]) -> dict[str, list[str]]:
    """Return the most usual senses of each word among the files."""
    found = {}
    for line in index.splitlines():
        fields = line.split()
        if line[0] != " ":
            senses = fields[-int(fields[2]) :]
            found[fields[0].replace("_", " ")] = [s for s in senses if files[s] in FILES][:SENSES]
    return found


def lines(found: dict[str, Synset]) -> Iterator[str]:
    """Yield the lines of the taxonomy, from the top down."""
    below: dict[str, list[str]] = {}
    for key, synset in found.items():
        below.setdefault(synset.above if synset.above in found else "", []).append(key)
    todo = [(key, 0) for key in reversed(below[""])]
    while todo:
        key, depth = todo.pop()
        words = found[key].words
        if words:
            yield " " * depth + ", ".join(words)
        todo += [(k, depth + bool(words)) for k in reversed(below.get(key, []))]


def main() -> None:
    """Write the file."""
    data, index = (
        (Path(sys.argv[1]) / name).read_text("utf-8") for name in ("data.noun", "index.noun")
    )
    OUT.write_text(HEAD + "".join(f"{line}\n" for line in lines(synsets(data, index))), "utf-8")


if __name__ == "__main__":
    main()
