% dialect: matlab
% oracle: Octave shows handles as numbers
h = plot(1:3)
b = bar([1 2 3])
t = text(0.5, 0.5, 'hello')
g = plot([1 2; 3 4])
s = histogram([1 1 2 3], 3)
ax = axes('Position', [0 0 1 1])
