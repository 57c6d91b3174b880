% oracle: Octave has no string class
% dialect: matlab
sort(["b" "a" "C"])
"a" < "b"
unique(["x" "y" "x"])
ismember("x", ["x" "y"])
