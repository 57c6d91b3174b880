% Empty braces or brackets before a field stand for all elements, of which there has to be one.
c = {struct('a', 2)}; c{}.a = 1; disp(c{1}.a)
c = {1}; c{}(3) = 5; disp(c{1})
s = struct('a', 1); s().a = 3; disp(s.a)
c = {1, 2}; try, c{}.a = 1; catch e, disp(e.identifier), end
try, d{}.name = 'bob'; catch e, disp(e.identifier), end
s = struct('a', {1, 2}); try, s().a(2) = 3; catch e, disp(e.identifier), end
