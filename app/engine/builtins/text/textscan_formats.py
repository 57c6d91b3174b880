"""Formats and options of textscan: fields to read, delimiters, comments, empty values."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field

from app.engine.arguments.checks import one_of, switch_of
from app.engine.values import (
    Value,
    float_of,
    int_of,
    is_cell,
    is_string,
    text_of,
    texts_of,
)
from app.engine.values.print_formats import unescape
from app.errors import MatlabError
from app.records import record

_SPEC = re.compile(
    r"%(?P<skip>\*?)(?P<width>\d*)(?:\.\d+)?(?:(?P<kind>d8|d16|d32|d64|u8|u16|u32|u64|f32|f64|n|d|u|f|s"
    r"|q|c|x|C|(?:\{(?P<form>[^}]*)\})?[DT])|\[(?P<set>\^?\]?[^\]]*)\])"
)
_COMMENTS = {"shell": ["#"], "matlab": ["%"], "c++": ["//"], "c": ["/*", "*/"]}


@record
class Spec:
    """One field of a format: ``t`` is a literal text, ``[`` a set of characters; the text of a
    date (``D``) or duration (``T``) is its own format."""

    kind: str
    text: str = ""
    width: int = 0
    skip: bool = False


@dataclass(slots=True)
class Options:
    """How text is divided into fields."""

    delimiters: list[str] = field(default_factory=list)
    whitespace: str = " \b\t"
    line_end: str = ""
    header_lines: int = 0
    collapse: bool = False
    comments: list[str] = field(default_factory=list)
    empty_value: float = math.nan
    treat_as_empty: list[str] = field(default_factory=list)
    collect: bool = False
    integers: bool = True
    exponents: str = "eEdD"
    strings: bool = False
    stops_quietly: bool = True

    def read(self, pairs: list[Value]) -> Options:
        """Take name-value pairs."""
        while pairs:
            name = text_of(pairs.pop(0)).lower()
            if not pairs:
                text = f"Option '{name}' must be followed by a value."
                raise MatlabError("MATLAB:textscan:UnpairedParam", text)
            _check_option(name)
            self._set(name, pairs.pop(0))
        return self

    def _set(self, name: str, value: Value) -> None:
        if name == "delimiter":
            found = (
                texts_of(value)
                if is_cell(value) or is_string(value)
                else list(unescape(text_of(value)))
            )
            self.delimiters = [unescape(d) for d in found if d]
        elif name == "whitespace":
            self.whitespace = unescape(text_of(value))
        elif name == "endofline":
            self.line_end = unescape(text_of(value))
        elif name == "headerlines":
            self.header_lines = int_of(value)
        elif name == "multipledelimsasone":
            self.collapse = switch_of(name, value)
        elif name == "commentstyle":
            words = texts_of(value)
            self.comments = _COMMENTS.get(words[0], words)
        elif name == "emptyvalue":
            self.empty_value = float_of(value)
        elif name == "treatasempty":
            self.treat_as_empty = texts_of(value)
        else:
            self._set_result(name, value)

    def _set_result(self, name: str, value: Value) -> None:
        """Options about what becomes of a field that was read, or was none."""
        if name == "collectoutput":
            self.collect = switch_of(name, value)
        elif name == "returnonerror":
            self.stops_quietly = switch_of(name, value)
        elif name == "texttype":
            self.strings = one_of("textscan", "TextType", value, "char string") == "string"
        elif name == "expchars":
            self.exponents = text_of(value)
            if re.search(r"[-+.\d\s]", self.exponents):
                text = "ExpChars are letters that stand before an exponent, such as 'eEdD'."
                raise MatlabError("MATLAB:textscan:InvalidExpChars", text)


_OPTIONS = frozenset(
    "delimiter whitespace endofline headerlines multipledelimsasone commentstyle emptyvalue "
    "treatasempty collectoutput returnonerror texttype expchars bufsize".split()
)
"""What textscan takes; the last is about memory alone."""


def _check_option(name: str) -> None:
    """Refuse an option that has no effect here."""
    if name == "datelocale":
        text = "textscan's option DateLocale is not part of Fuselab: names of months are English."
    elif name not in _OPTIONS:
        text = f"Unknown option '{name}'."
    else:
        return
    raise MatlabError("MATLAB:textscan:UnknownOption", text)


def parse(template: str) -> list[Spec]:
    """The fields of a format."""
    specs: list[Spec] = []
    position = 0
    for match in _SPEC.finditer(template):
        specs += [Spec("t", w) for w in template[position : match.start()].split()]
        position = match.end()
        kind = match["kind"] or "["
        pattern = match["form"] or ""
        kind = kind[-1] if kind[-1] in "DT" else kind
        if match["set"] is not None:
            inverted, chars = match["set"].startswith("^"), match["set"].removeprefix("^")
            escaped = re.sub(r"([\\\[\]^])", r"\\\1", chars)
            pattern = f"[{'^' if inverted else ''}{escaped}]*"
        specs.append(Spec(kind, pattern, int(match["width"] or 0), bool(match["skip"])))
    return specs + [Spec("t", w) for w in template[position:].split()]
