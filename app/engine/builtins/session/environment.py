"""Variables of the environment: getenv, setenv, isenv, unsetenv."""

from __future__ import annotations

import os

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import TEXT, takes
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Cell,
    StringArray,
    Value,
    canonical,
    is_char,
    is_text_scalar,
    object_array,
    size_of,
    text_of,
    texts_of,
)
from app.errors import MatlabError

_FAMILY = "system"


@builtin(
    "getenv",
    category=_FAMILY,
    signatures=("value = getenv(name)", "values = getenv(names)", "d = getenv()"),
    cases=(
        "isempty(getenv('NO_SUCH_VARIABLE_HERE'))",
        'setenv(\'FUSELAB_A\', \'x\'); isequal(getenv(["FUSELAB_A" "NO_SUCH_ONE"]), ["x" ""])',
        "setenv('FUSELAB_A', 'x'); d = getenv(); d(\"FUSELAB_A\") == \"x\"",
    ),
    see=("setenv",),
)
def getenv(ctx: CallContext, *names: Value) -> Value:
    """Value of an environment variable, empty when it is not set; several; all in a dictionary."""
    if not names:
        known = (list(os.environ), list(os.environ.values()))
        keys, values = (StringArray.of(k, (len(k), 1)) for k in known)
        return ctx.call("dictionary", (keys, values), 1)[0]
    name = names[0]
    if not is_text_scalar(name) and isinstance(name, Cell | StringArray):
        found = object_array([os.environ.get(n, "") for n in texts_of(name)], name.shape)
        return type(name)(found)
    return os.environ.get(text_of(name), "")


@builtin(
    "setenv",
    category=_FAMILY,
    signatures=("setenv(name, value)",),
    cases=("setenv('FUSELAB_EXAMPLE', 'yes'); strcmp(getenv('FUSELAB_EXAMPLE'), 'yes')",),
    see=("getenv",),
)
def setenv(name: Value, value: Value = "") -> None:
    """Set an environment variable of this process and its children."""
    own, given = text_of(name), text_of(value)
    if not own or "=" in own or "\0" in own + given:
        text = "The name of an environment variable has characters, none of them '='; neither name "
        text += "nor value hold characters of code 0."
        raise MatlabError("MATLAB:setenv:invalidName", text)
    os.environ[own] = given


@builtin(
    "isenv",
    category=_FAMILY,
    signatures=("tf = isenv(name)",),
    cases=(
        "setenv('FUSELAB_X', '1'); isequal(isenv(['FUSELAB_X', \"FUSELAB_NONE\"]), [true false])",
    ),
    see=("getenv", "setenv", "unsetenv"),
)
def isenv(name: Value) -> Value:
    """True where the environment has a variable of that name."""
    if is_char(name):
        return text_of(name) in os.environ
    found = np.array([text in os.environ for text in texts_of(name)], dtype=bool)
    return canonical(found.reshape(size_of(name), order="F"))


@builtin(
    "unsetenv",
    category=_FAMILY,
    signatures=("unsetenv(name)",),
    cases=("setenv('FUSELAB_X', '1'); unsetenv('FUSELAB_X'); isempty(getenv('FUSELAB_X'))",),
    see=("setenv", "getenv"),
)
@takes(TEXT)
def unsetenv(name: Value) -> Value:
    """Remove a variable of the environment."""
    os.environ.pop(text_of(name), None)
    return ()
