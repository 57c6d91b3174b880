"""Random programs of loops over small arrays, structs and handles, for comparing ways of running."""

from __future__ import annotations

import random

SETUP = """
A = {a}; B = {b}; C = magic(4); x = {x}; y = {y}; r = {r}; z = []; q = [];
m = logical({m}); i = {i}; s = 0; t = 0; n = 0; k = 2;
S.p = 0.25; S.v = zeros(1, 4); S.q.w = {r}; S.f = @(u) u + 1;
D = magic(4); e = {r}; w = {{}}; u = cell(2, 3); l = '7.5';
c = 0.5; f = @(u) c*u + 1; g = @(u, v) u.*v - c; h = @sin; o = @(u) [u(1); f(u(2))];
"""
FUNCTIONS = """
function r = scaled(x, k)
  r = x * k;
end
function [r, s] = parts(x)
  r = x(1:min(end, 2)); s = sum(x);
end
"""
_WILD = 0.02


class ArrayWriter:
    """Writes one program from a seed; most expressions have the size that fits.

    Sizes: ``s`` a number, ``r`` a row of four, ``c`` a column of four, ``m`` four by four.
    """

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def program(self) -> str:
        """The text."""
        pick = self.random.choice
        setup = SETUP.format(
            a=pick(("magic(4)/9", "eye(4)", "-magic(4)'/7", "reshape(1:16, 4, 4)/5")),
            b=pick(("ones(4)", "magic(4)/3", "rand(4)")),
            x=pick(("[1; 2; 3; 4]", "[0.5; -1; 2; 0]", "[NaN; 1; -2; 3]", "(1:4)'/3")),
            y=pick(("[4; 3; 2; 1]", "zeros(4, 1)", "[Inf; 1; 0; -1]")),
            r=pick(("1:4", "[2 -1 0.5 3]", "(4:-1:1)/7")),
            m=pick(("[1 0 1 1]", "[0 0 0 0]", "[1 1 1 1]")),
            i=pick(("[1 3 2]", "[4 1]", "2", "[2; 2; 1]")),
        )
        body = [setup, *self.loop(0)]
        if self.random.random() < 0.3:
            body += self.loop(0)
        return "\n".join(body) + FUNCTIONS

    def loop(self, depth: int) -> list[str]:
        """A loop over a few passes."""
        head = self.random.choice(("for k = 1:6", "for k = 1:4", "for k = 4:-1:1", "while n < 5"))
        if depth:
            head = "for j = 1:3"
        lines = ["  n = n + 1;"] if head.startswith("while") else []
        for _ in range(self.random.randint(1, 5)):
            lines += [f"  {line}" for line in self.statement(depth)]
        return [head, *lines, "end"]

    def statement(self, depth: int) -> list[str]:
        """One statement."""
        pick, chance = self.random.choice, self.random.random()
        if chance < 0.08 and depth == 0:
            return self.loop(1)
        if chance < 0.16:
            test = f"{self.made('s', 1)} {pick(('<', '>', '=='))} {self.made('s', 0)}"
            inner = [f"  {line}" for line in self.statement(2)]
            return [f"if {test}", *inner, *(("else", "  break") if chance < 0.1 else ()), "end"]
        if chance < 0.42:
            size = pick("scrm")
            name = {"s": pick("st"), "c": pick("xy"), "r": "r", "m": pick("AB")}[size]
            return [f"{name} = {self.made(size, 3)};"]
        return [self.rarer()]

    def listed(self) -> str:
        """An assignment to a cell that is only written."""
        pick = self.random.choice
        value = pick((lambda: self.made(pick("srcm"), 1), self.mask, self.text))()
        target = pick(("w{end+1}", "w{end+1}", f"w{{{self.place()}}}", f"u{{{self.place()}}}"))
        other = pick(("w = {};", f"w = cell(1, {self.place()});", "s = numel(w) + isempty(w);"))
        return other if self.random.random() < 0.2 else f"{target} = {value};"

    def text(self) -> str:
        """Characters."""
        return self.random.choice(
            (
                f"num2str({self.made('s', 0)})",
                f"sprintf('%d,%s;', {self.random.choice('nkj')}, l)",
                "num2str(n - 3)",
                "l(1:min(end, 3))",
                "'a'",
            )
        )

    def rarer(self) -> str:
        """An assignment of another form."""
        forms = (
            lambda: f"A({self.place()}, :) = {self.made('r', 2)};",
            lambda: f"A(:, {self.place()}) = {self.made('c', 2)};",
            lambda: f"x({self.place()}) = {self.made('s', 2)};",
            lambda: f"A({self.place()}, {self.place()}) = {self.made('s', 2)};",
            lambda: f"x(2:3) = {self.made('s', 2)};",
            lambda: f"r(m) = {self.made('s', 2)};",
            lambda: f"r(r > {self.made('s', 1)}) = {self.made('s', 1)};",
            lambda: f"m = {self.made('r', 2)} > {self.made('s', 1)};",
            lambda: f"[s, t] = {self.random.choice(('max', 'min'))}({self.made('c', 2)});",
            lambda: f"[{self.elements()}] = {self.random.choice(('max', 'min'))}({self.vector()});",
            lambda: f"[q, z] = sortrows({self.random.choice('ACDxq')}{self.columns()});",
            lambda: f"q = diff({self.random.choice(('A', 'D', 'x', 'r', self.made('m', 1)))});",
            lambda: f"z = [z, {self.made('s', 1)}];",
            lambda: f"z(end+1) = {self.made('s', 1)};",
            lambda: f"{self.random.choice('zzq')}({self.place()}) = [];",
            lambda: f"q = [{self.made('r', 1)}; {self.made('r', 1)}];",
            lambda: f"q = [{self.made('c', 1)}, {self.made('m', 1)}];",
            lambda: (
                f"q = {self.random.choice(('x(i)', 'r(i)', 'r(m)', 'A(2:3, i)', 'A(:)', 'A(A>1)'))};"
            ),
            lambda: f"q = find({self.mask()}{self.random.choice(('', '', ', 1', ', 2'))});",
            lambda: f"r(find({self.made('r', 1)} > {self.made('s', 1)})) = {self.made('s', 1)};",
            lambda: "q = [q r(find(m))];",
            lambda: f"A(:, {self.random.choice(('2:3', '3:4', '1:k'))}) = A(:, 1:2);",
            lambda: f"q = {self.beside()}' * {self.beside()};",
            lambda: f"q = {self.beside()}; A(:, 2) = {self.made('s', 1)};",
            lambda: f"S.p = {self.made('s', 2)};",
            lambda: f"S.v({self.place()}) = {self.made('s', 1)};",
            lambda: f"S.q.w = {self.made('r', 1)};",
            lambda: "[q, s] = parts(r);",
            self.listed,
            self.listed,
            lambda: (
                f"r = {self.random.choice(('max', 'min', 'sum', 'mean'))}({self.made('m', 1)});"
            ),
            lambda: f"[r, e] = {self.random.choice(('max', 'min'))}({self.made('m', 1)});",
            lambda: f"for d = {self.made('m', 1)}, s = s + d({self.place()}); end",
            lambda: f"l = {self.text()};",
            lambda: f"q = 1:{self.random.choice(('k', 'n', '3', 's'))};",
            self.deletion,
            self.deletion,
            lambda: (
                f"[{self.random.choice(('q, C', 'C, q, z', 'C, D'))}] = lu({self.made('m', 1)});"
            ),
            lambda: f"[{self.random.choice(('q, C', 'C, q'))}] = qr({self.made('m', 1)});",
            lambda: (
                f"C = chol({self.made('m', 1)});" if self.random.random() < 0.2 else "C = magic(4);"
            ),
            lambda: (
                f"[{self.random.choice(('q, z', 's, q', 'q, e'))}] = sort({self.vector()}{self.direction()});"
            ),
            lambda: f"q = {self.random.choice(('sort', 'unique'))}({self.vector()});",
            lambda: (
                f"q = {self.random.choice(('size', 'zeros', 'ones'))}(size({self.random.choice('rxADe')}));"
            ),
            lambda: f"q = kron({self.vector()}, {self.random.choice(('r', 'x', 'C', 'D'))});",
            lambda: (
                f"q = linspace({self.made('s', 1)}, {self.made('s', 1)}, {self.random.choice('3kn')});"
            ),
            lambda: "y = o(x);" if self.random.random() < _WILD else "q = o(x);",
        )
        return self.random.choice(forms)()

    def beside(self) -> str:
        """Columns that lie beside each other, mostly there."""
        places = ("1:2", "2:3", "1:k", "k:end", "2:end", "1:k-2", "k:s", "n:k", "3:4")
        return f"{self.random.choice('ABC')}(:, {self.random.choice(places)})"

    def elements(self) -> str:
        """Two places for two outputs."""
        place, other = self.place(), self.place()
        forms = (f"x({place}), r({other})", f"A({place}, {other}), s", f"t, z({place})")
        return self.random.choice((*forms, f"z(end+1), D({place}, end)", f"S.v({place}), e(k)"))

    def columns(self) -> str:
        """What `sortrows` may be told."""
        return self.random.choice(("", ", 1", ", -2", ", [2 -1]", ", [3 1 2]"))

    def mask(self) -> str:
        """What `find` is given."""
        size = self.random.choice("rrcms")
        if self.random.random() < 0.3:
            return self.random.choice(("r", "x", "m", "A", "q", "z", "s", "~m", "m & r > 1"))
        return f"{self.made(size, 2)} {self.random.choice('<>')} {self.made('s', 1)}"

    def deletion(self) -> str:
        """Elements, rows or columns that go, or come back."""
        place = self.place()
        forms = (
            f"D({place}, :) = [];",
            f"D(:, {self.random.choice((place, '1:2', '[1 end]', 'm'))}) = [];",
            f"D({self.random.choice(('1:2', '[1 end]', 'end-1:end', 'D(:,1)>5'))}, :) = [];",
            f"e({self.random.choice(('1:2', '[1 end]', 'e>2', 'k:end', 'i'))}) = [];",
            f"e(end+1) = {self.made('s', 1)};",
            f"D(end+1, :) = {self.made('s', 1)};",
            f"D(:, end+1) = {self.random.choice((self.made('s', 1), 'D(:, 1)', 'D(:, end) + k'))};",
            "D = magic(4); e = r;",
            f"e = {self.vector()};",
        )
        return self.random.choice(forms)

    def direction(self) -> str:
        """What `sort` may be told."""
        return self.random.choice(("", "", ", 'descend'", ", 'ascend'"))

    def vector(self) -> str:
        """A row or column, mostly."""
        wild = self.random.choice(("e", "q", "z", "D(:, 1)", "D(1, :)", "A(:)"))
        return wild if self.random.random() < 0.3 else self.made(self.random.choice("rc"), 2)

    def place(self) -> str:
        """A subscript, mostly valid."""
        pick = self.random.choice
        wild = ("0", "1.5", "5", "s", "end+1", "m")
        return pick(
            wild if self.random.random() < _WILD else ("1", "2", "k", "end", "end-1", "i(1)")
        )

    def made(self, size: str, depth: int) -> str:
        """An expression of that size."""
        pick = self.random.choice
        if self.random.random() < _WILD:
            size = pick("srcm")
        if depth <= 0 or self.random.random() < 0.2:
            return {
                "s": lambda: pick(("s", "k", "2", "0.5", "x(1)", "r(end)", "S.p", "c", "A(2,3)")),
                "r": lambda: pick(("r", "x'", "A(2,:)", "[1 2 3 4]", "S.v", "S.q.w", "y.'")),
                "c": lambda: pick(("x", "y", "r'", "A(:,k)", "ones(4,1)", "B(:,2)")),
                "m": lambda: pick(("A", "B", "A'", "eye(4)", "C")),
            }[size]()
        return getattr(self, f"_{size}")(depth - 1)

    def _element(self, size: str, depth: int) -> str:
        """An expression that works element by element."""
        pick = self.random.choice
        a, b = self.made(size, depth), self.made(size, depth)
        number = self.made("s", depth)
        function = pick(("abs", "floor", "exp", "sin", "cos", "sqrt", "sign", "tanh", "log", "f"))
        forms = (
            f"({a} {pick(('+', '-', '.*', './'))} {b})",
            f"({a} {pick(('+', '-', '.*', '*', '/', './'))} {number})",
            f"({number} {pick(('+', '-', '.*', '*'))} {a})",
            f"{function}({a})",
            f"-{a}",
            f"{pick(('max', 'min'))}({a}, {b})",
            f"g({a}, {b})",
            f"scaled({a}, {number})",
            f"({a}).^{pick(('2', '3', '0.5', '-1', 'k'))}",
            f"({pick((number, a))}).^{a}",
            f"mod({a}, 3)",
            f"S.f({a})",
            f"real(({a} + 1i*{b}) .* ({number} - 1i*{a}))",
            f"imag(exp(1i*{a}/9) ./ ({b} + 2i))",
            f"abs(conj({a} - {number}*1i) + {b})",
        )
        return pick(forms)

    def _s(self, depth: int) -> str:
        pick = self.random.choice
        forms = (
            lambda: f"sum({self.made(pick('rc'), depth)})",
            lambda: (
                f"{pick(('prod', 'mean', 'norm', 'max', 'min'))}({self.made(pick('rc'), depth)})"
            ),
            lambda: f"({self.made('r', depth)} * {self.made('c', depth)})",
            lambda: f"dot({self.made('r', depth)}, {self.made('c', depth)})",
            lambda: f"sum({self.made('r', depth)} > {self.made('s', 0)})",
            lambda: f"any({self.made('r', depth)} > {self.made('s', 0)})",
            lambda: f"{pick(('any', 'all'))}({self.made(pick('rc'), depth)})",
            lambda: f"all({self.made('c', depth)})",
            lambda: pick(("numel(z)", "size(A, 1)", "length(q)", "numel(x)")),
            lambda: f"{pick(('trapz', 'var', 'std', 'median'))}({self.made(pick('rc'), depth)})",
            lambda: f"{pick(('var', 'std'))}({self.made(pick('rc'), depth)}, {pick('01')})",
            lambda: f"trapz({self.made('r', depth)}, {self.made('c', depth)})",
            lambda: (
                f"norm({self.made(pick('rcm'), depth)}, {pick(('1', '2', 'Inf', chr(39) + 'fro' + chr(39)))})"
            ),
            lambda: f"polyval({self.made('r', depth)}, {self.made('s', depth)})",
            lambda: f"{pick(('det', 'trace'))}({self.made('m', depth)})",
            lambda: (
                f"{pick(('isrow', 'iscolumn', 'isvector', 'isscalar'))}({self.made(pick('srcm'), 0)})"
            ),
            lambda: (
                f"bit{pick(('and', 'or', 'xor'))}(uint8({self.made('s', 0)}), {pick(('3', '128', 'k'))})"
            ),
            lambda: f"h({self.made('s', depth)})",
            lambda: self._element("s", depth),
            lambda: "sum(r(m))",
            lambda: "str2double(l)",
            lambda: "numel(w)",
        )
        return pick(forms)()

    def _r(self, depth: int) -> str:
        pick = self.random.choice
        forms = (
            lambda: f"({self.made('r', depth)} * {self.made('m', depth)})",
            lambda: f"({self.made('c', depth)})'",
            lambda: f"[{self.made('s', depth)} {self.made('s', 0)}, r(1:2)]",
            lambda: f"sort({self.made('r', depth)}{self.direction()})",
            lambda: f"polyval({self.made('r', depth)}, {self.made('r', depth)})",
            lambda: f"transpose({self.made('c', depth)})",
            lambda: (
                f"double({pick(('uint8', 'int16', 'single', 'char'))}({self.made('r', depth)}))"
            ),
            lambda: f"({self.made('r', depth)} / {self.made('m', depth)})",
            lambda: self._element("r", depth),
        )
        return pick((*forms, forms[-1], forms[-1]))()

    def _c(self, depth: int) -> str:
        pick = self.random.choice
        forms = (
            lambda: f"({self.made('m', depth)} * {self.made('c', depth)})",
            lambda: f"({self.made('m', depth)})' * {self.made('c', depth)}",
            lambda: f"({self.made('r', depth)})'",
            lambda: f"({self.made('m', depth)} \\ {self.made('c', depth)})",
            lambda: f"[A(:, 1:2) \\ {self.made('c', depth)}; {self.made('c', depth)} \\ x]",
            lambda: f"sort({self.made('c', depth)}{self.direction()})",
            lambda: "(B(:, 1:k) * r(1:k)')",
            lambda: self._element("c", depth),
        )
        return pick((*forms, forms[-1], forms[-1]))()

    def _m(self, depth: int) -> str:
        pick = self.random.choice
        forms = (
            lambda: f"({self.made('m', depth)} * {self.made('m', depth)})",
            lambda: f"({self.made('c', depth)} * {self.made('r', depth)})",
            lambda: f"({self.made('c', depth)} + {self.made('r', depth)})",
            lambda: f"({self.made('m', depth)} .* {self.made('r', depth)})",
            lambda: f"({self.made('m', depth)})'",
            lambda: f"inv({self.made('m', depth)})",
            lambda: f"(A(:, 2:3) * {self.random.choice('ABC')}(2:3, :))",
            lambda: f"[A(:, 3:4) {self.random.choice('ABC')}(:, 1:2)]",
            lambda: f"({self.made('m', depth)} {pick(chr(92) + '/')} {self.made('m', depth)})",
            lambda: f"{pick(('triu', 'tril'))}({self.made('m', depth)}{pick(('', ', 1', ', -k'))})",
            lambda: (
                f"bsxfun(@{pick(('plus', 'times', 'max'))}, {self.made('c', depth)}, {self.made('r', depth)})"
            ),
            lambda: self._element("m", depth),
        )
        return pick((*forms, forms[-1]))()
