function [k, v] = boundary(varargin)
% k = boundary(x, y), boundary(x, y, z), boundary(P), boundary(..., s): numbers of the points around a set of points, one region
%   tight to a shrink factor s from 0 (the convex hull) to 1 (as tight as one region can be); 0.5. In the plane a closed column,
%   counterclockwise; in space triangles. [k, v]: and the area or volume.
numbers = varargin;
s = 0.5;
if numel(numbers) > 1 && isscalar(numbers{end}) && ~isscalar(numbers{1}), s = double(numbers{end}); numbers(end) = []; end
if ~(s >= 0 && s <= 1), error('MATLAB:boundary:InvalidShrinkFactor', 'The shrink factor must lie between 0 and 1.'); end
if isscalar(numbers), P = numbers{1}; else, P = cell2mat(cellfun(@(c) c(:), numbers, 'UniformOutput', false)); end
shp = alphaShape(P, Inf);
[k, v] = deal([], 0);
if isempty(alphaTriangulation(shp)), return, end
critical = criticalAlpha(shp, 'one-region');
values = flipud(alphaSpectrum(shp));
values = values(values >= critical*(1 - 1e-12));
shp.Alpha = values(max(ceil((1 - s)*numel(values)), 1));
shp.HoleThreshold = Inf;
facets = boundaryFacets(shp);
if size(P, 2) == 2
    k = walked(facets, P);
    v = area(shp);
else
    k = facets;
    v = volume(shp);
end
end

function k = walked(edges, P)
% The edges one after the other; where several begin at a point, that with the sharpest turn to the right goes on.
count = size(edges, 1);
left = true(count, 1);
[~, first] = min(edges(:, 1));
k = zeros(count + 1, 1);
at = first;
for step = 1:count
    left(at) = false;
    k(step) = edges(at, 1);
    next = find(left & edges(:, 1) == edges(at, 2));
    if isempty(next), k = k(1:step); break, end
    if numel(next) > 1
        here = P(edges(at, 2), :) - P(edges(at, 1), :);
        there = P(edges(next, 2), :) - P(edges(next, 1), :);
        turn = atan2(here(1)*there(:, 2) - here(2)*there(:, 1), there*here');
        [~, best] = min(turn);
        next = next(best);
    end
    at = next;
end
k = [k(k > 0); k(1)];
end
