"""The Help panel: every function and guide offline, with examples that run at a click."""

from __future__ import annotations

import re
from functools import partial
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QLineEdit, QTextBrowser, QVBoxLayout, QWidget

from app import paths
from app.ui.language_client import queries
from app.ui.language_client.client import LanguageClient
from app.ui.panels.panel import Context
from app.ui.support import fuzzy_match
from app.ui.support.theme import theme, theme_hub
from app.ui.widgets.panel_parts import IconButton, bar

if TYPE_CHECKING:
    from app.engine.session.language_service import HelpPage

MOST_FOUND = 40


class HelpPanel(QWidget):
    """A field to search by, and a page; F1 in the editor opens the page of a word."""

    def __init__(self, context: Context, client: LanguageClient) -> None:
        super().__init__()
        self._context = context
        self._client = client
        self._index: tuple[tuple[str, str], ...] = ()
        self._visited: list[str] = []
        self._guides = paths.guides()
        self._shown: HelpPage | Path | None = None
        self.field = QLineEdit()
        self.field.setPlaceholderText("Search functions and guides")
        self.field.setAccessibleName("Search functions and guides")
        self.field.setClearButtonEnabled(True)
        self.field.textChanged.connect(self._search)
        self.field.returnPressed.connect(self._open_first)
        self.page = QTextBrowser()
        self.page.setOpenLinks(False)
        self.page.setAccessibleName("Help page")
        self.page.setObjectName("HelpPage")
        self.page.anchorClicked.connect(self._on_link)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(bar(IconButton("undo", "Back", self.back), self.field))
        layout.addWidget(self.page, 1)
        theme_hub().changed.connect(self._render)
        client.ask("help-index", queries.help_index, self._take_index)

    def open(self, name: str) -> None:
        """Show the page of a function, or the guide of a title."""
        if name in self._guides:
            self._take_page(name, self._guides[name])
            return
        question = partial(queries.help_page, name)
        self._client.ask("help-page", question, partial(self._take_page, name))

    def search(self, words: str) -> None:
        """Show what words find."""
        self.field.setText(words)

    def back(self) -> None:
        """Show the page before."""
        if len(self._visited) > 1:
            self._visited.pop()
            self.open(self._visited[-1])

    # --- answers ----------------------------------------------------------------------

    def _take_index(self, index: tuple[tuple[str, str], ...]) -> None:
        self._index = (*((title, "Guides") for title in self._guides), *index)
        if self._shown is None:
            self._render()

    def _take_page(self, name: str, page: HelpPage | Path | None) -> None:
        if page is None:
            self.field.setText(name)
            return
        if self._visited[-1:] != [name]:
            self._visited.append(name)
        self._shown = page
        self._render()

    # --- what is shown ----------------------------------------------------------------

    def _render(self) -> None:
        if isinstance(self._shown, Path):
            self.page.setMarkdown(self._shown.read_text(encoding="utf-8"))
            return
        body = page_html(self._shown) if self._shown else index_html(self._index)
        self.page.setHtml(_style() + body)

    def _search(self, text: str) -> None:
        if not text.strip():
            self._render()
            return
        found = fuzzy_match.best(text, self._index, lambda entry: entry[0], MOST_FOUND)
        self.page.setHtml(_style() + index_html(tuple(entry for entry, _ in found)))

    def _open_first(self) -> None:
        found = fuzzy_match.first(self.field.text(), [name for name, _ in self._index])
        if found is not None:
            self.field.clear()
            self.open(found)

    def _on_link(self, url: QUrl) -> None:
        kind, _, rest = url.toString().partition(":")
        if kind == "try" and self._shown is not None and not isinstance(self._shown, Path):
            self._context.run_code(self._shown.examples[int(rest)])
        elif kind == "see":
            self.open(rest)


def page_html(page: HelpPage) -> str:
    """A page: call forms, text, where it runs, examples, related names."""
    forms = "<br>".join(escape(form) for form in page.signatures)
    parts = [f"<h2>{escape(page.name)}</h2>", f"<p class=code>{forms}</p>", _text_html(page.text)]
    parts.append(_where_html(page))
    if page.examples:
        rows = "".join(
            f"<tr><td class=code>{escape(code)}</td><td><a href='try:{number}'>try it</a></td></tr>"
            for number, code in enumerate(page.examples)
        )
        parts.append(f"<h4>Examples, all true</h4><table cellspacing=6>{rows}</table>")
    if page.see:
        links = ", ".join(f"<a href='see:{n}'>{escape(n)}</a>" for n in page.see)
        parts.append(f"<h4>See also</h4><p>{links}</p>")
    return "".join(parts)


def _where_html(page: HelpPage) -> str:
    """The row about the GPU, fusion and precision."""
    if page.on_device:
        cells = ("■ Runs on the GPU", "fuses with its neighbours")
        precision = "single and double as they are; doubles on the host where the GPU has none"
    else:
        cells = (f"□ Runs on the host: {escape(page.reason)}", "ends a group")
        precision = "that of its arguments"
    kind = "device" if page.on_device else "muted"
    row = " &nbsp;·&nbsp; ".join(cells)
    return f"<p class={kind}>{row}</p><p class=muted>Precision: {precision}</p>"


def index_html(index: tuple[tuple[str, str], ...]) -> str:
    """The names by category."""
    families: dict[str, list[str]] = {}
    for name, category in index:
        families.setdefault(category, []).append(name)
    parts = []
    for category, names in sorted(families.items()):
        links = " &nbsp; ".join(f"<a href='see:{n}'>{escape(n)}</a>" for n in names)
        parts.append(f"<h4>{escape(category)}</h4><p>{links}</p>")
    return "".join(parts) or "<p class=muted>No page of that name.</p>"


def _text_html(text: str) -> str:
    """Help text: paragraphs, and code between double backticks."""
    marked = re.sub(r"``(.+?)``", r"<span class=code>\1</span>", escape(text), flags=re.DOTALL)
    return "".join(f"<p>{part}</p>" for part in marked.split("\n\n"))


def _style() -> str:
    current = theme()
    rules = {
        "body": f"color: {current['text']}",
        "h2": "font-size: 18px; font-weight: 600; margin: 4px 0",
        "h4": f"color: {current['muted']}; font-size: 12px; font-weight: 600; margin: 14px 0 4px 0",
        "a": f"color: {current['accent']}; text-decoration: none",
        ".code": "font-family: 'JetBrains Mono', monospace; font-size: 12px",
        ".muted": f"color: {current['muted']}",
        ".device": f"color: {current['device']}",
    }
    return (
        "<style>" + "".join(f"{name} {{ {rule}; }} " for name, rule in rules.items()) + "</style>"
    )
