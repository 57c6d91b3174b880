% oracle: MATLAB's identifiers
A = zeros(2);
try, A(1:3) = [1 2]; catch e, disp(e.identifier), disp(e.message), end
try, A(:, 1) = [1 2 3]; catch e, disp(e.identifier), disp(e.message), end
