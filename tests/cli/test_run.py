"""The command line as a user's shell sees it."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app import main, paths

Run = Callable[..., tuple[int, str, str]]
ROOT = Path(__file__).parents[2]


@pytest.fixture
def fuselab(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command line in this process: exit code, standard output, standard error."""

    def run(*arguments: str) -> tuple[int, str, str]:
        code = main.main(arguments)
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def script(folder: Path, text: str, name: str = "s.m") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_long_code_is_no_file_name(fuselab: Run) -> None:
    assert fuselab("eval", "x = 0; " + "x = x + 1; " * 400 + "disp(x)") == (0, "   400\n", "")


def test_eval_displays(fuselab: Run) -> None:
    assert fuselab("eval", "x = 1 + 2") == (0, "x =\n\n     3\n\n", "")


def test_run_prints_only_the_script_output(fuselab: Run, tmp_path: Path) -> None:
    path = script(tmp_path, "for k = 1:3\n fprintf('%d\\n', k);\nend\n")
    assert fuselab("run", path) == (0, "1\n2\n3\n", "")


def test_files_left_open_are_written_out_at_the_end(tmp_path: Path) -> None:
    path = script(tmp_path, "f = fopen('left.txt', 'w'); fprintf(f, '%d,', 1:3);")
    command = [sys.executable, "-m", "app", "run", path]
    subprocess.run(command, cwd=tmp_path, check=True, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert (tmp_path / "left.txt").read_text() == "1,2,3,"


def test_functions_beside_the_script_are_found_from_anywhere(fuselab: Run, tmp_path: Path) -> None:
    script(tmp_path, "function y = doubled(x)\ny = 2*x;\nend\n", "doubled.m")
    path = script(tmp_path, "fprintf('%d\\n', doubled(4));\n")
    assert fuselab("run", path) == (0, "8\n", "")


def test_a_folder_that_was_removed_is_left_by_its_name(
    fuselab: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code = "mkdir a; cd a; before = pwd; rmdir(before); disp(pwd); try, cd b, catch e, "
    code += "disp(e.identifier), end, cd ..; disp(pwd), mkdir b; old = cd('b'); disp(old)"
    told = [tmp_path / "a", "MATLAB:cd:NonExistentFolder", tmp_path, tmp_path]
    assert fuselab("eval", code) == (0, "".join(f"{line}\n" for line in told), "")


def test_standard_input_is_a_script(fuselab: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    text = io.TextIOWrapper(io.BytesIO("disp('é')".encode()), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", text)
    assert fuselab("run", "-") == (0, "é\n", "")


def test_function_file_is_called_with_the_arguments(fuselab: Run, tmp_path: Path) -> None:
    path = script(
        tmp_path, "function hello(who, n)\nfprintf('%s %s\\n', who, n);\nend\n", "hello.m"
    )
    assert fuselab("run", path, "--", "you", "--two") == (0, "you --two\n", "")


@pytest.mark.parametrize(
    ("header", "body", "shown"),
    [
        ("y = alone(x)", "y = 6;", "ans =\n\n     6\n\n"),
        ("[a, b] = alone", "a = true; b = 2;", "ans =\n\n  logical\n\n   1\n\n"),
        ("varargout = alone", "varargout = {7, 8};", "ans =\n\n     7\n\n"),
        ("varargout = alone", "varargout = {};", ""),
        ("y = alone", "", ""),
        ("alone", "x = 5;", ""),
    ],
)
def test_what_a_function_file_gives_is_shown_as_at_the_prompt(
    fuselab: Run, tmp_path: Path, header: str, body: str, shown: str
) -> None:
    (tmp_path / "alone.m").write_text(f"function {header}\n{body}\nend\n")
    code, out, _ = fuselab("run", str(tmp_path / "alone.m"))
    assert (code, out) == (0, shown)


def test_runtime_error_names_place_caret_and_stack(fuselab: Run, tmp_path: Path) -> None:
    path = script(
        tmp_path, "x = 1;\ny = inner(x);\nfunction r = inner(a)\n  r = a + nothing;\nend\n"
    )
    code, out, err = fuselab("run", path)
    assert (code, out) == (1, "")
    first, source, caret, *stack = err.splitlines()
    assert first.startswith(f"{path}:4:11: error: ")
    assert "'nothing'" in first
    assert "MATLAB:UndefinedFunction" in first
    assert source == "      r = a + nothing;"
    assert caret == "    " + " " * 10 + "^" * 7
    assert [line.strip() for line in stack] == [f"in inner ({path}:4)", f"in s ({path}:2)"]


def test_syntax_error_runs_nothing(fuselab: Run, tmp_path: Path) -> None:
    path = script(tmp_path, "disp('before')\nx = [1 2\n")
    code, out, err = fuselab("run", path)
    assert (code, out) == (1, "")
    assert err.startswith(f"{path}:2:5: error: ")
    assert "\n    x = [1 2\n        ^\n" in err


def test_error_keeps_what_was_printed(fuselab: Run) -> None:
    code, out, err = fuselab("eval", "disp(1); error('my:id', 'no %d', 5)")
    assert (code, out) == (1, "     1\n")
    assert "error: no 5 [my:id]" in err


def test_missing_file_is_wrong_usage(fuselab: Run) -> None:
    code, _, err = fuselab("run", "nowhere.m")
    assert (code, err) == (2, "fuselab: there is no file nowhere.m\n")


def test_folder_is_wrong_usage(fuselab: Run, tmp_path: Path) -> None:
    assert fuselab("run", str(tmp_path))[0] == 2


def test_latin1_runs_with_a_warning(fuselab: Run, tmp_path: Path) -> None:
    path = tmp_path / "old.m"
    path.write_bytes(b"disp('\xe9')\n")
    code, out, err = fuselab("run", str(path))
    assert (code, out) == (0, "é\n")
    assert "not UTF-8; read as Latin-1" in err


def test_binary_is_refused(fuselab: Run, tmp_path: Path) -> None:
    path = tmp_path / "picture.m"
    path.write_bytes(b"\x89PNG\0\0")
    code, _, err = fuselab("run", str(path))
    assert code == 2
    assert "not a text file" in err


def test_internal_error_says_where_the_report_is(
    fuselab: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: object) -> int:
        raise RuntimeError("broken")

    monkeypatch.setattr("app.cli.run.do_eval", broken)
    code, _, err = fuselab("eval", "1;")
    assert code == 3
    assert "internal error" in err
    written = Path(err.split("the crash report is ")[1].strip())
    assert "RuntimeError: broken" in written.read_text(encoding="utf-8")


def test_bug_in_a_builtin_is_an_internal_error(
    fuselab: Run, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from app.engine.declarations import registry

    def broken(*_: object) -> None:
        raise AttributeError("ours")

    monkeypatch.setattr(registry.lookup("magic"), "_invoke", broken)
    caplog.expected = True  # type: ignore[attr-defined]
    code, _, err = fuselab("eval", "x = magic(4);")
    assert code == 3
    assert "<eval>:1:5: error: Internal error in Fuselab (AttributeError: ours)" in err
    written = Path(err.split("the crash report is ")[1].split("\n")[0])
    assert "AttributeError: ours" in written.read_text(encoding="utf-8")


def test_path_finds_functions(fuselab: Run, tmp_path: Path) -> None:
    script(tmp_path, "function y = twice(x)\ny = 2 * x;\nend\n", "twice.m")
    assert fuselab("eval", "disp(twice(4))", "--path", str(tmp_path)) == (0, "     8\n", "")


def test_restricted_runs_refuse_system_commands(fuselab: Run) -> None:
    code, out, err = fuselab("eval", "system('echo outside');", "--restricted")
    assert (code, out) == (1, "")
    assert "--restricted" in err


def test_seed_decides_the_random_numbers(fuselab: Run) -> None:
    outputs = [fuselab("eval", "fprintf('%.17g\\n', rand)", "--seed", s)[1] for s in "778"]
    assert outputs[0] == outputs[1] != outputs[2]


@pytest.mark.parametrize(("call", "expected"), [("exit", 0), ("exit(7)", 7), ("quit", 0)])
def test_exit_ends_the_script_with_its_code(fuselab: Run, call: str, expected: int) -> None:
    code, out, _ = fuselab("eval", f"disp(1); {call}; disp(2)")
    assert (code, out) == (expected, "     1\n")


def test_toc_waits_for_what_is_lazy(fuselab: Run, tmp_path: Path) -> None:
    code = "x = rand(100000, 1); tic; y = x + 1; z = sum(y); t = toc;"
    made = reported(fuselab, tmp_path, "eval", code, "--device", "cpu")
    assert [b["detail"] for b in made["boundaries"]] == ["toc"]
    where = {row["name"]: row["where"] for row in made["residency"]}
    assert (where["y"], where["z"]) == ("lazy", "host")


@pytest.mark.parametrize(
    ("code", "captured"),
    [
        ("x = rand(5000, 1); y = x + 1; s = sum(exp(y))", False),
        ("x = rand(5000, 1); for k = 1:20, x = 0.5*x + 1; end", False),
        ("x = rand(5000, 1); for k = 1:2000, x = 0.5*x + 1; end", True),
        ("q = rand(9000, 1); while numel(q) > 8000, q(1) = []; q = q + 1; end", False),
    ],
)
def test_what_the_host_does_in_a_moment_is_not_planned(
    fuselab: Run, tmp_path: Path, code: str, captured: bool
) -> None:
    made = reported(fuselab, tmp_path, "eval", f"{code};", "--device", "cpu")
    assert bool(made["counters"]["captured_ops"]) is captured


# --- report and trace ---------------------------------------------------------------------


def reported(fuselab: Run, tmp_path: Path, *arguments: str) -> dict[str, Any]:
    path = tmp_path / "report.json"
    fuselab(*arguments, "--report", str(path))
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


CODE = (
    "x = rand(65536, 1, 'single'); y = sin(x).*x + 0.5; m = mean(y, 'all'); fprintf('%.4f\\n', m)"
)


@pytest.mark.parametrize("device", ["cpu", "gpu"])
def test_report_accounts_for_the_run(fuselab: Run, tmp_path: Path, device: str) -> None:
    made = reported(fuselab, tmp_path, "eval", CODE, "--device", device)
    assert (made["schema"], made["status"], made["error"]) == (1, "ok", None)
    assert made["counters"]["captured_ops"] >= 4
    assert made["groups"]
    assert {g["provider"] for g in made["groups"]} == {"host" if device == "cpu" else "wgpu"}
    assert made["wall_ms"] > 0
    assert made["startup_ms"] > 0


def test_report_of_a_failed_run_has_the_error(fuselab: Run, tmp_path: Path) -> None:
    made = reported(fuselab, tmp_path, "eval", "x = 1;\nerror('a:b', 'no')")
    assert made["status"] == "error"
    assert made["error"]["identifier"] == "a:b"
    assert (made["error"]["line"], made["error"]["message"]) == (2, "no")


def test_trace_has_all_tracks(fuselab: Run, tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    fuselab("eval", CODE, "--trace", str(path))
    events = json.loads(path.read_text(encoding="utf-8"))["traceEvents"]
    assert any(e["ph"] == "X" for e in events)


def test_explain_tells_of_every_line(fuselab: Run, tmp_path: Path) -> None:
    path = script(tmp_path, CODE.replace("; ", ";\n"))
    code, out, err = fuselab("explain", path, "--format", "json")
    assert code == 0
    rows = json.loads(out)["lines"]
    assert any(row["groups"] for row in rows)
    assert err.startswith("0.")


# --- processes ----------------------------------------------------------------------------


def start(*arguments: str, **more: Any) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "app", *arguments]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, cwd=ROOT, **pipes, **more)


def test_control_c_interrupts_with_130() -> None:
    code = "disp('ready'); k = 0; while true; k = k + 1; end"
    with start("eval", code) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=120)
    assert process.returncode == 130, err


def test_a_script_without_large_arrays_loads_no_operations_of_the_graph() -> None:
    code = (
        "import sys; from app import main; main.main(['eval', 'x = 1; x(3) = 2;'])\n"
        "print([m for m in sys.modules if m.startswith('app.accel.ir.op')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_a_short_loop_loads_neither_the_compiler_nor_what_traces_passes() -> None:
    code = (
        "import sys; from app import main\n"
        "main.main(['eval', 's = 0; for k = 1:20, s = s + k; end, for k = 1:9, s = max(s, k); end'])\n"
        "late = ('app.engine.jit.loop_version', 'app.engine.interpreter.loops.tracer', 'llvmlite')\n"
        "print([m for m in late if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_headless_verbs_import_no_qt() -> None:
    code = (
        "import sys; from app.main import main\n"
        "main(['eval', 'x = rand(2000, 1); disp(mean(x) > 0)'])\n"
        "main(['check', sys.argv[1]]); main(['help', 'sin']); main(['device'])\n"
        "bad = [m for m in sys.modules if m.split('.')[0] in ('PySide6', 'shiboken6', 'pyqtgraph')]\n"
        "sys.exit(repr(bad) if bad else 0)\n"
    )
    example = str(paths.resource("examples/quickstart.m"))
    done = subprocess.run(
        [sys.executable, "-c", code, example],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr


def test_no_gpu_at_all_works_on_the_host(tmp_path: Path) -> None:
    report = tmp_path / "r.json"
    import os

    environ = {**os.environ, "VK_DRIVER_FILES": "/none", "VK_ICD_FILENAMES": "/none"}
    environ |= {"WGPU_BACKEND_TYPE": "Vulkan"}
    for device, said in (("auto", 0), ("gpu", 1)):
        command = ("eval", CODE, "--report", str(report), "--device", device)
        with start(*command, env=environ) as process:
            out, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
        assert out.startswith("0.")
        assert err.count("no adapter for") == said, err
        made = json.loads(report.read_text(encoding="utf-8"))
        assert made["device"]["type"] == "none"
        assert {g["provider"] for g in made["groups"]} == {"host"}
        stops = [b["detail"] for b in made["boundaries"] if b["reason"] == "no-device"]
        assert ["no adapter" in stop for stop in stops] == [True] * said


def test_a_reader_that_goes_away_ends_the_script_quietly() -> None:
    command = [sys.executable, "-m", "app", "eval", "for k = 1:1e7, disp(k), end"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().strip() == b"1"
        process.stdout.close()
        assert process.wait(timeout=60) == 0
        assert process.stderr.read() == b""


def test_accounts_go_to_the_folder_the_command_was_given_in(
    fuselab: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    path = script(inner, "cd(fileparts(mfilename('fullpath')))")
    monkeypatch.chdir(tmp_path)
    assert fuselab("run", path, "--report", "r.json", "--trace", "t.json")[0] == 0
    assert sorted(p.name for p in tmp_path.glob("*.json")) == ["r.json", "t.json"]
