"""The panel of tests: found by reading, run, those that failed run again, and gone to."""

from __future__ import annotations

from tests.desk.desk import Desk

PANEL = "window.panel('tests')"
STATES = f"{{r.test.name: r.state for r in {PANEL}._rows.values()}}"


def test_tests_are_found_run_and_gone_to(desk: Desk) -> None:
    (desk.folder / "sumTest.m").write_text(
        "%% right sums\nassert(sum(1:10) == 55)\n\n%% wrong sums\nx = 3;\nassert(sum(1:3) == 7)\n"
    )
    (desk.folder / "test_more.m").write_text(
        "function tests = test_more\ntests = functiontests(localfunctions);\nend\n\n"
        "function testFine(testCase)\nverifyEqual(testCase, 1 + 1, 2)\nend\n\n"
        "function testBroken(testCase)\nverifyEqual(testCase, helper(), 3)\nend\n"
    )
    (desk.folder / "helper.m").write_text("function y = helper()\ny = 2;\nend\n")
    desk.ask(f"bool([window.change_folder(Path({str(desk.folder)!r}))])")
    desk.ask("bool([window.docks.show_panel('tests')])")
    desk.wait(f"len({STATES}) == 4 and seen('Run All')", 20)
    desk.click("find('Run All')")
    desk.wait(f"sorted({STATES}.values()) == ['failed', 'failed', 'passed', 'passed']", 30)
    desk.wait(f"{PANEL}.summary.text() == '4 tests   2 passed   2 failed'")
    assert desk.ask(f"{STATES}['test_more/testBroken']") == "failed"
    desk.wait("state() == 'IDLE'")
    (desk.folder / "helper.m").write_text("function y = helper()\ny = 3;\nend\n")
    desk.click("find('Run Failed')")
    desk.wait(f"{STATES}['test_more/testBroken'] == 'passed' and state() == 'IDLE'", 30)
    desk.ask(f"bool([{PANEL}.table.select('sumTest/WrongSums')])")
    desk.wait(f"{PANEL}.details.toPlainText() != ''")
    desk.ask(f"bool([{PANEL}.go_to()])")
    desk.wait("editor() is not None and editor().name == 'sumTest.m' and editor().caret_line == 6")


def test_a_folder_without_tests_says_what_would_be_one(desk: Desk) -> None:
    desk.ask("bool([window.docks.show_panel('tests')])")
    desk.wait("'begins or ends with test' in window.panel('tests')._empty.text_label.text()")
    desk.wait("seen('Look Again')")


def test_f5_runs_the_tests_of_a_file_that_consists_of_them(desk: Desk) -> None:
    desk.open(
        "% about sums\nclassdef adding < matlab.unittest.TestCase\n  methods (Test)\n"
        "    function adds(t), t.verifyEqual(1 + 1, 2); end\n"
        "    function fails(t), t.verifyEqual(1 + 1, 3); end\n  end\nend\n",
        "adding.m",
    )
    desk.to_editor()
    desk.key("F5")
    desk.wait(f"in_front('tests') and {STATES}.get('adding/fails') == 'failed'")
    desk.wait(f"{STATES}['adding/adds'] == 'passed' and state() == 'IDLE'")
    desk.open("function y = plain(x)\n% Makes no TestCase.\ndisp(7)\ny = 1;\nend\n", "plain.m")
    desk.to_editor()
    desk.key("F5")
    desk.wait("state() == 'IDLE' and 'plain' in output() and '7' in output()")
    desk.key("ctrl+shift+p")
    desk.type("run tests")
    desk.key("Return")
    desk.wait(f"in_front('tests') and {STATES}.get('adding/fails') == 'failed'")
