"""Small scenes are mapped more finely, what a user set stays, and poses stated as true are known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from commonground.frame import Camera, Frame
from commonground.geometry import transform
from commonground.mapping.scale import Scale, published, scale_of, scaled
from commonground.mapping.settings import MappingSettings
from commonground.mapping.surface.settings import SurfaceSettings

CAMERA = Camera("rgb", np.array([[30.0, 0, 16], [0, 30.0, 12], [0, 0, 1]]), 32, 24)


def frame(depth_m: float, x: float) -> Frame:
    T = transform(np.eye(3), np.array([x, 0.0, 0.0]))
    image = np.zeros((24, 32, 3), np.uint8)
    return Frame(int(x * 1e9), "a", CAMERA, image, np.full((24, 32), depth_m, np.float32), T)


def test_a_table_is_mapped_more_finely_than_a_campus() -> None:
    table = scale_of([frame(2.0, x) for x in (0.0, 0.5, 1.0)])
    campus = scale_of([frame(2.0, x) for x in (0.0, 20.0)])
    settings = MappingSettings()
    fine = scaled(settings, table)
    assert scaled(settings, campus) == settings
    assert fine.surface.voxel_m < 0.5 * settings.surface.voxel_m
    # a table stands in the room, and no thing in it is larger
    assert fine.objects.most_extent_m is not None
    assert 0.9 < fine.objects.most_extent_m < 2.0
    # a step changes the view of a table as many meters do that of a campus
    assert fine.objects.submaps.every_m < 1.0


def test_frames_without_depth_change_nothing() -> None:
    assert scaled(MappingSettings(), scale_of([frame(np.nan, 0.0)])) == MappingSettings()


def test_what_a_user_set_stays() -> None:
    settings = MappingSettings(surface=SurfaceSettings(voxel_m=0.2))
    fine = scaled(settings, Scale(2.0, 1.0))
    assert fine.surface.voxel_m == 0.2
    assert fine.objects.submaps.every_m < settings.objects.submaps.every_m


@pytest.mark.parametrize(("error_m", "said"), [(0.0, True), (1e-6, False)])
def test_poses_stated_as_true_are_known(error_m: float, said: bool) -> None:
    frames = [replace(f, T_world_cam=f.T_odom_cam) for f in (frame(2.0, 0.0), frame(2.0, 1.0))]
    T = frames[1].T_odom_cam.copy()
    T[0, 3] += error_m
    frames[1] = replace(frames[1], T_odom_cam=T)
    assert published(frames) is said
    assert not published([frame(2.0, 0.0)])
