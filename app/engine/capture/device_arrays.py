"""Creators that make device arrays: ``zeros(..., 'gpuArray')`` and ``zeros(..., 'like', G)``."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from app.engine.values import DeviceArray, Value, is_numeric_like, is_text_scalar, text_of

Creator = TypeVar("Creator", bound=Callable[..., Any])
WORD = "gpuarray"


def is_gpu_array(v: Value) -> bool:
    """Whether a value was asked to be a device array, or is computed from one that was.

    Arrays that are on the device because that pays are no such arrays: their class must not change.
    """
    return type(v) is DeviceArray and bool(v.node.wished)


def on_device(v: Value) -> bool:
    """Whether a value is stored on the device, or to be made of what is."""
    if type(v) is not DeviceArray:
        return False
    seen, pending = {v.node}, [v.node]
    while pending:
        node = pending.pop()
        if v.runtime.state(node) in {"device", "both"}:
            return True
        fresh = [child for child in node.inputs if child not in seen]
        seen.update(fresh)
        pending += fresh
    return False


def to_device(v: Value) -> Value:
    """The value as a device array, where there is a device that can hold it."""
    from app.engine.capture import capture_session
    from app.engine.capture.capture_session import Session

    if not Session.is_active or not is_numeric_like(v) or isinstance(v, str):
        return v
    node = capture_session.operand(v)
    if node is NotImplemented or 0 in node.shape:
        return v
    runtime = Session.runtime
    if not runtime.to_device(node):
        return v
    return capture_session.lazy_of(node if node.wished else runtime.wished(node))


def device_creator(creator: Creator) -> Creator:
    """Let a creator take 'gpuArray' for a class, and device arrays for prototypes."""

    @wraps(creator)
    def create(*args: Any, **options: Any) -> Any:
        if args and _is_word(args[-1]):
            return to_device(creator(*args[:-1], **options))
        made = creator(*args, **options)
        like = len(args) > 1 and type(args[-2]) is str and args[-2].lower() == "like"
        return to_device(made) if like and is_gpu_array(args[-1]) else made

    return cast("Creator", create)


def _is_word(v: Value) -> bool:
    return is_text_scalar(v) and text_of(v).lower() == WORD
