"""A model on loopback: it speaks the streaming Messages API, says what it is told, and keeps what it is sent."""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

Body = dict[str, Any]


@dataclass(frozen=True)
class Reply:
    """What the model answers once.

    Attributes:
        text: Its text; none where it is empty.
        thinking: What it thinks before, with a signature.
        calls: Tools that it calls: name and arguments.
        stop: Why it ends; `tool_use` where it calls a tool.
        status: Another HTTP status than 200 makes the answer an error that pi does not try again.
    """

    text: str = ""
    thinking: str = ""
    calls: tuple[tuple[str, dict[str, Any]], ...] = ()
    stop: str = "end_turn"
    status: int = 200


@dataclass
class Provider:
    """The server. A context manager: within it the server runs.

    Attributes:
        bodies: The body of every request, in the order in which they came.
        default: What is answered when no reply is scripted.
    """

    default: Reply = field(default_factory=lambda: Reply("Understood."))
    bodies: list[Body] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._script: deque[Reply] = deque()
        self._calls = 0
        self._lock = threading.Lock()
        provider = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                number, reply = provider._next(body)
                self._answer(body, number, reply)

            def _answer(self, body: Body, number: int, reply: Reply) -> None:
                if reply.status == 200:
                    kind, data = "text/event-stream", b"".join(_events(body, number, reply))
                else:
                    error = {"type": "invalid_request_error", "message": reply.text}
                    kind, data = "application/json", json.dumps({"type": "error", "error": error}).encode()
                self.send_response(reply.status)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: Any) -> None:
                """Say nothing: the output of the tests is theirs."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    def __enter__(self) -> Provider:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        """Where it listens, without `/v1`."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def say(self, *replies: Reply) -> None:
        """Script the next answers, in their order."""
        self._script.extend(replies)

    def take(self) -> list[Body]:
        """The bodies that came since the last look."""
        with self._lock:
            taken, self.bodies = self.bodies, []
        return taken

    def _next(self, body: Body) -> tuple[int, Reply]:
        with self._lock:
            self.bodies.append(body)
            self._calls += 1
            return self._calls, self._script.popleft() if self._script else self.default


def _events(body: Body, number: int, reply: Reply) -> Iterator[bytes]:
    usage = {"input_tokens": 900, "output_tokens": 1, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0}
    message = {
        "id": f"msg_{number}", "type": "message", "role": "assistant", "model": body["model"], "content": [],
        "stop_reason": None, "stop_sequence": None, "usage": usage,
    }  # fmt: skip
    yield _event("message_start", message=message)
    for index, (block, deltas) in enumerate(_blocks(number, reply)):
        yield _event("content_block_start", index=index, content_block=block)
        for delta in deltas:
            yield _event("content_block_delta", index=index, delta=delta)
        yield _event("content_block_stop", index=index)
    stop = "tool_use" if reply.calls else reply.stop
    delta = {"stop_reason": stop, "stop_sequence": None}
    yield _event("message_delta", delta=delta, usage={"output_tokens": 12})
    yield _event("message_stop")


def _blocks(number: int, reply: Reply) -> Iterator[tuple[Body, list[Body]]]:
    if reply.thinking:
        thought = {"type": "thinking_delta", "thinking": reply.thinking}
        signature = {"type": "signature_delta", "signature": f"signed-{number}"}
        yield {"type": "thinking", "thinking": "", "signature": ""}, [thought, signature]
    if reply.text:
        half = len(reply.text) // 2
        parts = [part for part in (reply.text[:half], reply.text[half:]) if part]
        yield {"type": "text", "text": ""}, [{"type": "text_delta", "text": part} for part in parts]
    for place, (name, arguments) in enumerate(reply.calls):
        start = {"type": "tool_use", "id": f"toolu_{number}_{place}", "name": name, "input": {}}
        yield start, [{"type": "input_json_delta", "partial_json": json.dumps(arguments)}]


def _event(kind: str, **values: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **values})}\n\n".encode()
