"""Help texts: which comments belong to a definition."""

from __future__ import annotations

import re
from bisect import bisect_left

from app.late_pattern import late_pattern
from app.source import Span

_LEAD = late_pattern(r"^[ \t]*[%#]+[{}]?", re.MULTILINE)
_BLOCK_MARK = late_pattern(r"^[ \t]*[%#]?[{}][ \t]*$\n?", re.MULTILINE)


class Comments:
    """The comments of a text, looked up by position."""

    __slots__ = ("spans", "starts", "text")

    def __init__(self, text: str, spans: list[Span]) -> None:
        self.text = text
        self.spans = spans
        self.starts = [span.start for span in spans]

    def help(self, start: int, header_end: int) -> str:
        """Help of a definition: the comment after its first line, or else the one before it."""
        return self._block_behind(header_end) or self._block_before(start)

    def first(self) -> str:
        """The first comment block when no code precedes it."""
        return self._block_behind(0)

    def beside(self, start: int, end: int) -> str:
        """The comment behind a declaration on its line, or else the lines right before it."""
        place = bisect_left(self.starts, end)
        if place < len(self.spans):
            gap = self.text[end : self.spans[place].start]
            if "\n" not in gap and not gap.strip(" \t;,)}"):
                return self._clean([self.spans[place]])
        return self._block_before(start)

    def _block_behind(self, offset: int) -> str:
        place = bisect_left(self.starts, offset)
        block: list[Span] = []
        while place < len(self.spans):
            span = self.spans[place]
            gap = self.text[offset : span.start]
            if gap.strip(" \t\r\n;,)") or (block and gap.count("\n") > 1):
                break
            block.append(span)
            offset = span.end
            place += 1
        return self._clean(block)

    def _block_before(self, start: int) -> str:
        place = bisect_left(self.starts, start) - 1
        block: list[Span] = []
        while place >= 0:
            span = self.spans[place]
            gap = self.text[span.end : start]
            if gap.strip() or gap.count("\n") != 1:
                break
            line_start = self.text.rfind("\n", 0, span.start) + 1
            if self.text[line_start : span.start].strip():
                break
            block.append(span)
            start = line_start
            place -= 1
        return self._clean(block[::-1])

    def _clean(self, block: list[Span]) -> str:
        text = "\n".join(self.text[span.start : span.end] for span in block)
        if text.startswith(("%{", "#{")):
            return _BLOCK_MARK.sub("", text).strip("\n")
        return _LEAD.sub("", text)
