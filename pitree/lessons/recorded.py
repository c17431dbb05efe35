"""Recorded summaries of the built-in sessions: what a good model writes of their plans, in pi's headings.

Even a good summary loses something. Each of these loses a few facts on purpose, which `LOSSES` names; lessons and the
retention report are tried on them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

Part = Literal["history", "prefix", "branch"]


@dataclass(frozen=True)
class Loss:
    """A fact of the messages that a recorded summary does not keep.

    Attributes:
        part: The part that lost it.
        said: The words of the messages or of the earlier summary.
        how: What became of it.
    """

    part: Part
    said: str
    how: Literal["left out", "made vague", "made final"]


_RICH_HISTORY = """## Goal
Protect shortlinks (FastAPI, SQLite, four uvicorn workers behind nginx) from floods by rate limiting, with limits \
that are shared by the workers through the Redis that already runs on the machine.

## Constraints & Preferences
- Do not touch `migrations/`
- The redis client is the only new dependency
- 429 with `Retry-After`; normal people must not notice; rules in one table
- Redis db 1, not 0; one round trip per decision

## Progress
### Done
- [x] `app/limits.py` (`TokenBucket`, `RULES`, `ADDRESS`, `parse_rules`), `app/gate.py`, `app/keys.py`
- [x] `SHORTLINKS_LIMITS` in `app/config.py`; wrong values stop the start
- [x] Sharing through SQLite tried and left
- [x] `app/limits_redis.py` with one Lua script; load test with four workers: p99 13 ms, no errors, exactly 10 tries \
per address over all workers. The user took it
- [x] Looked for route tests that break when limits are on by default: `test_listing_pages` (120 links, burst 60) \
and `test_counts_by_day` (300 visits, burst 240)
- [x] `tests/conftest.py`: `client` has no limits, `limited_client` has them and runs with both backends; for that \
`create_app` takes `limits`, and `make_backend` in the new `app/backends.py` reads `SHORTLINKS_BACKEND` and \
`SHORTLINKS_REDIS`
- [x] Review of the limiter

### In Progress
- (none)

### Blocked
- (none)

## Key Decisions
- **Token bucket instead of fixed window**: the window lets double bursts through at the edge
- **Redis instead of SQLite**: SQLite had a p99 of 38 ms and `database is locked`
- **Hash of the token as key**: no query before the limit; two logins have two buckets, accepted
- **No limit on keys per rule**: the user watches the memory of Redis with an alarm of their own

## Next Steps
1. Fallback when Redis is away: `RedisBucket.take` raises and the gate does not catch it, so every request becomes a 500
2. Give the client a timeout: redis-py waits for ever by default
3. Move the test modules to the new fixtures, run them with both backends, update the documents

## Critical Context
- Redis has 64 MB and `noeviction`; if buckets fill it, the job queue fails first. 50,000 buckets are about 8 MB
- Load test at 400/s: p99 fell from about 2.1 s to 12 ms with the limiter in memory
- Refusals are logged with 429 and cost 0.4 to 0.9 ms"""

_RICH_PREFIX = """## Original Request
The user is away for an hour and wants the rest in one go: the fallback to memory when Redis is away (never a 500 \
because of the limiter, and a dead Redis may cost one short timeout per 5 seconds and worker), all test modules over \
to the new fixtures, the whole suite with both backends, a load test in which Redis dies in the middle, and the \
documents. `deploy/` is left alone, the user does that by hand.

## Progress So Far
- `app/fallback.py`: `FallbackBucket` asks the shared bucket, after a `RedisError` the worker's own one for `pause` \
seconds; `tests/test_fallback.py` passes (5 tests). The first version forgot to add the pause and asked every time
- `app/backends.py` builds it, with `socket_timeout=0.05`
- `pytest -v`: 138 passed. The fallback costs nothing measurable while Redis is well
- `tests/clients.py` with the marks `limited` and `unlimited`
- Moved to the new fixtures: `tests/test_admin.py` (4 passed), `tests/test_auth.py` (not run yet)

## Context Needed to Continue
- One test of `tests/test_auth.py` logs in 40 times on purpose and keeps the fixture without limits
- Still to move: the other test modules, one by one, each followed by its own run"""

_PLAIN_CUT = """## Goal
Find out where the monthly report writes dates: 03/04/2026 should be read as the fourth of March.

## Constraints & Preferences
- Do not change the database

## Progress
### Done
- [x] `reports/export.py` read: `day()` uses `US = '%m/%d/%Y'`, `month()` uses `'%B %Y'`

### In Progress
- [ ] Looking for other places

### Blocked
- (none)

## Key Decisions
- **Exporter before template**: the template only prints what it is given

## Next Steps
1. Decide on a form that nobody misreads

## Critical Context
- (none)"""

_SPLIT_TURN = """## Original Request
The monthly report prints 03/04/2026, which readers take for the third of April; it should be the fourth of March. \
Find out where dates are written. Do not change the database.

## Progress So Far
- `reports/export.py`: `day()` now writes `'%-d %B %Y'`
- Searched for `strftime`: `reports/mail.py` formats only a time, `tests/test_export.py` still expects the old form

## Context Needed to Continue
- The template only prints what the exporter gives it"""

_REPEATED = """## Goal
Write days in the monthly report as 4 March 2026, so that nobody reads 03/04/2026 as the third of April.

## Constraints & Preferences
- Do not change the database
- Leave `migrations/` alone
- No setting for the form
- The test compares with the written-out text, not with another `strftime` call

## Progress
### Done
- [x] `day()` in `reports/export.py` writes `'%-d %B %Y'`
- [x] `tests/test_export.py` expects `'4 March 2026'`

### In Progress
- (none)

### Blocked
- (none)

## Key Decisions
- **One form for everybody**: as the user wished

## Next Steps
1. Run the tests again

## Critical Context
- `reports/mail.py` line 31 formats only the time and needs no change"""

_BRANCH = """## Goal
Make the report for the largest customer faster: it takes 40 seconds and should take less than 5.

## Constraints & Preferences
- (none)

## Progress
### Done
- [x] Tried a cache of customers in `reports/rows.py`: 11 seconds

### In Progress
- (none)

### Blocked
- The cache needs too much memory

## Key Decisions
- **Not going on with the cache**: it holds every customer until the report is done

## Next Steps
1. Try something that does not keep all customers in memory"""

_BRANCH_HISTORY = """## Goal
The report takes 40 seconds for the largest customer and should take less than 5.

## Constraints & Preferences
- The tables must stay as they are

## Progress
### Done
- [x] Found the reason: each row asks the database for its customer again

### In Progress
- [ ] A cache in `reports/rows.py`, one dictionary per report

### Blocked
- (none)

## Key Decisions
- **Cache in memory**: filled on first use

## Next Steps
1. Measure

## Critical Context
- (none)"""

RECORDED: Final[Mapping[str, Mapping[Part, str]]] = {
    "rich": {"history": _RICH_HISTORY, "prefix": _RICH_PREFIX},
    "plain-cut": {"history": _PLAIN_CUT},
    "split-turn": {"prefix": _SPLIT_TURN},
    "repeated": {"history": _REPEATED},
    "branch": {"history": _BRANCH_HISTORY, "branch": _BRANCH},
    "branch-user": {"history": _BRANCH_HISTORY, "branch": _BRANCH},
}
"""The summary of each demo's own plan, by demo and part; a demo without a plan has none."""

_BRANCH_LOSSES = (
    Loss("branch", "430 MB at the peak", "made vague"),
    Loss("branch", "512 MB", "left out"),
)
LOSSES: Final[Mapping[str, tuple[Loss, ...]]] = {
    "rich": (
        Loss("history", "No token in a log or a key", "left out"),
        Loss("history", "test_unknown_address_takes_as_long", "left out"),
        Loss("history", "48 MB", "made vague"),
        Loss("history", "no more for now", "made final"),
        Loss("history", "(600/min, burst 900)", "left out"),
        Loss("prefix", "50 ms per 5 seconds", "made vague"),
        Loss("prefix", "alone for now", "made final"),
        Loss("prefix", "Do not commit.", "left out"),
    ),
    "plain-cut": (Loss("history", "leave migrations/ alone", "left out"),),
    "split-turn": (
        Loss("prefix", "leave migrations/ alone", "left out"),
        Loss("prefix", "tests/test_export.py:15", "made vague"),
    ),
    "repeated": (
        Loss("history", "for now without a setting", "made final"),
        Loss("history", "The template only prints what the exporter gives it", "left out"),
    ),
    "branch": _BRANCH_LOSSES,
    "branch-user": _BRANCH_LOSSES,
}
"""What each of them loses."""
