"""pi's two settings files and their sum, before anything is taken out of them.

Rules of pi 1.6.0 (`settings-manager`): a file that does not parse counts as empty, and the project's file is laid over
the global one only where pi trusts the project.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Any

from pitree.session.javascript import UNDEFINED, stringify
from pitree.store.findings import Finding
from pitree.store.json_files import read_json
from pitree.store.locations import CONFIG_DIR_NAME, Environment, agent_dir
from pitree.store.trust import project_trust

_SHOWN = 60


class Origin(StrEnum):
    """Where the value in force came from."""

    DEFAULT = "default"
    GLOBAL = "global file"
    PROJECT = "project file"
    MODEL = "model override"
    FLAG = "flag"


@dataclass(frozen=True)
class Layers:
    """The two files and their sum.

    Attributes:
        global_path: `settings.json` in pi's agent folder.
        global_settings: what it holds; empty when it is missing or no good.
        project_path: `.pi/settings.json` of the project.
        project_settings: what it holds; empty also where pi does not trust the project.
    """

    global_path: Path
    global_settings: Mapping[str, Any]
    project_path: Path
    project_settings: Mapping[str, Any]

    @cached_property
    def merged(self) -> dict[str, Any]:
        """The settings in force."""
        return merge(self.global_settings, self.project_settings)

    def look(self, *keys: str) -> tuple[Any, Origin]:
        """Return the value in force at a path of keys (UNDEFINED when there is none) and where it stands."""
        found = _walk(self.merged, keys)
        if found is UNDEFINED:
            return found, Origin.DEFAULT
        in_project = _walk(self.project_settings, keys) is not UNDEFINED
        return found, Origin.PROJECT if in_project else Origin.GLOBAL

    def where(self, origin: Origin) -> str:
        """Return the path of the file of an origin."""
        return str(self.project_path if origin is Origin.PROJECT else self.global_path)


def merge(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Return `base` with `over` on top: objects are merged at every depth, anything else (null too) replaces."""
    result = dict(base)
    pending: list[tuple[dict[str, Any], Mapping[str, Any]]] = [(result, over)]
    while pending:
        target, source = pending.pop()
        for key, value in source.items():
            old = target.get(key)
            if isinstance(old, dict) and isinstance(value, dict):
                target[key] = copied = dict(old)
                pending.append((copied, value))
            else:
                target[key] = value
    return result


def _walk(value: Any, keys: tuple[str, ...]) -> Any:
    for key in keys:
        if not isinstance(value, Mapping) or key not in value:
            return UNDEFINED
        value = value[key]
    return value


def load_layers(environment: Environment, project: Path) -> tuple[Layers, Layers, list[Finding]]:
    """Read both files of a project (an absolute path).

    Returns:
        The layers as pi uses them; the layers as if pi trusted the project; what was found wrong or ignored.
    """
    findings: list[Finding] = []
    global_path = agent_dir(environment) / "settings.json"
    project_path = project / CONFIG_DIR_NAME / "settings.json"
    _, overall = _read_layer(global_path, findings)
    exists, own = _read_layer(project_path, findings)
    both = Layers(global_path, overall, project_path, own)
    if not exists:
        return both, both, findings
    trust = project_trust(environment, project, overall.get("defaultProjectTrust"))
    if trust.trusted:
        return both, both, findings
    spared = " except for sessionDir" if "sessionDir" in own else ""
    text = (
        f"The settings of this project are ignored{spared}, because {trust.reason}. "
        "To have them count, trust the project in pi."
    )
    findings.append(Finding(str(project_path), text))
    return replace(both, project_settings={}), both, findings


def _read_layer(path: Path, findings: list[Finding]) -> tuple[bool, dict[str, Any]]:
    """Read one settings file: whether it exists, and its settings (none when it is no good)."""
    file = read_json(path, empty=True)
    if file.problem is not None:
        text = f"The file {file.problem}, so pi uses no setting of it. Correct it to have it count."
        findings.append(Finding(str(path), text))
    elif file.exists and not isinstance(file.value, dict):
        text = f"The file holds {shown(file.value)} where pi wants an object, so no setting of it counts. Correct it."
        findings.append(Finding(str(path), text))
    return file.exists, file.value if isinstance(file.value, dict) else {}


def shown(value: object) -> str:
    """Return a value as JSON, cut to a length that fits into a sentence."""
    text = stringify(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
