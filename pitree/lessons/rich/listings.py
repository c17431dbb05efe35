"""Long outputs of the rich demo: documents, test runs, access logs, load tests, metrics.

They are worked out from short tables with a small generator of numbers, so that they are long and believable without
being stored, and the same every time.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

ROUTES = (
    ("POST", "/register", "Creates an account.", "email, password", "422 password_too_short, 409 email_taken"),
    ("POST", "/login", "Returns a token that is good for 12 hours.", "email, password", "401 bad_credentials"),
    ("POST", "/links", "Creates a short link.", "url, slug?", "401 bad_token, 409 slug_taken, 422 invalid"),
    ("GET", "/links", "Lists the links of the account, oldest first.", "after?, limit?", "401 bad_token"),
    ("GET", "/links/{slug}/stats", "Counts by day.", "-", "401 bad_token, 404 no_such_link"),
    ("GET", "/{slug}", "Redirects to the long address.", "-", "404 no_such_link"),
    ("GET", "/admin/health", "Says that the worker is alive.", "-", "403 forbidden"),
)
_CASES = {
    "admin": "health_needs_the_token health_says_uptime wrong_token_is_refused empty_token_is_never_right",
    "auth": "hash_has_a_salt verify_accepts_the_password verify_refuses_another unknown_address_takes_as_long "
    "token_expires_after_twelve_hours token_is_not_guessable short_password_is_refused address_is_case_insensitive "
    "register_twice_is_a_conflict bearer_is_case_insensitive missing_header bad_scheme",
    "config": "defaults from_env base_url_has_no_slash proxies_are_split empty_proxies bad_number_is_an_error",
    "clock": "manual_clock_stands_still advance cannot_go_back wall_is_aware",
    "errors": "body_has_code_and_message headers_are_sent validation_is_422 unknown_error_is_500_without_details",
    "links": "create create_with_own_slug slug_taken bad_url listing_is_ordered listing_pages limit_is_capped "
    "listing_needs_a_token slug_alphabet slug_length unicode_url long_url_2048 other_accounts_are_hidden",
    "middleware": "request_id_is_made request_id_is_taken_from_nginx timing_line client_without_address "
    "websocket_passes status_of_a_crash_is_500",
    "redirect": "follow unknown_slug counts_a_hit counts_by_day head_is_not_counted query_is_not_appended",
    "stats": "empty one_day many_days other_account_is_404 deleted_link_is_404",
    "store": "wal_mode busy_timeout token_lookup_uses_the_index hit_upsert links_of_limit close_twice",
}


MODULES = tuple(_CASES)
_LOOPS = {
    "links": "new_link(client, headers)",
    "redirect": "client.get(link['short'])",
    "auth": "login(client, wrong=True)",
}
_MANY = {"listing_pages": 120, "counts_by_day": 300, "unknown_address_takes_as_long": 40}


class Dice:
    """A linear congruential generator: the same numbers on every machine and in every release of Python."""

    def __init__(self, seed: int) -> None:
        self._state = seed * 2654435761 % 2**32

    def roll(self, low: int, high: int) -> int:
        """Return a number from `low` to `high`."""
        self._state = (self._state * 1664525 + 1013904223) % 2**32
        return low + (self._state >> 8) % (high - low + 1)


def suite_names(extra: Mapping[str, Sequence[str]] | None = None) -> list[str]:
    """Return the ids of all tests, those in `extra` (by module) included, as pytest lists them."""
    names = [
        f"tests/test_{module}.py::test_{case}{suffix}"
        for module, cases in _CASES.items()
        for case in cases.split()
        for suffix in (("[memory]", "[file]") if module in ("store", "links", "auth", "stats", "redirect") else ("",))
    ]
    added = [f"tests/test_{module}.py::test_{case}" for module, cases in (extra or {}).items() for case in cases]
    return sorted(names + added)


def suite_file(module: str) -> str:
    """Return the source of a test module as it was before the session."""
    parts = [f'"""Tests of app/{module}.py."""\nimport pytest\n\nfrom tests.helpers import login, new_link\n']
    for number, case in enumerate(_CASES[module].split()):
        words = case.replace("_", " ")
        parts.append(
            f"def test_{case}(client, clock):\n"
            f'    """{words[0].upper()}{words[1:]}."""\n'
            f"    headers = login(client, number={number})\n"
            f'    link = new_link(client, headers, url="https://example.org/{module}/{number}")\n'
            + (f"    for _ in range({_MANY[case]}):\n        {_LOOPS[module]}\n" if case in _MANY else "")
            + f"    clock.advance({number * 7 % 60}.5)\n"
            f"    answer = client.get(f\"/links/{{link['slug']}}/stats\", headers=headers)\n"
            f"    assert answer.status_code == 200, answer.text\n"
            f'    assert answer.json()["slug"] == link["slug"]\n'
        )
    return "\n\n".join(parts)


def pytest_verbose(
    extra: Mapping[str, Sequence[str]] | None = None, failures: Mapping[str, str] | None = None, seconds: str = "6.41"
) -> str:
    """Return `pytest -v` of the whole suite; `failures` maps a test id to its report."""
    failures = failures or {}
    names = suite_names(extra)
    lines = [
        "============================= test session starts ==============================",
        "platform linux -- Python 3.11.9, pytest-8.3.4, pluggy-1.5.0 -- /srv/shortlinks/.venv/bin/python",
        "cachedir: .pytest_cache",
        "rootdir: /srv/shortlinks",
        "configfile: pyproject.toml",
        "plugins: anyio-4.8.0, asyncio-0.25.2",
        f"collecting ... collected {len(names)} items",
        "",
    ]
    for number, name in enumerate(names, 1):
        word = "FAILED" if name in failures else "PASSED"
        lines.append(f"{name} {word:<{max(7, 91 - len(name))}}[{number * 100 // len(names):3d}%]")
    lines.append("")
    if failures:
        lines.append("=================================== FAILURES ===================================")
        for name, report in failures.items():
            title = name.rpartition("::")[2]
            lines.extend([f"{' ' + title + ' ':_^80}", "", report, ""])
        lines.append("=========================== short test summary info ============================")
        lines.extend(f"FAILED {name}" for name in failures)
    bad, good = len(failures), len(names) - len(failures)
    counted = f" {bad} failed, {good} passed in {seconds}s " if bad else f" {good} passed in {seconds}s "
    lines.append(f"{counted:=^80}")
    return "\n".join(lines)


def pytest_short(module: str, cases: Sequence[str], failures: Mapping[str, str] | None = None) -> str:
    """Return `pytest -v` of one module; `failures` maps a test's name to its report."""
    failures = failures or {}
    path = f"tests/test_{module}.py"
    lines = [f"{path}::test_{case} {'FAILED' if case in failures else 'PASSED'}" for case in cases]
    for case, report in failures.items():
        lines.extend(["", f"{' test_' + case + ' ':_^80}", "", report])
    bad = len(failures)
    counted = f" {bad} failed, {len(cases) - bad} passed in 0.3{bad}s " if bad else f" {len(cases)} passed in 0.31s "
    return "\n".join([*lines, "", f"{counted:=^80}"])


def pytest_quiet(module: str) -> str:
    """Return `pytest -q` of one module of the suite, all passed."""
    count = sum(name.startswith(f"tests/test_{module}.py") for name in suite_names())
    return f"{'.' * count:<72} [100%]\n{count} passed in 0.{count % 7 + 2}1s"


def access_log(seed: int, count: int, *, limited: bool = False) -> str:
    """Return `count` lines of the access log in an hour in which one address guesses passwords."""
    dice = Dice(seed)
    moment = dice.roll(0, 900) * 1000
    lines = []
    for _ in range(count):
        moment += dice.roll(40, 900)
        lines.append(_access_line(dice, moment, limited))
    return "\n".join(lines)


def _access_line(dice: Dice, moment: int, limited: bool) -> str:
    seconds, milliseconds = divmod(moment, 1000)
    number = dice.roll(0, 2**24 - 1)
    stamp = f"2026-03-09 02:{seconds // 60 % 60:02d}:{seconds % 60:02d},{milliseconds:03d}"
    begin = f"{stamp} worker-{number % 4 + 1} {number * 40503 % 2**24:06x}"
    kind, rest = number // 4 % 10, number // 40
    if kind < 5:
        refused = limited and rest % 10 > 0
        took = 4 + rest % 6 if refused else 580 + rest % 361
        return f"{begin} 203.0.113.{77 + rest % 2} POST /login {429 if refused else 401} {took / 10:.1f}ms"
    client = f"198.51.100.{2 + rest % 249}"
    if kind < 9:
        slug = f"{number * 977 + 10**8:x}"
        return f"{begin} {client} GET /{slug} {302 if rest % 13 else 404} {(9 + rest % 40) / 10:.1f}ms"
    return f"{begin} {client} POST /links 201 {(21 + rest % 70) / 10:.1f}ms"


def load_test(seed: int, seconds: int, allowed: int, *, p99: int, title: str) -> str:
    """Return what the load test prints: a line for each second, then the sums."""
    dice = Dice(seed)
    lines = [title, "", "   sec    sent     200     302     429     5xx    p50ms    p95ms    p99ms  queue"]
    total = refused = 0
    for second in range(1, seconds + 1):
        sent = 400 + dice.roll(-18, 18)
        good = min(sent, allowed + dice.roll(-3, 3))
        slow = max(1, p99 // 300)
        p50, p95 = dice.roll(18, 31) * slow, dice.roll(60, 96) * slow
        worst = p99 + dice.roll(-12, 14)
        lines.append(
            f"  {second:4d}  {sent:6d}  {good // 3:6d}  {good - good // 3:6d}  {sent - good:6d}       0"
            f"   {p50 / 10:6.1f}   {p95 / 10:6.1f}   {worst / 10:6.1f}  {dice.roll(0, 6):5d}"
        )
        total += sent
        refused += sent - good
    share = refused * 100 / total
    lines.extend(["", f"  total {total} requests, {total - refused} answered, {refused} refused ({share:.1f} %)"])
    return "\n".join(lines)


def metrics(seed: int, *, backend: str) -> str:
    """Return the service's own metrics in the text form of Prometheus."""
    dice = Dice(seed)
    return "\n".join(_metric_lines(dice, backend))


def _metric_lines(dice: Dice, backend: str) -> Iterator[str]:
    yield "# HELP shortlinks_requests_total Requests by route, method and status."
    yield "# TYPE shortlinks_requests_total counter"
    for method, path, *_ in ROUTES:
        for status in (200, 201, 302, 401, 404, 409, 422, 429):
            for worker in range(1, 5):
                labels = f'method="{method}",route="{path}",status="{status}",worker="{worker}"'
                yield f"shortlinks_requests_total{{{labels}}} {dice.roll(0, 90000)}"
    yield "# HELP shortlinks_limiter_seconds Time spent to decide."
    yield "# TYPE shortlinks_limiter_seconds histogram"
    for worker in range(1, 5):
        count = 0
        for bound in ("0.0001", "0.00025", "0.0005", "0.001", "0.0025", "0.005", "0.01", "0.025", "+Inf"):
            count += dice.roll(0, 40000)
            yield f'shortlinks_limiter_seconds_bucket{{backend="{backend}",worker="{worker}",le="{bound}"}} {count}'


def redis_monitor(seed: int, count: int) -> str:
    """Return what `redis-cli monitor` shows while the limiter runs."""
    dice = Dice(seed)
    now = 1773050000.0
    lines = ["OK"]
    for _ in range(count):
        now += dice.roll(200, 9000) / 1_000_000
        key = (f"ip:203.0.113.{77 + dice.roll(0, 1)}", f"acct:{dice.roll(11, 640)}")[dice.roll(0, 1)]
        rule = ("login", "links", "redirect")[dice.roll(0, 2)]
        port = 50100 + dice.roll(0, 3)
        lines.append(
            f'{now:.6f} [0 127.0.0.1:{port}] "EVALSHA" "5b7c0a93f1" "1" "rl:{rule}:{key}" "{dice.roll(5, 60)}" '
            f'"{dice.roll(1, 20)}.0" "1"'
        )
    return "\n".join(lines)


def profile(seed: int, count: int, first: Sequence[tuple[str, int]]) -> str:
    """Return a profile by own time: the functions in `first` with their milliseconds, then the long tail."""
    dice = Dice(seed)
    modules = ("starlette/routing.py", "fastapi/routing.py", "anyio/_backends/_asyncio.py", "pydantic/main.py")
    names = ("__call__", "handle", "app", "run", "wrapped", "validate", "send", "receive", "matches", "serialize")
    lines = ["   ncalls  tottime  percall  cumtime  percall filename:lineno(function)"]
    rows = [(name, took) for name, took in first]
    took = min(took for _, took in rows)
    for _ in range(count):
        took = max(1, took * dice.roll(90, 99) // 100)
        rows.append((f"{modules[dice.roll(0, 3)]}:{dice.roll(20, 900)}({names[dice.roll(0, 9)]})", took))
    for name, spent in rows:
        calls = dice.roll(2000, 90000)
        lines.append(f"{calls:9d} {spent / 1000:8.3f}    0.000 {spent * 3 / 1000:8.3f}    0.000 {name}")
    return "\n".join(lines)


def api_document() -> str:
    """Return the long document on the interface."""
    parts = [
        '# The interface of shortlinks\n\nAll bodies are JSON. Errors have the form `{"error": {"code", "message"}}`.'
    ]
    for method, path, what, fields, errors in ROUTES:
        parts.append(f"## {method} {path}\n\n{what}\n\nFields: {fields}. Errors: {errors}.")
        for example in range(1, 5):
            parts.append(_example(method, path, example))
    parts.append("## Limits\n\nThere are none yet. See docs/operations.md for what nginx does.")
    return "\n\n".join(parts) + "\n"


def _example(method: str, path: str, number: int) -> str:
    address = path.replace("{slug}", f"spring{number}")
    return (
        f"### Example {number}\n\n    {method} {address} HTTP/1.1\n    Host: s.example.org\n"
        f"    Authorization: Bearer 0f{number}c…\n    Content-Type: application/json\n\n"
        f"    HTTP/1.1 {200 + number % 2} {'OK' if number % 2 == 0 else 'Created'}\n"
        f"    Content-Type: application/json\n    X-Request-Id: 7b{number}e90aa41c{number}\n\n"
        f'    {{"slug": "spring{number}", "short": "https://s.example.org/spring{number}", "days": []}}'
    )


def schema() -> str:
    """Return the OpenAPI document of the service, as `python -m json.tool` prints it."""
    paths: dict[str, dict[str, object]] = {}
    for method, path, what, fields, errors in ROUTES:
        answers = {"200": _answer("Answer"), "422": _answer("HTTPValidationError")}
        answers.update({error.split()[0]: _answer("Error") for error in errors.split(", ")})
        properties = {
            name.strip("?"): {"type": "string", "title": name.strip("?").title()} for name in fields.split(", ")
        }
        body = {"content": {"application/json": {"schema": {"type": "object", "properties": properties}}}}
        paths.setdefault(path, {})[method.lower()] = {
            "summary": what,
            "operationId": f"{method.lower()}_{path.strip('/').replace('/', '_')}",
            "requestBody": body,
            "responses": answers,
        }
    return json.dumps(
        {"openapi": "3.1.0", "info": {"title": "shortlinks", "version": "1.8.0"}, "paths": paths}, indent=4
    )


def _answer(name: str) -> dict[str, object]:
    link = {"$ref": f"#/components/schemas/{name}"}
    headers = {"X-Request-Id": {"description": "Id of the request", "schema": {"type": "string"}}}
    return {"description": name, "headers": headers, "content": {"application/json": {"schema": link}}}


def operations_document() -> str:
    """Return the document on how the service is run."""
    steps = (
        ("Machines", "One virtual machine, 2 cores, 4 GB. Four workers of uvicorn on ports 8001 to 8004 behind nginx."),
        (
            "Deploying",
            "Workers are restarted one after the other, so that old and new ones run beside each other for 20 s.",
        ),
        ("Database", "SQLite in WAL mode on the local disk, 1.4 GB. A copy every night at 03:30 takes 50 s."),
        (
            "Redis",
            "Redis 7 runs on the same machine for the job queue (db 0). Nothing else uses it. 64 MB, no persistence.",
        ),
        ("Logs", "Access lines go to journald, kept for 14 days. No addresses may be kept longer than that."),
        ("Alarms", "5xx above 1 % for 5 minutes, p99 above 250 ms for 10 minutes, disk above 80 %."),
        (
            "Incident 2026-03-09",
            "From 02:00 to 04:10 two addresses sent 41,000 logins. scrypt kept both cores busy, redirects took 2 s.",
        ),
    )
    return "# Running shortlinks\n\n" + "\n\n".join(f"## {title}\n\n{text}" for title, text in steps) + "\n"
