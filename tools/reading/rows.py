"""Write wordings as texts with rows, the form in which a reader is judged on them.

python tools/reading/rows.py OUT_FOLDER a07 a12 …
"""

from __future__ import annotations

import json
import lzma
import sys
from pathlib import Path

from meanings import told

from commonground.grounding.english.symbols import written
from commonground.grounding.english.utterance import Span

WORDINGS = Path(__file__).parent / "wordings"


def main() -> None:
    """Write a file for each author named."""
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    for author in sys.argv[2:]:
        lines = []
        for line in lzma.decompress((WORDINGS / f"{author}.jsonl.xz").read_bytes()).splitlines():
            wording = json.loads(line)
            text, said, *_ = told(wording)
            row = [[i.start, i.end] if isinstance(i, Span) else i for i in written(said)]
            lines.append(
                json.dumps(
                    {"text": text, "domain": wording["domain"], "row": row}, ensure_ascii=False
                )
            )
        (out / f"{author}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
