"""The code that the model writes in the rich demo: data, not part of pitree, and therefore long."""

# long because: it is a story told in order, data and no logic

from __future__ import annotations

WINDOW = '''\
"""How many requests a key may make in a minute."""


class FixedWindow:
    def __init__(self, limit: int, clock) -> None:
        self.limit = limit
        self._clock = clock
        self._counts: dict[tuple[str, int], int] = {}

    def allow(self, key: str) -> bool:
        slot = (key, int(self._clock.now() // 60))
        self._counts[slot] = self._counts.get(slot, 0) + 1
        return self._counts[slot] <= self.limit
'''

WINDOW_TESTS = """\
from app.limits import FixedWindow


def test_limit(clock):
    window = FixedWindow(10, clock)
    assert sum(window.allow("a") for _ in range(15)) == 10


def test_next_minute(clock):
    window = FixedWindow(10, clock)
    for _ in range(10):
        window.allow("a")
    clock.advance(60)
    assert window.allow("a")


def test_no_double_burst_at_the_edge(clock):
    window = FixedWindow(10, clock)
    clock.advance(60 - clock.now() % 60 - 0.5)
    first = sum(window.allow("a") for _ in range(10))
    clock.advance(1.0)
    second = sum(window.allow("a") for _ in range(10))
    assert first + second <= 11
"""

BUCKET = '''\
"""How often somebody may ask: token buckets, without any web in them."""
import threading
from dataclasses import dataclass


@dataclass(frozen=True)
class Rule:
    """`rate` tokens per second up to `burst`; every request takes one."""

    name: str
    rate: float
    burst: float


@dataclass(frozen=True)
class Decision:
    allowed: bool
    remaining: int
    retry_after: int = 0


@dataclass
class State:
    tokens: float
    last: float


RULES = {
    ("POST", "/login"): Rule("login", 5 / 60, 10),
    ("POST", "/links"): Rule("links", 30 / 60, 60),
    ("GET", "/{slug}"): Rule("redirect", 120 / 60, 240),
}


class TokenBucket:
    """Buckets by key. A key that was never seen, or not for long, has a full one."""

    def __init__(self, clock, max_keys: int = 50_000) -> None:
        self._clock = clock
        self._max_keys = max_keys
        self._states: dict[tuple[str, str], State] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._states)

    def take(self, rule: Rule, key: str) -> Decision:
        """Take one token, or say how many whole seconds to wait for it."""
        with self._lock:
            state = self._refilled(rule, key)
            if state.tokens < 1:
                return Decision(False, 0, self._wait(rule, 1 - state.tokens))
            state.tokens -= 1
            return Decision(True, int(state.tokens))

    def _refilled(self, rule: Rule, key: str) -> State:
        now = self._clock.now()
        state = self._states.get((rule.name, key))
        if state is None:
            self._forget_full_ones(now)
            state = self._states[rule.name, key] = State(rule.burst, now)
        elapsed = max(0.0, now - state.last)
        tokens = state.tokens + elapsed * rule.rate
        state.tokens, state.last = tokens, now
        return state

    def _wait(self, rule: Rule, missing: float) -> int:
        return int(missing / rule.rate)

    def _forget_full_ones(self, now: float) -> None:
        if len(self._states) < self._max_keys:
            return
        rules = {rule.name: rule for rule in RULES.values()}
        for (name, key), state in list(self._states.items()):
            rule = rules.get(name)
            if rule is None or state.tokens + (now - state.last) * rule.rate >= rule.burst:
                del self._states[name, key]
'''

BUCKET_CASES = [
    "burst_then_refuse", "refill", "never_more_than_the_burst", "retry_after_is_rounded_up", "keys_are_apart",
    "rules_are_apart", "full_buckets_are_forgotten", "clock_that_stands_still", "rules_cover_the_routes",
]  # fmt: skip

BUCKET_TESTS = """\
import pytest

from app.clock import ManualClock
from app.limits import RULES, Rule, TokenBucket

LOGIN = Rule("login", 5 / 60, 10)


@pytest.fixture
def bucket(clock):
    return TokenBucket(clock)


def test_burst_then_refuse(bucket):
    assert sum(bucket.take(LOGIN, "a").allowed for _ in range(15)) == 10


def test_refill(bucket, clock):
    for _ in range(10):
        bucket.take(LOGIN, "a")
    clock.advance(12)
    assert bucket.take(LOGIN, "a").allowed
    assert not bucket.take(LOGIN, "a").allowed


def test_never_more_than_the_burst(bucket, clock):
    bucket.take(LOGIN, "a")
    clock.advance(3600)
    assert bucket.take(LOGIN, "a").remaining == 9


def test_retry_after_is_rounded_up(bucket, clock):
    for _ in range(10):
        bucket.take(LOGIN, "a")
    clock.advance(0.5)
    decision = bucket.take(LOGIN, "a")
    assert decision.retry_after == 12
    clock.advance(decision.retry_after)
    assert bucket.take(LOGIN, "a").allowed


def test_keys_are_apart(bucket):
    for _ in range(10):
        bucket.take(LOGIN, "a")
    assert bucket.take(LOGIN, "b").remaining == 9


def test_rules_are_apart(bucket):
    for _ in range(10):
        bucket.take(LOGIN, "a")
    assert bucket.take(Rule("links", 0.5, 60), "a").allowed


def test_full_buckets_are_forgotten(clock):
    bucket = TokenBucket(clock, max_keys=2)
    for key in "ab":
        bucket.take(LOGIN, key)
    clock.advance(600)
    bucket.take(LOGIN, "c")
    assert len(bucket) == 1


def test_clock_that_stands_still(bucket):
    first = bucket.take(LOGIN, "a")
    assert bucket.take(LOGIN, "a").remaining == first.remaining - 1


def test_rules_cover_the_routes():
    assert {rule.name for rule in RULES.values()} == {"login", "links", "redirect"}
"""

GATE = '''\
"""Asks the limiter before a request costs anything."""
import re

from starlette.types import ASGIApp, Receive, Scope, Send

from app.errors import ApiError
from app.middleware import client_of


class RateLimitMiddleware:
    def __init__(self, app: ASGIApp, bucket, rules) -> None:
        self.app = app
        self.bucket = bucket
        self.rules = rules
        self._routes = [(method, _pattern(path), rule) for (method, path), rule in rules.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        rule = self._rule(scope) if scope["type"] == "http" else None
        if rule is None:
            return await self.app(scope, receive, send)
        decision = self.bucket.take(rule, client_of(scope))
        if decision.allowed:
            return await self.app(scope, receive, send)
        wait = str(decision.retry_after)
        error = ApiError(429, "rate_limited", f"Too many requests. Try again in {wait} s.", {"retry-after": wait})
        await error.response()(scope, receive, send)

    def _rule(self, scope: Scope):
        for method, pattern, rule in self._routes:
            if scope["method"] == method and pattern.fullmatch(scope["path"]):
                return rule
        return None


def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\\\{\\w+\\\\}", "[^/]+", re.escape(path)))
'''

GATE_CASES = [
    "refusal_is_429_with_retry_after", "refusal_has_a_request_id", "other_routes_are_free",
    "two_clients_behind_the_proxy", "forged_header_is_not_believed", "refused_login_does_not_run_scrypt",
]  # fmt: skip

GATE_TESTS = """\
import pytest

BAD = {"email": "a@example.org", "password": "wrong horse"}


@pytest.fixture
def post(client):
    def send(address: str | None = None):
        headers = {"x-forwarded-for": address} if address else {}
        return client.post("/login", json=BAD, headers=headers)

    return send


def test_refusal_is_429_with_retry_after(post):
    for _ in range(10):
        assert post().status_code == 401
    refused = post()
    assert refused.status_code == 429
    assert refused.headers["retry-after"] == "12"
    assert refused.json()["error"]["code"] == "rate_limited"


def test_refusal_has_a_request_id(post):
    for _ in range(11):
        answer = post()
    assert answer.headers["x-request-id"]


def test_other_routes_are_free(client):
    assert {client.get("/admin/health").status_code for _ in range(500)} == {403}


def test_two_clients_behind_the_proxy(post):
    for _ in range(11):
        post("198.51.100.1")
    assert post("198.51.100.1").status_code == 429
    assert post("198.51.100.2").status_code == 401


def test_forged_header_is_not_believed(post):
    for number in range(11):
        answer = post(f"192.0.2.{number}, 198.51.100.1")
    assert answer.status_code == 429


def test_refused_login_does_not_run_scrypt(post, monkeypatch):
    for _ in range(10):
        post()
    monkeypatch.setattr("app.auth.verify_password", lambda *_: pytest.fail("scrypt ran"))
    assert post().status_code == 429
"""

KEYS = '''\
"""Who is asking: the account when there is a token, else the address."""
import hashlib

from starlette.types import Scope

from app.middleware import client_of


def key_of(scope: Scope, trusted: frozenset[str]) -> str:
    """`acct:…` for requests with a token, `ip:…` for all others. Tokens are hashed, they never become keys."""
    value = dict(scope["headers"]).get(b"authorization", b"").decode("ascii", "replace")
    scheme, _, token = value.partition(" ")
    if scheme.lower() == "bearer" and token:
        return "acct:" + hashlib.sha256(token.encode()).hexdigest()[:16]
    return "ip:" + client_of(scope, trusted)
'''

KEYS_CASES = ["address_without_token", "account_with_token", "token_is_not_in_the_key", "bad_scheme_is_an_address"]

KEYS_TESTS = """\
import pytest

from app.keys import key_of

TRUSTED = frozenset({"127.0.0.1"})


def scope(authorization: str | None = None, client: str = "192.0.2.9") -> dict:
    headers = [(b"authorization", authorization.encode())] if authorization else []
    return {"type": "http", "headers": headers, "client": (client, 40000)}


def test_address_without_token():
    assert key_of(scope(), TRUSTED) == "ip:192.0.2.9"


def test_account_with_token():
    assert key_of(scope("Bearer abc"), TRUSTED) == key_of(scope("bearer abc", "192.0.2.10"), TRUSTED)


def test_token_is_not_in_the_key():
    assert "abc" not in key_of(scope("Bearer abc"), TRUSTED)


@pytest.mark.parametrize("value", ["Basic abc", "Bearer", "Bearer  "])
def test_bad_scheme_is_an_address(value):
    assert key_of(scope(value), TRUSTED).startswith("ip:")
"""

SQLITE = '''\
"""Token buckets in a SQLite file of their own, shared by all workers."""
import math
import sqlite3

from app.limits import Decision, Rule

SCHEMA = """
CREATE TABLE IF NOT EXISTS buckets (
    name TEXT NOT NULL, key TEXT NOT NULL, tokens REAL NOT NULL, last REAL NOT NULL,
    PRIMARY KEY (name, key)
) WITHOUT ROWID
"""


class SqliteBucket:
    def __init__(self, path: str, clock) -> None:
        self._clock = clock
        self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = OFF")
        self._db.execute("PRAGMA busy_timeout = 50")
        self._db.execute(SCHEMA)

    def take(self, rule: Rule, key: str) -> Decision:
        now = self._clock.now()
        self._db.execute("BEGIN IMMEDIATE")
        try:
            row = self._db.execute(
                "SELECT tokens, last FROM buckets WHERE name = ? AND key = ?", (rule.name, key)
            ).fetchone()
            tokens, last = row or (rule.burst, now)
            tokens = min(rule.burst, tokens + max(0.0, now - last) * rule.rate)
            allowed = tokens >= 1
            tokens -= allowed
            self._db.execute(
                "INSERT INTO buckets VALUES (?, ?, ?, ?) "
                "ON CONFLICT (name, key) DO UPDATE SET tokens = excluded.tokens, last = excluded.last",
                (rule.name, key, tokens, now),
            )
        finally:
            self._db.execute("COMMIT")
        wait = 0 if allowed else math.ceil((1 - tokens) / rule.rate)
        return Decision(allowed, int(tokens), wait)
'''

REDIS = '''\
"""Token buckets in Redis, shared by all workers; one script, one round trip."""
import math

from app.limits import Decision, Rule

# KEYS[1] the bucket; ARGV rate per second, burst. Redis' own clock, so that workers agree.
TAKE = """
local now = redis.call('TIME')
now = now[1] + now[2] / 1000000
local state = redis.call('HMGET', KEYS[1], 'tokens', 'last')
local rate, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local tokens = tonumber(state[1]) or burst
local last = tonumber(state[2]) or now
tokens = math.min(burst, tokens + math.max(0, now - last) * rate)
local allowed = 0
if tokens >= 1 then
  tokens = tokens - 1
  allowed = 1
end
redis.call('HSET', KEYS[1], 'tokens', tostring(tokens), 'last', tostring(now))
redis.call('EXPIRE', KEYS[1], math.ceil(burst / rate) + 1)
return {allowed, tostring(tokens)}
"""


class RedisBucket:
    def __init__(self, client, prefix: str = "rl:") -> None:
        self._take = client.register_script(TAKE)
        self._prefix = prefix

    def take(self, rule: Rule, key: str) -> Decision:
        allowed, left = self._take(keys=[f"{self._prefix}{rule.name}:{key}"], args=[rule.rate, rule.burst])
        tokens = float(left)
        wait = 0 if allowed else math.ceil((1 - tokens) / rule.rate)
        return Decision(bool(allowed), int(tokens), wait)
'''

REDIS_CASES = [
    "burst_then_refuse", "refill", "two_workers_share_a_bucket", "keys_expire_when_full", "retry_after_is_rounded_up",
    "script_survives_a_restart",
]  # fmt: skip

REDIS_TESTS = """\
import pytest

from app.limits import Rule
from app.limits_redis import RedisBucket

redis = pytest.importorskip("redis")
FAST = Rule("test", 10.0, 5)


@pytest.fixture
def server():
    client = redis.Redis(db=15)
    try:
        client.ping()
    except redis.ConnectionError:
        pytest.skip("no Redis here")
    client.flushdb()
    yield client
    client.flushdb()


def test_burst_then_refuse(server):
    bucket = RedisBucket(server)
    assert sum(bucket.take(FAST, "a").allowed for _ in range(20)) in (5, 6)


def test_two_workers_share_a_bucket(server):
    first, second = RedisBucket(server), RedisBucket(redis.Redis(db=15))
    taken = sum(bucket.take(FAST, "a").allowed for bucket in (first, second) * 8)
    assert taken in (5, 6)


def test_keys_expire_when_full(server):
    RedisBucket(server).take(FAST, "a")
    assert 0 < server.ttl("rl:test:a") <= 2


def test_script_survives_a_restart(server):
    bucket = RedisBucket(server)
    bucket.take(FAST, "a")
    server.script_flush()
    assert bucket.take(FAST, "a").allowed
"""

FALLBACK = '''\
"""Redis when it answers, the worker's own memory when it does not."""
import logging

from redis.exceptions import RedisError

from app.limits import Decision, Rule

log = logging.getLogger("shortlinks.limits")


class FallbackBucket:
    """After a failure Redis is left alone for `pause` seconds: a dead server costs one timeout, not one each."""

    def __init__(self, shared, own, clock, pause: float = 5.0) -> None:
        self._shared = shared
        self._own = own
        self._clock = clock
        self._pause = pause
        self._closed_until = 0.0
        self.failures = 0

    @property
    def degraded(self) -> bool:
        return self._clock.now() < self._closed_until

    def take(self, rule: Rule, key: str) -> Decision:
        if not self.degraded:
            try:
                return self._shared.take(rule, key)
            except RedisError as error:
                self.failures += 1
                self._closed_until = self._clock.now() + self._pause
                log.warning("limits: Redis failed (%s), own memory for %.0f s", error, self._pause)
        return self._own.take(rule, key)
'''

FALLBACK_CASES = [
    "uses_redis",
    "falls_back",
    "waits_before_it_tries_again",
    "counts_failures",
    "other_errors_are_raised",
]

FALLBACK_TESTS = """\
import pytest
from redis.exceptions import ConnectionError

from app.fallback import FallbackBucket
from app.limits import Decision, Rule, TokenBucket

LOGIN = Rule("login", 5 / 60, 10)


class Broken:
    def __init__(self, error=ConnectionError("refused")):
        self.error = error
        self.asked = 0

    def take(self, rule, key):
        self.asked += 1
        raise self.error


def test_falls_back(clock):
    bucket = FallbackBucket(Broken(), TokenBucket(clock), clock)
    assert sum(bucket.take(LOGIN, "a").allowed for _ in range(12)) == 10


def test_waits_before_it_tries_again(clock):
    broken = Broken()
    bucket = FallbackBucket(broken, TokenBucket(clock), clock)
    for _ in range(4):
        bucket.take(LOGIN, "a")
    assert broken.asked == 1
    clock.advance(5)
    bucket.take(LOGIN, "a")
    assert broken.asked == 2


def test_other_errors_are_raised(clock):
    bucket = FallbackBucket(Broken(KeyError("bug")), TokenBucket(clock), clock)
    with pytest.raises(KeyError):
        bucket.take(LOGIN, "a")


def test_uses_redis(clock):
    class Shared:
        def take(self, rule, key):
            return Decision(True, 3)

    assert FallbackBucket(Shared(), None, clock).take(LOGIN, "a").remaining == 3
"""

BACKENDS = '''\
"""Where the buckets live."""
import redis

from app.config import Settings
from app.limits import TokenBucket
from app.limits_redis import RedisBucket

AUTO = object()


def make_backend(settings: Settings, clock):
    """The backend that the settings name; `memory` and `redis` exist."""
    if settings.backend == "memory":
        return TokenBucket(clock)
    if settings.backend == "redis":
        return RedisBucket(redis.Redis.from_url(settings.redis_url))
    raise ValueError(f"SHORTLINKS_BACKEND: unknown {settings.backend!r}")
'''

CLIENTS = '''\
"""Marks for test modules: with limits or without."""
import pytest

unlimited = pytest.mark.usefixtures("client")
limited = pytest.mark.usefixtures("limited_client")
'''
