"""Roots, logarithms and powers of resident data that stay real, and ``complex`` of two parts.

That a root would be complex is an error, so that it is fetched whether some would be (one byte).
"""

from __future__ import annotations

from app.accel.ir.dtypes import DType
from app.engine.capture.capture_session import Session, lazy_of
from app.engine.capture.term_arrays import holds, resident
from app.engine.capture.terms import Made, Term, is_complex, terms, where
from app.engine.values import Value

Args = tuple[Value, ...]
_CAUSE = "is some of it negative?"


def _floats(args: Args) -> list[Term] | None:
    """Real arrays in one float class; None for all else."""
    found = resident(*args)
    if found is None or any(x.dtype.is_integer for x in found):
        return None
    single = any(x.dtype is DType.F32 for x in found)
    return [x.cast(DType.F32 if single else DType.F64) for x in found]


def realsqrt(args: Args, nargout: int) -> Made:
    """Square roots where nothing is negative."""
    found = _floats(args)
    if found is None or holds((found[0] < 0.0).any(), _CAUSE):
        return None
    return found[0].root()


def reallog(args: Args, nargout: int) -> Made:
    """Logarithms where nothing is negative."""
    found = _floats(args)
    if found is None or holds((found[0] < 0.0).any(), _CAUSE):
        return None
    return _real_operation("log", found[0])


def _real_operation(op: str, *parts: Term) -> Term:
    """An operation whose result is known to be real."""
    return Term(Session.runtime.apply(op, tuple(p.node for p in parts)))


def realpow(args: Args, nargout: int) -> Made:
    """Powers, where no negative number has one that is not whole."""
    found = _floats(args)
    if found is None:
        return None
    x, y = found
    if holds(((x < 0.0) & y.ne(y.floor())).any(), _CAUSE):
        return None
    return _real_operation("power", x, y)


def nthroot(args: Args, nargout: int) -> Made:
    """Real roots of one whole degree, corrected by a step of Newton's as on the host."""
    degree = args[1]
    found = _floats(args[:1])
    if found is None or type(degree) is not float or degree % 1 or not 1 <= abs(degree) <= 1024:
        return None
    x = found[0]
    if degree % 2 == 0 and holds((x < 0.0).any(), _CAUSE):
        return None
    root = x.sign() * Term((abs(x) ** (1 / degree)).node)
    raised = [Term((root**power).node) for power in (degree, degree - 1)]
    corrected = root - (raised[0] - x) / (raised[1] * degree)
    usable = root.isfinite() & root.ne(0.0) & corrected.isfinite()
    return where(usable, corrected, root)


def complex_(args: Args) -> Value:
    """``complex(R, I)`` of real parts; stays complex where I is zero."""
    found = terms(args if len(args) == 2 else (*args, 0.0))
    if found is NotImplemented or any(map(is_complex, found)):
        return NotImplemented
    made = lazy_of(Session.runtime.apply("complex", tuple(x.node for x in found)), True)
    made.stays_complex = True
    return made
