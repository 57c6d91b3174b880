"""Problems: what diagnostics and the last run found wrong, each with its place."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import QWidget

from app.ui.editor.language_view import LanguageView
from app.ui.panels.panel import Context, Panel
from app.ui.run_model.row_model import Column, RowModel
from app.ui.run_model.run_model import RunModel
from app.ui.support import formats
from app.ui.widgets.row_table import RowTable

_TOKENS = {"error": "error", "warning": "warning", "info": "muted"}
_GLYPHS = {"error": "● error", "warning": "▲ warning", "info": "○ note"}


@dataclass(frozen=True)
class Problem:
    """Something to look at; ``severity`` is error, warning or info."""

    severity: str
    message: str
    file: str
    line: int
    column: int = 1
    code: str = ""


COLUMNS = (
    Column[Problem](
        "Kind", lambda p: _GLYPHS[p.severity], width=92, tint=lambda p: _TOKENS[p.severity]
    ),
    Column[Problem]("Message", lambda p: p.message, width=0, tip=lambda p: p.message),
    Column[Problem]("Code", lambda p: p.code, tint="muted", width=140),
    Column[Problem](
        "File", lambda p: Path(p.file).name, tint="muted", width=140, tip=lambda p: p.file
    ),
    Column[Problem](
        "Line", lambda p: str(p.line or formats.DASH), key=lambda p: p.line, numeric=True, width=56
    ),
)

_SIGNS = {"error": "●", "warning": "▲"}
_RANKS = {"error": 0, "warning": 1, "info": 2}


def all_problems(run_model: RunModel, language: LanguageView) -> list[Problem]:
    """Everything found in the files and in the last run, errors first."""
    error, name = run_model.error, run_model.run_name
    found = []
    if error is not None:
        _, file, line, column = error.frames[0] if error.frames else ("", name, 0, 1)
        found.append(Problem("error", error.message, file, line, column))
    found += [
        Problem(str(remark.severity), remark.message, file, line, code=remark.code)
        for file, line, remark in language.remarks()
    ]
    found += [Problem("info", f.message, f.file, f.line, code=f.code) for f in language.findings()]
    return sorted(found, key=lambda p: _RANKS[p.severity])


def count_text(problems: list[Problem]) -> str:
    """How many errors and warnings there are, for the tab; notes do not count."""
    kinds = [p.severity for p in problems]
    parts = (f"{_SIGNS[kind]} {kinds.count(kind)}" for kind in _SIGNS if kind in kinds)
    return "  ".join(parts)


class ProblemsPanel(Panel):
    """Errors of the last run and boundaries that cost time."""

    empty_icon = "warning"
    empty_title = "No problems"
    empty_text = "Errors, and places where the GPU had to stop, appear here."

    def __init__(self, context: Context, language: LanguageView) -> None:
        self._language = language
        super().__init__(context)

    def _build(self) -> QWidget:
        self.model = RowModel(COLUMNS, lambda p: p)
        self.table = RowTable(self.model, "Problems")
        self.table.doubleClicked.connect(self._open_selected)
        return self.table

    def _listen(self) -> None:
        super()._listen()
        self.run_model.problems_changed.connect(self.invalidate)
        self._language.remarks_changed.connect(self.invalidate)

    def problems(self) -> list[Problem]:
        """Everything found, errors first."""
        return all_problems(self.run_model, self._language)

    def _is_empty(self) -> bool:
        return not self.problems()

    def _refresh(self) -> None:
        self.model.set_rows(self.problems())

    def _open_selected(self) -> None:
        problem = self.table.selected()
        if problem is not None and problem.line:
            self.context.open_location(problem.file, problem.line)
