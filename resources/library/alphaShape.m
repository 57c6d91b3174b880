classdef alphaShape < handle
    % The region that points fill, of triangles or tetrahedra no larger than a radius: shp = alphaShape(P), (x, y), (x, y, z).
    %   alphaShape(..., a) sets the radius, without which it is the least that holds all points. Options: 'HoleThreshold' (the
    %   largest area or volume of holes that are filled) and 'RegionThreshold' (the largest of regions that are left out).
    %   The simplices are those of the Delaunay triangulation (Edelsbrunner and Mücke, 1994).
    properties
        Points = zeros(0, 2);
        Alpha = Inf;
        HoleThreshold = 0;
        RegionThreshold = 0;
    end

    properties (Access = private)
        Simplices = zeros(0, 3);
        Radii = zeros(0, 1);
        Sizes = zeros(0, 1);
        Flat = false(0, 1);
        Neighbours = zeros(0, 3);
    end

    methods
        function shp = alphaShape(varargin)
            % alphaShape(P, a, ...), alphaShape(x, y, a, ...) or alphaShape(x, y, z, a, ...).
            if nargin == 0, return, end
            count = find([cellfun(@(v) ischar(v) || isstring(v), varargin), true], 1) - 1;
            [numbers, options] = deal(varargin(1:count), varargin(count + 1:end));
            a = [];
            if count > 1 && isscalar(numbers{end}) && ~isscalar(numbers{1}), a = numbers{end}; numbers(end) = []; end
            if isscalar(numbers), P = numbers{1}; else, P = cell2mat(cellfun(@(v) v(:), numbers, 'UniformOutput', false)); end
            if ~any(size(P, 2) == [2 3]), error('MATLAB:alphaShape:InvalidPoints', 'Points must have two or three coordinates.'); end
            shp.Points = double(P);
            shp.triangulate();
            for k = 1:2:numel(options)
                name = validatestring(options{k}, {'HoleThreshold', 'RegionThreshold'}, 'alphaShape');
                if k == numel(options), error('MATLAB:alphaShape:MissingValue', 'The option %s lacks its value.', name); end
                shp.(name) = options{k + 1};
            end
            if isempty(a), a = criticalAlpha(shp, 'all-points'); end
            shp.Alpha = a;
        end

        function set.Alpha(shp, a)
            if ~(isscalar(a) && isnumeric(a) && a >= 0), error('MATLAB:alphaShape:InvalidAlpha', 'Alpha must be a number that is not negative.'); end
            shp.Alpha = a;
        end

        function values = alphaSpectrum(shp)
            % The radii at which the shape changes, the largest first.
            values = sort(uniquetol(shp.Radii, 1e-12), 'descend');
        end

        function a = criticalAlpha(shp, kind)
            % The least radius with which the shape holds all points ('all-points'), or is one region as well ('one-region').
            kind = validatestring(kind, {'all-points', 'one-region'}, 'criticalAlpha');
            least = Inf(size(shp.Points, 1), 1);
            for k = 1:size(shp.Simplices, 2)
                least = min(least, accumarray(shp.Simplices(:, k), shp.Radii, size(least), @min, Inf));
            end
            a = max([least(isfinite(least)); -Inf]);
            if isempty(shp.Simplices), a = Inf; return, end
            if strcmp(kind, 'one-region')
                values = flipud(alphaSpectrum(shp));
                values = values(values >= a*(1 - 1e-12));
                [low, high] = deal(1, numel(values));
                while low < high % one region stays one as it grows
                    middle = floor((low + high)/2);
                    if max(regionsOf(shp, shp.Radii <= values(middle)*(1 + 1e-12))) == 1, high = middle; else, low = middle + 1; end
                end
                a = values(low);
            end
        end

        function n = numRegions(shp)
            % How many regions there are.
            n = max([regionsOf(shp, kept(shp)); 0]);
        end

        function [tri, P] = alphaTriangulation(shp, region)
            % The triangles or tetrahedra, and the points; those of one region.
            in = kept(shp);
            if nargin > 1, in = regionsOf(shp, in) == region; end
            [tri, P] = deal(shp.Simplices(in, :), shp.Points);
        end

        function [facets, P] = boundaryFacets(shp, varargin)
            % Edges or triangles around the shape, outward, and its points; boundaryFacets(shp, region).
            facets = outer(shp, varargin{:});
            P = shp.Points;
            if nargout > 1
                [used, ~, place] = unique(facets);
                P = P(used, :);
                facets = reshape(place, size(facets));
            end
        end

        function v = area(shp, varargin)
            % The area of the shape, or of one region, in the plane.
            needs(shp, 2, 'area');
            v = total(shp, varargin{:});
        end

        function v = volume(shp, varargin)
            % The volume of the shape, or of one region, in space.
            needs(shp, 3, 'volume');
            v = total(shp, varargin{:});
        end

        function v = perimeter(shp, varargin)
            % The length around the shape, or around one region, in the plane.
            needs(shp, 2, 'perimeter');
            f = outer(shp, varargin{:});
            v = sum(vecnorm(shp.Points(f(:, 1), :) - shp.Points(f(:, 2), :), 2, 2));
        end

        function v = surfaceArea(shp, varargin)
            % The area around the shape, or around one region, in space.
            needs(shp, 3, 'surfaceArea');
            f = outer(shp, varargin{:});
            P = shp.Points;
            v = sum(vecnorm(cross(P(f(:, 2), :) - P(f(:, 1), :), P(f(:, 3), :) - P(f(:, 1), :), 2), 2, 2))/2;
        end

        function [tf, id] = inShape(shp, varargin)
            % Whether points (Q, or x, y, z) lie inside, and in which region.
            Q = asPoints(varargin);
            regions = regionsOf(shp, kept(shp));
            id = NaN(size(Q, 1), 1);
            for k = 1:size(Q, 1)
                at = find(regions > 0 & holds(shp, Q(k, :)), 1);
                if ~isempty(at), id(k) = regions(at); end
            end
            tf = ~isnan(id);
            if numel(varargin) > 1, [tf, id] = deal(reshape(tf, size(varargin{1})), reshape(id, size(varargin{1}))); end
        end

        function [k, d] = nearestNeighbor(shp, varargin)
            % The nearest point on the boundary of the shape to each of others, and how far it is.
            Q = asPoints(varargin);
            on = unique(outer(shp));
            k = zeros(size(Q, 1), 1);
            d = k;
            for row = 1:size(Q, 1)
                [d(row), at] = min(vecnorm(shp.Points(on, :) - Q(row, :), 2, 2));
                k(row) = on(at);
            end
        end

        function h = plot(shp, varargin)
            % The shape drawn; options are those of patch.
            P = shp.Points;
            if size(P, 2) == 2
                made = patch('Faces', shp.Simplices(kept(shp), :), 'Vertices', P, 'FaceColor', [0.3 0.75 0.93], varargin{:});
            else
                made = patch('Faces', outer(shp), 'Vertices', P, 'FaceColor', [0.3 0.75 0.93], varargin{:});
                view(3);
            end
            axis('equal');
            if nargout, h = made; end
        end
    end

    methods (Access = private)
        function triangulate(shp)
            P = shp.Points;
            d = size(P, 2);
            [shp.Simplices, shp.Neighbours] = deal(zeros(0, d + 1));
            if size(unique(P, 'rows'), 1) <= d || rank(P - mean(P, 1)) < d, return, end
            T = delaunayn(P);
            corner = P(T(:, 1), :);
            n = size(T, 1);
            [shp.Radii, shp.Sizes] = deal(zeros(n, 1));
            for k = 1:n
                sides = P(T(k, 2:end), :) - corner(k, :);
                shp.Sizes(k) = abs(det(sides))/factorial(d);
                if det(sides) < 0, T(k, [1 2]) = T(k, [2 1]); end
            end
            shp.Flat = shp.Sizes <= 1e-12*max(shp.Sizes);
            for k = find(~shp.Flat)'
                sides = P(T(k, 2:end), :) - P(T(k, 1), :);
                shp.Radii(k) = norm((2*sides)\sum(sides.^2, 2));
            end
            shp.Simplices = T;
            shp.Neighbours = neighboursOf(T);
            shp.Radii(shp.Flat) = Inf;
            for pass = 1:nnz(shp.Flat) % those without extent come with the first beside them
                nearest = shp.Radii;
                for k = find(shp.Flat)', nearest(k) = min([shp.Radii(nonzeros(shp.Neighbours(k, :))); shp.Radii(k)]); end
                if isequal(nearest, shp.Radii), break, end
                shp.Radii = nearest;
            end
        end

        function in = kept(shp)
            % Which simplices are in the shape.
            in = shp.Radii <= shp.Alpha*(1 + 1e-12);
            if shp.HoleThreshold > 0
                [holes, open] = regionsOf(shp, ~in);
                sizes = accumarray(holes(~in), shp.Sizes(~in));
                fill = sizes <= shp.HoleThreshold & ~open;
                in(~in) = fill(holes(~in));
            end
            if shp.RegionThreshold > 0 && any(in)
                regions = regionsOf(shp, in);
                sizes = accumarray(regions(in), shp.Sizes(in));
                in(in) = sizes(regions(in)) > shp.RegionThreshold;
            end
        end

        function [id, open] = regionsOf(shp, in)
            % The number of the connected part of each chosen simplex, 0 for others, and whether it reaches the hull.
            rows = repmat((1:size(shp.Neighbours, 1))', 1, size(shp.Neighbours, 2));
            [a, b] = deal(rows(:), shp.Neighbours(:));
            chosen = b > 0;
            chosen(chosen) = in(a(chosen)) & in(b(chosen));
            id = zeros(numel(in), 1);
            bins = conncomp(graph(a(chosen), b(chosen), [], numel(in)));
            [~, ~, number] = unique(reshape(bins(in), [], 1), 'stable');
            id(in) = number;
            open = false(max([id; 0]), 1);
            open(id(in & any(shp.Neighbours == 0, 2))) = true;
        end

        function facets = outer(shp, region)
            in = kept(shp);
            if nargin > 1, in = regionsOf(shp, in) == region; end
            d = size(shp.Points, 2);
            facets = zeros(0, d);
            turned = {[2 3; 3 1; 1 2], [2 4 3; 1 3 4; 1 4 2; 1 2 3]};
            for k = 1:d + 1
                beside = shp.Neighbours(:, k);
                free = in & beside == 0;
                between = in & beside > 0;
                free(between) = ~in(beside(between));
                facets = [facets; shp.Simplices(free, turned{d - 1}(k, :))]; %#ok<AGROW>
            end
        end

        function v = total(shp, region)
            in = kept(shp);
            if nargin > 1, in = regionsOf(shp, in) == region; end
            v = sum(shp.Sizes(in));
        end

        function tf = holds(shp, q)
            % Which simplices hold a point.
            [P, T] = deal(shp.Points, shp.Simplices);
            d = size(P, 2);
            tf = ~shp.Flat;
            for k = 1:d + 1
                moved = cell(1, d + 1);
                for j = 1:d + 1, moved{j} = P(T(:, j), :); end
                moved{k} = repmat(q, size(T, 1), 1);
                tf = tf & signedSize(moved) >= -1e-12*max(shp.Sizes);
            end
        end

        function needs(shp, d, name)
            if size(shp.Points, 2) ~= d, error('MATLAB:alphaShape:WrongDimension', '%s is that of a shape of %d dimensions.', name, d); end
        end
    end
end

function Q = asPoints(given)
if isscalar(given), Q = given{1}; else, Q = cell2mat(cellfun(@(v) v(:), given, 'UniformOutput', false)); end
end

function v = signedSize(c)
a = c{2} - c{1};
b = c{3} - c{1};
if numel(c) == 3
    v = (a(:, 1).*b(:, 2) - a(:, 2).*b(:, 1))/2;
else
    v = dot(a, cross(b, c{4} - c{1}, 2), 2)/6;
end
end

function beside = neighboursOf(T)
% The simplex across from each vertex, 0 at the hull.
[n, k] = size(T);
beside = zeros(n, k);
faces = zeros(n*k, k - 1);
for j = 1:k
    faces((j - 1)*n + (1:n), :) = sort(T(:, setdiff(1:k, j)), 2);
end
[~, ~, number] = unique(faces, 'rows');
[number, order] = sort(number);
pair = find(diff(number) == 0);
[one, two] = deal(order(pair), order(pair + 1));
owner = @(e) mod(e - 1, n) + 1;
beside(one) = owner(two);
beside(two) = owner(one);
end
