classdef RegressionTree < classreg.Regressor
    % A binary decision tree for numbers, as fitrtree makes it.
    properties (SetAccess = private)
        CutPredictorIndex = []
        CutPredictor = {}
        CutPoint = []
        Children = []
        Parent = []
        NodeSize = []
        NodeProbability = []
        NodeError = []
        NodeMean = []
        IsBranchNode = []
        NumNodes = 0
        ModelParameters = struct()
    end

    methods (Hidden)
        function m = RegressionTree(args)
            known = {'SplitCriterion', 'MinLeafSize', 'MinLeaf', 'MinParentSize', 'MinParent', 'MaxNumSplits', ...
                'MergeLeaves', 'Prune', 'NumVariablesToSample', 'QuadraticErrorTolerance', 'Surrogate'};
            [m, options] = learn(m, @fitrtree, args, known);
            p = classreg.treeOptions(options, 1, 10, {'mse'});
            p.Tolerance = 1e-6;
            if isfield(options, 'QuadraticErrorTolerance'), p.Tolerance = options.QuadraticErrorTolerance; end
            t = classreg.grownTree(m.X, [m.W m.W.*m.Y m.W.*m.Y.^2], p);
            for name = {'CutPredictorIndex', 'CutPoint', 'Children', 'Parent', 'NodeSize'}
                m.(name{1}) = t.(name{1});
            end
            m.NumNodes = numel(t.CutPoint);
            m.ModelParameters = p;
            m.NodeProbability = t.Sums(:, 1);
            m.NodeMean = t.Sums(:, 2)./t.Sums(:, 1);
            m.NodeError = t.Impurity;
            m.IsBranchNode = m.CutPredictorIndex > 0;
            m.CutPredictor = repmat({''}, m.NumNodes, 1);
            m.CutPredictor(m.IsBranchNode) = m.PredictorNames(m.CutPredictorIndex(m.IsBranchNode));
        end
    end

    methods
        function [yfit, node] = predict(m, X)
            % The numbers predicted for new observations, and the nodes they end in.
            node = classreg.treeLeaves(m, rows(m, X));
            yfit = m.NodeMean(node);
        end

        function imp = predictorImportance(m)
            % How much the splits at each predictor lessen the error, over the number of splits.
            imp = classreg.treeImportance(m.NodeProbability.*m.NodeError, m.Children, m.CutPredictorIndex, numel(m.PredictorNames));
        end

        function view(m, varargin)
            % The rules as text, or with 'Mode', 'graph' as a picture.
            classreg.treeView(m, 'fit', arrayfun(@(v) sprintf('%g', v), m.NodeMean, 'UniformOutput', false), varargin);
        end
    end
end
