"""Documents of scripts: publish, export of live scripts, snapnow."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import NUMBER, POSITIVE
from app.engine.builtins.graphics.export import write_figure
from app.engine.builtins.graphics.plotting_support import figures
from app.engine.declarations.device_support import HostOnly
from app.engine.declarations.registry import builtin
from app.engine.error_text import error_event
from app.engine.figures.objects import GraphicsObject
from app.engine.figures.properties import number_of
from app.engine.interpreter import error_conversion, loader
from app.engine.protocol import Event, OutputText
from app.engine.values import Struct, Value, as_array, numel, text_of
from app.errors import MatlabError, UsageError, refused_access
from app.source import SourceText

if TYPE_CHECKING:
    from app.engine.interpreter.context import Context
    from app.engine.livecode.document import LiveDocument
    from app.engine.livecode.running import Result
    from app.engine.livecode.stored_results import Results

_FAMILY = "files"
_HOST = HostOnly("writes files and computes no arrays", lazy=True)
_DOTS_PER_INCH = 150.0
_RUNNER = "publishing.runner"
_SNAPSHOTS = ("entireguiwindow", "print", "getframe", "entirefigurewindow")
_FORMATS = {"html": ".html", "pdf": ".pdf", "latex": ".tex"}
_EXPORTED = {**_FORMATS, "m": ".m", "markdown": ".md", "ipynb": ".ipynb"}


class _Listening:
    """A host that tells what is printed instead of printing it.

    Attributes:
        host: the one that was there before.
        tell_event: takes the events.
    """

    def __init__(self, host: Any, tell_event: Callable[[Event | Result], None]) -> None:
        self.host = host
        self.tell_event = tell_event

    def __getattr__(self, name: str) -> Any:
        return getattr(self.host, name)

    def write(self, text: str) -> None:
        """Tell what is printed."""
        self.tell_event(OutputText(text))

    def write_error(self, text: str, stream: str = "err") -> None:
        """Tell of an error or a warning."""
        self.tell_event(OutputText(text, stream))


class _Runner:
    """Runs sections in the base workspace of the session that publishes (``running.Runner``).

    Attributes:
        error: what a section failed with.

    Pictures have at most so many pixels across and down; larger ones are drawn smaller.
    """

    def __init__(self, ctx: Context, most_pixels: tuple[float, float]) -> None:
        self._ctx, self._most_pixels = ctx, most_pixels
        self._tell: Callable[[Event | Result], None] | None = None
        self.error: MatlabError | None = None

    def eval(self, code: str, name: str) -> None:
        """Run a text; a MatlabError when it fails."""
        interpreter = self._ctx.interpreter
        try:
            loaded = loader.prepare(interpreter, SourceText(name, code), loader.stamp_of(name))
            loader.run_script(loaded, interpreter.base)
        except Exception as problem:
            self.error = error = error_conversion.as_matlab(problem)
            if self._tell is not None:
                self._tell(error_event(error))
            raise error from problem

    def listen(self, listener: Callable[[Event | Result], None]) -> Callable[[], None]:
        """Give what is printed to a listener until the answer is called."""
        interpreter, before = self._ctx.interpreter, self._ctx.interpreter.host
        interpreter.host, self._tell = _Listening(before, listener), listener

        def stop() -> None:
            interpreter.host, self._tell = before, None

        return stop

    def snap(self) -> None:
        """Put the figures that changed at the line that runs."""
        from app.engine.livecode.running import Result

        tell = self._tell
        if tell is None:
            return
        for number in self.changed_figures():
            tell(Result(0, "figure", picture=self.figure(number)))

    def changed_figures(self) -> tuple[int, ...]:
        """Numbers of the figures that changed since this was last asked."""
        return figures(self._ctx).take_changed()

    def figure(self, number: int) -> bytes:
        """A figure as a PNG file's content."""
        target = figures(self._ctx).figure_numbered(number)
        if target is None:
            return b""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "figure.png")
            write_figure(target, path, _DOTS_PER_INCH)
            share = min(m / n for m, n in zip(self._most_pixels, _png_size(path), strict=True))
            if share < 1:
                write_figure(target, path, _DOTS_PER_INCH * share)
            return path.read_bytes()


@dataclass
class _Options:
    """What publish and export are asked for, with MATLAB's defaults."""

    format: str = "html"
    folder: Path | None = None
    shows_code: bool = True
    runs: bool = True
    catches: bool = True
    new_figure: bool = True
    thumbnail: bool = True
    code: str = ""
    most_lines: float = float("inf")
    most_across: float = float("inf")
    most_down: float = float("inf")
    shows_outputs: bool = True


_FLAGS = {
    "showcode": "shows_code",
    "evalcode": "runs",
    "catcherror": "catches",
    "createthumbnail": "thumbnail",
    "usenewfigure": "new_figure",
}


_MOST_PIXELS = {"maxwidth": "most_across", "maxheight": "most_down"}


def _most_pixels(name: str, value: Value) -> float:
    """How large a picture may be one way; no limit where the value is empty."""
    if not numel(value):
        return float("inf")
    (NUMBER & POSITIVE)("publish", 2, value)
    if number_of(value) < 1:
        raise _unknown_option("publish", name, _option_text(value))
    return number_of(value)


def _png_size(path: Path) -> tuple[int, int]:
    """Width and height that the head of a PNG file tells."""
    head = path.read_bytes()[16:24]
    return int.from_bytes(head[:4]), int.from_bytes(head[4:])


def _is_on(value: Value) -> bool:
    return bool(as_array(value).any())


_AS_IT_IS: dict[str, Callable[[Value], bool]] = {
    "figuresnapmethod": lambda value: text_of(value).lower() in _SNAPSHOTS,
    "imageformat": lambda value: text_of(value).lower() == "png",
    "stylesheet": lambda value: not numel(value),
}
"""Options of publish with the values that are what happens anyway; others are refused."""


def _pairs(args: tuple[Value, ...]) -> list[tuple[str, Value]]:
    if len(args) == 1 and isinstance(args[0], Struct):
        return list(args[0].fields.items())
    if len(args) % 2:
        raise MatlabError("MATLAB:publish:Options", "Options come in pairs of a name and a value.")
    return [(text_of(args[k]), args[k + 1]) for k in range(0, len(args), 2)]


def _unknown_option(caller: str, name: str, value: str) -> MatlabError:
    return MatlabError(
        f"MATLAB:{caller}:Option", f"{caller} does not know {name} = {value or '…'}."
    )


def _format(caller: str, word: str, known: dict[str, str]) -> str:
    if word.lower() not in known:
        names = ", ".join(f"'{name}'" for name in known)
        raise MatlabError(
            f"MATLAB:{caller}:Format", f"'{word}' is not written; the formats are {names}."
        )
    return word.lower()


def _publish_options(args: tuple[Value, ...]) -> _Options:
    """The options of publish.

    Raises:
        MatlabError: one is not known, or has a value that is not honoured.
    """
    made = _Options()
    if len(args) == 1 and not isinstance(args[0], Struct):
        made.format = _format("publish", text_of(args[0]), _FORMATS)
        return made
    for name, value in _pairs(args):
        word = name.lower()
        if word in _FLAGS:
            setattr(made, _FLAGS[word], _is_on(value))
        elif word == "format":
            made.format = _format("publish", text_of(value), _FORMATS)
        elif word == "outputdir":
            made.folder = Path(text_of(value)).expanduser()
        elif word == "codetoevaluate":
            made.code = text_of(value)
        elif word == "maxoutputlines":
            made.most_lines = number_of(value)
        elif word in _MOST_PIXELS:
            setattr(made, _MOST_PIXELS[word], _most_pixels(name, value))
        elif word not in _AS_IT_IS or not _AS_IT_IS[word](value):
            raise _unknown_option("publish", name, _option_text(value))
    return made


def _export_options(args: tuple[Value, ...]) -> _Options:
    made = _Options(format="", runs=False)
    for name, value in _pairs(args):
        match name.lower():
            case "format":
                made.format = _format("export", text_of(value), _EXPORTED)
            case "run":
                made.runs = _is_on(value)
            case "catcherror":
                made.catches = _is_on(value)
            case "hidecode":
                made.shows_code = not _is_on(value)
            case "includeoutputs":
                made.shows_outputs = _is_on(value)
            case "openexportedfile" if not _is_on(value):
                pass
            case "embedimages" if _is_on(value):
                pass
            case _:
                raise _unknown_option("export", name, _option_text(value))
    return made


def _option_text(value: Value) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    try:
        return f"'{text_of(value)}'"
    except MatlabError:
        return ""


def _script(ctx: Context, name: str, caller: str) -> Path:
    """The file that a name means: as it is written, or found on the path."""
    path = Path(name).expanduser()
    if path.is_file():
        return path.absolute()
    if not path.suffix and path.with_suffix(".m").is_file():
        return path.with_suffix(".m").absolute()
    found = ctx.path.find(path.stem)
    if found is None:
        raise MatlabError(f"MATLAB:{caller}:FileNotFound", f"There is no file '{name}'.")
    return Path(found).absolute()


def _write(
    ctx: Context, source: Path, target: Path, options: _Options, caller: str
) -> tuple[Results, Path]:
    """Run a document if that is wanted, and write it."""
    from app.engine.livecode.document import LiveDocument
    from app.engine.livecode.document_export import write_document
    from app.engine.livecode.reading import read_script

    try:
        document = LiveDocument(read_script(source).text)
        results = _results(ctx, document, str(source), options)
        target.parent.mkdir(parents=True, exist_ok=True)
        shown = document if options.shows_code else document.without_code()
        write_document(shown, results, target, source.stem)
    except (UsageError, OSError) as problem:
        said = refused_access(problem) or str(problem)
        raise MatlabError(f"MATLAB:{caller}:CannotWrite", said) from problem
    return results or (), target


def _results(ctx: Context, document: LiveDocument, name: str, options: _Options) -> Results | None:
    """What the document's lines gave; None for what the file stores."""
    from app.engine.livecode.running import run_document
    from app.engine.livecode.stored_results import fewer_lines

    if not options.shows_outputs:
        return ()
    if not options.runs:
        return None
    runner = ctx.state[_RUNNER] = _Runner(ctx, (options.most_across, options.most_down))
    model = figures(ctx)
    model.take_changed()  # what is open already is not the document's
    opened = ctx.call("figure", (), 1)[0] if options.new_figure else None
    model.take_changed()
    try:
        results = run_document(document, name, runner, options.code)
    finally:
        del ctx.state[_RUNNER]
        if isinstance(opened, GraphicsObject) and opened.alive and not opened.children:
            ctx.call("close", (opened,), 0)
    if runner.error is not None and not options.catches:
        raise runner.error
    return fewer_lines(results, options.most_lines)


@builtin(
    "publish",
    category=_FAMILY,
    device=_HOST,
    signatures=(
        "publish(file)",
        "publish(file,format)",
        "publish(file,Name,Value)",
        "publish(file,options)",
        "doc = publish(...)",
    ),
    cases=(
        "fid = fopen('pub1.m', 'w'); fprintf(fid, '%%%% A\\n%% *b*\\nq = 6*7\\n'); fclose(fid);"
        " d = publish('pub1.m'); contains(fileread(d), 'q = 42')",
        "fid = fopen('pub2.m', 'w'); fprintf(fid, '%%%% A\\nq2 = 6*7\\n'); fclose(fid);"
        " d = publish('pub2', 'evalCode', false, 'outputDir', pwd);"
        " contains(fileread(d), 'q2') && ~exist('q2', 'var')",
    ),
    see=("export", "snapnow"),
)
def publish(ctx: Context, file: Value, *args: Value, nargout: int = 0) -> Value:
    """Run a script in the base workspace and write it with what it gave as a document.

    The formats are html (one file with its pictures), pdf and latex; the document goes into the
    folder html beside the script unless outputDir says otherwise.
    """
    options = _publish_options(args)
    source = _script(ctx, text_of(file), "publish")
    folder = options.folder or source.parent / "html"
    target = (folder / source.stem).with_suffix(_FORMATS[options.format])
    results, target = _write(ctx, source, target.absolute(), options, "publish")
    pictures = [result.picture for result in results if result.picture]
    if options.thumbnail and options.format == "html" and pictures:
        _write_thumbnail(pictures[-1], target.with_suffix(".png"))
    return str(target) if nargout else ()


def _write_thumbnail(picture: bytes, path: Path) -> None:
    import io

    from PIL import Image

    with Image.open(io.BytesIO(picture)) as image:
        image.thumbnail((96, 64))
        image.save(path)


@builtin(
    "export",
    category=_FAMILY,
    device=_HOST,
    signatures=(
        "export(file)",
        "export(file,target)",
        "export(...,Name,Value)",
        "path = export(...)",
    ),
    cases=(
        "fid = fopen('exp1.m', 'w'); fprintf(fid, '%%%%\\nx=1\\n'); fclose(fid);"
        " p = export('exp1.m', 'exp1.html'); isfile(p)",
    ),
    see=("publish",),
)
def export(ctx: Context, file: Value, *args: Value, nargout: int = 0) -> Value:
    """Write a live script as PDF, HTML, LaTeX, Markdown, a notebook or plain text; with ``Run``
    true it is run first."""
    source = _script(ctx, text_of(file), "export")
    named = len(args) % 2
    options = _export_options(args[named:])
    if named:
        target = Path(text_of(args[0])).expanduser()
        ending = _EXPORTED.get(options.format, target.suffix or ".pdf")
        target = target.with_suffix(ending)
    else:
        target = source.with_suffix(_EXPORTED.get(options.format, ".pdf"))
    if target.absolute() == source:
        raise MatlabError("MATLAB:export:Itself", "A document is not written over itself.")
    _, target = _write(ctx, source, target.absolute(), options, "export")
    return str(target) if nargout else ()


@builtin(
    "snapnow",
    category=_FAMILY,
    device=_HOST,
    signatures=("snapnow",),
    cases=("snapnow; true",),
    see=("publish",),
)
def snapnow(ctx: CallContext) -> Value:
    """Put the figures that changed into the document that is being published, here."""
    runner = ctx.state.get(_RUNNER)
    if isinstance(runner, _Runner):
        runner.snap()
    return ()
