"""Functions that cross over: MATLAB's as Python callables, Python's as function handles."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from app.engine.values import FunctionHandle, Value

if TYPE_CHECKING:
    from app.api.session import Session


class Function:
    """A ``.m`` function or a function handle that Python calls.

    What was compiled for it is kept from call to call.

    Attributes:
        name: the name of the function; the text of an anonymous one.
        target: what is called: a name, or the engine's handle.
        session: where it runs.
    """

    def __init__(self, target: str | FunctionHandle, session: Session) -> None:
        self.target, self.session = target, session
        self.name = target if isinstance(target, str) else target.text
        self.__name__ = self.name

    def __call__(self, *arguments: object, nargout: int = 1, **named: object) -> Any:
        """Call it: the first output, or a tuple of ``nargout`` of them."""
        return self.session.call(self.target, *arguments, nargout=nargout, **named)

    def __repr__(self) -> str:
        return f"<fuselab function {self.name}>"


def lent_function(
    function: Callable[..., object],
    to_matlab: Callable[[object], Value],
    from_matlab: Callable[[Value], object],
) -> FunctionHandle:
    """A handle that calls a function of Python; a tuple that it gives are several outputs."""
    from app.engine.builtins.python.py_object import passing_errors

    def call(*varargin: Value, nargout: int = 1) -> Value:  # as MATLAB names them: see arity
        with passing_errors():
            found = function(*map(from_matlab, varargin))
        if isinstance(found, tuple) and nargout > 1:
            return tuple(map(to_matlab, found[:nargout]))
        if found is None and not nargout:
            return None
        return (to_matlab(found),) if nargout > 1 else to_matlab(found)

    name = getattr(function, "__name__", type(function).__name__)
    return FunctionHandle(f"python:{name}", call)
