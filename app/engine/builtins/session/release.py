"""The release and the search path: matlabRelease, userpath, restoredefaultpath."""

from __future__ import annotations

import os
from pathlib import Path

from app.engine.arguments.call_context import CallContext
from app.engine.declarations.registry import builtin
from app.engine.values import Struct, Value, text_of

_FAMILY = "system"


@builtin(
    "matlabRelease",
    category=_FAMILY,
    signatures=("r = matlabRelease",),
    cases=("startsWith(matlabRelease().Release, 'R20')",),
    see=("version", "ver"),
)
def matlab_release(ctx: CallContext) -> Value:
    """The release whose language this is, as a struct."""
    release = ctx.call("version", ("-release",), 1)[0]
    return Struct({"Release": f"R{text_of(release)}", "Stage": "release", "Update": 0.0})


@builtin(
    "userpath",
    category=_FAMILY,
    signatures=("p = userpath", "userpath(folder)", "userpath('clear')"),
    cases=("ischar(userpath)",),
    see=("path", "addpath"),
)
def userpath(ctx: CallContext, folder: Value | None = None) -> Value:
    """The folder of one's own that is searched first; ``'clear'`` for none."""
    if folder is None:
        return str(ctx.state.get("userpath", Path.home() / "Documents" / "MATLAB"))
    before, word = ctx.state.get("userpath"), text_of(folder)
    if before:
        ctx.call("rmpath", (str(before),), 0)
    kept = "" if word in ("clear", "reset") else str(Path(word).expanduser())
    ctx.state["userpath"] = kept
    if kept:
        ctx.call("addpath", (kept,), 0)
    return kept


@builtin(
    "restoredefaultpath",
    category=_FAMILY,
    signatures=("restoredefaultpath",),
    cases=(
        "mkdir('q'); addpath(fullfile(pwd, 'q')); restoredefaultpath; ~contains(path, "
        "fullfile(pwd, 'q'))",
    ),
    see=("path", "rmpath"),
)
def restoredefaultpath(ctx: CallContext) -> Value:
    """Take every folder off the search path that was put on it."""
    added = text_of(ctx.call("path", (), 1)[0])
    for folder in [f for f in added.split(os.pathsep) if f]:
        ctx.call("rmpath", (folder,), 0)
    return ()


@builtin(
    "cmdsep",
    category=_FAMILY,
    signatures=("s = cmdsep()",),
    cases=("ischar(cmdsep) && startsWith(cmdsep, '&')",),
    see=("system", "pathsep"),
)
def cmdsep() -> Value:
    """What stands between two commands of the system's command line, the second one run when the
    first went well."""
    return "&" if os.name == "nt" else "&&"
