classdef DelaunayTri < delaunayTriangulation
    % The old name of delaunayTriangulation: points are X, triangles Triangulation.
    properties (Dependent)
        X
        Triangulation
    end

    methods
        function T = DelaunayTri(varargin)
            % DelaunayTri(X), DelaunayTri(x, y) or (x, y, z), and edges that must be there.
            T@delaunayTriangulation(varargin{:});
        end

        function points = get.X(T)
            points = T.Points;
        end

        function list = get.Triangulation(T)
            list = T.ConnectivityList;
        end

        function edges = freeBoundary(T, varargin)
            % The edges that bound the triangulation.
            edges = freeBoundary(triangulation(T.ConnectivityList, T.Points), varargin{:});
        end
    end
end
