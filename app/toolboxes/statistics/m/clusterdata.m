function t = clusterdata(x, varargin)
% t = clusterdata(x, cutoff): clusters of rows by a tree; cutoff below 2: of inconsistency, else how many clusters.
%   Options: 'Cutoff', 'MaxClust', 'Distance', 'Linkage', 'Criterion', 'Depth'.
o = inputParser;
o.FunctionName = 'clusterdata';
addParameter(o, 'Cutoff', []);
addParameter(o, 'MaxClust', []);
addParameter(o, 'Distance', 'euclidean');
addParameter(o, 'Linkage', 'single');
addParameter(o, 'Criterion', 'inconsistent');
addParameter(o, 'Depth', 2);
rest = varargin;
if isscalar(rest)
    if rest{1} < 2, rest = {'Cutoff', rest{1}}; else, rest = {'MaxClust', rest{1}}; end
end
parse(o, rest{:});
tree = linkage(pdist(x, o.Results.Distance), o.Results.Linkage);
if ~isempty(o.Results.MaxClust)
    t = cluster(tree, 'maxclust', o.Results.MaxClust);
else
    t = cluster(tree, 'cutoff', o.Results.Cutoff, 'criterion', o.Results.Criterion, 'depth', o.Results.Depth);
end
end
