"""The desktop's own functions: files into the editor, variables into the grid, panels to the front.

They steer the window that runs the script. Without one they warn, by name, that there is nothing
to show, and the script goes on.
"""

from __future__ import annotations

from pathlib import Path

from app import restricted
from app.engine.arguments.checks import one_of
from app.engine.declarations import registry
from app.engine.declarations.device_support import HostOnly
from app.engine.declarations.registry import builtin
from app.engine.dialog_state import Question
from app.engine.interpreter.context import Context
from app.engine.protocol import Event, OpenFile, ShowPanel
from app.engine.values import Value, is_text_scalar, text_of
from app.errors import MatlabError

_FAMILY = "session"
_HOST = HostOnly("steers the window and computes no arrays", lazy=True)
_DATA = {".csv", ".dat", ".xlsx", ".png", ".jpg", ".wav"}
_PAGES = {".htm", ".html", ".xhtml"}


def show(ctx: Context, what: str, event: Event) -> None:
    """Have the window show something; a warning where there is no window."""
    if ctx.host.windowed:
        ctx.host.tell(event)
    else:
        ctx.warning(
            "Fuselab:noWindow",
            f"'{what}' shows something in the window, and this run has none. Nothing was shown.",
        )


def panel(ctx: Context, what: str, name: str, argument: str = "") -> None:
    """Bring a panel to the front."""
    show(ctx, what, ShowPanel(name, argument))


@builtin(
    "edit",
    category=_FAMILY,
    device=_HOST,
    signatures=("edit", "edit name", "edit name1 name2 ..."),
    cases=("try, edit sin, catch e, end; strcmp(e.identifier, 'MATLAB:edit:BuiltIn')",),
    see=("open", "openvar", "type"),
)
def edit(ctx: Context, *names: Value) -> Value:
    """Open files in the editor: by path, or by the name of a function on the search path.

    A name that is no file yet becomes a new script of that name, which is written when it is
    saved. Without a name a new script begins.
    """
    for name in names or ("",):
        show(ctx, "edit", OpenFile(_to_edit(ctx, text_of(name))))
    return ()


def _to_edit(ctx: Context, name: str) -> str:
    """The file that is meant; a name that does not exist yet is one below the current folder."""
    if not name:
        return ""
    for candidate in (Path(name), Path(f"{name}.m")):
        if candidate.is_file():
            return str(candidate.resolve())
    found = None if Path(name).parent.parts else _on_path(ctx, name)
    if found is not None:
        return str(found)
    if registry.lookup(name) is not None:
        text = f"'{name}' is built in and has no file to edit; 'help {name}' describes it."
        raise MatlabError("MATLAB:edit:BuiltIn", text)
    path = Path(name if Path(name).suffix else f"{name}.m").resolve()
    if not path.parent.is_dir():
        raise MatlabError("MATLAB:edit:NoFolder", f"There is no folder '{path.parent}'.")
    return str(path)


@builtin(
    "open",
    category=_FAMILY,
    device=_HOST,
    signatures=("open name", "A = open(name)"),
    cases=("x = 5; save('o.mat', 'x'); s = open('o.mat'); s.x == 5",),
    see=("edit", "openvar", "load"),
)
def open_(ctx: Context, name: Value, *, nargout: int = 0) -> Value:
    """Open what a name means: a variable in the grid, a figure, data, a page or a text file.

    ``A = open(name)`` gives the variables of a MAT-file as a struct, or the handle of a figure;
    without an output a MAT-file is loaded into the workspace. Tables, pictures and sounds are
    imported.
    """
    text = text_of(name)
    if ctx.workspace().get(text) is not None:
        return openvar(ctx, text)
    file = Path(text)
    if not file.is_file():
        found = _on_path(ctx, text)
        if found is None:
            raise MatlabError("MATLAB:open:fileNotFound", f"File '{text}' not found.")
        file = Path(found)
    kind = file.suffix.lower()
    if kind == ".mat" and nargout:
        return ctx.call("load", (str(file),), 1)[0]
    if kind == ".mat":
        quoted = str(file).replace("'", "''")
        ctx.evaluate(f"load('{quoted}')", 0)
        return ()
    if kind == ".fig":
        made = ctx.call("openfig", (str(file),), 1)
        return made[0] if nargout else ()
    if kind in _PAGES:
        ctx.call("web", (file.resolve().as_uri(),), 0)
        return ()
    if kind in _DATA or (nargout and kind == ".txt"):
        return ctx.call("importdata", (str(file),), 1)[0]
    show(ctx, "open", OpenFile(str(file.resolve())))
    return ()


@builtin(
    "openvar",
    category=_FAMILY,
    device=_HOST,
    signatures=("openvar name",),
    cases=("try, openvar nope, catch e, end; strcmp(e.identifier, 'MATLAB:openvar:NotFound')",),
    see=("open", "workspace", "whos"),
)
def openvar(ctx: Context, name: Value) -> Value:
    """Show a variable of the workspace in the grid of the variable editor."""
    text = text_of(name)
    if ctx.workspace().get(text.partition(".")[0].partition("(")[0]) is None:
        raise MatlabError("MATLAB:openvar:NotFound", f"There is no variable '{text}'.")
    panel(ctx, "openvar", "variable", text)
    return ()


@builtin(
    "workspace",
    category=_FAMILY,
    device=_HOST,
    signatures=("workspace",),
    cases=("w = warning('off', 'Fuselab:noWindow'); workspace; warning(w); true",),
    see=("whos", "openvar"),
)
def workspace(ctx: Context) -> Value:
    """Bring the Workspace panel to the front."""
    panel(ctx, "workspace", "workspace")
    return ()


@builtin(
    "commandwindow",
    category=_FAMILY,
    device=_HOST,
    signatures=("commandwindow",),
    cases=("w = warning('off', 'Fuselab:noWindow'); commandwindow; warning(w); true",),
    see=("commandhistory",),
)
def commandwindow(ctx: Context) -> Value:
    """Bring the Command Window to the front, with the keyboard."""
    panel(ctx, "commandwindow", "command")
    return ()


@builtin(
    "commandhistory",
    category=_FAMILY,
    device=_HOST,
    signatures=("commandhistory",),
    cases=("w = warning('off', 'Fuselab:noWindow'); commandhistory; warning(w); true",),
    see=("commandwindow",),
)
def commandhistory(ctx: Context) -> Value:
    """Bring the panel of earlier commands to the front."""
    panel(ctx, "commandhistory", "history")
    return ()


@builtin(
    "filebrowser",
    category=_FAMILY,
    device=_HOST,
    signatures=("filebrowser",),
    cases=("w = warning('off', 'Fuselab:noWindow'); filebrowser; warning(w); true",),
    see=("cd", "dir"),
)
def filebrowser(ctx: Context) -> Value:
    """Bring the Files panel to the front."""
    panel(ctx, "filebrowser", "files")
    return ()


@builtin(
    "preferences",
    category=_FAMILY,
    device=_HOST,
    signatures=("preferences",),
    cases=("w = warning('off', 'Fuselab:noWindow'); preferences; warning(w); true",),
    see=("helpbrowser",),
)
def preferences(ctx: Context) -> Value:
    """Show the settings of the window."""
    panel(ctx, "preferences", "settings")
    return ()


@builtin(
    "demo",
    category=_FAMILY,
    device=_HOST,
    signatures=("demo",),
    cases=("w = warning('off', 'Fuselab:noWindow'); demo; warning(w); true",),
    see=("helpbrowser",),
)
def demo(ctx: Context) -> Value:
    """List the examples, of which a copy is opened."""
    panel(ctx, "demo", "examples")
    return ()


@builtin(
    "helpbrowser",
    category=_FAMILY,
    device=_HOST,
    signatures=("helpbrowser",),
    cases=("w = warning('off', 'Fuselab:noWindow'); helpbrowser; warning(w); true",),
    see=("doc", "docsearch"),
)
def helpbrowser(ctx: Context) -> Value:
    """Bring the Help panel to the front."""
    panel(ctx, "helpbrowser", "help")
    return ()


@builtin(
    "uiimport",
    category=_FAMILY,
    device=_HOST,
    signatures=("uiimport", "uiimport(file)"),
    cases=("w = warning('off', 'Fuselab:noWindow'); uiimport; warning(w); true",),
    see=("readtable", "detectImportOptions", "open"),
)
def uiimport(ctx: Context, file: Value = "") -> Value:
    """Show what a table in a file would become, to choose what is read of it and how."""
    path = Path(text_of(file))
    if text_of(file) and not path.is_file():
        raise MatlabError("MATLAB:uiimport:FileNotFound", f"File '{path}' not found.")
    panel(ctx, "uiimport", "import", str(path.resolve()) if text_of(file) else "")
    return ()


@builtin(
    "clipboard",
    category=_FAMILY,
    device=_HOST,
    signatures=("clipboard('copy', data)", "text = clipboard('paste')"),
    cases=("try, clipboard('cut'); catch e, end; contains(e.message, 'copy')",),
    see=("importdata", "mat2str"),
)
def clipboard(ctx: Context, what: Value, *data: Value) -> Value:
    """Put a text on the desktop's clipboard, or take the text that is there.

    What is no text is written as ``mat2str`` writes it. Restricted scripts do neither.
    """
    restricted.refuse("'clipboard'")
    word = one_of("clipboard", "option", what, "copy paste")
    if len(data) != (word == "copy"):
        text = "Call it as clipboard('copy', data) or as text = clipboard('paste')."
        raise MatlabError("MATLAB:clipboard:NumberOfInputs", text)
    texts = tuple(text_of(x if is_text_scalar(x) else ctx.call("mat2str", (x,))[0]) for x in data)
    answers = ctx.host.ask(Question(word, "", texts))
    if answers is None:
        text = "The clipboard is the window's, and this run has none."
        raise MatlabError("Fuselab:noWindow", text)
    if word == "copy":
        return ()
    return answers[0] if answers else ""


def _on_path(ctx: Context, name: str) -> str | None:
    found: str | None = ctx.path.find(name.removesuffix(".m"))
    return found
