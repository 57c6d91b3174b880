"""Labels as scripts write them (TeX and LaTeX) as a tree of what is to be set."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeGuard

PRIME = "′"
GREEK = {
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "delta": "δ",
    "epsilon": "ϵ",
    "varepsilon": "ε",
    "zeta": "ζ",
    "eta": "η",
    "theta": "θ",
    "vartheta": "ϑ",
    "iota": "ι",
    "kappa": "κ",
    "lambda": "λ",
    "mu": "µ",
    "nu": "ν",
    "xi": "ξ",
    "pi": "π",
    "varpi": "ϖ",
    "rho": "ρ",
    "varrho": "ϱ",
    "sigma": "σ",
    "varsigma": "ς",
    "tau": "τ",
    "upsilon": "υ",
    "phi": "ϕ",
    "varphi": "φ",
    "chi": "χ",
    "psi": "ψ",
    "omega": "ω",
    "Gamma": "Γ",
    "Delta": "Δ",
    "Theta": "Θ",
    "Lambda": "Λ",
    "Xi": "Ξ",
    "Pi": "Π",
    "Sigma": "Σ",
    "Upsilon": "Υ",
    "Phi": "Φ",
    "Psi": "Ψ",
    "Omega": "Ω",
}
RELATIONS = {
    "pm": "±",
    "mp": "∓",
    "times": "×",
    "div": "÷",
    "leq": "≤",
    "geq": "≥",
    "le": "≤",
    "ge": "≥",
    "neq": "≠",
    "ne": "≠",
    "approx": "≈",
    "sim": "∼",
    "cong": "≅",
    "propto": "∝",
    "equiv": "≡",
    "to": "→",
    "leftarrow": "←",
    "rightarrow": "→",
    "leftrightarrow": "↔",
    "Rightarrow": "⇒",
    "Leftarrow": "⇐",
    "Leftrightarrow": "⇔",
    "mapsto": "↦",
    "in": "∈",
    "notin": "∉",
    "ni": "∋",
    "subset": "⊂",
    "subseteq": "⊆",
    "supset": "⊃",
    "supseteq": "⊇",
    "cup": "∪",
    "cap": "∩",
    "oplus": "⊕",
    "otimes": "⊗",
    "wedge": "∧",
    "vee": "∨",
    "ll": "≪",
    "gg": "≫",
    "mid": "|",
    "cdot": "·",
    "ast": "∗",
    "star": "⋆",
    "perp": "⊥",
    "parallel": "∥",
    "simeq": "≃",
}
SIGNS = {
    "infty": "∞",
    "partial": "∂",
    "nabla": "∇",
    "circ": "∘",
    "bullet": "•",
    "uparrow": "↑",
    "downarrow": "↓",
    "forall": "∀",
    "exists": "∃",
    "angle": "∠",
    "ldots": "…",
    "dots": "…",
    "cdots": "⋯",
    "vdots": "⋮",
    "ddots": "⋱",
    "deg": "°",
    "degree": "°",
    "ell": "ℓ",
    "hbar": "ℏ",
    "Re": "ℜ",
    "Im": "ℑ",
    "aleph": "ℵ",
    "wp": "℘",
    "emptyset": "∅",
    "neg": "¬",
    "prime": PRIME,
    "langle": "⟨",
    "rangle": "⟩",
    "lfloor": "⌊",
    "rfloor": "⌋",
    "lceil": "⌈",
    "rceil": "⌉",
    "clubsuit": "♣",
    "diamondsuit": "♦",
    "heartsuit": "♥",
    "spadesuit": "♠",
    "copyright": "©",
    "surd": "√",
    "backslash": "\\",
    "lbrace": "{",
    "rbrace": "}",
    "Vert": "‖",
    "vert": "|",
    "imath": "ı",
    "jmath": "ȷ",
    "AA": "Å",
    "o": "ø",
    "textdegree": "°",
    "mho": "℧",
}
BIG = {
    "sum": "∑",
    "prod": "∏",
    "int": "∫",
    "oint": "∮",
    "iint": "∬",
    "iiint": "∭",
    "bigcup": "⋃",
    "bigcap": "⋂",
}
FUNCTIONS = frozenset(
    (
        "sin cos tan cot sec csc sinh cosh tanh arcsin arccos arctan log ln exp lim max min sup "
        "inf det dim ker arg deg gcd mod Pr"
    ).split()
)
BELOW = frozenset(("lim", "max", "min", "sup", "inf", "limsup", "liminf"))
"""Functions whose index stands below them in a formula of its own."""
ACCENTS = {
    "hat": "hat",
    "widehat": "hat",
    "bar": "bar",
    "overline": "bar",
    "vec": "vec",
    "dot": "dot",
    "ddot": "ddot",
    "tilde": "tilde",
    "widetilde": "tilde",
    "underline": "under",
}


@dataclass(frozen=True, slots=True)
class Look:
    """How letters look.

    Attributes:
        bold: heavy.
        italic: slanted.
        scale: size, as a factor.
        points: size in points that the markup asks for; 0 for that of the label.
        family: typeface; empty for that of the label.
        color: a name or red, green, blue; None for that of the label.
    """

    bold: bool = False
    italic: bool = False
    scale: float = 1.0
    points: float = 0.0
    family: str = ""
    color: tuple[float, float, float] | str | None = None

    def smaller(self) -> Look:
        """For powers and indices."""
        return replace(self, scale=max(0.45, self.scale * 0.72))


@dataclass(frozen=True, slots=True)
class Letters:
    """Letters in one look."""

    text: str
    look: Look


def is_prime(node: Node | None) -> TypeGuard[Letters]:
    """True for one or more primes."""
    return isinstance(node, Letters) and set(node.text) == {PRIME}


@dataclass(frozen=True, slots=True)
class Row:
    """Parts side by side."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Space:
    """A gap, in ems of the look."""

    ems: float
    look: Look


@dataclass(frozen=True, slots=True)
class Scripts:
    """Something with a power and an index, beside it or above and below."""

    base: Node
    above: Node | None
    below: Node | None
    stacked: bool = False


@dataclass(frozen=True, slots=True)
class Fraction:
    """One thing over another, with a line between them or without."""

    top: Node
    bottom: Node
    look: Look
    line: bool = True


@dataclass(frozen=True, slots=True)
class Root:
    """A root, with its degree."""

    body: Node
    degree: Node | None
    look: Look


@dataclass(frozen=True, slots=True)
class Accent:
    """A mark over (or a line under) something."""

    body: Node
    kind: str
    look: Look


@dataclass(frozen=True, slots=True)
class Fence:
    """Something between delimiters as high as it is."""

    left: str
    body: Node
    right: str
    look: Look


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows and columns: arrays and matrices; ``align`` has a letter per column."""

    rows: tuple[tuple[Node, ...], ...]
    align: str
    look: Look


Node = Letters | Row | Space | Scripts | Fraction | Root | Accent | Fence | Grid
