"""Reading ``.mlx`` files: zip archives with a WordprocessingML document and its pictures."""

from __future__ import annotations

import base64
import mimetypes
import posixpath
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree as ET

from app.engine.livecode.document import Data, dumped
from app.engine.livecode.markup import escape, escape_latex

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_DOCUMENT = "matlab/document.xml"
_RELATIONS = "matlab/_rels/document.xml.rels"
MOST_BYTES = 1 << 28
"""What is taken out of an archive at most, in all."""
_STYLES = {
    "title": "# ",
    "heading": "## ",
    "heading1": "## ",
    "heading2": "### ",
    "heading3": "### ",
}
_DOCTYPE = re.compile(rb"<!DOCTYPE|<!ENTITY", re.IGNORECASE)


@dataclass(slots=True)
class _Reader:
    """An archive that is being read, and what was found in it."""

    archive: zipfile.ZipFile
    relations: dict[str, str] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    images: dict[str, Data] = field(default_factory=dict)
    taken: int = 0

    def member(self, name: str) -> bytes:
        """The content of a member; a ValueError where it is missing or too large."""
        try:
            info = self.archive.getinfo(name)
        except KeyError:
            raise ValueError(f"the archive has no {name}: this is no live script") from None
        self.taken += info.file_size
        if self.taken > MOST_BYTES:
            raise ValueError(f"the archive holds more than {MOST_BYTES >> 20} MB")
        return self.archive.read(info)

    def tree(self, name: str) -> ET.Element:
        """A member as XML; definitions of entities are refused."""
        content = self.member(name)
        if _DOCTYPE.search(content):
            raise ValueError(f"{name} defines entities, which live scripts do not")
        try:
            return ET.fromstring(content)  # noqa: S314  (entities were refused above)
        except ET.ParseError as problem:
            raise ValueError(f"{name} is no XML: {problem}") from None


def read_mlx(path: Path) -> str:
    """The live script in an ``.mlx`` file, in the plain-text form.

    Text, styles, lists, equations, links, pictures and code are read; stored outputs and controls
    stay behind: running the document makes the outputs anew.

    Raises:
        ValueError: the file is damaged, too large or no live script; the message says which.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            reader = _Reader(archive)
            if _RELATIONS in archive.namelist():
                for relation in reader.tree(_RELATIONS):
                    reader.relations[relation.get("Id", "")] = relation.get("Target", "")
            body = reader.tree(_DOCUMENT).find(f"{_W}body")
            if body is not None:
                _read_body(reader, body)
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError) as problem:
        raise ValueError(f"{path.name} is damaged: {problem}") from None
    trailer = ["", '%[appendix]{"version":"1.0"}', "%---"]
    for name, data in reader.images.items():
        trailer += [f"%[text:image:{name}]", f"%   data: {dumped(data)}", "%---"]
    return "\n".join((*reader.lines, *trailer, ""))


def _read_body(reader: _Reader, body: ET.Element) -> None:
    pending: list[str] = []

    def end_list() -> None:
        if pending:
            pending[-1] += " \\"
            reader.lines.extend(pending)
            pending.clear()

    for paragraph in body.iter(f"{_W}p"):
        style = _style(paragraph)
        if paragraph.find(f"{_W}pPr/{_W}sectPr") is not None:
            end_list()
            reader.lines.append("%%")
            if style != "code":
                continue
        if style == "code":
            end_list()
            code = "".join(node.text or "" for node in paragraph.iter(f"{_W}t"))
            reader.lines.extend(code.strip("\n").split("\n"))
            continue
        text = "".join(_runs(reader, paragraph)).strip()
        if paragraph.find(f"{_W}pPr/{_W}numPr") is not None:
            numbered = "number" in style
            pending.append(f"%[text] {'1.' if numbered else '-'} {text}")
            continue
        end_list()
        if text:
            reader.lines.append(f"%[text]{_alignment(paragraph)} {_STYLES.get(style, '')}{text}")
    end_list()


def _style(paragraph: ET.Element) -> str:
    found = paragraph.find(f"{_W}pPr/{_W}pStyle")
    return "" if found is None else found.get(f"{_W}val", "").lower()


def _alignment(paragraph: ET.Element) -> str:
    found = paragraph.find(f"{_W}pPr/{_W}jc")
    side = "" if found is None else found.get(f"{_W}val", "")
    return f'{{"align":"{side}"}}' if side in ("center", "right") else ""


def _runs(reader: _Reader, parent: ET.Element) -> Iterator[str]:
    """The pieces of a paragraph in the markup of the plain-text form."""
    for node in parent:
        match node.tag.rpartition("}")[2]:
            case "r":
                yield from _run(reader, node)
            case "hyperlink":
                target = reader.relations.get(node.get(f"{_R}id", ""), "") or node.get(
                    f"{_W}docLocation", ""
                )
                yield f"[{''.join(_runs(reader, node))}]({target})"
            case "customXml" if node.get(f"{_W}element") == "equation":
                latex = "".join(t.text or "" for t in node.iter(f"{_W}t"))
                yield f"$ {escape_latex(latex.strip())} $"
            case "customXml" if node.get(f"{_W}element") == "image":
                yield _image(reader, node)
            case "customXml" | "smartTag" | "ins":
                yield from _runs(reader, node)


def _run(reader: _Reader, run: ET.Element) -> Iterator[str]:
    text = "".join(node.text or "" for node in run.iter(f"{_W}t"))
    if not text:
        return
    properties = run.find(f"{_W}rPr")
    marks = (
        {child.tag.rpartition("}")[2] for child in properties} if properties is not None else set()
    )
    fonts = properties.find(f"{_W}rFonts") if properties is not None else None
    if fonts is not None and "mono" in "".join(fonts.attrib.values()).lower():
        yield f"`{text}`"
        return
    made = escape(text)
    for mark, before, after in (("b", "**", "**"), ("i", "_", "_"), ("u", "<u>", "</u>")):
        if mark in marks:
            made = f"{before}{made}{after}"
    yield made


def _image(reader: _Reader, node: ET.Element) -> str:
    """A picture: its content goes into the appendix."""
    values = {
        attribute.get(f"{_W}name", ""): attribute.get(f"{_W}val", "")
        for attribute in node.iter(f"{_W}attr")
    }
    target = reader.relations.get(values.get("relationshipId", ""), "")
    member = posixpath.normpath(posixpath.join("matlab", target))
    if not target or member not in reader.archive.namelist():
        return ""
    kind = mimetypes.guess_type(member)[0] or "image/png"
    content = base64.b64encode(reader.member(member)).decode("ascii")
    name = f"{len(reader.images) + 1:04x}"
    sizes = {side: int(v) for side in ("width", "height") if (v := values.get(side, "")).isdigit()}
    reader.images[name] = {"align": "baseline", **sizes, "src": f"data:{kind};base64,{content}"}
    return f"![{escape(values.get('altText', ''))}](text:image:{name})"
