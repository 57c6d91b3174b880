"""``sscanf``'s formats: parsing, and reading text by them again and again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain

from app.records import record

_CONVERSION = re.compile(
    r"%(?P<skip>\*?)(?P<width>\d*)(?:\.\d+)?(?P<long>[hlL]*)(?:(?P<kind>[diuoxXfeEgGscaA%])"
    r"|\[(?P<set>\^?\]?[^\]]*)\])"
)
_FLOAT = r"[-+]?(?:\d++\.?\d*+(?:[eEdD][-+]?\d+)?|\.\d+(?:[eEdD][-+]?\d+)?)"
_SPECIAL = r"[-+]?(?:[iI]nf(?:inity)?|[nN]a[nN]|NA)"
_NUMBERS = {
    "d": r"[-+]?\d+",
    "u": r"[-+]?\d+",
    "i": r"[-+]?(?:0[xX][0-9a-fA-F]+|0[0-7]*|\d+)",
    "o": r"[-+]?[0-7]+",
    "x": r"[-+]?(?:0[xX])?[0-9a-fA-F]+",
    "f": f"{_SPECIAL}|{_FLOAT}",
}
_EXPRESSIONS = {kind: re.compile(text) for kind, text in _NUMBERS.items()}
_SPACE = re.compile(r"\s*")
LONG = 6
"""Characters from which a text is read by whole uses of its format."""
_BITS = {"h": 16, "l": 64, "ll": 64, "L": 64}
"""Of an integer conversion; 32 without such a letter."""


@record
class Field:
    """One part of a format.

    Attributes:
        kind: a conversion letter, ``[`` for a set, ``' '`` for white space, ``t`` for a literal.
        text: the literal, or the set's pattern.
        width: most characters, 0 for any number.
        skip: read but not kept (``%*d``).
        bits: of an integer.
    """

    kind: str
    text: str = ""
    width: int = 0
    skip: bool = False
    bits: int = 32

    @property
    def is_kept(self) -> bool:
        """Whether it is a conversion that gives a value."""
        return self.kind not in " t" and not self.skip

    @property
    def is_text(self) -> bool:
        """Whether it gives characters."""
        return self.kind in "sc["


@dataclass(slots=True)
class Scan:
    """What a scan found.

    Attributes:
        items: numbers and texts in order.
        position: first character that was not used.
        failed: whether a conversion met text it could not read.
        met_end: whether it looked for characters behind the last one.
    """

    items: list[float | str] = field(default_factory=list)
    position: int = 0
    failed: bool = False
    met_end: bool = False


@lru_cache(maxsize=256)
def parse(template: str) -> tuple[Field, ...]:
    """The parts of a format."""
    parts: list[Field] = []
    position = 0
    for match in _CONVERSION.finditer(template):
        parts += _literals(template[position : match.start()])
        position = match.end()
        width = int(match["width"] or 0)
        if match["kind"] == "%":
            parts.append(Field("t", "%"))
        elif match["set"] is not None:
            parts.append(Field("[", _set_pattern(match["set"]), width, bool(match["skip"])))
        else:
            kind = match["kind"].lower()
            kind = "f" if kind in "ega" else kind
            bits = _BITS.get(match["long"], 32)
            parts.append(Field(kind, "", width, bool(match["skip"]), bits))
    return (*parts, *_literals(template[position:]))


def _set_pattern(body: str) -> str:
    inverted, chars = body.startswith("^"), body.removeprefix("^")
    escaped = chars.replace("\\", "\\\\").replace("]", "\\]").replace("[", "\\[")
    return f"[{'^' if inverted else ''}{escaped.replace('^', chr(92) + '^')}]+"


def _literals(text: str) -> list[Field]:
    pieces = re.findall(r"\s+|\S+", text)
    return [Field(" ") if p.isspace() else Field("t", p) for p in pieces]


def number(kind: str, text: str, bits: int = 32) -> float:
    """The number that text says under a conversion; integers end where C's do.

    Signed ones stop at the largest and smallest of so many bits. Unsigned ones count down from
    2^bits with a minus sign; too large ones are the largest (C11 7.22.1.4). Those of 64 bits are
    Python's own.
    """
    low = text.lower()
    if kind == "f":
        if "n" in low:
            return float("nan") if low.lstrip("+-").startswith("na") else float(low)
        return float(low.replace("d", "e"))
    found = int(low, _base(kind, low.lstrip("+-")))
    if kind in "di":
        most = 1 << bits - 1
        found = max(-most, min(found, most - 1))
    else:
        most = (1 << bits) - 1
        found = found % (1 << bits) if abs(found) <= most else most
    return found if bits == 64 else float(found)


def _base(kind: str, digits: str) -> int:
    if kind == "i":
        return 16 if digits.startswith("0x") else 8 if digits.startswith("0") else 10
    return {"x": 16, "o": 8}.get(kind, 10)


def take(part: Field, text: str, position: int) -> tuple[float | str, int] | None:
    """The value of one conversion at a position, and where it ends; None when there is none."""
    if position >= len(text):
        return None
    end = min(len(text), position + part.width) if part.width else len(text)
    if part.kind == "c":
        end = position + (part.width or 1)
        return (text[position:end], min(end, len(text)))
    if part.is_text:
        match = re.compile(part.text or r"\S+").match(text, position, end)
        return (match.group(), match.end()) if match else None
    match = _EXPRESSIONS[part.kind].match(text, position, end)
    return (number(part.kind, match.group(), part.bits), match.end()) if match else None


def scan(text: str, template: str, most: float = float("inf"), *, once: bool = False) -> Scan:
    """Read ``text`` by a format, used again until the text ends or does not fit.

    What follows the last conversion that ``most`` allows, white space and literals, is read, too.
    """
    parts, found = parse(template), Scan()
    if most <= 0 or all(p.kind in " t" for p in parts):
        return found
    if most == float("inf") and not once and len(text) >= LONG:
        _read_whole_passes(parts, text, found)
        if found.items and found.position == len(text):
            found.met_end = True
            return found
    while True:
        begun = (found.position, len(found.items))
        for part in parts:
            is_full = len(found.items) >= most and part.kind not in " t"
            if is_full or not _step(part, text, found):
                return found
        if once or len(found.items) >= most or begun == (found.position, len(found.items)):
            return found


def _read_whole_passes(parts: tuple[Field, ...], text: str, found: Scan) -> None:
    """Read as many uses of a format of plain numbers as the text fits, as one expression."""
    between = _between_numbers(parts)
    if between is not None:
        split = _split_numbers(parts[0].kind, text, between)
        if split is not None:
            found.items, found.position = [*split], len(text)
            return
    one, all_of_them = _whole_pass(parts)
    if one is None or all_of_them is None:
        return
    end = all_of_them.match(text).end()  # type: ignore[union-attr]
    kinds = [p.kind for p in parts if p.is_kept]
    taken = one.findall(text, 0, end)
    columns = [taken] if len(kinds) == 1 else list(zip(*taken, strict=True))
    numbers = [_numbers(kind, texts) for kind, texts in zip(kinds, columns, strict=False)]
    found.items = list(chain.from_iterable(zip(*numbers, strict=True)))
    found.position = end


@lru_cache(maxsize=64)
def _between_numbers(parts: tuple[Field, ...]) -> str | None:
    """What a format of one plain number has between the numbers: a literal, or white space.

    None of any other format, and of a literal that may look like a part of a number.
    """
    first, *rest = parts
    literals = [p.text for p in rest if p.kind == "t"]
    plain = first.kind in "df" and first.bits == 32 and not first.width and not first.skip
    if not plain or len(literals) > 1 or any(p.kind not in " t" for p in rest):
        return None
    between = "".join(literals)
    return None if between[:1].isalnum() or between[:1] in ("+", "-", ".") else between


_PLAINLY = {"d": b"0123456789+- \t\n", "f": b"0123456789+-.eE \t\n"}
"""Characters of which Python understands as numbers what formats do."""


def _split_numbers(kind: str, text: str, between: str) -> list[float] | None:
    """The numbers of a text that is nothing else; None of all else."""
    texts = text.split(between) if between else text.split()
    if between and not texts[-1].strip():
        del texts[-1]
    elif between and texts[-1][-1].isspace():
        return None  # where the reading ends is another question
    if "".join(texts).encode("ascii", "replace").translate(None, _PLAINLY[kind]):
        return None
    try:
        found = list(map(float, texts))
    except ValueError:
        return None
    within = not found or -_HALF_RANGE < min(found) <= max(found) < _HALF_RANGE
    return found if kind == "f" or within else None


@lru_cache(maxsize=64)
def _whole_pass(parts: tuple[Field, ...]) -> tuple[re.Pattern[str] | None, re.Pattern[str] | None]:
    """Expressions of one use of a format and of all; None where a part is no plain number.

    Groups are atomic: a conversion gives nothing back that it has taken.
    """
    text = ""
    for part in parts:
        if part.kind in "df" and part.bits == 32 and not part.width and not part.skip:
            text += rf"(?>\s*({_NUMBERS[part.kind]}))"
        elif part.kind in " t":
            text += rf"\s*+{re.escape(part.text)}"
        else:
            return None, None
    return re.compile(text), re.compile(f"(?:{text})*+")


_HALF_RANGE = float(1 << 31)


def _numbers(kind: str, texts: Sequence[str]) -> list[float]:
    """The numbers of many texts of one conversion."""
    try:
        found = list(map(float, texts))
    except ValueError:  # 1d5, NA
        return [number(kind, each) for each in texts]
    if kind == "d" and found and (max(found) >= _HALF_RANGE or min(found) <= -_HALF_RANGE):
        return [number(kind, each) for each in texts]
    return found


def _step(part: Field, text: str, found: Scan) -> bool:
    """One part of the format; False when the scan ends here."""
    start = found.position if part.kind in "c[" else _after_space(text, found.position)
    if part.kind == " ":
        found.position = start
        found.met_end |= start == len(text)
        return True
    if part.kind == "t":
        if not text.startswith(part.text, start):
            found.failed = start < len(text)
            found.met_end |= part.text.startswith(text[start : start + len(part.text)])
            return False
        found.position = start + len(part.text)
        return True
    taken = take(part, text, start)
    if taken is None:
        found.failed = _after_space(text, start) < len(text)
        found.met_end |= start == len(text)
        found.position = start
        return False
    value, found.position = taken
    is_as_wide = found.position - start == (part.width or (1 if part.kind == "c" else 0))
    found.met_end |= found.position == len(text) and not is_as_wide
    if not part.skip:
        found.items.append(value)
    return True


def _after_space(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position
