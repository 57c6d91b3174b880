% oracle: Octave has no table
% dialect: matlab
T = table([3; 1; 2], ["c"; "a"; "b"], 'VariableNames', {'N', 'S'}); U = sortrows(T, 'N'); disp(U.S'); disp(isempty(T)); V = [T; U]; disp(height(V)); disp(istable(T)); W = removevars(T, 'S'); disp(W.Properties.VariableNames);
