"""Functions about objects and classes: isobject, methods, properties, delete, notify."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import TEXT, enough, takes
from app.engine.arguments.operation_rules import undefined_for_class
from app.engine.declarations.device_support import NAMES
from app.engine.declarations.registry import builtin, is_string_method, string_methods
from app.engine.figures.objects import GraphicsArray, GraphicsObject
from app.engine.interpreter.indexing import index_chains
from app.engine.interpreter.objects import events, object_arrays, struct_objects
from app.engine.interpreter.objects.metaclass import MetaClass, described
from app.engine.interpreter.objects.overloads import visible
from app.engine.interpreter.objects.property_description import described_property
from app.engine.interpreter.objects.substructs import apply, steps_of, store
from app.engine.values import (
    EMPTY,
    Cell,
    HandleObject,
    NativeObject,
    NoObjects,
    ObjectArray,
    ObjectValue,
    Struct,
    StructArray,
    Value,
    canonical,
    class_of,
    is_char,
    is_numeric,
    is_string,
    is_text_scalar,
    make_logical,
    numel,
    text_of,
)
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.interpreter.context import Context

_FAMILY = "objects"
_OF_HANDLES = (
    "addlistener delete eq findobj findprop ge gt isvalid le listener lt ne notify".split()
)
"""The methods that every class of handles inherits."""


def class_called(ctx: Context, x: Value) -> Any:
    """The class of an object, or the one that a description or a name means."""
    if isinstance(x, ObjectValue | ObjectArray):
        return x.class_info
    if isinstance(x, MetaClass):
        return x.info
    found = described(ctx.objects, text_of(x))
    if isinstance(found, MetaClass):
        return found.info
    text = f"The class '{text_of(x)}' does not exist or is not written with classdef."
    raise MatlabError("MATLAB:class:InvalidClass", text)


@builtin(
    "isobject",
    category=_FAMILY,
    signatures=("tf = isobject(x)",),
    device=NAMES,
    cases=("isobject(containers.Map) && ~isobject(1)",),
)
def isobject(x: Value) -> Value:
    """True for an object of a class written with classdef."""
    return isinstance(x, ObjectValue | ObjectArray | NativeObject)


@builtin(
    "isvalid",
    category=_FAMILY,
    signatures=("tf = isvalid(h)",),
    device=NAMES,
    cases=("h = containers.Map; isvalid(h)",),
)
def isvalid(x: Value) -> Value:
    """True for a handle whose object has not been deleted."""
    import numpy as np

    if isinstance(x, HandleObject):
        return x.valid
    if isinstance(x, ObjectArray):
        flags = [bool(getattr(e, "valid", False)) for e in object_arrays.elements(x)]
        return canonical(np.array(flags).reshape(x.shape, order="F"))
    if isinstance(x, NoObjects):
        return np.zeros(x.shape, dtype=np.bool_)
    return isinstance(x, NativeObject) and bool(getattr(x, "valid", True))


@builtin(
    "isprop",
    category=_FAMILY,
    signatures=("tf = isprop(obj, name)",),
    device=NAMES,
    cases=("isprop(figure, 'Name')", "isequal(isprop([axes; gcf], 'Title'), [true; false])"),
)
def isprop(x: Value, name: Value) -> Value:
    """True when an object has a property of that name, for each of an array of objects."""
    word = text_of(name)
    if isinstance(x, GraphicsArray):
        return make_logical(np.array([i.offers(word) for i in x.items]).reshape(x.shape, order="F"))
    if isinstance(x, ObjectArray):
        return make_logical(np.full(x.shape, x.class_info.find_property(word) is not None))
    if isinstance(x, ObjectValue):
        return x.class_info.find_property(word) is not None
    if isinstance(x, GraphicsObject):
        return x.offers(word)
    return isinstance(x, NativeObject) and word in x.members()


@builtin(
    "ismethod",
    category=_FAMILY,
    signatures=("tf = ismethod(obj, name)",),
    device=NAMES,
    cases=("ismethod(containers.Map, 'keys')",),
)
def ismethod(x: Value, name: Value) -> Value:
    """True when an object has a method of that name."""
    if isinstance(x, ObjectValue | ObjectArray):
        return x.class_info.find_method(text_of(name)) is not None
    if is_string(x):
        return is_string_method(text_of(name))
    return isinstance(x, NativeObject) and text_of(name) in x.methods()


@builtin(
    "methods",
    category=_FAMILY,
    signatures=("methods(x)", "list = methods(x)"),
    device=NAMES,
    cases=(
        "contains(evalc('methods(''matlab.mixin.Copyable'')'), 'copy')",
        "ismember('upper', methods('string')) && ismethod(\"a\", 'upper')",
        "all(ismember({'isvalid', 'notify'}, methods('handle')))",
    ),
)
def methods(ctx: Context, x: Value, *options: Value, nargout: int = 0) -> Value:
    """The names of the public methods of an object or class."""
    if isinstance(x, NativeObject) and not isinstance(x, MetaClass):
        names, title = sorted(x.methods()), x.class_name
    elif is_text_scalar(x) and text_of(x) == "string":
        names, title = string_methods(), "string"
    else:
        info = class_called(ctx, x)
        if info is None:
            raise MatlabError("MATLAB:class:InvalidClass", f"No class '{text_of(x)}'.")
        found = {m.name for m in info.all_methods() if m.access == "public" and not m.hidden}
        own = {info.short_name, *(_OF_HANDLES if info.is_handle else ())}
        names, title = sorted(found | own), info.name
    if nargout:
        return Cell.of(names, (len(names), 1))
    ctx.write(f"\nMethods for class {title}:\n\n" + "  ".join(names) + "  \n\n")
    return ()


@builtin(
    "properties",
    category=_FAMILY,
    signatures=("properties(x)", "list = properties(x)"),
    device=NAMES,
    cases=(
        "ischar(evalc('properties(''matlab.mixin.Copyable'')'))",
        "isempty(properties(struct('a', 1)))",
    ),
)
def properties(ctx: Context, x: Value, *, nargout: int = 0) -> Value:
    """The names of the public properties of an object or class."""
    if isinstance(x, NativeObject) and not isinstance(x, MetaClass):
        names, title = x.members(), x.class_name
    elif not isinstance(x, ObjectValue | ObjectArray | MetaClass) and not is_text_scalar(x):
        names, title = [], class_of(x)
    else:
        info = class_called(ctx, x)
        names, title = [p.name for p in visible(info)], info.name
    if nargout:
        return Cell.of(names, (len(names), 1))
    ctx.write(f"\nProperties for class {title}:\n\n" + "".join(f"    {n}\n" for n in names) + "\n")
    return ()


@builtin(
    "superclasses",
    category=_FAMILY,
    signatures=("list = superclasses(x)",),
    device=NAMES,
    cases=("any(strcmp(superclasses('matlab.mixin.Copyable'), 'handle'))",),
)
def superclasses(ctx: Context, x: Value) -> Value:
    """The names of all superclasses."""
    info = class_called(ctx, x)
    names = [c.name for c in info.lineage()][1:] + (["handle"] if info.is_handle else [])
    return Cell.of(names, (len(names), 1))


@builtin(
    "metaclass",
    category=_FAMILY,
    signatures=("m = metaclass(obj)",),
    device=NAMES,
    cases=(
        "writelines('classdef Part, end', 'Part.m'); m = metaclass(Part); strcmp(m.Name, 'Part')",
        "strcmp(metaclass(5).Name, 'double') && metaclass(5) == ?double",
        "isempty(?nosuchclass)",
    ),
)
def metaclass(ctx: Context, x: Value) -> Value:
    """The description of the class of an object, without properties of its own."""
    if not isinstance(x, ObjectValue | ObjectArray | MetaClass):
        return described(ctx.objects, class_of(x))
    info = class_called(ctx, x)
    return MetaClass(ctx.objects.classes.get(info.name, info))


@builtin(
    "meta.class.fromName",
    category=_FAMILY,
    signatures=("m = meta.class.fromName(name)",),
    device=NAMES,
    cases=(
        "writelines('classdef Part, end', 'Part.m'); m = meta.class.fromName('Part'); "
        "strcmp(m.Name, 'Part')",
        "isempty(meta.class.fromName('nosuchclass'))",
    ),
    see=("metaclass",),
)
@takes(TEXT)
def from_name(ctx: Context, name: Value) -> Value:
    """The description of a class by its name; empty for a class that there is not."""
    return described(ctx.objects, text_of(name))


@builtin(
    "findprop",
    category=_FAMILY,
    signatures=("p = findprop(obj, name)",),
    device=NAMES,
    cases=(
        "p = findprop(figure, 'Name'); strcmp(p.Name, 'Name')",
        "writelines('classdef Knob < handle, properties, Turn, end, end', 'Knob.m'); "
        "p = findprop(Knob, 'Turn'); strcmp(p.SetAccess, 'public')",
        "isempty(findprop(figure, 'NoSuchProperty'))",
    ),
    see=("isprop", "properties", "metaclass"),
)
def findprop(x: Value, name: Value) -> Value:
    """What a class tells of one property of a handle; empty where it has none of that name."""
    wanted = text_of(name)
    if isinstance(x, ObjectValue | ObjectArray):
        found = x.class_info.find_property(wanted)
        return EMPTY if found is None else described_property(x, found)
    if not isinstance(x, NativeObject):
        raise undefined_for_class("findprop", x)
    if wanted not in x.members():
        return EMPTY
    public: dict[str, Value] = {"GetAccess": "public", "SetAccess": "public"}
    return Struct({"Name": wanted, "DefiningClass": x.class_name, **public})


@builtin(
    "enumeration",
    category=_FAMILY,
    device=NAMES,
    signatures=("[members, names] = enumeration(class)",),
    cases=(
        "writelines({'classdef Hue', 'enumeration', 'Red', 'Blue', 'end', 'end'}, "
        "'Hue.m'); numel(enumeration('Hue')) == 2",
    ),
)
def enumeration(ctx: Context, x: Value, *, nargout: int = 1) -> Value:
    """The members of an enumeration class."""
    from app.engine.interpreter.objects.overloads import enumeration_member

    info = class_called(ctx, x)
    members = [enumeration_member(ctx.objects, info, n) for n in info.enumeration]
    data = Cell.of(members, (len(members), 1)).data
    made = object_arrays.wrap(info, data)
    names = Cell.of(list(info.enumeration), (len(members), 1))
    if not nargout:
        listed = "".join(f"    {n}\n" for n in info.enumeration)
        ctx.write(f"\nEnumeration members for class '{info.name}':\n\n{listed}\n")
        return ()
    return (made, names) if nargout > 1 else made


@builtin(
    "isenum",
    category=_FAMILY,
    signatures=("tf = isenum(x)",),
    device=NAMES,
    cases=(
        "writelines('classdef Hue, enumeration, Red, end, end', 'Hue.m'); isenum(Hue.Red)",
        "~isenum(1)",
    ),
    see=("enumeration",),
)
def isenum(x: Value) -> Value:
    """True for members of an enumeration, one or an array of them."""
    return isinstance(x, ObjectValue | ObjectArray) and bool(x.class_info.enumeration)


@builtin(
    "delete",
    least=1,
    category=_FAMILY,
    signatures=("delete(obj)", "delete(file, ...)"),
    device=NAMES,
    cases=("fclose(fopen('old.txt', 'w')); delete('old.txt'); ~isfile('old.txt')",),
)
def delete(ctx: Context, *items: Value) -> Value:
    """Delete handle objects, or files."""
    for x in items:
        if isinstance(x, HandleObject | ObjectArray):
            for element in object_arrays.elements(x):
                if isinstance(element, HandleObject):
                    events.delete(ctx, element)
        elif isinstance(x, NativeObject):
            method = x.methods().get("delete")
            if method is not None:
                method(ctx, (x,), 0)
        elif is_numeric(x):
            _delete_numbered(ctx, x)
        elif isinstance(x, Cell) and all(isinstance(t, NativeObject) for t in x.data.flat):
            delete(ctx, *x.items())  # several timers, as timerfind gives them
        elif isinstance(x, Struct | StructArray | Cell):
            text = "The argument must be the name of a file or a handle."
            raise MatlabError("MATLAB:DELETE:InvalidArgument", text)
        elif numel(x) or isinstance(x, str):
            _delete_files(ctx, text_of(x))
    return ()


def _delete_numbered(ctx: CallContext, numbers: Value) -> None:
    """Graphics objects by the numbers that arrays of numbers keep of them."""
    from app.engine.builtins.graphics.graphics_handles import targets

    for item in targets(ctx, numbers):
        item.delete()


def _delete_files(ctx: Context, pattern: str) -> None:
    found = (
        [p for p in Path(ctx.path.current).glob(pattern) if p.is_file()]
        if not (Path(pattern).is_absolute())
        else [p for p in [Path(pattern)] if p.is_file()]
    )
    if not found:
        ctx.warning("MATLAB:DELETE:FileNotFound", f"File '{pattern}' not found.")
    for path in found:
        path.unlink()


@builtin(
    "subsref",
    category=_FAMILY,
    signatures=("B = subsref(A, S)",),
    device=NAMES,
    cases=("subsref(struct('a', {{1, 2}}), substruct('.', 'a', '{}', {2})) == 2",),
    see=("subsasgn", "substruct"),
)
def subsref(ctx: Context, x: Value, s: Value, *, nargout: int = 1) -> Value:
    """Index as a struct array with fields ``type`` and ``subs`` describes."""
    return apply(ctx.objects, x, s, nargout)


@builtin(
    "subsasgn",
    category=_FAMILY,
    signatures=("A = subsasgn(A, S, B)",),
    device=NAMES,
    cases=("x = subsasgn([1 2 3], substruct('()', {2}), 9); isequal(x, [1 9 3])",),
    see=("subsref", "substruct"),
)
def subsasgn(ctx: Context, x: Value, s: Value, value: Value) -> Value:
    """Assign as a struct array with fields ``type`` and ``subs`` describes."""
    return store(ctx.objects, x, s, value)


def _check_subs(parts: tuple[Value, ...]) -> None:
    for kind, subs in zip(parts[::2], parts[1::2], strict=True):
        word = text_of(kind)
        if word not in ("()", "{}", "."):
            text = "The types of subscripts are '()', '{}' and '.'."
            raise MatlabError("MATLAB:substruct:IllegalType", text)
        names = is_char(subs) or is_string(subs)
        fits = names if word == "." else isinstance(subs, Cell) or names
        if not fits:
            text = "Subscripts are a cell array after '()' and '{}', and a name after '.'."
            raise MatlabError("MATLAB:substruct:IllegalSubs", text)


@builtin(
    "substruct",
    least=2,
    category=_FAMILY,
    signatures=("S = substruct(type, subs, ...)",),
    device=NAMES,
    cases=("s = substruct('()', {1}, '.', 'a'); isequal({s.type}, {'()', '.'})",),
    see=("subsref", "subsasgn"),
)
def substruct(*parts: Value) -> Value:
    """The struct array that subsref and subsasgn take."""
    enough(parts, len(parts) + len(parts) % 2)
    _check_subs(parts)
    rows = [Struct({"type": parts[k], "subs": parts[k + 1]}) for k in range(0, len(parts), 2)]
    return StructArray.of(rows)


@builtin(
    "numArgumentsFromSubscript",
    category=_FAMILY,
    signatures=("n = numArgumentsFromSubscript(x, s, context)",),
    device=NAMES,
    cases=(
        "numArgumentsFromSubscript({1, 2, 3}, substruct('{}', {1:2}), "
        "matlab.indexing.IndexingContext.Expression) == 2",
    ),
    see=("subsref", "substruct"),
)
def num_arguments_from_subscript(x: Value, s: Value, context: Value) -> Value:
    """How many values an indexing is; classes overload it to say so for their ``subsref``."""
    steps = steps_of(s)
    return 1.0 if steps[-1][0] == index_chains.PAREN else float(index_chains.places(x, steps))


@builtin(
    "superiorto",
    category=_FAMILY,
    signatures=("superiorto(name, ...)",),
    device=NAMES,
    cases=("try, superiorto('double'), catch e, end; ~isempty(e.message)",),
    see=("inferiorto", "class"),
)
def superiorto(ctx: Context, *names: Value) -> None:
    """In a constructor without classdef: its methods come before those of other classes."""
    struct_objects.rank(ctx.objects, [text_of(n) for n in names], above=True)


@builtin(
    "inferiorto",
    category=_FAMILY,
    signatures=("inferiorto(name, ...)",),
    device=NAMES,
    cases=("try, inferiorto('double'), catch e, end; ~isempty(e.message)",),
    see=("superiorto", "class"),
)
def inferiorto(ctx: Context, *names: Value) -> None:
    """In a constructor without classdef: methods of other classes come before its own."""
    struct_objects.rank(ctx.objects, [text_of(n) for n in names], above=False)
