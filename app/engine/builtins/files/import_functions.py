"""Import options as objects of a script: detectImportOptions, setvartype, setvaropts, preview."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import flag, option_pairs
from app.engine.builtins.files import delimited, spreadsheet
from app.engine.builtins.files.import_options import (
    TYPES,
    VARIABLE_RULES,
    Plan,
    Variable,
    detected_plan,
    word_of,
)
from app.engine.builtins.files.import_properties import (
    property_names,
    property_value,
    row_of_texts,
    with_property,
)
from app.engine.declarations.registry import builtin, native_type
from app.engine.interpreter.indexing.index_read import paren
from app.engine.values import (
    NativeObject,
    Struct,
    Value,
    as_array,
    canonical,
    int_of,
    is_numeric_like,
    is_text_scalar,
    text_of,
    texts_of,
)
from app.engine.values.containers import no_member
from app.errors import MatlabError

_FAMILY = "files"
_VARIABLE_OPTIONS = (
    "FillValue TreatAsMissing InputFormat DatetimeFormat DecimalSeparator ThousandsSeparator "
    "TrimNonNumeric Categories " + " ".join(VARIABLE_RULES)
)


@native_type
class ImportOptions(NativeObject):
    """A plan of reading tables, as scripts see and change it.

    Attributes:
        plan: what is done.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    @property
    def class_name(self) -> str:  # type: ignore[override]
        """The class by the kind of file."""
        kind = "Spreadsheet" if self.plan.workbook else "DelimitedText"
        return f"matlab.io.{'spreadsheet' if self.plan.workbook else 'text'}.{kind}ImportOptions"

    def members(self) -> list[str]:
        """Names that ``properties`` shows."""
        return property_names(self.plan)

    def get_member(
        self, ctx: CallContext, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """The properties."""
        if name not in self.members():
            raise no_member(self.class_name, name)
        found = property_value(self.plan, name)
        return found if args is None else paren(found, *args)

    def set_member(self, ctx: CallContext, name: str, value: Value) -> NativeObject:
        """Other properties; values do not share them."""
        if name == "SelectedVariableNames":
            return ImportOptions(replace(self.plan, selected=tuple(self.chosen(value))))
        if name not in self.members():
            raise no_member(self.class_name, name)
        return ImportOptions(with_property(self.plan, name, value))

    def chosen(self, v: Value) -> list[str]:
        """Names of variables by name, number or flags."""
        names = [x.name for x in self.plan.variables]
        if is_numeric_like(v) and not is_text_scalar(v):
            picked = paren(row_of_texts(names), canonical(as_array(v)))
            return texts_of(picked)
        wanted = texts_of(v)
        for n in wanted:
            if n not in names:
                message = f"Unknown variable name: '{n}'."
                raise MatlabError("MATLAB:textio:io:UnknownVarName", message)
        return wanted

    def show(self, name: str, style: Any) -> str:
        """All properties in the groups that they belong to."""
        from app.engine.builtins.files.import_display import shown_options

        return shown_options(self.plan, self.class_name.rpartition(".")[2])


def options_of(v: Value, function: str) -> ImportOptions:
    """Import options, or MATLAB's error."""
    if isinstance(v, ImportOptions):
        return v
    message = f"The first input of '{function}' must be import options."
    raise MatlabError(f"MATLAB:{function}:InvalidInput", message)


@builtin(
    "detectImportOptions",
    reads_file=True,
    category=_FAMILY,
    signatures=(
        "opts = detectImportOptions(file)",
        "opts = detectImportOptions(file, 'NumHeaderLines', n, ...)",
    ),
    cases=(
        "writetable(table([1; 2], {'x'; 'y'}), 't.csv'); o = detectImportOptions('t.csv'); "
        "o.SelectedVariableNames = {'Var2'}; "
        "isequal(readtable('t.csv', o).Var2, {'x'; 'y'})",
    ),
    see=("readtable", "setvartype", "setvaropts"),
)
def detect_import_options(name: Value, *args: Value) -> Value:
    """How a file would be read as a table, to be changed before ``readtable(file, opts)``."""
    known = delimited.READ_TABLE
    options = delimited.file_options("detectImportOptions", name, args, known)
    if "delimiter" not in options and not spreadsheet.is_workbook(text_of(name)):
        found = delimited.delimiter_of(delimited.file_text(name, "readtable"))
        options |= {"delimiter": row_of_texts([found])} if found else {}
    return ImportOptions(detected_plan(name, options, "readtable"))


@builtin(
    "delimitedTextImportOptions",
    category=_FAMILY,
    signatures=(
        "opts = delimitedTextImportOptions('NumVariables', n)",
        "opts = delimitedTextImportOptions(name, value, ...)",
    ),
    cases=(
        'writelines(["h" "1,2" "3,4"], \'t.csv\'); '
        "o = delimitedTextImportOptions('NumVariables', 2, 'DataLines', 2, 'Delimiter', ','); "
        "o = setvartype(o, 'double'); isequal(readmatrix('t.csv', o), [1 2; 3 4])",
    ),
    see=("detectImportOptions", "spreadsheetImportOptions"),
)
def delimited_text_import_options(ctx: CallContext, *args: Value) -> Value:
    """Import options of a text file that says nothing: variables of texts, data from line 1 on."""
    return _options_of_pairs(ctx, "delimitedTextImportOptions", args, workbook=False)


@builtin(
    "spreadsheetImportOptions",
    category=_FAMILY,
    signatures=(
        "opts = spreadsheetImportOptions('NumVariables', n)",
        "opts = spreadsheetImportOptions(name, value, ...)",
    ),
    cases=("width(spreadsheetImportOptions('NumVariables', 2).VariableNames) == 2",),
    see=("detectImportOptions", "delimitedTextImportOptions"),
)
def spreadsheet_import_options(ctx: CallContext, *args: Value) -> Value:
    """Import options of a worksheet that nothing is known of."""
    return _options_of_pairs(ctx, "spreadsheetImportOptions", args, workbook=True)


def _options_of_pairs(
    ctx: CallContext, function: str, args: tuple[Value, ...], *, workbook: bool
) -> Value:
    settable = ImportOptions(Plan(workbook, {}, 0, False, (), ())).members()
    pairs = option_pairs(function, args, " ".join(("NumVariables", *settable)))
    count = int_of(pairs.pop("numvariables", 1.0))
    count = len(texts_of(pairs["variablenames"])) if "variablenames" in pairs else count
    variables = tuple(Variable(f"Var{k + 1}", "char") for k in range(count))
    made: NativeObject = ImportOptions(
        Plan(workbook, {}, 0, False, variables, tuple(v.name for v in variables))
    )
    spelled = {m.lower(): m for m in settable}
    for word, value in pairs.items():
        made = made.set_member(ctx, spelled[word], value)
    return made


@builtin(
    "setvartype",
    category=_FAMILY,
    signatures=("opts = setvartype(opts, type)", "opts = setvartype(opts, names, type)"),
    cases=(
        "writetable(table([1; 2]), 't.csv'); o = detectImportOptions('t.csv'); "
        "isstring(readtable('t.csv', setvartype(o, 'Var1', 'string')).Var1)",
    ),
    see=("detectImportOptions",),
)
def setvartype(opts: Value, *args: Value) -> Value:
    """Other classes of variables."""
    o = options_of(opts, "setvartype")
    names = o.chosen(args[0]) if len(args) > 1 else [v.name for v in o.plan.variables]
    kinds = texts_of(args[-1]) if args else []
    kinds = kinds * len(names) if len(kinds) == 1 else kinds
    if len(kinds) != len(names):
        message = f"There must be a class for every variable, out of {', '.join(TYPES)}."
        raise MatlabError("MATLAB:textio:io:UnsupportedType", message)
    return ImportOptions(o.plan.with_kinds(dict(zip(names, kinds, strict=True))))


@builtin(
    "setvaropts",
    category=_FAMILY,
    signatures=(
        "opts = setvaropts(opts, name, value)",
        "opts = setvaropts(opts, names, name, value, ...)",
    ),
    cases=(
        'writelines(["a" "1" "-"], \'t.csv\'); o = detectImportOptions(\'t.csv\'); '
        "o = setvaropts(setvartype(o, 'double'), 'a', 'FillValue', 7); "
        "isequal(readtable('t.csv', o).a, [1; 7])",
    ),
    see=("detectImportOptions",),
)
def setvaropts(opts: Value, *args: Value) -> Value:
    """How fields are understood: FillValue, TreatAsMissing, InputFormat, DatetimeFormat,
    DecimalSeparator, ThousandsSeparator, TrimNonNumeric, Categories, WhitespaceRule and
    EmptyFieldRule."""
    o = options_of(opts, "setvaropts")
    names = o.chosen(args[0]) if len(args) % 2 else [v.name for v in o.plan.variables]
    new = option_pairs("setvaropts", args[len(args) % 2 :], _VARIABLE_OPTIONS)

    def changed(v: Variable) -> Variable:
        return replace(v, options={**v.options, **new}) if v.name in names else v

    variables = tuple(map(changed, o.plan.variables))
    for v in variables:
        for rule in VARIABLE_RULES:
            word_of(v, rule)
    return ImportOptions(replace(o.plan, variables=variables))


def planned_read(function: str, opts: ImportOptions, args: tuple[Value, ...]) -> Plan:
    """The plan of import options with what a call says by name."""
    given = option_pairs(function, args, "Sheet ReadRowNames UseExcel")
    if flag(given, "useexcel"):
        text = "UseExcel must be false: Excel is not used."
        raise MatlabError(f"MATLAB:{function}:UseExcel", text)
    plan = opts.plan
    if "sheet" in given:
        plan = replace(plan, source={**plan.source, "sheet": given["sheet"]})
    if "readrownames" in given:
        plan = replace(plan, row_names=flag(given, "readrownames"))
    return plan


@builtin(
    "getvaropts",
    category=_FAMILY,
    signatures=("s = getvaropts(opts, name)",),
    cases=(
        "writetable(table([1; 2]), 't.csv'); o = detectImportOptions('t.csv'); "
        "strcmp(getvaropts(o, 'Var1').Type, 'double')",
    ),
    see=("setvaropts",),
)
def getvaropts(opts: Value, name: Value) -> Value:
    """The name, class and options of a variable in a struct."""
    o = options_of(opts, "getvaropts")
    (wanted,) = o.chosen(name)[:1]
    v = next(v for v in o.plan.variables if v.name == wanted)
    spelled = {word.lower(): word for word in _VARIABLE_OPTIONS.split()}
    return Struct(
        {"Name": v.name, "Type": v.kind, **{spelled.get(k, k): x for k, x in v.options.items()}}
    )


@builtin(
    "preview",
    category=_FAMILY,
    signatures=("T = preview(file, opts)",),
    cases=(
        "writetable(table((1:20)'), 't.csv'); "
        "height(preview('t.csv', detectImportOptions('t.csv'))) == 8",
    ),
    see=("detectImportOptions", "head"),
)
def preview(name: Value, opts: Value) -> Value:
    """The first eight rows of what would be read."""
    table = options_of(opts, "preview").plan.read(name)
    return table.rows(list(range(min(table.height, 8))))


@builtin(
    "readvars",
    reads_file=True,
    category=_FAMILY,
    signatures=("[v1, v2, ...] = readvars(file)", "[v1, ...] = readvars(file, opts)"),
    cases=("writetable(table([1; 2]), 't.csv'); isequal(readvars('t.csv'), [1; 2])",),
    see=("readtable",),
)
def readvars(name: Value, *args: Value) -> Value:
    """The columns of a table in a file as outputs."""
    plan = (
        args[0].plan
        if args and isinstance(args[0], ImportOptions)
        else detected_plan(
            text_of(name),
            delimited.file_options("readvars", name, args, delimited.READ_TABLE),
            "readvars",
        )
    )
    return tuple(plan.read(name, "readvars").columns.values())
