"""Changes that a person makes to variables by hand, and their way back.

The elements that an edit replaces are read before it, so that undoing a cell of a large array costs
a cell. Where an edit makes a variable larger, or replaces what has no exact text, the variable as
it was is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from app.engine import protocol, values
from app.engine.inspected import EditRefused
from app.errors import MatlabError
from app.late_pattern import late_pattern
from app.records import record

if TYPE_CHECKING:
    from app.engine.session.session import Session
    from app.engine.values import Value

MOST_ELEMENTS = 10_000
"""What replaces more elements than that keeps the variable as a whole."""
MOST_EDITS = 1000
_NAME = late_pattern(r"[A-Za-z]\w*")
Run = Callable[[str], object]
Read = Callable[[str], "Value"]


@record
class Edit:
    """One change: what it does, and what takes it back: code, or the variable as it was."""

    target: str
    code: str
    before: str
    whole: Value | None


class VariableEdits:
    """The edits since the last run, to be undone and done again."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._done: list[Edit] = []
        self._undone: list[Edit] = []

    def clear(self) -> None:
        """What runs may change everything: nothing before it is taken back."""
        self._done.clear()
        self._undone.clear()

    def change(self, request: protocol.SetVariable, run: Run, read: Read) -> None:
        """Do an edit, and remember what it replaces; the window hears of one that is refused."""
        before = self._replaced_code(request.target, read)
        whole = None if before else self._session.value_of(_root(request.target))
        try:
            run(f"{request.target} = {request.code};")
        except MatlabError as problem:
            refused = EditRefused(request.target, request.code, problem.message)
            self._session.emit(refused)
            raise
        self._done.append(Edit(request.target, request.code, before, whole))
        del self._done[:-MOST_EDITS]
        self._undone.clear()

    def go_back(self, run: Run, *, again: bool) -> str:
        """Undo the last edit, or do it again; tells what is changed, or nothing."""
        taken, given = (self._undone, self._done) if again else (self._done, self._undone)
        if not taken:
            return ""
        edit = taken.pop()
        given.append(edit)
        if again:
            run(f"{edit.target} = {edit.code};")
        elif edit.before:
            run(f"{edit.target} = {edit.before};")
        else:
            self._put_back(edit)
        return edit.target

    def _put_back(self, edit: Edit) -> None:
        workspace, name = self._session.workspace, _root(edit.target)
        if edit.whole is None:
            workspace.delete(name)
        else:
            workspace.set(name, edit.whole)

    def _replaced_code(self, target: str, read: Read) -> str:
        """Code of the elements that are replaced; empty when it takes the whole variable."""
        if not target.endswith(")"):
            return ""
        try:
            return exact(read(target))
        except MatlabError:
            return ""  # there are no such elements yet


def exact(value: Value) -> str:
    """Code that makes exactly these elements; empty for what has none."""
    numeric = values.is_numeric(value) or values.is_logical(value)
    if not numeric or not 0 < values.numel(value) <= MOST_ELEMENTS:
        return ""
    array = values.as_array(values.host(value))
    if array.ndim > 2 or array.dtype in (np.int64, np.uint64):
        return ""
    return "[" + "; ".join(" ".join(map(_number, row)) for row in array.tolist()) + "]"


def _number(number: Any) -> str:
    if isinstance(number, complex):
        return f"complex({_number(number.real)},{_number(number.imag)})"
    if isinstance(number, bool):
        return "true" if number else "false"
    return repr(number).replace("nan", "NaN").replace("inf", "Inf")


def _root(target: str) -> str:
    found = _NAME.match(target)
    return found.group() if found else ""
