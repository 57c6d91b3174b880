"""Callables of the generated code: builtins, scripts called by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.engine.declarations.registry import Builtin
from app.engine.interpreter import loader
from app.engine.interpreter.compile.intrinsics import quick_entry
from app.engine.interpreter.frames import current, is_dynamic, unit_of
from app.engine.values import Value
from app.errors import MatlabError, SyntaxProblem

if TYPE_CHECKING:
    from app.engine.interpreter.interpreter import Interpreter
    from app.engine.interpreter.unit import Unit


def calling_unit() -> Unit | None:
    """The unit of the innermost MATLAB frame."""
    frame = current()
    return None if frame is None else unit_of(frame)


def builtin_entry(context: Any, builtin: Builtin) -> Callable[..., Value]:
    """A builtin with the calling convention of generated code.

    Returns:
        A function whose attribute ``builtin`` is the builtin.
    """
    made = _entry(context, builtin)
    made.__dict__["builtin"] = builtin
    return made


def _entry(context: Any, builtin: Builtin) -> Callable[..., Value]:
    call, scalar = builtin.call, builtin.scalar

    def general(*args: Value, nargout: int = 1) -> Value:
        if nargout < 2 and scalar is not None and len(args) == 1 and type(args[0]) is float:
            return scalar(args[0])
        made = call(context, args, nargout)
        if nargout == 1 and made is not None and type(made) is not tuple:
            return made
        if type(made) is tuple:
            if nargout > 1:
                return made
            made = made[0] if made else None
        if made is None and nargout == 1:
            raise MatlabError("MATLAB:maxlhs", "Too many output arguments.")
        return made if nargout < 2 else (made,)

    made = quick_entry(context, builtin.name, general)
    if made is not None:
        return made
    general.__name__ = builtin.name
    return general


def renew(interpreter: Interpreter, loaded: loader.LoadedFile) -> None:
    """Handles of the function of a file that has changed call what it has become."""
    main = loaded.main
    called = main.made if isinstance(main, loader.LazyFunction) else main
    for handle in list(interpreter.objects.handles):
        if called is not None and handle.target is called:
            try:
                handle.target = interpreter.file_callable(loaded.path, handle.name)
            except (OSError, SyntaxProblem):  # told when it is called
                handle.target = None


class ScriptCall:
    """A script file called by its name: it runs in the workspace of its caller."""

    __slots__ = ("interpreter", "loaded")

    def __init__(self, interpreter: Interpreter, loaded: loader.LoadedFile) -> None:
        self.interpreter = interpreter
        self.loaded = loaded

    def __call__(self, *args: Value, nargout: int = 1) -> None:
        """Run the script, which takes nothing and has no value."""
        if args or nargout:
            path = self.loaded.path
            text = f"Attempt to execute SCRIPT {Path(path).stem} as a function:\n{path}"
            raise MatlabError("MATLAB:scriptNotAFunction", text)
        frame = current()
        if frame is not None and not is_dynamic(frame):
            self.interpreter.context.run_in_frame(frame, self.loaded)
        else:
            workspace = self.interpreter.base if frame is None else frame.f_globals
            loader.run_script(self.loaded, workspace)
