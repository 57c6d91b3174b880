"""Blocks of text: what the lines of ``%[text]`` and of published comments show."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from app.engine.livecode.appendix import Data
from app.engine.livecode.markup import Inline, inlines, published_inlines
from app.records import record

ParagraphKind = Literal["title", "heading", "subheading", "paragraph", "quote"]

_HEADING = re.compile(r"^(?P<anchor>%\[text:anchor:[\w-]+\] ?)?(?P<marks>#{1,6}) (?P<text>.*)$")
_BULLET = re.compile(r"^(?P<indent>\s*)(?:[-*]|(?P<number>\d+)\.) (?P<text>.*?)(?P<last> \\)?$")
_FENCE = re.compile(r"^```(?P<language>\w*)$")


@record
class Paragraph:
    """A paragraph or heading."""

    content: tuple[Inline, ...]
    kind: ParagraphKind = "paragraph"
    align: str = "left"
    line: int = 0


@record
class ListBlock:
    """A list: items with their depth from 0."""

    items: tuple[tuple[int, tuple[Inline, ...]], ...]
    numbered: bool = False


@record
class CodeExample:
    """Code that is shown and not run."""

    code: str
    language: str = ""


@record
class TableBlock:
    """A table.

    Attributes:
        rows: of cells; the first row is its head where it has one.
        has_head: whether it has one.
        aligns: of its columns, as far as the file says: left, center, right.
    """

    rows: tuple[tuple[tuple[Inline, ...], ...], ...]
    has_head: bool = True
    aligns: tuple[str, ...] = ()

    def align(self, column: int) -> str:
        """How the cells of a column stand."""
        return self.aligns[column] if column < len(self.aligns) else "left"


@record
class Contents:
    """A table of contents, made of the headings."""

    title: tuple[Inline, ...] = ()


TextBlock = Paragraph | ListBlock | CodeExample | TableBlock | Contents


def text_blocks(lines: list[tuple[int, str, Data]]) -> Iterator[TextBlock]:
    """The blocks of consecutive ``%[text]`` lines."""
    items: list[tuple[int, tuple[Inline, ...]]] = []
    numbered = False
    code: list[str] | None = None
    language = ""
    for number, text, attributes in lines:
        fence = _FENCE.match(text.strip())
        if code is not None:
            if fence:
                yield CodeExample("\n".join(code), language)
                code = None
            else:
                code.append(text)
            continue
        bullet = _BULLET.match(text)
        if items and (not bullet or bool(bullet["number"]) != numbered):
            yield ListBlock(tuple(items), numbered)
            items = []
        if fence:
            code, language = [], fence["language"]
        elif bullet:
            numbered = bool(bullet["number"])
            items.append((len(bullet["indent"]) // 2, inlines(bullet["text"])))
            if bullet["last"]:
                yield ListBlock(tuple(items), numbered)
                items = []
        else:
            yield _paragraph(number, text, attributes)
    if code is not None:
        yield CodeExample("\n".join(code), language)
    if items:
        yield ListBlock(tuple(items), numbered)


_KINDS: tuple[ParagraphKind, ...] = ("title", "heading", "subheading")


def _paragraph(number: int, text: str, attributes: Data) -> Paragraph:
    align = str(attributes.get("align", "left"))
    if heading := _HEADING.match(text):
        kind = _KINDS[min(len(heading["marks"]), len(_KINDS)) - 1]
        return Paragraph(inlines((heading["anchor"] or "") + heading["text"]), kind, align, number)
    if text.startswith("> "):
        return Paragraph(inlines(text[2:]), "quote", align, number)
    return Paragraph(inlines(text), align=align, line=number)


def table_of(rows: list[str], *, has_head: bool) -> TableBlock:
    """The table of the lines between two marks of one."""
    cells = [_cells(row) for row in rows]
    rules = [row for row in cells if row and all(re.fullmatch(r":?-+:?", c) for c in row)]
    made = [row for row in cells if row and row not in rules]
    aligns = tuple(map(_alignment, rules[0])) if rules else ()
    return TableBlock(tuple(tuple(map(inlines, row)) for row in made), has_head, aligns)


def _alignment(rule: str) -> str:
    """How a column stands below ``:---``, ``:---:`` or ``---:``."""
    if not rule.endswith(":"):
        return "left"
    return "center" if rule.startswith(":") else "right"


def _cells(row: str) -> list[str]:
    inner = row.strip().removeprefix("|")
    inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
    parts = re.split(r"(?<!\\)\|", inner)
    return [part.strip().replace("\\|", "|") for part in parts] if row.strip() else []


def comment_blocks(lines: list[str]) -> Iterator[TextBlock]:
    """The blocks of a comment that follows the publishing markup; lines lack their ``%``."""
    block: list[str] = []
    for line in (*lines, ""):
        if line.strip():
            block.append(line)
            continue
        if block:
            yield from _block_of_lines(block)
        block = []


def _block_of_lines(lines: list[str]) -> Iterator[TextBlock]:
    if all(line.startswith("   ") for line in lines):
        yield CodeExample("\n".join(line[3:] for line in lines))
        return
    if all(line.startswith("  ") for line in lines):
        yield CodeExample("\n".join(line[2:] for line in lines), "matlab")
        return
    stripped = [line.strip() for line in lines]
    for mark, numbered in (("* ", False), ("# ", True)):
        if stripped[0].startswith(mark):
            items: list[str] = []
            for line in stripped:
                if line.startswith(mark):
                    items.append(line[2:])
                else:
                    items[-1] += " " + line
            made = tuple((0, published_inlines(item)) for item in items)
            yield ListBlock(made, numbered)
            return
    yield Paragraph(published_inlines(" ".join(stripped)))
