"""Geometric transformations of the plane: affine2d, projective2d and their newer classes.

Points are rows: ``[x y 1] = [u v 1] * T`` as in ``affine2d``; ``affinetform2d`` keeps the
transposed matrix ``A``.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import FINITE, NUMBERS, takes
from app.engine.builtins.property_objects import PropertyObject
from app.engine.declarations.registry import builtin, native_type
from app.engine.values import (
    Array,
    Value,
    as_array,
    canonical,
)
from app.errors import MatlabError

_FAMILY = "images"


@native_type
class Transform(PropertyObject):
    """A transformation of the plane by a 3 by 3 matrix.

    Attributes:
        matrix: for points that are rows, multiplied from the right.
        kind: the class as scripts see it.
    """

    def __init__(self, matrix: Array, kind: str) -> None:
        self.matrix, self.kind = matrix, kind

    @property
    def class_name(self) -> str:  # type: ignore[override]
        """The class as scripts see it."""
        return self.kind

    def properties(self) -> dict[str, Value]:
        """``T``, or ``A`` in the newer classes."""
        matrix = (
            {"A": canonical(self.matrix.T)}
            if "tform" in self.kind
            else {"T": canonical(self.matrix)}
        )
        return {**matrix, "Dimensionality": 2.0}

    def methods(self) -> dict[str, Callable[..., Value]]:
        """Functions with a meaning for transformations."""
        return _METHODS

    def equals(self, other: Value) -> bool:
        """Equal matrices."""
        return isinstance(other, Transform) and np.array_equal(self.matrix, other.matrix)

    def moved(self, points: Array) -> Array:
        """Points (n by 2) carried forward."""
        found = np.column_stack([points, np.ones(len(points))]) @ self.matrix
        return np.asarray(found[:, :2] / found[:, 2:])

    def inverse(self) -> Transform:
        """The way back."""
        return Transform(np.linalg.inv(self.matrix), self.kind)


def _points(args: tuple[Value, ...]) -> tuple[Array, bool]:
    columns = [as_array(v).astype(np.float64) for v in args]
    if len(columns) == 1:
        return columns[0], False
    return np.column_stack([c.ravel(order="F") for c in columns]), True


def transformed_points(t: Transform, args: tuple[Value, ...]) -> Value:
    """Points carried: n by 2, or their coordinates apart."""
    points, apart = _points(args)
    found = t.moved(points)
    if apart:
        shape = as_array(args[0]).shape
        return tuple(canonical(c.reshape(shape, order="F")) for c in found.T)
    return canonical(found)


def output_limits(t: Transform, x: Value, y: Value) -> tuple[Value, ...]:
    """The box around a box that was carried."""
    ends = [as_array(v).ravel() for v in (x, y)]
    corners = np.array([[u, v] for u in ends[0] for v in ends[1]], dtype=np.float64)
    found = t.moved(corners)
    return tuple(canonical(np.array([[c.min(), c.max()]])) for c in found.T)


_METHODS: dict[str, Callable[..., Value]] = {
    "invert": lambda ctx, args, n: args[0].inverse(),
    "transformPointsForward": lambda ctx, args, n: transformed_points(args[0], args[1:]),
    "transformPointsInverse": lambda ctx, args, n: transformed_points(args[0].inverse(), args[1:]),
    "outputLimits": lambda ctx, args, n: output_limits(*args),
}


def declare_transform(name: str, summary: str, case: str, *, turned: bool) -> None:
    """Declare a class of transformations."""

    def make(matrix: Value | None = None) -> Value:
        t = np.eye(3) if matrix is None else as_array(matrix).astype(np.float64)
        t = t.T if turned else t
        projective = name.startswith("proj")
        if t.shape != (3, 3) or (not projective and not np.allclose(t[:, 2], [0, 0, 1])):
            last = "" if projective else " whose last column is [0; 0; 1]"
            last = last.replace("column", "row").replace(";", "") if turned else last
            message = f"The matrix must be 3 by 3{last}."
            raise MatlabError(f"images:geotrans:invalid{name}Matrix", message)
        return Transform(t, name)

    builtin(
        name,
        category=_FAMILY,
        cases=(case,),
        text=summary,
        see=("imwarp",),
        signatures=(f"t = {name}", f"t = {name}({'A' if turned else 'T'})"),
    )(takes(NUMBERS & FINITE)(make))


declare_transform(
    "affine2d",
    "Affine transformation: [x y 1] = [u v 1]*T.",
    "t = affine2d([2 0 0; 0 3 0; 1 1 1]); isequal(transformPointsForward(t, [1 1]), [3 4])",
    turned=False,
)
declare_transform(
    "projective2d",
    "Projective transformation of the plane.",
    "isequal(projective2d(eye(3)).T, eye(3))",
    turned=False,
)
declare_transform(
    "affinetform2d",
    "Affine transformation: [x; y; 1] = A*[u; v; 1].",
    "isequal(transformPointsForward(affinetform2d([2 0 1; 0 3 1; 0 0 1]), [1 1]), [3 4])",
    turned=True,
)
declare_transform(
    "projtform2d",
    "Projective transformation: [x; y; w] = A*[u; v; 1].",
    "isequal(projtform2d(eye(3)).A, eye(3))",
    turned=True,
)


def declare_carry(name: str, summary: str, case: str) -> None:
    """Declare a function that only transformations understand."""

    def call(ctx: CallContext, t: Value, *args: Value, nargout: int = 1) -> Value:
        if not isinstance(t, Transform):
            from app.engine.arguments.operation_rules import undefined_for_class

            raise undefined_for_class(name, t)
        return _METHODS[name](ctx, (t, *args), nargout)

    builtin(
        name,
        category=_FAMILY,
        cases=(case,),
        text=summary,
        see=("affine2d", "imwarp"),
        signatures=(f"r = {name}(t, ...)",),
    )(call)


_SHIFT = "t = affine2d([1 0 0; 0 1 0; 2 3 1]); "
declare_carry(
    "invert", "The transformation back.", _SHIFT + "isequal(invert(t).T(3, 1:2), [-2 -3])"
)
declare_carry(
    "transformPointsForward",
    "Points carried by a transformation.",
    _SHIFT + "isequal(transformPointsForward(t, [0 0]), [2 3])",
)
declare_carry(
    "transformPointsInverse",
    "Points carried back.",
    _SHIFT + "isequal(transformPointsInverse(t, [2 3]), [0 0])",
)
declare_carry(
    "outputLimits",
    "The box around a box that was carried.",
    _SHIFT + "isequal(outputLimits(t, [0 1], [0 1]), [2 3])",
)
