% oracle: Octave refuses a colon in the braces of a new cell
% a colon of a variable without elements is as long as what is stored: one cell
c{1,:} = {'a','b'}; disp(size(c)), disp(c{1})
d{:,2} = 7; disp(d)
s.x{1,:} = 'q'; disp(s.x)
e = {}; e{:} = 3; disp(e)
