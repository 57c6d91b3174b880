from __future__ import annotations

import ast
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "budget.py"


@pytest.fixture
def budget() -> ModuleType:
    spec = importlib.util.spec_from_file_location("budget", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_docstring_does_not_count(budget: ModuleType) -> None:
    node = ast.parse('def f() -> int:\n    """One.\n\n    Two.\n    """\n    return 1\n').body[0]
    assert budget.length(node) == 2


def test_public_names_need_docstring_and_types(budget: ModuleType) -> None:
    tree = ast.parse('"""M."""\ndef f(x): ...\ndef _g(x): ...\nclass A:\n    """A."""\n')
    found = list(budget.breaches_of("m.py", tree))
    assert found == ["m.py:2: f has no docstring", "m.py:2: f lacks an annotation"]


def test_a_suppression_says_why(budget: ModuleType) -> None:
    text = "a = 1  # noqa: E1\nb = 2  # noqa: E1, E2 - a reason\nc = 3  # noqa\n"
    assert list(budget.bare_suppressions("m.py", text)) == [
        "m.py:1: noqa without its reason",
        "m.py:3: noqa without its reason",
    ]


def test_growth_over_the_limits_is_reported(budget: ModuleType) -> None:
    limits = {"file_lines": 10, "file_median": 8, "function_lines": 5, "function_median": 9}
    counted = budget.Measure({"app/a.py": 9}, {"a.py:1: f": 6}, [], {}, {})
    assert budget.verdict(counted, limits) == [
        "the median file has 9 lines, the budget is 8",
        "a.py:1: f: 6 lines, the limit is 5",
    ]


def test_files_of_a_layer_have_names_of_their_own(budget: ModuleType) -> None:
    files = ["app/ui/a/x.py", "app/ui/b/x.py", "app/accel/x.py", "app/ui/a/__init__.py"]
    assert list(budget.repeated(files)) == [
        "files of one layer with one name: app/ui/a/x.py, app/ui/b/x.py"
    ]


def test_a_class_counts_with_what_it_inherits(budget: ModuleType) -> None:
    base = ast.parse("class A:\n    def f(self): ...\n    def g(self): ...\n")
    heir = ast.parse("from m import A\nclass B(A[int]):\n    def f(self): ...\n    x: int\n")
    classes = dict([*budget.classes_of(base, "m"), *budget.classes_of(heir, "n")])
    assert list(budget.large_classes(classes, {"class_lines": 5, "class_methods": 1})) == [
        "m.A: 2 methods with its bases, the limit is 1",
        "n.B: 6 lines with its bases, the limit is 5",
        "n.B: 2 methods with its bases, the limit is 1",
    ]


def test_any_may_only_become_rarer(budget: ModuleType) -> None:
    before = {"app": 3, "app/ui": 1, "gone": 4}
    now = {"app": 2, "app/ui": 2, "app/new": 1}
    assert list(budget.growth(now, before)) == [
        "app/new: 1 Any, none before",
        "app/ui: 2 Any, 1 before",
    ]
    assert budget.tightened(now, before) == {"app": 2, "app/ui": 1}
