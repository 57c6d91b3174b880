"""``.m`` functions as Python functions."""

from __future__ import annotations

from pathlib import Path

from app import textfile
from app.api.functions import Function
from app.api.session import Session
from app.engine.language.parser import parse
from app.errors import UsageError
from app.source import SourceText


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
        return _with_documentation(Function(path.stem, session), textfile.read(path).text)
    text = str(source)
    session.eval(text)
    functions = parse(SourceText("<python>", text)).file.functions
    if not functions:
        raise UsageError("there is no function in the source")
    return _with_documentation(Function(functions[0].name, session), text)


def _with_documentation(function: Function, text: str) -> Function:
    """``function`` with its signature and the comment at its head as its documentation."""
    from app.engine.session import language_service as service

    page = service.function_help(function.name, service.open_document(SourceText("", text)))
    if page is not None:
        function.__doc__ = "\n".join((*page.signatures, "", page.text)).strip()
    return function
