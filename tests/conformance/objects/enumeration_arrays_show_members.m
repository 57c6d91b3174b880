% oracle: Octave has no enumerations
addpath('support');
days = [Day.Monday Day.Tuesday; Day.Sunday Day.Monday]
disp(days(:, 1))
none = Day.empty
one = days(2)
