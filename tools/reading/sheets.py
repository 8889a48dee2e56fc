"""Make the sheets that authors word, and check what they wrote.

    python tools/reading/sheets.py make FOLDER --authors 24 --each 420 --seed 1
    python tools/reading/sheets.py check SHEETS.jsonl WORDINGS.tsv [--out WORDINGS.jsonl]

An author gets one file of sheets and a voice. A sheet is a meaning, never a sentence. The author writes one
line a sheet: its id, a tab, and what a person of that voice would say. Every slot is marked where its words
stand, `{3:bench}`; talk that asks for nothing and tells nothing is marked `{~:such a fine day}`.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
from draw import Draw, Meaning
from household import everyday, household
from memory import memory
from scene import scene

DOMAINS = {"scene": scene, "household": household, "memory": memory, "everyday": everyday}
SHARES = {"scene": 0.46, "household": 0.22, "memory": 0.32, "everyday": 0.0}
SORTS = {"everyday": "household"}
"""Domains by another name."""
TALK = (
    "some talk of your own that is no part of the meaning",
    "for whose sake or comfort it is done, marked as talk: {~:for Grandma}, {~:so that he finds it}",
)
GLOSSES = {
    "do = inspect": "do = make sure of (that it is in order and safe)",
    "do = go to": "do = visit (drive there, or come by)",
    "do = end up at": "do = be at (there in the end, for good)",
    "do = hold": "do = pick up and keep",
    "never = enter": "never = set foot in (go around, keep off)",
}
"""Other notation for some deeds, so that authors do not lean on one word."""
FEW = 3
"""Slots of the shortest sheets: what people say most is short."""
MARK = re.compile(r"\{(\d+|~):([^{}]*)\}")


def make_sheet(number: int, domain: str, seed: int) -> dict[str, Any]:
    """Return one sheet, short enough to be said in one to three sentences; two of five in a few words."""
    most = FEW if number % 5 < 2 or domain in SORTS else 9
    for attempt in range(200):
        draw = Draw(np.random.default_rng([seed, number, attempt]))
        meaning = DOMAINS[domain](draw)
        if (
            len(draw.slots) <= most
            and len(json.dumps(meaning)) < 100 * most
            and all_used(meaning, len(draw.slots))
        ):
            break
    chatter = draw.rng.random() < 0.16
    talk = TALK[int(domain not in ("scene", "memory") and draw.chance(0.5))] if chatter else ""
    return {
        "id": f"{domain[0]}{number:05d}",
        "domain": SORTS.get(domain, domain),
        "slots": draw.slots,
        "meaning": meaning,
        **({"add": talk} if chatter else {}),
    }


def used(value: Any) -> set[int]:
    """Return the slots that a meaning speaks of."""
    if isinstance(value, dict):
        return set().union(*(used(v) for v in value.values()))
    if isinstance(value, list):
        return set().union(*(used(v) for v in value))
    return {value} if isinstance(value, int) and not isinstance(value, bool) else set()


def all_used(meaning: Meaning, count: int) -> bool:
    """Return whether a meaning speaks of every slot that was made."""
    return used(meaning) == set(range(1, count + 1))


def shown(value: Any, slots: list[tuple[str, str]], key: str = "") -> str:
    """Return a meaning as an author sees it: slots with their words in place of numbers."""
    if isinstance(value, bool):
        return "yes"
    if isinstance(value, int):
        kind, words = slots[value - 1]
        return f"[{value} {kind}: {words}]"
    if key == "again":
        return "(taken up again: slot " + " and ".join(map(str, value)) + ")"
    if isinstance(value, list):
        return " + ".join(f"({shown(v, slots, key)})" for v in value)
    if isinstance(value, dict):
        return "; ".join(f"{k} = {_inner(v, slots, k)}" for k, v in value.items())
    return str(value)


def _inner(value: Any, slots: list[tuple[str, str]], key: str) -> str:
    text = shown(value, slots, key)
    return f"({text})" if isinstance(value, dict) else text


def make(
    folder: Path, first: int, authors: int, each: int, seed: int, shares: dict[str, float]
) -> None:
    """Write a file of sheets for each author: jsonl to keep, txt to read."""
    folder.mkdir(parents=True, exist_ok=True)
    number = (first - 1) * each
    for author in range(first, first + authors):
        sheets = []
        for k in range(each):
            number += 1
            share = np.cumsum([shares[domain] for domain in DOMAINS])
            domain = list(DOMAINS)[int(np.searchsorted(share, (k + 0.5) / each))]
            sheets.append(make_sheet(number, domain, seed))
        name = f"a{author:02d}"
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(s) + "\n" for s in sheets))
        lines = []
        for s in sheets:
            extra = f"  // also add: {s['add']}" if "add" in s else ""
            table = shown(s["meaning"], s["slots"])
            for plain, gloss in GLOSSES.items() if int(s["id"][1:]) % 2 else ():
                table = table.replace(plain + ";", gloss + ";")
            lines.append(f"{s['id']} {s['domain']} | {table}{extra}\n")
        (folder / f"{name}.txt").write_text("".join(lines))


def checked(sheet: dict[str, Any], text: str) -> str:
    """Return what is wrong with a wording, or nothing."""
    marks = [int(m[0]) for m in MARK.findall(text) if m[0] != "~"]
    rest = MARK.sub("", text)
    if "{" in rest or "}" in rest:
        return "a brace that is no mark"
    missing = sorted(set(range(1, len(sheet["slots"]) + 1)) - set(marks))
    unknown = sorted(set(marks) - set(range(1, len(sheet["slots"]) + 1)))
    if missing:
        return "not marked: " + ", ".join(f"{i} ({sheet['slots'][i - 1][1]})" for i in missing)
    if unknown:
        return f"no such slot: {unknown}"
    if any(not words.strip() for _, words in MARK.findall(text)):
        return "an empty mark"
    if "add" in sheet and "{~:" not in text:
        return "the added talk is missing: {~:…}"
    return ""


def check(sheets: Path, wordings: Path, out: Path | None) -> int:
    """Print what is wrong, a line each; write the right ones."""
    known = {s["id"]: s for s in map(json.loads, sheets.read_text().splitlines())}
    done: dict[str, dict[str, Any]] = {}
    faults = 0
    for line in wordings.read_text().splitlines():
        if not line.strip():
            continue
        name, _, text = line.partition("\t")
        sheet = known.get(name.strip())
        fault = (
            "no such sheet"
            if sheet is None
            else checked(sheet, text)
            if text
            else "no tab after the id"
        )
        if fault or sheet is None:
            faults += 1
            print(f"{name.strip()[:20]}: {fault}")
        else:
            done[sheet["id"]] = sheet | {"author": sheets.stem, "text": text.strip()}
    print(f"{len(done)} of {len(known)} right, {faults} faults, {len(known) - len(done)} to do")
    if out is not None:
        lines = (json.dumps(d, ensure_ascii=False, separators=(",", ":")) for d in done.values())
        out.write_text("".join(line + "\n" for line in lines))
    return int(faults > 0 or len(done) < len(known))


def main() -> int:
    """Make sheets, or check wordings."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    sub = parser.add_subparsers(dest="what", required=True)
    maker = sub.add_parser("make")
    maker.add_argument("folder", type=Path)
    maker.add_argument("--first", type=int, default=1, help="number of the first author")
    maker.add_argument("--authors", type=int, default=24)
    maker.add_argument("--each", type=int, default=420)
    maker.add_argument("--shares", default="{}", help="of the domains, as JSON")
    maker.add_argument("--seed", type=int, default=1)
    checker = sub.add_parser("check")
    checker.add_argument("sheets", type=Path)
    checker.add_argument("wordings", type=Path)
    checker.add_argument("--out", type=Path)
    asked = parser.parse_args()
    if asked.what == "make":
        make(
            asked.folder,
            asked.first,
            asked.authors,
            asked.each,
            asked.seed,
            SHARES | json.loads(asked.shares),
        )
        return 0
    return check(asked.sheets, asked.wordings, asked.out)


if __name__ == "__main__":
    sys.exit(main())
