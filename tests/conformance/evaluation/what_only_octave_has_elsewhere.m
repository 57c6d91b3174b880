% dialect: matlab
% oracle: Octave's own names do not exist in MATLAB, and a cell takes no numbers.
disp(exist('OCTAVE_VERSION')), disp(exist('OCTAVE_VERSION', 'builtin')), disp(exist('page_screen_output'))
try, OCTAVE_VERSION, catch e, disp(e.message), end
f = @OCTAVE_VERSION;
try, f(), catch e, disp(e.identifier), end
c = cell(1, 2);
try, c(1) = 5; catch e, disp(e.message), end
try, quad(@(x) x^2, 0, 3), catch e, disp(e.identifier), end
