"""What a shell command was for, and how its output says that it went."""

from __future__ import annotations

import re
from enum import Enum
from typing import Final

from pitree.summarize.sentences import flat, shortened

COMMAND_LENGTH: Final = 110
RESULT_LENGTH: Final = 150


class Purpose(Enum):
    """What a command was for."""

    TEST = "test"
    CHECK = "check"
    COMMIT = "commit"
    SETUP = "setup"
    RUN = "run"


_TABLE: Final = (
    (
        Purpose.TEST,
        r"pytest|unittest|tox|nox|jest|vitest|mocha|ava|rspec|phpunit|ctest|go test|cargo (?:test|nextest)|"
        r"(?:npm|pnpm|yarn|bun|deno|make|just|gradlew?|mvn|dotnet|mix|zig|swift|node|task)\s+"
        r"(?:run\s+)?(?:--)?test\S*|npm t",
    ),
    (
        Purpose.CHECK,
        r"tsc|tsgo|mypy|pyright|ruff|flake8|pylint|black|eslint|biome|prettier|clippy|shellcheck|golangci-lint|"
        r"go (?:build|vet)|cargo (?:build|check|fmt)|cmake|ninja|(?:npm|pnpm|yarn|bun)\s+run\s+\S+|make|just|"
        r"docker build|uv build|mvn|gradlew?",
    ),
    (
        Purpose.COMMIT,
        r"git (?:commit|push|merge|rebase|tag|revert|cherry-pick|checkout -b|switch -c|mv|rm|stash|reset)|"
        r"gh \w+ create|npm publish|npm version",
    ),
    (
        Purpose.SETUP,
        r"(?:npm|pnpm|yarn|bun) (?:i|ci|install|add|remove)|(?:uv )?pip install|uv (?:add|sync|venv)|poetry \w+|"
        r"cargo add|go get|apt(?:-get)? install|brew install|docker compose|systemctl|mkdir|mv|cp|rm|chmod|alembic|"
        r"createdb|migrate",
    ),
    (Purpose.RUN, r"python3?|node|npx|tsx|bunx?|deno|go run|cargo run|bash|sh|ruby|java|curl|docker|\./\S+|\S+\.sh"),
)
_WORD = (
    r"(?:^|[\n;&|(]\s*|\b(?:time|timeout \S+|sudo|env|xargs|npx|uv run|poetry run|python3? -m|bundle exec)\s+)"
    r"(?:\w+=\S+\s+)*(?:\S*/)?"
)
_PURPOSES: Final = tuple((purpose, re.compile(rf"{_WORD}(?:{words})(?![\w-])")) for purpose, words in _TABLE)
_LEADING = re.compile(r"^\s*(?:(?:cd|source|export|set|pushd)\s[^\n;&]*(?:&&|;|\n)\s*|#[^\n]*\n\s*|\w+=\S+\s+(?=\w))+")
_TRAILING = re.compile(r"\s*(?:2>&1\s*)?(?:\|\s*(?:head|tail|grep|wc|less|cat|sed|awk)\b[^\n]*|2>&1|\|\|\s*true)\s*$")
_EXIT = re.compile(r"Command exited with code (?:[1-9]\d*)|Command timed out|\(command cancelled\)|Command aborted")
_BAD = re.compile(
    r"(?im)^.*(?:\b[1-9]\d* (?:failed|failing|failures?|errors?)\b|\bFAILED\b|^FAIL\b|npm (?:ERR!|error)|error TS\d+|"
    r"error\[E\d+\]|^error:|Traceback \(most recent|BUILD FAILED|\bpanicked at\b|^fatal:|\bELIFECYCLE\b).*$"
)
_ERROR_LINES = (
    re.compile(
        r"(?m)^\s*(?:E\s+)?((?:[\w.]+(?:Error|Exception|Warning|Interrupt)|AssertionError)\b:? .{3,}|[\w.]+Error)$"
    ),
    re.compile(r"(?m)^(.*(?:error TS\d+|error\[E\d+\]).*)$"),
    re.compile(r"(?im)^\s*((?:error|fatal|panic|npm ERR!|npm error|E\s+assert|assert\w* ).{3,})$"),
    re.compile(r"(?m)^(.*\b(?:FAILED|FAIL)\b[: ].*)$"),
    re.compile(
        r"(?im)^(.*\b(?:not found|no such file|permission denied|refused|timed out|cannot|unable to|denied)\b.*)$"
    ),
    re.compile(r"(?im)^(.*\b[1-9]\d* (?:failed|errors?|failures?)\b.*)$"),
)
_SUMMARY_LINES = (
    re.compile(r"(?m)^[=\s]*(\d+ (?:passed|tests?|passing)\b[^\n=]*?)[=\s]*$"),
    re.compile(r"(?m)^\s*((?:Tests?|Test Suites|# pass)[: ]+\d[^\n]*)$"),
    re.compile(r"(?m)^(Ran \d+ tests?[^\n]*)$"),
    re.compile(r"(?m)^(test result: ok[^\n]*|All checks passed!?|Success: no issues[^\n]*|Build succeeded[^\n]*)$"),
    re.compile(r"(?m)^\s*(\[[\w/.-]+(?: \([\w-]+\))? [0-9a-f]{7,}\] [^\n]+)$"),
)
_FRAME = re.compile(r"""(?:File "([^"\n]+)", line (\d+))|(?m:^\s*([\w./-]+\.\w{1,5}):(\d+)(?=[:\s,(]))""")


def purpose_of(command: str) -> Purpose | None:
    """What a command was for; None for one that only looks around."""
    return next((purpose for purpose, words in _PURPOSES if words.search(command[:2000])), None)


def core_of(command: str) -> str:
    """The command without a change of folder before it and without what only shortens its output."""
    core = _LEADING.sub("", command, count=1) or command
    while (shorter := _TRAILING.sub("", core)) != core and shorter.strip():
        core = shorter
    return core.strip()


def shown(command: str) -> str:
    """A command as it is quoted: its core, the first line of it."""
    lines = [line for line in core_of(command).splitlines() if line.strip()]
    return shortened(lines[0] if lines else command, COMMAND_LENGTH)


def went_wrong(output: str, *, failed: bool | None, judged: bool) -> bool:
    """Whether a run failed: by its mark, by its exit code, or, where a pipe hides that, by its output (`judged`)."""
    return bool(failed) or _EXIT.search(output[-400:]) is not None or (judged and _BAD.search(output) is not None)


def error_line(output: str) -> str:
    """The line that says most about a failure, "" where none does."""
    for expression in _ERROR_LINES:
        found = expression.findall(output)
        if found:
            return shortened(found[-1] if expression is _ERROR_LINES[0] else found[0], RESULT_LENGTH)
    lines = [line for line in output.splitlines() if line.strip() and not _EXIT.search(line)]
    return shortened(lines[-1], RESULT_LENGTH) if lines else ""


def error_place(output: str) -> str:
    """Where a failure happened, as a text of the output: `path:line`, or the frame that names both."""
    found = [match for match in _FRAME.finditer(output) if "site-packages" not in match[0] and "<" not in match[0]]
    return flat(found[-1][0]) if found else ""


def summary_line(output: str) -> str:
    """The line in which a run that went well sums itself up, "" where there is none."""
    for expression in _SUMMARY_LINES:
        found: list[str] = expression.findall(output)
        if found:
            return shortened(found[-1], RESULT_LENGTH)
    return ""
