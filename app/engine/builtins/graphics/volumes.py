"""Volumes and flows: slices, surfaces of equal value, stream lines."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import enough
from app.engine.builtins.graphics.lines import result, view_in_space
from app.engine.builtins.graphics.plotting_support import (
    PLOT,
    apply_options,
    figures,
    first_text,
    is_handle,
    new_series,
    options_of,
    plotting_axes,
    split_axes,
)
from app.engine.declarations.device_support import CONTAINER
from app.engine.declarations.registry import builtin
from app.engine.figures.figure_data import HostData, host_table
from app.engine.figures.isosurfaces import isosurface
from app.engine.figures.mark_geometry import Geometry
from app.engine.figures.objects import GraphicsObject
from app.engine.figures.properties import plain_text
from app.engine.figures.series_data import came_down, host_data_of, value_shape
from app.engine.values import (
    Array,
    Cell,
    DeviceArray,
    Struct,
    Value,
    as_array,
    canonical,
    float_of,
    host,
    is_text_scalar,
    numel,
)
from app.errors import MatlabError


def _floats(ctx: CallContext, values: list[Value]) -> list[Array]:
    return [host_data_of(ctx, value).array.astype(np.float64) for value in values]


def _volume(ctx: CallContext, values: list[Value]) -> tuple[list[Array], list[Value]]:
    """The vectors x, y, z of a volume, and the values after them, the volume first: left on the
    device where it is."""
    enough(values, 1)
    if _is_solid(values[0]) and (len(values) < 4 or not _is_solid(values[3])):
        return _numbered_axes(values[0]), [_field(ctx, values[0]), *values[1:]]
    enough(values, 4)
    if not _is_solid(values[3]):
        text = "The volume must be a three-dimensional array."
        raise MatlabError("MATLAB:volume:invalidSize", text)
    numbered = _numbered_axes(values[3])
    axes = [
        _axis(ctx, value, place) if 0 not in value_shape(value) else numbered[place]
        for place, value in enumerate(values[:3])
    ]
    return axes, [_field(ctx, values[3]), *values[4:]]


def _numbered_axes(volume: Value) -> list[Array]:
    """The coordinates of a volume that are not given, or empty: 1, 2, … along x, y and z."""
    rows, columns, pages = value_shape(volume)
    return [np.arange(1.0, n + 1) for n in (columns, rows, pages)]


def _is_solid(value: Value) -> bool:
    return len(value_shape(value)) == 3


def _field(ctx: CallContext, value: Value) -> Value:
    """A field as doubles: on the device, or an array in MATLAB's order."""
    value = ctx.call("double", (value,))[0]
    return value if type(value) is DeviceArray else np.asfortranarray(as_array(value))


def _axis(ctx: CallContext, value: Value, place: int) -> Array:
    """The coordinates along one axis: a vector, or what a grid of them has along it."""
    shape = value_shape(value)
    if len(shape) == 2 and 1 in shape:
        return as_array(value).astype(np.float64).reshape(-1)
    if place >= len(shape):
        text = "Coordinates of a volume must be vectors, or arrays of its size."
        raise MatlabError("MATLAB:volume:invalidSize", text)
    along, step = ((1, shape[0]), (0, 1), (2, shape[0] * shape[1]))[place]
    return Geometry(ctx).elements(ctx.call("double", (value,))[0], np.arange(shape[along]) * step)


def _trilinear_values(
    geometry: Geometry, axes: list[Array], volume: Value, points: list[Array]
) -> Value:
    """Trilinear values of a volume; NaN outside."""
    if min(a.size for a in axes) < 2:
        raise MatlabError("MATLAB:volume:TooFewPoints", "Every axis needs two points at least.")
    shape = value_shape(volume)
    if shape != tuple(axes[k].size for k in (1, 0, 2)):
        raise MatlabError("MATLAB:volume:SizeMismatch", "The axes must fit the size of the volume.")
    places, cells = [], []
    for axis, point in zip(axes, points, strict=True):
        cell = np.clip(np.searchsorted(axis, point, side="right") - 1, 0, len(axis) - 2)
        part = (point - axis[cell]) / (axis[cell + 1] - axis[cell])
        places.append(np.where((part < -1e-9) | (part > 1 + 1e-9), np.nan, part))
        cells.append(cell)
    found: Value = 0.0
    for corner in range(8):
        bits = [corner >> k & 1 for k in range(3)]
        weight = np.prod([p if b else 1 - p for p, b in zip(places, bits, strict=True)], axis=0)
        i, j, k = (c + b for c, b in zip(cells, bits, strict=True))
        own = geometry.chosen(volume, j + shape[0] * (i + shape[1] * k))
        if type(volume) is np.ndarray:
            found = found + weight * own
        else:
            found = geometry("plus", found, geometry("times", weight, own))
    return found


# --- slices -------------------------------------------------------------------------------


@builtin(
    "slice",
    category=PLOT,
    signatures=("h = slice(X,Y,Z,V,sx,sy,sz)", "slice(V,sx,sy,sz)"),
    device=CONTAINER,
    cases=("[x, y, z] = meshgrid(1:4); h = slice(x, y, z, x + y, 2, [], 3); numel(h) == 2",),
    see=("isosurface", "contourslice"),
)
def slice_planes(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Show a volume on planes across it."""
    axes, rest = plotting_axes(ctx, args)
    count = first_text(rest)
    if count not in (4, 7):
        raise MatlabError("MATLAB:slice:nargin", "Wrong number of input arguments.")
    grid, (volume, *values) = _volume(ctx, rest[:count])
    if len(values) != 3:
        raise MatlabError("MATLAB:slice:nargin", "Wrong number of input arguments.")
    cuts = _floats(ctx, values)
    made = []
    if all(cut.ndim == 2 and min(cut.shape) > 1 for cut in cuts):
        made.append(_plane(ctx, axes, grid, volume, cuts))
    else:
        made = [
            _plane(ctx, axes, grid, volume, _plane_points(grid, letter, float(place)))
            for letter, places in enumerate(cuts)
            for place in places.reshape(-1)
        ]
    view_in_space(axes)
    for item in made:
        apply_options(item, options_of(rest[count:]))
    return result(made, nargout)


def _plane_points(grid: list[Array], letter: int, place: float) -> list[Array]:
    """The points of a plane across one axis."""
    others = [grid[k] for k in range(3) if k != letter]
    first, second = np.meshgrid(*others)
    points = [first, second]
    points.insert(letter, np.full_like(first, place))
    return points


def _plane(
    ctx: CallContext, axes: Any, grid: list[Array], volume: Value, points: list[Array]
) -> Any:
    geometry = Geometry(ctx)
    x, y, z = points
    colors = _trilinear_values(geometry, grid, volume, points)
    data = geometry.named(XData=x, YData=y, ZData=z, CData=colors)
    return new_series(ctx, axes, "surface", data)


# --- surfaces of equal value --------------------------------------------------------------


def _iso(ctx: CallContext, args: tuple[Value, ...]) -> tuple[Array, Array]:
    numbers = [value for value in args if not isinstance(value, str)]
    grid, (field, *rest) = _volume(ctx, numbers)
    volume = host_data_of(ctx, field).array
    middle = (np.nanmin(volume) + np.nanmax(volume)) / 2
    level = float(as_array(rest[0]).reshape(-1)[0]) if rest else float(middle)
    vertices, faces = isosurface((grid[0], grid[1], grid[2]), volume, level)
    return vertices, faces + 1.0


@builtin(
    "isosurface",
    words="noshare",
    least=1,
    category=PLOT,
    signatures=(
        "fv = isosurface(X,Y,Z,V,value)",
        "isosurface(V,value)",
        "[f,v] = isosurface(...)",
        "[f,v] = isosurface(...,'noshare')",
    ),
    device=CONTAINER,
    cases=(
        "[x, y, z] = meshgrid(-1:0.5:1); "
        "s = isosurface(x, y, z, x.^2 + y.^2 + z.^2, 0.5); isfield(s, 'faces')",
    ),
    see=("slice", "patch", "isonormals"),
)
def isosurface_function(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """The surface on which a volume has a value: its faces and vertices, or a picture of it.

    With 'noshare' every face has vertices of its own.
    """
    vertices, faces = _iso(ctx, args)
    if args and is_text_scalar(args[-1]):
        vertices = vertices[faces.astype(np.int64).ravel() - 1]
        faces = np.arange(1.0, faces.size + 1).reshape(faces.shape)
    if nargout > 1:
        return canonical(faces), canonical(vertices)
    if nargout == 1:
        return Struct({"vertices": canonical(vertices), "faces": canonical(faces)})
    axes = figures(ctx).gca()
    new_series(
        ctx,
        axes,
        "patch",
        {
            "Vertices": vertices,
            "Faces": faces,
            "FaceColor": figures(ctx).next_color(axes),
            "EdgeColor": "none",
            "FaceLighting": "gouraud",
        },
    )
    view_in_space(axes)
    axes.set("DataAspectRatio", np.array([[1.0, 1.0, 1.0]]))
    ctx.call("camlight", (), 0)
    return None


@builtin(
    "isonormals",
    words="negate",
    least=2,
    category=PLOT,
    signatures=("n = isonormals(X,Y,Z,V,p)",),
    device=CONTAINER,
    cases=(
        "[x, y, z] = meshgrid(1:4); n = isonormals(x, y, z, x + y, [2 2 2]); "
        "isequal(size(n), [1 3])",
    ),
    see=("isosurface",),
)
def isonormals(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """The directions in which a volume falls, at the vertices of a surface of equal value."""
    last = args[-1]
    patch = last if is_handle(last, "patch") else None
    vertices = as_array(last).astype(np.float64) if patch is None else host_table(patch["Vertices"])
    if vertices.ndim != 2 or vertices.shape[1] != 3:
        text = "Vertices must be a matrix with three columns: x, y and z."
        raise MatlabError("MATLAB:isonormals:InvalidVertices", text)
    grid, (field, *_rest) = _volume(ctx, list(args[:-1]))
    volume = host_data_of(ctx, field).array
    slopes = np.gradient(volume, grid[1], grid[0], grid[2])
    points = [vertices[:, k] for k in range(3)]
    geometry = Geometry(ctx)
    columns = [_trilinear_values(geometry, grid, slopes[k], points) for k in (1, 0, 2)]
    normals = -np.column_stack([as_array(column) for column in columns])
    if patch is not None:
        patch["VertexNormals"] = normals
    return canonical(normals) if nargout or patch is None else None


@builtin(
    "smooth3",
    words="box gaussian",
    category=PLOT,
    signatures=("W = smooth3(V,filter,size)",),
    device=CONTAINER,
    cases=("isequal(size(smooth3(rand(4,5,6))), [4 5 6])",),
    see=("isosurface",),
)
def smooth3(ctx: CallContext, volume: Value, *options: Value) -> Value:
    """A volume with its values averaged over boxes of 3 (or size) elements."""
    from scipy.ndimage import gaussian_filter, uniform_filter

    data = host_data_of(ctx, volume).array.astype(np.float64)
    sizes = [as_array(v).reshape(-1) for v in options if not isinstance(v, str)]
    size = int(sizes[0][0]) if sizes else 3
    if any(isinstance(v, str) and v.lower().startswith("g") for v in options):
        return canonical(gaussian_filter(data, 0.65, mode="nearest", radius=size // 2))
    return canonical(uniform_filter(data, size, mode="nearest"))


# --- stream lines -------------------------------------------------------------------------


MOST_STEPS = 2000
SAMPLED = 1 << 17
"""Of larger fields on the device only the values on the lines come down."""
Flow = tuple[list[Array], list[Value], list[Array]]


def _flow(ctx: CallContext, values: list[Value]) -> Flow:
    """Coordinate vectors, components of the flow, and where lines start."""
    count = 3 if any(_is_solid(value) for value in values) else 2
    enough(values, 2 * count)
    starts = [as_array(value).astype(np.float64).reshape(-1) for value in values[-count:]]
    rest = values[:-count]
    fields = [_field(ctx, value) for value in rest[-count:]]
    shapes = {value_shape(field) for field in fields}
    if len(shapes) > 1 or len(shapes.pop()) != count:
        text = "The components of a flow must be matrices, or volumes, of the same size."
        raise MatlabError("MATLAB:stream3:invalidSize", text)
    if numel(fields[0]) < SAMPLED:  # less than what the lines would look at
        fields = [np.asfortranarray(host_data_of(ctx, field).array) for field in fields]
    if len(rest) > count:
        vectors = [_axis(ctx, value, place) for place, value in enumerate(rest[:count])]
    else:
        shape = value_shape(fields[0])
        vectors = [np.arange(1.0, shape[k] + 1) for k in (1, 0, 2)[:count]]
    return vectors, fields, starts


def _lines(geometry: Geometry, flow: Flow, steps: int = MOST_STEPS) -> list[Array]:
    """Lines along the flow, by Heun's steps of a tenth of a cell, until they leave or rest."""
    vectors, fields, starts = flow
    if len(vectors) == 2:  # a plane is a volume of two equal layers
        vectors = [*vectors, np.array([0.0, 1.0])]
        fields = [
            np.asfortranarray(np.repeat(field[:, :, None], 2, axis=2))
            if type(field) is np.ndarray
            else geometry("repmat", field, np.array([[1.0, 1.0, 2.0]]))
            for field in fields
        ]
    size = len(fields)
    cell = np.array([abs(np.diff(v)).mean() for v in vectors[:size]])
    spots = np.stack(starts, axis=1)
    lines = [[spot.copy()] for spot in spots]
    going = np.arange(len(spots))
    for _step in range(steps):
        way = _direction(geometry, vectors, fields, spots[going])
        speed = np.abs(way / cell).max(axis=1, keepdims=True)
        moves = (speed > 1e-12)[:, 0]
        going, way, speed = going[moves], way[moves], speed[moves]
        middle = _direction(geometry, vectors, fields, spots[going] + 0.1 * way / speed)
        stays = np.isfinite(middle).all(axis=1)
        going = going[stays]
        if not len(going):
            break
        spots[going] += 0.05 * (way[stays] + middle[stays]) / speed[stays]
        for place in going.tolist():
            lines[place].append(spots[place].copy())
    return [np.array(line) for line in lines]


def _direction(
    geometry: Geometry, vectors: list[Array], fields: list[Value], spots: Array
) -> Array:
    """The flow at some points: of fields on the device only these come down."""
    points = [*spots.T, np.zeros(len(spots))][:3]
    parts = [
        _trilinear_values(geometry, vectors, field, [p[:, None] for p in points])
        for field in fields
    ]
    columns = [as_array(host(part, "plot")).reshape(-1, 1) for part in parts]
    return np.concatenate(columns, axis=1)


def _streams(ctx: CallContext, values: list[Value]) -> list[Array]:
    return _lines(Geometry(ctx), _flow(ctx, values))


@builtin(
    "stream2",
    least=4,
    category=PLOT,
    signatures=("xy = stream2(X,Y,U,V,sx,sy)",),
    device=CONTAINER,
    cases=(
        "[x, y] = meshgrid(0:4); s = stream2(x, y, ones(5), zeros(5), 1, 2); "
        "abs(s{1}(end, 2) - 2) < 1e-9",
    ),
    see=("streamline",),
)
def stream2(ctx: CallContext, *args: Value) -> Value:
    """Lines along a flow in a plane: a cell of vertices for every starting point."""
    lines = _streams(ctx, list(args))
    return Cell.of([canonical(line) for line in lines], (1, len(lines)))


@builtin(
    "stream3",
    least=6,
    category=PLOT,
    signatures=("xyz = stream3(X,Y,Z,U,V,W,sx,sy,sz)",),
    device=CONTAINER,
    cases=(
        "[x, y, z] = meshgrid(0:4); "
        "s = stream3(x, y, z, ones(5, 5, 5), 0*x, 0*x, 1, 2, 2); size(s{1}, 2) == 3",
    ),
    see=("streamline",),
)
def stream3(ctx: CallContext, *args: Value) -> Value:
    """Lines along a flow in space: a cell of vertices for every starting point."""
    return stream2(ctx, *args)


def _drawn_lines(
    ctx: CallContext, axes: GraphicsObject, lines: list[Array], moved: int
) -> list[GraphicsObject]:
    """Lines, the first of which answers for the bytes that came down for all of them."""
    made: list[GraphicsObject] = []
    for line in lines:
        kept: dict[str, Any] = {"Color": (0.0, 0.447, 0.741)}
        for letter, column in zip("XYZ", line.T, strict=False):
            own = moved if letter == "X" and not made else 0
            kept[f"{letter}Data"] = HostData(np.ascontiguousarray(column)[None, :], own)
        made.append(new_series(ctx, axes, "line", kept))
    return made


@builtin(
    "streamline",
    least=1,
    category=PLOT,
    signatures=(
        "h = streamline(X,Y,U,V,sx,sy)",
        "streamline(X,Y,Z,U,V,W,sx,sy,sz)",
        "streamline(lines)",
    ),
    device=CONTAINER,
    cases=("[x, y] = meshgrid(0:4); h = streamline(x, y, ones(5), zeros(5), 1, 2); isgraphics(h)",),
    see=("stream2", "quiver"),
)
def streamline(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw lines along a flow."""
    axes, rest = split_axes(ctx, args)
    before = came_down(ctx)
    if isinstance(rest[0], Cell):
        lines = [as_array(line) for line in rest[0].items()]
    else:
        lines = _streams(ctx, rest[: first_text(rest)])
    made = _drawn_lines(ctx, axes, lines, came_down(ctx) - before)
    if lines and lines[0].shape[1] == 3:
        view_in_space(axes)
    return result(made, nargout)


def _head(line: Array) -> Array:
    """The head of an arrow in the middle of a line: side, tip, side."""
    middle = len(line) // 2
    tip, way = line[middle], line[middle] - line[middle - 1]
    back, aside = tip - 2 * way, np.array([-way[1], way[0]])
    return np.array([back + aside, tip, back - aside])


@builtin(
    "streamslice",
    words="arrows noarrows linear",
    least=2,
    category=PLOT,
    signatures=(
        "h = streamslice(X,Y,U,V,density)",
        "h = streamslice(...,'noarrows')",
        "[lines,heads] = streamslice(...)",
    ),
    device=CONTAINER,
    cases=(
        "[x, y] = meshgrid(0:4); h = streamslice(x, y, ones(5), zeros(5)); all(isgraphics(h))",
        "[x, y] = meshgrid(0:4); [v, a] = streamslice(x, y, ones(5), zeros(5)); "
        "iscell(v) && isequal(size(a{1}), [3 2])",
        "[x, y] = meshgrid(0:4); h = streamslice(x, y, ones(5), zeros(5)); "
        "numel(h) == 2*numel(streamslice(x, y, ones(5), zeros(5), 'noarrows'))",
    ),
    see=("streamline",),
)
def streamslice(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw lines along a flow in a plane, started all over it, with arrow heads unless 'noarrows'
    is given; or only give their vertices and those of their arrow heads, in cells. Between the
    points the flow is 'linear'."""
    axes, rest = split_axes(ctx, args) if nargout > 1 else plotting_axes(ctx, args)
    before, end = came_down(ctx), first_text(rest)
    arrows = "noarrows" not in (plain_text(word).lower() for word in rest[end:])
    rest = rest[:end]
    density = float_of(rest.pop()) if len(rest) in (3, 5) else 1.0
    vectors, fields, _none = _flow(ctx, [*rest, *([np.zeros((1, 1))] * 2)])
    count = max(2, round(8 * density))
    spans = [np.linspace(v.min(), v.max(), count + 2)[1:-1] for v in vectors]
    starts = [grid.reshape(-1) for grid in np.meshgrid(*spans)]
    lines = _lines(Geometry(ctx), (vectors, fields, starts), 40)
    heads = [_head(line) for line in lines if len(line) > 1] if arrows else []
    if nargout > 1:
        return tuple(
            Cell.of([canonical(part) for part in parts], (1, len(parts)))
            for parts in (lines, heads)
        )
    made = _drawn_lines(ctx, axes, [*lines, *heads], came_down(ctx) - before)
    axes["Box"] = True
    return result(made, nargout)


@builtin(
    "contourslice",
    least=4,
    category=PLOT,
    signatures=("h = contourslice(X,Y,Z,V,sx,sy,sz)",),
    device=CONTAINER,
    cases=("[x, y, z] = meshgrid(1:4); h = contourslice(x, y, z, x + y, 2, [], []); ~isempty(h)",),
    see=("slice",),
)
def contourslice(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw lines of equal value of a volume on planes across it."""
    from app.engine.figures.contours import contour_lines
    from app.engine.figures.ticks import linear_ticks

    axes, rest = plotting_axes(ctx, args)
    grid, (volume, *values) = _volume(ctx, rest[: first_text(rest)])
    geometry, cuts = Geometry(ctx), _floats(ctx, values)
    ends = geometry.number("min", volume), geometry.number("max", volume)
    levels = linear_ticks(ends, 6) if len(cuts) < 4 or numel(cuts[3]) < 2 else cuts[3].reshape(-1)
    made = []
    for letter, places in enumerate(cuts[:3]):
        for place in places.reshape(-1):
            points = _plane_points(grid, letter, float(place))
            colors = as_array(_trilinear_values(geometry, grid, volume, points))
            first, second = (points[k] for k in range(3) if k != letter)
            for level in levels:
                for line in contour_lines(first[0], second[:, 0], colors, float(level)):
                    parts = [line[:, 0], line[:, 1]]
                    parts.insert(letter, np.full(len(line), float(place)))
                    data = {
                        f"{n}Data": HostData(p[None, :]) for n, p in zip("XYZ", parts, strict=True)
                    }
                    made.append(new_series(ctx, axes, "line", data))
    view_in_space(axes)
    return result(made, nargout)
