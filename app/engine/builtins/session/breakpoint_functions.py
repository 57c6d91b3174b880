"""Breakpoints set from code: one registry with those of the editor's margin."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from app import textfile
from app.engine.declarations.device_support import HostOnly
from app.engine.declarations.registry import builtin
from app.engine.protocol import Breakpoint, BreakpointsChanged
from app.engine.values import (
    Cell,
    Struct,
    StructArray,
    Value,
    as_array,
    is_cell,
    is_struct,
    text_of,
    unwrap,
)
from app.errors import MatlabError, UsageError
from app.source import code_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.engine.interpreter.context import Context

_FAMILY = "session"
_HOST = HostOnly("steers the run and computes no arrays", lazy=True)
_EVENTS = ("error", "caught error", "warning", "naninf")
_EVENT = re.compile(rf"if ({'|'.join((*_EVENTS, 'infnan'))})")


@builtin(
    "dbstop",
    category=_FAMILY,
    device=_HOST,
    cases=(
        "writelines('x = 1;', 'x.m'); dbstop in x at 1; n = numel(dbstatus); dbclear all; n == 1",
        "writelines({'% a', '%{', 'b', '%}', '', 'x = 1;'}, 'x.m'); dbstop in x at 3; "
        "s = dbstatus; dbclear all; s.line == 6",
        "writelines(['a=1;';'b=2;'], 'x.m'); dbstop in x at 2 if a>1; s = dbstatus; dbclear all; "
        "dbstop(s); t = dbstatus; dbclear all; isequal(s, t) && strcmp(t.expression{1}, 'a>1')",
    ),
    see=("dbclear", "dbstatus", "keyboard"),
    signatures=(
        "dbstop(s)",
        "dbstop in file",
        "dbstop in file at line",
        "dbstop in file at line if expr",
        "dbstop if error",
        "dbstop if caught error",
        "dbstop if warning",
        "dbstop if naninf",
    ),
)
def dbstop(ctx: Context, *words: Value) -> Value:
    """Set a breakpoint, or pause on errors, warnings or the first NaN or Inf.

    ``error`` means errors that no ``try`` catches, ``caught error`` the others.
    A line without code stands for the next one that has some.

    The breakpoint appears in the margin of the editor too. ``dbstop if naninf`` names the
    operation and the element, also inside a fused kernel. A struct is what dbstatus gave.
    """
    debugger = ctx.interpreter.debugger
    if len(words) == 1 and is_struct(words[0]):
        _change(ctx, {*debugger.breakpoints(), *_saved(words[0])}, debugger.stops)
        return ()
    text = _text(words)
    event = _EVENT.fullmatch(text)
    if event:
        name = event[1].replace("infnan", "naninf")
        _change(ctx, debugger.breakpoints(), {*debugger.stops, name})
        return ()
    file, line, condition = _place(ctx, text, "dbstop")
    made = Breakpoint(file, _code_line(file, line or 1), condition)
    kept = [b for b in debugger.breakpoints() if (b.file, b.line) != (made.file, made.line)]
    _change(ctx, (*kept, made), debugger.stops)
    return ()


@builtin(
    "dbclear",
    category=_FAMILY,
    device=_HOST,
    cases=("dbclear all; isempty(dbstatus)",),
    see=("dbstop", "dbstatus"),
    signatures=("dbclear all", "dbclear in file", "dbclear in file at line", "dbclear if error"),
)
def dbclear(ctx: Context, *words: Value) -> Value:
    """Take breakpoints away."""
    text = _text(words)
    debugger = ctx.interpreter.debugger
    event = _EVENT.fullmatch(text)
    if text == "all":
        _change(ctx, (), ())
    elif event:
        name = event[1].replace("infnan", "naninf")
        _change(ctx, debugger.breakpoints(), set(debugger.stops) - {name})
    else:
        file, line, _ = _place(ctx, text, "dbclear")
        kept = [b for b in debugger.breakpoints() if b.file != file or line not in (0, b.line)]
        _change(ctx, kept, debugger.stops)
    return ()


@builtin(
    "dbstatus",
    category=_FAMILY,
    device=_HOST,
    cases=(
        "dbclear all; isempty(dbstatus)",
        "writelines(['a=1;';'b=2;'], 'x.m'); dbstop in x at 1; dbstop in x at 2 if a>1; "
        "s = dbstatus; dbclear all; isequal(s.line, [1 2]) && isequal(s.expression, {'', 'a>1'})",
    ),
    see=("dbstop", "dbclear"),
    signatures=("dbstatus", "dbstatus file", "s = dbstatus", "s = dbstatus(file)"),
)
def dbstatus(ctx: Context, file: Value | None = None, *, nargout: int = 0) -> Value:
    """List the breakpoints, or give them as one struct a file: its lines and their conditions."""
    debugger = ctx.interpreter.debugger
    found = list(debugger.breakpoints())
    if file is not None:
        wanted = _file(ctx, text_of(file), "dbstatus")
        found = [b for b in found if b.file == wanted]
    if nargout:
        groups = itertools.groupby(found, key=lambda b: b.file)
        return StructArray.of([_row(name, list(group)) for name, group in groups])
    for b in found:
        condition = f" if {b.condition}" if b.condition else ""
        ctx.write(f"Breakpoint for {Path(b.file).stem} is on line {b.line}{condition}.\n")
    for name in sorted(debugger.stops) if file is None else ():
        ctx.write(f"Stop if {name}.\n")
    return ()


def _row(file: str, breakpoints: list[Breakpoint]) -> Struct:
    fields: dict[str, Value] = {
        "name": Path(file).stem,
        "file": file,
        "line": unwrap(np.array([[float(b.line) for b in breakpoints]])),
        "expression": Cell.of([b.condition for b in breakpoints]),
    }
    return Struct(fields)


def _saved(status: Struct | StructArray) -> Iterator[Breakpoint]:
    """The breakpoints of a struct that dbstatus gave."""
    for row in [status] if isinstance(status, Struct) else status.elements():
        fields = [row.fields.get(name) for name in ("file", "line", "expression")]
        if None in fields or not is_cell(fields[2]):
            text = "The struct must be one that dbstatus gave: with file, line and expression."
            raise MatlabError("MATLAB:dbstop:badArguments", text)
        lines = as_array(fields[1]).ravel()
        for line, condition in zip(lines, fields[2].items(), strict=False):
            yield Breakpoint(text_of(fields[0]), int(line), text_of(condition))


def _change(ctx: Context, breakpoints: Any, stops: Any) -> None:
    debugger = ctx.interpreter.debugger
    kept = tuple(sorted(breakpoints, key=lambda b: (b.file, b.line)))
    debugger.set_breakpoints(kept, stops)
    debugger.install()
    ctx.host.tell(BreakpointsChanged(kept, tuple(sorted(stops))))


def _text(words: tuple[Value, ...]) -> str:
    """Both call forms as one text: ``dbstop in f at 3`` and ``dbstop('in', 'f', 'at', '3')``."""
    plain = (f"{w:g}" if isinstance(w, float) else text_of(w).strip() for w in words)
    return " ".join(" ".join(plain).split())


def _code_line(file: str, line: int) -> int:
    try:
        lines = textfile.read(Path(file)).text.splitlines()
    except (OSError, UsageError):
        return line  # what cannot be read cannot be run either, and says why when it is
    return code_line(lines, line)


_PLACE = re.compile(r"(?:in )?(?P<file>\S+)(?: (?:at )?(?P<line>\d+))?(?: if (?P<expr>.+))?")


def _place(ctx: Context, text: str, name: str) -> tuple[str, int, str]:
    """File, line (0 when not said) and condition of ``in FILE at LINE if EXPRESSION``."""
    found = _PLACE.fullmatch(text)
    if found is None:
        known = ", ".join(f"if {event}" for event in _EVENTS)
        raise MatlabError(
            f"MATLAB:{name}:badArguments",
            f"{name} takes 'in file', 'in file at line', 'in file at line if expression' or one "
            f"of {known}.",
        )
    file = _file(ctx, found["file"], name)
    return file, int(found["line"] or 0), found["expr"] or ""


def _file(ctx: Context, name: str, builtin_name: str) -> str:
    path = Path(name if name.endswith(".m") else f"{name}.m")
    here = path if path.is_file() else None
    folder = str(Path(ctx.caller_file()).parent)
    found = str(here) if here else ctx.interpreter.path.find(path.stem, folder)
    if not found:
        raise MatlabError(f"MATLAB:{builtin_name}:fileNotFound", f"There is no file '{path}'.")
    return str(Path(found).absolute())
