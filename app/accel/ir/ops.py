"""The operations of the graph: one `OpSpec` each. Elementwise ones are declared in `operations`.

Elementwise names are the language's function names in lower case. Operands are strictly typed:
all of one dtype (exceptions are noted), casts are explicit. The language's class rules (integer
with double, logical arithmetic, ...) are composed from casts by whoever captures.

Attributes and data by op (attrs are structure, data is bound at run time):

==================  =======================================  ===================================
op                  attrs                                    data
==================  =======================================  ===================================
leaf                –                                        –
param               –                                        (value,)
cast                (DType,)                                 –
typecast            (DType,) as wide: the same bits          –
select              –  (inputs: BOOL mask, a, b)             –
sum prod amin amax  (axes,) 0-based tuple; the axes          –
any all nnz         become extents of 1; amin/amax skip NaN
argmin argmax       (axis,) result F64, 1-based              –
cumsum cumprod      (axis, reverse)                          –
cummin cummax
random_uniform      (DType, shape)                           (key, offset) offset % 4 == 0
random_normal       (DType, shape)                           (key, offset)
fill                (shape,)  input: a 1x1 node              –
iota                (DType, shape)  start + step*index       –  (inputs: start, step params)
position            (shape, axis) F64, 0-based coordinate    –
slice               (steps, shape) per dimension             (start, ...) 0-based per dimension
runs                (axis, counts, steps): evenly spaced     (start, ...) 0-based per run
                    runs of places along an axis
permute             (order,) 0-based                         –
reshape             (shape,)                                 –
repmat              (reps,) per dimension                    –
cat                 (axis,)                                  –
diagonal            –  of a matrix, as a column              –
gather              (shape,) inputs: x, I64 0-based index    –
assign              (steps,) inputs: base, value             (start, ...): base with a slice set
matmul              (transpose_a, transpose_b)               –
normal_product      – inputs: A, v, perhaps b: A'*(A*v - b)  –
sort                (axis, descending); NaN last, or first     –
sort_index          the same; result F64, 1-based
top top_index       (axis, descending, count): the first of sort and sort_index
compact             (shape,) inputs: x, BOOL mask            –
compact_index       (shape,) input: BOOL mask; F64, 1-based  –
histogram           (shape,) inputs: x, F64 edges; F64          –
equations           – inputs: A, perhaps B; A\\B or inv(A), then a column: see the algorithm
least_squares       (columns, sides) inputs: A, B; A\\B and the rank: see the algorithm
fft                 (axis, inverse) inputs: x, its roots of unity
irfft               (axis, True) the same; the real inverse of a symmetric spectrum, of which the
                    first half is read; neighbours along the axis are neighbours in memory
segment_sum         (shape,) inputs: sorted I32 keys from 1, values; 0 (1 of products) of none
segment_prod        the same
segment_max         the same; NaN is left out
segment_min         the same
keyed_sum           (shape,) inputs: I32 keys from 1 in any order, values; results of
                    MOST_KEYED_BYTES at most
tally               (shape,) input: I32 keys from 1 in any order; F64
search              (equals,) inputs: x, sorted column; F64 count of what comes before each x
scatter             – inputs: base, I64 0-based index, values; the last of equal places wins
loop pick carry     see `loops`                              –
counter
==================  =======================================  ===================================
"""

from __future__ import annotations

from app.accel.ir import host_functions as hf
from app.accel.ir.node import WEIGHTS
from app.accel.ir.operations import (  # noqa: F401 - declare operations
    arithmetic,
    exponential,
    hyperbolic,
    inverse,
    logarithm,
    normal,
    rounding,
    special,
    square_roots,
    trigonometric,
)
from app.accel.ir.operations.spec import (
    DEFINITIONS,
    OPS,
    Category,
    Complex,
    Costs,
    Domain,
    OpSpec,
    Result,
)

__all__ = [
    "DEFINITIONS",
    "MOST_EQUATIONS",
    "MOST_KEYED_BYTES",
    "OPS",
    "WEIGHT_OF_COST",
    "Category",
    "Complex",
    "Costs",
    "Domain",
    "OpSpec",
    "Result",
]


def _add(spec: OpSpec) -> None:
    OPS[spec.name] = spec


for _name, _convert in hf.CONVERSIONS.items():
    _add(OpSpec(_name, 1, Category.CAST, Result.ATTR, _convert, f"{_name}({{0}})"))

WEIGHT_OF_COST = 8
"""Cost units that weigh as much as one plain operation when chains are cut."""

MOST_KEYED_BYTES = 1024
"""The largest result of `keyed_sum`: a lane of a device holds one in workgroup memory."""

MOST_EQUATIONS = 32
"""Rows of the matrix of `equations`, which fits in workgroup memory everywhere."""

_SHADER = {"random_uniform": 10, "random_normal": 20}
"""Units on devices."""
_CATEGORIES: dict[Category, dict[str, tuple[int, Result, int]]] = {
    Category.SOURCE: {"leaf": (0, Result.ATTR, 0), "param": (0, Result.ATTR, 0)},
    Category.REDUCTION: {
        "sum": (1, Result.SAME, 1),
        "prod": (1, Result.SAME, 1),
        "amin": (1, Result.SAME, 1),
        "amax": (1, Result.SAME, 1),
        "any": (1, Result.BOOL, 1),
        "all": (1, Result.BOOL, 1),
        "nnz": (1, Result.F64, 1),
        "argmin": (1, Result.F64, 2),
        "argmax": (1, Result.F64, 2),
    },
    Category.SCAN: dict.fromkeys(("cumsum", "cumprod", "cummin", "cummax"), (1, Result.SAME, 2)),
    Category.RANDOM: {
        "random_uniform": (0, Result.ATTR, 90),
        "random_normal": (0, Result.ATTR, 250),
    },
    Category.INDEX: {
        "fill": (1, Result.SAME, 0),
        "iota": (2, Result.ATTR, 2),
        "position": (0, Result.F64, 2),
        "slice": (1, Result.SAME, 0),
        "runs": (1, Result.SAME, 2),
        "permute": (1, Result.SAME, 0),
        "reshape": (1, Result.SAME, 0),
        "repmat": (1, Result.SAME, 0),
        "cat": (-1, Result.SAME, 0),
        "diagonal": (1, Result.SAME, 0),
        "gather": (2, Result.ATTR, 2),
        "assign": (2, Result.SAME, 0),
    },
    Category.MATMUL: {"matmul": (2, Result.SAME, 1)},
    Category.ALGORITHM: {
        "sort": (1, Result.SAME, 20),
        "sort_index": (1, Result.F64, 20),
        "top": (1, Result.SAME, 8),
        "top_index": (1, Result.F64, 8),
        "compact": (2, Result.SAME, 2),
        "compact_index": (1, Result.F64, 2),
        "histogram": (2, Result.F64, 8),
        "fft": (2, Result.LAST, 40),
        "irfft": (2, Result.REAL, 40),
        "lu": (1, Result.SAME, 40),
        "lu_order": (1, Result.F64, 40),
        "lu_solve": (3, Result.LAST, 40),
        "cholesky": (1, Result.SAME, 40),
        "equations": (-1, Result.SAME, 40),
        "least_squares": (2, Result.SAME, 40),
        "pagemtimes": (2, Result.SAME, 40),
        "qr": (1, Result.SAME, 40),
        "qr_blocks": (1, Result.SAME, 40),
        "qr_apply": (3, Result.LAST, 40),
        "normal_product": (-1, Result.SAME, 4),
        "correlate": (2, Result.SAME, 40),
        "scatter": (3, Result.SAME, 4),
        "segment_sum": (2, Result.LAST, 8),
        "segment_prod": (2, Result.LAST, 8),
        "segment_max": (2, Result.LAST, 8),
        "segment_min": (2, Result.LAST, 8),
        "keyed_sum": (2, Result.LAST, 8),
        "tally": (1, Result.F64, 8),
        "search": (2, Result.F64, 30),
    },
    Category.LOOP: {
        "loop": (-1, Result.SAME, 1),
        "pick": (1, Result.ATTR, 0),
        "carry": (0, Result.ATTR, 0),
        "counter": (0, Result.F64, 0),
    },
}
for _category, _members in _CATEGORIES.items():
    for _name, (_arity, _result, _cost) in _members.items():
        _add(
            OpSpec(
                _name,
                _arity,
                _category,
                _result,
                None,
                f"{_name}({{0}})",
                costs=Costs(_cost, shader=_SHADER.get(_name, 0)),
            )
        )
WEIGHTS.update({name: max(1, spec.costs.units // WEIGHT_OF_COST) for name, spec in OPS.items()})
WEIGHTS.update(leaf=0, param=0)
