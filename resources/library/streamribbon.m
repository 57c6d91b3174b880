function h = streamribbon(varargin)
% h = streamribbon(X, Y, Z, U, V, W, sx, sy, sz), streamribbon(U, V, W, sx, sy, sz): lines along a flow as ribbons that turn with it.
%   streamribbon(vertices, X, Y, Z, cav, speed), streamribbon(vertices, cav, speed) take the lines of stream3 and what curl gives, streamribbon(vertices, angles) the angles
%   themselves, one column for each line. A number at the end is a factor of the width, axes may stand first.
args = varargin;
ax = [];
if isscalar(args{1}) && isgraphics(args{1}), [ax, args] = deal(args{1}, args(2:end)); end
if isempty(ax), ax = gca; end
width = 1;
given = iscell(args{1});
if ~any(numel(args) == [6 9]) && ~given || given && any(numel(args) == [4 7]) || given && numel(args) == 3 && isscalar(args{3})
    [width, args] = deal(args{end}, args(1:end - 1));
end
if ~isnumeric(width) || ~isscalar(width) || ~(width > 0), error('MATLAB:streamribbon:InvalidWidth', 'The factor of the width must be a positive number.'); end
if given
    lines = args{1};
    switch numel(args)
        case 2
            angles = args{2};
            if ~iscell(angles), angles = num2cell(angles, 1); end
        case 3
            angles = turned(lines, [], args{2:3});
        case 6
            angles = turned(lines, args(2:4), args{5:6});
        otherwise
            error('MATLAB:streamribbon:InvalidInputs', 'Lines need angles, or angular and plain speeds.');
    end
else
    if ~any(numel(args) == [6 9]), error('MATLAB:streamribbon:InvalidInputs', 'A flow needs U, V, W and the points where lines start.'); end
    lines = stream3(args{:});
    [flow, places] = deal(args(end - 5:end - 3), {});
    if numel(args) == 9, places = args(1:3); end
    if isempty(places), [~, ~, ~, cav] = curl(flow{:}); else, [~, ~, ~, cav] = curl(places{:}, flow{:}); end
    angles = turned(lines, places, cav, sqrt(flow{1}.^2 + flow{2}.^2 + flow{3}.^2));
end
all3 = vertcat(lines{:});
half = width*max(max(all3, [], 1) - min(all3, [], 1))/100;
made = gobjects(0);
for k = 1:numel(lines)
    p = lines{k};
    if size(p, 1) < 2, continue, end
    side = half*sides(p, angles{k}(:));
    [a, b] = deal(p + side, p - side);
    made(end + 1, 1) = surface([a(:, 1) b(:, 1)], [a(:, 2) b(:, 2)], [a(:, 3) b(:, 3)], 'Parent', ax); %#ok<AGROW>
end
if nargout, h = made; end
end

function angles = turned(lines, places, cav, speed)
% How far each line has turned: the angular speed over the time that it takes from vertex to vertex.
angles = cell(size(lines));
for k = 1:numel(lines)
    p = lines{k};
    if size(p, 1) < 2, angles{k} = zeros(size(p, 1), 1); continue, end
    if isempty(places), at = {}; else, at = places(:)'; end
    v = interp3(at{:}, speed, p(:, 1), p(:, 2), p(:, 3));
    w = interp3(at{:}, cav, p(:, 1), p(:, 2), p(:, 3));
    rate = w./v;
    rate(~isfinite(rate)) = 0;
    angles{k} = [0; cumsum((rate(1:end - 1) + rate(2:end))/2.*sqrt(sum(diff(p).^2, 2)))];
end
end

function s = sides(p, angle)
% Unit vectors across a line, carried along it without a turn of their own and turned by the angles.
t = diff(p([1:end end], :));
t(end, :) = p(end, :) - p(end - 1, :);
t = t./max(sqrt(sum(t.^2, 2)), realmin);
[~, least] = min(abs(t(1, :)));
n = zeros(1, 3);
n(least) = 1;
s = zeros(size(p));
for k = 1:size(p, 1)
    n = n - t(k, :)*(n*t(k, :)');
    n = n/norm(n);
    s(k, :) = cos(angle(k))*n + sin(angle(k))*cross(t(k, :), n);
end
end
