"""Reading ``.mlx`` files: zip archives with a WordprocessingML document, pictures and outputs."""

from __future__ import annotations

import base64
import mimetypes
import posixpath
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO
from xml.etree import ElementTree as ET

from app import paths
from app.engine.livecode.appendix import Data, appendix_json
from app.engine.livecode.markup import escape, escape_latex
from app.engine.livecode.mlx_parts import control_of, output_of

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_DOCUMENT = "matlab/document.xml"
_RELATIONS = "matlab/_rels/document.xml.rels"
_OUTPUTS = "matlab/output.xml"
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    OSError,  # places outside of the file
    RuntimeError,
    NotImplementedError,
    EOFError,
)
MOST_BYTES = 1 << 28
"""What is taken out of an archive at most, in all."""
MOST_LEVELS = 200
"""How deep its elements lie at most; those of a table in a table lie in twenty."""
_STYLES = {
    "title": "# ",
    "heading": "## ",
    "heading1": "## ",
    "heading2": "### ",
    "heading3": "#### ",
}
_DOCTYPE = re.compile(rb"<!DOCTYPE|<!ENTITY", re.IGNORECASE)
_NO_XML = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")


class _Shallow(ET.TreeBuilder):
    """Builds trees; ValueError where elements are nested as in no document."""

    def __init__(self) -> None:
        super().__init__()
        self._depth = 0

    def start(self, tag: str, attrs: dict[str, str], /) -> ET.Element:
        """An element begins."""
        self._depth += 1
        if self._depth > MOST_LEVELS:
            raise ValueError(f"elements are nested more than {MOST_LEVELS} levels deep")
        return super().start(tag, attrs)

    def end(self, tag: str, /) -> ET.Element:
        """An element ends."""
        self._depth -= 1
        return super().end(tag)


@dataclass(slots=True)
class _Reader:
    """An archive that is being read, and what was found in it.

    Attributes:
        lines: of the live script.
        code: the places in ``lines`` of the lines of code, in order.
        items: the lines of a list that has not ended yet.
        entries: of the appendix, by key.
        pictures: keys of pictures that are kept already.
    """

    archive: zipfile.ZipFile
    relations: dict[str, str] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    code: list[int] = field(default_factory=list)
    items: list[str] = field(default_factory=list)
    entries: dict[str, Data] = field(default_factory=dict)
    pictures: dict[tuple[str, ...], str] = field(default_factory=dict)
    taken: int = 0

    def member(self, name: str) -> bytes:
        """The content of a member; a ValueError where it is missing or too large."""
        try:
            info = self.archive.getinfo(name)
        except KeyError:
            raise ValueError(f"the archive has no {name}: this is not a live script") from None
        self.taken += info.file_size
        if self.taken > MOST_BYTES:
            raise ValueError(f"the archive holds more than {MOST_BYTES >> 20} MB")
        return self.archive.read(info)

    def tree(self, name: str) -> ET.Element:
        """A member as XML; definitions of entities are refused."""
        content = _NO_XML.sub(b"", self.member(name))
        if _DOCTYPE.search(content):
            raise ValueError(f"{name} defines entities, which live scripts do not")
        try:
            parser = ET.XMLParser(target=_Shallow())  # noqa: S314 - entities were refused above
            return ET.fromstring(content, parser)  # noqa: S314 - as above
        except (ET.ParseError, LookupError) as problem:
            raise ValueError(f"{name} is no XML: {problem}") from None

    def has(self, name: str) -> bool:
        """Whether the archive holds a member."""
        return name in self.archive.namelist()

    def end_list(self) -> None:
        """The last item of a list says that it is the last one."""
        if self.items:
            self.items[-1] += " \\"
            self.lines += self.items
            self.items = []


def read_mlx(path: Path) -> str:
    """The live script in an ``.mlx`` file, in the plain-text form.

    Text, styles, lists, tables, contents, equations, links, pictures, code, controls and stored
    outputs are read. Symbolic outputs stay behind: running the document makes them anew.

    Raises:
        ValueError: the file is damaged, too large or no live script; the message says which.
        OSError: the file cannot be opened, or is a pipe or a device.
    """
    paths.check_file(path)
    with path.open("rb") as file:
        reader = _read_archive(file, path.name)
    trailer = ["", "%[appendix]" + '{"version":"1.0"}', "%---"]
    for key, data in reader.entries.items():
        trailer += [f"%[{key}]", f"%   data: {appendix_json(data)}", "%---"]
    return "\n".join((*reader.lines, *trailer, ""))


def _read_archive(file: BinaryIO, name: str) -> _Reader:
    try:
        with zipfile.ZipFile(file) as archive:
            reader = _Reader(archive)
            if reader.has(_RELATIONS):
                for relation in reader.tree(_RELATIONS):
                    reader.relations[relation.get("Id", "")] = relation.get("Target", "")
            body = reader.tree(_DOCUMENT).find(f"{_W}body")
            if body is not None:
                _read_blocks(reader, body)
                reader.end_list()
            if reader.has(_OUTPUTS):
                _read_outputs(reader)
            return reader
    except _DAMAGE as problem:
        raise ValueError(f"{name} is damaged: {problem}") from None


def _selected_children(node: ET.Element) -> Iterator[ET.Element]:
    """The children of a node; of alternatives the first, which newer releases write."""
    for child in node:
        if child.tag == f"{_MC}AlternateContent":
            choice = child.find(f"{_MC}Choice")
            yield from choice if choice is not None else ()
        else:
            yield child


def _read_blocks(reader: _Reader, parent: ET.Element) -> None:
    for node in _selected_children(parent):
        match node.tag.rpartition("}")[2]:
            case "p":
                _read_paragraph(reader, node)
            case "tbl":
                reader.end_list()
                reader.lines += _table(reader, node)
            case "sdt":
                _read_part(reader, node)


def _read_part(reader: _Reader, part: ET.Element) -> None:
    """A table of contents, or code that is shown and not run."""
    content = part.find(f"{_W}sdtContent")
    if content is None:
        return
    alias = part.find(f"{_W}sdtPr/{_W}alias")
    reader.end_list()
    if part.find(f"{_W}sdtPr/{_W}docPartObj") is not None:
        heads = [p for p in content.iter(f"{_W}p") if _style(p) == "tocheading"]
        title = "".join(_text(p) for p in heads).strip()
        given = appendix_json({"heading": title}) if title else ""
        reader.lines.append(f"%[text:tableOfContents]{given}")
    elif alias is not None and alias.get(f"{_W}val", "").startswith("codeexample"):
        is_matlab = alias.get(f"{_W}val", "").endswith("matlab")
        reader.lines.append("%[text] ```" + ("matlabCodeExample" if is_matlab else ""))
        for line in content.iter(f"{_W}p"):
            reader.lines += [f"%[text] {text}" for text in _text(line).split("\n")]
        reader.lines.append("%[text] ```")
    else:
        _read_blocks(reader, content)


def _text(node: ET.Element) -> str:
    return "".join(text.text or "" for text in node.iter(f"{_W}t"))


def _read_paragraph(reader: _Reader, paragraph: ET.Element) -> None:
    style, properties = _style(paragraph), _properties(paragraph)
    if properties is not None and properties.find(f"{_W}sectPr") is not None:
        reader.end_list()
        reader.lines.append("%%")
        if style != "code":
            return
    if style == "code":
        reader.end_list()
        start = len(reader.lines)
        reader.lines += _text(paragraph).split("\n")
        reader.code += range(start, len(reader.lines))
        _read_controls(reader, paragraph, start)
        return
    text = "".join(_runs(reader, paragraph)).strip()
    if properties is not None and properties.find(f"{_W}numPr") is not None:
        number = properties.find(f"{_W}numPr/{_W}numId")
        numbered = number is not None and number.get(f"{_W}val") == "2"
        reader.items.append(f"%[text] {'1.' if numbered else '-'} {text}")
        return
    reader.end_list()
    if text:
        anchors = "".join(_anchors(paragraph))
        mark = _STYLES.get(style, "")
        reader.lines.append(f"%[text]{_alignment(properties)} {anchors}{mark}{text}")


def _properties(paragraph: ET.Element) -> ET.Element | None:
    return next((node for node in _selected_children(paragraph) if node.tag == f"{_W}pPr"), None)


def _style(paragraph: ET.Element) -> str:
    properties = _properties(paragraph)
    found = None if properties is None else properties.find(f"{_W}pStyle")
    return "" if found is None else found.get(f"{_W}val", "").lower()


def _alignment(properties: ET.Element | None) -> str:
    found = None if properties is None else properties.find(f"{_W}jc")
    align = "" if found is None else found.get(f"{_W}val", "")
    return '{"align":"' + align + '"}' if align in ("center", "right") else ""


def _anchors(paragraph: ET.Element) -> Iterator[str]:
    """The places that links lead to."""
    for mark in paragraph.iter(f"{_W}bookmarkStart"):
        name = mark.get(f"{_W}id", "")
        if re.fullmatch(r"[\w-]+", name):
            yield f"%[text:anchor:{name}] "


def _read_controls(reader: _Reader, paragraph: ET.Element, start: int) -> None:
    """The controls of a paragraph of code, written behind the lines where they stand."""
    for node in paragraph.iter(f"{_W}customXml"):
        if node.get(f"{_W}element") != "livecontrol":
            continue
        found = control_of(_attributes(node))
        if found is None or start + found.line >= len(reader.lines):
            continue
        number = sum(key.startswith("control:") for key in reader.entries) + 1
        key = f"control:{found.kind}:{number:04x}"
        reader.entries[key] = found.data
        place = f'{{"position":[{found.first},{found.last}]}}'
        reader.lines[start + found.line] += f" %[{key}]{place}"


def _read_outputs(reader: _Reader) -> None:
    """The stored outputs, written behind the lines that gave them."""
    for node in reader.tree(_OUTPUTS).iterfind("outputArray/element"):
        data = output_of(node)
        numbers = [line.text or "" for line in node.iterfind("lineNumbers/element")]
        wanted = [int(n) for n in numbers if re.fullmatch(r"[0-9]{1,7}", n)]
        places = [reader.code[n - 1] for n in wanted if 0 < n <= len(reader.code)]
        if data is None or not places:
            continue
        name = f"{sum(key.startswith('output:') for key in reader.entries) + 1:08x}"
        reader.entries[f"output:{name}"] = data
        for place in places:
            reader.lines[place] += f" %[output:{name}]"


def _table(reader: _Reader, table: ET.Element) -> list[str]:
    rows = [
        [
            " ".join("".join(_runs(reader, p)).strip() for p in cell.iter(f"{_W}p"))
            for cell in row.iter(f"{_W}tc")
        ]
        for row in table.iter(f"{_W}tr")
    ]
    if not rows:
        return []
    has_head = table.find(f"{_W}tr/{_W}trPr/{_W}tblHeader") is not None
    rows.insert(1, ["---"] * len(rows[0]))
    given = "" if has_head else '{"ignoreHeader":true}'
    lines = ["%[text] | " + " | ".join(row) + " |" for row in rows]
    return [f"%[text:table]{given}", *lines, "%[text:table]"]


def _runs(reader: _Reader, paragraph: ET.Element) -> Iterator[str]:
    """The pieces of a paragraph as they are written in a line."""
    for node in _selected_children(paragraph):
        match node.tag.rpartition("}")[2]:
            case "r":
                yield from _run(node)
            case "hyperlink":
                target = node.get(f"{_W}docLocation") or node.get(f"{_W}anchor") or ""
                label = "".join(_runs(reader, node))
                outside = re.search(r"[()\s]", target)
                yield f"[{label}](<{target}>)" if outside else f"[{label}]({target})"
            case "customXml" if node.get(f"{_W}element") == "equation":
                yield f"$ {escape_latex(_text(node).strip())} $"
            case "customXml" if node.get(f"{_W}element") == "image":
                yield _image(reader, node)
            case "customXml" | "smartTag" | "ins":
                yield from _runs(reader, node)


def _run(run: ET.Element) -> Iterator[str]:
    text = _text(run).replace("\n", " ")
    if not text.strip():
        yield text
        return
    properties = run.find(f"{_W}rPr")
    marks = (
        {child.tag.rpartition("}")[2] for child in properties} if properties is not None else set()
    )
    fonts = properties.find(f"{_W}rFonts") if properties is not None else None
    inner = text.strip()
    before = text[: len(text) - len(text.lstrip())]
    after = text[len(text.rstrip()) :]
    if fonts is not None and "mono" in "".join(fonts.attrib.values()).lower():
        yield f"{before}`{inner}`{after}"
        return
    made = escape(inner)
    for mark, opened, closed in (("b", "**", "**"), ("i", "*", "*"), ("u", "<u>", "</u>")):
        if mark in marks:
            made = f"{opened}{made}{closed}"
    yield f"{before}{made}{after}"


def _attributes(node: ET.Element) -> dict[str, str]:
    return {
        attribute.get(f"{_W}name", ""): attribute.get(f"{_W}val", "")
        for attribute in node.iter(f"{_W}attr")
    }


def _image(reader: _Reader, node: ET.Element) -> str:
    """A picture: its content goes into the appendix, once."""
    values = _attributes(node)
    target = reader.relations.get(values.get("relationshipId", ""), "")
    member = posixpath.normpath(posixpath.join("matlab", target))
    if not target or not reader.has(member):
        return ""
    sides = (values.get("width", ""), values.get("height", ""))
    name = reader.pictures.get((member, *sides))
    if name is None:
        name = reader.pictures[member, *sides] = f"{len(reader.pictures) + 1:04x}"
        kind = mimetypes.guess_type(member)[0] or "image/png"
        content = base64.b64encode(reader.member(member)).decode("ascii")
        sizes = {
            side: int(float(value))
            for side, value in zip(("width", "height"), sides, strict=True)
            if re.fullmatch(r"\d{1,5}(\.\d+)?", value)
        }
        source = f"data:{kind};base64,{content}"
        reader.entries[f"text:image:{name}"] = {"align": "baseline", **sizes, "src": source}
    return f"![{escape(values.get('altText', ''))}](text:image:{name})"
