"""Places that the output names, to be clicked or reached one after the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from app.ui.editor.surface import Surface
from app.ui.panels.printed_places import Place, printed_places


class PlaceLinks:
    """Marks and finds the places in the text of a surface.

    ``styles`` has the style of a place for each stream; ``chosen`` is told file and line.

    Attributes:
        line: the line of the text whose place was shown last, -1 before any.
    """

    def __init__(
        self, surface: Surface, styles: Mapping[str, int], chosen: Callable[[str, int], None]
    ) -> None:
        self.line = -1
        self._surface = surface
        self._styles = styles
        self._chosen = chosen
        surface.hotSpotClick.connect(self._on_click)

    def add(self, text: str, start: int, stream: str) -> None:
        """Mark the places of a text that begins at a byte of the surface."""
        for place in printed_places(text, stream):
            offset = start + len(text[: place.start].encode())
            self._surface.startStyling(offset, 0)
            self._surface.setStyling(
                len(text[place.start : place.end].encode()), self._styles[stream]
            )

    def places(self, line: int) -> list[Place]:
        """The places that a line names, as bytes of the whole text."""
        text, first = self._surface.line_text(line), self._surface.positionFromLine(line)
        found = []
        for place in printed_places(text, "err"):
            start = first + len(text[: place.start].encode())
            if self._surface.styleAt(start) in self._styles.values():
                end = first + len(text[: place.end].encode())
                found.append(Place(start, end, place.file, place.line))
        return found

    def step(self, step: int) -> bool:
        """Go to the place after (1) or before (-1) the one that was shown; False at the ends.

        The first one is that where the newest message begins.
        """
        line = self.line
        if line < 0:
            line = self._newest_message(step)
        else:
            line += step
        while 0 <= line < self._surface.lineCount():
            if places := self.places(line):
                self._show_place(places[0], line)
                return True
            line += step
        return False

    def _newest_message(self, step: int) -> int:
        """The first line with a place of the last lines that have any."""
        line = self._surface.lineCount() - 1
        while line >= 0 and not self.places(line):
            line -= 1
        while step > 0 and line > 0 and self.places(line - 1):
            line -= 1
        return line

    def _show_place(self, place: Place, line: int) -> None:
        self.line = line
        self._surface.setSel(place.start, place.end)
        self._chosen(place.file, place.line)

    def _on_click(self, position: int, _modifiers: int) -> None:
        line = self._surface.lineFromPosition(position)
        places = self.places(line)
        here = [place for place in places if place.start <= position < place.end]
        for place in (here or places)[:1]:
            self._show_place(place, line)
