"""The numbers of a system: tfdata, zpkdata, ssdata; random systems."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.checks import unknown_option
from app.engine.declarations.registry import builtin
from app.engine.values import EMPTY, Cell, Value, canonical, numel, size_of, text_of
from app.errors import MatlabError
from app.toolboxes.control.conversions import (
    system,
    to_roots,
    to_states,
    to_transfer,
)
from app.toolboxes.control.lti import Lti

_FAMILY = "control systems"


@builtin(
    "tfdata",
    category=_FAMILY,
    signatures=("[num, den, Ts] = tfdata(sys)", "[num, den, Ts] = tfdata(sys, 'v')"),
    cases=("[n, d] = tfdata(tf(1, [1 2]), 'v'); isequal(n, [0 1]) && isequal(d, [1 2])",),
    see=("tf", "zpkdata", "ssdata"),
)
def tfdata(sys: Value, form: Value = "") -> Value:
    """Numerators and denominators: cells of rows, or vectors with ``'v'``."""
    parts = to_transfer(system("tfdata", sys)).parts()
    return (
        *(_coefficients_in_form(v, form) for v in parts.values()),
        sys.ts if isinstance(sys, Lti) else 0.0,
    )


def _coefficients_in_form(v: Value, form: Value) -> Value:
    word = text_of(form).lower()
    if not "vector".startswith(word):
        raise unknown_option("tfdata", word, "v vector")
    return v.data.flat[0] if word and isinstance(v, Cell) and v.data.size == 1 else v


@builtin(
    "zpkdata",
    category=_FAMILY,
    signatures=("[z, p, k, Ts] = zpkdata(sys)", "[z, p, k, Ts] = zpkdata(sys, 'v')"),
    cases=("[z, p, k] = zpkdata(zpk(-1, [-2; -3], 4), 'v'); z == -1 && k == 4",),
    see=("zpk", "tfdata"),
)
def zpkdata(sys: Value, form: Value = "") -> Value:
    """Zeros, poles and gains: cells of columns, or vectors with ``'v'``."""
    s = to_roots(system("zpkdata", sys))
    z, p, k = s.parts().values()
    return _coefficients_in_form(z, form), _coefficients_in_form(p, form), k, s.ts


@builtin(
    "ssdata",
    category=_FAMILY,
    signatures=("[A, B, C, D, Ts] = ssdata(sys)",),
    cases=("[a, b, c, d] = ssdata(tf(2, [1 3])); a == -3 && b*c == 2 && d == 0",),
    see=("ss", "tfdata"),
)
def ssdata(sys: Value) -> Value:
    """The four matrices of a system in state space, and its sample time."""
    s = to_states(system("ssdata", sys))
    return (*s.parts().values(), s.ts)


@builtin(
    "dssdata",
    category=_FAMILY,
    signatures=("[A, B, C, D, E, Ts] = dssdata(sys)", "[A, B, C, D, E, Ts] = dssdata(sys, [])"),
    cases=(
        "[a, b, c, d, e] = dssdata(tf(2, [1 3])); a == -3 && b*c == 2 && d == 0 && e == 1",
        "[~, ~, ~, ~, e] = dssdata(tf(2, [1 3]), []); isempty(e)",
    ),
    see=("ssdata",),
)
def dssdata(sys: Value, empty: Value | None = None) -> Value:
    """The five matrices of a descriptor system; with ``[]`` an E that is the identity is empty."""
    if empty is not None and numel(empty):
        raise MatlabError("MATLAB:dssdata:invalidInput", "The second input of dssdata must be [].")
    s = to_states(system("dssdata", sys))
    a, b, c, d = s.parts().values()
    unit = EMPTY if empty is not None else canonical(np.eye(size_of(a)[0]))
    return a, b, c, d, unit, s.ts
