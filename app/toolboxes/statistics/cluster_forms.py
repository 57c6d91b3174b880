"""Clusters of points on the device: Lloyd's iteration, which looks at one number in each round."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from app.accel.ir.dtypes import DType
from app.engine.builtins.statistics.grouping_forms import accumarray
from app.engine.capture.capture_session import Session
from app.engine.capture.term_arrays import apply_operation, fetch_terms, holds, resident
from app.engine.capture.terms import Term, cat, where
from app.engine.values import Array, Value

CAUSE = "needs-host-value: do points change their clusters?"


class Clusters(NamedTuple):
    """What was found.

    Attributes:
        total: the sum of the squared distances to the centres.
        centres: a row each.
        labels: per point the number of its cluster from 1, a column.
        away: per point its squared distances from all centres.
    """

    total: float
    centres: Term
    labels: Term
    away: Term

    def values(self) -> tuple[Value, ...]:
        """The results of ``kmeans``."""
        nearest = where(_numbers(self.away).eq(self.labels), self.away, 0.0)
        return (
            self.labels.value,
            self.centres.value,
            nearest.sum(0).reshape((self.centres.shape[0], 1)).value,
            self.away.value,
        )


def points(x: Value) -> Term | None:
    """Rows of finite numbers that are on the device, as doubles; None for all else."""
    found = resident(x)
    if found is None or not found[0].dtype.is_float or found[0].rank != 2:
        return None
    rows = found[0].cast(DType.F64)
    return rows if holds((abs(rows) < math.inf).all(), "are all points finite?") else None


def starts(
    data: Term, count: int, times: int, weighted: bool, drawn: Iterator[float]
) -> Iterator[Array]:
    """First centres for every replicate: rows of the data, far ones rather where `weighted`.

    `drawn` are random numbers from 0 to 1.
    """
    total = data.shape[0]
    for _ in range(times):
        rows = [int(next(drawn) * total)]
        near = _squares(data, data.part(0, rows[0], 1))
        while len(rows) < count:
            weights = near if weighted else (near > 0.0).cast(DType.F64)
            place = next(drawn)
            chosen = (weights.cumsum(0) <= weights.sum() * place).nnz()
            [found] = fetch_terms(chosen, cause="needs-host-value: a point to begin with")
            row = int(found.item())
            if row >= total:  # nothing is away from those chosen
                others = np.delete(np.arange(total), rows)
                row = int(others[int(place * len(others))])
            rows.append(row)
            near = near.min(_squares(data, data.part(0, row, 1)))
            Session.runtime.evaluate([near.node], "needs-host-value: distances")
        centres = cat(0, *[data.part(0, row, 1) for row in rows])
        yield fetch_terms(centres, cause="needs-host-value: first centres")[0].copy()


def best(data: Term, begun: Iterable[Array], most: int) -> Clusters | None:
    """The best clusters of some starts; None where one loses a cluster, or there are none."""
    found: Clusters | None = None
    for centres in begun:
        made = _lloyd(data, Term(Session.runtime.leaf(np.asfortranarray(centres))), most)
        if made is None:
            return None
        found = made if found is None or made.total < found.total else found
    return found


def _lloyd(data: Term, centres: Term, most: int) -> Clusters | None:
    """Clusters once no point changes its own, or after so many rounds; None where one is lost."""
    away = _squares(data, centres)
    labels = _nearest(away)
    for _ in range(most):
        moved = _means(data, labels, centres.shape[0])
        if moved is None:
            return None
        away = _squares(data, moved)
        fresh = _nearest(away)
        lost = ~(abs(moved) < math.inf).all()
        changes = where(lost, math.nan, labels.ne(fresh).nnz())
        Session.runtime.evaluate([moved.node, fresh.node, changes.node], CAUSE)
        [found] = fetch_terms(changes, cause=CAUSE)
        if math.isnan(found.item()):
            return None
        centres = moved
        if not found.item():
            break
        labels = fresh
    [total] = fetch_terms(away.amin(1).sum(0, 1), cause="needs-host-value: their distances")
    return Clusters(float(total.item()), centres, labels, away)


def _squares(data: Term, centres: Term) -> Term:
    """Squared distances of all rows from all centres."""
    rows, columns = data.shape
    if columns == 1:
        apart = data - centres.reshape((1, centres.shape[0]))
        return apart * apart
    apart = data.reshape((rows, 1, columns)) - centres.reshape((1, *centres.shape))
    return (apart * apart).sum(2).reshape((rows, centres.shape[0]))


def _nearest(away: Term) -> Term:
    return apply_operation("argmin", away, attrs=(1,))


def _numbers(away: Term) -> Term:
    """The numbers of the centres, a row."""
    return Term(Session.runtime.apply("position", (), ((1, away.shape[1]), 1))) + 1.0


def _means(data: Term, labels: Term, count: int) -> Term | None:
    """The means of the points of each cluster; NaN where there are none."""
    size = np.array([[float(count), 1.0]])
    totals = accumarray((labels.value, 1.0, size), 1)
    columns = [data.part(1, k, 1).value for k in range(data.shape[1])]
    found = [accumarray((labels.value, column, size), 1) for column in columns]
    sums = [x for x in found if isinstance(x, Term)]
    if not isinstance(totals, Term) or len(sums) < len(columns):
        return None
    return cat(1, *sums) / totals
