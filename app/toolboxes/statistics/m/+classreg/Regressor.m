classdef Regressor < classreg.Learner
    % What models of numbers have in common.
    methods
        function L = loss(m, X, Y, varargin)
            % The weighted mean of the squared errors; option Weights.
            [options, ~] = classreg.Learner.options('loss', varargin, {'LossFun', 'Weights'});
            if isfield(options, 'LossFun') && ~strcmpi(options.LossFun, 'mse')
                error('stats:loss:LossFun', 'The loss ''%s'' is not available; mse is.', char(options.LossFun));
            end
            if istable(X) && (nargin < 3 || ischar(Y) || (isstring(Y) && isscalar(Y)))
                Y = X.(m.ResponseName);
            end
            w = ones(numel(Y), 1);
            if isfield(options, 'Weights'), w = options.Weights(:); end
            L = sum(w.*(Y(:) - predict(m, X)).^2)/sum(w);
        end
    end

    methods (Access = protected)
        function [m, options] = learn(m, maker, args, known)
            [m, Y, options] = take(m, maker, args, known);
            keep = ~isnan(double(Y));
            [m.X, m.Y, m.W] = deal(m.X(keep, :), double(Y(keep)), m.W(keep)/sum(m.W(keep)));
            m.NumObservations = nnz(keep);
        end
    end
end
