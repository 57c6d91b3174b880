% oracle: Octave has no table
% dialect: matlab
T = table([1; 2; 3], {'a'; 'b'; 'c'}, 'VariableNames', {'N', 'L'});
disp(T.N'); disp(size(T)); disp(T{2, 'N'}); disp(T.L{3}); T.M = T.N * 2; disp(width(T)); disp(height(T)); disp(T(T.N > 1, :)); T(1, :) = []; disp(T.N'); disp(T.Properties.VariableNames);
