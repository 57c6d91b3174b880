"""gpuArray and its kin: say where data should be; everything else decides by itself."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from app.engine import stoppable
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import FUNCTION, one_of, takes
from app.engine.capture.device_arrays import is_gpu_array, on_device, to_device
from app.engine.declarations.device_support import METADATA, HostOnly
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Struct,
    Value,
    as_array,
    canonical,
    class_of,
    float_of,
    host,
    is_numeric_like,
    numel,
    text_of,
)
from app.engine.values.lazy import computed_together
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.interpreter.context import Context

_FAMILY = "device"


@builtin(
    "gpuArray",
    category=_FAMILY,
    signatures=("G = gpuArray(A)",),
    device=METADATA,
    cases=("isequal(gather(gpuArray([1 2])), [1 2])",),
    see=("gather", "gpuDevice"),
)
def gpu_array(ctx: CallContext, a: Value = None) -> Value:
    """Bring an array to the device now.

    Never needed: large arrays go there when that pays. Without a device the array stays on the
    host, and the report says why. ``gpuArray.zeros(3)``, ``gpuArray.rand(3)`` and their kin make
    arrays there.
    """
    if a is None:
        return Struct({name: _static(ctx, name) for name in _CREATORS})
    if not is_numeric_like(a) or isinstance(a, str):
        text = f"GPU arrays support only numeric and logical arrays, not '{class_of(a)}'."
        raise MatlabError("parallel:gpu:array:UnsupportedType", text)
    return to_device(a)


_CREATORS = (
    "zeros",
    "ones",
    "eye",
    "Inf",
    "inf",
    "NaN",
    "nan",
    "true",
    "false",
    "rand",
    "randn",
    "randi",
    "randperm",
    "colon",
    "linspace",
    "logspace",
    "freqspace",
)


def _static(ctx: CallContext, name: str) -> Value:
    """What ``gpuArray.name`` is: a function that makes an array on the device."""
    return ctx.parse_handle(f"@(varargin) gpuArray({name}(varargin{{:}}))")


@builtin(
    "gather",
    least=1,
    category=_FAMILY,
    signatures=("A = gather(G)", "[A, B, ...] = gather(G, H, ...)"),
    device=METADATA,
    cases=("gather(5) == 5",),
    see=("gpuArray",),
)
def gather(*values: Value) -> Value:
    """Bring arrays to host memory; what is pending of them is computed together."""
    computed_together(values, "needs-host-value: gather")
    found = tuple(host(v, "needs-host-value: gather") for v in values)
    return found if len(found) > 1 else found[0]


@builtin(
    "isgpuarray",
    category=_FAMILY,
    signatures=("tf = isgpuarray(A)",),
    device=METADATA,
    cases=("~isgpuarray(1)",),
    see=("gpuArray",),
)
def isgpuarray(a: Value) -> Value:
    """True for what gpuArray has made, and for what is computed from it.

    Other arrays go to the device when that pays and stay what they are.
    """
    return is_gpu_array(a)


@builtin(
    "existsOnGPU",
    category=_FAMILY,
    signatures=("tf = existsOnGPU(A)",),
    device=METADATA,
    cases=("~existsOnGPU(1)",),
    see=("isgpuarray",),
)
def exists_on_gpu(a: Value) -> Value:
    """True for a device array whose data the device still has."""
    return is_gpu_array(a) and on_device(a)


@builtin(
    "classUnderlying",
    category=_FAMILY,
    signatures=("name = classUnderlying(A)",),
    device=METADATA,
    cases=("strcmp(classUnderlying(1), 'double')",),
    see=("class",),
)
def class_underlying(a: Value) -> Value:
    """Class of the elements."""
    return class_of(a)


@builtin(
    "underlyingType",
    category=_FAMILY,
    signatures=("name = underlyingType(A)",),
    device=METADATA,
    cases=("strcmp(underlyingType(1), 'double')",),
    see=("class",),
)
def underlying_type(a: Value) -> Value:
    """Class of the elements."""
    return class_of(a)


@builtin(
    "isUnderlyingType",
    category=_FAMILY,
    signatures=("tf = isUnderlyingType(A, name)",),
    device=METADATA,
    cases=("isUnderlyingType(single(1), 'single')",),
    see=("isa",),
)
def is_underlying_type(a: Value, name: Value) -> Value:
    """True when the elements are of a class."""
    return class_of(a) == text_of(name)


@builtin(
    "isaUnderlying",
    category=_FAMILY,
    signatures=("tf = isaUnderlying(A, name)",),
    device=METADATA,
    cases=("isaUnderlying(single(1), 'float')",),
    see=("isa",),
)
def isa_underlying(a: Value, name: Value) -> Value:
    """True when the elements are of a class or of a group of classes."""
    from app.engine.builtins.arrays.predicates import is_a

    return is_a(a, text_of(name))


@builtin(
    "gpuDevice",
    category=_FAMILY,
    signatures=("d = gpuDevice", "d = gpuDevice(k)"),
    cases=("ischar(evalc('if canUseGPU, gpuDevice, end'))",),
    see=("gpuArray",),
)
def gpu_device(ctx: Context, index: Value | None = None) -> Value:
    """What is known of the device in use; memory is NaN where the driver does not say.

    ``gpuDevice(k)`` computes on another card from now on; arrays that are on the one before are
    brought along when they are used.
    """
    current = _current(ctx)
    wanted = current if index is None or not numel(index) else float_of(index)
    if wanted != current:
        count = int(gpu_device_count(ctx))
        if wanted not in range(1, count + 1):
            text = f"Invalid device ID. Its range is 1:{count}."
            raise MatlabError("parallel:gpu:device:InvalidDeviceID", text)
        ctx.host.choose_device(f"gpu:{int(wanted)}")
    if ctx.runtime is not None:
        ctx.runtime.open()
    info = getattr(ctx.runtime, "device_info", None) if ctx.runtime is not None else None
    if info is None:
        text = "No device is in use: everything is computed on the host."
        raise MatlabError("parallel:gpu:device:NoDevice", text)
    return Struct(
        {
            "Name": info.name,
            "Index": wanted,
            "Vendor": info.vendor,
            "Backend": info.backend,
            "DeviceType": info.type,
            "DriverVersion": info.driver,
            "SupportsDouble": bool(info.f64),
            "MaxBufferBytes": float(info.max_buffer_bytes),
            "DeviceAvailable": True,
            "DeviceSelected": True,
            **_memory(ctx.runtime),
        }
    )


def _current(ctx: CallContext) -> float:
    """The number of the card in use."""
    number = str(getattr(ctx.settings, "device", "")).removeprefix("gpu:")
    return float(number) if number.isdecimal() else 1.0


def _memory(runtime: Any) -> dict[str, Value]:
    held = runtime.memory()
    total = float(held.get("budget", 0)) or math.nan
    return {"TotalMemory": total, "AvailableMemory": total - held.get("live", 0)}


@builtin(
    "gpuDeviceCount",
    category=_FAMILY,
    signatures=("n = gpuDeviceCount", "n = gpuDeviceCount(mode)"),
    cases=("gpuDeviceCount >= 0", "gpuDeviceCount('available') == gpuDeviceCount('all')"),
    see=("gpuDevice",),
)
def gpu_device_count(ctx: CallContext, kind: Value = "all") -> float:
    """How many cards there are; 0 where everything is computed on the host.

    Two equal cards are two; a software adapter counts where there is no card. All that are counted
    can be used, so that ``'all'``, ``'available'`` and ``'supported'`` are the same.
    """
    from app.accel.runtime import devices

    one_of("gpuDeviceCount", "CountMode", kind, "all available supported")
    if ctx.runtime is not None:
        ctx.runtime.open()
    if ctx.runtime is None or getattr(ctx.runtime, "device_info", None) is None:
        return 0.0
    return float(max(1, stoppable.beside(devices.card_count)))


@builtin(
    "canUseGPU",
    category=_FAMILY,
    signatures=("tf = canUseGPU",),
    cases=("islogical(canUseGPU)",),
    see=("gpuDevice",),
)
def can_use_gpu(ctx: CallContext) -> Value:
    """True when there is a device."""
    return bool(gpu_device_count(ctx))


@builtin(
    "wait",
    category=_FAMILY,
    signatures=("wait(d)",),
    cases=("ischar(evalc('if canUseGPU, wait(gpuDevice), end'))",),
    see=("gpuDevice", "tic"),
)
def wait(ctx: CallContext, device: Value = None) -> Value:
    """Wait until the device has finished."""
    if ctx.runtime is not None:
        ctx.runtime.synchronize()
    return ()


@builtin(
    "gputimeit",
    category=_FAMILY,
    signatures=("t = gputimeit(f)",),
    cases=("ischar(func2str(@() gputimeit(@() 1)))",),
    see=("timeit",),
)
def gputimeit(ctx: CallContext, function: Value, outputs: Value = 1.0) -> Value:
    """Typical seconds of one call of a function, the device's work included."""
    from app.engine.builtins.dates.timing import timeit

    return timeit(ctx, function, outputs)


@builtin(
    "pagefun",
    category=_FAMILY,
    signatures=("C = pagefun(fun, A, B)",),
    cases=("isequal(pagefun(@mtimes, ones(2), eye(2)), ones(2))",),
    device=HostOnly("calls a function for every page", lazy=True),
    see=("pagemtimes",),
)
@takes(FUNCTION)
def pagefun(ctx: CallContext, function: Value, a: Value, *more: Value) -> Value:
    """Apply a matrix function to every page."""
    arrays = [as_array(host(v)) for v in (a, *more)]
    extra = np.broadcast_shapes(*(x.shape[2:][::-1] for x in arrays))[::-1]
    pages = []
    for place in np.ndindex(*extra):
        args = tuple(_page(x, place) for x in arrays)
        pages.append(as_array(ctx.call(function, args, 1)[0]))
    if not pages:
        ones = tuple(canonical(np.ones(x.shape[:2], dtype=x.dtype)) for x in arrays)
        page = as_array(ctx.call(function, ones, 1)[0])
        made = np.zeros((*page.shape[:2], *extra), dtype=page.dtype)
        return to_device(made) if any(map(is_gpu_array, (a, *more))) else canonical(made)
    stacked = np.stack(pages, axis=2)
    made = stacked.reshape((*pages[0].shape, *extra), order="C") if extra else pages[0]
    return to_device(made) if any(map(is_gpu_array, (a, *more))) else made


def _page(x: Any, place: tuple[int, ...]) -> Value:
    picks = tuple(k if x.shape[2 + i] > 1 else 0 for i, k in enumerate(place) if 2 + i < x.ndim)
    return x[(slice(None), slice(None), *picks)]
