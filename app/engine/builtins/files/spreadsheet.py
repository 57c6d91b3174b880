"""Excel workbooks through openpyxl: reading a sheet as rows, writing rows into one."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from app import memory, paths
from app.engine.builtins.files.delimited import Sheet
from app.engine.values import Value, int_of, is_numeric_like, text_of
from app.errors import MatlabError
from app.late_pattern import late_pattern

_CELL_BYTES = 64
_MOST_SHEETS = 255
"""Of a new workbook, as in Excel; empty ones fill it up to the one that is asked for."""
_RANGE = late_pattern(
    rb"<(?:\w+:)?(?:mergeCell|hyperlink)\s[^<>]*?ref=[\"']"
    rb"([A-Za-z]{1,3})(\d{1,9}):([A-Za-z]{1,3})(\d{1,9})"
)
"""A merged or linked range of a sheet."""
_STYLES = "xl/styles.xml"
_ODD_STYLES = late_pattern(rb"formatCode\s*=\s*[\"'][^\"'<>]{4096}|<!DOCTYPE|\0")
"""Excel's formats are no longer than 255 characters, and not put together of entities."""
SUFFIXES = (".xlsx", ".xlsm", ".xltx", ".xltm")


def is_workbook(name: str) -> bool:
    """Whether a file name means a workbook."""
    suffix = Path(name).suffix.lower()
    if suffix in (".xls", ".xlsb", ".ods"):
        text = f"Workbooks of the kind '{suffix}' are not supported; save it as .xlsx."
        raise MatlabError("MATLAB:spreadsheet:book:unsupportedFormat", text)
    return suffix in SUFFIXES


def _open(path: Path) -> Any:
    """A workbook with the values of its cells: ranges that are merged or linked may be as large as
    a sheet, which the library fills with cells."""
    from openpyxl.reader.excel import ExcelReader
    from openpyxl.worksheet._reader import WorksheetReader

    class ValuesReader(ExcelReader):  # type: ignore[misc]  # the library has no types
        """A reader of values alone."""

        def read_worksheets(self) -> None:
            """Read the cells of every sheet."""
            for sheet, place in self.parser.find_sheets():
                if place.target not in self.valid_files:
                    continue
                if "chartsheet" in place.Type:
                    self.read_chartsheet(sheet, place)
                    continue
                page = self.wb.create_sheet(sheet.name)
                with self.archive.open(place.target) as content:
                    texts = self.shared_strings
                    WorksheetReader(page, content, texts, self.data_only, False).bind_cells()

    is_book = is_workbook(str(path))
    if not is_book:
        text = f"'{path}' is not the name of a workbook."
        raise MatlabError("MATLAB:spreadsheet:book:unsupportedFormat", text)
    try:
        with warnings.catch_warnings():  # what it leaves out is not in the values
            warnings.simplefilter("ignore")
            # Its content: the library leaves the file of a damaged workbook open.
            reader = ValuesReader(_checked(paths.content(path)), data_only=True)
            reader.read()
            return reader.wb
    except OSError as problem:
        text = f"Unable to find or open '{path}'. Check the path and filename or file permissions."
        raise MatlabError("MATLAB:spreadsheet:book:openSheet", text) from problem


def sheet_names(path: Path) -> list[str]:
    """Names of a workbook's sheets."""
    return list(_open(path).sheetnames)


def read_sheet(path: Path, sheet: Value | None = None) -> Sheet:
    """One sheet (the first unless named or numbered) as rows of values."""
    book = _open(path)
    page = _page(book, sheet)
    cells = page.max_row * page.max_column
    memory.require(cells * _CELL_BYTES, f"the sheet of {page.max_row}x{page.max_column} cells")
    rows = [[_value(c) for c in row] for row in page.iter_rows(values_only=True)]
    while rows and all(c is None for c in rows[-1]):
        rows.pop()
    return Sheet(rows)


def _no_sheet(number: int) -> MatlabError:
    text = f"Worksheet index {number} is out of range."
    return MatlabError("MATLAB:spreadsheet:book:invalidSheet", text)


def _page(book: Any, sheet: Value | None) -> Any:
    if sheet is None:
        return book.worksheets[0]
    if is_numeric_like(sheet) and not isinstance(sheet, str):
        number = int_of(sheet)
        if not 1 <= number <= len(book.worksheets):
            raise _no_sheet(number)
        return book.worksheets[number - 1]
    name = text_of(sheet)
    if name not in book.sheetnames:
        raise MatlabError("MATLAB:spreadsheet:book:openSheetName", f"Worksheet '{name}' not found.")
    return book[name]


def _value(cell: Any) -> Any:
    if isinstance(cell, datetime | date):
        stamp = cell.isoformat(sep=" ") if isinstance(cell, datetime) else cell.isoformat()
        return stamp.removesuffix(" 00:00:00")
    if isinstance(cell, bool):
        return float(cell)
    return float(cell) if isinstance(cell, int) else cell


def write_sheet(
    path: Path, rows: list[list[Any]], sheet: Value | None = None, origin: tuple[int, int] = (0, 0)
) -> None:
    """Write rows into a sheet of a workbook, which is made when it is not there."""
    import openpyxl
    from openpyxl.writer.excel import ExcelWriter

    if path.is_file():
        with _nothing_lost(path):
            book = openpyxl.load_workbook(_checked(paths.content(path), with_ranges=True))
    else:
        book = openpyxl.Workbook()
        book.worksheets[0].title = "Sheet1"
    page = _target(book, sheet)
    for i, row in enumerate(rows):
        for j, value in enumerate(row):
            shown = None if isinstance(value, float) and value != value else value
            page.cell(origin[0] + i + 1, origin[1] + j + 1, shown)
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        ExcelWriter(book, archive).save()
    paths.put_whole(path, packed.getvalue())


@contextmanager
def _nothing_lost(path: Path) -> Iterator[None]:
    """Within it a workbook is opened to be changed; MatlabError where the library cannot keep all
    that it holds."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            yield
    except UserWarning as problem:
        text = (
            f"Writing to '{path}' would lose a part of what the workbook holds ({problem}). "
            "Write to another file."
        )
        raise MatlabError("MATLAB:spreadsheet:book:wouldLose", text) from problem


def _checked(content: bytes, with_ranges: bool = False) -> BytesIO:
    """A workbook that the library can be given.

    Nobody else runs while it looks for a date in a format, which takes the square of the length;
    it fills ranges that are merged or linked with cells where it reads them ``with_ranges``.
    """
    with ZipFile(BytesIO(content)) as archive:
        for part in archive.infolist():
            if not with_ranges and part.filename != _STYLES:
                continue
            memory.require(part.file_size, f"the part {part.filename}")
            text = archive.read(part)
            if part.filename == _STYLES and _ODD_STYLES.search(text):
                raise ValueError("its formats of numbers are none of Excel's")
            if with_ranges:
                ranges = _RANGE.finditer(text)
                cells = sum(_cells_between(*map(bytes.decode, found.groups())) for found in ranges)
                memory.require(cells * _CELL_BYTES, f"merged or linked ranges of {cells} cells")
    return BytesIO(content)


def _cells_between(first: str, top: str, last: str, bottom: str) -> int:
    from openpyxl.utils import column_index_from_string as column

    columns: int = abs(column(last) - column(first))
    return (1 + columns) * (1 + abs(int(bottom) - int(top)))


def _target(book: Any, sheet: Value | None) -> Any:
    if sheet is None:
        return book.worksheets[0]
    if is_numeric_like(sheet) and not isinstance(sheet, str):
        number = int_of(sheet)
        if not 1 <= number <= max(_MOST_SHEETS, len(book.worksheets)):
            raise _no_sheet(number)
        while len(book.worksheets) < number:
            book.create_sheet(f"Sheet{len(book.worksheets) + 1}")
        return book.worksheets[number - 1]
    name = text_of(sheet)
    return book[name] if name in book.sheetnames else book.create_sheet(name)
