"""Serving the built book on this machine."""

import socket
import sys
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
