"""Dialogs: a window shows them beside itself; without one they are asked line by line."""

from __future__ import annotations

from pathlib import Path

from app.engine.arguments.call_context import CallContext
from app.engine.builtins.graphics.support import PLOT, options_of
from app.engine.declarations.registry import builtin
from app.engine.figures.properties import is_text, lines_of, plain_text
from app.engine.protocol import Question
from app.engine.values import EMPTY, Cell, Value, numel
from app.errors import MatlabError


def _answers(ctx: CallContext, question: Question) -> tuple[str, ...] | None:
    """What a window's dialog was answered, nothing when it was closed; None without a window."""
    found: tuple[str, ...] | None = ctx.host.ask(question)  # type: ignore[attr-defined]
    return found


def _say(ctx: CallContext, kind: str, message: Value, title: Value) -> None:
    text, head = "\n".join(lines_of(message)), plain_text(title) or kind
    if _answers(ctx, Question("message", head, (text,), defaults=(kind,))) is None:
        ctx.write(f"{head}: {text}\n")


@builtin(
    "msgbox",
    category=PLOT,
    signatures=("h = msgbox(message,title)",),
    cases=("h = msgbox('Done'); isempty(h) || isgraphics(h)",),
    see=("errordlg",),
)
def msgbox(
    ctx: CallContext, message: Value, title: Value = "", *_rest: Value, nargout: int = 0
) -> Value:
    """Show a message."""
    _say(ctx, "Message", message, title)
    return EMPTY if nargout else None


@builtin(
    "helpdlg",
    category=PLOT,
    signatures=("h = helpdlg(message,title)",),
    cases=("h = helpdlg('Press F5', 'Help'); isempty(h) || isgraphics(h)",),
    see=("msgbox",),
)
def helpdlg(ctx: CallContext, message: Value = "", title: Value = "", *, nargout: int = 0) -> Value:
    """Show a message."""
    _say(ctx, "Help", message, title)
    return EMPTY if nargout else None


@builtin(
    "warndlg",
    category=PLOT,
    signatures=("h = warndlg(message,title)",),
    cases=("h = warndlg('Careful', 'Warning'); isempty(h) || isgraphics(h)",),
    see=("msgbox",),
)
def warndlg(
    ctx: CallContext, message: Value = "", title: Value = "", *_rest: Value, nargout: int = 0
) -> Value:
    """Show a warning."""
    _say(ctx, "Warning", message, title)
    return EMPTY if nargout else None


@builtin(
    "errordlg",
    category=PLOT,
    signatures=("h = errordlg(message,title)",),
    cases=("h = errordlg('It failed', 'Error'); isempty(h) || isgraphics(h)",),
    see=("msgbox",),
)
def errordlg(
    ctx: CallContext, message: Value = "", title: Value = "", *_rest: Value, nargout: int = 0
) -> Value:
    """Show an error."""
    _say(ctx, "Error", message, title)
    return EMPTY if nargout else None


def _ask(ctx: CallContext, prompt: str) -> str:
    answer: str = ctx.host.read_line(prompt)  # type: ignore[attr-defined]
    return answer.strip()


@builtin(
    "questdlg",
    category=PLOT,
    signatures=("a = questdlg(question,title,b1,b2,default)",),
    cases=("a = questdlg('Save?', 'Save', 'Yes', 'No', 'No'); ischar(a)",),
    see=("inputdlg", "menu"),
)
def questdlg(ctx: CallContext, question: Value, title: Value = "", *rest: Value) -> Value:
    """Ask for one of up to three answers; '' when the dialog is closed.

    Without a window it is asked as a line, and Return takes the default.
    """
    words = [plain_text(value) for value in rest if is_text(value)]
    default = words[-1] if words else "Yes"
    choices = list(dict.fromkeys(words[:-1] or words)) or ["Yes", "No", "Cancel"]
    asked = " ".join(lines_of(question))
    shown = Question("buttons", plain_text(title), (asked,), tuple(choices), (default,))
    answers = _answers(ctx, shown)
    if answers is not None:
        return answers[0] if answers else ""
    answer = _ask(ctx, f"{asked} [{' / '.join(choices)}; {default}] ")
    return next((c for c in choices if answer and c.lower().startswith(answer.lower())), default)


@builtin(
    "inputdlg",
    category=PLOT,
    signatures=("a = inputdlg(prompts,title,dims,defaults)",),
    cases=("a = inputdlg({'Name?'}, 'Who', 1, {'Ada'}); iscell(a)",),
    see=("questdlg", "input"),
)
def inputdlg(ctx: CallContext, prompts: Value, title: Value = "", *rest: Value) -> Value:
    """Ask for texts; an empty cell when the dialog is closed.

    Without a window they are asked line by line, and Return takes the default.
    """
    asked = lines_of(prompts)
    given = lines_of(rest[1]) if len(rest) > 1 and numel(rest[1]) else [""] * len(asked)
    answers = _answers(ctx, Question("texts", plain_text(title), tuple(asked), (), tuple(given)))
    if answers is None:
        answers = tuple(
            _ask(ctx, f"{prompt} [{default}] ") or default
            for prompt, default in zip(asked, given, strict=False)
        )
    return Cell.of(list(answers), (len(answers), 1 if answers else 0))


def _choose(ctx: CallContext, title: str, choices: list[str]) -> int:
    """The number of the choice that was named; 0 for none."""
    answers = _answers(ctx, Question("list", title, (title,), tuple(choices)))
    if answers is None:
        rows = "".join(f"  {k}) {choice}\n" for k, choice in enumerate(choices, 1))
        ctx.write(f"{title}\n{rows}")
        answers = (_ask(ctx, "Number: "),)
    answer = answers[0] if answers else ""
    return int(answer) if answer.isdigit() and 1 <= int(answer) <= len(choices) else 0


@builtin(
    "menu",
    category=PLOT,
    signatures=("k = menu(title,choice1,choice2,...)",),
    cases=("k = menu('Which?', 'left', 'right'); ismember(k, 0:2)",),
    see=("listdlg",),
)
def menu(ctx: CallContext, title: Value, *choices: Value) -> Value:
    """Ask for one of some choices; its number, 0 for none."""
    texts = [line for choice in choices for line in lines_of(choice)]
    return float(_choose(ctx, plain_text(title), texts))


@builtin(
    "listdlg",
    category=PLOT,
    signatures=("[k,ok] = listdlg('ListString',texts)",),
    cases=("[k, ok] = listdlg('ListString', {'a', 'b'}); ok == 0 || ismember(k, 1:2)",),
    see=("menu",),
)
def listdlg(ctx: CallContext, *args: Value) -> tuple[Value, ...]:
    """Ask for one of a list of texts; its number, and whether it was given."""
    options = {name.lower(): value for name, value in options_of(args)}
    if "liststring" not in options:
        raise MatlabError("MATLAB:listdlg:NeedsListString", "ListString argument is required.")
    title = " ".join(lines_of(options.get("promptstring", "Select one")))
    found = _choose(ctx, title, lines_of(options["liststring"]))
    return (float(found), 1.0) if found else (EMPTY, 0.0)


def _ask_path(ctx: CallContext, kind: str, title: str, filters: str = "", start: str = "") -> str:
    """The path that was chosen; empty for none."""
    answers = _answers(ctx, Question(kind, title, (title,), (filters,), (start,)))
    if answers is None:
        return _ask(ctx, f"{title} (a path; Return for none): ")
    return answers[0] if answers else ""


def _file(path: str) -> tuple[Value, ...]:
    if not path:
        return 0.0, 0.0, 0.0
    found = Path(path).expanduser()
    return found.name, f"{found.absolute().parent}/", 1.0


def _filters(args: tuple[Value, ...]) -> str:
    """The patterns of the first argument, such as ``*.m``."""
    return " ".join(lines_of(args[0])) if args and numel(args[0]) else ""


@builtin(
    "uigetfile",
    category=PLOT,
    signatures=("[file,folder] = uigetfile(filter,title)",),
    cases=("[f, p] = uigetfile('*.m'); ischar(f) || f == 0",),
    see=("uiputfile",),
)
def uigetfile(ctx: CallContext, *args: Value) -> tuple[Value, ...]:
    """Ask for a file to read; 0 when none is given."""
    title = plain_text(args[1]) if len(args) > 1 else "File to open"
    return _file(_ask_path(ctx, "open", title, _filters(args)))


@builtin(
    "uiputfile",
    category=PLOT,
    signatures=("[file,folder] = uiputfile(filter,title)",),
    cases=("[f, p] = uiputfile('a.txt'); ischar(f) || f == 0",),
    see=("uigetfile",),
)
def uiputfile(ctx: CallContext, *args: Value) -> tuple[Value, ...]:
    """Ask for a file to write; 0 when none is given."""
    title = plain_text(args[1]) if len(args) > 1 else "File to save"
    start = _filters(args)
    pattern = "*" in start
    return _file(_ask_path(ctx, "save", title, start if pattern else "", "" if pattern else start))


@builtin(
    "uigetdir",
    category=PLOT,
    signatures=("folder = uigetdir(start,title)",),
    cases=("p = uigetdir; ischar(p) || p == 0",),
    see=("uigetfile",),
)
def uigetdir(ctx: CallContext, *args: Value) -> Value:
    """Ask for a folder; 0 when none is given."""
    title = plain_text(args[1]) if len(args) > 1 else "Folder"
    return _ask_path(ctx, "folder", title, "", _filters(args)) or 0.0
