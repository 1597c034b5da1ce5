"""A real browser and a local web server for it: for tests, still pictures and the bench."""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

from playwright.sync_api import Browser, Page, sync_playwright

from book.tools.serve import Server

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ADVICE = "Chromium is not installed (on Debian and Ubuntu: apt install chromium)"

# Of two lists of disabled features, Chromium heeds the last. So this one repeats what is needed of
# Playwright's (addresses left as they are, paint without delay, no calls home), and adds the popups
# of the address bar: each new context would load them, even without a window, at a second each.
WITHOUT = [
    "AimEnabled",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxPopup",
]

# It talks to nobody but the pages that it is given.
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(WITHOUT)}",
]

WAITING = ".pe-figure:not([data-ready])"
# What a figure computes in a worker comes a little later, and not before it is near the window.
ANSWERED = ":not([aria-busy])"
MOUNTED = f"!document.querySelector('{WAITING}')"
TYPESET = "Promise.resolve(window.typesetAll?.()).then(() => document.fonts.ready)"


def installed_chromium() -> str | None:
    """The path of a Chromium or Chrome on this machine, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def launched() -> Iterator[Browser]:
    """A running Chromium, closed at the end."""
    path = installed_chromium()
    if path is None:
        raise FileNotFoundError(ADVICE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


def settle(page: Page) -> None:
    """Wait until all figures and formulas of a page stand."""
    # Not for MOUNTED, which would be asked by eval: a policy may forbid that.
    page.wait_for_selector(WAITING, state="detached")
    page.evaluate(TYPESET)


@contextmanager
def served(folder: Path, headers: Mapping[str, str] | None = None) -> Iterator[str]:
    """The address at which a folder is served on a free port of this machine."""
    with Server(folder, headers=headers) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
