function [tf, place] = ismembertol(A, B, varargin)
% tf = ismembertol(A, B): which elements of A are near an element of B.
%   ismembertol(A, B, tol): |a - b| <= tol*max(abs([A(:); B(:)])); tol is 1e-12 (1e-6 for single).
%   Options: ByRows, DataScale, OutputAllIndices.
%   [tf, place] = ...: the index of the nearest in B, 0 where there is none.
single_ = isa(A, 'single') || isa(B, 'single');
tol = 1e-12;
if single_
    tol = 1e-6;
end
if ~isempty(varargin) && isnumeric(varargin{1})
    tol = varargin{1};
    varargin(1) = [];
end
p = inputParser;
p.FunctionName = 'ismembertol';
p.addParameter('ByRows', false);
p.addParameter('DataScale', []);
p.addParameter('OutputAllIndices', false);
p.parse(varargin{:});
rows = p.Results.ByRows;
[a, b] = deal(double(A), double(B));
if ~rows
    [a, b] = deal(a(:), b(:));
end
scale = p.Results.DataScale;
if isempty(scale)
    if rows
        scale = max(abs([a; b]), [], 1);
    else
        finite = [a; b];
        scale = max([0; abs(finite(isfinite(finite)))]);
    end
end
n = size(a, 1);
[tf, place] = deal(false(n, 1), zeros(n, 1));
all_ = cell(n, 1);
for k = 1:n
    apart = abs(b - a(k, :));
    same = all(apart <= tol*scale | b == a(k, :), 2);
    tf(k) = any(same);
    found = find(same);
    if tf(k)
        [~, nearest] = min(max(apart(found, :), [], 2));
        place(k) = found(nearest);
        all_{k} = found;
    else
        all_{k} = 0;
    end
end
if ~rows
    tf = reshape(tf, size(A));
    place = reshape(place, size(A));
    all_ = reshape(all_, size(A));
end
if p.Results.OutputAllIndices
    place = all_;
end
end
