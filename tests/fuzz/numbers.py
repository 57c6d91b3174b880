"""Programs over numbers of all classes, with specials in their data, in many spellings.

A program has values ``x`` and ``y`` of one class or two (`data`: limits, NaN, infinities, zeros of
both signs, denormal numbers, what is next to 2^53), computes one of `FORMS` of them and leaves ``r``. It is
spelled in one of the ways of `WHOLE` and `EACH`: as a whole, in fields, through handles, `arrayfun`, masks,
and in loops over elements, which become machine code. What is computed as a whole at once on the
host is what every spelling must give: at once, fused on the host, and on the device; and what
GNU Octave gives, where it is installed and means the same.

``python -m tests.fuzz.numbers [SECONDS] [SEED] [octave]`` goes on for so long.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from app.engine.values import DeviceArray, as_array, class_of, is_numeric_like
from tests.fuzz.ieee import FLOATS, INTEGERS, Item, Side, difference

_FLOAT = (
    *("0", "-0", "1", "-1", "2", "3", "-3", "0.5", "-0.5", "1.5", "2.5", "-2.5", "0.1", "7", "10"),
    *(
        "100",
        "127.5",
        "-128.5",
        "254.5",
        "255.5",
        "32767.5",
        "65535.5",
        "2^31",
        "-2^31",
        "2^31-0.5",
    ),
    *("2^32", "2^53", "2^53-1", "-2^53-2", "2^63", "-2^63", "2^64", "1e10", "pi", "Inf", "-Inf"),
    *("NaN", "realmin", "-realmin", "realmax", "-realmax", "eps", "flintmax", "1e300", "1e-300"),
)
_DENORMAL = {"double": ("4.9e-324", "-1e-310"), "single": ()}
"""Devices may take denormal singles for zero."""
_INTEGER = ("0", "1", "-1", "2", "-2", "3", "-3", "5", "7", "10", "100", "-100")
_LIMITS = (
    *("intmin('{0}')", "intmax('{0}')", "intmin('{0}') + 1", "intmax('{0}') - 1"),
    *("intmax('{0}') / 2", "intmax('{0}') / 2 + 1"),
)
_WIDE = ("bitshift({0}(1), 53) + 1", "bitshift({0}(1), 53) - 1", "bitshift({0}(1), 62) + 3")


@dataclass(frozen=True)
class Form:
    """Something to compute of ``{a}`` and ``{b}``.

    Attributes:
        code: the expression.
        kinds: letters of the classes that it is for: f(loat), i(nteger), l(ogical), c(omplex).
        each: computed element by element.
        rounded: the function whose last digits may differ; empty where none may.
        octave: letters of the classes for which Octave means the same.
        loop: statements over x and y of one size that give the same.
    """

    code: str
    kinds: str = "fil"
    each: bool = True
    rounded: str = ""
    octave: str = "filc"
    loop: str = ""


FORMS = (
    *(Form(f"{{a}} {sign} {{b}}") for sign in ("+", "-", ".*", "./", ".\\")),
    *(Form(f"{{a}} {sign} {{b}}") for sign in ("<", "<=", ">", ">=", "==", "~=")),
    *(Form(f"{{a}} {sign} {{b}}", "c") for sign in ("+", "-", "==", "~=")),
    *(
        Form(f"{{a}} {sign} {{b}}", "c", each=False, rounded="times", octave="")
        for sign in (".*", "./")
    ),
    *(Form(f"{name}({{a}}, {{b}})", "fi") for name in ("max", "min")),
    *(Form(f"{name}({{a}}, {{b}})", "i") for name in ("mod", "rem")),
    *(Form(f"{name}({{a}}, {{b}})", "f", octave="") for name in ("mod", "rem")),
    *(Form(f"{name}({{a}}, {{b}})", "f", rounded=name) for name in ("hypot", "atan2")),
    Form("{a} .^ {b}", "f", rounded="power"),
    Form("{a} .^ {b}", "i"),
    *(Form(f"{{a}} .^ {k}", "fi", rounded="power") for k in ("2", "3", "0")),
    *(Form(f"{{a}} .^ {k}", "f", rounded="power", octave="") for k in ("0.5", "-1", "-2", "1.7")),
    *(Form(f"bit{name}({{a}}, {{b}})", "i") for name in ("and", "or", "xor")),
    *(Form(f"bitshift({{a}}, {k})", "i", octave="") for k in ("-1", "-7", "-40", "1", "3", "40")),
    *(
        Form(f"idivide({{a}}, {{b}}, '{how}')", "i", octave="")  # Octave rounds some wrong
        for how in ("fix", "floor", "ceil", "round")
    ),
    *(
        Form(f"{name}({{a}})", "fi")
        for name in ("abs", "sign", "floor", "ceil", "round", "fix", "-", "~isnan", "isinf")
    ),
    *(Form(f"{name}({{a}})", "c") for name in ("-", "conj", "real", "imag", "isnan", "isfinite")),
    *(
        Form(f"{name}({{a}})", "f", rounded=name)
        for name in ("exp", "expm1", "log", "log1p", "sqrt", "sin", "cos", "tanh", "atan", "log2")
    ),
    *(Form(f"{name}({{a}})", "c", name == "abs", "abs", "") for name in ("abs", "angle")),
    *(Form(f"{name}({{a}})") for name in (*INTEGERS, *FLOATS)),
    Form("{a} & {b} | {a}", "il"),
    Form("xor({a}, ~{b})", "il"),
    Form("{a} * 0 + {b}"),
    Form("0 ./ {a} + {b}", "fi"),
    Form("({a} - {b}) ./ ({a} - {b})"),
    Form("1 - {a} + 2 .* {b}", "fi"),
    Form("{a} ./ 3 - {b} ./ 7", "fi", octave="f"),
    Form("double({a}) .* double({b})", "fil"),
    Form("5:min({a}(1), 20)", "fi", each=False),
    Form("diff({a})", each=False, octave="fi"),  # one logical has logical differences there
    *(
        Form(code, "fil", each=False)
        for code in (
            *("max({a})", "min({a})", "max({a}, [], 2)", "min({a}, [], 1)", "sort({a})"),
            *("sort({a}, 'descend')", "sort({a}, 2)"),
            *("any({a})", "all({a})", "unique({a})", "find({a})", "nnz({a})", "issorted({a}(:))"),
            *("ismember({a}, {b})", "isequal({a}, {b})", "{a}({a} > {b}(1))"),
            *("fliplr({a})", "[{a}(:); {b}(:)]", "{a}(:)'", "numel(unique({b}))"),
            *("setdiff({a}(:)', {b}(:)')", "numel(intersect({a}, {b}))", "cumsum({a} > {b}(1))"),
        )
    ),
    *(
        Form(code, "fil", each=False)
        for code in ("pair(@() max({a}))", "pair(@() min({a}))", "pair(@() sort({a}))")
    ),
    *(Form(f"pair(@() {name}({{a}}))", "fi", each=False) for name in ("cummax", "cummin")),
    *(Form(f"{name}({{a}}(:))", each=False, octave="fi") for name in ("cummax", "cummin", "mode")),
    *(
        Form(code, kinds, each=False, rounded="sum")
        for code, kinds in (("median({a})", "fi"), ("sum({a})", "i"), ("mean({a})", "i"))
    ),
    *(
        Form(code, "i", each=False, rounded="gammaln", octave="")
        for code in ("prod({a})", "cumsum({a})", "cumprod({a})")
    ),
    Form("sum({a}, 'native')", "i", each=False, octave=""),  # the order of what saturates
    Form("sum({a} > {b})", "fil", each=False),
    *(Form(f"{name}({{a}})", "c", each=False, octave="") for name in ("sort", "unique")),
    Form("intmax('int64') - int64({a})", "fi"),
    Form("uint64({a}) .* uint64(3)", "fi"),
    Form("int64({a}) == {b}", "fi"),
)

_EACH_ONE = "q = zeros(size(x)); for k = 1:numel(x), a = x(k); b = y(k); {} q(k) = c; end, r = q;"
_STEPS = "c = x(1); for k = 2:numel(x), {} end, r = c;"
_SORTED = (
    "r = x(:); for j = 2:numel(r), k = j; while k > 1 && (isnan(r(k - 1)) && ~isnan(r(k)) ||"
    " r(k - 1) > r(k)), t = r(k); r(k) = r(k - 1); r(k - 1) = t; k = k - 1; end, end"
)
LOOPS = (
    (
        "1 * ({a} < {b}) + 2 * ({a} == {b}) + 3 * ({a} > {b}) + 4 * ~({a} <= {b} | {a} > {b})",
        _EACH_ONE.format(
            "if a < b, c = 1; elseif a == b, c = 2; elseif a > b, c = 3; else, c = 4; end,"
        ),
    ),
    (
        "double(~({a} >= {b})) + 2 * ({a} ~= {a})",
        _EACH_ONE.format("c = 0; if ~(a >= b), c = 1; end, if a ~= a, c = c + 2; end,"),
    ),
    ("3 * ({a} < {b})", _EACH_ONE.format("c = 0; while c < 3 && a < b, c = c + 1; end,")),
    (
        "({a} == 1) + 2 * ({a} == 0 | {a} == 2)",
        _EACH_ONE.format("switch a, case 1, c = 1; case {0, 2}, c = 2; otherwise, c = 0; end,"),
    ),
    ("double({a} ~= {b} & ~({a} < {b}))", _EACH_ONE.format("c = 0 + (a ~= b && ~(a < b));")),
    ("double(xor({a} > 0, {b} > 0))", _EACH_ONE.format("c = 0; c = c + xor(a > 0, b > 0);")),
    ("max({a}(:))", _STEPS.format("c = max(c, x(k));")),
    ("min({a}(:))", _STEPS.format("c = min(x(k), c);")),
    ("sum({a}(:) > {b}(:))", "c = 0; for k = 1:numel(x), c = c + (x(k) > y(k)); end, r = c;"),
    ("cummax({a}(:))", "r = x(:); for k = 2:numel(x), r(k) = max(r(k - 1), r(k)); end"),
    (
        "find([{a}(:); 0] == 0, 1)",
        "k = 1; while k <= numel(x) && x(k) ~= 0, k = k + 1; end, r = k;",
    ),
    ("any(isnan({a}(:)))", "r = false; for v = x(:)', r = r || isnan(v); end"),
    ("sort({a}(:))", _SORTED),
)
"""What is computed as a whole, and a loop that gives the same."""
FORMS = (*FORMS, *(Form(code, "fi", False, "", "", loop) for code, loop in LOOPS))

_EXACT_DOUBLES = ("bit", "idivide", "mod", "rem")
_AT = "y(min(k, numel(y)))"
_WIDE_Y = "w = y; if isscalar(y), w = repmat(y, size(x)); end,"
_MASKED = f"{_WIDE_Y} m = mod(reshape(1:numel(x), size(x)), 2) == 1; r = {{}}; r(m) = {{}};"
_GROWN = "r = repmat({}, size(x)); n = numel(x);"
_FIELDS = "for k = 1:n, s.r(k) = {}; end, r = s.r;"
WHOLE: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    "whole": ("r = {};", (("x", "y"),)),
    "field": ("s.a = x; s.in.b = y; s.r = {}; r = s.r;", (("s.a", "s.in.b"),)),
    "cell": ("c = {{x, y}}; c{{3}} = {}; r = c{{3}};", (("c{1}", "c{2}"),)),
    "handle": ("f = @(a, b) {}; r = f(x, y);", (("a", "b"),)),
    "feval": ("r = feval(@(u, v) {}, x, y);", (("u", "v"),)),
    "three times": ("for t = 1:3, r = {}; end", (("x", "y"),)),
    "caught": ("try, r = {}; catch e, rethrow(e); end", (("x", "y"),)),
}
"""Ways of writing a form, and the operands of the form at each place."""
EACH: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    "arrayfun": (f"{_WIDE_Y} r = arrayfun(@(a, b) {{}}, x, w);", (("a", "b"),)),
    "cellfun": (
        f"{_WIDE_Y} r = cellfun(@(a, b) {{}}, num2cell(x), num2cell(w));",
        (("a", "b"),),
    ),
    "mask": (_MASKED, (("x", "w"), ("x(m)", "w(m)"))),
    "loop": (f"{_GROWN} for k = 1:n, r(k) = {{}}; end", (("x(1)", "y(1)"), ("x(k)", _AT))),
    "while": (
        f"{_GROWN} k = 0; while k < n, k = k + 1; r(k) = {{}}; end",
        (("x(1)", "y(1)"), ("x(k)", _AT)),
    ),
    "field loop": (
        f"{_GROWN} s.x = x; s.y = y; s.r = r; {_FIELDS}",
        (("x(1)", "y(1)"), ("s.x(k)", "s.y(min(k, numel(s.y)))")),
    ),
}
"""The same for forms that are computed element by element."""
HELPERS = {
    "pair": "function r = pair(f)\n[a, k] = f();\nr = [double(a(:)); double(k(:))];\nend\n",
    "told": """function told(r)
if iscell(r) || isstruct(r) || ischar(r), printf('%s\\n', class(r)); return, end
r = full(r); c = class(r);
printf('%s %d', c, ~isreal(r)); printf(' %d', ndims(r), size(r)); printf(' |');
if islogical(r), r = uint8(r); end
p = real(r(:)); if ~isreal(r), p = [p; imag(r(:))]; end
if isfloat(p), p(isnan(p)) = NaN; end
printf(' %d', double(typecast(p, 'uint8'))); printf('\\n');
end
""",
}


class Programs:
    """Random programs of a seed.

    Args:
        seed: of the random choices.
        flushing: no singles whose quotients are denormal, which some devices take for zero.
    """

    def __init__(self, seed: int, *, flushing: bool = False) -> None:
        self.choose, self.flushing = random.Random(seed), flushing

    def __call__(self) -> Program:
        """One of them."""
        choose = self.choose
        form = choose.choice(FORMS)
        first, second = self._classes(form)
        rows, columns = choose.choice(((1, 1), (1, 3), (4, 1), (2, 3), (1, 8), (9, 1), (1, 40)))
        if choose.random() < 0.03:
            rows = 0
        mixed = first != second and {first, second} & set(INTEGERS)
        scalar = choose.random() < 0.35 or mixed  # of doubles, integers meet scalars
        x, y = self._data(first, form, rows, columns), self._data(second, form, 1, 1)
        if not scalar:
            y = self._data(second, form, rows, columns)
        ways = (*WHOLE, *EACH) if form.each and rows else tuple(WHOLE)
        ways = tuple(way for way in ways if not (mixed and way == "mask"))
        spelling = choose.choice(ways)
        if form.loop and rows and not scalar and choose.random() < 0.7:
            spelling = "own loop"
        return Program(
            form, f"x = {x}; y = {y};", spelling, self._shared(form, first, second, rows)
        )

    def _shared(self, form: Form, first: str, second: str, rows: int) -> bool:
        """Whether Octave means the same."""
        kind = "l" if first == "logical" else "i" if first in INTEGERS else form.kinds[0]
        # A double is no integer first; sides and angles have no logicals there, fractions no powers
        # of -1.
        apart = kind == "i" and second == "double" and form.code.startswith(_EXACT_DOUBLES)
        apart |= second == "logical" and form.code.startswith(("atan2", "hypot"))
        return kind in form.octave and not apart and rows > 0 and form.code != "{a} .^ {b}"

    def _classes(self, form: Form) -> tuple[str, str]:
        choose = self.choose
        groups = {"f": FLOATS, "i": INTEGERS, "l": ("logical",), "c": FLOATS}
        letter = choose.choice(form.kinds)
        first = choose.choice(groups[letter])
        second = first
        if choose.random() < 0.4 and letter != "c":
            second = choose.choice((*FLOATS, "logical") if letter == "f" else ("double", first))
        return first, second

    def _data(self, kind: str, form: Form, rows: int, columns: int) -> str:
        count = rows * columns
        if kind == "logical":
            pool: Sequence[str] = ("true", "false")
        elif kind in FLOATS:
            pool = (*_FLOAT, *_DENORMAL[kind])
            pool = [
                f"{v}('{kind}')" if v.strip("-") in ("realmin", "realmax", "eps", "flintmax") else v
                for v in pool
            ]
            if kind == "single":
                pool = [f"single({v})" for v in pool if not (self.flushing and "realm" in v)]
        else:
            pool = [f"{kind}({v})" for v in _INTEGER] + [v.format(kind) for v in _LIMITS]
            if kind.endswith("64"):
                pool += [v.format(kind) for v in _WIDE]
        few = self.choose.sample(list(pool), min(len(pool), self.choose.choice((2, 4, 12, 40))))
        values = [self.choose.choice(few) for _ in range(count)]
        if "c" in form.kinds and kind in FLOATS and self.choose.random() < 0.8:
            values = [f"complex({v}, {self.choose.choice(few)})" for v in values]
        if not count:
            return f"zeros({rows}, {columns}, '{kind}')" if kind != "logical" else "false(0, 3)"
        lines = (", ".join(values[k * columns : (k + 1) * columns]) for k in range(rows))
        return f"[{'; '.join(lines)}]"


@dataclass(frozen=True)
class Program:
    """A form over data in a spelling.

    Attributes:
        form: what is computed.
        data: statements that set x and y.
        spelling: how it is written.
        octave: whether Octave means the same.
    """

    form: Form
    data: str
    spelling: str
    octave: bool

    def of(self, a: str, b: str) -> str:
        """The expression of these operands."""
        return self.form.code.format(a=a, b=b)

    @property
    def plain(self) -> str:
        """The program as a whole."""
        return f"{self.data} r = {self.of('x', 'y')};"

    @property
    def code(self) -> str:
        """The program as it is spelled."""
        if self.spelling == "own loop":
            return f"{self.data} {self.form.loop}"
        text, places = {**WHOLE, **EACH}[self.spelling]
        return f"{self.data} {text.format(*(self.of(*place) for place in places))}"


def outcome(side: Side, code: str) -> Any:
    """Class and elements of ``r`` after some code, or the identifier of its error."""
    side.run("clear")
    side.session.acceleration.activate()
    if said := side.run(code):
        return said
    value = side.session.value_of("r")
    if isinstance(value, DeviceArray) and not value.known:
        value.runtime.evaluate([value.node], "test")
    if value is None or not is_numeric_like(value):
        return class_of(value) if value is not None else "nothing"
    return (class_of(value), as_array(value))


def octave(codes: Sequence[str]) -> list[Any]:
    """What Octave gives for each."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for helper, text in HELPERS.items():
            (folder / f"{helper}.m").write_text(text, encoding="utf-8")
        lines = ["1;", "warning('off', 'all');"]
        lines += [
            f"clear -x nothing_; try, {code} told(r); catch e, printf('FAILED %s\\n', e.message); end"
            for code in codes
        ]
        path = folder / "programs_all.m"
        path.write_text("\n".join(lines), encoding="utf-8")
        command = ["octave-cli", "-f", "--no-history", "--path", name, str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = [_read(line) for line in done.stdout.splitlines()]
    if len(found) != len(codes):
        if len(codes) == 1:
            return ["Octave fails"]
        half = len(codes) // 2
        return octave(codes[:half]) + octave(codes[half:])
    return found


def _read(line: str) -> Any:
    """A line of ``told``."""
    head, bar, body = line.partition(" |")
    if not bar:
        return line
    kind, imaginary, count, *size = head.split()
    data = np.array(body.split(), np.uint8)
    dtype = {"double": "float64", "single": "float32", "logical": "bool"}.get(kind, kind)
    flat = data.view(dtype)
    if imaginary == "1":
        real, imag = np.split(flat, 2)
        made = np.empty(real.shape, np.result_type(flat, np.complex64))
        made.real, made.imag = real, imag
        flat = made
    return (kind, flat.reshape([int(n) for n in size[: int(count)]], order="F"))


def parted(program: Program, ours: Any, theirs: Any, *, loose: bool = False) -> str:
    """What is not the same about two outcomes; empty where nothing is."""
    if isinstance(ours, str) and isinstance(theirs, str):
        return ""
    if not isinstance(ours, str) and not isinstance(theirs, str):
        a, b = ours[1], theirs[1]
        if "c" in program.form.kinds or loose:
            wide = np.result_type(a, b)
            if wide.kind == "c":  # elements of which the imaginary part is 0 are real
                a, b = a.astype(wide) + 0, b.astype(wide) + 0
        if loose and b.dtype.kind == "f":
            a, b = a + 0, b + 0
        ours, theirs = (ours[0], a), (theirs[0], b)
    item = Item("", program.form.rounded)
    return difference(item, ours, theirs)


class Campaign:
    """Programs before three sessions."""

    def __init__(self) -> None:
        self.plain = Side("cpu", 10**9)
        self.sides = (self.plain, Side("cpu", 1), Side("gpu", 1))
        self.folder = tempfile.TemporaryDirectory()
        for name, text in HELPERS.items():
            Path(self.folder.name, f"{name}.m").write_text(text, encoding="utf-8")
        for side in self.sides:
            side.run(f"addpath('{self.folder.name}')")

    def findings(self, programs: Sequence[Program], with_octave: bool) -> Iterator[str]:
        """Which programs do not agree, and how."""
        wanted = [outcome(self.plain, p.plain) for p in programs]
        for program, right in zip(programs, wanted, strict=True):
            for side in self.sides:
                said = parted(program, outcome(side, program.code), right)
                if said:
                    yield f"{side.name}: {program.of('x', 'y')} as {program.spelling}: {said}: {program.data}"
        if with_octave:
            asked = [(p, r) for p, r in zip(programs, wanted, strict=True) if p.octave]
            for (program, ours), theirs in zip(
                asked, octave([p.plain for p, _ in asked]), strict=True
            ):
                if said := parted(program, ours, theirs, loose=True):
                    yield f"Octave: {program.of('x', 'y')}: {said}: {program.data}"

    def close(self) -> None:
        """End the sessions."""
        for side in self.sides:
            side.close()
        self.folder.cleanup()


TOGETHER = 60


def main(seconds: float, seed: int, with_octave: bool) -> int:
    """Go on for so long; 1 when something was found."""
    campaign, found, count = Campaign(), 0, 0
    flushing = any(side.flushes() for side in campaign.sides)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        make = Programs(seed, flushing=flushing)
        for said in campaign.findings([make() for _ in range(TOGETHER)], with_octave):
            found += 1
            sys.stdout.write(f"{said} (seed {seed})\n")
            sys.stdout.flush()
        seed, count = seed + 1, count + TOGETHER
    campaign.close()
    sys.stdout.write(f"numbers: {count} programs, {found} findings\n")
    return bool(found)


if __name__ == "__main__":
    given = [*sys.argv[1:], *("60", "1")[len(sys.argv) - 1 :]]
    there = shutil.which("octave-cli") is not None
    sys.exit(main(float(given[0]), int(given[1]), there and "octave" in given))
