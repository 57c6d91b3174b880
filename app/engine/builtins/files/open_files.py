"""Reading and writing open files: fopen, fgetl, fread, fwrite, fseek and their kin."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from app import paths
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.size_arguments import read_size
from app.engine.declarations.registry import builtin
from app.engine.interpreter.file_table import (
    OpenFile,
    invalid_identifier,
    open_file_of,
    table,
    write_text,
)
from app.engine.operators.arithmetic import saturate
from app.engine.values import (
    EMPTY,
    Array,
    Value,
    as_array,
    canonical,
    char_codes,
    char_value,
    float_of,
    is_char,
    is_text_scalar,
    numel,
    text_of,
)
from app.errors import MatlabError, said_by_system

if TYPE_CHECKING:
    from app.engine.interpreter.context import Context

_FAMILY = "files"
_PRECISIONS = {
    "uchar": "u1",
    "unsigned char": "u1",
    "uint8": "u1",
    "schar": "i1",
    "signed char": "i1",
    "int8": "i1",
    "integer*1": "i1",
    "int16": "i2",
    "int32": "i4",
    "int64": "i8",
    "uint16": "u2",
    "uint32": "u4",
    "uint64": "u8",
    "short": "i2",
    "int": "i4",
    "long": "i8",
    "ushort": "u2",
    "uint": "u4",
    "ulong": "u8",
    "float": "f4",
    "float32": "f4",
    "single": "f4",
    "real*4": "f4",
    "double": "f8",
    "float64": "f8",
    "real*8": "f8",
    "char": "u1",
    "char*1": "u1",
    "integer*2": "i2",
    "integer*4": "i4",
    "integer*8": "i8",
    "logical": "u1",
}
_ORDERS: dict[str, Literal["<", ">"]] = {
    "n": "<",
    "native": "<",
    "l": "<",
    "ieee-le": "<",
    "b": ">",
    "ieee-be": ">",
    "s": ">",
    "a": "<",
}


_STANDARD = {
    0: ('"stdin"', "r", "ieee-le", "UTF-8"),
    1: ('"stdout"', "w", "ieee-le", "UTF-8"),
    2: ('"stderr"', "w", "ieee-le", "UTF-8"),
}
"""What ``fopen`` says of the identifiers that are always open."""


def _identifier(v: Value) -> int:
    a = np.asarray(as_array(v))
    if a.size != 1:
        raise invalid_identifier()
    return int(a.real.flat[0])


@builtin(
    "fopen",
    category=_FAMILY,
    signatures=(
        "[fid, message] = fopen(name, permission)",
        "fid = fopen(name, permission, byteorder, encoding)",
        "[name, permission, byteorder, encoding] = fopen(fid)",
        "fids = fopen('all')",
    ),
    cases=("fopen('/no/such/file') == -1", "strcmp(fopen(1), '\"stdout\"')"),
    see=("fclose", "fgetl", "fread", "fprintf"),
)
def fopen(
    ctx: Context,
    name: Value,
    permission: Value = "r",
    order: Value = "n",
    encoding: Value = "UTF-8",
) -> Value:
    """Open a file and give its identifier, -1 when that fails."""
    if not is_char(name) and numel(name) == 1 and not hasattr(name, "data"):
        if (number := _identifier(name)) in _STANDARD:
            return _STANDARD[number]
        file = open_file_of(ctx, number)
        native = "ieee-le" if file.order == "<" else "ieee-be"
        return file.name, file.mode, native, file.encoding.upper()
    path = text_of(name)
    if path == "all":
        numbers = sorted(table(ctx).files)
        return canonical(np.array([numbers], dtype=np.float64)) if numbers else EMPTY
    if text_of(permission) in ("r", "rt", "rb"):
        path = ctx.path.find_file(path)
    byte_order = _ORDERS.get(text_of(order).lower() or "n")
    if byte_order is None:
        text = f"The byte order '{text_of(order)}' is not known: use 'n', 'b' or 'l'."
        raise MatlabError("MATLAB:FileIO:InvalidMachineFormat", text)
    codec = _codec(text_of(encoding))
    number, message = table(ctx).open(path, text_of(permission), byte_order, codec)
    return float(number), message


def _codec(name: str) -> str:
    """The encoding of a file by its name; an empty one is the usual."""
    try:
        "".encode(name or "UTF-8")
    except LookupError as problem:
        text = f"The encoding '{name}' is not known."
        raise MatlabError("MATLAB:FileIO:InvalidEncoding", text) from problem
    return name or "UTF-8"


@builtin(
    "fclose",
    category=_FAMILY,
    signatures=("status = fclose(fid)", "status = fclose('all')"),
    cases=("f = fopen('a.txt', 'w'); fclose(f) == 0",),
    see=("fopen",),
)
def fclose(ctx: CallContext, fid: Value) -> Value:
    """Close one file, or all."""
    if is_text_scalar(fid):
        table(ctx).close_all()
    else:
        number = _identifier(fid)
        open_file_of(ctx, number)
        table(ctx).close(number)
    return 0.0


def _line(ctx: CallContext, fid: Value, keep: bool) -> Value:
    file = open_file_of(ctx, _identifier(fid))
    data = file.line()
    if not data:
        file.at_end = True
        return -1.0
    text = file.decode(data)
    if keep or not text.endswith("\n"):
        return text
    return text.removesuffix("\n").removesuffix("\r")


@builtin(
    "fgetl",
    category=_FAMILY,
    signatures=("line = fgetl(fid)",),
    cases=(
        "writelines([\"one\" \"two\"], 'a.txt'); f = fopen('a.txt'); line = fgetl(f); "
        "fclose(f); strcmp(line, 'one')",
    ),
    see=("fgets", "feof"),
)
def fgetl(ctx: CallContext, fid: Value) -> Value:
    """The next line without its end; -1 at the end of the file."""
    return _line(ctx, fid, keep=False)


@builtin(
    "fgets",
    words="",
    category=_FAMILY,
    signatures=("[line, ending] = fgets(fid)", "line = fgets(fid, n)"),
    cases=(
        "writelines(\"one\", 'a.txt'); f = fopen('a.txt'); line = fgets(f); fclose(f); "
        "strcmp(line, sprintf('one\\n'))",
    ),
    see=("fgetl",),
)
def fgets(ctx: CallContext, fid: Value, n: Value | None = None) -> Value:
    """The next line with its end (at most n characters); -1 at the end of the file.

    The second output has the codes of the line's end.
    """
    if n is None:
        line = _line(ctx, fid, keep=True)
    else:
        file = open_file_of(ctx, _identifier(fid))
        data = file.stream.readline(int(float_of(n)))
        file.at_end = not data
        line = file.decode(data) if data else -1.0
    text = line if isinstance(line, str) else ""
    ending = text[len(text.rstrip("\r\n")) :]
    return line, canonical(np.array([[float(ord(c)) for c in ending]]).reshape(1, -1))


@builtin(
    "feof",
    category=_FAMILY,
    signatures=("tf = feof(fid)",),
    cases=("f = fopen('a.txt', 'w+'); fread(f); ended = feof(f); fclose(f); ended",),
    see=("fgetl", "ferror"),
)
def feof(ctx: CallContext, fid: Value) -> Value:
    """True once a read has met the end of the file."""
    return open_file_of(ctx, _identifier(fid)).at_end


@builtin(
    "ferror",
    category=_FAMILY,
    signatures=("[message, number] = ferror(fid)",),
    cases=("f = fopen('a.txt', 'w'); text = ferror(f); fclose(f); isempty(text)",),
    see=("fopen",),
)
def ferror(ctx: CallContext, fid: Value, clear: Value | None = None) -> Value:
    """Message of the last failed operation on a file, empty when there was none."""
    file = open_file_of(ctx, _identifier(fid))
    message = file.error
    if clear is not None:
        file.error = ""
    return message, -1.0 if message else 0.0


@builtin(
    "ftell",
    category=_FAMILY,
    signatures=("position = ftell(fid)",),
    cases=("f = fopen('a.bin', 'w'); fwrite(f, [1 2 3]); at = ftell(f); fclose(f); at == 3",),
    see=("fseek",),
)
def ftell(ctx: CallContext, fid: Value) -> Value:
    """Position in a file, in bytes from its beginning."""
    return float(open_file_of(ctx, _identifier(fid)).stream.tell())


@builtin(
    "fseek",
    category=_FAMILY,
    signatures=("status = fseek(fid, offset, origin)",),
    cases=(
        "f = fopen('a.bin', 'w+'); fwrite(f, [1 2 3]); fseek(f, 1, 'bof'); "
        "x = fread(f, 1); fclose(f); x == 2",
    ),
    see=("ftell", "frewind"),
)
def fseek(ctx: CallContext, fid: Value, offset: Value, origin: Value = "bof") -> Value:
    """Move in a file; origin is bof (-1), cof (0) or eof (1). 0 for success, -1 for failure."""
    file = open_file_of(ctx, _identifier(fid))
    names = {"bof": os.SEEK_SET, "cof": os.SEEK_CUR, "eof": os.SEEK_END}
    named = is_text_scalar(origin)
    start = names[text_of(origin)] if named else int(float_of(origin)) + 1
    place = int(float_of(offset))
    file.stream.flush()
    size = os.fstat(file.stream.fileno()).st_size
    base = {os.SEEK_SET: 0, os.SEEK_CUR: file.stream.tell(), os.SEEK_END: size}[start]
    if not 0 <= base + place <= size:
        file.error = "Offset is bad - before beginning-of-file or after end-of-file."
        return -1.0
    file.stream.seek(base + place)
    file.at_end = False
    return 0.0


@builtin(
    "frewind",
    category=_FAMILY,
    signatures=("frewind(fid)",),
    cases=("f = fopen('a.bin', 'w+'); fwrite(f, 7); frewind(f); x = fread(f); fclose(f); x == 7",),
    see=("fseek",),
)
def frewind(ctx: CallContext, fid: Value) -> None:
    """Go back to the beginning of a file."""
    file = open_file_of(ctx, _identifier(fid))
    file.stream.seek(0)
    file.at_end = False


def _precision(text: str) -> tuple[np.dtype, str, int]:
    """Element type on disk, MATLAB class in memory, and how many at a time (``8*uint8``)."""
    text = text.strip()
    count = 1
    head, star, tail = text.partition("*")
    if star and head.strip().isdigit():
        count, text = int(head), tail
    same = text.startswith("*")
    source, arrow, target = text.removeprefix("*").partition("=>")
    source, target = source.strip(), target.strip()
    code = _PRECISIONS.get(source)
    if code is None:
        raise MatlabError("MATLAB:badprecision_mx", "Invalid precision.")
    if same and not arrow:
        target = "char" if source.startswith("char") else source
    return np.dtype(code), target or "double", count


@builtin(
    "fread",
    category=_FAMILY,
    signatures=(
        "[A, count] = fread(fid)",
        "A = fread(fid, size, precision)",
        "A = fread(fid, size, precision, skip, byteorder)",
    ),
    cases=(
        "f = fopen('a.bin', 'w+'); fwrite(f, [1 2 3]); frewind(f); x = fread(f)'; "
        "fclose(f); isequal(x, [1 2 3])",
    ),
    see=("fwrite", "fopen"),
)
def fread(
    ctx: CallContext,
    fid: Value,
    size: Value | None = None,
    precision: Value = "uint8",
    skip: Value = 0.0,
    order: Value | None = None,
) -> Value:
    """Read binary data; ``*uint8`` keeps the class, ``uint8=>char`` names another."""
    file = open_file_of(ctx, _identifier(fid))
    if size is not None and is_char(size):
        size, precision = None, size
    kind, target, block = _precision(text_of(precision))
    kind = kind.newbyteorder(_ORDERS[text_of(order).lower()] if order is not None else file.order)
    most, shape = read_size(size)
    count = -1 if math.isinf(most) else int(most)
    gap = int(float_of(skip))
    data = _elements(file, kind, count, block, gap)
    n = data.size
    if shape is not None:
        columns = -(-n // shape[0]) if n else 0
        padded = np.zeros(shape[0] * columns, dtype=kind)
        padded[:n] = data
        data = padded.reshape(shape[0], columns, order="F")
    else:
        data = data.reshape(-1, 1)
    return _as_class(data, target), float(n)


def _elements(file: OpenFile, kind: np.dtype, count: int, block: int, gap: int) -> Array:
    if gap == 0:
        raw = file.read(-1 if count < 0 else count * kind.itemsize)
        return np.frombuffer(raw[: len(raw) // kind.itemsize * kind.itemsize], dtype=kind)
    parts: list[Array] = []
    while count < 0 or sum(p.size for p in parts) < count:
        raw = file.read(block * kind.itemsize)
        if len(raw) < kind.itemsize:
            break
        parts.append(np.frombuffer(raw[: len(raw) // kind.itemsize * kind.itemsize], dtype=kind))
        file.stream.seek(gap, os.SEEK_CUR)
    joined = np.concatenate(parts) if parts else np.zeros(0, dtype=kind)
    return joined if count < 0 else joined[:count]


def _as_class(data: Array, target: str) -> Value:
    if data.size == 0:
        return EMPTY
    if target.startswith("char"):
        return char_value(data.astype(np.uint32))
    kind = np.dtype(_PRECISIONS.get(target, "f8"))
    if kind.kind in "iu" and data.dtype.kind == "f":
        return canonical(saturate(data.astype(np.float64), kind))
    return canonical(data.astype(kind))


@builtin(
    "fwrite",
    category=_FAMILY,
    signatures=("count = fwrite(fid, A)", "count = fwrite(fid, A, precision, skip, byteorder)"),
    cases=(
        "f = fopen('a.bin', 'w'); n = fwrite(f, [1 2], 'int32'); fclose(f); "
        "n == 2 && dir('a.bin').bytes == 8",
    ),
    see=("fread",),
)
def fwrite(
    ctx: CallContext,
    fid: Value,
    a: Value,
    precision: Value = "uint8",
    skip: Value = 0.0,
    order: Value | None = None,
    *,
    nargout: int = 0,
) -> Value:
    """Write the elements of an array as binary data; gives how many were written."""
    number = _identifier(fid)
    data = char_codes(text_of(a)) if is_text_scalar(a) else np.asarray(as_array(a))
    flat = data.ravel(order="F")
    if number in (1, 2):
        write_text(ctx, number, "".join(map(chr, flat.astype(np.int64).tolist())))
        return float(flat.size) if nargout else None
    file = open_file_of(ctx, number)
    kind, _, _ = _precision(text_of(precision))
    if kind.kind in "iu":
        flat = saturate(flat.astype(np.float64), kind) if flat.dtype != kind else flat
    swapped = kind.newbyteorder(
        _ORDERS[text_of(order).lower()] if order is not None else file.order
    )
    gap = b"\0" * int(float_of(skip))
    raw = flat.astype(swapped)
    if gap:
        file.write(b"".join(gap + item.tobytes() for item in raw))
    else:
        file.write(raw.tobytes())
    return float(flat.size) if nargout else None


@builtin(
    "fputs",
    category=_FAMILY,
    signatures=("fputs(fid, text)",),
    cases=("f = fopen('a.txt', 'w'); fputs(f, 'hi'); fclose(f); strcmp(fileread('a.txt'), 'hi')",),
    see=("fprintf", "puts"),
)
def fputs(ctx: CallContext, fid: Value, text: Value, *, nargout: int = 0) -> Value:
    """Write text to a file as it is."""
    write_text(ctx, _identifier(fid), text_of(text))
    return 0.0 if nargout else None


@builtin(
    "puts",
    category=_FAMILY,
    signatures=("puts(text)",),
    cases=("strcmp(evalc('puts(''hi'')'), 'hi')",),
    see=("disp", "fputs"),
)
def puts(ctx: CallContext, text: Value, *, nargout: int = 0) -> Value:
    """Write text to the command window as it is."""
    ctx.write(text_of(text))
    return 0.0 if nargout else None


@builtin(
    "fflush",
    category=_FAMILY,
    signatures=("fflush(fid)", "status = fflush(fid)"),
    cases=("f = fopen('a.txt', 'w'); ok = fflush(f); fclose(f); ok == 0",),
    see=("fopen",),
)
def fflush(ctx: CallContext, fid: Value, *, nargout: int = 0) -> Value:
    """Write what is buffered for a file to the disk."""
    number = _identifier(fid)
    if number > 2:
        open_file_of(ctx, number).stream.flush()
    return 0.0 if nargout else None


@builtin(
    "stdout",
    category=_FAMILY,
    signatures=("fid = stdout()",),
    cases=("stdout() == 1",),
    see=("stderr",),
)
def stdout() -> Value:
    """Identifier of the command window, 1."""
    return 1.0


@builtin(
    "stderr",
    category=_FAMILY,
    signatures=("fid = stderr()",),
    cases=("stderr() == 2",),
    see=("stdout",),
)
def stderr() -> Value:
    """Identifier of the error stream, 2."""
    return 2.0


def declare_origin(name: str, origin: float) -> None:
    """Declare one of Octave's names of the places that fseek counts from."""
    builtin(
        name,
        category=_FAMILY,
        signatures=(f"origin = {name}",),
        cases=(f"~exist('{name}')",),
        text="A place that fseek counts from, by Octave's name.",
        see=("fseek",),
        octave=True,
    )(lambda: origin)


declare_origin("SEEK_SET", -1.0)
declare_origin("SEEK_CUR", 0.0)
declare_origin("SEEK_END", 1.0)


@builtin(
    "fileread",
    reads_file=True,
    category=_FAMILY,
    signatures=("text = fileread(name)", "text = fileread(name, 'Encoding', encoding)"),
    cases=("writelines(\"one\", 'a.txt'); strcmp(strtrim(fileread('a.txt')), 'one')",),
    see=("fopen", "readlines"),
)
def fileread(name: Value, *options: Value) -> Value:
    """The whole of a file as text."""
    path = text_of(name)
    encoding = text_of(options[-1]) if len(options) > 1 else "utf-8"
    try:
        data = paths.content(Path(path))
    except OSError as problem:
        said = said_by_system(problem)
        text = f"Could not open file {path}. {said[:1].upper()}{said[1:]}."
        raise MatlabError("MATLAB:fileread:cannotOpenFile", text) from problem
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return data.decode("latin-1")
