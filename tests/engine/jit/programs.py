"""Random programs of loops over single numbers, for comparing ways of running them."""

from __future__ import annotations

import random

SETUP = """
k = 2; a = {a}; b = {b}; c = 0; d = {d};
p = int32({p}); q = uint8({q}); r = int16({r}); u = single({u}); v = int64({v});
t = {t}; h = '{h}'; f = complex({a}, 0.5); l = 0.5;
x = {x}; y = {y}; z = uint8({z}); m = logical({m}); w = '{w}'; e = [];
g = int32([1 2 3 4]); o = single([0.5 1.5]);
"""
FUNCTIONS = """
function r = plain(a, b)
  if a > b
    r = a - 2 * b;
  else
    r = a + b;
  end
end
function r = deep(n)
  if n < 1
    r = 0;
  else
    r = n + deep(n - 2);
  end
end
function r = total(x, k)
  r = 0;
  for i = 1:k
    r = r + x(i);
  end
end
function x = raised(x, k)
  x(k) = x(k) + 1;
end
function [r, s] = both(a, b)
  r = a * b; s = a; n = 0;
  while s > 3 && n < 20
    s = s - b; n = n + 1;
    if b <= 0
      return
    end
  end
end
"""
_NUMBERS = ("0", "1", "2", "3", "-1", "0.5", "-2.5", "7", "100", "1e3", "NaN", "Inf", "1e10")
_ONE = (
    "floor",
    "ceil",
    "round",
    "fix",
    "abs",
    "sqrt",
    "exp",
    "sin",
    "cos",
    "log",
    "sign",
    "double",
    "atan",
    "tan",
    "log2",
    "tanh",
)
_TWO = ("mod", "rem", "max", "min", "atan2", "hypot", "plain", "bitand", "bitxor", "bitshift")
_CAST = ("double", "int32", "uint8", "single", "logical", "int16", "isnan", "char")
_SCALARS = ("a", "b", "c", "d", "p", "q", "r", "u", "v", "t", "h", "k")
_ARRAYS = {
    "x": "double",
    "y": "double",
    "e": "double",
    "z": "uint8",
    "m": "logical",
    "g": "int32",
    "o": "single",
    "w": "char",
}
_NAMES = {
    "double": "abcdkabck",
    "int32": "p",
    "uint8": "q",
    "int16": "r",
    "single": "u",
    "int64": "v",
    "logical": "t",
    "char": "h",
    "complex": "ffl",
}
_WILD = 0.01


class Writer:
    """Writes one program from a seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.loops = 0

    def program(self) -> str:
        """The text."""
        pick = self.random
        setup = SETUP.format(
            a=pick.choice(_NUMBERS),
            b=pick.choice(_NUMBERS),
            d=pick.choice(("1.5", "2", "true")),
            p=pick.choice(_NUMBERS),
            q=pick.choice(_NUMBERS),
            r=pick.choice(("5", "-300", "3e4")),
            u=pick.choice(_NUMBERS),
            v=pick.choice(("3", "2^53", "9e18", "-4")),
            t=pick.choice(("true", "false")),
            h=pick.choice("aZ9"),
            x=pick.choice(("zeros(1, 6)", "[3 1 2]", "5", "(1:8)'", "[]")),
            y=pick.choice(("ones(3, 4)", "magic(4)", "zeros(2, 2)")),
            z=pick.choice(("1:5", "[]")),
            m=pick.choice(("[1 0 1 1]", "1")),
            w=pick.choice(("hello", "x", "")),
        )
        body = [setup, *self.loop(0)]
        if pick.random() < 0.3:
            body += ["function_result = 0;", *self.loop(0)]
        return "\n".join(body) + FUNCTIONS

    # --- statements ---

    def loop(self, depth: int) -> list[str]:
        """A loop over several passes."""
        self.loops += 1
        counter = "kij"[depth] if depth < 3 else f"k{depth}"
        if self.random.random() < 0.7:
            spans = (
                "1:9",
                "1:2:9",
                "9:-1:1",
                "1:0.25:3",
                "1:5",
                "1:numel(z)",
                "c:c+4",
                "3:2",
                "2:9",
                "1:d:6",
                "2:k:7",
                "1:b:numel(x)",
            )
            head = [f"for {counter} = {self.random.choice(spans)}"]
            return [*head, *self.block(depth + 1, 1), "end"]
        n = f"n{self.loops}"
        test = self.random.choice((f"{n} < 8", f"{n} < 8 && ({self.test()})", f"{n} < numel(y)"))
        return [f"{n} = 0;", f"while {test}", f"  {n} = {n} + 1;", *self.block(depth + 1, 1), "end"]

    def block(self, depth: int, level: int) -> list[str]:
        """Some statements."""
        made: list[str] = []
        for _ in range(self.random.randint(1, 4)):
            made += self.statement(depth, level)
        return [f"  {line}" for line in made]

    def statement(self, depth: int, level: int) -> list[str]:
        """One statement, mostly an assignment."""
        pick, chance = self.random, self.random.random()
        if chance < 0.12 and level < 4:
            return self.branch(depth, level)
        if chance < 0.18 and depth < 3:
            return self.loop(depth)
        if chance < 0.21 and level < 3:
            return self.choice(depth, level)
        if chance < 0.24 and level > 1:
            return [pick.choice(("break", "continue", "return", "disp(a)", "cc = {1};"))]
        if chance < 0.5:
            name = self.array()
            kind = "double" if pick.random() < 0.4 else _ARRAYS[name]
            return [f"{self.element(name)} = {self.expression(2, kind)};"]
        if chance < 0.55:
            name = pick.choice("xe")
            return [f"{name}(end+1) = {self.expression(1, 'double')};"]
        if chance < 0.61:
            return [
                pick.choice(
                    (
                        f"[a, b] = both({self.expression(1)}, 2);",
                        "x = raised(x, 2);",
                        "c = total(x, 2);",
                        "e = x(1:min(end, 4));",
                        f"e = zeros(1, {pick.randint(0, 4)});",
                        "c = deep(6);",
                        "c = rand;",
                        "c = randi(6);",
                        "x = [a b k];",
                        f"{pick.choice('xezw')}({pick.choice(('1', 'end', 'k', '2'))}) = [];",
                        f"while numel(e) > 2, e({pick.choice(('1', 'end', '2'))}) = []; end",
                    )
                )
            ]
        if chance < 0.65:
            return [f"{pick.choice('ab')} += {self.expression(1)};"]
        kind = pick.choice(("double", "double", "double", *_NAMES))
        name = pick.choice("abcs") if kind == "double" else _NAMES[kind]
        return [f"{name} = {self.expression(3, kind)};"]

    def array(self) -> str:
        """The name of an array."""
        return self.random.choice((*_ARRAYS, "x", "x", "y"))

    def branch(self, depth: int, level: int) -> list[str]:
        """``if``."""
        made = [f"if {self.test()}", *self.block(depth, level + 1)]
        if self.random.random() < 0.4:
            made += [f"elseif {self.test()}", *self.block(depth, level + 1)]
        if self.random.random() < 0.5:
            made += ["else", *self.block(depth, level + 1)]
        return [*made, "end"]

    def choice(self, depth: int, level: int) -> list[str]:
        """``switch``."""
        subject = self.random.choice(("k", "a", "h", "mod(k, 3)"))
        labels = ["1", "{2, 3}", "'a'", "0"]
        made = [f"switch {subject}"]
        for label in self.random.sample(labels, 2):
            made += [f"case {label}", *self.block(depth, level + 2)]
        return [*made, "otherwise", *self.block(depth, level + 2), "end"]

    # --- expressions ---

    def test(self) -> str:
        """A condition."""
        pick = self.random
        op = pick.choice(("<", "<=", ">", ">=", "==", "~="))
        kind = pick.choice(("double", "double", *_NAMES))
        made = f"{self.expression(1, kind)} {op} {self.expression(1, kind)}"
        if pick.random() < 0.3:
            join = pick.choice(("&&", "||", "&", "|"))
            made = f"{made} {join} {self.expression(1)} {op} {self.expression(0)}"
        return pick.choice((made, made, made, made, "t", f"~({made})", "isempty(e)"))

    def element(self, name: str) -> str:
        """An element of an array."""
        pick = self.random
        if name == "y" and pick.random() < 0.8:
            return f"y({self.subscript('2')}, {self.subscript('2')})"
        return f"{name}({self.subscript(f'numel({name})')})"

    def subscript(self, count: str) -> str:
        """Mostly a valid one."""
        pick = self.random
        if pick.random() < 0.25:
            return pick.choice(("1", "end", "2", "max(k, 1)", "k", "1", "end"))
        if pick.random() < 0.02:
            return pick.choice(
                ("0", "1.5", "min(a, 9)", "t", "min(p, 9)", "NaN", "k+1", "end+1", "end-1")
            )
        return f"mod(floor(k), {count}) + 1"

    def expression(self, depth: int, kind: str = "double") -> str:
        """A scalar, mostly of the class ``kind``."""
        pick = self.random
        if pick.random() < _WILD:
            kind = pick.choice(tuple(_NAMES))
        if pick.random() < _WILD:
            return pick.choice((f"{pick.choice(_CAST)}({pick.choice(_SCALARS)})", "x(1:2)", "s"))
        if kind == "logical":
            return f"({self.test()})" if depth > 0 else "t"
        if kind == "char":
            return pick.choice(("h", "'x'", "w(1)", "char(65 + mod(floor(k), 9))"))
        if kind == "complex":
            return self.complex(depth)
        if kind != "double":
            return self.other(depth, kind)
        return self.double(depth)

    def other(self, depth: int, kind: str) -> str:
        """A number of another class than double."""
        pick = self.random
        if depth <= 0 or pick.random() < 0.3:
            arrays = [f"{n}(1)" for n, k in _ARRAYS.items() if k == kind]
            return pick.choice((_NAMES[kind], *arrays))
        if pick.random() < 0.3:
            return f"{kind}({self.double(depth - 1)})"
        if pick.random() < 0.15 and kind not in {"single", "int64"}:
            name = pick.choice(("max", "min", "mod", "bitand", "idivide", "rem"))
            return f"{name}({self.other(depth - 1, kind)}, {self.other(depth - 1, kind)})"
        op = pick.choice(("+", "-", "*", "+", "-", "*", "/") if kind != "int64" else "+-*")
        right = self.double(0) if pick.random() < 0.5 else self.other(depth - 1, kind)
        return f"({self.other(depth - 1, kind)} {op} {right})"

    def complex(self, depth: int) -> str:
        """A complex number."""
        pick = self.random
        if depth <= 0:
            return pick.choice(("f", "f", "2i", "(1 - 0.5i)"))
        inner = self.complex(depth - 1)
        return pick.choice(
            (
                f"({inner} + {self.double(0)})",
                f"({inner} * {self.complex(0)})",
                f"({inner} * {self.double(0)})",
                f"conj({inner})",
                f"-{inner}",
                f"({inner} / 3)",
                f"({inner})^{pick.choice('23')}",
                f"({self.complex(0)} / {inner})",
                f"{pick.choice(('exp', 'sqrt', 'log'))}({inner})",
                f"({inner} - {self.complex(0)})",
                f"complex({self.double(1)}, 1)",
            )
        )

    def with_letter(self, x: str) -> str:
        """A number out of a character."""
        return self.random.choice(
            (f"({x} - '0')", f"('z' - {x})", f"({x} * '2')", f"double({x} >= 'a')", f"('Z' == {x})")
        )

    def double(self, depth: int) -> str:
        """A double."""
        pick = self.random
        chance = pick.random()
        if depth <= 0 or chance < 0.2:
            return pick.choice((pick.choice(_NAMES["double"]), pick.choice(_NUMBERS)))
        if chance < 0.34:
            return self.element(pick.choice("xye"))
        if chance < 0.44:
            return f"{pick.choice(_ONE)}({self.double(depth - 1)})"
        if chance < 0.52:
            return f"{pick.choice(_TWO)}({self.double(depth - 1)}, {self.double(depth - 1)})"
        if chance < 0.56:
            kind = pick.choice(tuple(_NAMES))
            if kind == "complex":
                return f"{pick.choice(('abs', 'real', 'imag'))}({self.complex(depth - 1)})"
            return f"double({self.expression(depth - 1, kind)})"
        if chance < 0.6:
            return f"-{self.double(depth - 1)}"
        if chance < 0.64:
            return f"({self.double(depth - 1)})^{pick.choice(('2', '3', '0.5', '-1', 'b'))}"
        if chance < 0.69:
            sizes = ("numel(x)", "length(y)", "size(y, 1)", "size(y, 2)", "numel(e)")
            letter = self.with_letter(pick.choice(("h", "w(1)", "w(end)", "w", "t")))
            return pick.choice((*sizes, letter, letter))
        op = pick.choice(("+", "-", "*", "/", "+", "-", "*", "./", ".*"))
        return f"({self.double(depth - 1)} {op} {self.double(depth - 1)})"
