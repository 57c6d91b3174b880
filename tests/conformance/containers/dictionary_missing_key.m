% oracle: Octave has no dictionary
% dialect: matlab
d = dictionary("a", 1); try, d("q"), catch e, disp(e.identifier), end
d("a") = []; disp(numEntries(d)); disp(isConfigured(d));
