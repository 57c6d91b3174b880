classdef delaunayTriangulation < triangulation
    % The Delaunay triangulation of points: DT = delaunayTriangulation(P) or (x, y[, z]).
    %   Edges that must be there (constraints) are not supported.
    properties
        Constraints = zeros(0, 2);
    end

    methods
        function T = delaunayTriangulation(varargin)
            % delaunayTriangulation(P), delaunayTriangulation(x, y) or (x, y, z).
            if nargin == 0
                return
            end
            if nargin == 2 && size(varargin{2}, 2) == 2 && size(varargin{1}, 2) == 2
                error('MATLAB:delaunayTriangulation:ConstraintsNotSupported', ...
                    'Edges that must be in the triangulation are not supported.');
            end
            columns = cellfun(@(c) reshape(c, size(c, 1)^(nargin == 1)*numel(c)^(nargin > 1), ...
                []), varargin, 'UniformOutput', false);
            T.Points = unique([columns{:}], 'rows', 'stable');
            T.ConnectivityList = delaunayn(T.Points);
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
            % Every triangle is inside: there are no constraints.
            tf = true(size(T.ConnectivityList, 1), 1);
        end
    end
end
