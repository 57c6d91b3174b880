"""Labels as scripts write them (TeX markup) as the rich text Qt draws."""

from __future__ import annotations

import re
from html import escape

_GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "zeta": "ζ",
    "eta": "η", "theta": "θ", "vartheta": "ϑ", "iota": "ι", "kappa": "κ", "lambda": "λ",
    "mu": "µ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "varsigma": "ς",
    "tau": "τ", "upsilon": "υ", "phi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω",
    "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π",
    "Sigma": "Σ", "Upsilon": "Υ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
}  # fmt: skip
_SIGNS = {
    "times": "×", "cdot": "·", "pm": "±", "mp": "∓", "leq": "≤", "geq": "≥", "le": "≤",
    "ge": "≥", "neq": "≠", "ne": "≠", "approx": "≈", "sim": "∼", "infty": "∞", "partial": "∂",
    "nabla": "∇", "int": "∫", "sum": "∑", "prod": "∏", "sqrt": "√", "circ": "°", "bullet": "•",
    "leftarrow": "←", "rightarrow": "→", "uparrow": "↑", "downarrow": "↓", "to": "→",
    "leftrightarrow": "↔", "Rightarrow": "⇒", "in": "∈", "cup": "∪", "cap": "∩", "forall": "∀",
    "exists": "∃", "angle": "∠", "ldots": "…", "deg": "°", "div": "÷", "propto": "∝", "equiv": "≡",
    "ell": "ℓ", "hbar": "ℏ", "Re": "ℜ", "Im": "ℑ", "oplus": "⊕", "otimes": "⊗", "perp": "⊥",
}  # fmt: skip
_SYMBOLS = {**_GREEK, **_SIGNS}
_FONTS = {"bf": "b", "it": "i", "sl": "i"}
_TOKEN = re.compile(r"\\([a-zA-Z]+)(?:\{([^{}]*)\})?|\\(.)|([\^_])|([{}])|(.)", re.DOTALL)
_MARKS = ("\\", "^", "_", "{", "\n")


def is_plain(text: str, interpreter: str) -> bool:
    """Whether a label has no markup at all."""
    if interpreter == "none":
        return "\n" not in text
    return not any(mark in text for mark in _MARKS) and "$" not in text


def rich_text(text: str, interpreter: str = "tex") -> str:
    """The HTML of a label."""
    lines = text.split("\n")
    if interpreter == "none":
        return "<br>".join(map(escape, lines))
    return "<br>".join(_Line(_plainer(line) if interpreter == "latex" else line).html
                       for line in lines)  # fmt: skip


def _plainer(line: str) -> str:
    """LaTeX as what TeX markup can say: fractions become slashes, accents go."""
    line = re.sub(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}", r"\1/\2", line)
    accents = "hat|bar|vec|tilde|dot|ddot|overline|mathcal|mathbb"
    line = re.sub(rf"\\(?:{accents})\s*\{{([^{{}}]*)\}}", r"\1", line)
    line = re.sub(r"\\[,;:! ]", " ", line)
    return line.replace("$", "")


_SILENT = frozenset(("rm", "fontname", "fontsize", "color", "mathrm", "mathbf", "text", "left",
                     "right", "displaystyle"))  # fmt: skip


def _known_part(name: str) -> str:
    """The longest beginning of a command that is one; all of it where none is."""
    for length in range(len(name), 1, -1):
        part = name[:length]
        if part in _FONTS or part in _SYMBOLS or part in _SILENT:
            return part
    return name


class _Line:
    """One line of TeX markup turned into HTML.

    Attributes:
        html: the result.
    """

    def __init__(self, text: str) -> None:
        self._parts: list[str] = []
        self._open: list[list[str]] = [[]]
        self._pending = ""
        for match in _TOKEN.finditer(text):
            self._take(match)
        while self._open:
            self._close()
        self.html = "".join(self._parts)

    def _take(self, match: re.Match[str]) -> None:
        command, argument, escaped, script, brace, plain = match.groups()
        if script:
            self._pending = "sup" if script == "^" else "sub"
        elif brace == "{":
            self._open.append(self._start_tags())
        elif brace == "}":
            if len(self._open) > 1:
                self._close()
        elif command:
            self._command(command, argument)
        else:
            self._text(escaped or plain or "")

    def _start_tags(self) -> list[str]:
        tags = [self._pending] if self._pending else []
        self._pending = ""
        self._parts.extend(f"<{tag}>" for tag in tags)
        return tags

    def _close(self) -> None:
        self._parts.extend(f"</{tag}>" for tag in reversed(self._open.pop()))

    def _command(self, name: str, argument: str | None) -> None:
        known = _known_part(name)
        if len(known) < len(name):  # as in {\itx}: the letter belongs to the text
            self._command(known, None)
            self._text(name[len(known) :])
            if argument is not None:
                self._text(argument)
            return
        if name in _FONTS:
            self._parts.append(f"<{_FONTS[name]}>")
            self._open[-1].append(_FONTS[name])
        elif name in _SILENT:
            if name in ("mathrm", "mathbf", "text"):
                self._text(argument or "")
        else:
            self._text(_SYMBOLS.get(name, f"\\{name}"))
            if argument is not None:
                self._text(argument)

    def _text(self, text: str) -> None:
        tags = self._start_tags()
        self._parts.append(escape(text))
        self._parts.extend(f"</{tag}>" for tag in tags)
