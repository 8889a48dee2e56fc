"""What is told while robots are mapped: who is how far, and that it goes on from a checkpoint."""

from __future__ import annotations

from pathlib import Path

from commonground.story.progress import Diary, HowFar, Teller, read_diary


def test_a_robot_says_how_far_it_is_and_from_where_it_went_on(tmp_path: Path) -> None:
    assert HowFar(120, 480).told("husky") == "map: husky, 120 of 480 frames (25%)"
    assert HowFar(120, 480, 60).told("husky").endswith("going on from a checkpoint at frame 60")


def test_only_news_is_told(tmp_path: Path) -> None:
    files = {name: tmp_path / name for name in ("husky", "spot")}
    teller = Teller()
    assert not [*teller.news(files)]
    Diary(files["husky"], 10).note(4)
    assert [*teller.news(files)] == ["map: husky, 4 of 10 frames (40%)"]
    assert not [*teller.news(files)]
    Diary(files["spot"], 10).note(12)
    assert [*teller.news(files)] == ["map: spot, 12 of 12 frames (100%)"]


def test_a_torn_note_tells_nothing(tmp_path: Path) -> None:
    (tmp_path / "husky").write_text('{"frames": 3')
    assert read_diary(tmp_path / "husky") is None
