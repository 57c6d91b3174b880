"""Products of pages are NumPy's, page by page, in one launch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.accel.runtime.runtime import AccelOptions, Runtime

if TYPE_CHECKING:
    from app.accel.backends.base import Provider


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("turned", [(False, False), (True, False), (False, True)])
@pytest.mark.parametrize(("m", "n", "depth", "pages"), [(3, 5, 4, 30), (70, 65, 33, 2)])
def test_pages(
    provider: Provider,
    m: int,
    n: int,
    depth: int,
    pages: int,
    turned: tuple[bool, bool],
    shared: bool,
) -> None:
    rng = np.random.default_rng(m)
    first = (depth, m) if turned[0] else (m, depth)
    second = (n, depth) if turned[1] else (depth, n)
    a = np.asfortranarray(rng.normal(size=(*first, pages)))
    b = np.asfortranarray(rng.normal(size=second if shared else (*second, pages)))
    runtime = Runtime(AccelOptions(device="gpu", verify=True), provider)
    node = runtime.apply("pagemtimes", (runtime.leaf(a), runtime.leaf(b)), (*turned, shared))
    assert node.shape == (m, n, pages)
    found = runtime.gather(node)
    assert runtime.recorder.counters.fallbacks == 0
    assert runtime.recorder.counters.dispatches == 1
    x = a.transpose(2, 1, 0) if turned[0] else a.transpose(2, 0, 1)
    y = b[..., None] if shared else b
    y = y.transpose(2, 1, 0) if turned[1] else y.transpose(2, 0, 1)
    np.testing.assert_allclose(found, np.matmul(x, y).transpose(1, 2, 0), rtol=1e-12, atol=1e-12)
