% dialect: matlab
% oracle: Octave has no categorical arrays
c = categorical({'lo', 'hi', 'lo', 'mid'}, {'lo', 'mid', 'hi'}, 'Ordinal', true);
c(2) = 'mid'; disp(categories(c)'), disp(isordinal(c)), disp(double(c)), disp(unique(c)), disp(c > 'lo')
try, c(1) = 'huge'; catch e, disp(e.identifier), end
d = categorical({'b', 'a'}, {'b', 'a'}); d(2) = 'zz'; d(4) = categorical({'q'}); disp(categories(d)'), d
s.c = d; s.c(1) = 'a'; disp(categories(s.c)'), d(end) = []; d(1) = missing
