"""The source of a group's kernel, with the lines of chosen operations lit up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from textwrap import wrap

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pyside6_scintilla import Scintilla

from app.engine.run_rows import GroupRow, KernelRow
from app.ui.editor.surface import WGSL, Surface, read_only
from app.ui.run_model.kernel_text import KernelText, annotated_kernel
from app.ui.support import formats
from app.ui.support.theme import scintilla_colour, theme
from app.ui.widgets.panel_parts import ElidedLabel, IconButton, bar

LIT = 1
PLACE = 60
"""The style of line numbers of the script."""


class _Source(Surface):
    """A viewer that tells which line was clicked, and lights lines up."""

    line_clicked = Signal(int)

    def apply_theme(self) -> None:
        """The colour of lit lines as well."""
        super().apply_theme()
        self.markerDefine(LIT, Scintilla.MarkerSymbol.Background)
        self.markerSetBack(LIT, scintilla_colour(theme()["accent_soft"]))
        self.styleSetFore(PLACE, scintilla_colour(theme()["device"]))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click, not the end of a selection."""
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and self.selectionEmpty():
            self.line_clicked.emit(self.lineFromPosition(self.currentPos()))

    def show_places(self, places: Mapping[int, int]) -> None:
        """Write the lines of the script beside the lines that compute them."""
        self.marginTextClearAll()
        for line, place in places.items():
            self.marginSetText(line, f"{place} ")
            self.marginSetStyle(line, PLACE)

    def light_up(self, lines: list[int]) -> None:
        """Light these lines up, and scroll to the first one if none of them is in view."""
        self.markerDeleteAll(LIT)
        for line in lines:
            self.markerAdd(line, LIT)
        top = self.firstVisibleLine()
        if lines and not any(top <= line < top + self.linesOnScreen() for line in lines):
            self.setFirstVisibleLine(max(0, lines[0] - self.linesOnScreen() // 3))


class KernelView(QWidget):
    """A title, a button that copies, and the source; ``chosen`` carries the ids of operations."""

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.shown = KernelText("", {}, {}, {}, 0)
        self.source = _Source(WGSL)
        read_only(self.source, "Kernel source")
        self.source.setMargins(2)
        self.source.setMarginTypeN(0, 1)
        self.source.setMarginWidthN(0, 34)
        self.source.setMarginTypeN(1, Scintilla.MarginType.RText)
        self.source.setMarginWidthN(1, 30)
        self.source.line_clicked.connect(self._on_clicked)
        self.title = ElidedLabel("caption")
        self.copy_button = IconButton("copy", "Copy the kernel's source", self.copy)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(bar(self.title, self.copy_button))
        layout.addWidget(self.source, 1)

    def show_kernel(self, group: GroupRow, kernel: KernelRow | None) -> None:
        """Show the kernel that a group runs, or why there is none."""
        self.title.setText(_title(kernel))
        self.title.setToolTip(self.title.text())
        self.copy_button.setEnabled(kernel is not None)
        text = kernel.source if kernel is not None else missing(group)
        shown = annotated_kernel(text, group.operations)
        if shown.text != self.shown.text:
            self.source.show_text(shown.text)
            self.source.show_places(shown.script)
            first = min((lines[0] for lines in shown.lines_of.values()), default=shown.entry + 2)
            self.source.setFirstVisibleLine(max(first - 2, 0))
        self.shown = shown

    def mark(self, ops: Iterable[int]) -> None:
        """Light up the lines that compute these operations."""
        self.source.light_up(self.shown.lines(ops))

    def copy(self) -> None:
        """Copy the source."""
        QApplication.clipboard().setText(self.source.text())

    def _on_clicked(self, line: int) -> None:
        found = self.shown.op_at.get(line)
        self.chosen.emit(() if found is None else (found,))


def missing(group: GroupRow) -> str:
    """What is said where there is no kernel."""
    if group.provider != "host":
        return "// The source of this kernel has not arrived yet.\n"
    runs, native = group.executions, group.native_runs
    why = f": {group.native_detail}" if group.native_detail else ""
    how = f"as machine code in {native} of {runs} runs" if native else f"with NumPy{why}"
    return comment("There is no GPU kernel.") + comment(f"Computed by the host, {how}.")


def comment(text: str) -> str:
    """Some sentences as lines that fit a narrow view."""
    return "".join(f"// {line}\n" for line in wrap(text, 26))


def _title(kernel: KernelRow | None) -> str:
    if kernel is None:
        return "Kernel"
    size = formats.workgroup_text(kernel.workgroup)
    hits = kernel.hits
    return (
        f"{kernel.label} · workgroup {size} · {hits} {'hit' if hits == 1 else 'hits'} · "
        f"compiled in {formats.milliseconds(kernel.compile_ms)}"
    )
