"""LaTeX markup: text with formulas between dollars."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from app.engine.figures.colors import named_color
from app.ui.plots.labels.latex_symbols import (
    ACCENTS,
    BIG,
    FUNCTIONS,
    RELATIONS,
    SIGNS,
    SIZED,
    WITHOUT_INK,
)
from app.ui.plots.labels.markup import (
    BELOW,
    GREEK,
    PRIME,
    Accent,
    Fence,
    Fraction,
    Grid,
    Letters,
    Look,
    Node,
    Root,
    Row,
    Scripts,
    Space,
    is_prime,
)

_TOKEN = re.compile(r"\\([a-zA-Z]+)\*?\s*|\\(.)|(\$\$|\$)|([\^_{}&])|(.)", re.DOTALL)
_SPACES = {",": 0.17, ":": 0.22, ";": 0.28, "!": -0.17, " ": 0.3, ">": 0.22}
_WIDE = {"quad": 1.0, "qquad": 2.0, "enspace": 0.5, "thinspace": 0.17, "space": 0.3}
_UPRIGHT = {
    "mathrm",
    "text",
    "textrm",
    "operatorname",
    "mbox",
    "textnormal",
    "mathsf",
    "textsf",
    "texttt",
    "mathtt",
    "mathcal",
    "mathbb",
    "mathfrak",
    "mathscr",
}
_HEAVY = {"mathbf", "textbf", "boldsymbol", "bm", "pmb"}
_SLANTED = {"mathit", "textit", "emph", "textsl"}
_SIZES = {
    "tiny": 0.6,
    "scriptsize": 0.7,
    "footnotesize": 0.8,
    "small": 0.9,
    "normalsize": 1.0,
    "large": 1.2,
    "Large": 1.44,
    "LARGE": 1.73,
    "huge": 2.07,
    "Huge": 2.49,
}
_SWITCHES: dict[str, dict[str, Any]] = {
    "bf": {"bold": True},
    "bfseries": {"bold": True},
    "it": {"italic": True},
    "itshape": {"italic": True},
    "rm": {"bold": False, "italic": False},
}
_SILENT = {
    "displaystyle",
    "textstyle",
    "limits",
    "nolimits",
    "left.",
    "right.",
    "centering",
    "hline",
    "scriptstyle",
    "sf",
    "tt",
    "noindent",
    "nonumber",
    "notag",
    "nolinebreak",
    "hfill",
}
_MATRICES = {
    "matrix": ("", ""),
    "pmatrix": ("(", ")"),
    "bmatrix": ("[", "]"),
    "vmatrix": ("|", "|"),
    "Bmatrix": ("{", "}"),
    "Vmatrix": ("‖", "‖"),
    "array": ("", ""),
    "cases": ("{", ""),
    "aligned": ("", ""),
    "align": ("", ""),
    "smallmatrix": ("", ""),
}
_BLACKBOARD = {"R": "ℝ", "N": "ℕ", "Z": "ℤ", "Q": "ℚ", "C": "ℂ", "P": "ℙ", "H": "ℍ"}
_SCRIPT = {"L": "ℒ", "F": "ℱ", "H": "ℋ", "B": "ℬ", "E": "ℰ", "I": "ℐ", "M": "ℳ", "R": "ℛ"}


class LatexLine:
    """One text.

    ``_math`` says whether a formula is being read, ``_display`` whether it stands by itself.
    """

    def __init__(self, text: str) -> None:
        text = text.replace(r"\(", "$").replace(r"\)", "$")
        self._text = text.replace(r"\[", "$$").replace(r"\]", "$$").replace("---", "—")
        self._place = 0
        self._math = False
        self._display = False

    @classmethod
    def formula(cls, text: str, look: Look) -> Node:
        """A text that is a formula as a whole, in some look."""
        made = cls(text)
        made._math = True
        return made._row(look)

    def rows(self) -> list[Node]:
        """The lines: a double backslash outside of formulas begins another one."""
        found = [self._row(Look(), stop=("\\\\",))]
        while self._place < len(self._text):
            found.append(self._row(Look(), stop=("\\\\",)))
        return list(found)

    # --- tokens ---------------------------------------------------------------------------

    def _next_token(self) -> str:
        """The next token: a command with its backslash, or one character; empty at the end."""
        match = _TOKEN.match(self._text, self._place)
        if match is None:
            self._place = len(self._text)
            return ""
        self._place = match.end()
        if match.group(1):
            return "\\" + match.group(1)
        return (
            "\\" + match.group(2)
            if match.group(2)
            else match.group(3) or match.group(4) or match.group(5)
        )

    def _peek(self) -> str:
        before = self._place
        token = self._next_token()
        self._place = before
        return token

    def _raw(self) -> str:
        """The text between the next braces, as it is written."""
        match = re.compile(r"\s*\{([^{}]*)\}").match(self._text, self._place)
        if match is None:
            return ""
        self._place = match.end()
        return match.group(1)

    def _optional(self) -> str | None:
        match = re.compile(r"\s*\[([^\]]*)\]").match(self._text, self._place)
        if match is None:
            return None
        self._place = match.end()
        return match.group(1)

    # --- rows -----------------------------------------------------------------------------

    def _row(self, look: Look, stop: tuple[str, ...] = ()) -> Row:
        """Parts up to one of some tokens, which is taken too."""
        parts: list[Node] = []
        while self._place < len(self._text):
            token = self._next_token()
            if token in stop or not token:
                break
            if token in ("$", "$$"):
                self._math, self._display = not self._math, token == "$$"
            elif token in ("^", "_"):
                self._script(parts, token, look)
            elif token == "{":
                parts.append(self._row(look, ("}",)))
            elif token.startswith("\\"):
                look = self._command(token[1:], look, parts)
            elif token not in ("}", "&"):
                self._letter(token, look, parts)
        return Row(tuple(parts))

    def _argument(self, look: Look) -> Node:
        """A group, a command with its own arguments, or one letter."""
        while self._math and self._peek() == " ":
            self._next_token()
        token = self._next_token()
        if token == "{":
            return self._row(look, ("}",))
        parts: list[Node] = []
        if token.startswith("\\"):
            self._command(token[1:], look, parts)
        elif token:
            self._letter(token, look, parts)
        return Row(tuple(parts))

    def _letter(self, token: str, look: Look, parts: list[Node]) -> None:
        if not self._math:
            parts.append(Letters("\u00a0" if token == "~" else token, look))
        elif token in "+-=<>*":
            self._relation({"-": "−", "*": "∗"}.get(token, token), look, parts)
        elif token == "'":
            self._attach(parts, "^", _prime(look))
        elif token == "~":
            parts.append(Space(0.3, look))
        elif not token.isspace():
            slanted = token.isalpha() and not look.bold and token.isascii()
            parts.append(Letters(token, replace(look, italic=slanted or look.italic)))
            if token in ",;":
                parts.append(Space(0.17, look))

    def _relation(self, sign: str, look: Look, parts: list[Node]) -> None:
        """A sign between two things has air on both sides, one before a thing has none."""
        first = not parts or (isinstance(parts[-1], Space))
        gap = 0.0 if first else 0.22
        upright = replace(look, italic=False)
        parts += [Space(gap, look), Letters(sign, upright), Space(gap, look)]

    def _script(self, parts: list[Node], token: str, look: Look) -> None:
        argument = self._argument(look.smaller())
        while len(parts) > 1 and isinstance(parts[-1], Space):
            parts.pop()
        if argument == Row((Letters(PRIME, look.smaller()),)):
            argument = _prime(look)
        self._attach(parts, token, argument)

    def _attach(self, parts: list[Node], token: str, argument: Node) -> None:
        """Put a power or an index to what was last; primes join the primes there."""
        base: Node = parts.pop() if parts else Row(())
        above, below = (argument, None) if token == "^" else (None, argument)
        stacked = (self._display and _is_big(base)) or _is_brace(base)
        if isinstance(base, Scripts):
            held = base.above
            if is_prime(above) and is_prime(held):
                above, held = replace(held, text=held.text + above.text), None
            if (held if token == "^" else base.below) is None:
                stacked = base.stacked
                above, below, base = above or base.above, below or base.below, base.base
        parts.append(Scripts(base, above, below, stacked))

    # --- commands -------------------------------------------------------------------------

    def _command(self, name: str, look: Look, parts: list[Node]) -> Look:
        """Do what a command says; gives the look from now on."""
        if name in _SWITCHES:
            return replace(look, **_SWITCHES[name])
        if name in _SIZES:
            return replace(look, scale=_SIZES[name])
        if name == "color":
            self._optional()
            return replace(look, color=named_color(self._raw().strip()) or look.color)
        made = self._symbol(name, look, parts)
        if made is None:
            made = self._structure(name, look)
        if made is not None:
            parts.append(made)
        return look

    def _symbol(self, name: str, look: Look, parts: list[Node]) -> Node | None:
        """What a command stands for that takes no arguments."""
        upright = replace(look, italic=False)
        if name in _SPACES or name in _WIDE:
            return Space(_SPACES.get(name) or _WIDE[name], look)
        if name in _SILENT:
            return Row(())
        if name in GREEK:
            slanted = self._math and name[0].islower() and not look.bold
            return Letters(GREEK[name], replace(look, italic=slanted))
        if name == "not":
            sign = self._next_token().removeprefix("\\")
            self._relation(
                RELATIONS.get(sign, sign) + "\N{COMBINING LONG SOLIDUS OVERLAY}", look, parts
            )
            return Row(())
        if name in RELATIONS:
            self._relation(RELATIONS[name], look, parts)
            return Row(())
        if name in SIGNS:
            return Letters(SIGNS[name], upright)
        if name in BIG:
            size = 1.5 if self._display or name.endswith("int") else 1.25
            return Letters(BIG[name], replace(upright, scale=look.scale * size))
        if name in FUNCTIONS:
            gap = "" if self._peek() in ("^", "_", "(", "{") else "\u2009"
            return Letters(name + gap, upright)
        if len(name) == 1 and not name.isalpha():
            return Letters("‖" if name == "|" else name, upright)
        return None

    def _structure(self, name: str, look: Look) -> Node:
        """What a command makes of its arguments."""
        if name in ("frac", "dfrac", "tfrac", "cfrac"):
            own = (
                look if self._display or name == "dfrac" else replace(look, scale=look.scale * 0.82)
            )
            return Fraction(self._argument(own), self._argument(own), look)
        if name in ("binom", "dbinom", "tbinom"):
            made = Fraction(self._argument(look), self._argument(look), look, line=False)
            return Fence("(", made, ")", look)
        if name == "sqrt":
            degree = self._optional()
            small = look.smaller().smaller()
            return Root(self._argument(look), Letters(degree, small) if degree else None, look)
        if name in ACCENTS:
            return Accent(self._argument(look), ACCENTS[name], look)
        if name in ("overset", "stackrel", "underset"):
            aside = self._argument(look.smaller())
            above, below = (None, aside) if name == "underset" else (aside, None)
            return Scripts(self._argument(look), above, below, stacked=True)
        if name == "left":
            return self._fence_node(look)
        if name == "begin":
            return self._environment(look)
        arranged = self._arranging_node(name, look)
        return self._styled_node(name, look) if arranged is None else arranged

    def _arranging_node(self, name: str, look: Look) -> Node | None:
        """What commands make that only arrange, size or colour their arguments."""
        upright = replace(look, italic=False)
        if name in SIZED or name == "middle":
            size = 1.0 + 0.15 * (name.count("g") + 2 * name.startswith("B"))
            sign = self._delimiter().strip(".")
            return Letters(
                sign, upright if name == "middle" else replace(upright, scale=look.scale * size)
            )
        if name in WITHOUT_INK:
            return Space(0.5 * len(self._raw()) if "phantom" in name else 0.0, look)
        if name in ("boxed", "cancel", "mathop", "mathnormal"):
            return self._argument(look)
        if name == "textcolor":
            return self._argument(
                replace(look, color=named_color(self._raw().strip()) or look.color)
            )
        if name in ("overbrace", "underbrace"):
            return Accent(self._argument(look), name, look)
        if name in ("xrightarrow", "xleftarrow"):
            over = self._argument(look.smaller())
            arrow = Letters("⟶" if name == "xrightarrow" else "⟵", upright)
            return Scripts(arrow, over, None, stacked=True)
        if name == "pmod":
            return Row(
                (Letters("\u2003(mod\u2009", upright), self._argument(look), Letters(")", upright))
            )
        if name == "substack":
            rows = [self.formula(part, look) for part in self._raw().split("\\\\")]
            return Grid(tuple((row,) for row in rows), "c", look)
        return None

    def _styled_node(self, name: str, look: Look) -> Node:
        """Letters in another look; a command nobody knows is shown as it is written."""
        if name in ("mathbb", "mathcal", "mathscr"):
            table = _BLACKBOARD if name == "mathbb" else _SCRIPT
            text = self._raw()
            return Letters(
                "".join(table.get(letter, letter) for letter in text),
                replace(look, italic=name != "mathbb"),
            )
        if name in _UPRIGHT or name in _HEAVY or name in _SLANTED:
            before, self._math = self._math, self._math and name.startswith(("math", "b", "pmb"))
            own = replace(look, bold=look.bold or name in _HEAVY, italic=name in _SLANTED)
            if name in _UPRIGHT and self._math:
                made: Node = Letters(self._raw(), own)
            else:
                made = self._argument(own)
            self._math = before
            return made
        return Letters(f"\\{name}", look)

    def _delimiter(self) -> str:
        token = self._next_token()
        sign = SIGNS.get(token[1:], token[1:]) if token.startswith("\\") else token
        return {"|": "‖"}.get(sign, sign) if token.startswith("\\") else sign

    def _fence_node(self, look: Look) -> Node:
        left = self._delimiter()
        body = self._row(look, ("\\right",))
        right = self._delimiter()
        return Fence(left.strip("."), body, right.strip("."), look)

    def _environment(self, look: Look) -> Node:
        """``\\begin{...} … \\end{...}``."""
        name = self._raw().rstrip("*")
        align = re.sub(r"[^lcr]", "", self._raw()) if name == "array" else ""
        if name in ("cases", "aligned", "align"):
            align = "ll" if name == "cases" else "rl"
        rows: list[tuple[Node, ...]] = []
        row: list[Node] = []
        while self._place < len(self._text):
            start = self._place
            row.append(self._row(look, ("&", "\\\\", "\\end")))
            ended = re.search(r"(&|\\\\|\\end\s*)$", self._text[start : self._place])
            if ended is None or ended.group(1).strip() != "&":
                rows.append(tuple(row))
                row = []
            if ended is None or ended.group(1).startswith("\\end"):
                break
        self._raw()
        if len(rows) > 1 and all(not cell.parts for cell in rows[-1] if isinstance(cell, Row)):
            rows.pop()
        left, right = _MATRICES.get(name, ("", ""))
        grid = Grid(tuple(rows), align, look)
        return Fence(left, grid, right, look) if left or right else grid


def _prime(look: Look) -> Letters:
    """A prime: its letter stands at the top in its full size."""
    return Letters(PRIME, replace(look, italic=False))


def _is_brace(node: Node) -> bool:
    return isinstance(node, Accent) and node.kind in ("overbrace", "underbrace")


def _is_big(node: Node) -> bool:
    """Whether limits stand above and below."""
    if not isinstance(node, Letters):
        return False
    return (node.text in BIG.values() and node.text not in "∫∮∬∭") or node.text.strip() in BELOW
