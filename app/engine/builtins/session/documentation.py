"""Help, documentation, and what steers tools that the window has anyway."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from app.engine.builtins import help_pages
from app.engine.builtins.session.desktop import panel
from app.engine.declarations import registry
from app.engine.declarations.device_support import SESSION
from app.engine.declarations.registry import builtin
from app.engine.interpreter.context import Context
from app.engine.protocol import ShowPanel
from app.engine.values import Struct, StructArray, Value, text_of
from app.errors import MatlabError, UsageError
from app.source import SourceText

if TYPE_CHECKING:
    from app.engine.interpreter.context import Context

_FAMILY = "session"


def _page(ctx: Context, name: str) -> str:
    found = None if registry.lookup(name) is not None else ctx.path.find(name)
    try:
        return help_pages.page(help_pages.find(name, (), found))
    except UsageError as problem:
        text = f"{name} not found. {str(problem).partition('; ')[2]}".strip()
        raise MatlabError("MATLAB:help:NotFound", text) from problem


@builtin(
    "help",
    category=_FAMILY,
    device=SESSION,
    signatures=("help name", "text = help(name)"),
    cases=("contains(help('sin'), 'sin(')",),
    see=("doc", "lookfor", "which"),
)
def help_(ctx: Context, name: Value = "help", *, nargout: int = 0) -> Value:
    """Show what a function says of itself: a builtin's page, or the first comments of a file."""
    text = _page(ctx, text_of(name))
    if nargout:
        return text
    ctx.write(text)
    return ()


@builtin(
    "doc",
    category=_FAMILY,
    device=SESSION,
    signatures=("doc name", "doc words"),
    cases=("contains(evalc('doc sin'), 'sin(X)')", "contains(evalc('doc square root'), 'sqrt')"),
    see=("help",),
)
def doc(ctx: Context, name: Value = "doc", *more: Value) -> Value:
    """Show the documentation of a function: in the Help panel, or as ``help`` does. What is no
    function is looked for, as ``lookfor`` does."""
    try:
        text = _page(ctx, text_of(name)) if not more else ""
    except MatlabError:
        text = ""
    if not text:
        return lookfor(ctx, *(word for v in (name, *more) for word in text_of(v).split("-")))
    if ctx.host.windowed:
        ctx.host.tell(ShowPanel("help", text_of(name)))
    else:
        ctx.write(text)
    return ()


@builtin(
    "docsearch",
    category=_FAMILY,
    device=SESSION,
    signatures=("docsearch words",),
    cases=("contains(evalc('docsearch cosine'), 'acos')",),
    see=("doc", "lookfor"),
)
def docsearch(ctx: Context, *words: Value) -> Value:
    """Search the documentation: in the Help panel, or as ``lookfor`` does."""
    if not ctx.host.windowed:
        return lookfor(ctx, *(part for word in words for part in text_of(word).split()))
    ctx.host.tell(ShowPanel("help", search=" ".join(map(text_of, words))))
    return ()


@builtin(
    "lookfor",
    category=_FAMILY,
    device=SESSION,
    signatures=("lookfor words",),
    cases=("contains(evalc('lookfor cosine'), 'acos')",),
    see=("help",),
)
def lookfor(ctx: Context, *words: Value) -> Value:
    """List the builtins whose name or first line of help has the words."""
    wanted = [text_of(word).lower() for word in words]
    for name in registry.names():
        found = registry.lookup(name)
        summary = found.help.partition("\n")[0] if found is not None else ""
        if all(word in f"{name} {summary}".lower() for word in wanted):
            ctx.write(f"{name:<22} - {summary}\n")
    return ()


@builtin(
    "profile",
    category=_FAMILY,
    device=SESSION,
    signatures=("profile on", "profile off", "profile viewer", "s = profile('status')"),
    cases=(
        "profile on; x = sum(1:10); profile off; x == 55",
        "profile on; s = profile('status'); profile off; s.ProfilerStatus",
    ),
    see=("tic", "timeit"),
)
def profile(ctx: Context, *words: Value) -> Value:
    """Times of functions and lines are always taken; the Profile panel shows those of a run.

    ``on``, ``off`` and ``resume`` change what ``status`` says and nothing else; ``viewer`` shows
    the panel.
    """
    word, *options = (text_of(word).lower() for word in words or ("viewer",))
    wrong = [name for name in options if (word, name) not in _PROFILE_OPTIONS]
    if word not in _PROFILE_ACTIONS or wrong:
        text = f"profile does not know '{(wrong or [word])[0]}'."
        raise MatlabError("MATLAB:profile:option", text)
    if word in _PROFILE_SWITCHES:
        ctx.state["profile"] = _PROFILE_SWITCHES[word]
    elif word == "status":
        status = {"ProfilerStatus": ctx.state.get("profile", "off"), **_PROFILE_STATUS}
        return Struct(dict(status))
    elif word == "info":
        text = "The times are in the Profile panel and in the report of a run (--report FILE)."
        raise MatlabError("MATLAB:profile:info", text)
    elif word != "clear":
        panel(ctx, "profile viewer", "profile")
    return ()


_PROFILE_SWITCHES = {"on": "on", "resume": "on", "off": "off"}
_PROFILE_ACTIONS = {*_PROFILE_SWITCHES, "clear", "status", "info", "viewer", "report"}
_PROFILE_OPTIONS = {("on", "-nohistory"), ("on", "-timer"), ("on", "performance")}
_PROFILE_STATUS = {
    "DetailLevel": "mmex",
    "Timer": "performance",
    "HistoryTracking": "off",
    "HistorySize": 0.0,
}
"""Lines are told without built-in functions, on the finest clock, and no order of calls is kept."""


@builtin(
    "checkcode",
    category=_FAMILY,
    device=SESSION,
    signatures=("checkcode(file)", "info = checkcode(file)"),
    cases=("writelines('x = 1', 'x.m'); ischar(evalc('checkcode(''x.m'')'))",),
    see=("help",),
)
def checkcode(ctx: Context, file: Value, *options: Value, nargout: int = 0) -> Value:
    """Show what the editor would say of a file: errors, warnings and hints with their lines."""
    from app.engine.analysis import check_text
    from app.engine.language import MATLAB
    from app.engine.livecode.reading import read_code

    name = text_of(file)
    place = name if Path(name).is_file() else ctx.path.find(name.removesuffix(".m"))
    if place is None:
        raise MatlabError("MATLAB:checkcode:FileNotFound", f"The file '{name}' was not found.")
    source = SourceText(place, read_code(Path(place)).text)
    rows = []
    for said in check_text(source, MATLAB):
        at = source.place(said.span.start)
        rows.append(
            Struct(
                {
                    "message": said.message,
                    "line": float(at.line),
                    "column": float(at.column),
                    "id": said.code,
                }
            )
        )
        if not nargout:
            ctx.write(f"L {at.line} (C {at.column}): {said.message}\n")
    if nargout:
        return StructArray.of(rows, (len(rows), 1), ("message", "line", "column", "id"))
    return ()
