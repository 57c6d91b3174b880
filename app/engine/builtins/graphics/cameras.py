"""The camera: from where axes are looked at, at what, and how close."""

from __future__ import annotations

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import FINITE, NUMBER, POSITIVE
from app.engine.builtins.graphics.plotting_support import PLOT, split_axes
from app.engine.declarations.registry import builtin
from app.engine.figures.properties import is_text, number_of, plain_text
from app.engine.values import Value


def _property(ctx: CallContext, name: str, args: tuple[Value, ...]) -> Value | None:
    """The value of a camera property, its mode, or a new value or mode."""
    axes, rest = split_axes(ctx, args)
    if not rest:
        return axes.get(name)
    word = plain_text(rest[0]).lower() if is_text(rest[0]) else ""
    if word == "mode":
        return axes.get(f"{name}Mode")
    if word in ("auto", "manual"):
        axes.set(f"{name}Mode", word)
    else:
        axes.set(name, rest[0])
    return None


@builtin(
    "camorbit",
    words="data z",
    least=2,
    category=PLOT,
    signatures=("camorbit(daz,del)", "camorbit(daz,del,'data','z')"),
    cases=("surf(peaks(5)); before = campos; camorbit(10, 0); norm(campos - before) > 0",),
    see=("view",),
)
def camorbit(ctx: CallContext, *args: Value) -> None:
    """Turn the camera around the vertical axis of the data, and up or down, by degrees."""
    axes, rest = split_axes(ctx, args)
    azimuth, elevation = axes["View"]
    axes["View"] = (azimuth - number_of(rest[0]), elevation - number_of(rest[1]))


@builtin(
    "campos",
    words="auto manual mode",
    category=PLOT,
    signatures=("campos([x y z])", "p = campos"),
    cases=(
        "surf(peaks(5)); numel(campos) == 3",
        "surf(peaks(5)); campos([3 -50 0]); v = get(gca, 'View'); abs(v(1)) < 1e-9",
    ),
    see=("view", "camtarget"),
)
def campos(ctx: CallContext, *args: Value) -> Value:
    """From where the axes are looked at, as a point; its direction from the target counts."""
    return _property(ctx, "CameraPosition", args)


@builtin(
    "camtarget",
    words="auto manual mode",
    category=PLOT,
    signatures=("camtarget([x y z])", "p = camtarget"),
    cases=(
        "surf(peaks(5)); numel(camtarget) == 3",
        "surf(peaks(5)); camtarget([1 2 3]); isequal(camtarget, [1 2 3])",
    ),
    see=("campos",),
)
def camtarget(ctx: CallContext, *args: Value) -> Value:
    """What the camera looks at: the middle of the axes, or another point."""
    return _property(ctx, "CameraTarget", args)


@builtin(
    "camup",
    category=PLOT,
    signatures=("camup([x y z])", "p = camup"),
    cases=("surf(peaks(5)); isequal(camup, [0 0 1])",),
    see=("campos",),
)
def camup(ctx: CallContext, *args: Value) -> Value:
    """Which way is up for the camera; pictures have z upwards."""
    return _property(ctx, "CameraUpVector", args)


@builtin(
    "camva",
    words="auto manual mode",
    category=PLOT,
    signatures=("camva(degrees)", "a = camva"),
    cases=("surf(peaks(5)); camva(5); camva == 5",),
    see=("camzoom",),
)
def camva(ctx: CallContext, *args: Value) -> Value:
    """How wide the camera sees, in degrees: half as wide is twice as large."""
    return _property(ctx, "CameraViewAngle", args)


@builtin(
    "camzoom",
    words="",
    least=1,
    category=PLOT,
    signatures=("camzoom(factor)",),
    cases=("surf(peaks(5)); a = camva; camzoom(2); abs(camva - a/2) < 1e-9",),
    see=("camva",),
)
def camzoom(ctx: CallContext, *args: Value) -> None:
    """Look closer by a factor."""
    axes, rest = split_axes(ctx, args)
    (NUMBER & POSITIVE & FINITE)("camzoom", 1, rest[0])
    axes["CameraViewAngle"] = axes["CameraViewAngle"] / number_of(rest[0])
    axes["CameraViewAngleMode"] = "manual"


@builtin(
    "camproj",
    words="orthographic perspective",
    category=PLOT,
    signatures=("camproj(kind)", "k = camproj"),
    cases=("surf(peaks(5)); camproj('perspective'); strcmp(camproj, 'perspective')",),
    see=("view",),
)
def camproj(ctx: CallContext, *args: Value) -> Value:
    """The kind of projection; axes are drawn orthographic."""
    axes, rest = split_axes(ctx, args)
    if not rest:
        return axes.get("Projection")
    axes.set("Projection", rest[0])
    return None
