% dialect: matlab
% oracle: Octave has no tables
T = table([1; 2], [3; 4], [5; 6], 'VariableNames', {'Id', 'Alpha', 'B'});
S = mergevars(T, {'Alpha', 'B'}, 'MergeAsTable', true)
table({'x'; 'y'}, S, [7; 8])
splitvars(S)
table([1e6; 1.5], [1e6; 2e6], [1e9; 1])
