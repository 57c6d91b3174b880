"""``?Class`` and ``metaclass(obj)``."""

from __future__ import annotations

from typing import Any

from app.engine.arguments.call_context import CallContext
from app.engine.interpreter.objects.class_model import TEST_ROLES, ClassInfo, Property
from app.engine.values import Cell, NativeObject, Struct, StructArray, Value
from app.engine.values.containers import no_member


class MetaClass(NativeObject):
    """The description of a class as a value."""

    class_name = "meta.class"
    is_handle = True

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
                        "Access": m.access,
                        "Abstract": m.abstract,
                        "Hidden": m.hidden,
                        **{role: role in m.roles for role in TEST_ROLES},
                    }
                    for m in info.all_methods()
                ]
            ),
            "SuperclassList": lambda: Cell.of([MetaClass(b) for b in info.bases]),
        }
        if name in {"Properties", "Methods"}:  # the older names: cells
            found = read[{"Properties": "PropertyList", "Methods": "MethodList"}[name]]()
            rows = [found] if isinstance(found, Struct) else found.elements()
            read[name] = lambda: Cell.of(rows, (len(rows), 1))
        if name not in read:
            raise no_member(self.class_name, name)
        value = read[name]()
        if args is None:
            return value
        from app.engine.interpreter.indexing.index_read import paren

        return paren(value, *args)

    def equals(self, other: Value) -> bool:
        """Descriptions of the same class are equal."""
        return isinstance(other, MetaClass) and other.info is self.info


def property_facts(p: Property) -> dict[str, Value]:
    """What the description of a class tells of one property."""
    return {
        "Name": p.name,
        "Constant": p.constant,
        "Dependent": p.dependent,
        "Hidden": p.hidden,
        "GetAccess": p.get_access,
        "SetAccess": p.set_access,
    }


def _list(rows: list[dict[str, Value]]) -> Value:
    return StructArray.of([Struct(r) for r in rows], (len(rows), 1), ("Name",))
