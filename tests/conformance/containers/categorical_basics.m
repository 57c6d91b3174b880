% oracle: Octave has no categorical
% dialect: matlab
c = categorical({'a', 'b', 'a'}); disp(categories(c)'); disp(countcats(c)); disp(c == 'a'); disp(class(c)); c(2) = 'a'; disp(countcats(c));
