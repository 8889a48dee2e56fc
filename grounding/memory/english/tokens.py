"""Text → sentences of words: lower case, contractions written out, possessives split off."""

from __future__ import annotations

import re
from dataclasses import dataclass

from commonground.grounding.words.contractions import written_out

_PATTERN = re.compile(
    r"(?P<time>\b\d{1,2}[:.]\d{2}\b(?:\s?[ap]\.?m\.?)?|\b\d{1,2}\s?[ap]\.?m\b\.?)"
    r"|(?P<word>\d+(?:st|nd|rd|th)\b|[^\W_]+(?:['-][^\W_]+)*(?:'(?!\w))?)"
    r"|(?P<mark>\.{2,}|[.!?;:,()\"\n]|[-–—]+)"
)
_QUOTES = str.maketrans({"’": "'", "‘": "'", "`": "'", "´": "'", "“": '"', "”": '"', "…": "."})


@dataclass(frozen=True, slots=True)
class Token:
    """One word or punctuation mark; ``'s`` is a word of its own."""

    text: str
    start: int
    """Offset in the text."""
    is_mark: bool = False
    is_time: bool = False
    capital: bool = False
    """Written with a capital letter though it does not begin a sentence."""


def sentences(text: str) -> list[list[Token]]:
    """Return the sentences of a text as lists of tokens, without the full stops."""
    found: list[list[Token]] = [[]]
    begins = True
    for match in _PATTERN.finditer(text.translate(_QUOTES)):
        raw, start = match[0], match.start()
        if match.lastgroup == "mark":
            if _ends_sentence(raw, text, match.end()):
                if raw == "?" and found[-1]:
                    found[-1].append(Token("?", start, is_mark=True))
                found.append([])
                begins = True
            elif raw != '"' and not (raw == "-" and not _spaced(text, start)):
                found[-1].append(Token(_plain_mark(raw), start, is_mark=True))
            continue
        if match.lastgroup == "time":
            found[-1].append(Token(raw.lower(), start, is_time=True))
        else:
            capital = raw[0].isupper() and not begins
            found[-1] += [Token(w, start, capital=capital) for w in written_out(raw.lower())]
        begins = False
    return [s for s in found if any(not token.is_mark for token in s)]


def _ends_sentence(mark: str, text: str, end: int) -> bool:
    if mark in "!?;\n" or mark.startswith(".."):
        return True
    return mark == "." and (end >= len(text) or not text[end].isalnum())


def _spaced(text: str, at: int) -> bool:
    return at == 0 or text[at - 1].isspace() or (at + 1 < len(text) and text[at + 1].isspace())


def _plain_mark(mark: str) -> str:
    """Dashes and brackets separate as commas do; a colon introduces."""
    return ":" if mark == ":" else ","
