% What comes first is data, also where it says the name of an option.
% dialect: matlab
f = @(x) x;
try, cellfun(f, 'UniformOutput', false); catch e, disp(e.identifier), end
try, cellfun(f, 'ErrorHandler', @(s, x) 1); catch e, disp(e.message), end
try, arrayfun(f, 'UniformOutput', false); catch e, disp(e.identifier), end
try, arrayfun(f, 'ErrorHandler', @(s, x) 1, 'UniformOutput', false); catch e, disp(e.identifier), end
try, structfun(f, 'UniformOutput', false); catch e, disp(e.identifier), end
c = arrayfun(f, 'ab', 'UniformOutput', false); disp(c{2});
d = arrayfun(f, 'UniformOutput', 'UniformOutput', false); disp(numel(d));
s = structfun(f, struct('a', 1), 'UniformOutput', false); disp(s.a);
