"""Objects of ``classdef`` classes: construction, properties, methods, operators.

Syntax reaches this module through the indexing and assignment helpers; ``obj(…)`` on arrays of
objects is in ``object_arrays``, events are in ``events``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from app.engine.interpreter.frames import current, unit_of
from app.engine.interpreter.indexing.index_read import CommaList, of_elements, paren
from app.engine.interpreter.objects import (
    derived,
    events,
    exception_classes,
    object_arrays,
    overloads,
    property_access,
    struct_objects,
)
from app.engine.interpreter.objects.access import may_access
from app.engine.interpreter.objects.accessors import is_running
from app.engine.interpreter.objects.class_model import ClassInfo, Method, Property, class_of_object
from app.engine.interpreter.undefined_names import unknown_superclass
from app.engine.values import (
    EMPTY,
    FunctionHandle,
    HandleObject,
    ObjectArray,
    ObjectValue,
    Value,
)
from app.engine.values.containers import no_member
from app.errors import MatlabError, SyntaxProblem

if TYPE_CHECKING:
    from app.engine.interpreter.interpreter import Interpreter
    from app.engine.interpreter.loader import LoadedFile
    from app.engine.interpreter.unit import Unit

Callee = Callable[..., Value]


def no_set_method(kind: str, name: str) -> MatlabError:
    """The error for a value that a property without a place for it is given."""
    text = (
        f"In class '{kind}', no set method is defined for Dependent property '{name}'. "
        "A Dependent property needs a set method to assign its value."
    )
    return MatlabError("MATLAB:class:noSetMethod", text)


class Objects:
    """The classes of an interpreter and what can be done with their objects."""

    def __init__(self, interpreter: Interpreter) -> None:
        self.interpreter = interpreter
        self.classes: dict[str, ClassInfo] = {}
        self.method_names: set[str] = set()
        self.derived_from_numbers = False
        self.handles: WeakSet[FunctionHandle] = WeakSet()
        self._starting: list[Value] = []

    # --- classes ---

    def define(self, loaded: LoadedFile) -> Callee:
        """The class of a file, as the function that makes its objects."""
        from app.engine.interpreter.objects.class_loader import ClassLoader

        name = loaded.class_name
        known = self.classes.get(name)
        if known is None or known.unit is not loaded.unit:
            ClassLoader(self, loaded).build()
        return self.constructor(name)

    def register(self, info: ClassInfo) -> None:
        """Make a class known before its members are read: they may refer to it."""
        self.classes[info.name] = info

    def note_methods(self, info: ClassInfo) -> None:
        """Functions with the names of methods look at their arguments from now on."""
        names = {m.name for m in info.all_methods()} | {"disp", "display", "delete"}
        if info.enumeration or info.native_base:
            names |= overloads.CONVERSIONS | overloads.BY_NAME
        if "size" in names:
            names |= set(overloads.BY_SIZE)
        blind = [h for h in self.handles if not self.looks(h.name)]
        before = len(self.method_names), self.derived_from_numbers
        self.method_names |= names
        self.derived_from_numbers |= bool(info.native_base)
        if before != (len(self.method_names), self.derived_from_numbers):
            self.interpreter.reset_links()
        for handle in blind:  # made before the class was known
            if self.looks(handle.name) and callable(handle.target):
                handle.target = self.dispatcher(handle.name, handle.target)

    def looks(self, name: str) -> bool:
        """Whether functions of that name look at their arguments, which may have such a method."""
        return self.derived_from_numbers or name in self.method_names

    def require(self, name: str, unit: Unit | None = None) -> ClassInfo:
        """The class ``name``, loaded if need be."""
        info = self.find_class(name, unit)
        if info is None:
            raise unknown_superclass(name)
        return info

    def find_class(self, name: str, unit: Unit | None = None) -> ClassInfo | None:
        """The class that ``name`` means in a unit, which may import it; None for no class."""
        if name in self.classes:
            return self.classes[name]
        path = self.interpreter.path.find(name, unit.folder if unit else "")
        if path is None and unit is not None:
            path = self.interpreter.path.find(f"{unit.package}.{name}") if unit.package else None
            path = path or self.interpreter.path.imported(unit.imports, name)
        if path is None:
            return None
        loaded = self.interpreter.load(path)
        if loaded.tree.classdef is not None:
            self.define(loaded)
            return self.classes[loaded.class_name]
        if loaded.unit.class_name == name:
            struct_objects.class_of_folder(self, name)
        return self.classes.get(name)

    def method_files(self, name: str) -> dict[str, str]:
        """Methods of the class in files of their own."""
        return self.interpreter.path.method_files(name)

    def file_function(self, file: str, info: ClassInfo) -> Callee | None:
        """The function of a method's own file; one that does not parse says so when called."""
        try:
            loaded = self.interpreter.load(file)
        except SyntaxProblem:
            return _read_again(self.interpreter, file)
        loaded.unit.class_name = info.name
        return loaded.main

    def named_struct(self, fields: Value, name: str, parents: tuple[Value, ...]) -> Value:
        """``class(s, name, parent, ...)``: an object of a class without ``classdef``."""
        return struct_objects.make(self, fields, name, parents)

    def metaclass(self, unit: Unit, name: str) -> Value:
        """``?Class`` in the code of a unit."""
        from app.engine.interpreter.objects.metaclass import described

        return described(self, name, unit)

    # --- construction ---

    def constructor(self, name: str) -> Callee:
        """The function that makes objects of a class."""
        info = self.classes[name]

        def construct(*args: Value, nargout: int = 1) -> Value:
            return self.construct(info, args, nargout)

        construct.__name__ = name
        return construct

    def construct(self, info: ClassInfo, args: tuple[Value, ...], nargout: int = 1) -> Value:
        """A new object, and what else its constructor gives back where more is wanted."""
        if info.enumeration:
            return overloads.convert_to_member(self, info, args)
        info.check_instantiable()
        return self.initialise(info, self.blank(info), args, nargout)

    def blank(self, info: ClassInfo) -> ObjectValue:
        """An object with the default values of all properties."""
        made = self._new_instance(info)
        for prop in info.all_properties():
            if not prop.constant and not prop.dependent:
                made.properties[prop.name] = prop.default()
        return made

    def _new_instance(self, info: ClassInfo) -> ObjectValue:
        if not info.is_handle:
            return ObjectValue(info, {})
        if info.find_method("delete") is None:
            return HandleObject(info, {})
        return events.Destructible(info, self.interpreter.context)

    def initialise(
        self, info: ClassInfo, obj: Value, args: tuple[Value, ...], nargout: int = 1
    ) -> Value:
        """Run the constructor of ``info`` on ``obj``."""
        if info.constructor is None:
            if nargout > 1:
                raise MatlabError("MATLAB:TooManyOutputs", "Too many output arguments.")
            return self._default_construction(info, obj, args)
        self._starting.append(obj)
        depth = len(self._starting)
        try:
            return info.constructor(*args, nargout=nargout)
        finally:
            del self._starting[depth - 1 :]

    def _default_construction(self, info: ClassInfo, obj: Value, args: tuple[Value, ...]) -> Value:
        if info.native_base:
            held = overloads.single_object(obj).properties
            held[derived.VALUE] = derived.base_value(info.native_base, args)
            return obj
        if args and not info.bases:
            raise MatlabError("MATLAB:TooManyInputs", "Too many input arguments.")
        for place, base in enumerate(info.bases):
            obj = self.initialise(base, obj, args if place == 0 else ())
        return obj

    def start(self, class_name: str) -> Value:
        """The object a running constructor begins with; superclasses not called run first."""
        obj: Value = (
            self._starting.pop() if self._starting else self.blank(self.classes[class_name])
        )
        info = self.classes[class_name]
        for base in info.bases:
            if base.name not in info.explicit_supers and base.constructor is not None:
                obj = self.initialise(base, obj, ())
        return obj

    def super_constructor(self, obj: Value, superclass: str, *args: Value) -> Value:
        """``obj@Super(args)``."""
        if superclass == "handle":
            return obj
        frame = current()
        base = self.find_class(superclass, unit_of(frame) if frame else None)
        if base is None:
            made = overloads.single_object(obj)
            if made.class_info.native_base == superclass:
                made.properties[derived.VALUE] = derived.base_value(superclass, args)
                return obj
            base = exception_classes.base_class(self, superclass)
        return self.initialise(base, obj, args)

    def super_method(self, name: str, superclass: str, *args: Value, nargout: int = 1) -> Value:
        """``method@Super(obj, args)``."""
        base = self.find_class(superclass)
        method = base.find_method(name) if base is not None else None
        if method is not None and method.function is not None:
            return method.function(*args, nargout=nargout)
        if name == "delete" and superclass == "handle" and isinstance(args[0], HandleObject):
            events.end(args[0])
            return None
        fallback = self.interpreter.builtin(name)
        if fallback is None:
            raise no_member(superclass, name)
        return fallback(*args, nargout=nargout)

    # --- members ---

    def member(self, x: Any, name: str, args: tuple[Value, ...] | None, nargout: int) -> Value:
        """``obj.name`` or ``obj.name(args)``."""
        info = class_of_object(x)
        if overloads.applies(self, info, "subsref"):
            return overloads.subsref_member(self, x, name, args, nargout)
        prop = info.find_property(name)
        if prop is not None:
            if isinstance(x, ObjectArray):
                values = CommaList(self.get(e, prop) for e in object_arrays.elements(x))
                return of_elements(values, args)
            value = self.get(x, prop)
            return value if args is None else paren(value, *args, nargout=nargout)
        return self._method_call(x, info, name, args, nargout)

    def _method_call(
        self, x: Any, info: ClassInfo, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        method = info.find_method(name)
        if method is None:
            return self._inherited_function(x, info, name, args, nargout)
        _check_access(method, info)
        if method.function is None:
            text = f"Abstract method '{name}' of class '{info.name}' has no implementation."
            raise MatlabError("MATLAB:class:abstract", text)
        if name == "delete" and isinstance(x, HandleObject) and not args:
            events.delete(self.interpreter.context, x)
            return None
        given = overloads.plain(args or ())
        if method.static:
            return method.function(*given, nargout=nargout)
        return method.function(x, *given, nargout=nargout)

    def _inherited_function(
        self, x: Any, info: ClassInfo, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """What every object has, ``obj.isvalid``, a member of an enumeration, ``obj.string``, and
        an object of a class of numbers, ``obj.sum(2)``."""
        is_error = name in exception_classes.METHODS and info.is_a(exception_classes.NAME)
        of_members = info.enumeration and name in overloads.CONVERSIONS | overloads.BY_NAME
        if is_error or name in overloads.COMMON or of_members or derived.has_number(x):
            entry = self.interpreter.builtin(name)
            if entry is not None:
                given = (x, *overloads.plain(args or ()))
                return _call_with_objects(self, name, entry, given, nargout)
        if name in info.enumeration:
            return overloads.enumeration_member(self, info, name)
        raise no_member(info.name, name)

    def get(self, x: ObjectValue, prop: Property) -> Value:
        """The value of a property, through its get method."""
        if prop.get_access != "public" and not may_access(prop.owner, prop.get_access):
            text = f"You cannot get the '{prop.name}' property of '{x.class_info.name}'."
            if prop.owner.of_fields:
                text = "Access to an object's fields is only permitted within its methods."
            raise MatlabError("MATLAB:class:GetProhibited", text)
        if isinstance(x, HandleObject) and not x.valid:
            raise MatlabError("MATLAB:class:InvalidHandle", "Invalid or deleted object.")
        if prop.constant:
            return self.constant(prop)
        getter = class_of_object(x).getter(prop.name)
        plain = getter is None and not prop.get_observable
        if plain or is_running("get", prop, getter):
            return x.properties.get(prop.name, EMPTY)
        return property_access.read(self, x, prop, getter)

    def constant(self, prop: Property) -> Value:
        """The value of a constant property, computed once."""
        return prop.default()

    def set_member(self, x: Any, name: str, value: Value) -> Value:
        """``obj.name = value``: the changed object."""
        info = class_of_object(x)
        if overloads.applies(self, info, "subsasgn"):
            return overloads.subsasgn_member(self, x, name, value)
        if isinstance(x, ObjectArray):
            return object_arrays.set_all(self, x, name, value)
        prop = info.find_property(name)
        if prop is None:
            text = f"Unrecognized property '{name}' for class '{info.name}'."
            raise MatlabError("MATLAB:noPublicFieldForClass", text)
        return self.set(x, prop, value)

    def set(self, x: ObjectValue, prop: Property, value: Value) -> Value:
        """Assign a property, through its checks and its set method."""
        self.check_settable(x, prop)
        if prop.check is not None:
            value = prop.check(value)
        setter = class_of_object(x).setter(prop.name)
        if prop.dependent and setter is None:
            raise no_set_method(x.class_info.name, prop.name)
        plain = setter is None and not prop.watched
        if plain or is_running("set", prop, setter):
            return property_access.stored(x, prop, value)
        return property_access.assigned(self, x, prop, setter, value)

    def check_settable(self, x: ObjectValue, prop: Property) -> None:
        """Raise where a property of an object must not be set from here."""
        if isinstance(x, HandleObject) and not x.valid:
            raise MatlabError("MATLAB:class:InvalidHandle", "Invalid or deleted object.")
        if prop.constant:
            text = f"You cannot set the read-only property '{prop.name}' of {x.class_info.name}."
            raise MatlabError("MATLAB:class:SetProhibited", text)
        if prop.set_access == "public" or may_access(prop.owner, prop.set_access):
            return
        text = f"Unable to set property '{prop.name}' of class '{x.class_info.name}' because it "
        text += "is read-only."
        raise MatlabError("MATLAB:class:SetProhibited", text)

    # --- indexing ---

    def paren(self, x: Any, args: tuple[Value, ...], nargout: int) -> Value:
        """``obj(args)``."""
        if overloads.applies(self, class_of_object(x), "subsref"):
            return overloads.subsref(self, x, "()", args, nargout)
        return object_arrays.select_elements(x, args)

    def brace(self, x: Any, args: tuple[Value, ...], nargout: int) -> Value:
        """``obj{args}``."""
        if overloads.applies(self, class_of_object(x), "subsref"):
            return overloads.subsref(self, x, "{}", args, nargout)
        text = f"'{{}}' indexing is not supported for variables of type '{x.class_info.name}'."
        raise MatlabError("MATLAB:cellRefFromNonCell", text)

    def set_paren(self, x: Value, args: tuple[Value, ...], value: Value) -> Value:
        """``x(args) = value`` where either side is an object."""
        if isinstance(x, ObjectValue | ObjectArray) and overloads.applies(
            self, class_of_object(x), "subsasgn"
        ):
            return overloads.subsasgn(self, x, (("()", args),), value)
        return object_arrays.store_elements(self, x, args, value)

    def set_brace(self, x: Any, args: tuple[Value, ...], value: Value) -> Value:
        """``obj{args} = value``."""
        if overloads.applies(self, class_of_object(x), "subsasgn"):
            return overloads.subsasgn(self, x, (("{}", args),), value)
        text = f"'{{}}' indexing is not supported for variables of type '{x.class_info.name}'."
        raise MatlabError("MATLAB:cellAssToNonCell", text)

    def delete_elements(self, x: Any, args: tuple[Value, ...]) -> Value:
        """``objs(args) = []``."""
        if overloads.applies(self, class_of_object(x), "subsasgn"):
            return overloads.subsasgn(self, x, (("()", args),), EMPTY)
        return object_arrays.delete_elements(x, args)

    def assign(self, x: Any, own: bool, steps: Any, at: int, value: Value, assign: Any) -> Value:
        """A step of a nested assignment through an object; an ``own`` one nobody else has."""
        return overloads.assign_through(self, x, own, steps, at, value, assign)

    # --- functions ---

    def dispatcher(self, name: str, fallback: Callee | None) -> Callee:
        """The function ``name`` that methods of its arguments' classes come before."""

        def dispatch(*args: Value, nargout: int = 1) -> Value:
            for a in args:  # most calls of a function that some class overloads have no object
                if isinstance(a, ObjectValue | ObjectArray):
                    return _call_with_objects(self, name, fallback, args, nargout)
            if fallback is None:
                return overloads.no_function(name, args, nargout)
            return fallback(*args, nargout=nargout)

        return dispatch

    def operator(self, name: str, args: tuple[Value, ...]) -> Value:
        """An operator with objects among its operands; NotImplemented when no class has it."""
        for a in by_rank(args):
            if isinstance(a, ObjectValue | ObjectArray):
                method = class_of_object(a).find_method(name)
                if method is not None and method.function is not None:
                    return method.function(*args)
        return overloads.default_operator(name, args)

    def plain_access(self, name: str, args: tuple[Value, ...], nargout: int) -> Value:
        """``builtin('subsref', obj, s)``: the syntax without the class's method."""
        return overloads.plain_access(self, name, args, nargout)

    def static_member(self, name: str, unit: Unit | None) -> Callee | None:
        """``Class.member``: static method, constant property or member of an enumeration."""
        owner, _, last = name.rpartition(".")
        info = self.find_class(owner, unit)
        if info is None:
            return None
        method = info.find_method(last)
        if method is not None and method.function is not None:
            return method.function
        if last in info.enumeration:
            return _value_function(lambda: overloads.enumeration_member(self, info, last))
        prop = info.find_property(last)
        if prop is not None and prop.constant:
            return _value_function(lambda: self.constant(prop))
        if last == "empty":
            return lambda *args, nargout=1: object_arrays.empty(info, args)
        return None

    def display(self, name: str, value: Value) -> bool:
        """Show an object; False when it is none."""
        if not isinstance(value, ObjectValue | ObjectArray):
            return False
        overloads.show(self, name, value)
        return True


def _call_with_objects(
    objects: Objects, name: str, fallback: Callee | None, args: tuple[Value, ...], nargout: int
) -> Value:
    """The function ``name`` of arguments with objects: a method, what every class has, or the
    function without classes."""
    for a in args[:1] if name == "feval" else by_rank(args):
        if isinstance(a, ObjectValue | ObjectArray):
            info = class_of_object(a)
            method = info.find_method(name) if name != info.name else None
            if method is not None and method.function is not None and not method.static:
                _check_access(method, info)
                if name == "delete" and isinstance(a, HandleObject) and len(args) == 1:
                    events.delete(objects.interpreter.context, a)
                    return None
                return method.function(*args, nargout=nargout)
            if name in overloads.BY_SIZE and info.find_method("size"):
                return overloads.by_size(name, a)
            numbers = name in overloads.SETS and derived.takes_numbers(name, args)
            if name in overloads.BY_NAME and info.enumeration and not numbers:
                return overloads.by_name(objects, name, args, fallback, nargout)
            if name in overloads.CONVERSIONS and len(args) == 1:
                return overloads.converted_member(name, a, fallback)
    if fallback is None:
        return overloads.no_function(name, args, nargout)
    if name == "disp" and len(args) == 1 and isinstance(args[0], ObjectValue | ObjectArray):
        objects.interpreter.context.write(overloads.description(objects, args[0]))
        return None
    is_builtin = derived.computes(name) and fallback is objects.interpreter.builtin(name)
    if is_builtin and derived.takes_numbers(name, args):
        return derived.compute(name, fallback, args, nargout)
    return fallback(*args, nargout=nargout)


def by_rank(args: tuple[Value, ...]) -> tuple[Value, ...]:
    """The arguments with an object first whose class comes before those of the others."""
    objects = [a for a in args if isinstance(a, ObjectValue | ObjectArray)]
    for a in objects[1:]:
        if a.class_info is not objects[0].class_info and (
            a.class_info.comes_before(objects[0].class_info)
        ):
            return (a, *args)
    return args


def _value_function(read: Callable[[], Value]) -> Callee:
    """A value as a function; arguments index it."""

    def value(*args: Value, nargout: int = 1) -> Value:
        held = read()
        return paren(held, *args, nargout=nargout) if args else held

    return value


def _read_again(interpreter: Interpreter, file: str) -> Callee:
    """A method whose file does not parse: a call reads it again, or says why that cannot be."""

    def call(*args: Value, nargout: int = 1) -> Value:
        main = interpreter.load(file).main
        assert main is not None
        return main(*args, nargout=nargout)

    return call


def _check_access(method: Method, info: ClassInfo) -> None:
    """Raise MatlabError where the code that runs may not call the method."""
    if method.access != "public" and not may_access(method.owner, method.access):
        text = f"Cannot access method '{method.name}' in class '{info.name}'."
        raise MatlabError("MATLAB:class:MethodRestricted", text)
