classdef triangulation < handle
    % Triangles or tetrahedra: T = triangulation(list, points) or (list, x, y[, z]).
    properties (SetAccess = protected)
        Points
        ConnectivityList
    end

    methods
        function T = triangulation(list, varargin)
            % triangulation(list, points) or triangulation(list, x, y, z).
            if nargin == 0
                return
            end
            T.ConnectivityList = list;
            columns = cellfun(@(c) reshape(c, [], max(1, size(c, 2)*(size(c, 1) > 1))), ...
                varargin, 'UniformOutput', false);
            T.Points = [columns{:}];
            if any(list(:) < 1 | list(:) > size(T.Points, 1) | list(:) ~= fix(list(:)))
                error('MATLAB:triangulation:TriInvalidIndex', ...
                    'The list must hold numbers of points.');
            end
        end

        function varargout = size(T, varargin)
            % The size of the list.
            [varargout{1:max(nargout, 1)}] = size(T.ConnectivityList, varargin{:});
        end

        function varargout = subsref(T, steps)
            % T(k, :) reads the list; everything else is as for other objects.
            if strcmp(steps(1).type, '()')
                [varargout{1:nargout}] = subsref(T.ConnectivityList, steps);
            else
                [varargout{1:nargout}] = builtin('subsref', T, steps);
            end
        end

        function e = edges(T)
            % The edges, each once, as pairs of points.
            pairs = nchoosek(1:size(T.ConnectivityList, 2), 2);
            e = reshape(permute(reshape(T.ConnectivityList(:, pairs'), ...
                size(T.ConnectivityList, 1), 2, []), [1 3 2]), [], 2);
            e = unique(sort(e, 2), 'rows');
        end

        function f = freeBoundary(T)
            % The sides that belong to one triangle or tetrahedron only.
            list = T.ConnectivityList;
            n = size(list, 2);
            sides = zeros(0, n - 1);
            for k = 1:n
                sides = [sides; list(:, [k + 1:n, 1:k - 1])]; %#ok<AGROW>
            end
            [~, ~, group] = unique(sort(sides, 2), 'rows');
            count = accumarray(group, 1);
            f = sides(count(group) == 1, :);
            if n == 3
                f = inOrder(f);
            end
        end

        function c = incenter(T, k)
            % The centres of the inscribed circles.
            [p, len] = corners(T, numbersOf(T, nargin, nargin > 1, @() k));
            total = len(:, 1) + len(:, 2) + len(:, 3);
            c = (p{1}.*len(:, 1) + p{2}.*len(:, 2) + p{3}.*len(:, 3))./total;
        end

        function [c, r] = circumcenter(T, k)
            % The centres and radii of the circumscribed circles.
            [p, len] = corners(T, numbersOf(T, nargin, nargin > 1, @() k));
            s = len.^2;
            w = s.*(sum(s, 2) - 2*s);
            c = (p{1}.*w(:, 1) + p{2}.*w(:, 2) + p{3}.*w(:, 3))./sum(w, 2);
            r = sqrt(sum((c - p{1}).^2, 2));
        end

        function n = faceNormal(T, k)
            % Unit normals of triangles in space.
            p = corners(T, numbersOf(T, nargin, nargin > 1, @() k));
            n = cross(p{2} - p{1}, p{3} - p{1}, 2);
            n = n./sqrt(sum(n.^2, 2));
        end

        function [k, b] = pointLocation(T, varargin)
            % The triangle that holds each query point, NaN outside, and barycentric coordinates.
            q = [varargin{:}];
            [k, b] = tsearchn(T.Points, T.ConnectivityList, q);
        end

        function [k, d] = nearestNeighbor(T, varargin)
            % The point nearest to each query point.
            [k, d] = dsearchn(T.Points, [varargin{:}]);
        end

        function n = neighbors(T, k)
            % The triangles on the other side of each edge, NaN where there is none.
            list = T.ConnectivityList;
            n = nan(size(list));
            for t = 1:size(list, 1)
                for c = 1:size(list, 2)
                    side = list(t, [1:c - 1, c + 1:end]);
                    shared = sum(ismember(list, side), 2) == numel(side);
                    shared(t) = false;
                    if any(shared)
                        n(t, c) = find(shared, 1);
                    end
                end
            end
            if nargin > 1
                n = n(k, :);
            end
        end

        function found = vertexAttachments(T, k)
            % The triangles at each point.
            if nargin < 2
                k = 1:size(T.Points, 1);
            end
            found = arrayfun(@(p) find(any(T.ConnectivityList == p, 2))', k(:), ...
                'UniformOutput', false);
        end

        function tf = isConnected(T, a, b)
            % Whether two points share an edge.
            tf = ismember(sort([a(:), b(:)], 2), edges(T), 'rows');
        end

        function h = triplot(T, varargin)
            % Draw the edges.
            h = triplot(T.ConnectivityList, T.Points(:, 1), T.Points(:, 2), varargin{:});
        end

        function h = trisurf(T, varargin)
            % Draw the triangles of a surface.
            h = trisurf(T.ConnectivityList, T.Points(:, 1), T.Points(:, 2), T.Points(:, 3), ...
                varargin{:});
        end
    end

    methods (Access = private)
        function k = numbersOf(T, ~, given, which)
            if given
                k = which();
            else
                k = (1:size(T.ConnectivityList, 1))';
            end
        end

        function [p, len] = corners(T, k)
            list = T.ConnectivityList(k, :);
            p = {T.Points(list(:, 1), :), T.Points(list(:, 2), :), T.Points(list(:, 3), :)};
            len = sqrt([sum((p{2} - p{3}).^2, 2), sum((p{3} - p{1}).^2, 2), ...
                sum((p{1} - p{2}).^2, 2)]);
        end
    end
end

function f = inOrder(f)
% Edges so that each begins where the one before it ends, as far as they hang together.
for k = 1:size(f, 1) - 1
    next = find(f(k + 1:end, 1) == f(k, 2), 1) + k;
    if ~isempty(next)
        f([k + 1, next], :) = f([next, k + 1], :);
    end
end
end
