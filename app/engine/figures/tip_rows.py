"""What data tips say of the points of a chart: ``h.DataTipTemplate`` and its rows."""

from __future__ import annotations

from collections.abc import Iterator

from app.engine.figures.objects import GraphicsObject
from app.engine.figures.properties import SIZE, choice
from app.engine.figures.rulers import Alias
from app.engine.figures.series_data import data_of
from app.engine.values import (
    EMPTY,
    DeviceArray,
    ObjectArray,
    ObjectValue,
    Value,
    is_numeric_like,
    is_text_scalar,
    numel,
    text_of,
    texts_of,
)
from app.errors import MatlabError

ROW = "dataTipTextRow"
"""The class of rows, which is written in MATLAB's language."""
_LOOKS = {
    "interpreter": (choice("tex", "latex", "none"), "tex"),
    "fontsize": (SIZE, 10.0),
}
_KEPT = "TipTemplate"


class TipTemplate(Alias):
    """The rows of a chart's data tips, and how they are written; kept with the chart."""

    class_name = "matlab.graphics.datatip.DataTipTemplate"

    def _name(self, name: str) -> str:
        lower = name.lower()
        if lower != "datatiprows" and lower not in _LOOKS:
            raise self.axes.unknown(f"DataTipTemplate.{name}")
        return lower

    def get(self, name: str) -> Value:
        """The rows, which may be changed one by one, or a look."""
        name = self._name(name)
        kept: dict[str, Value] = self.axes.values.setdefault(_KEPT, {})
        if name in _LOOKS:
            return kept.get(name, _LOOKS[name][1])
        self.axes.touch()
        return kept.setdefault(name, _usual_rows(self.axes))

    def set(self, name: str, value: Value) -> None:
        """Other rows, or another look."""
        name = self._name(name)
        if name in _LOOKS:
            value = _LOOKS[name][0].parse(value)
        elif any(row.class_info.name != ROW for row in _rows(value)):
            text = f"DataTipRows must be rows that {ROW} makes."
            raise MatlabError("MATLAB:hg:InvalidPropertyValue", text)
        self.axes.values.setdefault(_KEPT, {})[name] = value
        self.axes.touch()


def template_of(item: GraphicsObject) -> Value:
    """``h.DataTipTemplate``."""
    item.full_name("DataTipTemplate")
    return TipTemplate(item)


def keep_template(item: GraphicsObject, value: Value) -> None:
    """The last step of ``h.DataTipTemplate.FontSize = 8``: the size is already set."""
    item.full_name("DataTipTemplate")
    if not isinstance(value, TipTemplate):
        text = "DataTipTemplate cannot be replaced: change its DataTipRows."
        raise MatlabError("MATLAB:class:SetProhibited", text)


def _usual_rows(item: GraphicsObject) -> Value:
    """A row for every coordinate."""
    context = item.owner.inputs.context
    letters = [x for x in "XYZ" if item.has(f"{x}Data") and item[f"{x}Data"] is not None]
    if context is None or not letters:
        return EMPTY
    made = [context.call(ROW, (letter, f"{letter}Data"))[0] for letter in letters]
    return context.call("vertcat", tuple(made))[0]


def _rows(value: Value) -> Iterator[ObjectValue]:
    if isinstance(value, ObjectArray):
        yield from value.data.ravel(order="F")
    elif isinstance(value, ObjectValue):
        yield value
    elif numel(value):
        raise MatlabError(
            "MATLAB:hg:InvalidPropertyValue", f"DataTipRows must be rows that {ROW} makes."
        )


def tips_of(item: GraphicsObject) -> dict[str, object] | None:
    """The rows with what they are made from, and their look; None where a chart has the usual
    ones."""
    kept = item.values.get(_KEPT)
    if kept is None:
        return None
    rows = [_row(item, row) for row in _rows(kept["datatiprows"])] if "datatiprows" in kept else []
    return {"rows": rows} | {n: kept.get(n, usual) for n, (_kind, usual) in _LOOKS.items()}


def _row(item: GraphicsObject, row: ObjectValue) -> dict[str, object]:
    """The label, the format, and ``name`` of a property, ``data``, or ``texts``."""
    found = {n: row.properties[n] for n in ("Label", "Value", "Format")}
    made: dict[str, object] = {"label": text_of(found["Label"]), "format": text_of(found["Format"])}
    value = found["Value"]
    if is_text_scalar(value):
        return made | {"name": text_of(value)}
    context = item.owner.inputs.context
    if context is not None and (isinstance(value, DeviceArray) or is_numeric_like(value)):
        return made | {"data": data_of(context, value).export()}
    texts = value if context is None else context.call("cellstr", (value,))[0]
    return made | {"texts": texts_of(texts)}
