"""Names that older scripts call, and what asks about Java, memory or the browser."""

from __future__ import annotations

import webbrowser

import numpy as np

from app.engine.arguments.call_context import CallContext, given_function
from app.engine.arguments.checks import unknown_option
from app.engine.builtins.files.folders import guard
from app.engine.declarations.device_support import SESSION
from app.engine.declarations.registry import builtin
from app.engine.operators.number_text import char_rows
from app.engine.values import (
    EMPTY,
    FunctionHandle,
    Struct,
    Value,
    as_array,
    canonical,
    char_value,
    is_text_scalar,
    make_logical,
    text_of,
    texts_of,
)
from app.errors import MatlabError
from app.memory import total

_FAMILY = "session"


@builtin(
    "setstr",
    category="strings",
    signatures=("t = setstr(codes)",),
    cases=("strcmp(setstr([72 105]), 'Hi')",),
    see=("char",),
)
def setstr(codes: Value) -> Value:
    """Text of character codes; the newer name is ``char``."""
    return char_value(as_array(codes).astype(np.uint32))


@builtin(
    "str2mat",
    category="strings",
    signatures=("C = str2mat(t1, t2, ...)",),
    least=1,
    cases=("isequal(size(str2mat('a', 'abc')), [2 3])",),
    see=("char", "strvcat"),
)
def str2mat(*texts: Value) -> Value:
    """Texts as the rows of a char array; the newer name is ``char``."""
    return char_rows([row for t in texts for row in texts_of(t)])


@builtin(
    "ismembc",
    category="sets",
    signatures=("tf = ismembc(A, S)",),
    cases=("isequal(ismembc([1 5], [1 2 3]), [true false])",),
    see=("ismember",),
)
def ismembc(a: Value, s: Value) -> Value:
    """Like ``ismember``, for a set that is sorted."""
    return make_logical(np.isin(as_array(a), as_array(s)))


@builtin(
    "fcnchk",
    category="functions",
    signatures=("f = fcnchk(fun)",),
    cases=("feval(fcnchk('sin'), 0) == 0", "feval(fcnchk('x + 1'), 2) == 3"),
    see=("str2func",),
)
def fcnchk(ctx: CallContext, fun: Value, *words: Value) -> Value:
    """A function handle of a handle, of a name, or of an expression of its variables.

    With 'vectorized' the operators of an expression become elementwise.
    """
    for word in words:
        if not is_text_scalar(word) or text_of(word).lower() != "vectorized":
            raise unknown_option("fcnchk", word, "vectorized")
    if words and not isinstance(fun, FunctionHandle) and not text_of(fun).isidentifier():
        fun = ctx.call("vectorize", (fun,), 1)[0]
    return given_function(ctx, fun)


@builtin(
    "javachk",
    category=_FAMILY,
    device=SESSION,
    signatures=("problem = javachk(feature)",),
    cases=("strcmp(javachk('jvm').identifier, 'MATLAB:javachk:thisFeatureNotAvailable')",),
    see=("usejava",),
)
def javachk(feature: Value, component: Value = "") -> Value:
    """The error, as a struct, that a feature of Java is not there: none ever is."""
    text = f"{text_of(component) or 'This function'} needs Java ({text_of(feature)})."
    return Struct({"message": text, "identifier": "MATLAB:javachk:thisFeatureNotAvailable"})


@builtin(
    "javaaddpath",
    category=_FAMILY,
    device=SESSION,
    signatures=("javaaddpath(path)",),
    cases=(
        "try, javaaddpath('a.jar'), catch e, end; strcmp(e.identifier, 'MATLAB:Java:NotAvailable')",
    ),
    see=("usejava",),
)
def javaaddpath(path: Value, *place: Value) -> None:
    """An error: there is no Java to add classes to."""
    text = f"There is no Java here: '{text_of(path)}' cannot be added to its path."
    raise MatlabError("MATLAB:Java:NotAvailable", text)


@builtin(
    "memory",
    category="system",
    signatures=("memory", "s = memory"),
    cases=("s = memory; s.MemAvailableAllArrays > 0",),
    see=("whos",),
)
def memory(ctx: CallContext, *, nargout: int = 0) -> Value:
    """How much memory there is for arrays, in bytes."""
    largest = float(total())
    found = {"MaxPossibleArrayBytes": largest, "MemAvailableAllArrays": largest}
    if nargout:
        return Struct(dict(found))
    ctx.write("".join(f"{name:>26}: {value / 2**20:10.0f} MB\n" for name, value in found.items()))
    return ()


@builtin(
    "echo",
    category=_FAMILY,
    device=SESSION,
    signatures=("echo on", "echo off"),
    cases=("isempty(evalc('echo off'))",),
    see=("diary",),
)
def echo(ctx: CallContext, word: Value = "", *names: Value) -> None:
    """Whether lines of scripts are shown as they run; they never are, the debugger shows them."""
    if text_of(word) == "on":
        ctx.warning(
            "Fuselab:echo:notShown",
            "Lines are not shown as they run: step through them in the debugger instead.",
        )


@builtin(
    "web",
    category="web",
    signatures=("web(address)", "[status, browser, url] = web(address, '-browser')"),
    cases=("try, web(3), catch e, end; strcmp(e.identifier, 'MATLAB:web:InvalidAddress')",),
    see=("webread",),
)
def web(ctx: CallContext, address: Value = "about:blank", *words: Value, nargout: int = 0) -> Value:
    """Show a page in the browser of the system, which has no handle: the second output is empty."""
    if not is_text_scalar(address):
        raise MatlabError("MATLAB:web:InvalidAddress", "The address must be text.")
    guard(ctx, "web")
    shown = webbrowser.open(text_of(address))
    if not shown and not nargout:
        text = f"No browser could be started here to show {text_of(address)}."
        ctx.warning("Fuselab:web:noBrowser", text)
    return (float(not shown), EMPTY, text_of(address))[:nargout]


@builtin(
    "isna",
    category="questions",
    signatures=("tf = isna(A)",),
    cases=("~any(isna([1 NaN]))",),
    see=("isnan", "ismissing"),
)
def isna(a: Value) -> Value:
    """True for the missing value of the R language, which no number here is (Octave's)."""
    return canonical(np.zeros(as_array(a).shape, dtype=bool))
