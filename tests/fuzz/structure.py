"""Well-formed files with one thing wrong: every part of a valid file replaced by every wrong kind.

`tests.fuzz.readers` damages bytes; a parser of the format then refuses most of what it makes. Here
the file is taken apart, one node is replaced, removed, repeated or nested within itself, and it is put
together again, so that what reads the parsed content meets all of it. `variants` says for each kind
of file how; nothing is left to chance.
"""

from __future__ import annotations

import copy
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

Variant = tuple[str, bytes]
"""What is wrong, and the content of the file."""
DEEP = "\0deep"
"""Stands for lists within lists."""
LEVELS = 20_000
WRONG: tuple[object, ...] = (
    *(None, True, 0, -1, 1.5, 2**70, 10**400, 1e300, float("inf"), float("nan"), "", "x", "-1"),
    *("\ud800", "9" * 5000, [], [[]], [None], {}, {"a": {}}, {"": [1]}, DEEP),
)
TEXTS = ("", "x", "-1", "0", "1e999", "9" * 5000, "²", "true", "{}", "[[[", "%[", "\n", "<" * 9)


def variants(name: str, data: bytes) -> Iterator[Variant]:
    """The file with each of its parts wrong in each way."""
    match Path(name).suffix:
        case ".json" | ".ipynb":
            yield from json_variants(data)
        case ".xml":
            yield from xml_variants(data)
        case ".mlx" | ".xlsx":
            yield from archive_variants(data)
        case ".m":
            yield from marked_variants(data)


# --- JSON ----------------------------------------------------------------------------------------


def json_variants(data: bytes) -> Iterator[Variant]:
    """A text of JSON with one value of another kind, or one key missing."""
    whole = json.loads(data)
    for where in _json_places(whole):
        for wrong in WRONG:
            made = wrong if not where else _with(whole, where, wrong)
            yield f"{_path(where)} = {_named(wrong)}", _json_bytes(made)
        if where and isinstance(where[-1], str):
            made = copy.deepcopy(whole)
            del _at(made, where[:-1])[where[-1]]
            yield f"{_path(where)} missing", _json_bytes(made)


def _json_places(
    tree: object, where: tuple[str | int, ...] = ()
) -> Iterator[tuple[str | int, ...]]:
    yield where
    for key in (
        tree if isinstance(tree, dict) else range(len(tree)) if isinstance(tree, list) else ()
    ):
        yield from _json_places(tree[key], (*where, key))


def _at(tree: object, where: tuple[str | int, ...]) -> object:
    for key in where:
        tree = tree[key]
    return tree


def _with(whole: object, where: tuple[str | int, ...], value: object) -> object:
    made = copy.deepcopy(whole)
    _at(made, where[:-1])[where[-1]] = value
    return made


def _json_bytes(tree: object) -> bytes:
    text = json.dumps(tree).replace(json.dumps(DEEP), "[" * LEVELS + "]" * LEVELS)
    return text.replace(": 1e+300", ": 1e999").encode()


def _path(where: tuple[str | int, ...]) -> str:
    return "/".join(map(str, where)) or "all"


def _named(wrong: object) -> str:
    return repr(wrong)[:20]


# --- XML -----------------------------------------------------------------------------------------


def xml_variants(data: bytes) -> Iterator[Variant]:
    """A document of XML with one element, attribute or text wrong."""
    whole = ET.fromstring(data)
    count = sum(1 for _ in whole.iter())
    for number in range(count):
        for said, change in _XML_CHANGES:
            made = copy.deepcopy(whole)
            node = next(n for k, n in enumerate(made.iter()) if k == number)
            parent = next((p for p in made.iter() if node in list(p)), None)
            if change(node, parent):
                yield f"{node.tag.rpartition('}')[2]} {number} {said}", ET.tostring(made)
        node = next(n for k, n in enumerate(whole.iter()) if k == number)
        for key, held in node.attrib.items():
            yield from _attributes(whole, number, key, held)
        if node.text and node.text.strip()[:1] in {"{", "["}:
            yield from _texts(whole, number, node.text)
        yield f"{node.tag} {number} deep", _nested(whole, number)
    yield from _entities(data)


def _remove(node: ET.Element, parent: ET.Element | None) -> bool:
    if parent is not None:
        parent.remove(node)
    return parent is not None


def _repeat(node: ET.Element, parent: ET.Element | None) -> bool:
    if parent is not None:
        parent.append(copy.deepcopy(node))
    return parent is not None


def _empty(node: ET.Element, _: ET.Element | None) -> bool:
    held = len(node) > 0
    del node[:]
    return held


def _rename(node: ET.Element, _: ET.Element | None) -> bool:
    node.tag = "x"
    return True


def _replace_text(text: str) -> Callable[[ET.Element, ET.Element | None], bool]:
    def change(node: ET.Element, _: ET.Element | None) -> bool:
        node.text = text
        return True

    return change


_XML_CHANGES = (
    ("removed", _remove),
    ("twice", _repeat),
    ("empty", _empty),
    ("renamed", _rename),
    *((f"text {text[:9]!r}", _replace_text(text)) for text in TEXTS),
)


def _changed(whole: ET.Element, number: int) -> tuple[ET.Element, ET.Element]:
    made = copy.deepcopy(whole)
    return made, next(n for k, n in enumerate(made.iter()) if k == number)


def _attributes(whole: ET.Element, number: int, key: str, held: str) -> Iterator[Variant]:
    for text in TEXTS:
        made, node = _changed(whole, number)
        node.set(key, text)
        yield f"{node.tag} {number} {key} = {text[:9]!r}", ET.tostring(made)
    made, node = _changed(whole, number)
    del node.attrib[key]
    yield f"{node.tag} {number} without {key}", ET.tostring(made)
    if held[:1] in {"{", "["}:
        for said, text in json_variants(held.encode()):
            made, node = _changed(whole, number)
            node.set(key, text.decode())
            yield f"{node.tag} {number} {key}: {said}", ET.tostring(made)


def _texts(whole: ET.Element, number: int, held: str) -> Iterator[Variant]:
    for said, text in json_variants(held.encode()):
        made, node = _changed(whole, number)
        node.text = text.decode()
        yield f"{node.tag} {number}: {said}", ET.tostring(made)


def _nested(whole: ET.Element, number: int) -> bytes:
    """An element within itself, many times."""
    made, node = _changed(whole, number)
    outer = ET.Element(node.tag, node.attrib)
    head, _, tail = ET.tostring(outer, short_empty_elements=False).rpartition(b"</")
    inner = ET.tostring(node)
    deep = head * LEVELS + inner + (b"</" + tail) * LEVELS
    if number == 0:
        return deep
    parent = next(p for p in made.iter() if node in list(p))
    at = list(parent).index(node)
    parent[at] = ET.Element("PLACE")
    return ET.tostring(made).replace(b"<PLACE />", deep)


def _entities(data: bytes) -> Iterator[Variant]:
    root = re.search(rb"<([\w:]+)", data)
    name = root[1] if root else b"a"
    bomb = b"".join(
        b'<!ENTITY e%d "%s">' % (k, b"&e%d;" % (k - 1) * 10 if k else b"x" * 10) for k in range(12)
    )
    body = re.sub(rb">([^<>]*)</", rb">\1&e11;</", data)
    yield "entities", b"<!DOCTYPE %s [%s]>" % (name, bomb) + re.sub(rb"<\?.*?\?>", b"", body)
    outside = b'<!ENTITY e11 SYSTEM "file:///etc/passwd">'
    yield "outside", b"<!DOCTYPE %s [%s]>" % (name, outside) + re.sub(rb"<\?.*?\?>", b"", body)
    for encoding in ("utf-16", "utf-7", "x-unknown", "idna", "hex", "zip"):
        yield (
            f"encoding {encoding}",
            b'<?xml version="1.0" encoding="%s"?>' % encoding.encode() + data,
        )
    wide = f"<!DOCTYPE {name.decode()} [{bomb.decode()}]>{body.decode('latin-1')}"
    yield "entities in UTF-16", wide.encode("utf-16")
    yield (
        "a long text",
        re.sub(rb">([^<>]*)</", lambda m: b">" + b"x" * (1 << 20) + b"</", data, count=1),
    )


# --- archives of XML -----------------------------------------------------------------------------


def archive_variants(data: bytes) -> Iterator[Variant]:
    """An archive with one member wrong, missing, too large or packed strangely."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    largest = next(iter(members))
    yield f"{largest} is large", packed({**members, largest: b" " * (300 << 20)})
    for name, content in members.items():
        yield f"without {name}", packed({k: v for k, v in members.items() if k != name})
        if name.endswith((".xml", ".rels", ".mwrels")):
            for said, made in xml_variants(content):
                yield f"{name}: {said}", packed({**members, name: made})


def packed(members: dict[str, bytes]) -> bytes:
    """An archive of these members."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return made.getvalue()


# --- texts with JSON in them ---------------------------------------------------------------------


def marked_variants(data: bytes) -> Iterator[Variant]:
    """A live script with the data of one of its marks wrong."""
    text = data.decode()
    for found in re.finditer(r"^(.*?%(?:\[[\w:]+\]|[ ]+data: ))(\{.*\})$", text, re.MULTILINE):
        for said, made in json_variants(found[2].encode()):
            changed = text[: found.start(2)] + made.decode() + text[found.end(2) :]
            yield f"{found[1]} {said}", changed.encode()
