"""Unit tests are found by reading: of every kind, in every spelling, without running anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.engine.analysis import test_discovery as discovery
from app.errors import UsageError

BOOM = "error('the body ran');"


def _written(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def _names(folder: Path, files: dict[str, str]) -> list[str]:
    found = discovery.discover([_written(folder, files)])
    assert found.problems == ()
    return [test.name for test in found.tests]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (f"{BOOM}\n", ["aTest/aTest"]),
        (f"x = 1;\n%% Test 1: sum of angles\n{BOOM}\n%%\n{BOOM}\n", ["Test1_SumOfAngles", "test2"]),
        (
            f"%% one\n{BOOM}\n%% one\n{BOOM}\nfunction y = f(x)\n%% no test\ny = x;\nend\n",
            ["One", "One_2"],
        ),
        ("%% 2 lines\nx = '%% no mark';\n  %% indented\nassert(true)\n", ["x2Lines", "Indented"]),
    ],
)
def test_sections_of_scripts(tmp_path: Path, text: str, names: list[str]) -> None:
    found = [n if "/" in n else f"aTest/{n}" for n in names]
    assert _names(tmp_path, {"aTest.m": text, "other.m": text}) == found


def test_the_section_of_a_script_ends_before_its_functions(tmp_path: Path) -> None:
    text = "x = 1;\n%% a\nassert(f(x) == 1)\n\nfunction y = f(x)\ny = x;\nend\n"
    (found,) = discovery.discover([_written(tmp_path, {"test_f.m": text})]).tests
    assert (found.line, found.last, found.kind) == (2, 4, "script")


def test_local_functions_of_a_test_file(tmp_path: Path) -> None:
    text = f"""function tests = fooTest
tests = functiontests(localfunctions);
end
function setupOnce(testCase)
{BOOM}
end
function testA(testCase)
{BOOM}
end
function B_Test(testCase)
end
function helper(testCase)
end
"""
    plain = "function y = plainTest(x)\ny = x;\nend\n"
    names = _names(tmp_path, {"fooTest.m": text, "+pkg/fooTest.m": text, "plainTest.m": plain})
    assert names == [
        "fooTest/testA",
        "fooTest/B_Test",
        "pkg.fooTest/testA",
        "pkg.fooTest/B_Test",
    ]


CLASS = """classdef (TestTags = {'All'}) Plain < matlab.unittest.TestCase
    properties (TestParameter)
        level = struct('small', 1, 'big', 2);
        type = {'single', 'double'};
        number = {1, 2, 3};
        computed = num2cell(1:3);
    end
    methods (TestMethodSetup)
        function prepare(tc), error('ran'), end
    end
    methods (Test, TestTags = {'Unit', "Slow"})
        function plain(tc), error('ran'), end
    end
    methods (Test, ParameterCombination = 'sequential')
        function both(tc, level, type), error('ran'), end
    end
    methods (Test = true, TestTags = "One")
        function each(tc, level, number), error('ran'), end
        function unknown(tc, computed), error('ran'), end
    end
    methods (Test = false)
        function off(tc), end
    end
    methods
        function testNothing(tc), end
    end
end
"""


def test_methods_of_classes_with_tags_and_parameters(tmp_path: Path) -> None:
    found = discovery.discover([_written(tmp_path, {"Plain.m": CLASS})]).tests
    assert [test.name for test in found] == [
        "Plain/plain",
        "Plain/both(level=small,type=single)",
        "Plain/both(level=big,type=double)",
        *(
            f"Plain/each(level={level},number=value{k})"
            for level in ("small", "big")
            for k in (1, 2, 3)
        ),
        "Plain/unknown",
    ]
    assert [set(test.tags) for test in found[:2]] == [{"Unit", "Slow", "All"}, {"All"}]
    assert set(found[-1].tags) == {"One", "All"}
    assert found[0].line == 12


SETUPS = """classdef Setups < matlab.unittest.TestCase
    properties (ClassSetupParameter)
        base = struct('two', 2, 'three', 3);
    end
    properties (MethodSetupParameter)
        step = {10, 20};
    end
    properties (TestParameter)
        y = {'a', 'b'};
    end
    properties
        N
    end
    methods (TestClassSetup)
        function once(tc, base), tc.N = base; end
    end
    methods (TestMethodSetup)
        function each(tc, step), tc.N = tc.N + step; end
    end
    methods (Test)
        function plain(tc, base), tc.verifyTrue(any(tc.N == base + [10 20])); end
        function own(tc, y), tc.verifyReturnsTrue(@() ischar(y)); end
        function handles(tc), tc.assertNotSameHandle(tc, containers.Map); end
    end
end
"""


def test_parameters_that_classes_and_methods_are_set_up_with(tmp_path: Path) -> None:
    names = _names(tmp_path, {"Setups.m": SETUPS})
    assert sorted(names) == sorted(
        f"Setups[base={base}]/[step=value{step}]{procedure}"
        for base in ("two", "three")
        for step in (1, 2)
        for procedure in ("plain", "own(y=a)", "own(y=b)", "handles")
    )
    computed = SETUPS.replace("{10, 20}", "num2cell([10 20])")
    found = discovery.discover([_written(tmp_path, {"Setups.m": computed})])
    assert found.tests == ()
    assert "'step' of a TestMethodSetup method" in found.problems[0][1]


def test_inherited_tests_run_in_the_derived_class(tmp_path: Path) -> None:
    base = """classdef (Abstract) Base < matlab.unittest.TestCase
    methods (Test)
        function shared(tc), end
        function replaced(tc), end
    end
end
"""
    derived = """classdef Derived < Base & handle
    methods (Test)
        function own(tc), end
        function replaced(tc), end
    end
end
"""
    in_package = derived.replace("Derived", "Other").replace("Base", "p.Base")
    files = {"Base.m": base, "+p/Base.m": base, "Derived.m": derived, "+p/Other.m": in_package}
    found = discovery.discover([_written(tmp_path, files)]).tests
    assert [test.name for test in found] == [
        *(f"Derived/{name}" for name in ("own", "replaced", "shared")),
        *(f"p.Other/{name}" for name in ("own", "replaced", "shared")),
    ]
    assert Path(found[2].source).name == "Base.m"
    assert Path(found[2].file).name == "Derived.m"


def test_other_classes_and_hidden_folders_hold_no_tests(tmp_path: Path) -> None:
    files = {
        "Value.m": "classdef Value\nmethods\nfunction test(o), end\nend\nend\n",
        ".git/aTest.m": BOOM,
        "loop/Loop.m": "classdef Loop < Loop\nend\n",
    }
    assert _names(tmp_path, files) == []


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    found = discovery.discover([_written(tmp_path, {"aTest.m": "x = (1;\n", "bTest.m": "x = 1;"})])
    assert [test.name for test in found.tests] == ["bTest/bTest"]
    ((file, problem),) = found.problems
    assert Path(file).name == "aTest.m"
    assert problem.startswith("line 1: ")
    with pytest.raises(UsageError, match="no file or folder"):
        discovery.discover([tmp_path / "nothing"])


def test_a_named_file_counts_whatever_its_name_is(tmp_path: Path) -> None:
    _written(tmp_path, {"checks.m": "%% a\nassert(true)\n"})
    found = discovery.discover([tmp_path / "checks.m", tmp_path / "checks.m", tmp_path])
    assert [test.name for test in found.tests] == ["checks/A"]


def test_local_functions_of_a_moxunit_file(tmp_path: Path) -> None:
    text = f"""function test_suite = test_abs
    try
        test_functions = localfunctions();
    catch
    end
    initTestSuite;

function test_scalar
{BOOM}

function y = test_helper
y = 1;

function other
{BOOM}

function odd_test(testCase)
{BOOM}
"""
    found = discovery.discover([_written(tmp_path, {"test_abs.m": text})]).tests
    assert [(t.name, t.kind) for t in found] == [
        ("test_abs/test_scalar", "moxunit"),
        ("test_abs/odd_test", "moxunit"),
    ]


@pytest.mark.parametrize(
    "left",
    ["methods (Abstract)\n make(testCase)\nend", "properties (Abstract)\n Name\nend"],
)
def test_a_class_that_leaves_members_to_others_is_no_test(tmp_path: Path, left: str) -> None:
    base = f"classdef Base < matlab.unittest.TestCase\n{left}\nmethods (Test)\n"
    base += "function works(testCase)\nend\nend\nend\n"
    made = left.replace(" (Abstract)", "").replace("make(testCase)", "function make(testCase)\nend")
    derived = f"classdef Derived < Base\n{made}\nend\n"
    assert _names(tmp_path, {"Base.m": base, "Derived.m": derived}) == ["Derived/works"]
