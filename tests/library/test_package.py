"""The package as a whole: what importing it costs, and what it documents."""

import subprocess
import sys

import pytest

import pe_lib

IMPORTED = """
import sys
import torch, jaxtyping
before = {name.partition(".")[0] for name in sys.modules}
import pe_lib
after = {name.partition(".")[0] for name in sys.modules}
print(*sorted(after - before - sys.stdlib_module_names))
print(*sorted(name for name in sys.modules if name.startswith("pe_lib.")))
"""


def test_importing_loads_nothing_but_torch_and_jaxtyping():
    """No plotting, no widgets, no exercises: the encodings alone."""
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", IMPORTED], capture_output=True, text=True, check=True
    )
    packages, modules = run.stdout.splitlines()
    assert packages.split() == ["pe_lib"]
    parts = {name.split(".")[1] for name in modules.split()}
    assert "rotary" in parts
    assert not parts & {"exercises", "figures", "palette", "plots"}


@pytest.mark.parametrize("name", pe_lib.__all__)
def test_every_public_name_is_documented(name):
    public = getattr(pe_lib, name)
    assert ">>> " in public.__doc__, "an example that runs"
    if public.__module__ != "pe_lib.common.devices":
        for section in ("Args:", "Raises:", "Example:"):
            assert section in public.__doc__
    if not public.__module__.startswith(("pe_lib.common.devices", "pe_lib.diagnostics.")):
        assert "Source:" in public.__doc__
        assert "arXiv" in public.__doc__, "the paper"


def test_all_is_sorted_and_complete():
    assert pe_lib.__all__ == sorted(pe_lib.__all__)
    public = {
        name
        for name, value in vars(pe_lib).items()
        if not name.startswith("_") and getattr(value, "__module__", "").startswith("pe_lib.")
    }
    assert public == set(pe_lib.__all__)
