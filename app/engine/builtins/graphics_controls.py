"""Controls in figures: buttons, sliders, texts, lists, panels and menus; and dialogs."""

from __future__ import annotations

import numpy as np

from app.engine.builtins.context import CallContext
from app.engine.builtins.graphics_support import (
    PLOT,
    apply_options,
    figures,
    is_handle,
    options_of,
)
from app.engine.builtins.registry import builtin
from app.engine.builtins.sizes import check_room, shape_of
from app.engine.figures.objects import GraphicsObject, handles, items_of, nothing
from app.engine.figures.properties import is_text, lines_of, number_of, plain_text
from app.engine.values import EMPTY, Cell, Value, numel
from app.errors import MatlabError


def _made(ctx: CallContext, kind: str, args: tuple[Value, ...]) -> GraphicsObject:
    """A new object of a kind inside the given or the current figure."""
    rest = list(args)
    parent = rest.pop(0) if rest and isinstance(rest[0], GraphicsObject) else None
    options = options_of(rest)
    for name, value in options:
        if name.lower() == "parent":
            (parent,) = items_of(value)
    made = GraphicsObject(kind, figures(ctx), parent or figures(ctx).gcf())
    apply_options(made, [o for o in options if o[0].lower() != "parent"])
    made.touch()
    return made


@builtin("uicontrol", category=PLOT, signatures=("c = uicontrol(Name,Value)", "uicontrol(fig,...)"),
         cases=("c = uicontrol('Style', 'pushbutton', 'String', 'Go'); "
                "strcmp(c.String, 'Go')",),
         see=("uipanel", "figure"))  # fmt: skip
def uicontrol(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Put a control into a figure.

    Style is pushbutton, togglebutton, checkbox, radiobutton, edit, text, slider, listbox,
    popupmenu or frame. Callback runs when somebody uses it; Value and String say what it shows.
    """
    if len(args) == 1 and is_handle(args[0], "uicontrol"):
        return args[0] if nargout else None  # makes the control current
    made = _made(ctx, "uicontrol", args)
    return made if nargout else None


@builtin("uipanel", category=PLOT, signatures=("p = uipanel(Name,Value)",),
         cases=("p = uipanel('Title', 'Options'); strcmp(p.Title, 'Options')",),
         see=("uicontrol",))
def uipanel(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Put a panel for controls and axes into a figure."""
    made = _made(ctx, "uipanel", args)
    return made if nargout else None


@builtin("uibuttongroup", category=PLOT, signatures=("g = uibuttongroup(Name,Value)",),
         cases=("g = uibuttongroup('Title', 'Mode'); strcmp(g.Title, 'Mode')",),
         see=("uipanel", "uicontrol"))  # fmt: skip
def uibuttongroup(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Put a panel for radio buttons into a figure."""
    made = _made(ctx, "uipanel", args)
    return made if nargout else None


@builtin("uimenu", category=PLOT, signatures=("m = uimenu(parent,Name,Value)",),
         cases=("m = uimenu(figure, 'Text', 'Tools'); isgraphics(m)",),
         see=("uicontrol",))  # fmt: skip
def uimenu(ctx: CallContext, *args: Value, nargout: int = 0) -> Value:
    """Add an entry to the menu of a figure: it is in the context menu of the figure panel."""
    made = _made(ctx, "uimenu", args)
    return made if nargout else None


@builtin("uistack", category=PLOT, signatures=("uistack(h,'top')", "uistack(h,'up',n)"),
         cases=("a = plot(1:3); hold on; b = plot(3:5); uistack(a, 'top'); "
                "c = get(gca, 'Children'); c(1) == a",),
         see=("uicontrol",))  # fmt: skip
def uistack(ctx: CallContext, target: Value, where: Value = "up", count: Value = 1.0) -> None:
    """Change what lies over what among the children of a parent."""
    word, step = plain_text(where).lower(), int(number_of(count))
    for item in items_of(target):
        if item.parent is None:
            continue
        line = item.parent.children
        place = line.index(item)
        wanted = {"top": len(line) - 1, "bottom": 0, "up": place + step, "down": place - step}
        line.insert(max(0, wanted[word]), line.pop(place))
        item.touch()


@builtin("gobjects", category=PLOT, signatures=("h = gobjects(m,n)",),
         cases=("h = gobjects(1, 3); isequal(size(h), [1 3])",),
         see=("isgraphics",))
def gobjects(ctx: CallContext, *sizes: Value) -> Value:
    """An array of placeholders for handles: objects that do not exist."""
    shape = shape_of(sizes)
    check_room(shape, 1024)
    empty = [nothing(figures(ctx)) for _ in range(int(np.prod(shape)))]
    return handles(empty, shape)


# --- dialogs: asked and answered in the command window ------------------------------------


def _say(ctx: CallContext, kind: str, message: Value, title: Value) -> None:
    text = "\n".join(lines_of(message))
    head = f"{plain_text(title)}: " if plain_text(title) else f"{kind}: "
    ctx.write(f"{head}{text}\n")


@builtin("msgbox", category=PLOT, signatures=("h = msgbox(message,title)",),
         cases=("h = msgbox('Done'); isempty(h) || isgraphics(h)",),
         see=("errordlg",))
def msgbox(
    ctx: CallContext, message: Value, title: Value = "", *_rest: Value, nargout: int = 0
) -> Value:
    """Show a message (in the command window)."""
    _say(ctx, "Message", message, title)
    return EMPTY if nargout else None


@builtin("helpdlg", category=PLOT, signatures=("h = helpdlg(message,title)",),
         cases=("h = helpdlg('Press F5', 'Help'); isempty(h) || isgraphics(h)",),
         see=("msgbox",))
def helpdlg(ctx: CallContext, message: Value = "", title: Value = "", *, nargout: int = 0) -> Value:
    """Show a message (in the command window)."""
    _say(ctx, "Help", message, title)
    return EMPTY if nargout else None


@builtin("warndlg", category=PLOT, signatures=("h = warndlg(message,title)",),
         cases=("h = warndlg('Careful', 'Warning'); isempty(h) || isgraphics(h)",),
         see=("msgbox",))
def warndlg(
    ctx: CallContext, message: Value = "", title: Value = "", *_rest: Value, nargout: int = 0
) -> Value:
    """Show a warning (in the command window)."""
    _say(ctx, "Warning", message, title)
    return EMPTY if nargout else None


@builtin("errordlg", category=PLOT, signatures=("h = errordlg(message,title)",),
         cases=("h = errordlg('It failed', 'Error'); isempty(h) || isgraphics(h)",),
         see=("msgbox",))
def errordlg(
    ctx: CallContext, message: Value = "", title: Value = "", *_rest: Value, nargout: int = 0
) -> Value:
    """Show an error (in the command window)."""
    _say(ctx, "Error", message, title)
    return EMPTY if nargout else None


def _ask(ctx: CallContext, prompt: str) -> str:
    answer: str = ctx.host.read_line(prompt)  # type: ignore[attr-defined]
    return answer.strip()


@builtin("questdlg", category=PLOT, signatures=("a = questdlg(question,title,b1,b2,default)",),
         cases=("a = questdlg('Save?', 'Save', 'Yes', 'No', 'No'); ischar(a)",),
         see=("inputdlg", "menu"))  # fmt: skip
def questdlg(ctx: CallContext, question: Value, *rest: Value) -> Value:
    """Ask for one of up to three answers (in the command window); Return takes the default."""
    words = [plain_text(value) for value in rest[1:] if is_text(value)]
    default = words[-1] if words else "Yes"
    choices = list(dict.fromkeys(words[:-1] or words)) or ["Yes", "No", "Cancel"]
    asked = " ".join(lines_of(question))
    answer = _ask(ctx, f"{asked} [{' / '.join(choices)}; {default}] ")
    return next((c for c in choices if answer and c.lower().startswith(answer.lower())), default)


@builtin("inputdlg", category=PLOT, signatures=("a = inputdlg(prompts,title,dims,defaults)",),
         cases=("a = inputdlg({'Name?'}, 'Who', 1, {'Ada'}); iscell(a)",),
         see=("questdlg", "input"))  # fmt: skip
def inputdlg(ctx: CallContext, prompts: Value, *rest: Value) -> Value:
    """Ask for texts (in the command window); Return takes the default."""
    asked = lines_of(prompts)
    given = lines_of(rest[2]) if len(rest) > 2 and numel(rest[2]) else [""] * len(asked)
    answers = [_ask(ctx, f"{prompt} [{default}] ") or default
               for prompt, default in zip(asked, given, strict=False)]  # fmt: skip
    return Cell.of(answers, (len(answers), 1))


def _choose(ctx: CallContext, title: str, choices: list[str]) -> int:
    """The number of the choice that was named; 0 for none."""
    rows = "".join(f"  {k}) {choice}\n" for k, choice in enumerate(choices, 1))
    ctx.write(f"{title}\n{rows}")
    answer = _ask(ctx, "Number: ")
    return int(answer) if answer.isdigit() and 1 <= int(answer) <= len(choices) else 0


@builtin("menu", category=PLOT, signatures=("k = menu(title,choice1,choice2,...)",),
         cases=("k = menu('Which?', 'left', 'right'); ismember(k, 0:2)",),
         see=("listdlg",))  # fmt: skip
def menu(ctx: CallContext, title: Value, *choices: Value) -> Value:
    """Ask for one of some choices (in the command window); its number, 0 for none."""
    texts = [line for choice in choices for line in lines_of(choice)]
    return float(_choose(ctx, plain_text(title), texts))


@builtin("listdlg", category=PLOT, signatures=("[k,ok] = listdlg('ListString',texts)",),
         cases=("[k, ok] = listdlg('ListString', {'a', 'b'}); ok == 0 || ismember(k, 1:2)",),
         see=("menu",))  # fmt: skip
def listdlg(ctx: CallContext, *args: Value) -> tuple[Value, ...]:
    """Ask for one of a list of texts (in the command window); its number, and whether it was
    given."""
    options = {name.lower(): value for name, value in options_of(args)}
    if "liststring" not in options:
        raise MatlabError("MATLAB:listdlg:NeedsListString", "ListString argument is required.")
    title = " ".join(lines_of(options.get("promptstring", "Select one")))
    found = _choose(ctx, title, lines_of(options["liststring"]))
    return (float(found), 1.0) if found else (EMPTY, 0.0)


def _ask_file(ctx: CallContext, title: str) -> tuple[Value, ...]:
    from pathlib import Path

    answer = _ask(ctx, f"{title} (a path; Return for none): ")
    if not answer:
        return 0.0, 0.0, 0.0
    path = Path(answer).expanduser()
    return path.name, f"{path.absolute().parent}/", 1.0


@builtin("uigetfile", category=PLOT, signatures=("[file,folder] = uigetfile(filter,title)",),
         cases=("[f, p] = uigetfile('*.m'); ischar(f) || f == 0",),
         see=("uiputfile",))  # fmt: skip
def uigetfile(ctx: CallContext, *args: Value) -> tuple[Value, ...]:
    """Ask for a file to read (in the command window); 0 when none is given."""
    return _ask_file(ctx, plain_text(args[1]) if len(args) > 1 else "File to open")


@builtin("uiputfile", category=PLOT, signatures=("[file,folder] = uiputfile(filter,title)",),
         cases=("[f, p] = uiputfile('a.txt'); ischar(f) || f == 0",),
         see=("uigetfile",))  # fmt: skip
def uiputfile(ctx: CallContext, *args: Value) -> tuple[Value, ...]:
    """Ask for a file to write (in the command window); 0 when none is given."""
    return _ask_file(ctx, plain_text(args[1]) if len(args) > 1 else "File to save")


@builtin("uigetdir", category=PLOT, signatures=("folder = uigetdir(start,title)",),
         cases=("p = uigetdir; ischar(p) || p == 0",),
         see=("uigetfile",))  # fmt: skip
def uigetdir(ctx: CallContext, *args: Value) -> Value:
    """Ask for a folder (in the command window); 0 when none is given."""
    answer = _ask(ctx, f"{plain_text(args[1]) if len(args) > 1 else 'Folder'}: ")
    return answer or 0.0
