"""Structs in files: readstruct and writestruct, as XML or JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np

from app import paths
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import flag, option_pairs
from app.engine.builtins.arrays.missing_values import one_missing
from app.engine.builtins.files import delimited
from app.engine.declarations.registry import builtin
from app.engine.operators.string_operators import to_strings
from app.engine.values import (
    Cell,
    StringArray,
    Struct,
    StructArray,
    Value,
    canonical,
    is_char,
    is_numeric_like,
    object_array,
    text_of,
)
from app.errors import MatlabError
from app.textfile import encoded

_FAMILY = "files"
_ATTRIBUTE = "Attribute"


def _kind(name: Value, options: dict[str, Value], function: str) -> str:
    given = text_of(options.get("filetype", "auto")).lower()
    kind = Path(text_of(name)).suffix.lower().lstrip(".") if given == "auto" else given
    if kind not in ("xml", "json"):
        message = "The file must be .xml or .json, or FileType must say which."
        raise MatlabError(f"MATLAB:io:{function}:UnsupportedFileType", message)
    return kind


def _struct_of_strings(v: Struct) -> Struct:
    return Struct({k: _strings(x) for k, x in v.fields.items()})


def _strings(v: Value) -> Value:
    """Texts as strings, columns of numbers as rows: what ``readstruct`` gives."""
    if is_char(v):
        return StringArray.scalar(text_of(v))
    if isinstance(v, Struct):
        return _struct_of_strings(v)
    if isinstance(v, StructArray):
        return StructArray.of(
            [_struct_of_strings(x) for x in v.elements()],
            (1, v.shape[0] * v.shape[1]),
            list(v.fields),
        )
    if isinstance(v, Cell):
        parts = [_strings(x) for x in v.items()]
        texts = [p.data.flat[0] for p in parts if isinstance(p, StringArray)]
        if texts and len(texts) == len(parts):
            return StringArray.of(texts, (1, len(parts)))
        return Cell(object_array(parts, (1, len(parts))))
    if isinstance(v, np.ndarray) and v.ndim == 2 and v.shape[1] == 1:
        return canonical(v.T)
    return v


def _element(node: Any) -> Value:
    """An element with children or attributes as a struct, else its text."""
    if not len(node) and not node.attrib:
        return _scalar(node.text or "")
    fields: dict[str, list[Value]] = {}
    for key, text in node.attrib.items():
        fields.setdefault(f"{key}{_ATTRIBUTE}", []).append(_scalar(text))
    for child in node:
        fields.setdefault(child.tag.rpartition("}")[2], []).append(_element(child))
    text = (node.text or "").strip()
    if text:
        fields.setdefault("Text", []).append(_scalar(text))
    return Struct({k: _joined_elements(v) for k, v in fields.items()})


def _scalar(text: str) -> Value:
    plain = text.strip()
    if delimited.is_number(plain) and plain:
        return float(delimited.to_number(plain))
    return StringArray.scalar(plain or "")


def _joined_elements(items: list[Value]) -> Value:
    """Elements of one name: an array where they are alike, else a cell."""
    if len(items) == 1:
        return items[0]
    if all(isinstance(x, float) for x in items):
        return canonical(np.array([items], dtype=np.float64))
    if all(isinstance(x, StringArray | float) for x in items):
        return StringArray.of([to_strings(x).data.flat[0] for x in items], (1, len(items)))
    structs = [x for x in items if isinstance(x, Struct)]
    names = list(dict.fromkeys(n for x in structs for n in x.fields))
    if len(structs) < len(items):
        return Cell(object_array(items, (1, len(items))))
    missing = one_missing()
    rows = [Struct({n: x.fields.get(n, missing) for n in names}) for x in structs]
    return StructArray.of(rows, (1, len(rows)), names)


def _write_element(parent: Any, name: str, v: Value) -> None:
    """A value below an element: one element for every entry of an array."""
    if isinstance(v, StructArray):
        for x in v.elements():
            _write_element(parent, name, x)
        return
    if isinstance(v, Struct):
        node = ET.SubElement(parent, name)
        _write_fields(node, v)
        return
    if isinstance(v, Cell):
        for item in v.items():
            _write_element(parent, name, item)
        return
    if not (
        is_numeric_like(v) or isinstance(v, StringArray) or is_char(v) or hasattr(v, "to_strings")
    ):
        message = f"The field '{name}' cannot be written as XML."
        raise MatlabError("MATLAB:io:writestruct:UnsupportedType", message)
    for text in to_strings(v).data.ravel(order="F"):
        ET.SubElement(parent, name).text = "" if text is None else str(text)


def _write_fields(node: Any, s: Struct) -> None:
    for key, value in s.fields.items():
        if key.endswith(_ATTRIBUTE) and len(key) > len(_ATTRIBUTE):
            node.set(key.removesuffix(_ATTRIBUTE), str(to_strings(value).data.flat[0] or ""))
        elif key == "Text":
            node.text = str(to_strings(value).data.flat[0] or "")
        else:
            _write_element(node, key, value)


@builtin(
    "readstruct",
    reads_file=True,
    category=_FAMILY,
    signatures=("s = readstruct(file)", "s = readstruct(file, 'FileType', kind)"),
    cases=(
        "writestruct(struct('a', 1), 's.json'); readstruct('s.json').a == 1",
        "writestruct(struct('a', [1 2]), 's.xml'); isequal(readstruct('s.xml').a, [1 2])",
    ),
    see=("writestruct", "jsondecode", "xmlread"),
)
def readstruct(ctx: CallContext, name: Value, *args: Value) -> Value:
    """A struct from an XML or JSON file; texts are strings, attributes end in ``Attribute``."""
    kind = _kind(name, option_pairs("readstruct", args, "FileType"), "readstruct")
    text = delimited.file_text(name, "readstruct", "utf-8-sig")
    if kind == "json":
        try:
            return _strings(ctx.call("jsondecode", (text,), 1)[0])
        except MatlabError as problem:
            message = f"'{text_of(name)}' cannot be read: {problem.message}"
            raise MatlabError(problem.identifier, message) from problem
    try:
        root = ET.fromstring(text)  # noqa: S314 - expat follows no outside entities
    except ET.ParseError as problem:
        message = f"The file '{text_of(name)}' is not well-formed XML: {problem}."
        raise MatlabError("MATLAB:io:readstruct:InvalidXML", message) from None
    found = _element(root)
    return found if isinstance(found, Struct) else Struct({"Text": found})


@builtin(
    "writestruct",
    category=_FAMILY,
    signatures=("writestruct(s, file)", "writestruct(s, file, 'StructNodeName', name)"),
    cases=("writestruct(struct('b', \"x\"), 's.xml'); readstruct('s.xml').b == \"x\"",),
    see=("readstruct", "jsonencode"),
)
def writestruct(ctx: CallContext, s: Value, name: Value, *args: Value) -> None:
    """Write a struct as XML or JSON. Options: FileType, StructNodeName, PrettyPrint."""
    if not isinstance(s, Struct | StructArray):
        message = "The first input must be a struct."
        raise MatlabError("MATLAB:io:writestruct:InvalidStruct", message)
    options = option_pairs("writestruct", args, "FileType StructNodeName PrettyPrint")
    pretty = flag(options, "prettyprint", True)
    kind, path = _kind(name, options, "writestruct"), Path(text_of(name))
    if kind == "json":
        made = ctx.call("jsonencode", (s, "PrettyPrint", pretty), 1)[0]
        paths.put_whole(path, encoded(f"{text_of(made)}\n"))
        return
    root = ET.Element(text_of(options.get("structnodename", "struct")))
    for x in [s] if isinstance(s, Struct) else s.elements():
        _write_fields(root, x)
    if pretty:
        ET.indent(root, "    ")
    with paths.written_whole(path) as part:
        ET.ElementTree(root).write(part, encoding="utf-8", xml_declaration=True)
