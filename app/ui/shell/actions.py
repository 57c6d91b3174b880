"""Commands: each is one declaration, from which menu, tool bar, palette and shortcut come.

A command is a method with the ``command`` decorator; its docstring is the tooltip::

    @command("run.file", "Run File", menu="Run", shortcut="F5", icon="run")
    def run_file(self) -> None:
        '''Run the file from its first line.'''
"""

from __future__ import annotations

import inspect
import tomllib
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from app.ui.shell.menu_bar import MenuBar
from app.ui.support.icons import icon
from app.ui.support.resources import resource_text
from app.ui.support.theme import theme_hub

MENUS = ("File", "Edit", "Code", "Run", "Debug", "View", "Help")
FILE = ("file",)
"""What commands of the editor need."""
_INSIDE = Qt.ShortcutContext.WidgetWithChildrenShortcut
F = TypeVar("F", bound=Callable[..., object])


@dataclass(frozen=True)
class Command:
    """The declaration of one command.

    Attributes:
        id: unique name, ``group.verb``.
        title: what menu and palette say.
        menu: the menu it is in; empty for the palette only. ``Menu/Sub`` is a submenu.
        shortcut: default key sequence.
        icon: name of its icon.
        tint: colour token of the icon.
        after: the command it stands behind in the menu; empty for the end.
        separator: True to start a new block of the menu.
        checkable: True when it switches something on and off.
        known: keys that the focused widget itself knows; shown in the menu, never taken from it.
        scope: where its shortcut lives: everywhere in the window, or only in the ``editor``.
        needs: of what one must be there for it to mean anything: a ``file`` in front, a run that
            is ``busy`` (paused ones are, too), ``running`` or ``paused``; empty for nothing.
    """

    id: str
    title: str
    menu: str = ""
    shortcut: str = ""
    icon: str = ""
    tint: str = "text"
    after: str = ""
    separator: bool = False
    checkable: bool = False
    known: str = ""
    scope: str = ""
    needs: tuple[str, ...] = ()


def command(name: str, title: str, **more: object) -> Callable[[F], F]:
    """Declare a method to be a command; ``more`` are the fields of ``Command``."""
    declared = Command(name, title, **more)  # type: ignore[arg-type]

    def mark(function: F) -> F:
        function.__dict__["command"] = declared
        return function

    return mark


class Commands(QObject):
    """All commands of a window as ``QAction``s."""

    def __init__(self, window: QWidget, scopes: Mapping[str, QWidget]) -> None:
        super().__init__(window)
        self._homes = {"": window, **scopes}
        self.actions: dict[str, QAction] = {}
        self.declared: dict[str, Command] = {}
        self._runs: dict[str, Callable[[], object]] = {}
        self._keymap: dict[str, str] = {}
        self.own_keys: dict[str, str] = {}
        theme_hub().changed.connect(self._tint)

    def add_from(self, controller: object) -> None:
        """Add every command method of ``controller``, in the order of its class."""
        for name, function in vars(type(controller)).items():
            declared = getattr(function, "command", None)
            if isinstance(declared, Command):
                self.add(declared, getattr(controller, name), inspect.getdoc(function) or "")

    def add(self, declared: Command, run: Callable[[], object], tip: str = "") -> QAction:
        """Add one command."""
        text = f"{declared.title}\t{declared.known}" if declared.known else declared.title
        action = QAction(text, self)
        action.setCheckable(declared.checkable)
        action.setMenuRole(QAction.MenuRole.NoRole)
        action.triggered.connect(partial(_call, run))
        self.actions[declared.id] = action
        self.declared[declared.id] = declared
        self._runs[declared.id] = run
        action.setWhatsThis(tip)
        self.set_shortcut(declared.id, declared.shortcut)
        if declared.icon:
            action.setIcon(icon(declared.icon, declared.tint))
        self._homes[declared.scope].addAction(action)
        return action

    def run(self, name: str) -> None:
        """Do what the command does."""
        self._runs[name]()

    def set_shortcut(self, name: str, keys: str) -> None:
        """Use another key sequence for a command."""
        action = self.actions[name]
        action.setShortcut(QKeySequence(keys))
        everywhere, inside = Qt.ShortcutContext.WindowShortcut, _INSIDE
        action.setShortcutContext(inside if self.declared[name].scope else everywhere)
        shown = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        tip = action.whatsThis() or action.text()
        action.setToolTip(f"{tip}\u2002({shown})" if shown else tip)

    def use_keymap(self, name: str) -> None:
        """Take the shortcuts of ``resources/keymaps/NAME.toml``; ``fuselab`` has the defaults."""
        self._keymap = {}
        if name != "fuselab":
            self._keymap = tomllib.loads(resource_text("keymaps", f"{name}.toml"))["keys"]
        self._apply_keys()

    def use_own_keys(self, keys: Mapping[str, str]) -> None:
        """Take a person's own shortcuts over those of the keymap; empty text means none."""
        self.own_keys = {id_: text for id_, text in keys.items() if id_ in self.declared}
        self._apply_keys()

    def shipped_key(self, name: str) -> str:
        """The shortcut of the keymap, whatever the person chose."""
        return self._keymap.get(name, self.declared[name].shortcut)

    def conflict(self, name: str, keys: str) -> str | None:
        """The title of another command that has these keys."""
        wanted = QKeySequence(keys)
        for other, action in self.actions.items():
            if other != name and not wanted.isEmpty() and action.shortcut() == wanted:
                return self.declared[other].title
        return None

    def _apply_keys(self) -> None:
        for id_ in self.declared:
            self.set_shortcut(id_, self.own_keys.get(id_, self.shipped_key(id_)))

    def fill(self, menu_bar: MenuBar) -> MenuBar:
        """Build the menus."""
        menus = {title: menu_bar.letter_menu(title) for title in MENUS}
        for declared in self.declared.values():
            if declared.menu:
                menu = _submenu(menus, declared.menu)
                if declared.separator:
                    menu.addSeparator()
                menu.addAction(self.actions[declared.id])
                if declared.after:
                    self._move_behind(menu, declared)
        return menu_bar

    def _move_behind(self, menu: QMenu, declared: Command) -> None:
        """Move the last action of a menu to its place behind another."""
        shown = menu.actions()
        place = shown.index(self.actions[declared.after]) + 1
        menu.insertAction(shown[place], self.actions[declared.id])

    def allow(self, present: Container[str]) -> None:
        """Enable the commands that mean something while these things are there."""
        for id_, declared in self.declared.items():
            if declared.needs:
                self.actions[id_].setEnabled(any(need in present for need in declared.needs))

    def _tint(self) -> None:
        for declared in self.declared.values():
            if declared.icon:
                self.actions[declared.id].setIcon(icon(declared.icon, declared.tint))


def _call(run: Callable[[], object], *_checked: bool) -> None:
    run()


def _submenu(menus: dict[str, QMenu], path: str) -> QMenu:
    if path not in menus:
        parent, title = path.rsplit("/", 1)
        menus[path] = menus[parent].addMenu(title)
    return menus[path]
