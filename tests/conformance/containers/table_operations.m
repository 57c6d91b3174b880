% dialect: matlab
% oracle: Octave has no tables
T = table([3; 1; 2], {'c'; 'a'; 'b'}, [true; false; true], 'VariableNames', {'n', 's', 'f'})
T.n(2) = 10; T.m = T.n * 2; T(2, :), T{:, {'n', 'm'}}, T.s{3}, height(T), width(T), sortrows(T, 'n'), T(T.f, 'n')
T.Properties.VariableNames, T(1, :) = []; size(T), summary_ = varfun(@mean, T, 'InputVariables', 'n')
try, T.zz, catch e, disp(e.identifier), end
