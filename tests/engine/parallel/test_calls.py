"""Futures, queues, constants, spmd and pools as scripts use them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.errors import MatlabError
from tests.engine.parallel.running import Owner, alive, segments, wait_until


@pytest.fixture(scope="module")
def owner() -> Iterator[Owner]:
    before = segments()
    made = Owner(2)
    yield made
    made.close()
    assert wait_until(lambda: segments() <= before)  # others may have some just now


TRUE = [
    "c = Composite(); c{1} = 4; e = exist(c); c{2} = 5; spmd, d = c + 1; end, t = isequal([d{:}], [5 6]) && isequal(e, [true false]);",
    "c = Composite(2); c(:) = {7}; q = c(1:2); c(1:2) = {1, 2}; [a, b] = c{:}; t = isequal(q, {7, 7}) && a + b + c{end} == 5;",
    "q = parallel.pool.DataQueue; c = containers.Map('n', 0); l = afterEach(q, @(v) more(c, v)); send(q, 1); k = isvalid(l);\n"
    "delete(l); send(q, 2); t = c('n') == 1 && q.QueueLength == 1 && k && ~isvalid(l);\n"
    "function more(c, v)\nc('n') = c('n') + v;\nend",
    "f = parfeval(@pause, 0, 60); cancel(f); t = strcmp(f.State, 'finished') && isa(f.Error, 'MException');",
    "f(1) = parfeval(@pause, 0, 60); f(2) = parfeval(@pause, 0, 60); q = gcp().FevalQueue; n = numel([q.QueuedFutures; q.RunningFutures]);\n"
    "cancelAll(q); t = n == 2 && isempty(q.RunningFutures) && all(strcmp({f.State}, 'finished'));",
    "f = parfeval(@() 1, 1); wait(f); t = f.FinishDateTime >= f.CreateDateTime && f.RunningDuration < seconds(60);",
    "e = cell(1, 4); parfor i = 1:4, try, error('a:b', 'no %d', i); catch m, e{i} = m; end, end\n"
    "t = strcmp(e{3}.message, 'no 3') && isa(e{1}, 'MException') && ~isempty(e{2}.stack);",
    "m = addCause(MException('a:b', 'x'), MException('c:d', 'y')); try, parfor i = 1:2, throw(m); end, catch e, end\n"
    "n = fetchOutputs(parfeval(@(v) v, 1, m)); t = strcmp(e.cause{1}.identifier, 'c:d') && strcmp(n.cause{1}.message, 'y');",
    'd = dictionary("k", 5); d("k") = 6; old = d; d("k") = 7; parfor i = 1:2, y(i) = d("k")*10 + old("k"); end, t = isequal(y, [76 76]);',
    "p = makedist('Normal', 'mu', 2); f = fit((1:5)', [1 2 3 4 5.5]', 'poly1'); parfor i = 1:2, y(i) = cdf(p, 2); z(i) = f(2); g(i) = differentiate(f, 2); end\n"
    "t = all(y == 0.5) && all(z == f(2)) && all(abs(g - f.p1) < 1e-6);",
    "s = parallel.pool.Constant(RandStream('mrg32k3a', 'Seed', 2)); parfor i = 1:4, x = s.Value; x.Substream = i; y(i) = rand(x); end\n"
    "x = RandStream('mrg32k3a', 'Seed', 2); x.Substream = 3; t = y(3) == rand(x) && numel(unique(y)) == 4;",
    "p = gcp; c = parcluster; q = parallel.pool.PollableDataQueue; f = parfeval(@plus, 1, 1, 2); wait(f);\n"
    "t = strcmp(class(p), 'parallel.ProcessPool') && isa(p, 'parallel.Pool') && isa(c, 'parallel.Cluster') && isvalid(p)"
    " && isa(f, 'parallel.Future') && isa(q, 'parallel.pool.AbstractDataQueue') && ~isa(c, 'parallel.Pool') && isa(f, 'handle');",
    "f = parfeval(@plus, 1, 1, 2); wait(f); t = ismethod(f, 'fetchOutputs') && isprop(f, 'State') && isa(f.Parent, 'parallel.FevalQueue')"
    " && contains(evalc('f'), 'Function: @plus') && contains(evalc('p = gcp'), 'NumWorkers: 2') && ~isempty(regexp(char(f.RunningDuration), '^00:00:\\d\\d$', 'once'));",
    "F = parallel.FevalFuture.empty; for k = 1:3, F(end+1) = parfeval(@(v) v, 1, k); end, t = isequal(fetchOutputs(F), [1; 2; 3]);",
    'spmd, if spmdIndex == 1, [b, s] = spmdReceive("any", 4); else, spmdSend(7, 1, 4); end, end, t = b{1} == 7 && s{1} == 2;',
    "f = parfeval(@plus, 1, 2, 3); t = fetchOutputs(f) == 5;",
    "f = parfeval(@(x) x*10, 1, 4); wait(f); t = strcmp(f.State, 'finished') && fetchOutputs(f) == 40;",
    "f = parfeval('max', 2, [3 9 4]); [m, k] = fetchOutputs(f); t = m == 9 && k == 2;",
    "for k = 1:4, f(k) = parfeval(@(x) x^2, 1, k); end; t = isequal(fetchOutputs(f), [1; 4; 9; 16]);",
    "f(1:3) = parallel.FevalFuture; for k = 1:3, f(k) = parfeval(@(x) x, 1, k); end\n"
    "s = 0; for k = 1:3, [i, v] = fetchNext(f); s = s + (i == v); end; t = s == 3;",
    "f = parfeval(@() ones(2), 1); g = afterEach(f, @(x) sum(x(:)), 1); t = fetchOutputs(g) == 4;",
    "for k = 1:3, f(k) = parfeval(@(x) x, 1, k); end; g = afterAll(f, @(x) sum(x), 1); t = fetchOutputs(g) == 6;",
    "f = parfeval(backgroundPool, @numel, 1, 1:7); t = fetchOutputs(f) == 7;",
    "f = parfeval(@() fprintf('hi'), 0); wait(f); t = strcmp(f.Diary, 'hi');",
    "f = parfeval(@error, 0, 'a:b', 'no'); wait(f); t = strcmp(f.Error.identifier, 'a:b');",
    "f = parfeval(@pause, 0, 60); cancel(f); wait(f); t = contains(f.Error.identifier, 'Cancel');",
    "f = parfevalOnAll(@() 3, 1); t = isequal(fetchOutputs(f), [3; 3]);",
    "f = parfeval(@() {1}, 1); c = fetchOutputs(f, 'UniformOutput', false); t = iscell(c{1});",
    "rng(4); a = fetchOutputs(parfeval(@rand, 1)); rng(4); t = a == fetchOutputs(parfeval(@rand, 1));",
    "rng(4); a = fetchOutputs(parfeval(@rand, 1)); t = a ~= fetchOutputs(parfeval(@rand, 1));",
    "q = parallel.pool.PollableDataQueue; parfor i = 1:4, send(q, i); end; s = 0;\n"
    "for k = 1:4, s = s + poll(q, 2); end; t = s == 10 && isempty(poll(q));",
    "q = parallel.pool.DataQueue; c = containers.Map('n', 0); afterEach(q, @(v) more(c, v));\n"
    "parfor i = 1:4, send(q, i); end; t = c('n') == 10;\n"
    "function more(c, v)\nc('n') = c('n') + v;\nend",
    "c = parallel.pool.Constant(@() magic(4)); parfor i = 1:4, y(i) = sum(c.Value(:, i)); end; t = all(y == 34);",
    "c = parallel.pool.Constant(5); parfor i = 1:4, y(i) = c.Value; end; t = all(y == 5);",
    "spmd, x = spmdIndex * 10; end; t = isa(x, 'Composite') && x{1} == 10 && x{2} == 20;",
    "a = 5; spmd, y = a + spmdIndex; end; spmd, y = y * 2; end; t = y{1} == 12 && y{2} == 14;",
    "spmd, s = spmdPlus(spmdIndex); c = spmdCat(spmdIndex); r = spmdReduce(@max, spmdIndex); end\n"
    "t = s{2} == 3 && isequal(c{1}, [1 2]) && r{1} == 2;",
    "spmd, if spmdIndex == 1, spmdSend('word', 2, 7); w = ''; else, w = spmdReceive(1, 7); end, end\n"
    "t = strcmp(w{2}, 'word');",
    "spmd, n = numlabs; k = labindex; spmdBarrier; b = spmdBroadcast(2, k); end; t = n{1} == 2 && b{1} == 2;",
    "spmd, v = spmdSendReceive(3 - spmdIndex, 3 - spmdIndex, spmdIndex); end; t = v{1} == 2 && v{2} == 1;",
    "spmd (1), x = spmdSize; end; t = x{1} == 1;",
    "spmd (0), x = spmdSize; end; t = x == 1;",
    "p = gcp('nocreate'); t = p.NumWorkers == 2 && p.Connected;",
    "ticBytes(gcp); parfor i = 1:4, y(i) = i; end; b = tocBytes(gcp); t = isequal(size(b), [2 2]) && all(sum(b) > 0);",
    "j = batch(@plus, 1, {3, 4}); wait(j); c = fetchOutputs(j); t = isequal(c, {7});",
    "j = createJob; createTask(j, @(x) x^2, 1, {{2}, {3}}); p = j.State; submit(j); wait(j); c = fetchOutputs(j);\n"
    "t = isequal(c, {4; 9}) && strcmp(p, 'pending') && strcmp(j.State, 'finished') && numel(j.Tasks) == 2;",
    "j = batch(@error, 0, {'a:b', 'no'}); wait(j); try, fetchOutputs(j); t = false; catch e, t = strcmp(e.identifier, 'a:b'); end",
    "try, batch(@pwd, 1, {}, 'CaptureDiary', false); t = false; catch e, t = strcmp(e.identifier, 'parallel:batch:DiaryIsKept'); end",
    "j = batch(@pwd, 1, {}, 'CurrentFolder', matlabroot, 'AdditionalPaths', {tempdir}); wait(j); c = fetchOutputs(j); was = pwd; cd(matlabroot); t = strcmp(c{1}, pwd); cd(was);",
    "j = batch(@pause, 0, {60}); cancel(j); t = wait(j) && contains(j.Tasks(1).ErrorIdentifier, 'Cancel');",
    "q = parallel.pool.PollableDataQueue; parfor i = 1:3, q.send(i); end; t = q.poll(2) + poll(q, 2) + poll(q, 2) == 6;",
    "p = gcp; parfor (i = 1:3, p), y(i) = i; end; t = isequal(y, 1:3);",
    "parfor i = 1:4, w = getCurrentWorker; k = getCurrentTask; id(i) = w.ID == k.ID && w.ProcessId > 0; end\n"
    "t = all(id) && isempty(getCurrentWorker) && canUseParallelPool;",
    "spmd, s = gplus(labindex); c = gcat(labindex); m = gop(@max, labindex); labBarrier; b = labBroadcast(1, s); end\n"
    "t = s{2} == 3 && isequal(c{1}, [1 2]) && m{1} == 2 && b{2} == 3;",
    "c = parcluster('local'); c.NumWorkers = 1; c.JobStorageLocation = tempdir; t = c.NumWorkers == 1;",
    "pctRunOnAll x_ = 1;\nt = x_ == 1 && matlabpool('size') == 2;",
    "addAttachedFiles(gcp, {}); t = strcmp(parallel.defaultClusterProfile, 'Processes');",
    "o = parforOptions(gcp, 'RangePartitionMethod', 'fixed', 'SubrangeSize', 2); s = 0;\n"
    "parfor (i = 1:9, o), s = s + i; end; t = s == 45;",
]


@pytest.mark.parametrize("program", TRUE)
def test_true(owner: Owner, program: str) -> None:
    owner.run("clear;" + program)
    assert owner.value("t") is True


FAILS = [
    ("fetchOutputs(parfeval(@error, 0, 'a:b', 'no'));", "a:b"),
    ("parpool(2);", "parallel:convenience:ConnectionOpen"),
    ("spmd, error('x:y', 'bad'); end", "x:y"),
    ("spmd, if spmdIndex == 1, error('x:y', 'bad'); else, spmdReceive(1); end, end", "x:y"),
    ("spmd, x = 1; end; x{3}", "parallel:composite:BadIndex"),
    ("parcluster('slurm')", "parallel:cluster:UnknownProfile"),
    ("parforOptions(gcp, 'Speed', 3)", "parallel:parfor:UnknownOption"),
    ("parforOptions(gcp, 'MaxNumWorkers')", "MATLAB:InputParser:ParamMissingValue"),
    ("parforOptions(gcp, 'SubrangeSize', 3)", "parallel:parfor:UnknownOption"),
    ("parfor i = 1:2, parpool(2); end", "parallel:cluster:NestedPool"),
    ("p = gcp; p.IdleTimeout = 0;", "parallel:cluster:BadIdleTimeout"),
    ("p = gcp; p.NumWorkers = 3;", "MATLAB:class:SetProhibited"),
]


@pytest.mark.parametrize(("program", "identifier"), FAILS)
def test_fails(owner: Owner, program: str, identifier: str) -> None:
    with pytest.raises(MatlabError) as caught:
        owner.run("clear;" + program)
    assert caught.value.identifier == identifier
    owner.run("clear; s = 0; parfor i = 1:3, s = s + i; end")
    assert owner.value("s") == 6.0


def test_a_script_as_a_batch_job(
    owner: Owner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "work.m").write_text("total = sum(1:n); disp(total)\n")
    monkeypatch.chdir(tmp_path)
    owner.session.folder_changed()
    owner.text = ""
    owner.run(
        "clear; n = 4; j = batch('work'); wait(j); n = 0; load(j); diary(j); s = load(j, 'total');"
    )
    assert (owner.value("n"), owner.value("total")) == (4.0, 10.0)
    assert "10" in owner.text


def test_a_pool_that_a_script_starts_and_ends() -> None:
    owner = Owner()
    owner.run(
        "p = parpool('local', [1 1]); n = p.NumWorkers; delete(p); e = isempty(gcp('nocreate'));"
    )
    assert (owner.value("n"), owner.value("e")) == (1.0, True)
    owner.close()


REFUSED = [
    ("parpool(1, 'IdleTimeout')", "MATLAB:InputParser:ParamMissingValue"),
    ("parpool(1, 'IdleTimeout', -1)", "parallel:cluster:BadIdleTimeout"),
    ("parpool(1, 'IdleTimeout', 'long')", "parallel:cluster:BadIdleTimeout"),
    ("parpool(1, 'SpmdEnabled', 2)", "parallel:cluster:BadOption"),
    ("parpool(1, 'AutoAddClientPath', false)", "parallel:cluster:UnsupportedOption"),
    ("parpool(1, 'AttachedFiles', {'nowhere.txt'})", "parallel:cluster:FileNotFound"),
    ("parpool(1, 'Speed', 3)", "parallel:cluster:UnknownOption"),
]


@pytest.mark.parametrize(("program", "identifier"), REFUSED)
def test_options_of_a_pool_that_are_refused(program: str, identifier: str) -> None:
    owner = Owner()
    with pytest.raises(MatlabError) as caught:
        owner.run(program)
    assert caught.value.identifier == identifier
    assert owner.parallel.pool is None
    owner.close()


def test_attached_code_must_be_what_is_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "twice_it.m").write_text("function y = twice_it(x), y = 2*x; end\n")
    (tmp_path / "numbers.txt").write_text("1 2\n")
    owner = Owner()
    for name in ("lib/twice_it.m", "lib"):
        with pytest.raises(MatlabError) as caught:
            owner.run(f"parpool(1, 'AttachedFiles', {{'{name}'}})")
        assert caught.value.identifier == "parallel:cluster:FileNotOnPath"
    owner.run(
        "addpath lib; p = parpool(1, 'AttachedFiles', {'lib/twice_it.m', 'numbers.txt'});"
        "n = numel(p.AttachedFiles); y = fetchOutputs(parfeval(@twice_it, 1, 4));"
    )
    assert (owner.value("n"), owner.value("y")) == (2.0, 8.0)
    owner.close()


def test_an_idle_pool_ends_and_the_next_call_starts_another() -> None:
    owner = Owner()
    owner.run(
        "p = parpool(1, 'IdleTimeout', 60, 'SpmdEnabled', false); t = p.IdleTimeout;"
        "try, spmd, x = 1; end, e = ''; catch problem, e = problem.identifier; end"
    )
    assert (owner.value("t"), owner.value("e")) == (60.0, "parallel:lang:spmd:NotEnabled")
    held = owner.processes()
    owner.run("p.IdleTimeout = 0.3/60;")
    assert wait_until(lambda: not any(map(alive, held)))
    owner.run("c = p.Connected; e = isempty(gcp('nocreate'));")
    assert (owner.value("c"), owner.value("e")) == (False, True)
    owner.run("y = fetchOutputs(parfeval(@plus, 1, 2, 3));")
    assert owner.value("y") == 5.0
    owner.close()


def test_work_keeps_a_pool_from_being_idle() -> None:
    owner = Owner()
    owner.run(
        "p = parpool(1, 'IdleTimeout', 0.2/60); held = fetchOutputs(parfeval(@late, 1));"
        "function y = late, pause(1.2); y = 5; end"
    )
    assert owner.value("held") == 5.0
    owner.close()


def test_workers_have_tracks_in_the_timeline(owner: Owner) -> None:
    runtime = owner.session.interpreter.runtime
    assert runtime is not None
    told = []
    leave = runtime.recorder.subscribe(told.append)
    owner.run(
        "\nparfor i = 1:2, y(i) = i; end\nf = parfeval(@sin, 1, 0); wait(f); spmd, x = 1; end"
    )
    leave()
    found = {(e.track, e.name, e.line) for e in told if e.track.startswith("Worker ")}
    assert {(t, "spmd", 0) for t in ("Worker 1", "Worker 2")} < found
    assert {name.partition(": ")[0] for _, name, line in found if line} == {"line 2"}
    assert "sin" in {name for _, name, _ in found}
    assert all(e.duration > 0 for e in told if e.track.startswith("Worker "))


def test_a_deleted_pool_is_no_valid_one_and_deletes_no_other() -> None:
    owner = Owner(1)
    owner.run("p = gcp; delete(p); q = parpool('Threads', 1); delete(p); x = evalc('p');")
    owner.run(
        "t = ~isvalid(p) && isvalid(q) && ~p.Connected && gcp().NumWorkers == 1"
        " && isa(gcp, 'parallel.ThreadPool') && contains(x, 'handle to deleted ProcessPool');"
    )
    assert owner.value("t") is True
    owner.close()


def test_what_a_worker_printed_last_is_known(owner: Owner) -> None:
    owner.text = ""
    owner.run("parfor i = 1:4, fprintf('pass %d\\n', i); end")
    pool = owner.parallel.pool
    assert pool is not None
    assert sorted(owner.text.split("\n")[:-1]) == [f"pass {k}" for k in range(1, 5)]
    assert "".join(w.printed for w in pool.workers).count("pass") >= 4
