classdef gmdistribution
    % A mixture of normal distributions: gmdistribution(mu, sigma, p), or fitted by fitgmdist.
    %   mu has a row for each part; sigma is d by d by k, d by d (shared), or 1 by d by k and 1 by d (diagonal).
    properties (SetAccess = private)
        NumVariables = 0
        DistributionName = 'gaussian mixture distribution'
        NumComponents = 0
        ComponentProportion = []
        SharedCovariance = false
        NumIterations = []
        RegularizationValue = 0
        NegativeLogLikelihood = []
        CovarianceType = 'full'
        mu = []
        Sigma = []
        AIC = []
        BIC = []
        Converged = []
    end

    properties (Dependent)
        PComponents
        NComponents
        NDimensions
        NlogL
    end

    methods
        function g = gmdistribution(mu, sigma, p)
            if nargin == 0, return, end
            [k, d] = size(mu);
            if nargin < 3, p = ones(1, k)/k; end
            if numel(p) ~= k || any(p < 0)
                error('stats:gmdistribution:BadP', 'The proportions are one number for each part, none of them negative.');
            end
            g.CovarianceType = 'full';
            if size(sigma, 1) == 1 && d > 1, g.CovarianceType = 'diagonal'; end
            if size(sigma, 2) ~= d || all(size(sigma, 3) ~= [1 k])
                error('stats:gmdistribution:BadSigma', 'The covariances do not fit the means.');
            end
            g.SharedCovariance = size(sigma, 3) == 1 && k > 1;
            [g.mu, g.Sigma, g.ComponentProportion, g.NumComponents, g.NumVariables] = deal(mu, sigma, p(:)'/sum(p), k, d);
            for j = 1:size(sigma, 3)
                [~, flag] = chol(spread(g, j));
                if flag, error('stats:gmdistribution:BadCovariance', 'Each covariance must be positive definite.'); end
            end
        end

        function p = get.PComponents(g), p = g.ComponentProportion; end
        function n = get.NComponents(g), n = g.NumComponents; end
        function n = get.NDimensions(g), n = g.NumVariables; end
        function v = get.NlogL(g), v = g.NegativeLogLikelihood; end

        function y = pdf(g, X)
            % The density at each row.
            y = exp(total(joint(g, X)));
        end

        function y = cdf(g, X)
            % The cumulative probability at each row.
            y = zeros(size(X, 1), 1);
            for j = 1:g.NumComponents
                y = y + g.ComponentProportion(j)*mvncdf(X, g.mu(j, :), spread(g, j));
            end
        end

        function [p, nlogL] = posterior(g, X)
            % The probability of each part for each row.
            L = joint(g, X);
            all = total(L);
            p = exp(L - all);
            nlogL = -sum(all);
        end

        function [idx, nlogL, P, logpdf, d] = cluster(g, X)
            % The most probable part of each row.
            L = joint(g, X);
            logpdf = total(L);
            P = exp(L - logpdf);
            [~, idx] = max(P, [], 2);
            nlogL = -sum(logpdf);
            d = mahal(g, X);
        end

        function d = mahal(g, X)
            % The squared Mahalanobis distance of each row to each part.
            d = zeros(size(X, 1), g.NumComponents);
            for j = 1:g.NumComponents
                c = (X - g.mu(j, :))/chol(spread(g, j));
                d(:, j) = sum(c.^2, 2);
            end
        end

        function [X, part] = random(g, n)
            % Rows drawn from the mixture, and the parts they come from.
            if nargin < 2, n = 1; end
            part = sum(rand(n, 1) > cumsum(g.ComponentProportion(1:end - 1)), 2) + 1;
            X = zeros(n, g.NumVariables);
            for j = 1:g.NumComponents
                in = part == j;
                X(in, :) = g.mu(j, :) + randn(nnz(in), g.NumVariables)*chol(spread(g, j));
            end
        end
    end

    methods (Hidden)
        function g = described(g, facts)
            % The mixture with how it was fitted.
            for name = fieldnames(facts)', g.(name{1}) = facts.(name{1}); end
        end
    end

    methods (Access = private)
        function S = spread(g, j)
            S = g.Sigma(:, :, min(j, end));
            if strcmp(g.CovarianceType, 'diagonal'), S = diag(S); end
        end

        function L = joint(g, X)
            if size(X, 2) ~= g.NumVariables && g.NumVariables == 1, X = X(:); end
            d = mahal(g, X);
            L = zeros(size(d));
            for j = 1:g.NumComponents
                R = chol(spread(g, j));
                L(:, j) = log(g.ComponentProportion(j)) - d(:, j)/2 - sum(log(diag(R))) - g.NumVariables/2*log(2*pi);
            end
        end
    end

    methods (Static)
        function g = fit(X, k, varargin)
            % The older name of fitgmdist.
            g = fitgmdist(X, k, varargin{:});
        end
    end
end

function t = total(L)
most = max(L, [], 2);
t = most + log(sum(exp(L - most), 2));
end
