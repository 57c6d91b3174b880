"""The missing value."""

from __future__ import annotations

from app.engine.declarations.registry import builtin
from app.engine.values import StringArray, Value

_FAMILY = "strings"


@builtin(
    "missing",
    category=_FAMILY,
    signatures=("m = missing",),
    cases=("ismissing(missing)",),
    see=("ismissing",),
)
def missing() -> Value:
    """The missing value; in a string array a missing string."""
    return StringArray.scalar(None)
