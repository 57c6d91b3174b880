"""The controls of a figure: one widget over the canvas for each ``uicontrol`` and ``uipanel``."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QRectF, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QComboBox,
    QGroupBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QSlider,
    QWidget,
)

from app.engine.protocol import FigureInput
from app.ui.plots.figure_tables import make_table, set_table
from app.ui.plots.series_arrays import Exported
from app.ui.plots.style import Style, current_style, font, style_on

STEPS = 1000
LEAST_LETTERS = 9
"""Pixels: letters of controls shrink with their figure, but never below this."""
CONTROLS = frozenset(("uicontrol", "uipanel", "uitable"))
_TALL = frozenset(("pushbutton", "togglebutton", "checkbox", "radiobutton", "edit", "popupmenu"))
"""Controls that keep the height of their text when a figure is small."""
_BUTTONS = frozenset(("pushbutton", "togglebutton"))
_UNFRAMED = frozenset(("text", "checkbox", "radiobutton", "panel"))
"""Controls that show what is behind them."""
Told = Callable[[str, Any], None]
"""Takes the name of a property and its new value."""
_ALIGN = {
    "left": Qt.AlignmentFlag.AlignLeft,
    "right": Qt.AlignmentFlag.AlignRight,
    "center": Qt.AlignmentFlag.AlignHCenter,
}


class ControlLayer(QObject):
    """The widgets of one figure.

    Attributes:
        acted: carries a ``FigureInput``.
        widgets: by the ids of their objects.
    """

    acted = Signal(object)

    def __init__(self, holder: QWidget) -> None:
        super().__init__(holder)
        self._holder = holder
        self._models: dict[int, Exported] = {}
        self._full_size = 1.0, 1.0
        self._sheets: dict[int, Callable[[float], str]] = {}
        self._scale = 0.0
        self._focus_policies: dict[int, Qt.FocusPolicy] = {}
        self.widgets: dict[int, QWidget] = {}

    def show_model(self, figure: Exported, style: Style) -> None:
        """Show the controls of a figure's state."""
        wanted = {child["id"]: child for child in figure["children"] if child["kind"] in CONTROLS}
        for number in set(self.widgets) - set(wanted):
            gone = self.widgets.pop(number)
            gone.hide()
            gone.deleteLater()
        for number, model in wanted.items():
            before = self._models.get(number)
            if number in self.widgets and before is not None and _style(before) != _style(model):
                self.widgets.pop(number).deleteLater()
            if number not in self.widgets:
                self.widgets[number] = self._make(figure["number"], model)
            self._update(self.widgets[number], model)
        self._models = wanted
        self._full_size = figure["Position"][2:4]
        self._sheets = {n: partial(_sheet, model, style) for n, model in wanted.items()}
        self._scale = 0.0  # sheets are set anew
        self.place()

    def place(self) -> None:
        """Give every widget its part of the figure, and letters that are as small as the figure."""
        width, height = self._holder.width(), self._holder.height()
        scale = min(1.0, width / self._full_size[0], height / self._full_size[1])
        if scale != self._scale:
            self._scale = scale
            for number, widget in self.widgets.items():
                widget.setStyleSheet(self._sheets[number](scale))
        for number, widget in self.widgets.items():
            left, bottom, across, up = self._models[number]["frame"]
            place = QRectF(left * width, (1 - bottom - up) * height, across * width, up * height)
            least = widget.minimumSizeHint()
            if _style(self._models[number]) in _TALL and place.height() < least.height():
                place.setTop(max(0.0, place.bottom() - least.height()))
            widget.setGeometry(place.toRect())

    def _make(self, figure: int, model: Exported) -> QWidget:
        number = model["id"]

        def tell(name: str, value: Any) -> None:
            self.acted.emit(FigureInput(figure, "control", number, (name, value)))

        maker = _MAKERS.get(_style(model), _button)
        made = maker(model, tell)
        self._focus_policies[number] = made.focusPolicy()
        made.setParent(self._holder)
        return made

    def _update(self, widget: QWidget, model: Exported) -> None:
        with QSignalBlocker(widget):
            _UPDATES[_style(model)](widget, model) if _style(model) in _UPDATES else None
        widget.setVisible(bool(model["Visible"]))
        if model["kind"] != "uipanel":
            widget.setEnabled(model["Enable"] != "off")
            shown_only = model["Enable"] == "inactive"
            widget.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, shown_only)
            widget.setFocusPolicy(
                Qt.FocusPolicy.NoFocus if shown_only else self._focus_policies[model["id"]]
            )
            widget.setToolTip(model["TooltipString"])


def _sheet(model: Exported, style: Style, scale: float) -> str:
    """The style sheet of a control: its letters stand out from what is behind them."""
    own, ink = model["BackgroundColor"], model["ForegroundColor"]
    paper = own if isinstance(own, tuple) else model["paper"]
    if isinstance(own, tuple) or _style(model) in _UNFRAMED:
        style = style_on(style, paper)
    else:
        style = current_style()  # the window paints what is behind it
    sheet = []
    if isinstance(own, tuple):
        sheet.append(f"background-color: {QColor.fromRgbF(*own[:3]).name()}")
    if isinstance(ink, tuple) or style is not current_style():
        sheet.append(f"color: {style.color(ink).name()}")
    letters = font(model["FontSize"] * 0.9, bold=model["FontWeight"] == "bold")
    full = letters.pixelSize()
    pixels = max(min(full, LEAST_LETTERS), round(scale * full))
    sheet.append(f"font: {letters.weight().value} {pixels}px")
    if _style(model) in _BUTTONS:
        sheet.append("padding: 0px 2px")  # theirs is for dialogs: words were cut off
    return "; ".join(sheet)


def _style(model: Exported) -> str:
    if model["kind"] != "uicontrol":
        return "panel" if model["kind"] == "uipanel" else "table"
    kind = str(model["Style"]).lower()
    return "editor" if kind == "edit" and model["Max"] - model["Min"] > 1 else kind


def _value(model: Exported) -> float:
    return float(model["value"][0]) if model["value"] else 0.0


# --- making -------------------------------------------------------------------------------


def _button(model: Exported, tell: Told) -> QWidget:
    made = QPushButton()
    made.clicked.connect(lambda: tell("Value", 1.0))
    return made


def _toggle(model: Exported, tell: Told) -> QWidget:
    makers: dict[str, type[QAbstractButton]] = {
        "checkbox": QCheckBox,
        "radiobutton": QRadioButton,
    }
    made: QAbstractButton = makers.get(_style(model), QPushButton)()
    made.setCheckable(True)
    made.clicked.connect(lambda on: tell("Value", float(model["Max"] if on else model["Min"])))
    return made


def _edit(model: Exported, tell: Told) -> QWidget:
    made = QLineEdit()
    made.editingFinished.connect(lambda: tell("String", made.text()))
    return made


def _editor(model: Exported, tell: Told) -> QWidget:
    made = QPlainTextEdit()
    made.textChanged.connect(lambda: tell("String", made.toPlainText()))
    return made


def _slider(model: Exported, tell: Told) -> QWidget:
    upright = model["frame"][3] > model["frame"][2]
    made = QSlider(Qt.Orientation.Vertical if upright else Qt.Orientation.Horizontal)
    made.setRange(0, STEPS)

    def moved(step: int) -> None:
        low, high = model["Min"], model["Max"]
        tell("Value", float(low + (high - low) * step / STEPS))

    made.valueChanged.connect(moved)
    return made


def _popup(model: Exported, tell: Told) -> QWidget:
    made = QComboBox()
    made.activated.connect(lambda place: tell("Value", float(place + 1)))
    return made


def _list(model: Exported, tell: Told) -> QWidget:
    made = QListWidget()
    if model["Max"] - model["Min"] > 1:
        made.setSelectionMode(QListWidget.SelectionMode.ExtendedSelection)

    def changed() -> None:
        rows = sorted(made.row(item) + 1.0 for item in made.selectedItems())
        tell("Value", tuple(rows) if len(rows) != 1 else rows[0])

    made.itemSelectionChanged.connect(changed)
    return made


def _text(model: Exported, tell: Told) -> QWidget:
    made = QLabel()
    made.setWordWrap(True)
    return made


def _panel(model: Exported, tell: Told) -> QWidget:
    return QGroupBox()


_MAKERS: dict[str, Callable[[Exported, Told], QWidget]] = {
    "pushbutton": _button,
    "togglebutton": _toggle,
    "checkbox": _toggle,
    "radiobutton": _toggle,
    "edit": _edit,
    "editor": _editor,
    "slider": _slider,
    "popupmenu": _popup,
    "listbox": _list,
    "text": _text,
    "panel": _panel,
    "frame": _panel,
    "table": make_table,
}


# --- updating -----------------------------------------------------------------------------


def _set_text(widget: Any, model: Exported) -> None:
    widget.setText("\n".join(model["texts"]))
    if _style(model) == "text":
        widget.setAlignment(
            _ALIGN.get(model["HorizontalAlignment"], _ALIGN["center"]) | Qt.AlignmentFlag.AlignTop
        )


def _set_checked(widget: Any, model: Exported) -> None:
    _set_text(widget, model)
    widget.setChecked(_value(model) == model["Max"])


def _set_editor(widget: Any, model: Exported) -> None:
    text = "\n".join(model["texts"])
    if widget.toPlainText() != text:
        widget.setPlainText(text)


def _set_slider(widget: Any, model: Exported) -> None:
    low, high = model["Min"], model["Max"]
    widget.setValue(round(STEPS * (_value(model) - low) / ((high - low) or 1.0)))


def _set_popup(widget: Any, model: Exported) -> None:
    texts = [part for text in model["texts"] for part in text.split("|")]
    if [widget.itemText(k) for k in range(widget.count())] != texts:
        widget.clear()
        widget.addItems(texts)
    widget.setCurrentIndex(int(_value(model)) - 1)


def _set_list(widget: Any, model: Exported) -> None:
    if [widget.item(k).text() for k in range(widget.count())] != list(model["texts"]):
        widget.clear()
        widget.addItems(list(model["texts"]))
    chosen = {int(value) - 1 for value in model["value"]}
    for row in range(widget.count()):
        widget.item(row).setSelected(row in chosen)


def _set_panel(widget: Any, model: Exported) -> None:
    widget.setTitle(model.get("Title", ""))
    widget.lower()


_UPDATES: dict[str, Callable[[Any, Exported], None]] = {
    "pushbutton": _set_text,
    "togglebutton": _set_checked,
    "checkbox": _set_checked,
    "radiobutton": _set_checked,
    "edit": _set_text,
    "editor": _set_editor,
    "slider": _set_slider,
    "popupmenu": _set_popup,
    "listbox": _set_list,
    "text": _set_text,
    "panel": _set_panel,
    "frame": _set_panel,
    "table": set_table,
}
