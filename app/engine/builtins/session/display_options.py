"""``format``: how numbers and lines are shown, and the object that holds a choice."""

from __future__ import annotations

from app.engine.arguments.call_context import CallContext
from app.engine.builtins.text.text_output import format_of
from app.engine.declarations.registry import builtin
from app.engine.values import NativeObject, StringArray, Struct, Value, text_of
from app.engine.values.display import DisplayFormat
from app.engine.values.display import disp as disp_text
from app.engine.values.display_format import STYLES
from app.errors import MatlabError

_SHOWN = {
    "shortg": "shortG",
    "longg": "longG",
    "shorte": "shortE",
    "longe": "longE",
    "shorteng": "shortEng",
    "longeng": "longEng",
}


class DisplayFormatOptions(NativeObject):
    """What ``fmt = format`` returns; ``format(fmt)`` restores it."""

    class_name = "DisplayFormatOptions"

    def __init__(self, form: DisplayFormat) -> None:
        self.form = form

    def members(self) -> list[str]:
        """The two properties."""
        return ["NumericFormat", "LineSpacing"]

    def get_member(
        self, ctx: CallContext, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """``fmt.NumericFormat`` and ``fmt.LineSpacing``."""
        held = self._fields()
        if name not in held:
            return super().get_member(ctx, name, args, nargout)
        return held[name]

    def show(self, name: str, style: DisplayFormat) -> str:
        """The list of the properties."""
        return f"  {self.class_name} with properties:\n\n{disp_text(Struct(self._fields()), style)}"

    def _fields(self) -> dict[str, Value]:
        style = _SHOWN.get(self.form.style, self.form.style)
        spacing = "compact" if self.form.compact else "loose"
        return {
            "NumericFormat": StringArray.scalar(style),
            "LineSpacing": StringArray.scalar(spacing),
        }


@builtin(
    "format",
    category="text output",
    signatures=("format", "format style", "format spacing", "fmt = format", "format(fmt)"),
    cases=("format long; text = evalc('disp(pi)'); format; contains(text, '3.14159265358979')",),
    see=("disp",),
)
def format_(ctx: CallContext, *words: Value, nargout: int = 0) -> Value:
    """Choose how numbers are shown, and how far apart. Without arguments: short and loose.

    Words: short, long, shortG, longG, shortE, longE, bank, hex, rational, loose, compact.

    ``fmt = format(...)`` returns the choice before, which ``format(fmt)`` restores.
    """
    old = format_of(ctx)
    if words or not nargout:
        ctx.state["display_format"] = _format_of_words(old, words)
    return DisplayFormatOptions(old) if nargout else ()


def _format_of_words(form: DisplayFormat, words: tuple[Value, ...]) -> DisplayFormat:
    if not words:
        return DisplayFormat()
    if isinstance(words[0], DisplayFormatOptions):
        return words[0].form
    names = [text_of(w).lower() for w in words]
    if len(names) == 2 and names[1] in ("g", "e", "eng"):
        names = ["".join(names)]
    names = ["rat" if name == "rational" else name for name in names]
    for name in names:
        if name in ("loose", "compact"):
            form = DisplayFormat(form.style, name == "compact")
        elif name in STYLES:
            form = DisplayFormat(name, form.compact)
        else:
            raise MatlabError("MATLAB:format:UnknownFormat", f"Unknown format '{name}'.")
    return form
