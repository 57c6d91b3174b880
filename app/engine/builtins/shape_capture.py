"""Functions that only move elements, on lazy arrays; host arrays stay where they are."""

from __future__ import annotations

from app.engine.builtins.arrays import permutation, repetitions, reshape_target, squeezed
from app.engine.builtins.capture import reshaped
from app.engine.values import DeviceArray, Value, size_of


def reshape(args: tuple[Value, ...]) -> Value:
    """``reshape``."""
    a = args[0]
    if type(a) is not DeviceArray or len(args) < 2:
        return NotImplemented
    return reshaped(a, reshape_target(a.size, args[1:]))


def squeeze(args: tuple[Value, ...]) -> Value:
    """``squeeze``."""
    a = args[0]
    return reshaped(a, squeezed(size_of(a))) if type(a) is DeviceArray else NotImplemented


def permute(args: tuple[Value, ...]) -> Value:
    """``permute``."""
    a = args[0]
    if type(a) is not DeviceArray:
        return NotImplemented
    order = permutation(args[1], len(a.shape))
    return DeviceArray(a.runtime.apply("permute", (a.node,), (order,)), a.runtime, a.guarded)


def repmat(args: tuple[Value, ...]) -> Value:
    """``repmat``."""
    a = args[0]
    if type(a) is not DeviceArray:
        return NotImplemented
    counts = repetitions(args[1:])
    if 0 in counts or 0 in a.shape:
        return NotImplemented
    counts += (1,) * (len(a.shape) - len(counts))
    return DeviceArray(a.runtime.apply("repmat", (a.node,), (counts,)), a.runtime, a.guarded)
