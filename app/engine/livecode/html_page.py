"""Live documents as pages of HTML."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Iterator

from app.engine.language.lexer import tokenize
from app.engine.language.tokens import KEYWORDS
from app.engine.livecode.appendix import pixels_in
from app.engine.livecode.document import Block, CodeBlock, LiveDocument, SectionBreak
from app.engine.livecode.markup import (
    Anchor,
    Equation,
    Image,
    Inline,
    Link,
    Span,
    Underlined,
    is_formula,
    plain_text,
)
from app.engine.livecode.running import Result
from app.engine.livecode.stored_results import IMAGE_DATA, Results, code_parts
from app.engine.livecode.text_blocks import CodeExample, Contents, ListBlock, Paragraph, TableBlock
from app.engine.livecode.typed_outputs import compact
from app.paths import resource

_TAGS = {"title": "h1", "heading": "h2", "subheading": "h3", "quote": "blockquote"}
_STYLES = {
    "plain": ("", ""),
    "bold": ("<strong>", "</strong>"),
    "italic": ("<em>", "</em>"),
    "bolditalic": ("<strong><em>", "</em></strong>"),
    "mono": ("<code>", "</code>"),
    "underline": ("<u>", "</u>"),
}
_SAFE = re.compile(r"^(?:https?:|mailto:|#|[^:]*$)", re.IGNORECASE)
_CLASSES = {"CHAR": "text", "STRING": "text", "NUMBER": "number"}


def to_html(document: LiveDocument, results: Results, name: str) -> str:
    """One page that needs nothing else: styles, pictures and formulas are in it.

    Text of the document is text of the page: nothing in it is taken as HTML or as a script, and
    links lead to the web, to files beside it or to places of the page only.
    """
    title = html.escape(document.title or name)
    style = resource("live/page.css").read_text(encoding="utf-8")
    body = "\n".join(_HtmlWriter(document, results).parts())
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
        f"{body}\n</main>\n</body>\n</html>\n"
    )


class _HtmlWriter:
    """The blocks of a document as HTML."""

    def __init__(self, document: LiveDocument, results: Results) -> None:
        self._document = document
        self._results = sorted(results, key=lambda result: result.line)

    def parts(self) -> Iterator[str]:
        """One text for each block."""
        for block in self._document.blocks:
            yield from self._block(block)

    def _block(self, block: Block) -> Iterator[str]:
        match block:
            case Paragraph():
                tag = _TAGS.get(block.kind, "p")
                align = _aligned(block.align)
                place = f' id="line-{block.line}"' if tag in ("h1", "h2", "h3") else ""
                inner = self._inlines(block.content)
                if is_formula(block.content):  # set as large as it wants to be, in the middle
                    inner = inner.replace('display="inline"', 'display="block"', 1)
                yield f"<{tag}{place}{align}>{inner}</{tag}>"
            case ListBlock():
                yield self._list(block)
            case CodeExample():
                yield f"<pre class='example'><code>{html.escape(block.code)}</code></pre>"
            case TableBlock():
                yield self._table(block)
            case Contents():
                yield self._contents(block)
            case SectionBreak():
                yield "<hr>"
            case CodeBlock():
                yield from self._code(block)

    def _inlines(self, content: tuple[Inline, ...]) -> str:
        return "".join(map(self._inline, content))

    def _inline(self, piece: Inline) -> str:
        match piece:
            case Span(text, style):
                before, after = _STYLES[style]
                return f"{before}{html.escape(text)}{after}"
            case Link(label, target):
                target = "#" + target[9:] if target.startswith("internal:") else target
                if not _SAFE.match(target):
                    return self._inlines(label)
                return f'<a href="{html.escape(target)}">{self._inlines(label)}</a>'
            case Equation(latex, description):
                return mathml(latex, description)
            case Image(description, source):
                return self._image(description, source)
            case Anchor(name):
                return f'<a id="{html.escape(name)}"></a>'
            case Underlined(inner):
                return f"<u>{self._inlines(inner)}</u>"

    def _image(self, description: str, source: str) -> str:
        data = self._document.appendix.get(source, {})
        address = str(data.get("src", "")) if source.startswith("text:image:") else source
        is_file = ":" not in address and bool(address)
        if not (is_file or IMAGE_DATA.match(address)):
            return f"<em>[{html.escape(description or 'image')}]</em>"
        size = "".join(
            f' {side}="{length}"'
            for side in ("width", "height")
            if (length := pixels_in(data, side))
        )
        return f'<img alt="{html.escape(description)}" src="{html.escape(address)}"{size}>'

    def _list(self, block: ListBlock) -> str:
        tag = "ol" if block.numbered else "ul"
        parts: list[str] = []
        depth = -1
        for level, content in block.items:
            if level <= depth:
                parts.append("</li>" + f"</{tag}></li>" * (depth - level))
            parts.append(f"<{tag}><li>" * (level - depth) if level > depth else "<li>")
            parts.append(self._inlines(content))
            depth = level
        return "".join(parts) + f"</li></{tag}>" * (depth + 1)

    def _table(self, block: TableBlock) -> str:
        rows = [
            "".join(
                f"<{tag}{_aligned(block.align(column))}>{self._inlines(cell)}</{tag}>"
                for column, cell in enumerate(row)
            )
            for row, tag in zip(
                block.rows,
                ["th" if block.has_head else "td", *["td"] * len(block.rows)],
                strict=False,
            )
        ]
        return "<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"

    def _contents(self, block: Contents) -> str:
        title = f"<strong>{self._inlines(block.title)}</strong>" if block.title else ""
        headings = [
            b
            for b in self._document.blocks
            if isinstance(b, Paragraph) and b.kind in ("heading", "subheading")
        ]
        entries = "".join(
            f'<li class="{b.kind}"><a href="#line-{b.line}">'
            f"{html.escape(plain_text(b.content))}</a></li>"
            for b in headings
        )
        return f"<nav>{title}<ul>{entries}</ul></nav>"

    def _code(self, block: CodeBlock) -> Iterator[str]:
        """The lines of a block, cut where outputs belong."""
        for code, made in code_parts(block, self._results):
            if code:
                yield f"<pre class='code'><code>{highlighted(code)}</code></pre>"
            yield from map(_html_result, made)


def _aligned(align: str) -> str:
    """The attribute of what stands in the middle or at the right."""
    return f' style="text-align:{align}"' if align in ("center", "right") else ""


def _html_result(result: Result) -> str:
    if result.kind == "figure":
        content = base64.b64encode(result.picture).decode("ascii")
        return f"<figure><img alt='figure' src='data:image/png;base64,{content}'></figure>"
    text = compact(result.text) if result.kind == "text" else result.text.strip("\n")
    return f"<pre class='output {result.kind}'>{html.escape(text)}</pre>"


def highlighted(code: str) -> str:
    """Code with spans around keywords, texts, numbers and comments."""
    parts: list[str] = []
    place = 0
    for start, end, kind in code_spans(code):
        parts.append(html.escape(code[place:start]))
        parts.append(f'<span class="{kind}">{html.escape(code[start:end])}</span>')
        place = end
    return "".join(parts) + html.escape(code[place:])


def code_spans(code: str) -> Iterator[tuple[int, int, str]]:
    """Where keywords, texts, numbers and comments are, in order: start, end, kind."""
    stream = tokenize(code)
    marks = [(span.start, span.end, "comment") for span in stream.comments]
    for kind, start, end in zip(stream.kinds, stream.starts, stream.ends, strict=True):
        found = _CLASSES.get(kind) or ("keyword" if code[start:end] in KEYWORDS else "")
        if found and end > start:
            marks.append((start, end, found))
    place = 0
    for start, end, kind in sorted(marks):
        if start >= place:
            yield start, end, kind
            place = end


def mathml(latex: str, description: str = "") -> str:
    """A formula as MathML; LaTeX that cannot be read is shown as it is."""
    from latex2mathml.converter import convert

    try:
        made = convert(latex)
    except Exception:  # whatever its parser stumbles over, the text is shown
        return f"<code>{html.escape(latex)}</code>"
    label = f' aria-label="{html.escape(description)}"' if description else ""
    return made.replace("<math ", f"<math{label} ", 1)
