"""Firefox, and WebKit, which is Safari's engine: a window of each, its pages and its keyboard.

Both are driven as the W3C's WebDriver has it: Firefox by messages to the browser itself (BiDi),
WebKit by requests to its driver, on a screen of its own.
"""

import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Protocol, TypeVar
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import websocket

from tests.helpers import cannot_run

PATIENCE = 60  # seconds until a program has started, and for each command
SIZE = {"width": 1280, "height": 900}
# How keys without a letter are written: https://www.w3.org/TR/webdriver2/#keyboard-actions
KEYS = {"End": "\ue010", "Home": "\ue011", "ArrowUp": "\ue013", "ArrowDown": "\ue015"}
Known = TypeVar("Known")


class Engine(Protocol):
    """A browser's window."""

    def open(self, address: str) -> None:
        """Show a page, and wait until it is loaded."""

    def value(self, expression: str) -> object:
        """What an expression gives in the page, or what it promises."""

    def press(self, key: str) -> None:
        """Press a key and let it go."""

    def click(self, x: float, y: float) -> None:
        """Press the mouse at a place of the window, and let it go."""


class Firefox:
    """A tab of the Firefox that listens at an address."""

    def __init__(self, address: str) -> None:
        self.numbers = count()
        self.line = websocket.create_connection(
            f"{address}/session", timeout=PATIENCE, suppress_origin=True
        )
        self.ask("session.new", capabilities={})
        self.tab = self.ask("browsingContext.getTree")["contexts"][0]["context"]
        self.ask("browsingContext.setViewport", context=self.tab, viewport=SIZE)

    def ask(self, command: str, **parameters: object) -> dict:
        number = next(self.numbers)
        self.line.send(json.dumps({"id": number, "method": command, "params": parameters}))
        answer = json.loads(self.line.recv())
        assert (answer["type"], answer["id"]) == ("success", number), answer
        return answer["result"]

    def open(self, address: str) -> None:
        self.ask("browsingContext.navigate", context=self.tab, url=address, wait="complete")

    def value(self, expression: str) -> object:
        answer = self.ask(
            "script.evaluate",
            expression=f"(async () => JSON.stringify((await ({expression})) ?? null))()",
            target={"context": self.tab},
            awaitPromise=True,
        )
        assert answer["type"] == "success", answer
        return json.loads(answer["result"]["value"])

    def press(self, key: str) -> None:
        self.ask("input.performActions", context=self.tab, actions=pressed(key))

    def click(self, x: float, y: float) -> None:
        self.ask("input.performActions", context=self.tab, actions=clicked(x, y))

    def close(self) -> None:
        self.line.close()


class WebKit:
    """A window that the driver at an address opens."""

    def __init__(self, address: str) -> None:
        self.place = f"{address}/session"
        self.place += f"/{self.ask('', capabilities={})['sessionId']}"
        self.ask("/window/rect", **SIZE)

    def ask(self, command: str, **parameters: object) -> dict:
        content = json.dumps(parameters).encode()
        try:
            with urlopen(self.place + command, content, PATIENCE) as answer:
                return json.load(answer)["value"]
        except HTTPError as error:
            raise AssertionError(error.read().decode()) from None

    def open(self, address: str) -> None:
        self.ask("/url", url=address)

    def value(self, expression: str) -> object:
        return self.ask("/execute/sync", script=f"return {expression}", args=[])

    def press(self, key: str) -> None:
        self.ask("/actions", actions=pressed(key))

    def click(self, x: float, y: float) -> None:
        self.ask("/actions", actions=clicked(x, y))

    def close(self) -> None:
        urlopen(Request(self.place, method="DELETE"), timeout=PATIENCE).close()


def pressed(key: str) -> list[dict]:
    strokes = [{"type": kind, "value": KEYS[key]} for kind in ("keyDown", "keyUp")]
    return [{"type": "key", "id": "keyboard", "actions": strokes}]


def clicked(x: float, y: float) -> list[dict]:
    move = {"type": "pointerMove", "x": round(x), "y": round(y)}
    buttons = [{"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp")]
    return [{"type": "pointer", "id": "mouse", "actions": [move, *buttons]}]


@contextmanager
def firefox() -> Iterator[Engine]:
    """A Firefox without a window, whose profile is new."""
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    if program is None:
        cannot_run("Firefox is not installed (on Debian: apt install firefox-esr)")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [program, "--headless", "--no-remote", "--profile", profile]
        command.append("--remote-debugging-port=0")
        with (
            started(command, lambda said: re.search(r"(ws://\S+)\n", said)) as address,
            closing(Firefox(address[1])) as window,
        ):
            yield window


@contextmanager
def webkit() -> Iterator[Engine]:
    """The small browser that comes with WebKit, on a screen that nobody sees."""
    if not (shutil.which("WebKitWebDriver") and shutil.which("Xvfb")):
        cannot_run("WebKit is not installed (on Debian: apt install webkit2gtk-driver xvfb)")
    screen = ["Xvfb", "-displayfd", "1", "-nolisten", "tcp"]
    with started(screen, lambda said: re.search(r"(\d+)\n", said)) as number:
        port = free_port()
        driver = ["WebKitWebDriver", f"--port={port}"]
        with (
            started(driver, lambda _: listens(port), DISPLAY=f":{number[1]}"),
            closing(WebKit(f"http://127.0.0.1:{port}")) as window,
        ):
            yield window


@contextmanager
def started(
    command: list[str], ready: Callable[[str], Known], **environment: str
) -> Iterator[Known]:
    """A program that runs, once it is ready by what it has said; and what was found in that."""
    with tempfile.NamedTemporaryFile() as log:
        program = subprocess.Popen(
            command, env=os.environ | environment, stdout=log.fileno(), stderr=log.fileno()
        )
        end = time.monotonic() + PATIENCE
        try:
            while not (known := ready(said := Path(log.name).read_text())):
                assert program.poll() is None, f"{command[0]} has stopped: {said}"
                assert time.monotonic() < end, f"{command[0]} does not start: {said}"
                time.sleep(0.05)
            yield known
        finally:
            program.terminate()
            program.wait()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def listens(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
        return True
    return False
