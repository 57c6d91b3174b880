"""A ``classdef`` file to a ``ClassInfo``."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from app.engine.interpreter import argument_checks
from app.engine.interpreter.compile.functions import compile_value
from app.engine.interpreter.loader import LazyFunction, LoadedFile
from app.engine.interpreter.objects import object_arrays
from app.engine.interpreter.objects.class_model import (
    TEST_ROLES,
    Access,
    ClassInfo,
    Event,
    Method,
    Property,
)
from app.engine.interpreter.objects.exception_classes import base_class
from app.engine.language import ast
from app.engine.language.class_attributes import unknown_attributes
from app.engine.language.walk import dotted_name, walk_body
from app.engine.values import EMPTY, Cell, Struct, Value, class_of, size_of
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.interpreter.objects.instances import Objects
    from app.engine.interpreter.unit import Unit

_NATIVE = frozenset(
    (
        "double",
        "single",
        "logical",
        "char",
        "int8",
        "int16",
        "int32",
        "int64",
        "uint8",
        "uint16",
        "uint32",
        "uint64",
    )
)


class ClassLoader:
    """Builds the description of one class."""

    def __init__(self, objects: Objects, loaded: LoadedFile) -> None:
        assert loaded.tree.classdef is not None
        self.objects = objects
        self.unit = loaded.unit
        self.node = loaded.tree.classdef
        package = f"{self.unit.package}." if self.unit.package else ""
        self.info = ClassInfo(package + self.node.name, self.unit, help=self.node.help)
        self.unit.class_name = self.info.name

    def build(self) -> ClassInfo:
        """The finished description, registered with the interpreter."""
        info = self.info
        self._superclasses()
        self._check_attributes()
        flags = self._flags(self.node.attributes)
        info.abstract = flags.get("abstract", False) is True
        info.sealed = flags.get("sealed", False) is True
        info.construct_on_load = flags.get("constructonload", False) is True
        allowed = flags.get("allowedsubclasses")
        info.allowed = allowed if isinstance(allowed, frozenset) else None
        info.inferior = self._inferior()
        fixtures = (a.value for a in self.node.attributes if a.name == "SharedTestFixtures")
        shared = next(fixtures, None)
        info.shared_fixtures = None if shared is None else self._thunk(shared)
        self.objects.register(info)
        for block in self.node.blocks:
            self._block(block)
        for name, file in self.objects.method_files(info.name).items():
            if name != info.short_name and name not in info.methods:
                info.methods[name] = Method(name, info, self.objects.file_function(file, info))
        _check_sealed_methods(info)
        self.objects.note_methods(info)
        info.settle()
        return info

    def _superclasses(self) -> None:
        for name in self.node.superclasses:
            if name == "handle":
                self.info.is_handle = True
            elif name in _NATIVE:
                self.info.native_base = name
            else:
                base = base_class(self.objects, name, self.unit)
                _check_may_derive(self.info, base)
                self.info.bases.append(base)
                self.info.is_handle = self.info.is_handle or base.is_handle

    def _inferior(self) -> frozenset[str]:
        values = [
            a.value
            for a in self.node.attributes
            if a.name.lower() == "inferiorclasses" and a.value is not None
        ]
        return frozenset(n.name for n in walk_body(tuple(values)) if isinstance(n, ast.MetaClass))

    # --- attributes ---

    def _check_attributes(self) -> None:
        """Refuse attributes that there are none of: they would change nothing."""
        for attribute, why in unknown_attributes(self.node):
            line = self.unit.source.line_of(attribute.span.start)
            text = f"Class '{self.info.name}', line {line}: {why}"
            raise MatlabError("MATLAB:class:InvalidAttribute", text)

    def _flags(self, attributes: tuple[ast.Attribute, ...]) -> dict[str, Any]:
        return {a.name.lower(): self._flag(a.value) for a in attributes}

    def _flag(self, value: ast.Expr | None) -> Any:
        if value is None:
            return True
        if isinstance(value, ast.Name):
            return {"true": True, "false": False}.get(value.id, value.id)
        if isinstance(value, ast.Char | ast.String):
            return {"on": True, "off": False}.get(value.value, value.value)
        if isinstance(value, ast.Number):
            return bool(value.value)
        if isinstance(value, ast.CellLiteral | ast.MetaClass):
            return frozenset(n.name for n in walk_body((value,)) if isinstance(n, ast.MetaClass))
        return True

    # --- blocks ---

    def _block(self, block: ast.ClassBlock) -> None:
        flags = self._flags(block.attributes)
        if isinstance(block, ast.PropertiesBlock):
            for declaration in block.declarations:
                self._property(declaration, flags)
        elif isinstance(block, ast.MethodsBlock):
            for function in block.functions:
                self._method(function, flags)
            for signature in block.signatures:
                self._signature(signature, flags)
        elif isinstance(block, ast.EventsBlock):
            for name in block.names:
                self.info.events[name] = Event(
                    name,
                    self.info,
                    listen_access=_access(flags, "listenaccess"),
                    notify_access=_access(flags, "notifyaccess"),
                    hidden=bool(flags.get("hidden", False)),
                )
        else:
            for member in block.members:
                self.info.enumeration[member.name] = None
                self._enumeration_arguments(member)

    def _enumeration_arguments(self, member: ast.EnumerationMember) -> None:
        made = [self._thunk(a)() for a in member.args]
        self.info.enumeration[member.name] = tuple(made)

    def _property(self, node: ast.Declaration, flags: dict[str, Any]) -> None:
        constant = bool(flags.get("constant", False))
        self.info.properties[node.name] = Property(
            node.name,
            self.info,
            _evaluated_once(self._default(node)),
            get_access=_access(flags, "getaccess", "access"),
            set_access=_access(flags, "setaccess", "access"),
            constant=constant,
            dependent=bool(flags.get("dependent", False)),
            hidden=bool(flags.get("hidden", False)),
            abstract=bool(flags.get("abstract", False)),
            set_observable=bool(flags.get("setobservable", False)),
            get_observable=bool(flags.get("getobservable", False)),
            abort_set=bool(flags.get("abortset", False)),
            transient=bool(flags.get("transient", False)),
            non_copyable=bool(flags.get("noncopyable", False)),
            check=self._checker(node, "setting"),
        )

    def _default(self, node: ast.Declaration) -> Callable[[], Value]:
        """The initial value of a property, as its declaration wants it."""
        if node.default is None:
            return self._maker_of_default(node)
        given, check = self._thunk(node.default), self._checker(node, "defining")
        return given if check is None else lambda: check(given())

    def _maker_of_default(self, node: ast.Declaration) -> Callable[[], Value]:
        """The initial value of a property without one: of its class, with 0 for open sizes."""
        name = node.class_name or "double"
        size = tuple(max(n, 0) for n in _sizes(node) or (0, 0))
        if name == "double" and size == (0, 0):
            return lambda: EMPTY
        find, unit = self.objects.interpreter.find, self.unit

        def make() -> Value:
            convert, empty = find(unit, name), find(unit, f"{name}.empty")
            if convert is None or name == "function_handle":
                return EMPTY
            if 0 in size:
                return EMPTY if empty is None else empty(*map(float, size))
            one, repeat = _scalar_default(convert, name), find(unit, "repmat")
            if repeat is None or all(n == 1 for n in size):
                return one
            return repeat(one, np.array([size], dtype=np.float64))

        return make

    def _checker(self, node: ast.Declaration, doing: str) -> Callable[[Value], Value] | None:
        if node.size is None and not node.class_name and not node.validators:
            return None
        size = _sizes(node)
        converter = self._converter(node.class_name)
        label = f"Error {doing} property '{node.name}' of class '{self.info.name}'. "
        checks = [self._validator(v) for v in node.validators]

        def check(value: Value) -> Value:
            value = argument_checks.check_argument(value, size, node.class_name, converter, label)
            for validator in checks:
                argument_checks.validate(label, lambda run=validator, v=value: run(v))  # type: ignore[misc]
            return value

        return check

    def _converter(self, name: str) -> Callable[..., Value] | None:
        if not name:
            return None

        def convert(value: Value) -> Value:
            found = self.objects.interpreter.find(self.unit, name)
            if found is None:
                raise MatlabError("MATLAB:class:UndefinedClass", f"Class '{name}' is not known.")
            if class_of(value) == "double" and size_of(value) == (0, 0):
                info = self.objects.find_class(name, self.unit)
                if info is not None:  # as in an assignment to an array of objects
                    return object_arrays.empty(info, ())
            return found(value)

        return convert

    def _validator(self, node: ast.Expr) -> Callable[[Value], Value]:
        given = node.args[1:] if isinstance(node, ast.Index) else ()
        name = dotted_name(node.base if isinstance(node, ast.Index) else node)
        extra = [self._thunk(a) for a in given]

        def run(value: Value) -> Value:
            found = self.objects.interpreter.find(self.unit, name)
            if found is None:
                raise MatlabError("MATLAB:UndefinedFunction", f"Unrecognized function '{name}'.")
            return found(value, *(e() for e in extra), nargout=0)

        return run

    def _method(self, node: ast.FunctionDef, flags: dict[str, Any]) -> None:
        kind, _, name = node.name.rpartition(".")
        if node.name == self.info.short_name:
            self._constructor(node)
            return
        function = MethodFunction(self.unit, node)
        if kind == "get":
            self.info.getters[name] = function
        elif kind == "set":
            self.info.setters[name] = function
        else:
            self.info.methods[name] = Method(
                name,
                self.info,
                function,
                static=bool(flags.get("static", False)),
                access=_access(flags, "access"),
                hidden=bool(flags.get("hidden", False)),
                sealed=bool(flags.get("sealed", False)),
                roles=frozenset(role for role in TEST_ROLES if flags.get(role.lower())),
            )

    def _constructor(self, node: ast.FunctionDef) -> None:
        self.info.constructor = MethodFunction(self.unit, node, constructs=self.info.name)
        self.info.explicit_supers = {
            n.superclass for n in walk_body(node.body) if isinstance(n, ast.SuperCall)
        }

    def _signature(self, node: ast.Signature, flags: dict[str, Any]) -> None:
        file = self.objects.method_files(self.info.name).get(node.name)
        function = self.objects.file_function(file, self.info) if file else None
        self.info.methods[node.name] = Method(
            node.name,
            self.info,
            function,
            static=bool(flags.get("static", False)),
            access=_access(flags, "access"),
            abstract=bool(flags.get("abstract", False)),
            hidden=bool(flags.get("hidden", False)),
        )

    def _thunk(self, expr: ast.Expr) -> Callable[[], Value]:
        """An expression of the class file as something to evaluate when needed."""
        made: list[FunctionType] = []

        def evaluate() -> Value:
            if not made:
                code = compile_value(self.unit, expr)
                made.append(FunctionType(code, self.unit.namespace))
            return made[0]()

        return evaluate


def _access(flags: dict[str, Any], *names: str) -> Access:
    """The access that the first of ``names`` that is written gives; public where none is."""
    given = next((flags[name] for name in names if name in flags), "public")
    return given.lower() if isinstance(given, str) else given


def _check_may_derive(info: ClassInfo, base: ClassInfo) -> None:
    """Raise where a class must not derive from another."""
    if base.sealed:
        text = f"Class '{base.name}' is Sealed and may not be used as a superclass."
        raise MatlabError("MATLAB:class:SealedSuperclass", text)
    if base.allowed is not None and info.name not in base.allowed:
        text = f"Class '{info.name}' is not among the AllowedSubclasses of class '{base.name}'."
        raise MatlabError("MATLAB:class:NotAllowedSubclass", text)


def _check_sealed_methods(info: ClassInfo) -> None:
    """Raise where a class defines a method that a superclass has sealed."""
    for name in info.methods:
        for base in info.bases:
            method = base.find_method(name)
            if method is not None and method.sealed:
                text = f"Method '{name}' of class '{method.owner.name}' is Sealed; class "
                text += f"'{info.name}' cannot define it again."
                raise MatlabError("MATLAB:class:SealedMethod", text)


def _evaluated_once(make: Callable[[], Value]) -> Callable[[], Value]:
    """Defaults are evaluated once, when the class is first used."""
    held: list[Value] = []

    def value() -> Value:
        if not held:
            held.append(make())
        return held[0]

    return value


def _sizes(node: ast.Declaration) -> tuple[int, ...] | None:
    """The declared size, -1 where any number of elements will do; None without one."""
    if node.size is None:
        return None
    return tuple(int(n.value) if isinstance(n, ast.Number) else -1 for n in node.size)


def _scalar_default(convert: Callable[..., Value], name: str) -> Value:
    if name in {"cell", "struct"}:
        return Cell.of([EMPTY]) if name == "cell" else Struct({})
    if name in {"char", "string"}:
        return convert("")
    return convert(0.0) if name in _NATIVE else convert()


class MethodFunction(LazyFunction):
    """A method: known by its class, not by its file."""

    __slots__ = ("constructs",)

    def __init__(self, unit: Unit, node: ast.FunctionDef, constructs: str = "") -> None:
        super().__init__(unit, node)
        self.constructs = constructs

    def ready(self) -> Callable[..., Value]:
        """The compiled method."""
        if self.made is None:
            from app.engine.interpreter.loader import make_function

            self.made = make_function(self.unit, self.node, self.constructs)
        return self.made
