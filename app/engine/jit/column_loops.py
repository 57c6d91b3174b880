"""Loops over the columns of an array, run as loops that count through them.

``for x = v, …`` does in every pass what ``x = v(:, k)`` and the body do. Written so, the loop goes
on as kernels or in machine code like any that counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from app.engine.interpreter.loops.iteration import Columns, Counter
from app.engine.jit.driver import Driver
from app.engine.language import ast
from app.engine.values import Value

if TYPE_CHECKING:
    from app.engine.jit.site import Site

COLUMN, COLUMNS = "_column", "_columns"
"""The counter and the array; names of programs begin with letters."""
FEW = 32
"""Columns of arrays over which a loop is not worth another form."""
_CLASSES = "d?fbBhHiIlLqQ"


class ColumnDriver(Driver):
    """One run of such a loop: the interpreter's passes take the columns themselves."""

    __slots__ = ("columns",)

    def __init__(
        self, site: Site, columns: Columns, count: int, shared: Callable[[], object] | None
    ) -> None:
        counter = Counter(1.0, 1.0, count)
        super().__init__(site, counter, site.compiles(counter), site.fuses(counter), shared)
        self.columns = columns

    def _chunk(self) -> Iterable[Value]:
        super()._chunk()
        return islice(self.columns.between(self.at, self.at + self._given), self._given)

    def run(self, *values: Value) -> tuple[Value, ...]:
        """Go on in machine code: the variables of the loop as the program has them."""
        *after, _, _, way = super().run(*values, float(self.at), self.columns.value)
        return (*after, way)


def column_driver(
    site: Site, columns: Columns, shared: Callable[[], object] | None
) -> ColumnDriver | None:
    """What runs a loop over many columns of an array of numbers; None for any other."""
    value = columns.value
    if type(value) is not np.ndarray or value.ndim != 2 or value.dtype.char not in _CLASSES:
        return None
    rows, count = value.shape
    if not rows or count < FEW or not isinstance(site.node, ast.For) or site.form.counter == "":
        return None
    held = site.over_columns.get(rows == 1)
    if held is None:
        held = site.over_columns[rows == 1] = _counting_site(site, site.node, rows == 1)
    return ColumnDriver(held, columns, count, shared)


def _counting_site(site: Site, node: ast.For, row: bool) -> Site:
    """The loop that counts through the columns."""
    span = node.target.span
    counter = ast.Name(span, COLUMN)
    places = (counter,) if row else (ast.Colon(span), counter)
    column = ast.Index(span, ast.Name(span, COLUMNS), places)
    body = (ast.Assign(span, node.target, column), *node.body)
    counting = replace(node, target=counter, iterable=ast.Number(span, 1.0), body=body)
    return site.rewritten(counting, (*site.names, COLUMN, COLUMNS))
