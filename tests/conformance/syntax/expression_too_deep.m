% dialect: matlab
% oracle: Octave has no limit of its own
s = [repmat('(', 1, 20000) '1' repmat(')', 1, 20000)];
try, eval(['x = ' s ';']); disp('fine'), catch e, disp(e.identifier), end
t = ['x = 1' repmat('+1', 1, 20000) ';'];
try, eval(t); disp('fine'), catch e, disp(e.identifier), end
