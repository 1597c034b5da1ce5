"""Serving the built book on this machine."""

import socket
import struct
import sys
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

import pytest

from book.tools import serve
from book.tools.browser import served


def test_a_missing_page_gets_the_books_own_answer(tmp_path: Path) -> None:
    (tmp_path / "404.html").write_text("lost")
    (tmp_path / "index.html").write_text("cover")
    with served(tmp_path) as address:
        connection = HTTPConnection(address.removeprefix("http://"))
        answers = {}
        for page in ("/", "/nowhere/at/all"):
            connection.request("GET", page)
            answer = connection.getresponse()
            answers[page] = (answer.status, answer.read())
        connection.close()
    assert answers == {"/": (200, b"cover"), "/nowhere/at/all": (404, b"lost")}


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Where a book of a few files is served, beside a file that is not part of it."""
    folder = tmp_path / "book"
    folder.mkdir()
    (folder / "404.html").write_text("lost")
    (folder / "index.html").write_text("cover")
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    with served(folder) as address:
        yield address.removeprefix("http://")


@pytest.mark.parametrize("path", ["/%00", "/link.txt", "/../secret.txt", "/%2e%2e/secret.txt"])
def test_what_is_not_in_the_book_is_lost(address: str, path: str) -> None:
    connection = HTTPConnection(address, timeout=10)
    connection.request("GET", path)
    answer = connection.getresponse()
    assert (answer.status, answer.read()) == (404, b"lost")
    connection.close()


def test_only_the_head_of_a_missing_page_is_sent_where_that_is_asked(address: str) -> None:
    with socket.create_connection(address.split(":"), timeout=10) as connection:
        connection.sendall(b"HEAD /nowhere HTTP/1.0\r\n\r\n")
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    assert b"404" in answer.splitlines()[0]
    assert b"Content-Length: 4" in answer
    assert answer.endswith(b"\r\n\r\n")


def test_a_reader_who_leaves_is_not_an_error(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "book" / "large.bin").write_bytes(bytes(50_000_000))
    connection = socket.create_connection(address.split(":"), timeout=10)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.sendall(b"GET /large.bin HTTP/1.0\r\n\r\n")
    connection.recv(1)
    connection.close()  # with a reset, which the server meets when it writes on
    answers = HTTPConnection(address, timeout=10)
    answers.request("GET", "/large.bin")
    assert len(answers.getresponse().read()) == 50_000_000
    assert "Traceback" not in capsys.readouterr().err


def test_many_readers_may_wait_for_the_first_answer(tmp_path: Path) -> None:
    with serve.Server(tmp_path) as server:  # which accepts nobody yet
        where = ("127.0.0.1", server.server_port)
        for waiting in [socket.create_connection(where, timeout=5) for _ in range(200)]:
            waiting.close()


@pytest.mark.parametrize("port", ["99999", "0", "-1", "eighty"])
def test_a_port_that_is_none_is_named(port: str) -> None:
    with pytest.raises(SystemExit, match=f"PORT: expected a number from 1 to 65535, got {port}"):
        serve.port_of(port)


def test_a_port_in_use_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "index.html").touch()
    monkeypatch.setattr(serve, "HTML", tmp_path)
    with socket.create_server(("localhost", 0)) as busy:
        port = busy.getsockname()[1]
        monkeypatch.setattr(sys, "argv", ["serve", str(port)])
        with pytest.raises(SystemExit, match=f"Try: make serve PORT={port + 1}"):
            serve.main()


def test_a_book_that_is_not_built_is_not_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve, "HTML", tmp_path)
    monkeypatch.setattr(sys, "argv", ["serve"])
    with pytest.raises(SystemExit, match="`make book` builds it"):
        serve.main()
