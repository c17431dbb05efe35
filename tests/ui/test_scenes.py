"""Every scene looks as it did when a person last looked at it: `pytest --snapshot-update` takes what is new."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.scenes import SCENES, Scene


@pytest.mark.parametrize("scene", SCENES, ids=[scene.name for scene in SCENES])
def test_scene(scene: Scene, snap_compare: Callable[..., bool]) -> None:
    assert snap_compare(scene.app(), terminal_size=scene.size, run_before=scene.play)
