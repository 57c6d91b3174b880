"""Contours as numbers and with their heights; groups, defaults and texts placed by hand."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import element_count, unknown_option
from app.engine.builtins.graphics.lines import result
from app.engine.builtins.graphics.plotting_support import (
    PLOT,
    apply_options,
    figures,
    is_handle,
    options_of,
    split_axes,
    taken_handle,
)
from app.engine.declarations.device_support import CONTAINER
from app.engine.declarations.registry import builtin
from app.engine.figures.contours import contour_lines
from app.engine.figures.dates import DATE
from app.engine.figures.objects import GraphicsObject, items_of
from app.engine.figures.properties import is_text, plain_text
from app.engine.figures.series_data import host_data_of
from app.engine.figures.ticks import linear_ticks
from app.engine.values import (
    Array,
    Struct,
    Value,
    as_array,
    canonical,
    float_of,
    int_of,
    is_text_scalar,
    numel,
    text_of,
)
from app.errors import MatlabError

_GREEK = frozenset(
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau "
    "upsilon phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega".split()
)


@builtin(
    "contourc",
    least=1,
    category=PLOT,
    signatures=("M = contourc(X,Y,Z,levels)", "M = contourc(Z)"),
    device=CONTAINER,
    cases=("size(contourc([0 0;1 1],[0.5 0.5]),1) == 2",),
    see=("contour",),
)
def contourc(ctx: CallContext, *args: Value) -> Value:
    """Lines of equal height as numbers: two rows, each line headed by its level and length."""
    arrays = [host_data_of(ctx, value).array.astype(np.float64) for value in args]
    wanted = arrays.pop() if len(arrays) in (2, 4) else np.zeros(0)
    z = arrays[-1]
    x, y = (
        arrays[:2]
        if len(arrays) == 3
        else (np.arange(1.0, z.shape[1] + 1), np.arange(1.0, z.shape[0] + 1))
    )
    ends = float(np.nanmin(z)), float(np.nanmax(z))
    if wanted.size > 1:
        levels = sorted(set(wanted.reshape(-1).tolist()))
    elif wanted.size:
        levels = np.linspace(*ends, int(wanted.flat[0]) + 2)[1:-1].tolist()
    else:
        levels = [tick for tick in linear_ticks(ends, 10) if ends[0] < tick < ends[1]]
    parts = [
        np.concatenate([[[level], [len(line)]], line.T], axis=1)
        for level in levels
        for line in contour_lines(x, y, z, level)
    ]
    return canonical(np.concatenate(parts, axis=1)) if parts else np.zeros((2, 0))


@builtin(
    "clabel",
    category=PLOT,
    signatures=("clabel(C,h)", "t = clabel(C,h,levels)"),
    device=CONTAINER,
    cases=("[C, h] = contour(peaks(10)); clabel(C, h); strcmp(h.ShowText, 'on')",),
    see=("contour",),
)
def clabel(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Write the heights on the lines of a contour plot."""
    chosen = [value for value in args if is_handle(value, "contour")]
    if not chosen:
        chosen = [c for c in figures(ctx).gca().children if c.kind.name == "contour"]
    for item in chosen:
        item["ShowText"] = True
    return np.zeros((0, 0)) if nargout else None


@builtin(
    "hggroup",
    category=PLOT,
    signatures=("g = hggroup(Name,Value)",),
    cases=("g = hggroup; isgraphics(g)",),
    see=("axes",),
)
def hggroup(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """A group for handles; what is put into it is shown in its axes."""
    axes, rest = split_axes(ctx, args)
    made = GraphicsObject("hggroup", figures(ctx), axes)
    apply_options(made, options_of(rest))
    return result([made], nargout)


@builtin(
    "hgtransform",
    category=PLOT,
    signatures=("t = hgtransform(Name,Value)",),
    cases=(
        "t = hgtransform; h = plot(1:3, 'Parent', t); t.Matrix = makehgtform('translate', "
        "[10 0 0]); a = xlim; a(1) > 5",
    ),
    see=("makehgtform", "hggroup"),
)
def hgtransform(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """A group whose ``Matrix`` moves everything that is put into it."""
    axes, rest = split_axes(ctx, args)
    made = GraphicsObject("hgtransform", figures(ctx), axes)
    apply_options(made, options_of(rest))
    return result([made], nargout)


_TURNS = frozenset(("xrotate", "yrotate", "zrotate"))


def _turned_about(way: Array, angle: float) -> Array:
    """The matrix that turns around a direction."""
    x, y, z = way / np.linalg.norm(way)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    found = np.eye(4)
    found[:3, :3] = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    return found


@builtin(
    "makehgtform",
    category=PLOT,
    see=("hgtransform",),
    signatures=(
        "M = makehgtform('translate',[x y z])",
        "makehgtform('scale',s)",
        "makehgtform('xrotate',t)",
        "makehgtform('axisrotate',[x y z],t)",
    ),
    cases=(
        "isequal(makehgtform, eye(4))",
        "M = makehgtform('zrotate', pi/2); norm(M(1:2, 1:2) - [0 -1; 1 0]) < 1e-12",
    ),
)
def makehgtform(*args: Value) -> Value:
    """The 4-by-4 matrix of movements, one after the other."""
    rest, found = list(args), np.eye(4)
    while rest:
        word = plain_text(rest.pop(0)).lower()
        if len(rest) < 1 + (word == "axisrotate"):
            raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
        numbers = as_array(rest.pop(0)).astype(np.float64).reshape(-1)
        step = np.eye(4)
        if word == "translate":
            while numbers.size < 3 and rest:
                numbers = np.append(numbers, as_array(rest.pop(0)).reshape(-1))
            element_count(3)("makehgtform", 2, canonical(numbers.reshape(1, -1)))
            step[:3, 3] = numbers
        elif word == "scale":
            step[[0, 1, 2], [0, 1, 2]] = numbers
        elif word == "axisrotate":
            step = _turned_about(numbers, float_of(rest.pop(0)))
        elif word in _TURNS:
            step = _turned_about(np.eye(3)["xyz".index(word[0])], float(numbers[0]))
        else:
            raise MatlabError("MATLAB:makehgtform:UnknownOption", f"Unknown option '{word}'.")
        found = found @ step
    return canonical(found)


@builtin(
    "reset",
    category=PLOT,
    signatures=("reset(h)", "reset(d)"),
    cases=("f = figure('Name', 'a'); reset(f); isempty(f.Name)",),
    see=("cla", "set", "gpuDevice"),
)
def reset(ctx: CallContext, target: Value) -> None:
    """Give the properties of objects their defaults; what they hold and where they are stays.

    ``reset(gpuDevice)`` empties the memory of the device.
    """
    if isinstance(target, Struct) and "DeviceAvailable" in target.fields:
        _reset_device(ctx)
        return
    for item in items_of(target):
        kept = {
            name: item.values[name]
            for name in item.values
            if name.endswith(("Data", "Position"))
            or name in ("Vertices", "Faces", "Units")
            or name not in item.kind.properties
        }
        item.values = kept
        item.touch()


@builtin("gtext", category=PLOT, signatures=("h = gtext(txt)",), see=("text", "ginput"))
def gtext(ctx: CallContext, label: Value, *args: Value, nargout: int = 0) -> Value:
    """Write a text where somebody clicks."""
    from app.engine.builtins.graphics.interaction import visible_figures

    visible_figures(ctx, "gtext")
    place = as_array(ctx.call("ginput", (1.0,), 1)[0]).reshape(-1)
    found = ctx.call("text", (float(place[0]), float(place[1]), label, *args), 1)
    return found[0] if nargout else None


@builtin(
    "texlabel",
    category=PLOT,
    signatures=("s = texlabel(f)",),
    cases=(
        "strcmp(texlabel('lambda^2'), '{\\lambda}^{2}')",
        "strcmp(texlabel('lambda12^(3/2)*x'), '{\\lambda_{12}}^{(3/2)} {x}')",
    ),
    see=("title",),
)
def texlabel(formula: Value, literal: Value = "") -> Value:
    """The TeX markup of a formula: Greek names become letters, powers and indices are raised.

    With 'literal' the Greek names stay as they are.
    """
    import re

    from app.engine.figures.properties import lines_of

    if not is_text_scalar(literal) or text_of(literal) not in ("", "literal"):
        raise unknown_option("texlabel", literal, "literal")
    text, spelled = " ".join(lines_of(formula)), text_of(literal) == "literal"

    def word(match: re.Match[str]) -> str:
        name, number = match.groups()
        letter = f"\\{name}" if name in _GREEK and not spelled else name
        return f"{{{letter}_{{{number}}}}}" if number else f"{{{letter}}}"

    def raised(match: re.Match[str]) -> str:
        return f"{match[1]}{{{names(match[2])}}}"

    def names(part: str) -> str:
        return re.sub(r"\b([A-Za-z]+)_?(\d*)\b", word, part).replace("*", " ")

    parts = re.split(r"([\^_](?:\([^()]*\)|-?\w+))", re.sub(r"_(?=\d)", "", text))
    power = re.compile(r"([\^_])(.*)", re.DOTALL)
    return "".join(power.sub(raised, p) if k % 2 else names(p) for k, p in enumerate(parts))


_STYLES = {
    0: "dd-MMM-yyyy HH:mm:ss",
    1: "dd-MMM-yyyy",
    2: "MM/dd/yy",
    3: "MMM",
    5: "MM",
    6: "MM/dd",
    7: "dd",
    8: "ddd",
    10: "yyyy",
    11: "yy",
    12: "MMMyy",
    13: "HH:mm:ss",
    15: "HH:mm",
    19: "dd/MM",
    20: "dd/MM/yy",
    23: "MM/dd/yyyy",
    24: "dd/MM/yyyy",
    28: "MMMyyyy",
    29: "yyyy-MM-dd",
    31: "yyyy-MM-dd HH:mm:ss",
}
_OLD_FIELDS = (
    ("dd", "dd"),
    ("mmmm", "MMMM"),
    ("mmm", "MMM"),
    ("HH", "HH"),
    ("MM", "mm"),
    ("mm", "MM"),
    ("SS", "ss"),
    ("PM", "a"),
)


def _date_form(text: str) -> str:
    """A format of ``datestr`` (months ``mm``, minutes ``MM``) as one of ``datetime``."""
    import re

    table = dict(_OLD_FIELDS)
    return re.sub("|".join(old for old, _new in _OLD_FIELDS), lambda m: table[m.group(0)], text)


@builtin(
    "datetick",
    category=PLOT,
    see=("datenum", "xtickformat"),
    signatures=("datetick", "datetick('x','mmm yyyy')", "datetick(...,'keeplimits')"),
    cases=("plot(739000:739009, 1:10); datetick('x', 'mmm'); ~isempty(xticklabels)",),
)
def datetick(ctx: CallContext, *args: Value) -> None:
    """Write the serial date numbers of an axis as dates."""
    axes, rest = split_axes(ctx, args)
    words = [plain_text(word) for word in rest if is_text(word)]
    words = [word for word in words if word.lower() not in ("keeplimits", "keepticks")]
    letter = "X"
    if words and words[0].lower() in ("x", "y", "z"):
        letter = words.pop(0).upper()
    numbers = [int_of(v) for v in rest if not is_text(v)]
    form = _date_form(words[0]) if words else _STYLES.get(numbers[0], "") if numbers else ""
    axes[f"{letter}TickFormat"] = f"{DATE}:{form}" if form else DATE


@builtin(
    "orient",
    category=PLOT,
    signatures=("orient(fig,way)", "w = orient"),
    cases=("isempty(evalc('orient landscape'))",),
    see=("print",),
)
def orient(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Whether a figure is printed on a page that stands (portrait) or lies (landscape)."""
    rest = list(args)
    target = taken_handle(rest, "figure") or figures(ctx).gcf()
    words = [plain_text(word).lower() for word in rest if is_text(word) and numel(word)]
    if words:
        target["PaperOrientation"] = words[0]
    return target.get("PaperOrientation") if nargout or not words else None


def _reset_device(ctx: CallContext) -> None:
    """Empty the device's memory; arrays that can be computed again are, when they are needed."""
    if ctx.runtime is not None:
        ctx.runtime.reset_device()
