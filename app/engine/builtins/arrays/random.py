"""Random numbers: rand, randn, randi, randperm and the state of their stream."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from app.accel.numerics.host_sort import sort_order
from app.engine import stoppable
from app.engine.arguments import size_arguments
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import ANY, NUMBER
from app.engine.capture.device_arrays import device_creator
from app.engine.capture.lazy_limits import Limits, is_captured
from app.engine.declarations.device_support import HostOnly
from app.engine.declarations.registry import builtin
from app.engine.operators.arithmetic import cast
from app.engine.operators.operators import plus, times
from app.engine.values import (
    DTYPE_OF_CLASS,
    DeviceArray,
    Struct,
    StructArray,
    Value,
    as_array,
    canonical,
    class_of,
    float_of,
    int_of,
    is_char,
    is_string,
    is_text_scalar,
    numel,
    text_of,
    unwrap,
)
from app.engine.values.random_stream import RandomStream, shuffle_seed, stream_of
from app.errors import MatlabError

_FAMILY = "random numbers"
_SELF = HostOnly("", lazy=True)  # captures by itself
_F64 = np.dtype(np.float64)
_SMALL = 17.0
"""Matrices below this size are drawn without ceremony; smaller than any that is captured."""


def drawn(stream: RandomStream, kind: str, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Value:
    """Numbers of the stream: lazy when many, at once when few."""
    count = math.prod(shape)
    if is_captured(count) and stream.generator == "philox":
        from app.engine.capture import capture

        lazy = capture.random(kind, stream, shape, dtype)
        if lazy is not NotImplemented:
            return lazy
    size_arguments.check_room(shape, dtype.itemsize)
    return unwrap(stream.draw(kind, shape, dtype))


def _draw(ctx: CallContext, kind: str, args: tuple[Value, ...], legacy: str) -> Value:
    if not args:
        return stream_of(ctx).one(kind)
    first, last = args[0], args[-1]
    if (
        len(args) < 3
        and (type(first) is float and 0.0 <= first < _SMALL)
        and (type(last) is float and 0.0 <= last < _SMALL)
    ):
        rows, columns = int(first), int(last)
        if rows == first and columns == last and rows * columns < Limits.capture:
            return unwrap(stream_of(ctx).draw(kind, (rows, columns), _F64))
    if is_text_scalar(args[0]) and text_of(args[0]) in ("seed", "state", "twister"):
        return _legacy_seed(ctx, args)
    request = size_arguments.read(args)
    dtype = request.dtype
    if dtype.kind == "c":
        return _drawn_complex(stream_of(ctx), kind, request.shape, dtype)
    if dtype.kind != "f":
        text = f"{legacy} makes 'single' or 'double' numbers only."
        raise MatlabError(f"MATLAB:{legacy}:invalidClass", text)
    return drawn(stream_of(ctx), kind, request.shape, dtype)


def _drawn_complex(
    stream: RandomStream, kind: str, shape: tuple[int, ...], dtype: np.dtype[Any]
) -> Value:
    """Complex numbers: normal ones of variance 1, uniform ones in the unit square."""
    part = np.dtype(f"f{dtype.itemsize // 2}")
    real, imaginary = (as_array(drawn(stream, kind, shape, part)) for _ in range(2))
    made = real + 1j * imaginary
    return unwrap((made * math.sqrt(0.5) if kind == "normal" else made).astype(dtype))


def _legacy_seed(ctx: CallContext, args: tuple[Value, ...]) -> Value:
    """``rand('seed', n)`` and its kin."""
    stream = stream_of(ctx)
    if len(args) == 1:
        return stream.state()
    seed = shuffle_seed() if is_char(args[1]) else int(abs(float_of(args[1])))
    stream.restart(seed, "twister" if text_of(args[0]) == "twister" else stream.generator)
    return ()


@builtin(
    "rand",
    category=_FAMILY,
    signatures=("X = rand", "X = rand(n)", "X = rand(m, n, ...)", "X = rand(..., 'single')"),
    device=_SELF,
    cases=(
        "z = rand(3, 'like', 1i); all(real(z) > 0 & real(z) < 1 & imag(z) > 0, 'all')",
        "rand < 1",
        "isequal(size(rand(2, 3)), [2 3])",
        "all(rand(1, 100) > 0)",
    ),
    see=("randn", "randi", "rng"),
)
@device_creator
def rand(ctx: CallContext, *args: Value) -> Value:
    """Uniform random numbers in (0, 1)."""
    return _draw(ctx, "uniform", args, "rand")


@builtin(
    "randn",
    category=_FAMILY,
    signatures=("X = randn", "X = randn(n)", "X = randn(m, n, ...)", "X = randn(..., 'like', p)"),
    device=_SELF,
    cases=(
        "isequal(size(randn(3)), [3 3])",
        "z = randn(1, 9, 'like', 1i); ~isreal(z) && isequal(size(z), [1 9])",
        "z = randn(2e4, 1, 'like', single(1i)); isa(z, 'single') && abs(mean(abs(z).^2) - 1) < 0.1",
    ),
    see=("rand", "rng"),
)
@device_creator
def randn(ctx: CallContext, *args: Value) -> Value:
    """Normal random numbers with mean 0 and standard deviation 1."""
    return _draw(ctx, "normal", args, "randn")


@builtin(
    "randi",
    category=_FAMILY,
    signatures=("X = randi(imax)", "X = randi([imin imax], m, n, ...)", "X = randi(..., class)"),
    device=_SELF,
    cases=("randi(1) == 1", "all(ismember(randi([3 5], 1, 50), 3:5))"),
    see=("rand",),
)
@device_creator
def randi(ctx: CallContext, limits: Value, *args: Value) -> Value:
    """Uniform random whole numbers from 1 (or imin) to imax."""
    if is_char(limits):
        raise MatlabError("MATLAB:randi:invalidLimits", "First input must be numeric.")
    bounds = as_array(limits).ravel().astype(np.float64)
    low, high = (1.0, bounds[0]) if bounds.size == 1 else (bounds[0], bounds[-1])
    wide = max(abs(low), abs(high), high - low + 1) >= 2**53
    if not (bounds == np.floor(bounds)).all() or high < low or wide:
        text = "First input must be a positive integer scalar or a pair of integers in order."
        raise MatlabError("MATLAB:randi:invalidLimits", text)
    request = size_arguments.read(args)
    u = drawn(stream_of(ctx), "uniform", request.shape, _F64)
    scaled = times(u, float(high - low + 1))
    whole = plus(_floor(scaled), float(low))
    name = request.class_name or ("" if request.like is None else class_of(request.like))
    if name and name not in DTYPE_OF_CLASS:
        text = f"'{name}' is not a class of numbers."
        raise MatlabError("MATLAB:randi:invalidClass", text)
    if not name or name == "double":
        return whole
    if type(whole) is DeviceArray:
        from app.engine.capture import capture

        return capture.convert(whole, DTYPE_OF_CLASS[name])
    return canonical(cast(as_array(whole), DTYPE_OF_CLASS[name]))


def _floor(v: Value) -> Value:
    if type(v) is DeviceArray:
        from app.engine.capture import capture

        return capture.apply_unary("floor", v)
    return unwrap(np.floor(as_array(v)))


@builtin(
    "randperm",
    words="",
    category=_FAMILY,
    signatures=("p = randperm(n)", "p = randperm(n, k)"),
    device=_SELF,
    cases=("isequal(sort(randperm(5)), 1:5)", "numel(randperm(9, 4)) == 4"),
    see=("rand",),
)
def randperm(ctx: CallContext, n: Value, k: Value | None = None) -> Value:
    """Random permutation of 1:n, or k distinct numbers of it."""
    count = size_arguments.extent(float_of(n))
    if k is not None and not 0 <= as_array(k).flat[0] <= count:
        text = f"K must be a whole number from 0 to N, which is {count}."
        raise MatlabError("MATLAB:randperm:inputKTooLarge", text)
    keys = drawn(stream_of(ctx), "uniform", (1, count), _F64)
    if type(keys) is DeviceArray:
        from app.engine.capture import term_arrays

        return term_arrays.order_of_row(keys, count if k is None else int_of(k))
    keys = as_array(keys)
    order = stoppable.applied(sort_order, keys, axis=1, descending=False) + 1.0
    return unwrap(order if k is None else order[:, : int_of(k)])


def _describe(stream: RandomStream) -> Struct:
    return Struct({"Type": stream.generator, "Seed": float(stream.seed), "State": stream.state()})


@builtin(
    "rng",
    category=_FAMILY,
    signatures=("s = rng", "rng(seed)", "rng(seed, generator)", "rng('shuffle')", "rng(s)"),
    cases=("rng(1, 'twister'); s = rng; a = randn(1, 3); rng(s); isequal(a, randn(1, 3))",),
    see=("rand", "randn"),
)
def rng(
    ctx: CallContext, seed: Value | None = None, generator: Value | None = None, *, nargout: int = 0
) -> Value:
    """Control the random stream.

    ``rng(seed)`` starts the current generator anew; ``rng(seed, 'twister')`` selects the Mersenne
    twister, ``rng(seed, 'philox')`` the counter-based generator that also runs on the device.
    """
    stream = stream_of(ctx)
    before = _describe(stream)
    if isinstance(seed, Struct):
        fields = seed.fields
        if not {"Type", "Seed", "State"} <= set(fields):
            text = "The struct must be one that rng gave: with Type, Seed and State."
            raise MatlabError("MATLAB:rng:badSettings", text)
        NUMBER("rng", 1, fields["Seed"])
        stream.restart(int_of(fields["Seed"]), text_of(fields["Type"]))
        stream.resume(as_array(fields["State"]))
    elif isinstance(seed, StructArray):
        raise MatlabError("MATLAB:rng:badSettings", "The settings must be one struct.")
    elif seed is not None:
        (ANY if is_text_scalar(seed) else NUMBER)("rng", 1, seed)
        _seed(stream, seed, generator)
    return before if nargout or seed is None else ()


def _seed(stream: RandomStream, seed: Value, generator: Value | None) -> None:
    name = stream.generator if generator is None else _generator(text_of(generator))
    if is_char(seed) or is_string(seed):
        word = text_of(seed).lower()
        if word == "shuffle":
            stream.restart(shuffle_seed(), name)
        elif word == "default":
            stream.restart(0, "philox")
        else:
            stream.restart(0, _generator(word))
        return
    number = float_of(seed) if numel(seed) == 1 else -1.0
    if not (number.is_integer() and 0 <= number < 2**32):
        text = "Seed must be a nonnegative integer seed value less than 2^32."
        raise MatlabError("MATLAB:rng:badSeed", text)
    stream.restart(int(number), name)


def _generator(name: str) -> str:
    known = {
        "twister": "twister",
        "mt19937ar": "twister",
        "philox": "philox",
        "philox4x32_10": "philox",
    }
    if name.lower() not in known:
        text = f"Unknown generator '{name}': use 'philox' or 'twister'."
        raise MatlabError("MATLAB:rng:unknownRNGType", text)
    return known[name.lower()]
