classdef PartitionedModel
    % A model fitted without each part of its data, and how it does on that part.
    properties (SetAccess = private)
        Partition = []
        Trained = {}
        KFold = 10
        NumObservations = 0
        ClassNames = []
        X = []
        Y = []
        W = []
        ResponseName = 'Y'
        PredictorNames = {}
        CrossValidatedModel = ''
    end

    properties (Access = private)
        Whole = []
    end

    methods
        function c = PartitionedModel(m, args)
            n = m.NumObservations;
            if isempty(args), args = {'KFold', 10}; end
            if numel(args) ~= 2, error('stats:crossval:OneSplit', 'Only one of KFold, Holdout, Leaveout, CVPartition may be given.'); end
            by = m.Y;
            if ~isa(m, 'classreg.Classifier'), by = n; end
            switch lower(char(args{1}))
                case 'kfold', c.Partition = cvpartition(by, 'KFold', args{2});
                case 'holdout', c.Partition = cvpartition(by, 'HoldOut', args{2});
                case 'leaveout', c.Partition = cvpartition(n, 'LeaveOut');
                case 'cvpartition', c.Partition = args{2};
                otherwise, error('stats:crossval:UnknownOption', '''%s'' is not an option of crossval.', char(args{1}));
            end
            [c.X, c.Y, c.W, c.Whole, c.NumObservations] = deal(m.X, m.Y, m.W, m, n);
            [c.ResponseName, c.PredictorNames] = deal(m.ResponseName, m.PredictorNames);
            c.CrossValidatedModel = class(m);
            if isprop(m, 'ClassNames'), c.ClassNames = m.ClassNames; end
            c.KFold = c.Partition.NumTestSets;
            c.Trained = cell(c.KFold, 1);
            for k = 1:c.KFold
                in = training(c.Partition, k);
                options = kept(m, in);
                c.Trained{k} = m.Maker(m.X(in, :), m.Y(in), options{:});
            end
        end

        function [yfit, scores] = kfoldPredict(c)
            % What is predicted of each observation by the model that has not seen it.
            yfit = c.Y;
            scores = [];
            for k = 1:c.KFold
                out = test(c.Partition, k);
                if nargout > 1
                    [yfit(out), found] = predict(c.Trained{k}, c.X(out, :));
                    scores(out, 1:size(found, 2)) = found;
                else
                    yfit(out) = predict(c.Trained{k}, c.X(out, :));
                end
            end
        end

        function L = kfoldLoss(c, varargin)
            % The loss over all folds; 'Mode', 'individual' for one of each.
            [options, ~] = classreg.Learner.options('kfoldLoss', varargin, {'Mode', 'LossFun'});
            each = zeros(c.KFold, 1);
            share = zeros(c.KFold, 1);
            for k = 1:c.KFold
                out = test(c.Partition, k);
                [each(k), share(k)] = deal(missed(c, k, out), sum(c.W(out)));
            end
            if isfield(options, 'LossFun') && ~any(strcmpi(options.LossFun, {'classiferror', 'mse'}))
                error('stats:kfoldLoss:LossFun', 'The loss ''%s'' is not available.', char(options.LossFun));
            end
            if isfield(options, 'Mode') && strcmpi(options.Mode, 'individual')
                L = each;
            else
                L = sum(each.*share)/sum(share);
            end
        end
    end

    methods (Access = private)
        function L = missed(c, k, out)
            w = c.W(out)/sum(c.W(out));
            found = predict(c.Trained{k}, c.X(out, :));
            if isa(c.Whole, 'classreg.Classifier')
                wrong = ~strcmp(string(found), string(c.Y(out)));
                L = sum(w.*wrong);
            else
                L = sum(w.*(found - c.Y(out)).^2);
            end
        end
    end
end

function options = kept(m, in)
options = m.Arguments;
place = find(strcmp(options(1:2:end), 'Weights'), 1);
if ~isempty(place), options{2*place} = options{2*place}(in); end
end
