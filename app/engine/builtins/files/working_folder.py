"""The current folder: pwd and cd."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from app.engine.arguments.checks import TEXT
from app.engine.declarations.registry import builtin
from app.engine.values import Value, text_of
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.interpreter.context import Context

_FAMILY = "files"
_REHASHED = ("path", "toolbox", "pathreset", "toolboxreset", "toolboxcache")


@builtin("pwd", category=_FAMILY, signatures=("folder = pwd",), cases=("ischar(pwd)",), see=("cd",))
def pwd(ctx: Context) -> Value:
    """The current folder."""
    return _current(ctx)


def _current(ctx: Context) -> str:
    """The name of the current folder, which may have been removed."""
    try:
        return str(Path.cwd())
    except FileNotFoundError:
        return ctx.path.current


def _change(ctx: Context, folder: Path) -> None:
    """Change the process's folder; from one that was removed the name leads on."""
    try:
        os.chdir(folder)
    except FileNotFoundError:
        os.chdir(os.path.normpath(Path(_current(ctx), folder)))


@builtin(
    "cd",
    category=_FAMILY,
    signatures=("cd folder", "old = cd(folder)", "folder = cd"),
    cases=("mkdir('sub'); old = cd('sub'); ok = endsWith(pwd, 'sub'); cd(old); ok",),
    see=("pwd", "dir"),
)
def cd(ctx: Context, folder: Value | None = None, *, nargout: int = 0) -> Value:
    """Change the current folder; functions in it are found first."""
    before = _current(ctx)
    if folder is None:
        return before
    try:
        _change(ctx, Path(text_of(folder)).expanduser())
    except (OSError, ValueError):  # no folder has a name with a zero byte
        text = f"Cannot CD to {text_of(folder)} (Name is nonexistent or not a directory)."
        raise MatlabError("MATLAB:cd:NonExistentFolder", text) from None
    ctx.path.set_current(str(Path.cwd()))
    ctx.interpreter.refresh()
    return before if nargout else ()


@builtin(
    "chdir",
    category=_FAMILY,
    signatures=("chdir folder",),
    cases=("mkdir('sub'); old = pwd; chdir('sub'); ok = endsWith(pwd, 'sub'); chdir(old); ok",),
    see=("cd",),
)
def chdir(ctx: Context, folder: Value) -> Value:
    """Change the current folder (Octave's name of cd)."""
    return cd(ctx, folder)


@builtin(
    "rehash",
    category=_FAMILY,
    signatures=("rehash", "rehash path"),
    cases=("rehash; rehash path; true",),
    see=("path", "addpath"),
)
def rehash(ctx: Context, what: Value = "path") -> Value:
    """Look for new and changed functions now; before every run this is done by itself."""
    word = text_of(what)
    if word.lower() not in _REHASHED:
        raise MatlabError("MATLAB:rehash:invalidInput", f"There is no form 'rehash {word}'.")
    ctx.interpreter.refresh()
    return ()


@builtin(
    "canonicalize_file_name",
    category=_FAMILY,
    signatures=("[name, status, message] = canonicalize_file_name(name)",),
    cases=(
        "mkdir('sub'); strcmp(canonicalize_file_name('sub/../sub'), fullfile(pwd, 'sub'))",
        "[~, status] = canonicalize_file_name('nosuch'); status == -1",
    ),
    see=("pwd",),
)
def canonicalize_file_name(name: Value) -> Value:
    """The whole name of a file or folder without links and dots; empty where there is none."""
    TEXT("canonicalize_file_name", 1, name)
    try:
        return str(Path(text_of(name)).resolve(strict=True)), 0.0, ""
    except OSError as problem:
        return "", -1.0, problem.strerror or str(problem)
