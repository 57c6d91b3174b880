"""The error for a wrong call of the running function, with the calls that its help names."""

from __future__ import annotations

import re
from pathlib import Path

from app import textfile
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import TEXT
from app.engine.declarations.device_support import NAMES
from app.engine.declarations.registry import builtin
from app.engine.values import Value, text_of
from app.errors import MatlabError

_CALL = re.compile(r"^\W*@deftypefnx?\s*\{([^}]*)\}\s*(.+)$", re.MULTILINE)
_GROUP = re.compile(r"^\{((?:[^{}]|\{[^{}]*\})*)\}\s*")
_MARKED = re.compile(r"@(\w+)\{([^{}]*)\}")


@builtin(
    "print_usage",
    category="functions",
    signatures=("print_usage()", "... = print_usage()"),
    device=NAMES,
    cases=("try, print_usage(), catch e, end; ~isempty(e.message)",),
)
def print_usage(ctx: CallContext, *name: Value) -> Value:
    """Raise the error for a wrong call of the running function (Octave's).

    Where its help is in Texinfo, the calls that this names are part of the message.
    """
    for given in name:
        TEXT("print_usage", 1, given)
    called = text_of(name[0]) if name else ctx.caller_name()
    message, file = f"Invalid call to {called}", "" if name else ctx.caller_file()
    calls = calls_in_help(textfile.read(Path(file)).text) if file else []
    if calls:
        message += ".  Correct usage is:\n\n" + "\n".join(calls)
    raise MatlabError("Octave:invalid-fun-call", message)


def calls_in_help(text: str) -> list[str]:
    """The calls that the Texinfo in a function's comments defines, as Octave prints them."""
    made = []
    for category, rest in _CALL.findall(text):
        words = rest.strip()
        group = _GROUP.match(words)
        if group:
            words = f"{group[1]} {words[group.end() :]}".strip()
        while _MARKED.search(words):
            words = _MARKED.sub(_plain, words)
        words = re.sub(r"@([@{}])", r"\1", words)
        made.append(f" -- {category}: {words}" if category else f" -- {words}")
    return made


def _plain(marked: re.Match[str]) -> str:
    """What Texinfo's marks are in plain text: variables in capitals, dots as dots."""
    return {"dots": "...", "var": marked[2].upper()}.get(marked[1], marked[2])
