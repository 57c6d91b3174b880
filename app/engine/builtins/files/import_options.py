"""How a table is read from a file: found out from the file, changed by a script, carried out.

``readtable`` itself works this way: options are detected, those given by name override them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, TypeAlias

import numpy as np

from app.engine.arguments.checks import flag, one_of
from app.engine.builtins.arrays.categorical_class import from_texts
from app.engine.builtins.arrays.native_arrays import native_array
from app.engine.builtins.containers.table_class import Table
from app.engine.builtins.dates import duration_class
from app.engine.builtins.dates.datetime_class import parse_texts
from app.engine.builtins.files import delimited, spreadsheet
from app.engine.builtins.files.import_rules import (
    RULES,
    checked_rule,
    extra_columns,
    filled_lines,
    without_delimiters,
)
from app.engine.builtins.files.matrix_files import read_rows
from app.engine.builtins.text.valid_names import valid_name
from app.engine.values import (
    Cell,
    StringArray,
    Value,
    as_array,
    canonical,
    int_of,
    is_numeric_like,
    is_text_scalar,
    object_array,
    text_of,
    texts_of,
)
from app.errors import MatlabError

_DATES = re.compile(
    r"\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d+)?)?)?|\d{1,2}/\d{1,2}/\d{4}.*|"
    r"\d{1,2}-[A-Za-z]{3}-\d{4}.*"
)
_TIMES = re.compile(r"-?\d+:\d\d:\d\d(\.\d+)?")
_NUMBERS = (
    "double",
    "single",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
)
TYPES = (*_NUMBERS, "logical", "char", "string", "categorical", "datetime", "duration")


_AS = {"datetime": "datetime text", "duration": "duration text"}
_CONVERSION = re.compile(
    r"%(\*?)\d*(?:\.\d+)?(?:\{([^}]*)\})?(n|f64|f32|f|s|q|C|D|T|[du](?:8|16|32|64)?)"
)
_LETTERS = {
    **dict.fromkeys(("n", "f", "f64"), "double"),
    "f32": "single",
    **{f"d{n}": f"int{n}" for n in (8, 16, 32, 64)},
    **{f"u{n}": f"uint{n}" for n in (8, 16, 32, 64)},
    "d": "int32",
    "u": "uint32",
    "s": "char",
    "q": "char",
    "C": "categorical",
}
_NO_RULES: Mapping[str, str] = {}
Selected: TypeAlias = tuple[str, ...]
"""Names of the columns that are kept."""


@dataclass(frozen=True)
class Variable:
    """One column: its name, its class, and how its fields are understood.

    Attributes:
        options: those of ``setvaropts`` in lower case: fillvalue, treatasmissing, inputformat,
            decimalseparator, thousandsseparator.
    """

    name: str
    kind: str
    options: dict[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class Plan:
    """What is read from a file.

    Attributes:
        workbook: whether it is a spreadsheet.
        source: options about the text: delimiter, sheet, range, commentstyle.
        skip: lines before the names, or before the data where there are none.
        named: whether a line of names stands before the data.
        variables: every column.
        selected: names of the columns that are kept.
        row_names: whether the first column has the names of rows.
        rules: words of the `RULES` that are set.
        first: the first line of data, from 1; 0 for that behind the names.
        last: the last line of data; 0 for that of the file.
        headers: the names as the file has them.
        ranged: whether the range among the options holds data only, as DataRange says.
    """

    workbook: bool
    source: dict[str, Value]
    skip: int
    named: bool
    variables: tuple[Variable, ...]
    selected: tuple[str, ...]
    row_names: bool = False
    rules: dict[str, str] = field(default_factory=dict)
    first: int = 0
    last: int = 0
    headers: tuple[str, ...] = ()
    ranged: bool = False

    @property
    def begin(self) -> int:
        """Lines before the data."""
        return self.first - 1 if self.first else self.skip + self.named

    def rule(self, name: str) -> str:
        """The word of a rule."""
        return self.rules.get(name, RULES[name][0])

    def read(self, name: Value, function: str = "readtable") -> Table:
        """The table in a file."""
        return self.table(file_rows(name, self.source, function, self.rules))

    def table(self, rows: delimited.Rows) -> Table:
        """The table in the rows of a file, which are of equal length."""
        body = rows[self.begin : self.last or None]
        if not self.workbook:
            body = filled_lines(body, self.rules)
            extra = extra_columns(body, len(self.variables), self.rules)
            if extra:
                return self.with_extra(extra).of_body(body)
        return self.of_body(body)

    def with_extra(self, count: int) -> Plan:
        """The plan with variables for more columns."""
        names = tuple(f"ExtraVar{k + 1}" for k in range(count))
        more = tuple(Variable(n, "char") for n in names)
        return replace(self, variables=(*self.variables, *more), selected=(*self.selected, *names))

    def of_body(self, body: delimited.Rows) -> Table:
        """The table in the lines of data."""
        fields = columns_of(body, len(self.variables))
        for name, told, is_lost in (
            ("MissingRule", "Missing data", is_missing),
            ("ImportErrorRule", "Data that cannot be converted", is_wrong),
        ):
            if self.rule(name) != "fill":
                fields = self._complete(fields, name, told, is_lost)
        height = next((len(c) for c in fields if c is not _LEFT_OUT), 0)
        selected = frozenset(self.selected)
        columns = {
            v.name: converted_column(fields[k], v)
            for k, v in enumerate(self.variables)
            if v.name in selected and fields[k] is not _LEFT_OUT
        }
        ordered = {n: columns[n] for n in self.selected if n in columns}
        names: list[str] = []
        if self.row_names and self.variables:
            names = list(map(str, fields[0]))
            ordered.pop(self.variables[0].name, None)
        return Table(ordered, height if fields else len(body), names)

    def _complete(
        self,
        fields: delimited.Rows,
        name: str,
        told: str,
        is_lost: Callable[[object, Variable], bool],
    ) -> delimited.Rows:
        """The columns without the rows or columns in which a field is lost, as a rule says."""
        chosen = [
            k
            for k, v in enumerate(self.variables)
            if v.name in self.selected and fields[k] is not _LEFT_OUT
        ]
        lost = {k: [is_lost(f, self.variables[k]) for f in fields[k]] for k in chosen}
        if self.rule(name) == "omitrow":
            kept = [not any(flags) for flags in zip(*lost.values(), strict=True)]
            return [
                c if c is _LEFT_OUT else [f for f, k in zip(c, kept, strict=True) if k]
                for c in fields
            ]
        if self.rule(name) == "error" and any(map(any, lost.values())):
            text = f"{told} found while reading; {name} is 'error'."
            raise MatlabError("MATLAB:textio:textio:MissingDataFound", text)
        return [_LEFT_OUT if any(lost.get(k, ())) else c for k, c in enumerate(fields)]

    def with_names(self, names: list[str]) -> Plan:
        """Other names of all variables."""
        renamed = dict(zip((v.name for v in self.variables), names, strict=True))
        return replace(
            self,
            variables=tuple(replace(v, name=renamed[v.name]) for v in self.variables),
            selected=tuple(renamed[n] for n in self.selected),
        )

    def with_naming(self, rule: str) -> Plan:
        """The names of the file made valid, or as they are; names that were given stay."""
        plan = replace(self, rules={**self.rules, "VariableNamingRule": rule})
        if len(self.headers) != len(self.variables):
            return plan
        forms = list(self.headers), valid_names(list(self.headers))
        wanted = forms[rule == "modify"]
        if [v.name for v in self.variables] not in forms or len(set(wanted)) < len(wanted):
            return plan
        return plan.with_names(wanted)

    def with_kinds(self, kinds: dict[str, str]) -> Plan:
        """Other classes of some variables."""
        wrong = set(kinds.values()) - set(TYPES)
        if wrong:
            message = f"'{min(wrong)}' is not a class for variables: use {', '.join(TYPES)}."
            raise MatlabError("MATLAB:textio:io:UnsupportedType", message)
        return replace(
            self,
            variables=tuple(replace(v, kind=kinds.get(v.name, v.kind)) for v in self.variables),
        )


_LEFT_OUT: list[object] = []
"""Stands for a column that is not read because a field of it is missing."""


def is_missing(field: object, variable: Variable) -> bool:
    """Whether a field holds nothing, or what counts as missing."""
    plain = plain_number(field, variable.options) if isinstance(field, str) else field
    return plain is None or not str(plain).strip()


def is_wrong(field: object, variable: Variable) -> bool:
    """Whether a field holds something that is none of its variable's class."""
    if is_missing(field, variable) or variable.kind in ("char", "string", "categorical"):
        return False
    if variable.kind in ("datetime", "duration"):
        try:
            made = converted_column([field], variable)
        except MatlabError:
            return True
        return bool(np.all(native_array(made).is_missing()))
    plain = plain_number(field, variable.options) if isinstance(field, str) else field
    word = str(plain).strip().lower()
    return not delimited.is_number(plain) and not (variable.kind == "logical" and word in _WORDS)


def columns_of(rows: delimited.Rows, width: int) -> delimited.Rows:
    """The first ``width`` columns of rows of equal length; None in those that are not there."""
    there = [list(column) for column in islice(zip(*rows, strict=True), width)]
    return there + [[None] * len(rows) for _ in range(width - len(there))]


def file_rows(
    name: Value,
    source: dict[str, Value],
    function: str,
    rules: Mapping[str, str] = _NO_RULES,
    most: int = -1,
) -> delimited.Rows:
    """Rows of equal length, without comments; of a text those in its first ``most`` bytes."""
    found = without_delimiters(read_rows(name, source, function, most), rules)
    rows = delimited.Sheet(found).padded()
    if "commentstyle" in source:
        marks = tuple(texts_of(source["commentstyle"]))[:1]
        rows = [r for r in rows if not str(r[0] or "").lstrip().startswith(marks)]
    return rows


def detected_plan(name: Value, options: dict[str, Value], function: str) -> Plan:
    """The plan for a file, with what a call says by name."""
    source = _source(options)
    return _plan_of_rows(name, source, file_rows(name, source, function), options, function)


def first_lines(
    name: Value, options: dict[str, Value], function: str, most: int
) -> tuple[Plan, delimited.Rows]:
    """The plan by the first ``most`` bytes of a text, or by all of a worksheet, and their lines of
    data."""
    source = _source(options)
    rows = file_rows(name, source, function, most=most)
    plan = _plan_of_rows(name, source, rows, options, function)
    body = rows[plan.begin :]
    return plan, body if plan.workbook else filled_lines(body, plan.rules)


def read_table(name: Value, options: dict[str, Value]) -> Table:
    """The table in a file, with what a call says by name."""
    source = _source(options)
    rows = file_rows(name, source, "readtable")
    return _plan_of_rows(name, source, rows, options).table(rows)


def _source(options: dict[str, Value]) -> dict[str, Value]:
    kept = ("delimiter", "sheet", "range", "commentstyle", "encoding")
    return {k: v for k, v in options.items() if k in kept}


def _plan_of_rows(
    name: Value,
    source: dict[str, Value],
    rows: delimited.Rows,
    options: dict[str, Value],
    function: str = "readtable",
) -> Plan:
    """The plan for the rows of a file."""
    given = options.get("headerlines", options.get("numheaderlines"))
    skip = int_of(given) if given is not None else title_lines(rows)
    workbook = spreadsheet.is_workbook(text_of(name))
    while not workbook and skip < len(rows) and delimited.is_empty_line(rows[skip]):
        skip += 1
    rows = rows[skip:] if workbook else filled_lines(rows[skip:], _NO_RULES)
    named = (
        flag(options, "readvariablenames") if "readvariablenames" in options else (has_names(rows))
    )
    width = len(rows[0]) if rows else 0
    names = [str(f or "") for f in rows[0]] if named and rows else [""] * width
    headers = tuple(names) if named else ()
    rule = options.get("variablenamingrule", "modify")
    keep = one_of(function, "VariableNamingRule", rule, "modify preserve") == "preserve"
    keep = keep or flag(options, "preservevariablenames")
    if not (keep and named):
        names = valid_names(names)
    if "variablenames" in options:
        names = texts_of(options["variablenames"])
    body, text = rows[named:], text_of(options.get("texttype", "char")).lower()
    shared = {
        k: v
        for k, v in options.items()
        if k in ("treatasmissing", "treatasempty", "decimalseparator", "thousandsseparator")
    }
    if "emptyvalue" in options:
        shared["fillvalue"] = options["emptyvalue"]
    kinds = [kind_of(fields, text, shared) for fields in columns_of(body, width)]
    for kind in ("datetime", "duration"):
        wish = one_of(function, f"{kind.title()}Type", options.get(f"{kind}type", kind), _AS[kind])
        kinds = [text if k == kind and wish == "text" else k for k in kinds]
    variables = tuple(Variable(n, k, shared) for n, k in zip(names, kinds, strict=False))
    selected = tuple(v.name for v in variables)
    if "format" in options and text_of(options["format"]) != "auto":
        variables, selected = _by_format(text_of(options["format"]), variables)
    rules = {"VariableNamingRule": "preserve"} if keep else {}
    if "missingrule" in options:
        rules["MissingRule"] = checked_rule("MissingRule", options["missingrule"])
    first = flag(options, "readrownames")
    return Plan(workbook, source, skip, named, variables, selected, first, rules, headers=headers)


def _by_format(form: str, variables: tuple[Variable, ...]) -> tuple[tuple[Variable, ...], Selected]:
    """Variables with the classes that a format such as ``%f%s%*d`` gives them, and those kept."""
    if "%" in _CONVERSION.sub("", form):
        text = f"The format '{form}' has a conversion that columns of tables do not have."
        raise MatlabError("MATLAB:textio:io:InvalidFormat", text)
    made, kept = list(variables), []
    for k, found in enumerate(_CONVERSION.finditer(form)):
        if k >= len(made):
            break
        skipped = found[1]
        made[k] = _by_conversion(found, made[k])
        kept += [] if skipped else [made[k].name]
    return tuple(made), tuple(kept)


def _by_conversion(found: re.Match[str], variable: Variable) -> Variable:
    _, input_format, letter = found.groups()
    kind = "datetime" if letter == "D" else "duration" if letter == "T" else _LETTERS[letter]
    options = dict(variable.options)
    if input_format:
        options["inputformat"] = input_format
    return replace(variable, kind=kind, options=options)


def by_format(form: str, variable: Variable) -> Variable:
    """A variable with the class that a format such as ``%f`` gives it."""
    found = _CONVERSION.fullmatch(form)
    if found is None:
        text = f"'{form}' is not a format for variables."
        raise MatlabError("MATLAB:textio:io:InvalidFormat", text)
    return _by_conversion(found, variable)


def format_of(kind: str) -> str:
    """The format of variables of a class."""
    if kind in ("char", "string"):
        return "%q"
    letters = {"double": "f", "datetime": "D", "duration": "T", "logical": "f"}
    return f"%{letters.get(kind) or next(c for c, k in _LETTERS.items() if k == kind)}"


def valid_names(names: list[str]) -> list[str]:
    """Names made valid and unique."""
    made: dict[str, None] = {}
    often: dict[str, int] = {}
    for k, name in enumerate(names):
        base = word = valid_name(name) if name.strip() else f"Var{k + 1}"
        while word in made:
            often[base] = often.get(base, 0) + 1
            word = f"{base}_{often[base]}"
        made[word] = None
    return list(made)


def _filled_fields(row: list[Any]) -> list[Any]:
    return [f for f in row if f is not None and str(f).strip()]


def title_lines(rows: delimited.Rows) -> int:
    """Lines before a table of several columns: titles, remarks and what describes it."""
    if not rows or len(rows[0]) < 2:
        return 0
    above = _lines_above_names(rows)
    if above:
        return above
    count = 0
    while count < len(rows) - 1:
        filled = _filled_fields(rows[count])
        if len(filled) > 1 or (filled and delimited.is_number(filled[0])):
            break
        count += 1
    return count if len(_filled_fields(rows[count])) > 1 else 0


def _lines_above_names(rows: delimited.Rows) -> int:
    """Lines before a line of names that stands above numbers and has more fields than they have."""
    counts = [len(_filled_fields(row)) for row in rows]
    fullest = counts.index(max(counts))
    for k in (fullest, fullest - 1):  # columns of numbers need not all have a name
        if k < 1 or counts[k] < 2 or counts[k] <= max(counts[:k]):
            continue
        if not any(map(delimited.is_number, _filled_fields(rows[k]))) and _has_number_column(
            rows[k + 1 :]
        ):
            return k
    return 0


def _has_number_column(rows: delimited.Rows) -> bool:
    columns = [_filled_fields(list(column)) for column in zip(*rows, strict=True)]
    return any(column and all(map(delimited.is_number, column)) for column in columns)


def has_names(rows: delimited.Rows) -> bool:
    """Whether the first row is a header: all text, above something else."""
    if not rows:
        return False
    first = _filled_fields(rows[0])
    if not first or any(delimited.is_number(f) for f in first):
        return False
    below = [f for r in rows[1:] for f in _filled_fields(r)]
    return (
        any(delimited.is_number(f) for f in below)
        or len(rows) == 1
        or (not below or all(_DATES.fullmatch(str(f)) is None for f in first))
    )


def kind_of(fields: list[Any], text: str, options: dict[str, Value]) -> str:
    """The class that all fields of a column fit."""
    if options:
        fields = [f if not isinstance(f, str) else plain_number(f, options) for f in fields]
    if delimited.are_numbers(fields):
        return "double"
    texts = list({str(f).strip(): None for f in fields if f is not None})
    texts = [t for t in texts if t]
    if all(map(_DATES.fullmatch, texts)) and _is_dates(texts):
        return "datetime"
    return "duration" if all(map(_TIMES.fullmatch, texts)) else text


def _is_dates(texts: list[str]) -> bool:
    try:
        parse_texts(Cell(object_array(texts, (len(texts), 1))))
    except MatlabError:
        return False  # looked like dates, but they are in no usual format: keep the texts
    return True


def plain_number(text: str, options: dict[str, Value]) -> str | None:
    """A field with the separators of numbers as usual; None for what counts as missing."""
    missing = options.get("treatasmissing", options.get("treatasempty"))
    if missing is not None and text.strip() in texts_of(missing):
        return None
    if "thousandsseparator" in options:
        text = text.replace(text_of(options["thousandsseparator"]), "")
    if "decimalseparator" in options:
        text = text.replace(text_of(options["decimalseparator"]), ".")
    if flag(options, "trimnonnumeric"):
        text = _OUTSIDE_NUMBERS.sub("", text)
    return text


_OUTSIDE_NUMBERS = re.compile(r"^[^0-9.+-]+|[^0-9.]+$")


def _column(texts: list[str]) -> Cell:
    return Cell(object_array(texts, (len(texts), 1)))


def _numbers(fields: list[Any], variable: Variable) -> Value:
    if variable.options:
        fields = [plain_number(f, variable.options) if isinstance(f, str) else f for f in fields]
    data = delimited.to_numbers(fields).reshape(-1, 1)
    data = data if data.dtype.kind == "c" else data.astype(np.float64)
    if "fillvalue" in variable.options and is_numeric_like(variable.options["fillvalue"]):
        data = np.where(np.isnan(data), as_array(variable.options["fillvalue"]).flat[0], data)
    if variable.kind == "logical":
        return canonical(np.nan_to_num(data) != 0)
    from app.engine.builtins.arrays.conversion import convert

    return convert(canonical(data), variable.kind)


_WORDS = {"true": 1.0, "t": 1.0, "yes": 1.0, "false": 0.0, "f": 0.0, "no": 0.0}


def converted_column(fields: list[Any], variable: Variable) -> Value:
    """The fields of a column as values of its class."""
    kind = variable.kind
    if kind == "logical":
        fields = [_WORDS.get(f.strip().lower(), f) if isinstance(f, str) else f for f in fields]
    if kind in _NUMBERS or kind == "logical":
        return _numbers(fields, variable)
    missing = {k: v for k, v in variable.options.items() if "missing" in k}
    if missing:
        fields = [None if f is None else plain_number(str(f), missing) for f in fields]
    trim = _TRIMS[word_of(variable, "WhitespaceRule")]
    texts = ["" if f is None else trim(str(f)) for f in fields]
    empty = "" if word_of(variable, "EmptyFieldRule") == "auto" else None
    makers: dict[str, Callable[[], Value]] = {
        "char": lambda: _column(texts),
        "string": lambda: StringArray.of([t or empty for t in texts], (len(texts), 1)),
        "categorical": lambda: from_texts(_column(texts), _categories(variable)),
        "datetime": lambda: parse_texts(
            _column(texts),
            input_format=_text_option(variable, "inputformat"),
            form=_text_option(variable, "datetimeformat"),
        ),
        "duration": lambda: duration_class.Duration(duration_class.parse_texts(_column(texts))),
    }
    return makers[kind]()


VARIABLE_RULES: Mapping[str, tuple[str, ...]] = {
    "WhitespaceRule": ("trim", "preserve", "trimleading", "trimtrailing"),
    "EmptyFieldRule": ("missing", "auto"),
}
"""The words of each rule of one variable; the first one holds unless another is set."""
_TRIMS: Mapping[str, Callable[[str], str]] = {
    "trim": str.strip,
    "preserve": str,
    "trimleading": str.lstrip,
    "trimtrailing": str.rstrip,
}


def word_of(variable: Variable, rule: str) -> str:
    """The word of a variable's rule."""
    known = VARIABLE_RULES[rule]
    return one_of("setvaropts", rule, variable.options.get(rule.lower(), known[0]), " ".join(known))


def _text_option(variable: Variable, name: str) -> str:
    given = variable.options.get(name, "")
    return text_of(given) if is_text_scalar(given) else ""


def _categories(variable: Variable) -> list[str] | None:
    given = variable.options.get("categories")
    return None if given is None else texts_of(given)
