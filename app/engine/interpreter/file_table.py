"""Open files of a session: identifiers, modes, byte orders and encodings."""

from __future__ import annotations

import os
import weakref
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Literal

from app.engine.arguments.call_context import CallContext
from app.engine.interpreter import waiting_files
from app.errors import MatlabError, said_by_system
from app.log import topic
from app.records import mutable_record
from app.textfile import encoded

_LOG = topic("files")
_KEY = "files"
_MODES = {
    "r": "rb",
    "w": "wb",
    "a": "ab",
    "r+": "r+b",
    "w+": "w+b",
    "a+": "a+b",
    "A": "ab",
    "W": "wb",
}


@mutable_record
class OpenFile:
    """One open file.

    Attributes:
        name: path as it was given, made absolute.
        stream: binary stream.
        mode: MATLAB's permission, such as ``r+``.
        order: ``<`` or ``>``, the byte order of ``fread`` and ``fwrite``.
        encoding: of text.
        text: True when ``\\r\\n`` is read as ``\\n`` (mode ends in t).
        at_end: True once a read met the end of the file.
        error: message of the last failure.
    """

    name: str
    stream: IO[bytes]
    mode: str
    order: Literal["<", ">"] = "<"
    encoding: str = "utf-8"
    text: bool = False
    at_end: bool = False
    error: str = ""

    def read(self, count: int = -1) -> bytes:
        """Up to ``count`` bytes (all for -1); notes when the end was met."""
        data = self.stream.read(count)
        if count < 0 or len(data) < count:
            self.at_end = True
        return data.replace(b"\r\n", b"\n") if self.text else data

    def line(self) -> bytes:
        """The next line with its end, empty at the end of the file; notes that it was the last."""
        data = self.stream.readline()
        peek = getattr(self.stream, "peek", None)
        self.at_end = not data or (peek is not None and not peek(1))
        return data.replace(b"\r\n", b"\n") if self.text else data

    def write(self, data: bytes) -> None:
        """Write; others see it at once, unless the mode is W or A, which stand for that.

        Raises:
            MatlabError: the system cannot write it.
        """
        try:
            self.stream.write(data)
            if self.mode[0] not in "WA":
                self.stream.flush()
        except OSError as problem:
            reason = said_by_system(problem) if problem.errno else "it is open for reading only"
            text = f"'{self.name}' could not be written: {reason}."
            raise MatlabError("MATLAB:FileIO:CannotWrite", text) from problem

    def decode(self, data: bytes) -> str:
        """Bytes as text; what is not valid is read as Latin-1."""
        return self._decoded(data)[0]

    def _decoded(self, data: bytes) -> tuple[str, str]:
        """The text, and its encoding."""
        try:
            return data.decode(self.encoding), self.encoding
        except UnicodeDecodeError:
            return data.decode("latin-1"), "latin-1"

    def bytes_behind(self, data: bytes, count: int) -> int:
        """How many bytes come behind the first ``count`` characters of ``decode(data)``."""
        text, encoding = self._decoded(data)  # both below with a mark of byte order, or none
        return len(text.encode(encoding)) - len(text[:count].encode(encoding))


@dataclass(slots=True, weakref_slot=True, eq=False)
class FileTable:
    """All open files of a session by identifier (from 3; 1 and 2 are the output streams).

    What a script left open is written out when the session or the process ends.
    """

    files: dict[int, OpenFile] = field(default_factory=dict)

    def __post_init__(self) -> None:
        weakref.finalize(self, _write_out, self.files)

    def open(
        self, name: str, permission: str, order: Literal["<", ">"], encoding: str
    ) -> tuple[int, str]:
        """Open a file: its identifier (-1 when that fails) and a message."""
        base = permission.replace("t", "").replace("b", "") or "r"
        mode = _MODES.get(base)
        if mode is None:
            raise MatlabError("MATLAB:FileIO:InvalidPermission", "Invalid permission.")
        try:
            stream = waiting_files.opened(Path(name), mode)
        except OSError as problem:
            return -1, os.strerror(problem.errno) if problem.errno else str(problem)
        number = next(n for n in range(3, 1 << 30) if n not in self.files)
        path = str(Path(name).resolve())
        self.files[number] = OpenFile(path, stream, permission, order, encoding, "t" in permission)
        return number, ""

    def close(self, number: int) -> None:
        """Close one file."""
        self.files.pop(number).stream.close()

    def close_all(self) -> None:
        """Close every file."""
        for number in list(self.files):
            self.close(number)


def _write_out(files: dict[int, OpenFile]) -> None:
    """Close what a program left open; what cannot be written then is lost, which is said."""
    for file in files.values():
        try:
            file.stream.close()
        except OSError as problem:
            _LOG.error("'%s' could not be written whole: %s", file.name, said_by_system(problem))


def table(ctx: CallContext) -> FileTable:
    """The session's open files."""
    found: FileTable | None = ctx.state.get(_KEY)
    if found is None:
        found = ctx.state[_KEY] = FileTable()
    return found


def invalid_identifier() -> MatlabError:
    """The error for a number that is no open file."""
    text = "Invalid file identifier. Use fopen to generate a valid file identifier."
    return MatlabError("MATLAB:FileIO:InvalidFid", text)


def open_file_of(ctx: CallContext, number: int) -> OpenFile:
    """The open file of an identifier."""
    found = table(ctx).files.get(number)
    if found is None:
        raise invalid_identifier()
    return found


def write_text(ctx: CallContext, number: int, text: str) -> None:
    """Write text to a file, to the command window (0, 1) or to the error stream (2)."""
    if number == 2:
        ctx.write_error(text)
    elif number in (0, 1):
        ctx.write(text)
    else:
        file = open_file_of(ctx, number)
        file.write(encoded(text, file.encoding))
