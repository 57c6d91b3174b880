"""Random loops that carry objects, structs, cells, pages, integers and arrays that grow or shrink."""

from __future__ import annotations

import random

PASSES = 10
SIZES = [(1, 1), (1, 7), (7, 1), (9, 9), (16, 8), (8, 16), (40, 25), (3, 90), (0, 5), (12, 12)]
"""Of matrices; few where nothing is captured, one without elements."""

FILES = {
    "Tank.m": """classdef Tank
properties
X = 0
k = 0
Parts = {}
end
methods
function o = Tank(X), o.X = X; end
function o = step(o, Y), o.X = 0.5 * o.X + 0.1 * Y; o.k = o.k + 1; end
function [o, s] = drain(o, f), s = sum(abs(o.X(:))) * f; o.X = o.X * (1 - f); end
function r = level(o), r = abs(sum(o.X(:))) / (1 + numel(o.X)); end
end
end
""",
    "Meter.m": """classdef Meter < handle
properties
X = 0
Log = []
end
properties (Dependent)
Total
end
methods
function o = Meter(X), o.X = X; end
function add(o, Y), o.X = o.X + 0.2 * Y; o.Log(end + 1) = abs(sum(Y(:))); end
function r = get.Total(o), r = abs(sum(o.X(:))); end
function r = twice(o), o.X = -0.5 * o.X; r = 2 * o.X; end
end
end
""",
}
"""The classes that programs use."""

FUNCTIONS = """
function [a, b, c] = three(u, v)
a = 0.5 * u + 0.1 * v;
if nargout > 1, b = v - 0.2 * u; end
if nargout > 2, c = abs(sum(u(:))) / 9; end
end
function r = early(u, k)
r = 0.9 * u;
for j = 1:5
r = r * 0.9;
if j > k, return, end
end
r = -r;
end
function r = remembers(u)
persistent old
if isempty(old) || ~isequal(size(old), size(u)), old = 0 * u; end
r = 0.5 * old + 0.5 * u; old = r;
end
function tally(u)
global TALLY
TALLY = TALLY + abs(sum(u(:)));
end
function varargout = many(u)
for j = 1:nargout, varargout{j} = u * j / 3; end
end
"""


def state_program(seed: int) -> str:
    """A script whose loop carries what containers hold."""
    return _Writer(random.Random(seed)).program()


class _Writer:
    """Writes one program; ``A`` and ``B`` are m-by-n, ``V`` has m*n rows, ``P`` is k-by-k-by-3."""

    def __init__(self, r: random.Random) -> None:
        self.r = r
        self.kind = r.choice(["double", "double", "single", "complex", "csingle"])
        self.complex = self.kind.startswith("c")
        self.nested = r.random() < 0.2

    def program(self) -> str:
        """Set-up, loop, what objects hold, and functions."""
        r = self.r
        m, n = r.choice(SIZES)
        k = r.choice([1, 4, 9, 12])
        first = {
            "double": "%s",
            "single": "single(%s)",
            "complex": "(%s) .* exp(1i * %s)",
            "csingle": "single(%s) * (0.6 + 0.3i)",
        }[self.kind]
        made = lambda text: first.replace("%s", text)  # noqa: E731
        integer = r.choice(["uint8", "int16", "int32", "uint16", "int8"])
        body = "\n".join(self._statement() for _ in range(r.randint(1, 4)))
        setup = [
            f"m = {m}; n = {n}; k = {k}; q = 0; s = 0.1; W = zeros(2, 0); v = []; txt = 'abc';",
            f"A = {made('reshape(sin(1:m * n), m, n)')}; B = {made('reshape(cos((1:m * n) / 3), m, n)')};",
            f"V = B(:); P = {made('reshape(sin((1:3 * k * k) / 5), k, k, 3)')};",
            f"U = {integer}(100 * reshape(sin((1:m * n) / 7), m, n)); L = U > 20; ind = mod((1:m * n)' * 7, 5) + 1;",
            f"O = Tank(A); H = Meter(B); H2 = H; K = {integer}(5); R = reshape(cos(1:m * n), [], 1);",
            "G.in.x = A; G.in.y = {V, 2}; G.q = 0; T = struct('a', {A, B, A + B}, 'b', {1, 2, 3});",
            "C = {A, {V, 0}, B}; N = zeros(5, 1); E = V; M = containers.Map(); M('x') = 0;",
            "global TALLY; TALLY = 0;" if not self.nested else "TALLY = 0;",
        ]
        leave = [
            "o1 = O.X; o2 = O.k; h1 = H.X; h2 = H.Log; h3 = H2.Total; mx = M('x'); op = O.Parts;",
            "if isempty(v), v = 0; end",
        ]
        text = "\n".join([*setup, self._loop(body), *leave])
        if self.nested:
            return self._in_function(text)
        return text + FUNCTIONS

    def _in_function(self, text: str) -> str:
        names = "A, B, V, P, U, L, G, C, N, E, W, v, q, s, o1, o2, h1, h2, mx, K, txt"
        text = text.replace("tally(", "count(").replace("remembers(", "early(2 * ")
        text = text.replace("early(2 * V)", "early(V, 2)").replace("early(2 * A)", "early(A, 2)")
        return (
            f"[{names}] = whole();\nfunction [{names}] = whole()\n{text}\n"
            "function count(u)\nTALLY = TALLY + abs(sum(u(:))); q = q + TALLY / 1e3;\nend\nend\n"
        ) + FUNCTIONS

    def _loop(self, body: str) -> str:
        kind, leave = self.r.random(), self.r.choice(["", "", self._exit(), self._exit()])
        if kind < 0.4:
            return f"for t = 1:{PASSES}\n{body}\n{leave}\nend"
        if kind < 0.5:
            return f"for t = 1:{PASSES}\n{leave}\n{body}\nend"
        if kind < 0.75:
            more = self.r.choice(["", f" && {self._condition()}", f" && ~({self._condition()})"])
            return f"t = 0;\nwhile t < {PASSES}{more}\nt = t + 1;\n{body}\n{leave}\nend"
        if kind < 0.85:
            return (
                f"t = 0;\nwhile true\nt = t + 1;\nif t > {PASSES}, break, end\n{body}\n{leave}\nend"
            )
        if kind < 0.92:
            return (
                f"for z = [1 2; 3 4]\nfor t = 1:{PASSES // 2}\n{body}\nend\ns = s + z(1) / 50;\nend"
            )
        return f"for u = 1:2\nfor t = 1:{PASSES}\n{body}\n{leave}\nend\ns = s / 2;\nend"

    def _exit(self) -> str:
        leave = self.r.choice(["break", "break", "continue"])
        return f"if {self._condition()}, {leave}, end"

    def _condition(self) -> str:
        return self.r.choice(
            [
                *("t == 7", "mod(t, 4) == 3", "q > 4.321", "s > 0.777", "isempty(W)"),
                *("any(abs(A(:)) > 2.345)", "all(real(V) < 0.9876)", "norm(V) > 7.654"),
                *("sum(abs(A(:))) > 33.21", "any(isnan(V))", "nnz(L) > 20", "O.k > 4"),
                *("max(abs(V)) < 0.2345", "abs(mean(B(:))) > 0.345", "any(U(:) > 110)"),
                *("numel(v) > 3", "G.q > 2", "H.Total > 3.2101", "level(O) > 0.4321"),
            ]
        )

    def _matrix(self, depth: int = 0) -> str:
        """An m-by-n value."""
        r = self.r
        if depth > 1 or r.random() < 0.3:
            return r.choice(["A", "A", "B", "G.in.x", "T(2).a", "C{1}", "reshape(V, m, n)"])
        one, two = self._matrix(depth + 1), self._matrix(depth + 1)
        plain = [
            *(f"({one} + {two})", f"({one} - {two} * s)", f"({one} .* {two})", f"conj({one})"),
            *(f"abs({one})", f"real({one})", f"({one} .* L)", f"({one} + double(U) / 99)"),
            *(f"early({one}, t)", f"O.X + {one}", f"{one} * (t / 9)", f"-{one}"),
        ]
        special = [
            f"({one} * 1i)",
            f"imag({one})",
            f"angle({one}) / 4",
            f"{one} .* exp(0.2i * {two})",
        ]
        real = [
            f"min({one}, {two})",
            f"max({one}, 0.1)",
            f"sort({one}, 1)",
            f"floor({one} * 4) / 4",
        ]
        return (
            r.choice(plain + (special if self.complex or r.random() < 0.15 else []))
            if self.complex or r.random() < 0.7
            else r.choice(real).replace(one, f"real({one})").replace(two, f"real({two})")
        )

    def _index(self) -> str:
        return self.r.choice(["mod(t, 3) + 1", "min(t, 3)", "2", "1 + (q > 2)"])

    def _statement(self) -> str:
        r = self.r
        return r.choice(
            [
                self._of_arrays,
                self._of_objects,
                self._of_containers,
                self._of_pages,
                self._of_integers,
                self._of_lengths,
                self._of_masks,
                self._of_orders,
                self._of_control,
            ]
        )()

    def _of_arrays(self) -> str:
        x = self._matrix()
        return self.r.choice(
            [
                f"A = 0.5 * {x};",
                f"B = 0.4 * B + 0.1 * {x};",
                f"V = 0.5 * V + 0.1 * reshape({x}, [], 1);",
                "V = V .* exp(-abs(V)); q = q + norm(V) / 9;",
                "A = A'; A = A.'; A = conj(A);",
                f"h = {x}; q = q + abs(sum(h(:))) / 50;",
                "z = real(V) > 0.3; q = q + mean(z(:)); V(1:end) = V * 0.9;",
                f"[A, B] = three({x}, B);",
                f"[A, ~, y] = three(A, {x}); q = q + y;",
                "[A, E] = many(0.9 * A); E = E(:);",
                "f = @(u) u * s; A = A + f(B); s = s * 0.9;",
                "A = arrayfun(@(j) A(j) * 0.5, reshape(1:numel(A), size(A)));",
            ]
        )

    def _of_objects(self) -> str:
        x = self._matrix()
        return self.r.choice(
            [
                f"O.X = 0.5 * O.X + 0.1 * {x};",
                f"O = O.step({x});",
                "[O, y] = drain(O, 0.25); q = q + y / 20;",
                "O = step(O, A); A = O.X * 0.5; q = q + level(O);",
                f"H.add({x}); q = q + H.Total / 50;",
                "H.X = H2.X * 0.9; B = B + H.X * 0.1;",
                "B = H.twice() * 0.3; H2.X(1:end) = H.X * 0.5;",
                "O.Parts{end + 1} = A; if numel(O.Parts) > 3, O.Parts(1) = []; end",
                "o = O; o.X = o.X + 1; A = A + 0.01 * o.X;",
                "M('x') = M('x') + abs(sum(A(:)));",
                f"O.X(:, end) = t; H.X(:) = {x} * 0.5;",
            ]
        )

    def _of_containers(self) -> str:
        x, j = self._matrix(), self._index()
        return self.r.choice(
            [
                f"G.in.x = 0.5 * G.in.x + 0.1 * {x};",
                "G.in.y{1} = G.in.y{1} * 0.5 + V; G.in.y{2} = G.in.y{2} + 1; G.q = G.q + 0.3;",
                f"T({j}).a = 0.5 * {x};",
                f"T({j}).b = T({j}).b + 1; q = q + sum([T.b]) / 50;",
                "T(end + 1).a = A; T(end).b = t; if numel(T) > 4, T(1) = []; end",
                "for j = 1:numel(T), T(j).a = 0.9 * T(j).a; end",
                f"C{{1}} = 0.5 * C{{1}} + 0.1 * {x}; C{{2}}{{1}} = C{{2}}{{1}} * 0.9;",
                "C{2}{2} = C{2}{2} + abs(sum(C{2}{1})) / 99; q = q + C{2}{2};",
                "C{end + 1} = V; C(2:end - 2) = C(2:end - 2); if numel(C) > 5, C(4) = []; end",
                "[C{1}, C{3}] = deal(C{3}, C{1});",
                "z = cellfun(@(u) abs(sum(u(:))), C([1 3])); q = q + sum(z) / 50;",
                "n2 = sprintf('f%d', mod(t, 2)); G.(n2) = A * t; A = A + 0.01 * G.(n2);",
                "if ~isfield(G, 'late'), G.late = V; else, G.late = G.late * 0.5 + V; end",
            ]
        )

    def _of_pages(self) -> str:
        j = self._index()
        return self.r.choice(
            [
                "P = permute(P, [2 1 3]) * 0.9;",
                "P = P(:, :, [2:end 1]);",
                f"P(:, :, {j}) = 0.5 * P(:, :, 1) + s;",
                f"P(:, {1}, :) = P(:, end, :) * 0.5;",
                "P = 0.8 * P + 0.1 * mean(P, 3);",
                "P = P - mean(P, 1); q = q + abs(P(end)) / 9;",
                "z = squeeze(P(1, :, :)); q = q + abs(sum(z(:))) / 9; P(1, :, :) = 0.5 * z;",
                "P = reshape(permute(P, [3 1 2]), 3, []); P = reshape(P * 0.9, k, k, 3);",
                f"P(:, :, 2) = P(:, :, {j}) * P(:, :, 3)' / (1 + k);",
                "P = cat(3, P(:, :, 2:end), P(:, :, 1) * 0.5);",
                "z = sum(abs(P), 3); P(:, :, 1) = z ./ (1 + max(z(:)));",
                "P = flip(P, 3); P(:, :, 1) = circshift(P(:, :, 1), 1);",
                "P = cumsum(P, 3) / 3; z = max(abs(P), [], 3); q = q + sum(z(:)) / 99;",
                "for j = 1:size(P, 3), P(:, :, j) = P(:, :, j) * 0.9 + j / 50; end",
                "P(abs(P) > 0.8) = 0.25;",
                "P = bsxfun(@times, P, reshape([0.5 0.9 0.7], 1, 1, 3));",
            ]
        )

    def _of_integers(self) -> str:
        return self.r.choice(
            [
                "U = U + 37;",
                "U = 90 - U;",
                "U = U * 1.7 - 3;",
                "U = idivide(U, K) + 9; K = K + 1;",
                "U = bitand(abs(U), cast(63, class(U))); ",
                "U = bitxor(abs(U), cast(21, class(U)));",
                "U = bitshift(abs(U), 1); U = U / 3;",
                "L = xor(L, U > 50); q = q + nnz(L) / 99;",
                "L = ~L & (U < 90 | L); A = A + 0.1 * L;",
                "U = cast(100 * real(A), class(U));",
                "U = mod(U, 50) + cast(L, class(U)); U(1:end) = U + 1;",
                "U(L) = U(L) / 2; q = q + double(sum(U(:))) / 999;",
                "U = max(U, circshift(U, 1)); q = q + sum(double(U(:)) .^ 2) / 1e5;",
                "txt(end + 1) = char('a' + mod(t, 5)); q = q + sum(txt - 'a') / 99;",
                "txt = upper(txt); if strcmp(txt, 'ABC'), s = s + 0.1; end",
                "K = K * 2; q = q + double(K) / 99; A = A + double(K) / 1e3;",
                "A = A + single(U) / 200;" if "single" in self.kind else "A = A + double(U) / 200;",
                "z = double(U) * 0.5 + L; B = B * 0.5 + z / 300;",
                "U = cast(mean(double(U), 1) + zeros(m, 1), class(U));",
                "z = sum(U, 2, 'native'); q = q + double(sum(z)) / 999;",
            ]
        )

    def _of_lengths(self) -> str:
        return self.r.choice(
            [
                "v(end + 1) = abs(sum(V)); q = q + sum(v) / 99;",
                "v = [v s]; if numel(v) > 4, v(1) = []; end",
                "W(:, end + 1) = [t; q];",
                "W = [W [s; t]]; q = q + sum(W(1, :)) / 20;",
                "E = [E; V]; if numel(E) > 3 * numel(V), E(1:numel(V)) = []; end",
                "E(real(E) > 0.8) = []; q = q + numel(E) / 999;",
                "E(end + 1, 1) = t; E = E * 0.9;",
                "E = E(1:2:end); E = [E; 2 * E]; q = q + numel(E) / 999;",
                "if size(W, 2) > 5, W(:, 1:2) = []; end, W(1, end + 1) = t;",
                "E = V(real(V) > s); q = q + abs(sum(E)) / 9 + numel(E) / 99;",
                "h = V; h(2:3:end) = []; q = q + abs(sum(h)) / 9;",
                "h = A; h(:, 1:2:end) = []; q = q + abs(sum(h(:))) / 9; W(2, t) = numel(h);",
                "N(t) = t * s; N(end + 1) = 1; q = q + sum(N) / 99;",
            ]
        )

    def _of_masks(self) -> str:
        x = self._matrix()
        limit = self.r.choice(["0.1", "0.5", "-0.2", "9"])
        return self.r.choice(
            [
                f"g = real(A) > {limit}; A(g) = B(g) * 0.5;",
                f"g = real({x}) > {limit}; B(g) = 0.5 * A(g) + B(g) / 4;",
                f"V(real(V) > {limit}) = {limit};",
                f"g = abs(A) < 0.6 & real(B) > {limit}; A(g) = -A(g); B(~g) = B(~g) * 0.9;",
                f"g = any(real(A) > {limit}, 1); A(:, g) = 0.5 * B(:, g);",
                f"g = any(real(A) > {limit}, 2); A(g, :) = 0.5 * A(g, :); q = q + sum(g) / 9;",
                f"g = real(V) > {limit}; V(g) = V(g) .* R(g); q = q + sum(g) / 99;",
                "g = L(:) & real(V) > 0; E = V(g); q = q + abs(sum(E)) / 9;",
                f"A = A .* (real(A) < {limit}) + 0.1 * B .* (real(A) >= {limit});",
                f"g = find(real(V) > {limit}); V(g) = V(g) * 0.5; q = q + numel(g) / 99;",
                f"g = real(V) > {limit}; V(g) = cumsum(V(g)) / 9;",
                "V(ind == 2) = V(ind == 3 & false(size(ind)) | ind == 2) * 0.5;",
                "g = isfinite(A) & A == A; A(~g) = 0; A(g & L) = A(g & L) / 2;",
            ]
        )

    def _of_orders(self) -> str:
        return self.r.choice(
            [
                "[y, i] = sort(abs(V)); V = 0.9 * V(i); q = q + sum(y) / 99;",
                "[~, i] = sort(real(V), 'descend'); V = V(i) * 0.9; R = R(i);",
                "if ~isempty(V), [y, i] = min(real(V)); V(i) = V(i) + 0.5; q = q + y / 9; end",
                "if ~isempty(V), [y, i] = max(abs(V)); V(i) = 0; q = q + i / 999; end",
                "i = find(real(V) > 0.2, 1); if ~isempty(i), V(i) = 0; end",
                "i = find(real(V) > 0.4); if any(i), q = q + i(end) / 99; end",
                "N = accumarray(ind, real(V), [5 1]); q = q + sum(N) / 50;",
                "N = accumarray(ind, 1, [5 1]); V = V + 0.01 * N(ind);",
                "N = accumarray(ind, real(V), [5 1], @max); V = V - 0.1 * N(ind);",
                "ind = mod(ind * 3 + t, 5) + 1; V = V * 0.9 + 0.01 * ind;",
                "V = cumsum(V) / (1 + numel(V)); q = q + abs(sum(V));",
                "R = cumprod(1 - 0.1 * abs(R)); q = q + sum(R) / 99;",
                "R = cummax(R) - 0.1 * R(end:-1:1);",
                "z = unique(ind); q = q + sum(z) / 9; V(ind == z(1)) = 0.3;",
                "z = diff(R); q = q + sum(abs(z)) / 9; R(2:end) = R(2:end) - 0.2 * z;",
                "z = histc(R, -1:0.5:1); q = q + sum(z(2:end)) / 99; R = R * 0.95;",
                "V(ind) = V(ind) * 0.5; q = q + abs(sum(V)) / 9;",
                "N(ind) = t; q = q + sum(N) / 99;",
                "R = R(mod((1:numel(R))' * 3, numel(R)) + 1);",
                "[z, i] = max(real(A), [], 1); q = q + sum(i) / 99 + sum(z) / 99;",
                "z = A * A'; A = A - 0.01 * z * A; q = q + abs(trace(z)) / 99;",
                "z = (A' * A + eye(n)) \\ B'; q = q + abs(sum(z(:))) / 99;",
                "q = q + dot(R, R) / 99 + norm(A, 'fro') / 9;",
                "R = interp1(1:numel(R) + 1, [R; 0], linspace(1, numel(R), numel(R))', 'linear') * 0.9;",
                "z = kron([1 2], R); q = q + sum(z(:)) / 99; R = 0.9 * z(:, 1);",
                "z = conv(R, [0.5 0.25], 'same'); R = z; q = q + sum(z) / 9;",
                "R = filter(0.3, [1 -0.7], R);",
            ]
        )

    def _of_control(self) -> str:
        x, condition = self._matrix(), self._condition()
        return self.r.choice(
            [
                f"if {condition}, A = A * 0.5; else, B = -B; end",
                f"if {condition}, O = O.step(A); s = s + 0.1; elseif t > 4, G.q = G.q + 1; end",
                "switch mod(t, 3), case 0, A = 0.9 * A; case {1, 5}, B = B * 0.5; otherwise, V = -V; end",
                "try, y = V(numel(V) + 5 - t); V(1) = y; catch e, q = q + 0.1; end",
                "try, if t == 4, error('a:b', 'no %d', t); end, A = A * 0.9; catch e, q = q + numel(e.message); end",
                "try, z = A * ones(n + (t == 5), 1); q = q + abs(sum(z)) / 99; catch e, s = s + 0.2; end",
                "A = remembers(A);",
                "V = remembers(V);",
                f"tally({x});",
                "while s > 0.5, s = s / 2; A = A * 0.9; end",
                f"j = 0; while j < 3 && ~({condition}), j = j + 1; V = V * 0.9; end",
                f"for j = 1:4, if {condition}, break, end, B = B * 0.9; end",
                f"for j = 1:4, if mod(j, 2), continue, end, A = A + 0.01 * {x}; end",
                "c = onCleanup(@() 0); A = A * 0.99; clear c",
                "if t == 5, fprintf('%d %.4f\\n', t, s); end",
                f"do_it = {condition}; if do_it && q > 1 || ~do_it && t > 2, s = s * 0.9; end",
                "q = q + (1 + (s > 0.3));",
                "k2 = t; while k2 > 1, k2 = floor(k2 / 2); q = q + 0.01; end",
            ]
        )
