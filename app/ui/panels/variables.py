"""The variables that are open, one tab each."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedWidget, QTabWidget

from app.ui.panels.panel import Context
from app.ui.panels.variable import VariableView
from app.ui.widgets.panel_parts import EmptyState


class VariablesPanel(QStackedWidget):
    """Grids of variables side by side; an open one follows its variable while somebody looks."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.setMovable(True)
        self.tabs.setTabsClosable(True)
        self.tabs.setElideMode(Qt.TextElideMode.ElideNone)
        self.tabs.tabBar().setExpanding(False)
        self.tabs.tabBar().setDrawBase(False)
        self.tabs.tabBar().setAccessibleName("Open variables")
        self.tabs.tabCloseRequested.connect(self.close_tab)
        self.tabs.currentChanged.connect(lambda: self.setFocusProxy(self.tabs.currentWidget()))
        self.addWidget(
            EmptyState("table", "No variable is open", "Double-click one in the workspace.")
        )
        self.addWidget(self.tabs)

    @property
    def current(self) -> VariableView | None:
        """The variable in front."""
        view = self.tabs.currentWidget()
        return view if isinstance(view, VariableView) else None

    def views(self) -> list[VariableView]:
        """All open variables, in the order of their tabs."""
        found = (self.tabs.widget(n) for n in range(self.tabs.count()))
        return [view for view in found if isinstance(view, VariableView)]

    def open_variable(self, name: str) -> None:
        """Show a variable: in its tab, or in a new one."""
        view = next((view for view in self.views() if view.model.name == name), None)
        if view is None:
            view = VariableView(self._context)
            view.open_variable(name)
            self.tabs.addTab(view, name)
        self.tabs.setCurrentWidget(view)
        self.setCurrentIndex(1)

    def close_tab(self, number: int) -> None:
        """Close a tab; the variable stays."""
        view = self.tabs.widget(number)
        if isinstance(view, VariableView):
            self.tabs.removeTab(number)
            view.leave()
            view.deleteLater()
        if not self.tabs.count():
            self.setCurrentIndex(0)
