"""Errors and warnings: error, warning, MException, rethrow, assert, lasterr, print_usage."""

from __future__ import annotations

import re
from typing import Any

from app.engine.builtins import formatting
from app.engine.builtins.device import CONTAINER
from app.engine.builtins.registry import builtin
from app.engine.values import (
    Struct,
    StructArray,
    Value,
    is_char,
    is_empty,
    is_numeric_like,
    is_string,
    numel,
    text_of,
    true_value,
)
from app.errors import MatlabError, StackFrame

_FAMILY = "errors"
_STATES = "warning_states"
_LAST = "last_warning"


def is_identifier(text: str) -> bool:
    """Whether a text is an error identifier such as ``MATLAB:divideByZero``."""
    parts = text.split(":")
    return len(parts) > 1 and all(re.fullmatch(r"[\w-]+", p) for p in parts)


def message_of(args: tuple[Value, ...]) -> tuple[str, str]:
    """Identifier and message from ``(msg)``, ``(id, msg)`` and their formatted forms."""
    first = text_of(args[0])
    if len(args) > 1 and is_identifier(first) and (is_char(args[1]) or is_string(args[1])):
        return first, formatting.render(text_of(args[1]), args[2:])
    if len(args) == 1:
        return "", first
    return "", formatting.render(first, args[1:])


@builtin("error", category=_FAMILY,
         signatures=("error(msg)", "error(id, msg, A1, ...)", "error(errorStruct)"),
         device=CONTAINER,
         see=("warning", "MException", "rethrow"))
def error(ctx: Any, *args: Value) -> Value:
    """Stop with an error message, with an identifier and a format if given."""
    if not args:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    if isinstance(args[0], Struct):
        raise _from_struct(args[0])
    if is_empty(args[0]) and len(args) == 1:
        return ()
    identifier, message = message_of(args)
    raise MatlabError(identifier, message)


def _from_struct(s: Struct) -> MatlabError:
    message = text_of(s.fields.get("message", "Unspecified error"))
    made = MatlabError(text_of(s.fields.get("identifier", "") or ""), message)
    made.stack = _frames(s.fields.get("stack"))
    return made


def _frames(stack: Value | None) -> tuple[StackFrame, ...]:
    if not isinstance(stack, Struct | StructArray):
        return ()
    items = [stack] if isinstance(stack, Struct) else stack.elements()
    return tuple(
        StackFrame(text_of(f.fields.get("name", "")), text_of(f.fields.get("file", "")),
                   int(f.fields.get("line", 0.0)))
        for f in items
    )


@builtin("rethrow", category=_FAMILY, signatures=("rethrow(ME)", "rethrow(errorStruct)"),
         see=("error", "MException"))
def rethrow(ctx: Any, problem: Value) -> Value:
    """Raise a caught error again."""
    if isinstance(problem, Struct):
        raise _from_struct(problem)
    from app.engine.interp.mexception import rethrow as again

    return again(ctx, problem)


@builtin("throw", category=_FAMILY, signatures=("throw(ME)",), see=("rethrow",))
def throw(ctx: Any, problem: Value) -> Value:
    """Raise an MException."""
    from app.engine.interp.mexception import throw as raise_it

    return raise_it(ctx, problem)


@builtin("throwAsCaller", category=_FAMILY, signatures=("throwAsCaller(ME)",), see=("throw",))
def throw_as_caller(ctx: Any, problem: Value) -> Value:
    """Raise an MException as if the caller had."""
    return throw(ctx, problem)


@builtin("MException", category=_FAMILY, signatures=("ME = MException(id, msg, A1, ...)",),
         cases=("strcmp(MException('a:b', 'x %d', 5).message, 'x 5')",), see=("error", "throw"))
def mexception(identifier: Value, template: Value, *args: Value) -> Value:
    """An error as a value."""
    from app.engine.interp.mexception import MException

    name = text_of(identifier)
    if not is_identifier(name):
        text = "First argument must be a valid message identifier."
        raise MatlabError("MATLAB:MException:InvalidIdentifier", text)
    return MException(MatlabError(name, formatting.render(text_of(template), args)))


@builtin("getReport", category=_FAMILY, signatures=("text = getReport(ME)",), see=("MException",))
def get_report(ctx: Any, problem: Value, *options: Value) -> Value:
    """The message of an error with its stack."""
    from app.engine.interp.mexception import get_report as report

    return report(ctx, problem, *options)


@builtin("lasterr", category=_FAMILY, signatures=("[msg, id] = lasterr",), see=("MException",))
def lasterr(ctx: Any, *args: Value) -> Value:
    """The last error's message."""
    last = ctx.last_error()
    return (last.message, last.identifier) if last is not None else ("", "")


@builtin("lasterror", category=_FAMILY, signatures=("s = lasterror", "lasterror('reset')"),
         see=("lasterr",))
def lasterror(ctx: Any, *args: Value) -> Value:
    """The last error as a struct."""
    last = ctx.last_error()
    message, identifier = (last.message, last.identifier) if last is not None else ("", "")
    return Struct({"message": message, "identifier": identifier, "stack": Struct()})


# --- warnings ---------------------------------------------------------------------------------


@builtin("warning", category=_FAMILY,
         signatures=("warning(msg)", "warning(id, msg, A1, ...)", "warning(state, id)",
                     "s = warning", "s = warning(state, id)"), see=("error", "lastwarn"))
def warning(ctx: Any, *args: Value, nargout: int = 0) -> Value:
    """Print a warning, or switch warnings on, off or into errors."""
    states: dict[str, str] = ctx.state.setdefault(_STATES, {})
    if not args:
        return _described(states)
    if isinstance(args[0], Struct | StructArray):
        before = _described(states)
        _restore(states, args[0])
        return before if nargout else ()
    first = text_of(args[0])
    if first in ("on", "off", "error", "query") and not (len(args) > 1 and not _is_name(args[1])):
        return _switch(states, first, text_of(args[1]) if len(args) > 1 else "all", nargout)
    identifier, message = message_of(args)
    ctx.warning(identifier, message)
    return ()


def _is_name(v: Value) -> bool:
    return is_char(v) or is_string(v)


def _state(identifier: str, state: str) -> Struct:
    return Struct({"identifier": identifier, "state": state})


def _described(states: dict[str, str]) -> Value:
    entries = [_state("all", states.get("all", "on"))]
    entries += [_state(k, v) for k, v in states.items() if k != "all"]
    return StructArray.of(entries, (len(entries), 1))


def _switch(states: dict[str, str], state: str, identifier: str, nargout: int) -> Value:
    before = _state(identifier, states.get(identifier) or states.get("all", "on"))
    if state == "query":
        return before
    if identifier == "all":
        states.clear()
    states[identifier] = state
    return before if nargout else ()


def _restore(states: dict[str, str], saved: Value) -> None:
    for s in [saved] if isinstance(saved, Struct) else saved.elements():
        name, state = text_of(s.fields["identifier"]), text_of(s.fields["state"])
        if name == "all":
            states.clear()
        states[name] = state


@builtin("lastwarn", category=_FAMILY, signatures=("[msg, id] = lastwarn", "lastwarn(msg, id)"),
         see=("warning",))
def lastwarn(ctx: Any, *args: Value) -> Value:
    """The last warning."""
    before: tuple[str, str] = ctx.state.get(_LAST, ("", ""))
    if args:
        ctx.state[_LAST] = (text_of(args[0]), text_of(args[1]) if len(args) > 1 else "")
    return before


# --- checks -----------------------------------------------------------------------------------


@builtin("assert", category=_FAMILY,
         signatures=("assert(cond)", "assert(cond, msg, A1, ...)",
                     "assert(observed, expected, tol)"),
         see=("error",))
def assert_(ctx: Any, condition: Value, *args: Value) -> Value:
    """Stop with an error unless the condition holds."""
    if args and (not _is_name(args[0]) or _is_name(condition) or not is_numeric_like(condition)):
        _assert_equal(condition, args)
        return ()
    if numel(condition) and true_value(condition):
        return ()
    if args:
        identifier, message = message_of(args)
        raise MatlabError(identifier, message)
    raise MatlabError("MATLAB:assertion:failed", "Assertion failed.")


def _assert_equal(observed: Value, args: tuple[Value, ...]) -> None:
    from app.engine.builtins.tolerance import differs

    expected = args[0] if args else True
    tolerance = args[1] if len(args) > 1 else 0.0
    problem = differs(observed, expected, tolerance)
    if problem:
        raise MatlabError("Octave:assert", f"assert: observed and expected differ: {problem}")


@builtin("print_usage", category=_FAMILY, signatures=("print_usage()",), see=("error",))
def print_usage(ctx: Any) -> Value:
    """Stop because a function was called in a wrong way (Octave's)."""
    name = ctx.caller_name() or "function"
    raise MatlabError("Octave:invalid-fun-call", f"Invalid call to {name}")


def _check_count(ctx: Any, count: Value, low: Value, high: Value, kind: str) -> None:
    least, most, given = float(low), float(high), float(count)
    word = "input" if kind == "narginchk" else "output"
    prefix = "MATLAB:narginchk" if word == "input" else "MATLAB:nargoutchk"
    if given < least:
        text = f"Not enough {word} arguments."
        raise MatlabError(f"{prefix}:notEnough{word.capitalize()}s", text)
    if given > most:
        text = f"Too many {word} arguments."
        raise MatlabError(f"{prefix}:tooMany{word.capitalize()}s", text)


@builtin("narginchk", category=_FAMILY, signatures=("narginchk(min, max)",), see=("nargin",))
def narginchk(ctx: Any, low: Value, high: Value) -> Value:
    """Stop unless the calling function got a number of inputs within limits."""
    (count,) = ctx.evaluate("nargin", 1)
    _check_count(ctx, count, low, high, "narginchk")
    return ()


@builtin("nargoutchk", category=_FAMILY, signatures=("nargoutchk(min, max)",), see=("nargout",))
def nargoutchk(ctx: Any, low: Value, high: Value, *args: Value) -> Value:
    """Stop unless the calling function was asked for a number of outputs within limits."""
    if args:
        return ""
    (count,) = ctx.evaluate("nargout", 1)
    _check_count(ctx, count, low, high, "nargoutchk")
    return ()


@builtin("nargchk", category=_FAMILY, signatures=("msg = nargchk(min, max, n)",),
         cases=("isempty(nargchk(0, 1, 1))",), see=("narginchk",))
def nargchk(low: Value, high: Value, count: Value, *options: Value) -> Value:
    """The message for a number of inputs outside limits; empty inside."""
    if float(count) < float(low):
        return "Not enough input arguments."
    return "Too many input arguments." if float(count) > float(high) else ""
