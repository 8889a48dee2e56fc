"""Make the table of words: numbers for what English words mean, from the relations and glosses of WordNet.

    python tools/reading/lexicon.py OUT.npz [--wordnet /usr/share/wordnet]

A word's features are its synsets, what they are kinds of, and the words of their glosses; a truncated SVD of
these (positive pointwise mutual information) leaves 64 numbers in which mug is near cup and fetch near bring.
WordNet 3.0 is by Princeton University (Fellbaum 1998); its license lets tables like this be given on.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix, diags
from scipy.sparse.linalg import svds

FILES = ("noun", "verb", "adj", "adv")
UP = {"@", "@i", "&", "<", "+", "%p", "#p", "*", ">", "\\"}
WORD = re.compile(r"[a-z]+")
STOP = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "or",
        "and",
        "in",
        "to",
        "for",
        "by",
        "with",
        "that",
        "is",
        "as",
        "on",
        "from",
        "be",
        "it",
        "at",
        "used",
        "which",
        "who",
        "having",
        "are",
        "not",
        "one",
        "some",
        "something",
        "someone",
        "etc",
        "usually",
        "especially",
        "esp",
        "its",
        "their",
        "his",
        "very",
        "more",
        "than",
    ]
)


class WordNet:
    """The synsets with their lemmas, relations and glosses."""

    def __init__(self, folder: Path) -> None:
        self.lemmas: dict[str, list[str]] = {}
        self.above: dict[str, list[str]] = {}
        self.kinds: dict[str, list[str]] = defaultdict(list)
        """What is directly a kind of a synset."""
        self.gloss: dict[str, list[str]] = {}
        self.senses: dict[str, list[str]] = defaultdict(list)
        for name in FILES:
            self._data(folder / f"data.{name}", name[0])
        for name in FILES:
            self._index(folder / f"index.{name}", name[0])

    def _data(self, file: Path, letter: str) -> None:
        for line in file.read_text(encoding="latin-1").splitlines():
            if line.startswith(" "):
                continue
            head, _, gloss = line.partition("|")
            cells = head.split()
            key, count = letter + cells[0], int(cells[3], 16)
            self.lemmas[key] = [cells[4 + 2 * i].lower().partition("(")[0] for i in range(count)]
            at = 4 + 2 * count
            links = [cells[at + 1 + 4 * i : at + 5 + 4 * i] for i in range(int(cells[at]))]
            ends = [(k, ("a" if p == "s" else p) + offset) for k, offset, p, _ in links]
            self.above[key] = [end for kind, end in ends if kind in UP]
            for kind, end in ends:
                if kind == "@":
                    self.kinds[end].append(key)
            told = gloss.partition('"')[0]
            self.gloss[key] = [w for w in WORD.findall(told.lower()) if w not in STOP]

    def _index(self, file: Path, letter: str) -> None:
        for line in file.read_text(encoding="latin-1").splitlines():
            if line.startswith(" "):
                continue
            cells = line.split()
            count = int(cells[2])
            self.senses[cells[0]] += [letter + offset for offset in cells[-count:]]


def nouns_of_things(net: WordNet) -> list[str]:
    """Return the nouns whose first sense is a thing, a food or a plant."""
    found: set[str] = set()
    seen: set[str] = set()
    todo = [key for word in ("artifact", "food", "plant") for key in net.senses[word][:2]]
    while todo:
        key = todo.pop()
        if key in seen or key[0] != "n":
            continue
        seen.add(key)
        todo += net.kinds[key]
        found.update(w for w in net.lemmas[key][:2] if net.senses[w][:1] == [key])
    plain = (w.replace("_", " ") for w in found)
    return sorted(w for w in plain if re.fullmatch(r"[a-z]{3,}( [a-z]{3,})?", w))


def features(net: WordNet, word: str) -> Counter[str]:
    """Return the weighted features of a word."""
    found: Counter[str] = Counter()
    ranks: Counter[str] = Counter()
    for key in net.senses[word]:
        ranks[key[0]] += 1
        weight = 1 / ranks[key[0]]
        if ranks[key[0]] > 6:
            continue
        found["pos " + key[0]] += weight
        found[key] += weight
        found.update({f"g {w}": weight * 0.5 for w in net.gloss[key]})
        level, share = [key], weight
        for _ in range(5):
            level = [up for one in level for up in net.above.get(one, ())][:8]
            share *= 0.7
            for up in level:
                found[up] += share / len(level) ** 0.5
            if share == weight * 0.7:
                for up in level:
                    found.update({f"g {w}": share * 0.2 for w in net.gloss[up]})
    return found


def table(net: WordNet, width: int, most: int) -> tuple[list[str], np.ndarray]:
    """Return the words and their numbers, each scaled to signed bytes."""
    spoken = Counter(w for gloss in net.gloss.values() for w in gloss)
    words = [w for w in net.senses if WORD.fullmatch(w) and len(w) > 1]
    words.sort(key=lambda w: -(spoken[w] + 3 * len(net.senses[w])))
    words = sorted(words[:most])
    rows, columns, values = [], [], []
    number: dict[str, int] = {}
    for row, word in enumerate(words):
        for name, value in features(net, word).items():
            rows.append(row)
            columns.append(number.setdefault(name, len(number)))
            values.append(value)
    m = csr_matrix((values, (rows, columns)), shape=(len(words), len(number)))
    m = m[:, np.asarray((m > 0).sum(0)).ravel() > 1]
    total = m.sum()
    pmi = diags(total / np.asarray(m.sum(1)).ravel()) @ m @ diags(1 / np.asarray(m.sum(0)).ravel())
    pmi.data = np.maximum(0, np.log(pmi.data))
    u, s, _ = svds(pmi.tocsr(), k=width, random_state=0)
    vectors = u * s**0.5
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-9
    vectors /= np.abs(vectors).max(0)
    return words, np.round(vectors * 127).astype(np.int8)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--wordnet", type=Path, default=Path("/usr/share/wordnet"))
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--most", type=int, default=60000)
    parser.add_argument("--nouns", type=Path, help="also write the nouns of things, a line each")
    asked = parser.parse_args()
    net = WordNet(asked.wordnet)
    if asked.nouns is not None:
        asked.nouns.write_text("".join(f"{noun}\n" for noun in nouns_of_things(net)))
    words, vectors = table(net, asked.width, asked.most)
    np.savez_compressed(asked.out, words=np.array(words), vectors=vectors)
    print(len(words), asked.out.stat().st_size)


if __name__ == "__main__":
    main()
