"""``?Class`` and ``metaclass(obj)``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.engine.arguments.call_context import CallContext
from app.engine.interpreter.objects.class_model import (
    TEST_ROLES,
    Access,
    ClassInfo,
    Event,
    Method,
    Property,
)
from app.engine.language import ast
from app.engine.values import EMPTY, Cell, NativeObject, Struct, StructArray, Value
from app.engine.values.containers import no_member

if TYPE_CHECKING:
    from app.engine.interpreter.objects.instances import Objects
    from app.engine.interpreter.unit import Unit


WITHOUT_FILES = frozenset(
    "double single logical char string cell struct function_handle int8 int16 int32 int64 uint8 "
    "uint16 uint32 uint64 table timetable datetime duration calendarDuration categorical "
    "containers.Map dictionary MException handle".split()
)
"""Classes that are described by their names alone."""


def described(objects: Objects, name: str, unit: Unit | None = None) -> Value:
    """The description of a class by its name; empty for one that there is not."""
    info = objects.find_class(name, unit)
    if info is None and objects.interpreter.path.refresh():  # the script may have written the file
        info = objects.find_class(name, unit)
    if info is None and name in WITHOUT_FILES:
        info = ClassInfo(name, None, is_handle=name in {"handle", "containers.Map"})
    return EMPTY if info is None else MetaClass(info)


class MetaClass(NativeObject):
    """The description of a class as a value."""

    class_name = "meta.class"
    is_handle = True
    travels = False

    def __init__(self, info: ClassInfo) -> None:
        self.info = info

    def get_member(
        self, ctx: CallContext, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """Properties of the description."""
        info = self.info
        read: dict[str, Any] = {
            "Name": lambda: info.name,
            "Abstract": lambda: bool(info.abstract or info.missing_abstract()),
            "Sealed": lambda: info.sealed,
            "HandleCompatible": lambda: info.is_handle,
            "Description": lambda: info.help,
            "Enumeration": lambda: bool(info.enumeration),
            "PropertyList": lambda: _list([property_facts(p) for p in info.all_properties()]),
            "MethodList": lambda: _list(
                [
                    {
                        "Name": m.name,
                        "Static": m.static,
                        "Access": _shown_access(m.access),
                        "Abstract": m.abstract,
                        "Hidden": m.hidden,
                        **_names_of_arguments(m),
                        **{role: role in m.roles for role in TEST_ROLES},
                    }
                    for m in info.all_methods()
                ]
            ),
            "EventList": lambda: _list([_event_facts(e) for e in info.all_events().values()]),
            "SuperclassList": lambda: _list([_superclass_facts(b) for b in _bases(info)]),
        }
        if name in {"Properties", "Methods"}:  # the older names: cells
            found = read[{"Properties": "PropertyList", "Methods": "MethodList"}[name]]()
            rows = _rows(found)
            read[name] = lambda: Cell.of(rows, (len(rows), 1))
        if name not in read:
            raise no_member(self.class_name, name)
        value = read[name]()
        if (
            name in {"PropertyList", "MethodList", "EventList", "SuperclassList"}
            and ctx.settings.octave
        ):
            value = Cell.of(_rows(value))  # a cell there
        if args is None:
            return value
        from app.engine.interpreter.indexing.index_read import paren

        return paren(value, *args)

    def equals(self, other: Value) -> bool:
        """Descriptions of the same class are equal."""
        return isinstance(other, MetaClass) and other.info.name == self.info.name


def _bases(info: ClassInfo) -> list[ClassInfo]:
    """The direct superclasses; ``handle`` is one of a class that no other makes a handle."""
    if info.is_handle and info.name != "handle" and not any(b.is_handle for b in info.bases):
        return [*info.bases, ClassInfo("handle", None, is_handle=True)]
    return info.bases


def _names_of_arguments(method: Method) -> dict[str, Value]:
    """The names of a method's inputs and outputs, as columns of cells."""
    node = getattr(method.function, "node", None)
    inputs = [p.name for p in node.inputs] if isinstance(node, ast.FunctionDef) else []
    outputs = [p.name for p in node.outputs] if isinstance(node, ast.FunctionDef) else []
    return {
        name: Cell.of(found, (len(found), 1 if found else 0))
        for name, found in (("InputNames", inputs), ("OutputNames", outputs))
    }


def _superclass_facts(info: ClassInfo) -> dict[str, Value]:
    """What the description of a class tells of one superclass."""
    return {
        "Name": info.name,
        "Abstract": bool(info.abstract or info.missing_abstract()),
        "Sealed": info.sealed,
        "HandleCompatible": info.is_handle,
        "SuperclassList": _list([_superclass_facts(b) for b in _bases(info)]),
    }


def property_facts(p: Property) -> dict[str, Value]:
    """What the description of a class tells of one property."""
    return {
        "Name": p.name,
        "Constant": p.constant,
        "Dependent": p.dependent,
        "Hidden": p.hidden,
        "GetAccess": _shown_access(p.get_access),
        "SetAccess": _shown_access(p.set_access),
        "Abstract": p.abstract,
        "Transient": p.transient,
        "GetObservable": p.get_observable,
        "SetObservable": p.set_observable,
        "AbortSet": p.abort_set,
        "NonCopyable": p.non_copyable,
    }


def _shown_access(access: Access) -> Value:
    """A level as text; the classes that have access as a cell of their names."""
    if isinstance(access, str):
        return access
    return Cell.of(sorted(access), (1, len(access)))


def _event_facts(e: Event) -> dict[str, Value]:
    """What the description of a class tells of one event."""
    return {
        "Name": e.name,
        "ListenAccess": _shown_access(e.listen_access),
        "NotifyAccess": _shown_access(e.notify_access),
        "Hidden": e.hidden,
    }


def _rows(found: Struct | StructArray) -> list[Struct]:
    return [found] if isinstance(found, Struct) else list(found.elements())


def _list(rows: list[dict[str, Value]]) -> Value:
    return StructArray.of([Struct(r) for r in rows], (len(rows), 1), ("Name",))
