"""What is shipped in the language itself: test runner, copyable and set-get classes."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from app.errors import MatlabError
from tests.engine.builtins.engine_session import Session

FUNCTIONS = """
function tests = testAdding
tests = functiontests(localfunctions);
end
function setupOnce(testCase)
testCase.TestData.x = 3;
end
function setup(testCase)
testCase.TestData.y = 1;
end
function testSum(testCase)
verifyEqual(testCase, testCase.TestData.x + testCase.TestData.y, 4);
testCase.verifyEqual(0.1 + 0.2, 0.3, 'AbsTol', 1e-12);
testCase.TestData.y = 9;
end
function testWrong(testCase)
verifyEqual(testCase, [1 2], [1 3], 'a note');
verifyEqual(testCase, single(1), 1);
end
function testStops(testCase)
assertTrue(testCase, false);
testCase.TestData.never = 1;
end
function testAssumed(testCase)
testCase.assumeEqual(1, 2);
end
function testThrows(testCase)
verifyError(testCase, @() error('a:b', 'text'), 'a:b');
verifyWarningFree(testCase, @() sin(1));
end
function testBreaks(testCase)
x = [1 2 3];
x(7)
end
"""
CLASS = """
classdef OfClassTest < matlab.unittest.TestCase
    properties
        Value
    end
    methods (TestMethodSetup)
        function prepare(testCase)
            testCase.Value = 5;
        end
    end
    methods (Test)
        function five(testCase)
            testCase.verifyEqual(testCase.Value, 5);
            testCase.verifyClass(testCase.Value, 'double');
        end
        function six(testCase)
            testCase.fatalAssertEqual(testCase.Value, 6);
        end
    end
end
"""
BOXED = """
classdef Boxed < matlab.mixin.Copyable & matlab.mixin.SetGet
    properties
        Content
        Title = 'none'
    end
    methods
        function obj = Boxed(content)
            obj.Content = content;
        end
    end
end
"""
WARNED = """
classdef WarnedTest < matlab.unittest.TestCase
    methods (Test)
        function finds(testCase)
            x = testCase.verifyWarning(@() abs(quiet()), 'my:second');
            testCase.verifyThat(@quiet, matlab.unittest.constraints.IssuesWarnings({'my:first'}));
            testCase.verifyEqual({x, struct('a', 1)}, {2, struct('a', 1 + 1e-9)}, 'AbsTol', 1e-6);
        end
        function misses(testCase)
            testCase.verifyWarning(@() sin(1), 'my:id');
        end
        function disturbed(testCase)
            testCase.verifyWarningFree(@() quiet());
        end
        function suppressed(testCase)
            import matlab.unittest.fixtures.SuppressedWarningsFixture
            testCase.applyFixture(SuppressedWarningsFixture({'my:first', 'my:second'}));
            testCase.verifyWarningFree(@() quiet());
        end
        function restored(testCase)
            testCase.verifyWarning(@() quiet(), 'my:first');
            tolerance = matlab.unittest.constraints.AbsoluteTolerance(0.1);
            testCase.verifyThat(1, matlab.unittest.constraints.IsEqualTo(1.05, 'Within', tolerance));
        end
    end
end
function x = quiet()
warning('my:first', 'First.'); warning('my:second', 'Second.');
x = -2;
end
"""
SHOWN = """
classdef Shown < matlab.mixin.CustomDisplay
    properties
        First = 1
        B = 'text'
    end
    methods (Access = protected)
        function header = getHeader(obj)
            header = sprintf('mine\\n');
        end
    end
end
"""


@pytest.fixture
def session(tmp_path: Path) -> Session:
    for name, text in (("testAdding", FUNCTIONS), ("OfClassTest", CLASS), ("Boxed", BOXED)):
        (tmp_path / f"{name}.m").write_text(text, encoding="utf-8")
    made = Session()
    made.run(f"cd('{tmp_path}');")
    return made


def test_functions_are_tests(session: Session) -> None:
    printed = session.run("r = runtests('testAdding');")
    assert session.holds("isequal([r.Passed], logical([1 0 0 0 1 0]))")
    assert session.holds("isequal([r.Failed], logical([0 1 1 0 0 1]))")
    assert session.holds("isequal([r.Incomplete], logical([0 0 0 1 0 0]))")
    assert session.holds("strcmp(r(2).Name, 'testAdding/testWrong')")
    assert session.holds("contains(r(2).Details, 'a note') && contains(r(2).Details, 'single')")
    assert session.holds("contains(r(6).Details, 'Index must not exceed 3')")
    assert "testStops failed" in printed


def test_methods_are_tests_and_folders_are_searched(session: Session) -> None:
    session.run("r = runtests('OfClassTest'); all = runtests;")
    assert session.holds("isequal([r.Passed], logical([1 0]))")
    assert session.holds("numel(all) == 8 && nnz([all.Passed]) == 3")


def test_options_alone_mean_this_folder(session: Session, tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "testAdding.m").rename(tmp_path / "deep" / "testAdding.m")
    session.run("a = testsuite; b = testsuite('IncludeSubfolders', true);")
    session.run("c = testsuite('Name', '*Wrong*', 'IncludeSubfolders', true);")
    assert session.holds("isequal([numel(a) numel(b) numel(c)], [2 8 1])")
    (tmp_path / "OfClassTest.m").unlink()
    printed = session.run("r = runtests;")
    assert session.holds("isempty(r)")
    assert "runtests('IncludeSubfolders', true) runs those below it" in printed


def test_files_elsewhere_are_found(session: Session, tmp_path: Path) -> None:
    session.run(f"cd('/'); r = runtests('{tmp_path}/testAdding.m');")
    session.run(f"c = runtests('{tmp_path}/OfClassTest.m');")
    assert session.holds("numel(r) == 6 && r(1).Passed && numel(c) == 2 && c(1).Passed")


def test_an_object_of_a_test_class_runs_its_tests(session: Session) -> None:
    session.run("r = run(OfClassTest); s = run(OfClassTest, 'six');")
    assert session.holds("isequal([r.Passed], logical([1 0]))")
    assert session.holds("isscalar(s) && strcmp(s.Name, 'OfClassTest/six') && s.Failed")


def test_warnings_are_checked_and_suppressed(session: Session, tmp_path: Path) -> None:
    (tmp_path / "WarnedTest.m").write_text(WARNED, encoding="utf-8")
    printed = session.run("r = runtests('WarnedTest');")
    assert session.holds("isequal([r.Passed], logical([1 0 0 1 1]))"), printed


def test_copies_share_nothing_but_handles(session: Session) -> None:
    session.run("b = Boxed(Boxed(1)); c = copy(b); c.Title = 'new';")
    assert session.holds("strcmp(b.Title, 'none') && b ~= c && b.Content == c.Content")
    session.run("many = copy([b c]);")
    assert session.holds("isequal(size(many), [1 2]) && many(2) ~= c")


def test_properties_are_set_and_read_by_name(session: Session) -> None:
    session.run("b = Boxed(1); set(b, 'title', 'x', 'Content', 2); s = get(b);")
    assert session.holds("strcmp(get(b, 'Title'), 'x') && s.Content == 2")
    session.run("set(b, struct('Content', 7));")
    assert session.holds("b.Content == 7")


def test_classes_decide_how_they_are_displayed(session: Session, tmp_path: Path) -> None:
    (tmp_path / "Shown.m").write_text(SHOWN, encoding="utf-8")
    header, _, listed = session.run("s = Shown").partition("mine\n")
    assert header.split() == ["s", "="]
    assert listed.split("\n")[:2] == ["    First: 1", "        B: 'text'"]
    printed = session.run("disp([s s])")
    assert [line.strip() for line in printed.split("\n")[:3]] == ["mine", "First", "B"]


def test_an_array_of_several_classes_is_one_of_their_common_class(
    session: Session, tmp_path: Path
) -> None:
    shape = "classdef Shape < matlab.mixin.Heterogeneous\nend\n"
    (tmp_path / "Shape.m").write_text(shape, encoding="utf-8")
    (tmp_path / "Circle.m").write_text("classdef Circle < Shape\nend\n", encoding="utf-8")
    session.run("a = [Shape Circle];")
    assert session.holds("strcmp(class(a), 'Shape') && strcmp(class(a(2)), 'Circle')")


def test_the_class_of_an_object_says_what_is_equal(session: Session, tmp_path: Path) -> None:
    (tmp_path / "Near.m").write_text(
        "classdef Near\nproperties, v, end\nmethods\nfunction o = Near(v), o.v = v; end\n"
        "function t = isequal(a, b), t = abs(a.v - b.v) < 1; end\nend\nend\n"
    )
    session.run(f"addpath('{tmp_path}'); differ = @matlab.unittest.internal.compare;")
    assert session.holds("isempty(differ(Near(1), Near(1.5)))")
    assert session.holds("~isempty(differ(Near(1), Near(3)))")


def test_the_main_function_of_a_file_is_the_first_by_any_name(
    session: Session, tmp_path: Path
) -> None:
    (tmp_path / "listed.m").write_text(
        "function f = other\nf = localfunctions;\nend\nfunction part\nend\n"
    )
    session.run(f"addpath('{tmp_path}'); f = listed;")
    assert session.holds("isscalar(f) && strcmp(func2str(f{1}), 'part')")


def test_suites_are_chosen_run_and_asserted(session: Session, tmp_path: Path) -> None:
    session.run(f"import matlab.unittest.TestSuite; s = TestSuite.fromFolder('{tmp_path}');")
    assert session.holds("numel(s) == 8 && isa(s, 'matlab.unittest.Test')")
    session.run("r = run(s.selectIf('ProcedureName', 'testSum')); assertSuccess(r); t = table(r);")
    assert session.holds("height(t) == 1 && t.Passed")
    session.run("r = testrunner('minimal').run(testsuite('OfClassTest', 'Name', '*five'));")
    assert session.holds("numel(r) == 1 && r.Passed")
    with pytest.raises(MatlabError, match="1 of 2 tests did not pass"):
        session.run("assertSuccess(runtests('OfClassTest'))")
    with pytest.raises(MatlabError, match="'LoggingLevel' is not available"):
        session.run("runtests('OfClassTest', 'LoggingLevel', 3)")
    with pytest.raises(MatlabError, match="No test file"):
        session.run("runtests('unheardOf')")


HOLDS = (
    "1, IsEqualTo(1.05, 'Within', AbsoluteTolerance(0.1))",
    "[1 100], IsEqualTo([1.05 101], 'Within', AbsoluteTolerance(0.1) | RelativeTolerance(0.02))",
    "'A b', IsEqualTo('ab', 'IgnoringCase', true, 'IgnoringWhitespace', true)",
    "struct('a', 1, 'b', 2), IsEqualTo(struct('a', 1, 'b', 3), 'IgnoringFields', {'b'})",
    "true, IsTrue",
    "false, IsFalse",
    "[], IsEmpty",
    "ones(2, 3), HasSize([2 3])",
    "ones(2, 3), HasLength(3) & HasElementCount(6)",
    "3, IsGreaterThan(2) & IsLessThan(4)",
    "3, IsGreaterThanOrEqualTo(3) & IsLessThanOrEqualTo(3)",
    "3, IsEqualTo(2) | IsScalar",
    "3, ~IsEqualTo(2)",
    "[1 NaN], HasNaN & ~HasInf & ~IsFinite",
    "[1 2], IsReal & HasUniqueElements",
    "struct('a', 1), HasField('a')",
    "[1 1], IsSubsetOf([1 2])",
    "[1 2 3], IsSupersetOf([1 2])",
    "[2 1 1], IsSameSetAs([1 2])",
    "'a text', ContainsSubstring('TEX', 'IgnoringCase', true) & StartsWithSubstring('a')",
    "'tex', IsSubstringOf('a text') & EndsWithSubstring('x') & Matches('^t.x$')",
    "int8(1), IsOfClass(?int8) & IsInstanceOf('int8')",
    "@() error('a:b', 'c'), Throws('a:b')",
    "@() warning('a:b', 'c'), IssuesWarnings({'a:b'})",
    "@() 1, IssuesNoWarnings",
    "@() true, ReturnsTrue",
    "EveryElementOf([1 2]), IsGreaterThan(0)",
    "AnyElementOf([1 2]), IsGreaterThan(1)",
    "EveryCellOf({1, 'a'}), ~IsEmpty",
    "AnyCellOf({1, ''}), IsEmpty",
    "pwd, IsFolder & ~IsFile",
    "1, IsAnything",
)
FAILS = {
    "3, IsGreaterThan(3)": "not greater than",
    "single(1), IsEqualTo(1)": "class is single instead of double",
    "EveryElementOf([1 -2]), IsGreaterThan(0)": "Element 2: ",
    "1, IsOfClass('int8') & IsLessThan(0)": "class is double instead of int8",
    "@() 1, Throws('a:b')": "No error was thrown",
    "'abc', ContainsSubstring('B')": "'abc' does not contain 'B'",
    "1, ~IsReal": "what it must not be",
    "ones(2), HasSize([1 2])": "The size is [2  2] instead of [1  2].",
}


@pytest.fixture
def constrained(session: Session) -> Session:
    session.run("import matlab.unittest.constraints.*; t = matlab.unittest.TestCase;")
    return session


@pytest.mark.parametrize("asked", HOLDS)
def test_constraints_that_hold(constrained: Session, asked: str) -> None:
    constrained.run(f"t.verifyThat({asked})")
    assert constrained.holds("isempty(t.Failures)")


@pytest.mark.parametrize("asked", FAILS)
def test_constraints_that_fail_say_why(constrained: Session, asked: str) -> None:
    constrained.run(f"t.verifyThat({asked}, 'a note')")
    text = FAILS[asked].replace("'", "''")
    assert constrained.holds(f"isscalar(t.Failures) && contains(t.Failures, '{text}')")
    assert constrained.holds("startsWith(t.Failures, 'a note')")


def test_constraints_of_other_people(constrained: Session, tmp_path: Path) -> None:
    (tmp_path / "IsEven.m").write_text(
        """classdef IsEven < matlab.unittest.constraints.BooleanConstraint
methods
function good = satisfiedBy(~, x), good = mod(x, 2) == 0; end
function text = getDiagnosticFor(~, x)
text = matlab.unittest.diagnostics.StringDiagnostic(sprintf('%d is odd', x));
end
end
end
"""
    )
    constrained.run(
        f"addpath('{tmp_path}'); t.verifyThat(4, IsEven & ~IsEmpty); t.verifyThat(3, IsEven)"
    )
    assert constrained.holds("isequal(t.Failures, {'3 is odd'})")


def test_plugins_write_results(session: Session, tmp_path: Path) -> None:
    (tmp_path / "MixedTest.m").write_text(
        """classdef MixedTest < matlab.unittest.TestCase
methods (Test)
function good(tc), tc.verifyTrue(true); end
function bad(tc), tc.verifyEqual(1, 2, 'a < b'); end
function left(tc), tc.assumeFail(); end
end
end
"""
    )
    session.run(
        f"cd('{tmp_path}'); import matlab.unittest.plugins.*\n"
        "runner = matlab.unittest.TestRunner.withNoPlugins();\n"
        "runner.addPlugin(XMLPlugin.producingJUnitFormat('out.xml'));\n"
        "runner.addPlugin(TAPPlugin.producingVersion13(ToFile('out.tap')));\n"
        "r = runner.run(matlab.unittest.TestSuite.fromFile('MixedTest.m'));"
    )
    (suite,) = ET.parse(tmp_path / "out.xml").getroot()
    assert [suite.get(name) for name in ("name", "tests", "failures", "skipped")] == [
        "MixedTest",
        "3",
        "1",
        "1",
    ]
    assert [[part.tag for part in case] for case in suite] == [[], ["failure"], ["skipped"]]
    assert suite[1][0].get("message") == "a < b"
    assert (tmp_path / "out.tap").read_text().splitlines() == [
        "TAP version 13",
        "1..3",
        "ok 1 - MixedTest/good",
        "not ok 2 - MixedTest/bad",
        "ok 3 - MixedTest/left # SKIP",
    ]


FIXTURES = """
classdef (SharedTestFixtures = {matlab.unittest.fixtures.EnvironmentVariableFixture('CUP_KIND', 'mug')}) ...
        FixtureTest < matlab.unittest.TestCase
    properties (TestParameter)
        n = {1, 2, 3}
    end
    methods (TestClassSetup)
        function once(testCase)
            testCase.applyFixture(matlab.unittest.fixtures.WorkingFolderFixture());
            fclose(fopen('made.txt', 'w'));
            testCase.addTeardown(@() setenv('CUP_SEEN', [getenv('CUP_SEEN') 'end']));
        end
    end
    methods (Test)
        function shared(testCase, n)
            testCase.verifyEqual(getenv('CUP_KIND'), 'mug');
            testCase.verifyTrue(isfile('made.txt'));
            testCase.addTeardown(@() setenv('CUP_SEEN', [getenv('CUP_SEEN') char('0' + n)]));
        end
    end
end
"""


def test_what_a_test_class_sets_up_lasts_until_its_last_test(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "FixtureTest.m").write_text(FIXTURES, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    session = Session()
    session.run("setenv('CUP_SEEN', ''); unsetenv('CUP_KIND'); r = runtests('FixtureTest');")
    assert session.holds("isequal([r.Passed], true(1, 3)) && strcmp(getenv('CUP_SEEN'), '123end')")
    assert session.holds("~isenv('CUP_KIND') && ~isfile('made.txt')")
    assert Path.cwd() == tmp_path


NESTED_FIXTURE = """
classdef MugFixture < matlab.unittest.fixtures.Fixture
    properties
        Folder = ''
    end
    methods
        function setup(fixture)
            import matlab.unittest.fixtures.*
            inner = fixture.applyFixture(TemporaryFolderFixture);
            fixture.Folder = inner.Folder;
            fixture.applyFixture(EnvironmentVariableFixture('CUP_KIND', 'mug'));
        end
    end
end
"""


def test_a_fixture_may_set_up_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "MugFixture.m").write_text(NESTED_FIXTURE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    session = Session()
    session.run("unsetenv('CUP_KIND'); t = matlab.unittest.TestCase;")
    session.run("f = t.applyFixture(MugFixture);")
    assert session.holds("isfolder(f.Folder) && strcmp(getenv('CUP_KIND'), 'mug')")
    session.run("t.finish();")
    assert session.holds("~isfolder(f.Folder) && ~isenv('CUP_KIND')")
