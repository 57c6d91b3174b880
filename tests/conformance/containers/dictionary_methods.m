% dialect: matlab
% oracle: Octave has no dictionary
d = dictionary(["a" "b"], [1 2])
d("c") = 3; numEntries(d), keys(d)', values(d)', isKey(d, ["a" "z"]), d(["a" "c"]), d("a") = []; numEntries(d)
e = dictionary; isConfigured(e), e(1) = "one"; e(1), t = lookup(d, "zz", FallbackValue = -1)
try, d("zz"), catch x, disp(x.identifier), end
c = dictionary("k", {[1 2 3]}); c{"k"}
