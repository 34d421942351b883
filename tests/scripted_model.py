"""An OpenAI-compatible chat endpoint on loopback that answers from a script and keeps what it was asked."""

import json
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Reply:
    """One answer: a text, tool calls (name, arguments), or an HTTP error."""

    text: str = ""
    tools: tuple[tuple[str, dict[str, Any]], ...] = ()
    status: int = 200
    logprobs: tuple[float, ...] = ()
    """Log-probabilities of the tokens of the text, as far as the endpoint gives them."""

    def body(self) -> dict[str, Any]:
        if self.status != 200:
            return {"error": {"message": "scripted refusal", "type": "scripted", "code": None}}
        message: dict[str, Any] = {"role": "assistant", "content": self.text or None}
        if self.tools:
            message["tool_calls"] = [
                {"id": f"call_{i}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
                for i, (name, arguments) in enumerate(self.tools)
            ]
        choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if self.tools else "stop"}
        if self.logprobs:
            choice["logprobs"] = {"content": [{"token": "x", "logprob": each, "top_logprobs": []} for each in self.logprobs]}  # fmt: skip  # noqa: E501
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        return {"id": "scripted", "object": "chat.completion", "created": 0, "model": "scripted", "choices": [choice], "usage": usage}  # fmt: skip  # noqa: E501

    def stream(self) -> bytes:
        """The text in pieces of four characters, as server-sent events."""
        pieces = [self.text[i : i + 4] for i in range(0, len(self.text), 4)]
        frame = {"id": "scripted", "object": "chat.completion.chunk", "created": 0, "model": "scripted"}
        chunks: list[dict[str, Any]] = [
            {"index": 0, "delta": {"role": "assistant", "content": piece}, "finish_reason": None} for piece in pieces
        ]
        for i, (name, arguments) in enumerate(self.tools):
            call = {"index": i, "id": f"call_{i}", "type": "function", "function": {"name": name, "arguments": ""}}
            chunks.append({"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": None})
            more = {"index": i, "function": {"arguments": json.dumps(arguments)}}
            chunks.append({"index": 0, "delta": {"tool_calls": [more]}, "finish_reason": None})
        chunks.append({"index": 0, "delta": {}, "finish_reason": "tool_calls" if self.tools else "stop"})
        events = [f"data: {json.dumps(frame | {'choices': [chunk]})}\n\n" for chunk in chunks]
        return "".join([*events, "data: [DONE]\n\n"]).encode()


@dataclass
class ScriptedModel:
    """The running endpoint."""

    url: str
    replies: deque[Reply]
    requests: list[dict[str, Any]] = field(default_factory=list)


@contextmanager
def scripted_model(
    replies: Iterable[Reply], otherwise: Callable[[dict[str, Any]], Reply] = lambda _: Reply(status=500)
) -> Iterator[ScriptedModel]:
    """Serves the replies in order; a request beyond the script is answered with 500, or as `otherwise` says."""
    scripted = ScriptedModel("", deque(replies))

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length", "0"))
            scripted.requests.append(json.loads(self.rfile.read(length)))
            reply = scripted.replies.popleft() if scripted.replies else otherwise(scripted.requests[-1])
            streamed = scripted.requests[-1].get("stream") and reply.status == 200
            data = reply.stream() if streamed else json.dumps(reply.body()).encode()
            self.send_response(reply.status)
            self.send_header("Content-Type", "text/event-stream" if streamed else "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names them
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    scripted.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield scripted
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
