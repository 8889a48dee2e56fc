"""The learned way of reading stands alone: nothing of the hand-written grammar is loaded for it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

SCRIPT = """
import json, sys
from pathlib import Path
from commonground.grounding.english.utterance import Clause, Part, Phrase, Span, Utterance
from commonground.grounding.memory.asking import ask
from commonground.grounding.memory.opening import create_memory, open_memory
from commonground.grounding.memory.retrieval.retriever import offline
from commonground.grounding.memory.settings import MemorySettings

house = Path(sys.argv[1])
create_memory(house / "m.db", house / "house.pddl", house / "house.jsonl").close()
heard = []

def listen(text, names, mood, sense):
    heard.append([mood, len(names.hints(text.split()))])
    stone, chest = (Phrase(noun=Span(at, at + 5, w)) for at, w in ((0, "stone"), (9, "chest")))
    clause = {
        "tell": Clause("put", "tell", theme=stone, goal=chest),
        "ask": Clause("where is", "ask", theme=stone),
        "do": Clause("open", "do", theme=chest),
    }[mood]
    return Utterance((Part(clause),))

with open_memory(house / "m.db", MemorySettings(reader="learned")) as memory:
    memory.listen = listen
    told = memory.tell("Ivo put the stone in the chest")
    answered = ask(memory, "Where is the stone")
    wanted = memory.wanted("Open the chest")
    offline(memory.retriever, "slice", "the stone", memory.discourse, None, 2000)
parts = ("english", "phrases", "frames")
old = [m for m in sys.modules for p in parts if m.startswith(f"commonground.grounding.memory.{p}")]
print(json.dumps([told.status, answered.text, wanted.status, heard, old]))
"""


def test_nothing_of_the_grammar_is_loaded_and_the_listener_knows_names_and_mood(
    house: Path,
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(house)], capture_output=True, text=True, check=True
    )
    told, answer, wanted, heard, old = json.loads(done.stdout)
    assert (told, wanted, old) == ("ok", "ok", [])
    assert "stowed in chest" in answer
    assert heard == [["tell", 3], ["ask", 1], ["do", 1]]
