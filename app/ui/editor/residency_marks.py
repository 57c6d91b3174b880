"""A thin line below variables whose data is on the GPU, so that the code says where it lives."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.marks import Indicator
from app.ui.editor.semantic_colouring import Colouring
from app.ui.run_model.run_model import RunModel

PAUSE_MS = 200


class ResidencyMarks(QObject):
    """Follows the workspace and the text of one editor."""

    def __init__(self, editor: CodeEditor, colouring: Colouring, run_model: RunModel) -> None:
        super().__init__(editor)
        self._editor = editor
        self._colouring = colouring
        self._run_model = run_model
        self._shown: frozenset[str] = frozenset()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE_MS)
        self._timer.timeout.connect(self.show)
        run_model.variables_changed.connect(self._on_variables)
        colouring.changed.connect(self._timer.start)

    def _resident(self) -> frozenset[str]:
        name = str(self._editor.path or self._editor.untitled)
        if name != self._run_model.run_name:
            return frozenset()
        return frozenset(v.name for v in self._run_model.variables if v.where in ("device", "both"))

    def _on_variables(self) -> None:
        if self._resident() != self._shown and not self._timer.isActive():
            self._timer.start()

    def show(self) -> None:
        """Mark every place of the variables that are on the GPU now."""
        self._shown = self._resident()
        self._editor.clear_indicator(Indicator.RESIDENT)
        self._editor.setIndicatorCurrent(Indicator.RESIDENT)
        for start, end in self._colouring.places_of(self._shown):
            self._editor.indicatorFillRange(start, end - start)
