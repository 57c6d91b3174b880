% oracle: Octave has no table
% dialect: matlab
T = table([1; 2], [3.5; 4.25], 'VariableNames', {'A', 'B'})
S = table(["x"; "y"], {'a'; 'bc'}, [true; false])
