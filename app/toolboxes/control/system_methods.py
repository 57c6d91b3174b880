"""Functions of numbers and of other things that have a meaning for systems."""

from __future__ import annotations

import numpy as np

from app.engine import stoppable
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import real_number
from app.engine.declarations.class_methods import add_methods
from app.engine.values import Struct, Value, as_array, is_text_scalar, text_of
from app.toolboxes.control.conversions import system, to_states
from app.toolboxes.control.system_arithmetic import appended, dead_time, inverse, operate
from app.toolboxes.control.system_properties import stable


def system_norm(sys: Value, kind: Value = 2.0, tolerance: Value = 0.01) -> Value:
    """The H2 norm, or the peak gain with ``inf``."""
    s = system("norm", sys)
    named = text_of(kind).lower() if is_text_scalar(kind) else ""
    if named == "inf" or (not named and np.isinf(np.asarray(as_array(kind)).flat[0])):
        from app.toolboxes.control.frequency_responses import peak_gain  # draws, too

        return peak_gain(s)
    m = to_states(s)
    if not stable(m) or (not m.ts and np.any(m.d)):
        return float("inf")
    if m.ts:
        q = stoppable.discrete_lyapunov(m.a, m.b @ m.b.T)
        return float(np.sqrt(np.trace(m.c @ q @ m.c.T + m.d @ m.d.T)))
    q = stoppable.continuous_lyapunov(m.a, m.b @ m.b.T)
    return float(np.sqrt(np.trace(m.c @ q @ m.c.T)))


def _append_systems(*args: Value) -> Value:
    made = system("append", args[0])
    for s in args[1:]:
        made = appended(made, system("append", s))
    return made


def _norm(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    return system_norm(args[0], *args[1:])


def _bandwidth(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    from app.toolboxes.control.margins import bandwidth_of, one_loop  # draw, which takes a while

    drop = real_number(args[1]) if len(args) > 1 else -3.0
    return bandwidth_of(one_loop("bandwidth", args[0]), drop)


def _get(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    model = system("get", args[0])
    if len(args) > 1:
        return model.get_member(ctx, text_of(args[1]), None, 1)
    return Struct({n: model.property(n) for n in model.members()})


add_methods(
    "lti",
    {
        "bandwidth": _bandwidth,
        "get": _get,
        "inv": lambda ctx, args, n: inverse(args[0]),
        "exp": lambda ctx, args, n: dead_time(args[0]),
        "isempty": lambda ctx, args, n: 0 in args[0].io,
        "ndims": lambda ctx, args, n: 2.0,
        "append": lambda ctx, args, n: _append_systems(*args),
        "norm": _norm,
        "horzcat": lambda ctx, args, n: operate("horzcat", args),
        "vertcat": lambda ctx, args, n: operate("vertcat", args),
    },
)
