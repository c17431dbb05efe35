"""Where pi keeps its files and where pitree keeps its own.

The rules are pi's (`config`, `utils/paths`, `session-manager` of 0.84.1 and 1.6.0, which agree here). Nothing in this
module looks at the disk; environment, home and working folder are values.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

AGENT_DIR_VARIABLE = "PI_CODING_AGENT_DIR"
SESSION_DIR_VARIABLE = "PI_CODING_AGENT_SESSION_DIR"
CONFIG_DIR_NAME = ".pi"


@dataclass(frozen=True)
class Environment:
    """What a process is told from outside.

    Attributes:
        variables: environment variables.
        home: the user's home folder, for `~`.
        cwd: the working folder, absolute; relative paths count from here.
    """

    variables: Mapping[str, str]
    home: Path
    cwd: Path

    @classmethod
    def current(cls) -> Environment:
        """Read the real environment: the only place that does."""
        try:
            home = Path.home()
        except RuntimeError:
            home = Path("/")
        try:
            cwd = Path.cwd()
        except FileNotFoundError:  # somebody removed the folder under the running shell
            cwd = home
        return cls(dict(os.environ), home, cwd)

    def get(self, name: str) -> str | None:
        """Return a variable, or None when it is missing or empty (pi treats both alike)."""
        return self.variables.get(name) or None


@dataclass(frozen=True)
class SessionsFolder:
    """The folder in which pi looks for the sessions of one project.

    Attributes:
        path: absolute; it need not exist.
        shared: True when it may hold sessions of other projects too, so that a session belongs to the project only
            when its header's `cwd` says so. False for pi's own folder per project, where pi does not look at `cwd`.
    """

    path: Path
    shared: bool


def expand(text: str, environment: Environment) -> str:
    """Expand a leading `~` and a `file:` address the way pi does; anything else stays as it is.

    `~user` is not expanded. A `file:` address of another host is left alone (pi refuses to start on it).
    """
    if text == "~":
        return str(environment.home)
    if text.startswith("~/"):
        return os.path.normpath(os.path.join(str(environment.home), text[2:].lstrip("/")))
    if text.startswith("file://"):
        try:
            address = urlsplit(text)
        except ValueError:
            return text
        if address.netloc in ("", "localhost"):
            return unquote(address.path)
    return text


def resolve(text: str, environment: Environment, base: Path | None = None) -> Path:
    """Return the absolute, normalized path that pi means by `text`; symbolic links are not followed.

    Args:
        text: a path as a person or a file gives it.
        environment: for `~`, and for `base` when that is not given.
        base: the folder from which a relative path counts.
    """
    joined = os.path.join(str(base or environment.cwd), expand(text, environment))
    normalized = os.path.normpath(joined)
    # POSIX lets normpath keep exactly two leading slashes; pi's resolve has one.
    return Path("/" + normalized.lstrip("/") if normalized.startswith("//") else normalized)


def canonical(path: Path) -> Path:
    """Follow symbolic links, or return the path unchanged where that fails (as pi does for trust)."""
    try:
        return Path(os.path.realpath(path, strict=True))
    except (OSError, ValueError):
        return path


def agent_dir(environment: Environment) -> Path:
    """Return pi's folder for settings, models and sessions: PI_CODING_AGENT_DIR, else `~/.pi/agent`."""
    given = environment.get(AGENT_DIR_VARIABLE)
    return resolve(given, environment) if given else environment.home / CONFIG_DIR_NAME / "agent"


def sessions_root(environment: Environment) -> Path:
    """Return the folder that holds pi's folder of sessions for every project."""
    return agent_dir(environment) / "sessions"


def project_folder_name(cwd: Path) -> str:
    """Return pi's name for a project's folder: the path between two `--`, every slash, backslash and colon as `-`."""
    inner = re.sub(r"[/\\:]", "-", re.sub(r"^[/\\]", "", str(cwd)))
    return f"--{inner}--"


def default_sessions_dir(environment: Environment, cwd: Path | None = None) -> Path:
    """Return the folder where pi keeps a project's sessions when nothing else is set.

    Args:
        environment: where pi's agent folder is.
        cwd: the project, absolute; the working folder when not given.
    """
    return sessions_root(environment) / project_folder_name(cwd or environment.cwd)


def custom_sessions_dir(environment: Environment, setting: Path | None = None) -> Path | None:
    """Return the folder that replaces pi's own: PI_CODING_AGENT_SESSION_DIR, then the `sessionDir` setting, or None."""
    given = environment.get(SESSION_DIR_VARIABLE)
    return resolve(given, environment) if given else setting


def sessions_folder(
    environment: Environment, cwd: Path | None = None, *, session_dir: Path | None = None
) -> SessionsFolder:
    """Return where pi looks for the sessions of a project.

    Args:
        environment: variables, home and working folder.
        cwd: the project, absolute; the working folder when not given.
        session_dir: the `sessionDir` setting, already expanded (`PiSettings.session_dir`).
    """
    default = default_sessions_dir(environment, cwd)
    custom = custom_sessions_dir(environment, session_dir)
    return SessionsFolder(custom or default, shared=custom is not None and custom != default)


def config_dir(environment: Environment) -> Path:
    """Return pitree's folder for what people set: `$XDG_CONFIG_HOME/pitree`, else `~/.config/pitree`."""
    return _xdg(environment, "XDG_CONFIG_HOME", ".config")


def state_dir(environment: Environment) -> Path:
    """Return pitree's folder for drafts and the like: `$XDG_STATE_HOME/pitree`, else `~/.local/state/pitree`."""
    return _xdg(environment, "XDG_STATE_HOME", ".local/state")


def cache_dir(environment: Environment) -> Path:
    """Return pitree's folder for what can be made again: `$XDG_CACHE_HOME/pitree`, else `~/.cache/pitree`."""
    return _xdg(environment, "XDG_CACHE_HOME", ".cache")


def _xdg(environment: Environment, variable: str, fallback: str) -> Path:
    given = environment.get(variable)
    # The XDG specification says that a relative path is to be ignored.
    base = Path(given) if given and os.path.isabs(given) else environment.home / fallback
    return base / "pitree"
