"""Messages and questions: a window shows them beside itself; without one a message is printed and
a question is asked line by line."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.checks import NUMBER, NUMERIC, REAL, element_count, one_of, unknown_option
from app.engine.builtins.graphics.plotting_support import PLOT, figures, is_handle, options_of
from app.engine.declarations.registry import builtin
from app.engine.dialog_state import Dialog, Question
from app.engine.figures.dialog_figures import DIALOG
from app.engine.figures.objects import GraphicsObject
from app.engine.figures.properties import (
    is_text,
    lines_of,
    number_of,
    plain_text,
    row_value,
    vector_of,
)
from app.engine.interpreter.context import Context
from app.engine.values import EMPTY, Cell, Struct, Value, as_array, numel
from app.errors import MatlabError

_ICONS = {"warn": "warning", "help": "info", "none": ""}
"""Names of icons that MATLAB has in two spellings."""
_WORD_ICONS = ("error", "warn", "warning", "help", "info", "success", "question", "none", "")


# --- asking -------------------------------------------------------------------------------


def answers_of(ctx: Context, question: Question) -> tuple[str, ...] | None:
    """What a window's dialog was answered, nothing when it was closed; None without a window."""
    found: tuple[str, ...] | None = ctx.host.ask(question)
    return found


def ask_line(ctx: Context, prompt: str) -> str:
    """An answer from standard input.

    Errors: nobody answers there.
    """
    try:
        answer: str = ctx.host.read_line(prompt)
    except MatlabError as problem:
        if problem.identifier != "MATLAB:input:noInput":
            raise
        raise MatlabError(
            "Fuselab:dialog:nobodyAnswers",
            f"A dialog asks '{prompt.strip()}' and there is nobody to answer: run the script in "
            "the window, or give the answers line by line on standard input.",
        ) from problem
    return answer.strip()


def _checked_options(name: str, options: list[tuple[str, Value]], known: str) -> dict[str, Value]:
    """Options by their names in small letters.

    Errors: one that is not among those known; markup, as texts are shown as they are.
    """
    for word, value in options:
        if word.lower() not in known.lower().split():
            raise unknown_option(name, word, known)
        if word.lower() == "interpreter" and plain_text(value).lower() != "none":
            raise unknown_option(name, plain_text(value), "none")
    return {word.lower(): value for word, value in options}


# --- messages -----------------------------------------------------------------------------


def _show(
    ctx: Context, message: Value, title: str, icon: str, over: GraphicsObject | None = None
) -> GraphicsObject:
    """A message in a dialog; printed where nobody would see that."""
    model, text = figures(ctx), "\n".join(lines_of(message))
    box = model.new_dialog(over=over)
    box.values.update(Name=title, NumberTitle=False, HandleVisibility="callback")
    box.values["Tag"] = f"Msgbox_{title}"
    box.values[DIALOG] = Dialog("message", title, text, _ICONS.get(icon, icon))
    box.touch()
    if model.emit is None:
        ctx.write(f"{title}: {text}\n" if title else f"{text}\n")
    model.draw_now()
    return box


def _message(ctx: Context, icon: str, message: Value, title: Value, mode: Value) -> Value:
    """A message of a kind; with the mode ``replace`` it takes the place of one of its title."""
    given = mode.fields.get("WindowStyle", "") if isinstance(mode, Struct) else mode
    word, head = plain_text(given).lower() if is_text(given) else "", plain_text(title)
    if word not in ("", "modal", "non-modal", "nonmodal", "replace", "on"):
        raise MatlabError("MATLAB:msgbox:BadMode", f"There is no way '{word}' to show a message.")
    if word == "replace":
        model = figures(ctx)
        for old in [f for f in model.root.children if f["Tag"] == f"Msgbox_{head}"]:
            model.delete(old)
    return _show(ctx, message, head, icon)


@builtin(
    "msgbox",
    category=PLOT,
    signatures=("h = msgbox(message)", "h = msgbox(message,title)", "h = msgbox(...,icon,mode)"),
    cases=(
        "h = msgbox('Done'); isgraphics(h)",
        "h = msgbox({'a', 'b'}, 'T', 'warn', 'replace'); ok = strcmp(h.Name, 'T'); delete(h); ok",
    ),
    see=("errordlg", "questdlg", "uialert"),
)
def msgbox(ctx: Context, message: Value, *args: Value, nargout: int = 0) -> Value:
    """Show a message, and go on; ``uiwait(h)`` waits until it is closed.

    The icon is error, warn, help, success or none. With the mode replace it takes the place of a
    message with the same title.
    """
    rest = list(args)
    mode: Value = ""
    if rest and (isinstance(rest[-1], Struct) or _is_mode(rest[-1])):
        mode = rest.pop()
    title = rest.pop(0) if rest else ""
    icon = plain_text(rest.pop(0)).lower() if rest else ""
    if icon not in _WORD_ICONS or rest:
        what = "pictures as icons are not shown" if icon == "custom" else "too many inputs"
        what = what if icon in (*_WORD_ICONS, "custom") else f"there is no icon '{icon}'"
        raise MatlabError("MATLAB:msgbox:BadIcon", f"msgbox: {what}.")
    made = _message(ctx, icon, message, title, mode)
    return made if nargout else None


def _is_mode(value: Value) -> bool:
    return is_text(value) and plain_text(value).lower() in ("modal", "non-modal", "replace")


@builtin(
    "helpdlg",
    category=PLOT,
    signatures=("h = helpdlg(message,title)",),
    cases=("h = helpdlg('Press F5', 'Help'); isgraphics(h)",),
    see=("msgbox",),
)
def helpdlg(
    ctx: Context,
    message: Value = "This is the default help string.",
    title: Value = "Help Dialog",
    *,
    nargout: int = 0,
) -> Value:
    """Show a message; one with the same title gives way."""
    made = _message(ctx, "info", message, title, "replace")
    return made if nargout else None


@builtin(
    "warndlg",
    category=PLOT,
    signatures=("h = warndlg(message,title)", "h = warndlg(message,title,mode)"),
    cases=("h = warndlg('Careful', 'Warning'); isgraphics(h)",),
    see=("msgbox",),
)
def warndlg(
    ctx: Context,
    message: Value = "This is the default warning string.",
    title: Value = "Warning Dialog",
    mode: Value = "",
    *,
    nargout: int = 0,
) -> Value:
    """Show a warning."""
    made = _message(ctx, "warning", message, title, mode)
    return made if nargout else None


@builtin(
    "errordlg",
    category=PLOT,
    signatures=("h = errordlg(message,title)", "h = errordlg(message,title,mode)"),
    cases=("h = errordlg('It failed', 'Error'); isgraphics(h)",),
    see=("msgbox",),
)
def errordlg(
    ctx: Context,
    message: Value = "This is the default error string.",
    title: Value = "Error Dialog",
    mode: Value = "",
    *,
    nargout: int = 0,
) -> Value:
    """Show an error; the script goes on."""
    made = _message(ctx, "error", message, title, mode)
    return made if nargout else None


def _parent_figure(name: str, figure: Value) -> GraphicsObject:
    if not is_handle(figure, "figure"):
        raise MatlabError(f"MATLAB:{name}:NoFigure", "The first input must be a figure.")
    found: GraphicsObject = figure
    return found


def _icon(function: str, icon: Value, known: str) -> str:
    """The icon that a word names; none for an empty one."""
    return one_of(function, "Icon", icon, known) if numel(icon) else ""


@builtin(
    "uialert",
    category=PLOT,
    signatures=("uialert(fig,message,title)", "uialert(fig,message,title,Name,Value)"),
    cases=(
        "f = uifigure; uialert(f, 'Not saved', 'Save', 'Icon', 'warning'); close(f); "
        "isempty(findall(0, 'Name', 'Save'))",
    ),
    see=("uiconfirm", "msgbox"),
)
def uialert(ctx: Context, over: Value, message: Value, title: Value, *args: Value) -> None:
    """Show a message over a figure, and go on. Icon is error, warning, info, success or empty;
    CloseFcn is called when it is closed."""
    options = _checked_options("uialert", options_of(args), "Icon CloseFcn Interpreter")
    box = _show(
        ctx,
        message,
        plain_text(title),
        _icon("uialert", options.get("icon", "error"), "error warning info success"),
        _parent_figure("uialert", over),
    )
    box.values["DeleteFcn"] = options.get("closefcn", EMPTY)


# --- questions ----------------------------------------------------------------------------


def _pick(ctx: Context, question: Question, closed: str) -> str:
    """The button that was pressed; as a line, where Return takes the default."""
    answers = answers_of(ctx, question)
    if answers is not None:
        return answers[0] if answers else closed
    choices, default = question.choices, question.defaults[0]
    answer = ask_line(ctx, f"{question.prompts[0]} [{' / '.join(choices)}; {default}] ")
    return next((c for c in choices if answer and c.lower().startswith(answer.lower())), default)


@builtin(
    "questdlg",
    category=PLOT,
    signatures=(
        "a = questdlg(question)",
        "a = questdlg(question,title,default)",
        "a = questdlg(question,title,b1,b2,b3,default)",
    ),
    cases=("a = questdlg('Save?', 'Save', 'Yes', 'No', 'No'); ischar(a)",),
    see=("inputdlg", "menu", "uiconfirm"),
)
def questdlg(ctx: Context, question: Value, title: Value = "", *rest: Value) -> Value:
    """Ask for one of up to three answers; '' when the dialog is closed.

    Without a window it is asked as a line, and Return takes the default.
    """
    last = rest[-1] if rest else "Yes"
    default = plain_text(last.fields["Default"] if isinstance(last, Struct) else last)
    choices = [plain_text(value) for value in rest[:-1]] or ["Yes", "No", "Cancel"]
    if default not in choices:
        raise MatlabError(
            "MATLAB:questdlg:StringMismatch", f"The default '{default}' is not one of the buttons."
        )
    asked = "\n".join(lines_of(question))
    head, shown = plain_text(title), tuple(dict.fromkeys(choices))
    return _pick(ctx, Question("buttons", head, (asked,), shown, (default,), "question"), "")


@builtin(
    "uiconfirm",
    category=PLOT,
    signatures=("a = uiconfirm(fig,message,title)", "a = uiconfirm(fig,message,title,Name,Value)"),
    cases=(
        "a = uiconfirm(uifigure, 'Stop?', 'Stop', 'Options', {'Go on', 'Stop'}, "
        "'DefaultOption', 2); ischar(a)",
    ),
    see=("uialert", "questdlg"),
)
def uiconfirm(ctx: Context, over: Value, message: Value, title: Value, *args: Value) -> Value:
    """Ask for one of the Options (OK and Cancel); CancelOption is the answer when it is closed."""
    _parent_figure("uiconfirm", over)
    options = _checked_options(
        "uiconfirm",
        options_of(args),
        "Options DefaultOption CancelOption Icon CloseFcn Interpreter",
    )
    choices = lines_of(options["options"]) if "options" in options else ["OK", "Cancel"]
    default = _option(choices, options.get("defaultoption"), choices[0])
    closed = _option(choices, options.get("canceloption"), choices[-1])
    asked, icon = "\n".join(lines_of(message)), options.get("icon", "question")
    icons = "question error warning info success"
    question = Question(
        "buttons",
        plain_text(title),
        (asked,),
        tuple(choices),
        (default,),
        _icon("uiconfirm", icon, icons),
    )
    found = _pick(ctx, question, closed)
    if "closefcn" in options:
        event = Struct(
            {"SelectedOption": found, "Source": over, "EventName": "ConfirmDialogClosed"}
        )
        ctx.call(options["closefcn"], (over, event), 0)
    return found


def _option(choices: list[str], named: Value, otherwise: str) -> str:
    """An option by its name or its number."""
    if named is None:
        return otherwise
    if is_text(named) and plain_text(named) in choices:
        return plain_text(named)
    if not is_text(named) and number_of(named) in range(1, len(choices) + 1):
        return choices[int(number_of(named)) - 1]
    raise MatlabError("MATLAB:uiconfirm:BadOption", "The option is not one of Options.")


@builtin(
    "inputdlg",
    category=PLOT,
    signatures=("a = inputdlg(prompts,title,dims,defaults)",),
    cases=("a = inputdlg({'Name?'}, 'Who', 1, {'Ada'}); iscell(a)",),
    see=("questdlg", "input"),
)
def inputdlg(
    ctx: Context,
    prompts: Value = "Input:",
    title: Value = "",
    dims: Value = 1.0,
    defaults: Value = EMPTY,
    *_options: Value,
) -> Value:
    """Ask for texts; an empty cell when the dialog is closed. Rows of DIMS say how many lines and
    columns each field has; the text of several lines is a char matrix.

    Without a window they are asked line by line, and Return takes the default.
    """
    asked = lines_of(prompts)
    given = lines_of(defaults) if numel(defaults) else []
    given += [""] * (len(asked) - len(given))
    rows = _rows_of(dims, len(asked))
    answers = answers_of(
        ctx, Question("texts", plain_text(title), tuple(asked), tuple(map(str, rows)), tuple(given))
    )
    if answers is None:
        answers = tuple(
            ask_line(ctx, f"{prompt} [{default}] ") or default
            for prompt, default in zip(asked, given, strict=False)
        )
    texts = [
        ctx.call("char", tuple(text.split("\n")))[0] if "\n" in text else text for text in answers
    ]
    return Cell.of(texts, (len(texts), 1 if texts else 0))


def _rows_of(dims: Value, fields: int) -> list[int]:
    """How many lines each field has: one number for all, a column with a number each, or heights
    and widths in two columns, of all fields in one row or of each in its own."""
    sizes = np.atleast_2d(as_array(dims)) if numel(dims) else np.ones((1, 1))
    heights = sizes[:, 0] if sizes.shape[1] == 2 else sizes.ravel()
    lines = [int(n) for n in vector_of(heights)]
    return lines if len(lines) == fields else [lines[0]] * fields


def _choose(ctx: Context, question: Question) -> list[int]:
    """The numbers of the choices that were named, in their order; none when it was closed."""
    answers = answers_of(ctx, question)
    if answers is None:
        rows = "".join(f"  {k}) {choice}\n" for k, choice in enumerate(question.choices, 1))
        ctx.write(f"{question.prompts[0]}\n{rows}")
        several = question.kind == "several"
        answers = tuple(ask_line(ctx, "Numbers: " if several else "Number: ").split())
    most = len(question.choices)
    return sorted(int(a) for a in answers if a.isdigit() and 1 <= int(a) <= most)


@builtin(
    "menu",
    category=PLOT,
    signatures=("k = menu(title,choice1,choice2,...)",),
    cases=("k = menu('Which?', 'left', 'right'); ismember(k, 0:2)",),
    see=("listdlg",),
)
def menu(ctx: Context, title: Value, *choices: Value) -> Value:
    """Ask for one of some choices; its number, 0 for none."""
    texts = [line for choice in choices for line in lines_of(choice)]
    head = plain_text(title)
    found = _choose(ctx, Question("list", head, (head,), tuple(texts)))
    return float(found[0]) if found else 0.0


@builtin(
    "listdlg",
    category=PLOT,
    signatures=("[k,ok] = listdlg('ListString',texts)", "[k,ok] = listdlg(...,Name,Value)"),
    cases=(
        "[k, ok] = listdlg('ListString', {'a', 'b'}, 'SelectionMode', 'single'); "
        "ok == 0 || ismember(k, 1:2)",
    ),
    see=("menu",),
)
def listdlg(ctx: Context, *args: Value) -> tuple[Value, ...]:
    """Ask for some of a list of texts; their numbers, and whether they were given.

    SelectionMode is multiple or single; InitialValue holds what is chosen at first. ListSize, fus,
    ffs and uh are taken: the dialog has the size that its texts need.
    """
    options = _checked_options(
        "listdlg",
        options_of(args),
        "ListString PromptString SelectionMode InitialValue Name OKString CancelString ListSize "
        "fus ffs uh",
    )
    if "liststring" not in options:
        raise MatlabError("MATLAB:listdlg:NeedsListString", "ListString argument is required.")
    mode = plain_text(options.get("selectionmode", "multiple")).lower()
    if mode not in ("single", "multiple"):
        raise MatlabError("MATLAB:listdlg:BadMode", "SelectionMode is 'single' or 'multiple'.")
    first = options.get("initialvalue", 1.0)
    if "listsize" in options:
        (NUMERIC & REAL & element_count(2))("listdlg", 1, options["listsize"])
    for spacing in ("fus", "ffs", "uh"):
        NUMBER("listdlg", 1, options.get(spacing, 8.0))
    question = Question(
        "list" if mode == "single" else "several",
        plain_text(options.get("name", "")),
        ("\n".join(lines_of(options.get("promptstring", "Select:"))),),
        tuple(lines_of(options["liststring"])),
        tuple(str(int(n)) for n in vector_of(first)) if numel(first) else (),
        buttons=tuple(
            plain_text(options.get(f"{which}string", word))
            for which, word in (("ok", "OK"), ("cancel", "Cancel"))
        ),
    )
    found = _choose(ctx, question)
    return (row_value(tuple(map(float, found))), 1.0) if found else (EMPTY, 0.0)
