"""Controls and stored outputs of ``.mlx`` files, as the plain-text form has them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from xml.etree import ElementTree as ET

from app.engine.livecode.appendix import Data
from app.records import record

_KINDS = {
    "editField": "editfield",
    "slider": "slider",
    "comboBox": "dropdown",
    "checkBox": "checkbox",
    "button": "button",
}
_NAMES = {
    "text": "label",
    "executionModel": "run",
    "executionOn": "runOn",
    "minimum": "min",
    "maximum": "max",
}
_LEFT_OUT = ("value", "items", "linkedVariable")


@record
class FoundControl:
    """A control of a paragraph of code.

    Attributes:
        kind: as the plain-text form calls it.
        line: of the paragraph, from 0.
        first: the first column of its literal, from 1.
        last: the column behind it.
        data: of its entry in the appendix.
    """

    kind: str
    line: int
    first: int
    last: int
    data: Data


def control_of(attributes: Mapping[str, str]) -> FoundControl | None:
    """The control that these attributes describe; None where they do not fit together."""
    try:
        context = json.loads(attributes.get("context", ""))
        line, last_line = (int(attributes[f"{end}OffsetLine"]) for end in ("start", "end"))
        first, last = (int(attributes[f"{end}Column"]) for end in ("start", "end"))
    except (ValueError, KeyError, RecursionError):
        return None
    if not isinstance(context, dict) or line != last_line or not 0 <= first < last or line < 0:
        return None
    name = attributes.get("className", "").removesuffix("ControlNode").lower()
    kind = _KINDS.get(str(context.get("type"))) or name or str(context.get("type", "")).lower()
    held = context.get("data")
    if not kind.isalnum() or not isinstance(held, dict):
        return None
    data: dict[str, object] = {
        _NAMES.get(str(key), str(key)): value
        for key, value in held.items()
        if key not in _LEFT_OUT and not key.endswith("LinkedVariable")
    }
    if isinstance(held.get("items"), list):
        data["items"] = [
            str(item.get("value", "")) if isinstance(item, dict) else str(item)
            for item in held["items"]
        ]
    return FoundControl(kind, line, first + 1, last + 1, data)


def output_of(node: ET.Element) -> Data | None:
    """A stored output as the plain-text form has it; None for one it has no form for."""
    text = node.findtext("outputData/text") or ""
    name = node.findtext("outputData/name") or "ans"
    value = node.findtext("outputData/value") or ""
    header = (node.findtext("outputData/header") or "").strip()
    named = {"name": name, **({"header": header} if header else {})}
    match node.findtext("type"):
        case "text":
            return {"dataType": "text", "outputData": {"text": text, "truncated": False}}
        case "warning" | "error" as kind:
            return {"dataType": kind, "outputData": {"text": text}}
        case "figure":
            uri = node.findtext("outputData/figureUri") or ""
            return {"dataType": "image", "outputData": {"dataUri": uri}} if uri else None
        case "variable" | "variableString":
            return {"dataType": "textualVariable", "outputData": {**named, "value": value}}
        case "matrix":
            return _matrix(node, named, value)
        case _:
            return None


def _matrix(node: ET.Element, named: dict[str, str], value: str) -> Data:
    try:
        cells = json.loads(node.findtext("outputData/savedData") or "")
        rows, columns = (int(node.findtext(f"outputData/{n}") or "") for n in ("rows", "columns"))
    except (ValueError, RecursionError):
        return {"dataType": "textualVariable", "outputData": {**named, "value": value}}
    kind = node.findtext("outputData/type") or "double"
    held = {**named, "rows": rows, "columns": columns, "type": kind, "value": cells}
    return {"dataType": "matrix", "outputData": held}
