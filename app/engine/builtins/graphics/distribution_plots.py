"""How samples are distributed: shares as steps, quantiles against each other, fitted bells."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import enough
from app.engine.builtins.graphics.lines import drawn, result
from app.engine.builtins.graphics.plotting_support import PLOT, figures, new_series, plotting_axes
from app.engine.declarations.device_support import CONTAINER
from app.engine.declarations.registry import builtin
from app.engine.figures.figure_data import HostData
from app.engine.figures.mark_geometry import Geometry
from app.engine.figures.objects import GraphicsArray, GraphicsObject
from app.engine.values import EMPTY, Array, Struct, Value, as_array, numel
from app.errors import MatlabError

_QUARTERS = np.array([0.25, 0.75])


def _sorted_finite(geometry: Geometry, sample: Value) -> Value:
    """The finite values in order, where they are."""
    from app.engine.interpreter.indexing.index_read import paren

    column = geometry.column(sample)
    return geometry("sort", paren(column, geometry("isfinite", column)))


def _shares(geometry: Geometry, count: int) -> Value:
    """Midpoints of equal shares, one per value."""
    ranks = geometry.column(geometry("colon", 1.0, float(count)))
    return geometry("rdivide", geometry("minus", ranks, 0.5), float(count))


def _bell(geometry: Geometry, shares: Value) -> Value:
    """Quantiles of the standard normal distribution."""
    inner = geometry("minus", geometry("times", shares, 2.0), 1.0)
    return geometry("times", geometry("erfinv", inner), 2**0.5)


def _name(ctx: CallContext, axes: GraphicsObject, *texts: str) -> None:
    """Title and labels."""
    for part, text in zip(("Title", "XLabel", "YLabel"), texts, strict=True):
        figures(ctx).part(axes, part).set("String", text)


@builtin(
    "cdfplot",
    category=PLOT,
    signatures=("[h,stats] = cdfplot(x)",),
    device=CONTAINER,
    cases=(
        "h = cdfplot([3 1 2]); isequal(max(h.YData), 1)",
        "[h, s] = cdfplot([3 1 2]); isequal([s.min s.max s.mean s.median s.std], [1 3 2 2 1])",
    ),
    see=("histogram",),
)
def cdfplot(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Draw the share of values up to every value, as steps; ``stats`` describes the sample."""
    axes, rest = plotting_axes(ctx, args)
    enough(rest, 1)
    sample = rest[0]
    geometry = Geometry(ctx)
    x = _sorted_finite(geometry, sample)
    count = numel(x)
    shares = geometry("rdivide", geometry.column(geometry("colon", 0.0, float(count))), count * 1.0)
    first = geometry("vertcat", float(geometry.number("min", x)), x)
    made = new_series(ctx, axes, "stair", geometry.named(XData=first, YData=shares))
    axes.values.update(XGrid=True, YGrid=True, Box=True)
    _name(ctx, axes, "Empirical CDF", "x", "F(x)")
    if nargout < 2:
        return result([made], nargout)
    return made, Struct({name: ctx.call(name, (x,))[0] for name in _DESCRIBED})


_DESCRIBED = ("min", "max", "mean", "median", "std")


def _quantile_plot(
    ctx: CallContext, axes: GraphicsObject, x: Value, y: Value
) -> list[GraphicsObject]:
    """Quantiles against quantiles, and the line through their quarters."""
    geometry = Geometry(ctx)
    points = new_series(
        ctx, axes, "line", {**geometry.named(XData=x, YData=y), "LineStyle": "none", "Marker": "+"}
    )
    places = _QUARTERS * numel(y) - 0.5
    low, high = (
        np.clip(np.floor(places), 0, numel(y) - 1),
        np.clip(np.ceil(places), 0, numel(y) - 1),
    )
    ends: list[Array] = [
        (geometry.elements(part, low) + geometry.elements(part, high)) / 2 for part in (x, y)
    ]
    slope = float((ends[1][1] - ends[1][0]) / ((ends[0][1] - ends[0][0]) or 1.0))
    reach = np.array(points["XData"].limits() or (0.0, 1.0))
    line = ends[1][0] + slope * (reach - ends[0][0])
    made = [points]
    for style, across, up in (("-", ends[0], ends[1]), ("-.", reach, line)):
        made.append(
            new_series(
                ctx,
                axes,
                "line",
                {
                    "XData": HostData(across[None, :]),
                    "YData": HostData(up[None, :]),
                    "Color": (0.85, 0.325, 0.098),
                    "LineStyle": style,
                },
            )
        )
    axes["Box"] = True
    return made


@builtin(
    "qqplot",
    category=PLOT,
    signatures=("h = qqplot(x)", "qqplot(x,y)", "qqplot(x,y,percents)"),
    device=CONTAINER,
    cases=(
        "h = qqplot(randn(50, 1)); numel(h) == 3",
        "h = qqplot([1; 3; 5], [2; 4; 6], 50); isequal([h(1).XData h(1).YData], [3 4])",
        "h = qqplot([0; 10; 20], [], [25 50 75]); numel(h(1).YData) == 3",
    ),
    see=("normplot",),
)
def qqplot(
    ctx: CallContext, x: Value, y: Value = EMPTY, percents: Value = EMPTY, *, nargout: int = 0
) -> Value:
    """Quantiles of a sample against those of another one, or of the normal distribution."""
    axes, _rest = plotting_axes(ctx, ())
    geometry = Geometry(ctx)
    first = _sorted_finite(geometry, x)
    if numel(y):
        second = _sorted_finite(geometry, y)
        wanted = _shares_of(percents, min(numel(first), numel(second)))
        pair = [_quantiles(geometry, part, wanted) for part in (first, second)]
        made = _quantile_plot(ctx, axes, pair[0][:, None], pair[1][:, None])
        _name(ctx, axes, "", "X Quantiles", "Y Quantiles")
    else:
        shares = _shares(geometry, numel(first))
        if numel(percents):
            wanted = _shares_of(percents, numel(first))
            first, shares = _quantiles(geometry, first, wanted)[:, None], wanted[:, None]
        made = _quantile_plot(ctx, axes, _bell(geometry, shares), first)
        _name(
            ctx,
            axes,
            "QQ Plot of Sample Data versus Standard Normal",
            "Standard Normal Quantiles",
            "Quantiles of Input Sample",
        )
    return GraphicsArray(made) if nargout else None


def _shares_of(percents: Value, count: int) -> Array:
    """The shares at which quantiles are taken: given in percent, or those of ``count`` values."""
    if numel(percents):
        return np.asarray(as_array(percents), dtype=np.float64).ravel(order="F") / 100
    found: Array = (np.arange(count) + 0.5) / count
    return found


def _quantiles(geometry: Geometry, ordered: Value, wanted: Array) -> Array:
    """Quantiles of values in order."""
    count = numel(ordered)
    places = np.clip(wanted * count - 0.5, 0, count - 1)
    low, high = (geometry.elements(ordered, way(places)) for way in (np.floor, np.ceil))
    found: Array = low + (places % 1) * (high - low)
    return found


@builtin(
    "normplot",
    category=PLOT,
    signatures=("h = normplot(x)",),
    device=CONTAINER,
    cases=("h = normplot(randn(50, 1)); numel(h) == 3",),
    see=("qqplot",),
)
def normplot(ctx: CallContext, x: Value, *, nargout: int = 0) -> Value:
    """A sample against shares on a scale on which normal ones lie on a line."""
    axes, _rest = plotting_axes(ctx, ())
    geometry = Geometry(ctx)
    ordered = _sorted_finite(geometry, x)
    made = _quantile_plot(ctx, axes, ordered, _bell(geometry, _shares(geometry, numel(ordered))))
    ticks = np.array([0.003, 0.02, 0.1, 0.25, 0.5, 0.75, 0.9, 0.98, 0.997])
    axes.values.update(
        YTick=tuple(geometry.elements(_bell(geometry, ticks[:, None]), np.arange(9)).tolist()),
        YTickMode="manual",
        YTickLabel=tuple(f"{t:g}" for t in ticks),
        YTickLabelMode="manual",
        XGrid=True,
        YGrid=True,
    )
    _name(ctx, axes, "Normal Probability Plot", "Data", "Probability")
    return GraphicsArray(made) if nargout else None


@builtin(
    "histfit",
    category=PLOT,
    signatures=("h = histfit(x,bins)",),
    device=CONTAINER,
    cases=("h = histfit(randn(200, 1)); numel(h) == 2",),
    see=("histogram",),
)
def histfit(ctx: CallContext, x: Value, bins: Value = EMPTY, *, nargout: int = 0) -> Value:
    """A histogram with the normal distribution of the same mean and deviation."""
    geometry = Geometry(ctx)
    count = numel(x)
    if count < 2:
        raise MatlabError("stats:histfit:NotEnoughData", "The data needs at least two values.")
    bars = drawn(ctx, "histogram", (x, bins if numel(bins) else float(np.ceil(count**0.5))))
    axes = bars.parent
    assert axes is not None
    mean, spread = (geometry.number(name, x) for name in ("mean", "std"))
    edges = np.array(bars["BinEdges"])
    at = np.linspace(mean - 4 * spread, mean + 4 * spread, 200)
    heights = count * (edges[1] - edges[0]) * np.exp(-(((at - mean) / spread) ** 2) / 2)
    line = new_series(
        ctx,
        axes,
        "line",
        {
            "XData": HostData(at[None, :]),
            "YData": HostData(heights[None, :] / (spread * (2 * np.pi) ** 0.5)),
            "LineWidth": 2.0,
            "Color": (1.0, 0.0, 0.0),
        },
    )
    return GraphicsArray([bars, line]) if nargout else None
