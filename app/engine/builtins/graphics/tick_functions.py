"""The ticks of the axes: where they are, what is written there, how it is turned and formatted."""

from __future__ import annotations

from app.engine.arguments.call_context import CallContext
from app.engine.builtins.graphics.plotting_support import PLOT, split_axes
from app.engine.declarations.registry import builtin
from app.engine.figures.properties import is_text, plain_text
from app.engine.values import Value
from app.errors import MatlabError
from app.records import record


@record
class Part:
    """One property of the ticks.

    Attributes:
        name: the property's, without the axis.
        argument: what it is called in the signatures.
        words: what the function is about; ``{axis}`` stands for the axis.
        example: of its use; ``{name}`` stands for the function.
    """

    name: str
    argument: str
    words: str
    example: str


PLACES = Part(
    "Tick",
    "v",
    "Where the ticks of the {axis} axis are.",
    "plot3(1:3, 1:3, 1:3); {name}([1 3]); isequal({name}, [1 3])",
)
LABELS = Part(
    "TickLabel",
    "labels",
    "What is written at the ticks of the {axis} axis.",
    "plot3(1:2, 1:2, 1:2); {axis}ticks([1 2]); {name}({{'a', 'b'}}); "
    "isequal(cellstr({name})', {{'a', 'b'}})",
)
ANGLE = Part(
    "TickLabelRotation",
    "degrees",
    "The slant of the labels of the {axis} axis.",
    "plot3(1:3, 1:3, 1:3); {name}(45); {name} == 45",
)
FORMAT = Part(
    "TickFormat",
    "fmt",
    "The format of the numbers at the {axis} axis.",
    "plot3(1:3, 1:3, 1:3); {name}('%.2f'); strcmp({name}, '%.2f')",
)


def declare_ticks(name: str, part: Part) -> None:
    """Declare the function that asks for or sets a property of the ticks of one axis."""
    axis = name[0]

    def change(ctx: CallContext, *args: Value) -> Value:
        return _property(ctx, axis.upper() + part.name, args)

    builtin(
        name,
        category=PLOT,
        signatures=(f"{name}({part.argument})", f"{part.argument} = {name}"),
        text=part.words.format(axis=axis),
        cases=(part.example.format(axis=axis, name=name),),
        see=("xlim", "axis"),
    )(change)


def _property(ctx: CallContext, name: str, args: tuple[Value, ...]) -> Value | None:
    axes, rest = split_axes(ctx, args)
    if len(rest) > 1:
        raise MatlabError("MATLAB:maxrhs", "Too many input arguments.")
    if not rest:
        return axes.get(name)
    word = plain_text(rest[0]).lower() if is_text(rest[0]) else ""
    if word == "mode":
        return axes.get(f"{name}Mode")
    if word in ("auto", "manual"):
        axes[f"{name}Mode"] = word
    else:
        axes.set(name, rest[0])
    return None


declare_ticks("xticks", PLACES)
declare_ticks("yticks", PLACES)
declare_ticks("zticks", PLACES)
declare_ticks("xticklabels", LABELS)
declare_ticks("yticklabels", LABELS)
declare_ticks("zticklabels", LABELS)
declare_ticks("xtickangle", ANGLE)
declare_ticks("ytickangle", ANGLE)
declare_ticks("ztickangle", ANGLE)
declare_ticks("xtickformat", FORMAT)
declare_ticks("ytickformat", FORMAT)
declare_ticks("ztickformat", FORMAT)
