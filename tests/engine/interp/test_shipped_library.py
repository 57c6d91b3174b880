"""What is shipped in the language itself: test runner, copyable and set-get classes."""

from __future__ import annotations

from pathlib import Path

import pytest

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
