"""Pictures of objects beside a map."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from commonground.crops import LARGEST, Crop, Crops, best_crops, export_crops, save_crops
from commonground.errors import CommongroundError, DataError
from commonground.reading import BoundError


def crop(worth: float, side: int, size: int = 10) -> Crop:
    return Crop(bytes(size), worth, 0, side)


def test_the_best_of_each_side_come_first_and_fit_the_room_there_is() -> None:
    many = [crop(5, 0), crop(4, 0), crop(3, 1), crop(2, 2, LARGEST), crop(1, 3)]
    assert [c.worth for c in best_crops(many, 2)] == [5, 3]
    assert [c.worth for c in best_crops(many, 5)] == [5, 3, 1, 4], "what is too large is left out"


def test_pictures_come_back_from_a_file(tmp_path: Path) -> None:
    own = {"O1": [crop(2.5, 1), crop(1.5, 2)], "O2": []}
    save_crops(own, tmp_path)
    back = Crops(tmp_path)
    assert back.of("O1") == own["O1"] and back.of("O2") == back.of("O9") == []
    export_crops(own, tmp_path / "out")
    assert {p.name for p in (tmp_path / "out").iterdir()} == {"O1-1.jpg", "O1-2.jpg"}
    save_crops({"O1": []}, tmp_path)
    assert not (tmp_path / "crops.zip").exists() and len(Crops(tmp_path)) == 0


@pytest.mark.parametrize(
    "index", ["[" * 100_000, "[]", '{"objects": 3}', '{"objects": {"O1": [[]]}}']
)
def test_an_index_that_is_none_is_one_line(index: str, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "crops.zip", "w") as pack:
        pack.writestr("index.json", index)
    with pytest.raises(CommongroundError, match=r"crops\.zip"):
        Crops(tmp_path).of("O1")


def test_a_file_that_unpacks_to_far_more_than_it_is_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "crops.zip", "w", zipfile.ZIP_DEFLATED) as pack:
        pack.writestr("index.json", json.dumps({"objects": {"O1": []}}))
        with pack.open("O1/1.jpg", "w") as entry:
            for _ in range(100):
                entry.write(bytes(1 << 20))
        pack.filelist += 10 * [pack.getinfo("O1/1.jpg")]  # named again, it is not stored again
    with pytest.raises(BoundError, match="more than"):
        Crops(tmp_path)


def test_a_crop_larger_than_one_may_be_is_not_unpacked(tmp_path: Path) -> None:
    entry = {"file": "a", "worth": 1, "stamp_ns": 1, "side": 1}
    with zipfile.ZipFile(tmp_path / "crops.zip", "w", zipfile.ZIP_DEFLATED) as pack:
        pack.writestr("index.json", json.dumps({"objects": {"O1": [entry]}}))
        pack.writestr("a", bytes(10 * LARGEST))
    with pytest.raises(DataError, match="larger than a crop"):
        Crops(tmp_path).of("O1")


def test_a_file_that_is_none_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "crops.zip").write_bytes(b"PK no zip")
    with pytest.raises(DataError, match="no file of crops"):
        Crops(tmp_path)
