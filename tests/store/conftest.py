"""A home, an agent folder and a project in a temporary folder."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from pitree.store.locations import Environment


@dataclass(frozen=True)
class Place:
    """Where a test may write: nothing outside of it is looked at."""

    home: Path
    project: Path

    @property
    def agent(self) -> Path:
        return self.home / ".pi/agent"

    @property
    def environment(self) -> Environment:
        return Environment({}, self.home, self.project)

    def write(self, path: Path, content: object) -> Path:
        """Write bytes and texts as they are, anything else as JSON."""
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    def global_settings(self, content: object) -> Path:
        return self.write(self.agent / "settings.json", content)

    def project_settings(self, content: object) -> Path:
        return self.write(self.project / ".pi/settings.json", content)

    def trust(self, content: object) -> Path:
        return self.write(self.agent / "trust.json", content)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    home = (tmp_path / "home").resolve()
    project = (tmp_path / "work/project").resolve()
    home.mkdir()
    project.mkdir(parents=True)
    return Place(home, project)
