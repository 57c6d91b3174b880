"""The fields of a value in the workspace, asked of the engine for completion."""

from __future__ import annotations

from collections.abc import Callable

from app.engine.inspected import InspectVariable, VariablePage
from app.ui.support.bridge import Bridge

Receive = Callable[[list[tuple[str, str]]], None]
_IN_ROWS = frozenset({"struct", "object"})


class WorkspaceFields:
    """Asks for one value at a time; the newest question replaces the one before."""

    def __init__(self, bridge: Bridge) -> None:
        self._bridge = bridge
        self._request: InspectVariable | None = None
        self._receive: Receive | None = None
        bridge.subscribe(VariablePage, self._on_page)

    def ask(self, base: str, receive: Receive) -> None:
        """Hand the names behind ``base.``, with a few words each, to ``receive``."""
        name, *steps = base.split(".")
        path = tuple(("field", step) for step in steps)
        self._request = InspectVariable(name, (0, 1), (0, 1), path=path, computing=False)
        self._receive = receive
        self._bridge.post(self._request)

    def _on_page(self, page: VariablePage) -> None:
        if self._request is None or page.request != self._request or self._receive is None:
            return
        receive, self._receive, self._request = self._receive, None, None
        if page.kind in _IN_ROWS:
            words = (
                " ".join(reversed(cells[1:])) if len(cells) > 2 else "" for cells in page.cells
            )
            receive(list(zip(page.row_names, words, strict=False)))
        elif page.kind == "table":
            receive([(name, "") for name in page.column_names])
