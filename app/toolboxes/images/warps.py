"""Images carried by transformations, and transformations fitted to points."""

from __future__ import annotations

import numpy as np

from app.engine import stoppable
from app.engine.arguments.checks import (
    FINITE,
    MATRIX,
    NONEMPTY,
    NUMBERS,
    REAL,
    element_count,
    option_pairs,
    takes,
)
from app.engine.declarations.registry import builtin
from app.engine.operators.arithmetic import saturate
from app.engine.values import Array, Value, as_array, canonical, float_of, is_text_scalar, text_of
from app.errors import MatlabError
from app.toolboxes.images.references import Reference
from app.toolboxes.images.transforms import Transform, output_limits, transformed_points

_FAMILY = "images"


def _sampled_planes(image: Array, x: Array, y: Array, method: str, fill: float) -> Array:
    """Every plane of an image at places in pixels from 0."""
    from scipy import ndimage

    order = {"nearest": 0, "linear": 1, "bilinear": 1, "cubic": 3, "bicubic": 3}.get(method)
    if order is None:
        message = "The interpolation must be nearest, linear or cubic."
        raise MatlabError("images:imwarp:invalidInterpolation", message)
    planes = image.reshape(*image.shape[:2], -1)
    x, y = (np.where(np.abs(v - np.rint(v)) < 1e-9, np.rint(v), v) for v in (x, y))
    parts = [
        ndimage.map_coordinates(
            planes[..., k].astype(np.float64), [y, x], order=order, mode="constant", cval=fill
        )
        for k in range(planes.shape[2])
    ]
    found = np.stack(parts, axis=2).reshape(*x.shape, *image.shape[2:])
    return (
        saturate(found, image.dtype)
        if image.dtype.kind in "iu"
        else (found > 0.5 if image.dtype == bool else found.astype(image.dtype))
    )


@builtin(
    "imwarp",
    category=_FAMILY,
    signatures=(
        "B = imwarp(A, tform)",
        "B = imwarp(A, tform, method, 'FillValues', v)",
        "B = imwarp(A, tform, 'OutputView', imref2d([m n]))",
    ),
    cases=(
        "isequal(imwarp([1 2; 3 4], affine2d([1 0 0; 0 1 0; 5 5 1])), [1 2; 3 4])",
        "isequal(size(imwarp(ones(4), affine2d([2 0 0; 0 1 0; 0 0 1]))), [4 8])",
    ),
    see=("affine2d", "imrotate", "imresize"),
)
@takes(NUMBERS & NONEMPTY)
def imwarp(a: Value, t: Value, *args: Value) -> tuple[Value, Reference]:
    """An image carried by a transformation, in the smallest picture that holds it all.

    Options: OutputView (an imref2d, or the struct of its limits), FillValues, SmoothEdges.
    """
    if not isinstance(t, Transform):
        raise MatlabError("images:imwarp:invalidTform", "Expected a geometric transformation.")
    image, rest = as_array(a), list(args)
    method = text_of(rest.pop(0)).lower() if len(rest) % 2 else "linear"
    options = option_pairs("imwarp", rest, "FillValues OutputView")
    rows, columns = image.shape[:2]
    view = options.get("outputview")
    if not isinstance(view, Reference):
        ends = [np.array([[0.5, n + 0.5]]) for n in (columns, rows)]
        box = [as_array(v).ravel() for v in output_limits(t, *ends)]
        size = [max(int(np.ceil(b[1] - b[0] - 1e-9)), 1) for b in box]
        middle = [b.mean() for b in box]
        view = Reference(
            (size[1], size[0]), *((m - s / 2, m + s / 2) for m, s in zip(middle, size, strict=True))
        )
    x, y = view.centres()
    back = t.inverse().moved(np.column_stack([x.ravel(), y.ravel()]))
    fill = float_of(options.get("fillvalues", 0.0))
    across, down = (c.reshape(x.shape) - 1 for c in back.T)
    found = _sampled_planes(image, across, down, method, fill)
    return canonical(found), view


def fitted(moving: Array, fixed: Array, kind: str) -> Array:
    """The matrix that carries ``moving`` to ``fixed`` best, by least squares."""
    n = len(moving)
    ones = np.column_stack([moving, np.ones(n)])
    if kind == "affine":
        found = stoppable.lstsq(ones, fixed, rcond=None)[0]
        return np.column_stack([found, [0, 0, 1]])
    if kind in ("similarity", "nonreflectivesimilarity", "rigid"):
        centres = moving.mean(axis=0), fixed.mean(axis=0)
        a, b = moving - centres[0], fixed - centres[1]
        u, s, vt = stoppable.svd(a.T @ b)
        flip = np.diag([1.0, np.sign(np.linalg.det(u @ vt)) if kind != "similarity" else 1.0])
        scale = 1.0 if kind == "rigid" else (s * np.diag(flip)).sum() / (a**2).sum()
        turn = scale * (u @ flip @ vt)
        return np.column_stack([np.vstack([turn, centres[1] - centres[0] @ turn]), [0, 0, 1]])
    zero = np.zeros((n, 3))
    rows = np.vstack(
        [
            np.hstack([ones, zero, -ones * fixed[:, :1]]),
            np.hstack([zero, ones, -ones * fixed[:, 1:]]),
        ]
    )
    found = stoppable.svd(rows)[2][-1]
    return np.asarray(found.reshape(3, 3).T / found[-1])


_NEEDED = {"affine": 3, "projective": 4, "similarity": 3, "nonreflectivesimilarity": 2, "rigid": 2}


def declare_fit(name: str, newer: bool, case: str) -> None:
    """Declare a fit of a transformation to pairs of points."""

    def fit(moving: Value, fixed: Value, kind: Value = "projective") -> Value:
        word = text_of(kind).lower().replace(" ", "").replace("linear", "")
        a, b = (as_array(v).astype(np.float64) for v in (moving, fixed))
        if word not in _NEEDED or a.shape != b.shape or a.shape[1] != 2:
            message = f"Points must be n by 2, the kind one of {', '.join(_NEEDED)}."
            raise MatlabError(f"images:{name}:invalidInput", message)
        if len(a) < _NEEDED[word]:
            message = f"At least {_NEEDED[word]} pairs of points are needed."
            raise MatlabError(f"images:{name}:requiredNonCollinearPoints", message)
        projective = word == "projective"
        names = ("projtform2d", "affinetform2d") if newer else ("projective2d", "affine2d")
        return Transform(fitted(a, b, word), names[not projective])

    builtin(
        name,
        category=_FAMILY,
        cases=(case,),
        see=("imwarp", "affine2d"),
        text="The transformation that carries moving points to fixed ones: affine, projective, "
        "similarity, nonreflectivesimilarity or rigid.",
        signatures=(f"t = {name}(moving, fixed, kind)",),
    )(takes(NUMBERS & MATRIX & FINITE, NUMBERS & MATRIX & FINITE)(fit))


declare_fit(
    "fitgeotrans",
    False,
    "t = fitgeotrans([0 0; 1 0; 0 1], [2 3; 3 3; 2 4], 'affine'); "
    "norm(t.T - [1 0 0; 0 1 0; 2 3 1]) < 1e-12",
)
declare_fit(
    "fitgeotform2d",
    True,
    "t = fitgeotform2d([0 0; 1 0; 1 1; 0 1], [0 0; 2 0; 2 2; 0 2], 'projective'); "
    "norm(transformPointsForward(t, [0.5 0.5]) - [1 1]) < 1e-10",
)
declare_fit(
    "cp2tform",
    False,
    "t = cp2tform([0 0; 1 0], [0 0; 0 2], 'nonreflective similarity'); "
    "norm(tformfwd(t, [1 0]) - [0 2]) < 1e-12",
)


@builtin(
    "maketform",
    category=_FAMILY,
    signatures=(
        "t = maketform('affine', T)",
        "t = maketform('projective', T)",
        "t = maketform('affine', from, to)",
    ),
    cases=("isequal(tformfwd(maketform('affine', [1 0; 0 1; 2 3]), [0 0]), [2 3])",),
    see=("affine2d", "tformfwd"),
)
def maketform(kind: Value, matrix: Value, goal: Value | None = None) -> Value:
    """A transformation from a matrix or from pairs of points (older than ``affine2d``)."""
    word = text_of(kind).lower()
    if word not in ("affine", "projective"):
        message = "The kind must be 'affine' or 'projective'."
        raise MatlabError("images:maketform:unknownTransformType", message)
    (NUMBERS & MATRIX & FINITE)("maketform", 2, matrix)
    t = as_array(matrix).astype(np.float64)
    if goal is not None:
        (NUMBERS & MATRIX & FINITE)("maketform", 3, goal)
        t = fitted(t, as_array(goal).astype(np.float64), word)
    t = np.column_stack([t, [0, 0, 1]]) if t.shape == (3, 2) else t
    if t.shape != (3, 3):
        raise MatlabError("images:maketform:invalidMatrix", "The matrix must be 3 by 3 or 3 by 2.")
    return Transform(t, "affine2d" if word == "affine" else "projective2d")


def declare_form(name: str, summary: str) -> None:
    """Declare the older name of a method."""

    def call(t: Value, *points: Value) -> Value:
        if not isinstance(t, Transform):
            raise MatlabError(f"images:{name}:invalidTform", "Expected a geometric transformation.")
        return transformed_points(t.inverse() if name == "tforminv" else t, points)

    builtin(
        name,
        category=_FAMILY,
        text=summary,
        see=("maketform",),
        signatures=(f"X = {name}(t, U)", f"[x, y] = {name}(t, u, v)"),
        cases=(f"isequal({name}(maketform('affine', eye(3)), [4 5]), [4 5])",),
    )(call)


declare_form("tformfwd", "Points carried by a transformation.")
declare_form("tforminv", "Points carried back.")


@builtin(
    "imtransform",
    category=_FAMILY,
    signatures=("B = imtransform(A, t)", "B = imtransform(A, t, method, ...)"),
    cases=(
        "isequal(imtransform([1 2; 3 4], maketform('affine', eye(3))), [1 2; 3 4])",
        "isequal(imtransform(magic(3), maketform('affine', eye(3)), 'XData', [2 3]), "
        "[1 6; 5 7; 9 2])",
    ),
    see=("imwarp",),
)
@takes(NUMBERS & NONEMPTY)
def imtransform(a: Value, t: Value, *args: Value) -> Value:
    """An image carried by a transformation; the newer name is ``imwarp``.

    Options: XData and YData (limits of the result), FillValues.
    """
    rest = list(args)
    method = [text_of(rest.pop(0))] if len(rest) % 2 and is_text_scalar(rest[0]) else []
    options = option_pairs("imtransform", rest, "FillValues XData YData")
    made: list[Value] = [v for n in ("fillvalues",) if n in options for v in (n, options[n])]
    found, view = imwarp(a, t, *method, *made)
    limits = {"xdata": view.x, "ydata": view.y}
    given = [n for n in limits if n in options]
    for n in given:
        (NUMBERS & REAL & FINITE & element_count(2))("imtransform", 3, options[n])
        low, high = as_array(options[n]).ravel().astype(float)
        limits[n] = (low - 0.5, high + 0.5)
    if given:
        x, y = limits.values()
        size = (round(y[1] - y[0]), round(x[1] - x[0]))
        found, view = imwarp(a, t, *method, *made, "OutputView", Reference(size, x, y))
    return found, *(canonical(np.array([[e[0] + 0.5, e[1] - 0.5]])) for e in (view.x, view.y))
