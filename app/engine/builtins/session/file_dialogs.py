"""Dialogs for files, folders and colours: shown by the window, without one asked as a line."""

from __future__ import annotations

from pathlib import Path

from app.engine.arguments.checks import unknown_option
from app.engine.builtins.graphics.plotting_support import PLOT, is_handle
from app.engine.builtins.session.dialogs import answers_of, ask_line
from app.engine.declarations.registry import builtin
from app.engine.dialog_state import Question
from app.engine.figures.colors import parse_color
from app.engine.figures.properties import (
    is_text,
    lines_of,
    parse_switch,
    plain_text,
    row_value,
    vector_of,
)
from app.engine.interpreter.context import Context
from app.engine.values import Cell, Value, numel
from app.errors import MatlabError

_EVERY = "All files (*)"


def _ask_paths(
    ctx: Context, kind: str, title: str, start: str = "", kinds: tuple[str, ...] = ()
) -> tuple[int, list[str]]:
    """The number of the kind of file that was chosen, and the paths; none when it was closed."""
    answers = answers_of(ctx, Question(kind, title, (title,), kinds, (start,)))
    if answers is None:
        line = ask_line(ctx, f"{title} (a path; Return for none): ")
        answers = ("1", line) if line else ()
    return (int(answers[0]), list(answers[1:])) if answers else (0, [])


def _kinds_of(filters: Value) -> tuple[str, ...]:
    """What files can be chosen from: patterns such as ``*.m;*.mat``, in rows beside their names."""
    if filters is None or not numel(filters):
        return (_EVERY,)
    texts = lines_of(filters)
    named = isinstance(filters, Cell) and len(filters.shape) == 2 and filters.shape[1] == 2
    half = len(texts) // 2
    patterns, names = (texts[:half], texts[half:]) if named else (texts, ["Files"] * len(texts))
    plain = [p if "*" in p else f"*{p}" for p in patterns]
    shown = (
        f"{n.split(' (*')[0] or 'Files'} ({p.replace(';', ' ').replace('*.*', '*')})"
        for n, p in zip(names, plain, strict=True)
    )
    return tuple(dict.fromkeys((*shown, _EVERY)))


def _is_start(text: str) -> bool:
    """Whether a filter is no pattern but a folder or a file to begin with."""
    return bool(text) and "*" not in text and (not text.startswith(".") or "/" in text)


def _starting(args: tuple[Value, ...]) -> tuple[Value, str, str]:
    """Patterns, title and what is there at first, of the inputs of a dialog for files."""
    filters = args[0] if args else None
    title = plain_text(args[1]) if len(args) > 1 else ""
    start = plain_text(args[2]) if len(args) > 2 else ""
    if filters is not None and is_text(filters) and _is_start(plain_text(filters)):
        return None, title, start or plain_text(filters)
    return filters, title, start


def _answer(index: int, paths: list[str]) -> tuple[Value, ...]:
    """Names, their folder and the number of their kind; zeros for none."""
    if not paths:
        return 0.0, 0.0, 0.0
    found = [Path(path).expanduser().absolute() for path in paths]
    names: list[Value] = [path.name for path in found]
    file = names[0] if len(names) == 1 else Cell.of(names, (1, len(names)))
    return file, f"{found[0].parent}/", float(index)


@builtin(
    "uigetfile",
    category=PLOT,
    signatures=(
        "[file,folder] = uigetfile(filter,title)",
        "[file,folder,index] = uigetfile(filter,title,start,'MultiSelect','on')",
    ),
    cases=("[f, p] = uigetfile('*.m'); ischar(f) || f == 0",),
    see=("uiputfile", "uigetdir"),
)
def uigetfile(ctx: Context, *args: Value) -> tuple[Value, ...]:
    """Ask for a file to read; 0 when none is given.

    The filter is a pattern, or a cell whose rows hold patterns and their names. With MultiSelect
    several files can be chosen, which come as a cell.
    """
    words = [plain_text(a).lower() if is_text(a) else "" for a in args]
    several = False
    if "multiselect" in words[:-1]:
        place = words.index("multiselect")
        several, args = parse_switch(args[place + 1]), (*args[:place], *args[place + 2 :])
    if len(args) > 3:
        raise unknown_option("uigetfile", plain_text(args[3]), "MultiSelect")
    filters, title, start = _starting(args)
    kind = "open several" if several else "open"
    return _answer(*_ask_paths(ctx, kind, title or "File to open", start, _kinds_of(filters)))


@builtin(
    "uiputfile",
    category=PLOT,
    signatures=("[file,folder,index] = uiputfile(filter,title,name)",),
    cases=("[f, p] = uiputfile('a.txt'); ischar(f) || f == 0",),
    see=("uigetfile", "uisave"),
)
def uiputfile(ctx: Context, *args: Value) -> tuple[Value, ...]:
    """Ask for a file to write; 0 when none is given."""
    filters, title, start = _starting(args)
    return _answer(*_ask_paths(ctx, "save", title or "File to save", start, _kinds_of(filters)))


@builtin(
    "uigetdir",
    category=PLOT,
    signatures=("folder = uigetdir(start,title)",),
    cases=("p = uigetdir; ischar(p) || p == 0",),
    see=("uigetfile",),
)
def uigetdir(ctx: Context, start: Value = "", title: Value = "") -> Value:
    """Ask for a folder; 0 when none is given."""
    head = plain_text(title) or "Folder"
    _, paths = _ask_paths(ctx, "folder", head, plain_text(start) if numel(start) else "")
    return paths[0] if paths else 0.0


@builtin(
    "uisave",
    category=PLOT,
    signatures=("uisave", "uisave(names)", "uisave(names,file)"),
    cases=("x = 3; try, uisave('x', 'some.mat'); catch, end; x == 3",),
    see=("uiputfile", "save"),
)
def uisave(ctx: Context, names: Value = None, file: Value = "matlab.mat") -> None:
    """Ask for a file and save variables there; all of them without names."""
    _, paths = _ask_paths(ctx, "save", "Save variables", plain_text(file), _kinds_of("*.mat"))
    if paths:
        ctx.call("save", (paths[0], *([] if names is None else lines_of(names))), 0)


@builtin(
    "uisetcolor",
    category=PLOT,
    signatures=("c = uisetcolor", "c = uisetcolor(color,title)", "c = uisetcolor(h,title)"),
    cases=("c = uisetcolor([0 0.5 1]); isequal(size(c), [1 3])",),
    see=("uigetfile",),
)
def uisetcolor(ctx: Context, start: Value = None, title: Value = "Color") -> Value:
    """Ask for a color: red, green and blue from 0 to 1; what it began with when it is closed.

    With a handle its Color becomes the one that is chosen.
    """
    before: Value = start
    if is_handle(start):
        before = start.get("Color")
    elif is_text(start) and len(plain_text(start)) > 1 and not plain_text(start).startswith("#"):
        before, title = None, start
    plain = is_text(before)
    first = (
        None if before is None else parse_color(plain_text(before) if plain else vector_of(before))
    )
    shown = _hex(first) if isinstance(first, tuple) else "#ffffff"
    head = plain_text(title)
    answers = answers_of(ctx, Question("color", head, (head,), (), (shown,)))
    if answers is None:
        answers = tuple(filter(None, [ask_line(ctx, f"{head} (such as {shown}): ")]))
    if not answers:
        return row_value(first) if isinstance(first, tuple) else 0.0
    found = parse_color(answers[0])
    if not isinstance(found, tuple):
        raise MatlabError("MATLAB:uisetcolor:BadColor", f"'{answers[0]}' is no color.")
    if is_handle(start):
        start.set("Color", row_value(found))
    return row_value(found)


def _hex(color: tuple[float, ...]) -> str:
    return "#" + "".join(f"{round(255 * part):02x}" for part in color)
