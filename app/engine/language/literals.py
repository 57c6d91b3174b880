"""The values of literals."""

from __future__ import annotations

import re

from app.engine.language import ast
from app.late_pattern import late_pattern
from app.source import Span

_ESCAPE = late_pattern(r'""|\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|(\n|.))', re.DOTALL)
_ESCAPES = {
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
    "\n": "",
}


def number(span: Span, text: str) -> ast.Number:
    """The node of a numeric literal."""
    if text.isdecimal():
        return ast.Number(span, float(text), text=text)
    if text[:2] in ("0x", "0X", "0b", "0B"):
        return _radix(span, text)
    body = text
    imaginary = text[-1] in "ijIJ"
    if imaginary:
        body = text[:-1]
    return ast.Number(span, float(body.replace("d", "e").replace("D", "e")), imaginary, text=text)


def _radix(span: Span, text: str) -> ast.Number:
    digits, suffix, bits = _split_suffix(text.replace("_", ""))
    value = int(digits[2:], 16 if digits[1] in "xX" else 2)
    size = bits or next((n for n in (8, 16, 32, 64) if value < 1 << n), 64)
    if suffix == "s" and value >= 1 << (size - 1):
        value -= 1 << size
    return ast.Number(
        span, value, int_class=f"{'int' if suffix == 's' else 'uint'}{size}", text=text
    )


def _split_suffix(text: str) -> tuple[str, str, int]:
    for suffix in "us":
        digits, found, bits = text.partition(suffix)
        if found:
            return digits, suffix, int(bits)
    return text, "u", 0


def unescape(text: str) -> str:
    """The characters that Octave's double-quoted ``text`` stands for."""
    return _ESCAPE.sub(_unescape_one, text)


def _unescape_one(found: re.Match[str]) -> str:
    octal, hexadecimal, char = found.groups()
    if octal:
        return chr(int(octal, 8) & 0xFF)
    if hexadecimal:
        return chr(int(hexadecimal, 16))
    return _ESCAPES.get(char, char) if char else '"'


_WORD_PART = late_pattern(
    r"""'((?:[^']|'')*)'|"((?:[^"]|"")*)"|([^'"(\[{]+|\(.*\)|\[.*\]|\{.*\}|['"(\[{])"""
)


def unquote_word(text: str) -> str:
    """A command's argument without its quotes; those inside brackets stay."""
    if "'" not in text and '"' not in text:
        return text
    parts = _WORD_PART.findall(text)
    return "".join(a.replace("''", "'") + b.replace('""', '"') + c for a, b, c in parts)
