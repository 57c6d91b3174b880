"""Functions about functions: arity, handles, who called, where code lies."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from app import paths, restricted
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import (
    HANDLE,
    NUMBER,
    NUMBERS,
    POSITIVE,
    REAL,
    WHOLE,
    takes,
    unknown_option,
)
from app.engine.declarations.device_support import NAMES
from app.engine.declarations.registry import builtin, lookup
from app.engine.interpreter.loader import run_script
from app.engine.interpreter.resolver import CODE
from app.engine.values import (
    EMPTY,
    Cell,
    FunctionHandle,
    NativeObject,
    Struct,
    StructArray,
    Value,
    as_array,
    float_of,
    is_text_scalar,
    object_array,
    text_of,
    unwrap,
)
from app.engine.values.display import DisplayFormat, disp
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.interpreter.context import Context

_FAMILY = "functions"


@builtin(
    "nargin",
    category=_FAMILY,
    signatures=("n = nargin", "n = nargin(fun)"),
    device=NAMES,
    cases=("nargin(@(a, b) a + b) == 2",),
    see=("nargout",),
)
def nargin(ctx: Context, function: Value | None = None) -> Value:
    """How many inputs the running function got, or how many a function declares."""
    if function is None:
        return ctx.argument_count("#nargin")
    return float(ctx.arity(function)[0])


@builtin(
    "nargout",
    category=_FAMILY,
    signatures=("n = nargout", "n = nargout(fun)"),
    device=NAMES,
    cases=("nargout('size') == -1",),
    see=("nargin",),
)
def nargout_(ctx: Context, function: Value | None = None) -> Value:
    """How many outputs were asked of the running function, or how many a function declares."""
    if function is None:
        return ctx.argument_count("nargout")
    return float(ctx.arity(function)[1])


@builtin(
    "narginchk",
    category=_FAMILY,
    signatures=("narginchk(least, most)",),
    device=NAMES,
    cases=("ischar(func2str(@() narginchk(1, 2)))",),
)
def narginchk(ctx: Context, least: Value, most: Value) -> Value:
    """Raise an error unless the running function got a number of inputs in this range."""
    count = ctx.argument_count("#nargin")
    if count < float_of(least):
        raise MatlabError("MATLAB:narginchk:notEnoughInputs", "Not enough input arguments.")
    if count > float_of(most):
        raise MatlabError("MATLAB:narginchk:tooManyInputs", "Too many input arguments.")
    return ()


@builtin(
    "nargoutchk",
    category=_FAMILY,
    device=NAMES,
    signatures=(
        "nargoutchk(least, most)",
        "msg = nargoutchk(least, most, n)",
        "s = nargoutchk(least, most, n, 'struct')",
    ),
    words="string struct",
    cases=(
        "isempty(nargoutchk(0, 1, 1))",
        "s = nargoutchk(2, 3, 1, 'struct'); strcmp(s.message, 'Not enough output arguments.')",
    ),
)
def nargoutchk(
    ctx: Context, least: Value, most: Value, count: Value | None = None, kind: Value = "string"
) -> Value:
    """Raise an error unless a number of outputs in this range was asked for.

    With the number as an input, the message is returned, empty when there is nothing to say.
    """
    if count is not None:
        return _count_message(ctx, ("nargoutchk", "output"), (least, most, count), kind)
    given = ctx.argument_count("nargout")
    if given < float_of(least):
        raise MatlabError("MATLAB:nargoutchk:notEnoughOutputs", "Not enough output arguments.")
    if given > float_of(most):
        raise MatlabError("MATLAB:nargoutchk:tooManyOutputs", "Too many output arguments.")
    return ()


@builtin(
    "nargchk",
    category=_FAMILY,
    signatures=("msg = nargchk(least, most, n)", "s = nargchk(least, most, n, 'struct')"),
    device=NAMES,
    words="string struct",
    cases=(
        "isempty(nargchk(1, 2, 2)) && isempty(nargchk(1, 2, 2, 'struct'))",
        "s = nargchk(1, 2, 3, 'struct'); strcmp(s.identifier, 'MATLAB:nargchk:tooManyInputs')",
    ),
    see=("narginchk",),
)
@takes(NUMBER, NUMBER, NUMBER)
def nargchk(
    ctx: CallContext, least: Value, most: Value, count: Value, kind: Value = "string"
) -> Value:
    """The message for a wrong number of inputs, or a struct of it; empty when it is right."""
    return _count_message(ctx, ("nargchk", "input"), (least, most, count), kind)


def _count_message(
    ctx: CallContext, of: tuple[str, str], numbers: tuple[Value, Value, Value], kind: Value
) -> Value:
    name, side = of
    least, most, count = (float_of(v) for v in numbers)
    octave = bool(getattr(ctx.settings, "octave", False))
    said = kind_of = ""
    if not least <= count <= most:
        few = count < least
        said = f"{'not enough' if few else 'too many'} {side} arguments"
        kind_of = f"Octave:{name}:{'not-enough' if few else 'too-many'}-{side}s"
        if not octave:
            said = f"{said.capitalize()}."
            kind_of = f"MATLAB:{name}:{'notEnough' if few else 'tooMany'}{side.capitalize()}s"
    fields: dict[str, Value] = {"message": said, "identifier": kind_of}
    if text_of(kind).lower() == "struct":
        empty = StructArray({n: np.empty((0, 1), dtype=object) for n in fields}, (0, 1))
        return Struct(fields) if said or octave else empty
    return said or ("" if octave else EMPTY)


@builtin(
    "func2str",
    category=_FAMILY,
    signatures=("text = func2str(f)",),
    device=NAMES,
    cases=("strcmp(func2str(@sin), 'sin')",),
    see=("str2func",),
)
def func2str(function: Value) -> Value:
    """The text of a function handle."""
    if not isinstance(function, FunctionHandle):
        raise MatlabError("MATLAB:func2str:NonHandle", "The input must be a function handle.")
    return function.text


@builtin(
    "str2func",
    words="",
    category=_FAMILY,
    signatures=("f = str2func(text)",),
    device=NAMES,
    cases=("feval(str2func('@(x) x + 1'), 2) == 3",),
    see=("func2str",),
)
def str2func(ctx: CallContext, text: Value) -> Value:
    """The function handle that a text describes."""
    return ctx.parse_handle(text_of(text))


@builtin(
    "functions",
    category=_FAMILY,
    signatures=("s = functions(f)",),
    device=NAMES,
    cases=("s = functions(@(x) x + 1); strcmp(s.type, 'anonymous')",),
)
@takes(HANDLE)
def functions(function: FunctionHandle) -> Value:
    """What a function handle holds: text, type and captured variables."""
    made = Struct(
        {"function": function.text, "type": "simple" if function.name else "anonymous", "file": ""}
    )
    if not function.name:
        made.fields["workspace"] = Cell.of([Struct(dict(function.captured))])
        made.fields["within_file_path"] = ""
    return made


@builtin(
    "is_function_handle",
    category=_FAMILY,
    signatures=("tf = is_function_handle(x)",),
    device=NAMES,
    cases=("is_function_handle(@sin)",),
)
def is_function_handle(x: Value) -> Value:
    """True for a function handle."""
    return isinstance(x, FunctionHandle)


@builtin(
    "mfilename",
    category=_FAMILY,
    signatures=("name = mfilename", "name = mfilename(part)"),
    device=NAMES,
    cases=("ischar(mfilename)",),
)
def mfilename(ctx: CallContext, part: Value = "") -> Value:
    """The name of the file being run; ``fullpath`` with folder, ``fullpathext`` with ending."""
    file = ctx.caller_file()
    if not file or not (file.endswith(CODE) or paths.is_file(Path(file))):
        return ""
    path = Path(file).absolute()
    return {"fullpath": str(path.with_suffix("")), "fullpathext": str(path), "class": ""}.get(
        text_of(part), path.stem
    )


@builtin(
    "dbstack",
    category=_FAMILY,
    signatures=("dbstack", "[stack, k] = dbstack", "stack = dbstack('-completenames')"),
    device=NAMES,
    cases=("isstruct(dbstack)",),
)
def dbstack(ctx: CallContext, *options: Value, nargout: int = 0) -> Value:
    """The functions that are running, innermost first."""
    frames = [(n, f, line) for n, f, line in ctx.stack() if not n.startswith("<")]
    skip = next((int(o) for o in options if isinstance(o, float)), 0)
    frames = frames[skip:]
    if nargout == 0:
        ctx.write("".join(f"> In {n} (line {line})\n" for n, _, line in frames))
        return ()
    shape = (len(frames), 1)
    complete = any(is_text_scalar(o) and text_of(o) == "-completenames" for o in options)
    rows = [
        Struct(
            {
                "file": str(Path(f).absolute()) if complete else Path(f).name,
                "name": n,
                "line": float(k),
            }
        )
        for n, f, k in frames
    ]
    made = (
        StructArray.of(rows, shape, ("file", "name", "line"))
        if rows
        else StructArray({k: object_array([], (0, 1)) for k in ("file", "name", "line")}, (0, 1))
    )
    return (made, 1.0) if nargout > 1 else made


@builtin(
    "isargout",
    category=_FAMILY,
    signatures=("tf = isargout(k)",),
    device=NAMES,
    cases=("islogical(feval(@() isargout(1)))",),
)
def isargout(ctx: Context, k: Value) -> Value:
    """True when output k of the running function is wanted."""
    (NUMBERS & REAL & WHOLE & POSITIVE)("isargout", 1, k)
    wanted = max(1.0, ctx.argument_count("nargout"))
    return unwrap(as_array(k) <= wanted)


class OnCleanup(NativeObject):
    """Runs a function when the last variable that holds it goes away."""

    class_name = "onCleanup"
    is_handle = True

    def __init__(self, ctx: CallContext, task: Value) -> None:
        self.ctx = ctx
        self.task: Value | None = task

    def get_member(
        self, ctx: CallContext, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """``c.task``."""
        if name == "delete":
            self.run()
            return None
        return self.task if name == "task" else super().get_member(ctx, name, args, nargout)

    def members(self) -> list[str]:
        """``task``."""
        return ["task"]

    def show(self, name: str, style: DisplayFormat) -> str:
        """What is to be called."""
        shown = disp(Struct({"task": EMPTY if self.task is None else self.task}), style)
        return f"  onCleanup with properties:\n\n{shown}"

    def run(self) -> None:
        """Run the task, once."""
        task, self.task = self.task, None
        if task is not None:
            self.ctx.call(task, (), 0)

    def __del__(self) -> None:
        try:
            self.run()
        except MatlabError as problem:
            self.ctx.warning("MATLAB:onCleanup:Error", problem.message)


@builtin(
    "onCleanup",
    category=_FAMILY,
    signatures=("c = onCleanup(f)",),
    device=NAMES,
    cases=("c = onCleanup(@() disp('done')); strcmp(evalc('clear c'), sprintf('done\\n'))",),
)
def on_cleanup(ctx: CallContext, task: Value) -> Value:
    """An object that calls ``f`` when it is cleared, for example when a function ends."""
    return OnCleanup(ctx, task)


@builtin(
    "which",
    category=_FAMILY,
    signatures=(
        "which(name, ...)",
        "[file, ...] = which(name, ...)",
        "files = which(name, '-all')",
    ),
    device=NAMES,
    cases=(
        "contains(evalc('which sin'), 'built-in')",
        "contains(which('sin', 'nothing_of_this_name'), 'sin')",
    ),
)
def which(ctx: Context, *names: Value, nargout: int = 0) -> Value:
    """The file that a name means; with '-all' all there are, those that are hidden included.

    Each name has an output of its own."""
    words = list(map(text_of, names))
    for word in words:
        if word.startswith("-") and word.lower() != "-all":
            raise unknown_option("which", word, "-all")
    texts = [word for word in words if not word.startswith("-")]
    if not texts:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    if nargout > len(texts):
        raise MatlabError("MATLAB:maxlhs", "Too many output arguments.")
    every = len(texts) < len(words)
    if nargout:
        found = [_places(ctx, text, every=every) for text in texts[:nargout]]
        made = [Cell.of(f, (len(f), 1)) if every else (f or [""])[0] for f in found]
        return made[0] if nargout == 1 else tuple(made)
    for text in texts:
        places = _places(ctx, text, every=every)
        shown = places if every else places[:1]
        ctx.write("".join(f"{f}\n" for f in shown) or f"'{text}' not found.\n")
    return ()


def _places(ctx: Context, text: str, *, every: bool) -> list[str]:
    """The files that a name means and the builtin; without ``every`` the first is what counts."""
    found = [] if (first := ctx.code_file(text)) is None else [first]
    if "." in text and paths.is_file(file := Path(ctx.path.current, ctx.path.find_file(text))):
        found.append(str(file))
    if every:
        places = (Path(p, f"{text}.m") for p in ctx.path.order())
        found += [str(p) for p in places if paths.is_file(p) and str(p) not in found]
    if lookup(text) is not None and (every or not found):
        found.append(f"built-in ({text})")
    return found


@builtin(
    "path",
    category=_FAMILY,
    signatures=("p = path", "path(p)"),
    device=NAMES,
    cases=("ischar(path)",),
    see=("addpath",),
)
def path(ctx: Context, *new: Value, nargout: int = 0) -> Value:
    """The search path."""
    if new:
        ctx.path.entries = []
        ctx.path.add([p for n in new for p in text_of(n).split(":")])
        ctx.interpreter.relink()
    listed = ":".join(ctx.path.entries)
    if nargout or new:
        return listed if nargout else ()
    ctx.write("\n".join(ctx.path.entries) + "\n")
    return ()


@builtin(
    "addpath",
    category=_FAMILY,
    device=NAMES,
    cases=(
        "mkdir('tools'); addpath('tools'); found = contains(path, 'tools'); rmpath('tools'); found",
    ),
    see=("rmpath", "genpath"),
    signatures=("old = addpath(folder, ...)", "addpath(folder, '-end')"),
)
def addpath(ctx: Context, *folders: Value, nargout: int = 0) -> Value:
    """Put folders on the search path."""
    before = ":".join(ctx.path.entries)
    flag = folders[-1] if len(folders) > 1 and isinstance(folders[-1], float) else None
    if flag is not None:  # 0 and 1 stand for -begin and -end
        folders = folders[:-1]
    if not all(is_text_scalar(f) for f in folders):
        raise MatlabError("MATLAB:string", "Arguments must contain a character vector.")
    words = [text_of(f) for f in folders]
    at_end = any(w.lower() == "-end" for w in words) or flag == 1.0
    for word in words:
        if word.startswith("-") and word.lower() not in ("-begin", "-end", "-frozen"):
            raise unknown_option("addpath", word, "-begin -end -frozen")
    places = [p for w in words if not w.startswith("-") for p in w.split(":")]
    for place in places:
        restricted.check_folder(Path(ctx.path.current, place))
        if place and not Path(ctx.path.current, place).is_dir():
            ctx.warning(
                "MATLAB:mpath:nameNonexistentOrNotADirectory",
                f"Name is nonexistent or not a directory: {place}",
            )
    known = set(ctx.path.entries)
    ctx.path.add([p for p in places if Path(ctx.path.current, p).is_dir()], at_end)
    ctx.interpreter.relink()
    if ctx.settings.octave:
        _run_hooks(ctx, [p for p in ctx.path.entries if p not in known])
    return before if nargout else ()


def _run_hooks(ctx: Context, folders: list[str]) -> None:
    """Run ``PKG_ADD`` of folders that came to the path: packages of Octave set themselves up."""
    for hook in (Path(folder, "PKG_ADD") for folder in folders):
        if hook.is_file():
            run_script(ctx.interpreter.load(str(hook)), ctx.interpreter.base)


@builtin(
    "rmpath",
    category=_FAMILY,
    signatures=("old = rmpath(folder, ...)",),
    device=NAMES,
    cases=(
        "mkdir('tools'); addpath('tools'); rmpath('tools'); "
        "~contains(path, fullfile(pwd, 'tools'))",
    ),
    see=("addpath",),
)
def rmpath(ctx: Context, *folders: Value, nargout: int = 0) -> Value:
    """Remove folders from the search path."""
    before = ":".join(ctx.path.entries)
    ctx.path.remove([p for f in folders for p in text_of(f).split(":")])
    ctx.interpreter.relink()
    return before if nargout else ()


@builtin(
    "genpath",
    category=_FAMILY,
    signatures=("p = genpath(folder)",),
    device=NAMES,
    cases=("mkdir('a'); mkdir('a/b'); contains(genpath('a'), 'b')",),
    see=("addpath",),
)
def genpath(ctx: Context, folder: Value) -> Value:
    """A folder and all folders below it, as text for addpath."""
    root = Path(ctx.path.current, text_of(folder))
    found = [root] if root.is_dir() else []
    found += sorted(p for p in root.rglob("*") if p.is_dir())
    return ":".join(str(p) for p in found if _is_searched(p.relative_to(root)))


def _is_searched(folder: Path) -> bool:
    """False for packages, class folders, private and hidden folders."""
    return not any(p.startswith(("+", "@", ".")) or p == "private" for p in folder.parts)


_NO_VARIABLES = frozenset(("i", "j", "pi", "inf", "nan", "eps", "Inf", "NaN", "e"))


@builtin(
    "symvar",
    category=_FAMILY,
    signatures=("names = symvar(expression)",),
    device=NAMES,
    cases=("isequal(symvar('a*x + sin(b)'), {'a'; 'b'; 'x'})",),
)
def symvar(expression: Value) -> Value:
    """The names of the variables in the text of an expression, sorted."""
    text = expression.text if isinstance(expression, FunctionHandle) else text_of(expression)
    found = set(re.findall(r"(?<![\w.])[A-Za-z]\w*(?!\w|\s*\()", text)) - _NO_VARIABLES
    names = sorted(found)
    return Cell.of(names, (len(names), 1)) if names else Cell.empty()
