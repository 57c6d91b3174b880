% dialect: matlab
% oracle: Octave has no enumerations
addpath('support'), d = [Day.Sunday Day.Monday];
disp(d(1).string), disp(d.string), disp(d.cellstr), disp(d.ismember('Monday')), disp(d.unique)
v = Level.Mid; disp(v.char), disp(v.double), disp(v.string)
l = Length([1 2; 3 4]); disp(l.sum), disp(l.sum(2)), disp(l.double)
try, l.nothing, catch e, disp(e.message), end
