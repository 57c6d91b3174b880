"""Fourier transforms on the graph: lengths that are products of small primes.

As on the host, the spectrum of real numbers is exactly symmetric, and the inverse transform of an
exactly symmetric spectrum is real. Spectra of real numbers, and what is made of nothing but such by
arithmetic, are known to be symmetric; of all others it is fetched whether they are (one byte) once
more than the real part of their inverse is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import prod
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from app.accel.ir.dtypes import DType
from app.accel.ir.node import Node
from app.accel.numerics.fft_tables import radices, roots
from app.engine.arguments.dimensions import dimension, first_axis
from app.engine.builtins.signals.symmetric_spectra import is_symmetric
from app.engine.capture.capture_session import Session, lazy_of, note_look
from app.engine.capture.complex_capture import node_of
from app.engine.capture.shape_capture import slice_along
from app.engine.values import DeviceArray, Value, float_of, numel
from app.engine.values.lazy import Undecided
from app.records import record

Args = tuple[Value, ...]
Operand = tuple[Any, tuple[int, ...]]
"""The node of what is transformed, NotImplemented where the host does it, and the axes."""


_tables: WeakKeyDictionary[Any, dict[tuple[int, bool, DType], Any]] = WeakKeyDictionary()
MOST_TABLES = 16


def _table(n: int, inverse: bool, dtype: DType) -> Any:
    """The leaf of the roots of unity; kept with the table of values, which outlives a trace."""
    known = _tables.setdefault(Session.runtime.residency, {})
    key = n, inverse, dtype
    if key not in known:
        while len(known) >= MOST_TABLES:
            known.pop(next(iter(known)))
        table = roots(n, inverse).astype(dtype.numpy).reshape(-1, 1)
        known[key] = Session.runtime.leaf(table)
    return known[key]


_spectra: WeakKeyDictionary[Node, tuple[int, ...]] = WeakKeyDictionary()
"""The axes along which spectra of real numbers are symmetric."""
_KEEPING = frozenset(("plus", "minus", "times", "rdivide", "conj", "uminus", "real", "abs", "exp"))
"""Operations that give conjugates for conjugates."""
_DEEPEST = 64
_SYMMETRY = "needs-host-value: is it symmetric?"


def _is_symmetric(node: Node, axes: tuple[int, ...]) -> bool:
    """Whether an array is certainly its own conjugate at opposite frequencies."""
    stack, seen = [node], set[Node]()
    while stack:
        part = stack.pop()
        if part in seen or (part.size == 1 and _is_real(part)):
            continue
        if _spectra.get(part) == axes:
            if part.op == "leaf":
                note_look()
            continue
        seen.add(part)
        scaled = _scale_factors(part)
        if scaled:
            stack += scaled
        elif part.op in _KEEPING and len(seen) < _DEEPEST:
            stack += part.inputs
        else:
            return False
    return True


def _is_real(node: Node) -> bool:
    return not node.dtype.is_complex


def _scale_factors(node: Node) -> tuple[Node, ...]:
    """The array whose parts are multiplied or divided by real numbers, and these; else nothing."""
    if node.op != "complex" or any(p.op not in ("times", "rdivide") for p in node.inputs):
        return ()
    (re, scale), (im, other) = (part.inputs for part in node.inputs)
    if scale is not other:
        return ()
    if (re.op, im.op) == ("real", "imag") and re.inputs == im.inputs:
        return re.inputs[0], scale
    return _apply("complex", re, im), scale  # the parts of an array that is made of them


def _apply(op: str, *nodes: Any, attrs: tuple[Any, ...] = (), data: tuple[int, ...] = ()) -> Any:
    return Session.runtime.apply(op, nodes, attrs, data)


def _slice_of(node: Any, axis: int, start: int, count: int, step: int = 1) -> Any:
    """Slices along an axis."""
    attrs, data = slice_along(node.shape, axis, start, count, step)
    return _apply("slice", node, attrs=attrs, data=data)


def _source(v: Value) -> Any:
    """The node of a real or complex float array; NotImplemented for all else."""
    usual = isinstance(v, np.ndarray | DeviceArray) and numel(v) > 0
    if not usual or not Session.is_active or not Session.runtime.opening.may_give_card:
        return NotImplemented  # the host's library needs no graph
    return node_of(v)


def resized(node: Any, axis: int, length: int) -> Any:
    """Cut, or followed by zeros."""
    extent = node.shape[axis]
    if length <= extent:
        return node if length == extent else _slice_of(node, axis, 0, length)
    shape = tuple(length - extent if k == axis else n for k, n in enumerate(node.shape))
    zero = _apply("fill", Session.runtime.scalar(0.0, node.dtype), attrs=(shape,))
    return _apply("cat", node, zero, attrs=(axis,))


def transformed(node: Any, axes: tuple[int, ...], inverse: bool) -> Any:
    """The complex transform along axes."""
    for axis in axes:
        table = _table(node.shape[axis], inverse, node.dtype.complex)
        node = _apply("fft", node, table, attrs=(axis, inverse))
    return node


def _opposite(node: Any, axes: tuple[int, ...]) -> Any:
    """Every element at the place of the opposite frequency."""
    for axis in axes:
        extent = node.shape[axis]
        if extent > 2:
            rest = _slice_of(node, axis, extent - 1, extent - 1, -1)
            node = _apply("cat", _slice_of(node, axis, 0, 1), rest, attrs=(axis,))
    return node


def forward(node: Any, axes: tuple[int, ...]) -> Any:
    """The transform; exactly symmetric, and known to be, of real numbers."""
    found = transformed(node, axes, False)
    if node.dtype.is_complex:
        return found
    if len(axes) == 1:
        _spectra[found] = axes
        return found
    mirrored = _apply("conj", _opposite(found, axes))
    total = _apply("plus", found, mirrored)
    two = Session.runtime.scalar(2.0, node.dtype)
    parts = (_apply("rdivide", _apply(part, total), two) for part in ("real", "imag"))
    made = _apply("complex", *parts)
    _spectra[made] = axes
    return made


def real_inverse(node: Node, axes: tuple[int, ...]) -> Node:
    """The real inverse of a symmetric spectrum: of half of it along an axis of neighbours."""
    along = next((k for k in axes if prod(node.shape[:k]) == 1 < node.shape[k]), None)
    if along is None or node.shape[along] % 2 or not node.dtype.is_complex:
        whole: Node = _apply("real", transformed(node, axes, True))
        return whole
    node = transformed(node, tuple(k for k in axes if k != along), True)
    table = _table(node.shape[along], True, node.dtype)
    half: Node = _apply("irfft", node, table, attrs=(along, True))
    return half


def real_part_of_inverse(node: Node, axes: tuple[int, ...]) -> Node:
    """The real part of the inverse of any spectrum."""
    if _is_symmetric(node, axes):
        return real_inverse(node, axes)
    part: Node = _apply("real", transformed(node, axes, True))
    return part


def _backward(node: Any, axes: tuple[int, ...], real: bool) -> Value:
    """The inverse, real where the spectrum is symmetric or said to be."""
    if _is_symmetric(node, axes):
        return lazy_of(real_inverse(node, axes))
    if real:
        return lazy_of(real_part_of_inverse(node, axes))
    found = transformed(node, axes, True)
    return DeviceArray.of_undecided(Undecided(found, node, _Symmetry(axes)), Session.runtime)


@record
class _Symmetry:
    """Whether an array is its own conjugate at opposite frequencies along axes."""

    axes: tuple[int, ...]

    def __call__(self, source: Node) -> bool:
        """The answer, looked at where the array lies."""
        runtime = Session.runtime
        if not (runtime.opening.forced or source.wished):
            runtime.evaluate([source], _SYMMETRY)  # the transform reads it from memory, too
            if runtime.state(source) == "host":
                return is_symmetric(runtime.gather(source, _SYMMETRY), self.axes)
        return not runtime.gather(self.denied(source), _SYMMETRY).item()

    def denied(self, source: Node) -> Node:
        """Whether any element is another one than the conjugate of its opposite.

        As on the host, NaN is the conjugate of NaN.
        """
        mirrored = _opposite(source, self.axes)
        mirrored = _apply("conj", mirrored) if source.dtype.is_complex else mirrored
        numbers = _apply("or", *(_apply("eq", part, part) for part in (source, mirrored)))
        differ = _apply("and", _apply("ne", source, mirrored), numbers)
        apart: Node = _apply("any", differ, attrs=(tuple(range(len(source.shape))),))
        return apart


def _fits(node: Any, axes: tuple[int, ...]) -> bool:
    shape = node.shape
    return all(axis < len(shape) and radices(shape[axis]) is not None for axis in axes)


def _value(node: Any) -> Value:
    return lazy_of(node, bool(node.dtype.is_complex))


def _operand_and_axis(args: Args) -> Operand:
    """The padded operand of ``f(X, n, dim)`` and its axis."""
    node = _source(args[0])
    if node is NotImplemented or len(args) > 3:
        return NotImplemented, ()
    axis = dimension(args[2]) if len(args) == 3 else first_axis(node.shape)
    if axis >= len(node.shape):
        return NotImplemented, ()
    if len(args) > 1 and numel(args[1]):
        length = float_of(args[1])
        if numel(args[1]) != 1 or length < 1 or length != int(length):
            return NotImplemented, ()
        node = resized(node, axis, int(length))
    return (node, (axis,)) if _fits(node, (axis,)) else (NotImplemented, ())


def fft(args: Args, nargout: int) -> Any:
    """``fft(X, n, dim)``."""
    node, axes = _operand_and_axis(args)
    return node if node is NotImplemented else _value(forward(node, axes))


def _inverse(args: Args, operand_of: Callable[[Args], Operand]) -> Any:
    """The inverse transform of ``f(Y, ..., symmetry)``."""
    words = {a for a in args if isinstance(a, str)}
    node, axes = operand_of(tuple(a for a in args if not isinstance(a, str)))
    if node is NotImplemented or words - {"symmetric", "nonsymmetric"}:
        return NotImplemented
    return _backward(node, axes, "symmetric" in words)


def ifft(args: Args, nargout: int) -> Any:
    """``ifft(Y, n, dim, symmetry)``."""
    return _inverse(args, _operand_and_axis)


def _operand_and_axes(args: Args, count: int | None) -> Operand:
    """The operand of a transform over the first dimensions, or all of them."""
    node = _source(args[0]) if len(args) == 1 else NotImplemented
    if node is NotImplemented:
        return NotImplemented, ()
    axes = tuple(range(len(node.shape) if count is None else count))
    return (node, axes) if _fits(node, axes) else (NotImplemented, ())


def fft2(args: Args, nargout: int) -> Any:
    """``fft2(X)``."""
    node, axes = _operand_and_axes(args, 2)
    return node if node is NotImplemented else _value(forward(node, axes))


def ifft2(args: Args, nargout: int) -> Any:
    """``ifft2(Y, symmetry)``."""
    return _inverse(args, partial(_operand_and_axes, count=2))


def fftn(args: Args, nargout: int) -> Any:
    """``fftn(X)``."""
    node, axes = _operand_and_axes(args, None)
    return node if node is NotImplemented else _value(forward(node, axes))


def ifftn(args: Args, nargout: int) -> Any:
    """``ifftn(Y, symmetry)``."""
    return _inverse(args, partial(_operand_and_axes, count=None))
