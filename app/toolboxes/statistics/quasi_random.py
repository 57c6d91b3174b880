"""Points of Sobol, which the class ``sobolset`` numbers, skips and scrambles."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.engine.declarations.registry import builtin
from app.engine.values import Array, Value, as_array, canonical, float_of, int_of, numel
from app.errors import MatlabError

_BITS = 53
_MOST = 1111
"""Dimensions that sobolset takes."""


@builtin(
    "matlab.internal.sobolpoints",
    category="statistics",
    signatures=("X = matlab.internal.sobolpoints(numbers, d, graycode, lower, shift)",),
    cases=(
        "isequal(matlab.internal.sobolpoints((0:3)', 2, false, [], []), "
        "[0 0; .5 .5; .25 .75; .75 .25])",
        "isequal(matlab.internal.sobolpoints((0:3)', 2, true, [], []), "
        "[0 0; .5 .5; .75 .25; .25 .75])",
    ),
)
def sobolpoints(numbers: Value, d: Value, graycode: Value, lower: Value, shift: Value) -> Value:
    """Points of Sobol by their numbers from 0, one a row; each digit of a scrambled one is a sum of
    the digits before it, by the rows of ``lower``, and of those of ``shift``."""
    wanted = as_array(numbers).ravel().astype(np.uint64)
    count = int_of(d)
    if not 1 <= count <= _MOST:
        text = f"The number of dimensions must be an integer from 1 to {_MOST}."
        raise MatlabError("stats:qrandset:BadDimensions", text)
    if float_of(graycode):
        wanted ^= wanted >> np.uint64(1)
    directions = _directions(count)
    if numel(lower):
        directions = _scrambled(directions, as_array(lower))
    made = np.zeros((len(wanted), count), np.uint64)
    for bit in range(int(wanted.max(initial=0)).bit_length()):
        made[(wanted >> np.uint64(bit)) & np.uint64(1) == 1] ^= directions[:, bit]
    if numel(shift):
        made ^= _numbers_of_digits(as_array(shift).reshape(count, _BITS, order="F"))
    return canonical(made.astype(float) * 2.0**-_BITS)


def _directions(count: int) -> NDArray[np.uint64]:
    """The numbers of directions, a row for each dimension, with the first digit as highest bit."""
    from scipy.stats import qmc

    made = qmc.Sobol(count, scramble=False, bits=_BITS)
    return np.asarray(made._sv, np.uint64)  # noqa: SLF001 - its points only come in their order


def _scrambled(directions: NDArray[np.uint64], lower: Array) -> NDArray[np.uint64]:
    """Directions whose digits are sums of digits: a matrix of 0 and 1 for each dimension."""
    places = np.arange(_BITS - 1, -1, -1, dtype=np.uint64)
    digits = (directions[:, :, None] >> places) & np.uint64(1)  # dimension, direction, digit
    matrices = lower.reshape(_BITS, _BITS, -1, order="F")
    sums = np.einsum("ijd,dkj->dki", matrices.astype(np.int64), digits.astype(np.int64)) % 2
    return _numbers_of_digits(sums)


def _numbers_of_digits(digits: Array) -> NDArray[np.uint64]:
    """Numbers whose binary digits stand along the last axis, the highest first."""
    places = np.arange(_BITS - 1, -1, -1, dtype=np.uint64)
    shifted = digits.astype(np.uint64) << places
    return np.asarray(np.bitwise_or.reduce(shifted, axis=-1), np.uint64)
