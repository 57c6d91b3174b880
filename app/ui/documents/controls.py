"""Controls that stand for literals of the code: what moves one edits the text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from functools import partial

from PySide6.QtCore import QDate, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QContextMenuEvent, QMouseEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QColorDialog,
    QComboBox,
    QDateEdit,
    QDoubleSpinBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLayoutItem,
    QLineEdit,
    QMenu,
    QPushButton,
    QSlider,
    QStyle,
    QStyleOptionSlider,
    QWidget,
)

from app.engine.livecode.appendix import texts_in
from app.engine.livecode.document import Control
from app.ui.widgets.panel_parts import put

STEPS = 1000
"""Steps of a slider that says none."""
MOST_STEPS = 1_000_000
LARGEST = 1e100
"""What controls take for a number."""
Face = Callable[[Control, str, "Given"], QWidget]


def number_text(value: float) -> str:
    """A number as a literal."""
    return f"{value:.12g}"


def number_of(literal: str, otherwise: float = 0.0) -> float:
    """The number that a literal is; ``otherwise`` where it is none that has an end."""
    try:
        found = float(literal.strip())
    except ValueError:
        return otherwise
    return found if abs(found) <= LARGEST else otherwise


def quoted(text: str) -> str:
    """A text as a literal."""
    return '"' + text.replace('"', '""') + '"'


def unquoted(literal: str) -> str:
    """The text that a literal is; itself where it is none."""
    literal = literal.strip()
    for mark in ("'", '"'):
        if len(literal) > 1 and literal[0] == literal[-1] == mark:
            return literal[1:-1].replace(mark * 2, mark)
    return literal


class Given:
    """Takes what somebody chose.

    Args:
        tell: gets the literal, and whether the hand still moves.
    """

    def __init__(self, tell: Callable[[str, bool], None]) -> None:
        self.tell = tell
        self.quiet = False

    def give(self, literal: str, *, moving: bool = False) -> None:
        """A literal was chosen."""
        if not self.quiet:
            self.tell(literal, moving)


def _limits(control: Control) -> tuple[float, float, float]:
    data = control.data
    low = number_of(str(data.get("min", 0)))
    high = number_of(str(data.get("max", 100)), 100.0)
    high = high if high > low else low + 1
    step = number_of(str(data.get("step", 0)))
    is_sensible = step > 0 and (high - low) / step <= MOST_STEPS
    return low, high, step if is_sensible else (high - low) / STEPS


class _Track(QSlider):
    """A slider whose handle comes to where it is pressed, and can be dragged from there."""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Bring the handle below the pointer; the slider itself then takes hold of it."""
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        control, part = QStyle.ComplexControl.CC_Slider, QStyle.SubControl.SC_SliderHandle
        handle = self.style().subControlRect(control, option, part, self)
        spot = event.position().toPoint()
        if event.button() == Qt.MouseButton.LeftButton and not handle.contains(spot):
            room, at = self.width() - handle.width(), spot.x() - handle.width() // 2
            self.setSliderDown(True)
            self.setValue(QStyle.sliderValueFromPosition(self.minimum(), self.maximum(), at, room))
        super().mousePressEvent(event)


class _Slider(QWidget):
    """A slider with its value beside it."""

    def __init__(self, control: Control, literal: str, given: Given, least: int = 180) -> None:
        super().__init__()
        self._low, self._high, self._step = _limits(control)
        self._given = given
        self.slider = _Track(Qt.Orientation.Horizontal)
        self.slider.setRange(0, max(1, round((self._high - self._low) / self._step)))
        self.slider.setPageStep(max(1, self.slider.maximum() // 10))
        self.slider.setMinimumWidth(least)
        self.slider.setAccessibleName(str(control.data.get("label") or control.kind))
        self._value = QLabel()
        self._value.setMinimumWidth(52)
        _in_a_row(self, self.slider, self._value)
        self.take(literal)
        self.slider.valueChanged.connect(self._on_value)
        self.slider.sliderReleased.connect(self._on_released)

    def take(self, literal: str) -> None:
        """Show a literal, unless somebody holds the handle."""
        value = number_of(literal, self._low)
        if not self.slider.isSliderDown():
            inside = min(max(value, self._low), self._high)
            self.slider.setValue(round((inside - self._low) / self._step))
            put(self._value, literal.strip())

    def _literal(self) -> str:
        return number_text(min(self._high, self._low + self.slider.value() * self._step))

    def _on_value(self) -> None:
        put(self._value, self._literal())
        self._given.give(self._literal(), moving=self.slider.isSliderDown())

    def _on_released(self) -> None:
        self._given.give(self._literal())


class _RangeSlider(QWidget):
    """Two sliders for the ends of a range."""

    def __init__(self, control: Control, literal: str, given: Given) -> None:
        super().__init__()
        self._given = given
        self._ends = ["0", "0"]
        self._sliders = [
            _Slider(control, "0", Given(partial(self._on_end, place)), least=90) for place in (0, 1)
        ]
        _in_a_row(self, *self._sliders)
        self.take(literal)

    def take(self, literal: str) -> None:
        """Show a literal such as ``[1 5]``."""
        found = re.findall(r"[-+.\w]+", literal)
        self._ends = [*found, "0", "0"][:2]
        given, self._given = self._given, Given(lambda _text, _moving: None)
        for slider, end in zip(self._sliders, self._ends, strict=True):
            slider.take(end)
        self._given = given

    def _on_end(self, place: int, text: str, moving: bool) -> None:
        self._ends[place] = text
        low, high = sorted(self._ends, key=number_of)
        self._given.give(f"[{low} {high}]", moving=moving)


def _spinner(control: Control, literal: str, given: Given) -> QWidget:
    made = QDoubleSpinBox()
    low, high, step = _limits(control)
    made.setRange(low, high)
    made.setSingleStep(step)
    made.setDecimals(
        0 if step == round(step) else min(9, max(1, len(f"{step:.9f}".rstrip("0")) - 2))
    )
    made.setKeyboardTracking(False)
    made.lineEdit().setTextMargins(6, 0, 0, 0)  # the style sheet's padding does not reach it
    made.setValue(number_of(literal, low))
    made.valueChanged.connect(lambda value: given.give(number_text(value)))
    return made


def _edit_field(control: Control, literal: str, given: Given) -> QWidget:
    is_text = str(control.data.get("valueType", "")).lower() in ("string", "char", "text")
    is_text = is_text or literal.strip()[:1] in ('"', "'")
    made = QLineEdit(unquoted(literal) if is_text else literal.strip())
    made.setMinimumWidth(120)

    def give() -> None:
        if made.isModified():
            made.setModified(False)
            text = made.text()
            mark = literal.strip()[:1]
            if is_text and mark == "'":
                given.give("'" + text.replace("'", "''") + "'")
            else:
                given.give(quoted(text) if is_text else text.strip() or "[]")

    made.editingFinished.connect(give)
    return made


def _drop_down(control: Control, literal: str, given: Given) -> QWidget:
    made = QComboBox()
    items = texts_in(control.data, "items")
    labels = texts_in(control.data, "itemLabels")
    for number, item in enumerate(items):
        made.addItem(labels[number] if number < len(labels) else unquoted(item), item)
    here = next((n for n, item in enumerate(items) if item.strip() == literal.strip()), -1)
    if here < 0:
        made.addItem(unquoted(literal), literal.strip())
        here = made.count() - 1
    made.setCurrentIndex(here)
    made.activated.connect(lambda number: given.give(str(made.itemData(number))))
    return made


def _check_box(_control: Control, literal: str, given: Given) -> QWidget:
    made = QCheckBox()
    made.setChecked(literal.strip() in ("true", "1"))
    made.toggled.connect(lambda on: given.give("true" if on else "false"))
    return made


def _button(control: Control, literal: str, given: Given) -> QWidget:
    made = QPushButton(str(control.data.get("label") or "Run"))
    made.clicked.connect(lambda: given.give(literal))
    return made


def _state_button(control: Control, literal: str, given: Given) -> QWidget:
    made = QPushButton(str(control.data.get("label") or "On"))
    made.setCheckable(True)
    made.setChecked(literal.strip() in ("true", "1"))
    made.toggled.connect(lambda on: given.give("true" if on else "false"))
    return made


def _colour_picker(_control: Control, literal: str, given: Given) -> QWidget:
    found = [min(1.0, max(0.0, number_of(part))) for part in re.findall(r"[\d.eE-]+", literal)]
    colour = QColor.fromRgbF(*found[:3]) if len(found) >= 3 else QColor(literal.strip("'\""))
    made = QPushButton()
    made.setFixedWidth(44)
    made.setAccessibleName("Colour")
    made.setStyleSheet(f"background: {colour.name()};")

    def choose() -> None:
        chosen = QColorDialog.getColor(colour, made, "Colour")
        if chosen.isValid():
            parts = (chosen.redF(), chosen.greenF(), chosen.blueF())
            given.give("[" + " ".join(f"{part:.4g}" for part in parts) + "]")

    made.clicked.connect(choose)
    return made


def _today() -> date:
    return datetime.now(tz=UTC).date()


def _date_picker(_control: Control, literal: str, given: Given) -> QWidget:
    made = QDateEdit()
    made.setCalendarPopup(True)
    made.setDisplayFormat("yyyy-MM-dd")
    parts = [int(part) for part in re.findall(r"\d+", literal)[:3]]
    try:
        there = date(*parts) if len(parts) == 3 else _today()
    except (ValueError, OverflowError):
        there = _today()
    made.setDate(QDate(there.year, there.month, there.day))
    made.dateChanged.connect(
        lambda to: given.give(f"datetime({to.year()},{to.month()},{to.day()})")
    )
    return made


def _file_browser(control: Control, literal: str, given: Given) -> QWidget:
    made = QPushButton(unquoted(literal) or "Choose…")
    folder = str(control.data.get("browserType", "File")).lower() == "folder"

    def choose() -> None:
        if folder:
            path = QFileDialog.getExistingDirectory(made, "Folder", unquoted(literal))
        else:
            path, _ = QFileDialog.getOpenFileName(made, "File", unquoted(literal))
        if path:
            given.give(quoted(path))

    made.clicked.connect(choose)
    return made


TITLES = {
    "slider": "Slider",
    "spinner": "Spinner",
    "editfield": "Edit Field",
    "dropdown": "Drop-Down",
    "checkbox": "Check Box",
    "statebutton": "State Button",
    "button": "Button",
    "filebrowser": "File Browser",
    "colorpicker": "Colour Picker",
    "datepicker": "Date Picker",
    "rangeslider": "Range Slider",
}
FACES: dict[str, Face] = {
    "slider": _Slider,
    "rangeslider": _RangeSlider,
    "spinner": _spinner,
    "editfield": _edit_field,
    "dropdown": _drop_down,
    "checkbox": _check_box,
    "button": _button,
    "statebutton": _state_button,
    "colorpicker": _colour_picker,
    "datepicker": _date_picker,
    "filebrowser": _file_browser,
}
"""What shows each kind of control."""
NAMED_BY_THEMSELVES = ("button", "statebutton")


class ControlFace(QWidget):
    """One control with its label; the menu configures and removes it."""

    changed = Signal(object, str, bool)
    configure_wanted = Signal(object)
    remove_wanted = Signal(object)

    def __init__(self, control: Control, literal: str) -> None:
        super().__init__()
        self.control = control
        self.given = Given(self._on_given)
        kind = control.kind.lower()  # MATLAB writes datePicker
        self.face = FACES.get(kind, _edit_field)(control, literal, self.given)
        words = self.words = QLabel(str(control.data.get("label") or _name(control, literal)))
        words.setProperty("role", "muted")
        words.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        words.setVisible(kind not in NAMED_BY_THEMSELVES)
        self.face.setAccessibleName(words.text() or control.kind)
        _in_a_row(self, words, self.face)
        for part in (self.face, *self.face.findChildren(QWidget)):  # fields have menus of their own
            part.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)

    def take(self, control: Control, literal: str) -> bool:
        """Show another literal of the same control; False where a new face is needed."""
        self.control = control
        if not isinstance(self.face, _Slider | _RangeSlider):
            return False
        self.given.quiet = True
        self.face.take(literal)
        self.given.quiet = False
        return True

    def _on_given(self, literal: str, moving: bool) -> None:
        self.changed.emit(self.control, literal, moving)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Configure or remove it."""
        menu = QMenu(self)
        menu.addAction("Configure Control…", lambda: self.configure_wanted.emit(self.control))
        menu.addAction("Remove Control", lambda: self.remove_wanted.emit(self.control))
        menu.exec(event.globalPos())
        menu.deleteLater()


def _name(control: Control, _literal: str) -> str:
    return str(control.data.get("name") or "")


class ControlStrip(QWidget):
    """The controls of one cell, in rows as wide as there is room."""

    changed = Signal(object, str, bool)
    configure_wanted = Signal(object)
    remove_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("DocumentControls")
        self._flow = FlowLayout(self)
        self.faces: list[ControlFace] = []

    def show_controls(self, controls: tuple[tuple[Control, str], ...]) -> None:
        """Show these controls with their literals; what can stay stays."""
        keys = [(control.kind, control.id) for control, _ in controls]
        if keys == [(face.control.kind, face.control.id) for face in self.faces]:
            for place, (control, literal) in enumerate(controls):
                face = self.faces[place]
                if face.control.data == control.data and face.take(control, literal):
                    continue
                if face.isAncestorOf(self.focusWidget() or self):
                    continue  # somebody is choosing there
                self._replace(place, control, literal)
            return
        for face in self.faces:
            self._drop(face)
        self.faces = [self._new_face(control, literal) for control, literal in controls]
        self._fill()

    def _fill(self) -> None:
        """Lay the controls out anew; one that comes into a strip on the screen has its place at
        once."""
        for face in self.faces:
            self._flow.removeWidget(face)
        for face in self.faces:
            self._flow.addWidget(face)
            face.show()
        self._align()

    def _align(self) -> None:
        """Controls below each other begin below each other: their labels, which end at the control,
        are as wide as the widest one."""
        named = [face.words for face in self.faces if face.words.text()]
        widest = max((words.sizeHint().width() for words in named), default=0)
        for words in named:
            words.setMinimumWidth(widest)

    def heightForWidth(self, width: int) -> int:
        """The height of all rows at this width."""
        return self._flow.heightForWidth(width)

    def _replace(self, place: int, control: Control, literal: str) -> None:
        self._drop(self.faces[place])
        self.faces[place] = self._new_face(control, literal)
        self._fill()

    def _new_face(self, control: Control, literal: str) -> ControlFace:
        made = ControlFace(control, literal)
        made.changed.connect(self.changed)
        made.configure_wanted.connect(self.configure_wanted)
        made.remove_wanted.connect(self.remove_wanted)
        return made

    def _drop(self, face: ControlFace) -> None:
        self._flow.removeWidget(face)
        face.hide()
        face.deleteLater()


class FlowLayout(QLayout):
    """Widgets in rows, as many in each as fit."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setContentsMargins(2, 2, 2, 2)
        self._items: list[QLayoutItem] = []

    def addItem(self, item: QLayoutItem) -> None:
        """Add one more."""
        self._items.append(item)

    def count(self) -> int:
        """How many there are."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """One of them."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Take one out."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def sizeHint(self) -> QSize:
        """One row."""
        return QSize(300, self.heightForWidth(600))

    def hasHeightForWidth(self) -> bool:
        """Narrow rows need more height."""
        return True

    def heightForWidth(self, width: int) -> int:
        """The height of all rows."""
        return max((area.bottom() for _, area in self._places(width)), default=-1) + 3

    def setGeometry(self, area: QRect) -> None:
        """Give everything its place."""
        super().setGeometry(area)
        for item, place in self._places(area.width()):
            item.setGeometry(place.translated(area.topLeft()))

    def _places(self, width: int) -> Iterator[tuple[QLayoutItem, QRect]]:
        row: list[tuple[QLayoutItem, QRect]] = []
        across, down = 2, 2
        for item in self._items:
            size = item.sizeHint()
            size.setWidth(min(size.width(), max(width - 4, item.minimumSize().width())))
            if row and across + size.width() > width:
                yield from _centred_in_row(row)
                across, down = 2, down + max(area.height() for _, area in row) + 6
                row = []
            row.append((item, QRect(QPoint(across, down), size)))
            across += size.width() + 22
        yield from _centred_in_row(row)


def _centred_in_row(row: list[tuple[QLayoutItem, QRect]]) -> Iterator[tuple[QLayoutItem, QRect]]:
    """The widgets of one row with their middles on one line."""
    high = max((area.height() for _, area in row), default=0)
    for item, area in row:
        yield item, area.translated(0, (high - area.height()) // 2)


def _in_a_row(holder: QWidget, *widgets: QWidget) -> None:
    layout = QHBoxLayout(holder)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(8)
    for widget in widgets:
        layout.addWidget(widget)
