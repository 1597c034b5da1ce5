"""What a notebook uses of pe_lib is found in its code, without importing anything."""

from pathlib import Path

import pytest

from book.tools.uses import Library

FILES = {
    "__init__.py": "from pe_lib.absolute.table import table\nfrom pe_lib.rotary import turn\n",
    "_checks.py": "",
    "absolute/__init__.py": "",
    "absolute/table.py": "import torch\nfrom pe_lib import _checks as c\nc.size\ndef table(): 1\n",
    "rotary/__init__.py": "from pe_lib.rotary.turn import turn\n",
    "rotary/turn.py": "import pe_lib.absolute.table\nturn = pe_lib.absolute.table.table\n",
    "rotary/other.py": "",
    "figures/__init__.py": "",
    "figures/order/__init__.py": "",
    "figures/order/token_shuffle.py": "class TokenShuffle: ...\n",
    "figures/order/token_shuffle.js": "",
    "exercises/__init__.py": "from pe_lib.exercises.checker import Check\ncheck = Check()\n",
    "exercises/checker.py": "",
    "exercises/chapter/__init__.py": "",
    "exercises/chapter/wavelength.py": "",
    "exercises/chapter/clip.py": "",
    "measured/__init__.py": "",
    "measured/record.py": "def read(): ...\n",
    "measured/records/loss.csv": "1\n",
}


@pytest.fixture
def library(tmp_path: Path) -> Library:
    for name, source in FILES.items():
        path = tmp_path / "pe_lib" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source)
    (tmp_path / "requirements.txt").write_text("# pins\ntorch==2.13.0\nrotary-embedding==1\n")
    return Library(tmp_path)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("import math", ""),
        ("import pe_lib\npe_lib.table(3)", "absolute.table _checks"),
        ("from pe_lib import table as t\nt(3).sum()", "absolute.table _checks"),
        ("import pe_lib as p\ndef f():\n    return p.turn", "rotary.turn absolute.table _checks"),
        ("from pe_lib.rotary import turn\nturn()", "rotary.turn absolute.table _checks"),
        ("from pe_lib.figures import TokenShuffle\nTokenShuffle()", "figures.order.token_shuffle"),
        (
            "from pe_lib.exercises import check\ncheck.clip(f)",
            "exercises exercises.checker exercises.chapter.clip",
        ),
        ("from pe_lib.exercises import check", ""),
        (
            "import pe_lib.rotary as r\nprint(dir(r))",
            "rotary rotary.turn rotary.other absolute.table _checks",
        ),
        (
            "from pe_lib import rotary\nrotary.unknown",
            "rotary rotary.turn rotary.other absolute.table _checks",
        ),
    ],
)
def test_names_lead_to_the_modules_that_define_them(
    library: Library, code: str, expected: str
) -> None:
    modules, _ = library.used_by(code)
    assert modules == {f"pe_lib.{name}" for name in expected.split()}


def test_data_belongs_to_the_modules_beside_it(library: Library) -> None:
    files = library.files({"pe_lib.measured.record", "pe_lib.figures.order.token_shuffle"})
    assert [path.name for path in files] == ["token_shuffle.py", "record.py", "loss.csv"]


def test_pinned_versions_belong_to_what_imports_them(library: Library) -> None:
    import_it = "import rotary_embedding"
    before = [
        library.fingerprint(code) for code in (import_it, "import pe_lib\npe_lib.table()", "")
    ]
    pins = library.root / "requirements.txt"
    pins.write_text(pins.read_text().replace("embedding==1", "embedding==2"))
    library = Library(library.root)
    after = [library.fingerprint(code) for code in (import_it, "import pe_lib\npe_lib.table()", "")]
    assert [a == b for a, b in zip(before, after, strict=True)] == [False, True, True]
    pins.write_text(pins.read_text().replace("torch==2.13", "torch==2.14"))
    assert Library(library.root).fingerprint("import pe_lib\npe_lib.table()") != after[1]


def test_a_renamed_module_is_a_change(library: Library) -> None:
    before = library.fingerprint("import pe_lib.rotary as r\nr")
    other = library.root / "pe_lib" / "rotary" / "other.py"
    other.rename(other.with_name("another.py"))
    assert Library(library.root).fingerprint("import pe_lib.rotary as r\nr") != before
