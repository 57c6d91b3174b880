"""``sscanf``'s formats: parsing, and reading text by them again and again."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from app.records import record

_CONVERSION = re.compile(
    r"%(?P<skip>\*?)(?P<width>\d*)(?:\.\d+)?[hlL]*(?:(?P<kind>[diuoxXfeEgGscaA%])"
    r"|\[(?P<set>\^?\]?[^\]]*)\])"
)
_FLOAT = r"[-+]?(?:\d+\.?\d*(?:[eEdD][-+]?\d+)?|\.\d+(?:[eEdD][-+]?\d+)?)"
_SPECIAL = r"[-+]?(?:[iI]nf(?:inity)?|[nN]a[nN]|NA)"
_NUMBERS = {
    "d": r"[-+]?\d+",
    "u": r"[-+]?\d+",
    "i": r"[-+]?(?:0[xX][0-9a-fA-F]+|\d+)",
    "o": r"[-+]?[0-7]+",
    "x": r"[-+]?(?:0[xX])?[0-9a-fA-F]+",
    "f": f"{_SPECIAL}|{_FLOAT}",
}
_EXPRESSIONS = {kind: re.compile(text) for kind, text in _NUMBERS.items()}
_SPACE = re.compile(r"\s*")


@record
class Field:
    """One part of a format.

    Attributes:
        kind: a conversion letter, ``[`` for a set, ``' '`` for white space, ``t`` for a literal.
        text: the literal, or the set's pattern.
        width: most characters, 0 for any number.
        skip: read but not kept (``%*d``).
    """

    kind: str
    text: str = ""
    width: int = 0
    skip: bool = False

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
    """

    items: list[float | str] = field(default_factory=list)
    position: int = 0
    failed: bool = False


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
            parts.append(Field(kind, "", width, bool(match["skip"])))
    return (*parts, *_literals(template[position:]))


def _set_pattern(body: str) -> str:
    inverted, chars = body.startswith("^"), body.removeprefix("^")
    escaped = chars.replace("\\", "\\\\").replace("]", "\\]").replace("[", "\\[")
    return f"[{'^' if inverted else ''}{escaped.replace('^', chr(92) + '^')}]+"


def _literals(text: str) -> list[Field]:
    pieces = re.findall(r"\s+|\S+", text)
    return [Field(" ") if p.isspace() else Field("t", p) for p in pieces]


def number(kind: str, text: str) -> float:
    """The number that text says under a conversion."""
    low = text.lower()
    if kind == "f":
        if "n" in low:
            return float("nan") if low.lstrip("+-").startswith("na") else float(low)
        return float(low.replace("d", "e"))
    if kind == "i":
        digits = low.lstrip("+-")
        base = 16 if digits.startswith("0x") else 8 if digits.startswith("0") else 10
        return float(int(low, base))
    return float(int(low, {"x": 16, "o": 8}.get(kind, 10)))


def take(part: Field, text: str, position: int) -> tuple[float | str, int] | None:
    """The value of one conversion at a position, and where it ends; None when there is none."""
    if part.kind not in "c[":
        skipped = _SPACE.match(text, position)
        position = skipped.end() if skipped else position
    end = min(len(text), position + part.width) if part.width else len(text)
    if position >= len(text):
        return None
    if part.kind == "c":
        end = position + (part.width or 1)
        return (text[position:end], min(end, len(text)))
    if part.is_text:
        match = re.compile(part.text or r"\S+").match(text, position, end)
        return (match.group(), match.end()) if match else None
    match = _EXPRESSIONS[part.kind].match(text, position, end)
    return (number(part.kind, match.group()), match.end()) if match else None


def scan(text: str, template: str, most: float = float("inf"), *, once: bool = False) -> Scan:
    """Read ``text`` by a format, used again until the text ends or does not fit.

    What follows the last conversion that ``most`` allows, white space and literals, is read, too.
    """
    parts, found = parse(template), Scan()
    if most <= 0 or all(p.kind in " t" for p in parts):
        return found
    while True:
        begun = (found.position, len(found.items))
        for part in parts:
            is_full = len(found.items) >= most and part.kind not in " t"
            if is_full or not _step(part, text, found):
                return found
        if once or len(found.items) >= most or begun == (found.position, len(found.items)):
            return found


def _step(part: Field, text: str, found: Scan) -> bool:
    """One part of the format; False when the scan ends here."""
    if part.kind == " ":
        found.position = _after_space(text, found.position)
        return True
    if part.kind == "t":
        start = _after_space(text, found.position)
        if not text.startswith(part.text, start):
            found.failed = start < len(text)
            return False
        found.position = start + len(part.text)
        return True
    taken = take(part, text, found.position)
    if taken is None:
        rest = _after_space(text, found.position)
        found.failed = rest < len(text)
        if part.kind not in "c[":
            found.position = rest
        return False
    value, found.position = taken
    if not part.skip:
        found.items.append(value)
    return True


def _after_space(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position
