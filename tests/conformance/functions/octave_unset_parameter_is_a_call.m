% Octave's dialect: a parameter that was not given means what its name means else, a function or nothing.
function r = f(F, cell), r = ischar(cell); end
function r = k(F, ones), r = ones(2) + F; end
function r = h(F, nosuch), r = nosuch + F; end
function r = d(a, Fs = 2, pi), r = [a, Fs, pi]; end
disp(f(1)), disp(f(1, 'c'))
disp(k(1)), disp(k(1, 5:7))
try, h(1), catch e, disp(strncmp(e.message, '''nosuch'' undefined', 18)), end
disp(d(1) - [0 0 3]), disp(d(1, 5, 6))
