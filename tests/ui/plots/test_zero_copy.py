"""The picture drawn from a device buffer equals the one that Qt draws from host memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from app.accel.backends.wgpu.native_calls import Mapping
from app.ui.plots.device.renderer import Renderer
from app.ui.plots.device.series_layers import layers_of
from app.ui.plots.series_arrays import Window
from tests.engine.figures.conftest import Plotter
from tests.ui.plots.conftest import brush_for, on_device, on_host

pytestmark = pytest.mark.usefixtures("qapp")
Put = Callable[[Any], dict[str, Any]]
WIDE = Window(0, 1e5, -1.5, 1.5, 300, 200)


def _both(
    m: Plotter, renderer: Renderer, put: Put, window: Window, names: tuple[str, ...]
) -> tuple[Any, Any]:
    """The current series drawn by Qt and by the device."""
    axes = m.axes()
    (series,) = axes["children"]
    expected = on_host(series, axes, window)
    moved = {name: put(series[name]["array"]) for name in names}
    layers = layers_of([{**series, **moved}], brush_for(window, axes), 1.0)
    return expected, on_device(renderer, layers, window)


def _assert_same_strokes(expected: Any, got: Any, *, ink: float = 0.07, far: float = 0.004) -> None:
    """Anti-aliasing may differ by a shade, where the ink is may not.

    ``ink`` bounds the difference in total ink, ``far`` the share of clearly different pixels.
    """
    a, b = expected[:, :, 3].astype(float) / 255, got[:, :, 3].astype(float) / 255
    assert a.sum() > 50
    assert abs(a.sum() - b.sum()) < ink * a.sum() + 5
    assert (np.abs(a - b) > 0.45).mean() < far
    strong = b > 0.9
    colors = [picture[strong][:, :3].mean(axis=0) for picture in (expected, got)]
    np.testing.assert_allclose(*colors, atol=12)


def _noise(count: int, dtype: str = "float64") -> Any:
    x = np.arange(count)
    wave = np.sin(x / count * 20) + 0.05 * np.random.default_rng(1).standard_normal(count)
    return wave.astype(dtype)[:, None]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_line_of_many_points(m: Plotter, renderer: Renderer, put: Put, dtype: str) -> None:
    m.plot(_noise(100_000, dtype))
    _assert_same_strokes(*_both(m, renderer, put, WIDE, ("YData",)))


@pytest.mark.parametrize("gap", [0.0, 1.6])
def test_a_line_that_fills_its_columns(
    m: Plotter, renderer: Renderer, put: Put, gap: float
) -> None:
    """Pieces under the strokes of full columns are left out; those between strokes are not."""
    noise = np.random.default_rng(3).uniform(-0.7, 0.7, (100_000, 1))
    m.plot(noise + gap * (np.arange(100_000)[:, None] // 7000 % 2 - 0.5))
    _assert_same_strokes(*_both(m, renderer, put, WIDE, ("YData",)))


@pytest.mark.parametrize(
    "window",
    [
        Window(40_000, 40_040, -1.5, 1.5, 300, 200),
        Window(99_990, 100_050, -1.5, 1.5, 300, 200),
        Window(100.25, 101.75, -1.5, 1.5, 300, 200),
        Window(60_000, 30_000, 1.5, -1.5, 300, 200),
    ],
    ids=["zoomed", "past the end", "between points", "reversed"],
)
def test_a_zoomed_line(m: Plotter, renderer: Renderer, put: Put, window: Window) -> None:
    m.plot(_noise(100_000))
    _assert_same_strokes(*_both(m, renderer, put, window, ("YData",)))


def test_a_line_over_a_resident_abscissa(m: Plotter, renderer: Renderer, put: Put) -> None:
    x = np.cumsum(np.random.default_rng(2).random((50_000, 1)), axis=0)
    m.plot(x, _noise(50_000))
    window = Window(100, 20_000, -1.5, 1.5, 300, 200)
    _assert_same_strokes(*_both(m, renderer, put, window, ("XData", "YData")))


def test_a_curve_that_turns_back(m: Plotter, renderer: Renderer, put: Put) -> None:
    t = np.linspace(0, 40, 3000)[:, None]
    m.plot(t * np.cos(t), t * np.sin(t), "LineWidth", 2)
    window = Window(-45, 45, -45, 45, 300, 300)
    _assert_same_strokes(*_both(m, renderer, put, window, ("XData", "YData")), ink=0.06)


@pytest.mark.parametrize("style", ["--", ":", "-."])
def test_dashes(m: Plotter, renderer: Renderer, put: Put, style: str) -> None:
    m.plot(np.linspace(-1, 1, 200)[:, None], style, "LineWidth", 2)
    window = Window(1, 200, -1.5, 1.5, 300, 200)
    expected, got = _both(m, renderer, put, window, ("YData",))
    a, b = expected[:, :, 3].astype(float), got[:, :, 3].astype(float)
    assert abs(a.sum() - b.sum()) < 0.12 * a.sum()
    assert (np.abs(a - b) > 128).mean() < 0.01


def test_gaps_where_there_is_no_number(m: Plotter, renderer: Renderer, put: Put) -> None:
    y = np.sin(np.arange(300) / 20)[:, None]
    y[100:150] = np.nan
    y[200] = np.inf
    m.plot(y)
    window = Window(1, 300, -1.5, 1.5, 300, 200)
    expected, got = _both(m, renderer, put, window, ("YData",))
    _assert_same_strokes(expected, got)
    assert not got[:, 103:146].any()


def test_logarithmic_axes(m: Plotter, renderer: Renderer, put: Put) -> None:
    m.loglog(np.exp(np.linspace(0, 9, 5000))[:, None])
    window = Window(0, 4, 0, 4, 300, 200, log_x=True, log_y=True)
    _assert_same_strokes(*_both(m, renderer, put, window, ("YData",)))


@pytest.mark.parametrize(
    "dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "bool", "float32"]
)
def test_every_element_type(m: Plotter, renderer: Renderer, put: Put, dtype: str) -> None:
    y = (np.arange(101) % 7 if dtype != "bool" else np.arange(101) % 2).astype(dtype)[:, None]
    if np.dtype(dtype).kind == "i":
        y = y - np.array(3, dtype)
    m.plot(y)
    window = Window(1, 101, -4, 8, 300, 200)
    _assert_same_strokes(*_both(m, renderer, put, window, ("YData",)))


@pytest.mark.parametrize("marker", list("o+*x.^v<>sdph"))
def test_markers(m: Plotter, renderer: Renderer, put: Put, marker: str) -> None:
    x = np.linspace(10, 290, 12)[:, None]
    m.plot(x, 100 + 60 * np.sin(x / 30), f"{marker}r", "MarkerSize", 12)
    window = Window(0, 300, 0, 200, 300, 200)
    expected, got = _both(m, renderer, put, window, ("XData", "YData"))
    _assert_same_strokes(expected, got, ink=0.15, far=0.006)


def test_an_image_is_equal_to_the_pixel(m: Plotter, renderer: Renderer, put: Put) -> None:
    values = np.add.outer(np.arange(90.0), np.arange(120.0))
    values[10:20, 30:50] = np.nan
    m.imagesc(values)
    window = Window(-10, 125, 95, -3, 300, 200)
    expected, got = _both(m, renderer, put, window, ("CData",))
    assert not got[0, 0].any()
    assert (np.abs(expected.astype(int) - got).max(axis=2) > 3).mean() < 1e-3
    assert (expected == got).all(axis=2).mean() > 0.97


@pytest.mark.parametrize("dtype", ["uint8", "float32", "bool"])
def test_images_of_other_types(m: Plotter, renderer: Renderer, put: Put, dtype: str) -> None:
    values = np.add.outer(np.arange(40), np.arange(50)) % (2 if dtype == "bool" else 90)
    m.imagesc(values.astype(dtype))
    expected, got = _both(m, renderer, put, Window(0.5, 50.5, 40.5, 0.5, 300, 200), ("CData",))
    assert (np.abs(expected.astype(int) - got).max(axis=2) > 3).mean() < 2e-3


def test_true_colours(m: Plotter, renderer: Renderer, put: Put) -> None:
    m.image(np.random.default_rng(3).integers(0, 255, (20, 30, 3), np.uint8))
    expected, got = _both(m, renderer, put, Window(0.5, 30.5, 20.5, 0.5, 300, 200), ("CData",))
    assert np.abs(expected.astype(int) - got).max() <= 1


def test_a_column_of_a_matrix(m: Plotter, renderer: Renderer, put: Put) -> None:
    table = np.column_stack([_noise(4000)[:, 0], -_noise(4000)[:, 0]])
    m.plot(table[:, 1:])
    axes = m.axes()
    (series,) = axes["children"]
    window = Window(1, 4000, -1.5, 1.5, 300, 200)
    whole = put(table)
    column = {**whole, "offset": 4000, "shape": (4000, 1)}
    layers = layers_of([{**series, "YData": column}], brush_for(window, axes), 1.0)
    _assert_same_strokes(on_host(series, axes, window), on_device(renderer, layers, window))


def test_very_many_markers_show_density(m: Plotter, renderer: Renderer, put: Put) -> None:
    cloud = np.random.default_rng(4).standard_normal((300_000, 2))
    m.plot(cloud[:1, :1], cloud[:1, 1:], ".")
    axes = m.axes()
    (series,) = axes["children"]
    window = Window(-4, 4, -4, 4, 200, 200)
    moved = {"XData": put(cloud[:, :1]), "YData": put(cloud[:, 1:])}
    layers = layers_of([{**series, **moved}], brush_for(window, axes), 1.0)
    alpha = on_device(renderer, layers, window)[:, :, 3].astype(float)
    middle, edge = alpha[80:120, 80:120].mean(), alpha[20:40, 20:40].mean()
    assert middle > 150
    assert edge < 60


@pytest.mark.parametrize(
    ("reach", "flipped", "quick", "share"),
    [
        (4.0, 1, False, 0.97),
        (4.0, -1, True, 0.8),
        (0.2, 1, False, 0.995),
        (0.02, -1, False, 0.995),
    ],
    ids=["all", "all, roughly", "close", "very close"],
)
def test_the_density_of_markers_is_their_number_per_pixel(
    m: Plotter, renderer: Renderer, put: Put, reach: float, flipped: int, quick: bool, share: float
) -> None:
    cloud = np.random.default_rng(5).standard_normal((300_000, 2))
    m.plot(cloud[:1, :1], cloud[:1, 1:], ".")
    axes = m.axes()
    moved = {"XData": put(cloud[:, :1]), "YData": put(cloud[:, 1:])}
    window = Window(-flipped * reach, flipped * reach, -reach, reach, 200, 160)
    layers = layers_of([{**axes["children"][0], **moved}], brush_for(window, axes), 1.0)
    frame = renderer.render(layers, window, quick=quick)
    assert frame.coarse is quick
    got = np.frombuffer(frame.data, np.uint8).reshape(160, -1, 4)[:, :200, 3].astype(float)
    ends = [(-reach, reach)] * 2
    hits = np.histogram2d(cloud[:, 1], cloud[:, 0], bins=(160, 200), range=ends)[0][::-1]
    hits = hits[:, ::flipped]
    expected = 255 * np.clip(0.28 + 0.12 * np.log2(hits + 1), 0, 1)
    there = hits > 0
    assert (np.abs(got - expected)[there] < 20).mean() > share
    assert there.sum() > 50


def test_markers_in_the_colours_of_their_values(m: Plotter, renderer: Renderer, put: Put) -> None:
    x = np.linspace(20, 280, 14)[:, None]
    m.scatter(x, 100 + 60 * np.sin(x / 30), 100, x % 100, "filled")
    window = Window(0, 300, 0, 200, 300, 200)
    expected, got = _both(m, renderer, put, window, ("XData", "YData", "CData"))
    _assert_same_strokes(expected, got)
    solid = (expected[:, :, 3] == 255) & (got[:, :, 3] == 255)
    assert solid.sum() > 500
    assert np.abs(expected[solid].astype(int) - got[solid]).max() <= 6


def test_layers_are_painted_in_order(m: Plotter, renderer: Renderer, put: Put) -> None:
    m.plot([0, 0], "r", "LineWidth", 6)
    m.hold("on")
    m.plot([0, 0], "b", "LineWidth", 3)
    axes = m.axes()
    window = Window(1, 2, -1, 1, 100, 41)
    series = [{**s, "YData": put(s["YData"]["array"])} for s in axes["children"]]
    got = on_device(renderer, layers_of(series, brush_for(window, axes), 1.0), window)
    assert got[20, 50].tolist() == [0, 0, 255, 255]
    assert got[17, 50, 0] > 200


def test_a_picture_that_does_not_come_back_does_not_spoil_the_next(
    m: Plotter, renderer: Renderer, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    m.plot(_noise(1000))
    first = _both(m, renderer, put, WIDE, ("YData",))[1]

    def lost(self: Mapping, device: Any) -> None:
        raise RuntimeError("the device does not answer")

    with monkeypatch.context() as patch:
        patch.setattr(Mapping, "wait", lost)
        with pytest.raises(RuntimeError, match="does not answer"):
            _both(m, renderer, put, WIDE, ("YData",))
    assert (_both(m, renderer, put, WIDE, ("YData",))[1] == first).all()
