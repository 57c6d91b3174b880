% Octave's dialect: what checks of arguments say, and names of fields.
try, validateattributes([1 5], {'numeric'}, {'<=', 3}), catch e, disp(e.identifier), end
try, validateattributes([1 5], {'numeric'}, {'size', [1 3]}), catch e, disp(e.identifier), end
try, validateattributes([1 5], {'numeric'}, {'column'}, 'f', 'X'), catch e, disp(e.identifier), end
try, validateattributes('a', {'numeric', 'logical'}, {}, 'f', 'X'), catch e, disp(e.identifier), end
try, validateattributes(1:3, {'numeric'}, {'numel', 2}), catch e, disp(e.identifier), end
s = struct("Width (columns)", 1, 'b', 2); disp(s.("Width (columns)"))
s.("x y") = 3; disp(numel(fieldnames(s)))
disp(nargchk(1, 2, 0)), s = nargchk(0, 1, 2, 'struct'); disp(s.identifier), disp(isempty(nargchk(0, 1, 1)))

c = tolower({1, 'AB', {'C'}}); disp(c{2}), disp(c{3}{1}), disp(toupper('a')), disp(tolower(5))
o(1, 1).f0 = 1; o = setfield(o, {1, 2}, 'fd', {3}, 'b', {1, 4}, 6); disp(o(1, 2).fd(3).b(1, 4)), disp(o(1).f0)
s = setfield(struct('a', {1, 2}), {2}, 'a', 5); disp(s(2).a), s = setfield([], 'a', 3); disp(s.a)
