"""The session: clear the screen, ask the user, stop, what is in this file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import one_of, real_number
from app.engine.declarations.device_support import SESSION
from app.engine.declarations.registry import builtin
from app.engine.protocol import ClearScreen
from app.engine.values import Cell, FunctionHandle, Value, is_text_scalar, text_of
from app.errors import Interrupted, MatlabError

if TYPE_CHECKING:
    from app.engine.interpreter.context import Context

_FAMILY = "session"


@builtin(
    "argv",
    category=_FAMILY,
    signatures=("texts = argv()",),
    device=SESSION,
    cases=("iscell(argv)",),
)
def argv(ctx: Context) -> Value:
    """The arguments the running file was started with, as a cell column (Octave's)."""
    texts = ctx.script_arguments
    return Cell.of(texts, (len(texts), 1 if texts else 0))


@builtin(
    "clc", category=_FAMILY, signatures=("clc",), device=SESSION, cases=("isempty(evalc('clc'))",)
)
def clc(ctx: Context) -> Value:
    """Clear the command window."""
    ctx.host.tell(ClearScreen())
    return ()


@builtin(
    "home",
    category=_FAMILY,
    signatures=("home",),
    device=SESSION,
    cases=("isempty(evalc('home'))",),
    see=("clc",),
)
def home(ctx: Context) -> Value:
    """Clear the command window."""
    return clc(ctx)


@builtin(
    "more",
    category=_FAMILY,
    signatures=("more on", "more off", "more(lines)"),
    device=SESSION,
    cases=("isempty(evalc('more off'))",),
)
def more(ctx: Context, state: Value = "off") -> Value:
    """Paging of output; output is never paged here, and ``more on`` warns of that."""
    lines = 0.0 if is_text_scalar(state) else real_number(state)
    if lines > 0.0 or (is_text_scalar(state) and one_of("more", "State", state, "on off") == "on"):
        ctx.warning(
            "Fuselab:more:neverPages",
            "'more' has no effect: output is never paged here. The command window scrolls back "
            "through all of it; in a terminal, send the run's output to a pager such as 'less'.",
        )
    return ()


def declare_pager(name: str) -> None:
    """Declare a switch of Octave's pager, which programs for it set at their start."""

    def call(ctx: Context, value: Value | None = None, *scope: Value, nargout: int = 0) -> Value:
        before = bool(ctx.state.get(name, False))
        if value is not None:
            ctx.state[name] = real_number(value) != 0.0
        return before if nargout or value is None else ()

    builtin(
        name,
        category=_FAMILY,
        signatures=(f"v = {name}", f"old = {name}(new)"),
        device=SESSION,
        cases=(f"~exist('{name}')",),
        text="Whether Octave pages its output; kept and given back: output is never paged here.",
        see=("more",),
        octave=True,
    )(call)


declare_pager("page_screen_output")
declare_pager("page_output_immediately")


@builtin(
    "input",
    category=_FAMILY,
    device=SESSION,
    cases=("isempty(input('A number? '))",),
    see=("keyboard",),
    signatures=("x = input(prompt)", "text = input(prompt, 's')"),
)
def input_(ctx: Context, prompt: Value = "", kind: Value = "") -> Value:
    """Ask the user for a value (an expression is evaluated), or for text with ``'s'``.

    An expression that fails is told, and asked for again.
    """
    import numpy as np

    while True:
        line = ctx.host.read_line(text_of(prompt))
        if text_of(kind) == "s":
            return line
        if not line.strip():
            return np.zeros((0, 0))
        try:
            return ctx.evaluate(line, 1)[0]
        except MatlabError as problem:
            ctx.write_error(f"Error: {problem.message}\n")


@builtin("keyboard", category=_FAMILY, signatures=("keyboard",), device=SESSION, see=("input",))
def keyboard(ctx: Context) -> Value:
    """Run what the user types in the current workspace until ``dbcont`` or ``return``."""
    if ctx.interpreter.debugger.stop_at("keyboard"):
        return ()
    while True:
        line = ctx.host.read_line("K>> ").strip()
        if line in {"dbcont", "return", ""}:
            return ()
        if line == "dbquit":
            raise Interrupted
        try:
            ctx.evaluate(line, 0)
        except MatlabError as problem:
            ctx.write_error(f"{problem.message}\n")


@builtin("exit", category=_FAMILY, signatures=("exit", "exit(code)"), device=SESSION)
def exit_(ctx: CallContext, *code: Value) -> Value:
    """End the run."""
    raise SystemExit(int(code[0]) if code and isinstance(code[0], float) else 0)


@builtin("quit", category=_FAMILY, signatures=("quit", "quit(code)"), device=SESSION)
def quit_(ctx: CallContext, *code: Value) -> Value:
    """End the run."""
    return exit_(ctx, *code)


@builtin(
    "beep",
    category=_FAMILY,
    signatures=("beep",),
    device=SESSION,
    cases=("isempty(evalc('beep'))",),
)
def beep(*state: Value) -> Value:
    """Sound a bell; nothing sounds here."""
    return ()


@builtin(
    "localfunctions",
    category=_FAMILY,
    signatures=("list = localfunctions",),
    device=SESSION,
    cases=("iscell(localfunctions)",),
)
def localfunctions(ctx: Context) -> Value:
    """Handles of all local functions of the running file."""
    made = [FunctionHandle(n, f) for n, f in ctx.local_functions()]
    return Cell.of(made, (len(made), 1)) if made else Cell.empty()
