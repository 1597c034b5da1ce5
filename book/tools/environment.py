"""Set up `.venv`: the pinned packages of requirements.txt and, editable, pe_lib itself.

    python3 book/tools/environment.py

It needs nothing but Python's standard library. It does nothing where the environment is up to date,
and after an interruption it can simply be run again. A torch that is already in `.venv` stays, as
long as it is in the range of pyproject.toml: so a reader can choose the CPU or the CUDA build.
pip's own settings (index, proxy, cache) hold as usual.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Runs in the environment, whose pip brings what is needed to compare versions.
FITTING_VERSION = """
import sys
from importlib.metadata import PackageNotFoundError, version
from pip._vendor.packaging.requirements import Requirement
requirement = Requirement(sys.argv[1])
try:
    installed = version(requirement.name)
except PackageNotFoundError:
    sys.exit()
if requirement.specifier.contains(installed, prereleases=True):
    print(installed)
"""


def main() -> None:
    environment = ROOT / ".venv"
    stamp = environment / "up-to-date"
    if stamp.exists() and stamp.read_text() == fingerprint():
        return
    python = environment_python(environment)
    stamp.unlink(missing_ok=True)
    remove_half_installed(environment)
    install(python)
    stamp.write_text(fingerprint())


def fingerprint() -> str:
    """A hash of all that decides what belongs into the environment."""
    contents = [(ROOT / name).read_bytes() for name in ("requirements.txt", "pyproject.toml")]
    return hashlib.sha256(b"\0".join([*contents, bytes(ROOT)])).hexdigest()


def environment_python(environment: Path) -> Path:
    """The environment's Python, with pip; what is missing or does not work is made anew."""
    folder, name = ("Scripts", "python.exe") if os.name == "nt" else ("bin", "python")
    python = environment / folder / name
    if not succeeds(python, "import sys; sys.exit(sys.version_info < (3, 11))"):
        print(f"Making {environment.name} with Python {sys.version.split()[0]}", flush=True)
        if environment.is_dir():
            shutil.rmtree(environment)
        venv.create(environment, symlinks=os.name != "nt")
    if not succeeds(python, "import pip"):
        run(
            [python, "-m", "ensurepip", "--default-pip"],
            "On Debian and Ubuntu, install python3-venv first.",
        )
    return python


def succeeds(python: Path, program: str) -> bool:
    """True where this Python exists and runs the program to its end."""
    if not python.exists():
        return False
    return subprocess.run([python, "-c", program], capture_output=True).returncode == 0


def remove_half_installed(environment: Path) -> None:
    """Forget packages whose installation was cut off: pip writes RECORD last."""
    for information in environment.glob("**/site-packages/*.dist-info"):
        if not (information / "RECORD").exists():
            shutil.rmtree(information)


def install(python: Path) -> None:
    """Install the pinned packages, with the torch that is already there if it fits, and pe_lib."""
    pins = (ROOT / "requirements.txt").read_text().splitlines()
    # Python compiles a module when it is first imported: compiling everything now takes longer
    # than building the book.
    pip = [python, "-m", "pip", "--disable-pip-version-check", "install", "--no-compile"]
    quiet: list[str] = []
    if torch := fitting_torch(python):
        pins = [f"torch=={torch}" if pin.startswith("torch==") else pin for pin in pins]
        print(f"Updating .venv, with torch {torch} as it is", flush=True)
        quiet = ["--quiet"]  # without torch to fetch there is little to wait for
    with tempfile.TemporaryDirectory() as folder:
        requirements = Path(folder) / "requirements.txt"
        requirements.write_text("\n".join(pins) + "\n")
        run([*pip, *quiet, "-r", requirements])
    run([*pip, "--quiet", "--no-deps", "--no-build-isolation", "--editable", ROOT])


def fitting_torch(python: Path) -> str:
    """The version of the torch in the environment, or "" where there is none that fits."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = next(line for line in project["dependencies"] if line.startswith("torch"))
    program = [python, "-c", FITTING_VERSION, wanted]
    return subprocess.run(program, capture_output=True, text=True, check=True).stdout.strip()


def run(command: list[str | Path], advice: str = "The same command goes on from here.") -> None:
    """Run a command; where it fails, its own message says why."""
    if code := subprocess.run(command, cwd=ROOT).returncode:
        sys.exit(f"\nSetting up .venv stopped with exit code {code}. {advice}")


if __name__ == "__main__":
    main()
