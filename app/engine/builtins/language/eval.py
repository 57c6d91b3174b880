"""Running text and functions by name: eval, evalc, evalin, assignin, feval, builtin, run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from app.engine.arguments.call_context import CallContext
from app.engine.declarations.device_support import CONTAINER, HostOnly
from app.engine.declarations.registry import builtin, lookup
from app.engine.interpreter.objects import overloads
from app.engine.interpreter.resolver import CODE
from app.engine.interpreter.try_blocks import attempted
from app.engine.operators import operator_overloads
from app.engine.values import ObjectArray, ObjectValue, Value, is_text_scalar, text_of
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.interpreter.context import Context

_FAMILY = "evaluation"
_HOST = HostOnly("steers the run and computes no arrays")
_CALL = HostOnly("calls a function with the arguments as they are", lazy=True)


def _evaluated(
    ctx: Context, text: Value, fallback: Value | None, nargout: int, *place: str
) -> Value:
    """The results of a text, or of the second one when it fails, in the workspace of a place."""
    if fallback is None:
        return _results(ctx.evaluate(text_of(text), nargout, *place), nargout)
    made = attempted(ctx.interpreter, lambda: ctx.evaluate(text_of(text), nargout, *place))
    if isinstance(made, MatlabError):
        made = ctx.evaluate(text_of(fallback), nargout, *place)
    return _results(made, nargout)


def _results(made: tuple[Value, ...], nargout: int) -> Value:
    return made if nargout > 1 else (made[0] if made else ())


@builtin(
    "eval",
    category=_FAMILY,
    device=_HOST,
    cases=("eval('x = 2 + 3;'); x == 5",),
    see=("evalc", "feval"),
    signatures=("eval(text)", "[y1, ...] = eval(text)", "eval(text, catch_text)"),
)
def eval_(ctx: Context, text: Value, fallback: Value | None = None, *, nargout: int = 0) -> Value:
    """Run MATLAB text in the current workspace; the second text runs when the first one fails."""
    return _evaluated(ctx, text, fallback, nargout)


@builtin(
    "evalc",
    category=_FAMILY,
    signatures=("out = evalc(text)", "[out, y1, ...] = evalc(text)"),
    device=_HOST,
    cases=(
        "strcmp(strtrim(evalc('disp(42)')), '42')",
        "[t, x, k] = evalc('max([1 5 3])'); isempty(t) && isequal([x k], [5 2])",
        "contains(evalc('warning(''my:id'', ''Look.'')'), 'Warning: Look.')",
    ),
    see=("eval",),
)
def evalc(
    ctx: CallContext, text: Value, fallback: Value | None = None, *, nargout: int = 1
) -> Value:
    """Run MATLAB text and give back what it printed, and its outputs."""
    code = text_of(text)
    if fallback is not None:
        code = f"try\n{code}\ncatch\n{text_of(fallback)}\nend"
    printed, outputs = ctx.capture_output(code, max(nargout - 1, 0))
    return (printed, *outputs)


@builtin(
    "evalin",
    category=_FAMILY,
    device=_HOST,
    signatures=("evalin(where, text)", "[y1, ...] = evalin(where, text)"),
    cases=("y = 4; evalin('base', 'y') == 4",),
    see=("assignin",),
)
def evalin(
    ctx: Context, where: Value, text: Value, fallback: Value | None = None, *, nargout: int = 0
) -> Value:
    """Run text in the workspace of the ``caller`` or in the ``base`` workspace."""
    return _evaluated(ctx, text, fallback, nargout, _place(where))


def _place(where: Value) -> str:
    name = text_of(where)
    if name not in {"caller", "base"}:
        raise MatlabError("MATLAB:evalin:context", "The workspace must be 'caller' or 'base'.")
    return "caller of caller" if name == "caller" else "base"


@builtin(
    "assignin",
    category=_FAMILY,
    signatures=("assignin(where, name, value)",),
    device=CONTAINER,
    cases=("assignin('base', 'made', 3); made == 3",),
    see=("evalin",),
)
def assignin(ctx: CallContext, where: Value, name: Value, value: Value) -> Value:
    """Assign a variable in the workspace of the ``caller`` or in the ``base`` workspace."""
    text = text_of(name)
    if not text.isidentifier() or text.startswith("_"):
        raise MatlabError("MATLAB:assignin:InvalidVariable", f"Invalid variable name '{text}'.")
    ctx.workspace(_place(where)).set(text, value)
    return ()


@builtin(
    "feval",
    category=_FAMILY,
    signatures=("[y1, ...] = feval(fun, x1, ...)",),
    device=_CALL,
    cases=("feval(@max, [1 5 3]) == 5",),
    see=("eval",),
)
def feval(ctx: CallContext, function: Value, *args: Value, nargout: int = 1) -> Value:
    """Call a function given by handle or name."""
    target = text_of(function) if is_text_scalar(function) else function
    return _results(ctx.call(target, args, nargout), nargout)


@builtin(
    "builtin",
    category=_FAMILY,
    signatures=("[y1, ...] = builtin(name, x1, ...)",),
    device=_CALL,
    cases=("builtin('sin', 0) == 0",),
    see=("feval",),
)
def builtin_(ctx: Context, name: Value, *args: Value, nargout: int = 1) -> Value:
    """Call the built-in function of that name, past any overload."""
    if text_of(name) in {"subsref", "subsasgn"}:
        return ctx.objects.plain_access(text_of(name), args, nargout)
    found = lookup(text_of(name))
    if found is None:
        text = f"Cannot find builtin function '{text_of(name)}'."
        raise MatlabError("MATLAB:UndefinedFunction", text)
    if not any(isinstance(a, ObjectValue | ObjectArray) for a in args):
        return found.call(ctx, args, nargout)
    with operator_overloads.past_methods(overloads.default_operator):
        return found.call(ctx, args, nargout)


@builtin(
    "run",
    category=_FAMILY,
    signatures=("run(script)",),
    device=_HOST,
    cases=(
        "writelines('found = 7;', 'step.m'); run('step.m'); found == 7",
        "mkdir sub; writelines('here = pwd;', 'sub/step.m'); run('sub/step'); "
        "[~, last] = fileparts(here); strcmp(last, 'sub') && ~strcmp(pwd, here)",
    ),
    see=("eval",),
)
def run(ctx: Context, script: Value) -> Value:
    """Run a script file in the current workspace.

    Its folder is the current one while it runs, and longer only if the script changes the folder.
    """
    path = Path(ctx.path.current, text_of(script)).expanduser()
    if path.suffix not in CODE:
        path = path.with_name(path.name + ".m")
    if not path.exists():
        found = ctx.path.find(path.stem)
        if found is None:
            raise MatlabError("MATLAB:run:FileNotFound", f"{text_of(script)} not found.")
        path = Path(found)
    before, folder = ctx.path.current, str(path.parent.resolve())
    if folder == before:
        ctx.run_script_file(str(path))
        return ()
    ctx.call("cd", (folder,), 0)
    try:
        ctx.run_script_file(str(path))
    finally:
        if ctx.path.current == folder:
            ctx.call("cd", (before,), 0)
    return ()
