% dialect: matlab
% oracle: Octave ignores the validation of properties
addpath('support')
t = Typed; t.count = 3; t.label = "text"; class(t.label), t.items = 4:5; t.flag = 1; class(t.flag)
try, t.count = -1; catch e, disp(e.message), end
try, t.count = [1 2]; catch e, disp(e.message), end
try, t.items = ones(2); catch e, disp(e.message), end
t.count, t.items
