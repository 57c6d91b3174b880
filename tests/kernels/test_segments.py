"""Sums and counts by key: the same on the host, the device and in NumPy; accumarray made of them."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.accel.runtime.runtime import AccelOptions, Runtime
from app.api import MatlabError, Session
from tests.campaigns import long_form

if TYPE_CHECKING:
    from app.accel.backends.base import Provider
    from app.accel.ir.node import Node


@pytest.mark.parametrize("name", ["f4", "f8"])
@pytest.mark.parametrize(("count", "keys"), [(1, 1), (7, 9), (5000, 3), (5000, 4000), (70001, 700)])
@pytest.mark.parametrize("device", ["gpu", "cpu"])
def test_sums_and_counts(provider: Provider, count: int, keys: int, name: str, device: str) -> None:
    draw = np.random.default_rng(count)
    given = np.sort(draw.integers(1, keys + 1, (count, 1)), axis=0).astype(np.int32)
    values = draw.integers(-50, 50, (count, 1)).astype(name)
    if device == "gpu":
        runtime = Runtime(AccelOptions(device="gpu", verify=True), provider)
    else:
        runtime = Runtime(AccelOptions(device="cpu", verify=True))
    leaves = runtime.leaf(given), runtime.leaf(values)
    sums = runtime.apply("segment_sum", leaves, ((keys, 1),))
    shuffled = runtime.leaf(np.asfortranarray(draw.permutation(given)))
    counts = runtime.apply("tally", (shuffled,), ((keys, 1),))
    runtime.evaluate([sums, counts])
    places = given[:, 0] - 1
    assert np.array_equal(runtime.gather(counts)[:, 0], np.bincount(places, minlength=keys))
    wanted = np.bincount(places, values[:, 0], minlength=keys).astype(name)
    assert np.array_equal(runtime.gather(sums)[:, 0], wanted)
    assert runtime.recorder.counters.fallbacks == 0
    if device == "cpu":
        runtime.close()


@pytest.mark.parametrize("name", ["f4", "f8"])
@pytest.mark.parametrize(("count", "keys"), [(1, 1), (7, 9), (5000, 3), (70001, 64), (9999, 128)])
@pytest.mark.parametrize("device", ["gpu", "cpu"])
def test_sums_by_few_keys_in_any_order(
    provider: Provider, count: int, keys: int, name: str, device: str
) -> None:
    draw = np.random.default_rng(count)
    given = draw.integers(-1, keys + 3, (count, 1)).astype(np.int32)
    values = draw.integers(-50, 50, (count, 1)).astype(name)
    runtime = Runtime(
        AccelOptions(device=device, verify=True), *([provider] if device == "gpu" else [])
    )
    leaves = runtime.leaf(given), runtime.leaf(values)
    found = runtime.gather(runtime.apply("keyed_sum", leaves, ((keys, 1),)))
    inside = (given > 0) & (given <= keys)
    wanted = np.bincount(given[inside], values[inside], minlength=keys + 1)[1:].astype(name)
    assert np.array_equal(found[:, 0], wanted)
    values[given == 1] = np.nan
    leaves = leaves[0], runtime.leaf(values)
    again = runtime.gather(runtime.apply("keyed_sum", leaves, ((keys, 1),)))
    assert np.isnan(again[0, 0]) == bool((given == 1).any())
    assert np.array_equal(again[1:], found[1:])
    assert runtime.recorder.counters.fallbacks == 0
    if device == "cpu":
        runtime.close()


@pytest.mark.parametrize("name", ["f4", "f8"])
@pytest.mark.parametrize("columns", [2, 8, 11])
@pytest.mark.parametrize("device", ["gpu", "cpu"])
def test_sums_by_the_same_keys_are_done_together(
    provider: Provider, columns: int, name: str, device: str
) -> None:
    draw = np.random.default_rng(columns)
    runtime = Runtime(
        AccelOptions(device=device, verify=True), *([provider] if device == "gpu" else [])
    )
    given = draw.integers(-1, 23, (30001, 1)).astype(np.int32)
    table = draw.standard_normal((30001, columns)).astype(name)
    keys = runtime.leaf(given)

    def sums(k: int) -> Node:
        values = runtime.leaf(np.asfortranarray(table[:, k : k + 1]))
        return runtime.apply("keyed_sum", (keys, values), ((20, 1),))

    together = [sums(k) for k in range(columns)]
    runtime.evaluate(together)
    assert runtime.recorder.counters.groups == -(-columns // 8)
    if device == "gpu":
        assert runtime.recorder.counters.dispatches == 2 * -(-columns // 8)
    inside = (given > 0) & (given <= 20)
    for k, node in enumerate(together):
        found, alone = runtime.gather(node), runtime.gather(sums(k))
        assert np.array_equal(found, alone), "the same bits, whatever is done beside it"
        wanted = np.bincount(given[inside], table[:, k : k + 1][inside], minlength=21)[1:]
        assert np.allclose(found[:, 0], wanted, rtol=1e-4, atol=1e-4)
    assert runtime.recorder.counters.fallbacks == 0
    if device == "cpu":
        runtime.close()


def program(draw: random.Random) -> str:
    """One call of accumarray, some of them wrong."""
    count, keys = draw.choice([5000, 20000]), draw.choice([1, 3, 64, 1000, 30000])
    if two := draw.random() < 0.3:
        lines = [
            f"s = [mod((1:{count})'*7, {draw.choice([1, 40])}) + 1, mod((1:{count})', 9) + 1];"
        ]
    else:
        lines = [f"s = floor(mod((1:{count})'*{draw.randrange(3, 999)}.77, {keys})) + 1;"]
    lines.append(draw.choice(["", "", "s = int32(s);", "s = single(s);"]))
    lines.append(f"v = mod((1:{count})', 5); v(3) = NaN; v(9) = Inf;")
    whole = f"mod((1:{count})', 17)"
    value = draw.choice(
        ["1", "2", "0.1", whole, f"single({whole})", f"int8({whole})", "v", "[1 2]", "v > 1"]
    )
    function = draw.choice(["[]", "@sum", "@mean", "@numel", "@max", "@(x) sum(x)", "@std", "@any"])
    size = draw.choice(["[]", "[70 70]" if two else f"[{keys + 5} 1]", "[2 2]"])
    fill = draw.choice(["", ", -1", ", NaN"])
    lines.append(draw.choice([""] * 8 + ["s(4) = 0;", "s(4) = 1.5;"]))
    return "\n".join([*lines, f"y = accumarray(s, {value}, {size}, {function}{fill});"])


@pytest.mark.parametrize("seed", long_form(range(3), 1))
def test_accumarray_is_that_of_the_host(seed: int) -> None:
    draw = random.Random(seed)
    dispatches = 0
    with Session(device="cpu") as host, Session(device="gpu") as device:
        for _ in range(20):
            code = program(draw)
            found = []
            for session in (host, device):
                try:
                    session.eval(code)
                    found.append(np.asarray(session["y"]))
                except MatlabError as problem:
                    found.append(np.array(problem.message))
            assert found[0].dtype == found[1].dtype, code
            assert found[0].shape == found[1].shape, code
            if found[0].dtype.kind == "f":
                assert np.allclose(*found, rtol=1e-12, equal_nan=True), code
            else:
                assert np.array_equal(*found), code
            assert device.report is not None
            dispatches += device.report.counters["dispatches"]
    assert dispatches > 40


def test_resident_subscripts_and_values_stay_there() -> None:
    with Session(device="gpu") as s:
        s.eval(
            "i = randi(64, 1e5, 1); v = rand(1e5, 1); m = accumarray(i, v, [64 1], @mean);"
            "n = accumarray(i, 1); disp(sum(n))"
        )
        assert s.report is not None
        assert s.report.counters["download_bytes"] < 200


@pytest.mark.parametrize("name", ["f4", "f8", "u1", "i2", "i4", "u4", "i8", "b1"])
@pytest.mark.parametrize(("count", "keys"), [(1, 1), (7, 9), (5000, 3), (5000, 4000)])
@pytest.mark.parametrize("device", ["gpu", "cpu"])
def test_extremes_and_products(
    provider: Provider, count: int, keys: int, name: str, device: str
) -> None:
    draw = np.random.default_rng(count)
    given = np.sort(draw.integers(1, keys + 1, (count, 1)), axis=0).astype(np.int32)
    values = (draw.normal(size=(count, 1)) * 50).round().astype(name)
    if name[0] == "f" and count > 3:
        values[:3, 0] = np.nan, np.inf, -np.inf
    if device == "gpu":
        runtime = Runtime(AccelOptions(device="gpu", verify=True), provider)
    else:
        runtime = Runtime(AccelOptions(device="cpu", verify=True))
    leaves = runtime.leaf(given), runtime.leaf(values)
    parts = [values[given == key] for key in range(1, keys + 1)]
    functions = {"segment_max": np.fmax.reduce, "segment_min": np.fmin.reduce}
    for op, function in functions.items():
        found = runtime.gather(runtime.apply(op, leaves, ((keys, 1),)))
        wanted = np.array([function(part) if part.size else 0 for part in parts], name)
        assert np.array_equal(found[:, 0], wanted, equal_nan=name[0] == "f"), op
    if name[0] == "f":
        signs = runtime.leaf((values > 0).astype(name) * 2 - 1)
        found = runtime.gather(runtime.apply("segment_prod", (leaves[0], signs), ((keys, 1),)))
        assert np.array_equal(found[:, 0], [np.prod((p > 0) * 2 - 1) for p in parts])
    assert runtime.recorder.counters.fallbacks == 0
    if device == "cpu":
        runtime.close()


@pytest.mark.parametrize("keys", [640, 64])
def test_columns_of_the_same_subscripts_sort_them_once(keys: int) -> None:
    """Many keys: a column's values are put in order, added up and set; few: added up as they lie."""
    code = (
        f"i = randi({keys}, 1e4, 1); X = rand(1e4, 6); m = zeros({keys}, 6);"
        "for k = 1:{n}, m(:, k) = accumarray(i, X(:, k), [size(m, 1) 1]); end;"
        "disp(sum(m(:)) > 0)"
    )
    counts = []
    for n in (3, 6):
        with Session(device="gpu") as s:
            s.eval(code.format(n=n))
            assert s.report is not None
            counts.append(s.report.counters)
            sorts = [row for row in s.report.groups if "sort" in row["ops"]]
            assert len(sorts) == (keys > 128)
    more = counts[1]["dispatches"] - counts[0]["dispatches"]
    assert more <= 4 * 3  # no sort
    fetched = counts[1]["download_bytes"] - counts[0]["download_bytes"]
    assert fetched <= 0  # more passes are traced: the small matrix stays on the device


TABLE = """
label = mod((1:30000)' * 7, 20) + 1; X = reshape(mod((1:180000)' * 0.618, 1), 30000, 6);
label = gpuArray(label); X = gpuArray(X);
"""
SUMS = "S = [accumarray(label, X(:, 1), [20 1]), accumarray(label, X(:, 2), [20 1]), ..."
SUMS += "\naccumarray(label, X(:, 5), [20 1])];"
SPELLINGS = {
    "plain": f"{SUMS}\nr = gather(S);",
    "variables": "a = X(:, 1); b = X(:, 2); c = X(:, 5);\na = accumarray(label, a, [20 1]);\n"
    "b = accumarray(label, b, [20 1]); c = accumarray(label, c, [20 1]);\nr = gather([a, b, c]);",
    "struct": "p.l = label; p.X = X; p.a = accumarray(p.l, p.X(:, 1), [20 1]);\n"
    "p.S = [p.a, accumarray(p.l, p.X(:, 2), [20 1]), accumarray(p.l, p.X(:, 5), [20 1])];\n"
    "r = gather(p.S);",
    "function": f"r = gather(sums(label, X));\nfunction S = sums(label, X)\n{SUMS}\nend",
    "handle": "f = @(j) accumarray(label, X(:, j), [20 1]);\nr = gather([f(1), f(2), f(5)]);",
    "cells": "q = cell(1, 3); at = [1 2 5];\nfor j = 1:3\n"
    "q{j} = accumarray(label, X(:, at(j)), [20 1]);\nend\nr = gather([q{:}]);",
    "after": "Z = X; for k = 1:30, Z = Z .* 0.5 + 1; end, z = gather(sum(Z(:)));\n"
    f"{SUMS}\nr = gather(S);",
}


def test_the_columns_of_a_table_are_summed_together_in_any_spelling() -> None:
    found, counts = {}, {}
    for name, text in SPELLINGS.items():
        with Session(device="gpu") as session:
            session.eval(TABLE)
            for _ in range(2):
                session.eval(text)
            found[name] = np.asarray(session["r"])
            assert session.report is not None
            sums = [g for g in session.report.groups if "keyed_sum" in g["ops"]]
            counts[name] = [(g["dispatches"], len(g["ops"])) for g in sums]
    assert counts == {name: [(2, 3)] for name in SPELLINGS}
    for result in found.values():
        assert np.array_equal(result, found["plain"])


@pytest.mark.parametrize("values", ["int8(1:40)'", "uint32(1:40)'", "single(1:40)'", "(1:40)' > 7"])
def test_accumarray_gives_the_class_that_it_gives_on_the_host(values: str) -> None:
    functions = ("[]", "@sum", "@(x) sum(x)", "@max", "@mean", "@numel", "@any", "@prod")
    lines = [f"y{k} = accumarray(s, v, [], {f});" for k, f in enumerate(functions)]
    code = "\n".join([f"v = {values}; s = mod((1:40)', 6) + 1;", *lines])
    with Session(device="cpu") as host, Session(device="gpu") as device:
        host.eval(code)
        device.eval(code)
        for k, function in enumerate(functions):
            ours, theirs = np.asarray(device[f"y{k}"]), np.asarray(host[f"y{k}"])
            assert ours.dtype == theirs.dtype, function
            assert np.allclose(ours, theirs), function
