"""A document in parts that are edited one at a time: runs of text, and runs of code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.engine.livecode.document import Block, CodeBlock, Control, LiveDocument, SectionBreak
from app.engine.livecode.text_blocks import TextBlock


@dataclass(frozen=True, slots=True)
class Segment:
    """Lines of a document that are edited together.

    Attributes:
        first: the first line, from 1.
        last: the last one; ``first - 1`` for an empty section, which has no line to write on.
        section: the line on which its section begins.
        is_code: whether it is code.
        blocks: of text: what it shows.
        controls: of code: what stands for literals in it.
    """

    first: int
    last: int
    section: int
    is_code: bool
    blocks: tuple[TextBlock, ...] = ()
    controls: tuple[Control, ...] = ()


def segments(document: LiveDocument, caret: int = 0) -> tuple[Segment, ...]:
    """The parts of a document in order; each section has one at least.

    Blank lines belong to the code beside them; one of them at either end stays out of it, unless
    the caret (its line, from 1) is there.
    """
    placed = [
        (first, last, block)
        for (first, last), block in zip(document.places, document.blocks, strict=True)
        if not isinstance(block, SectionBreak)
    ]
    made: list[Segment] = []
    at = 0
    for first, last in document.sections():
        end = at
        while end < len(placed) and placed[end][0] <= last:
            end += 1
        made += _section(document, first, last, placed[at:end], caret)
        at = end
    return tuple(made)


def _section(
    document: LiveDocument,
    first: int,
    last: int,
    placed: Sequence[tuple[int, int, Block]],
    caret: int,
) -> Iterator[Segment]:
    start = first + 1 if document.lines[first - 1].lstrip().startswith("%%") else first
    text: list[tuple[int, int, TextBlock]] = []
    if not placed:
        a, b = _without_blank_ends(document, start, last, caret)
        yield Segment(a, b, first, True)
    for index, (begin, _end, block) in enumerate(placed):
        if isinstance(block, CodeBlock):
            yield from _text(first, text)
            before = placed[index - 1][1] + 1 if index else start
            after = placed[index + 1][0] - 1 if index + 1 < len(placed) else last
            a, b = _without_blank_ends(document, min(before, begin), after, caret)
            yield Segment(a, b, first, True, controls=block.controls)
            text = []
        elif not isinstance(block, SectionBreak):
            text.append((begin, _end, block))
    yield from _text(first, text)
    if text and text[-1][1] < caret <= last:  # somebody writes code below the text
        yield Segment(*_without_blank_ends(document, text[-1][1] + 1, last, caret), first, True)


def _text(section: int, text: list[tuple[int, int, TextBlock]]) -> Iterator[Segment]:
    if text:
        yield Segment(text[0][0], text[-1][1], section, False, tuple(b for _, _, b in text))


def _without_blank_ends(
    document: LiveDocument, first: int, last: int, caret: int
) -> tuple[int, int]:
    """The lines without a blank one at either end."""
    lines = document.lines
    if first < last and not lines[first - 1].strip() and caret != first:
        first += 1
    if first < last and not lines[last - 1].strip() and caret != last:
        last -= 1
    return first, last
