"""First part: looking around, a fixed window that is given up, a token bucket, and the first compaction.

A story is data, which is why this module is long.
"""

# long because: it is a story told in order, data and no logic

from __future__ import annotations

import base64

from pitree.lessons.agent import Agent
from pitree.lessons.rich import listings, picture, prompt
from pitree.lessons.rich.code import (
    BUCKET,
    BUCKET_CASES,
    BUCKET_TESTS,
    GATE,
    GATE_CASES,
    GATE_TESTS,
    WINDOW,
    WINDOW_TESTS,
)
from pitree.lessons.workspace import bash, edit, read, write

_NIGHT = [12, 14, 11, 15, 13, 70, 84, 91, 88, 92, 86, 90, 79, 88, 93, 85, 90, 71, 34, 16, 12, 13, 11, 14]


def look_around(agent: Agent) -> None:
    """The person says what is wanted and what must not be touched; the model reads."""
    # long because: a part of the story told in order
    agent.user(
        "We had a bad night: somebody guessed passwords against /login and the redirects became slow for everybody. I "
        "want rate limiting in this service. Look around first and propose something, do not change anything yet. "
        "Constraints: do not touch migrations/, no new dependencies for now, a refused request gets 429 with "
        "Retry-After, and a normal person must never notice.",
    )
    agent.say(
        "I start with the layout, the rules and the entry point.",
        bash("git ls-files && wc -l app/*.py app/routes/*.py | tail -1", _ls(agent)),
        read("README.md"),
        read("app/main.py"),
        think="They want a proposal, no changes. Constraints to remember: migrations/ is off limits, no new "
        "dependencies for now, 429 with Retry-After, normal use unaffected. I should find out how many processes there "
        "are, because that decides where the state of a limiter can live.",
    )
    agent.say(
        "Now everything a request passes through.",
        read("app/middleware.py"),
        read("app/auth.py"),
        read("app/errors.py"),
    )
    agent.say("", read("app/routes/login.py"), read("app/routes/redirect.py"), read("app/routes/deps.py"))
    agent.say(
        "How it is run matters as much, so the operations document and nginx.",
        read("docs/operations.md"),
        read("deploy/nginx.conf"),
    )
    agent.say("The interface promises things to clients; I read what it says about errors.", read("docs/api.md"))
    agent.say(
        "Are the tests green before I say anything?",
        bash("pytest -v", listings.pytest_verbose(seconds="6.38"), seconds=7.1),
    )
    agent.say(
        "All green. Now the night itself, from the log of the incident.",
        bash("zcat /var/log/shortlinks/2026-03-09.log.gz | grep ' 02:' | head -640", listings.access_log(7, 640)),
        think="The log tells me rates per address, which I need to choose numbers that do not hurt normal use.",
    )
    agent.say(
        "",
        bash(
            "zcat /var/log/shortlinks/2026-03-09.log.gz | awk '/POST \\/login/ {print $4}' | sort | uniq -c | sort "
            "-rn | head -8",
            "  20811 203.0.113.77\n  20190 203.0.113.78\n     14 198.51.100.31\n      9 198.51.100.204\n"
            "      6 198.51.100.7\n      4 198.51.100.118\n      4 198.51.100.52\n      3 198.51.100.90",
        ),
        bash(
            "python tools/percentiles.py --by-minute --route 'GET /{slug}' 2026-03-02 2026-03-08",
            "route GET /{slug}, requests per minute and client, 7 days\n  p50 1   p90 4   p99 22   p99.9 58   max 131\n"
            "clients above 60/min: 3 (two monitoring systems, one office behind one address)",
        ),
    )
    agent.say(
        "Here is what I found and what I propose. Nothing was changed.\n\n"
        "**What happened.** Two addresses sent 41,001 logins in 130 minutes. Each costs about 60 ms of scrypt, so "
        "both cores "
        "were busy and redirects waited. The next client in the list tried 14 times.\n\n"
        "**Numbers.** For /login 5 tries per minute and address with a burst of 10 would have refused 99.9 % of the "
        "attack and "
        "none of the others. For redirects the 99.9th percentile of a client is 58 per minute, so 120 per minute "
        "with a burst of "
        "240 hurts nobody.\n\n"
        "**Where.** A middleware in front of the routes, before scrypt runs. One module `app/limits.py` without "
        "FastAPI in it.\n\n"
        "**Open.** There are four workers. State in memory means four times the limit in the worst case. And all "
        "requests come "
        "from nginx: `client_of` sees 127.0.0.1 until we read X-Forwarded-For, which only may be trusted from our "
        "own proxy.",
    )
    agent.mark("proposal")


def _ls(agent: Agent) -> str:
    paths = sorted(agent.workspace.files)
    return "\n".join(paths) + f"\n  {380} total"


def fixed_window(agent: Agent) -> None:
    """A first try, given up as soon as its flaw is measured."""
    agent.user("Good. Try the simplest thing that can work: a fixed window per address, in memory, only for /login.")
    agent.say("A fixed window needs one counter per key and minute.", write("app/limits.py", WINDOW))
    agent.say(
        "",
        write("tests/test_limits.py", WINDOW_TESTS),
        bash(
            "pytest -q tests/test_limits.py",
            "..F                                                                      [100%]\n"
            "=================================== FAILURES ===================================\n"
            "________________________ test_no_double_burst_at_the_edge ________________________\n\n"
            "    clock.advance(60 - clock.now() % 60 - 0.5)\n    first = sum(window.allow('a') for _ in range(10))\n "
            "   clock.advance(1.0)\n"
            "    second = sum(window.allow('a') for _ in range(10))\n>   assert first + second <= 11\n"
            "E   assert 20 <= 11\n\ntests/test_limits.py:23: AssertionError\n1 failed, 2 passed in 0.08s",
            code=1,
        ),
    )
    agent.say(
        "The fixed window lets 20 tries through within one second, at the edge between two minutes: twice the limit. "
        "That is "
        "its nature and no mistake in the code. A token bucket has no edges and needs two numbers per key instead of "
        "one.",
        think="20 instead of 11 at the boundary. I should say so plainly instead of loosening the test.",
    )
    agent.mark("window")


def token_bucket(agent: Agent) -> None:
    """Back at the proposal: the bucket, its tests, a real defect, the middleware."""
    # long because: a part of the story told in order
    agent.go("proposal")
    agent.bash(
        "git restore . && git clean -fd app tests && git status --short",
        "Removing app/limits.py\nRemoving tests/test_limits.py\n",
    )
    agent.workspace.files.pop("app/limits.py")
    agent.workspace.files.pop("tests/test_limits.py")
    agent.user(
        "I went back: the fixed window lets double bursts through at the edge, forget it. Take a token bucket, in "
        "memory for now. "
        "We can share the state between workers later. Rules per route in one table, please."
    )
    agent.say(
        "Then two numbers per key: tokens and the time they were counted. I write the module without any FastAPI in "
        "it.",
        write("app/limits.py", BUCKET),
        think="State: tokens and last. Clock is injected. Memory must be bounded, an attacker can send from many "
        "addresses; "
        "drop buckets that are full again, because a full bucket is the same as no bucket.",
    )
    agent.say("Now tests for the arithmetic, with the manual clock.", write("tests/test_limits.py", BUCKET_TESTS))
    agent.say(
        "",
        bash(
            "pytest -v tests/test_limits.py",
            listings.pytest_short(
                "limits",
                BUCKET_CASES,
                {
                    "never_more_than_the_burst": "    clock.advance(3600)\n>   assert bucket.take(LOGIN, "
                    "'a').remaining == 9\n"
                    "E   assert 308 == 9\n\ntests/test_limits.py:31: AssertionError",
                    "retry_after_is_rounded_up": "    decision = bucket.take('a')\n>   assert decision.retry_after "
                    "== 12\n"
                    "E   assert 11 == 12\n\ntests/test_limits.py:44: AssertionError",
                },
            ),
            code=1,
        ),
    )
    agent.say(
        "Two real defects in my module: the refill does not stop at the burst, and `int()` rounds Retry-After down, "
        "so that a "
        "client that waits exactly as told is refused again.",
        edit(
            "app/limits.py",
            (
                "        tokens = state.tokens + elapsed * rule.rate\n",
                "        tokens = min(rule.burst, state.tokens + elapsed * rule.rate)\n",
            ),
            ("        return int(missing / rule.rate)\n", "        return math.ceil(missing / rule.rate)\n"),
        ),
        think="308 left after an hour: 9 + 3600/12 - 1. Clamp. And 11 versus 12: ceil.",
    )
    agent.say("", edit("app/limits.py", ("import threading\n\n", "import threading\n")))
    agent.say(
        "`math` is not imported yet, and my last edit named a text that is not there. I look at the head of the file.",
        read("app/limits.py", limit=14),
    )
    agent.say(
        "",
        edit("app/limits.py", ("import threading\n", "import math\nimport threading\n")),
        bash(
            "pytest -v tests/test_limits.py && ruff check app tests",
            listings.pytest_short("limits", BUCKET_CASES) + "\nAll checks passed!",
        ),
    )
    agent.mark("bucket passes")
    agent.say(
        "The bucket passes its nine tests. Next is the middleware that asks it. It has to stand inside the request "
        "id, so that a "
        "refusal has one, and outside everything that costs time.",
        write("app/gate.py", GATE),
        write("tests/test_gate.py", GATE_TESTS),
    )
    agent.fails('529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}')
    agent.say(
        "",
        edit(
            "app/main.py",
            (
                "from app.errors import install_error_handlers\n",
                "from app.errors import install_error_handlers\nfrom app.gate import RateLimitMiddleware\nfrom "
                "app.limits import RULES, TokenBucket\n",
            ),
            (
                "    app.add_middleware(TimingMiddleware, clock=clock)\n",
                "    app.add_middleware(RateLimitMiddleware, bucket=TokenBucket(clock), rules=RULES)\n    "
                "app.add_middleware(TimingMiddleware, clock=clock)\n",
            ),
        ),
        bash(
            "pytest -v tests/test_gate.py",
            listings.pytest_short(
                "gate",
                GATE_CASES,
                {
                    "two_clients_behind_the_proxy": "    assert post('198.51.100.1').status_code == 401\n"
                    ">   assert post('198.51.100.2').status_code == 401\nE   assert 429 == 401\n\n"
                    "tests/test_gate.py:38: AssertionError"
                },
            ),
            code=1,
        ),
    )
    agent.say(
        "As feared: behind nginx all clients look like 127.0.0.1 and share one bucket. The address has to come from "
        "X-Forwarded-For, but only from the right, and only as far as our own proxies reach.",
        read("app/middleware.py", 60, 8),
        edit(
            "app/middleware.py",
            (
                'def client_of(scope: Scope) -> str:\n    client = scope.get("client")\n    return client[0] if '
                'client else "-"\n',
                "def client_of(scope: Scope, trusted: frozenset[str] = frozenset()) -> str:\n"
                '    """The nearest address that is not one of our proxies; what stands left of it is hearsay."""\n'
                '    client = scope.get("client")\n    address = client[0] if client else "-"\n'
                '    forwarded = dict(scope["headers"]).get(b"x-forwarded-for", b"").decode("ascii", "replace")\n'
                '    for hop in reversed([part.strip() for part in forwarded.split(",") if part.strip()]):\n'
                "        if address not in trusted:\n            break\n        address = hop\n    return address\n",
            ),
        ),
        think="A client can send any X-Forwarded-For; nginx appends the real peer. So walk from the right while the "
        "current "
        "address is trusted. That gives the real peer even when the header is forged.",
    )
    agent.say(
        "",
        edit(
            "app/gate.py",
            ("client_of(scope)", "client_of(scope, self.trusted)"),
            ("        self.rules = rules\n", "        self.rules = rules\n        self.trusted = frozenset(trusted)\n"),
            ("bucket, rules)", "bucket, rules, trusted=())"),
        ),
    )
    agent.say(
        "",
        edit("app/main.py", ("rules=RULES)", "rules=RULES, trusted=settings.trusted_proxies)")),
        bash("pytest -v tests/test_gate.py", listings.pytest_short("gate", GATE_CASES)),
    )
    agent.say(
        "Now the whole suite, because main.py changed.",
        bash(
            "pytest -v",
            listings.pytest_verbose({"limits": BUCKET_CASES, "gate": GATE_CASES}, seconds="6.95"),
            seconds=7.4,
        ),
    )
    agent.say(
        "Everything passes: 108 tests from before, 9 for the bucket and 6 for the gate.\n\n"
        "- `app/limits.py`: `TokenBucket`, rules in one table `RULES` (login 5/min burst 10, links 30/min burst 60, "
        "redirect "
        "120/min burst 240)\n- `app/gate.py`: the middleware, answers 429 `rate_limited` with Retry-After\n"
        "- `app/middleware.py`: `client_of` believes X-Forwarded-For only behind `trusted_proxies`\n\n"
        "Left open: every worker counts for itself, and the document on the interface does not mention 429."
    )


def measure(agent: Agent) -> None:
    """A picture, a load test, a try that the person stops, and the first compaction."""
    # long because: a part of the story told in order
    agent.bash(
        "git add -A && git commit -qm 'Limit requests per address' && git log --oneline | head -3",
        "9d31c02 Limit requests per address\n51fe0aa Copy the database at night\n0b7c9de Count hits by day\n",
    )
    agent.user(
        "Nice. This is the night from the dashboard, requests per minute in hundreds. Replay something like it "
        "against four local "
        "workers and tell me what a person who opens a link would feel.",
        [{"type": "image", "data": _picture(), "mimeType": "image/png"}],
    )
    agent.say(
        "The picture shows a jump from about 1,300 to 9,000 requests per minute at 02:05 and an end at 02:17. That "
        "is 150 per second; "
        "I replay 400 per second to have some room. First without the limiter.",
        bash(
            "SHORTLINKS_LIMITS=off tools/load.sh --seconds 140",
            listings.load_test(3, 140, 27, p99=21400, title="limits off, 4 workers, 400/s, 90 % POST /login"),
            seconds=144,
            timeout=180,
        ),
    )
    agent.say(
        "And with it.",
        bash(
            "tools/load.sh --seconds 140",
            listings.load_test(4, 140, 42, p99=118, title="limits on, 4 workers, 400/s, 90 % POST /login"),
            seconds=144,
            timeout=180,
        ),
    )
    agent.say(
        "I want to see where the time goes while it refuses, not only that it is short.",
        bash(
            "python -m cProfile -s tottime tools/replay.py | head -100",
            listings.profile(
                5,
                96,
                [
                    ("app/gate.py:31(__call__)", 912),
                    ("app/limits.py:58(take)", 640),
                    ("app/middleware.py:62(client_of)", 388),
                ],
            ),
            seconds=31,
        ),
    )
    agent.say("", bash("curl -s localhost:8001/metrics", listings.metrics(11, backend="memory")))
    agent.say("", bash("tail -380 /tmp/shortlinks-load.log", listings.access_log(13, 380, limited=True)))
    agent.say(
        "With the limiter the p99 of all requests falls from about 2.1 s to 12 ms, and no redirect was refused. "
        "Deciding costs 0.09 ms.\n\n"
        "One number is off: I allowed 10 tries per address at once, but 40 got through. Each of the four workers has "
        "its own bucket, as "
        "expected. For /login that is 20 tries per minute instead of 5.",
    )
    agent.user(
        "20 instead of 5 is fine for now. But write it down in docs/operations.md, and tell clients about 429 in "
        "docs/api.md.",
        after=140,
    )
    agent.fails(
        "This operation was aborted",
        "I add a table for refusals first, so that the document can point to it: a new file "
        "migrations/0008_refusals.sql with",
        "A record of refusals would help operators. I could add a table through a migration and describe it.",
        stop="aborted",
    )
    agent.user("Stop. Do not touch migrations/, I said so at the beginning. Only the two documents.", after=9)
    agent.say(
        "You are right, that was against your first message. Only the documents.",
        edit(
            "docs/api.md",
            (
                "There are none yet. See docs/operations.md for what nginx does.",
                "| address | per minute | at once |\n|---|---|---|\n| POST /login | 5 | 10 |\n| POST /links | 30 | "
                "60 |\n| GET /{slug} | 120 | 240 |\n\nAbove that the answer is 429 with the code `rate_limited` and "
                "a header Retry-After in whole seconds.",
            ),
        ),
        edit(
            "docs/operations.md",
            (
                "## Alarms",
                "## Rate limits\n\nEach worker counts for itself, so the real limit is up to 4 times the table in "
                "docs/api.md. Accepted for now. `SHORTLINKS_LIMITS=off` switches the limiter off.\n\n## Alarms",
            ),
        ),
    )
    agent.say(
        "FastAPI writes the schema itself; I check whether clients see the 429 there.",
        bash("curl -s localhost:8001/openapi.json | python -m json.tool", listings.schema()),
    )
    agent.say(
        "",
        bash(
            "git diff --stat && ruff check app tests",
            " docs/api.md        | 8 +++++++-\n docs/operations.md | 5 +++++\n 2 files changed, 12 insertions(+), 1 "
            "deletion(-)\nAll checks passed!",
        ),
    )
    agent.say(
        "Both documents are updated: the table and the 429 in docs/api.md, the factor of 4 and the switch in "
        "docs/operations.md. Nothing else was changed."
    )
    agent.mark("documents")


def _picture() -> str:
    return base64.b64encode(picture.bars(_NIGHT)).decode("ascii")


def side_question(agent: Agent) -> None:
    """A short branch that was only a question."""
    agent.user(
        "Side question, not for the code: how would I explain a token bucket to my colleague in three sentences?"
    )
    agent.say(
        "Think of a jar that holds 10 coins and gets one new coin every 12 seconds until it is full. Every login "
        "costs a coin; with an "
        "empty jar one has to wait for the next coin. So a person may be quick for a moment, and nobody can be quick "
        "for long."
    )
    agent.mark("jar")
    agent.go("documents")


def first_compaction(agent: Agent) -> None:
    """`/compact` before the next part."""
    agent.builder.label(agent.marks["bucket passes"], "bucket passes")
    agent.builder.custom("checkpoint", {"commit": "9d31c02", "files": ["app/limits.py", "app/gate.py"]})
    agent.compact(_SUMMARY, prompt.system_message())


def play(agent: Agent) -> None:
    """Play the first part."""
    look_around(agent)
    fixed_window(agent)
    token_bucket(agent)
    measure(agent)
    side_question(agent)
    first_compaction(agent)


_SUMMARY = """## Goal
Protect shortlinks (FastAPI, SQLite, four uvicorn workers behind nginx) from floods such as the password
guessing of 2026-03-09, by rate limiting.

## Constraints & Preferences
- Do not touch `migrations/`
- No new dependencies for now
- A refused request gets 429 with `Retry-After`; a normal person must never notice
- Rules per route in one table

## Progress
### Done
- [x] `app/limits.py`: `TokenBucket` and `RULES`
- [x] Rules: login 5/min burst 10, links 30/min burst 60, redirect 120/min burst 240
- [x] `app/gate.py`: `RateLimitMiddleware`, answers 429 `rate_limited`
- [x] `app/middleware.py`: `client_of(scope, trusted)` walks X-Forwarded-For from the right
- [x] 15 new tests, the whole suite passes, committed as 9d31c02

### In Progress
- [ ] Measuring with a replay of the night

### Blocked
- (none)

## Key Decisions
- **Token bucket instead of fixed window**: the window lets double bursts through at the edge
- **State in memory**: simple; sharing between the workers can come later

## Next Steps
1. Measure what a person feels during an attack
2. Mention 429 in `docs/api.md`

## Critical Context
- Every worker counts for itself, so four workers allow up to four times the limit
- Attack: 203.0.113.77 and 203.0.113.78, 41,001 logins in 130 minutes

---

**Turn Context (split turn):**

## Original Request
Replay something like the night (picture of requests per minute) against four local workers and say what a person
who opens a link would feel.

## Progress So Far
- Load test at 400 requests per second without the limiter: p99 of about 2.1 s
- The same with the limiter: p99 of about 12 ms, 42 of 400 requests per second answered

## Context Needed to Continue
- `SHORTLINKS_LIMITS=off` switches the limiter off; `tools/load.sh --seconds 140` runs the test
- A profile of the refusals was asked for next"""
