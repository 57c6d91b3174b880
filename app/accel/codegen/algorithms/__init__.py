"""Whole-array algorithms: what is neither elementwise nor a reduction, a scan or a product.

An algorithm reads whole stored operands and is a fixed sequence of shaders over scratch memory.
Each is one module with one `Algorithm`: its meaning on the host, its shaders and their launches,
and what it costs. `ALGORITHMS` names them by op; a group with several results of one run (the
sorted values and where they came from) is one dispatch.

A request of template ALGORITHM has the results in binding order as `reductions` (op and type),
its options as `attrs`, and no maps; the dispatch's extents are ``(inner, n, outer)``: the operand
seen as `outer` blocks of `n` lines of `inner` neighbours, where the work goes along `n`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.accel.codegen.algorithms import (
    cholesky,
    compact,
    correlate,
    equations,
    factors,
    fourier,
    histogram,
    householder,
    keyed_sums,
    least_squares,
    normal_product,
    orthogonal_products,
    pages,
    scatter,
    search,
    segment_extremes,
    segments,
    solve,
    sort,
    tally,
    top,
)

if TYPE_CHECKING:
    from app.accel.codegen.algorithms.algorithm import Algorithm
    from app.accel.ir.plan import KernelRequest

ALGORITHMS: dict[str, Algorithm] = {
    "sort": sort.SORT,
    "sort_index": sort.SORT,
    "top": top.TOP_FEW,
    "top_index": top.TOP_FEW,
    "compact": compact.COMPACT,
    "compact_index": compact.COMPACT,
    "histogram": histogram.HISTOGRAM,
    "fft": fourier.FOURIER,
    "irfft": fourier.REAL_INVERSE,
    "lu": factors.LU,
    "lu_order": factors.LU,
    "lu_solve": solve.SOLVE,
    "cholesky": cholesky.CHOLESKY,
    "equations": equations.EQUATIONS,
    "least_squares": least_squares.LEAST_SQUARES,
    "pagemtimes": pages.PAGES,
    "qr": householder.QR,
    "qr_blocks": householder.QR,
    "qr_apply": orthogonal_products.REFLECTED,
    "normal_product": normal_product.NORMAL_PRODUCT,
    "correlate": correlate.CORRELATE,
    "scatter": scatter.SCATTER,
    "segment_sum": segments.SUMS,
    "segment_prod": segments.PRODUCTS,
    "keyed_sum": keyed_sums.KEYED_SUMS,
    "tally": tally.TALLY,
    "segment_max": segment_extremes.LARGEST,
    "segment_min": segment_extremes.SMALLEST,
    "search": search.SEARCH,
}


def of(request: KernelRequest) -> Algorithm:
    """The algorithm of a request."""
    return ALGORITHMS[request.reductions[0].op]
