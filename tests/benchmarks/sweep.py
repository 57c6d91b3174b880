"""The scaling sweep as a picture: milliseconds over elements, both logarithmic, as SVG."""

from __future__ import annotations

import math
from typing import Any

COLOURS = ("#2563eb", "#d97706", "#059669", "#dc2626", "#7c3aed", "#0891b2", "#65a30d", "#475569")
WIDTH, HEIGHT, LEFT, TOP, PLOT_W, PLOT_H = 760, 460, 70, 40, 520, 360
SIZES = tuple(10**k for k in range(3, 10))


def picture(name: str, rows: list[dict[str, Any]]) -> str:
    """An SVG of one workload's rows."""
    lines: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        for peer, ms in row["ms"].items():
            lines.setdefault(peer, []).append((math.log10(row["n"]), math.log10(max(ms, 1e-4))))
    points = [point for line in lines.values() for point in line]
    x0, x1 = _span([x for x, _ in points])
    y0, y1 = _span([y for _, y in points])

    def place(x: float, y: float) -> str:
        across, up = (x - x0) / (x1 - x0), (y - y0) / (y1 - y0)
        return f"{LEFT + PLOT_W * across:.1f},{TOP + PLOT_H * (1 - up):.1f}"

    parts = [_grid(x0, x1, y0, y1, place), _text(LEFT, 22, f"{name}: ms over elements")]
    for k, (peer, line) in enumerate(lines.items()):
        colour, y = COLOURS[k % len(COLOURS)], TOP + 16 + 20 * k
        width = 3 if peer == "fuselab" else 1.5
        shape = " ".join(place(*point) for point in sorted(line))
        parts.append(
            f'<polyline points="{shape}" fill="none" stroke="{colour}" stroke-width="{width}"/>'
        )
        parts.append(_text(LEFT + PLOT_W + 16, y, peer, colour))
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}">\n'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>\n{body}\n</svg>\n'
    )


def _span(values: list[float]) -> tuple[float, float]:
    low, high = math.floor(min(values)), math.ceil(max(values))
    return low, max(high, low + 1)


def _grid(x0: float, x1: float, y0: float, y1: float, place: Any) -> str:
    parts = []
    for x in range(int(x0), int(x1) + 1):
        (a, b), (c, d) = (place(x, y).split(",") for y in (y0, y1))
        parts.append(f'<path d="M{a} {b}L{c} {d}" stroke="#e2e8f0"/>')
        parts.append(_text(float(a) - 10, TOP + PLOT_H + 18, f"1e{x}"))
    for y in range(int(y0), int(y1) + 1):
        (a, b), (c, d) = (place(x, y).split(",") for x in (x0, x1))
        parts.append(f'<path d="M{a} {b}L{c} {d}" stroke="#e2e8f0"/>')
        parts.append(_text(8, float(b) + 4, f"{10.0**y:g} ms"))
    return "\n".join(parts)


def _text(x: float, y: float, text: str, colour: str = "#0f172a") -> str:
    return (
        f'<text x="{x:.0f}" y="{y:.0f}" font-family="sans-serif" font-size="12" '
        f'fill="{colour}">{text}</text>'
    )
