% dialect: matlab
% oracle: Octave shows objects otherwise
addpath('support')
c = {Day.Monday}, s.d = Day.Monday; s.w = Watched; s
enumeration Day
a = Watched.empty(0, 3)
p = shapes.Box(2, 3)
display(p), display(Day.Monday)

