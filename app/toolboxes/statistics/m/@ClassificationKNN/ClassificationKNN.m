classdef ClassificationKNN < classreg.Classifier
    % A classifier by the nearest neighbours, as fitcknn makes it.
    properties
        NumNeighbors = 1
        Distance = 'euclidean'
        DistanceWeight = 'equal'
        BreakTies = 'smallest'
        IncludeTies = false
    end

    properties (SetAccess = private)
        DistParameter = []
        NSMethod = 'kdtree'
        Mu = []
        Sigma = []
    end

    methods (Hidden)
        function m = ClassificationKNN(args)
            settings = {'NumNeighbors', 'Distance', 'DistanceWeight', 'BreakTies', 'IncludeTies'};
            others = {'Exponent', 'Scale', 'Cov', 'Standardize', 'NSMethod', 'BucketSize'};
            [m, o] = learn(m, @fitcknn, args, [settings others]);
            for k = 1:numel(settings)
                if isfield(o, settings{k}), m.(settings{k}) = o.(settings{k}); end
            end
            for given = {'Exponent', 'Scale', 'Cov'}
                if isfield(o, given{1}), m.DistParameter = o.(given{1}); end
            end
            m.NumNeighbors = min(m.NumNeighbors, m.NumObservations);
            kept = any(strcmpi(m.Distance, {'euclidean', 'cityblock', 'chebychev', 'minkowski'})) && size(m.X, 2) <= 10;
            if isfield(o, 'NSMethod'), m.NSMethod = lower(char(o.NSMethod)); elseif ~kept, m.NSMethod = 'exhaustive'; end
            if isfield(o, 'Standardize') && o.Standardize
                w = m.W/sum(m.W);
                m.Mu = sum(w.*m.X, 1, 'omitnan');
                m.Sigma = std(m.X, w, 1, 'omitnan')*sqrt(1/(1 - sum(w.^2)));
            end
            neighbours(m, m.X(1, :)); % what the search does not take is an error of the fit
        end
    end

    methods
        function m = set.NumNeighbors(m, k)
            if ~(isnumeric(k) && isscalar(k) && k >= 1 && k == floor(k))
                error('stats:ClassificationKNN:set:NumNeighbors:BadNumNeighbors', 'The number of nearest neighbors must be a positive integer.');
            end
            m.NumNeighbors = double(k);
        end

        function m = set.Distance(m, d)
            if isstring(d), d = char(d); end
            m.Distance = d;
        end

        function m = set.DistanceWeight(m, w)
            if ~isa(w, 'function_handle'), w = one('DistanceWeight', w, {'equal', 'inverse', 'squaredinverse'}); end
            m.DistanceWeight = w;
        end

        function m = set.BreakTies(m, how)
            m.BreakTies = one('BreakTies', how, {'smallest', 'nearest', 'random'});
        end

        function [labels, scores, cost] = predict(m, X)
            % The classes of new observations, the posteriors of the classes, and the expected costs.
            [near, d] = neighbours(m, rows(m, X));
            scores = zeros(size(near, 1), numel(m.Prior));
            for k = 1:size(near, 1)
                weights = m.W(near{k}).*weigh(m, d{k}(:));
                scores(k, :) = accumarray(m.Member(near{k}), weights, [numel(m.Prior) 1])/sum(weights);
            end
            cost = scores*m.Cost;
            least = cost <= min(cost, [], 2) + 8*eps;
            [~, c] = max(least, [], 2);
            for k = find(sum(least, 2) > 1 & ~strcmp(m.BreakTies, 'smallest'))'
                tied = find(least(k, :));
                if strcmp(m.BreakTies, 'random')
                    c(k) = tied(randi(numel(tied)));
                else
                    among = m.Member(near{k});
                    c(k) = among(find(ismember(among, tied), 1));
                end
            end
            labels = pick(m, c);
        end
    end

    methods (Access = protected)
        function [near, d] = neighbours(m, X)
            % The places of the nearest observations of each row, and how far they are; a cell a row.
            points = m.X;
            if ~isempty(m.Mu)
                points = (points - m.Mu)./m.Sigma;
                X = (X - m.Mu)./m.Sigma;
            end
            more = {};
            place = find(strcmpi(m.Distance, {'minkowski', 'seuclidean', 'mahalanobis'}));
            names = {'P', 'Scale', 'Cov'};
            if ~isempty(m.DistParameter) && ~isempty(place), more = {names{place}, m.DistParameter}; end
            [near, d] = knnsearch(points, X, 'K', m.NumNeighbors, 'Distance', m.Distance, 'IncludeTies', m.IncludeTies, more{:});
            if ~iscell(near)
                near = num2cell(near, 2);
                d = num2cell(d, 2);
            end
            near = cellfun(@(places) reshape(places, [], 1), near, 'UniformOutput', false);
        end

        function w = weigh(m, d)
            if isa(m.DistanceWeight, 'function_handle')
                w = m.DistanceWeight(d);
            elseif strcmp(m.DistanceWeight, 'equal')
                w = ones(size(d));
            else
                w = 1./d.^(1 + strcmp(m.DistanceWeight, 'squaredinverse'));
            end
            if any(isinf(w)), w = double(isinf(w)); end
        end
    end
end

function word = one(name, given, known)
place = find(strcmpi(given, known), 1);
if isempty(place)
    error(['stats:ClassificationKNN:set:' name], '%s is one of %s.', name, strjoin(known, ', '));
end
word = known{place};
end
