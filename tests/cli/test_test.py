"""``fuselab test``: found without running, run file by file, reported for people and machines."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from app.main import main

AREA = """function a = area(r)
if r < 0
    error('area:negative', 'No.');
end
a = 0;
for k = 1:3
    a = a + pi * r^2 / 3;
end
end
function unused()
disp('never')
end
"""
PROJECT = """[project]
path = ["src"]
entry = "main.m"
[test]
paths = ["tests"]
coverage = ["src"]
"""
FUNCTIONS = """function tests = areaTest
tests = functiontests(localfunctions);
end
function testOne(t)
disp('a word')
verifyEqual(t, area(1), pi, 'AbsTol', 1e-12);
end
function testBad(t)
verifyEqual(t, area(2), 3);
end
"""
SCRIPT = """x = 3;
%% First one
assert(x == 3); x = 4;
%% second
assert(x == 3 && two() == 2)
%% fails on a device
assert(~strcmp(getenv('FUSELAB_DEVICE_OF_TEST'), 'x'))
function y = two()
y = 2;
end
"""
DEFINED = """classdef DefinedTest < matlab.unittest.TestCase
    properties (ClassSetupParameter)
        Base = {10, 20}
    end
    properties (TestParameter)
        Next
        Word
    end
    methods (TestParameterDefinition, Static)
        function Next = nexts(Base)
            Next = {Base + 1, Base + 2};
        end
        function Word = words()
            Word = struct('small', 'a', 'large', 'B');
        end
    end
    methods (TestClassSetup)
        function start(testCase, Base)
            testCase.assertGreaterThan(Base, 5);
        end
    end
    methods (Test)
        function above(testCase, Base, Next)
            testCase.verifyGreaterThan(Next, Base);
        end
        function text(testCase, Word)
            testCase.verifyClass(Word, 'char');
        end
    end
end
"""
SPEED = """classdef SpeedTest < matlab.perftest.TestCase
    methods (Test)
        function around(testCase)
            testCase.startMeasuring();
            x = sum(1:10);
            testCase.stopMeasuring();
            testCase.verifyEqual(x, 55);
        end
        function within(testCase)
            n = 0;
            while testCase.keepMeasuring, n = n + 1; end
            testCase.verifyGreaterThan(n, 0);
        end
    end
end
"""
HAND = """classdef HandTest < matlab.uitest.TestCase
    methods (Test)
        function title(testCase)
            f = figure('Name', 'x');
            testCase.addTeardown(@close, f);
            testCase.verifyEqual(f.Name, 'x');
            testCase.verifyTrue(isfolder(testCase.createTemporaryFolder()));
            testCase.log('not told');
            testCase.log(matlab.unittest.Verbosity.Terse, "told");
            testCase.verifySubstring(evalc('testCase.log(1, @() disp(5))'), '):      5');
            testCase.verifyEmpty(evalc('testCase.log(3, ''deep'')'));
        end
        function hand(testCase)
            testCase.verifyError(@() testCase.press([]), 'MATLAB:uitest:GestureNotSupported');
        end
    end
end
"""
CLASS = """classdef LevelTest < matlab.unittest.TestCase
    properties (TestParameter)
        level = struct('small', 1, 'big', 2);
        type = {'single', 'double'};
        computed = num2cell(1:2);
    end
    properties
        V
    end
    methods (TestClassSetup)
        function once(tc), tc.V = 5; end
    end
    methods (Test, TestTags = {'Fast'})
        function both(tc, level, type)
            tc.verifyClass(cast(level, type), type); tc.verifyEqual(tc.V, 5); tc.V = 6;
        end
    end
    methods (Test)
        function unknown(tc, computed)
            tc.verifyGreaterThan(computed, 1);
        end
        function assumes(tc)
            tc.assumeTrue(false);
        end
    end
end
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = {
        "fuselab.toml": PROJECT,
        "main.m": "disp(area(1))\n",
        "src/area.m": AREA,
        "tests/areaTest.m": FUNCTIONS,
        "tests/scriptTest.m": SCRIPT,
        "tests/LevelTest.m": CLASS,
    }
    for name, text in files.items():
        path = tmp_path / "project" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path / "project"


def test_setups_with_parameters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    from tests.engine.analysis.test_test_discovery import SETUPS

    monkeypatch.chdir(tmp_path)
    (tmp_path / "Setups.m").write_text(SETUPS, encoding="utf-8")
    assert main(["test", "Setups.m", "--device", "cpu"]) == 0
    told = [line.split() for line in capfd.readouterr().out.split("\n") if "passed  " in line]
    assert len(told) == 16
    assert main(["test", "Setups.m", "--name", "Setups[base=two]/*plain", "--device", "cpu"]) == 0
    told = [line.split() for line in capfd.readouterr().out.split("\n") if "passed  " in line]
    names = [f"Setups[base=two]/[step=value{k}]plain" for k in (1, 2)]
    assert [line[1] for line in told] == names


def test_parameters_that_methods_define_and_other_classes_of_tests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (("DefinedTest", DEFINED), ("SpeedTest", SPEED), ("HandTest", HAND)):
        (tmp_path / f"{name}.m").write_text(text, encoding="utf-8")
    assert main(["test", "--device", "cpu"]) == 0
    told = [line.split()[1] for line in capfd.readouterr().out.split("\n") if "passed  " in line]
    assert told == [
        *(
            f"DefinedTest[Base=value{k}]/{test}"
            for k in (1, 2)
            for test in (
                *("above(Next=value1)", "above(Next=value2)"),
                *("text(Word=small)", "text(Word=large)"),
            )
        ),
        *("HandTest/title", "HandTest/hand", "SpeedTest/around", "SpeedTest/within"),
    ]


def test_tests_of_every_kind_with_reports(
    project: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    junit, lcov = tmp_path / "r.xml", tmp_path / "c.info"
    code = main(["test", "--junit", str(junit), "--coverage", str(lcov), "--device", "cpu"])
    printed = capfd.readouterr()
    assert code == 1
    told = dict(line.split()[1::-1] for line in printed.out.split("\n") if line[:1].isalpha())
    assert told == {
        "LevelTest/both(level=small,type=single)": "passed",
        "LevelTest/both(level=small,type=double)": "passed",
        "LevelTest/both(level=big,type=single)": "passed",
        "LevelTest/both(level=big,type=double)": "passed",
        "LevelTest/unknown(computed=value1)": "failed",
        "LevelTest/unknown(computed=value2)": "passed",
        "LevelTest/assumes": "incomplete",
        "areaTest/testOne": "passed",
        "areaTest/testBad": "failed",
        "scriptTest/FirstOne": "passed",
        "scriptTest/Second": "passed",
        "scriptTest/FailsOnADevice": "passed",
    }
    assert "a word" in printed.err
    cases = ET.parse(junit).getroot().findall("testsuite/testcase")
    assert {
        (c.get("classname"), c.get("name")) for c in cases if c.find("failure") is not None
    } == {
        ("LevelTest", "unknown(computed=value1)"),
        ("areaTest", "testBad"),
    }
    assert [c.get("name") for c in cases if c.find("skipped") is not None] == ["assumes"]
    first, *lines, found, hit, end, last = lcov.read_text().split("\n")
    assert first == f"SF:{project / 'src/area.m'}"
    assert [line for line in lines if not line.startswith("DA:6,")] == [
        *("DA:2,2", "DA:3,0", "DA:5,2", "DA:7,6", "DA:11,0"),
    ]
    assert (found, hit, end, last) == ("LF:6", "LH:4", "end_of_record", "")


def test_what_lies_above_the_folder_of_tests_is_seen_from_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "+tools").mkdir()
    (tmp_path / "+tools" / "twice.m").write_text("function y = twice(x)\ny = 2*x;\nend\n")
    (tmp_path / "tests" / "TwiceTest.m").write_text(
        "classdef TwiceTest < matlab.unittest.TestCase\nmethods (Test)\nfunction doubles(t)\n"
        "t.assumeGreaterThan(1, 0); t.verifyEqual(tools.twice(2), 4);\nend\nend\nend\n"
    )
    for place in (tmp_path, tmp_path / "tests", tmp_path.parent):
        monkeypatch.chdir(place)
        assert main(["test", str(tmp_path / "tests"), "--device", "cpu", "--quiet"]) == 0
    assert "1 passed" in capfd.readouterr().out


MOXUNIT = """function test_suite = test_power
  initTestSuite;

function test_right
  assert(2^3 == 8);

function test_wrong
  assert(2^3 == 9);

function test_not_here
  error('moxUnit:testSkipped', 'not on this machine');

function test_with_its_case(t)
  assert(strcmp(t.name, 'test_with_its_case'));
"""
CASE_OF_MOXUNIT = """function case_ = MOxUnitFunctionHandleTestCase(name, location, handle)
case_ = struct('name', name, 'location', location, 'handle', handle);
end
"""


def test_suites_of_moxunit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "test_power.m").write_text(MOXUNIT)
    (tmp_path / "moxunit").mkdir()
    (tmp_path / "moxunit" / "MOxUnitFunctionHandleTestCase.m").write_text(CASE_OF_MOXUNIT)
    monkeypatch.chdir(tmp_path)
    assert main(["test", "--path", "moxunit", "--device", "cpu"]) == 1
    told = [line.split()[:2] for line in capfd.readouterr().out.split("\n") if line[:1].isalpha()]
    assert told == [
        ["passed", "test_power/test_right"],
        ["failed", "test_power/test_wrong"],
        ["incomplete", "test_power/test_not_here"],
        ["passed", "test_power/test_with_its_case"],
    ]


def test_chosen_by_name_and_tag_on_both_devices(
    project: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    pages = tmp_path / "pages"
    assert main(["test", "--tag", "Fa*", "--coverage", str(pages), "--quiet"]) == 0
    assert capfd.readouterr().out.startswith("4 passed")
    assert "0 of 6 lines ran" in (pages / "index.html").read_text()
    assert main(["test", "tests/areaTest.m", "--name", "*One", "--device", "both"]) == 0
    rows = capfd.readouterr().out.split("\n")
    assert [row.split()[:3] for row in rows[:2]] == [
        ["passed", "areaTest/testOne", "[cpu]"],
        ["passed", "areaTest/testOne", "[gpu]"],
    ]
    assert main(["test", "--name", "nothing"]) == 2
    assert "no tests are found" in capfd.readouterr().err
    assert main(["test", "--jobs", "many"]) == 2


def test_a_file_that_ends_its_process_costs_no_other(
    project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (project / "tests/crashTest.m").write_text('%% dies\npyrun("import os; os._exit(9)")\n')
    (project / "tests/brokenTest.m").write_text("x = (1;\n")
    assert main(["test", "--name", "crash*", "--name", "script*", "--jobs", "2"]) == 1
    printed = capfd.readouterr()
    assert "crashed    crashTest/Dies" in printed.out
    assert "ended with code 9" in printed.out
    assert "3 passed, 1 crashed" in printed.out
    assert "brokenTest.m: error: line 1" in printed.err


def test_the_project_file_is_known_to_other_verbs(
    project: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["run"]) == 0
    monkeypatch.chdir(project.parent)
    assert main(["run", "project/main.m"]) == 0
    assert capfd.readouterr().out.split() == ["3.1416", "3.1416"]
    assert main(["run"]) == 2
    assert "run needs a FILE" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[project]\nnothing = 1\n", "has no entry 'nothing'"),
        ("[projects]\n", "no section [projects]"),
        ("[project]\npath = 'src'\n", "path in [project] must be a list"),
        ("[project]\npath = ['nowhere']\n", "'nowhere', which is not there"),
        ("[project\n", "fuselab.toml: "),
    ],
)
def test_a_wrong_project_file_is_refused(
    project: Path, capfd: pytest.CaptureFixture[str], text: str, told: str
) -> None:
    (project / "fuselab.toml").write_text(text)
    assert main(["run", "main.m"]) == 2
    assert told in capfd.readouterr().err


def test_a_folder_that_is_not_searched_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    calls = FUNCTIONS.replace("area(", "disc(")
    for file, text in (
        ("tests/areaTest.m", calls.replace("3);", "4*pi, 'AbsTol', 1e-9);")),
        ("lib/disc.m", AREA.replace("area(r)", "disc(r)")),
        ("lib/private/disc.m", AREA),
    ):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(text)
    monkeypatch.chdir(tmp_path)
    assert main(["test", "--device", "cpu"]) == 1
    said = [line for line in capsys.readouterr().err.splitlines() if "not searched" in line]
    assert len(said) == 1
    assert "fuselab test --path lib" in said[0]
    assert main(["test", "--device", "cpu", "--path", "lib"]) == 0
    assert "not searched" not in capsys.readouterr().err
