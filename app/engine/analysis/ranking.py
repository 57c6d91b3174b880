"""Which candidates fit the letters typed, and in which order."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache

from app.engine.analysis.analysed_text import Document
from app.engine.analysis.completion import Completion, complete
from app.engine.analysis.known import Surroundings
from app.source import Span

_COMMON = """
    disp fprintf plot figure zeros ones size numel length sum mean max min abs sqrt sin cos
    exp log linspace rand randn num2str sprintf find isempty strcmp mod floor round any all
    cell struct true false pi inf nan eye diag repmat reshape sort unique cumsum std var title
    xlabel ylabel legend hold axis subplot grid set get close clear clc tic toc error warning
    strcat strsplit strrep regexprep regexp isfield fieldnames cellfun arrayfun cell2mat
    num2cell isnan isnumeric ischar iscell isstruct double single int32 uint8 logical char
    string table readtable writetable load save fopen fclose fgetl input imagesc image
    colormap colorbar surf mesh meshgrid contour histogram bar scatter line text xlim ylim
    zlabel gcf gca drawnow pause interp1 polyfit polyval fft ifft conv filter norm inv det
    rank eig svd trapz diff cross dot kron prod cumprod median mode histcounts ismember
    intersect union setdiff ndims squeeze permute cat horzcat vertcat ceil fix rem sign power
    times rdivide tan asin acos atan atan2 sinh cosh tanh log10 log2 isequal bsxfun accumarray
    cellstr upper lower strtrim strfind contains startsWith endsWith join split datestr
    datetime now clock assert validatestring inputParser nargin nargout varargin varargout
    func2str str2func str2double str2num mat2str int2str fzero fminsearch ode45 integral quad
    optimset randi randperm rng triu tril nnz sparse full circshift flip fliplr flipud rot90
    sub2ind ind2sub isa class exist isreal imag real conj angle gpuArray gather
""".split()
"""Functions by how often programs call them, roughly."""
_KINDS = ("parameter", "variable", "field", "option", "file", "function", "keyword", "snippet")
_NAME = re.compile(r"[A-Za-z]\w*", re.ASCII)
_WORD_START = re.compile(r"(?<=_)[A-Za-z0-9]|(?<=[a-z0-9])[A-Z]|(?<=[A-Za-z])[0-9]|(?<=\\.)\w")


@cache
def _common() -> Mapping[str, int]:
    return {name: place for place, name in enumerate(_COMMON)}


def letters_found(typed: str, label: str) -> tuple[int, tuple[int, ...]] | None:
    """How well ``typed`` fits ``label`` (0 is best), and which of its letters were found.

    The beginning of the name is best, then the beginning of one of its words, then letters in
    order from its first one on (``lnsp`` finds ``linspace``), then a part of it.
    """
    if label.startswith(typed):
        return 0, tuple(range(len(typed)))
    small, wanted = label.lower(), typed.lower()
    if small.startswith(wanted):
        return 1, tuple(range(len(typed)))
    inside = small.find(wanted, 1)
    if inside > 0:
        for start in (m.start() for m in _WORD_START.finditer(label, inside)):
            if small.startswith(wanted, start):
                return 2, tuple(range(start, start + len(typed)))
    if small[:1] == wanted[:1]:
        places, place = [], -1
        for letter in wanted:
            place = small.find(letter, place + 1)
            if place < 0:
                break
            places.append(place)
        else:
            return 3, tuple(places)
    if inside > 0 and len(typed) > 2:
        return 4, tuple(range(inside, inside + len(typed)))
    return None


def ranked_completions(
    candidates: Iterable[Completion], typed: str, uses: Mapping[str, int] | None = None
) -> list[Completion]:
    """The candidates that fit, best first, each label once and never what is typed already.

    Equally good ones: what is used here, as ``uses`` counts, before what is nearer, what is
    nearer before what is common, what is common before the rest by length.
    """
    common, uses = _common(), uses or {}
    found: dict[str, tuple[tuple[int, int, int, int, int, str], Completion]] = {}
    for candidate in candidates:
        label = candidate.label
        if label == typed and candidate.kind != "snippet":
            continue
        match = letters_found(typed, label)
        if match is None:
            continue
        kind = candidate.kind
        near = _KINDS.index(kind) if kind in _KINDS else len(_KINDS)
        spread = match[1][-1] - match[1][0] if match[0] == 3 else 0
        often = -min(uses.get(label, 0), 5) if match[0] < 3 else 0
        rank = common.get(label, len(_COMMON))
        length = len(label) if typed else 0
        key = (match[0], often, 10 * spread + near, rank, length, label.lower())
        if label not in found or key < found[label][0]:
            found[label] = key, candidate
    return [candidate for _, candidate in sorted(found.values(), key=lambda entry: entry[0])]


def name_counts(text: str) -> Counter[str]:
    """How often each name stands in ``text``."""
    return Counter(_NAME.findall(text))


def best_completions(
    document: Document, offset: int, surroundings: Surroundings | None = None
) -> tuple[Span, list[Completion]]:
    """The part already typed before ``offset``, and what fits it, best first."""
    span, found = complete(document, offset, surroundings)
    text = document.source.text
    return span, ranked_completions(found, text[span.start : span.end], name_counts(text))
