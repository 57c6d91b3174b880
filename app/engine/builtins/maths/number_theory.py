"""Whole numbers: primes, divisors, factorials, combinations, rational approximation."""

from __future__ import annotations

import math
import sys
from fractions import Fraction
from functools import cache

import numpy as np

from app.accel.ir.dtypes import DType
from app.engine.arguments import size_arguments
from app.engine.arguments.checks import (
    FLOATS,
    MATRIX,
    NUMBER,
    NUMBERS,
    POSITIVE,
    REAL,
    SCALAR,
    takes,
    within,
)
from app.engine.arguments.operation_rules import undefined_for_class
from app.engine.builtins.maths import whole_number_forms
from app.engine.builtins.vectors import natural_pair
from app.engine.capture.capture_session import Session
from app.engine.capture.term_arrays import elements_at, holds, resident
from app.engine.capture.terms import Made, Term
from app.engine.declarations.device_support import of_resident
from app.engine.declarations.registry import builtin
from app.engine.operators.arithmetic import TIMES, cast, integer_arithmetic
from app.engine.operators.element_arrays import data_of, rebuild
from app.engine.operators.expansion import align
from app.engine.stoppable import Stop
from app.engine.values import (
    Array,
    CharArray,
    Value,
    as_array,
    canonical,
    float_of,
    is_numeric,
    numel,
    size_of,
)
from app.errors import MatlabError

_FAMILY = "number theory"
_FLINT_MAX = 2.0**53


def _whole_numbers(v: Value, name: str, least: int = 0) -> Array:
    """The elements of ``v`` checked to be whole numbers not below ``least``."""
    a = np.asarray(as_array(v))
    bad = a.dtype.kind == "c" or (a.dtype.kind == "f" and not _are_whole(a))
    if bad or (a.size and (flat := a.ravel(order="K")).item(flat.argmin()) < least):
        kind = "nonnegative integers" if least == 0 else "positive integers"
        if least < 0:
            kind = "integers"
        text = f"{name}: the input must be real {kind}."
        raise MatlabError(f"MATLAB:{name}:InputNotInteger", text)
    return a


def _are_whole(a: Array) -> bool:
    """Whether floats are finite and have no fraction."""
    return bool(np.count_nonzero(np.isfinite(a) & (a == np.floor(a))) == a.size)


def sieve(limit: int) -> Array:
    """All primes up to ``limit``, by the sieve of Eratosthenes on odd numbers."""
    if limit < 2:
        return np.zeros(0, dtype=np.int64)
    odd = np.ones((limit + 1) // 2, dtype=bool)
    odd[:1] = False
    for i in range(1, math.isqrt(limit) // 2 + 1):
        if odd[i]:
            odd[2 * i * (i + 1) :: 2 * i + 1] = False
    return np.concatenate([[2], 2 * np.flatnonzero(odd) + 1])


@builtin(
    "primes",
    category=_FAMILY,
    signatures=("p = primes(n)",),
    cases=("isequal(primes(20), [2 3 5 7 11 13 17 19])", "isempty(primes(1))"),
    see=("isprime", "factor"),
)
@takes(NUMBER)
def primes(n: Value) -> Value:
    """Prime numbers up to n, as a row vector of n's class."""
    a = np.asarray(as_array(n))
    if a.size != 1:
        raise MatlabError("MATLAB:primes:InputNotScalar", "N must be a scalar.")
    limit = a.flat[0].real
    if not limit <= 2**32:
        text = f"The primes up to {float(limit):g} are more than memory holds."
        raise MatlabError("MATLAB:primes:NumberTooLarge", text)
    found = sieve(int(limit) if limit >= 2 else 0)
    kind = a.dtype if a.dtype.kind in "iuf" else np.dtype(np.float64)
    return canonical(found.astype(kind).reshape(1, -1))


@builtin(
    "isprime",
    category=_FAMILY,
    signatures=("tf = isprime(X)",),
    device=of_resident(whole_number_forms.isprime(sieve)),
    cases=("isequal(isprime([0 1 2 9 11 97]), logical([0 0 1 0 1 1]))", "isprime(2^31-1)"),
    see=("primes", "factor"),
)
def isprime(x: Value) -> Value:
    """True for elements that are prime numbers."""
    a = _whole_numbers(x, "isprime")
    if a.size == 0:
        return np.zeros(a.shape, dtype=bool)
    largest = int(a.max())
    if largest <= 10_000_000:
        table = np.zeros(largest + 1, dtype=bool)
        table[sieve(largest)] = True
        return canonical(table[a.astype(np.int64)])
    flags = [_is_prime(int(v)) for v in a.ravel(order="F")]
    return canonical(np.array(flags, dtype=bool).reshape(a.shape, order="F"))


def _is_prime(n: int) -> bool:
    """Miller-Rabin with the bases that are exact below 3.3e24 (Sorenson and Webster)."""
    if n < 2:
        return False
    bases = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)
    for p in bases:
        if n % p == 0:
            return n == p
    d, s = n - 1, 0
    while d % 2 == 0:
        d, s = d // 2, s + 1
    return all(_passes(n, base, d, s) for base in bases)


def _passes(n: int, base: int, d: int, s: int) -> bool:
    x = pow(base, d, n)
    if x in {1, n - 1}:
        return True
    for _ in range(s - 1):
        x = x * x % n
        if x == n - 1:
            return True
    return False


def _factor(n: int) -> list[int]:
    factors: list[int] = []
    for p in (2, 3, 5):
        while n % p == 0:
            factors.append(p)
            n //= p
    p, steps, k = 7, (4, 2, 4, 2, 4, 6, 2, 6), 0
    while p * p <= n:
        if n % p == 0:
            factors.append(p)
            n //= p
            if _is_prime(n):
                break
        else:
            p += steps[k]
            k = (k + 1) % 8
    return [*factors, n] if n > 1 else factors


@builtin(
    "factor",
    category=_FAMILY,
    signatures=("f = factor(n)", "[p, e] = factor(n)"),
    cases=("isequal(factor(60), [2 2 3 5])", "isequal(factor(97), 97)", "factor(1) == 1"),
    see=("primes", "isprime"),
)
def factor(n: Value, *, nargout: int = 1) -> Value:
    """Prime factors of n in rising order; with two outputs the distinct primes and exponents."""
    a = np.asarray(as_array(n))
    value = a.flat[0] if a.size == 1 and a.dtype.kind != "c" else math.nan
    if not (value >= 0 and value == np.floor(value) and value <= _FLINT_MAX):
        text = "Input must be a nonnegative integer scalar smaller than flintmax."
        raise MatlabError("MATLAB:factor:InputNotPosInt", text)
    found = [int(value)] if value < 4 else _factor(int(value))
    kind = a.dtype if a.dtype.kind in "iuf" else np.dtype(np.float64)
    if nargout < 2:
        return canonical(np.array([found], dtype=kind))
    distinct, counts = np.unique(found, return_counts=True)
    return (
        canonical(distinct.astype(kind).reshape(1, -1)),
        canonical(counts.astype(np.float64).reshape(1, -1)),
    )


def _pair(a: Value, b: Value, name: str) -> tuple[Array, Array, np.dtype]:
    x, y = align(_whole_numbers(a, name, -(1 << 63)), _whole_numbers(b, name, -(1 << 63)))
    if any(v.dtype.kind == "f" and np.count_nonzero(v >= 2.0**64) for v in (x, y)):
        text = f"{name}: the input must be below 2^64."
        raise MatlabError(f"MATLAB:{name}:InputNotInteger", text)
    kind = y.dtype if x.dtype.kind in "fb" and y.dtype.kind in "iuf" else x.dtype
    return x, y, kind if kind.kind != "b" else np.dtype(np.float64)


def _fold_of_values(name: str, first: Value, rest: tuple[Value, ...]) -> Value:
    result: Value = first
    for other in rest:
        pair = natural_pair(result, other) if name == "gcd" else None
        if pair is not None:
            result = canonical(np.gcd(*pair).astype(np.float64))
            continue
        x, y, kind = _pair(result, other, name)
        x, y = _magnitudes(x), _magnitudes(y)
        found = np.gcd(x, y)
        if name == "gcd":
            result = canonical(cast(found, kind))
            continue
        factor = x // np.maximum(found, 1)
        if kind.kind in "iu":
            result = canonical(cast(integer_arithmetic(TIMES, factor, y), kind))
        else:
            result = canonical(factor.astype(kind) * y.astype(kind))
    return result


def _magnitudes(a: Array) -> Array:
    """The sizes of whole numbers below 2^64."""
    if a.dtype.kind == "f":
        return np.abs(a).astype(np.uint64)
    return (
        a.astype(np.uint64) if a.dtype.kind == "u" else np.abs(a.astype(np.int64)).view(np.uint64)
    )


@builtin(
    "gcd",
    words="",
    category=_FAMILY,
    signatures=("g = gcd(a, b)", "[g, u, v] = gcd(a, b)"),
    device=of_resident(whole_number_forms.gcd),
    cases=("gcd(12, 18) == 6", "isequal(gcd([15 49], 10), [5 1])"),
    see=("lcm",),
)
def gcd(a: Value, b: Value, *rest: Value, nargout: int = 1) -> Value:
    """Greatest common divisor; with three outputs also u and v with ``g = a.*u + b.*v``."""
    if nargout < 2:
        return _fold_of_values("gcd", a, (b, *rest))
    x, y, kind = _pair(a, b, "gcd")
    rows = [_bezout(int(p), int(q)) for p, q in np.nditer([x, y], ["zerosize_ok"], order="F")]
    shape = np.broadcast_shapes(x.shape, y.shape)
    table = np.array(rows, dtype=np.float64).reshape(-1, 3)
    return tuple(canonical(table[:, k].reshape(shape, order="F").astype(kind)) for k in range(3))


def _bezout(a: int, b: int) -> tuple[int, int, int]:
    """The extended Euclidean algorithm."""
    old_r, r, old_u, u, old_v, v = abs(a), abs(b), 1, 0, 0, 1
    while r:
        q = old_r // r
        old_r, r = r, old_r - q * r
        old_u, u = u, old_u - q * u
        old_v, v = v, old_v - q * v
    return old_r, old_u * (-1 if a < 0 else 1), old_v * (-1 if b < 0 else 1)


@builtin(
    "lcm",
    words="",
    category=_FAMILY,
    signatures=("L = lcm(a, b)",),
    device=of_resident(whole_number_forms.lcm),
    cases=("lcm(4, 6) == 12", "isequal(lcm([2 3], 5), [10 15])"),
    see=("gcd",),
)
def lcm(a: Value, b: Value, *rest: Value) -> Value:
    """Least common multiple."""
    return _fold_of_values("lcm", a, (b, *rest))


@cache
def _factorials() -> Array:
    return np.array([float(math.factorial(k)) for k in range(171)] + [math.inf])


def _factorial_form(args: tuple[Value, ...], nargout: int) -> Made:
    """Factorials of resident floats, looked up; that they are whole numbers is looked at."""
    found = resident(args[0]) if len(args) == 1 and nargout < 2 else None
    if found is None or not found[0].dtype.is_float:
        return None
    x = found[0].cast(DType.F64)
    whole = (x.floor().eq(x) & (x >= 0.0)).all()
    if not holds(whole, "are these natural numbers?"):
        return None
    table = Term(Session.runtime.leaf(_factorials().reshape(-1, 1)))
    return elements_at(table, x.min(171.0)).cast(found[0].dtype)


@builtin(
    "factorial",
    category=_FAMILY,
    signatures=("f = factorial(n)",),
    cases=(
        "isequal(factorial([0 1 5]), [1 1 120])",
        "factorial(171) == Inf",
        "factorial(intmax('uint64')) == intmax('uint64')",
    ),
    see=("gamma", "nchoosek"),
    device=of_resident(_factorial_form),
)
def factorial(n: Value) -> Value:
    """Factorial of every element, rounded correctly (exact up to 22!)."""
    a = np.asarray(as_array(n))
    if np.iscomplexobj(a) or np.any(a < 0) or np.any(a != np.floor(a)):
        text = "N must be an array of real non-negative integers."
        raise MatlabError("MATLAB:factorial:NNegativeInt", text)
    result = _factorials()[np.minimum(a.astype(np.float64), 171).astype(np.int64)]
    if a.dtype.kind in "iu":
        most = np.iinfo(a.dtype).max
        beyond = result >= float(most)
        return canonical(np.where(beyond, most, np.where(beyond, 0, result).astype(a.dtype)))
    return canonical(result.astype(a.dtype) if a.dtype == np.float32 else result)


@builtin(
    "nchoosek",
    category=_FAMILY,
    signatures=("b = nchoosek(n, k)", "C = nchoosek(v, k)"),
    cases=(
        "nchoosek(5, 2) == 10",
        "isequal(nchoosek([1 2 3], 2), [1 2; 1 3; 2 3])",
        "nchoosek(40, 20) == 137846528820",
    ),
    see=("perms", "factorial"),
)
def nchoosek(n: Value, k: Value) -> Value:
    """Binomial coefficient, or all combinations of k elements of a vector as rows."""
    if len(size_of(n)) > 2 or 1 not in size_of(n):
        text = "The first input must be a scalar or a vector."
        raise MatlabError("MATLAB:nchoosek:InvalidArg1", text)
    count = np.asarray(as_array(k))
    (NUMBERS & REAL & SCALAR)("nchoosek", 2, k)
    if count.flat[0] < 0 or count.flat[0] != np.floor(count.flat[0]):
        text = "The second input must be a nonnegative integer scalar."
        raise MatlabError("MATLAB:nchoosek:InvalidArg2", text)
    chosen = int(count.flat[0])
    if numel(n) == 1 and is_numeric(n):
        whole = np.asarray(as_array(n))
        value = whole.flat[0]
        if value < chosen or value != np.floor(value):
            text = "The first input must be an integer not smaller than the second."
            raise MatlabError("MATLAB:nchoosek:InvalidArg1", text)
        found = _binomial(int(value), chosen)
        dtype = whole.dtype if whole.dtype.kind in "iuf" else np.dtype(np.float64)
        return canonical(cast(np.array([[found]]), dtype))
    size_arguments.check_room((size_arguments.extent(_binomial(numel(n), chosen)), chosen), 32)
    return rebuild(n, data_of(n).ravel(order="F")[_picks(numel(n), chosen)])


def _binomial(n: int, k: int) -> float:
    """The binomial coefficient as a double. It is at least 2^k for the smaller k of its two."""
    if min(k, n - k) > sys.float_info.max_exp:
        return math.inf
    try:
        return float(math.comb(n, k))
    except OverflowError:
        return math.inf


def _picks(count: int, chosen: int) -> Array:
    """Positions of so many out of ``count``, a row for each choice, in lexicographic order.

    All beginnings of so many positions go on by each position that leaves room for the rest.
    """
    if chosen > count:
        return np.zeros((0, chosen), dtype=np.int64)
    columns: list[Array] = []
    last = np.array([-1])
    for k in range(chosen):
        ways = count - chosen + k - last
        begun = np.repeat(np.arange(last.size), ways)
        first = np.cumsum(ways) - ways
        last = np.arange(begun.size) + (last + 1 - first)[begun]
        columns = [*(column[begun] for column in columns), last]
        Stop.poll()
    return np.stack(columns, axis=1) if columns else np.zeros((1, 0), dtype=np.int64)


@builtin(
    "perms",
    category=_FAMILY,
    signatures=("P = perms(v)",),
    cases=("isequal(perms([1 2 3]), [3 2 1; 3 1 2; 2 3 1; 2 1 3; 1 3 2; 1 2 3])",),
    see=("nchoosek", "randperm"),
)
def perms(v: Value) -> Value:
    """All permutations of a vector as rows, in reverse lexicographic order of positions."""
    items = data_of(v).ravel(order="F")
    n = items.size
    if n != numel(v):
        raise undefined_for_class("perms", v)
    size_arguments.check_room((math.factorial(min(n, 20)), n), 24)
    order = np.zeros((1, 0), dtype=np.int8)
    for k in range(n):  # each position first, before the permutations of the others
        first = np.arange(k, -1, -1, dtype=np.int8).reshape(-1, 1, 1)
        made = np.empty((k + 1, len(order), k + 1), np.int8)
        made[:, :, :1] = first
        np.add(order, order >= first, out=made[:, :, 1:])
        order = made.reshape(-1, k + 1)
    return rebuild(v, items[order])


@builtin(
    "rat",
    category=_FAMILY,
    signatures=("[n, d] = rat(x, tol)", "s = rat(x)"),
    cases=("strcmp(rat(0.75), '1 + 1/(-4)')",),
    see=("rats",),
)
@takes(FLOATS & REAL, NUMBER & POSITIVE)
def rat(x: Value, tol: Value | None = None, *, nargout: int = 1) -> Value:
    """Rational approximation by continued fractions, within ``1e-6*norm(x(:),1)`` or ``tol``."""
    a = np.asarray(as_array(x), dtype=np.float64)
    finite = np.abs(a[np.isfinite(a)])
    limit = 1e-6 * float(finite.sum()) if tol is None else float_of(tol)
    expansions = [_continued_fraction(float(v), limit) for v in a.ravel(order="F")]
    if nargout < 2:
        if not expansions:
            return ""
        rows = [_expansion_text(terms) for terms in expansions]
        width = max(map(len, rows), default=0)
        return (
            CharArray(np.array([[ord(c) for c in r.ljust(width)] for r in rows]))
            if len(rows) > 1
            else rows[0]
        )
    values = [_value_of(terms) for terms in expansions]
    shape = a.shape
    return tuple(
        canonical(np.array([pair[k] for pair in values]).reshape(shape, order="F")) for k in (0, 1)
    )


def _continued_fraction(x: float, tol: float) -> list[float]:
    if not math.isfinite(x):
        return [x]
    terms = [_nearest(x)]
    rest = x - terms[0]
    while rest and abs(x - float(Fraction(*_value_ints(terms)))) >= max(tol, 0.0):
        flipped = 1.0 / rest
        terms.append(_nearest(flipped))
        rest = flipped - terms[-1]
        if len(terms) > 30:
            break
    return terms


def _nearest(x: float) -> float:
    """The nearest whole number; halves away from zero."""
    return math.copysign(math.floor(abs(x) + 0.5), x)


def _value_ints(terms: list[float]) -> tuple[int, int]:
    n, d = int(terms[-1]), 1
    for term in reversed(terms[:-1]):
        n, d = int(term) * n + d, n
    return (n, d) if d > 0 else (-n, -d)


def _value_of(terms: list[float]) -> tuple[float, float]:
    if not math.isfinite(terms[0]):
        return (math.copysign(1.0, terms[0]) if math.isinf(terms[0]) else 0.0), 0.0
    n, d = _value_ints(terms)
    return float(n), float(d)


def _expansion_text(terms: list[float]) -> str:
    if not math.isfinite(terms[0]):
        return str(terms[0]).replace("inf", "Inf").replace("nan", "NaN")
    text = f"{terms[0]:g}"
    for k, term in enumerate(terms[1:]):
        text += f" + 1/({term:g}" if k < len(terms) - 2 else f" + 1/({term:g})"
    return text + ")" * max(0, len(terms) - 2)


@builtin(
    "rats",
    words="",
    category=_FAMILY,
    signatures=("s = rats(x)", "s = rats(x, len)"),
    cases=("strcmp(strtrim(rats(0.5)), '1/2')",),
    see=("rat",),
)
@takes(NUMBERS & MATRIX, NUMBER & within(1, 1000))
def rats(x: Value, length: Value = 13.0) -> Value:
    """Numbers as text with small rational fractions, one row per row of x."""
    a = np.asarray(as_array(x), dtype=np.float64)
    width = int(float_of(length))
    rows = ["".join(_fraction_text(float(v), width).rjust(width + 1) for v in r) for r in a]
    if len(rows) == 1:
        return rows[0]
    return CharArray(np.array([[ord(c) for c in r] for r in rows], dtype=np.uint32))


def _fraction_text(x: float, width: int) -> str:
    if not math.isfinite(x):
        return str(x).replace("inf", "Inf").replace("nan", "NaN")
    if x == round(x):
        return f"{x:.0f}"
    best = Fraction(x).limit_denominator(10 ** max(1, (width - 3) // 2))
    text = f"{best.numerator}/{best.denominator}" if best.numerator else "*"
    return text if len(text) <= width else "*"
