"""A part of the campaigns for every run of the tests; see the modules for the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.readers import Campaign


def test_damaged_files_end_in_values_or_errors(tmp_path: Path) -> None:
    campaign = Campaign(tmp_path)
    found = [finding for seed in range(700) if (finding := campaign.one(seed))]
    campaign.close()
    assert not found, "\n".join(map(str, found))


@pytest.mark.parametrize("name", ["a.mat", "b.mat"])
def test_a_cut_mat_file_is_no_part_of_one(tmp_path: Path, name: str) -> None:
    campaign = Campaign(tmp_path)
    data = campaign.corpus[name]
    whole = campaign._run(f"s = load('{name}'); n = numel(fieldnames(s));")
    assert whole == ("ok", "")
    silent = 0
    for cut in range(1, len(data), 3):
        (tmp_path / "cut.mat").write_bytes(data[:cut])
        silent += campaign._run("s = load('cut.mat');")[0] == "ok"
    campaign.close()
    assert silent <= 10, "only a cut between two variables cannot be seen"
