"""Random loop programs with fields, calls, exits, masks and complex arrays."""

from __future__ import annotations

import random

PASSES = 14


def program(seed: int) -> str:
    """A script whose loops passes may be traced of, whatever they do."""
    return _Writer(random.Random(seed)).program()


class _Writer:
    """Writes one program.

    Attributes:
        arrays: names of arrays of one size, as the program writes them.
        numbers: names of single numbers.
    """

    def __init__(self, r: random.Random) -> None:
        self.r = r
        self.kind = r.choice(["double", "double", "single", "complex"])
        self.place = r.choice(["{}", "{}", "S.{}", "S.in.{}", "C{{{}}}", "h.{}"])
        self.arrays = [self._place(n) for n in ("y", "z", "w")]
        self.numbers = [self._place("s"), self._place("q")]

    def _place(self, name: str) -> str:
        if self.place.startswith("C"):
            name = str("yzwsqm".index(name) + 1)
        return self.place.format(name)

    def program(self) -> str:
        """Set-up, loop and functions."""
        p = self.r.choice([2, 7, 8, 15])
        n = p * self.r.choice([9, 16, 43])
        y, z, w = self.arrays
        s, q = self.numbers
        cls = "'single'" if self.kind == "single" else "'double'"
        first = {"single": "single({})", "complex": "({} + 0.1i)"}.get(self.kind, "{}")
        x = f"x = reshape(sin((1:{PASSES * n}) / 7), {n}, {PASSES});"
        lines = [
            f"n = {n}; p = {p}; wp = (1:p)' / p; Q = zeros({PASSES}, n / p, {cls});",
            f"row = sin(1:n / p); P = zeros(p, n / p, {PASSES}); L = false(n, {PASSES});",
            f"I = zeros(n, {PASSES}, 'int16');",
            f"{x} tol = {self.r.choice(['0.02', '1e-3', '0.5'])}; verbose = false;",
            f"{y} = {first.format('x(:, 1)')}; {z} = {first.format('x(:, 2)')};",
            f"{w} = 0 * {y}; {s} = 0.2; {q} = 0; m = zeros(1, {PASSES});",
            f"Y = zeros(n, {PASSES}); a = 0.3; f = @(u, v) a * u + (1 - a) * v;",
            self._loop(),
        ]
        functions = (
            "function [a, b] = two(u, v)\na = 0.5 * u + 0.1 * v;\nb = v - 0.2 * u;\nend\n"
            "function r = part(u, k)\nif k > 6\nr = -u;\nreturn\nend\nr = 0.9 * u;\nend\n"
        )
        return "\n".join(lines) + "\n" + functions

    def _loop(self) -> str:
        body = "\n".join(self._statement() for _ in range(self.r.randint(1, 5)))
        exits = self.r.choice(["", "", self._exit()])
        kind = self.r.random()
        if kind < 0.6:
            first = self.r.choice(["", "", self._exit()])
            return f"for t = 1:{PASSES}\n{first}\n{body}\n{exits}\nend"
        if kind < 0.85:
            more = self.r.choice(["", f" && {self._condition()}"])
            return f"t = 1;\nwhile t < {PASSES}{more}\nt = t + 1;\n{body}\n{exits}\nend"
        inner = f"for t = 1:{PASSES}\n{body}\n{exits}\nend"
        return f"for r = 1:2\n{inner}\n{self.numbers[0]} = {self.numbers[0]} / 2;\nend"

    def _exit(self) -> str:
        leave = self.r.choice(["break", "break", "continue"])
        return f"if {self._condition()}, {leave}, end"

    def _condition(self) -> str:
        y, s = self.arrays[0], self.numbers[0]
        return self.r.choice(
            [
                "t == 9",
                "t > 11",
                "mod(t, 5) == 4",
                f"{s} > 0.9",
                f"max(abs({y})) < tol",
                f"sum(real({y})) > 3",
                f"any(isnan({y}))",
                f"norm({y}) > 1e3",
            ]
        )

    def _term(self, depth: int = 0) -> str:
        r = self.r
        if depth > 1 or r.random() < 0.35:
            return r.choice([*self.arrays, *self.arrays, *self.numbers, "x(:, t)", "0.5", "t"])
        left, right = self._term(depth + 1), self._term(depth + 1)
        return r.choice(
            [
                f"({left} + {right})",
                f"({left} - {right})",
                f"({left} .* {right})",
                f"cos({left})",
                f"abs({left})",
                f"f({left}, {right})",
                f"part({left}, t)",
            ]
        )

    def _selected(self, a: str, mask: str) -> str:
        """What a mask selects, and something computed of it."""
        part = f"{a}({mask})"
        return self.r.choice(
            [
                f"0.1 * {part}",
                f"log({part} + 1)",
                f"sqrt({part}) / 2",
                f"0.3 * part({part}, t) + {part} .* {self.arrays[0]}({mask}) / 9",
                f"cos({part}) - {self.numbers[0]}",
            ]
        )

    def _matrix(self) -> str:
        """An array, or a column of data, as a matrix of p rows or columns."""
        a = self.r.choice([*self.arrays, *self.arrays, "x(:, t)"])
        return self.r.choice(
            [
                f"reshape({a}, p, [])",
                f"reshape({a}, [], p).'",
                f"permute(reshape({a}, [], p), [2 1])",
                f"reshape({a}, p, []) - mean(reshape({a}, p, []))",
                f"reshape(flipud({a}), p, [])",
            ]
        )

    def _shaped(self) -> str:
        """A statement of matrices: parts, transposes, joins and reductions of their rows."""
        r, s, q = self.r, *self.numbers
        a = r.choice(self.arrays)
        use = r.choice(
            [
                "Q(t, :) = sum((wp * ones(1, n / p)) .* real(F));",
                "Q(t, :) = sum(wp(2:2:end) .* real(F(2:2:end, :)));",
                "Q(t, :) = real(F(1, :)) - 0.5 * real(F(end, :));",
                "Q(t, 1:2:end) = max(real(F(:, 1:2:end)));",
                f"{a} = 0.9 * {a} + 0.05 * reshape(F(end:-1:1, :), n, 1);",
                f"{a} = 0.9 * {a} + 0.05 * reshape(F(:, [2:end 1]), n, 1);",
                f"{a} = 0.9 * {a} + 0.01 * F(:);",
                f"{a}(1:p) = 0.5 * {a}(1:p) + 0.1 * mean(F, 2);",
                f"{a}(1:n / p) = 0.5 * {a}(1:n / p) + 0.1 * F(2, :).';",
                f"{q} = {q} + sum(max(abs([F; F(1, :)])));",
                f"{q} = {q} + abs(sum(sum(F * F')));",
                f"{q} = {q} + sum(sum(abs(diff(F, 1, 2))));",
                f"{q} = {q} + norm(F(:, 1)) + abs(F(p, end));",
                f"G = repmat(F(:, 1:2), 1, 2); {q} = {q} + abs(sum(G(:) .* (1:4 * p)'));",
                f"G = F; G(2, :) = G(2, :) * 0.5; G(:, end) = 0; {q} = {q} + abs(sum(G(:)));",
                f"G = F ./ (1 + max(abs(F), [], 2)); {s} = 0.5 * {s} + 0.01 * abs(G(end));",
                f"G = cumsum(F, 2); {q} = {q} + abs(G(1, end));",
                f"for j = 1:p, Q(t, :) = Q(t, :) + real(F(j, :)); end, {q} = {q} + 1;",
            ]
        )
        return f"F = {self._matrix()}; {use}"

    def _stored(self) -> str:
        """What every pass stores, of what it computes or of what no pass does."""
        r, a, q = self.r, self.r.choice(self.arrays), self.numbers[1]
        return r.choice(
            [
                "Q(t, :) = row;",
                "Q(t, 1:2:end) = row(1:2:end) + t;",
                "Q(t, 2:end) = row(1:end-1) * 2;",
                "Y(:, t) = x(:, 3);",
                "Y(1:p, t) = x(1:p, t);",
                "Y(end:-1:1, t) = x(:, 1) + t;",
                f"P(:, :, t) = real(reshape({a}, p, []));",
                "P(:, :, t) = wp * row;",
                f"P(:, 1, t) = real({a}(1:p));",
                "I(:, t) = int16(100 * x(:, t));",
                f"I(:, t) = int16(50 * real({a}));",
                f"I(1:p, t) = I(1:p, t) + int16(t); {q} = {q} + double(sum(I(:, t)));",
                f"L(:, t) = real({a}) > 0.1;",
                f"L(:, t) = x(:, 2) > 0.1; {q} = {q} + nnz(L(:, t));",
                f"m(t) = {q}; Q(t, :) = m(t) * row;",
                f"{a} = {a} + row(1); Q(t, :) = row + real({a}(2));",
                f"col = {a}; col(2:3) = []; {q} = {q} + abs(sum(col)); Q(t, 1) = numel(col);",
            ]
        )

    def _statement(self) -> str:
        r = self.r
        if r.random() < 0.25:
            return self._shaped()
        if r.random() < 0.25:
            return self._stored()
        y, z, w = self.arrays
        s, q = self.numbers
        a = r.choice(self.arrays)
        return r.choice(
            [
                f"{y} = 0.3 * {y} + 0.1 * {self._term()} + 0 * {w};",
                f"{z} = 0.5 * cos({w} + 0.01 * {self._term()}) + 0 * {z};",
                f"{w} = 0.7 * {w} + 0.01 * {y};",
                f"[{y}, {z}] = two({y}, {z});",
                f"g = real({a}) > {r.choice(['0.1', '0.5', '-0.2'])}; {a}(g) = {r.choice(['0', '0.25', '-1'])};",
                f"g = real({a}) > {r.choice(['0.1', '0.5', '9'])}; {a}(g) = {self._selected(a, 'g')};",
                f"g = abs({a}) < 0.4; v = {self._selected(w, 'g')}; {a}(g) = 0.5 * v; clear v",
                f"g = real({a}) > 0.2; {q} = {q} + {r.choice(['sum', 'numel', 'nnz', 'any'])}({y}(g));",
                f"v = {a}(real({a}) > 0.1); v = v(abs(v) < 0.6); {q} = {q} + abs(sum(v));",
                f"{s} = 0.5 * {s} + {r.choice(['0.1', 't / 9', '0.6'])};",
                f"{q} = {q} + 1;",
                f"{q} = {q} + sum(abs({a}));",
                f"m(t) = max(abs({a}));",
                f"Y(:, t) = real({a});",
                f"{a}(2:end-1) = 0.5 * ({a}(1:end-2) + {a}(3:end));",
                f"if {self._condition()}, {y} = 0.5 * {y}; else, {z} = -{z}; end",
                f"if verbose, disp({s}), end",
                f"for j = 1:3, {w} = {w} + 0.01 * j; end",
                f"b = {a}; b(1) = 7; {z} = {z} + 0.001 * b;",
                f"try, {y} = 0.9 * {y}; catch e, {q} = -1; end",
                "if t == 6, fprintf('six %d\\n', t); end",
                f"c = {{{y}, {z}}}; {w} = 0.5 * {w} + 0.1 * c{{2}};",
                f"{a} = {a} - mean({a});",
                f"u = {a}'; {q} = {q} + real(u(1));",
            ]
        )
