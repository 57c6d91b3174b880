classdef ClassificationECOC < classreg.Classifier
    % Many classes by binary learners, as fitcecoc makes it.
    properties (SetAccess = private)
        BinaryLearners = {}
        CodingMatrix = []
        CodingName = 'onevsone'
        BinaryLoss = 'hinge'
        LearnerWeights = []
    end

    methods (Hidden)
        function m = ClassificationECOC(args)
            [m, o] = learn(m, @fitcecoc, args, {'Learners', 'Coding', 'FitPosterior', 'Verbose'});
            learner = 'svm';
            if isfield(o, 'Learners'), learner = o.Learners; end
            if ischar(learner) || isstring(learner), learner = classreg.Template(char(learner), {}); end
            if isfield(o, 'FitPosterior') && any(o.FitPosterior)
                error('stats:fitcecoc:FitPosterior', 'FitPosterior is not available.');
            end
            K = numel(m.Prior);
            if isfield(o, 'Coding')
                if isnumeric(o.Coding)
                    [m.CodingMatrix, m.CodingName] = deal(o.Coding, 'custom');
                else
                    m.CodingName = validatestring(o.Coding, {'onevsone', 'allpairs', 'onevsall', 'ordinal'}, 'fitcecoc');
                end
            end
            if isempty(m.CodingMatrix), m.CodingMatrix = coding(m.CodingName, K); end
            if ~any(strcmpi(learner.Method, {'svm'})), m.BinaryLoss = 'quadratic'; end
            L = size(m.CodingMatrix, 2);
            m.BinaryLearners = cell(L, 1);
            for j = 1:L
                side = m.CodingMatrix(m.Member, j);
                in = side ~= 0;
                m.BinaryLearners{j} = fit(learner, m.X(in, :), side(in));
                m.LearnerWeights(1, j) = sum(m.W(in));
            end
        end
    end

    methods (Access = protected)
        function [s, binary] = score(m, X)
            % The negated mean loss of each class, and the scores of the learners.
            L = numel(m.BinaryLearners);
            binary = zeros(size(X, 1), L);
            for j = 1:L
                [~, f] = predict(m.BinaryLearners{j}, X);
                binary(:, j) = f(:, end);
            end
            K = numel(m.Prior);
            s = zeros(size(X, 1), K);
            for k = 1:K
                code = m.CodingMatrix(k, :);
                if strcmp(m.BinaryLoss, 'hinge')
                    lost = max(0, 1 - code.*binary)/2;
                else
                    lost = (1 - code.*(2*binary - 1)).^2/2;
                end
                s(:, k) = -sum(abs(code).*lost, 2)/sum(abs(code));
            end
        end

        function c = decide(m, scores)
            [~, c] = max(scores, [], 2);
        end
    end
end

function M = coding(name, K)
switch name
    case {'onevsone', 'allpairs'}
        pairs = nchoosek(1:K, 2);
        M = zeros(K, size(pairs, 1));
        for j = 1:size(pairs, 1), M(pairs(j, :), j) = [1; -1]; end
    case 'onevsall'
        M = 2*eye(K) - 1;
    otherwise
        M = -ones(K, K - 1);
        for j = 1:K - 1, M(j + 1:K, j) = 1; end
end
end
