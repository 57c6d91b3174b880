"""``imref2d``: where the pixels of an image lie in the world."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.checks import NUMBERS, POSITIVE, WHOLE, element_count, takes
from app.engine.builtins.property_objects import PropertyObject
from app.engine.declarations.registry import builtin, native_type
from app.engine.values import Array, Value, as_array, canonical, numel
from app.errors import MatlabError


@native_type
class Reference(PropertyObject):
    """Size of an image in pixels and its limits in the world.

    Attributes:
        size: rows and columns.
        x: world limits from left to right, half a pixel beyond the outer centres.
        y: the same from top to bottom.
    """

    class_name = "imref2d"

    def __init__(
        self, size: tuple[int, int], x: tuple[float, float], y: tuple[float, float]
    ) -> None:
        self.size, self.x, self.y = size, x, y

    def properties(self) -> dict[str, Value]:
        """Limits, sizes and extents in both directions."""
        found: dict[str, Value] = {"ImageSize": canonical(np.array([self.size], dtype=np.float64))}
        for letter, ends, n in (("X", self.x, self.size[1]), ("Y", self.y, self.size[0])):
            extent = ends[1] - ends[0]
            found |= {
                f"{letter}WorldLimits": canonical(np.array([ends])),
                f"PixelExtentInWorld{letter}": float(extent / n),
                f"ImageExtentInWorld{letter}": float(extent),
                f"{letter}IntrinsicLimits": canonical(np.array([[0.5, n + 0.5]])),
            }
        return found

    def centres(self) -> tuple[Array, Array]:
        """World places of the pixels' centres."""
        ends = ((self.x, self.size[1]), (self.y, self.size[0]))
        sides = [e[0] + (np.arange(n) + 0.5) * (e[1] - e[0]) / n for e, n in ends]
        x, y = np.meshgrid(*sides)
        return x, y

    def equals(self, other: Value) -> bool:
        """Equal sizes and limits."""
        return isinstance(other, Reference) and (self.size, self.x, self.y) == (
            other.size,
            other.x,
            other.y,
        )


@builtin(
    "imref2d",
    category="images",
    signatures=(
        "R = imref2d([m n])",
        "R = imref2d([m n], sizex, sizey)",
        "R = imref2d([m n], xlimits, ylimits)",
    ),
    cases=(
        "isequal(imref2d([2 3]).XWorldLimits, [0.5 3.5])",
        "imref2d([2 3], 2, 2).ImageExtentInWorldX == 6",
    ),
    see=("imwarp",),
)
@takes(NUMBERS & WHOLE & POSITIVE & element_count(2), NUMBERS, NUMBERS)
def imref2d(size: Value, x: Value = 1.0, y: Value = 1.0) -> Value:
    """Where the pixels of an image lie: from their size, or from world limits."""
    rows, columns = (int(n) for n in as_array(size).ravel())
    sides = [as_array(v).ravel().astype(float) for v in (x, y)]
    if any(s.size not in (1, 2) or (s.size == 2 and s[0] >= s[1]) for s in sides):
        message = "World limits must be two increasing numbers, sizes of pixels one."
        raise MatlabError("images:imref2d:invalidLimits", message)
    if numel(x) == 1:
        return Reference(
            (rows, columns),
            *(
                (float(s[0]) / 2, float(s[0]) / 2 + n * float(s[0]))
                for s, n in zip(sides, (columns, rows), strict=True)
            ),
        )
    return Reference((rows, columns), *((float(s[0]), float(s[-1])) for s in sides))
