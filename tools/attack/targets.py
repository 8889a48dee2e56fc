"""What is attacked: commands, with the honest files they read or the words they are given."""

from __future__ import annotations

from dataclasses import dataclass

from tools.attack.corpus import TINY

HERE = "@"
"""In an argument, the place of hostile words."""


@dataclass(frozen=True, slots=True)
class Target:
    """A command, the kind of corpus it runs in, and what is spoiled of it."""

    kind: str
    arguments: tuple[str, ...]
    spoiled: tuple[str, ...] = ()
    """Patterns of the files of which one is spoiled; none where words are hostile."""
    until: str = ""
    """What a command says that then stays until Ctrl-C."""

    @property
    def name(self) -> str:
        """The command's own words."""
        words = [w for w in self.arguments[:3] if w.isalpha() or w == "as-of"]
        depth = 3 if words[:2] == ["assemble", "kb"] else 2
        return " ".join(words[: depth if words[0] in GROUPS else 1])


GROUPS = ("data", "memory", "assemble", "eval", "config")
_TINY = tuple(word for value in TINY for word in ("--set", value))
_TEAM = ("scene.json", "--robots", "robots.yaml")
_GOAL = ("--goal", "husky=(visited-object O1)")
_MEMORY = ("--memory", "memory.db")
_HOUSE = ("household", "worlds.yaml", "tasks.yaml", "--out", "plans.jsonl", "--keep", "kept")
_RUNS = ("runs/husky", "runs/spot")
_SERVES = ("--port", "0", "--missions", "missions")
_OPEN = "open http"
_INIT = ("memory", "init", "--domain", "home.pddl", "--facts", "home.jsonl", "--memory", "new.db")

FILES: tuple[Target, ...] = (
    *(
        Target("scene", ("export", f"scene.{a}", "--to", b, "--out", f"out.{b}"), (f"scene.{a}",))
        for a, b in (("json", "graphml"), ("bson", "geojson"), ("sparkdsg", "ply"), ("json", "png"))
    ),
    Target("scene", ("data", "info", "scene.json"), ("scene.json",)),
    Target("scene", ("ground", *_TEAM[:1], "husky, inspect O1", *_TEAM[1:]), _TEAM[::2]),
    Target("scene", ("ground", *_TEAM, "--batch", "suite.yaml", "--out", "o"), ("suite.yaml",)),
    Target("scene", ("plan", *_TEAM, *_GOAL, "--out", "plan.json"), _TEAM[::2]),
    Target("scene", ("eval", "grounding", "suite.yaml"), ("suite.yaml", "scene.json")),
    Target("scene", ("eval", "language", "suite.yaml"), ("suite.yaml",)),
    Target("scene", ("mission", *_TEAM, *_GOAL, "--yes", "--id", "new"), _TEAM[::2]),
    Target("scene", ("find", "scene.json", "sign", "--where", "near O19"), ("scene.json",)),
    Target("scene", ("console", *_TEAM, *_SERVES), _TEAM[::2], until=_OPEN),
    Target("mission", ("mission", "--replay", "one"), ("runs/missions/one/*",)),
    Target("mission", ("mission", "--resume", "one", "--yes"), ("runs/missions/one/*",)),
    Target("memory", _INIT, ("home.pddl", "home.jsonl")),
    Target("memory", (*_INIT, "--meanings", "meanings.yaml"), ("meanings.yaml",)),
    Target("memory", ("memory", "tell", "The mug is on the desk.", *_MEMORY), ("memory.db",)),
    Target("memory", ("memory", "ask", "where is the mug?", *_MEMORY), ("memory.db",)),
    Target("memory", ("memory", "plan", "Put the mug into the chest.", *_MEMORY), ("memory.db",)),
    Target("memory", ("memory", "history", "mug", *_MEMORY), ("memory.db",)),
    Target("memory", ("memory", "undo", *_MEMORY), ("memory.db",)),
    Target("memory", ("memory", "as-of", "2030-01-01", *_MEMORY), ("memory.db",)),
    Target("memory", ("memory", "observe", "seen.json", *_MEMORY), ("seen.json", "memory.db")),
    Target("memory", ("memory", "replay", "episode.jsonl", "--out", "o.jsonl"), ("*.jsonl", "*.pddl")),
    Target("memory", ("eval", "memory", "episode.jsonl"), ("episode.jsonl", "home.pddl")),
    Target("assembly", ("assemble", "kb", "check", "cell.pl"), ("cell.pl",)),
    Target("assembly", ("assemble", "plan", "cell.pl", "--out", "new.json"), ("cell.pl",)),
    Target("assembly", ("assemble", "tree", "plan.json", "--out", "tree.xml"), ("plan.json",)),
    Target("assembly", ("assemble", "explain", "plan.json", "3"), ("plan.json",)),
    Target("assembly", ("eval", "assembly", "--suite", ".", "--agents", "1"), ("case/*",)),
    Target("house", _HOUSE, ("worlds.yaml", "tasks.yaml")),
    Target("house", ("eval", "household", "worlds.yaml", "tasks.yaml"), ("*.yaml",)),
    Target("pddl", ("solve", "domain.pddl", "problem.pddl"), ("*.pddl",)),
    Target(
        "streams",
        ("solve", "domain.pddl", "--streams", "stream.pddl", "--stream-map", "shelf.py"),
        ("*.pddl", "shelf.py"),
    ),
    Target("story", ("run", "story.yaml", "--out", "out"), ("story.yaml",)),
    Target("settings", ("config", "show", "--config", "settings.yaml"), ("settings.yaml",)),
    Target("data", ("data", "info", "seen"), ("seen/**/*",)),
    Target("data", ("data", "info", "bags"), ("bags/**/*",)),
    Target("data", ("data", "info", "tum"), ("tum/**/*",)),
    Target("data", ("data", "info", "seven"), ("seven/**/*",)),
    Target("data", ("map", "seen", "--out", "out", "--robot", "husky"), ("seen/husky/**/*",)),
    Target("data", ("map", "bags", "--out", "out", "--robot", "husky"), ("bags/**/*",)),
    Target("runs", ("fuse", *_RUNS, "--out", "out"), ("runs/**/*",)),
    Target("runs", ("fuse", "graph.g2o", "--out", "out"), ("graph.g2o",)),
    Target("runs", ("fuse", "runs/spot", "--onto", "fused", "--out", "out"), ("fused/**/*",)),
    Target("runs", ("localize", "runs/husky", "seen", "--robot", "spot"), ("runs/husky/**/*",)),
    Target("runs", ("find", "fused", "tree"), ("fused/**/*",)),
    Target("live", ("live", "--robots", "team.yaml", "--out", "out", "--rate", "0"), ("team.yaml",)),
    Target("live", ("live", "--robots", "team.yaml", "--out", "run", "--rate", "0"), ("run/**/*",)),
    Target("live", ("console", "run", "--live", "run", *_SERVES), ("run/**/*",), until=_OPEN),
    Target("runs", ("data", "info", "runs/husky"), ("runs/husky/**/*",)),
    Target("runs", ("export", "fused", "--to", "json", "--out", "o.json"), ("fused/**/*",)),
    Target("runs", ("eval", "fusion", "--run", "fused", "--data", "seen"), ("fused/**/*",)),
)  # fmt: skip

WORDS: tuple[Target, ...] = (
    Target("scene", ("ground", "scene.json", HERE, "--robots", "robots.yaml")),
    Target("scene", ("plan", *_TEAM, "--goal", HERE)),
    Target("scene", ("plan", *_TEAM, "--goal", f"husky=(visited-object {HERE})")),
    Target("scene", ("mission", "scene.json", HERE, "--robots", "robots.yaml", "--yes")),
    Target("scene", ("mission", *_TEAM, *_GOAL, "--yes", "--id", HERE)),
    Target("scene", ("find", "scene.json", HERE)),
    Target("scene", ("find", "scene.json", "tree", "--where", HERE)),
    Target("scene", ("console", *_TEAM, *_SERVES, "--backend", HERE), until=_OPEN),
    Target("live", ("live", "--robots", "team.yaml", "--out", "out", "--base", HERE)),
    Target("live", ("live", "--robots", "team.yaml", "--out", "out", "--listen", HERE)),
    Target("settings", ("demo", "--out", "out", "--perception", HERE)),
    Target("scene", ("export", "scene.json", "--to", HERE, "--out", "out.json")),
    Target("scene", ("export", "scene.json", "--to", "json", "--out", HERE)),
    Target("mission", ("mission", "--replay", HERE)),
    Target("memory", ("memory", "tell", HERE, *_MEMORY)),
    Target("memory", ("memory", "ask", HERE, *_MEMORY)),
    Target("memory", ("memory", "plan", HERE, *_MEMORY)),
    Target("memory", ("memory", "history", HERE, *_MEMORY)),
    Target("memory", ("memory", "as-of", HERE, *_MEMORY)),
    Target("memory", ("memory", "undo", HERE, *_MEMORY)),
    Target("memory", (*_INIT, "--at", HERE)),
    Target("assembly", ("assemble", "explain", "plan.json", "3", "--without", HERE)),
    Target("assembly", ("assemble", "plan", "cell.pl", "--agents", HERE)),
    Target("house", (*_HOUSE, "--failure-rate", HERE)),
    Target("pddl", ("solve", "domain.pddl", "problem.pddl", "--time-limit-s", HERE)),
    Target("data", ("map", "seen", "--out", "out", "--robot", HERE)),
    Target("data", ("simulate", "--out", "new", "--robots", HERE, "--length", "12", *_TINY)),
    Target("data", ("simulate", "--out", "new", "--length", HERE, "--robots", "husky", *_TINY)),
    Target("data", ("data", "info", HERE)),
    Target("settings", ("config", "show", "--set", f"mapping.checkpoint_every_s={HERE}")),
    Target("settings", ("config", "show", "--set", HERE)),
    Target("settings", ("config", "show", "--seed", HERE)),
)
TARGETS = (*FILES, *WORDS)
