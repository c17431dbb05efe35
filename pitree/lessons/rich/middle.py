"""Second part: limits per account, settings, a try with SQLite that is left, the step to Redis, the second compaction.

A story is data, which is why this module is long.
"""

# long because: it is a story told in order, data and no logic

from __future__ import annotations

from pitree.lessons.agent import Agent
from pitree.lessons.ledger import Model
from pitree.lessons.rich import listings, prompt
from pitree.lessons.rich.code import (
    BUCKET_CASES,
    GATE_CASES,
    KEYS,
    KEYS_CASES,
    KEYS_TESTS,
    REDIS,
    REDIS_CASES,
    REDIS_TESTS,
    SQLITE,
)
from pitree.lessons.workspace import bash, edit, read, write

OPUS = Model("claude-opus-4-6", input=5.0, output=25.0, cache_read=0.5, cache_write=6.25)
_EXTRA = {"limits": BUCKET_CASES, "gate": GATE_CASES, "keys": KEYS_CASES}


def accounts(agent: Agent) -> None:
    """Limits per account."""
    # long because: a part of the story told in order
    agent.builder.session_name("Rate limits for shortlinks")
    agent.builder.model_change(OPUS)
    agent.builder.thinking_level_change("high")
    agent.user(
        "Next: limits per account. Who sends a token is limited by the account, whatever the address; all others by "
        "the address. "
        "A token must not show up in a log or in a key. Keep everything in memory for now."
    )
    agent.say(
        "I look at how the gate makes its key today.",
        read("app/gate.py"),
        read("app/routes/deps.py"),
        think="The gate runs before authentication, so it does not know the account id, only the token. Hash it: "
        "same token, same "
        "key. Two tokens of one account would have two buckets. Looking the token up in SQLite costs a query before "
        "the limit.",
    )
    agent.say(
        "The gate sees the token and not the account, because it stands before authentication. I take a hash of the "
        "token as the key: no "
        "query before the limit. The price: two logins of one account have two buckets.",
        write("app/keys.py", KEYS),
        write("tests/test_keys.py", KEYS_TESTS),
        edit(
            "app/gate.py",
            ("from app.middleware import client_of\n", "from app.keys import key_of\n"),
            ("client_of(scope, self.trusted)", "key_of(scope, self.trusted)"),
        ),
    )
    agent.say(
        "",
        bash(
            "pytest -v tests/test_keys.py tests/test_gate.py",
            listings.pytest_short(
                "gate",
                [*GATE_CASES, *KEYS_CASES],
                {
                    "bad_scheme_is_an_address": "value = 'Bearer  '\n\n>   assert key_of(scope(value), "
                    "TRUSTED).startswith('ip:')\n"
                    "E   AssertionError: assert False\nE    +  where 'acct:36a9e7f1c95b82ff' = key_of(…)\n\n"
                    "tests/test_keys.py:28: AssertionError"
                },
            ),
            code=1,
        ),
    )
    agent.say(
        "`Bearer` followed by two spaces counts as a token that is one space. The value is not stripped.",
        edit(
            "app/keys.py",
            (
                '    if scheme.lower() == "bearer" and token:',
                '    token = token.strip()\n    if scheme.lower() == "bearer" and token:',
            ),
        ),
        bash("pytest -v", listings.pytest_verbose(_EXTRA, seconds="7.12"), seconds=7.6),
    )
    agent.say(
        "127 tests pass. Two logins of one account have two buckets, which I wrote into the docstring of `key_of`."
    )
    agent.user(
        "Two buckets are all right, logging in is limited anyway. Can somebody get around it by sending a new "
        "invented token each time?",
        after=110,
    )
    agent.say(
        "Yes, and that is a hole: an invented token gets a full bucket of its own, and `POST /links` with it costs a "
        "query before it is "
        "refused. I prove it first.",
        bash(
            "python tools/probe.py --route 'POST /links' --invent-tokens 500",
            "500 requests, 500 different tokens, 1 address\n  401: 500   429: 0\n  queries: 500   p50 1.9 ms",
        ),
        think="Unknown tokens must fall back to the address. The gate cannot know. Option: count by address as well, "
        "and take both "
        "buckets: the address bucket with a generous rule. Simple and closes the hole.",
    )
    agent.say(
        "Every request with a token now takes from two buckets: the account's, and a wider one of the address (600 "
        "per minute, burst 900).",
        edit(
            "app/limits.py",
            (
                '    ("GET", "/{slug}"): Rule("redirect", 120 / 60, 240),\n}\n',
                '    ("GET", "/{slug}"): Rule("redirect", 120 / 60, 240),\n}\nADDRESS = Rule("address", 600 / 60, '
                "900)\n",
            ),
        ),
        edit(
            "app/gate.py",
            (
                "        decision = self.bucket.take(rule, key_of(scope, self.trusted))\n",
                '        decision = self.bucket.take(ADDRESS, "ip:" + client_of(scope, self.trusted))\n'
                "        if decision.allowed:\n            decision = self.bucket.take(rule, key_of(scope, "
                "self.trusted))\n",
            ),
            (
                "from app.keys import key_of\n",
                "from app.keys import key_of\nfrom app.limits import ADDRESS\nfrom app.middleware import client_of\n",
            ),
        ),
        bash(
            "python tools/probe.py --route 'POST /links' --invent-tokens 1500",
            "1500 requests, 1500 different tokens, 1 address\n  401: 912   429: 588\n  queries: 912   p50 1.7 ms",
        ),
    )
    agent.say("", bash("pytest -v", listings.pytest_verbose(_EXTRA, seconds="7.20"), seconds=7.7))
    agent.say(
        "The hole is closed: after 900 requests at once an address waits, whatever tokens it invents. All tests pass."
    )
    agent.mark("accounts")


def settings(agent: Agent) -> None:
    """Numbers from the environment."""
    # long because: a part of the story told in order
    agent.remark(
        "ci",
        "ci: job lint failed on 4ac0d19: app/config.py:1:1 I001 import block is un-sorted",
        {"job": "lint", "commit": "4ac0d19"},
    )
    agent.user(
        "CI complains, please fix. And make the numbers configurable, one variable: "
        "SHORTLINKS_LIMITS='login=5/10,links=30/60'. Wrong values must stop the start."
    )
    agent.say(
        "",
        read("app/config.py"),
        bash(
            "ruff check app tests",
            "app/config.py:1:1: I001 [*] Import block is un-sorted or un-formatted\nFound 1 error.",
            code=1,
        ),
    )
    agent.say(
        "The import is easy. For the numbers I write a parser next to the rules, with the name of the wrong part in "
        "the error.",
        edit(
            "app/limits.py",
            (
                "class TokenBucket:\n",
                "def parse_rules(text: str) -> dict[tuple[str, str], Rule]:\n"
                '    """Read `name=per_minute/burst,…`; names that are missing keep their defaults."""\n'
                '    given = {}\n    for part in filter(None, (item.strip() for item in text.split(","))):\n'
                '        name, _, numbers = part.partition("=")\n        per_minute, _, burst = '
                'numbers.partition("/")\n'
                "        try:\n            given[name] = Rule(name, float(per_minute) / 60, float(burst))\n"
                '        except ValueError:\n            raise ValueError(f"SHORTLINKS_LIMITS: {part!r} is not '
                'name=per_minute/burst") from None\n'
                "    unknown = set(given) - {rule.name for rule in RULES.values()}\n"
                '    if unknown:\n        raise ValueError(f"SHORTLINKS_LIMITS: unknown {sorted(unknown)}")\n'
                "    return {route: given.get(rule.name, rule) for route, rule in RULES.items()}\n\n\nclass "
                "TokenBucket:\n",
            ),
        ),
        edit(
            "app/config.py",
            ("    slug_length: int = 7\n", '    slug_length: int = 7\n    limits: str = ""\n'),
            (
                "            admin_token=env.get(",
                '            limits=env.get("SHORTLINKS_LIMITS", cls.limits),\n            admin_token=env.get(',
            ),
        ),
        edit(
            "app/main.py",
            ("rules=RULES", "rules=parse_rules(settings.limits)"),
            ("import RULES, TokenBucket", "import TokenBucket, parse_rules"),
        ),
        bash(
            "ruff check --fix app tests && pytest -q",
            "Found 1 error (1 fixed, 0 remaining).\n"
            "........................................................................ [ 56%]\n"
            ".......................................................                  [100%]\n127 passed in 7.08s",
        ),
    )
    for value, answer in (
        ("login=5", "ValueError: SHORTLINKS_LIMITS: 'login=5' is not name=per_minute/burst"),
        ("login=5/10,logn=3/4", "ValueError: SHORTLINKS_LIMITS: unknown ['logn']"),
        ("login=0/10", "started (pid 41882)"),
    ):
        agent.say(
            "A rate of 0 starts, and then `_wait` divides by zero at the first refusal. That must be an error, too."
            if "0/10" in value
            else "",
            bash(f"SHORTLINKS_LIMITS='{value}' timeout 3 uvicorn app.main:app 2>&1 | tail -1", answer, seconds=1.8),
        )
    agent.say(
        "",
        edit(
            "app/limits.py",
            (
                "            given[name] = Rule(name, float(per_minute) / 60, float(burst))\n",
                "            given[name] = Rule(name, float(per_minute) / 60, float(burst))\n            if not "
                "(given[name].rate > 0 and given[name].burst >= 1):\n                raise ValueError\n",
            ),
        ),
        bash(
            "SHORTLINKS_LIMITS='login=0/10' timeout 3 uvicorn app.main:app 2>&1 | tail -1",
            "ValueError: SHORTLINKS_LIMITS: 'login=0/10' is not name=per_minute/burst",
            seconds=1.2,
        ),
        read("app/limits.py"),
    )
    agent.say(
        "The numbers are configurable; wrong text, unknown names, a rate of 0 and a burst below 1 stop the start "
        "with the part that is wrong."
    )
    agent.bash(
        "git add -A && git commit -qm 'Limits per account, numbers from the environment' && git status --short", ""
    )
    agent.mark("settings")


def sqlite(agent: Agent) -> None:
    """A branch that tries SQLite and is left."""
    # long because: a part of the story told in order
    agent.bash("env | grep -i shortlinks", "SHORTLINKS_DB=/tmp/dev.db\nSHORTLINKS_ADMIN_TOKEN=dev-only\n", hidden=True)
    agent.user(
        "Now share the state between the four workers. Still no new dependencies: try SQLite, in a file of its own "
        "so that migrations/ stays as it is."
    )
    agent.say(
        "A file under /run, which is in memory on the machine, WAL, one transaction for each decision.",
        write("app/limits_sqlite.py", SQLITE),
        think="BEGIN IMMEDIATE serializes writers over all workers. With 400/s and about 0.1 ms each it may work; "
        "busy waits will hurt the tail.",
    )
    agent.say(
        "",
        bash(
            "pytest -q tests/test_limits.py --backend sqlite",
            "......F..                                                                [100%]\nE   AssertionError: "
            "assert 3 == 1  (test_full_buckets_are_forgotten)\n1 failed, 8 passed in 0.44s",
            code=1,
        ),
    )
    agent.say(
        "Nothing is ever forgotten. I delete full buckets once a minute from the worker that gets there first.",
        edit(
            "app/limits_sqlite.py",
            (
                "        now = self._clock.now()\n        self._db",
                "        now = self._clock.now()\n        self._forget_full_ones(now)\n        self._db",
            ),
            (
                "    def take(",
                "    def _forget_full_ones(self, now: float) -> None:\n        if now - self._swept < 60:\n          "
                '  return\n        self._swept = now\n        self._db.execute("DELETE FROM buckets WHERE last < ?", '
                "(now - 720,))\n\n    def take(",
            ),
            ("        self._clock = clock\n", "        self._clock = clock\n        self._swept = clock.now()\n"),
        ),
        bash(
            "pytest -q tests/test_limits.py --backend sqlite",
            ".........                                                                [100%]\n9 passed in 0.47s",
        ),
    )
    agent.say(
        "Now under load, four workers on one file.",
        bash(
            "SHORTLINKS_BACKEND=sqlite tools/load.sh --seconds 180",
            listings.load_test(
                21, 100, 11, p99=384, title="limits in SQLite (/run/shortlinks/limits.db), 4 workers, 400/s"
            ),
            seconds=184,
            timeout=240,
        ),
    )
    agent.say(
        "",
        bash(
            "grep -c 'database is locked' /tmp/shortlinks-load.log; grep 'database is locked' "
            "/tmp/shortlinks-load.log | head -3",
            "560\nsqlite3.OperationalError: database is locked (app/limits_sqlite.py:41, BEGIN IMMEDIATE)\n"
            "sqlite3.OperationalError: database is locked (app/limits_sqlite.py:41, BEGIN IMMEDIATE)\n"
            "sqlite3.OperationalError: database is locked (app/limits_sqlite.py:41, BEGIN IMMEDIATE)",
        ),
    )
    agent.say("", bash("tail -440 /tmp/shortlinks-load.log", listings.access_log(22, 440, limited=True)))
    agent.say(
        "It limits exactly, but it costs too much: p99 is 38 ms instead of 12 ms, and 560 of 72,000 decisions failed "
        "with `database is "
        "locked` after 50 ms. A longer timeout would trade errors for waiting. I would not put this in front of "
        "every redirect."
    )
    agent.mark("sqlite")
    agent.leave("settings", _BRANCH)
    agent.workspace.files.pop("app/limits_sqlite.py")
    agent.bash("rm app/limits_sqlite.py && git status --short", "")


def _loops(agent: Agent, path: str) -> str:
    """Return what `grep -n 'range('` prints for a file."""
    lines = enumerate(agent.workspace.files[path].split("\n"), 1)
    return "\n".join(f"{number}:{line}" for number, line in lines if "range(" in line)


def redis(agent: Agent) -> None:
    """The decision for Redis, the script, and its first run."""
    # long because: a part of the story told in order
    agent.user(
        "38 ms is too much, agreed. Redis already runs on the machine for the job queue. A new dependency is fine "
        "for this: the redis "
        "client, nothing else. Use db 1, not 0. One round trip per decision."
    )
    agent.say(
        "One Lua script does it in one round trip, with the clock of Redis, so that workers agree.",
        read("docs/operations.md"),
        bash(
            "redis-cli info server memory | grep -E 'redis_version|maxmemory|used_memory_human'; redis-cli config "
            "get maxmemory-policy",
            "redis_version:7.0.15\nused_memory_human:11.42M\nmaxmemory:67108864\nmaxmemory_policy:noeviction\n1) "
            '"maxmemory-policy"\n2) "noeviction"',
        ),
        think="64 MB, noeviction: if buckets fill it, the job queue breaks. Each bucket about 120 bytes plus key; "
        "EXPIRE after it is full again. "
        "50,000 keys is about 8 MB. Tell the person.",
    )
    agent.say(
        "",
        bash(
            "pip install 'redis>=5,<6' && pip list | grep -i redis",
            "Successfully installed redis-5.2.1\nredis              5.2.1",
            seconds=3.1,
        ),
        write("app/limits_redis.py", REDIS),
        write("tests/test_limits_redis.py", REDIS_TESTS),
        bash("pytest -v tests/test_limits_redis.py", listings.pytest_short("limits_redis", REDIS_CASES)),
    )
    agent.say(
        "What does Redis see while four workers run?",
        bash("timeout 4 redis-cli -n 1 monitor | head -210", listings.redis_monitor(31, 380), seconds=4),
    )
    agent.say(
        "One EVALSHA for each decision, as wanted. Each bucket expires when it would be full anyway. One thing to "
        "know: Redis has 64 MB and "
        "`noeviction`, so a flood of keys could stop the job queue. 50,000 buckets are about 8 MB; an attacker needs "
        "350,000 addresses.",
        bash(
            "SHORTLINKS_BACKEND=redis tools/load.sh --seconds 180",
            listings.load_test(32, 180, 11, p99=131, title="limits in Redis (db 1), 4 workers, 400/s"),
            seconds=184,
            timeout=240,
        ),
    )
    agent.say("", bash("curl -s localhost:8003/metrics", listings.metrics(33, backend="redis")))
    agent.say("p99 is 13 ms, no errors, and exactly 10 tries per address over all four workers. I would take this one.")
    agent.user(
        "Take it. Before you go on: go through the tests of the routes and tell me which of them would break when "
        "limits are on by default."
    )
    for module, finding in (
        ("links", "`listing_pages` creates 120 links at once: above the burst of 60, it would break."),
        ("redirect", "`counts_by_day` opens one link 300 times: above 240, it would break."),
        ("auth", "`unknown_address_takes_as_long` logs in 40 times: it would break."),
        ("stats", "Nothing above the limits here."),
        ("store", "No requests at all."),
    ):
        agent.say("", read(f"tests/test_{module}.py"))
        agent.say(
            finding,
            bash(f"grep -n 'range(' tests/test_{module}.py || true", _loops(agent, f"tests/test_{module}.py")),
        )
    agent.say(
        "Three tests would break: `test_listing_pages`, `test_counts_by_day` and "
        "`test_unknown_address_takes_as_long`. I suggest that the fixture "
        "`client` switches limits off, and that a second fixture `limited_client` has them on."
    )
    agent.user("Good, do that later together with the rest. I compact now.", after=50)
    agent.say(
        "All right. The to-do for the next part: fixture `limited_client`, fallback when Redis is away, both "
        "backends in the tests, documents."
    )
    agent.builder.label(agent.marks["settings"], "before sharing")
    agent.compact(_SUMMARY, prompt.system_message())


def play(agent: Agent) -> None:
    """Play the second part."""
    accounts(agent)
    settings(agent)
    sqlite(agent)
    redis(agent)


_BRANCH = """On another branch of this conversation, left before this point, the following was done.

## Goal
Share the token buckets between the four workers without a new dependency, in a SQLite file of their own.

## Constraints & Preferences
- No new dependencies; `migrations/` stays as it is

## Progress
### Done
- [x] `app/limits_sqlite.py`: `SqliteBucket`, one `BEGIN IMMEDIATE` per decision, old buckets swept once a minute
- [x] The 9 tests of the bucket pass with it

### Blocked
- 560 of 72,000 decisions failed with `sqlite3.OperationalError: database is locked` at 400/s

## Key Decisions
- **Not SQLite**: p99 38 ms instead of 12 ms; a longer busy_timeout only trades errors for waiting

## Next Steps
1. Look for a store that is made for this"""

_SUMMARY = """## Goal
Protect shortlinks (FastAPI, SQLite, four uvicorn workers behind nginx) from floods by rate limiting, with limits
that are shared by the workers.

## Constraints & Preferences
- Do not touch `migrations/`
- No new dependencies for now
- 429 with `Retry-After`; normal people must not notice; rules in one table
- No token in a log or a key

## Progress
### Done
- [x] `app/limits.py` (`TokenBucket`, `RULES`, `ADDRESS`, `parse_rules`), `app/gate.py`, `app/keys.py`
- [x] `SHORTLINKS_LIMITS` in `app/config.py`; wrong values stop the start
- [x] Requests with a token take from the account's bucket and from one of the address (600/min, burst 900)
- [x] `docs/api.md` and `docs/operations.md` describe the limits
- [x] Sharing through SQLite tried and left

### In Progress
- [ ] Sharing the buckets between the workers

### Blocked
- (none)

## Key Decisions
- **Token bucket instead of fixed window**: the window lets double bursts through at the edge
- **Not SQLite**: p99 38 ms and `database is locked`
- **Hash of the token as key**: no query before the limit; two logins have two buckets, accepted

## Next Steps
1. Find a store for the shared buckets

## Critical Context
- Load test at 400/s: p99 fell from about 2.1 s to 12 ms with the limiter in memory

---

**Turn Context (split turn):**

## Original Request
Use the Redis that already runs on the machine. The redis client is allowed as a dependency, nothing else. Use db 1,
not 0, and one round trip per decision.

## Progress So Far
- redis 5.2.1 installed; `app/limits_redis.py` with one Lua script, `tests/test_limits_redis.py` passes
- `redis-cli monitor` was started to see what four workers send

## Context Needed to Continue
- Redis has 64 MB and `noeviction`; a flood of keys could stop the job queue"""
