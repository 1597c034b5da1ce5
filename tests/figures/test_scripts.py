"""The figures' scripts: real modules, joined into one, with no circle and no arrow upwards."""

import json
import re
from pathlib import Path

import pytest

from pe_lib.figures import scripts

ROOM = scripts.PACKAGE / "figures"
PAGE = ROOM / "page"
ALL = sorted(ROOM.rglob("*.js"))
# What each may import from, beside itself and Python's constants.
BELOW = {
    "compute": set(),
    "language_model": {"compute"},
    "draw": {"compute"},
    "shell": {"compute", "draw"},
}
each_script = pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)


def write(folder: Path, **sources: str) -> Path:
    for name, source in sources.items():
        (folder / f"{name}.js").write_text(source)
    return folder / "last.js"


def test_each_script_comes_after_what_it_imports(monkeypatch, tmp_path):
    monkeypatch.setattr(scripts, "PACKAGE", tmp_path)
    folder = tmp_path / "figures"
    folder.mkdir()
    path = write(
        folder,
        low="export const low = 1;\nconst own = 2;\n",
        high='import { low } from "./low.js";\n\nexport function high() {\n  return low;\n}\n',
        last='import {\n  high,\n} from "./high.js";\nimport { low } from "./low.js";\n\n'
        "export function compute() {}\n\nexport default [high(), low];\n",
    )
    assert [found.stem for found in scripts.imported(path)] == ["low", "high"]


def test_a_circle_is_named(tmp_path):
    path = write(
        tmp_path,
        one='import { two } from "./two.js";\n',
        two='import { one } from "./one.js";\n',
        last='import { one } from "./one.js";\n',
    )
    with pytest.raises(ValueError, match=r"last\.js > one\.js > two\.js > one\.js"):
        scripts.imported(path)


def test_a_name_stays_in_its_script():
    source = scripts.as_constant(PAGE / "draw" / "legends.js")
    assert source.startswith("const page_draw_legends = (() => {\n")
    assert source.endswith("return { key, bars };\n})();\n")
    assert "import" not in source
    assert "export" not in source


def test_a_script_that_is_wanted_as_text_brings_what_it_imports(tmp_path, monkeypatch):
    monkeypatch.setattr(scripts, "PACKAGE", tmp_path)
    folder = tmp_path / "figures"
    folder.mkdir()
    path = write(
        folder,
        low="export const low = 1;\n",
        worker='import { low } from "./low.js";\n\npostMessage(low);\n',
        last='import { source } from "./worker.js?source";\n\nexport function compute() {}\n',
    )
    assert scripts.imported(path) == []
    text = json.dumps({"source": scripts.joined(folder / "worker.js")})
    assert scripts.joined(path) == f"const {{ source }} = {text};\n\nfunction compute() {{}}\n"


def test_constants_come_from_python():
    script = ROOM / "rope_by_hand" / "rotary_by_hand.js"
    assert 'const { KEY, QUERY } = {"KEY":[-0.7,0.9,' in scripts.resolved(script)


@each_script
def test_imports_are_real_and_point_downwards(path):
    source = path.read_text("utf-8")
    assert source.count("import ") == len(scripts.IMPORT.findall(source))
    assert " as " not in "".join(names for names, _ in scripts.IMPORT.findall(source))
    room = path.parent.name if path.is_relative_to(PAGE) else "figure"
    for other in scripts.imports(path):
        assert other.exists()
        if other.suffix == ".js":
            assert other.is_relative_to(PAGE), "figures do not know of each other"
            below = BELOW.get(room, BELOW.keys())
            assert other.parent.name in {room, *below}


@each_script
def test_lines_can_be_read(path):
    """The formatter leaves long words and comments as they are."""
    assert max(map(len, path.read_text("utf-8").splitlines())) <= 100


@each_script
def test_what_is_exported_is_imported_somewhere(path):
    exports = set(scripts.EXPORT.findall(path.read_text("utf-8")))
    taken = {
        name
        for other in ALL
        for names, source in scripts.IMPORT.findall(other.read_text("utf-8"))
        if scripts.target(other, source) == path
        for name in re.findall(r"\w+", names)
    }
    assert exports == (taken if path.is_relative_to(PAGE) else {"compute"})
