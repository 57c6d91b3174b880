"""Lines through images: Radon transform and its inverse, Hough transform, test pictures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app import memory
from app.engine.arguments.checks import (
    FINITE,
    MATRIX,
    NONEMPTY,
    NUMBER,
    NUMBERS,
    POSITIVE,
    WHOLE,
    option_pairs,
    real_number,
    takes,
    unknown_option,
)
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    Struct,
    StructArray,
    Value,
    as_array,
    canonical,
    is_text_scalar,
    object_array,
    text_of,
)
from app.errors import MatlabError

_FAMILY = "images"
_FLAT = NUMBERS & NONEMPTY & MATRIX


@builtin(
    "radon",
    category=_FAMILY,
    signatures=("R = radon(I)", "[R, xp] = radon(I, theta)"),
    cases=("abs(sum(radon(ones(8), 30)) - 64) < 1e-9",),
    see=("iradon", "phantom"),
)
@takes(_FLAT, NUMBERS & FINITE)
def radon(a: Value, theta: Value | None = None) -> Value:
    """Sums along parallel rays at angles in degrees: every pixel gives its four quarters."""
    image = as_array(a).astype(np.float64)
    angles = np.arange(180.0) if theta is None else as_array(theta).ravel().astype(float)
    rows, columns = image.shape
    middle = np.array([(rows + 1) // 2, (columns + 1) // 2])
    half = int(np.ceil(np.hypot(rows - middle[0], columns - middle[1]))) + 1
    y, x = np.nonzero(image)
    weights = image[y, x] / 4
    found = np.zeros((2 * half + 1, angles.size))
    for k, angle in enumerate(np.radians(angles)):
        for down in (-0.25, 0.25):
            for right in (-0.25, 0.25):
                at = (
                    (x + 1 - middle[1] + right) * np.cos(angle)
                    - (y + 1 - middle[0] + down) * np.sin(angle)
                ) + half
                low = np.floor(at).astype(int)
                share = at - low
                for place, part in ((low, 1 - share), (low + 1, share)):
                    inside = (place >= 0) & (place < found.shape[0])
                    np.add.at(found[:, k], place[inside], (weights * part)[inside])
    return canonical(found), canonical(np.arange(-half, half + 1.0).reshape(-1, 1))


_RAMPS: dict[str, Callable[[Array], Any] | None] = {
    "ram-lak": np.ones_like,
    "shepp-logan": lambda w: np.sinc(w / (2 * np.pi)),
    "cosine": lambda w: np.cos(w / 2),
    "hamming": lambda w: 0.54 + 0.46 * np.cos(w),
    "hann": lambda w: (1 + np.cos(w)) / 2,
    "none": None,
}


@builtin(
    "iradon",
    category=_FAMILY,
    signatures=("I = iradon(R, theta)", "I = iradon(R, theta, interp, filter, scale, n)"),
    cases=("P = phantom(64); t = 0:179; norm(iradon(radon(P, t), t, 64) - P) / norm(P) < 0.35",),
    see=("radon",),
)
@takes(_FLAT, NUMBERS & NONEMPTY)
def iradon(r: Value, theta: Value, *args: Value) -> Value:
    """An image from its projections, filtered and projected back (Kak and Slaney, 1988).

    Interpolation nearest, linear or spline; filters Ram-Lak, Shepp-Logan, Cosine, Hamming, Hann,
    none.
    """
    from scipy import interpolate

    rays = as_array(r).astype(np.float64)
    angles = np.radians(as_array(theta).ravel().astype(float))
    if angles.size == 1 and rays.shape[1] > 1:
        angles = np.arange(rays.shape[1]) * angles[0]
    words = [text_of(v).lower() for v in args if is_text_scalar(v)]
    numbers = [real_number(v) for v in args if not is_text_scalar(v)]
    known = (*_RAMPS, "nearest", "linear", "spline", "pchip", "cubic")
    for word in words:
        if word not in known:
            raise unknown_option("iradon", word, " ".join(known))
    kind = next((_RAMPS[w] for w in words if w in _RAMPS), _RAMPS["ram-lak"])
    order = "nearest" if "nearest" in words else "linear"
    order = "cubic" if {"spline", "pchip", "cubic"} & set(words) else order
    size = int(numbers[-1]) if numbers else 2 * int(rays.shape[0] / (2 * np.sqrt(2)))
    if angles.size != rays.shape[1]:
        message = "There must be an angle for every column of the projections."
        raise MatlabError("images:iradon:thetaNotMatchP", message)
    filtered = _filtered_projections(rays, kind) if kind is not None else rays
    middle = (rays.shape[0] + 1) // 2
    side = np.arange(size) - (size + 1) // 2 + 1
    x, y = np.meshgrid(side, -side)
    places, found = np.arange(rays.shape[0]), np.zeros((size, size))
    for k, angle in enumerate(angles):
        at = x * np.cos(angle) + y * np.sin(angle) + middle - 1
        found += interpolate.interp1d(
            places, filtered[:, k], order, bounds_error=False, fill_value=0
        )(at)
    return canonical(found * np.pi / (2 * angles.size))


def _filtered_projections(rays: Array, window: Callable[[Array], Any]) -> Array:
    """Projections through the ramp |w| times a window."""
    size = max(64, 1 << int(np.ceil(np.log2(2 * rays.shape[0]))))
    n = np.arange(size // 2 + 1)
    kernel = np.zeros(size)
    kernel[0] = 0.25
    odd = n[1::2]
    kernel[odd] = -1 / (np.pi * odd) ** 2
    kernel[-odd] = kernel[odd]
    w = 2 * np.pi * np.fft.rfftfreq(size)
    ramp = 2 * np.fft.rfft(kernel).real * window(w)
    return np.asarray(
        np.fft.irfft(np.fft.rfft(rays, size, axis=0) * ramp[:, None], size, axis=0)[: rays.shape[0]]
    )


_ELLIPSES = [
    [1.0, 0.69, 0.92, 0, 0, 0],
    [-0.98, 0.6624, 0.874, 0, -0.0184, 0],
    [-0.02, 0.11, 0.31, 0.22, 0, -18],
    [-0.02, 0.16, 0.41, -0.22, 0, 18],
    [0.01, 0.21, 0.25, 0, 0.35, 0],
    [0.01, 0.046, 0.046, 0, 0.1, 0],
    [0.01, 0.046, 0.046, 0, -0.1, 0],
    [0.01, 0.046, 0.023, -0.08, -0.605, 0],
    [0.01, 0.023, 0.023, 0, -0.606, 0],
    [0.01, 0.023, 0.046, 0.06, -0.605, 0],
]
_CONTRAST = [1.0, -0.8, -0.2, -0.2, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1]


_HEADS = ("shepp-logan", "modified shepp-logan")


@builtin(
    "phantom",
    category=_FAMILY,
    signatures=("P = phantom(n)", "P = phantom(kind, n)", "[P, E] = phantom(E, n)"),
    cases=(
        "isequal(size(phantom(32)), [32 32])",
        "isequal(phantom('Modified Shepp-Logan', 32), phantom(32))",
    ),
    see=("radon",),
)
def phantom(*args: Value) -> Value:
    """The head of Shepp and Logan (1974), or one from ellipses (Toft's has more contrast)."""
    words = [text_of(v).lower() for v in args if is_text_scalar(v)]
    numbers = [as_array(v) for v in args if not is_text_scalar(v)]
    ellipses = np.array(_ELLIPSES)
    for word in words:
        if word not in _HEADS:
            raise unknown_option("phantom", word)
    if not words or not words[0].startswith("shepp"):
        ellipses[:, 0] = _CONTRAST
    if numbers and numbers[0].size > 1:
        ellipses = numbers.pop(0).astype(float)
    if ellipses.ndim != 2 or ellipses.shape[1] != 6:
        raise MatlabError("images:phantom:invalidE", "The ellipses must have six columns.")
    n = int(numbers[0].flat[0]) if numbers else 256
    side = (np.arange(n) - (n - 1) / 2) / max((n - 1) / 2, 1)
    x, y = np.meshgrid(side, -side)
    image = np.zeros((n, n))
    for level, wide, tall, right, up, degrees in ellipses:
        turn = np.radians(degrees)
        u = (x - right) * np.cos(turn) + (y - up) * np.sin(turn)
        v = (y - up) * np.cos(turn) - (x - right) * np.sin(turn)
        image[(u / wide) ** 2 + (v / tall) ** 2 <= 1] += level
    return canonical(image), canonical(ellipses)


@builtin(
    "hough",
    category=_FAMILY,
    signatures=("[H, theta, rho] = hough(BW)", "[...] = hough(BW, 'RhoResolution', r, 'Theta', t)"),
    cases=("[H, t, r] = hough(eye(9) > 0); max(H(:)) == 9",),
    see=("houghpeaks", "houghlines"),
)
@takes(_FLAT)
def hough(bw: Value, *args: Value) -> Value:
    """Votes of the pixels for lines ``rho = x*cos(theta) + y*sin(theta)``."""
    image, options = as_array(bw) != 0, option_pairs("hough", args, "RhoResolution Theta")
    step = real_number(options.get("rhoresolution", 1.0))
    theta = as_array(options.get("theta", np.arange(-90.0, 90.0)[None, :])).ravel().astype(float)
    far = np.hypot(image.shape[0] - 1, image.shape[1] - 1)
    half = int(np.ceil(far / step))
    rho = np.arange(-half, half + 1) * step
    y, x = np.nonzero(image)
    votes = np.zeros((rho.size, theta.size))
    for k, angle in enumerate(np.radians(theta)):
        place = np.rint((x * np.cos(angle) + y * np.sin(angle)) / step).astype(int) + half
        votes[:, k] = np.bincount(place, minlength=rho.size)[: rho.size]
    return canonical(votes), canonical(theta.reshape(1, -1)), canonical(rho.reshape(1, -1))


@builtin(
    "houghpeaks",
    category=_FAMILY,
    signatures=("P = houghpeaks(H, n)", "P = houghpeaks(H, n, 'Threshold', t, 'NHoodSize', s)"),
    cases=("isequal(houghpeaks([0 0 0; 0 9 0; 0 0 0]), [2 2])",),
    see=("hough", "houghlines"),
)
@takes(_FLAT, NUMBER & WHOLE & POSITIVE)
def houghpeaks(votes: Value, n: Value = 1.0, *args: Value) -> Value:
    """The strongest lines: rows and columns of the votes, the surroundings of each cleared."""
    table, options = (
        as_array(votes).astype(float).copy(),
        option_pairs("houghpeaks", args, "Threshold NHoodSize"),
    )
    least = real_number(options.get("threshold", float(0.5 * table.max())))
    near = np.array([2 * np.ceil(s / 50 / 2) + 1 for s in table.shape])
    near = as_array(options.get("nhoodsize", near[None, :])).ravel()
    half = ((near - 1) // 2).astype(int)
    found: list[tuple[float, float]] = []
    while len(found) < real_number(n) and table.max() >= least:
        flat = int(np.argmax(table.ravel(order="F")))
        row, column = flat % table.shape[0], flat // table.shape[0]
        found.append((row + 1.0, column + 1.0))
        rows = np.arange(max(row - half[0], 0), min(row + half[0] + 1, table.shape[0]))
        for c in range(column - half[1], column + half[1] + 1):
            inside = 0 <= c < table.shape[1]
            spot = rows if inside else table.shape[0] - 1 - rows
            table[spot, c % table.shape[1]] = -np.inf
    return canonical(np.array(found).reshape(-1, 2)) if found else np.zeros((0, 2))


@builtin(
    "houghlines",
    category=_FAMILY,
    signatures=(
        "lines = houghlines(BW, theta, rho, peaks)",
        "lines = houghlines(..., 'FillGap', g, 'MinLength', l)",
    ),
    cases=(
        "B = false(60); B(30, 5:55) = true; [H, t, r] = hough(B); "
        "L = houghlines(B, t, r, houghpeaks(H)); "
        "isequal([L.point1; L.point2], [5 30; 55 30])",
    ),
    see=("hough", "houghpeaks"),
)
@takes(_FLAT, NUMBERS & NONEMPTY, NUMBERS & NONEMPTY, NUMBERS)
def houghlines(bw: Value, theta: Value, rho: Value, peaks: Value, *args: Value) -> Value:
    """The pieces of lines: a struct array with point1, point2, theta and rho.

    Gaps up to FillGap (20) are bridged, pieces shorter than MinLength (40) left out.
    """
    options = option_pairs("houghlines", args, "FillGap MinLength")
    gap = real_number(options.get("fillgap", 20.0))
    least = real_number(options.get("minlength", 40.0))
    found = as_array(peaks)
    if found.ndim != 2 or found.shape[1] != 2:
        text = "Peaks must be a matrix with two columns."
        raise MatlabError("images:houghlines:expectedPeaks", text)
    angles, distances = as_array(theta).ravel(), as_array(rho).ravel()
    y, x = np.nonzero((as_array(bw) != 0).T)[::-1]
    pieces = []
    for row, column in found.astype(int) - 1:
        angle = np.radians(angles[column])
        place = x * np.cos(angle) + y * np.sin(angle)
        step = distances[1] - distances[0] if distances.size > 1 else 1.0
        on = np.rint((place - distances[row]) / step) == 0
        points = np.stack([x[on], y[on]], axis=1)
        along = points[:, 0] * -np.sin(angle) + points[:, 1] * np.cos(angle)
        points = points[np.argsort(along, kind="stable")]
        if not points.size:
            continue
        apart = np.hypot(*np.diff(points, axis=0).T) > gap
        pieces += [
            (part[0] + 1.0, part[-1] + 1.0, angles[column], distances[row])
            for part in np.split(points, np.flatnonzero(apart) + 1)
            if np.hypot(*(part[-1] - part[0])) >= least
        ]
    return _as_lines(pieces)


def _as_lines(pieces: list[tuple[Array, Array, float, float]]) -> Value:
    def ends(p: Array) -> tuple[Value, Value]:
        first, last = sorted((tuple(p[0]), tuple(p[1])))
        return canonical(np.array([first])), canonical(np.array([last]))

    rows = [(*ends(np.array(p[:2])), float(p[2]), float(p[3])) for p in pieces]
    names = ("point1", "point2", "theta", "rho")
    if len(rows) == 1:
        return Struct(dict(zip(names, rows[0], strict=True)))
    shape = (1, len(rows)) if rows else (0, 0)
    return StructArray(
        {n: object_array([r[k] for r in rows], shape) for k, n in enumerate(names)}, shape
    )


@builtin(
    "checkerboard",
    category=_FAMILY,
    signatures=("I = checkerboard(n, p, q)",),
    cases=("isequal(size(checkerboard), [80 80])", "isequal(checkerboard(1, 1), [0 0.7; 1 0])"),
    see=("phantom", "repmat"),
)
@takes(NUMBER & WHOLE & POSITIVE, NUMBER & WHOLE & POSITIVE, NUMBER & WHOLE & POSITIVE)
def checkerboard(n: Value = 10.0, p: Value = 4.0, q: Value | None = None) -> Value:
    """Squares of n pixels, p by q pairs of them; light ones are gray in the right half."""
    side, down = int(real_number(n)), int(real_number(p))
    right = int(real_number(q)) if q is not None else down
    shape = (2 * down * side, 2 * right * side)
    memory.require_array(shape, np.dtype(float).itemsize)
    y, x = (np.arange(count) // side % 2 for count in shape)
    image = (y[:, None] != x).astype(float)
    image[:, right * side :] *= 0.7
    return canonical(image)
