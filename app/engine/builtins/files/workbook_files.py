"""Excel workbooks by the older functions: xlsread, xlswrite; sheetnames."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from app.engine.builtins.files import delimited, spreadsheet
from app.engine.builtins.files.matrix_files import plain_value
from app.engine.declarations.registry import builtin
from app.engine.values import (
    EMPTY,
    Cell,
    StringArray,
    Value,
    as_array,
    canonical,
    is_cell,
    is_char,
    object_array,
    text_of,
)

_FAMILY = "files"


@builtin(
    "xlsread",
    reads_file=True,
    category=_FAMILY,
    signatures=("[num, txt, raw] = xlsread(file)", "num = xlsread(file, sheet, range)"),
    cases=("writematrix([1 2; 3 4], 'b.xlsx'); isequal(xlsread('b.xlsx'), [1 2; 3 4])",),
    see=("xlswrite", "readtable", "readmatrix"),
)
def xlsread(name: Value, *args: Value) -> Value:
    """Numbers, texts and all values of a worksheet.

    The texts end with the last row and the last column that have one.
    """
    sheet = next((a for a in args if not (is_char(a) and ":" in text_of(a))), None)
    area = next((text_of(a) for a in args if is_char(a) and ":" in text_of(a)), "")
    rows = spreadsheet.read_sheet(Path(text_of(name)), sheet).rows
    rows = delimited.cut(rows, area) if area else rows
    raw = delimited.Sheet(rows).padded()
    places = [(i, j) for i, r in enumerate(raw) for j, f in enumerate(r) if isinstance(f, float)]
    texts = [[f if isinstance(f, str) else "" for f in r] for r in raw]
    written = [(i, j) for i, r in enumerate(texts) for j, text in enumerate(r) if text]
    height, width = (1 + max((p[k] for p in written), default=-1) for k in (0, 1))
    texts = [r[:width] for r in texts[:height]]
    if not places:
        numbers: Value = EMPTY
    else:
        top, left = (min(p[k] for p in places) for k in (0, 1))
        bottom, right = (max(p[k] for p in places) for k in (0, 1))
        numbers = canonical(
            np.array(
                [
                    [f if isinstance(f, float) else np.nan for f in r[left : right + 1]]
                    for r in raw[top : bottom + 1]
                ]
            )
        )
    flat = [np.nan if f is None else f for r in zip(*raw, strict=True) for f in r]
    shape = (len(raw), len(raw[0]) if raw else 0)
    return (
        numbers,
        Cell(np.array(texts, dtype=object).reshape(height, width)),
        Cell(object_array(flat, shape)),
    )


@builtin(
    "xlswrite",
    category=_FAMILY,
    signatures=("xlswrite(file, A)", "[ok, message] = xlswrite(file, A, sheet, range)"),
    cases=("xlswrite('b.xlsx', [1 2]); isequal(readmatrix('b.xlsx'), [1 2])",),
    see=("xlsread", "writetable"),
)
def xlswrite(name: Value, a: Value, *args: Value, nargout: int = 0) -> Value:
    """Write a matrix or cell into a worksheet."""
    path = Path(text_of(name))
    path = path if path.suffix else path.with_name(path.name + ".xlsx")
    spreadsheet.is_workbook(str(path))
    items = a.data.tolist() if is_cell(a) else as_array(a).tolist()
    rows = [[plain_value(v) for v in r] for r in items]
    area = next(
        (
            text_of(x)
            for x in args
            if is_char(x)
            and text_of(x)[-1:].isdigit()
            and text_of(x)[:1].isalpha()
            and len(args) > 1
        ),
        "",
    )
    sheet = next((x for x in args if not is_char(x) or text_of(x) != area), None)
    origin = delimited.cell_address(area.partition(":")[0]) if area else (0, 0)
    spreadsheet.write_sheet(path, rows, sheet, origin)
    return (True, "") if nargout else None


@builtin(
    "sheetnames",
    category=_FAMILY,
    signatures=("names = sheetnames(file)",),
    cases=("writematrix(1, 'b.xlsx'); numel(sheetnames('b.xlsx')) == 1",),
    see=("readtable",),
)
def sheetnames(name: Value) -> Value:
    """Names of a workbook's sheets as a column of strings."""
    names = spreadsheet.sheet_names(Path(text_of(name)))
    return StringArray.of(names, (len(names), 1))
