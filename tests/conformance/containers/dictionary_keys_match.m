% dialect: matlab
% Keys of a dictionary are the same with their class, size and all their contents.
d = dictionary({[1 2]}, "x");
d({[1 3]}) = "y";
d({[1 2]'}) = "z";
disp([numEntries(d) d({[1 2]}) == "x" d({[1 3]}) == "y"])
e = dictionary([NaN 1], [5 6]);
disp([e(NaN) isKey(e, NaN) numEntries(e)])
e = insert(e, 1, 9, Overwrite=false);
disp(lookup(e, [1 2], FallbackValue=0))
s = dictionary(struct('a', {1}), 3);
disp(s(struct('a', 1)))
k = @(a, b) fprintf('%d ', keyMatch(a, b), keyHash(a) == keyHash(b));
k(NaN, NaN), k(NaT, NaT), k(1, int8(1)), k("a", 'a'), k({1, 'b'}, {1, 'b'}), k(@sin, @sin), fprintf('\n')
try, lookup(e, 1, Nothing=2), catch x, disp(x.identifier), end
try, insert(e, 1, 1, Nothing=2), catch x, disp(x.identifier), end
try, keys(e, "rubbish"), catch x, disp('refused'), end
