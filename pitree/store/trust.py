"""Whether pi trusts a project, so that its `.pi/settings.json` counts.

The rule is that of pi 1.6.0 (`project-trust`, `trust-manager`): the nearest folder, from the project upwards, for which
`trust.json` says true or false decides; else `defaultProjectTrust` of the global settings; and where that is "ask", pi
asks. Extensions and pi's own flags can decide too; they leave no trace in a file, so pitree cannot know of them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pitree.store.json_files import read_json
from pitree.store.locations import Environment, agent_dir, canonical, resolve


@dataclass(frozen=True)
class Trust:
    """What pi would do with the settings of a project.

    Attributes:
        trusted: whether they count.
        reason: who decided, as a clause that can follow "because".
    """

    trusted: bool
    reason: str


def project_trust(environment: Environment, project: Path, default: object = "ask") -> Trust:
    """Tell whether pi trusts a project that has settings of its own.

    Args:
        environment: where pi's agent folder is.
        project: the folder that holds `.pi`, absolute.
        default: `defaultProjectTrust` as the *global* settings hold it; anything but "always" and "never" is "ask".
    """
    path = agent_dir(environment) / "trust.json"
    file = read_json(path)
    if file.problem is not None:
        return Trust(False, f"{path} {file.problem}, and pi does not start with it")
    decisions = file.value if file.exists else {}
    invalid = _invalid(decisions)
    if invalid is not None:
        return Trust(False, f"{path} {invalid}, and pi does not start with it")
    decided = _nearest(environment, decisions, canonical(project))
    if decided is not None:
        folder, answer = decided
        return Trust(answer, f"trust.json says {'yes' if answer else 'no'} for {folder}")
    if default in ("always", "never"):
        return Trust(default == "always", f'defaultProjectTrust is "{default}"')
    return Trust(False, "trust.json does not know the project and pi would ask")


def _invalid(decisions: object) -> str | None:
    """Say what pi finds wrong with the contents of `trust.json`, or None."""
    if not isinstance(decisions, dict):
        return "holds no object"
    for key, value in decisions.items():
        if value is not None and not isinstance(value, bool):
            return f"holds neither true, false nor null for {json.dumps(key)}"
    return None


def _nearest(environment: Environment, decisions: Mapping[str, bool | None], project: Path) -> tuple[str, bool] | None:
    """Return the deepest folder at or above the project that was decided on, and the decision."""
    decided = [(os.fspath(_resolve_key(key, environment)), key, value) for key, value in decisions.items()]
    for folder in (project, *project.parents):
        for resolved, key, value in decided:
            if resolved == os.fspath(folder) and value is not None:
                return key, value
    return None


def _resolve_key(key: str, environment: Environment) -> Path:
    """Return the folder that a key of `trust.json` names: pi normalizes it, but expands no `~` in it."""
    return resolve(os.path.join(str(environment.cwd), key), environment)
