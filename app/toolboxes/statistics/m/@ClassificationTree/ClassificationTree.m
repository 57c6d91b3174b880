classdef ClassificationTree < classreg.Classifier
    % A binary decision tree for classes, as fitctree makes it.
    properties (SetAccess = private)
        CutPredictorIndex = []
        CutPredictor = {}
        CutPoint = []
        Children = []
        Parent = []
        NodeSize = []
        NodeProbability = []
        NodeError = []
        NodeClass = []
        ClassProbability = []
        ClassCount = []
        IsBranchNode = []
        NumNodes = 0
        ModelParameters = struct()
    end

    properties (Access = private)
        Impurity = []
    end

    methods (Hidden)
        function m = ClassificationTree(args)
            known = {'SplitCriterion', 'MinLeafSize', 'MinLeaf', 'MinParentSize', 'MinParent', 'MaxNumSplits', ...
                'MergeLeaves', 'Prune', 'NumVariablesToSample', 'Surrogate'};
            [m, options] = learn(m, @fitctree, args, known);
            p = classreg.treeOptions(options, 1, 10, {'gdi', 'deviance', 'twoing'});
            K = numel(m.ClassNames);
            onehot = zeros(m.NumObservations, K);
            onehot(sub2ind(size(onehot), (1:m.NumObservations)', m.Member)) = m.W;
            t = classreg.grownTree(m.X, onehot, p);
            for name = {'CutPredictorIndex', 'CutPoint', 'Children', 'Parent', 'NodeSize', 'Impurity'}
                m.(name{1}) = t.(name{1});
            end
            m.NumNodes = numel(t.CutPoint);
            m.ModelParameters = p;
            weight = sum(t.Sums, 2);
            m.NodeProbability = weight;
            m.ClassProbability = t.Sums./weight;
            counts = accumarray([t.Leaf m.Member], 1, [m.NumNodes K]);
            for k = m.NumNodes:-1:2
                counts(t.Parent(k), :) = counts(t.Parent(k), :) + counts(k, :);
            end
            m.ClassCount = counts;
            [best, place] = min(m.ClassProbability*m.Cost, [], 2);
            m.NodeError = best;
            m.NodeClass = cellstr(string(m.ClassNames(place)));
            m.IsBranchNode = m.CutPredictorIndex > 0;
            m.CutPredictor = repmat({''}, m.NumNodes, 1);
            m.CutPredictor(m.IsBranchNode) = m.PredictorNames(m.CutPredictorIndex(m.IsBranchNode));
        end
    end

    methods
        function imp = predictorImportance(m)
            % How much the splits at each predictor lessen the impurity, over the number of splits.
            imp = classreg.treeImportance(m.NodeProbability.*m.Impurity, m.Children, m.CutPredictorIndex, numel(m.PredictorNames));
        end

        function view(m, varargin)
            % The rules as text, or with 'Mode', 'graph' as a picture.
            classreg.treeView(m, 'class', m.NodeClass, varargin);
        end
    end

    methods (Access = protected)
        function [s, node, number] = score(m, X)
            node = classreg.treeLeaves(m, X);
            s = m.ClassProbability(node, :);
            number = decide(m, s);
        end
    end
end
