"""Design tokens, and the palette, style sheet and Scintilla colours made from them.

A theme is a TOML file below ``resources/themes``. Widgets that paint for themselves ask
``theme()`` at paint time and repaint on ``theme_hub().changed``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from app.ui.support.resources import resource, resource_text

MODES = ("system", "dark", "light")


@dataclass(frozen=True)
class Theme:
    """One set of colours; ``theme["accent"]`` is a colour as ``#rrggbb``."""

    name: str
    dark: bool
    colours: Mapping[str, str]
    syntax: Mapping[str, str]

    def __getitem__(self, token: str) -> str:
        return self.colours[token]

    def colour(self, token: str, alpha: int = 255) -> QColor:
        """The colour of ``token`` for painting."""
        colour = QColor(self.colours[token])
        colour.setAlpha(alpha)
        return colour


@cache
def load_theme(name: str) -> Theme:
    """Read a theme file."""
    data = tomllib.loads(resource_text("themes", f"{name}.toml"))
    return Theme(name, data["dark"], data["colours"], data["syntax"])


class ThemeHub(QObject):
    """Holds the theme in use and follows the system when asked to."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.mode = "system"
        self.theme = load_theme("dark")

    def follow_system(self) -> None:
        """Change with the desktop's own setting from now on."""
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._system_changed)

    def set_mode(self, mode: str) -> None:
        """Use ``dark``, ``light`` or whatever the ``system`` uses."""
        self.mode = mode
        hints = QGuiApplication.styleHints()
        if mode == "system":
            hints.unsetColorScheme()
        else:
            dark = mode == "dark"
            hints.setColorScheme(Qt.ColorScheme.Dark if dark else Qt.ColorScheme.Light)
        self._apply(mode if mode != "system" else _system_theme())

    def _system_changed(self) -> None:
        if self.mode == "system":
            self._apply(_system_theme())

    def _apply(self, name: str) -> None:
        self.theme = load_theme(name)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.setPalette(make_palette(self.theme))
            app.setStyleSheet(make_style_sheet(self.theme))
        self.changed.emit()


def _system_theme() -> str:
    scheme = QGuiApplication.styleHints().colorScheme()
    return "light" if scheme == Qt.ColorScheme.Light else "dark"


@cache
def theme_hub() -> ThemeHub:
    """The one theme hub of the process."""
    return ThemeHub()


def theme() -> Theme:
    """The theme in use."""
    return theme_hub().theme


_ROLES: tuple[tuple[QPalette.ColorRole, str], ...] = (
    (QPalette.ColorRole.Window, "panel"),
    (QPalette.ColorRole.WindowText, "text"),
    (QPalette.ColorRole.Base, "panel"),
    (QPalette.ColorRole.AlternateBase, "panel"),
    (QPalette.ColorRole.Text, "text"),
    (QPalette.ColorRole.Button, "raised"),
    (QPalette.ColorRole.ButtonText, "text"),
    (QPalette.ColorRole.BrightText, "error"),
    (QPalette.ColorRole.Highlight, "accent_soft"),
    (QPalette.ColorRole.HighlightedText, "text"),
    (QPalette.ColorRole.ToolTipBase, "raised"),
    (QPalette.ColorRole.ToolTipText, "text"),
    (QPalette.ColorRole.PlaceholderText, "faint"),
    (QPalette.ColorRole.Link, "accent"),
    (QPalette.ColorRole.Light, "raised"),
    (QPalette.ColorRole.Mid, "border"),
    (QPalette.ColorRole.Dark, "border"),
    (QPalette.ColorRole.Shadow, "border"),
    (QPalette.ColorRole.Accent, "accent"),
)


def make_palette(theme: Theme) -> QPalette:
    """The Qt palette of ``theme``."""
    palette = QPalette()
    for role, token in _ROLES:
        palette.setColor(role, theme.colour(token))
    disabled = QPalette.ColorGroup.Disabled
    for role in (QPalette.ColorRole.Text, QPalette.ColorRole.WindowText):
        palette.setColor(disabled, role, theme.colour("faint"))
    palette.setColor(disabled, QPalette.ColorRole.ButtonText, theme.colour("faint"))
    return palette


def make_style_sheet(theme: Theme) -> str:
    """The style sheet: ``resources/themes/window.qss`` with ``@token`` filled in."""
    text = resource_text("themes", "window.qss")
    icons = resource("icons").as_posix()
    text = text.replace("@icons", f"{icons}/{'dark' if theme.dark else 'light'}")
    return re.sub(r"@(\w+)", lambda match: theme.colours[match.group(1)], text)


def scintilla_colour(colour: str) -> int:
    """``#rrggbb`` as the blue-green-red integer that Scintilla wants."""
    value = int(colour[1:], 16)
    return (value & 0xFF) << 16 | (value & 0xFF00) | value >> 16
