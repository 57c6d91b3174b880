"""MATLAB's TeX markup: letters with Greek names, powers and indices, fonts, sizes, colours."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from app.engine.figures.colors import named_color
from app.ui.plots.labels.markup import (
    BIG,
    GREEK,
    RELATIONS,
    SIGNS,
    Letters,
    Look,
    Node,
    Row,
    Scripts,
)

_SYMBOLS = {
    **RELATIONS,
    **SIGNS,
    **GREEK,
    **BIG,
    "circ": "°",
    "sqrt": "√",
    "phi": "φ",
    "epsilon": "ε",
}
_FONTS: dict[str, dict[str, Any]] = {
    "bf": {"bold": True},
    "it": {"italic": True},
    "sl": {"italic": True},
    "rm": {"bold": False, "italic": False},
}
_TAKING = ("fontname", "fontsize", "color")
_TOKEN = re.compile(r"\\([a-zA-Z]+)|\\(.)|([\^_])|([{}])|([^\\^_{}]+)", re.DOTALL)
_KNOWN = sorted((*_FONTS, *_SYMBOLS, *_TAKING), key=len, reverse=True)


class TexLine:
    """One line of markup."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 0

    def row(self, look: Look | None = None, *, inner: bool = False) -> Row:
        """Everything up to the end, or up to the closing brace."""
        look, parts = look or Look(), list[Node]()
        while self._place < len(self._text):
            match = _TOKEN.match(self._text, self._place)
            if match is None:  # a backslash at the very end
                parts.append(Letters(self._text[self._place :], look))
                break
            self._place = match.end()
            command, escaped, script, brace, plain = match.groups()
            if brace == "}":
                if inner:
                    break
                continue
            if command:
                look = self._command(command, look, parts)
            elif script:
                _attach(parts, script, self._argument(look.smaller()))
            elif brace:
                parts.append(self.row(look, inner=True))
            else:
                parts.append(Letters(escaped or plain, look))
        return Row(tuple(parts))

    def _argument(self, look: Look) -> Node:
        """What belongs to a power or an index: a group, a command or one letter."""
        match = _TOKEN.match(self._text, self._place)
        if match is None or match.group(3):
            return Row(())
        if match.group(4):
            self._place = match.end()
            return self.row(look, inner=True) if match.group(4) == "{" else Row(())
        if match.group(1):
            self._place = match.end()
            parts: list[Node] = []
            self._command(match.group(1), look, parts)
            return Row(tuple(parts))
        text = match.group(2) or match.group(5)[0]
        self._place = match.end() if match.group(2) else self._place + 1
        return Letters(text, look)

    def _braced_text(self) -> str:
        """The text between the next braces."""
        match = re.compile(r"(?:\[rgb\])?\{([^{}]*)\}").match(self._text, self._place)
        if match is None:
            return ""
        self._place = match.end()
        return match.group(1)

    def _command(self, name: str, look: Look, parts: list[Node]) -> Look:
        """Do what a command says; gives the look from now on."""
        known = next((known for known in _KNOWN if name.startswith(known)), "")
        if not known:
            parts.append(Letters(f"\\{name}", look))
            return look
        self._place -= len(name) - len(known)  # as in \itx: the letter belongs to the text
        if known in _FONTS:
            return replace(look, **_FONTS[known])
        if known == "fontname":
            return replace(look, family=self._braced_text())
        if known == "fontsize":
            size = self._braced_text()
            return replace(look, points=float(size)) if _is_number(size) else look
        if known == "color":
            return replace(look, color=_color_of(self._braced_text()) or look.color)
        parts.append(Letters(_SYMBOLS[known], look))
        return look


def _is_number(text: str) -> bool:
    return re.fullmatch(r"\s*\d+(\.\d*)?\s*", text) is not None


def _color_of(text: str) -> tuple[float, float, float] | None:
    """A colour by name, or by red, green and blue."""
    numbers = text.split(",")
    if len(numbers) == 3:
        red, green, blue = (float(part) for part in numbers)
        return red, green, blue
    return named_color(text.strip())


def _attach(parts: list[Node], script: str, argument: Node) -> None:
    """Give the last part a power or an index; a second one stands over (or under) the first."""
    base: Node = parts.pop() if parts else Row(())
    if isinstance(base, Letters) and len(base.text) > 1:
        parts.append(Letters(base.text[:-1], base.look))
        base = Letters(base.text[-1], base.look)
    above, below = (argument, None) if script == "^" else (None, argument)
    if isinstance(base, Scripts) and (
        (script == "^" and base.above is None) or (script == "_" and base.below is None)
    ):
        above, below, base = above or base.above, below or base.below, base.base
    parts.append(Scripts(base, above, below))
