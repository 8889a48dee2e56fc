"""What people say where they put right what they said: ``no, sorry``, ``scratch that``, ``I mean``."""

from __future__ import annotations

import re

from commonground.grounding.words.closed import WITHDRAWING

TAKING_BACK = (
    r"no|nope|sorry|apologies|pardon(?: me)?|excuse me|oops|whoops|correction|actually|(?:or )?rather"
    r"|i mean(?:t)?|i tell a lie|i(?:['’]m| am) (?:getting |all )?(?:muddled|confused|mixed up)"
    rf"|(?:{WITHDRAWING}|not|never mind|leave) (?:that|it)(?: out)?(?: one)?(?: and(?: (?:write|put|say))?)?"
    r"|never mind(?=\s*[,.;:!–—-])"
    r"|make (?:that|it)|my (?:mistake|bad|fault)|on second thoughts?|i take (?:that|it) back|wrong one"
)
"""At least one of these says that what was named before is not meant."""
_HESITATING = (
    r"(?:wait|hang on|hold on)(?!\s*[.;!?])|one (?:second|moment)|oh|ah|er|erm|um|uh|well|hmm?|let me see"
    r"|instead|only|just|what i meant (?:is|was)|(?:i|that) should (?:have said|say|be)|it(?:'s| is)|please"
)
CUES = re.compile(rf"[\s,.;:!?…–—-]*(?:(?P<back>{TAKING_BACK})|{_HESITATING})\b", re.IGNORECASE)
MARKS = re.compile(r"[\s,.;:!?…–—-]*")
