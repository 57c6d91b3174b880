"""Variables of one engine as bytes for another: what a MAT-file would hold, and nothing more."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from app.engine import protocol
from app.engine.builtins.files import mat_reader, mat_writer, portable
from app.engine.builtins.files.saved_objects import Identities
from app.engine.declarations.file_errors import reading
from app.engine.values import Value, class_of
from app.errors import Interrupted, MatlabError

if TYPE_CHECKING:
    from app.engine.session.session import Session

MOST_BYTES = 2000 << 20
"""What one engine sends another at once."""


def packed(session: Session) -> protocol.VariablesSent:
    """All variables of the base workspace."""
    known, plain, left = Identities(), {}, []
    for name in session.workspace.names():
        value = session.workspace.get(name)
        made = _portable_or_none(value, known)
        if made is None:
            left.append(f"{name} ({class_of(value)})")
        else:
            plain[name] = made
    return protocol.VariablesSent(_bytes_of(plain, left), tuple(left))


def _portable_or_none(value: Value, known: Identities) -> Value | None:
    try:
        return portable.portable_form(value, known)
    except (MatlabError, Interrupted):  # a stop breaks off what is computed just now
        return None


def _bytes_of(plain: dict[str, Value], left: list[str]) -> bytes:
    """The variables, one after the other while there is room; the others are ``left``."""
    parts: list[bytes] = []
    size = 0
    for name, value in plain.items():
        try:
            part = mat_writer.file_bytes({name: value}, compress=False)
        except (MatlabError, MemoryError):
            part = b""
        if not part or size + len(part) > MOST_BYTES:
            left.append(name)
            continue
        parts.append(part if not parts else part[mat_writer.HEAD_SIZE :])
        size += len(part)
    return b"".join(parts)


def take(session: Session, request: protocol.TakeVariables) -> None:
    """Put sent variables into the base workspace; one that has a name of theirs already is kept
    under another."""
    context, known, moved = session.interpreter.context, Identities(), []
    if request.data:
        for name, value in mat_reader.variables_of(request.data, "the variables").items():
            before = session.workspace.get(name)
            if before is not None:
                moved.append(_moved_name(session, name, before))
            with reading("load", Path("the variables")):
                made = portable.value_of_portable(context, value, known)
            session.workspace.set(name, made)
    told = []
    if moved:
        old, new = (", ".join(names) for names in zip(*moved, strict=True))
        told.append(f"There was {old} already, which is {new} from now on")
    if request.left:
        told.append(f"These cannot go along: {', '.join(request.left)}")
    if told:
        session.emit(protocol.Notice("; ".join(told), "warning"))
    session.emit(session.variables())


def _moved_name(session: Session, name: str, value: Value) -> tuple[str, str]:
    taken, number = set(session.workspace.names()), 1
    while (other := f"{name}_before{number if number > 1 else ''}") in taken:
        number += 1
    session.workspace.set(other, value)
    return name, other
