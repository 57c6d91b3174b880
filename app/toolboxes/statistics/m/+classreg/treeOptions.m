function p = treeOptions(given, leaf, parent, criteria)
% The parameters of a tree from options by their full names.
p = struct('Criterion', criteria{1}, 'MinLeaf', leaf, 'MinParent', parent, 'MaxSplits', Inf, ...
    'Merge', true, 'Sampled', Inf, 'Tolerance', 0);
if isfield(given, 'SplitCriterion'), p.Criterion = validatestring(given.SplitCriterion, criteria); end
for name = {'MinLeafSize', 'MinLeaf'}
    if isfield(given, name{1}), p.MinLeaf = given.(name{1}); end
end
for name = {'MinParentSize', 'MinParent'}
    if isfield(given, name{1}), p.MinParent = given.(name{1}); end
end
p.MinParent = max(p.MinParent, 2*p.MinLeaf);
if isfield(given, 'MaxNumSplits'), p.MaxSplits = given.MaxNumSplits; end
if isfield(given, 'MergeLeaves'), p.Merge = strcmpi(given.MergeLeaves, 'on'); end
if isfield(given, 'NumVariablesToSample') && isnumeric(given.NumVariablesToSample), p.Sampled = given.NumVariablesToSample; end
if isfield(given, 'Surrogate') && ~strcmpi(given.Surrogate, 'off')
    error('stats:fittree:Surrogate', 'Surrogate splits are not available.');
end
end
