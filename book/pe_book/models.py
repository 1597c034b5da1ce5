"""What published models have for positions: the tables of the page `which_model`.

They are made from `book/published_models.json` when the book is built, by the function that reads a
configuration for everybody, `rotary_from_config`; so they say what the tests have compared with
other libraries. The directive `models` is the table of one group, or of all parts that see:

```{models} stretched
```
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

from pe_lib import (
    DynamicNTKScaling,
    LinearScaling,
    Llama3Scaling,
    LongRopeScaling,
    NTKScaling,
    ProportionalScaling,
    RotarySettings,
    YarnScaling,
    rotary_from_config,
)
from pe_lib.rotary.config.conventions import Source
from pe_lib.rotary.config.layers import WITHOUT_SCORES, layers_of
from pe_lib.rotary.config.read import parts_of, text_source

TABLE = Path(__file__).parents[1] / "published_models.json"
ROTATION = ("model", "encoding", "base", "turned", "scaling", "pairs", "seen in")
OTHERS = ("model", "encoding", "seen in")
SEES = "sees"
GROUPS = {
    **dict.fromkeys(("unturned", "several", "pictures", "part", "stretched", "base"), ROTATION),
    **{"plain": ROTATION, "unread": OTHERS, "without": OTHERS, SEES: ROTATION},
}

# By model_type, for models that do not turn; {} is the longest text.
ENCODINGS = {
    "bert": "learned table of {} rows",
    "glm5_next_text": "no positions, beside linear attention",
    "gpt2": "learned table of {} rows",
    "kimi_linear": "no positions, beside linear attention",
    "mpt": "ALiBi",
    "nemotron_h": "no positions, beside Mamba layers",
    "t5": "a learned bias for each bucket of distances",
    "xlm-roberta": "learned table of {} rows",
}
SCALINGS = {
    DynamicNTKScaling: "dynamic NTK",
    LinearScaling: "interpolation",
    Llama3Scaling: "Llama 3’s rule",
    LongRopeScaling: "LongRoPE",
    NTKScaling: "NTK",
    ProportionalScaling: "p-RoPE",
    YarnScaling: "YaRN",
}
TYPES = {
    "chunked_attention": "chunks",
    "conv": "convolution",
    "full_attention": "full",
    "linear_attention": "linear attention",
    "sliding_attention": "window",
}
LAYOUTS = {True: "interleaved", False: "half-split", None: "neither"}
# Their code comes with their weights, and its pairs were compared with nothing.
UNCOMPARED = {
    *("", "deepseek", "exaone", "hunyuan", "internlm2", "mimo", "minicpm", "nemotron-nas"),
    *("orion", "phi3_v", "phi4mm", "xverse"),
}
NOTHING = ("–",) * 4
Settings = RotarySettings | None


@dataclass(frozen=True)
class Model:
    """An entry of the table: a model's name, its configuration, and a link to where it is."""

    name: str
    config: dict[str, Any]
    link: str

    @cached_property
    def source(self) -> Source:
        """The settings of its language model."""
        return text_source(self.config)

    @cached_property
    def layers(self) -> dict[Settings, str]:
        """Each way in which layers turn (None: they do not), and in words which layers these are.

        Raises ValueError where `rotary_from_config` cannot read the configuration.
        """
        known = layers_of(self.source)
        numbers: list[Any] = [*range(known.count or 0)]
        types = known.types or (None,) * len(numbers)
        asked = numbers
        if "num_hidden_layers" not in self.source:  # the file says nothing of most layers
            asked = types = [*dict.fromkeys(types)] or [None]
        found: dict[Settings, list[str | None]] = {}
        for layer, type_of in zip(asked, types, strict=True):
            found.setdefault(rotary_from_config(self.source, layer), []).append(type_of)
        if len(found) == 1:
            return dict.fromkeys(found, "")
        return {
            settings: _which(own, len(types) if asked is numbers else None)
            for settings, own in found.items()
        }

    @cached_property
    def why_unread(self) -> str:
        """What `rotary_from_config` says of a configuration that it cannot read, else nothing."""
        try:
            return "" if self.layers else "it has no layers"
        except ValueError as error:
            return str(error).partition(": ")[2]

    @property
    def encoding(self) -> str:
        """What a model has that does not turn."""
        name = self.source["model_type"]
        if name not in ENCODINGS:
            raise ExtensionError(f"{self.name}: say in ENCODINGS what {name!r} has for positions")
        return ENCODINGS[name].format(self.source.get("max_position_embeddings"))

    @property
    def group(self) -> str:
        """The one group that shows it."""
        if self.why_unread:
            return "unread"
        settings, *others = self.layers
        if settings is None and not others:
            return "unturned" if self.encoding.startswith("no positions") else "without"
        if None in self.layers:
            return "unturned"
        if others:
            return "several"
        if settings.widths:
            return SEES
        if settings.sections:
            return "pictures"
        if settings.dim < head_dim(self.source):
            return "part"
        if settings.scaling:
            return "stretched"
        return "plain" if settings.theta == 10_000 else "base"

    @property
    def rows(self) -> Iterator[tuple[str, ...]]:
        """What its group's table says of it."""
        if self.why_unread:
            yield self.name, f"RoPE; refused: {self.why_unread}", self.link
        elif [*self.layers] == [None]:
            details = NOTHING if GROUPS[self.group] == ROTATION else ()
            yield self.name, self.encoding, *details, self.link
        else:
            for settings, which in self.layers.items():
                yield self.name, *_said(settings, which, self.source), self.link

    @property
    def row_of_the_part_that_sees(self) -> tuple[str, ...] | None:
        """What is said of its part that sees; None where its configuration does not say enough."""
        found = (
            source["vision_config"] for source in parts_of(self.config) if "vision_config" in source
        )
        if "model_type" not in (part := next(found, {})):
            return None
        part = text_source(part)
        return self.name, *_said(rotary_from_config(part), "", part), self.link


def head_dim(source: Source) -> int:
    """The features of a head, turned or not."""
    if source.get("qk_nope_head_dim"):
        return source["qk_nope_head_dim"] + source["qk_rope_head_dim"]
    return source.get("head_dim") or source["hidden_size"] // source["num_attention_heads"]


def _which(types: list[str | None], total: int | None) -> str:
    """Layers of these types in words: "5 of 6 layers, window"."""
    (kind, *others) = {*types}
    of = "some layers" if total is None else f"{len(types)} of {total} layers"
    return f"{of}, {TYPES[kind]}" if not others and kind in TYPES else of


def _said(settings: Settings, which: str, source: Source) -> tuple[str, ...]:
    """Encoding, base, features, scaling and pairs in words."""
    layers = f": {which}" if which else ""
    if settings is None:
        without = {TYPES[kind] for kind in WITHOUT_SCORES & TYPES.keys()}
        name = "nothing to turn" if which.endswith(tuple(without)) else "no positions"
        return name + layers, *NOTHING
    turned, scaling = settings.dim, settings.scaling
    if isinstance(scaling, ProportionalScaling):
        turned = int(turned * scaling.partial_rotary_factor)
    return (
        _name(settings) + layers,
        f"{settings.theta:,.0f}",
        f"{turned} of {max(head_dim(source), settings.dim)}",
        _scaling(settings),
        "–" if source["model_type"] in UNCOMPARED else LAYOUTS[settings.interleaved],
    )


def _name(settings: RotarySettings) -> str:
    if settings.widths:
        return f"RoPE on {len(settings.widths)} axes"
    if settings.sections:
        order = "interleaved" if settings.sections_interleaved else "in blocks"
        return f"M-RoPE {'/'.join(map(str, settings.sections))} {order}"
    return "RoPE"


def _scaling(settings: RotarySettings) -> str:
    if (scaling := settings.scaling) is None:
        return "–"
    text = SCALINGS[type(scaling)]
    factor = getattr(scaling, "factor", None)
    if factor not in (None, 1):
        text += f" ×{factor:,g}"
    if trained := getattr(scaling, "original_max_position", None):
        text += f" from {trained:,}"
    return f"{text}, queries grow" if settings.temperature_beta else text


@cache
def published_models() -> list[Model]:
    """All entries, in the order of the file: by name. (They are read once: that takes seconds.)"""
    entries = json.loads(TABLE.read_text("utf-8"))
    return [Model(entry["model"], entry["config"], _link(**entry["seen"])) for entry in entries]


def _link(repository: str, path: str, commit: str) -> str:
    address = f"https://github.com/{repository}/blob/{commit}/{path}"
    name = repository.partition("/")[2]
    return f'[{name} {commit[:7]}](<{address}> "{repository}: {path}")'


def rows_of(group: str) -> list[tuple[str, ...]]:
    """The rows of a group's table."""
    models = published_models()
    rows = [row for model in models if model.group == group for row in model.rows]
    if group == SEES:
        rows += [row for model in models if (row := model.row_of_the_part_that_sees)]
    return rows


def table(group: str) -> str:
    """The table of a group as Markdown, without the columns that would say nothing."""
    columns = zip(GROUPS[group], *rows_of(group), strict=True)
    told = [(head, "---", *cells) for head, *cells in columns if {*cells} != {"–"}]
    return "\n".join(f"| {' | '.join(line)} |" for line in zip(*told, strict=True))


class Models(SphinxDirective):
    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        if (group := self.arguments[0]) not in GROUPS:
            raise self.error(f"models: expected one of {', '.join(GROUPS)}, got {group}")
        self.env.note_dependency(str(TABLE))
        box = nodes.container(classes=["pe-models"])
        box += self.parse_text_to_nodes(table(group))
        name_cells(box)
        return [box]


def name_cells(box: nodes.Element) -> None:
    """Give each cell its heading as a class: a phone shows a row as lines, and says which is which.

    A cell that says nothing is known too, as such a line is left out.
    """
    headings: list[str] = []
    for row in box.findall(nodes.row):
        if isinstance(row.parent, nodes.thead):
            headings = [nodes.make_id(f"pe-{cell.astext()}") for cell in row]
        for cell, heading in zip(row, headings, strict=True):
            cell["classes"] += [heading, *(["pe-nothing"] if cell.astext() == "–" else [])]


def setup(app: Sphinx) -> None:
    """Called by the book's extension."""
    app.add_directive("models", Models)
