% oracle: Octave has no dictionary
% dialect: matlab
d = dictionary("a", 1, "b", 2);
disp(d("b")); d("c") = 3; disp(numEntries(d)); disp(isKey(d, "c")); disp(keys(d)'); disp(values(d)');
