classdef NaiveBayes
    % A naive Bayes classifier, as fitNaiveBayes and NaiveBayes.fit make it.
    properties (SetAccess = private)
        NClasses = 0
        NDims = 0
        ClassLevels = []
        CIsNonEmpty = []
        Params = {}
        Prior = []
        Dist = 'normal'
    end

    properties (Access = private)
        Fitted
    end

    methods (Static)
        function nb = fit(X, Y, varargin)
            % nb = NaiveBayes.fit(X, Y, 'Distribution', d, 'Prior', p, 'KSWidth', w).
            given = {};
            for k = 1:2:numel(varargin)
                if k == numel(varargin), error('stats:NaiveBayes:fit:missingValue', 'The option %s lacks its value.', char(varargin{k})); end
                name = validatestring(varargin{k}, {'Distribution', 'Prior', 'KSWidth', 'KSSupport', 'KSType'}, 'fitNaiveBayes');
                switch name
                    case 'Distribution'
                        given = [given, {'DistributionNames', varargin{k + 1}}]; %#ok<AGROW>
                    case 'KSWidth'
                        given = [given, {'Width', varargin{k + 1}}]; %#ok<AGROW>
                    case 'Prior'
                        given = [given, {'Prior', varargin{k + 1}}]; %#ok<AGROW>
                    otherwise
                        if ~any(strcmpi(varargin{k + 1}, {'unbounded', 'normal'}))
                            error('stats:NaiveBayes:fit:unsupported', 'Kernels are normal and without bounds here: leave %s out.', name);
                        end
                end
            end
            nb = NaiveBayes;
            nb.Fitted = fitcnb(X, Y, given{:});
            m = nb.Fitted;
            [nb.NClasses, nb.NDims, nb.ClassLevels] = deal(numel(m.Prior), size(X, 2), m.ClassNames);
            [nb.CIsNonEmpty, nb.Params, nb.Prior] = deal(true(nb.NClasses, 1), m.DistributionParameters, m.Prior);
            nb.Dist = m.DistributionNames;
            if iscell(nb.Dist) && isscalar(unique(nb.Dist)), nb.Dist = nb.Dist{1}; end
        end
    end

    methods
        function c = predict(nb, X)
            % The class of each row.
            c = predict(nb.Fitted, X);
        end

        function [post, c, logp] = posterior(nb, X)
            % Probabilities of the classes, the likeliest of them, and the logarithm of the density.
            [c, post] = predict(nb.Fitted, X);
            if nargout > 2, logp = nb.Fitted.logp(X); end
        end
    end
end
