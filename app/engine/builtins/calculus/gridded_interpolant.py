"""``griddedInterpolant``: values on a grid as a function that is called with coordinates."""

from __future__ import annotations

import math

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.builtins.calculus import grid_forms
from app.engine.builtins.calculus.grid_interpolation import at_points, default_grid, on_grid
from app.engine.builtins.calculus.interpolant_object import Interpolant
from app.engine.declarations.device_support import SELF
from app.engine.declarations.registry import builtin, native_type
from app.engine.values import (
    EMPTY,
    Array,
    Cell,
    DeviceArray,
    Value,
    as_array,
    canonical,
    host,
    is_cell,
    is_text_scalar,
    numel,
    size_of,
)

_METHODS = ("linear", "nearest", "next", "previous", "pchip", "cubic", "spline", "makima")
_STEPS = ("nearest", "next", "previous")


@native_type
class GriddedInterpolant(Interpolant):
    """Grid lines, values, and the two methods."""

    class_name = "griddedInterpolant"
    inside = _METHODS
    outside = (*_METHODS, "boundary", "none")

    @classmethod
    def checked(cls, name: str, value: Value) -> Value:
        """A property's value, if it is one that the property can have."""
        return grid_vectors(value) if name == "GridVectors" else super().checked(name, value)

    def axes(self) -> list[Array]:
        """The grid lines."""
        lines = self.fields["GridVectors"]
        assert isinstance(lines, Cell)
        return [as_array(v).ravel() for v in lines.items()]

    def samples(self) -> Array:
        """The values with one axis per grid line, and further axes for several functions."""
        shape = self.checked_shape()
        v = as_array(self.fields["Values"])
        v = v.ravel() if len(shape) == 1 else v
        return v if v.dtype.kind == "c" else v.astype(np.float64)

    def checked_shape(self) -> tuple[int, ...]:
        """The size of `samples`, which fits the grid lines."""
        shape, axes = size_of(self.fields["Values"]), self.axes()
        if not axes:
            raise self.complaint("EmptyInterpolantErrId", "The interpolant has no sample data.")
        if len(axes) == 1 and 1 in shape and len(shape) == 2:
            shape = (math.prod(shape),)
        if shape[: len(axes)] != tuple(x.size for x in axes):
            text = "The sizes of the grid vectors must match the size of the values."
            raise self.complaint("CompVecValueMismatchErrId", text)
        return shape

    def paren_get(self, ctx: CallContext, args: tuple[Value, ...]) -> Value:
        """``F(xq)``, ``F(xq, yq)``, ``F(points)`` and ``F({x, y})``."""
        made = self._resident(args)
        if made is not None:
            return made
        args = tuple(host(a) for a in args)
        v, axes = self.samples(), self.axes()
        if len(args) == 1 and is_cell(args[0]):
            queries = [self.points(q).ravel(order="F") for q in args[0].items()]
            self._expect(len(queries), len(axes))
            found, shape = self._grid(v, axes, queries), tuple(q.size for q in queries)
        else:
            queries, shape = self._scattered_queries(args, len(axes))
            found = self._points(v, axes, queries)
        wide = self._shape(shape, v.shape[len(axes) :])
        single = any(
            as_array(a).dtype in (np.float32, np.complex64)
            for a in (self.fields["Values"], *args)
            if not is_cell(a)
        )
        kind = np.result_type(found.dtype, np.complex64 if found.dtype.kind == "c" else np.float64)
        narrow = np.complex64 if kind.kind == "c" else np.float32
        return canonical(found.reshape(wide, order="F").astype(narrow if single else kind))

    def _resident(self, args: tuple[Value, ...]) -> DeviceArray | None:
        """The result where the values or the coordinates are on the device; else None."""
        values = self.fields["Values"]
        if not any(type(a) is DeviceArray for a in (values, *args)):
            return None
        found = grid_forms.grid_form(self.axes(), values, args, self.method, self.beyond)
        return None if found is None else found.value

    def _expect(self, given: int, wanted: int) -> None:
        if given != wanted:
            text = f"The number of query coordinates is {given}, but the grid has {wanted}."
            raise self.complaint("BadQueryDimErrId", text)

    def _scattered_queries(
        self, args: tuple[Value, ...], count: int
    ) -> tuple[list[Array], tuple[int, ...]]:
        """Query coordinates as flat arrays, and the size of the result."""
        arrays = [self.points(a) for a in args]
        if count > 1 and len(arrays) == 1:
            table = arrays[0]
            self._expect(table.shape[-1], count)
            return list(table.reshape(-1, count).T), (table.shape[0], 1)
        self._expect(len(arrays), count)
        if len({a.shape for a in arrays}) > 1:
            text = "The query coordinates must be arrays of the same size."
            raise self.complaint("QuerySizeMismatchErrId", text)
        return [a.ravel(order="F") for a in arrays], arrays[0].shape

    def _shape(self, shape: tuple[int, ...], several: tuple[int, ...]) -> tuple[int, ...]:
        """The result's size: of the query, then of the functions if there are several."""
        if several:
            return (*((int(np.prod(shape)),) if 1 in shape else shape), *several)
        if len(shape) > 1:
            return shape
        row = as_array(self.fields["Values"]).shape[0] == 1
        return (1, *shape) if row else (*shape, 1)

    def _grid(self, v: Array, axes: list[Array], queries: list[Array]) -> Array:
        found = _on_grid(v, axes, queries, self.method)
        far = _is_outside_grid(axes, np.ix_(*queries))
        if self.beyond != self.method and far.any():
            far = np.broadcast_to(far, found.shape[: len(axes)])
            flat = [q[far] for q in np.meshgrid(*queries, indexing="ij")]
            found[far] = self._extrapolated_values(v, axes, flat)
        return found

    def _points(self, v: Array, axes: list[Array], queries: list[Array]) -> Array:
        found = _scattered_values(v, axes, queries, self.method)
        far = _is_outside_grid(axes, tuple(queries))
        if self.beyond != self.method and far.any():
            found[far] = self._extrapolated_values(v, axes, [q[far] for q in queries])
        return found

    def _extrapolated_values(self, v: Array, axes: list[Array], queries: list[Array]) -> Array:
        if self.beyond == "none":
            return np.full((queries[0].size, *v.shape[len(axes) :]), np.nan)
        if self.beyond == "boundary":
            near = [np.clip(q, x[0], x[-1]) for x, q in zip(axes, queries, strict=True)]
            return _scattered_values(v, axes, near, self.method)
        return _scattered_values(v, axes, queries, self.beyond)


def _is_outside_grid(axes: list[Array], queries: tuple[Array, ...]) -> Array:
    """Which query points are not in the grid's box."""
    far = np.zeros(1, dtype=bool)
    for x, q in zip(axes, queries, strict=True):
        far = far | (q < x[0]) | (q > x[-1])
    return far


def _on_grid(v: Array, axes: list[Array], queries: list[Array], method: str) -> Array:
    """Values on the grid that the queries span; NaN where one of them is no number."""
    found = on_grid(v, axes, queries, method)
    if method in _STEPS:
        for axis, q in enumerate(queries):
            np.moveaxis(found, axis, 0)[np.isnan(q)] = np.nan
    return found


def _scattered_values(v: Array, axes: list[Array], queries: list[Array], method: str) -> Array:
    """Values at scattered points; the points come first, then the functions."""
    if len(axes) == 1:
        return _on_grid(v, axes, queries, method)
    if method in _STEPS:
        numbers = [
            on_grid(np.arange(x.size), [x], [q], method).astype(int)
            for x, q in zip(axes, queries, strict=True)
        ]
        found: Array = v[tuple(numbers)]
        found[np.isnan(queries).any(axis=0)] = np.nan
        return found
    if method == "linear":
        from scipy.interpolate import RegularGridInterpolator

        between = RegularGridInterpolator(axes, v, bounds_error=False, fill_value=None)
        return np.asarray(between(np.stack(queries, axis=-1)))
    if method == "makima" or v.ndim > len(axes):
        rows = [
            on_grid(v, axes, [q.reshape(1) for q in point], method)
            for point in np.stack(queries, axis=-1)
        ]
        return np.asarray(rows).reshape(queries[0].size, *v.shape[len(axes) :])
    return at_points(v, axes, queries, method)


def grid_vectors(value: Value) -> Cell:
    """Increasing grid lines as rows in a cell."""
    cls = GriddedInterpolant
    if not is_cell(value):
        raise cls.complaint("GridVectorsNotCellErrId", "Grid vectors must be given in a cell.")
    lines = [cls.points(v) for v in value.items()]
    for x in lines:
        if x.size != max(x.shape) or x.size < 2:
            text = "Interpolation requires at least two sample points for each grid dimension."
            raise cls.complaint("DegenerateGridErrId", text)
        if not (np.diff(x.ravel()) > 0).all():
            text = "Grid vectors must be strictly increasing."
            raise cls.complaint("NonMonotonicCompVecsErrId", text)
    return Cell.of([canonical(x.reshape(1, -1)) for x in lines], (1, len(lines)))


def _lines_of(grids: list[Value], shape: tuple[int, ...]) -> Cell:
    """The grid lines of full coordinate arrays in the order of ``ndgrid``."""
    cls = GriddedInterpolant
    full = [cls.points(g) for g in grids]
    n = len(full)
    if len(shape) != n or any(g.shape != shape for g in full):
        text = "Coordinate arrays and values must have the same size."
        raise cls.complaint("CoordValueSizeMismatchErrId", text)
    lines = [np.moveaxis(g, d, 0).reshape(shape[d], -1)[:, 0] for d, g in enumerate(full)]
    if all(
        np.array_equal(a, b) for a, b in zip(np.meshgrid(*lines, indexing="ij"), full, strict=True)
    ):
        return grid_vectors(Cell.of([canonical(x.reshape(1, -1)) for x in lines]))
    if n > 1 and np.all(full[0] == full[0][:1]):
        text = "Data is in MESHGRID format, NDGRID format is required. Transpose the arrays."
        raise cls.complaint(f"NdgridNotMeshgrid{n}DErrId", text)
    raise cls.complaint("NotNdGridErrId", "The coordinate arrays do not form a grid.")


def _grid_of(arrays: list[Value]) -> Cell:
    """The grid lines that a constructor was given in front of the values, or numbers from 1."""
    shape = size_of(arrays[-1])
    if len(arrays) == 1:
        lines = default_grid((math.prod(shape),) if len(shape) == 2 and 1 in shape else shape)
        return grid_vectors(Cell.of([canonical(x.reshape(1, -1)) for x in lines]))
    if len(arrays) == 2:
        return grid_vectors(arrays[0] if is_cell(arrays[0]) else Cell.of([arrays[0]]))
    return _lines_of(arrays[:-1], shape)


@builtin(
    "griddedInterpolant",
    category="interpolation",
    signatures=(
        "F = griddedInterpolant(x, v)",
        "F = griddedInterpolant(X1, ..., Xn, V)",
        "F = griddedInterpolant(gridVecs, V)",
        "F = griddedInterpolant(V)",
        "F = griddedInterpolant(..., Method, ExtrapolationMethod)",
        "F = griddedInterpolant",
    ),
    device=SELF,
    cases=(
        "subsref(griddedInterpolant([1 2 3], [10 20 30]), substruct('()', {2.5})) == 25",
        "isequal(griddedInterpolant([5 7 9]).GridVectors, {1:3})",
        "strcmp(griddedInterpolant(1:3, 4:6, 'nearest').Method, 'nearest')",
    ),
    see=("scatteredInterpolant", "interp1", "interpn", "ndgrid"),
)
def gridded_interpolant(*args: Value) -> Value:
    """Values on a grid as a function: ``F(xq)`` interpolates, again and again.

    The methods are linear, nearest, next, previous, pchip, cubic, spline and makima. Beyond the
    grid the same method goes on, unless the second word says another one, ``'boundary'`` (the
    value at the nearest place of the grid's edge) or ``'none'`` (NaN).

    ``F(xq, yq)`` takes coordinates of the same size, ``F(P)`` one point per row, and
    ``F({x, y})`` the grid that the vectors span. ``F.Values``, ``F.GridVectors``, ``F.Method``
    and ``F.ExtrapolationMethod`` can be read and assigned.
    """
    count = next((k for k, a in enumerate(args) if is_text_scalar(a)), len(args))
    cls = GriddedInterpolant
    method, beyond = cls.methods_of(list(args[count:]), "linear")
    arrays = list(args[:count])
    grid, values = (
        (_grid_of(arrays), cls.sampled(arrays[-1])) if arrays else (Cell.of([], (1, 0)), EMPTY)
    )
    made = cls(
        {"GridVectors": grid, "Values": values, "Method": method, "ExtrapolationMethod": beyond}
    )
    if arrays and numel(values):
        if method == "pchip" and len(made.axes()) > 1:
            text = "The method 'pchip' is for grids of one dimension."
            raise cls.complaint("BadInterpTypeErrId", text)
        made.checked_shape()
    return made


def from_portable(kind: str, fields: dict[str, Value]) -> Value:
    """What :meth:`Interpolant.to_portable` gave."""
    return GriddedInterpolant(fields)
