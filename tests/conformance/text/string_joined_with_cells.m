% oracle: Octave has no string class
% dialect: matlab
names = {'x', 'y'};
a = ["t" names]
b = [{'Comet'}, ': ', "1986"]; strjoin(b)
class([{}, "q"])
[{'p'; 'q'}, ["r"; "s"]]
class(["a", {1}])
