"""Labels with TeX and LaTeX markup."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from app.ui.plots.labels.label import Label
from app.ui.plots.labels.label_lines import lines_of
from app.ui.plots.labels.markup import Fraction, Grid, Letters, Node, Root, Row, Scripts
from app.ui.plots.style import PAPER, font


def written(node: Node) -> str:
    """A part as text, its structure in brackets."""
    match node:
        case Letters():
            return node.text
        case Row():
            return "".join(written(part) for part in node.parts)
        case Scripts():
            above = "" if node.above is None else f"^({written(node.above)})"
            below = "" if node.below is None else f"_({written(node.below)})"
            return f"{written(node.base)}{below}{above}"
        case Fraction():
            return f"[{written(node.top)}/{written(node.bottom)}]"
        case Root():
            return f"root({written(node.body)})"
        case Grid():
            return "|".join(",".join(written(cell) for cell in row) for row in node.rows)
        case _:
            body = getattr(node, "body", None)
            return "" if body is None else f"<{written(body)}>"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (r"\alpha_{ij}^2", "α_(ij)^(2)"),
        ("x_1y", "x_(1)y"),
        (r"3\times10^{-6} \mum", "3×10^(-6) µm"),
        (r"{\itx}\leq\infty", "x≤∞"),
        (r"50\% \rightarrow", "50% →"),
        (r"C:\nothing", r"C:\nothing"),
    ],
)
def test_tex(text: str, found: str) -> None:
    assert written(lines_of(text, "tex")[0]) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (r"$\frac{\partial u}{\partial x}$ [m/s]", "[∂u/∂x] [m/s]"),
        (r"$\sqrt{\frac{a}{b}}$", "root([a/b])"),
        (r"$x_i^2 + y'$", "x_(i)^(2)+y^(′)"),
        (r"$x'' + x^\prime_1 + x_i'$", "x^(′′)+x_(1)^(′)+x_(i)^(′)"),
        (r"$\begin{array}{cc} a & b\\ c & d\end{array}$", "a,b|c,d"),
        (r"$\left(\frac{1}{2}\right)$", "<[1/2]>"),
        (r"plain text", "plain text"),
        (r"$\mathrm{max}\ \sin x$", "maxsin\u2009x"),
    ],
)
def test_latex(text: str, found: str) -> None:
    assert written(lines_of(text, "latex")[0]) == found


COMMANDS = r"""\colon \odot \setminus \nexists \varnothing \land \lnot \iff \implies \longrightarrow \nearrow
\hookrightarrow \prec \leqslant \lesssim \triangleq \nmid \dagger \triangle \square \checkmark \top \S
\lvert \rVert \bigoplus \bigvee \limsup_x \bmod \pmod{n} \big( \Bigl[ \biggr) \middle| \phantom{x} \boxed{x}
\textcolor{red}{x} \underset{a}{b} \overbrace{x}^{n} \underbrace{x}_{n} \overrightarrow{x} \check{x} \breve{x}
\acute{x} \grave{x} \mathring{x} \dddot{x} \xrightarrow{f} \not= \not\in \substack{a\\b} \hspace{1cm} \tag{1}
\mathnormal{x} \mathop{x} \notag \space"""


@pytest.mark.parametrize("text", COMMANDS.split())
def test_latex_is_set_not_shown(text: str) -> None:
    row = lines_of(f"${text}$", "latex")[0]
    assert "\\" not in written(row)
    assert Label(f"${text}$", font(11), PAPER.ink, "latex").size.height() > 0


@pytest.mark.parametrize("text", ["$x'$", r"$x^\prime$", r"$x^{\prime}$"])
def test_a_prime_is_a_letter_in_full_size(text: str) -> None:
    row = lines_of(text, "latex")[0]
    assert isinstance(row, Row)
    (scripts,) = row.parts
    assert isinstance(scripts, Scripts)
    assert isinstance(scripts.base, Letters)
    assert isinstance(scripts.above, Letters)
    assert scripts.above.look.scale == scripts.base.look.scale


def test_tex_looks_are_scoped_by_braces() -> None:
    row = lines_of(r"a{\bfb}\itc\rmd\color{red}e\fontsize{14}f", "tex")[0]
    assert isinstance(row, Row)
    letters = [p.parts[0] if isinstance(p, Row) else p for p in row.parts]
    looks = {p.text: p.look for p in letters if isinstance(p, Letters)}
    assert looks["b"].bold
    assert not looks["c"].bold
    assert looks["c"].italic
    assert not looks["d"].italic
    assert looks["e"].color == (1.0, 0.0, 0.0)
    assert looks["f"].points == 14.0


def test_lines_and_fractions_are_higher(qtbot: QtBot) -> None:
    def height(text: str, interpreter: str) -> float:
        return Label(text, font(10), PAPER.ink, interpreter).size.height()

    one = height("x", "tex")
    assert height("x\ny", "tex") == pytest.approx(2 * one, abs=1)
    assert height(r"$\frac{a}{b}$", "latex") > 1.2 * one
    assert height(r"a_b\n", "none") == one
