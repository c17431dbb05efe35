"""pi's settings as pi reads them, with where each came from and what is wrong with them.

Rules of pi 1.6.0 (`settings-manager`, `settings-defaults`); 0.84.1 differs in that it knows no `modelOverrides`, checks
no value and refuses a file with a byte order mark. Nothing here writes, takes pi's lock or raises because of a file.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pitree.session.javascript import UNDEFINED, nullish, truthy
from pitree.store.findings import Finding
from pitree.store.json_files import is_number
from pitree.store.locations import Environment, resolve
from pitree.store.settings_layers import Layers, Origin, load_layers, shown

DEFAULT_RESERVE_TOKENS = 16384
DEFAULT_KEEP_RECENT_TOKENS = 20000
_MAX_SAFE_INTEGER = 2**53 - 1


@dataclass(frozen=True)
class PiSettings:
    """The settings that bear on compaction, branch summaries and sessions.

    Attributes:
        enabled: whether pi compacts by itself.
        reserve_tokens: `compaction.reserveTokens`, tokens.
        keep_recent_tokens: `compaction.keepRecentTokens`, tokens.
        branch_reserve_tokens: `branchSummary.reserveTokens`, tokens; pi takes a negative one too.
        session_dir: the `sessionDir` setting, absolute, or None.
        last_changelog_version: the pi release that ran here last, or None.
        origin: attribute name -> where its value came from, for each attribute above.
        findings: what is wrong or was ignored, in the order in which it was met.
    """

    enabled: bool
    reserve_tokens: int
    keep_recent_tokens: int
    branch_reserve_tokens: int
    session_dir: Path | None
    last_changelog_version: str | None
    origin: Mapping[str, Origin]
    findings: tuple[Finding, ...] = ()

    @property
    def rules(self) -> str:
        """The rule set that `--rules auto` means: "0.84" where the last pi that ran was older than 0.86, else "1.6"."""
        version = release(self.last_changelog_version)
        return "0.84" if version is not None and version < (0, 86) else "1.6"

    def with_flags(self, *, reserve: int | None = None, keep_recent: int | None = None) -> PiSettings:
        """Return the settings with what the command line says; `reserve` replaces both reserves. Tokens."""
        values: dict[str, Any] = {}
        if reserve is not None:
            values |= {"reserve_tokens": reserve, "branch_reserve_tokens": reserve}
        if keep_recent is not None:
            values["keep_recent_tokens"] = keep_recent
        origin = MappingProxyType({**self.origin, **dict.fromkeys(values, Origin.FLAG)})
        return replace(self, origin=origin, **values)


def release(version: str | None) -> tuple[int, int] | None:
    """Return major and minor of a release such as "0.84.1", or None when it is none."""
    match = re.match(r"v?([0-9]{1,9})\.([0-9]{1,9})(?![0-9])", version or "")
    return (int(match[1]), int(match[2])) if match else None


def read_settings(
    environment: Environment, cwd: Path | str | None = None, *, model: tuple[str, str] | None = None
) -> PiSettings:
    """Read the settings that pi would use in a project.

    The project's own file counts only where pi trusts the project, except for `sessionDir`: pi takes that before it
    asks (in the folder where it is started, which is why discovery passes no `cwd`).

    Args:
        environment: variables, home and working folder.
        cwd: the project: the `cwd` of a session's header; the working folder when it is None or empty.
        model: (provider, modelId) of the session, for `compaction.modelOverrides`.
    """
    project = resolve(str(cwd), environment) if cwd else environment.cwd
    layers, with_project, findings = load_layers(environment, project)
    reader = _Reader(layers, findings)
    enabled = reader.enabled()
    reserve = reader.tokens("reserve_tokens", "reserveTokens", DEFAULT_RESERVE_TOKENS, model)
    keep = reader.tokens("keep_recent_tokens", "keepRecentTokens", DEFAULT_KEEP_RECENT_TOKENS, model)
    branch = reader.branch_reserve()
    version = reader.text("last_changelog_version", "lastChangelogVersion")
    # A value of the wrong kind is told with the layers it was found in, hence one reader and one list for both.
    reader.layers = with_project
    session_dir = reader.text("session_dir", "sessionDir")
    folder = resolve(session_dir, environment) if session_dir else None
    origin = MappingProxyType(reader.origin)
    return PiSettings(enabled, reserve, keep, branch, folder, version, origin, tuple(findings))


class _Reader:
    """Takes single settings out of the layers, notes where they stand and reports what is wrong with them."""

    def __init__(self, layers: Layers, findings: list[Finding]) -> None:
        self.layers = layers
        self.findings = findings
        self.origin: dict[str, Origin] = {}

    def enabled(self) -> bool:
        """`compaction.enabled`: whatever stands there is taken by its truth, as pi does."""
        self._expect_object("compaction")
        value, origin = self.layers.look("compaction", "enabled")
        self.origin["enabled"] = Origin.DEFAULT if nullish(value) else origin
        if nullish(value):
            return True
        if not isinstance(value, bool):
            effect = "on" if truthy(value) else "off"
            self._report(origin, "compaction.enabled", value, f"Give true or false; pi takes it as {effect}.")
        return truthy(value)

    def tokens(self, name: str, field: str, default: int, model: tuple[str, str] | None) -> int:
        """One of the two token settings: override for the model, then the ordinary setting, then the default."""
        ordinary = self._whole_number(f"compaction.{field}", default, "compaction", field)
        override = None
        if model is not None:
            override = self._override(f"{model[0]}/{model[1]}", field, ordinary[0] if ordinary else default)
        if override is not None:
            self.origin[name] = Origin.MODEL
            return override
        value, self.origin[name] = ordinary or (default, Origin.DEFAULT)
        return value

    def _override(self, key: str, field: str, fallback: int) -> int | None:
        path = ("compaction", "modelOverrides", key)
        label = f"compaction.modelOverrides[{shown(key)}]"
        entry, origin = self.layers.look(*path)
        if entry is not UNDEFINED and not isinstance(entry, dict):
            # Both fields ask; one report is enough.
            if field == "reserveTokens":
                self._report(origin, label, entry, "Give an object; pi 1.6 refuses to compact with it. It is ignored.")
            return None
        found = self._whole_number(f"{label}.{field}", fallback, *path, field)
        return found[0] if found else None

    def _whole_number(self, label: str, fallback: int, *keys: str) -> tuple[int, Origin] | None:
        """Return a whole number of 0 or more and where it stands, or None when it is missing or wrong."""
        value, origin = self.layers.look(*keys)
        if value is UNDEFINED:
            return None
        if is_number(value) and 0 <= value <= _MAX_SAFE_INTEGER and value == math.floor(value):
            return int(value), origin
        advice = f"Give a whole number of 0 or more; pi 1.6 refuses to compact with it. Using {fallback} instead."
        self._report(origin, label, value, advice)
        return None

    def branch_reserve(self) -> int:
        """`branchSummary.reserveTokens`: pi checks nothing and takes any number."""
        self._expect_object("branchSummary")
        label = "branchSummary.reserveTokens"
        value, origin = self.layers.look("branchSummary", "reserveTokens")
        self.origin["branch_reserve_tokens"] = Origin.DEFAULT
        if nullish(value):
            return DEFAULT_RESERVE_TOKENS
        if not is_number(value):
            self._report(origin, label, value, f"Give a number of tokens. Using pi's default {DEFAULT_RESERVE_TOKENS}.")
            return DEFAULT_RESERVE_TOKENS
        self.origin["branch_reserve_tokens"] = origin
        if value < 0:
            self._report(origin, label, value, "Give 0 or more; with it pi's budget is larger than the window.")
        # Token counts are whole, so a budget with a fraction holds as much as the whole number below it.
        reserve: int = math.ceil(value)
        return reserve

    def text(self, name: str, key: str) -> str | None:
        """Return a setting that is a text; empty and missing are None."""
        value, origin = self.layers.look(key)
        usable = isinstance(value, str) and bool(value)
        self.origin[name] = origin if usable else Origin.DEFAULT
        if not nullish(value) and not isinstance(value, str):
            self._report(origin, key, value, "Give a text. It is ignored.")
        return value if usable else None

    def _expect_object(self, key: str) -> None:
        value, origin = self.layers.look(key)
        if not nullish(value) and not isinstance(value, dict):
            self._report(origin, key, value, "Give an object. pi uses its defaults.")

    def _report(self, origin: Origin, label: str, value: object, advice: str) -> None:
        self.findings.append(Finding(self.layers.where(origin), f"{label} is {shown(value)}. {advice}"))
