classdef TreeBagger
    % Many decision trees, each of rows drawn with replacement, that vote.
    %   B = TreeBagger(count, X, Y, ...) or TreeBagger(count, tbl, response, ...). Options: Method (classification,
    %   regression), OOBPrediction, OOBPredictorImportance, InBagFraction, SampleWithReplacement, NumPredictorsToSample,
    %   MinLeafSize, MaxNumSplits, PredictorNames, ResponseName.
    properties (SetAccess = private)
        Trees = {}
        NumTrees = 0
        Method = 'classification'
        ClassNames = {}
        X = []
        Y = []
        PredictorNames = {}
        ResponseName = 'Y'
        NumPredictorsToSample = 1
        MinLeafSize = 1
        InBagFraction = 1
        SampleWithReplacement = true
        ComputeOOBPrediction = false
        OOBIndices = []
        OOBPermutedPredictorDeltaError = []
    end

    properties (Access = private)
        Columns = {}
    end

    methods
        function b = TreeBagger(count, X, varargin)
            b.NumTrees = count;
            if istable(X)
                [X, Y, b.PredictorNames, b.ResponseName] = classreg.Learner.columns(X, varargin{1});
                b.Columns = b.PredictorNames;
            else
                Y = varargin{1};
                b.PredictorNames = arrayfun(@(k) sprintf('x%d', k), 1:size(X, 2), 'UniformOutput', false);
            end
            known = {'Method', 'OOBPrediction', 'OOBPred', 'OOBPredictorImportance', 'OOBVarImp', 'InBagFraction', 'FBoot', ...
                'SampleWithReplacement', 'NumPredictorsToSample', 'NVarToSample', 'MinLeafSize', 'MinLeaf', 'MaxNumSplits', ...
                'PredictorNames', 'ResponseName', 'NumPrint', 'Prior'};
            [o, cross] = classreg.Learner.options('TreeBagger', varargin(2:end), known);
            if ~isempty(cross), error('stats:TreeBagger:CrossValidation', 'TreeBagger is not cross-validated: use oobError.'); end
            if isfield(o, 'PredictorNames'), b.PredictorNames = cellstr(o.PredictorNames); end
            if isfield(o, 'ResponseName'), b.ResponseName = char(o.ResponseName); end
            if isfield(o, 'Method'), b.Method = validatestring(o.Method, {'classification', 'regression'}, 'TreeBagger'); end
            regression = strcmp(b.Method, 'regression');
            if ischar(Y), Y = cellstr(Y); end
            Y = Y(:);
            [n, p] = size(X);
            if regression
                [b.MinLeafSize, sampled] = deal(5, ceil(p/3));
            else
                [b.MinLeafSize, sampled] = deal(1, ceil(sqrt(p)));
                Y = cellstr(string(Y));
                b.ClassNames = unique(Y);
            end
            for name = {'MinLeafSize', 'MinLeaf'}, if isfield(o, name{1}), b.MinLeafSize = o.(name{1}); end, end
            for name = {'NumPredictorsToSample', 'NVarToSample'}
                if isfield(o, name{1})
                    sampled = o.(name{1});
                    if ~isnumeric(sampled), sampled = p; end
                end
            end
            b.NumPredictorsToSample = sampled;
            for name = {'InBagFraction', 'FBoot'}, if isfield(o, name{1}), b.InBagFraction = o.(name{1}); end, end
            if isfield(o, 'SampleWithReplacement'), b.SampleWithReplacement = onoff(o.SampleWithReplacement); end
            for name = {'OOBPrediction', 'OOBPred', 'OOBPredictorImportance', 'OOBVarImp'}
                if isfield(o, name{1}), b.ComputeOOBPrediction = b.ComputeOOBPrediction || onoff(o.(name{1})); end
            end
            more = {};
            if isfield(o, 'MaxNumSplits'), more = {'MaxNumSplits', o.MaxNumSplits}; end
            if isfield(o, 'Prior'), more = [more {'Prior', o.Prior}]; end
            [b.X, b.Y] = deal(double(X), Y);
            b.Trees = cell(1, count);
            b.OOBIndices = true(n, count);
            size_ = max(1, round(b.InBagFraction*n));
            for k = 1:count
                if b.SampleWithReplacement, rows = randi(n, size_, 1); else, rows = randperm(n, size_)'; end
                b.OOBIndices(rows, k) = false;
                options = [{'MinLeafSize', b.MinLeafSize, 'MinParentSize', 2*b.MinLeafSize, 'MergeLeaves', 'off', ...
                    'NumVariablesToSample', sampled, 'PredictorNames', b.PredictorNames} more];
                if regression
                    b.Trees{k} = fitrtree(b.X(rows, :), Y(rows), options{:});
                else
                    b.Trees{k} = fitctree(b.X(rows, :), Y(rows), options{:});
                end
            end
            wanted = isfield(o, 'OOBPredictorImportance') && onoff(o.OOBPredictorImportance) || ...
                isfield(o, 'OOBVarImp') && onoff(o.OOBVarImp);
            if wanted, b.OOBPermutedPredictorDeltaError = importance(b); end
        end

        function [labels, scores, spread] = predict(b, X, varargin)
            % The classes as a cell of texts, with the mean votes; for regression the means, with their deviations.
            [o, ~] = classreg.Learner.options('predict', varargin, {'Trees', 'NumTrees'});
            trees = 1:b.NumTrees;
            if isfield(o, 'Trees') && isnumeric(o.Trees), trees = o.Trees; end
            if istable(X)
                names = b.Columns;
                if isempty(names), names = b.PredictorNames; end
                X = table2array(X(:, names));
            end
            [labels, scores, spread] = vote(b, double(X), trees, true(size(X, 1), numel(trees)));
        end

        function [labels, scores] = oobPredict(b)
            % What the trees that have not seen a row say of it.
            check(b)
            [labels, scores] = vote(b, b.X, 1:b.NumTrees, b.OOBIndices);
        end

        function e = oobError(b, varargin)
            % The error out of the bag after the first, the first two, ... all trees; 'Mode', 'ensemble' for the last.
            check(b)
            [o, ~] = classreg.Learner.options('oobError', varargin, {'Mode'});
            e = zeros(b.NumTrees, 1);
            first = 1;
            if isfield(o, 'Mode') && strcmpi(o.Mode, 'ensemble'), first = b.NumTrees; end
            seen = votes(b, b.X, 1:b.NumTrees);
            for k = first:b.NumTrees
                e(k) = wrong(b, seen(:, :, 1:k), b.OOBIndices(:, 1:k));
            end
            e = e(first:end);
        end

        function e = error(b, X, Y)
            % The error of the first, the first two, ... all trees on other data.
            seen = votes(b, double(X), 1:b.NumTrees);
            if ~strcmp(b.Method, 'regression'), Y = cellstr(string(Y(:))); end
            c = b;
            c.Y = Y;
            e = zeros(b.NumTrees, 1);
            for k = 1:b.NumTrees, e(k) = wrong(c, seen(:, :, 1:k), true(size(X, 1), k)); end
        end

        function view(b, k, varargin)
            % One of the trees.
            view(b.Trees{k}, varargin{:});
        end
    end

    methods (Access = private)
        function check(b)
            if ~b.ComputeOOBPrediction
                error('stats:TreeBagger:oobPredict:InvalidOperation', 'Make the ensemble with ''OOBPrediction'', ''on''.');
            end
        end

        function seen = votes(b, X, trees)
            % Rows by classes (or one) by trees.
            K = max(numel(b.ClassNames), 1);
            seen = zeros(size(X, 1), K, numel(trees));
            for k = 1:numel(trees)
                t = b.Trees{trees(k)};
                if strcmp(b.Method, 'regression')
                    seen(:, 1, k) = predict(t, X);
                else
                    [~, s] = predict(t, X);
                    [~, place] = ismember(t.ClassNames, b.ClassNames);
                    seen(:, place, k) = s;
                end
            end
        end

        function [labels, scores, spread] = vote(b, X, trees, mask)
            seen = votes(b, X, trees);
            m = reshape(double(mask), size(X, 1), 1, []);
            count = sum(m, 3);
            scores = sum(seen.*m, 3)./count;
            spread = sqrt(max(sum(seen.^2.*m, 3)./count - scores.^2, 0));
            if strcmp(b.Method, 'regression')
                [labels, scores] = deal(scores, spread);
            else
                [~, c] = max(scores, [], 2);
                labels = reshape(b.ClassNames(c), [], 1);
            end
        end

        function e = wrong(b, seen, mask)
            m = reshape(double(mask), size(seen, 1), 1, []);
            known = any(mask, 2);
            mean_ = sum(seen.*m, 3)./sum(m, 3);
            if strcmp(b.Method, 'regression')
                e = mean((mean_(known) - b.Y(known)).^2);
            else
                [~, c] = max(mean_(known, :), [], 2);
                e = mean(~strcmp(reshape(b.ClassNames(c), [], 1), b.Y(known)));
            end
        end

        function d = importance(b)
            p = size(b.X, 2);
            each = zeros(b.NumTrees, p);
            for k = 1:b.NumTrees
                out = find(b.OOBIndices(:, k));
                if isempty(out), continue, end
                c = b;
                c.Y = b.Y(out);
                base = wrong(c, votes(b, b.X(out, :), k), true(numel(out), 1));
                for j = 1:p
                    X = b.X(out, :);
                    X(:, j) = X(randperm(numel(out)), j);
                    each(k, j) = wrong(c, votes(b, X, k), true(numel(out), 1)) - base;
                end
            end
            d = mean(each, 1)./max(std(each, 0, 1), realmin);
            d(all(each == 0, 1)) = 0;
        end
    end
end

function tf = onoff(v)
if ischar(v) || isstring(v), tf = strcmpi(v, 'on'); else, tf = logical(v); end
end
