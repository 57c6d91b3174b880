% oracle: MATLAB's texts
% dialect: matlab
try, [1 2 3] + [1 2], catch e, disp(e.message), disp(e.identifier), end
try, [1 2 3] * [1 2], catch e, disp(e.message), disp(e.identifier), end
try, [1 2; 3], catch e, disp(e.message), disp(e.identifier), end
try, [[1;2], [1;2;3]], catch e, disp(e.message), end
