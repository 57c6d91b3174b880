"""No kernel is longer than compilers take in half a second, however long a chain is."""

from __future__ import annotations

import numpy as np
import pytest

from app.accel.backends.null import NullProvider
from app.accel.codegen.compile_weight import WEIGHTS
from app.accel.codegen.generate import generate
from app.accel.codegen.wgsl.layout import Abilities
from app.accel.codegen.wgsl.program import Variant
from app.accel.codegen.wgsl.tuning import Tuning
from app.accel.fusion.compile_budget import BUDGET
from app.accel.fusion.loops import loop_trace
from app.accel.ir.dtypes import DType
from app.accel.ir.node import Node
from app.accel.ir.plan import KernelRequest
from app.accel.runtime.runtime import AccelOptions, Runtime
from app.engine.capture import capture_session
from app.errors import Unsupported
from tests.engine.interpreter.running import Machine
from tests.spellings.campaign import outcome

SHAPE = (5000, 1)


@pytest.fixture
def runtime(null: NullProvider) -> Runtime:
    return Runtime(AccelOptions(device="gpu", verify=True, chain_limit=10000), null)


def weight(kernel: KernelRequest) -> int:
    """As the budget counts it, but from the finished kernel."""
    return sum(WEIGHTS.get(instr.op, 0) for instr in (*kernel.body, *kernel.epilogue))


def walk_of(runtime: Runtime, passes: int) -> Node:
    """A draw in every pass, each of a stream of its own: no loop is made of that."""
    apply = runtime.apply
    x = runtime.leaf(np.ones(SHAPE))
    for k in range(passes):
        drawn = apply("random_normal", (), (DType.F64, SHAPE), (7 + k * k, 0))
        x = apply("plus", (x, apply("times", (apply("tanh", (x,)), drawn))))
    return x


def test_a_walk_of_many_draws_is_cut_alike(runtime: Runtime, null: NullProvider) -> None:
    runtime.evaluate([walk_of(runtime, 60)])
    assert max(map(weight, null.kernels)) <= BUDGET
    assert len(null.dispatched) >= 60 * (WEIGHTS["random_normal"] + WEIGHTS["tanh"]) / BUDGET
    assert len({kernel.key for kernel in null.kernels}) <= 3, "its parts share a kernel"
    runtime.close()


def test_roots_that_would_share_a_walk_part_before_it_is_too_long(
    runtime: Runtime, null: NullProvider
) -> None:
    x = runtime.leaf(np.linspace(0.1, 1, 5000).reshape(SHAPE, order="F"))
    names = ["sin", "cos", "exp", "log1p", "tanh", "erf", "gamma", "sinh", "cosh", "atan", "tan"]
    runtime.evaluate([runtime.apply(name, (x,)) for name in names])
    assert max(map(weight, null.kernels)) <= BUDGET
    assert 1 < len(null.dispatched) < len(names)
    runtime.close()


@pytest.mark.parametrize("compared", [False, True], ids=["singles", "logicals"])
def test_functions_with_a_loop_inside_are_written_once(
    runtime: Runtime, null: NullProvider, compared: bool
) -> None:
    """Compilers take cubic time over copies of loops: six remainders in eight copies a minute."""
    x = runtime.leaf(np.ones(SHAPE, np.float32))
    found = [runtime.apply("mod", (x, runtime.scalar(k + 2.5, DType.F32))) for k in range(6)]
    if compared:
        found = [runtime.apply("lt", (y, runtime.scalar(1.0, DType.F32))) for y in found[:5]]
    runtime.evaluate(found)
    [kernel] = null.kernels
    [program] = generate(kernel, Variant(), Abilities(f64=True, int64=True), Tuning())
    assert program.source.count("point(") == 2, "where it is defined and where it is called"
    runtime.close()


def test_complex_functions_weigh_what_their_texts_take(
    runtime: Runtime, null: NullProvider
) -> None:
    """A complex logarithm is the text of twenty real ones: two are two kernels, none is copied."""
    x = runtime.leaf(np.linspace(1, 2, 5000).reshape(SHAPE, order="F") * (1 + 1j))
    y = runtime.apply("plus", (x, x))
    runtime.evaluate([runtime.apply("log", (x,)), runtime.apply("log", (y,))])
    logs = [kernel for kernel in null.kernels if any(i.op == "log" for i in kernel.body)]
    assert [sum(i.op == "log" for i in kernel.body) for kernel in logs] == [1, 1]
    for kernel in logs:
        [program] = generate(kernel, Variant(), Abilities(f64=True, int64=True), Tuning())
        assert program.source.count("point(") == 2, "where it is defined and where it is called"
    runtime.close()


@pytest.mark.parametrize("axis", [(0, 1), (0,), (1,)], ids=["all", "columns", "rows"])
def test_long_bodies_are_not_copied(
    runtime: Runtime, null: NullProvider, axis: tuple[int, ...]
) -> None:
    """Reductions hold several elements at a time only where that compiles within a second."""
    x = runtime.leaf(np.linspace(0.1, 1, 90000, dtype=np.float32).reshape(300, 300, order="F"))
    copies = []
    for names in (["abs"], ["erfc", "tan", "sin", "cos"]):
        y = x
        for name in names:
            y = runtime.apply(name, (y,))
        runtime.evaluate([runtime.apply("sum", (y,), (axis,))])
        kernel = null.kernels[-1]
        for mode in ("g1q", "t1q", "g1", "t1"):
            programs = generate(kernel, Variant(mode=mode), Abilities(True, True), Tuning())
            merges = max(p.source.count("merge(") for p in programs)
            copies.append((len(names), mode, merges))
    short, long = ([m for n, _, m in copies if n == count] for count in (1, 4))
    assert all(few < many for few, many in zip(long, short, strict=True)), copies
    runtime.close()


@pytest.mark.parametrize(("draws", "fits"), [(4, True), (16, False)])
def test_a_loop_that_would_compile_for_seconds_is_refused(
    runtime: Runtime, draws: int, fits: bool
) -> None:
    """Bodies that draw are written for four points; what is too long runs as several kernels."""
    trace = runtime.loop(8)
    y = trace.carry(runtime.leaf(np.ones(SHAPE)))
    x = y
    for k in range(draws):
        drawn = runtime.apply("random_normal", (), (DType.F64, SHAPE, SHAPE[0]), (7 + k, 0))
        x = runtime.apply("plus", (x, drawn))
    if fits:
        assert trace.finish([x])
    else:
        with pytest.raises(Unsupported, match="too long to compile"):
            trace.finish([x])
    runtime.close()


def test_passes_too_heavy_for_one_kernel_give_the_same_bits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A loop refused for its weight is done in passes, which draw the same numbers."""
    text = "rng(4); x = ones(500, 1); for k = 1:12, x = 0.9 * x + sin(x) .* randn(500, 1); end"

    def done() -> tuple[set[str], np.ndarray]:
        made = Runtime(AccelOptions(device="cpu", kernel_cache=False))
        capture_session.activate(made, 64)
        try:
            _, values = outcome(text)
            return {g.kind for g in made.recorder.groups.values()}, values["x"]
        finally:
            capture_session.deactivate()
            Machine()
            made.close()

    kinds, whole = done()
    monkeypatch.setattr(loop_trace, "MOST_WEIGHT", 300)
    refused, parts = done()
    assert "loop" in kinds
    assert "loop" not in refused
    assert whole.tobytes() == parts.tobytes()


def test_the_kernels_of_a_plan_compile_beside_each_other(
    runtime: Runtime, null: NullProvider
) -> None:
    x = runtime.leaf(np.ones((200, 200)))
    runtime.evaluate([runtime.apply("plus", (x, x))])
    assert len(null.kernels) == 1
    assert not null.anticipated, "nobody is gained by a thread for one"
    total = runtime.apply("sum", (runtime.apply("matmul", (x, x), (False, False)),), ((0,),))
    runtime.evaluate([runtime.apply("sort", (total,), (1, False))])
    assert null.anticipated == {kernel.key for kernel in null.kernels[1:]}
    assert len(null.anticipated) > 1
    runtime.close()
