"""The registry: arity errors, lazy loading, one declaration per name."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from app.engine.declarations import builtin_index, effects, registry
from app.errors import InternalError, MatlabError

FOLDER = Path(registry.__file__).parents[1]


def test_every_name_is_declared_once() -> None:
    pattern = re.compile(r'^@?(?:builtin|declare_\w+)\(\s*"([\w.]+)"', re.MULTILINE)
    texts = (p.read_text(encoding="utf-8") for p in FOLDER.rglob("*.py"))
    counts = Counter(name for text in texts for name in pattern.findall(text))
    assert [n for n, k in counts.items() if k > 1] == []


def test_lookup_loads_only_the_family_of_the_name() -> None:
    code = (
        "import sys; from app.engine.declarations import registry; registry.lookup('numel');"
        "print('app.engine.operators.shapes' in sys.modules,"
        " 'app.engine.builtins.calculus.interpolation' in sys.modules, 'scipy' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=FOLDER.parents[1],
    )
    assert done.stdout.split() == ["True", "False", "False"]


@pytest.mark.parametrize(
    ("name", "args", "nargout", "identifier"),
    [
        ("numel", (), 1, "MATLAB:minrhs"),
        ("sin", (1.0, 2.0), 1, "MATLAB:maxrhs"),
        ("sin", (1.0,), 2, "MATLAB:maxlhs"),
    ],
)
def test_arity_errors(name: str, args: tuple[float, ...], nargout: int, identifier: str) -> None:
    builtin = registry.lookup(name)
    assert builtin is not None
    with pytest.raises(MatlabError) as caught:
        builtin.call(None, args, nargout)
    assert caught.value.identifier == identifier


def test_unknown_name() -> None:
    assert registry.lookup("no_such_function") is None


def test_several_outputs_come_as_a_tuple() -> None:
    builtin = registry.lookup("max")
    assert builtin is not None
    assert builtin.call(None, (np.array([[1.0, 5.0, 3.0]]),), 2) == (5.0, 2.0)


def test_a_category_without_a_reason_is_named() -> None:
    facts = {"category": "curios", "signatures": ("y = curio(x)",)}
    with pytest.raises(InternalError, match=r"curio: host_reasons\.OF_FAMILY .* 'curios'"):
        registry.Builtin("curio", lambda x: x, facts)  # type: ignore[arg-type]


def test_the_index_is_kept_until_a_module_changes(
    private_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = builtin_index._cached_tables
    kept.cache_clear()
    found = kept()
    monkeypatch.setattr(
        builtin_index, "_tables_of_modules", lambda: {"declared": {}, "operations": {}}
    )
    kept.cache_clear()
    assert kept() == found
    assert found["declared"]["numel"] == "app.engine.operators.shapes"
    monkeypatch.setattr(builtin_index, "_stamps", lambda: "of other files")
    kept.cache_clear()
    assert kept() == {"declared": {}, "operations": {}}
    kept.cache_clear()


def test_lists_of_effects_name_builtins_that_need_it() -> None:
    """A name that is gone, or says what its family says already, leads readers astray."""
    for names, in_family in ((effects._EXCEPT, True), (effects._OTHERS, False)):
        for name in names:
            builtin = registry.lookup(name)
            assert builtin is not None, name
            assert (builtin.category in effects._FAMILIES) is in_family, name
    for name in effects._SURROUNDINGS | effects._OF_A_WORKER:
        builtin = registry.lookup(name)
        assert builtin is not None, name
        assert effects.only_computes(name, builtin.category), name


def test_a_function_that_reads_a_file_is_not_one_that_only_computes() -> None:
    """Its declaration says so; no list has to name it."""
    facts = {"category": "images", "signatures": ("y = seen(f)",)}
    reading = {**facts, "reads_file": True}
    assert registry.Builtin("seen", lambda x: x, facts).is_pure  # type: ignore[arg-type]
    assert not registry.Builtin("seen", lambda x: x, reading).is_pure  # type: ignore[arg-type]
    assert not any(registry.lookup(name).is_pure for name in ("imread", "imfinfo", "VideoReader"))
