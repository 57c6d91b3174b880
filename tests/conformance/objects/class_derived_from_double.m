% dialect: matlab
% oracle: Octave has no classes derived from numbers
addpath('support')
d = Length([1 2; 3 4], 'cm')
d(2, :)
d(1) = 9;
disp(label(d)), class(d), class(d + 1), d * 2, [d d], sum(d), size(d), isa(d, 'double'), isnumeric(d), d'
x = zeros(1, 3); x(Length(2)) = 5
