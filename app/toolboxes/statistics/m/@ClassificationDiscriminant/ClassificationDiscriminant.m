classdef ClassificationDiscriminant < classreg.Classifier
    % Discriminant analysis with normal classes, as fitcdiscr makes it.
    properties (SetAccess = private)
        DiscrimType = 'linear'
        Mu = []
        Sigma = []
        LogDetSigma = []
        Coeffs = struct([])
        Gamma = 0
        BetweenSigma = []
    end

    methods (Hidden)
        function m = ClassificationDiscriminant(args)
            [m, o] = learn(m, @fitcdiscr, args, {'DiscrimType', 'Gamma', 'FillCoeffs', 'SaveMemory'});
            complete = ~any(isnan(m.X), 2);
            [m.X, m.Y, m.W, m.Member] = deal(m.X(complete, :), m.Y(complete), m.W(complete), m.Member(complete));
            m.NumObservations = nnz(complete);
            types = {'linear', 'quadratic', 'diaglinear', 'diagquadratic', 'pseudolinear', 'pseudoquadratic'};
            if isfield(o, 'DiscrimType'), m.DiscrimType = validatestring(o.DiscrimType, types, 'fitcdiscr'); end
            if isfield(o, 'Gamma'), m.Gamma = o.Gamma; end
            [K, p] = deal(numel(m.Prior), size(m.X, 2));
            [m.Mu, S, n] = deal(zeros(K, p), zeros(p, p, K), zeros(K, 1));
            for k = 1:K
                mine = m.Member == k;
                w = m.W(mine)/sum(m.W(mine));
                m.Mu(k, :) = w'*m.X(mine, :);
                d = m.X(mine, :) - m.Mu(k, :);
                n(k) = nnz(mine);
                S(:, :, k) = n(k)*(d'*(w.*d));
            end
            if contains(m.DiscrimType, 'quadratic')
                m.Sigma = S./reshape(n - 1, 1, 1, []);
            else
                m.Sigma = sum(S, 3)/(sum(n) - K);
                m.Sigma = (1 - m.Gamma)*m.Sigma + m.Gamma*diag(diag(m.Sigma));
            end
            if startsWith(m.DiscrimType, 'diag')
                for k = 1:size(m.Sigma, 3), m.Sigma(:, :, k) = diag(diag(m.Sigma(:, :, k))); end
            end
            for k = 1:size(m.Sigma, 3)
                e = eig((m.Sigma(:, :, k) + m.Sigma(:, :, k)')/2);
                if ~startsWith(m.DiscrimType, 'pseudo') && min(e) <= eps(max(e))*p
                    error('stats:ClassificationDiscriminant:SingularCovariance', ...
                        'The covariance is singular: use ''pseudoLinear'' or ''pseudoQuadratic''.');
                end
                m.LogDetSigma(k, 1) = sum(log(e(e > max(e)*1e-12)));
            end
            for i = 1:K
                for j = 1:K
                    m.Coeffs(i, j).DiscrimType = m.DiscrimType;
                    [m.Coeffs(i, j).Const, m.Coeffs(i, j).Linear, q] = between(m, i, j);
                    if contains(m.DiscrimType, 'quadratic'), m.Coeffs(i, j).Quadratic = q; end
                    [m.Coeffs(i, j).Class1, m.Coeffs(i, j).Class2] = deal(pick(m, i), pick(m, j));
                end
            end
        end
    end

    methods
        function d = mahal(m, X)
            % The squared Mahalanobis distances of new observations to the classes.
            X = rows(m, X);
            d = zeros(size(X, 1), numel(m.Prior));
            for k = 1:numel(m.Prior)
                c = X - m.Mu(k, :);
                d(:, k) = sum((c*pinv(m.Sigma(:, :, min(k, end)))).*c, 2);
            end
        end
    end

    methods (Access = protected)
        function [s, cost] = score(m, X)
            L = log(m.Prior) - 0.5*mahal(m, X) - 0.5*reshape(m.LogDetSigma(min(1:numel(m.Prior), end)), 1, []);
            s = exp(L - max(L, [], 2));
            s = s./sum(s, 2);
            cost = s*m.Cost;
        end

        function [const, linear, quadratic] = between(m, i, j)
            [A, B] = deal(pinv(m.Sigma(:, :, min(i, end))), pinv(m.Sigma(:, :, min(j, end))));
            [a, b] = deal(m.Mu(i, :)', m.Mu(j, :)');
            linear = A*a - B*b;
            quadratic = -(A - B)/2;
            const = log(m.Prior(i)/m.Prior(j)) - (a'*A*a - b'*B*b)/2 - (m.LogDetSigma(min(i, end)) - m.LogDetSigma(min(j, end)))/2;
        end
    end
end
