"""The README's table of the library: builtins by family, and how many have a form for the device.

``python scripts/library_table.py`` writes it; a test compares.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- library: scripts/library_table.py -->\n", "<!-- end of library -->\n"
FAMILIES = {
    "arrays and shapes": "arrays, creation, constants, questions, complex numbers, logic, "
    "special matrices, sizes, class conversion",
    "operators and elementary maths": "operators, trigonometry, exponents and logarithms, "
    "rounding, bits, number theory, special functions, elementary maths, numbers as text",
    "reductions and statistics": "reductions, statistics, moving windows, histograms, "
    "data preparation, distributions, random numbers",
    "sorting and sets": "sorting and searching, sets",
    "linear algebra": "linear algebra, sparse matrices",
    "control systems": "control systems",
    "graphs of nodes and edges": "networks",
    "interpolation, calculus, optimisation": "interpolation, polynomials, integration, "
    "numerical integration, differential equations, optimisation, geometry",
    "signals and sound": "signal processing, windows, sound",
    "images": "images",
    "text": "strings, text input, text output",
    "containers": "cells, structs, containers, tables, categories",
    "dates and time": "dates, time",
    "files and web": "files, web",
    "functions, objects, errors": "functions, Python, evaluation, objects, errors, "
    "argument checks, workspace, programs",
    "session, system, device": "session, system, device, debugging",
    "parallel": "parallel",
    "graphics": "graphics",
}
FAMILY = {c.strip(): family for family, names in FAMILIES.items() for c in names.split(",")}


def table() -> str:
    """The table in Markdown."""
    sys.path.insert(0, str(ROOT))
    from app.engine.declarations import registry

    found = registry.load_all().values()
    every = Counter(FAMILY.get(b.category, b.category) for b in found)
    ours = Counter(FAMILY.get(b.category, b.category) for b in found if not b.device.reason)
    lines = ["| family | builtins | run and fuse on the device |", "|---|--:|--:|"]
    order = [*FAMILIES, *sorted(set(every) - set(FAMILIES))]
    lines += [f"| {name} | {every[name]} | {ours[name] or '–'} |" for name in order if every[name]]
    lines.append(f"| **all** | **{len(found):,}** | **{sum(ours.values())}** |")
    return "\n".join(lines) + "\n"


def replaced(text: str) -> str:
    """The README with the table of today."""
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    return f"{before}{BEGIN}{table()}{END}{after}"


def main() -> None:
    """Write the table into the README."""
    path = ROOT / "README.md"
    path.write_text(replaced(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
