"""Live documents: the blocks of a ``.m`` file, and edits of its lines.

The format as MathWorks documents it ("File format for live scripts", R2025a) and as public files
show it. A file without ``%[…]`` markup is read by the publishing markup of its comments.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from app.engine.livecode.appendix import (
    HEAD,
    Appendix,
    Data,
    Problem,
    appendix_json,
    read_data,
    texts_in,
)
from app.engine.livecode.control_places import MARK as _CONTROL
from app.engine.livecode.control_places import code_of, meant_place, with_places
from app.engine.livecode.markup import Inline, inlines, plain_text, published_inlines
from app.engine.livecode.text_blocks import (
    Contents,
    Paragraph,
    ParagraphKind,
    TextBlock,
    comment_blocks,
    table_of,
    text_blocks,
)
from app.records import record

_MARK = re.compile(r"%\[(?:text|control|output|task|appendix|metadata)\b[^\]]*\]", re.IGNORECASE)
_TEXT = re.compile(r"^[ \t]*%\[text\](?P<attributes>\{[^\n]*?\})?(?: (?P<text>.*)|(?P<none>))$")
_TABLE = re.compile(r"^[ \t]*%\[text:table\](?P<attributes>\{.*\})?[ \t]*$")
_CONTENTS = re.compile(r"^[ \t]*%\[text:tableOfContents\](?P<attributes>\{.*\})?[ \t]*$")
_SECTION = re.compile(
    r"^[ \t]*%%(?:[ \t]++(?P<title>(?:[^ \t\n]++|[ \t]++(?=[^ \t\n]))*+))?[ \t]*$"
)
_TEXTS = (_TEXT, _TABLE, _CONTENTS)
_OUTPUT = re.compile(r"[ \t]?%\[output:(?P<id>[\w:]+)\]")
_OTHER = re.compile(r"[ \t]?%\[(?:text:anchor|task):[\w-]+\]")


@record
class Control:
    """A control that stands for a literal of the code.

    Attributes:
        kind: slider, editfield, dropdown, checkbox, button …
        id: of its definition in the appendix.
        line: its line from 1.
        first: the literal's first column from 1.
        last: the column behind it.
        data: label, limits, items, default, ``run`` and ``runOn``.
    """

    kind: str
    id: str
    line: int
    first: int
    last: int
    data: Data


@record
class Output:
    """A stored output.

    Attributes:
        id: of its entry in the appendix.
        line: the line of code below which it stands: the last one that gave a part of it, or the
            end of the group (a loop, say) around it.
        data: ``dataType`` and ``outputData``; empty where the appendix lacks it.
    """

    id: str
    line: int
    data: Data


@record
class CodeBlock:
    """Lines of code.

    Attributes:
        first: the first line, from 1.
        last: the last one.
        code: their text without the marks of outputs and controls.
        controls: what stands for literals in it.
        outputs: what was stored for it.
    """

    first: int
    last: int
    code: str
    controls: tuple[Control, ...] = ()
    outputs: tuple[Output, ...] = ()


@record
class SectionBreak:
    """The ``%%`` between two sections."""

    line: int


Block = TextBlock | CodeBlock | SectionBreak
Placed = tuple[int, int, Block]


class LiveDocument:
    """A ``.m`` file as a document.

    Args:
        text: the whole file with ``\\n`` line ends.

    Attributes:
        text: the file; the only truth.
        is_live: whether it has the markup of live code (else it is read by publishing rules).
        blocks: what it shows, in order.
        places: first and last lines of the blocks; neighbouring blocks of text share theirs.
        appendix: data of its entries by key, such as ``output:126e6871``.
        appendix_line: the line where the appendix begins; behind the last one without.
        problems: what does not fit together.
        shows_code: whether its readers see its code.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.shows_code = True
        self.lines = text.split("\n")
        self.problems: list[Problem] = []
        self.appendix_line = self._find_appendix()
        trailer = self.lines[self.appendix_line - 1 :]
        self._trailer = Appendix(trailer, self.appendix_line, self._report)
        self.appendix = self._trailer.data
        self.is_live = self.appendix_line <= len(self.lines) or _MARK.search(text) is not None
        placed = tuple(self._live_blocks() if self.is_live else self._published_blocks())
        self.blocks: tuple[Block, ...] = tuple(block for _, _, block in placed)
        self.places: tuple[tuple[int, int], ...] = tuple((a, b) for a, b, _ in placed)

    @cached_property
    def title(self) -> str:
        """The first heading; empty without one."""
        for block in self.blocks:
            if isinstance(block, Paragraph) and block.kind != "paragraph":
                return plain_text(block.content).strip()
        return ""

    def line_of(self, place: str) -> int:
        """The line of a heading (``line-12``) or of an anchor; 0 where there is none."""
        if found := re.fullmatch(r"line-(\d{1,9})", place):
            return int(found[1])
        mark = f"%[text:anchor:{place}]"
        return next((number for number, line in self._body() if mark in line), 0)

    @property
    def code_blocks(self) -> tuple[CodeBlock, ...]:
        """The blocks of code, in order."""
        return tuple(b for b in self.blocks if isinstance(b, CodeBlock))

    @cached_property
    def _marked(self) -> Mapping[str, set[int]]:
        """The lines that have the mark of each output."""
        found: dict[str, set[int]] = {}
        for number, line in self._body():
            for mark in _OUTPUT.finditer(line):
                found.setdefault(mark["id"], set()).add(number)
        return found

    @cached_property
    def _outputs(self) -> tuple[Output, ...]:
        """The stored outputs in the order of their lines, each once."""
        ends: dict[str, int] = {}
        group: dict[str, str] = {}
        opened = ""
        for number, line in self._body():
            names = [m["id"] for m in _OUTPUT.finditer(line)]
            groups = [name for name in names if name.startswith("group:")]
            opened = next((name for name in groups if name not in ends), opened)
            for name in names:
                if name not in groups:
                    group[name] = opened
            for name in groups:
                if name in ends and name == opened:
                    opened = ""
                ends[name] = number
        placed = [(ends.get(g, max(self._marked[name])), name) for name, g in group.items()]
        placed.sort(key=lambda pair: pair[0])
        return tuple(
            Output(name, line, self.appendix.get(f"output:{name}", {})) for line, name in placed
        )

    def sections(self) -> tuple[tuple[int, int], ...]:
        """First and last lines of the sections, from 1, without the appendix."""
        breaks = [n for n, line in self._body() if _SECTION.match(line)]
        starts = sorted({1, *breaks})
        ends = [n - 1 for n in starts[1:]] + [self.appendix_line - 1]
        return tuple((a, b) for a, b in zip(starts, ends, strict=True) if b >= a)

    def _body(self) -> Iterator[tuple[int, str]]:
        return enumerate(self.lines[: self.appendix_line - 1], 1)

    # --- the appendix -------------------------------------------------------------------------

    def _find_appendix(self) -> int:
        found = [n for n, line in enumerate(self.lines, 1) if HEAD.match(line)]
        return found[-1] if found else len(self.lines) + 1

    def _report(self, line: int, message: str) -> None:
        self.problems.append(Problem(line, message))

    # --- live code ----------------------------------------------------------------------------

    def _live_blocks(self) -> Iterator[Placed]:
        text: list[tuple[int, str, Data]] = []
        code: list[tuple[int, str]] = []
        in_table, has_head = 0, True
        rows: list[str] = []
        for number, line in self._body():
            found = _TEXT.match(line)
            is_text = is_text_line(line)
            section = _SECTION.match(line)
            if is_text or section:
                yield from self._code(code)
                code = []
            if not is_text or _TABLE.match(line) or _CONTENTS.match(line):
                yield from _placed_blocks(text, text_blocks(text))
                text = []
            if table := _TABLE.match(line):
                if in_table:
                    yield in_table, number, table_of(rows, has_head=has_head)
                else:
                    has_head = not self._attributes(number, table).get("ignoreHeader")
                in_table, rows = 0 if in_table else number, []
            elif contents := _CONTENTS.match(line):
                title = str(self._attributes(number, contents).get("heading", ""))
                yield number, number, Contents(inlines(title))
            elif found is not None and in_table:
                rows.append(found["text"] or "")
            elif found is not None:
                text.append((number, found["text"] or "", self._attributes(number, found)))
            elif section:
                yield from _section(number, section["title"], inlines)
            else:
                code.append((number, line))
        if in_table:
            self.problems.append(Problem(self.appendix_line - 1, "a table is not closed"))
            yield in_table, self.appendix_line - 1, table_of(rows, has_head=has_head)
        yield from _placed_blocks(text, text_blocks(text))
        yield from self._code(code)

    def _attributes(self, line: int, found: re.Match[str]) -> Data:
        given = found["attributes"]
        return read_data(given, line, self._report) if given else {}

    def _code(self, lines: list[tuple[int, str]]) -> Iterator[Placed]:
        while lines and not lines[-1][1].strip():
            lines = lines[:-1]
        while lines and not lines[0][1].strip():
            lines = lines[1:]
        if not lines:
            return
        controls = tuple(c for number, line in lines for c in self._controls(number, line))
        inside = range(lines[0][0], lines[-1][0] + 1)
        outputs = tuple(output for output in self._outputs if output.line in inside)
        code = "\n".join(without_marks(line) for _, line in lines)
        first, last = lines[0][0], lines[-1][0]
        yield first, last, CodeBlock(first, last, code, controls, outputs)

    def _controls(self, number: int, line: str) -> Iterator[Control]:
        for found in _CONTROL.finditer(line):
            kind, name = found["kind"], found["id"]
            data = self.appendix.get(f"control:{kind}:{name}", {})
            said = int(found["first"]), int(found["last"])
            items = texts_in(data, "items")
            place = meant_place(kind, code_of(line), *said, items)
            told = f"control {name} points at columns {said[0]} to {said[1]}"
            if place is None or not 1 <= place[0] < place[1] <= found.start("mark") + 1:
                self._report(number, f"{told}, which are not code")
                continue
            if place != said:
                taken = f"the value at columns {place[0]} to {place[1]} is taken"
                self._report(number, f"{told}, which hold no value; {taken}")
            yield Control(kind, name, number, *place, data)

    # --- ordinary scripts ---------------------------------------------------------------------

    def _published_blocks(self) -> Iterator[Placed]:
        comment: list[tuple[int, str]] = []
        code: list[tuple[int, str]] = []
        is_first = True
        is_markup = False
        for number, line in self._body():
            section = _SECTION.match(line)
            is_comment = is_markup and line.lstrip().startswith("%") and not section
            if not is_comment:
                yield from _placed_blocks(comment, comment_blocks([text for _, text in comment]))
                comment = []
            if section:
                yield from self._code(code)
                code = []
                kind: ParagraphKind = "title" if is_first and number <= 2 else "heading"
                yield from _section(number, section["title"], published_inlines, kind)
                is_first, is_markup = False, True
            elif is_comment:
                comment.append((number, line.lstrip()[1:]))
            else:
                is_markup = False
                code.append((number, line))
        yield from _placed_blocks(comment, comment_blocks([text for _, text in comment]))
        yield from self._code(code)

    # --- edits --------------------------------------------------------------------------------

    def with_literal(self, control: Control, literal: str) -> LiveDocument:
        """The document with another literal where a control stands; its columns follow."""
        line = self.lines[control.line - 1]
        grown = len(literal) - (control.last - control.first)
        changed = line[: control.first - 1] + literal + line[control.last - 1 :]
        places = {control.id: (control.first, control.last + grown)}
        for other in self._controls(control.line, line):
            if other.id != control.id:
                moved = grown if other.first >= control.last else 0
                places[other.id] = other.first + moved, other.last + moved
        lines = list(self.lines)
        lines[control.line - 1] = with_places(changed, places)
        return LiveDocument("\n".join(lines))

    def with_entry(self, key: str, data: Data) -> LiveDocument:
        """The document with an entry of its appendix added or changed."""
        body = self.lines[: self.appendix_line - 1]
        return LiveDocument(self._joined_text(body, {**self.appendix, key: data}))

    def without_control(self, control: Control) -> LiveDocument:
        """The document without a control; the literal stays."""
        mark = f"%[control:{control.kind}:{control.id}]"

        def kept(found: re.Match[str]) -> str:
            return "" if mark in found[0] else found[0]

        body = [_CONTROL.sub(kept, line) if mark in line else line for _, line in self._body()]
        entries = {k: d for k, d in self.appendix.items() if f"%[{k}]" != mark}
        return LiveDocument(self._joined_text(body, entries))

    def without_code(self) -> LiveDocument:
        """The document for readers who are not to see its code; outputs keep their places."""
        made = copy.copy(self)
        made.shows_code = False
        made.blocks = tuple(
            replace(block, code="\n" * (block.last - block.first))
            if isinstance(block, CodeBlock)
            else block
            for block in self.blocks
        )
        return made

    def without_outputs(self) -> LiveDocument:
        """The document without stored outputs."""
        body = [_OUTPUT.sub("", line) for _, line in self._body()]
        kept = {k: d for k, d in self.appendix.items() if not k.startswith("output:")}
        return LiveDocument(self._joined_text(body, kept))

    def with_outputs(self, outputs: Mapping[int, tuple[Data, ...]]) -> LiveDocument:
        """The document with these outputs stored, by line; earlier ones are gone.

        An output that was stored already for its line keeps its identifier and its marks, so that
        a run that gives the same outputs changes nothing in the file.
        """
        held: dict[int, list[Output]] = {}
        for output in self._outputs:
            for line in {output.line, *self._marked[output.id]}:
                held.setdefault(line, []).append(output)
        named = {output.id for output in self._outputs}
        entries = {k: d for k, d in self.appendix.items() if not d or not k.startswith("output:")}
        kept = {output.id for output in self._outputs if not output.data}
        left = named - kept
        made: dict[int, list[str]] = {}
        for line, wanted in sorted(outputs.items()):
            known = [output for output in held.get(line, []) if output.id in left]
            for position, data in enumerate(wanted):
                same = next((o for o in known if o.data == data), known[0] if known else None)
                if same is not None:
                    known.remove(same)
                    name = same.id
                    left.remove(name)
                    kept.add(name)
                else:
                    name = _identifier(line, position, data)
                    while name in named:
                        name = f"{(int(name, 16) + 1) % 16**8:08x}"
                    named.add(name)
                    made.setdefault(line, []).append(name)
                entries[f"output:{name}"] = data
        groups = bool(kept)

        def marks(found: re.Match[str]) -> str:
            name = found["id"]
            return found[0] if name in kept or (groups and name.startswith("group:")) else ""

        body = [
            _OUTPUT.sub(marks, code) + "".join(f" %[output:{n}]" for n in made.get(number, []))
            for number, code in self._body()
        ]
        return LiveDocument(self._joined_text(body, self._in_order(entries)))

    def _in_order(self, entries: Mapping[str, Data]) -> dict[str, Data]:
        """Entries in the order of the appendix, new ones behind."""
        known = {key: entries[key] for key in self.appendix if key in entries}
        return known | dict(entries)

    def _joined_text(self, body: list[str], entries: Mapping[str, Data]) -> str:
        trailer = self._trailer.with_data(entries)
        if self.appendix_line > len(self.lines):
            if not entries:
                return "\n".join(body)
            if body and body[-1].strip():
                body = [*body, ""]
        return "\n".join((*body, *trailer))


def is_text_line(line: str) -> bool:
    """Whether a line has the markup of text."""
    return any(mark.match(line) for mark in _TEXTS)


def without_marks(line: str) -> str:
    """A line of code without the marks of controls and outputs behind it."""
    return _OTHER.sub("", _OUTPUT.sub("", _CONTROL.sub("", line)))


def _identifier(line: int, position: int, data: Data) -> str:
    """Eight hexadecimal digits that follow from what is stored: the same run, the same file."""
    import zlib

    seed = f"{line}:{position}:{appendix_json(data)}".encode()
    return f"{zlib.crc32(seed):08x}"


# --- text ----------------------------------------------------------------------------------------


def _placed_blocks(
    lines: Sequence[tuple[int, str] | tuple[int, str, Data]], blocks: Iterator[TextBlock]
) -> Iterator[Placed]:
    """The blocks that numbered lines make, at these lines."""
    for block in blocks:
        yield lines[0][0], lines[-1][0], block


def _section(
    number: int,
    title: str | None,
    read: Callable[[str], tuple[Inline, ...]],
    kind: ParagraphKind = "heading",
) -> Iterator[Placed]:
    """A section's beginning, and its title where it has one."""
    yield number, number, SectionBreak(number)
    if title:
        yield number, number, Paragraph(read(title), kind, line=number)
