% dialect: matlab
% oracle: Octave has no limit of its own
s = [repmat('(', 1, 20000) '1' repmat(')', 1, 20000)];
try, eval(['x = ' s ';']); disp('fine'), catch e, disp(e.identifier), end
for terms = [20000 90000]
    t = ['x = 1' repmat('+1', 1, terms) ';'];
    try, eval(t); disp(x), catch e, disp(e.identifier), end
end
