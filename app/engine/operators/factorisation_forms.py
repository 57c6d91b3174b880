"""Factorisations, solving, inverses and determinants of real matrices on graphics cards: of large
ones, and of small ones that are computed there.

The answers are LAPACK's to rounding. How near a matrix is to a singular one is estimated along the
way; where that comes close to what MATLAB warns of, the host looks at the same factors or does the
work itself, so that warnings and errors are the host's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from app.accel.ir.ops import MOST_EQUATIONS
from app.engine.arguments.operation_rules import Rules
from app.engine.capture import capture, term_arrays
from app.engine.capture.capture_session import Session
from app.engine.capture.terms import Made, Term, cat, constant_array, position, terms, where
from app.engine.operators.linear_solves import Warnings, solve, solve_square, warn_if_doubtful
from app.engine.values import Array, DeviceArray, Value, as_array, is_char, size_of, text_of
from app.engine.values.lazy import Watch

Args = tuple[Value, ...]
LEAST = 512
"""Rows from which a matrix is worth a device."""
PROCESSORS = frozenset(("cpu",))
"""Kinds of device that LAPACK on the host outruns."""
MOST_SIDES = 4096
"""Right sides of a small system."""
DOUBTFUL = 1000.0
"""Estimates of the condition may be too small by the root of the size or so."""
CAUSE = "needs-host-value: is the matrix singular?"


def on_card() -> bool:
    """Whether there is a device that LAPACK on the host does not outrun."""
    info = Session.runtime.device_info if Session.is_active else None
    return info is not None and info.type not in PROCESSORS


def _square(v: Value) -> Term | None:
    """A large square real matrix as a term; None for all else."""
    if not on_card():
        return None
    found = terms((v,), logical=False)
    if found is NotImplemented or found[0].guarded:
        return None
    x = found[0]
    return x if x.rank == 2 and x.shape[0] == x.shape[1] >= LEAST else None


def apply_operation(op: str, *parts: Term) -> Term:
    """An operation of the graph."""
    return Term(Session.runtime.apply(op, tuple(p.node for p in parts)))


def fetch_deciding(*parts: Term) -> list[Array]:
    """Values that decide what happens next."""
    nodes = [p.node for p in parts]
    Session.runtime.evaluate(nodes, CAUSE)
    return [Session.runtime.gather(node, CAUSE) for node in nodes]


def _factors_and_order(x: Term) -> tuple[Term, Term]:
    """Both factors in one matrix, and the order of the rows."""
    factors, order = apply_operation("lu", x), apply_operation("lu_order", x)
    Session.runtime.evaluate([factors.node, order.node], "needs-host-value: factors")
    return factors, order


def _identity(x: Term) -> Term:
    return position(x.shape, 0).eq(position(x.shape, 1)).cast(x.dtype)


def eps(x: Term) -> float:
    """The spacing of numbers of its class at 1."""
    return 2.0**-52 if x.dtype.size == 8 else 2.0**-23


def _probes(x: Term) -> Term:
    """Right sides whose solutions tell the size of the inverse."""
    n = x.shape[0]
    place = np.arange(n)
    sides = np.ones((n, 3), x.dtype.numpy)
    sides[:, 1] = np.where(place % 2, -1.0, 1.0)
    sides[:, 2] = np.random.default_rng(n).choice([-1.0, 1.0], n)
    return Term(Session.runtime.leaf(np.asfortranarray(sides)))


def _is_trustworthy(x: Term, factors: Term, answers: Term) -> bool:
    """Whether MATLAB would not warn, or has been warned; else the host begins anew."""
    largest = abs(x).sum(0).amax(1)
    size, grown, whole = (
        float(v.item())
        for v in fetch_deciding(
            largest, abs(answers).amax(0, 1), (factors.diagonal().eq(0.0)).any()
        )
    )
    if whole or not np.isfinite(size * grown):
        return False
    if size * grown * eps(x) * DOUBTFUL < 1:
        return True
    warn_if_doubtful(fetch_deciding(factors)[0], size)
    return True


def _system(*given: Value) -> Term | None:
    """`equations` of a small square matrix, and of right sides, where one is not on the host."""
    if not on_card() or not any(type(v) is DeviceArray for v in given):
        return None
    n, *more = size_of(given[0])
    if more != [n] or not 1 < n <= MOST_EQUATIONS:
        return None
    if any(len(size_of(v)) > 2 or not 1 <= size_of(v)[1] <= MOST_SIDES for v in given[1:]):
        return None
    found = terms(given, logical=False)
    if found is NotImplemented or not are_away(found):
        return None
    system = apply_operation("equations", *found)
    return Term(system.node, any(x.guarded for x in found))


def are_away(found: Sequence[Term]) -> bool:
    """Whether numbers of some are not on the host, where LAPACK need not wait for them."""
    return any(Session.runtime.state(x.node) in {"lazy", "device"} for x in found)


def is_certain(doubt: Term, warn: Callable[[], object]) -> bool:
    """Whether what was found can be used: it is beyond doubt, or somebody warns later."""
    if Watch.truth is None and not Rules.octave and Warnings.later(doubt.node, warn):
        return True
    return not Session.runtime.gather(doubt.node, CAUSE).item()


def _is_regular(system: Term, warn: Callable[[], object]) -> bool:
    """Whether the matrix is far from what MATLAB warns of, or somebody warns later."""
    near = system.part(1, system.shape[1] - 1, 1).part(0, 0, 1)
    return is_certain(~(near >= DOUBTFUL * eps(system)), warn)


def _solution(a: Value, b: Value) -> Term | None:
    """``A \\ B`` of a small square A that is not on the host, or whose right sides are not."""
    system = _system(a, b)
    if system is None or not _is_regular(system, lambda: solve(*on_host(a, b))):
        return None
    return system.part(1, 0, system.shape[1] - 1)


def on_host(*given: Value) -> Iterator[Array]:
    """Values as arrays of one class."""
    arrays = [as_array(v) for v in given]
    kind = np.result_type(np.float32 if any(a.dtype.char == "f" for a in arrays) else np.float64)
    return (np.asarray(a, kind) for a in arrays)


def left_divide(a: Value, b: Value) -> Value:
    """``A \\ B`` of a large square A, and of a small one whose numbers are not on the host."""
    small = _solution(a, b)
    if small is not None:
        return small.value
    x = _square(a)
    found = terms((a, b), logical=False) if x is not None else NotImplemented
    if found is NotImplemented:
        return NotImplemented
    x, right = found
    if right.rank != 2 or right.shape[0] != x.shape[0] or right.guarded:
        return NotImplemented
    factors, order = _factors_and_order(x)
    sides = right.shape[1]
    answers = apply_operation("lu_solve", factors, order, cat(1, right, _probes(x)))
    if not _is_trustworthy(x, factors, answers.part(1, sides, 3)):
        return NotImplemented
    return answers.part(1, 0, sides).value


def right_divide(a: Value, b: Value) -> Value:
    """``A / B`` of a small square B where one is not on the host."""
    if size_of(b)[0] > MOST_EQUATIONS:
        return NotImplemented
    turned = [capture.transpose(v) if type(v) is DeviceArray else as_array(v).T for v in (b, a)]
    small = None if any(v is NotImplemented for v in turned) else _solution(*turned)
    return NotImplemented if small is None else small.permute(1, 0).value


def inv(args: Args, nargout: int) -> Made:
    """``inv(A)``."""
    system = _system(args[0])
    if system is not None:
        n = system.shape[0]

        def warn() -> Array:
            (a,) = on_host(args[0])
            return solve_square(a, np.eye(n, dtype=a.dtype))

        return system.part(1, 0, n) if _is_regular(system, warn) else None
    x = _square(args[0])
    if x is None:
        return None
    factors, order = _factors_and_order(x)
    inverse = apply_operation("lu_solve", factors, order, _identity(x))
    columns = abs(inverse).sum(0).amax(1)
    return inverse if _is_trustworthy(x, factors, columns) else NotImplemented


def det(args: Args, nargout: int) -> Made:
    """``det(A)``; the sign is the parity of the row exchanges."""
    system = _system(args[0])
    if system is not None:
        return system.part(1, system.shape[0], 1).part(0, 1, 1)
    x = _square(args[0])
    if x is None:
        return None
    factors, order = _factors_and_order(x)
    product, rows = fetch_deciding(factors.diagonal().prod(0), order)
    sign = _parity(rows.ravel().astype(np.intp) - 1)
    return np.asarray(product * product.dtype.type(sign))


def _parity(order: NDArray[np.intp]) -> float:
    """1 for an even permutation, -1 for an odd one: every cycle of even length turns the sign."""
    seen, sign = np.zeros(order.size, bool), 1.0
    for start in range(order.size):
        length, at = 0, start
        while not seen[at]:
            seen[at], at, length = True, int(order[at]), length + 1
        sign = -sign if length and length % 2 == 0 else sign
    return sign


def lu(args: Args, nargout: int) -> Made:
    """``Y = lu(A)``, ``[L, U] = lu(A)`` and ``[L, U, P] = lu(A)``, P perhaps a vector."""
    x = _square(args[0])
    vector = [is_char(a) and text_of(a) == "vector" for a in args[1:]]
    if x is None or not all(vector):
        return None
    factors, order = _factors_and_order(x)
    if nargout < 2:
        return factors
    row, column = position(x.shape, 0), position(x.shape, 1)
    lower = where(row > column, factors, _identity(x))
    upper = where(row > column, 0.0, factors)
    if nargout == 2:  # L with the rows of A in their places
        numbers = position(order.shape, 0)
        back = term_arrays.scatter(constant_array(0.0, order.shape), order - 1.0, numbers)
        return term_arrays.rows_taken(lower, back), upper
    places = order.reshape((1, x.shape[0])) if vector else (column + 1).eq(order).cast(order.dtype)
    return lower, upper, places


def chol(args: Args, nargout: int) -> Made:
    """``[R, flag] = chol(A, side)`` of a positive definite A."""
    x = _square(args[0])
    side = text_of(args[1]) if len(args) > 1 and is_char(args[1]) else "upper"
    if x is None or len(args) > 2 or side not in ("upper", "lower"):
        return None
    factor = apply_operation("cholesky", x if side == "upper" else x.permute(1, 0))
    if not np.isfinite(
        fetch_deciding(factor.diagonal().amin(0) + factor.diagonal().sum(0))[0]
    ).all():
        return None
    found = factor if side == "upper" else factor.permute(1, 0)
    return found if nargout < 2 else (found, 0.0)
