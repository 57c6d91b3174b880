"""Small parts of panels, editors and dialogs: bars, labels, buttons, empty states."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.ui.support.icons import icon, pixmap
from app.ui.support.theme import theme_hub

BAR_HEIGHT = 32
GAP = 6


class EmptyState(QWidget):
    """What an empty panel says: what it will show, and what to do to see it."""

    def __init__(self, icon_name: str, title: str, text: str) -> None:
        super().__init__()
        self._icon_name = icon_name
        self._picture = QLabel(alignment=Qt.AlignmentFlag.AlignCenter)
        self.title_label = label(title, "empty-title")
        self.text_label = label(text, "empty-text")
        self._layout = layout = QVBoxLayout(self)
        layout.setSpacing(GAP)
        layout.addStretch(2)
        layout.addWidget(self._picture)
        for part in (self.title_label, self.text_label):
            part.setAlignment(Qt.AlignmentFlag.AlignCenter)
            part.setWordWrap(True)
            layout.addWidget(part)
        self._button: QPushButton | None = None
        layout.addStretch(3)
        theme_hub().changed.connect(self._repaint_icon)
        self._repaint_icon()

    def minimumSizeHint(self) -> QSize:
        """Words give way to what stands beside them."""
        return QSize(0, 0)

    def hasHeightForWidth(self) -> bool:
        """Lines that wrap ask for no more room, either."""
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little room only the words are shown."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Leave out the picture, then the title, rather than cut the words."""
        room = -1
        for across, down in ((24, 16), (8, 2)):
            if room < 0:
                width = max(1, self.width() - 2 * across)
                room = self.height() - 2 * down - self.text_label.heightForWidth(width)
                room -= self._button.sizeHint().height() + GAP if self._button else 0
                room -= self.title_label.heightForWidth(width) + GAP
                self._layout.setContentsMargins(across, down, across, down)
        self.title_label.setVisible(room >= 0)
        self._picture.setVisible(room >= self._picture.sizeHint().height() + GAP)

    def say(self, text: str, title: str = "") -> None:
        """Other words below the title, and another title where one is given."""
        title = title or self.title_label.text()
        if (title, text) != (self.title_label.text(), self.text_label.text()):
            self.title_label.setText(title)
            self.text_label.setText(text)
            self._fit()

    def offer(self, title: str, action: Callable[[], object]) -> None:
        """A button below the words."""
        self._button = QPushButton(title)
        self._button.clicked.connect(action)
        where, middle = self._layout.count() - 1, Qt.AlignmentFlag.AlignHCenter
        self._layout.insertWidget(where, self._button, 0, middle)

    def _repaint_icon(self) -> None:
        self._picture.setPixmap(pixmap(self._icon_name, "faint", 24, self.devicePixelRatioF()))


def put(part: QLabel, text: str) -> None:
    """Write what changes all the time; only what needs more room moves its neighbours."""
    if text == part.text():
        return
    part.setText(text)
    wanted = part.sizeHint()
    if wanted.width() > part.width() or part.minimumWidth() != part.maximumWidth():
        part.setFixedSize(max(wanted.width(), part.minimumWidth()), wanted.height())


class ElidedLabel(QLabel):
    """A label that shortens its text to the room there is, instead of clipping it."""

    def __init__(self, role: str = "") -> None:
        super().__init__()
        self.setProperty("role", role)
        self.setMinimumWidth(24)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw as much as fits, and an ellipsis."""
        painter = QPainter(self)
        text = self.fontMetrics().elidedText(self.text(), _ELIDE, self.width())
        painter.drawText(self.rect(), self.alignment() | Qt.AlignmentFlag.AlignVCenter, text)
        painter.end()


_ELIDE = Qt.TextElideMode.ElideRight


def label(text: str = "", role: str = "") -> QLabel:
    """A label in one of the roles of the style sheet."""
    result = QLabel(text)
    if role:
        result.setProperty("role", role)
    return result


class IconButton(QToolButton):
    """A quiet icon button for the bars of panels."""

    def __init__(self, icon_name: str, tip: str, action: Callable[[], object]) -> None:
        super().__init__()
        self._icon_name = icon_name
        self._action = action
        self.setObjectName("Small")
        self.setToolTip(tip)
        self.setAccessibleName(tip)
        self.setIconSize(QSize(16, 16))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.clicked.connect(self._run_action)
        theme_hub().changed.connect(self._tint)
        self._tint()

    def _run_action(self) -> None:
        self._action()

    def _tint(self) -> None:
        self.setIcon(icon(self._icon_name, "muted"))


class Switch(QFrame):
    """Small buttons of which one is chosen; ``choose`` gets its number."""

    def __init__(self, titles: Sequence[str], choose: Callable[[int], object]) -> None:
        super().__init__()
        self.setObjectName("LayoutSwitch")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._group = QButtonGroup(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(2, 2, 2, 2)
        row.setSpacing(2)
        for number, title in enumerate(titles):
            button = QToolButton()
            button.setText(title)
            button.setCheckable(True)
            button.setChecked(number == 0)
            button.setAccessibleName(title)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            self._group.addButton(button, number)
            row.addWidget(button)
        self._group.idClicked.connect(choose)

    def show_chosen(self, number: int) -> None:
        """Show which button is chosen, without choosing it; -1 for none of them."""
        self._group.setExclusive(False)
        for place, button in enumerate(self._group.buttons()):
            button.setChecked(place == number)
        self._group.setExclusive(True)

    def choose(self, number: int) -> None:
        """Press a button."""
        self._group.button(number).click()


def bar(*widgets: QWidget | None) -> QWidget:
    """A row of widgets above a panel's content; None is a stretch."""
    result = QWidget()
    result.setObjectName("PanelBar")
    result.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    layout = QHBoxLayout(result)
    layout.setContentsMargins(8, 4, 6, 4)
    layout.setSpacing(6)
    result.setMinimumHeight(BAR_HEIGHT)
    for widget in widgets:
        if widget is None:
            layout.addStretch(1)
        else:
            layout.addWidget(widget, 1 if isinstance(widget, ElidedLabel) else 0)
    return result


def padded_widget(widget: QWidget) -> QWidget:
    """A widget with the usual air around it."""
    result = QWidget()
    layout = QVBoxLayout(result)
    layout.setContentsMargins(10, 6, 10, 8)
    layout.addWidget(widget)
    return result


def beside(main: QWidget, *others: QWidget) -> QWidget:
    """Widgets beside each other without gaps; the first one takes the room."""
    result = QWidget()
    layout = QHBoxLayout(result)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(0)
    layout.addWidget(main, 1)
    for widget in others:
        layout.addWidget(widget)
    return result


def column(*widgets: QWidget, spacing: int = 0) -> QWidget:
    """Widgets below each other without gaps; the last one takes the room."""
    result = QWidget()
    layout = QVBoxLayout(result)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(spacing)
    for widget in widgets:
        layout.addWidget(widget)
    layout.setStretch(len(widgets) - 1, 1)
    return result
