"""Computations with single numbers, and the spellings that only such have.

They are spelled like those with arrays (see `rewriting`); whatever the spelling, passes are machine
code.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tests.spellings.programs import Computation
from tests.spellings.rewriting import SPELLINGS, Loop, Spelled, class_text, loop_text, moved

SCALARS = [
    Computation("decay", "x = 0.5; a = 0.9; b = 0.1; q = 0;", "x = a * x + b; q = q + x;", 30),
    Computation(
        "pendulum",
        "p = 1; w = 0; h = 0.01; g = 9.81; e = 0;",
        "w = w - h * g * sin(p); p = p + h * w; e = max(e, abs(w));",
        30,
    ),
    Computation(
        "collatz",
        "n = 27; s = 0;",
        "if mod(n, 2) == 0, n = n / 2; else, n = 3 * n + 1; end, s = s + n;",
        30,
    ),
    Computation(
        "bytes_",
        "u = uint8(7); i = int32(3); t = true; c = 0;",
        "u = u + uint8(k); i = i * int32(2) - int32(k); t = ~t; if t, c = c + double(u); end",
        30,
    ),
    Computation("singles", "x = single(1.5); y = single(0);", "x = x * 0.9; y = y + x / 3;", 30),
    Computation(
        "rotation", "z = 1 + 2i; r = 0.9 + 0.1i; m = 0;", "z = z * r + 0.1; m = m + abs(z);", 30
    ),
    Computation(
        "elements",
        "v = [3 1 4 1 5 9]; s = 0; n = 6;",
        "j = mod(k, n) + 1; v(j) = v(j) * 0.5 + s; s = s + v(1);",
        30,
    ),
    Computation("grows", "y = [1 2]; x = 0.5;", "x = x * 1.1; y(end + 1) = x;", 30),
    Computation(
        "modes",
        "mode = 'fast'; x = 1; n = 0;",
        "if strcmp(mode, 'fast'), x = x + 0.5; else, x = x - 1; end, n = n + (x > 3);",
        30,
    ),
    Computation(
        "nested_loops",
        "s = 0; a = 0.5;",
        "for j = 1:4, if j == 3, continue, end, s = a * s + j * k; end",
        30,
    ),
    Computation(
        "newton",
        "x = 3; a = 2; n = 0;",
        "d = 1; while abs(d) > 1e-9 && n < 500, d = (x * x - a) / (2 * x); x = x - d; n = n + 1; end"
        ", a = a + 0.5;",
        30,
    ),
    Computation("fails", "v = [1 2 3 4 5]; s = 0;", "s = s + 1; s = s + v(k); v(1) = s;", 30),
    Computation("turns", "x = 3; s = 0;", "x = x - 0.25; s = s + sqrt(x);", 20),
    Computation("not_a_number", "x = -0; s = 1;", "x = -x; s = s + 0 / (x + k - 9);", 20),
]


def in_cell_by_variable(loop: Loop) -> Spelled:
    """``c{i}`` with ``i`` set before."""
    names = (*loop.known, *loop.others)
    where = "".join(f"at_{n} = {k};\n" for k, n in enumerate(names, 1))
    return moved(loop, lambda n: f"q_{{at_{n}}}", start=where)


def in_field_by_variable(loop: Loop) -> Spelled:
    """``S.(f)`` with ``f`` set before."""
    where = "".join(f"at_{n} = 'f_{n}';\n" for n in (*loop.known, *loop.others))
    return moved(loop, lambda n: f"S.(at_{n})", start=where)


def struct_through_function(loop: Loop) -> Spelled:
    """``S = advance_(S, k)``."""
    body = loop.text(lambda n: f"T.{n}")
    made = moved(loop, lambda n: f"S.{n}", body="S = advance_(S, k);\n", start=_unset(loop, "S"))
    return replace(made, text=f"{made.text}function T = advance_(T, k)\n{body}end\n")


def _unset(loop: Loop, name: str) -> str:
    return "".join(f"{name}.{n} = 0;\n" for n in loop.others)


def struct_of_parameters(loop: Loop) -> Spelled:
    """A function that takes what passes only read in a struct."""
    pack = "P = struct();\n" + "".join(f"P.{n} = {n};\n" for n in loop.inputs)
    body = loop.text(lambda n: f"P.{n}" if n in loop.inputs else n)
    outputs, state = ", ".join(loop.results), "".join(f", {n}" for n in loop.state)
    call = f"[{outputs}] = advance_(k, P{state});\n"
    step = f"function [{outputs}] = advance_(k, P{state})\n{body}end\n"
    return Spelled(pack + loop_text(loop, call) + step)


def function_of_method(loop: Loop) -> Spelled:
    """``o = advance(o, k)``."""
    body = loop.text(lambda n: f"o.{n}")
    files = {"Walker.m": class_text("Walker", loop, f"function o = advance(o, k)\n{body}end\n")}
    made = moved(loop, lambda n: f"o.{n}", start="o = Walker;\n", body="o = advance(o, k);\n")
    return replace(made, files=files)


def by_static_method(loop: Loop) -> Spelled:
    """``[a, b] = Steps.advance(k, a, b)``."""
    outputs, inputs = ", ".join(loop.results), ", ".join(("k", *loop.known))
    method = f"function [{outputs}] = advance({inputs})\n{loop.text()}end\n"
    text = f"classdef Steps\nmethods (Static)\n{method}end\nend\n"
    return Spelled(loop_text(loop, f"[{outputs}] = Steps.advance({inputs});\n"), {"Steps.m": text})


def by_file(loop: Loop) -> Spelled:
    """A function in a file of its own."""
    outputs, inputs = ", ".join(loop.results), ", ".join(("k", *loop.known))
    text = f"function [{outputs}] = step_of_file({inputs})\n{loop.text()}end\n"
    return Spelled(
        loop_text(loop, f"[{outputs}] = step_of_file({inputs});\n"), {"step_of_file.m": text}
    )


def by_varargin(loop: Loop) -> Spelled:
    """A function of ``varargin``."""
    outputs, inputs = ", ".join(loop.results), ", ".join(("k", *loop.known))
    take = "".join(f"{n} = varargin{{{i}}};\n" for i, n in enumerate(loop.known, 1))
    step = f"function [{outputs}] = advance_(k, varargin)\n{take}{loop.text()}end\n"
    return Spelled(loop_text(loop, f"[{outputs}] = advance_({inputs});\n") + step)


def whole_struct_copied(loop: Loop) -> Spelled:
    """``T = S``, and back."""
    body = "T = S;\n" + loop.text(lambda n: f"T.{n}") + "S = T;\n"
    return moved(loop, lambda n: f"S.{n}", body=body, start=_unset(loop, "S"))


def struct_made_in_passes(loop: Loop) -> Spelled:
    """``S = struct('x', x, …)`` in every pass."""
    if not loop.state:
        return Spelled(loop_text(loop, loop.text()))
    made = ", ".join(f"'{n}', {n}" for n in loop.state)
    back = "".join(f"{n} = S.{n};\n" for n in loop.state)
    return Spelled(loop_text(loop, f"{loop.text()}S = struct({made});\n{back}"))


def in_map(loop: Loop) -> Spelled:
    """``m('x')`` of a ``containers.Map``."""
    return moved(loop, lambda n: f"m_('{n}')", start="m_ = containers.Map();\n")


def parameters_in_dictionary(loop: Loop) -> Spelled:
    """What passes only read in a dictionary."""
    numbers = [n for n in loop.inputs if loop.computation.name in {"decay", "pendulum", "newton"}]
    pack = "d_ = dictionary();\n" + "".join(f'd_("{n}") = {n};\n' for n in numbers)
    body = loop.text(lambda n: f'd_("{n}")' if n in numbers else n)
    return Spelled(pack + loop_text(loop, body))


OF_SCALARS: dict[str, Callable[[Loop], Spelled]] = {
    made.__name__: made
    for made in (
        in_cell_by_variable,
        in_field_by_variable,
        struct_through_function,
        struct_of_parameters,
        function_of_method,
        by_static_method,
        by_file,
        by_varargin,
        whole_struct_copied,
        struct_made_in_passes,
        in_map,
        parameters_in_dictionary,
    )
}
ALL = {**SPELLINGS, **OF_SCALARS}
