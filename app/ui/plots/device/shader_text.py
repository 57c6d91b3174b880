"""The shaders of plots: files of WGSL in ``shaders``, and what they are given to become a source.

A line ``//include NAME`` stands for the file of that name; ``${key}`` for a value that whoever
wants the shader gives. A key without a value is an error, and so is a value without a key.

Positions are computed relative to the window's corner before they become f32: the corner comes as
two f32 numbers (high and low part), so that a narrow window far from zero stays sharp. Whether a
number is finite is read from its bits: shader compilers assume that NaN does not exist.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).with_name("shaders")
_INCLUDE = re.compile(r"^//include (\w+)\n", re.MULTILINE)
_KEY = re.compile(r"\$\{(\w+)\}")

_LOADS = {
    "f32": ("array<f32>", "{a}[i]"),
    "f64": ("array<f64>", "{a}[i]"),
    "i32": ("array<i32>", "f32({a}[i])"),
    "u32": ("array<u32>", "f32({a}[i])"),
    "u8": ("array<u32>", "f32(({a}[i >> 2u] >> ((i & 3u) * 8u)) & 255u)"),
    "i8": ("array<u32>", "f32(bitcast<i32>({a}[i >> 2u] << (24u - (i & 3u) * 8u)) >> 24u)"),
    "u16": ("array<u32>", "f32(({a}[i >> 1u] >> ((i & 1u) * 16u)) & 65535u)"),
    "i16": ("array<u32>", "f32(bitcast<i32>({a}[i >> 1u] << (16u - (i & 1u) * 16u)) >> 16u)"),
}
"""Storage type of a buffer and how its element i is read, by layout."""


@cache
def template(name: str) -> str:
    """The text of ``shaders/NAME.wgsl`` with what it includes."""
    text = (FOLDER / f"{name}.wgsl").read_text(encoding="utf-8")
    return _INCLUDE.sub(lambda found: template(found[1]), text)


def shader(name: str, /, **values: str) -> str:
    """``shaders/NAME.wgsl`` with these values for its keys; KeyError when the keys are others."""
    text = template(name)
    wanted = set(_KEY.findall(text))
    if wanted != values.keys():
        raise KeyError(f"{name}.wgsl has the keys {sorted(wanted)}, not {sorted(values)}")
    return _KEY.sub(lambda found: values[found[1]], text)


def number_type(layout: str) -> str:
    """The type that elements with this layout are loaded as."""
    return "f64" if layout == "f64" else "f32"


def array_source(name: str, binding: int, layout: str) -> str:
    """A binding of data with that layout and ``load_<name>(i)``."""
    storage, element = _LOADS[layout]
    return shader(
        "array",
        name=name,
        binding=str(binding),
        storage=storage,
        number=number_type(layout),
        element=element.format(a=name),
    )


def arrays_source(names: str, bindings: Sequence[int], layouts: Sequence[str]) -> str:
    """Bindings of several data, named by a letter each."""
    each = zip(names, bindings, layouts, strict=True)
    return "".join(array_source(*parts) for parts in each)
