"""What every live figure shares: one widget in a notebook, one piece of HTML in a page.

A figure is a ``NAME.py`` (its inputs, and ``compute`` in torch) beside a ``NAME.js`` (``compute``
once more for pages without a kernel, and ``render``). With a kernel, the numbers come from here;
without one, the same script computes them itself. ``render`` never knows which it was.
"""

import html
import inspect
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import anywidget
import torch
from torch import Tensor
from traitlets import Bool, Dict, List, Unicode

from pe_lib.common.devices import available_devices
from pe_lib.course import palette
from pe_lib.figures.controls import Control, Input, Trait, check_input, choice
from pe_lib.figures.scripts import joined

HERE = Path(__file__).parent
# A notebook's server holds the end of a message back until the browser has confirmed the message
# before (Nagle's algorithm: up to 40 ms). What fills a packet leaves at once, so an answer is
# followed by as many zeros as a packet of the machine's own network holds: for a server on the
# reader's machine, and for no other.
FILL = bytes(2**16)
RUN_THIS_CELL = " <em>Run this cell, or open the book, to move it.</em>"


class Figure(anywidget.AnyWidget):
    """Base class of the live figures.

    A subclass sets ``question`` (what the figure answers, shown above it) and ``summary`` (what
    can be seen, for who cannot run it), declares its inputs with :mod:`pe_lib.figures.controls`,
    and defines ``compute``. Its script stands beside it in a ``.js`` file of the same name.

    A subclass that ``asks`` opens on its question: it holds back its words, and whatever its
    script marks ``data-pe-answer``, until the reader moves a control or presses "Show". One that
    opens before there is anything to see says with which inputs its ``still`` picture is drawn.
    """

    question: ClassVar[str]
    summary: ClassVar[str]
    asks: ClassVar[bool] = False
    still: ClassVar[Mapping[str, Input]] = {}
    # Whether its numbers take long enough for all of torch's threads to pay.
    large: ClassVar[bool] = False
    # The numbers for these inputs, computed by pe_lib: ``compute(device, **inputs)``.
    compute: ClassVar[Callable[..., Mapping[str, Tensor | float]]]

    device = Unicode("cpu").tag(sync=True, echo_update=False)
    _controls: Trait = List().tag(sync=True)
    _question = Unicode().tag(sync=True)
    _asks = Bool().tag(sync=True)
    _result = Dict().tag(sync=True)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        if "_esm" not in vars(cls):  # traitlets subclasses each instance, with these as traits
            cls._esm = joined(cls.script())
            cls._css = style_sheet()
        super().__init_subclass__(**kwargs)

    def __init__(self, **inputs: object) -> None:
        unknown = sorted(set(inputs) - set(self.controls()) - {"device", "layout"})
        if unknown:
            known = ", ".join(self.controls())
            raise TypeError(f"{type(self).__name__} has no input {unknown[0]!r}, only: {known}")
        devices = {name: name for name in available_devices()}
        device = choice("cpu", devices, label="device").metadata["control"] | {"name": "device"}
        super().__init__(
            _controls=[*self.controls().values(), device],
            _question=self.question,
            _asks=self.asks,
            **inputs,
        )
        self.observe(self._refresh, [*self.controls(), "device"])
        self.on_msg(self._answer)
        self._refresh()

    @classmethod
    def script(cls) -> Path:
        """The file of the figure's own JavaScript."""
        return Path(inspect.getfile(cls)).with_suffix(".js")

    @classmethod
    def controls(cls) -> dict[str, Control]:
        """The inputs by name, with what a page needs to show each as a control."""
        traits = cls.class_traits(control=lambda control: control is not None)
        in_order = (name for base in reversed(cls.__mro__) for name in vars(base) if name in traits)
        return {name: {"name": name, **traits[name].metadata["control"]} for name in in_order}

    @property
    def inputs(self) -> dict[str, Input]:
        """The present value of every input."""
        names = (control["name"] for control in self._controls[:-1])  # the device comes last
        return {name: getattr(self, name) for name in names}

    def _refresh(self, _change: object = None) -> None:
        """Compute and send the numbers, or send what is wrong with the inputs."""
        inputs = self.inputs
        asked = {**inputs, "device": self.device}
        if self._result.get("inputs") == asked:
            return  # several inputs changed in one message: the first of them did the work
        answer: dict[str, object] = {"inputs": asked}
        try:
            for control in self._controls:
                check_input(control["name"], asked[control["name"]], control)
            with nullcontext() if self.large else one_thread():
                values = self.compute(self.device, **inputs)
            answer["values"] = {name: pack(value) for name, value in values.items()}
        except (ValueError, TypeError) as error:
            answer["error"] = str(error)
        self._result = answer

    def _answer(self, _figure: object, asked: dict[str, Any], _buffers: object) -> None:
        """The page asks for the numbers of some inputs (see page/shell/answers.js)."""
        self.set_state(asked["inputs"])
        self._refresh()
        if asked["near"]:
            self.send("fill", [FILL])

    def __repr__(self) -> str:
        inputs = ", ".join(f"{name}={value!r}" for name, value in self.inputs.items())
        return f"{type(self).__name__}({inputs})"

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        data, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        if "google.colab" not in sys.modules:  # Colab would show the HTML instead of the widget
            data["text/html"] = self.static_html()
        return data, metadata

    def static_html(self, advice: str = RUN_THIS_CELL) -> str:
        """The figure as a page without a kernel finds it; the book's script brings it to life."""
        inputs = html.escape(json.dumps(self.inputs, sort_keys=True))
        return (
            f'<div class="pe-figure" data-module="{type(self).__name__}" data-inputs="{inputs}">'
            f"<p><strong>{html.escape(self.question)}</strong> {html.escape(self.summary)}"
            f"{advice}</p></div>"
        )


def exact_dtype(device: str) -> torch.dtype:
    """The most exact floating point dtype of a device: float64, but float32 on MPS."""
    return torch.float32 if device == "mps" else torch.float64


@contextmanager
def one_thread() -> Iterator[None]:
    """Torch without its other threads, which a small tensor waits for while their cores are busy.

    A table of 64 x 128 takes a tenth of a millisecond either way, but in a notebook the browser
    and the server keep the cores busy, and every third table then took ten milliseconds more.
    """
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def pack(value: Tensor | float) -> dict[str, object] | float:
    """A tensor as shape and bytes (they travel as one binary buffer), a number as it is.

    The bytes are those of float32 if the tensor's are, and else of float64.
    """
    if not isinstance(value, Tensor) or not value.ndim:
        return float(value)
    dtype = torch.float32 if value.dtype == torch.float32 else torch.float64
    array = value.detach().to("cpu", dtype).contiguous()
    return {"shape": list(array.shape), "data": array.numpy().tobytes()}


@cache
def style_sheet() -> str:
    """The figures' style sheet with the palette's colours as variables."""
    light, dark = palette.css_variables("light"), palette.css_variables("dark")
    themes = f".pe-root {{ {light} }}\n.pe-root[data-pe-theme=dark] {{ {dark} }}\n"
    return themes + (HERE / "page" / "style.css").read_text("utf-8")
