% oracle: Octave has no string class
% dialect: matlab
s = "abc"; disp(numel(s)); disp(strlength(s)); disp(s == "abc"); disp(size(["a" "b"; "c" "d"]));
s
t = ["one" "two"; "three" "4"]
