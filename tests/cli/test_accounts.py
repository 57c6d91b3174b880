"""A report's counters are the sums of its rows, and its transfers name their variables."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app import main
from tests.support.adapters import require_adapter

ROOT = Path(__file__).parents[2]
SCRIPT = """
a = gpuArray(single(rand(300)));
b = ones(200, 200) * 2; b(3) = 7;
s = sum(b .* b, 'all'); m = mean(a(:));
e = gather(a + 1);
fprintf('%g %g\\n', s, m);
"""


@pytest.fixture
def run_model(tmp_path: Path) -> dict[str, Any]:
    script, report = tmp_path / "sums.m", tmp_path / "r.json"
    script.write_text(SCRIPT, encoding="utf-8")
    assert main.main(["run", str(script), "--device", "gpu", "--report", str(report)]) == 0
    made: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    require_adapter(made["device"]["provider"] == "wgpu")
    return made


def test_counters_are_sums_of_rows(run_model: dict[str, Any]) -> None:
    counters, groups, lines = run_model["counters"], run_model["groups"], run_model["lines"]
    assert counters["dispatches"] == sum(g["dispatches"] for g in groups) > len(groups)
    assert counters["groups"] == sum(g["executions"] for g in groups)
    assert counters["pipeline_misses"] == sum(k["misses"] for k in run_model["kernels"])
    for direction, name in (("up", "upload"), ("down", "download")):
        rows = [t for t in run_model["transfers"] if t["direction"] == direction]
        assert counters[f"{name}s"] == len(rows)
        assert counters[f"{name}_bytes"] == sum(t["bytes"] for t in rows)
        assert counters[f"{name}_bytes"] == sum(line[f"{name}_bytes"] for line in lines)


def test_transfers_name_the_variable_of_the_script(run_model: dict[str, Any]) -> None:
    named = {(t["direction"], t["variable"]) for t in run_model["transfers"]}
    assert ("up", "b") in named
    assert run_model["transfers"][0]["cause"] == "indexed-assignment"


@pytest.mark.parametrize("option", ["--report", "--trace"])
def test_an_account_that_cannot_be_written_is_wrong_usage(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.main(["eval", "disp(7)", option, str(tmp_path)]) == 2
    out, err = capsys.readouterr()
    assert out == "     7\n"
    assert err.startswith("fuselab: cannot write the account of the run: ")


def test_the_second_start_of_a_script_compiles_nothing(tmp_path: Path) -> None:
    script, report = tmp_path / "again.m", tmp_path / "r.json"
    script.write_text(SCRIPT, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "app",
        "run",
        str(script),
        "--device",
        "gpu",
        "--report",
        str(report),
    ]
    compiled = []
    for _ in range(2):
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=60)
        made = json.loads(report.read_text(encoding="utf-8"))
        require_adapter(made["device"]["provider"] == "wgpu")
        compiled.append(made["counters"]["kernels_compiled"])
        assert made["counters"]["pipeline_hits"] + compiled[-1] >= len(made["kernels"]) > 3
    assert compiled[0] > 3
    assert compiled[1] == 0
