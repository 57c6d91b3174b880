% dialect: matlab
% oracle: Octave has no tables
t = table; t{:, 1:2} = [1 2; 3 4; 5 6]; t{:, 3} = [7; 8; 9]; disp(t)
u = table; u(:, :) = {3, 4}; disp(u)
v = table; v{:, 'q'} = (1:3)'; disp(v)
w = table; try, w{1:3, 2} = [1; 2; 3]; catch e, disp(e.message), end
x = table((1:2)'); x{:, :} = [5; 6]; disp(x), x(:, 1) = []; disp(size(x))
