"""The small web service that the rich demo works on, as it is before the session begins.

The texts are data, which is why this module is long. `shortlinks` is made up; it turns long addresses into short ones.
"""

# long because: it is a story told in order, data and no logic

from __future__ import annotations

from pitree.lessons.rich import listings

_AGENTS = """\
# Rules for this repository

- Python 3.11. Run `pytest -q` and `ruff check` before you say that something is done.
- Never edit a file in `migrations/`: they have run in production.
- Handlers stay thin. Logic goes into a module of its own with tests that do not need a server.
- Every clock is injected (`app/clock.py`). No `time.sleep` in tests.
- Errors leave the service as JSON: `{"error": {"code": …, "message": …}}`.
"""

_README = """\
# shortlinks

Turns long addresses into short ones and counts how often they are opened.

| path             | what                                      |
|------------------|-------------------------------------------|
| `app/main.py`    | builds the application                    |
| `app/routes/`    | one module for each group of addresses    |
| `app/auth.py`    | accounts, passwords, tokens               |
| `app/store.py`   | SQLite, one connection for each worker    |
| `migrations/`    | numbered SQL files, applied once          |
| `docs/`          | the interface and how the service is run  |

    pip install -e '.[dev]'
    pytest -q
    uvicorn app.main:app --reload

In production four uvicorn workers run behind nginx on one machine.
"""

_MAIN = '''\
"""Builds the application. Everything a handler needs hangs on `app.state`."""
from contextlib import asynccontextmanager

from fastapi import FastAPI

from app.auth import Auth
from app.clock import SystemClock
from app.config import Settings
from app.errors import install_error_handlers
from app.middleware import RequestIdMiddleware, TimingMiddleware
from app.routes import admin, links, login, redirect, stats
from app.store import Store


def create_app(settings: Settings | None = None, clock=None) -> FastAPI:
    settings = settings or Settings.from_env()
    clock = clock or SystemClock()

    @asynccontextmanager
    async def lifespan(app: FastAPI):
        app.state.store = Store(settings.database)
        app.state.auth = Auth(app.state.store, clock, settings.token_hours)
        yield
        app.state.store.close()

    app = FastAPI(title="shortlinks", lifespan=lifespan)
    app.state.settings = settings
    app.state.clock = clock

    app.add_middleware(TimingMiddleware, clock=clock)
    app.add_middleware(RequestIdMiddleware)
    install_error_handlers(app)

    app.include_router(login.router)
    app.include_router(links.router)
    app.include_router(redirect.router)
    app.include_router(stats.router)
    app.include_router(admin.router, prefix="/admin")
    return app


app = create_app()
'''

_CONFIG = '''\
"""Settings, read once from the environment."""
import os
from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    database: str = "shortlinks.db"
    base_url: str = "http://localhost:8000"
    token_hours: int = 12
    admin_token: str = ""
    slug_length: int = 7
    trusted_proxies: tuple[str, ...] = ("127.0.0.1",)

    @classmethod
    def from_env(cls) -> "Settings":
        env = os.environ
        return cls(
            database=env.get("SHORTLINKS_DB", cls.database),
            base_url=env.get("SHORTLINKS_BASE_URL", cls.base_url).rstrip("/"),
            token_hours=int(env.get("SHORTLINKS_TOKEN_HOURS", cls.token_hours)),
            admin_token=env.get("SHORTLINKS_ADMIN_TOKEN", cls.admin_token),
            slug_length=int(env.get("SHORTLINKS_SLUG_LENGTH", cls.slug_length)),
            trusted_proxies=tuple(
                part.strip()
                for part in env.get("SHORTLINKS_TRUSTED_PROXIES", "127.0.0.1").split(",")
                if part.strip()
            ),
        )
'''

_CLOCK = '''\
"""Clocks: the real one, and one that tests move by hand."""
import time
from datetime import datetime, timezone


class SystemClock:
    def now(self) -> float:
        """Seconds that never go backwards."""
        return time.monotonic()

    def wall(self) -> datetime:
        return datetime.now(timezone.utc)


class ManualClock:
    def __init__(self, start: float = 0.0) -> None:
        self._now = start
        self._wall = datetime(2026, 1, 1, tzinfo=timezone.utc)

    def now(self) -> float:
        return self._now

    def wall(self) -> datetime:
        return self._wall

    def advance(self, seconds: float) -> None:
        if seconds < 0:
            raise ValueError("time cannot go backwards")
        self._now += seconds
'''

_AUTH = '''\
"""Accounts, passwords and tokens."""
import hashlib
import hmac
import secrets
from dataclasses import dataclass
from datetime import timedelta

from app.errors import ApiError

SCRYPT = {"n": 2**14, "r": 8, "p": 1}


@dataclass(frozen=True)
class Account:
    id: int
    email: str
    is_admin: bool = False


def hash_password(password: str, salt: bytes | None = None) -> str:
    salt = salt or secrets.token_bytes(16)
    digest = hashlib.scrypt(password.encode(), salt=salt, **SCRYPT)
    return f"{salt.hex()}${digest.hex()}"


def verify_password(password: str, stored: str) -> bool:
    salt, _, digest = stored.partition("$")
    found = hashlib.scrypt(password.encode(), salt=bytes.fromhex(salt), **SCRYPT)
    return hmac.compare_digest(found.hex(), digest)


class Auth:
    def __init__(self, store, clock, token_hours: int) -> None:
        self._store = store
        self._clock = clock
        self._life = timedelta(hours=token_hours)

    def register(self, email: str, password: str) -> Account:
        if len(password) < 10:
            raise ApiError(422, "password_too_short", "The password needs at least 10 characters.")
        return self._store.add_account(email.lower(), hash_password(password))

    def login(self, email: str, password: str) -> str:
        """Return a new token, or raise 401. Takes about 60 ms because of scrypt, also for unknown addresses."""
        row = self._store.account_by_email(email.lower())
        stored = row["password"] if row else hash_password("does not matter", b"0" * 16)
        if not verify_password(password, stored) or row is None:
            raise ApiError(401, "bad_credentials", "The address or the password is wrong.")
        token = secrets.token_urlsafe(32)
        self._store.add_token(token, row["id"], self._clock.wall() + self._life)
        return token

    def account_of(self, token: str) -> Account:
        row = self._store.account_by_token(token, self._clock.wall())
        if row is None:
            raise ApiError(401, "bad_token", "The token is unknown or has expired.")
        return Account(row["id"], row["email"], bool(row["is_admin"]))
'''

_ERRORS = '''\
"""Errors as the interface promises them."""
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse


class ApiError(Exception):
    def __init__(self, status: int, code: str, message: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.headers = headers or {}

    def response(self) -> JSONResponse:
        body = {"error": {"code": self.code, "message": self.message}}
        return JSONResponse(body, self.status, self.headers)


def install_error_handlers(app: FastAPI) -> None:
    @app.exception_handler(ApiError)
    async def api_error(request: Request, error: ApiError) -> JSONResponse:
        return error.response()

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        return ApiError(422, "invalid", str(error.errors()[0]["msg"])).response()
'''

_MIDDLEWARE = '''\
"""What happens around every request."""
import logging
import secrets

from starlette.types import ASGIApp, Message, Receive, Scope, Send

log = logging.getLogger("shortlinks.access")


class RequestIdMiddleware:
    """Gives every request an id, taken from nginx when there is one."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        headers = dict(scope["headers"])
        request_id = headers.get(b"x-request-id", secrets.token_hex(6).encode())
        scope["request_id"] = request_id.decode("ascii", "replace")

        async def with_id(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"].append((b"x-request-id", request_id))
            await send(message)

        await self.app(scope, receive, with_id)


class TimingMiddleware:
    """Writes one access line for every request."""

    def __init__(self, app: ASGIApp, clock) -> None:
        self.app = app
        self.clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        started = self.clock.now()
        status = 500

        async def watch(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, watch)
        finally:
            took = (self.clock.now() - started) * 1000
            log.info("%s %s %s %d %.1fms", client_of(scope), scope["method"], scope["path"], status, took)


def client_of(scope: Scope) -> str:
    client = scope.get("client")
    return client[0] if client else "-"
'''

_STORE = '''\
"""SQLite. One connection for each worker, WAL mode, short transactions."""
import sqlite3
from datetime import datetime


class Store:
    def __init__(self, path: str) -> None:
        self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._db.row_factory = sqlite3.Row
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA busy_timeout = 250")

    def close(self) -> None:
        self._db.close()

    def add_account(self, email: str, password: str):
        cursor = self._db.execute("INSERT INTO accounts (email, password) VALUES (?, ?)", (email, password))
        return self._db.execute("SELECT * FROM accounts WHERE id = ?", (cursor.lastrowid,)).fetchone()

    def account_by_email(self, email: str):
        return self._db.execute("SELECT * FROM accounts WHERE email = ?", (email,)).fetchone()

    def add_token(self, token: str, account_id: int, expires: datetime) -> None:
        self._db.execute("INSERT INTO tokens VALUES (?, ?, ?)", (token, account_id, expires.isoformat()))

    def account_by_token(self, token: str, now: datetime):
        return self._db.execute(
            "SELECT a.* FROM accounts a JOIN tokens t ON t.account_id = a.id WHERE t.token = ? AND t.expires > ?",
            (token, now.isoformat()),
        ).fetchone()

    def add_link(self, slug: str, url: str, account_id: int) -> None:
        self._db.execute("INSERT INTO links (slug, url, account_id) VALUES (?, ?, ?)", (slug, url, account_id))

    def link(self, slug: str):
        return self._db.execute("SELECT * FROM links WHERE slug = ?", (slug,)).fetchone()

    def links_of(self, account_id: int, after: int, limit: int):
        return self._db.execute(
            "SELECT * FROM links WHERE account_id = ? AND id > ? ORDER BY id LIMIT ?", (account_id, after, limit)
        ).fetchall()

    def count_hit(self, slug: str, day: str) -> None:
        self._db.execute(
            "INSERT INTO hits VALUES (?, ?, 1) ON CONFLICT (slug, day) DO UPDATE SET count = count + 1", (slug, day)
        )

    def hits(self, slug: str):
        return self._db.execute("SELECT day, count FROM hits WHERE slug = ? ORDER BY day", (slug,)).fetchall()
'''

_LOGIN = '''\
"""POST /login and POST /register."""
from fastapi import APIRouter, Request
from pydantic import BaseModel

router = APIRouter()


class Credentials(BaseModel):
    email: str
    password: str


@router.post("/register", status_code=201)
async def register(body: Credentials, request: Request) -> dict:
    account = request.app.state.auth.register(body.email, body.password)
    return {"id": account["id"], "email": account["email"]}


@router.post("/login")
async def login(body: Credentials, request: Request) -> dict:
    token = request.app.state.auth.login(body.email, body.password)
    return {"token": token}
'''

_LINKS = '''\
"""POST /links and GET /links."""
import secrets
import string

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, HttpUrl

from app.auth import Account
from app.errors import ApiError
from app.routes.deps import current_account

router = APIRouter()
ALPHABET = string.ascii_letters + string.digits


class NewLink(BaseModel):
    url: HttpUrl
    slug: str | None = None


@router.post("/links", status_code=201)
async def create(body: NewLink, request: Request, account: Account = Depends(current_account)) -> dict:
    state = request.app.state
    slug = body.slug or "".join(secrets.choice(ALPHABET) for _ in range(state.settings.slug_length))
    if state.store.link(slug) is not None:
        raise ApiError(409, "slug_taken", f"There is already a link called {slug}.")
    state.store.add_link(slug, str(body.url), account.id)
    return {"slug": slug, "short": f"{state.settings.base_url}/{slug}", "url": str(body.url)}


@router.get("/links")
async def listing(
    request: Request, after: int = 0, limit: int = 50, account: Account = Depends(current_account)
) -> dict:
    rows = request.app.state.store.links_of(account.id, after, min(limit, 200))
    return {"links": [dict(row) for row in rows], "next": rows[-1]["id"] if rows else None}
'''

_REDIRECT = '''\
"""GET /{slug}: the address everybody opens."""
from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse

from app.errors import ApiError

router = APIRouter()


@router.get("/{slug}")
async def follow(slug: str, request: Request) -> RedirectResponse:
    state = request.app.state
    row = state.store.link(slug)
    if row is None:
        raise ApiError(404, "no_such_link", "There is no such link.")
    state.store.count_hit(slug, state.clock.wall().date().isoformat())
    return RedirectResponse(row["url"], 302)
'''

_STATS = '''\
"""GET /links/{slug}/stats."""
from fastapi import APIRouter, Depends, Request

from app.auth import Account
from app.errors import ApiError
from app.routes.deps import current_account

router = APIRouter()


@router.get("/links/{slug}/stats")
async def stats(slug: str, request: Request, account: Account = Depends(current_account)) -> dict:
    row = request.app.state.store.link(slug)
    if row is None or row["account_id"] != account.id:
        raise ApiError(404, "no_such_link", "There is no such link.")
    return {"slug": slug, "days": [dict(hit) for hit in request.app.state.store.hits(slug)]}
'''

_ADMIN = '''\
"""What only the operator may ask for."""
import hmac

from fastapi import APIRouter, Depends, Request

from app.errors import ApiError

router = APIRouter()


async def operator(request: Request) -> None:
    wanted = request.app.state.settings.admin_token
    given = request.headers.get("x-admin-token", "")
    if not wanted or not hmac.compare_digest(wanted, given):
        raise ApiError(403, "forbidden", "This is for the operator.")


@router.get("/health", dependencies=[Depends(operator)])
async def health(request: Request) -> dict:
    return {"database": request.app.state.settings.database, "uptime": request.app.state.clock.now()}
'''

_DEPS = '''\
"""What handlers ask for by `Depends`."""
from fastapi import Request

from app.auth import Account
from app.errors import ApiError


async def current_account(request: Request) -> Account:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise ApiError(401, "no_token", "Send the header Authorization: Bearer <token>.")
    return request.app.state.auth.account_of(token)
'''

_CONFTEST = """\
import pathlib
import sqlite3

import pytest
from fastapi.testclient import TestClient

from app.clock import ManualClock
from app.config import Settings
from app.main import create_app

MIGRATIONS = sorted(pathlib.Path("migrations").glob("*.sql"))


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(1000.0)


@pytest.fixture
def settings(tmp_path) -> Settings:
    path = str(tmp_path / "test.db")
    with sqlite3.connect(path) as db:
        for migration in MIGRATIONS:
            db.executescript(migration.read_text())
    return Settings(database=path, base_url="http://s.test", admin_token="operator")


@pytest.fixture
def client(settings, clock):
    with TestClient(create_app(settings, clock)) as client:
        yield client


@pytest.fixture
def token(client) -> str:
    client.post("/register", json={"email": "a@example.org", "password": "correct horse"})
    return client.post("/login", json={"email": "a@example.org", "password": "correct horse"}).json()["token"]
"""

_NGINX = """\
upstream shortlinks {
    server 127.0.0.1:8001;
    server 127.0.0.1:8002;
    server 127.0.0.1:8003;
    server 127.0.0.1:8004;
    keepalive 32;
}

server {
    listen 443 ssl;
    server_name s.example.org;

    location / {
        proxy_pass http://shortlinks;
        proxy_http_version 1.1;
        proxy_set_header Host $host;
        proxy_set_header X-Request-Id $request_id;
        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
        proxy_read_timeout 10s;
    }
}
"""

_MIGRATION = """\
-- Applied in production on 2025-11-18. Do not edit.
CREATE TABLE hits (
    slug  TEXT NOT NULL,
    day   TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (slug, day)
) WITHOUT ROWID;
"""


def files() -> dict[str, str]:
    """Return the files of the service by path."""
    return {
        "AGENTS.md": _AGENTS,
        "README.md": _README,
        "app/main.py": _MAIN,
        "app/config.py": _CONFIG,
        "app/clock.py": _CLOCK,
        "app/auth.py": _AUTH,
        "app/errors.py": _ERRORS,
        "app/middleware.py": _MIDDLEWARE,
        "app/store.py": _STORE,
        "app/routes/login.py": _LOGIN,
        "app/routes/links.py": _LINKS,
        "app/routes/redirect.py": _REDIRECT,
        "app/routes/stats.py": _STATS,
        "app/routes/admin.py": _ADMIN,
        "app/routes/deps.py": _DEPS,
        "tests/conftest.py": _CONFTEST,
        **{f"tests/test_{module}.py": listings.suite_file(module) for module in listings.MODULES},
        "deploy/nginx.conf": _NGINX,
        "migrations/0007_hits.sql": _MIGRATION,
        "docs/api.md": listings.api_document(),
        "docs/operations.md": listings.operations_document(),
    }


def instructions() -> str:
    """Return the project rules that pi puts into the system message."""
    return _AGENTS.strip()
