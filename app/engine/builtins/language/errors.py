"""Errors and warnings as functions: error, warning, MException, rethrow, lasterr, assert."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import one_of
from app.engine.arguments.operation_rules import undefined_for_class
from app.engine.declarations.device_support import HostOnly
from app.engine.declarations.registry import builtin, native_type
from app.engine.interpreter import warnings as states
from app.engine.interpreter.objects.exception_classes import as_exception
from app.engine.interpreter.objects.mexception import MException, frames_value
from app.engine.values import (
    Cell,
    NativeObject,
    Struct,
    StructArray,
    Value,
    class_of,
    is_char,
    is_numeric_like,
    is_text_scalar,
    numel,
    object_array,
    print_formats,
    text_of,
    true_value,
)
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.interpreter.context import Context

_FAMILY = "errors"
_HOST = HostOnly("steers the run and computes no arrays")
_IDENTIFIER = re.compile(r"^[A-Za-z][\w-]*(:[\w-]+)+$")

native_type(MException)


def message_of(args: tuple[Value, ...]) -> tuple[str, str]:
    """Identifier and message of ``(id, template, values…)`` or ``(template, values…)``."""
    texts = [text_of(args[0])]
    rest = args[1:]
    identifier = ""
    if rest and _IDENTIFIER.match(texts[0]):
        identifier = texts[0]
        if not is_text_scalar(rest[0]):
            raise MatlabError("MATLAB:error:badFormat", "The format must be text.")
        template, rest = text_of(rest[0]), rest[1:]
        return identifier, print_formats.render(template, rest)
    return identifier, print_formats.render(texts[0], rest) if rest else texts[0]


@builtin(
    "error",
    category=_FAMILY,
    device=_HOST,
    signatures=(
        "error(msg)",
        "error(msg, A, ...)",
        "error(id, msg, A, ...)",
        "error(s)",
        "... = error(msg)",
    ),
    cases=("try, error('my:id', 'bad %d', 3), catch e, end; strcmp(e.message, 'bad 3')",),
    see=("warning", "MException", "rethrow"),
)
def error(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Raise an error with a message, and an identifier where one is given.

    In Octave's dialect it may stand for a value, as in ``x > 0 || error('…')``.
    """
    if nargout and not getattr(ctx.settings, "octave", False):
        raise MatlabError("MATLAB:maxlhs", "Too many output arguments.")
    if not args:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    first = args[0]
    if isinstance(first, Struct):
        message = text_of(first.fields.get("message", ""))
        if not message:
            return ()
        raise MatlabError(text_of(first.fields.get("identifier", "")), message)
    if (exception := as_exception(first)) is not None:
        raise _rethrown_error(exception)
    if isinstance(first, np.ndarray | StructArray) and numel(first) == 0:
        return ()
    identifier, message = message_of(args)
    if not message:
        return ()
    raise MatlabError(identifier, message)


def _rethrown_error(exception: MException) -> MatlabError:
    made = exception.error.remembered()
    made.payload = exception
    return made


@builtin(
    "MException",
    category=_FAMILY,
    device=_HOST,
    signatures=("ME = MException(id, msg)", "ME = MException(id, msg, A, ...)"),
    cases=("e = MException('my:id', '%d apples', 3); strcmp(e.message, '3 apples')",),
    see=("error", "rethrow", "throw"),
)
def m_exception(identifier: Value, template: Value = "", *args: Value) -> Value:
    """An error as a value, to be thrown or inspected."""
    text = text_of(template)
    message = print_formats.render(text, args) if args else text
    return MException(MatlabError(text_of(identifier), message))


@builtin(
    "MException.last",
    category=_FAMILY,
    device=_HOST,
    signatures=("ME = MException.last", "MException.last('reset')"),
    cases=("isa(MException.last, 'MException')",),
    see=("MException", "lasterr"),
)
def m_exception_last(ctx: Context, word: Value = None) -> Value:
    """The last error that no ``catch`` took; after 'reset', and before the first one, an empty one.

    ``lasterr`` also knows those that were caught.
    """
    if word is not None and one_of("MException.last", "option", word, "reset") == "reset":
        ctx.interpreter.last_uncaught = None
        return ()
    return MException(ctx.interpreter.last_uncaught or MatlabError("", ""))


@builtin(
    "rethrow",
    category=_FAMILY,
    signatures=("rethrow(ME)",),
    device=_HOST,
    cases=(
        "try, try, error('my:id', 'x'), catch e, rethrow(e), end, catch f, end; "
        "strcmp(f.identifier, 'my:id')",
    ),
    see=("MException", "lasterror"),
)
def rethrow(problem: Value) -> Value:
    """Raise a caught error again, with its stack."""
    if (exception := as_exception(problem)) is not None:
        raise _rethrown_error(exception)
    if isinstance(problem, Struct):
        if not {"message", "identifier"} <= set(problem.fields):
            text = "The struct must have the fields 'message' and 'identifier'."
            raise MatlabError("MATLAB:rethrow:InvalidStruct", text)
        raise MatlabError(
            text_of(problem.fields.get("identifier", "")), text_of(problem.fields["message"])
        )
    raise MatlabError("MATLAB:rethrow:input", "The argument of rethrow must be an error.")


@builtin(
    "throw",
    category=_FAMILY,
    signatures=("throw(ME)",),
    device=_HOST,
    cases=("try, throw(MException('my:id', 'x')), catch e, end; strcmp(e.identifier, 'my:id')",),
    see=("rethrow",),
)
def throw(ctx: CallContext, problem: Value) -> Value:
    """Raise an MException."""
    exception = as_exception(problem)
    if exception is None:
        raise MatlabError("MATLAB:throw:input", "The argument of throw must be an MException.")
    return exception.methods()["throw"](ctx, (exception,), 0)


@builtin(
    "throwAsCaller",
    category=_FAMILY,
    signatures=("throwAsCaller(ME)",),
    device=_HOST,
    cases=("try, throwAsCaller(MException('my:id', 'x')), catch e, end; strcmp(e.message, 'x')",),
    see=("throw",),
)
def throw_as_caller(ctx: CallContext, problem: Value) -> Value:
    """Raise an MException as if the caller of the running function had raised it."""
    exception = as_exception(problem)
    if exception is None:
        text = "The argument of throwAsCaller must be an MException."
        raise MatlabError("MATLAB:throwAsCaller:input", text)
    return exception.methods()["throwAsCaller"](ctx, (exception,), 0)


@builtin(
    "addCause",
    category=_FAMILY,
    signatures=("ME = addCause(ME, cause)",),
    device=_HOST,
    cases=(
        "e = addCause(MException('a:b', 'outer'), MException('c:d', 'inner')); numel(e.cause) == 1",
    ),
    see=("MException", "throw"),
)
def add_cause(ctx: CallContext, problem: Value, cause: Value) -> Value:
    """An error with one more cause."""
    if not isinstance(problem, MException):
        text = "The first argument of addCause must be an MException."
        raise MatlabError("MATLAB:addCause:input", text)
    return problem.methods()["addCause"](ctx, (problem, cause), 1)


@builtin(
    "getReport",
    words="basic extended hyperlinks on off default",
    category=_FAMILY,
    device=_HOST,
    signatures=("text = getReport(ME)", "text = getReport(ME, type)"),
    cases=("try, error('oops'), catch e, end; contains(getReport(e), 'oops')",),
)
def get_report(
    ctx: CallContext, problem: Value, kind: Value = "extended", *options: Value
) -> Value:
    """The message of an error with its call stack, as text."""
    reported = as_exception(problem) or problem
    if not isinstance(reported, NativeObject) or "getReport" not in reported.methods():
        raise undefined_for_class("getReport", problem)
    return reported.methods()["getReport"](ctx, (reported, kind, *options), 1)


@builtin(
    "lasterr",
    category=_FAMILY,
    device=_HOST,
    signatures=("msg = lasterr", "[msg, id] = lasterr"),
    cases=("try, error('oops'), catch, end; contains(lasterr, 'oops')",),
    see=("lasterror",),
)
def lasterr(ctx: Context, *new: Value, nargout: int = 1) -> Value:
    """The message of the last error."""
    last = ctx.last_error()
    if new:
        ctx.interpreter.last_error = MatlabError("", text_of(new[0]))
    texts = ("", "") if last is None else (last.message, last.identifier)
    return texts if nargout > 1 else texts[0]


@builtin(
    "lasterror",
    category=_FAMILY,
    signatures=("s = lasterror",),
    device=_HOST,
    cases=("try, error('my:id', 'oops'), catch, end; strcmp(lasterror().identifier, 'my:id')",),
    see=("lasterr",),
)
def lasterror(ctx: Context, *reset: Value) -> Value:
    """The last error as a struct with message, identifier and stack."""
    last = ctx.last_error() or MatlabError("", "")
    if reset:
        ctx.interpreter.last_error = None
    return Struct(
        {"message": last.message, "identifier": last.identifier, "stack": frames_value(last.stack)}
    )


@builtin(
    "warning",
    category=_FAMILY,
    device=_HOST,
    signatures=(
        "warning(msg, A, ...)",
        "warning(id, msg, A, ...)",
        "warning(state, id)",
        "warning(state, mode)",
        "s = warning(state, id)",
        "s = warning",
    ),
    cases=(
        "old = warning('off', 'my:id'); "
        "shown = evalc('warning(''my:id'', ''unseen'')'); warning(old); "
        "isempty(shown)",
    ),
    see=("lastwarn",),
)
def warning(ctx: Context, *args: Value, nargout: int = 0) -> Value:
    """Issue a warning, or switch warnings on and off by identifier.

    Words: on, off, error, query; modes of all warnings: backtrace, verbose. In Octave's dialect a
    warning may have the text of the last one as its output.
    """
    ctx.late_warnings.tell()
    table: dict[str, str] = ctx.state.setdefault(states.STATES, {})
    if not args:
        return _all_states(table)
    if isinstance(args[0], Struct | StructArray):
        return _restore(table, args[0], nargout)
    words = [text_of(a) for a in args if is_text_scalar(a)]
    if len(words) == 2 and words[0] in states.MODES and words[1] in {"on", "off", "query"}:
        words.reverse()  # the older order, "warning backtrace off"
    if words and words[0].lower() in {"on", "off", "error", "query"} and len(words) == len(args):
        return _switch(table, words, nargout)
    before: Value = ctx.state.get(states.LAST, ("", ""))[0]
    identifier, message = message_of(args)
    if message:
        ctx.warning(identifier, message)
    return before if nargout and ctx.settings.octave else ()


def _all_states(table: dict[str, str]) -> Value:
    names = ["all", *(n for n in table if n != "all")]
    columns = {
        "identifier": object_array(names, (len(names), 1)),
        "state": object_array([states.state_of(table, n) for n in names], (len(names), 1)),
    }
    return (
        StructArray(columns, (len(names), 1))
        if len(names) > 1
        else Struct({k: v[0, 0] for k, v in columns.items()})
    )


def _switch(table: dict[str, str], words: list[str], nargout: int) -> Value:
    action = words[0].lower()
    name = words[1] if len(words) > 1 else "all"
    old = Struct({"identifier": name, "state": states.state_of(table, name)})
    if name == "all" and action != "query" and nargout:
        before = _all_states(table)
        table.clear()
        table["all"] = action
        return before
    if action != "query":
        if name == "all":
            table.clear()
        table[name] = action
        return old if nargout else ()
    return old


def _restore(table: dict[str, str], saved: Struct | StructArray, nargout: int) -> Value:
    before = _all_states(table)
    rows = [saved] if isinstance(saved, Struct) else saved.elements()
    if not {"identifier", "state"} <= set(rows[0].fields if rows else ()):
        text = "The struct must have the fields 'identifier' and 'state'."
        raise MatlabError("MATLAB:warning:invalidStruct", text)
    if any(text_of(row.fields["identifier"]) == "all" for row in rows):
        table.clear()
    for row in rows:
        table[text_of(row.fields["identifier"])] = text_of(row.fields["state"])
    return before if nargout else ()


@builtin(
    "lastwarn",
    category=_FAMILY,
    device=_HOST,
    signatures=("msg = lastwarn", "[msg, id, latest] = lastwarn", "lastwarn(msg, id)"),
    cases=(
        "warning('off', 'my:id'); lastwarn('text', 'my:id'); [~, id] = lastwarn; "
        "strcmp(id, 'my:id')",
    ),
)
def lastwarn(ctx: Context, *new: Value, nargout: int = 1) -> Value:
    """The text of the last warning, its identifier, and those of the latest warnings."""
    ctx.late_warnings.tell()
    issued = ctx.state.get(states.ISSUED, ())
    old = (*ctx.state.get(states.LAST, ("", "")), Cell.of(list(issued), (1, len(issued))))
    if new:
        ctx.state[states.LAST] = (text_of(new[0]), text_of(new[1]) if len(new) > 1 else "")
        if nargout == 0:
            return ()
    return old[:nargout] if nargout > 1 else old[0]


@builtin(
    "assert",
    category=_FAMILY,
    device=_HOST,
    signatures=("assert(cond)", "assert(cond, msg, A, ...)", "assert(cond, id, msg, ...)"),
    cases=("try, assert(1 > 2, 'my:id', 'no'), catch e, end; strcmp(e.identifier, 'my:id')",),
)
def assert_(ctx: CallContext, condition: Value, *args: Value) -> Value:
    """Raise an error unless the condition is true.

    With a value to compare with it is Octave's ``assert (observed, expected, tolerance)``; a text
    behind a number is compared in Octave's dialect only, in MATLAB's it is the message.
    """
    if args and not _is_message(ctx, condition, args[0]):
        return _assert_equal(ctx, condition, *args)
    if true_value(condition):
        return ()
    if not args:
        raise MatlabError("MATLAB:assertion:failed", "Assertion failed.")
    identifier, message = message_of(args)
    raise MatlabError(identifier, message)


def _is_message(ctx: CallContext, condition: Value, second: Value) -> bool:
    """Whether the second argument of ``assert`` says what is wrong, and is nothing expected."""
    if not is_text_scalar(second) or not is_numeric_like(condition) or is_char(condition):
        return False
    return class_of(condition) == "logical" or not getattr(ctx.settings, "octave", False)


def _assert_equal(ctx: CallContext, observed: Value, expected: Value, *tolerance: Value) -> Value:
    """Octave's ``assert (observed, expected, tolerance)``."""
    from app.engine.builtins.language.tolerance import differs

    problem = differs(observed, expected, *tolerance[:1])
    if problem:
        raise MatlabError(
            "Octave:assert", f"ASSERT errors: observed and expected differ: {problem}"
        )
    return ()
