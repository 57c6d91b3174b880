"""Random loops over matrices: parts, broadcasts, transposes, products, selections and stores."""

from __future__ import annotations

import random

PASSES = 9


def matrix_program(seed: int) -> str:
    """A script whose loop carries matrices, rows, columns and numbers, whatever it does with them."""
    return _Writer(random.Random(seed)).program()


class _Writer:
    """Writes one program; ``A`` and ``B`` are m-by-n, ``D`` n-by-n, ``r`` a row, ``c`` a column."""

    def __init__(self, r: random.Random) -> None:
        self.r = r
        self.cast = r.choice(["", "", "", "single", "int32"])

    def program(self) -> str:
        """Set-up and loop."""
        m, n = self.r.choice(
            [(8, 16), (16, 8), (13, 13), (40, 5), (3, 50), (1, 90), (90, 1), (20, 30), (40, 17)]
        )
        scale = "100 * " if self.cast == "int32" else ""
        first = f"{self.cast}({scale}reshape(%s, m, n))" if self.cast else "reshape(%s, m, n)"
        zero = "single(0)" if self.cast == "single" else "0"
        body = "\n".join(self._statement() for _ in range(self.r.randint(1, 4)))
        return "\n".join(
            [
                f"m = {m}; n = {n}; w = (1:m)' / m; p = [2:m 1]; e = mod(1:n, 3) == 1; q = {zero}; s = 0.1;",
                f"A = {first % 'sin(1:m * n)'}; B = {first % 'cos((1:m * n) / 3)'}; Z = 0 * A;",
                "D = reshape(sin((1:n * n) / 5), n, n) / n; r = sin(1:n); c = cos(1:m)';",
                f"P = repmat({zero}, [m n {PASSES}]); S = repmat({zero}, {PASSES}, n); "
                f"T = repmat({zero}, m, {PASSES}); k3 = repmat({zero}, 1, {PASSES});",
                "L = false(m, n); v = [];",
                self._loop(body),
            ]
        )

    def _loop(self, body: str) -> str:
        kind = self.r.random()
        if kind < 0.6:
            return f"for t = 1:{PASSES}\n{body}\nend\n"
        if kind < 0.8:
            return f"t = 0;\nwhile t < {PASSES}\nt = t + 1;\n{body}\nif q > 1e6, break, end\nend\n"
        return f"for u = 1:2\nfor t = 1:{PASSES}\n{body}\nend\ns = s / 2;\nend\n"

    def _matrix(self, depth: int = 0) -> str:
        """An m-by-n value."""
        r = self.r
        if depth > 1 or r.random() < 0.3:
            return r.choice(["A", "A", "B", "Z", "A(end:-1:1, :)", "B(:, end:-1:1)", "P(:, :, t)"])
        one, two = self._matrix(depth + 1), self._matrix(depth + 1)
        return r.choice(
            [
                f"({one} + {two})",
                f"({one} - {self._row()})",
                f"({one} .* {self._column()})",
                f"min({one}, {two})",
                f"max({one}, {self._row()} + {self._column()})",
                f"abs({one})",
                f"circshift({one}, 1)",
                f"circshift({one}, -1, 2)",
                f"[{one}(2:end, :); {one}(1, :)]" if one in "ABZ" else one,
                f"[{one}(:, 2:end) {one}(:, 1)]" if one in "ABZ" else one,
                f"{one}(p, :)" if one in "ABZ" else one,
                f"repmat({self._row()}, m, 1)",
                f"reshape({one}.', m, n)",
                f"cumsum({one}, {r.choice('12')}) / 9",
                f"sort({one}, {r.choice('12')})",
                f"double({one} > {two})",
                f"({one} - mean({one}, {r.choice('12')}))" if self.cast != "int32" else one,
            ]
        )

    def _row(self) -> str:
        """A 1-by-n value."""
        a = self.r.choice("AB")
        return self.r.choice(
            [
                *("r", "S(t, :)", f"{a}(1, :)", f"{a}(end, :)"),
                *(f"max({a}, [], 1)", f"sum(double({a}), 1) / m", f"any({a} > 0.9, 1)"),
                *(f"(c' * double({a}))", "(r * D)", f"{a}(mod(t, m) + 1, :)"),
            ]
        )

    def _column(self) -> str:
        """An m-by-1 value."""
        a = self.r.choice("AB")
        return self.r.choice(
            [
                *("c", "w", "T(:, t)", f"{a}(:, 1)", f"{a}(:, mod(t, n) + 1)"),
                *(f"min({a}, [], 2)", f"sum(double({a}), 2) / n", f"(double({a}) * r') / n"),
            ]
        )

    def _shifts(self, a: str) -> str:
        """Parts of a matrix set to what they are, with neighbours, rows, columns or numbers."""
        r, b = self.r, self.r.choice("ABZ")
        half = "" if self.cast == "int32" else "0.5 * "
        parts = [
            ("1:end-1, :", ["2:end, :", "1:end-1, :"]),
            ("2:end, :", ["1:end-1, :", "end:-1:2, :"]),
            (":, 1:end-1", [":, 2:end", ":, 1:end-1"]),
            (":, 2:end", [":, 1:end-1", ":, 2:end"]),
            ("2:end-1, :", ["1:end-2, :", "3:end, :"]),
            ("2:end-1, 2:end-1", ["1:end-2, 3:end", "2:end-1, 1:end-2", "3:end, 2:end-1"]),
            ("1:3, :", ["end-2:end, :"]),
            ("1 + (t > 4):end, :", ["1:end - (t > 4), :"]),
        ]
        made = []
        for _ in range(r.randint(1, 3)):
            part, others = r.choice(parts)
            value = r.choice(
                [
                    f"{half}{a}({part}) - {b}({r.choice(others)})",
                    f"max({a}({part}), {b}({r.choice(others)}))",
                    f"{b}({r.choice(others)}) - {b}({part})",
                    f"{a}({part}) .* ({b}({r.choice(others)}) > 0.1)",
                    "0.25",
                ]
            )
            made.append(f"{a}({part}) = {value};")
        made.append(
            r.choice(
                [
                    "",
                    f"{a}(1, :) = 0;",
                    f"{a}(:, end) = {half}{b}(:, 1);",
                    f"{a}(end, :) = {half}{b}(1, :);",
                ]
            )
        )
        return " ".join(made)

    def _statement(self) -> str:
        r, x, row, column = self.r, self._matrix(), self._row(), self._column()
        a = r.choice("AAB")
        half = "" if self.cast == "int32" else "0.5 * "
        return r.choice(
            [
                *[f"{a} = {half}{x};"] * 3,
                f"{a}(:, mod(t, n) + 1) = {half}{column};",
                f"{a}(mod(t, m) + 1, :) = {half}{row};",
                f"{a}(1:end-1, :) = {half}{a}(2:end, :);",
                f"{a}(:, 1:2:end) = {a}(:, 1:2:end) * 0.9;",
                f"{a}(:, e) = {half}{a}(:, e);",
                f"{a}({x} > 0.5) = 0.25;",
                f"L = {x} > 0.3; {a}(L) = {a}(L) / 2; q = q + nnz(L);",
                f"{a} = {a} .* ~({x} > 0.8);",
                f"{a}(end, end) = t; {a}(1) = {a}(1) / 2;",
                f"r = 0.9 * r + 0.1 * double({row});",
                f"c = 0.8 * c + 0.1 * double({column});",
                "D = 0.9 * D + 0.1 * D' .* r;",
                "D = min(D, D(:, mod(t, n) + 1) + D(mod(t, n) + 1, :));",
                f"S(t, :) = {row};",
                f"T(:, t) = {column};",
                f"P(:, :, t) = {x};",
                f"P(:, :, {PASSES} + 1 - t) = P(:, :, t) + 1;",
                f"k3(t) = max(max({x})); q = q + double(k3(t)) / 9;",
                f"[y, i] = max({x}, [], 1); S(t, :) = double(y) + i / 100;",
                f"q = q + double(sum(sum({x}))) / 99; s = 0.5 * s + 0.1;",
                f"v(end + 1) = double({a}(1)); q = q + sum(v) / 99;",
                f"v = [v; sum({a}(:))]; v = v(max(1, end - 3):end);",
                f"g = double({x}); T(:, t) = g * r' / n; S(t, :) = w' * g;",
                f"for j = 1:2, {a} = {half}{a}(:, [2:n 1]); end",
                f"if q > {r.choice(['0', '5', '50'])}, {a} = -{a}; else, s = s + 1; end",
                f"h = {a}; h(2:end, :) = h(2:end, :) - h(1:end-1, :); q = q + double(h(end)) / 9;",
                f"h = {a}'; h = h(:, end:-1:1)'; {a} = {half}h;",
                f"h = {a}; {self._shifts('h')} q = q + double(sum(h(:))) / 999; {a} = {half}h;",
                self._shifts(a),
                f"h = accumarray(mod((1:n)', 3) + 1, double({row})'); q = q + h(2) / 9;",
                f"h = interp1(1:n + 1, [double({row}) 0], linspace(1, n, 7)); q = q + sum(h) / 99;",
            ]
        )
