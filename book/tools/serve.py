"""Serve the built book on this machine and open it in a browser.

.venv/bin/python -m book.tools.serve [PORT]
"""

import sys
import webbrowser
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from book.tools.build import HTML


class Handler(SimpleHTTPRequestHandler):
    """Files of the book; for what is not there, the book's own page."""

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        page = Path(self.directory) / "404.html"
        if code != HTTPStatus.NOT_FOUND or not page.exists():
            return super().send_error(code, message, explain)
        content = page.read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_request(self, *_: object) -> None:
        """Say nothing about each file."""


def main() -> None:
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 8000
    if not (HTML / "index.html").exists():
        sys.exit("The book is not built yet: `make book` builds it.")
    try:
        server = ThreadingHTTPServer(("localhost", port), partial(Handler, directory=HTML))
    except OSError as error:
        sys.exit(f"Port {port} cannot be used ({error.strerror}). Try: make serve PORT={port + 1}")
    address = f"http://localhost:{port}/"
    print(f"The book is at {address} (Ctrl+C stops)", flush=True)
    webbrowser.open(address)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print()


if __name__ == "__main__":
    main()
