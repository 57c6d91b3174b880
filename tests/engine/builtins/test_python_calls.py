"""``py.``: every type of the conversion table in both directions, and what Python code may do."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from app.engine.builtins.python.py_object import PyObject
from app.engine.builtins.python.py_remote import fetched
from app.errors import MatlabError
from tests.support.python_scripts import Scripts

DTYPES = {
    "double": np.float64,
    "single": np.float32,
    "logical": np.bool_,
    **{name: np.dtype(name).type for name in ("int8", "int16", "int32", "int64")},
    **{name: np.dtype(name).type for name in ("uint8", "uint16", "uint32", "uint64")},
}
SHAPES = ((0, 0), (1, 3), (3, 1), (2, 3), (2, 2, 2), (1, 0))


PROBE = """
import sys, types
probe = types.ModuleType('fuselab_probe')
probe.seen = []
def take(*given, **named):
    probe.seen.extend(given)
    if named:
        probe.seen.append(named)
probe.take = take
sys.modules['fuselab_probe'] = probe
"""


class Probe:
    """Holds what MATLAB code passed to Python, in whichever process that runs."""

    def __init__(self, scripts: Scripts) -> None:
        self._scripts = scripts

    @property
    def seen(self) -> list[object]:
        """What was given since it was cleared."""
        self._scripts.run("fuselab_seen = py.fuselab_probe.seen;")
        held = self._scripts.session.interpreter.base["fuselab_seen"]
        assert isinstance(held, PyObject)
        found = fetched(held.held)
        assert isinstance(found, list)
        return found

    def clear(self) -> None:
        """Forget what was given."""
        self._scripts.run("clear(py.fuselab_probe.seen);")


@pytest.fixture
def probe(scripts: Scripts) -> Probe:
    lines = ", ".join(f'"{line}"' for line in PROBE.strip().splitlines())
    scripts.run(f"pyrun([{lines}])")
    return Probe(scripts)


@pytest.fixture(params=["InProcess", "OutOfProcess"])
def scripts(request: pytest.FixtureRequest) -> Iterator[Scripts]:
    made = Scripts()
    made.run(f"pyenv(ExecutionMode='{request.param}');")
    yield made
    made.session.close()


@pytest.fixture
def in_process() -> Iterator[Scripts]:
    made = Scripts()
    yield made
    made.session.close()


def _matlab(shape: tuple[int, ...], kind: str) -> tuple[str, np.ndarray]:  # type: ignore[type-arg]
    count = int(np.prod(shape))
    data = np.arange(count) % 2 if kind == "logical" else np.arange(1, count + 1)
    text = f"{kind}(reshape({data.tolist()}, {list(shape)}))"
    return text, data.astype(DTYPES[kind]).reshape(shape, order="F")


def test_arrays_of_every_class_and_shape_cross_unchanged_both_ways(
    scripts: Scripts, probe: Probe
) -> None:
    for shape, kind in product(SHAPES, DTYPES):
        text, expected = _matlab(shape, kind)
        probe.clear()
        code = f"x = {text}; py.fuselab_probe.take(x); y = {kind}(py.numpy.array(x));"
        scripts.run(f"{code} assert(isequal(x(:), y(:)) && isa(y, '{kind}'))")
        (seen,) = probe.seen
        flat = expected.reshape(-1) if expected.ndim == 2 and shape[0] == 1 else expected
        assert isinstance(seen, np.ndarray)
        assert (seen.shape, seen.dtype) == (flat.shape, flat.dtype), (shape, kind)
        assert np.array_equal(seen, flat)


SCALARS = [
    ("2.5", 2.5),
    ("single(2.5)", 2.5),
    ("NaN", float("nan")),
    ("-Inf", -float("inf")),
    ("3", 3.0),
    ("true", True),
    ("1+2i", 1 + 2j),
    *((f"{kind}(7)", 7) for kind in DTYPES if "int" in kind),
    ("uint64(18446744073709551615)", 2**64 - 1),
    ("'text'", "text"),
    ("''", ""),
    ('"text"', "text"),
    ("string(missing)", None),
    ("missing", None),
    ('["a" "b"; ]', ["a", "b"]),
    ('["a"; "b"]', ["a", "b"]),
    ("{1, 'a', {true}}", (1.0, "a", (True,))),
    ("{}", ()),
    ("{1; 2}", (1.0, 2.0)),
    ("struct('a', 1, 'b', {{2, 'x'}})", {"a": 1.0, "b": (2.0, "x")}),
    ("struct()", {}),
    ("containers.Map({'k', 'l'}, [1 2])", {"k": 1.0, "l": 2.0}),
    ("datetime(2024, 2, 29, 12, 30, 1.5)", dt.datetime(2024, 2, 29, 12, 30, 1, 500000)),  # noqa: DTZ001
    ("seconds(90)", dt.timedelta(seconds=90)),
    ("py.list({1})", [1.0]),
    ('dictionary(["a" "b"], [1 2])', {"a": 1.0, "b": 2.0}),
    ("datetime(2024, 7, 1, TimeZone='UTC')", dt.datetime(2024, 7, 1, tzinfo=ZoneInfo("UTC"))),
]


@pytest.mark.parametrize(("text", "expected"), SCALARS)
def test_values_as_python_sees_them(
    scripts: Scripts, probe: Probe, text: str, expected: object
) -> None:
    """At the top, in a cell, in a struct, by name, from a function, and twice."""
    scripts.run(
        f"x = {text}; py.fuselab_probe.take(x); py.fuselab_probe.take({{x}});"
        "py.fuselab_probe.take(struct('f', {{x}})); py.fuselab_probe.take(pyargs('k', x));"
        "feval(@(v) py.fuselab_probe.take(v), x); py.fuselab_probe.take(x, x)"
    )
    assert len(probe.seen) == 7
    top, inside, field, named, called, *twice = probe.seen
    assert isinstance(inside, tuple)
    assert isinstance(field, dict)
    assert isinstance(named, dict)
    for found in (top, inside[0], field["f"][0], named["k"], called, *twice):
        assert repr(found) == repr(expected)
        assert isinstance(found, type(expected))


BACK = [
    ("True", "true"),
    ("2.5", "2.5"),
    ("1+2j", "1+2i"),
    ("np.float64(2)", "2"),
    ("np.float32(2)", "2"),
    ("np.bool_(True)", "true"),
]
CONVERTED = [
    ("7", "double", "7"),
    ("2**63", "uint64", "uint64(9223372036854775808)"),
    ("-2**80", "int64", "intmin('int64')"),
    ("300", "uint8", "uint8(255)"),
    ("'añ'", "char", "['a' char(241)]"),
    ("'abc'", "string", '"abc"'),
    ("['a', None, 'b']", "string", '["a" missing "b"]'),
    ("b'abc'", "uint8", "uint8('abc')"),
    ("[1, 2, 3]", "double", "[1 2 3]"),
    ("(1.5, 2)", "single", "single([1.5 2])"),
    ("[]", "double", "zeros(1, 0)"),
    ("[True, False]", "logical", "[true false]"),
    ("range(4)", "double", "0:3"),
    ("array.array('i', [1, 2])", "int32", "int32([1 2])"),
    ("np.ones((2, 3), np.int16)", "int16", "ones(2, 3, 'int16')"),
    ("np.arange(6.).reshape(2, 3)", "double", "[0 1 2; 3 4 5]"),
    ("np.arange(6.).reshape(2, 3).T[::-1]", "double", "[2 5; 1 4; 0 3]"),
    ("np.array([1+2j])", "double", "1+2i"),
    ("np.array([True, False])", "logical", "[true false]"),
    ("np.float16(1.5) * np.ones(2, np.float16)", "double", "[1.5 1.5]"),
    ("[1.0, True, 2j]", "cell", "{1, true, 2i}"),
    ("(x for x in (1.0, 2.0))", "cell", "{1, 2}"),
    ("np.array([[1., 2.]])", "cell", "{1, 2}"),
    ("{'a': 1.0, 'b': True}", "struct", "struct('a', 1, 'b', true)"),
    ("datetime.datetime(2024, 2, 29, 1, 2, 3)", "datetime", "datetime(2024, 2, 29, 1, 2, 3)"),
    ("datetime.timedelta(minutes=2)", "duration", "minutes(2)"),
    ("datetime.date(2024, 2, 29)", "datetime", "datetime(2024, 2, 29)"),
    ("np.array(['2024-02-29', 'NaT'], 'M8[s]')", "datetime", "[datetime(2024, 2, 29) NaT]"),
    ("np.array([1.5, 2]).astype('m8[m]')", "duration", "minutes([1 2])"),
    ("{'a': 1, 'b': 2}", "dictionary", 'dictionary(["a" "b"], [1 2])'),
    ("('a', 'b')", "cellstr", "{'a', 'b'}"),
    ("2**80", "double", "2^80"),
    ("__import__('decimal').Decimal('1.25')", "double", "1.25"),
    ("[__import__('fractions').Fraction(3, 4), 2]", "single", "single([0.75 2])"),
    ("__import__('pandas').Series(['a', None, 'b'])", "string", '["a" missing "b"]'),
    ("__import__('pandas').Series([1.5, 2])", "double", "[1.5 2]"),
    (
        "np.array([(1, 2.5, 'x'), (2, 3, 'yy')], [('i', 'i4'), ('f', 'f8'), ('s', 'U5')])",
        "table",
        'table(int32([1; 2]), [2.5; 3], ["x"; "yy"], VariableNames=["i" "f" "s"])',
    ),
    ("__import__('pandas').DataFrame({'a': [1., 2]})", "table", 'table([1; 2], VariableNames="a")'),
]
IMPORTS = "import numpy as np, datetime, array"


@pytest.mark.parametrize(("python", "expected"), BACK)
def test_what_becomes_a_matlab_value_by_itself(
    scripts: Scripts, python: str, expected: str
) -> None:
    quoted = python.replace("'", "''")
    scripts.run(
        f"pyrun('{IMPORTS}'); x = pyrun('x = {quoted}', 'x'); y = {expected};"
        "assert(isequal(x, y)); assert(strcmp(class(x), class(y)))"
    )


@pytest.mark.parametrize(("python", "kind", "expected"), CONVERTED)
def test_what_is_converted_by_name(scripts: Scripts, python: str, kind: str, expected: str) -> None:
    quoted = python.replace("'", "''")
    scripts.run(
        f"pyrun('{IMPORTS}'); x = pyrun('x = {quoted}', 'x'); assert(startsWith(class(x), 'py.'));"
        f"y = {kind}(x); z = {expected}; assert(isequaln(y, z) || isequal(size(z), [1 3]) &&"
        " isequal(ismissing(y), ismissing(z))); assert(strcmp(class(y), class(z)))"
    )


LENDER = """import numpy
class Lender:
    held = numpy.arange(3.0)
    def __dlpack__(self, **options):
        return self.held.__dlpack__(**options)
    def __dlpack_device__(self):
        return self.held.__dlpack_device__()
class Column:
    def __init__(self, held):
        self.held = numpy.array(held)
    def __array__(self, dtype=None, copy=None):
        return self.held
class Frame:
    columns = ['a', 'b']
    def __arrow_c_stream__(self):
        raise NotImplementedError
    def __getitem__(self, name):
        return Column({'a': [0.0, 1.0, 2.0], 'b': ['p', None, 'q']}[name])
""".splitlines()
"""Objects that lend arrays without being NumPy's, as tensors and frames of other libraries do."""

PROGRAMS = [
    "assert(isequal(double(py.numpy.linspace(0,1,5)), 0:0.25:1))",
    "l = py.list({3,1,2}); sort(l); l.append(9); assert(isequal(cell(l), {1,2,3,9}))",
    "l = py.list({1,2,3}); l{2} = 'n'; assert(l{end} == 3); m = l; m{1} = 0; assert(l{1} == 0)",
    "l = py.list({1,2,3,4}); assert(isequal(cell(l(2:end)), {2,3,4})); assert(numel(l) == 4)",
    "t = py.tuple({1,2,3}); [a,b,c] = t{:}; assert(isequal([a b c], 1:3))",
    "d = py.dict; d{'a'} = 1; d{'b'} = {2}; s = struct(d); assert(s.a == 1 && length(d) == 2)",
    "s.p = py.list({1}); s.p{1} = 5; c = {s.p}; assert(c{1}{1} == 5)",
    "n = 0; for x = py.list({1,2,3}), n = n + x{1}; end, assert(n == 6)",
    "m = py.numpy.array([1 2;3 4]); m(1,:) = 9; assert(isequal(double(m), [9 9;3 4]))",
    "m = py.numpy.array([1 2;3 4]); assert(m{2,1} == 3 && isequal(double(m(:,2)), [2;4]))",
    "m = py.numpy.array([1 2;3 4]); assert(isequal(double(m.T * 2 - 1), [1 5;3 7]))",
    "assert(py.int(int32(7)) + 2 == 9); assert(py.int(int32(7)) > py.int(int32(6)))",
    "f = @py.math.sqrt; assert(f(9) == 3); assert(feval('py.math.sqrt', 4) == 2)",
    "assert(isequal(cellfun(@py.math.floor, {1.5, 2.5}, 'UniformOutput', false), "
    "{py.int(int32(1)), py.int(int32(2))}))",
    "o = py.types.SimpleNamespace(pyargs('q', 1)); o.q = 5; o.r = 'x'; assert(o.q == 5)",
    "assert(isa(py.list, 'py.list') && isa(py.bool(1), 'logical') && isa(py.OSError, 'py.Exception'))",
    "p = py.os.path.join('a', 'b'); assert(strcmp(char(p), fullfile('a', 'b')))",
    "insert(py.sys.path, int32(0), 'zz'); assert(count(py.sys.path, 'zz') == py.int(int32(1))); "
    "remove(py.sys.path, 'zz')",
    "assert(isequal(py.list({1}), py.list({1})) && ~isequal(py.list({1}), py.list({2})))",
    "x = [py.list({1}), py.list({2})]; assert(isequal(cell(x), {1, 2}))",
    "a = rand(1, 3000); assert(abs(py.numpy.sum(a) - sum(a)) < 1e-9)",
    "a = py.numpy.array(int8([1 2])); assert(isa(int8(a), 'int8') && strcmp(class(a), 'py.numpy.ndarray'))",
    "assert(isequal(double(py.json.loads('[1, 2]')), [1 2]))",
    "x = py.None; assert(strcmp(class(x), 'py.NoneType'))",
    "assert(double(py.int('ff', pyargs('base', 16))) == 255)",
    "s = struct('a', py.list({1}), 'b', py.None); assert(s.a{1} == 1 && isa(s.b, 'py.NoneType'))",
    "d = dictionary('k', {py.None}); c = d('k'); assert(isa(c{1}, 'py.NoneType'))",
    "l = py.list({1,2,3,4}); l([1 3]) = []; assert(isequal(cell(l), {2,4})); l(:) = []; "
    "assert(isempty(l))",
    "d = py.dict(a=1, b=2); d('a') = []; assert(length(d) == 1 && d{'b'} == 2)",
    "assert(mod(py.int(int32(7)), 4) == 3 && mod(-7, py.int(int32(4))) == 1)",
    "assert(py.pickle.loads(py.pickle.dumps({3}))(1) == py.tuple({3}))",
    "assert(strcmp(class(py.type(3)), 'py.type') && strcmp(char(py.type(3)), '<class ''float''>'))",
    "f = py.pandas.DataFrame(struct('a', {{1, 2}}, 'b', {{'x', 'y'}})); f{'c'} = [5 6]; "
    'assert(isequal(double(f{\'a\'}), [1 2]) && isequal(string(f{"b"}), ["x" "y"]) && isequal(table(f).c, [5; 6]))',
    "f = py.pandas.DataFrame(struct('a', {{1, 2}}, 'b', {{'x', 'y'}})); "
    "assert(strcmp(char(f.columns{2}), 'b') && strcmp(char(f.columns{end}), 'b'))",
    "s = py.numpy.zeros(2, pyargs('dtype', py.list({py.tuple({'x', 'f8'}), py.tuple({'y', 'i4'})}))); "
    "s{'x'} = [1 2]; assert(isequal(double(s{'x'}), [1 2]) && isa(int32(s{'y'}), 'int32'))",
    *(
        f"pyrun([{', '.join(f'{chr(34)}{line}{chr(34)}' for line in LENDER)}]); x = pyrun('x = {made}', 'x'); {check}"
        for made, check in [
            ("Lender()", "assert(isequal(double(x), 0:2))"),
            (
                "Frame()",
                "t = table(x); assert(isequaln(t, table((0:2)', [\"p\"; missing; \"q\"], VariableNames={'a', 'b'})))",
            ),
        ]
    ),
    "assert(~contains(char(py.pickle.dumps(7, int32(0))), 'py_values'))",
    "p = py.pandas.Timestamp(datetime(2024, 2, 29, 1, 2, 3)); "
    "assert(double(p.year) == 2024 && datetime(p.to_pydatetime()) == datetime(2024, 2, 29, 1, 2, 3))",
    "p = py.pandas.Timedelta(hours(3)); "
    "assert(double(p.total_seconds()) == 10800 && duration(p.to_pytimedelta()) == hours(3))",
    't = table(datetime(2024, 1, [1; 2]), [true; false], int16([1; 2]), ["p"; "q"], VariableNames=["d" "l" "i" "s"]); '
    "assert(isequal(table(py.pandas.DataFrame(t)), t))",
    't = table([1; 2; 3], ["p"; "q"; "p"], VariableNames=["n" "g"]); '
    "g = py.pandas.DataFrame(t).groupby('g').sum(); assert(isequal(double(g{'n'}), [4 2]))",
    "x = uint16([1 0; 0 7]); p = py.scipy.sparse.csr_matrix(x); "
    "assert(double(p.nnz) == 2 && isequal(uint16(p.toarray()), x))",
    "x = reshape(int8(0:23), 2, 3, 4); y = py.numpy.transpose(x, {int32(2), int32(1), int32(0)}); "
    "assert(isequal(int8(y), permute(x, [3 2 1])))",
    "r = py.scipy.optimize.root_scalar(@(x) x^2 - 2, bracket=[0 2]); assert(abs(double(r.root) - sqrt(2)) < 1e-9)",
    "assert(isequal(double(py.pandas.Series([1 2 3]).map(@(v) v^2)), [1 4 9]))",
]


@pytest.mark.parametrize("code", PROGRAMS)
def test_programs(scripts: Scripts, code: str) -> None:
    """As a script, in a function, and after one that failed."""
    assert scripts.run(code) == ""
    scripts.run("try, py.int('z'); catch, end")
    assert scripts.run(f"inside_();\nfunction inside_()\n{code}\nend\n") == ""


def test_callbacks_from_python_into_functions(scripts: Scripts) -> None:
    scripts.run("assert(py.functools.reduce(@(a, b) a + b, {1, 2, 3, 4}) == 10)")
    scripts.run(
        "l = py.list({3, 1, 2}); l.sort(pyargs('key', @(x) -x)); "
        "assert(isequal(cell(l), {3, 2, 1}))"
    )
    scripts.run(
        "y = py.numpy.apply_along_axis(@(v) sum(v), int32(0), [1 2; 3 4]); "
        "assert(isequal(double(y), [4 6]))"
    )
    scripts.run(
        "r = py.scipy.optimize.minimize(@(x) sum((x - [1 2]).^2), [0 0]);"
        "assert(max(abs(double(r.x) - [1 2])) < 1e-3)"
    )
    scripts.run("c = cell(py.map(@(k) [k 'x'], {'a', 'b'})); assert(strcmp(char(c{2}), 'bx'))")


def test_errors_go_through_in_both_directions(scripts: Scripts) -> None:
    for code, identifier, text in [
        ("py.int('zz')", "MATLAB:Python:PyException", "Python Error: ValueError: invalid literal"),
        ("pyrun('1/0')", "MATLAB:Python:PyException", "Python Error: ZeroDivisionError: division"),
        ("py.sys.exit()", "MATLAB:Python:PyException", "Python Error: SystemExit"),
        ("py.list({1}).nothing", "MATLAB:Python:PyException", "has no attribute 'nothing'"),
        (
            "py.nothing.x(1)",
            "MATLAB:undefinedVarOrClass",
            "Unable to resolve the name 'py.nothing'",
        ),
        ("x = py.list({1}); x{2}", "MATLAB:badsubscript", "exceed"),
        ("py.list(cell(2, 2))", "MATLAB:Python:UnsupportedType", "1-N vectors"),
        ("py.list(['a';'b'])", "MATLAB:Python:UnsupportedType", "char matrix"),
        ("py.list({figure})", "MATLAB:Python:UnsupportedType", "Figure"),
        ("double(py.dict)", "MATLAB:Python:UnsupportedType", "dict"),
        ("double(py.object)", "MATLAB:Python:UnsupportedType", "object"),
        ("cell(py.object)", "MATLAB:Python:UnsupportedType", "object"),
        ("struct(py.list)", "MATLAB:Python:UnsupportedType", "list"),
        ("x = pyrun('a = 1')", "MATLAB:Python:NoOutputs", "Name the Python variables"),
        ("x = pyrun('a = 1', 'b')", "MATLAB:Python:UndefinedVariable", "'b'"),
        ("pyrunfile('nothing.py')", "MATLAB:Python:FileNotFound", "nothing.py"),
        ("pyenv(Version='7.25')", "MATLAB:Python:NoInterpreter", "no such version"),
        ("pyenv(ExecutionMode='Nowhere')", "MATLAB:Python:UnknownOption", "'Nowhere'"),
        ("pyenv(Nothing=1)", "MATLAB:Python:UnknownOption", "Nothing"),
        ("py.list(py.map(@(x) error('my:id', 'mine'), {1}))", "my:id", "mine"),
        ("unheardOf(py.list)", "MATLAB:UndefinedFunction", "unheardOf"),
        ("t = py.tuple({1}); t(1) = [];", "MATLAB:Python:UnsupportedDeletion", "'tuple'"),
        ("py.list(5)", "MATLAB:Python:PyException", "'float' object is not iterable"),
        ("x = py.re.compile('a'); x{1}", "MATLAB:index:unsupported", "py.operator.getitem"),
    ]:
        with pytest.raises(MatlabError) as caught:
            scripts.run(code)
        assert (caught.value.identifier, text in caught.value.message) == (identifier, True), (
            code,
            caught.value,
        )


def test_an_error_of_python_has_its_exception_and_traceback(scripts: Scripts) -> None:
    scripts.run('pyrun(["def f(x):" "    return 1/x"])')
    scripts.run(
        'try, pyrun("f(0)"), catch e, end; assert(isa(e, "MException")); '
        'assert(strcmp(class(e), "matlab.exception.PyException")); '
        'assert(strcmp(class(e.ExceptionObject{2}), "py.ZeroDivisionError")); '
        'assert(contains(getReport(e), "in f"))'
    )
    with pytest.raises(MatlabError) as caught:
        scripts.run("try, pyrun('f(0)'), catch e, rethrow(e), end")
    assert caught.value.details.splitlines()[-1].strip() == 'File "<pyrun>", line 2, in f'
    scripts.run("try, py.int('z'), catch e, assert(~contains(getReport(e), 'py_object')), end")


def test_tables_are_data_frames(scripts: Scripts, probe: Probe) -> None:
    scripts.run(
        't = table([1; 2], ["a"; missing], {3; \'x\'}, VariableNames=["n" "s" "c"]);'
        "py.fuselab_probe.take(t); u = table(py.pandas.DataFrame(t)); assert(isequaln(t.n, u.n));"
        "v = timetable(datetime(2024, 1, 1:2)', [5; 6]); w = timetable(py.pandas.DataFrame(v));"
        "assert(isequal(v.Time, w.Time) && isequal(v.Var1, w.Var1));"
        "py.fuselab_probe.take(datetime(2024, 1, 1:2))"
    )
    frame, times = probe.seen
    assert list(frame.columns) == ["n", "s", "c"]  # type: ignore[attr-defined]
    assert repr(times.dtype) == "dtype('<M8[us]')"  # type: ignore[attr-defined]
    with pytest.raises(MatlabError, match="'Var1'"):
        scripts.run("py.list({table([1 2; 3 4])})")


def test_arrays_are_lent_and_cannot_be_written_to(in_process: Scripts) -> None:
    scripts, probe = in_process, Probe(in_process)
    scripts.run(
        "pyrun('import types, sys; sys.modules[\"fuselab_probe\"] = types.SimpleNamespace(seen=[])')"
    )
    scripts.run(
        "x = rand(50, 40); y = x; py.fuselab_probe.seen.append(x); py.fuselab_probe.seen.append(x)"
    )
    first, second = probe.seen
    assert isinstance(first, np.ndarray)
    assert isinstance(second, np.ndarray)
    assert np.shares_memory(first, second)
    assert not first.flags.writeable
    with pytest.raises(MatlabError, match="read-only"):
        scripts.run("py.numpy.multiply(x, 2, pyargs('out', x))")
    scripts.run("x(1) = 7; assert(x(1) == 7 && isequal(x(2:end), y(2:end)) && y(1) ~= 7)")
    assert first[0, 0] != 7


def test_python_prints_into_the_output(scripts: Scripts) -> None:
    assert scripts.run("py.print('a', 5); pyrun(\"print('b')\")") == "a 5.0\nb\n"
    assert scripts.run("x = evalc('py.print(1)'); assert(strcmp(strtrim(x), '1.0'))") == ""


def test_a_python_file_with_arguments_inputs_and_outputs(
    scripts: Scripts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("s.py").write_text("import sys\nimport beside\nr = sys.argv[1:] + [a, beside.v]\n")
    Path("beside.py").write_text("v = 8\n")
    scripts.run(
        'r = cell(pyrunfile("s.py \'one two\' 3", "r", a=5)); '
        "assert(strcmp(char(r{1}), 'one two') && r{3} == 5)"
    )
    scripts.run(
        "try, pyrun('r'), error('kept'), catch e, assert(contains(e.message, 'NameError')), end"
    )
    scripts.run("assert(double(py.beside.v) == 8)")


def test_a_loop_that_calls_python_computes_what_it_does_without(scripts: Scripts) -> None:
    scripts.run(
        "rng(1); x = rand(1, 4000); y = x; z = x;"
        "for k = 1:20, y = sin(y) + k; y = y * py.math.sqrt(4); end;"
        "for k = 1:20, z = sin(z) + k; z = z * 2; end; assert(isequal(y, z))"
    )


def test_nothing_of_it_in_a_restricted_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("s.py").write_text("x = 1\n")
    confined = Scripts(restricted=True)
    try:
        for code in (
            "pyenv(ExecutionMode='OutOfProcess')",
            "py.len('a')",
            "f = @py.len; f('a')",
            "pyrun('1')",
            "pyrunfile('s.py')",
        ):
            with pytest.raises(MatlabError) as caught:
                confined.run(code)
            assert caught.value.identifier == "Fuselab:restricted"
    finally:
        confined.session.close()
