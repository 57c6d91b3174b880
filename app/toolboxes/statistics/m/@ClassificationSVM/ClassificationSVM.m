classdef ClassificationSVM < classreg.Classifier
    % A support vector machine for two classes, as fitcsvm makes it.
    properties (SetAccess = private)
        Alpha = []
        Beta = []
        Bias = 0
        SupportVectors = []
        SupportVectorLabels = []
        IsSupportVector = []
        KernelParameters = struct()
        BoxConstraints = []
        Mu = []
        Sigma = []
        ConvergenceInfo = struct()
        NumIterations = 0
    end

    methods (Hidden)
        function m = ClassificationSVM(args)
            known = {'KernelFunction', 'KernelScale', 'PolynomialOrder', 'BoxConstraint', 'Standardize', 'Solver', ...
                'KKTTolerance', 'DeltaGradientTolerance', 'IterationLimit', 'CacheSize', 'Verbose', 'NumPrint', 'ShrinkagePeriod'};
            [m, o] = learn(m, @fitcsvm, args, known);
            if numel(m.Prior) > 2
                error('stats:ClassificationSVM:prepareData:BadClassNames', 'fitcsvm takes two classes; for more use fitcecoc.');
            end
            complete = ~any(isnan(m.X), 2);
            [m.X, m.Y, m.W, m.Member] = deal(m.X(complete, :), m.Y(complete), m.W(complete), m.Member(complete));
            m.NumObservations = nnz(complete);
            X = m.X;
            if isfield(o, 'Standardize') && o.Standardize
                [m.Mu, m.Sigma] = deal(mean(X, 1), std(X, 0, 1));
                X = (X - m.Mu)./max(m.Sigma, realmin);
            end
            m.KernelParameters = kernelOf(o, X);
            y = 2*m.Member - 3;
            if isscalar(m.Prior), y(:) = 1; end
            C = 1;
            if isfield(o, 'BoxConstraint'), C = o.BoxConstraint; end
            m.BoxConstraints = C*m.W*m.NumObservations;
            tolerance = 1e-3;
            for name = {'DeltaGradientTolerance', 'KKTTolerance'}
                if isfield(o, name{1}) && o.(name{1}) > 0, tolerance = o.(name{1}); end
            end
            limit = 1e6;
            if isfield(o, 'IterationLimit'), limit = o.IterationLimit; end
            [alpha, m.Bias, m.NumIterations, gap] = smo(kernelValues(X, X, m.KernelParameters), y, m.BoxConstraints, min(tolerance, 1e-4), limit);
            m.ConvergenceInfo = struct('Converged', gap <= tolerance, 'Gap', gap);
            m.IsSupportVector = alpha > 0;
            m.Alpha = alpha(m.IsSupportVector);
            m.SupportVectors = X(m.IsSupportVector, :);
            m.SupportVectorLabels = y(m.IsSupportVector);
            if strcmp(m.KernelParameters.Function, 'linear')
                m.Beta = (m.SupportVectors/m.KernelParameters.Scale)'*(m.Alpha.*m.SupportVectorLabels);
            end
        end
    end

    methods (Access = protected)
        function s = score(m, X)
            if ~isempty(m.Mu), X = (X - m.Mu)./max(m.Sigma, realmin); end
            f = kernelValues(X, m.SupportVectors, m.KernelParameters)*(m.Alpha.*m.SupportVectorLabels) + m.Bias;
            s = [-f f];
        end

        function c = decide(m, scores)
            c = 1 + (scores(:, 2) >= 0);
            if isscalar(m.Prior), c(:) = 1; end
        end
    end
end

function k = kernelOf(o, X)
k = struct('Function', 'linear', 'Scale', 1, 'Order', []);
if isfield(o, 'KernelFunction')
    known = {'linear', 'gaussian', 'rbf', 'polynomial'};
    k.Function = char(o.KernelFunction);
    if any(strcmpi(k.Function, known)), k.Function = lower(k.Function); end
end
if strcmp(k.Function, 'rbf'), k.Function = 'gaussian'; end
if strcmp(k.Function, 'polynomial')
    k.Order = 3;
    if isfield(o, 'PolynomialOrder'), k.Order = o.PolynomialOrder; end
elseif isfield(o, 'PolynomialOrder')
    error('stats:ClassificationSVM:PolynomialOrder', 'PolynomialOrder belongs to the polynomial kernel.');
end
if isfield(o, 'KernelScale')
    k.Scale = o.KernelScale;
    if ~isnumeric(k.Scale)
        if ~strcmpi(k.Scale, 'auto'), error('stats:ClassificationSVM:KernelScale', 'KernelScale is a number or ''auto''.'); end
        k.Scale = median(pdist(X(1:ceil(size(X, 1)/500):end, :)));
        if ~(k.Scale > 0), k.Scale = 1; end
    end
end
end

function G = kernelValues(X, Y, k)
[X, Y] = deal(X/k.Scale, Y/k.Scale);
switch k.Function
    case 'linear'
        G = X*Y';
    case 'gaussian'
        G = exp(-max(sum(X.^2, 2) + sum(Y.^2, 2)' - 2*(X*Y'), 0));
    case 'polynomial'
        G = (1 + X*Y').^k.Order;
    otherwise
        G = feval(k.Function, X, Y);
end
end

function [alpha, bias, step, gap] = smo(G, y, C, tolerance, limit)
% Sequential minimal optimisation: the pair that violates the conditions most (second order) is solved for.
n = numel(y);
alpha = zeros(n, 1);
gradient = -ones(n, 1);
self = diag(G);
gap = Inf;
for step = 1:limit
    F = -y.*gradient;
    up = (y > 0 & alpha < C) | (y < 0 & alpha > 0);
    low = (y > 0 & alpha > 0) | (y < 0 & alpha < C);
    if ~any(up) || ~any(low), gap = 0; break, end
    Fup = F;
    Fup(~up) = -Inf;
    [most, i] = max(Fup);
    gap = most - min(F(low));
    if gap <= tolerance, break, end
    fall = most - F;
    curve = max(self(i) + self - 2*G(:, i), 1e-12);
    gain = fall.^2./curve;
    gain(~low | fall <= 0) = -Inf;
    [~, j] = max(gain);
    old = alpha([i j]);
    t = fall(j)/curve(j);
    if y(i) > 0, t = min(t, C(i) - alpha(i)); else, t = min(t, alpha(i)); end
    if y(j) > 0, t = min(t, alpha(j)); else, t = min(t, C(j) - alpha(j)); end
    alpha(i) = alpha(i) + y(i)*t;
    alpha(j) = alpha(j) - y(j)*t;
    for k = [i j]
        if alpha(k) < 1e-12*min(C(k), 1), alpha(k) = 0; end
        if alpha(k) > C(k)*(1 - 1e-12), alpha(k) = C(k); end
    end
    gradient = gradient + y.*(G(:, i)*(y(i)*(alpha(i) - old(1))) + G(:, j)*(y(j)*(alpha(j) - old(2))));
end
F = -y.*gradient;
free = alpha > 0 & alpha < C;
if any(free)
    bias = mean(F(free));
else
    up = (y > 0 & alpha < C) | (y < 0 & alpha > 0);
    low = (y > 0 & alpha > 0) | (y < 0 & alpha < C);
    ends = [max([F(up); -Inf]) min([F(low); Inf])];
    bias = mean(ends(isfinite(ends)));
end
end
