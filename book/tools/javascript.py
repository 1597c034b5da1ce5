"""Check the figures' scripts: rules and format, as biome.json has them.

    .venv/bin/python -m book.tools.javascript
    .venv/bin/python -m book.tools.javascript --write    # mend what can be mended

The linter comes from npm, in the version that package.json pins (it needs no other package). Where
there is no Node the scripts are not checked, which is said; in CI that is an error.
"""

import os
import shutil
import subprocess
import sys

from book.tools.notebooks import ROOT

WANTED, INSTALLED = ROOT / "package.json", ROOT / "node_modules" / ".package-lock.json"
CHECK = ("ci", "--error-on-warnings")
MEND = ("check", "--write")


def main() -> None:
    npm = shutil.which("npm")
    if npm is None:
        missing = "The figures' scripts were not checked: Node is not installed"
        advice = " (on Debian and Ubuntu: apt install nodejs npm)."
        sys.exit(missing + advice) if os.environ.get("CI") else print(missing + advice)
        return
    if not INSTALLED.exists() or INSTALLED.stat().st_mtime < WANTED.stat().st_mtime:
        subprocess.run([npm, "install", "--silent"], cwd=ROOT, check=True)
    command = MEND if "--write" in sys.argv[1:] else CHECK
    run = subprocess.run([npm, "exec", "--silent", "--", "biome", *command], cwd=ROOT)
    sys.exit(run.returncode)


if __name__ == "__main__":
    main()
