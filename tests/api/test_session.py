"""The Python interface: values both ways, sessions beside each other, errors, interruption."""

from __future__ import annotations

import array
import ast
import datetime as dt
import doctest
import pickle
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import app as fuselab
from app import api
from app.api import arrays, compiled, session
from app.api.convert import from_matlab, to_matlab
from app.engine.protocol import RunStarted


@pytest.fixture(params=["cpu", "gpu"])
def made(request: pytest.FixtureRequest) -> Iterator[fuselab.Session]:
    with fuselab.Session(device=request.param) as opened:
        yield opened


@pytest.mark.parametrize("module", [api, session, compiled, arrays])
def test_examples_of_the_documentation(module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fuselab", fuselab)
    assert doctest.testmod(module).failed == 0


def test_the_guide_says_what_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fuselab", fuselab)
    guide = Path(__file__).parents[2] / "resources" / "guides" / "python.md"
    done = doctest.testfile(str(guide), module_relative=False)
    assert done.attempted > 15
    assert done.failed == 0


def test_the_package_tells_its_names() -> None:
    assert set(fuselab.__all__) == set(api.__all__)
    assert all(hasattr(fuselab, name) for name in fuselab.__all__)
    tree = ast.parse(Path(fuselab.__file__).read_text(encoding="utf-8"))
    told = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    names = {a.name for node in told if node.module == "app.api" for a in node.names}
    assert names == set(fuselab.__all__)  # what type checkers see is what there is
    with pytest.raises(AttributeError, match="nothing"):
        _ = fuselab.nothing


@pytest.mark.parametrize(
    "value",
    [
        True,
        2.5,
        1 + 2j,
        "text",
        "",
        [1.0, "a", [True]],
        {"a": 1.0, "b": {"c": "x"}},
        np.arange(6.0).reshape(2, 3),
        np.arange(24, dtype=np.int16).reshape(2, 3, 4),
        np.array([[True, False]]),
        np.array([[1 + 1j, 2]], dtype=np.complex64),
        np.array([["a", None]], dtype=object),
    ],
)
def test_values_come_back_as_they_went_in(value: object) -> None:
    with fuselab.Session(device="cpu") as s:
        s["x"] = value
        s.eval("y = x;")
        back = s["y"]
    if isinstance(value, np.ndarray) and value.dtype.kind != "O":
        assert back.dtype == value.dtype
        assert np.array_equal(back, value)
    elif not isinstance(value, np.ndarray):
        assert back == value
        assert type(back) is type(value)


def test_rows_integers_none_sparse_and_tuples() -> None:
    with fuselab.Session(device="cpu") as s:
        s.update({"row": np.arange(3.0), "n": 7, "none": None, "t": (1, 2)})
        s["m"] = sparse.eye_array(3).tocsc()
        s.eval("sizes = [size(row), size(none), issparse(m), iscell(t), isa(n, 'double')];")
        assert s["sizes"].tolist() == [[1, 3, 0, 0, 1, 1, 1]]
        assert sparse.issparse(s["m"])


@pytest.mark.parametrize(
    ("value", "kind", "back"),
    [
        (np.str_("abc"), "char", "abc"),
        (Path("/a/b"), "char", "/a/b"),
        (b"\x01\xff", "uint8", [[1, 255]]),
        (array.array("i", [1, 2]), "int32", [[1, 2]]),
        (range(3), "double", [[0.0, 1.0, 2.0]]),
        (np.ones(2, np.float16), "single", [[1.0, 1.0]]),
        (dt.datetime(2020, 2, 29, 1, 2, 3, 500), "datetime", None),  # noqa: DTZ001
        (dt.datetime(2020, 7, 1, tzinfo=ZoneInfo("Europe/Berlin")), "datetime", None),
        (dt.datetime(2020, 7, 1, tzinfo=dt.timezone(dt.timedelta(hours=-2))), "datetime", None),
        (dt.timedelta(days=-1, seconds=2), "duration", None),
        (np.array([["2020-01-01", "NaT"]], "datetime64[D]"), "datetime", None),
        (np.array([[1, 2]], "timedelta64[h]"), "duration", None),
    ],
)
def test_values_of_python_s_own_kinds(value: object, kind: str, back: object) -> None:
    with fuselab.Session(device="cpu") as s:
        s["x"] = value
        assert s.call("class", s["x"]) == kind
        found = s["x"]
    wanted = value if back is None else back
    if isinstance(value, np.ndarray) and value.dtype.kind in "mM":
        assert np.array_equal(found, value, equal_nan=True)
    else:
        assert np.array_equal(found, wanted)  # type: ignore[arg-type]


def test_tables_are_data_frames() -> None:
    index = pd.date_range("2020-01-01", periods=3, tz="Europe/Berlin")
    frame = pd.DataFrame(
        {
            "x": [1.5, np.nan, 3.0],
            "n": pd.array([1, 2, 3], dtype="int32"),
            "s": ["a", None, "ü"],
            "c": pd.Categorical(["u", "v", "u"]),
            "t": index,
            "o": [True, False, True],
        }
    )
    with fuselab.Session(device="cpu") as s:
        s.update(
            {"plain": frame, "timed": frame.set_index(index), "named": frame.set_axis([*"abc"])}
        )
        s["numbered"] = frame.set_index(pd.Index([5, 7, 9], name="id"))
        s.eval(
            "assert(istable(plain) && istimetable(timed) && isequal(plain.n, int32([1;2;3])));"
            "assert(isequal(ismissing(plain.s), [false; true; false]) && plain.t(2).Hour == 0);"
            "assert(iscategorical(plain.c) && isequal(named.Properties.RowNames, {'a';'b';'c'}));"
            "assert(isequal(numbered.id, int64([5; 7; 9])) && islogical(timed.o));"
            "k = {plain}; wide = table([1 2; 3 4]);"
        )
        for name, wanted in (("plain", frame), ("named", frame.set_axis([*"abc"]))):
            pd.testing.assert_frame_equal(s[name], wanted, check_dtype=False)
        assert (s["timed"].index == index).all()
        assert isinstance(s["k"][0], pd.DataFrame)
        s["again"] = s["wide"]  # no DataFrame holds a variable of two columns: it stays as it is
        assert s.width(s["again"]) == 1.0


@dataclass
class _Rates:
    low: float
    names: list[str]


@pytest.mark.parametrize(
    ("given", "check"),
    [
        (np.arange(6, dtype=">f8").reshape(2, 3), "isequal(v, [0 1 2; 3 4 5])"),
        (np.array([1, -2], dtype=">i2"), "isequal(v, int16([1 -2])) && isinteger(v)"),
        (np.ma.array([1.0, 2.0], mask=[False, True]), "isequaln(v, [1 NaN])"),
        (np.ma.array([1, 2]), "isequal(v, int64([1 2]))"),
        (np.array(["0001-01-01", "9999-12-31"], "M8[D]"), "isequal(year(v), [1 9999])"),
        (np.array([10**6], "m8[D]"), "days(v) == 1e6"),
        (np.array(["a", "bc"], np.dtypes.StringDType()), 'isequal(v, ["a" "bc"])'),
        (
            np.array([(1, 2.5), (3, 4.5)], dtype=[("a", "i4"), ("b", "f8")]),
            "isequal(v, struct('a', {int32(1), int32(3)}, 'b', {2.5, 4.5}))",
        ),
        (np.array([{"a": 1}, {"a": "x"}], object), "isequal(v, struct('a', {1, 'x'}))"),
        (np.array([{"a": 1}, {"b": 2}], object), "iscell(v) && numel(v) == 2"),
        (_Rates(1.5, ["u"]), "isequal(v, struct('low', 1.5, 'names', {{'u'}}))"),
        (pd.Series(["a", None]), 'isequaln(v, ["a" missing])'),
        (pd.Series([1, None], dtype="Int64"), "isequaln(v, [1 NaN])"),
        (pd.Index([3, 4]), "isequal(v, int64([3 4]))"),
        (pd.Categorical(["u", None]), "iscategorical(v) && isequal(isundefined(v), [false true])"),
        (pd.date_range("2020", periods=2, tz="UTC"), "isequal(day(v), [1 2])"),
        ({"a b": "x", "c": "y"}, 'isequal(v, dictionary(["a b" "c"], ["x" "y"]))'),
        ({1: 2.0, 3: 4.0}, "isequal(v, dictionary([1 3], [2 4]))"),
        ({1: "x", 3: [4.0]}, "isequal(v{1}, 'x') && isequal(v{3}, {4})"),
    ],
)
def test_values_of_other_libraries(given: object, check: str) -> None:
    with fuselab.Session(device="cpu") as s:
        s["v"] = given
        s.eval(f"assert({check})")


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ('v = dictionary("a", 1);', {"a": 1.0}),
        ("v = dictionary([1 2], {'x', 3});", {1.0: "x", 2.0: 3.0}),
        ("v = containers.Map({'k'}, {[1 2] == 1});", {"k": [[True, False]]}),
        ("v = containers.Map('KeyType', 'double', 'ValueType', 'any');", {}),
    ],
)
def test_dictionaries_come_back_as_dicts(code: str, wanted: dict[object, object]) -> None:
    with fuselab.Session(device="cpu") as s:
        s.eval(code)
        found = {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in s["v"].items()}
        assert found == wanted


def test_categories_come_back_as_pandas_keeps_them() -> None:
    with fuselab.Session(device="cpu") as s:
        s.eval("v = categorical([1; 2; 9], [2 1], {'b', 'a'}, 'Ordinal', true); w = [v v];")
        wanted = pd.Categorical(["a", "b", None], categories=["b", "a"], ordered=True)
        pd.testing.assert_extension_array_equal(s["v"], wanted)
        s["again"] = s["w"]  # pandas has no matrix of them: it stays as it is
        s.eval("assert(isequaln(again, w))")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({1, 2}, "a set has no"),
        (np.ma.array([1, 2], mask=[False, True]), "masked elements of type int64"),
        ({1: 2, "a": 3}, "keys of a dict"),
        (np.zeros(1, np.longdouble), "no class for elements"),
    ],
)
def test_what_has_no_value_is_refused(given: object, told: str) -> None:
    with fuselab.Session(device="cpu") as s, pytest.raises(fuselab.UsageError, match=told):
        s["v"] = given


def test_a_session_is_no_value() -> None:
    with fuselab.Session(device="cpu") as s, pytest.raises(fuselab.UsageError, match="a Session"):
        s["v"] = s


def test_functions_cross_over_both_ways() -> None:
    with fuselab.Session(device="cpu") as s:
        s["add"] = lambda x, y=1.0: x + y
        s["both"] = lambda x: (x, 2 * x)
        s["fails"] = lambda: 1 / 0
        s.eval("r = cellfun(add, {1, 2}); [a, b] = both(4); z = fzero(@(x) add(x, -3), [0 10]);")
        assert (s["r"].tolist(), s["a"], s["b"]) == ([[2.0, 3.0]], 4.0, 8.0)
        assert s["z"] == pytest.approx(3)
        with pytest.raises(fuselab.MatlabError, match="ZeroDivisionError") as caught:
            s.eval("fails()")
        assert "1 / 0" in caught.value.details
        s.eval("k = 3; f = @(x, varargin) x + k + numel(varargin); c = {@sin, struct('g', f)};")
        assert s["f"](1, 2, "x") == 6.0
        assert s["c"][1]["g"](1) == 4.0
        s["h"] = s["f"]
        s["p"] = s.plus
        assert s.eval("fprintf('%d', h(1) + p(1, 2))").output == "7"
        assert s.cellfun(np.size, ["a", "b"], UniformOutput=False) == [1.0, 1.0]


def test_a_compiled_function_has_its_help() -> None:
    with fuselab.Session(device="cpu") as s:
        twice = fuselab.compile(
            "function y = twice(x)\n% TWICE x, doubled\ny = 2*x;\nend", session=s
        )
        assert twice.__doc__ == "y = twice(x)\n\nTWICE x, doubled"


def test_errors_are_pickled_and_leave_what_was_printed() -> None:
    with fuselab.Session(device="cpu") as s, pytest.raises(fuselab.MatlabError) as caught:
        s.eval("disp(1); error('my:id', 'bad %d', 3)")
    assert s.output == "     1\n"
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.identifier, again.message, again.stack) == ("my:id", "bad 3", caught.value.stack)


@pytest.mark.parametrize(
    "code", ["while true, end", "k = {}; while true, k{1} = 1; end", "pause(9)"]
)
def test_control_c_stops_what_runs(code: str) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored by what runs behind a shell
    with fuselab.Session(device="cpu") as s:
        s.listen(lambda event: signal.raise_signal(signal.SIGINT) if _starts(event) else None)
        with pytest.raises(KeyboardInterrupt):
            s.eval(code)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        assert s.plus(1, 2) == 3.0


def _starts(event: object) -> bool:
    return isinstance(event, RunStarted)


@pytest.mark.parametrize("value", [object(), {(1, 2): 3}, np.array([b"x"]), 2**5000])
def test_what_matlab_has_no_type_for_is_refused(value: object) -> None:
    with fuselab.Session(device="cpu") as s, pytest.raises(fuselab.UsageError):
        s["x"] = value


def test_lent_arrays_are_shared_and_never_written_to() -> None:
    lent = np.asfortranarray(np.ones((300, 300)))
    assert np.shares_memory(to_matlab(lent), lent)
    with fuselab.Session(device="cpu") as s:
        s["a"] = lent
        s.eval("b = a; a(1) = 2; b(:, 2) = []; c = b; c(3, 3) = 9; clear a; b(1) = 8;")
        s.eval("function r = touch(x), x(1) = -1; r = x; end")
        s.call("touch", lent)
    assert (lent == 1).all()


def test_a_device_array_is_read_when_it_is_used(made: fuselab.Session) -> None:
    data = np.random.default_rng(0).random((600, 500))
    made["data"] = data
    made.eval("y = sin(data).*data + 1;")
    y = made["y"]
    assert isinstance(y, fuselab.DeviceArray)
    assert (y.shape, y.ndim, y.size, y.dtype) == ((600, 500), 2, 300_000, np.float64)
    assert "600×500 double" in repr(y)
    made["z"] = y  # goes back without being fetched
    made.eval("n = numel(z); total = sum(z, 'all');")
    assert not y.is_host
    assert np.allclose(y, np.sin(data) * data + 1, rtol=1e-14)
    assert y.is_host
    assert np.array_equal(np.from_dlpack(y), y.numpy())
    assert y[0, 0] == y.numpy()[0, 0]
    total = made["total"]
    assert type(total) is float
    assert total == pytest.approx(float(y.numpy().sum()))


def test_a_device_array_has_the_operators_and_methods_of_numpy(made: fuselab.Session) -> None:
    made["data"] = np.random.default_rng(0).random((600, 600))
    made.eval("y = sqrt(data) + 1;")
    y = made["y"]
    assert isinstance(y, fuselab.DeviceArray)
    data = y.numpy()
    for found, wanted in (
        (2 * y - 1, 2 * data - 1),
        (y @ y, data @ data),
        (-y > y.T, -data > data.T),
        (np.add.reduce(y), data.sum(axis=0)),
        (y.mean(axis=1), data.mean(axis=1)),
        (np.concatenate([y, y]), np.concatenate([data, data])),
    ):
        assert type(found) is np.ndarray
        assert np.array_equal(found, wanted)
    assert (np.ones((600, 600)) + y).shape == y.shape
    with pytest.raises(ValueError, match="ambiguous"):
        bool(y)
    with pytest.raises(AttributeError):
        _ = y.no_such_method


def test_functions_are_attributes() -> None:
    with fuselab.Session(device="cpu") as s:
        assert s.sqrt(16.0) == 4.0
        assert s.size(np.ones((2, 5)), nargout=2) == (2.0, 5.0)
        assert s.deal(1, nargout=0) is None
        s.eval("function [a, b] = swap(x, y), a = y; b = x; end")
        assert s.swap(1, "two", nargout=2) == ("two", 1.0)
        assert len(s.fminsearch(lambda x: abs(float(x) - 1), 0.0, nargout=2)) == 2  # of four
        assert len(s.ode45(lambda t, y: -y, np.array([0.0, 1.0]), 1.0, nargout=2)) == 2
        with pytest.raises(fuselab.MatlabError, match="Too many output"):
            s.numel(1, nargout=2)
        with pytest.raises(fuselab.MatlabError, match="nothing_known"):
            s.nothing_known(1)


def test_what_a_function_of_python_raises_is_the_cause() -> None:
    def fails(x: object) -> None:
        raise LookupError("no such thing")

    with fuselab.Session(device="cpu") as s:
        with pytest.raises(fuselab.MatlabError) as raised:
            s.cellfun(fails, [1.0, 2.0])
        assert isinstance(raised.value.__cause__, LookupError)
        s["f"] = fails
        with pytest.raises(fuselab.MatlabError) as raised:
            s.eval("f(1)")
        assert isinstance(raised.value.__cause__, LookupError)


def test_an_error_has_identifier_message_and_place() -> None:
    with fuselab.Session(device="cpu") as s:
        with pytest.raises(fuselab.MatlabError) as caught:
            s.eval("x = 1;\ny = x + nothing;")
        assert caught.value.identifier == "MATLAB:UndefinedFunction"
        assert (caught.value.stack[0].line, caught.value.stack[0].column) == (2, 9)
        assert s["x"] == 1.0
        assert s.report is not None
        assert s.report.status == "error"


def test_variables_are_a_mapping() -> None:
    with fuselab.Session(device="cpu") as s:
        s["b"], s["a"] = 1, 2
        assert (list(s), len(s), "a" in s, "c" in s) == (["a", "b"], 2, True, False)
        del s["a"]
        with pytest.raises(KeyError):
            _ = s["a"]
        with pytest.raises(KeyError):
            del s["a"]
        with pytest.raises(fuselab.UsageError):
            s["no name"] = 1


def test_sessions_beside_each_other_agree_with_sessions_alone() -> None:
    code = "x = (1:200000)'*k; y = cumsum(sin(x)) ./ (1 + abs(x)); t = sum(y); g = max(y);"
    alone = []
    for k in (1.0, 2.0, 3.0):
        with fuselab.Session(device="gpu") as s:
            s["k"] = k
            s.eval(code)
            alone.append((float(s["t"]), float(s["g"])))
    together = [fuselab.Session(device="gpu") for _ in range(3)]
    found: dict[int, tuple[float, float]] = {}

    def work(position: int) -> None:
        s = together[position]
        for _ in range(5):
            s["k"] = position + 1.0
            s.eval(code)
        found[position] = (float(s["t"]), float(s["g"]))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for s in together:
        s.close()
    assert [found[i] for i in range(3)] == alone


def test_interrupt_from_another_thread() -> None:
    with fuselab.Session(device="cpu") as s:
        timer = threading.Timer(0.2, s.interrupt)
        timer.start()
        with pytest.raises(fuselab.Interrupted):
            s.eval("k = 0; while true, k = k + 1; end")
        timer.join()
        assert s.eval("disp(1)").output.strip() == "1"


def test_settings_are_checked_and_a_closed_session_says_so() -> None:
    with pytest.raises(fuselab.UsageError):
        fuselab.Session(no_such_setting=1)
    s = fuselab.Session(device="cpu", seed=3)
    first = s.rand(1, 3)
    s.close()
    s.close()
    with pytest.raises(fuselab.UsageError, match="closed"):
        s.eval("1")
    with fuselab.Session(device="cpu", seed=3) as again:
        assert np.array_equal(again.rand(1, 3), first)


def test_files_scripts_and_functions_of_files(tmp_path: Path) -> None:
    (tmp_path / "triple.m").write_text("function y = triple(x)\ny = 3*helper(x);\n")
    (tmp_path / "helper.m").write_text("function y = helper(x)\ny = x;\n")
    (tmp_path / "main.m").write_text("z = triple(2); fprintf('%d\\n', z)\n")
    triple = fuselab.compile(tmp_path / "triple.m")
    assert triple(5) == 15.0
    triple.session.close()
    with fuselab.Session(device="cpu") as s:
        assert s.run(tmp_path / "main.m").output == "6\n"
        with pytest.raises(fuselab.UsageError, match=r"no file .*gone\.m"):
            s.run(tmp_path / "gone.m")


@pytest.mark.parametrize("source", ["x = 3;", "function y = f(x"])
def test_compile_needs_a_function(source: str) -> None:
    with pytest.raises((fuselab.UsageError, fuselab.MatlabError)):
        fuselab.compile(source)


def test_conversions_are_inverse_for_generated_values() -> None:
    rng = random.Random(5)

    def value(depth: int) -> object:
        kinds = "number text flag list dict".split() if depth else "number text flag".split()
        match rng.choice(kinds):
            case "number":
                return rng.choice([0.0, -1.5, 1e300, float("inf")])
            case "text":
                return rng.choice(["", "a", "ä€😀", "two words"])
            case "flag":
                return rng.random() < 0.5
            case "list":
                return [value(depth - 1) for _ in range(rng.randrange(4))]
            case _:
                return {f"f{i}": value(depth - 1) for i in range(rng.randrange(4))}

    for _ in range(300):
        made = value(3)
        assert from_matlab(to_matlab(made)) == made


@pytest.mark.parametrize("device", ["cpu", "gpu"])
def test_a_session_left_open_ends_quietly_with_the_process(device: str) -> None:
    code = (
        "import app, sys\n"
        f"s = app.Session(device={device!r}, echo=True)\n"
        "s.eval(\"c = onCleanup(@() disp('cleaned')); x = rand(900); y = sin(x).*x;\")\n"
        "y = s['y']\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "cleaned\n", "")


def test_runs_share_one_ticker() -> None:
    with fuselab.Session(device="cpu") as s:
        s.eval("x = 1;")
        before = threading.enumerate()
        for _ in range(5):
            s.eval("x = x + 1;")
            assert threading.enumerate() == before
        s.eval("t = tic; while toc(t) < 0.2, end")


def test_the_start_up_of_a_session_without_a_front_door_is_never_negative() -> None:
    with fuselab.Session(device="cpu") as s:
        s.eval("x = sum(1:10);")
        assert s.report is not None
        assert s.report.document["startup_ms"] >= 0


@pytest.mark.parametrize("start", ["", "x = zeros(3); ", "s.a = {1}; "])
def test_functions_that_an_error_ended_let_go_of_their_variables(start: str) -> None:
    text = (
        f"{start}left = []; f(1)\nfunction f(n)\nc = onCleanup(@() note(n));\n"
        "d = {onCleanup(@() note(2))};\ng(n)\nend\n"
        "function g(~)\nc = onCleanup(@() note(3));\nerror('a:b', 'gone');\nend\n"
        "function note(n)\nassignin('base', 'left', [evalin('base', 'left') n]);\nend"
    )
    with fuselab.Session(device="cpu") as s:
        for _ in range(2):
            with pytest.raises(fuselab.MatlabError, match="gone") as caught:
                s.eval(text)
            assert [frame.name for frame in caught.value.stack][:2] == ["g", "f"]
            inner, *outer = np.ravel(s["left"])
            assert inner == 3
            assert sorted(outer) == [1, 2]


def test_arrays_of_sessions_are_pickled_as_arrays_of_numpy() -> None:
    with fuselab.Session(device="cpu") as s:
        s.eval("x = rand(300); x = x + 1;")
        again = pickle.loads(pickle.dumps({"x": s["x"]}))["x"]
        assert type(again) is np.ndarray
        assert np.array_equal(again, s["x"])


@pytest.mark.parametrize("name", ["for", "end", "a b", "1x", "é", "_x", ""])
def test_only_names_of_variables_name_variables(name: str) -> None:
    with fuselab.Session(device="cpu") as s, pytest.raises(fuselab.UsageError, match="cannot name"):
        s[name] = 1.0


@pytest.mark.parametrize("value", [2**53 + 1, 1 - 2**60, 2**70 + 1])
def test_integers_that_no_double_is_are_refused(value: int) -> None:
    assert to_matlab(value - 1) == float(value - 1)
    with pytest.raises(fuselab.UsageError, match="cannot be held by a double"):
        to_matlab([value])
