"""Live documents as Markdown."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence

from app.engine.livecode.document import Block, CodeBlock, LiveDocument, SectionBreak
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
from app.engine.livecode.stored_results import Results, code_parts
from app.engine.livecode.text_blocks import CodeExample, Contents, ListBlock, Paragraph, TableBlock


def to_markdown(document: LiveDocument, results: Results) -> str:
    """Markdown as notebooks and code hosts read it; pictures are within the text."""
    ordered = sorted(results, key=lambda result: result.line)
    return "\n\n".join(markdown_block(b, document, ordered) for b in document.blocks) + "\n"


_CONTENTS = {"heading": "", "subheading": "  "}
_RULES = {"left": "---", "center": ":---:", "right": "---:"}
_HASHES = {"title": "# ", "heading": "## ", "subheading": "### ", "quote": "> ", "paragraph": ""}


def markdown_block(block: Block, document: LiveDocument, results: Sequence[Result]) -> str:
    """One block as Markdown; code with what its lines gave (``results``, in their order)."""
    match block:
        case Paragraph():
            return _HASHES[block.kind] + markdown_inlines(block.content, document)
        case ListBlock():
            mark = "1." if block.numbered else "-"
            lines = [f"{'  ' * d}{mark} {markdown_inlines(c, document)}" for d, c in block.items]
            return "\n".join(lines)
        case CodeExample():
            return f"```{block.language}\n{block.code}\n```"
        case TableBlock():
            count = max(map(len, block.rows), default=0)
            rows = [
                "| " + " | ".join(markdown_inlines(c, document) for c in r) + " |"
                for r in ((*row, *[()] * (count - len(row))) for row in block.rows)
            ]
            rule = "|" + "".join(f" {_RULES[block.align(column)]} |" for column in range(count))
            return "\n".join((rows[0], rule, *rows[1:])) if rows else ""
        case Contents():
            title = markdown_inlines(block.title, document)
            return (f"{title}\n\n" if title else "") + "\n".join(
                f"{_CONTENTS[b.kind]}- {plain_text(b.content)}"
                for b in document.blocks
                if isinstance(b, Paragraph) and b.kind in _CONTENTS
            )
        case SectionBreak():
            return "---"
        case CodeBlock():
            parts: list[str] = []
            for code, made in code_parts(block, results):
                parts += [f"```matlab\n{code}\n```"] if code else []
                parts += map(_markdown_result, made)
            return "\n\n".join(parts)


def _markdown_result(result: Result) -> str:
    if result.kind == "figure":
        content = base64.b64encode(result.picture).decode("ascii")
        return f"![figure](data:image/png;base64,{content})"
    return f"```text\n{result.text.rstrip()}\n```"


def markdown_inlines(content: tuple[Inline, ...], document: LiveDocument) -> str:
    """A paragraph's pieces as Markdown."""
    parts: list[str] = []
    for piece in content:
        match piece:
            case Span(text, style):
                mark = {"bold": "**", "italic": "*", "bolditalic": "***", "mono": "`"}.get(
                    style, ""
                )
                parts.append(f"{mark}{text if style == 'mono' else _escaped_text(text)}{mark}")
            case Link(label, target):
                parts.append(f"[{markdown_inlines(label, document)}]({target})")
            case Equation(latex):
                parts.append(f"${latex}$")
            case Image(description, source):
                data = document.appendix.get(source, {})
                parts.append(f"![{description}]({data.get('src', source)})")
            case Underlined(inner):
                parts.append(f"<u>{markdown_inlines(inner, document)}</u>")
            case Anchor():
                pass
    return "".join(parts)


def _escaped_text(text: str) -> str:
    return re.sub(r"([\\`*_\[\]<>])", r"\\\1", text)
