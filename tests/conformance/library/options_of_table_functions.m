% dialect: matlab
% oracle: Octave has no tables
T = table([1; 2; 3; 2], {'a'; 'b'; 'c'; 'b'}, [4; NaN; 6; 7], 'VariableNames', {'k', 's', 'v'});
a = varfun(@(x) error('no'), T, 'InputVariables', 'v', 'ErrorHandler', @(e, x) numel(x)).Fun_v
b = rowfun(@(a) error('no'), T, 'InputVariables', 'k', 'ErrorHandler', @(e, x) -e.index).Var1'
c = rowfun(@(k, v) mean(v), T, 'InputVariables', {'k', 'v'}, 'GroupingVariables', 's', 'OutputFormat', 'uniform')'
d = rowfun(@class, T, 'InputVariables', 's', 'OutputFormat', 'cell')'
e = rowfun(@class, T, 'InputVariables', 's', 'OutputFormat', 'cell', 'ExtractCellContents', true)'
f = groupsummary(T, 'v', [4 6 7], 'sum', 'k', 'IncludedEdge', 'right').sum_k'
g = grouptransform(T(:, [1 3]), 'k', 'meancenter', 'v', 'ReplaceValues', false).meancenter_v'
h = groupcounts(T, 'k', 'IncludePercentGroups', false).Properties.VariableNames
refused = {'groupsummary(T, "k", "IncludeEmptyGroups", true)', 'varfun(@mean, T, "Foo", 1)', ...
    'outerjoin(T, T, "Type", "odd")', 'innerjoin(T, T, "MergeKeys", true)', 'pivot(T, "Rows", "k", "IncludeTotals", true)'};
for k = 1:numel(refused)
    try
        eval(refused{k});
    catch e
        disp(e.message)
    end
end
