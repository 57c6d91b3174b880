"""Running live documents: a section at a time, with what each line gave."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Literal, Protocol

from app.engine.interpreter.frames import line_in
from app.engine.language.parser import parse
from app.engine.livecode.appendix import Data
from app.engine.livecode.document import LiveDocument
from app.engine.livecode.printed_text import rubbed_out
from app.engine.livecode.typed_outputs import stored_forms
from app.engine.protocol import ErrorRaised, Event, OutputText, RunText
from app.errors import MatlabError
from app.records import record
from app.source import SourceText

_FUNCTION = re.compile(r"^[ \t]*function\b", re.MULTILINE)

Kind = Literal["text", "warning", "error", "figure"]


@record
class Result:
    """One thing a line gave.

    Attributes:
        line: of the document, from 1.
        kind: text, warning, error or figure.
        text: what was printed, or the message.
        picture: the figure as a PNG file's content.
        kept: what the file stored for it, if no run gave it.
    """

    line: int
    kind: Kind
    text: str = ""
    picture: bytes = b""
    kept: Data | None = None

    def data(self) -> tuple[Data, ...]:
        """As the file format stores it; displayed variables one by one."""
        if self.kept is not None:
            return (self.kept,)
        match self.kind:
            case "figure":
                return ({"dataType": "image", "outputData": _image(self.picture)},)
            case "text":
                return tuple(stored_forms(self.text))
            case _:
                return ({"dataType": self.kind, "outputData": {"text": self.text}},)


def _image(picture: bytes) -> Mapping[str, Any]:
    import base64

    uri = "data:image/png;base64," + base64.b64encode(picture).decode("ascii")
    # The width and height of a PNG stand at fixed places of its header.
    width, height = (int.from_bytes(picture[at : at + 4], "big") for at in (16, 20))
    return {"dataUri": uri, "height": height, "width": width}


class Collector:
    """Hears the events of a run and notes what each line of the document gave.

    Args:
        name: the document's name in stack frames.
    """

    def __init__(self, name: str) -> None:
        self.results: list[Result] = []
        self._name = name
        self._line = 0

    def take(self, event: Event | Result) -> None:
        """Note one event, or a picture for the line that runs; called on the thread that runs."""
        match event:
            case Result():
                self._line = line_in(self._name) or self._line
                self.results.append(replace(event, line=self._line))
            case OutputText(text, stream):
                self._line = line_in(self._name) or self._line
                self._add(self._line, "text" if stream == "out" else "warning", text)
            case ErrorRaised():
                lines = [line for _, file, line, _ in event.frames if file == self._name]
                self._add(lines[-1] if lines else self._line, "error", event.message)

    def _add(self, line: int, kind: Kind, text: str) -> None:
        last = self.results[-1] if self.results else None
        if last is not None and (last.line, last.kind) == (line, kind):
            self.results[-1] = Result(line, kind, rubbed_out(last.text + text)[0])
        else:
            self.results.append(Result(line, kind, rubbed_out(text)[0]))


def requested_text(request: RunText) -> str:
    """What a request wants to run, each line at its place."""
    text = "\n" * (request.first_line - 1) + request.text
    return text if request.lines is None else section_code(text, *request.lines)


def section_code(text: str, first: int, last: int) -> str:
    """The lines of a section at their places, so that errors and accounts name them, with the
    functions that the whole text defines. Empty where the section has no statement, since a text
    of functions alone is a function to call."""
    lines = text.split("\n")
    functions = function_lines(text)
    kept = [""] * len(lines)
    kept[first - 1 : last] = lines[first - 1 : last]
    for begin, end in functions:
        kept[begin - 1 : end] = [""] * (end - begin + 1)
    if functions:
        parsed = parse(SourceText("", "\n".join(kept)))
        if parsed.ok and not parsed.file.body:
            return ""
    for begin, end in functions:
        kept[begin - 1 : end] = lines[begin - 1 : end]
    return "\n".join(kept).rstrip("\n")


def spanned_sections(text: str, sections: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Lines of what runs at once: sections alone, and together those that a statement spans."""
    source = SourceText("", text)
    spans = [s.span for s in parse(source).file.body] if len(sections) > 1 else []
    reached = {source.line_of(span.start): source.line_of(span.end - 1) for span in spans}
    made: list[tuple[int, int]] = []
    open_until = 0
    for first, last in sections:
        if first <= open_until:
            made[-1] = (made[-1][0], last)
        else:
            made.append((first, last))
        ends = (end for begin, end in reached.items() if first <= begin <= last)
        open_until = max(open_until, *ends, 0)
    return tuple(made)


def function_lines(text: str) -> tuple[tuple[int, int], ...]:
    """First and last lines of the functions that a script defines."""
    found = _FUNCTION.search(text)
    if found is None:
        return ()
    above = text.count("\n", 0, found.start()) - 1
    return tuple((a + above, b + above) for a, b in _functions_in(text[found.start() :]))


@lru_cache(maxsize=8)
def _functions_in(tail: str) -> tuple[tuple[int, int], ...]:
    """Lines of the functions in what begins with a function; a line in front makes it a script."""
    source = SourceText("", f"0;\n{tail}")
    functions = parse(source).file.functions
    return tuple((source.line_of(f.span.start), source.line_of(f.span.end - 1)) for f in functions)


class Runner(Protocol):
    """What runs a document: a session of the Python interface."""

    def eval(self, code: str, name: str) -> object:
        """Run a text; a MatlabError when it fails."""
        ...

    def listen(self, listener: Callable[[Event | Result], None]) -> Callable[[], None]:
        """Give events to a listener until the answer is called."""
        ...

    def changed_figures(self) -> tuple[int, ...]:
        """Numbers of the figures that changed since this was last asked."""
        ...

    def figure(self, number: int) -> bytes:
        """A figure as a PNG file's content."""
        ...


def run_document(
    document: LiveDocument, name: str, runner: Runner, instead: str = ""
) -> tuple[Result, ...]:
    """Run every section, those that a statement spans together; stops at the first that fails.

    Args:
        document: what to run.
        name: its name in errors and accounts.
        runner: what runs it.
        instead: code that runs in place of the sections, and calls what the document defines.
    """
    results: list[Result] = []
    code_ends = [block.last for block in document.code_blocks]
    parts = spanned_sections(document.text, document.sections())
    for first, last in parts if not instead else [(1, len(document.lines))]:
        collector = Collector(name)
        stop = runner.listen(collector.take)
        went_well = True
        try:
            if instead:
                runner.eval(instead, "<publish>")
            else:
                runner.eval(section_code(document.text, first, last), name)
        except MatlabError:
            went_well = False
        finally:
            stop()
        results += collector.results
        end = max((e for e in code_ends if first <= e <= last), default=last)
        for number in runner.changed_figures():
            results.append(Result(end, "figure", picture=runner.figure(number)))
        if not went_well:
            break
    return tuple(results)


def with_results(document: LiveDocument, results: tuple[Result, ...]) -> LiveDocument:
    """The document with the results of a run stored as its outputs."""
    by_line: dict[int, tuple[Data, ...]] = {}
    for result in results:
        by_line[result.line] = (*by_line.get(result.line, ()), *result.data())
    return document.with_outputs(by_line)
