classdef delaunayTriangulation < triangulation
    % The Delaunay triangulation of points: DT = delaunayTriangulation(P) or (x, y[, z]).
    %   In the plane delaunayTriangulation(P, C) and (x, y, C) have the edges C in them.
    properties
        Constraints = zeros(0, 2);
    end

    methods
        function T = delaunayTriangulation(varargin)
            % delaunayTriangulation(P), delaunayTriangulation(x, y) or (x, y, z).
            if nargin == 0
                return
            end
            edges = zeros(0, 2);
            if nargin > 1 && size(varargin{end}, 2) == 2
                edges = varargin{end};
                varargin(end) = [];
            end
            many = numel(varargin) > 1;
            columns = cellfun(@(c) reshape(c, size(c, 1)^(~many)*numel(c)^many, []), varargin, ...
                'UniformOutput', false);
            [T.Points, ~, place] = unique([columns{:}], 'rows', 'stable');
            T.ConnectivityList = delaunayn(T.Points);
            if ~isempty(edges)
                edges = reshape(place(edges), [], 2);
                [T.ConnectivityList, T.Constraints] = ...
                    matlab.internal.constrainedDelaunay(T.Points, T.ConnectivityList, edges);
            end
        end

        function [k, v] = convexHull(T)
            % The hull as numbers of points, and its area or volume.
            if size(T.Points, 2) == 2
                [k, v] = convhull(T.Points(:, 1), T.Points(:, 2));
            else
                [k, v] = convhulln(T.Points);
            end
        end

        function [V, cells] = voronoiDiagram(T)
            % Vertices of the Voronoi diagram, and the vertices of each point's cell.
            [V, cells] = voronoin(T.Points);
        end

        function tf = isInterior(T)
            % Whether each triangle lies inside the region that the constraints bound.
            if isempty(T.Constraints)
                tf = true(size(T.ConnectivityList, 1), 1);
                return
            end
            list = T.ConnectivityList;
            P = T.Points;
            middle = (P(list(:, 1), :) + P(list(:, 2), :) + P(list(:, 3), :)) / 3;
            tf = false(size(list, 1), 1);
            for k = 1:size(T.Constraints, 1)
                a = P(T.Constraints(k, 1), :);
                b = P(T.Constraints(k, 2), :);
                over = (a(2) > middle(:, 2)) ~= (b(2) > middle(:, 2));
                cut = a(1) + (middle(:, 2) - a(2)) / (b(2) - a(2)) * (b(1) - a(1));
                tf = xor(tf, over & middle(:, 1) < cut);
            end
        end
    end
end
