"""``distributed``: matrices in blocks give what matrices give, and say what they cannot do."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.errors import MatlabError
from tests.engine.parallel.running import Owner

BEFORE = """A = reshape(mod(1:35, 11), 5, 7) - 3; B = reshape(mod(1:21, 5), 7, 3); v = (1:7)'; x = [NaN 2; 3 -Inf; 0 1];
e = zeros(0, 4); w = 2.5; i8 = int8([100 50; 100 3]);"""
FORMS = """
A + 1
2*A.*A - A
A + (1:7)
(1:5)' - A
v + v'
v' .* v
w + w
w*A
A/4
sum(A)
sum(A, 2)
sum(A, 'all')
sum(i8)
sum(i8, 2)
sum(x, 'omitnan')
prod(A, 2)
max(A)
max(A, [], 2)
max(x, [], 'all')
min(x)
min(A, 0)
max(3, A)
mean(A)
mean(v)
any(A > 5)
all(A, 2)
A*B
B'*A'
A*v
v'*B
v*v'
A'
(A + 2i).'
(A + 2i)'
A' * A
A * A'
norm(v, 1)
norm(A, Inf)
dot(v, v)
A(2:3, 4)
A(:, end)
A(end)
e + 1
sum(e)
e'
exp(w)
mod(A, 3) == 1 | A > 4
single(A) + int8(w) > 2
isnan(x)
abs(-v)
"""


@pytest.fixture(scope="module")
def owner() -> Iterator[Owner]:
    made = Owner(3)
    yield made
    made.close()


@pytest.mark.parametrize("form", FORMS.strip().splitlines())
def test_the_same_as_of_a_matrix(owner: Owner, form: str) -> None:
    whole = f"clear; {BEFORE} wanted = {form};"
    blocks = "".join(f"{n} = distributed({n});" for n in ("A", "B", "v", "x", "e", "w", "i8"))
    owner.run(f"{whole} {blocks} found = {form}; is = isdistributed(found); found = gather(found);")
    owner.run("ok = is && isequaln(found, wanted) && strcmp(class(found), class(wanted));")
    assert owner.value("ok") is True


@pytest.mark.parametrize("name", ["A", "B", "v"])
def test_with_a_matrix_on_either_side(owner: Owner, name: str) -> None:
    for form in ("A*B", "A*v", "A.*A - v(1)", "A'*A", "v'*v", "B' + 1"):
        owner.run(f"clear; {BEFORE} wanted = {form}; {name} = distributed({name});")
        owner.run(f"ok = isequal(gather({form}), wanted);")
        assert owner.value("ok") is True


def test_parts_of_workers_give_what_matrices_give(owner: Owner) -> None:
    forms = [f for f in FORMS.strip().splitlines() if f != "sum(x, 'omitnan')"]
    names = ("A", "B", "v", "x", "e", "w", "i8")
    parts = "".join(f"{n} = codistributed({n});" for n in names)
    wanted = "".join(f"wanted{{{k}}} = {form};" for k, form in enumerate(forms, 1))
    found = "".join(f"found{{{k}}} = gather({form});" for k, form in enumerate(forms, 1))
    owner.run(f"clear; {BEFORE} {wanted} spmd, {parts} found = {{}}; {found} end")
    owner.run(
        "same = cellfun(@(a, b) isequaln(a, b) && strcmp(class(a), class(b)), found{3}, wanted);"
    )
    owner.run("wrong = find(~same); ok = isequaln(found{1}, found{2}) && isempty(wrong);")
    assert owner.value("ok") is True, owner.value("wrong")


CODISTRIBUTED = """
clear; M = magic(6);
spmd
  B = codistributed(M); k = globalIndices(B, 2); B(2, 3) = 100; x = gather(B(2, 3));
  R = redistribute(B, codistributor('1d', 1)); z = size(getLocalPart(R)); c = getCodistributor(R); p = c.Partition;
  Z = codistributed.zeros(2, 7, 'single', codistributor1d(2, [3 3 1])); n = size(getLocalPart(Z), 2);
  Q = codistributed.build(spmdIndex*ones(2, spmdIndex), codistributor1d(2)); r = codistributed.rand(3, 4);
  t = 0; for i = drange(1:10), t = t + i; end, t = spmdPlus(t); E = gather(max(codistributed.eye(2), [], 2));
end
M(2, 3) = 100; q = [1 2 2 3 3 3; 1 2 2 3 3 3];
ok = isequal(gather(B), M) && isa(B, 'distributed') && isequal(k{3}, [5 6]) && x{1} == 100 && isequal(z{2}, [2 6])
  && isequal(p{1}, [2 2 2]) && isequal([n{:}], [3 3 1]) && isequal(gather(Q), q) && t{2} == 55 && isequal(E{3}, [1; 1])
  && numel(unique(gather(r))) == 12;
D = distributed(M); spmd (2), W = D*2; l = size(getLocalPart(D)); s = isa(D, 'codistributed'); end
ok = ok && isequal(gather(W), 2*M) && isequal(l{2}, [6 3]) && s{1};
"""


def test_codistributed_and_distributed_become_each_other(owner: Owner) -> None:
    owner.run(CODISTRIBUTED.replace("\n  &&", " ...\n  &&"))
    assert owner.value("ok") is True
    with pytest.raises(MatlabError, match="does not cut an array"):
        owner.run("spmd, codistributed(ones(3), codistributor1d(2, [1 1])); end")


def test_blocks_are_made_by_the_workers(owner: Owner) -> None:
    owner.run(
        "clear; rng(4); a = distributed.rand(5, 8); rng(4); b = distributed.rand(5, 8); o = distributed.ones(9, 1, 'single');"
        "ok = isequal(gather(a), gather(b)) && isequal(size(a), [5 8]) && numel(unique(gather(a))) == 40"
        " && isequal(gather(o), ones(9, 1, 'single')) && isequal(gather(distributed.eye(3)), eye(3));"
    )
    assert owner.value("ok") is True


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ("svd(D)", "do not support svd"),
        ("D \\ D", "do not support mldivide by a matrix"),
        ("[D D]", "do not support horzcat"),
        ("D{1}", "do not support indexing with {}"),
        ("D*ones(3)", "Incorrect dimensions"),
        ("D + ones(3)", "incompatible sizes"),
        ("distributed('abc')", "a matrix of numbers or truth values"),
        ("norm(D)", "do not support this norm"),
    ],
)
def test_what_is_refused_is_named(owner: Owner, form: str, message: str) -> None:
    owner.run("clear; D = distributed(ones(5, 7));")
    with pytest.raises(MatlabError) as found:
        owner.run(f"x = {form};")
    assert message in found.value.message
    with pytest.raises(MatlabError, match="an assignment to elements"):
        owner.run("D(2) = 1;")
