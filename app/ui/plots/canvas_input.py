"""Clicks, keys, moves and controls of a figure, told to the script that wants to hear of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence

from app.engine.protocol import FigureInput
from app.ui.plots.data_tip import series_at

if TYPE_CHECKING:
    from app.ui.plots.canvas import FigureCanvas

_PRESSES = frozenset(("picking", "ButtonDownFcn", "WindowButtonDownFcn", "WindowButtonUpFcn"))
_TAKEN = frozenset(("picking", "WindowButtonDownFcn", "WindowButtonMotionFcn"))
"""Who hears of these drags the mouse itself: the axes stay where they are."""
_KEYS = {
    Qt.Key.Key_Return: "return",
    Qt.Key.Key_Enter: "return",
    Qt.Key.Key_Escape: "escape",
    Qt.Key.Key_Space: "space",
    Qt.Key.Key_Left: "leftarrow",
    Qt.Key.Key_Right: "rightarrow",
    Qt.Key.Key_Up: "uparrow",
    Qt.Key.Key_Down: "downarrow",
    Qt.Key.Key_Tab: "tab",
    Qt.Key.Key_Backspace: "backspace",
    Qt.Key.Key_Delete: "delete",
    Qt.Key.Key_Home: "home",
    Qt.Key.Key_End: "end",
    Qt.Key.Key_PageUp: "pageup",
    Qt.Key.Key_PageDown: "pagedown",
    Qt.Key.Key_Shift: "shift",
    Qt.Key.Key_Control: "control",
    Qt.Key.Key_Alt: "alt",
}
_CHARACTERS = {
    Qt.Key.Key_Left: chr(28),
    Qt.Key.Key_Right: chr(29),
    Qt.Key.Key_Up: chr(30),
    Qt.Key.Key_Down: chr(31),
    Qt.Key.Key_Delete: chr(127),
}
"""Characters of keys without text: games compare ``CurrentCharacter`` with 28 to 31."""
_MODIFIERS = (
    (Qt.KeyboardModifier.ShiftModifier, "shift"),
    (Qt.KeyboardModifier.ControlModifier, "control"),
    (Qt.KeyboardModifier.AltModifier, "alt"),
)


def key_name(event: QKeyEvent) -> str:
    """What MATLAB calls a key."""
    named = _KEYS.get(Qt.Key(event.key()))
    return named or QKeySequence(event.key()).toString().lower()


class CanvasInput(QObject):
    """Watches the canvas of one figure.

    Attributes:
        acted: carries a ``FigureInput``.
    """

    acted = Signal(object)

    def __init__(self, canvas: FigureCanvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        canvas.viewport().installEventFilter(self)
        canvas.installEventFilter(self)

    @property
    def _wants(self) -> frozenset[str]:
        return frozenset(self._canvas.figure.model.get("wants", ()))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Tell what is wanted; what a script takes does not reach the axes."""
        wants = self._wants
        if not wants:
            return False
        kind = event.type()
        if watched is not self._canvas:
            return self._mouse(kind, event, wants)
        if kind == QEvent.Type.KeyPress and wants & {"picking", "KeyPressFcn", "WindowKeyPressFcn"}:
            self._key("key", event)
        elif kind == QEvent.Type.KeyRelease and "KeyReleaseFcn" in wants:
            self._key("keyup", event)
        elif kind == QEvent.Type.Resize and "SizeChangedFcn" in wants:
            size = self._canvas.viewport().size()
            self._send("resize", 0, (float(size.width()), float(size.height())))
        return False

    def _mouse(self, kind: QEvent.Type, event: Any, wants: frozenset[str]) -> bool:
        if kind in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick) and (
            wants & _PRESSES
        ):
            self._canvas.setFocus()
            self._place("press", event, double=kind == QEvent.Type.MouseButtonDblClick)
            return bool(wants & _TAKEN)
        if kind == QEvent.Type.MouseButtonRelease and "WindowButtonUpFcn" in wants:
            self._place("release", event)
            return bool(wants & _TAKEN)
        if kind == QEvent.Type.MouseMove and "WindowButtonMotionFcn" in wants:
            self._place("motion", event)
            return bool(event.buttons() != Qt.MouseButton.NoButton)
        if kind == QEvent.Type.Wheel and "WindowScrollWheelFcn" in wants:
            self._send("wheel", 0, (-event.angleDelta().y() / 120.0,))
            return True
        return False

    def _send(self, action: str, target: int, data: tuple[Any, ...]) -> None:
        number = int(self._canvas.figure.model["number"])
        self.acted.emit(FigureInput(number, action, target, data))

    def _key(self, action: str, event: Any) -> None:
        held = tuple(name for bit, name in _MODIFIERS if event.modifiers() & bit)
        character = _CHARACTERS.get(Qt.Key(event.key()), event.text())
        self._send(action, 0, (key_name(event), character, held))

    def _place(self, action: str, event: Any, *, double: bool = False) -> None:
        """Tell where the pointer is: in pixels from the lower left, and in data."""
        spot = self._canvas.mapToScene(event.position().toPoint())
        height = self._canvas.viewport().height()
        place = float(event.position().x()), height - float(event.position().y())
        axes, data = self._axes_and_point_at(spot)
        target = axes
        if action == "press" and axes:
            target = series_at(self._canvas.figure.axes[axes], spot) or axes
        self._send(action, target, (place, axes, data, _selection(event, double=double)))

    def _axes_and_point_at(self, spot: QPointF) -> tuple[int, tuple[float, float]]:
        """The axes at a place, and the data coordinates there."""
        for number, axes in self._canvas.figure.axes.items():
            if axes.space is None and axes.box.sceneBoundingRect().contains(spot):
                view = axes.box.mapSceneToView(spot)
                log_x, log_y = axes.log
                return number, (
                    10.0 ** view.x() if log_x else view.x(),
                    10.0 ** view.y() if log_y else view.y(),
                )
        return 0, (0.0, 0.0)


def _selection(event: Any, *, double: bool) -> str:
    """What MATLAB calls a kind of click."""
    if double:
        return "open"
    held = event.modifiers()
    if event.button() == Qt.MouseButton.RightButton or held & Qt.KeyboardModifier.ControlModifier:
        return "alt"
    middle = event.button() == Qt.MouseButton.MiddleButton
    return "extend" if middle or held & Qt.KeyboardModifier.ShiftModifier else "normal"
