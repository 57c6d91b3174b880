"""Tables and timetables as HTML."""

from __future__ import annotations

from html import escape

from app.engine.builtins.containers.table_class import Table
from app.engine.inspected import InspectVariable
from app.engine.session.inspection import page
from app.engine.values import class_of

_ROWS, _COLUMNS = 60, 40


def table_html(value: Table) -> str:
    """The first rows and columns of a table, and how large it is where that is not all."""
    found = page(InspectVariable("", (0, _ROWS), (0, _COLUMNS)), value)
    rows, columns = found.size
    names = found.column_names[:_COLUMNS]
    row_names = found.row_names
    if value.times is not None:
        row_names = tuple(t for (t,) in page(InspectVariable("", (0, _ROWS)), value.times).cells)
    heads = [*([""] if row_names else ()), *names]
    lines = [f"<tr>{''.join(f'<th>{escape(name)}</th>' for name in heads)}</tr>"]
    for at, cells in enumerate(found.cells):
        head = f"<th>{escape(row_names[at])}</th>" if row_names else ""
        shown = "".join(f"<td>{escape(cell)}</td>" for cell in cells[:_COLUMNS])
        lines.append(f"<tr>{head}{shown}</tr>")
    left_out = rows > _ROWS or columns > _COLUMNS
    size = f"<p>{rows}×{columns} {class_of(value)}</p>" if left_out else ""
    return f'<table class="dataframe">\n{chr(10).join(lines)}\n</table>{size}'
