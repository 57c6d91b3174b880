"""Reading a text file of unknown encoding without losing anything."""

from __future__ import annotations

from pathlib import Path

from app import paths
from app.errors import UsageError
from app.late_pattern import late_pattern
from app.records import record

PROBE_BYTES = 8192
OFTEN_SHARE = 0.3  # of the characters that are not ASCII
ZEROS_ONE_IN = 1000  # a stray zero byte in a long text is a blank; more of them are no text


@record
class TextFile:
    r"""A file's text, and what is needed to write it back as it was.

    Attributes:
        text: the text with ``\n`` line ends and without byte order mark.
        encoding: ``utf-8``, ``utf-8-sig``, ``utf-16``, ``gb18030``, ``cp932`` or ``latin-1``.
        newline: the line end of the file, ``\n`` or ``\r\n``.
        warning: a sentence when the encoding had to be guessed, else empty.
    """

    text: str
    encoding: str
    newline: str
    warning: str = ""


def read(path: Path) -> TextFile:
    """Read ``path``; OSError when it cannot be read, UsageError when it is no text."""
    return decode(paths.content(path), str(path))


def encoded(text: str, encoding: str = "utf-8") -> bytes:
    """A text as bytes; halves of characters stay in UTF, what has no place elsewhere is a ``?``."""
    lone = "surrogatepass" if encoding.lower().startswith("utf") else "replace"
    return text.encode(encoding, lone)


def separated_rows(text: str, mark: str) -> list[list[str]]:
    r"""The fields of a text with marks between them; quoted ones may hold marks and line ends.

    Lines end in ``\n``, ``\r\n`` or ``\r``, also in one text; a field is as long as it is.
    """
    import csv
    import io

    csv.field_size_limit(max(csv.field_size_limit(), len(text)))
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=mark))


def decode(data: bytes, name: str) -> TextFile:
    """The text in ``data``: UTF-8 or UTF-16 by its mark, UTF-8, and else with a warning Chinese,
    Japanese or Latin-1, as its bytes suggest."""
    encoding, warning = _encoding_by_mark(data, name), ""
    try:
        text = data.decode(encoding or "utf-8")
    except UnicodeDecodeError as problem:
        if encoding:  # a mark that the rest does not keep
            raise UsageError(
                f"{name} is not a text file: it begins as {encoding} and breaks off that way at"
                f" byte {problem.start}; save it as UTF-8"
            ) from None
        line = data.count(b"\n", 0, problem.start) + 1
        encoding, spoken = _older_encoding(data)
        warning = f"{name}:{line}: not UTF-8; read as {spoken}"
        text = data.decode(encoding)
    newline = "\r\n" if "\r\n" in text else "\n"
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return TextFile(text, encoding or "utf-8", newline, warning)


_DOUBLE_BYTES = late_pattern(rb"[\x81-\xfe][\x40-\xfe]|[\x80-\xff]")
_OFTEN = (
    ("gb18030", "gb2312", "Chinese (GB 18030)", late_pattern(rb"[\xa1\xa3\xb0-\xd7][\xa1-\xfe]")),
    ("cp932", "cp932", "Japanese (Shift-JIS)", late_pattern(rb"[\x81-\x83][\x40-\xfc]")),
)
"""Encodings with the narrower ones that texts keep to, what they are called, and which of their
characters most are: the frequent half of the Chinese ones; kana and punctuation."""


def _older_encoding(data: bytes) -> tuple[str, str]:
    """The encoding, and what it is called, of a text that is not UTF-8.

    Accents of Latin texts stand alone among ASCII; Chinese and Japanese characters come in pairs of
    bytes, most of them from a small part of what there is.
    """
    parts = _DOUBLE_BYTES.findall(data)
    for encoding, narrow, spoken, often in _OFTEN:
        try:
            data.decode(narrow)
        except UnicodeDecodeError:
            continue
        if sum(often.fullmatch(part) is not None for part in parts) > OFTEN_SHARE * len(parts):
            return encoding, spoken
    return "latin-1", "Latin-1"


def _encoding_by_mark(data: bytes, name: str) -> str:
    """The encoding that the first bytes tell, empty for none; UsageError where there is no text."""
    if data.startswith(b"\xef\xbb\xbf"):
        return "utf-8-sig"
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    zeros = data.count(b"\0", 0, PROBE_BYTES)
    if zeros * ZEROS_ONE_IN > min(len(data), PROBE_BYTES):
        raise UsageError(f"{name} is not a text file (it holds zero bytes)")
    return ""
