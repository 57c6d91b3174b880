% dialect: matlab
% oracle: Octave takes any characters
c = textscan('1p3 4', '%f', 'ExpChars', 'p'); disp(c{1}')
try, textscan('1p3 4', '%f', 'ExpChars', 'p1'); catch e, disp(e.message), end
% Without letters nothing is an exponent
c = textscan('1e3 4', '%f%s', 'ExpChars', ''); disp(c{1}), disp(c{2}{1})
