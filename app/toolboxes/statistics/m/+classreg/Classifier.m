classdef Classifier < classreg.Learner
    % What classifiers have in common: classes, their priors and costs, and what is lost by wrong answers.
    properties (SetAccess = protected)
        ClassNames = []
        Prior = []
        Cost = []
        ScoreTransform = 'none'
    end

    properties (SetAccess = protected, Hidden)
        Member = []
    end

    methods
        function [labels, scores, varargout] = predict(m, X)
            % The classes of new observations, and their scores.
            varargout = cell(1, max(nargout - 2, 0));
            [scores, varargout{:}] = score(m, rows(m, X));
            labels = pick(m, decide(m, scores));
        end

        function L = loss(m, X, Y, varargin)
            % The weighted part of wrong classes; LossFun 'classiferror' (also 'mincost', 'classifcost'), Weights.
            if istable(X) && nargin > 2 && (ischar(Y) || (isstring(Y) && isscalar(Y))) && any(strcmp(Y, X.Properties.VariableNames))
                Y = X.(char(Y));
            elseif istable(X) && nargin < 3
                Y = X.(m.ResponseName);
            end
            [options, ~] = classreg.Learner.options('loss', varargin, {'LossFun', 'Weights'});
            kind = 'classiferror';
            if isfield(options, 'LossFun'), kind = options.LossFun; end
            if ~any(strcmpi(kind, {'classiferror', 'mincost', 'classifcost', 'classifierror'}))
                error('stats:loss:LossFun', 'The loss ''%s'' is not available; classiferror is.', char(kind));
            end
            if ischar(Y), Y = cellstr(Y); end
            truth = classOf(m, Y(:));
            w = ones(size(truth));
            if isfield(options, 'Weights'), w = options.Weights(:); end
            for c = 1:numel(m.Prior)
                mine = truth == c;
                if any(mine), w(mine) = m.Prior(c)*w(mine)/sum(w(mine)); else, w(mine) = 0; end
            end
            [~, scores] = predict(m, X);
            L = sum(w(decide(m, scores) ~= truth))/sum(w);
        end

        function [e, margins] = edge(m, X, Y)
            % The mean margin.
            margins = margin(m, X, Y);
            e = mean(margins);
        end

        function d = margin(m, X, Y)
            % The score of the true class less the best other.
            [~, scores] = predict(m, X);
            truth = classOf(m, Y(:));
            own = scores(sub2ind(size(scores), (1:numel(truth))', truth));
            scores(sub2ind(size(scores), (1:numel(truth))', truth)) = -Inf;
            d = own - max(scores, [], 2);
        end
    end

    methods (Access = protected)
        function [m, options] = learn(m, maker, args, known)
            [m, Y, options] = take(m, maker, args, [known {'ClassNames', 'Prior', 'Cost'}]);
            names = unique(Y);
            if iscategorical(names), names = categorical(categories(removecats(Y))); end
            if isfield(options, 'ClassNames')
                names = options.ClassNames(:);
                if ischar(options.ClassNames), names = cellstr(options.ClassNames); end
                keep = ismember(Y, names);
                [m.X, Y, m.W] = deal(m.X(keep, :), Y(keep), m.W(keep));
                m.NumObservations = nnz(keep);
            end
            [m.ClassNames, m.Y] = deal(names, Y);
            m.Member = classOf(m, Y);
            K = numel(names);
            weights = accumarray(m.Member, m.W, [K 1]);
            m.Prior = (weights/sum(weights))';
            if isfield(options, 'Prior')
                m.Prior = priors(options.Prior, m.Prior, names);
            end
            m.W = m.W.*(m.Prior(m.Member)'./weights(m.Member));
            m.W = m.W/sum(m.W);
            m.Cost = ones(K) - eye(K);
            if isfield(options, 'Cost'), m.Cost = options.Cost; end
        end

        function c = classOf(m, Y)
            if ischar(Y), Y = cellstr(Y); end
            if iscellstr(m.ClassNames) && ~iscell(Y), Y = cellstr(Y); end
            if iscell(Y) && ~iscell(m.ClassNames), Y = string(Y); end
            [~, c] = ismember(Y, m.ClassNames);
        end

        function labels = pick(m, c)
            labels = m.ClassNames(c);
            labels = reshape(labels, [], 1);
        end

        function c = decide(m, scores)
            [~, c] = min(scores*m.Cost, [], 2);
        end
    end
end

function p = priors(given, found, names)
if isnumeric(given)
    p = given(:)'/sum(given);
elseif isstruct(given)
    [~, place] = ismember(names, given.ClassNames);
    p = reshape(given.ClassProbs(place), 1, [])/sum(given.ClassProbs(place));
elseif strcmpi(given, 'uniform')
    p = ones(1, numel(found))/numel(found);
elseif strcmpi(given, 'empirical')
    p = found;
else
    error('stats:classreg:Prior', 'Prior is ''empirical'', ''uniform'', numbers or a struct.');
end
end
