classdef GlobalOptimSolution
    % A minimum that GlobalSearch or MultiStart found.
    %   X, Fval, Exitflag, Output: what the local solver gave; X0: the starts that led there.
    properties (SetAccess = private)
        X
        Fval
        Exitflag
        Output
        X0
    end
    methods
        function s = GlobalOptimSolution(x, fval, exitflag, output, x0)
            if nargin
                [s.X, s.Fval, s.Exitflag, s.Output, s.X0] = deal(x, fval, exitflag, output, x0);
            end
        end
    end
end
