"""Systems as text: polynomials, factors, fractions, matrices with named rows and columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine.values import Array


def polynomial_text(p: Array, variable: str) -> str:
    """A polynomial as text, such as ``s^2 + 3 s + 5``."""
    inverse = variable.endswith("^-1")
    name, terms = variable.removesuffix("^-1"), []
    for k, c in enumerate(p):
        power = -k if inverse else p.size - 1 - k
        if c == 0:
            continue
        mark = "" if power == 0 else name if power == 1 else f"{name}^{power}"
        size = _number(abs(c) if np.isreal(c) else c)
        body = size if not mark else mark if size == "1" else f"{size} {mark}"
        sign = "-" if np.isreal(c) and np.real(c) < 0 else "+"
        terms.append((sign, body))
    if not terms:
        return "0"
    first = ("-" if terms[0][0] == "-" else "") + terms[0][1]
    return first + "".join(f" {s} {b}" for s, b in terms[1:])


def _number(c: Any) -> str:
    if np.isreal(c):
        return f"{float(np.real(c)):.4g}"
    return f"({c.real:.4g}{c.imag:+.4g}i)"


def fraction(top: str, bottom: str, lead: str = "") -> str:
    """A fraction on three lines, or its numerator where the denominator is one."""
    if bottom == "1":
        return f"  {lead}{top}\n"
    width = max(len(top), len(bottom))
    margin = " " * len(lead)
    rows = (
        margin + top.center(width).rstrip(),
        lead + "-" * width,
        margin + bottom.center(width).rstrip(),
    )
    return "".join(f"  {row}\n" for row in rows)


def by_channel(io: tuple[int, int], one: Callable[[int, int], str]) -> str:
    """Every channel, under a heading and with the number of its output where there are several."""
    outputs, inputs = io
    if io == (1, 1):
        return one(0, 0)
    text = ""
    for j in range(inputs):
        text += f"  From input {j + 1} to output{'...' if outputs > 1 else ':'}\n"
        for i in range(outputs):
            lines = one(i, j).splitlines()
            marks = [f"   {i + 1}:" if k == len(lines) // 2 else "     " for k in range(len(lines))]
            text += "".join(
                f"{m if outputs > 1 else ''}{line}\n" for m, line in zip(marks, lines, strict=True)
            )
            text += " \n"
    return text.removesuffix(" \n")


def factors(roots: Array, variable: str) -> str:
    """The factors of roots as text: ``s (s+1)^2 (s^2 + 2s + 5)``."""
    counts: dict[str, int] = {}
    for r in np.asarray(roots).tolist():
        pair = abs(complex(r).imag) > 1e-10 * max(1, abs(r))
        if pair and complex(r).imag < 0:
            continue
        text = _factor(complex(r), variable, pair=pair)
        counts[text] = counts.get(text, 0) + 1
    return " ".join(t if n == 1 else f"{t}^{n}" for t, n in counts.items())


def _factor(r: complex, variable: str, *, pair: bool) -> str:
    sign = "-" if r.real > 0 else "+"
    if pair:
        middle = f" {sign} {abs(2 * r.real):.4g}{variable}" if abs(r.real) > 1e-12 else ""
        return f"({variable}^2{middle} + {abs(r) ** 2:.4g})"
    return variable if r.real == 0 else f"({variable}{sign}{abs(r.real):.4g})"


def labelled_matrix(m: Array, row: str, column: str) -> str:
    """A matrix with a name before each row and over each column."""
    texts = [[f"{v:.4g}" for v in line] for line in m.tolist()]
    heads = [f"{column}{j + 1}" for j in range(m.shape[1])]
    widths = [max(len(h), *(len(t[j]) for t in texts)) for j, h in enumerate(heads)]
    first = len(f"{row}{m.shape[0]}") + 3
    lines = [" " * first + "".join(f"  {h:>{w}}" for h, w in zip(heads, widths, strict=True))]
    lines += [
        f"{row}{i + 1}".rjust(first)
        + "".join(f"  {t:>{w}}" for t, w in zip(line, widths, strict=True))
        for i, line in enumerate(texts)
    ]
    return "\n".join(lines) + "\n"
