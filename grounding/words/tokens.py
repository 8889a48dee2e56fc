"""Text → tokens: words in lower case, contractions written out, numbers read, symbols recognized."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from commonground.grounding.words.contractions import written_out
from commonground.grounding.words.numbers import NUMBER_WORDS

Kind = Literal["word", "number", "symbol", "mark"]

_SYMBOL = r"[OoPpRr]\s?\(\d+\)|[OoPpRr]-?\d+(?!\w)"
_PATTERN = re.compile(
    rf"(?P<symbol>(?<!\w)(?:{_SYMBOL}))"
    r"|(?P<ordinal>\d+(?:st|nd|rd|th)\b)"
    r"|(?P<number>\d+(?:\.\d+)?)"
    r"|(?P<word>[^\W\d_]+(?:'[^\W\d_]+)*)"
    r"|(?P<mark>[.!?;:,()\n]|[-–—]+)"
)
_QUOTES = str.maketrans(
    {
        "&": " and ",
        "#": " number ",
        "@": " ",
        "’": "'",
        "‘": "'",
        "`": "'",
        "´": "'",
        "“": '"',
        "”": '"',
    }
)

_ENDS_SENTENCE = {".", "!", "?", ";", "\n"}


@dataclass(frozen=True, slots=True)
class Token:
    """One word, number, node symbol or punctuation mark of an instruction."""

    text: str
    """Lower case; symbols as ``O39``."""
    kind: Kind
    start: int
    """Offset in the instruction."""
    end: int
    value: float = 0.0
    """Of numbers."""
    capital: bool = False
    """Written with a capital letter."""
    joined: bool = False
    """A hyphen joins it to the word before."""


def tokenize(text: str) -> list[Token]:
    """Return the tokens of a text; characters that mean nothing here (quotes, bullets) are left out."""
    return [*_tokenized(text)]


@lru_cache(256)  # each reading of a text is checked against it
def _tokenized(text: str) -> tuple[Token, ...]:
    tokens: list[Token] = []
    for match in _PATTERN.finditer(text.translate(_QUOTES)):
        tokens += _tokens_of(match)
    behind = zip([None, *tokens], tokens, strict=False)
    return tuple(_joined_numbers([_marked(before, token) for before, token in behind]))


def _marked(before: Token | None, token: Token) -> Token:
    """Return a token that knows whether a hyphen joins it to what stands before."""
    joined = before is not None and before.text == "-" and before.end == token.start
    return replace(token, joined=True) if joined else token


def sentences(tokens: list[Token]) -> list[list[Token]]:
    """Split tokens at sentence ends; a sentence without words is dropped."""
    out: list[list[Token]] = [[]]
    for token in tokens:
        if token.kind == "mark" and token.text in _ENDS_SENTENCE:
            out.append([])
        else:
            out[-1].append(token)
    return [s for s in out if any(token.kind != "mark" for token in s)]


def _tokens_of(match: re.Match[str]) -> list[Token]:
    text, start, end = match[0], match.start(), match.end()
    kind = match.lastgroup
    if kind == "symbol":
        letter, digits = text[0].upper(), re.sub(r"\D", "", text)
        return [Token(f"{letter}{int(digits)}", "symbol", start, end)]
    if kind == "number":
        return [Token(text, "number", start, end, float(text))]
    if kind == "ordinal":
        return [Token(text.lower(), "word", start, end, float(text[:-2]))]
    if kind == "mark":
        mark = text if text in _ENDS_SENTENCE or text == "," else _plain_mark(text)
        return [Token(mark, "mark", start, end)]
    capital = text[0].isupper()
    words = [w if w == "'s" else w.replace("'", "") for w in written_out(text.lower())]
    return [Token(word, "word", start, end, capital=capital) for word in words]


def _plain_mark(text: str) -> str:
    """A lone hyphen joins words and is dropped with ''; colons, dashes and brackets read as commas."""
    return "-" if text == "-" else ","


def _joined_numbers(tokens: list[Token]) -> list[Token]:
    """Drop hyphens inside words, and read ``twenty-five`` and ``forty four`` as one number."""
    out: list[Token] = []
    for token, behind in zip(tokens, [*tokens[1:], None], strict=False):
        if token.kind == "mark" and token.text == "-":
            if out and behind and out[-1].end < token.start and token.end < behind.start:
                out.append(Token(",", "mark", token.start, token.end))
        elif token.text in NUMBER_WORDS:
            _add_number(out, token, float(NUMBER_WORDS[token.text]))
        elif token.text == "hundred" and out and out[-1].kind == "number":
            out[-1] = _number(out[-1], token, out[-1].value * 100)
        else:
            out.append(token)
    return out


def _add_number(out: list[Token], token: Token, value: float) -> None:
    """Add a number, to the one before where it goes on with that."""
    if out and out[-1].kind == "number" and _continues(out[-1], value):
        out[-1] = _number(out[-1], token, out[-1].value + value)
    else:
        out.append(Token(token.text, "number", token.start, token.end, value))


def _continues(before: Token, value: float) -> bool:
    """``twenty`` + ``five``, ``one hundred`` + ``twelve``; digits are never joined."""
    if before.text[0].isdigit():
        return False
    return (before.value % 100 >= 20 and before.value % 10 == 0 and 0 < value < 10) or (
        before.value >= 100 and before.value % 100 == 0 and 0 < value < 100
    )


def _number(first: Token, last: Token, value: float) -> Token:
    return Token(f"{first.text} {last.text}", "number", first.start, last.end, value)
