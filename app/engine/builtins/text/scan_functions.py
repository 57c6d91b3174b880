"""``sscanf`` and ``fscanf``: numbers and texts from formatted text."""

from __future__ import annotations

import os
from functools import lru_cache

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import unknown_option
from app.engine.arguments.size_arguments import read_size
from app.engine.builtins.text import scanning
from app.engine.declarations.registry import builtin
from app.engine.interpreter.file_table import open_file_of
from app.engine.values import (
    EMPTY,
    Array,
    Value,
    char_value,
    int_of,
    is_char,
    is_text_scalar,
    text_of,
    unwrap,
)
from app.engine.values.print_formats import unescape
from app.errors import MatlabError

_FAMILY = "text input"


def _codes(items: list[float | str]) -> list[float]:
    if str not in set(map(type, items)):
        return items  # type: ignore[return-value]  # none was seen to be a text
    flat: list[float] = []
    for item in items:
        flat += [float(ord(c)) for c in item] if isinstance(item, str) else [item]
    return flat


def _kept_fields(template: str) -> list[scanning.Field]:
    return [part for part in scanning.parse(template) if part.is_kept]


@lru_cache(maxsize=64)
def _kind_of_result(template: str) -> tuple[type[np.number], bool]:
    """The class of what a format reads, and whether it is text alone.

    ``int64`` or ``uint64`` where every conversion is one of those, else ``double``.
    """
    kept = _kept_fields(template)
    as_text = bool(kept) and all(p.is_text for p in kept)
    if kept and all(p.bits == 64 and p.kind in "di" for p in kept):
        return np.int64, as_text
    if kept and all(p.bits == 64 and p.kind in "uox" for p in kept):
        return np.uint64, as_text
    return np.float64, as_text


def shaped(items: list[float | str], template: str, size: Value | None) -> Value:
    """What was read as a column, as a matrix of the size asked for, or as text.

    The size counts what was read: a word is one, however many characters it has.
    """
    _, shape = read_size(size)
    flat = _codes(items)
    kind, as_text = _kind_of_result(template)
    if not flat:
        return "" if as_text else EMPTY
    if len(flat) == 1 and shape is None and type(flat[0]) is float and not as_text:
        return flat[0]
    a: Array = np.array(flat, dtype=kind)
    if shape is None:
        a = a.reshape(1, -1) if as_text else a.reshape(-1, 1)
    else:
        rows = shape[0]
        columns = -(-a.size // rows)
        a = np.pad(a, (0, rows * columns - a.size)).reshape(rows, columns, order="F")
    return char_value(a.astype(np.uint32)) if as_text else unwrap(a)


def _scan_into(text: str, template: str, size: Value | None) -> tuple[Value, scanning.Scan]:
    most, _ = read_size(size)
    found = scanning.scan(text, template, most)
    return shaped(found.items, template, size), found


def _message(found: scanning.Scan) -> str:
    return "Matching failure in format." if found.failed else ""


def _is_each_conversion(function: str, size: Value | None) -> bool:
    """Whether Octave's ``"C"`` stands where a size would."""
    if size is None or not is_text_scalar(size):
        return False
    if text_of(size) != "C":
        raise unknown_option(function, text_of(size), "C")
    return True


def _outputs_of_conversions(text: str, template: str) -> tuple[tuple[Value, ...], scanning.Scan]:
    """One output per conversion (Octave's ``"C"``)."""
    found = scanning.scan(text, template, once=True)
    values: list[Value] = [v if isinstance(v, str) else float(v) for v in found.items]
    values += [EMPTY] * (len(_kept_fields(template)) - len(values))
    return (*values, float(len(found.items)), _message(found)), found


@builtin(
    "sscanf",
    words="c",
    category=_FAMILY,
    signatures=(
        "A = sscanf(str, format)",
        "[A, n, errmsg, nextindex] = sscanf(str, format, size)",
        "[...] = sscanf(str, format, 'C')",
    ),
    cases=(
        "isequal(sscanf('1 2 3', '%d'), [1; 2; 3])",
        "sscanf('x=5', 'x=%f') == 5",
        "isequal(sscanf('1,2;3,4', '%d,%d;', [2 Inf]), [1 3; 2 4])",
        "strcmp(sscanf('hello world', '%s'), 'helloworld')",
        "strcmp(sscanf('hello world', '%s', 1), 'hello')",
        "sscanf('ff', '%x') == 255",
        "sscanf('10:20', '%*d:%d') == 20",
        "isequal(sscanf('-1 -ff 9999999999', '%x'), [4294967295; 4294967041; 4294967295])",
        "isequal(sscanf('9007199254740993', '%ld'), int64(9007199254740992) + 1)",
        "[a, b, n] = sscanf('3 x', '%d %s', \"C\"); a == 3 && strcmp(b, 'x') && n == 2",
    ),
    see=("fscanf", "textscan", "str2double"),
)
def sscanf(text: Value, template: Value, size: Value | None = None) -> Value:
    """Read formatted data from text; the format is used again until the text ends.

    Conversions: %d %i %u %f %e %g %x %o %s %c %[set], with a width and ``*`` to skip. The result
    is a column, or fills a matrix of the given size; characters become their codes unless the
    format reads nothing but characters. Integers have 32 bits; of nothing but %ld or %lu come
    int64 and uint64.
    """
    if not is_text_scalar(text) and not is_char(text):
        message = "First argument must be a text scalar."
        raise MatlabError("MATLAB:sscanf:firstInputMustBeString", message)
    pattern = text_of(template)
    if _is_each_conversion("sscanf", size):
        return _outputs_of_conversions(text_of(text), unescape(pattern))[0]
    value, found = _scan_into(text_of(text), unescape(pattern), size)
    return value, float(len(found.items)), _message(found), float(found.position + 1)


@builtin(
    "fscanf",
    words="c",
    category=_FAMILY,
    signatures=(
        "A = fscanf(fid, format)",
        "[A, n] = fscanf(fid, format, size)",
        "[...] = fscanf(fid, format, 'C')",
    ),
    cases=(
        "writelines(\"1 2 3\", 'a.txt'); f = fopen('a.txt'); x = fscanf(f, '%d')'; "
        "fclose(f); isequal(x, [1 2 3])",
        "writelines([\"1 2\"; \"a,3\"], 'a.txt'); f = fopen('a.txt'); x = fscanf(f, '%f ', [1 2]); "
        "s = fgetl(f); fclose(f); isequal(x, [1 2]) && strcmp(s, 'a,3')",
        "writelines(\"5 points\", 'a.txt'); f = fopen('a.txt'); x = fscanf(f, '%d poi', 1); "
        "s = fgetl(f); fclose(f); x == 5 && strcmp(s, 'nts')",
        "writelines(\"5 points\", 'a.txt'); f = fopen('a.txt'); [x, w] = fscanf(f, '%d %s', 'C'); "
        "fclose(f); x == 5 && strcmp(w, 'points')",
    ),
    see=("sscanf", "fgetl", "textscan"),
)
def fscanf(ctx: CallContext, fid: Value, template: Value, size: Value | None = None) -> Value:
    """Read formatted data from a file, from where it stands to where the format ends to fit."""
    file = open_file_of(ctx, int_of(fid))
    data = file.stream.read()
    text = file.decode(data)
    pattern = unescape(text_of(template))
    if _is_each_conversion("fscanf", size):
        outputs, found = _outputs_of_conversions(text, pattern)
    else:
        value, found = _scan_into(text, pattern, size)
        outputs = (value, float(len(found.items)))
    file.stream.seek(-file.bytes_behind(data, found.position), os.SEEK_CUR)
    file.at_end = found.met_end
    return outputs
