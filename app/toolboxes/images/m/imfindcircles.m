function [centers, radii, metric] = imfindcircles(A, radiusRange, varargin)
% [centers, radii, metric] = imfindcircles(A, radius), imfindcircles(A, [rmin rmax], ...): circles in a picture by the circular
%   Hough transform, the strongest first. Options: 'ObjectPolarity' ('bright', 'dark'), 'Method' ('PhaseCode', 'TwoStage'),
%   'Sensitivity' (0.85: more circles for more), 'EdgeThreshold' (0 to 1; Otsu's without it).
%   Votes along the gradient of edge pixels carry the radius as a phase (Atherton and Kerbyson, 1999), or radii come from
%   the distances of edges to a found centre.
o = optionsOf(varargin);
radiusRange = double(radiusRange(:)');
if isempty(radiusRange) || numel(radiusRange) > 2 || any(radiusRange <= 0 | radiusRange ~= fix(radiusRange)) || ...
        numel(radiusRange) == 2 && radiusRange(1) > radiusRange(2)
    error('images:imfindcircles:invalidRadiusRange', 'Radii must be a positive integer, or [rmin rmax] with rmin <= rmax.');
end
if numel(radiusRange) == 2 && radiusRange(1) == radiusRange(2), radiusRange = radiusRange(1); end
[centers, radii, metric] = deal([]);
if ndims(A) == 3, A = rgb2gray(A); end
if ~ismatrix(A), error('images:imfindcircles:invalidImage', 'A must be a grayscale, colour or binary picture.'); end
A = picture(A);
if min(A(:)) == max(A(:)), return, end
gx = imfilter(A, [-1 0 1; -2 0 2; -1 0 1], 'replicate');
gy = imfilter(A, [-1 -2 -1; 0 0 0; 1 2 1], 'replicate');
size_ = hypot(gx, gy);
threshold = o.edgethreshold;
if isempty(threshold), threshold = graythresh(size_/max(size_(:))); end
[y, x] = find(size_ > threshold*max(size_(:)));
if isempty(x), return, end
at = sub2ind(size(A), y, x);
toward = [gx(at) gy(at)]./size_(at);
if strcmp(o.objectpolarity, 'dark'), toward = -toward; end
steps = radiusRange(1):0.5:radiusRange(end);
weights = 1./(2*pi*steps);
coded = strcmp(o.method, 'phasecode');
if coded && ~isscalar(steps), weights = weights.*exp(1i*(2*pi*log(steps/steps(1))/log(steps(end)/steps(1)) - pi)); end
votes = zeros(size(A));
for k = 1:numel(steps)
    row = round(y + steps(k)*toward(:, 2));
    column = round(x + steps(k)*toward(:, 1));
    inside = row >= 1 & row <= size(A, 1) & column >= 1 & column <= size(A, 2);
    votes = votes + weights(k)*accumarray([row(inside) column(inside)], 1, size(A));
end
[centers, metric] = centersOf(abs(votes), 1 - o.sensitivity);
if isempty(centers), [centers, metric] = deal([]); return, end
if isscalar(radiusRange)
    radii = radiusRange*ones(size(metric));
elseif coded
    place = sub2ind(size(A), round(centers(:, 2)), round(centers(:, 1)));
    radii = steps(1)*exp((angle(votes(place)) + pi)/(2*pi)*log(steps(end)/steps(1)));
else
    radii = arrayfun(@(k) radiusAround(centers(k, :), x, y, radiusRange), (1:numel(metric))');
end
end

function o = optionsOf(pairs)
o = struct('objectpolarity', 'bright', 'method', 'phasecode', 'sensitivity', 0.85, 'edgethreshold', []);
for k = 1:2:numel(pairs)
    name = validatestring(pairs{k}, {'ObjectPolarity', 'Method', 'Sensitivity', 'EdgeThreshold'}, 'imfindcircles');
    if k == numel(pairs), error('images:imfindcircles:missingValue', 'The option %s lacks its value.', name); end
    o.(lower(name)) = pairs{k + 1};
end
o.objectpolarity = validatestring(o.objectpolarity, {'bright', 'dark'}, 'imfindcircles', 'ObjectPolarity');
o.method = lower(validatestring(o.method, {'PhaseCode', 'TwoStage'}, 'imfindcircles', 'Method'));
for name = {'sensitivity', 'edgethreshold'}
    if any(o.(name{1}) < 0 | o.(name{1}) > 1)
        error('images:imfindcircles:outOfRange', 'Sensitivity and EdgeThreshold must lie between 0 and 1.');
    end
end
end

function A = picture(A)
if islogical(A)
    A = imfilter(double(A), fspecial('gaussian', [5 5], 1.5), 'replicate');
else
    A = im2double(A);
end
end

function [centers, metric] = centersOf(votes, least)
centers = zeros(0, 2);
metric = zeros(0, 1);
smooth = votes;
if min(size(votes)) > 5, smooth = medfilt2(votes, [5 5]); end
peaks = imregionalmax(imhmax(smooth, max(least - eps(least), 0)));
labels = bwlabel(peaks);
count = max(labels(:));
if count == 0 || all(peaks(:)), return, end
place = find(labels);
[y, x] = ind2sub(size(votes), place);
owner = labels(place);
weight = votes(place);
whole = accumarray(owner, weight, [count 1]);
centers = [accumarray(owner, weight.*x, [count 1]) accumarray(owner, weight.*y, [count 1])]./whole;
centers = centers(whole > 0, :);
metric = smooth(sub2ind(size(votes), round(centers(:, 2)), round(centers(:, 1))));
[metric, order] = sort(metric, 'descend');
centers = centers(order(metric >= least), :);
metric = metric(metric >= least);
end

function r = radiusAround(center, x, y, range)
% The distance at which most of its circle is edge.
distance = hypot(x - center(1), y - center(2));
edges = range(1) - 0.5:range(2) + 0.5;
share = histcounts(distance, edges)./(range(1):range(2));
[~, best] = max(share);
r = range(1) + best - 1;
end
