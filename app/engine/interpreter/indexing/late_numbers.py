"""A few numbers that the device has, or is to make, stored in a small array: nobody waits for them.

A pass that notes a sum would otherwise stop until the device has it. What they are made of is
computed where it was asked for, as ever; the array is one of the graph until somebody looks at it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.accel.ir.dtypes import DType
from app.engine.capture import capture_session
from app.engine.capture.lazy_limits import LONG
from app.engine.interpreter.indexing.assign_capture import assigned, is_array
from app.engine.interpreter.indexing.captured_subscripts import block_of
from app.engine.interpreter.indexing.few_elements import place_by_row
from app.engine.interpreter.tracing import Tracing
from app.engine.values import DeviceArray, Value

if TYPE_CHECKING:
    from app.accel.ir.node import Node

MOST_WAITING = 16
"""Stores before the array is made: a kernel reads what each of them stores."""


def write(x: Value, args: tuple[Value, ...], v: Value) -> Value | None:
    """``x(args) = v`` of a block of a small array, or behind the end of a vector of doubles.

    None where the host has the numbers, too, and for all other places.
    """
    if Tracing.trace is not None or not is_array(x) or x.size >= LONG:
        return None
    if type(v) is not DeviceArray or v.pending is not None or v.undecided is not None:
        return None
    if type(x) is DeviceArray and (x.undecided is not None or x.guarded):
        return None
    runtime, node = capture_session.Session.runtime, capture_session.operand(x)
    if node is NotImplemented or runtime.device_info is None:
        return None
    if node.dtype is DType.BOOL or v.node.dtype.is_complex:  # NaN is an error; x may be real
        return None
    runtime.evaluate([v.node], "indexed-assignment")
    if runtime.state(v.node) != "device":  # what has left the real numbers is the host's, too
        return None
    made = _stored(node, args, capture_session.lazy_of(v.node))  # real, as is known by now
    if type(made) is DeviceArray and made.node.depth >= MOST_WAITING:
        runtime.evaluate([made.node], "indexed-assignment")
    return made


def _stored(x: Node, args: tuple[Value, ...], v: DeviceArray) -> Value | None:
    block = block_of(x.shape, place_by_row(x.shape, args)) if x.size else None
    if block is not None:
        return assigned(capture_session.lazy_of(x), block, v)
    if len(args) > 1 or type(args[0]) is not float or args[0] != x.size + 1 or v.size > 1:
        return None
    if not x.dtype is v.node.dtype is DType.F64:
        return None
    if x.shape == (0, 0):
        return capture_session.lazy_of(v.node)
    if len(x.shape) > 2 or 1 not in x.shape or not x.size:
        return None
    axis = 1 if x.shape[0] == 1 else 0
    return capture_session.lazy_of(v.runtime.apply("cat", (x, v.node), (axis,)))
