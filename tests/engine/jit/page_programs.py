"""Random programs of loops over arrays of three dimensions, for comparing ways of running."""

from __future__ import annotations

import random

SIZES = ((3, 4, 5), (1, 4, 3), (4, 1, 3), (3, 3, 1), (1, 1, 4), (2, 3, 2), (0, 3, 2), (2, 2, 0))
CLASSES = (
    "{}",
    "{}",
    "{}",
    "single({})",
    "int32({})",
    "uint8({})",
    "({}) > 4",
    "({}) + 2i*({})",
    "char({} + 64)",
)
FUNCTIONS = """
function r = element(x, i, j, k)
  r = x(i, j, k) + size(x, 3);
end
function [p, m] = pages(n)
  p = ones(2, 2, n); m = 0;
  for k = 1:n, p(:, :, k) = p(:, :, k)*k; m = m + p(end, 1, k); end
end
"""


class PageWriter:
    """Writes one program from a seed; most subscripts are in range, some are not."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def program(self) -> str:
        """The text."""
        self.size = self.random.choice(SIZES)
        numbers = "reshape(1:{}, {}, {}, {})".format(
            self.size[0] * self.size[1] * self.size[2], *self.size
        )
        kind = self.random.choice(CLASSES)
        m, n, p = self.size
        setup = [
            f"A = {kind.replace('{}', numbers)}; B = A; C = zeros({m}, {n}, {p});",
            f"s = 0; t = 0; v = zeros(1, {p}); M = ones({m}, {n}); q = zeros({m}, {n});",
        ]
        body = [
            f"for k = 1:{p}",
            f"  for j = 1:{n}",
            f"    for i = 1:{m}",
            *(f"      {self.statement('ijk')}" for _ in range(self.random.randint(1, 4))),
            "    end",
            *(f"    {self.statement('jk')}" for _ in range(self.random.randint(0, 2))),
            "  end",
            *(f"  {self.statement('k')}" for _ in range(self.random.randint(0, 3))),
            "end",
        ]
        guard = self.random.random() < 0.3
        lines = ["try", *body, "catch e, message = e.message; end"] if guard else body
        return "\n".join([*setup, *lines]) + FUNCTIONS

    def subscript(self, which: int, known: str) -> str:
        """One subscript of a dimension."""
        name, most = "ijk"[which], self.size[which]
        choices = [str(most), "end", "1"]
        if name in known:
            choices += [name] * 6 + [f"max({name}-1,1)", f"min({name}+1,end)", f"end-{name}+1"]
        if self.random.random() < 0.02:
            choices = [f"{most + 1}", "0", "1.5"]
        return self.random.choice(choices)

    def element(self, known: str, base: str = "") -> str:
        """An element."""
        base = base or self.random.choice("AABC")
        if self.random.random() < 0.1:
            return f"{base}({self.random.choice(('1', 'end', 'numel(A)', '2, end', 'end, 1'))})"
        return f"{base}({', '.join(self.subscript(w, known) for w in range(3))})"

    def several(self, known: str) -> tuple[str, str]:
        """A slice, and something of its size."""
        i, j, k = (self.subscript(w, known) for w in range(3))
        m, n, p = self.size
        return self.random.choice(
            (
                (f"(:, :, {k})", f"ones({m}, {n})*2"),
                (f"(:, {j}, {k})", f"(1:{m})'"),
                (f"({i}, :, {k})", f"(1:{n})"),
                (f"({i}, {j}, :)", f"(1:{p})"),
                (f"({i}, :, :)", f"ones({n}, {p})"),
                (f"(:, {j}, :)", f"ones({m}, {p})"),
                (f"(:, :, {k})", "3"),
                (f"(1:end-1, {j}, {k})", "4"),
                (f"({i}, {j}, 1:end-1)", "5"),
            )
        )

    def statement(self, known: str) -> str:
        """One statement."""
        part, fitting = self.several(known)
        base = self.random.choice("AABC")
        return self.random.choice(
            (
                f"{self.element(known, 'C')} = {self.element(known)}*2 + s;",
                f"{self.element(known)} = {self.element(known)};",
                f"s = s + double({self.element(known)});",
                f"if {self.element(known)} > 3, s = s + 1; else, t = t - 1; end",
                f"C{part} = {fitting};",
                f"C{part} = C{part}*0.5 + 1;",
                f"s = s + sum(C{part});" if part.count(":") == 1 else f"q = C{part};",
                f"z = squeeze(C{part}); s = s + numel(z);",
                f"v(k) = C{self.random.choice(('(1)', '(1, 1, k)', '(end, end, k)'))};",
                f"s = s + size({base}, {self.random.choice('123')}) + numel({base});",
                f"[a, b] = size({base}); s = s + a*b;",
                f"[a, b, c] = size({base}); t = t + a + 10*b + 100*c;",
                f"M = C(:, :, {self.subscript(2, known)}); s = s + sum(M(:));",
                "C = C*0.5 + abs(C);",
                "D = C + 1; s = s + D(end);",
                "D = zeros(2, 2, 3); D(2, 1, 3) = s; t = t + D(end, 1, end);",
                "s = s + element(C, 1, 1, 1);",
                "[P, u] = pages(2); s = s + u + P(1, 2, 2);",
                f"C{part} = [];" if self.random.random() < 0.1 else "s = s + isempty(A);",
                f"C({self.size[0] + 1}, 1, 1) = 1;" if self.random.random() < 0.1 else "t = t + 1;",
            )
        )
