classdef cvpartition
    % Observations divided into training and test sets, again and again.
    %   c = cvpartition(n, 'KFold', k); cvpartition(group, 'KFold', k) keeps the shares of the groups
    %   cvpartition(n, 'HoldOut', share or count), cvpartition(n, 'LeaveOut'),
    %   cvpartition(n, 'Resubstitution'); training(c, i) and test(c, i) are the sets.
    properties (SetAccess = private)
        Type = ''
        NumObservations = 0
        NumTestSets = 0
        TrainSize = []
        TestSize = []
        IsStratified = false
        IsCustom = false
    end

    properties (Access = private)
        Fold = []
    end

    methods
        function c = cvpartition(what, type, varargin)
            if strcmpi(what, 'CustomPartition')
                c = custom(c, type);
                return
            end
            if isnumeric(what) && isscalar(what)
                groups = ones(what, 1);
            else
                [~, ~, groups] = unique(what(:));
            end
            given = [varargin, {[]}];
            options = find(cellfun(@(v) (ischar(v) || isstring(v)) && strcmpi(v, 'Stratify'), given));
            c.IsStratified = numel(what) > 1 && ...
                (isempty(options) || logical(given{options + 1}));
            if ~c.IsStratified
                groups(:) = 1;
            end
            c = divided(c, lower(char(type)), groups, given{1});
            c = counted(c);
        end

        function flags = training(c, k)
            % Which observations are trained on, as a logical column.
            if nargin < 2
                k = 1;
            end
            flags = true(c.NumObservations, 1);
            if ~strcmp(c.Type, 'resubstitution')
                flags = c.Fold ~= k & c.Fold >= 0;
            end
        end

        function flags = test(c, k)
            % Which observations are tested, as a logical column.
            if nargin < 2
                k = 1;
            end
            flags = c.Fold == k;
        end

        function c = repartition(c)
            % The same division of other observations.
            order = randperm(c.NumObservations);
            c.Fold = c.Fold(order);
            c = counted(c);
        end

        function disp(c)
            fprintf('%s cross validation partition\n', c.Type);
            fprintf('   NumObservations: %d\n       NumTestSets: %d\n', ...
                c.NumObservations, c.NumTestSets);
            fprintf('         TrainSize: %s\n          TestSize: %s\n', ...
                strtrim(sprintf('%d  ', c.TrainSize)), strtrim(sprintf('%d  ', c.TestSize)));
        end
    end

    methods (Access = private)
        function c = divided(c, type, groups, given)
            n = numel(groups);
            [c.Type, c.NumObservations] = deal(type, n);
            switch type
                case 'kfold'
                    c.NumTestSets = min(default(given, 10), n);
                    c.Fold = dealt(groups, c.NumTestSets);
                case 'leaveout'
                    c.NumTestSets = n;
                    c.Fold = randperm(n)';
                case 'holdout'
                    c.NumTestSets = 1;
                    c.Fold = held(groups, default(given, 0.5));
                case {'resubstitution', 'resubstitut'}
                    [c.Type, c.NumTestSets, c.Fold] = deal('resubstitution', 1, ones(n, 1));
                otherwise
                    error('stats:cvpartition:BadType', 'Unknown kind of partition ''%s''.', type);
            end
        end

        function c = custom(c, folds)
            c.IsCustom = true;
            [~, ~, folds] = unique(folds(:));
            [c.Type, c.NumObservations, c.NumTestSets] = deal('kfold', numel(folds), max(folds));
            c = counted(setfold(c, folds));
        end

        function c = setfold(c, folds)
            c.Fold = folds;
        end

        function c = counted(c)
            sets = 1:c.NumTestSets;
            c.TestSize = arrayfun(@(k) nnz(test(c, k)), sets);
            c.TrainSize = arrayfun(@(k) nnz(training(c, k)), sets);
        end
    end
end

function value = default(given, usual)
value = given;
if isempty(given) || ischar(given) || isstring(given)
    value = usual;
end
end

function fold = dealt(groups, k)
% Folds of equal size, each group dealt out in turn.
fold = zeros(size(groups));
start = 0;
for g = 1:max(groups)
    members = find(groups == g);
    members = members(randperm(numel(members)));
    fold(members) = mod(start + (0:numel(members) - 1), k) + 1;
    start = start + numel(members);
end
end

function fold = held(groups, share)
% 1 for what is held out: a share of every group, or so many of all.
if share >= 1
    share = share/numel(groups);
end
fold = zeros(size(groups));
total = round(share*numel(groups));
for g = 1:max(groups)
    members = find(groups == g);
    members = members(randperm(numel(members)));
    count = round(share*numel(members));
    if g == max(groups)
        count = min(max(total - nnz(fold), 0), numel(members));
    end
    fold(members(1:count)) = 1;
end
end
