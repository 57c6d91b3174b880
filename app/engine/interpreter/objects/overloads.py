"""Methods with a meaning in syntax: ``subsref``, ``subsasgn``, operators, display, enumerations."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from sys import getrefcount
from typing import TYPE_CHECKING, Any

import numpy as np

from app.engine.arguments.operation_rules import undefined_for_class
from app.engine.interpreter.arity import own_node
from app.engine.interpreter.indexing.index_read import CommaList, Hooks, only_one
from app.engine.interpreter.indexing.ownership import LOCAL
from app.engine.interpreter.indexing.subscripts import COLON
from app.engine.interpreter.indexing.whole_chains import Parts, step
from app.engine.interpreter.objects import derived, object_arrays
from app.engine.interpreter.objects.access import calling_class
from app.engine.interpreter.objects.class_model import ClassInfo, Property, class_of_object
from app.engine.interpreter.objects.derived import display_text, is_derived, number, with_number
from app.engine.operators.concatenation import concatenate
from app.engine.values import (
    Cell,
    HandleObject,
    NativeObject,
    ObjectArray,
    ObjectValue,
    StringArray,
    Struct,
    StructArray,
    Value,
    canonical,
    class_of,
    int_of,
    is_text_scalar,
    object_array,
    size_of,
    text_of,
)
from app.engine.values import display as displays
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.interpreter.objects.instances import Objects

COMMON = frozenset(
    (
        "addprop",
        "delete",
        "isvalid",
        "addlistener",
        "notify",
        "listener",
        "disp",
        "display",
        "eq",
        "ne",
        "isequal",
        "size",
        "numel",
        "length",
        "isempty",
        "isprop",
        "ismethod",
        "findobj",
        "isa",
        "char",
        "string",
        "double",
    )
)
"""Functions every object can be asked for with dot syntax."""

CONVERSIONS = frozenset(
    (
        "char",
        "string",
        "cellstr",
        "double",
        "single",
        "logical",
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
"""Functions that turn members of enumerations into text or numbers."""

SETS = frozenset(("intersect", "setdiff", "setxor", "union", "unique"))
"""Functions that choose among members of enumerations by their names."""

BY_NAME = frozenset(("ismember", "strcmp", "strcmpi", "strncmp", "strncmpi")) | SETS
"""Functions that take members of enumerations for their names."""

_PAREN, _BRACE, _FIELD = 0, 1, 2
_FORM = {_PAREN: "()", _BRACE: "{}", _FIELD: "."}


def applies(objects: Objects, info: ClassInfo, name: str) -> bool:
    """Does syntax on an object of ``info`` go through its method ``name`` here?"""
    method = info.find_method(name)
    if method is None or method.function is None:
        return False
    caller = calling_class()
    return not caller or not info.is_a(caller)


def plain(args: tuple[Value, ...]) -> tuple[Value, ...]:
    """Arguments with the magic colon as text."""
    return tuple(":" if a is COLON else a for a in args)


# --- subsref and subsasgn ---


def _subs(parts: tuple[tuple[str, Any], ...]) -> Value:
    """The struct array with ``type`` and ``subs`` that the methods take."""
    kinds = [form for form, _ in parts]
    subs = [s if isinstance(s, str) else Cell.of(plain(s), (1, len(s))) for _, s in parts]
    if len(parts) == 1:
        return Struct({"type": kinds[0], "subs": subs[0]})
    return StructArray({"type": object_array(kinds), "subs": object_array(subs)}, (1, len(parts)))


def subsref(objects: Objects, x: Any, form: str, subs: Any, nargout: int) -> Value:
    """``obj(…)``, ``obj{…}`` or ``obj.name`` through the class's method."""
    return step(x, ((form, subs),), nargout, partial(_call_subsref, objects))


def _call_subsref(objects: Objects, x: Any, parts: Parts, nargout: int) -> Value:
    method = class_of_object(x).find_method("subsref")
    assert method is not None
    assert method.function is not None
    subs = _subs(parts)
    count = nargout if nargout or _calls_without_outputs(x, parts) else 1
    listed = _length_of_list(objects, x, parts, subs) if nargout <= 1 else None
    made = method.function(x, subs, nargout=count if listed is None else listed)
    if listed == 0:
        return CommaList(())
    return CommaList(made) if isinstance(made, tuple) and nargout <= 1 else made


def _length_of_list(
    objects: Objects, x: ObjectValue | ObjectArray, parts: Parts, subs: Value
) -> int | None:
    """How many values ``obj<subs>`` are, where the class has a ``numArgumentsFromSubscript``."""
    method = class_of_object(x).find_method("numArgumentsFromSubscript")
    if method is None or method.function is None or all(form == "()" for form, _ in parts):
        return None
    contexts = objects.require("matlab.indexing.IndexingContext")
    member = enumeration_member(objects, contexts, "Expression")
    return int_of(method.function(x, subs, member, nargout=1))


def _calls_without_outputs(x: ObjectValue | ObjectArray, parts: Parts) -> bool:
    """Whether ``obj.name`` or ``obj.name(...)`` calls a method that gives nothing."""
    (form, name), *rest = parts
    method = class_of_object(x).find_method(name) if form == "." and len(rest) < 2 else None
    node = None if method is None else own_node(method.function)
    return node is not None and not node.outputs


def subsref_member(
    objects: Objects, x: Any, name: str, args: tuple[Value, ...] | None, nargout: int
) -> Value:
    """``obj.name`` or ``obj.name(args)`` through ``subsref``."""
    parts: tuple[tuple[str, Any], ...] = ((".", name),)
    if args is not None:
        parts = (*parts, ("()", args))
    return step(x, parts, nargout, partial(_call_subsref, objects))


def subsasgn(objects: Objects, x: Any, parts: tuple[tuple[str, Any], ...], value: Value) -> Value:
    """An assignment through the class's ``subsasgn``."""
    method = class_of_object(x).find_method("subsasgn")
    assert method is not None
    assert method.function is not None
    return method.function(x, _subs(parts), value)


def subsasgn_member(objects: Objects, x: Any, name: str, value: Value) -> Value:
    """``obj.name = value`` through ``subsasgn``."""
    return subsasgn(objects, x, ((".", name),), value)


def assign_through(
    objects: Objects, x: Any, own: bool, steps: Any, at: int, value: Value, assign: Any
) -> Value:
    """``obj<steps> = value``: the whole chain to ``subsasgn``, or step by step."""
    if applies(objects, class_of_object(x), "subsasgn"):
        parts = tuple((_FORM[kind], arg) for kind, arg in steps[at:])
        return subsasgn(objects, x, parts, value)
    kind, arg = steps[at]
    last = at == len(steps) - 1
    if kind == _FIELD:
        if last:
            return objects.set_member(x, arg, value)
        prop = class_of_object(x).find_property(arg)
        if prop is not None and (own or isinstance(x, HandleObject)) and _is_plain(x, prop):
            return _with_part_of_property(objects, x, prop, steps, at, value, assign)
        inner = objects.member(x, arg, None, 1)
        if type(inner) is CommaList:
            inner = only_one(inner)
        return objects.set_member(x, arg, assign(inner, False, steps, at + 1, value))
    if kind == _BRACE:
        return objects.set_brace(x, arg, value)
    if last:
        return objects.set_paren(x, arg, value)
    try:
        inner = object_arrays.select_elements(x, arg)
    except MatlabError:
        inner = objects.construct(class_of_object(x), ())
    return objects.set_paren(x, arg, assign(inner, False, steps, at + 1, value))


def _is_plain(x: Value, prop: Property) -> bool:
    """Whether nobody looks at what a property of one object gets, and it holds no objects."""
    if not isinstance(x, ObjectValue) or prop.name not in x.properties:
        return False
    if prop.watched or prop.get_observable:
        return False
    info = class_of_object(x)
    if prop.constant or prop.dependent or info.getter(prop.name) or info.setter(prop.name):
        return False
    return not isinstance(x.properties[prop.name], ObjectValue | ObjectArray | NativeObject)


def _with_part_of_property(
    objects: Objects,
    x: ObjectValue,
    prop: Property,
    steps: tuple[tuple[int, object], ...],
    at: int,
    value: Value,
    assign: Callable[..., Value],
) -> Value:
    """``obj.name<steps> = value`` in place: the object lets go of what it holds meanwhile."""
    objects.check_settable(x, prop)
    inner, held = objects.get(x, prop), x.properties
    held[prop.name] = None
    try:
        mine = getrefcount(inner) <= LOCAL
        held[prop.name] = assign(inner, mine, steps, at + 1, value)
    except BaseException:
        held[prop.name] = inner
        raise
    return x


def plain_access(objects: Objects, name: str, args: tuple[Value, ...], nargout: int) -> Value:
    """The syntax that a struct of ``type`` and ``subs`` describes, without overloads."""
    from app.engine.interpreter.objects.substructs import apply, store

    return (
        apply(objects, args[0], args[1], nargout)
        if name == "subsref"
        else store(objects, args[0], args[1], args[2])
    )


# --- operators ---


def default_operator(name: str, args: tuple[Value, ...]) -> Value:
    """What operators mean without a method: identity of handles, members of enumerations."""
    if name in {"eq", "ne"} and len(args) == 2:
        same = _is_same_object(*args)
        if same is not None:
            return canonical(same if name == "eq" else ~same)
    if name in {"horzcat", "vertcat"}:
        return _concatenated(1 if name == "horzcat" else 0, args)
    return _as_numbers(name, args)


def _is_same_object(a: Value, b: Value) -> Any:
    if object_arrays.is_handle(a) and object_arrays.is_handle(b):
        return object_arrays.same_handles(a, b)
    for obj, other in ((a, b), (b, a)):
        if isinstance(obj, ObjectValue | ObjectArray) and obj.class_info.enumeration:
            return _same_members(obj, other)
    return None


def _same_members(obj: Any, other: Value) -> Any:
    names = np.array([member_name(e) for e in object_arrays.elements(obj)])
    if isinstance(other, ObjectValue | ObjectArray):
        wanted = np.array([member_name(e) for e in object_arrays.elements(other)])
        return np.atleast_2d(names == wanted)
    if isinstance(other, str):
        return np.atleast_2d(names == other)
    if isinstance(other, Cell | StringArray):
        return np.atleast_2d(names.reshape(size_of(obj), order="F") == other.data)
    return None


def _as_numbers(name: str, args: tuple[Value, ...]) -> Value:
    """Objects of classes derived from numbers compute with their numbers."""
    if not all(derived.has_number(a) for a in args if isinstance(a, ObjectValue | ObjectArray)):
        return NotImplemented
    from app.engine.declarations import registry

    found = registry.lookup(name)
    if found is None:
        return NotImplemented
    return found.call(None, tuple(map(derived.member_numbers, args)))


def _concatenated(axis: int, args: tuple[Value, ...]) -> Value:
    parts = [a for a in args if not (isinstance(a, np.ndarray) and a.size == 0)]
    first = next((a for a in parts if is_derived(a)), None)
    if first is not None:
        return with_number(first, concatenate(axis, [number(a) for a in parts]))
    infos = [a.class_info for a in parts if isinstance(a, ObjectValue | ObjectArray)]
    if len(infos) != len(parts):
        return NotImplemented
    blocks = [object_arrays.data_of(a) for a in parts]
    kept = [b for b in blocks if b.size] or blocks[:1]
    return object_arrays.wrap(infos[0], np.concatenate(kept, axis=axis))


def by_name(
    objects: Objects, name: str, args: tuple[Value, ...], fallback: Any, nargout: int
) -> Value:
    """What a function of texts gives for the names of members; of sets of them, members again."""
    info = next(a.class_info for a in args if isinstance(a, ObjectValue | ObjectArray))
    found = fallback(*map(_names_of, args), nargout=nargout)
    if name not in SETS:
        return found
    first, *places = found if isinstance(found, tuple) else (found,)
    members = convert_to_member(objects, info, (first,))
    return (members, *places) if isinstance(found, tuple) else members


def _names_of(x: Value) -> Value:
    """The names of members of an enumeration as texts; anything else as it is."""
    if not isinstance(x, ObjectValue | ObjectArray):
        return x
    return Cell.of([member_name(m) for m in object_arrays.elements(x)], size_of(x))


BY_SIZE: dict[str, Callable[[tuple[float, ...]], Value]] = {
    "isscalar": lambda s: all(n == 1 for n in s),
    "isvector": lambda s: len(s) == 2 and 1 in s,
    "isrow": lambda s: len(s) == 2 and s[0] == 1,
    "iscolumn": lambda s: len(s) == 2 and s[1] == 1,
    "ismatrix": lambda s: len(s) == 2,
    "ndims": lambda s: float(len(s)),
    "length": lambda s: 0.0 if 0 in s else float(max(s)),
}
"""Functions that follow from the size a class gives its objects."""


def by_size(name: str, x: Any) -> Value:
    """What ``isscalar`` and the like answer for an object whose class overloads ``size``."""
    made = class_of_object(x).overload("size", x)
    return BY_SIZE[name](tuple(float(n) for n in np.asarray(made).reshape(-1)))


def no_function(name: str, args: tuple[Value, ...], nargout: int) -> Value:
    """A function that only classes define, called with none of their objects: a method of an
    object of ours, or an error."""
    for a in args:
        method = a.methods().get(name) if isinstance(a, NativeObject) else None
        if method is not None:
            return method(Hooks.context, args, nargout)
    from app.engine.interpreter.undefined_names import undefined_name

    if args:
        raise undefined_for_class(name, args[0])
    raise undefined_name(name)


# --- enumerations ---


def member_name(x: ObjectValue) -> str:
    """The name of a member of an enumeration."""
    return str(x.properties.get("#name", ""))


def enumeration_member(objects: Objects, info: ClassInfo, name: str) -> ObjectValue:
    """``Class.Name``; every member is made once."""
    made = info.members.get(name)
    if made is None:
        args = info.enumeration[name] or ()
        made = objects.blank(info)
        info.members[name] = made
        if args or info.constructor is not None:
            made = single_object(objects.initialise(info, made, args))
        made.properties["#name"] = name
        info.members[name] = made
    return made


def single_object(made: Value) -> ObjectValue:
    """An object that a constructor gave back; MATLAB's error where it is something else."""
    if isinstance(made, ObjectValue):
        return made
    text = f"A constructor must give back an object of its class, not a value of {class_of(made)}."
    raise MatlabError("MATLAB:class:constructorOutput", text)


def converted_member(name: str, x: Any, fallback: Any) -> Value:
    """``char(member)``, ``double(member)``: the name or the number behind an object."""
    members = object_arrays.elements(x)
    if name in {"char", "string", "cellstr"} and not is_derived(x):
        names = [member_name(m) for m in members]
        if len(names) == 1:
            return fallback(names[0])
        made = Cell.of(names, size_of(x))
        return made if name == "cellstr" else fallback(made)
    if is_derived(x):
        return fallback(number(x))
    if any("#value" not in m.properties for m in members):
        return fallback(x)
    numbers = [m.properties["#value"] for m in members]
    if len(numbers) == 1:
        return fallback(numbers[0])
    data = np.array([float(np.asarray(n).reshape(-1)[0]) for n in numbers])
    return fallback(data.reshape(size_of(x), order="F"))


def convert_to_member(objects: Objects, info: ClassInfo, args: tuple[Value, ...]) -> Value:
    """``Class(x)``: the member with that name, whatever its case, or number."""
    if len(args) == 1:
        given = args[0]
        if isinstance(given, ObjectValue | ObjectArray) and given.class_info is info:
            return given
        several = _several(given)
        if several is not None:
            made = [convert_to_member(objects, info, (item,)) for item in several]
            return object_arrays.wrap(info, object_array(made, size_of(given)))
        exactly = is_text_scalar(given) and text_of(given) in info.enumeration
        for name in (text_of(given),) if exactly else info.enumeration:
            member = enumeration_member(objects, info, name)
            number = member.properties.get("#value")
            if _names(given, name) or (number is not None and _equal(number, given)):
                return member
    raise MatlabError(
        "MATLAB:class:InvalidEnum", f"Unable to convert to a member of enumeration '{info.name}'."
    )


def _several(given: Value) -> list[Value] | None:
    """The texts or numbers of an array of them; None for one of them, and for anything else."""
    if isinstance(given, Cell | StringArray):
        return list(given.data.ravel(order="F"))
    if isinstance(given, np.ndarray) and given.size != 1:
        return [np.array([[x]]) for x in given.ravel(order="F")]
    return None


def _names(given: Value, name: str) -> bool:
    try:
        return text_of(given).lower() == name.lower()
    except MatlabError:
        return False


def _equal(a: Value, b: Value) -> bool:
    try:
        return bool(np.array_equal(np.asarray(a).reshape(-1), np.asarray(b).reshape(-1)))
    except (TypeError, ValueError):
        return False


def keep_member(old: ObjectValue, new: ObjectValue) -> ObjectValue:
    """A changed value object stays what it was otherwise."""
    return new if "#name" not in old.properties else old


# --- display ---


def show(objects: Objects, name: str, value: Any) -> None:
    """Display an object: its own method, or the list of its properties."""
    info = class_of_object(value)
    ctx = objects.interpreter.context
    for overload in ("display", "disp"):
        method = info.find_method(overload)
        if method is not None and method.function is not None:
            if overload == "disp":
                ctx.write(f"{name} = \n\n")
            method.function(value, nargout=0)
            if overload == "disp":
                ctx.write("\n")
            return
    ctx.write(f"{name} = \n\n{description(objects, value)}\n")


def description(objects: Objects, value: Any) -> str:
    """What ``disp`` shows of an object."""
    info = class_of_object(value)
    short = info.name.rpartition(".")[2]
    if info.of_fields:
        return f"    {info.name} object: {'-by-'.join(map(str, size_of(value)))}\n"
    if info.enumeration and isinstance(value, ObjectValue):
        return f"    {member_name(value)}\n"
    if isinstance(value, ObjectArray):
        if info.enumeration:
            return _members_text(info, value)
        size = "×".join(map(str, size_of(value)))
        empty = "" if value.data.size else "empty "
        lines = [f"  {size} {empty}{short} array with properties:\n"]
        lines += [f"    {p.name}" for p in visible(info)]
        return "\n".join(lines) + "\n"
    if isinstance(value, HandleObject) and not value.valid:
        return f"  handle to deleted {short}\n"
    names = visible(info)
    if is_derived(value):
        return display_text(value, Struct({p.name: objects.get(value, p) for p in names}))
    if not names:
        return f"  {short} with no properties.\n"
    shown = Struct({p.name: objects.get(value, p) for p in names})
    body = displays.disp(shown)
    return f"  {short} with properties:\n\n{body}"


def _members_text(info: ClassInfo, members: ObjectArray) -> str:
    """The names of an array's members in columns, left-aligned; pages after one another."""
    size = "×".join(map(str, members.shape))
    if members.data.size == 0:
        return f"  {size} empty {info.name} enumeration array\n"
    names = np.vectorize(member_name, otypes=[object])(members.data)
    names = names.reshape(members.shape[0], -1, order="F")
    widths = [max(map(len, column)) for column in names.T.tolist()]
    rows = (
        "".join(f"    {name:{width}}" for name, width in zip(row, widths, strict=True)).rstrip()
        for row in names.tolist()
    )
    return f"  {size} {info.name} enumeration array\n\n" + "".join(f"{row}\n" for row in rows)


def visible(info: ClassInfo) -> list[Any]:
    """Properties that a display lists."""
    return [p for p in info.all_properties() if p.get_access == "public" and not p.hidden]
