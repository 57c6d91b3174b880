% oracle: Octave has no string class
% dialect: matlab
s = ["abc" "def"]; s(2) = "new"; disp(s); c = s{1}(2); disp(c); s(end + 1) = "more"; disp(numel(s)); s(1) = []; disp(s);
