"""What the comments of a domain say of its predicates: ``(dud ?d - device) ; broken``."""

from __future__ import annotations

import re

_SECTION = re.compile(r"\(\s*:predicates\b(?P<inside>.*?)(?=\(\s*:|\Z)", re.IGNORECASE | re.DOTALL)
_DECLARED = re.compile(r"\(\s*(?P<name>[^\s()?:;]+)[^()]*\)")

_SUBJECT = re.compile(r"the (\w+(?: \w+){0,2}) (?:is|are)\b", re.IGNORECASE)


def subject_of(gloss: str) -> str:
    """Return what a comment speaks of: ``safety curtain`` of ``the safety curtain is down``."""
    found = _SUBJECT.match(gloss)
    return "" if found is None else found[1]


def glosses_of(domain: str) -> dict[str, str]:
    """Return the comment behind each predicate that is declared alone on its line."""
    found: dict[str, str] = {}
    section = _SECTION.search(_with_comments_closed(domain))
    for line in section["inside"].split("\n") if section is not None else ():
        code, mark, comment = line.partition(";")
        names = [m["name"].lower() for m in _DECLARED.finditer(code)]
        if mark and len(names) == 1 and comment.strip():
            found[names[0]] = " ".join(comment.strip("; \t\r").split())
    return found


def _with_comments_closed(domain: str) -> str:
    """Return a domain whose comments hold nothing that looks like the beginning of a section."""
    lines = (line.partition(";") for line in domain.split("\n"))
    return "\n".join(code + mark + rest.replace("(", " ") for code, mark, rest in lines)
