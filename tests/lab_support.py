"""A notebook open in JupyterLab, with a real kernel, in a real browser."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page

OPTIONS = [
    "--no-browser",
    "--ServerApp.allow_root=True",
    "--ServerApp.port=0",
    "--IdentityProvider.token=",
    "--LabApp.expose_app_in_browser=True",
]
FOLDERS = (
    "JUPYTER_CONFIG_DIR",
    "JUPYTER_DATA_DIR",
    "JUPYTER_RUNTIME_DIR",
    "JUPYTERLAB_SETTINGS_DIR",
    "JUPYTERLAB_WORKSPACES_DIR",
    "IPYTHONDIR",
)
SETTINGS = {
    # Every cell is in the page, seen or not.
    "notebook-extension/tracker": {"windowingMode": "none"},
    # Nothing lies over the page.
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
}
PATIENCE = 60  # seconds until JupyterLab has started, and once more until it shows the notebook

OPEN = "window.jupyterapp?.shell.currentWidget?.context"
READY = """async () => {
  window.panel = window.jupyterapp.shell.currentWidget;
  await panel.context.ready;
  await panel.sessionContext.ready;
  await panel.sessionContext.session.kernel.info;
}"""
FAILED = """() => [...panel.content.model.cells].flatMap((cell) =>
  (cell.sharedModel.toJSON().outputs ?? []).filter((o) => o.output_type === "error")
    .map((o) => `${cell.id}: ${o.ename}: ${o.evalue}`))"""
EXECUTE = """async (code) => {
  const future = panel.sessionContext.session.kernel.requestExecute({ code, store_history: false });
  let said = "";
  future.onIOPub = ({ header, content }) => {
    if (header.msg_type === "stream") said += content.text;
    if (header.msg_type === "error") said += content.traceback.join("\\n");
  };
  await future.done;
  return said;
}"""


@dataclass
class Notebook:
    """A notebook open in JupyterLab."""

    page: Page

    def run_all(self) -> list[str]:
        """Run every cell; the cells that failed, with their errors."""
        self.page.evaluate("jupyterapp.commands.execute('notebook:run-all-cells')")
        return self.page.evaluate(FAILED)

    def python(self, code: str) -> str:
        """Run code in the notebook's kernel; what it printed."""
        return self.page.evaluate(EXECUTE, code)

    @contextmanager
    def frozen_kernel(self) -> Iterator[None]:
        """A kernel that answers nothing, as in a long computation."""
        process = int(self.python("import os; print(os.getpid())"))
        os.kill(process, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(process, signal.SIGCONT)

    def stop_kernel(self) -> None:
        self.page.evaluate("panel.sessionContext.shutdown()")


@contextmanager
def lab() -> Iterator[tuple[str, Path]]:
    """JupyterLab's address and its folder, with settings and kernels of its own."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        environment = {**os.environ, **{name: str(folder / name.lower()) for name in FOLDERS}}
        for name, values in SETTINGS.items():
            path = folder / f"jupyterlab_settings_dir/@jupyterlab/{name}.jupyterlab-settings"
            path.parent.mkdir(parents=True)
            path.write_text(json.dumps(values))
        notebooks = folder / "notebooks"
        notebooks.mkdir()
        command = [
            sys.executable,
            "-m",
            "jupyterlab",
            f"--ServerApp.root_dir={notebooks}",
            *OPTIONS,
        ]
        with (folder / "log").open("w") as log:
            server = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        try:
            yield address_of(server, folder), notebooks
        finally:
            server.terminate()
            server.wait()


def address_of(server: subprocess.Popen, folder: Path) -> str:
    """Where JupyterLab is, once it is there."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and server.poll() is None:
        for known in (folder / "jupyter_runtime_dir").glob("jpserver-*.json"):
            with suppress(json.JSONDecodeError):  # it is there before it is written
                return json.loads(known.read_text())["url"]
        time.sleep(0.1)
    raise RuntimeError(f"JupyterLab did not start:\n{(folder / 'log').read_text()}")


@contextmanager
def opened(browser: Browser, path: Path) -> Iterator[Notebook]:
    """A copy of a notebook, open in JupyterLab."""
    with lab() as (address, folder):
        shutil.copy(path, folder)
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        page = context.new_page()
        page.goto(f"{address}lab/tree/{path.name}")
        page.wait_for_function(OPEN, timeout=1000 * PATIENCE)
        page.evaluate(READY)
        yield Notebook(page)
        context.close()
