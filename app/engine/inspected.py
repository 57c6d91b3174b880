"""What is asked about a variable that is looked at, and the answers to that."""

from __future__ import annotations

from app.records import record


@record
class InspectVariable:
    """Ask for one page of a variable: rows and columns are half-open ranges from 0.

    ``path`` digs into containers, such as ``("field", "name")`` or ``("cell", 3)``; ``page`` gives
    the indices (from 0) of dimensions 3 and up. Without ``computing`` a value that is not computed
    yet stays so: its page has the kind ``lazy`` and no cells. ``exact`` cells have all digits."""

    name: str
    rows: tuple[int, int] = (0, 100)
    columns: tuple[int, int] = (0, 50)
    page: tuple[int, ...] = ()
    path: tuple[tuple[str, str | int], ...] = ()
    computing: bool = True
    exact: bool = False


@record
class InspectOverview:
    """Ask for a small sample of a whole matrix (of its slice ``page``)."""

    name: str
    page: tuple[int, ...] = ()


@record
class ComputeStatistics:
    """Ask for min, max, mean and NaN count of a numeric variable."""

    name: str


@record
class VariablePage:
    """The answer to InspectVariable.

    Attributes:
        request: what was asked.
        class_name: class of the value shown.
        size: its whole size.
        kind: ``numeric``, ``elements`` (dates, categories), ``text``, ``cell``, ``struct``,
            ``table``, ``object``, ``lazy`` or ``missing``.
        cells: rows of displayed text for the window asked for.
        row_names: names of struct fields or table rows, where they have names.
        column_names: names of table columns.
        values: the numbers of the window, for numeric values, row by row.
        entries: how many entries a map has, whatever its size; None for other values.
    """

    request: InspectVariable
    class_name: str
    size: tuple[int, ...]
    kind: str
    cells: tuple[tuple[str, ...], ...]
    row_names: tuple[str, ...] = ()
    column_names: tuple[str, ...] = ()
    values: tuple[tuple[float, ...], ...] = ()
    entries: int | None = None


@record
class OverviewReady:
    """The answer to InspectOverview: evenly spread elements of a matrix of ``size``."""

    name: str
    size: tuple[int, int]
    values: tuple[tuple[float, ...], ...]


@record
class StatisticsReady:
    """The answer to ComputeStatistics: ``values`` maps a label to a number."""

    name: str
    values: dict[str, float]


@record
class EditRefused:
    """A SetVariable that was refused: what it was, and why."""

    target: str
    code: str
    message: str
