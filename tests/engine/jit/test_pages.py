"""Loops over arrays of three dimensions: as in the interpreter, and in machine code."""

from __future__ import annotations

import pytest

from app.engine.jit import reporting
from tests.campaigns import long_form
from tests.engine.jit.comparing import compare
from tests.engine.jit.page_programs import PageWriter

COUNT = 12
PROGRAMS = {
    "elements": """
A = zeros(5, 6, 4);
for k=1:4, for i=1:5, for j=1:6, A(i,j,k) = i*j - k; end, end, end
s = 0; for k=2:3, for i=2:4, for j=2:5, s = s + A(i-1,j,k) - 2*A(i,j,k-1) + A(end,end,end); end, end, end
""",
    "a stencil in space": """
[m, n, p] = size(ones(4, 5, 6)); u = reshape(1:120, 4, 5, 6)/7; v = u;
for t=1:3, for k=2:p-1, for j=2:n-1, for i=2:m-1
 v(i,j,k) = u(i,j,k) + 0.1*(u(i+1,j,k)+u(i-1,j,k)+u(i,j+1,k)+u(i,j-1,k)+u(i,j,k+1)+u(i,j,k-1)-6*u(i,j,k));
end, end, end, u = v; end
""",
    "a picture of bytes": """
P = uint8(reshape(mod(1:60, 251), 4, 5, 3)); G = zeros(4, 5);
for i=1:size(P,1), for j=1:size(P,2), G(i,j) = 0.3*double(P(i,j,1)) + 0.59*double(P(i,j,2)) + 0.11*double(P(i,j,3)); P(i,j,2) = 255 - P(i,j,2); end, end
""",
    "a stack of matrices": """
T = zeros(3, 3, 6); x = [1;2;3];
for k=1:6, T(:,:,k) = [k 1 0; 0 k 1; 1 0 k]; T(2,:,k) = 4:6; T(:,1,k) = x; x = T(:,:,k)*x/norm(x); end
""",
    "along the third dimension": """
A = reshape(1:24, 2, 3, 4)/3; s = 0;
for i=1:2, for j=1:3, v = squeeze(A(i,j,:)); s = s + sum(A(i,j,:)) + max(A(i,j,:)) + v(end); A(i,j,:) = v*2; A(i,j,2:3) = 0; end, end
""",
    "sides": """
A = reshape(1:24, 2, 3, 4)/3; s = 0;
for i=1:2, M = squeeze(A(i,:,:)); A(i,:,:) = M + 1; s = s + M(end,end); end
for j=1:3, N = squeeze(A(:,j,:)); A(:,j,:) = N - 1; s = s + N(1,end); end
""",
    "whole arrays": """
A = ones(2,3,2); B = A; s = 0;
for k=1:5, A = A*0.5 + abs(-B) + sin(A); D = zeros(2,2,3); D(2,1,3) = k; s = s + D(end) + A(end) + numel(A) + size(A,3) + length(D); end
""",
    "in functions": """
A = reshape(1:8, 2, 2, 2); s = 0;
for k=1:2, s = s + element(A, k) + element(ones(2,1,k), 1); [p, m] = pages(k+1); s = s + m + p(2,2,end); end
function r = element(x, k)
 r = x(2, 1, k) + size(x, 3);
end
function [p, m] = pages(n)
 p = ones(2, 2, n); m = 0;
 for k=1:n, p(:,:,k) = p(:,:,k)*k; m = m + p(end,1,k); end
end
""",
    "one page": """
A = ones(3, 2, 1); s = 0;
for i=1:3, for k=1:size(A,3), A(i,1,k) = i; s = s + A(i,end,k) + sum(A(:,:,k)*[1;2]); end, end
""",
    "two subscripts and one": """
A = reshape(1:24, 2, 3, 4); s = 0;
for k=1:12, s = s + A(2,k)*k - A(k); A(k) = -k; A(1,k) = k; s = s + A(end,end) + A(1,end,2); end
""",
    "four dimensions": """
A = reshape(1:120,2,3,4,5); s = 0;
for l=1:5, for k=1:4, for j=1:3, A(1,j,k,l) = A(2,j,k,l)*2; s = s + A(end,j,end,l) + A(1,end,k,end); end, end
 M = A(:,:,2,l); A(:,:,3,l) = M*2; s = s + sum(A(:,2,end,l)) + A(l) + A(2,l) + A(1,2,l); A(1,:,2,end) = l; end
""",
    "sizes of four dimensions": """
A = ones(2,3,4,5); s = 0;
for k=1:4, [a,b] = size(A); [m,n,p,q,r] = size(A); s = s + a + b*10 + m + n + p + q + r + size(A,3) + size(A,5) + numel(A) + length(A) + f(A,k); end
function y = f(A,k)
 y = A(1,2,k,2) + size(A,4);
end
""",
    "five dimensions": """
A = ones(2,2,2,2,3); s = 0; for k=1:3, A(2,2,2,2,k) = k; s = s + A(1,2,1,2,k) + A(1,1,1,k) + A(1,1,1,1,end); end
""",
    "subscripts behind the last": """
A = ones(3,3); s = 0; for k=1:3, s = s + A(k,k,1,1) + size(A,4); A(k,1,1,1) = k; end
""",
    "complex elements": """
A = zeros(2,2,3); for k=1:3, A(1,2,k) = k + 2i; A(2,1,k) = A(1,2,k)*1i; end
""",
}
BEYOND = {
    "a page behind the last": "A = ones(2,2,2); for k=1:4, A(1,1,k) = k; end",
    "a row behind the last": "A = ones(2,2,2); for k=1:4, A(k,1,2) = k; end",
    "no such page": "A = ones(2,2,2); s = 0; try, for k=1:4, s = s + A(1,2,k); end, catch e, m = e.message; end",
    "no such column of two": "A = ones(2,2,2); s = 0; try, for k=1:9, s = s + A(1,k); end, catch e, m = e.message; end",
    "a page of another size": "A = ones(2,2,2); try, for k=1:2, A(:,:,k) = ones(k+1,2); end, catch e, m = e.message; end",
    "a matrix that gets pages": "A = zeros(2,2); for k=1:3, A(:,:,k) = k*ones(2); end, s = size(A)",
    "without elements": "A = zeros(0,3,2); for k=1:2, A(:,:,k) = []; end",
    "nothing on a side": "A = zeros(2,0,3); s = 0; for k=1:3, s = s + size(A,3) + numel(A(:,:,k)) + isempty(A); end",
    "behind four dimensions": "A = ones(2,2,2,2); for k=1:4, A(1,1,1,k) = k; end",
    "no such page of four": "A = ones(2,2,2,2); s = 0; try, for k=1:4, s = s + A(1,1,k,1); end, catch e, m = e.message; end",
    "four dimensions as a whole": "A = ones(2,2,2,2); for k=1:3, A = A*k; if k==2, A = 5; end, A(1) = k; end",
    "four without elements": "A = ones(2,2,0,2); s = 0; for k=1:3, s = s + size(A,3) + size(A,4); end",
    "texts": "A = repmat('ab', 2, 1, 2); s = ''; for k=1:2, s(end+1) = A(1,2,k); end",
}


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_pages_stay_in_machine_code(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    refused: list[str] = []
    monkeypatch.setattr(reporting, "report_refusal", lambda unit, line, text: refused.append(text))
    compare(PROGRAMS[name], 1)
    assert not refused


@pytest.mark.parametrize("name", sorted(BEYOND))
def test_what_pages_cannot_do_is_the_interpreters(name: str) -> None:
    compare(BEYOND[name] + "\n", 1)


@pytest.mark.parametrize("first", long_form(range(0, COUNT, 6), 5))
def test_random_programs_of_pages(first: int) -> None:
    for seed in range(first, first + 6):
        compare(PageWriter(seed).program(), passes=seed % 3)
