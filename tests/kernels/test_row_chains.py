"""Softmax and its like run row by row as one kernel, with the host's answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from app.accel.runtime.runtime import AccelOptions, Runtime

if TYPE_CHECKING:
    from app.accel.backends.wgpu import WgpuProvider

SHAPES: list[tuple[tuple[int, ...], int | tuple[int, ...]]] = [
    ((600, 1100), 0),
    ((40, 5000), 0),
    ((7, 9001), 0),
    ((20, 33_000), 0),
    ((4500, 130), 1),
    ((9001, 33), 1),
    ((30, 20, 700), (0, 1)),
    ((4200, 8, 9), (1, 2)),
    ((40_000, 3), 1),
    ((40_000, 17), 1),
    ((3, 40_000), 0),
    ((9, 40_000), 0),
]


class Graph:
    """Programs written once for any runtime."""

    def __init__(self, runtime: Runtime, axes: int | tuple[int, ...]) -> None:
        self.runtime, self.axes = runtime, axes if isinstance(axes, tuple) else (axes,)

    def __call__(self, op: str, *nodes: Any) -> Any:
        dtype = next(n.dtype for n in nodes if not isinstance(n, float))
        given = [self.runtime.scalar(n, dtype) if isinstance(n, float) else n for n in nodes]
        return self.runtime.apply(op, tuple(given))

    def over(self, op: str, node: Any) -> Any:
        return self.runtime.apply(op, (node,), (self.axes,))

    def mean(self, node: Any) -> Any:
        count = float(np.prod([node.shape[a] for a in self.axes]))
        return self("rdivide", self.over("sum", node), count)

    def softmax(self, x: Any) -> Any:
        e = self("exp", self("minus", x, self.over("amax", x)))
        return self("rdivide", e, self.over("sum", e))

    def layer_norm(self, x: Any) -> Any:
        away = self("minus", x, self.mean(x))
        spread = self("sqrt", self("plus", self.mean(self("times", away, away)), 1e-5))
        return self("rdivide", away, spread)

    def outliers(self, x: Any) -> Any:
        """A logical array, packed in memory, and a sum of what is left per row."""
        away = self("abs", self("minus", x, self.mean(x)))
        return self("gt", away, self.over("amax", self("rdivide", away, 2.0)))

    def centred_extreme(self, x: Any) -> Any:
        """No elements are left: reductions of reductions alone."""
        away = self("minus", x, self.mean(x))
        return self.over("amax", self("rdivide", away, self.over("amax", self("abs", away))))

    def leaves_domain(self, x: Any) -> Any:
        """Square roots of numbers of which some are negative."""
        root = self("sqrt", self("minus", self.over("amax", x), 3.0))
        return self("minus", x, root)


PROGRAMS = ["softmax", "layer_norm", "outliers", "centred_extreme", "leaves_domain"]
TYPES = ["f8", "f4", "f4", "f8", "f4"]


def data(shape: tuple[int, ...], name: str, *, special: bool) -> np.ndarray[Any, Any]:
    x = np.random.default_rng(len(shape)).normal(size=shape).astype(name)
    if special:
        x.reshape(-1)[[0, 5, 900, 2000]] = [np.nan, np.inf, -np.inf, -0.0]
    return np.asfortranarray(x)


def gathered(runtime: Runtime, program: str, x: np.ndarray[Any, Any], axes: Any) -> Any:
    """The answer for an array that the device made and nobody else holds: it may be overwritten."""
    graph = Graph(runtime, axes)
    node = graph("times", runtime.leaf(x), 1.0)
    runtime.evaluate([node])
    made = getattr(graph, program)(node)
    del node
    return runtime.gather(made)


@pytest.mark.parametrize(("shape", "axes"), SHAPES)
@pytest.mark.parametrize(("program", "name"), list(zip(PROGRAMS, TYPES, strict=True)))
def test_rows_are_those_of_the_host(
    graphics: WgpuProvider, program: str, shape: tuple[int, ...], axes: Any, name: str
) -> None:
    runtime = Runtime(AccelOptions(device="gpu", verify=True), graphics)
    host = Runtime(AccelOptions(device="cpu", verify=True))
    for special in (False, True):
        x = data(shape, name, special=special)
        with np.errstate(all="ignore"):
            wanted = gathered(host, program, x, axes)
        for _ in range(2):
            found = gathered(runtime, program, x, axes)
            assert found.dtype == wanted.dtype
            close = 2e-6 if name == "f4" else 1e-13
            if found.dtype == bool:
                assert np.mean(found != wanted) < 1e-3  # of sums that differ by a rounding
            else:
                assert np.allclose(found, wanted, rtol=close * 20, atol=close, equal_nan=True)
            graphics._compiler.ahead.wait()
    host.close()


@pytest.mark.parametrize(("shape", "axes"), [((600, 1100), 0), ((4500, 130), 1)])
def test_a_softmax_is_one_dispatch_that_reads_its_rows_once(
    graphics: WgpuProvider, shape: tuple[int, ...], axes: int
) -> None:
    runtime = Runtime(AccelOptions(device="gpu", verify=True), graphics)
    dispatches = []
    for program in ("softmax", "layer_norm"):
        for _ in range(2):
            before = runtime.recorder.counters.dispatches
            gathered(runtime, program, data(shape, "f4", special=False), axes)
            dispatches.append(runtime.recorder.counters.dispatches - before)
            graphics._compiler.ahead.wait()
    assert dispatches[1] == dispatches[3] == 2  # the data, and all that is made of them


def scanned(graph: Graph, op: str, node: Any, *, reverse: bool = False) -> Any:
    return graph.runtime.apply(op, (node,), (graph.axes[0], reverse))


def drawdown(graph: Graph, x: Any) -> Any:
    """The largest loss from a running peak: two scans and a reduction over both."""
    wealth = scanned(graph, "cumprod", graph("plus", graph("rdivide", x, 100.0), 1.0))
    peak = scanned(graph, "cummax", wealth)
    return graph.over("amax", graph("minus", 1.0, graph("rdivide", wealth, peak)))


def share_to_come(graph: Graph, x: Any) -> Any:
    """A scan backwards between a reduction and elements."""
    away = graph("abs", graph("minus", x, graph.over("amin", x)))
    later = scanned(graph, "cumsum", away, reverse=True)
    return graph("rdivide", away, graph("plus", later, graph.over("amax", away)))


LINES = [
    ((3, 20_000), 0),
    ((70, 5000), 0),
    ((1100, 600), 0),
    ((4001, 140), 0),
    ((4500, 131), 1),
    ((9001, 2), 1),
]


@pytest.mark.parametrize(("shape", "axis"), LINES)
@pytest.mark.parametrize("name", ["f4", "f8"])
def test_scans_and_what_is_made_of_them_are_those_of_the_host(
    graphics: WgpuProvider, shape: tuple[int, ...], axis: int, name: str
) -> None:
    runtime = Runtime(AccelOptions(device="gpu", verify=True), graphics)
    host = Runtime(AccelOptions(device="cpu", verify=True))
    for program in (drawdown, share_to_come):
        for special in (False, True):
            x = data(shape, name, special=special)
            for _ in range(2):
                found = runtime.gather(program(Graph(runtime, axis), runtime.leaf(x)))
                graphics._compiler.ahead.wait()
            with np.errstate(all="ignore"):
                wanted = host.gather(program(Graph(host, axis), host.leaf(x)))
            close = 1e-4 if name == "f4" else 1e-12
            assert np.allclose(found, wanted, rtol=close, atol=close, equal_nan=True)
    host.close()


def test_scans_are_kernels_of_their_own(graphics: WgpuProvider) -> None:
    """As phases of a chain they are slower by more than a chain saves."""
    runtime = Runtime(AccelOptions(device="gpu", verify=True), graphics)
    x = data((600, 1100), "f4", special=False)
    for _ in range(2):
        before = runtime.recorder.counters.dispatches
        runtime.gather(drawdown(Graph(runtime, 0), runtime.leaf(x)))
        dispatches = runtime.recorder.counters.dispatches - before
        graphics._compiler.ahead.wait()
    assert dispatches >= 3  # two scans, and what is made of them
