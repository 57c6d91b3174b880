"""``t.Properties``: what is known of a table besides its variables."""

from __future__ import annotations

from app.engine.arguments.call_context import CallContext
from app.engine.builtins.property_objects import PropertyObject
from app.engine.declarations.registry import native_type
from app.engine.values import NativeObject, Struct, Value, numel
from app.engine.values.containers import no_member
from app.engine.values.display import disp
from app.engine.values.display_format import DisplayFormat

_CUSTOM = "CustomProperties"
_NONE_SET = (
    "No custom properties are set.\n      Use addprop and rmprop to modify CustomProperties.\n"
)


@native_type
class TableProperties(PropertyObject):
    """The properties of a table or timetable; assigning one gives other properties.

    Attributes:
        class_name: ``matlab.tabular.TableProperties``, or that of timetables.
        fields: the properties by name.
    """

    def __init__(self, fields: dict[str, Value]) -> None:
        self.fields = fields
        kind = "Timetable" if "RowTimes" in fields else "Table"
        self.class_name = f"matlab.tabular.{kind}Properties"

    def properties(self) -> dict[str, Value]:
        """All properties by name."""
        return self.fields

    def set_member(self, ctx: CallContext, name: str, value: Value) -> NativeObject:
        """``t.Properties.name = value``."""
        if name not in self.fields:
            raise no_member(self.class_name, name)
        return TableProperties({**self.fields, name: value})

    def show(self, name: str, style: DisplayFormat) -> str:
        """The properties, one line each; added ones have a list of their own."""
        head = f"  {self.class_name.rpartition('.')[2]} with properties:\n\n"
        custom = self.fields[_CUSTOM]
        plain = {n: v for n, v in self.fields.items() if n != _CUSTOM}
        if isinstance(custom, Struct) and custom.fields:
            title = "   Custom Properties (access using t.Properties.CustomProperties.<name>):\n"
            added = _custom_property_lines(custom, plain, style)
            return f"{head}{disp(Struct(plain), style)}\n{title}{added}"
        width = 4 + max(map(len, plain))
        return f"{head}{disp(Struct(plain), style)}{_CUSTOM:>{width}}: {_NONE_SET}"


def _custom_property_lines(custom: Struct, beside: dict[str, Value], style: DisplayFormat) -> str:
    """Added properties, their colons below those of the others."""
    width = 4 + max(map(len, beside))
    lines = disp(Struct(custom.fields), style).splitlines()
    found = 4 + max(map(len, custom.fields)) if numel(custom) else 0
    return "".join(" " * max(0, width - found) + line + "\n" for line in lines)
