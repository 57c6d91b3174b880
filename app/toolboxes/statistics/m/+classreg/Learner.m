classdef Learner
    % What fitted models have in common: their data, the names of predictors, losses and cross-validation.
    properties (SetAccess = protected)
        X = []
        Y = []
        W = []
        PredictorNames = {}
        ResponseName = 'Y'
        NumObservations = 0
        RowsUsed = []
    end

    properties (SetAccess = protected, Hidden)
        Maker = []
        Arguments = {}
        Columns = {}
    end

    methods
        function yfit = resubPredict(m)
            yfit = predict(m, m.X);
        end

        function L = resubLoss(m, varargin)
            L = loss(m, m.X, m.Y, varargin{:});
        end

        function c = compact(m)
            c = m;
        end

        function c = crossval(m, varargin)
            % A model fitted anew without each of ten parts of the data; options KFold, Holdout, Leaveout, CVPartition.
            c = classreg.PartitionedModel(m, varargin);
        end
    end

    methods (Access = protected)
        function [m, Y, rest] = take(m, maker, args, known)
            % Data, the response and the options of a call fit(X, Y, ...) or fit(tbl, response, ...).
            m.Maker = maker;
            name = func2str(maker);
            [X, args] = deal(args{1}, args(2:end));
            if istable(X)
                if isempty(args), error('stats:classreg:MissingResponse', 'Name the response.'); end
                [X, Y, m.PredictorNames, m.ResponseName] = classreg.Learner.columns(X, args{1});
                m.Columns = m.PredictorNames;
                args(1) = [];
            else
                if isempty(args), error('stats:classreg:MissingResponse', 'The response is missing.'); end
                [Y, args] = deal(args{1}, args(2:end));
                m.PredictorNames = arrayfun(@(k) sprintf('x%d', k), 1:size(X, 2), 'UniformOutput', false);
            end
            if ischar(Y), Y = cellstr(Y); end
            Y = Y(:);
            if numel(Y) ~= size(X, 1)
                error('stats:classreg:learning:internal:utils:prepareDataCR:InputSizeMismatch', ...
                    'The number of rows in X must match the number of observations in Y.');
            end
            [options, cross] = classreg.Learner.options(name, args, [known {'PredictorNames', 'ResponseName', 'Weights'}]);
            if isfield(options, 'PredictorNames'), m.PredictorNames = cellstr(options.PredictorNames); end
            if isfield(options, 'ResponseName'), m.ResponseName = char(options.ResponseName); end
            W = ones(size(X, 1), 1);
            if isfield(options, 'Weights'), W = double(options.Weights(:)); end
            used = ~ismissing(Y) & ~all(isnan(X), 2);
            m.RowsUsed = used;
            [m.X, Y, m.W] = deal(double(X(used, :)), Y(used), W(used));
            m.NumObservations = nnz(used);
            rest = options;
            m.Arguments = [reshape([fieldnames(options) struct2cell(options)]', 1, []) {}];
            rest.CrossValidation = cross;
        end

        function X = rows(m, X)
            % New observations as a matrix.
            if istable(X)
                names = m.Columns;
                if isempty(names), names = m.PredictorNames; end
                X = table2array(X(:, names));
            end
            X = double(X);
            if size(X, 2) ~= numel(m.PredictorNames)
                error('stats:classreg:learning:impl:CompactClassifier:BadXSize', ...
                    'The predictor data must have %d columns.', numel(m.PredictorNames));
            end
        end
    end

    methods (Static, Hidden)
        function [X, Y, names, response] = columns(tbl, what)
            % The predictors and the response of a table: a name, a formula, or the response itself.
            all = tbl.Properties.VariableNames;
            if (ischar(what) && isrow(what)) || (isstring(what) && isscalar(what))
                parts = strtrim(strsplit(char(what), '~'));
                response = parts{1};
                names = setdiff(all, {response}, 'stable');
                if numel(parts) > 1
                    names = strtrim(strsplit(parts{2}, '+'));
                    names = names(~ismember(names, {'1'}));
                    if any(~ismember(names, all))
                        error('stats:classreg:Formula', 'Terms other than names of variables are not taken in ''%s''.', what);
                    end
                end
                Y = tbl.(response);
            else
                [Y, names, response] = deal(what, all, 'Y');
            end
            for k = 1:numel(names)
                if ~isnumeric(tbl.(names{k})) && ~islogical(tbl.(names{k}))
                    error('stats:classreg:CategoricalPredictor', ...
                        'Predictor %s is not numeric; categorical predictors are not taken.', names{k});
                end
            end
            X = table2array(convertvars(tbl(:, names), names, 'double'));
        end

        function [options, cross] = options(name, args, known)
            % Options by their full names; one that is not known is an error.
            cross = {};
            options = struct();
            splits = {'CrossVal', 'KFold', 'Holdout', 'Leaveout', 'CVPartition'};
            if mod(numel(args), 2)
                error('stats:classreg:Options', 'Options of %s are pairs of names and values.', name);
            end
            for k = 1:2:numel(args)
                place = find(strcmpi(args{k}, [known splits]));
                if isempty(place)
                    error(['stats:' name ':UnknownOption'], '''%s'' is not an option of %s here; they are %s.', ...
                        char(args{k}), name, strjoin([known splits], ', '));
                elseif place > numel(known)
                    cross = [cross {splits{place - numel(known)}, args{k + 1}}];
                else
                    options.(known{place}) = args{k + 1};
                end
            end
            on = find(strcmp(cross(1:2:end), 'CrossVal'), 1);
            if ~isempty(on)
                if strcmpi(cross{2*on}, 'on'), cross{2*on - 1} = 'KFold'; cross{2*on} = 10; else, cross = {}; end
            end
        end
    end
end
