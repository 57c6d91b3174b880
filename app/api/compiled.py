"""``.m`` functions as Python functions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from app.api.session import Session
from app.engine.language.parser import parse
from app.errors import UsageError
from app.source import SourceText


class Function:
    """A ``.m`` function that Python calls; its kernels are kept from call to call.

    Attributes:
        name: the name of the function in the source.
        session: where it runs.
    """

    def __init__(self, name: str, session: Session) -> None:
        self.name, self.session = name, session
        self.__name__ = name

    def __call__(self, *arguments: object, nargout: int = 1) -> Any:
        """Call it: the first output, or a tuple of ``nargout`` of them."""
        return self.session.call(self.name, *arguments, nargout=nargout)

    def __repr__(self) -> str:
        return f"<fuselab function {self.name}>"


def compile_function(source: str | Path, *, session: Session | None = None) -> Function:
    """The first function of a file or of a text as a Python function.

    >>> import fuselab
    >>> twice = fuselab.compile("function y = twice(x), y = 2*x; end")
    >>> twice(21.0)
    42.0

    Args:
        source: the path of a ``.m`` file (its folder is searched for what it calls), or a text that
            begins with the definition of a function.
        session: where it runs; a new one without.

    Raises:
        UsageError: there is no function in it.
        MatlabError: it does not parse.
    """
    path = source if isinstance(source, Path) else None
    if path is None and "\n" not in str(source) and str(source).endswith(".m"):
        path = Path(source)
    if path is not None and not path.is_file():
        raise UsageError(f"there is no file {path}")
    if session is None:
        session = Session(path=() if path is None else (path.resolve().parent,))
    if path is not None:
        return Function(path.stem, session)
    session.eval(str(source))
    functions = parse(SourceText("<python>", str(source))).file.functions
    if not functions:
        raise UsageError("there is no function in the source")
    return Function(functions[0].name, session)
