"""Numbers as people read them: bytes, times, counts, sizes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from math import isfinite
from pathlib import Path

DASH = "–"
_BYTE_UNITS = ("B", "KB", "MB", "GB", "TB")

WHERE_GLYPHS = {"device": "■", "host": "□", "both": "◧", "lazy": "◌"}
WHERE_SENTENCES = {
    "device": "On the GPU only. Reading a value fetches just what is shown.",
    "host": "In main memory only.",
    "both": "On the GPU and in main memory, with the same content.",
    "lazy": "Not computed yet: its recipe is kept until the value is needed.",
}


def number(value: float) -> str:
    """A number with at most three significant digits after scaling: 9.87, 98.7, 987."""
    digits = 2 if value < 10 else 1 if value < 100 else 0
    return f"{value:.{digits}f}"


def bytes_text(count: float | None) -> str:
    """A size in bytes, such as ``4 B``, ``1.20 KB``, ``381 MB``."""
    if count is None:
        return DASH
    value, unit = float(count), 0
    while value >= 999.5 and unit < len(_BYTE_UNITS) - 1:
        value, unit = value / 1024, unit + 1
    return f"{count:.0f} B" if unit == 0 else f"{number(value)} {_BYTE_UNITS[unit]}"


def milliseconds(value: float | None) -> str:
    """A time given in ms, such as ``41 µs``, ``3.40 ms``, ``1.20 s``, ``2 min 05 s``."""
    if value is None:
        return DASH
    if value < 1:
        return f"{value * 1000:.0f} µs"
    if value < 999.5:
        return f"{number(value)} ms"
    seconds = value / 1000
    if seconds < 60:
        return f"{number(seconds)} s"
    return f"{int(seconds // 60)} min {int(seconds % 60):02d} s"


def count(value: float | None) -> str:
    """A whole number with thin spaces between thousands."""
    return DASH if value is None else f"{value:,.0f}".replace(",", "\u2009")


def distinct_names(files: Sequence[Path]) -> list[str]:
    """The names of files, with as many folders before them as tell them apart."""
    deepest = max((len(file.parts) for file in files), default=1)
    names = [file.name for file in files]
    for depth in range(2, deepest + 1):
        alike = Counter(names)
        names = [
            "/".join(file.parts[-depth:]) if alike[name] > 1 else name
            for file, name in zip(files, names, strict=True)
        ]
    return names


def plural(value: float, one: str, many: str = "") -> str:
    """A number of things: ``1 group``, ``2 groups``."""
    return f"{count(value)} {one if value == 1 else many or f'{one}s'}"


def large(value: float) -> str:
    """A large number with a decimal prefix, such as ``4.10 T``."""
    for prefix in ("", " k", " M", " G"):
        if value < 999.5:
            return f"{number(value)}{prefix}"
        value /= 1000
    return f"{number(value)} T"


def short_count(value: float) -> str:
    """A number of elements in a few letters, such as ``100``, ``25 k``, ``1.5 M``."""
    unit = 0
    while value >= 999.5 and unit < 3:
        value, unit = value / 1000, unit + 1
    digits = 0 if value >= 10 or value == int(value) else 1
    return f"{value:.{digits}f}{('', ' k', ' M', ' G')[unit]}"


SPARKS = 32
BLOCKS = "▁▂▃▄▅▆▇█"


def sparkline(values: Sequence[float]) -> str:
    """Numbers as a row of ``SPARKS`` small blocks at most; what is not finite is a gap."""
    step = max(len(values) / SPARKS, 1.0)
    picked = [values[int(n * step)] for n in range(min(SPARKS, len(values)))]
    finite = [v for v in picked if isfinite(v)]
    if len(finite) < 2:
        return ""
    low, high = min(finite), max(finite)
    scale = (len(BLOCKS) - 1) / (high - low) if high > low else 0.0
    return "".join(BLOCKS[round((v - low) * scale)] if isfinite(v) else " " for v in picked)


def size_text(size: Sequence[int]) -> str:
    """An array size, such as ``1024×1``."""
    return "×".join(str(extent) for extent in size)


def lines_text(lines: Collection[int]) -> str:
    """Line numbers with runs joined, such as ``3–5, 9``."""
    parts: list[str] = []
    ordered = sorted(set(lines))
    start = 0
    for index in range(1, len(ordered) + 1):
        if index == len(ordered) or ordered[index] != ordered[index - 1] + 1:
            first, last = ordered[start], ordered[index - 1]
            parts.append(str(first) if first == last else f"{first}–{last}")
            start = index
    return ", ".join(parts)


def lines_short(lines: Sequence[int], most: int = 9) -> str:
    """Line numbers in a few characters: when they are many, only the first and the last."""
    text = lines_text(lines)
    return text if len(text) <= most else f"{min(lines)} … {max(lines)}"


def workgroup_text(workgroup: Sequence[int]) -> str:
    """A workgroup's extents without trailing ones: ``256``, ``16×16``."""
    extents = list(workgroup)
    while len(extents) > 1 and extents[-1] == 1:
        extents.pop()
    return size_text(extents)


def percent(part: float, whole: float) -> str:
    """``part`` as a share of ``whole``."""
    return DASH if whole <= 0 else f"{100 * part / whole:.0f} %"
