classdef polyshape
    % A polygon, with holes and several parts: P = polyshape(x, y); NaN separates the parts.
    %   A part inside another is a hole. union, intersect, subtract and xor make new ones of two.
    properties
        Vertices = zeros(0, 2);
    end

    properties (Dependent)
        NumRegions
        NumHoles
    end

    methods
        function P = polyshape(x, y, varargin)
            % polyshape(x, y), polyshape(points), or with cells of x and y for several parts.
            if nargin == 0
                return
            end
            if iscell(x)
                x = cellfun(@(v) [v(:); NaN], x, 'UniformOutput', false);
                y = cellfun(@(v) [v(:); NaN], y, 'UniformOutput', false);
                points = [vertcat(x{:}), vertcat(y{:})];
            elseif nargin == 1 || ischar(y) || isstring(y)
                points = x;
            else
                if numel(x) ~= numel(y)
                    error('MATLAB:polyshape:xyNotSameSize', ...
                        'The coordinates must have the same number of elements.');
                end
                points = [x(:), y(:)];
            end
            P.Vertices = joined(parts(points));
        end

        function n = get.NumRegions(P)
            n = nnz(~holes(P));
        end

        function n = get.NumHoles(P)
            n = nnz(holes(P));
        end

        function a = area(P)
            % The area without the holes.
            c = parts(P.Vertices);
            sizes = cellfun(@(v) polyarea(v(:, 1), v(:, 2)), c);
            a = sum(sizes) - 2*sum(sizes(holes(P)));
        end

        function p = perimeter(P)
            % The length of all boundaries.
            p = 0;
            for part = parts(P.Vertices)
                v = part{1};
                p = p + sum(sqrt(sum((v - v([2:end, 1], :)).^2, 2)));
            end
        end

        function [x, y] = centroid(P)
            % The centre of the area.
            moment = [0 0];
            total = 0;
            inner = holes(P);
            c = parts(P.Vertices);
            for k = 1:numel(c)
                v = c{k};
                w = v([2:end, 1], :);
                cut = v(:, 1).*w(:, 2) - w(:, 1).*v(:, 2);
                a = sum(cut)/2;
                m = sum((v + w).*cut, 1)/6;
                sign = 1 - 2*xor(a < 0, inner(k));
                moment = moment + sign*m;
                total = total + sign*a;
            end
            x = moment(1)/total;
            y = moment(2)/total;
            if nargout < 2
                x = [x, y];
            end
        end

        function tf = isinterior(P, x, y)
            % Whether points are inside or on the boundary.
            if nargin == 2
                y = x(:, 2);
                x = x(:, 1);
            end
            tf = reshape(inpolygon(x(:), y(:), P.Vertices(:, 1), P.Vertices(:, 2)), [], 1);
        end

        function n = numsides(P)
            % The number of sides of all boundaries.
            n = sum(cellfun(@(v) size(v, 1), parts(P.Vertices)));
        end

        function n = numboundaries(P)
            % The number of boundaries.
            n = numel(parts(P.Vertices));
        end

        function [x, y] = boundary(P, k)
            % A boundary (or all of them), closed.
            c = parts(P.Vertices);
            if nargin > 1
                c = c(k);
            end
            c = cellfun(@(v) [v; v(1, :); NaN NaN], c, 'UniformOutput', false);
            v = vertcat(c{:});
            x = v(1:end - 1, 1);
            y = v(1:end - 1, 2);
        end

        function [x, y] = boundingbox(P)
            % The smallest and largest coordinates.
            x = [min(P.Vertices(:, 1)), max(P.Vertices(:, 1))];
            y = [min(P.Vertices(:, 2)), max(P.Vertices(:, 2))];
        end

        function P = translate(P, x, y)
            % The polygon elsewhere.
            if nargin == 3
                x = [x, y];
            end
            P.Vertices = P.Vertices + x;
        end

        function P = scale(P, factor, origin)
            % The polygon larger or smaller, seen from the origin or another point.
            if nargin < 3
                origin = [0 0];
            end
            P.Vertices = (P.Vertices - origin).*factor + origin;
        end

        function P = rotate(P, degrees, origin)
            % The polygon turned, counter-clockwise.
            if nargin < 3
                origin = [0 0];
            end
            turn = [cosd(degrees), sind(degrees); -sind(degrees), cosd(degrees)];
            P.Vertices = (P.Vertices - origin)*turn + origin;
        end

        function P = addboundary(P, x, y)
            % The polygon with one more boundary.
            if nargin == 2
                y = x(:, 2);
                x = x(:, 1);
            end
            P.Vertices = joined([parts(P.Vertices), {[x(:), y(:)]}]);
        end

        function P = rmholes(P)
            % The polygon with its holes filled.
            c = parts(P.Vertices);
            P.Vertices = joined(c(~holes(P)));
        end

        function P = convhull(P)
            % The convex hull.
            v = P.Vertices(~isnan(P.Vertices(:, 1)), :);
            k = convhull(v(:, 1), v(:, 2));
            P.Vertices = v(k(1:end - 1), :);
        end

        function R = union(P, varargin)
            % The area that either covers; union(P) of an array what any does.
            R = combined('union', P, varargin{:});
        end

        function R = intersect(P, varargin)
            % The area that both cover; intersect(P) of an array what all do.
            R = combined('intersect', P, varargin{:});
        end

        function R = subtract(P, Q)
            % The area that the first covers and the second does not.
            R = overlay('subtract', P, Q);
        end

        function R = xor(P, Q)
            % The area that one covers and the other does not.
            R = overlay('xor', P, Q);
        end

        function tf = overlaps(P, Q)
            % Whether both cover some area.
            tf = ~isempty(overlay('intersect', P, Q).Vertices);
        end

        function h = plot(P, varargin)
            % Draw it.
            c = parts(P.Vertices);
            h = gobjects(1, numel(c));
            shown = ishold;
            for k = 1:numel(c)
                h(k) = fill(c{k}(:, 1), c{k}(:, 2), [0 0.447 0.741], 'FaceAlpha', 0.35, ...
                    varargin{:});
                hold on
            end
            if ~shown
                hold off
            end
        end
    end
end

function R = overlay(kind, P, Q)
if ~isa(P, 'polyshape') || ~isa(Q, 'polyshape') || numel(P) ~= 1 || numel(Q) ~= 1
    error('MATLAB:polyshape:twoPolygons', ...
        '%s takes two polyshapes; arrays of them are taken one by one in a loop.', kind);
end
R = polyshape;
R.Vertices = matlab.internal.polygonoverlay(kind, P.Vertices, Q.Vertices);
end

function R = combined(kind, P, Q)
% What two polygons make, or all of an array one after the other.
if nargin == 3
    R = overlay(kind, P, Q);
    return
end
R = polyshape;
for k = 1:numel(P)
    if k == 1
        R.Vertices = matlab.internal.polygonoverlay('union', P(1).Vertices, zeros(0, 2));
    else
        R = overlay(kind, R, P(k));
    end
end
end

function c = parts(points)
% The boundaries between the NaNs, each without a last point that is its first, as a row cell.
cuts = [0; find(isnan(points(:, 1))); size(points, 1) + 1];
c = cell(1, 0);
for k = 1:numel(cuts) - 1
    v = points(cuts(k) + 1:cuts(k + 1) - 1, :);
    if size(v, 1) > 1 && isequal(v(1, :), v(end, :))
        v(end, :) = [];
    end
    if size(v, 1) > 2
        c{end + 1} = v; %#ok<AGROW>
    end
end
end

function points = joined(c)
c = cellfun(@(v) [v; NaN NaN], c, 'UniformOutput', false);
points = vertcat(zeros(0, 2), c{:});
points = points(1:end - (size(points, 1) > 0), :);
end

function inner = holes(P)
% Which boundaries lie inside an odd number of others.
c = parts(P.Vertices);
inner = false(1, numel(c));
for k = 1:numel(c)
    for j = [1:k - 1, k + 1:numel(c)]
        inside = inpolygon(c{k}(:, 1), c{k}(:, 2), c{j}(:, 1), c{j}(:, 2));
        inner(k) = xor(inner(k), all(inside));
    end
end
end
