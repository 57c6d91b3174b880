"""The breakpoints of one editor: they move with their lines, and can have conditions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypedDict

from app.engine.protocol import Breakpoint
from app.source import code_line
from app.ui.editor.marks import Marker
from app.ui.editor.surface import in_block_comment

if TYPE_CHECKING:
    from app.ui.editor.code_editor import CodeEditor


@dataclass(frozen=True)
class Stop:
    """What is known of a breakpoint besides its line (see ``protocol.Breakpoint``)."""

    condition: str = ""
    hits: int = 0
    log: str = ""
    enabled: bool = True

    @property
    def marker(self) -> Marker:
        """How it looks in the margin."""
        if not self.enabled:
            return Marker.BREAKPOINT_OFF
        plain = not (self.condition or self.hits or self.log)
        return Marker.BREAKPOINT if plain else Marker.BREAKPOINT_IF


class StoredStop(TypedDict):
    """A breakpoint as sessions keep it."""

    line: int
    condition: str
    hits: int
    log: str
    on: bool


class Breakpoints:
    """Breakpoints as markers of Scintilla, which keeps them on their lines."""

    def __init__(self, editor: CodeEditor) -> None:
        self._editor = editor
        self._stops: dict[int, Stop] = {}

    def all(self) -> list[tuple[int, Stop]]:
        """Lines (from 1) and what stands there; deleted lines take theirs with them."""
        found: dict[int, Stop] = {}
        for handle, stop in list(self._stops.items()):
            line = self._editor.markerLineFromHandle(handle)
            if line < 0:
                del self._stops[handle]
            else:
                found[line + 1] = stop
        return sorted(found.items(), key=lambda item: item[0])

    def at(self, line: int) -> Stop | None:
        """The breakpoint of a line (from 1)."""
        return dict(self.all()).get(line)

    def toggle(self, line: int) -> None:
        """Set or clear the breakpoint of a line, or of the next one that has code."""
        if not self.at(line):
            line = self._code_line(line)
        self.put(line, None if self.at(line) else Stop())

    def _code_line(self, line: int) -> int:
        """Where a run stops that comes to this line: comments and empty lines are passed over."""
        editor = self._editor
        editor.colourise(editor.endStyled(), -1)
        behind = (
            "%" if in_block_comment(editor, number) else editor.line_text(number)
            for number in range(line - 1, editor.lineCount())
        )
        return line - 1 + code_line(behind, 1)

    def put(self, line: int, stop: Stop | None) -> None:
        """Give a line this breakpoint, or none."""
        for handle in list(self._stops):
            if self._editor.markerLineFromHandle(handle) == line - 1:
                self._editor.markerDeleteHandle(handle)
                del self._stops[handle]
        if stop is not None:
            handle = self._editor.markerAdd(line - 1, stop.marker)
            if handle >= 0:
                self._stops[handle] = stop
        self._editor.breakpoints_changed.emit()

    def change(self, line: int, **changes: Any) -> None:
        """Change a breakpoint: condition, hits, log or enabled."""
        stop = self.at(line)
        if stop is not None:
            self.put(line, replace(stop, **changes))

    def to_protocol(self, file: str) -> tuple[Breakpoint, ...]:
        """As the engine wants them."""
        return tuple(
            Breakpoint(file, line, s.condition, s.hits, s.log, s.enabled) for line, s in self.all()
        )

    def save(self) -> list[StoredStop]:
        """As plain data, for the session."""
        return [
            {"line": line, "condition": s.condition, "hits": s.hits, "log": s.log, "on": s.enabled}
            for line, s in self.all()
        ]

    def restore(self, kept: Iterable[StoredStop]) -> None:
        """Set what ``save`` told."""
        for one in kept:
            stop = Stop(one["condition"], one["hits"], one["log"], one["on"])
            self.put(one["line"], stop)


def describe(stop: Stop) -> str:
    """What is special about a breakpoint, in words."""
    parts = [f"if {stop.condition}"] if stop.condition else []
    if stop.hits:
        parts.append(f"from hit {stop.hits} on")
    if stop.log:
        parts.append(f"prints “{stop.log}”")
    if not stop.enabled:
        parts.append("off")
    return ", ".join(parts)
