classdef Template
    % A learner to be fitted later: its method and its options.
    properties (SetAccess = private)
        Method = ''
        Type = 'classification'
        Arguments = {}
    end

    methods
        function t = Template(method, args)
            t.Method = lower(method);
            t.Arguments = args;
            if ~any(strcmp(t.Method, {'svm', 'tree', 'knn', 'naivebayes', 'discriminant'}))
                error('stats:template:UnknownLearner', 'The learner ''%s'' is not available.', method);
            end
        end

        function m = fit(t, X, Y)
            % The model of these data.
            switch t.Method
                case 'svm', m = fitcsvm(X, Y, t.Arguments{:});
                case 'tree', m = fitctree(X, Y, t.Arguments{:});
                case 'knn', m = fitcknn(X, Y, t.Arguments{:});
                case 'naivebayes', m = fitcnb(X, Y, t.Arguments{:});
                case 'discriminant', m = fitcdiscr(X, Y, t.Arguments{:});
            end
        end
    end
end
