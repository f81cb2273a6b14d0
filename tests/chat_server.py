"""A chat server for tests: real HTTP, answers from a script."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def saying(text, **usage):
    body = {"choices": [{"message": {"content": text}}]}
    if usage:
        body["usage"] = usage
    return 200, json.dumps(body).encode()


@contextmanager
def serving(*script):
    """A chat server that answers from a script; its last line repeats."""
    lines, asked = list(script), []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            size = int(self.headers["Content-Length"])
            asked.append((self.path, dict(self.headers), json.loads(self.rfile.read(size))))
            status, body = lines.pop(0) if len(lines) > 1 else lines[0]
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/v1#tiny", asked
        finally:
            server.shutdown()
            thread.join()
