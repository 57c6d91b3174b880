classdef ClassificationNaiveBayes < classreg.Classifier
    % A naive Bayes classifier, as fitcnb makes it.
    properties (SetAccess = private)
        DistributionNames = {}
        DistributionParameters = {}
        CategoricalLevels = {}
        Kernel = {}
        Width = []
    end

    methods (Hidden)
        function m = ClassificationNaiveBayes(args)
            [m, o] = learn(m, @fitcnb, args, {'DistributionNames', 'Distribution', 'Width'});
            [K, p] = deal(numel(m.Prior), size(m.X, 2));
            names = {'normal'};
            for name = {'DistributionNames', 'Distribution'}
                if isfield(o, name{1}), names = cellstr(o.(name{1})); end
            end
            m.DistributionNames = repmat(names, 1, p/numel(names));
            m.DistributionParameters = cell(K, p);
            m.CategoricalLevels = cell(1, p);
            if strcmp(names{1}, 'mn')
                m.DistributionNames = 'mn';
                for k = 1:K
                    w = m.W(m.Member == k);
                    counts = sum(w.*m.X(m.Member == k, :), 1)*nnz(m.Member == k)/sum(w) + 1;
                    m.DistributionParameters(k, :) = num2cell(counts/sum(counts));
                end
                return
            end
            m.Width = nan(K, p);
            for j = 1:p
                for k = 1:K
                    mine = m.Member == k & ~isnan(m.X(:, j));
                    x = m.X(mine, j);
                    w = m.W(mine)/sum(m.W(mine));
                    switch m.DistributionNames{j}
                        case 'normal'
                            mu = sum(w.*x);
                            v = sum(w.*(x - mu).^2)/(1 - sum(w.^2));
                            if ~(v > 0)
                                error('stats:ClassificationNaiveBayes:NormalDist:ZeroVariance', ...
                                    'A normal distribution cannot be fit for the combination of class %s and predictor %s. The data has zero variance.', ...
                                    char(string(m.ClassNames(k))), m.PredictorNames{j});
                            end
                            m.DistributionParameters{k, j} = [mu; sqrt(v)];
                        case 'kernel'
                            width = median(abs(x - median(x)))/0.6745*(4/(3*numel(x)))^(1/5);
                            if isfield(o, 'Width'), width = o.Width(min(k, end), min(j, end)); end
                            if ~(width > 0), width = 1; end
                            m.Width(k, j) = width;
                            m.DistributionParameters{k, j} = x;
                        case 'mvmn'
                            levels = unique(m.X(~isnan(m.X(:, j)), j));
                            m.CategoricalLevels{j} = levels;
                            [~, place] = ismember(x, levels);
                            counts = accumarray(place, 1, [numel(levels) 1]) + 1;
                            m.DistributionParameters{k, j} = counts/sum(counts);
                        otherwise
                            error('stats:fitcnb:Distribution', 'The distribution ''%s'' is not one of normal, kernel, mvmn, mn.', m.DistributionNames{j});
                    end
                end
            end
        end
    end

    methods
        function lp = logp(m, X)
            % The logarithm of the unconditional density of new observations.
            L = joint(m, rows(m, X));
            most = max(L, [], 2);
            lp = most + log(sum(exp(L - most), 2));
        end
    end

    methods (Access = protected)
        function [s, cost] = score(m, X)
            L = joint(m, X);
            s = exp(L - max(L, [], 2));
            s = s./sum(s, 2);
            cost = s*m.Cost;
        end

        function L = joint(m, X)
            K = numel(m.Prior);
            L = repmat(log(m.Prior), size(X, 1), 1);
            if ischar(m.DistributionNames)
                L = L + X*log(cell2mat(m.DistributionParameters))';
                return
            end
            for j = 1:size(X, 2)
                known = ~isnan(X(:, j));
                x = X(known, j);
                for k = 1:K
                    d = m.DistributionParameters{k, j};
                    switch m.DistributionNames{j}
                        case 'normal'
                            v = -0.5*((x - d(1))/d(2)).^2 - log(d(2)*sqrt(2*pi));
                        case 'kernel'
                            h = m.Width(k, j);
                            v = log(max(mean(exp(-0.5*((x - d')/h).^2), 2)/(h*sqrt(2*pi)), realmin));
                        case 'mvmn'
                            [in, place] = ismember(x, m.CategoricalLevels{j});
                            v = zeros(size(x));
                            v(in) = log(d(place(in)));
                    end
                    L(known, k) = L(known, k) + v;
                end
            end
        end
    end
end
