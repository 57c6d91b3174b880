"""One variable lit up wherever it is: its reads and writes, its bars, transfers and events."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING, Protocol, cast

from PySide6.QtCore import QObject

from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.marks import Indicator
from app.ui.run_model.run_model import RunModel
from app.ui.run_model.variable_uses import uses
from app.ui.support.formats import plural

if TYPE_CHECKING:
    from app.ui.editor.area import EditorArea
    from app.ui.widgets.docks import DockHost

_QUIET = frozenset({"comment", "string"})


class HighlightedVariable(Protocol):
    """A panel that can light a variable up; an empty name ends it."""

    def follow(self, name: str, lines: Collection[int]) -> None:
        """``lines`` are those of the script that use the variable."""


PANELS = ("timeline", "residency", "transfers")


class VariableHighlight(QObject):
    """Follows a variable from run to run, until it is asked for again.

    Attributes:
        name: the variable; empty for none.
        lines: the lines of the file in front that use it.
    """

    def __init__(
        self,
        run_model: RunModel,
        editors: EditorArea,
        docks: DockHost,
        notify: Callable[[str], None],
    ) -> None:
        super().__init__(editors)
        self.name = ""
        self._run_model, self._editors, self._docks, self._notify = (
            run_model,
            editors,
            docks,
            notify,
        )
        self.lines: list[int] = []
        run_model.run_finished.connect(self.light_up)
        editors.current_changed.connect(self.light_up)

    def toggle(self, name: str) -> None:
        """Follow a variable; the one that is followed already no longer."""
        self.follow("" if name == self.name else name)

    def follow(self, name: str) -> None:
        """Follow a variable; with an empty name none."""
        ended, self.name = self.name if not name else "", name
        reads, writes = self._mark()
        for panel in PANELS:
            self.join(panel)
        if name:
            self._notify(f"{name}: {self._use(reads, writes)}")
        elif ended:
            self._notify(f"{ended} is no longer followed")

    def _use(self, reads: int, writes: int) -> str:
        """How the file in front uses the variable, and how often the last run has moved it."""
        editor = self._editors.current()
        where = f" in {editor.name}" if editor is not None else ""
        used = f"written {writes}×, read {reads}×" if reads or writes else "not used"
        moved = sum(row.variable == self.name for row in self._run_model.transfers)
        return f"{used}{where}, {plural(moved, 'transfer')}"

    def light_up(self) -> None:
        """Everything anew: after a run, in another file."""
        if self.name:
            self._mark()
            for panel in PANELS:
                self.join(panel)

    def join(self, panel: str) -> None:
        """Light the variable up in a panel, if somebody has opened that panel."""
        made = self._docks.made(panel)
        if made is not None:
            cast("HighlightedVariable", made).follow(self.name, self.lines)

    def _mark(self) -> tuple[int, int]:
        """Mark the places in the editor in front; how many read and how many write."""
        editor, counts = self._editors.current(), [0, 0]
        self.lines = []
        if editor is None:
            return 0, 0
        for indicator in (Indicator.READ, Indicator.WRITTEN):
            editor.clear_indicator(indicator)
        for line, start, end, written in self._places(editor) if self.name else ():
            editor.setIndicatorCurrent(Indicator.WRITTEN if written else Indicator.READ)
            editor.indicatorFillRange(start, end - start)
            counts[written] += 1
            self.lines.append(line)
        return counts[0], counts[1]

    def _places(self, editor: CodeEditor) -> Iterator[tuple[int, int, int, bool]]:
        """Line, byte positions, and whether it is written there; not in comments and strings."""
        editor.colourise(editor.endStyled(), -1)  # what has never been in view has no styles yet
        for number, line in enumerate(editor.lines()):
            first = editor.positionFromLine(number)
            for start, end, written in uses(line, self.name):
                left = first + len(line[:start].encode())
                if editor.language.styles.get(editor.styleAt(left)) not in _QUIET:
                    yield number + 1, left, left + len(line[start:end].encode()), written
