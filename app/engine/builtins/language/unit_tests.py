"""What the unit-test runner of ``resources/library`` cannot do in the language itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from app import textfile
from app.engine import protocol
from app.engine.analysis.test_discovery import Choice, UnitTest, discover
from app.engine.declarations.registry import builtin
from app.engine.interpreter import loader
from app.engine.values import (
    Cell,
    FunctionHandle,
    ObjectValue,
    StringArray,
    Struct,
    StructArray,
    Value,
    float_of,
    int_of,
    text_of,
    true_value,
)
from app.errors import MatlabError, UsageError
from app.source import SourceText

if TYPE_CHECKING:
    from app.engine.interpreter.context import Context

_FAMILY = "programs"
_UNKNOWN = "MATLAB:unittest:UnknownOption"


@builtin(
    "matlab.unittest.internal.discovered",
    category=_FAMILY,
    signatures=("rows = matlab.unittest.internal.discovered(where, name, value, ...)",),
    cases=(
        "writelines(['%% one' newline 'x = 1;'], 'cupTest.m'); "
        "r = matlab.unittest.internal.discovered('cupTest'); strcmp(r.Name, 'cupTest/One')",
        "writelines(['%% one' newline 'x = 1;' newline '%% two' newline 'y = 2;'], 'jugTest.m'); "
        "r = matlab.unittest.internal.discovered('jugTest/Two'); strcmp(r.Name, 'jugTest/Two')",
    ),
)
def discovered(ctx: Context, where: Value, *options: Value) -> Value:
    """The tests of files, folders, classes and packages that match, as rows of a struct array."""
    below, keep = _options(options)
    places = dict.fromkeys(_place_of(ctx, name) for name in _names(where))
    rows: list[Struct] = []
    for path, wanted in places:
        rows += [_row(test) for test in _found(ctx, path, wanted, below=below) if keep(test)]
    return StructArray.of(rows, (1, len(rows)))


def _found(ctx: Context, path: Path, wanted: str, *, below: bool) -> list[UnitTest]:
    """The tests of a place, or the wanted one of them, with all its parameters."""
    try:
        found = discover([path], below=below)
    except UsageError as problem:
        raise MatlabError("MATLAB:unittest:TestSuite:UnrecognizedSuite", str(problem)) from None
    for file, reason in found.problems:
        ctx.warning("MATLAB:unittest:TestSuite:FileExcluded", f"{file} is left out: {reason}")
    if not wanted:
        return list(found.tests)
    chosen = [
        t
        for t in found.tests
        if wanted == f"{t.group}/{t.procedure}"
        or t.matches("name", wanted)
        or t.matches("name", f"{wanted}(*")
    ]
    if not chosen:
        text = f"'{path.stem}' has no test of the name '{wanted}'."
        raise MatlabError("MATLAB:unittest:TestSuite:UnrecognizedSuite", text)
    return chosen


def _names(where: Value) -> list[str]:
    if isinstance(where, StringArray):
        return [text or "" for text in where.data.ravel(order="F")]
    return (
        [text_of(item) for item in where.items()] if isinstance(where, Cell) else [text_of(where)]
    )


def _place_of(ctx: Context, name: str) -> tuple[Path, str]:
    """The file or folder of a name, and the test that follows it behind a slash."""
    owner, _, test = name.rpartition("/")
    if owner and test and not Path(ctx.path.current, name).exists():
        return _path_of(ctx, owner.partition("[")[0]), f"{Path(owner).name}/{test}"
    return _path_of(ctx, name), ""


def _path_of(ctx: Context, name: str) -> Path:
    """The file or folder of a name: as it stands, of a function or class, or of a package."""
    below = Path(*(f"+{part}" for part in name.split("."))) if name else Path()
    for folder in (Path(ctx.path.current), *map(Path, ctx.path.entries)):
        for given in (folder / name, folder / f"{name}.m", folder / below):
            if name and given.exists():
                return given
    found = ctx.path.find(name)
    if found is None:
        text = f"No test file, class, package or folder is called '{name}'."
        raise MatlabError("MATLAB:unittest:TestSuite:UnrecognizedSuite", text)
    return Path(found)


def _options(options: tuple[Value, ...]) -> tuple[bool, Callable[[UnitTest], bool]]:
    """Whether to look below folders, and which tests are meant."""
    below, patterns = False, []
    if len(options) % 2:
        raise MatlabError(_UNKNOWN, "Names and values of options come in pairs.")
    for name, value in zip(options[::2], options[1::2], strict=True):
        word = text_of(name).lower()
        if word in {"includesubfolders", "includesubpackages"}:
            below = true_value(value)
        elif word in {"name", "procedurename", "tag"}:
            patterns.append((word, text_of(value)))
        elif word not in {"strict", "useparallel", "debug"} or true_value(value):
            text = (
                f"'{text_of(name)}' is not available in runtests and testsuite; these are: Name, "
                "ProcedureName, Tag, IncludeSubfolders."
            )
            raise MatlabError(_UNKNOWN, text)
    return below, lambda test: all(test.matches(word, pattern) for word, pattern in patterns)


def _row(test: UnitTest) -> Struct:
    base = Path(test.file).parent
    while base.name.startswith(("+", "@")):
        base = base.parent
    facts: dict[str, Value] = {
        "Name": test.name,
        "ProcedureName": test.procedure,
        "TestClass": test.group if test.kind == "class" else "",
        "BaseFolder": str(base),
        "Tags": Cell.of(list(test.tags)),
        "Parameterization": _choices(("", choice) for choice in test.parameters),
        "ClassSetup": _choices(test.class_setup),
        "MethodSetup": _choices(test.method_setup),
        "File": test.file,
        "Kind": test.kind,
        "Group": test.suite,
        "Line": float(test.line),
        "Last": float(test.last),
        "Unknown": Cell.of(list(test.unknown)),
    }
    return Struct(facts)


def _choices(given: Iterable[tuple[str, Choice]]) -> StructArray | Struct:
    """Values of parameters, each with the method it is given to, as a struct array."""
    rows = [
        Struct({"Method": method, "Property": name, "Name": value, "Number": float(number)})
        for method, (name, value, number) in given
    ]
    return StructArray.of(rows, (1, len(rows)), ("Method", "Property", "Name", "Number"))


@builtin(
    "matlab.unittest.internal.sharedfixtures",
    category=_FAMILY,
    signatures=("fixtures = matlab.unittest.internal.sharedfixtures(testCase)",),
    cases=("isempty(matlab.unittest.internal.sharedfixtures(matlab.unittest.TestCase))",),
)
def sharedfixtures(test_case: Value) -> Value:
    """The fixtures that a test class and those it derives from name (``SharedTestFixtures``), as
    a cell row."""
    found = list[Value]()
    if isinstance(test_case, ObjectValue):
        for info in test_case.class_info.lineage():
            shared = () if info.shared_fixtures is None else info.shared_fixtures()
            found += shared.data.flat if isinstance(shared, Cell) else [shared] if shared else []
    return Cell.of(found, (1, len(found)))


@builtin(
    "matlab.unittest.internal.functionsof",
    category=_FAMILY,
    signatures=("handles = matlab.unittest.internal.functionsof(file)",),
    cases=(
        "writelines(['function s = tub' newline 'end' newline 'function one' newline 'end'], "
        "'tub.m'); h = matlab.unittest.internal.functionsof(fullfile(pwd, 'tub.m')); "
        "strcmp(func2str(h{1}), 'one')",
    ),
)
def functionsof(ctx: Context, file: Value) -> Value:
    """Handles of the local functions of a file whose main function is not run, as a cell row."""
    path = Path(text_of(file))
    source = SourceText(str(path), textfile.read(path).text)
    unit = loader.prepared_text(ctx.interpreter, source).unit
    made = [FunctionHandle(n, f) for n, f in unit.local.items() if n != unit.main]
    return Cell.of(made, (1, len(made)))


@builtin(
    "matlab.unittest.internal.runsection",
    category=_FAMILY,
    signatures=("matlab.unittest.internal.runsection(file, first, last)",),
    cases=(
        "writelines(['y = 1;' newline '%% a' newline 'assert(y == 1)'], 'mugTest.m'); "
        "matlab.unittest.internal.runsection(fullfile(pwd, 'mugTest.m'), 2, 3); true",
    ),
)
def runsection(ctx: Context, file: Value, first: Value, last: Value) -> None:
    """Run a section of a script behind what stands above the first section, in a new workspace."""
    path = Path(text_of(file))
    lines = textfile.read(path).text.split("\n")
    begin, end = (int_of(v) for v in (first, last))
    marks = [k for k, line in enumerate(lines, 1) if line.lstrip().startswith("%%")]
    above = min([*marks, begin]) - 1
    functions = _first_function(path, lines)
    kept = [
        line if k <= above or begin <= k <= end or k >= functions else ""
        for k, line in enumerate(lines, 1)
    ]
    source = SourceText(str(path), "\n".join(kept))
    loaded = loader.prepare(ctx.interpreter, source, (0.0, 0))
    loader.run_script(loaded, {"#globals": set()})


def _first_function(path: Path, lines: list[str]) -> int:
    """The line on which the script's own functions begin; behind the last one without any."""
    from app.engine.language import parse

    source = SourceText(str(path), "\n".join(lines))
    starts = [source.line_of(f.span.start) for f in parse(source).file.functions]
    return min(starts, default=len(lines) + 1)


@builtin(
    "matlab.unittest.internal.report",
    category=_FAMILY,
    signatures=("matlab.unittest.internal.report(name, state, seconds, details)",),
    cases=("matlab.unittest.internal.report('cup/One', 'passed', 0.1, ''); true",),
)
def report(ctx: Context, name: Value, state: Value, seconds: Value, details: Value) -> None:
    """Tell whoever shows tests how one of them ended: passed, failed or incomplete."""
    duration = float_of(seconds)
    ctx.host.tell(protocol.TestFinished(text_of(name), text_of(state), duration, text_of(details)))
