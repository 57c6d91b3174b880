"""A compiled text: the dictionary its code runs in, its constants and its links to functions.

A link is an entry ``name()`` of that dictionary. It starts as a stub that resolves the name at the
first call and puts the function found in its own place, so that later calls cost nothing; when
the search path changes every link is reset.
"""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from app.engine.language import ast
from app.engine.values import EMPTY, FunctionHandle, StringArray, Value, argument_name
from app.source import SourceText, Span

if TYPE_CHECKING:
    from app.engine.interpreter.interpreter import Interpreter

KEPT = "#kept"
"""Under this name a workspace in a dictionary holds the dictionary of persistent variables."""


def link_name(name: str) -> str:
    """The Python name of the link to the function ``name``."""
    return f"{name}()"


class Unit:
    """One compiled file, script or evaluated text.

    Attributes:
        interpreter: who runs it.
        source: the text.
        namespace: Python globals of its functions; for scripts, the builtins behind the workspace.
        folder: folder of the file, for private functions; empty for typed text.
        local: functions of this file by name.
        nodes: their syntax trees.
        main: name of the function that the file's name calls; empty for scripts and classes.
        class_name: class whose methods the unit holds; empty otherwise.
        imports: names given by ``import``.
        loops: its loops that may go on in machine code, by their spans.
        wrong_guesses: where such code met a matrix it took for a vector, or a fraction in a range.
        anonymous: its anonymous functions by the code that was made of them.
        running: how many of its scripts' codes are being run.
        handles: what ``@name`` is in it, as long as its links hold.
        members: what dotted names are in it, just as long.
        package: dotted package of the file; empty outside packages.
    """

    def __init__(self, interpreter: Interpreter, source: SourceText, folder: str = "") -> None:
        self.interpreter = interpreter
        self.source = source
        self.folder = folder
        self.namespace: dict[str, Any] = dict(interpreter.support)
        self.namespace["#unit"] = self
        self.namespace["#persistent"] = {}
        self.local: dict[str, Callable[..., Value]] = {}
        self.nodes: dict[str, ast.FunctionDef] = {}
        self.main = ""
        self.class_name = ""
        self.imports: list[str] = []
        self.package = ""
        self.links: set[str] = set()
        self.codes: dict[str, Any] = {}
        self.loops: dict[Any, Any] = {}
        self.wrong_guesses: set[Span] = set()
        self.anonymous: dict[CodeType, ast.AnonymousFunction] = {}
        self.handles: dict[str, FunctionHandle] = {}
        self.members: dict[tuple[str, ...], FunctionReference] = {}
        self._constants: dict[tuple[str, object, str], str] = {}
        self.running = 0
        self._kept = 0
        self._functions: dict[CodeType, str] = {}
        self._persistents = 0
        self.current_persistent = ""
        interpreter.units.add(self)

    def constant(self, form: str, value: object) -> str:
        """The name of a constant of the namespace; equal constants are shared."""
        key = (form, value, repr(value))
        name = self._constants.get(key)
        if name is None:
            name = f"#k{len(self._constants)}"
            self._constants[key] = name
            self.namespace[name] = _FORMS[form](value)
        return name

    def keep(self, value: object) -> str:
        """Put any Python object into the namespace and return its name."""
        name = f"#o{self._kept}"
        self._kept += 1
        self.namespace[name] = value
        return name

    def keep_function(self, code: CodeType) -> str:
        """The name of the function that a code makes; equal codes are one function."""
        name = self._functions.get(code)
        if name is None:
            name = self._functions[code] = self.keep(FunctionType(code, self.namespace))
        return name

    def forget(self, code: CodeType) -> None:
        """Let go of the loops of a script's code that nothing runs any more."""
        for name in code.co_names:
            if name.startswith("#o") and not isinstance(self.namespace.get(name), FunctionType):
                self.namespace.pop(name, None)
        for part in code.co_consts:
            if isinstance(part, CodeType):
                self.forget(part)

    def start_persistent(self, name: str = "") -> None:
        """The function compiled next gets its own persistent variables, or those of the name."""
        self._persistents += 1
        self.current_persistent = name or f"#p{self._persistents}"

    def persistent_name(self) -> str:
        """The name of the dictionary of persistent variables of the current function."""
        name = self.current_persistent
        if name != KEPT and name not in self.namespace:
            self.namespace[name] = {}
            self.namespace["#persistent"][name] = self.namespace[name]
        return name

    def link(self, name: str) -> None:
        """Make sure the namespace has a link to the function ``name``."""
        key = link_name(name)
        if key not in self.namespace:
            self.links.add(name)
            self.namespace[key] = LinkStub(self, name)

    def reference(self, name: str) -> str:
        """The name of a stand-in value for the function, class or package ``name``."""
        key = f"#r{name}"
        if key not in self.namespace:
            self.namespace[key] = FunctionReference(self, (name,))
        return key

    def is_script(self, name: str) -> bool:
        """True when ``name`` on its own runs a script file, in the caller's workspace."""
        return self.interpreter.is_script(name, self.folder)

    def reset_links(self) -> None:
        """Forget what every name meant; local functions stay."""
        self.handles.clear()
        self.members.clear()
        for name in self.links:
            self.namespace[link_name(name)] = LinkStub(self, name)

    def clear_persistent(self) -> None:
        """Forget the persistent variables of all functions of the unit."""
        for store in self.namespace["#persistent"].values():
            store.clear()


class LinkStub:
    """Stands for a function until its first call."""

    __slots__ = ("name", "unit")

    def __init__(self, unit: Unit, name: str) -> None:
        self.unit = unit
        self.name = name

    def __call__(self, *args: Value, nargout: int = 1) -> Value:
        """Find the function and call it."""
        return self.resolved()(*args, nargout=nargout)

    def resolved(self) -> Callable[..., Value]:
        """The function that the name means."""
        return self.unit.interpreter.resolve_link(self.unit, self.name)


class FunctionReference:
    """A function, class or package where the code has the value of an unset variable.

    Indexing helpers that meet one call the function instead.

    Attributes:
        is_package: whether the dotted ``path`` is a package's; of one name alone nobody asks.
    """

    __slots__ = ("is_package", "path", "unit")

    def __init__(self, unit: Unit, path: tuple[str, ...], is_package: bool = False) -> None:
        self.unit = unit
        self.path = path
        self.is_package = is_package

    def __call__(self, *args: Value, nargout: int = 1) -> Value:
        """Find the function and call it."""
        name = ".".join(self.path)
        self.unit.link(name)
        made: Value = self.unit.namespace[link_name(name)](*args, nargout=nargout)
        return made

    def member(self, name: str) -> FunctionReference | None:
        """The reference ``path.name`` when ``path`` is a package or a class; else None."""
        path = (*self.path, name)
        found = self.unit.members.get(path)
        if found is None:
            found = self.unit.interpreter.resolve_member(self, name)
            if found is not None:
                self.unit.members[path] = found
        return found


def _matrix(value: Any) -> Value:
    if not value or not value[0]:
        return EMPTY if len(value) <= 1 else np.zeros((0, 0))
    made = np.array(value, dtype=np.float64, order="F")
    return made.item() if made.size == 1 else made


def _integer(value: Any) -> Value:
    return np.array([[value[1]]], dtype=value[0])


_FORMS: dict[str, Callable[[Any], Value]] = {
    "matrix": _matrix,
    "integer": _integer,
    "string": StringArray.scalar,
    "argument name": argument_name,
}
