"""Orthogonal factors, least squares, principal components, singular values and pseudoinverses of
large real matrices on cards."""

from __future__ import annotations

import numpy as np

from app.accel.ir.dtypes import DType
from app.engine import stoppable
from app.engine.capture.capture_session import Session
from app.engine.capture.lazy_limits import Limits
from app.engine.capture.term_arrays import is_resident
from app.engine.capture.terms import Made, Term, cat, constant_array, position, terms, where
from app.engine.operators import factorisation_forms as dense
from app.engine.operators import factors, linear_solves
from app.engine.values import Array, Value, is_text_scalar, size_of, text_of

Args = tuple[Value, ...]
CAUSE = "needs-host-value: may these numbers be squared?"
RANGE = {DType.F32: (1e-12, 1e15), DType.F64: (1e-130, 1e140)}
"""Sizes of columns whose squares neither vanish nor overflow."""
PROBES = 8
ROWS, COLUMNS = 11, 6
"""From so many rows for so many columns LAPACK, too, begins with the orthogonal factors."""
MOST_COLUMNS, MOST_SIDES = 8, 4
"""Of a matrix whose triangle a lane of a device holds, and of what is solved for."""
MOST_NARROW, TALL = 64, 4
"""Columns of a narrow matrix, and how many times as many rows it has at least."""
SURE = 3.0
"""The largest of the probes' answers is too small by more once in 50,000 times."""


def _matrix(v: Value) -> Term | None:
    """A large real matrix as a term; None for all else."""
    if not dense.on_card():
        return None
    found = terms((v,), logical=False)
    if found is NotImplemented or found[0].guarded:
        return None
    x = found[0]
    fits = x.rank == 2 and min(x.shape) > 1 and x.size >= dense.LEAST**2
    return x if fits and _in_range(x) else None


def _oblong(v: Value) -> tuple[Term, bool] | None:
    """A large real matrix that is much taller than wide; whether it has been turned for that."""
    found = terms((v,), logical=False) if dense.on_card() else NotImplemented
    if found is NotImplemented or found[0].guarded or found[0].rank != 2:
        return None
    turned = found[0].shape[0] < found[0].shape[1]
    x = found[0].permute(1, 0) if turned else found[0]
    fits = x.shape[1] > 1 and x.size >= dense.LEAST**2
    tall = fits and COLUMNS * x.shape[0] >= ROWS * x.shape[1]
    return (x, turned) if tall and _in_range(x) else None


def _in_range(x: Term) -> bool:
    small, large = RANGE[x.dtype]
    size = abs(x).amax(0)
    right = (size.eq(0.0) | (size > small)) & (size < large)
    fetched = Session.runtime.gather
    finite = (abs(x) < large).all()
    return bool(fetched(right.all().node, CAUSE).item() and fetched(finite.node, CAUSE).item())


def _reflections(x: Term, *, at_once: bool = True) -> tuple[Term, Term]:
    packed, triangles = (Term(Session.runtime.apply(op, (x.node,))) for op in ("qr", "qr_blocks"))
    if at_once:
        Session.runtime.evaluate([packed.node, triangles.node], "needs-host-value: factors")
    return packed, triangles


def _product_with_q(found: tuple[Term, Term], c: Term, *, turned: bool, identity: bool) -> Term:
    nodes = (*(part.node for part in found), c.node)
    return Term(Session.runtime.apply("qr_apply", nodes, (turned, identity)))


def _upper(packed: Term, rows: int) -> Term:
    """R, whole or of so many rows."""
    head = packed.part(0, 0, min(rows, packed.shape[0]))
    return where(position(head.shape, 0) > position(head.shape, 1), 0.0, head)


def _few_columns(v: Value) -> tuple[Term, Term] | None:
    """A tall matrix of few columns that is not on the host, each divided by its largest number,
    so that nobody need look whether they may be squared; and those numbers."""
    if not dense.on_card() or not (Limits.pure or is_resident(v)):
        return None
    found = terms((v,), logical=False)
    if found is NotImplemented or found[0].guarded or found[0].rank != 2:
        return None
    rows, columns = found[0].shape
    if not (1 < columns <= MOST_NARROW and rows >= TALL * columns):
        return None
    size = abs(found[0]).amax(0)
    size = where(size.eq(0.0), 1.0, size)
    return found[0] / size, size


def qr(args: Args, nargout: int) -> Made:
    """``R = qr(A)`` and ``[Q, R] = qr(A)``, whole or economical."""
    words = [text_of(o) for o in args[1:] if is_text_scalar(o)]
    economy = len(words) < len(args) - 1 or "econ" in words
    narrow = _few_columns(args[0]) if nargout == 2 and economy else None
    x = narrow[0] if narrow else _matrix(args[0]) if nargout < 3 else None
    if x is None:
        return None
    rows, columns = x.shape
    width = min(rows, columns) if economy else rows
    found = _reflections(x, at_once=not Limits.pure)
    upper = _upper(found[0], width)
    upper = upper * narrow[1] if narrow else upper
    if nargout < 2:
        return upper
    box = (rows, width)
    identity = position(box, 0).eq(position(box, 1)).cast(x.dtype)
    return _product_with_q(found, identity, turned=False, identity=True), upper


def _narrow(a: Value, b: Value) -> Term | None:
    """``A \\ B`` of a few columns, all at once; dependent ones are warned of as the host does."""
    (rows, columns), sides = size_of(a)[:2], size_of(b)[1]
    fits = columns <= MOST_COLUMNS and 1 <= sides <= MOST_SIDES and len(size_of(b)) == 2
    if not dense.on_card() or not fits or len(size_of(a)) > 2 or not rows > columns > 0:
        return None
    found = terms((a, b), logical=False)
    if found is NotImplemented or not dense.are_away(found):
        return None
    nodes = tuple(x.node for x in found)
    guarded = any(x.guarded for x in found)
    fit = Term(Session.runtime.apply("least_squares", nodes, (columns, sides)), guarded)
    doubt = fit.part(1, sides, 1).part(0, 0, 1) < float(columns)
    certain = dense.is_certain(doubt, lambda: linear_solves.least_squares(*dense.on_host(a, b)))
    return fit.part(1, 0, sides) if certain else None


def least_squares(a: Value, b: Value) -> Value:
    """``A \\ B`` of a tall A of few columns, or whose columns are certainly independent."""
    narrow = _narrow(a, b)
    if narrow is not None:
        return narrow.value
    x = _matrix(a)
    found = terms((a, b), logical=False) if x is not None else NotImplemented
    if found is NotImplemented:
        return NotImplemented
    x, right = found
    if right.rank != 2 or right.shape[0] != x.shape[0] or right.guarded:
        return NotImplemented
    (rows, columns), sides = x.shape, right.shape[1]
    reflections = _reflections(x)
    upper = _upper(reflections[0], columns)
    projected = _product_with_q(reflections, right, turned=True, identity=False).part(0, 0, columns)
    signs = np.random.default_rng(columns).choice([-1.0, 1.0], (columns, PROBES))
    probes = Term(Session.runtime.leaf(np.asfortranarray(signs.astype(x.dtype.numpy))))
    order = position((columns, 1), 0) + 1.0
    answers = dense.apply_operation("lu_solve", upper, order, cat(1, projected, probes))
    sizes = (answers * answers).sum(0).root().part(1, sides, PROBES).amax(1)
    norms = (x * x).sum(0).root().amax(1)
    inverse, norm = (float(v.item()) for v in dense.fetch_deciding(sizes, norms))
    least = rows * dense.eps(x) * norm  # what MATLAB's rank is counted against
    if not np.isfinite(inverse) or inverse * SURE * least >= 1.0:
        return NotImplemented
    return answers.part(1, 0, sides).value


def spread(data: Value) -> tuple[Term, Array, Array] | None:
    """For principal components of a tall matrix: the rows without their mean as a lazy array,
    their R, whose singular values and right vectors are theirs, and the mean; else None."""
    x = _matrix(data)
    if x is None or x.shape[0] <= x.shape[1]:
        return None
    mean = x.mean(0)
    centred = x - mean
    upper = _upper(_reflections(centred)[0], x.shape[1])
    found = dense.fetch_deciding(upper, mean)
    return centred, np.asarray(found[0]), np.asarray(found[1])


def scores(centred: Term, coefficients: Array, latent: Array) -> tuple[Value, Value]:
    """The rows in the components' directions, and the squares of their distances."""
    leaves = (np.asfortranarray(coefficients), np.asfortranarray(latent.reshape(1, -1)))
    directions, variances = (Term(Session.runtime.leaf(leaf)) for leaf in leaves)
    found = centred.matmul(directions)
    return found.value, (found * found / variances).sum(1).value


def svd(args: Args, nargout: int) -> Made:
    """``s = svd(A)`` and ``[U, S, V] = svd(A)`` of a matrix much taller than wide, or the reverse.

    LAPACK finds the singular values of R, which is small.
    """
    found = _oblong(args[0])
    if found is None:
        return None
    (x, turned), words = found, [text_of(o).lower() for o in args[1:] if is_text_scalar(o)]
    reflections = _reflections(x)
    (upper,) = dense.fetch_deciding(_upper(reflections[0], x.shape[1]))
    if nargout < 2:
        s = factors.singular_values(upper)
        box = size_of(args[0])
        return factors.on_diagonal(s, box) if "matrix" in words else s.reshape(-1, 1)
    economy = "econ" in words or (len(words) < len(args) - 1 and not turned)
    u, s, vh = stoppable.svd(upper.T if turned else upper, full_matrices=False)
    columns = _columns(vh.T if turned else u, x, whole=not economy)
    outer = _product_with_q(reflections, columns, turned=False, identity=False)
    width = outer.shape[1]
    shown = s.reshape(-1, 1)
    if "vector" not in words:
        shown = factors.on_diagonal(s, (x.shape[1], width) if turned else (width, x.shape[1]))
    return (u, shown, outer) if turned else (outer, shown, vh.T)


def _columns(u: Array, x: Term, *, whole: bool) -> Term:
    """What Q is multiplied by: `u` above zeros, and for all of U columns of the identity beside."""
    rows, columns = x.shape
    head = Term(Session.runtime.leaf(np.asfortranarray(u)))
    found = cat(0, head, constant_array(0.0, (rows - columns, columns), x.dtype))
    if not whole:
        return found
    box = (rows, rows - columns)
    rest = (position(box, 0) - float(columns)).eq(position(box, 1)).cast(x.dtype)
    return cat(1, found, rest)


def pinv(args: tuple[Value, float | None], nargout: int) -> Made:
    """The pseudoinverse of a matrix much taller than wide, or the reverse, made of that of R."""
    found = _oblong(args[0])
    if found is None:
        return None
    (x, turned), limit = found, args[1]
    reflections = _reflections(x)
    (upper,) = dense.fetch_deciding(_upper(reflections[0], x.shape[1]))
    u, s, vh = stoppable.svd(upper, full_matrices=False)
    kept = s > (factors.rank_limit(x.shape, s) if limit is None else limit)
    columns = _columns((u[:, kept] / s[kept]) @ vh[kept], x, whole=False)
    inverse = _product_with_q(reflections, columns, turned=False, identity=False)
    return inverse if turned else inverse.permute(1, 0)
