"""Serve the built book on this machine and open it in a browser.

.venv/bin/python -m book.tools.serve [PORT]
"""

import sys
import webbrowser
from collections.abc import Mapping
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from book.tools.build import HTML, check_built

MOST = 2**16 - 1  # ports


class Server(ThreadingHTTPServer):
    request_queue_size = 1024  # a browser that opens many pages at once is not turned away

    def __init__(
        self, folder: Path, port: int = 0, headers: Mapping[str, str] | None = None
    ) -> None:
        self.headers = headers or {}  # sent with every answer
        super().__init__(("localhost", port), partial(Handler, directory=folder))

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing where a reader left before the end of a download."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class Handler(SimpleHTTPRequestHandler):
    """Files of the book; for what is not there, the book's own page."""

    def send_head(self) -> BytesIO | BinaryIO | None:
        """The file that is asked for, if it lies in the book's folder and its name is one."""
        try:
            inside = (
                Path(self.translate_path(self.path))
                .resolve()
                .is_relative_to(Path(self.directory).resolve())
            )
        except ValueError:  # a zero byte
            inside = False
        if not inside:
            self.send_error(HTTPStatus.NOT_FOUND)
            return None
        return super().send_head()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        page = Path(self.directory) / "404.html"
        if code != HTTPStatus.NOT_FOUND or not page.exists():
            return super().send_error(code, message, explain)
        content = page.read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def end_headers(self) -> None:
        for name, value in self.server.headers.items():
            self.send_header(name, value)
        super().end_headers()

    def log_request(self, *_: object) -> None:
        """Say nothing about each file."""


def main() -> None:
    port = port_of(sys.argv[1] if len(sys.argv) > 1 else "8000")
    check_built(HTML)
    try:
        server = Server(HTML, port)
    except OSError as error:
        other = port + 1 if port < MOST else 8000
        sys.exit(f"Port {port} cannot be used ({error.strerror}). Try: make serve PORT={other}")
    address = f"http://localhost:{port}/"
    print(f"The book is at {address} (Ctrl+C stops)", flush=True)
    webbrowser.open(address)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print()


def port_of(text: str) -> int:
    """The number of a port, or the end of the program."""
    if not (text.isascii() and text.isdigit() and 0 < int(text) <= MOST):
        sys.exit(f"PORT: expected a number from 1 to {MOST}, got {text}")
    return int(text)


if __name__ == "__main__":
    main()
