% oracle: Octave takes the words for labels only where no value follows
% Words of a legend that no value of a property follows are labels.
plot(1:3, [1:3; 3:-1:1]')
h = legend('Position', 'Velocity');
disp(h.String)
h = legend('Size', 'Position', 'Location', 'best');
disp(h.String), disp(h.Location)
