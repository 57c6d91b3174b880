"""``matfile``: a MAT-file as an object whose properties are its variables."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import switch_of
from app.engine.builtins.files import load_save, portable
from app.engine.declarations.file_errors import reading
from app.engine.declarations.registry import builtin, native_type
from app.engine.values import NativeObject, Struct, Value, text_of
from app.engine.values.containers import no_member
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.interpreter.context import Context


@native_type
class MatFile(NativeObject):
    """A MAT-file that is read and written variable by variable; a handle."""

    class_name = "matlab.io.MatFile"
    superclasses = ("handle",)
    is_handle = True

    def __init__(self, path: Path, writable: bool) -> None:
        self.path = path
        self.writable = writable

    def variables(self) -> dict[str, Value]:
        """All variables as the file has them."""
        return load_save.read_variables(self.path) if self.path.is_file() else {}

    def get_member(
        self, ctx: Context, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """``m.name`` and ``m.name(rows, columns)``."""
        if name == "Properties":
            return Struct({"Source": str(self.path), "Writable": self.writable})
        found = self.variables()
        if name not in found:
            raise no_member(self.class_name, name)
        with reading("matfile", self.path):
            value = portable.value_of_portable(ctx, found[name])
        if args:
            from app.engine.interpreter.indexing.index_read import paren

            return paren(value, *args)
        return value

    def set_member(self, ctx: CallContext, name: str, value: Value) -> NativeObject:
        """``m.name = value``."""
        if not self.writable:
            text = f"'{self.path}' is not writable; open it with 'Writable', true."
            raise MatlabError("MATLAB:MatFile:NotWritable", text)
        plain = {**self.variables(), name: portable.portable_form(value)}
        load_save.write_variables(self.path, plain, "7.3")
        return self

    def members(self) -> list[str]:
        """The variables."""
        return ["Properties", *self.variables()]

    def show(self, name: str, style: Any) -> str:
        """Where the file is and what it holds."""
        listed = "".join(f"      {n}\n" for n in self.variables())
        return f"  matlab.io.MatFile\n\n    Source: '{self.path}'\n    Variables:\n{listed}"


@builtin(
    "matfile",
    reads_file=True,
    category="files",
    signatures=("m = matfile(file)", "m = matfile(file, 'Writable', tf)"),
    cases=("x = magic(3); save('x.mat', 'x'); m = matfile('x.mat'); isequal(m.x(2, :), [3 5 7])",),
    see=("load", "save"),
)
def matfile(name: Value, *options: Value) -> Value:
    """A MAT-file as an object: ``m.x`` reads a variable, ``m.x = v`` writes one."""
    path = Path(text_of(name)).expanduser()
    path = path if path.suffix else path.with_name(path.name + ".mat")
    writable = switch_of("Writable", options[1]) if len(options) > 1 else not path.is_file()
    return MatFile(path.resolve(), writable)
