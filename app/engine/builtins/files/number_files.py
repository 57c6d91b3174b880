"""Numbers in delimited text by the older functions: csvread, dlmread, csvwrite, dlmwrite."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from app import paths
from app.engine.arguments.checks import unknown_option
from app.engine.builtins.files import delimited
from app.engine.declarations.registry import builtin
from app.engine.values import (
    EMPTY,
    Value,
    as_array,
    canonical,
    float_of,
    int_of,
    is_char,
    is_string,
    is_text_scalar,
    text_of,
)
from app.engine.values.print_formats import render, unescape
from app.textfile import encoded

_FAMILY = "files"


def _range(rows: list[list[Any]], args: list[Value]) -> list[list[Any]]:
    """Rows from 0-based row and column, or within [r1 c1 r2 c2] or A1..B2."""
    if not args:
        return rows
    if is_char(args[0]) or is_string(args[0]):
        return delimited.cut(rows, text_of(args[0]).replace("..", ":"))
    numbers = [int(n) for a in args for n in as_array(a).ravel()]
    if len(numbers) >= 6:
        numbers = numbers[-4:]
    top, left = numbers[0], numbers[1] if len(numbers) > 1 else 0
    bottom, right = (numbers[2], numbers[3]) if len(numbers) >= 4 else (len(rows), 1 << 20)
    return [row[left : right + 1] for row in rows[top : bottom + 1]]


def _read_numbers(name: Value, delimiter: str | None, args: list[Value], function: str) -> Value:
    text = delimited.file_text(name, function)
    rows = _range(delimited.split_text(text, delimiter).rows, args)
    if not rows:
        return EMPTY
    return canonical(
        np.where(np.isnan(data := delimited.numbers(rows)) & _blank(rows, data.shape), 0, data)
    )


def _blank(rows: list[list[Any]], shape: tuple[int, ...]) -> Any:
    """True for empty fields, which these functions read as zero."""
    flags = np.ones(shape, dtype=bool)
    for i, row in enumerate(rows):
        for j, f in enumerate(row):
            flags[i, j] = not str(f).strip()
    return flags


@builtin(
    "csvread",
    reads_file=True,
    category=_FAMILY,
    signatures=(
        "M = csvread(file)",
        "M = csvread(file, row, col)",
        "M = csvread(file, row, col, [r1 c1 r2 c2])",
    ),
    cases=("writematrix([1 2; 3 4], 'm.csv'); isequal(csvread('m.csv'), [1 2; 3 4])",),
    see=("dlmread", "readmatrix"),
)
def csvread(name: Value, *args: Value) -> Value:
    """Numbers of a comma-separated file; empty fields are zero."""
    return _read_numbers(name, ",", list(args), "csvread")


@builtin(
    "dlmread",
    reads_file=True,
    category=_FAMILY,
    signatures=(
        "M = dlmread(file)",
        "M = dlmread(file, delimiter)",
        "M = dlmread(file, delimiter, row, col)",
        "M = dlmread(file, delimiter, range)",
    ),
    cases=("dlmwrite('m.txt', [1 2; 3 4], ';'); isequal(dlmread('m.txt', ';'), [1 2; 3 4])",),
    see=("dlmwrite",),
)
def dlmread(name: Value, *args: Value) -> Value:
    """Numbers of a delimited file; the delimiter is guessed unless given."""
    rest = list(args)
    empty = None
    if len(rest) >= 2 and is_char(rest[-2]) and text_of(rest[-2]).lower() == "emptyvalue":
        empty = float_of(rest[-1])
        del rest[-2:]
    given = (
        bool(rest)
        and (is_char(rest[0]) or is_string(rest[0]))
        and (len(rest) > 1 or len(unescape(text_of(rest[0]))) <= 1)
    )
    delimiter = unescape(text_of(rest.pop(0))) if given else None
    if empty is not None:
        rows = _range(
            delimited.split_text(delimited.file_text(name, "dlmread"), delimiter).rows, rest
        )
        data = delimited.numbers(rows)
        return canonical(np.where(_blank(rows, data.shape), empty, data))
    return _read_numbers(name, delimiter or None, rest, "dlmread")


@builtin(
    "csvwrite",
    words="",
    category=_FAMILY,
    signatures=("csvwrite(file, M)", "csvwrite(file, M, row, col, ...)"),
    cases=("csvwrite('m.csv', [1 2]); isequal(csvread('m.csv'), [1 2])",),
    see=("dlmwrite", "writematrix"),
)
def csvwrite(name: Value, a: Value, *options: Value) -> None:
    """Write a matrix as comma-separated text with five significant digits."""
    dlmwrite(name, a, ",", *options)


@builtin(
    "dlmwrite",
    category=_FAMILY,
    signatures=(
        "dlmwrite(file, M)",
        "dlmwrite(file, M, delimiter)",
        "dlmwrite(file, M, 'delimiter', d, 'precision', p)",
        "dlmwrite(file, M, '-append', ...)",
    ),
    cases=("dlmwrite('m.txt', [1 2], ' '); strcmp(strtrim(fileread('m.txt')), '1 2')",),
    see=("dlmread",),
)
def dlmwrite(name: Value, a: Value, *args: Value) -> None:
    """Write a matrix as delimited text."""
    rest, words = list(args), {"delimiter": ",", "newline": "\n", "precision": "%.5g"}
    append, free = False, list[str]()
    offset: list[int] = []
    shifts: dict[str, int] = {}
    while rest:
        item = rest.pop(0)
        word = text_of(item).lower() if is_text_scalar(item) else ""
        if word == "-append":
            append = True
        elif word == "append" and rest:
            append = text_of(rest.pop(0)).lower() == "on"
        elif word in ("roffset", "coffset") and rest:
            shifts[word] = int_of(rest.pop(0))
        elif word in words and rest:
            words[word] = _word(rest.pop(0))
        elif is_text_scalar(item) and len(free) == 2:
            raise unknown_option("dlmwrite", word, "delimiter newline precision append")
        elif is_text_scalar(item):
            free.append(unescape(text_of(item)))
        else:
            offset.append(int_of(item))
    words.update(zip(("delimiter", "newline"), free, strict=False))
    top, left, *_ = [*offset, 0, 0]
    place = [shifts.get("roffset", top), shifts.get("coffset", left)]
    _write_matrix(Path(text_of(name)), a, words, place, append)


def _word(value: Value) -> str:
    if is_text_scalar(value):
        word = unescape(text_of(value))
        return {"pc": "\r\n", "unix": "\n"}.get(word, word)
    return f"%.{int_of(value)}g"


def _write_matrix(
    path: Path, a: Value, words: dict[str, str], offset: list[int], append: bool
) -> None:
    data = as_array(a)
    flat = data.reshape(data.shape[0], -1, order="F")
    delimiter, end = words["delimiter"], words["newline"]
    lines = [delimiter * (offset[1] + flat.shape[1] - 1)] * offset[0]
    for row in flat:
        fields = [_number_text(x, words["precision"]) for x in row.tolist()]
        lines.append(delimiter * offset[1] + delimiter.join(fields))
    body = encoded("".join(line + end for line in lines))
    put = paths.put_at_end if append else paths.put_whole
    put(path, body)


def _number_text(x: Any, template: str) -> str:
    if isinstance(x, complex):
        sign = "+" if x.imag >= 0 else "-"
        return f"{render(template, (x.real,))}{sign}{render(template, (abs(x.imag),))}i"
    return render(template, (float(x),))
