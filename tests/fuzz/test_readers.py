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


def test_a_picture_that_its_strips_do_not_cover_is_damaged(tmp_path: Path) -> None:
    campaign = Campaign(tmp_path)
    data = bytearray(campaign.corpus["a.tif"])
    height = data.index(b"\x01\x01\x04\0\x01\0\0\0") + 8  # the entry of ImageLength
    data[height : height + 4] = (2000).to_bytes(4, "little")
    (tmp_path / "tall.tif").write_bytes(data)
    ended = campaign._run("p = imread('tall.tif');")[0]
    campaign.close()
    assert ended == "MATLAB:imread:invalidFile"


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
