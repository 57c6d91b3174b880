"""Live documents as LaTeX."""

from __future__ import annotations

from collections.abc import Iterator

from app.engine.livecode.document import (
    Block,
    CodeBlock,
    CodeExample,
    ListBlock,
    LiveDocument,
    Paragraph,
    TableBlock,
)
from app.engine.livecode.markup import (
    Anchor,
    Equation,
    Image,
    Inline,
    Link,
    Span,
    Underlined,
)
from app.engine.livecode.running import Result
from app.engine.livecode.stored_results import Results, results_by_line

_LATEX_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{c: f"\\{c}" for c in "&%$#_{}"},
}
_LATEX_HEADINGS = {"title": "section*", "heading": "subsection*", "subheading": "subsubsection*"}
_LATEX_STYLES = {"bold": "textbf", "italic": "emph", "mono": "texttt", "underline": "underline"}
_PREAMBLE = r"""\documentclass[a4paper,11pt]{article}
\usepackage[utf8]{inputenc}
\usepackage{amsmath,amssymb,graphicx,hyperref}
\begin{document}
"""


def to_latex(document: LiveDocument, results: Results, stem: str) -> tuple[str, dict[str, bytes]]:
    """A LaTeX document, and the pictures that it includes by their file names.

    Args:
        document: what to write.
        results: what its lines gave.
        stem: the beginning of the pictures' names.
    """
    by_line = results_by_line(results)
    pictures: dict[str, bytes] = {}
    parts: list[str] = []
    for block in document.blocks:
        parts.extend(_latex(block, by_line, pictures, stem))
    return _PREAMBLE + "\n\n".join(parts) + "\n\\end{document}\n", pictures


def _latex(
    block: Block, by_line: dict[int, list[Result]], pictures: dict[str, bytes], stem: str
) -> Iterator[str]:
    match block:
        case Paragraph():
            text = latex_inlines(block.content)
            heading = _LATEX_HEADINGS.get(block.kind)
            yield f"\\{heading}{{{text}}}" if heading else text
        case ListBlock():
            name = "enumerate" if block.numbered else "itemize"
            items = "\n".join(f"\\item {latex_inlines(content)}" for _, content in block.items)
            yield f"\\begin{{{name}}}\n{items}\n\\end{{{name}}}"
        case CodeExample():
            yield f"\\begin{{verbatim}}\n{block.code}\n\\end{{verbatim}}"
        case TableBlock() if block.rows:
            rows = " \\\\\n".join(" & ".join(map(latex_inlines, row)) for row in block.rows)
            yield f"\\begin{{tabular}}{{{'l' * len(block.rows[0])}}}\n{rows}\n\\end{{tabular}}"
        case CodeBlock():
            if block.code.strip():
                yield f"\\begin{{verbatim}}\n{block.code}\n\\end{{verbatim}}"
            for line in range(block.first, block.last + 1):
                for result in by_line.get(line, []):
                    yield _latex_result(result, pictures, stem)
        case _:
            pass


def _latex_result(result: Result, pictures: dict[str, bytes], stem: str) -> str:
    if result.kind != "figure":
        return f"\\begin{{verbatim}}\n{result.text.rstrip()}\n\\end{{verbatim}}"
    name = f"{stem}_{len(pictures) + 1}.png"
    pictures[name] = result.picture
    return f"\\includegraphics[width=0.8\\linewidth]{{{name}}}"


def latex_inlines(content: tuple[Inline, ...]) -> str:
    """A paragraph's pieces as LaTeX."""
    parts: list[str] = []
    for piece in content:
        match piece:
            case Span(text, style):
                escaped = "".join(_LATEX_SPECIAL.get(c, c) for c in text)
                command = _LATEX_STYLES.get(style)
                parts.append(f"\\{command}{{{escaped}}}" if command else escaped)
            case Link(label, target):
                address = target.replace("%", r"\%").replace("#", r"\#")
                parts.append(f"\\href{{{address}}}{{{latex_inlines(label)}}}")
            case Equation(latex):
                parts.append(f"${latex}$")
            case Underlined(inner):
                parts.append(f"\\underline{{{latex_inlines(inner)}}}")
            case Image(description):
                parts.append(description)
            case Anchor():
                pass
    return "".join(parts)
