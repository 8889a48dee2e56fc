"""Small talk with a negation in it that forbids nothing: ``I'm not fussy``, ``so nobody trips over it``.

It says what people know, think or are, or what something is done for. What names anything of the map, or
speaks of robots and where they are, may be a ban and stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from commonground.grounding.english.names import Names
from commonground.grounding.english.tokens import tokens_of

_REST = r"[^.;!?,:\n()–—]*"
_NOT = r"(?:n['’]t|\s+not)"
_OPENS = (
    r"(?:(?<=[.;!?,:\n()–—])|^|\b(?=(?:and|but|so|because)\s))"
    r"\s*(?:(?:and|but|so|well|because|cause|since|as)\s+)*"
)
_DENYING = rf"(?:I|we)\s+(?:(?:really|honestly)\s+)?(?:do|did|can|could){_NOT}\s+(?:really\s+)?"
_KNOWING = (
    rf"{_DENYING}(?:know|remember|recall|care)\s+(?:if|which|who|how|what|when|where|whether|why)\b"
)
_MINDING = rf"{_DENYING}(?:know|remember|recall|think|believe|suppose|like|trust|fancy|mind|care)\b"
_BEING = (
    r"(?:(?:I|we|they|he|she)(?:['’](?:m|re|s)|\s+(?:am|are|is|was|were))|(?:my|our|his|her|their)\s+(?:\w+\s+)?\w+(?:['’]s|\s+(?:is|are|was|were)))"
    r"(?:n['’]t|\s+(?:not|never|no))"
)
_TALK = re.compile(
    rf"{_OPENS}(?P<said>(?P<knows>{_KNOWING}){_REST}|(?:{_MINDING}|{_BEING}|I\s+ca(?:n['’]t|nnot)\s+be\b){_REST}"
    rf"|(?:because|cause)\s+{_REST}{_NOT}\s+{_REST}\b(?:itself|themselves)"
    r"|(?:never|not|nor)\s+(?:could|was|did|has|have|had|will|would|is)"
    r"|there(?:['’]s|\s+is)\s+only\s+(?:the\s+)?one)(?=\s*(?:[.;!?,:\n()–—]|$|\b(?:so|and\s+then)\b))"
    rf"|\b(?P<why>(?:so\s+(?:that\s+)?(?:nobody|no\s+one)\s+(?!to\b)\w+s\b|and\s+(?:nobody|no\s+one)\s+to\b|where\s+(?:(?:(?:we|I)(?!\s+(?:want|need|(?:would|'d)\s+like)\b)|they|people|everybody|everyone|nobody|no\s+one)\b|it\s+(?:should\s+be|belongs|lives|goes|came)\b)){_REST})"
    rf"|{_OPENS}(?P<beyond>(?:other\s+than|apart\s+from|aside\s+from)\s+(?:that|this))"
    r"(?=\s*(?:[,.;]|just\b|please\b|you\b))"
    rf"|{_OPENS}(?P<odds>(?:who|which|how|what|when|where)\b{_REST}?\s(?:is{_NOT}\s+(?:important|relevant)|does{_NOT}\s+matter|is\s+of\s+no\s+importance)|(?:nobody|no\s+one)\s+ever\s+\w+s\b{_REST})",
    re.IGNORECASE,
)
_BANNING = re.compile(
    r"\b(?:you|robots?|any(?:one|body)\s+(?!has|had|['’]s)|should|must|may|to|in(?:to|side)?|near|there|through|around|having|asking|letting|allowed|want|wanted)\b",
    re.I,
)
"""What people do not like may be that somebody goes there."""


def chatter(text: str, names: Names) -> Iterator[tuple[int, int]]:
    """Yield from where to where a text makes such talk."""
    for said in _TALK.finditer(text):
        kind = next(name for name in ("why", "beyond", "odds", "said") if said[name])
        words = said[kind]
        plain = kind != "said" or said["knows"] or not _BANNING.search(words)
        if (
            plain
            and not any(map(str.isdigit, words))
            and not names.hints([t.text for t in tokens_of(words)])
        ):
            yield said.span(kind)
