"""Live documents as LaTeX."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator

from app.engine.livecode.appendix import pixels_in
from app.engine.livecode.document import Block, CodeBlock, LiveDocument
from app.engine.livecode.markup import (
    Anchor,
    Equation,
    Image,
    Inline,
    Link,
    Span,
    Underlined,
    plain_text,
)
from app.engine.livecode.running import Result
from app.engine.livecode.stored_results import Results, code_parts, image_content
from app.engine.livecode.text_blocks import CodeExample, Contents, ListBlock, Paragraph, TableBlock

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{c: f"\\{c}" for c in "&%$#_{}"},
    **{c: f"{{{c}}}" for c in "[]"},  # else an option of \item or of \\
}
_HEADINGS = {"title": "section*", "heading": "subsection", "subheading": "subsubsection"}
_STYLES = {
    "bold": r"\textbf{%s}",
    "italic": r"\emph{%s}",
    "bolditalic": r"\textbf{\emph{%s}}",
    "mono": r"\texttt{%s}",
    "underline": r"\underline{%s}",
}
_PREAMBLE = r"""\documentclass[a4paper,11pt]{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{textcomp,amsmath,amssymb,graphicx,hyperref}
\setcounter{secnumdepth}{0}
\makeatletter
\newcommand{\headings}{\@starttoc{toc}}
\newcommand{\widest}{\ifdim\Gin@nat@width>\linewidth\linewidth\else\Gin@nat@width\fi}
\makeatother
\setkeys{Gin}{width=\widest,keepaspectratio}
\begin{document}
"""
_LINE_PIXELS = 480  # the width of a line of text, at 96 pixels an inch
_LINE_LETTERS = 80
_DEEPEST = 4  # of the lists of LaTeX
_FILE = re.compile(r"[^:{}%\\#]+")
_INCLUDED = (".png", ".jpg", ".jpeg", ".pdf")


def to_latex(document: LiveDocument, results: Results, stem: str) -> tuple[str, dict[str, bytes]]:
    """A LaTeX document, and the pictures that it includes by their file names.

    Args:
        document: what to write.
        results: what its lines gave.
        stem: the beginning of the pictures' names.
    """
    writer = _LatexWriter(document, results, stem)
    body = "\n\n".join(part for block in document.blocks for part in writer.parts(block))
    return f"{_PREAMBLE}{body}\n\\end{{document}}\n", writer.pictures


class _LatexWriter:
    """The blocks of a document as LaTeX; ``pictures`` are the files that they include."""

    def __init__(self, document: LiveDocument, results: Results, stem: str) -> None:
        self._document = document
        self._results = sorted(results, key=lambda result: result.line)
        self._stem = re.sub(r"[^\w.-]", "_", stem)
        self._names: dict[bytes, str] = {}
        self.pictures: dict[str, bytes] = {}

    def parts(self, block: Block) -> Iterator[str]:
        """The paragraphs of a block."""
        match block:
            case Paragraph():
                yield self._paragraph(block)
            case ListBlock() if block.items:
                yield self._list(block)
            case CodeExample():
                yield _verbatim(block.code)
            case TableBlock() if any(block.rows):
                yield self._table(block)
            case Contents():
                title = f"\\textbf{{{self._inlines(block.title)}}}\n\n" if block.title else ""
                yield title + "\\headings"
            case CodeBlock():
                for code, made in code_parts(block, self._results):
                    if code:
                        yield _verbatim(code)
                    yield from map(self._result, made)
            case _:
                pass

    def _paragraph(self, block: Paragraph) -> str:
        text = self._inlines(block.content)
        if heading := _HEADINGS.get(block.kind):
            return f"\\{heading}{{{text}}}"
        place = {"center": "center", "right": "flushright"}.get(block.align, "")
        place = "quote" if block.kind == "quote" else place
        return f"\\begin{{{place}}}\n{text}\n\\end{{{place}}}" if place else text

    def _list(self, block: ListBlock) -> str:
        name = "enumerate" if block.numbered else "itemize"
        lines: list[str] = []
        open_lists = 0
        for level, content in block.items:
            wanted = min(level + 1, _DEEPEST)
            while open_lists > wanted:
                lines.append(f"\\end{{{name}}}")
                open_lists -= 1
            while open_lists < wanted:
                lines.append(f"\\begin{{{name}}}")
                open_lists += 1
                if open_lists < wanted:
                    lines.append("\\item[]")
            lines.append(f"\\item {self._inlines(content)}")
        return "\n".join((*lines, *[f"\\end{{{name}}}"] * open_lists))

    def _table(self, block: TableBlock) -> str:
        """A table with room for its longest row; the cells of a wide one are broken into lines."""
        count = max(map(len, block.rows))
        filled = [(*row, *[()] * (count - len(row))) for row in block.rows]
        columns = zip(*filled, strict=True)
        width = sum(max(len(plain_text(cell)) for cell in column) for column in columns)
        kinds = "".join(block.align(column)[0] for column in range(count))
        if width > _LINE_LETTERS:
            kinds = f"p{{\\dimexpr(\\linewidth-{2 * count}\\tabcolsep)/{count}}}" * count
        rows = [" & ".join(map(self._inlines, row)) + r" \\" for row in filled]
        if block.has_head:
            rows.insert(1, r"\hline")
        return "\n".join((f"\\begin{{tabular}}{{{kinds}}}", *rows, r"\end{tabular}"))

    def _result(self, result: Result) -> str:
        if result.kind != "figure":
            return _verbatim(result.text.rstrip())
        return f"\\includegraphics{{{self._file(result.picture)}}}"

    def _file(self, picture: bytes, ending: str = ".png") -> str:
        """The name of the file with a picture; the same one each time."""
        name = self._names.get(picture)
        if name is None:
            name = self._names[picture] = f"{self._stem}_{len(self.pictures) + 1}{ending}"
            self.pictures[name] = picture
        return name

    def _inlines(self, content: tuple[Inline, ...]) -> str:
        return "".join(map(self._inline, content))

    def _inline(self, piece: Inline) -> str:
        match piece:
            case Span(text, style):
                return _STYLES.get(style, "%s") % _escaped_text(text)
            case Link(label, target) if target.startswith("internal:"):
                return f"\\hyperref[{target[9:]}]{{{self._inlines(label)}}}"
            case Link(label, target) if target.startswith("matlab:"):
                return self._inlines(label)
            case Link(label, target):
                return f"\\href{{{_address(target)}}}{{{self._inlines(label)}}}"
            case Equation(latex):
                formula = re.sub(r"\n\s*\n", "\n", latex.strip())
                return f"${formula}$" if formula else ""
            case Underlined(inner):
                return f"\\underline{{{self._inlines(inner)}}}"
            case Image(description, source):
                return self._image(description, source)
            case Anchor(name):
                return f"\\phantomsection\\label{{{name}}}"

    def _image(self, description: str, source: str) -> str:
        """A picture of the text; its description where there is none that LaTeX can include."""
        instead = _STYLES["italic"] % _escaped_text(f"[{description or 'image'}]")
        data = self._document.appendix.get(source, {})
        address = str(data.get("src", "")) if source.startswith("text:image:") else source
        if content := image_content(address):
            ending = ".jpg" if content.startswith(b"\xff\xd8") else ".png"
            picture = content if ending == ".jpg" else _as_png(content)
            share = min(pixels_in(data, "width") / _LINE_PIXELS, 1.0)
            size = f"[width={share:.3g}\\linewidth]" if share > 0 else ""
            name = self._file(picture, ending) if picture else ""
            return f"\\includegraphics{size}{{{name}}}" if name else instead
        if not (_FILE.fullmatch(address) and address.lower().endswith(_INCLUDED)):
            return instead
        name = f"\\detokenize{{{address}}}"
        return f"\\IfFileExists{{{name}}}{{\\includegraphics{{{name}}}}}{{{instead}}}"


def _as_png(content: bytes) -> bytes:
    """A picture as PNG; empty where nobody can read it."""
    if content.startswith(b"\x89PNG"):
        return content
    from PIL import Image as Pictures
    from PIL import UnidentifiedImageError

    made = io.BytesIO()
    try:
        with Pictures.open(io.BytesIO(content)) as picture:
            picture.convert("RGBA").save(made, "PNG")
    except (UnidentifiedImageError, OSError):
        return b""
    return made.getvalue()


def _escaped_text(text: str) -> str:
    return "".join(_SPECIAL.get(c, c) for c in text)


def _address(target: str) -> str:
    """An address as an argument of LaTeX."""
    coded = re.sub(r"[\\{}^\s]", lambda m: f"%{ord(m[0]):02X}", target)
    return re.sub(r"([%#&])", r"\\\1", coded)


def _verbatim(text: str) -> str:
    inside = text.replace(r"\end{verbatim}", r"\end {verbatim}")  # it would end there
    return f"\\begin{{verbatim}}\n{inside}\n\\end{{verbatim}}"
