"""The lifelong memory: a knowledge graph that is told, asked and planned with in plain language.

A report takes this way (``memory.py::Memory.tell``):

1. Its spelling is put right. An answer to the last question is taken as that (``beliefs/pending.py``).
2. What is still to come, and a choice left open, are asked about (``checks/open_choices.py``).
3. In a household it is written as usual (``rewriting/normalizing.py``) and read by rules
   (``readers/grammar``) and by the trained reader (``readers/senses``). All ways to read it are weighed
   (``checks/weighing.py``), and the likeliest is chosen if it is sure (``readers/combined.py``); else the
   report is read part by part. In any other domain it is read by what the domain itself says
   (``readers/domain/reader.py``): sentences in segments, noun phrases as the things that they may mean,
   verbs and states by predicates and actions.
4. Events become facts (``interpretation/effects.py``), which are verified and written
   (``beliefs/believing.py``).
5. What was not understood is asked back (``questions/clarification.py``) and leaves what it names
   unsettled.

A question is answered by ``questions/questioner.py``. A task becomes a goal by the same readers
(``Memory.wanted``), and a plan by ``planning/tasks.py``.

Each folder imports only those before it: english, ontology, interpretation, retrieval, rewriting, beliefs,
planning, checks, readers, questions, evaluation.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
