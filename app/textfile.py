"""Reading a text file of unknown encoding without losing anything."""

from __future__ import annotations

from pathlib import Path

from app.errors import UsageError
from app.records import record

PROBE_BYTES = 8192
ZEROS_ONE_IN = 1000  # a stray zero byte in a long text is a blank; more of them are no text


@record
class TextFile:
    r"""A file's text, and what is needed to write it back as it was.

    Attributes:
        text: the text with ``\n`` line ends and without byte order mark.
        encoding: ``utf-8``, ``utf-8-sig``, ``utf-16`` or ``latin-1``.
        newline: the line end of the file, ``\n`` or ``\r\n``.
        warning: a sentence when the encoding had to be guessed, else empty.
    """

    text: str
    encoding: str
    newline: str
    warning: str = ""


def read(path: Path) -> TextFile:
    """Read ``path``; OSError when it cannot be read, UsageError when it is no text."""
    return decode(path.read_bytes(), str(path))


def decode(data: bytes, name: str) -> TextFile:
    """The text in ``data``: UTF-8 or UTF-16 by its mark, UTF-8, and else Latin-1 with a warning."""
    encoding, warning = _marked(data, name), ""
    try:
        text = data.decode(encoding or "utf-8")
    except UnicodeDecodeError as problem:
        if encoding:  # a mark that the rest does not keep
            raise UsageError(
                f"{name} is not a text file: it begins as {encoding} and breaks off that way at"
                f" byte {problem.start}; save it as UTF-8"
            ) from None
        line = data.count(b"\n", 0, problem.start) + 1
        encoding, warning = "latin-1", f"{name}:{line}: not UTF-8; read as Latin-1"
        text = data.decode(encoding)
    newline = "\r\n" if "\r\n" in text else "\n"
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return TextFile(text, encoding or "utf-8", newline, warning)


def _marked(data: bytes, name: str) -> str:
    """The encoding that the first bytes tell, empty for none; UsageError where there is no text."""
    if data.startswith(b"\xef\xbb\xbf"):
        return "utf-8-sig"
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    zeros = data.count(b"\0", 0, PROBE_BYTES)
    if zeros * ZEROS_ONE_IN > min(len(data), PROBE_BYTES):
        raise UsageError(f"{name} is not a text file (it holds zero bytes)")
    return ""
