"""``sscanf`` and ``fscanf``: numbers and texts from formatted text."""

from __future__ import annotations

import math

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.builtins.text import scanning
from app.engine.declarations.registry import builtin
from app.engine.interpreter.file_table import open_file_of
from app.engine.values import (
    EMPTY,
    Array,
    Value,
    as_array,
    char_value,
    is_char,
    is_text_scalar,
    numel,
    text_of,
    unwrap,
)
from app.engine.values.print_formats import unescape
from app.errors import MatlabError

_FAMILY = "text input"


def _room(size: Value | None) -> tuple[float, tuple[int, int] | None]:
    """Most elements, and rows and columns (-1 for any number) when a matrix is wanted."""
    if size is None or numel(size) == 0:
        return math.inf, None
    numbers = as_array(size).ravel().tolist()
    if len(numbers) == 1:
        return numbers[0], None
    rows = int(numbers[0])
    if math.isinf(numbers[1]):
        return math.inf, (rows, -1)
    return rows * numbers[1], (rows, int(numbers[1]))


def _codes(items: list[float | str]) -> list[float]:
    flat: list[float] = []
    for item in items:
        flat += [float(ord(c)) for c in item] if isinstance(item, str) else [item]
    return flat


def shaped(items: list[float | str], template: str, size: Value | None) -> Value:
    """What was read as a column, as a matrix of the size asked for, or as text.

    The size counts what was read: a word is one, however many characters it has.
    """
    _, shape = _room(size)
    flat = _codes(items)
    kept = [p for p in scanning.parse(template) if p.kind not in " t" and not p.skip]
    as_text = bool(kept) and all(p.is_text for p in kept)
    if not flat:
        return "" if as_text else EMPTY
    a: Array = np.array(flat)
    if shape is None:
        a = a.reshape(1, -1) if as_text else a.reshape(-1, 1)
    else:
        rows = shape[0]
        columns = -(-a.size // rows)
        a = np.pad(a, (0, rows * columns - a.size)).reshape(rows, columns, order="F")
    return char_value(a.astype(np.uint32)) if as_text else unwrap(a)


def _scan_into(text: str, template: str, size: Value | None) -> tuple[Value, scanning.Scan]:
    most, _ = _room(size)
    found = scanning.scan(text, template, most)
    return shaped(found.items, template, size), found


def _message(found: scanning.Scan) -> str:
    return "sscanf: format failed to match" if found.failed else ""


def _each(text: str, template: str) -> tuple[Value, ...]:
    """One output per conversion (Octave's ``"C"``)."""
    found = scanning.scan(text, template, once=True)
    wanted = [p for p in scanning.parse(template) if p.kind not in " t" and not p.skip]
    values: list[Value] = list(found.items)
    values += [EMPTY] * (len(wanted) - len(values))
    return (*values, float(len(found.items)), _message(found))


@builtin(
    "sscanf",
    words="",
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
    ),
    see=("fscanf", "textscan", "str2double"),
)
def sscanf(text: Value, template: Value, size: Value | None = None) -> Value:
    """Read formatted data from text; the format is used again until the text ends.

    Conversions: %d %i %u %f %e %g %x %o %s %c %[set], with a width and ``*`` to skip. The result
    is a column, or fills a matrix of the given size; characters become their codes unless the
    format reads nothing but characters.
    """
    if not is_text_scalar(text) and not is_char(text):
        message = "First argument must be a text scalar."
        raise MatlabError("MATLAB:sscanf:firstInputMustBeString", message)
    pattern = text_of(template)
    if size is not None and is_char(size):
        return _each(text_of(text), unescape(pattern))
    value, found = _scan_into(text_of(text), unescape(pattern), size)
    return value, float(len(found.items)), _message(found), float(found.position + 1)


@builtin(
    "fscanf",
    words="",
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
    ),
    see=("sscanf", "fgetl", "textscan"),
)
def fscanf(ctx: CallContext, fid: Value, template: Value, size: Value | None = None) -> Value:
    """Read formatted data from a file, from where it stands to where the format ends to fit."""
    file = open_file_of(ctx, int(as_array(fid).flat[0]))
    start = file.stream.tell()
    text = file.decode(file.stream.read())
    pattern = unescape(text_of(template))
    if size is not None and is_char(size):
        outputs = _each(text, pattern)
        used = scanning.scan(text, pattern, once=True).position
    else:
        value, found = _scan_into(text, pattern, size)
        outputs, used = (value, float(len(found.items))), found.position
    file.stream.seek(start + len(text[:used].encode(file.encoding)))
    file.at_end = used >= len(text)
    return outputs
